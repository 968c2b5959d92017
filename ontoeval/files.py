"""Files, written whole or not at all: `check_writable`, `replacing`; `directory_lock`: a writer, or several readers."""

from __future__ import annotations

import fcntl
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ontoeval.errors import OntoevalError

_DIRECTORY = "is a directory"
_TEMPORARY = ".part"  # the end of the names of files that are being written
_PAUSE = 0.02  # seconds between two attempts to lock
_SAY_AFTER = 1.0  # seconds of waiting after which it is said


class LockedError(Exception):
    """A directory is locked by another, whose process id is given if it is known."""

    def __init__(self, process: int | None) -> None:
        self.process = process
        super().__init__(process)


def check_writable(path: str | Path) -> None:
    """Refuse a file that cannot be written, before the work begins."""
    if Path(path).is_dir() or not Path(path).parent.is_dir():
        raise _unwritable(path, _DIRECTORY if Path(path).is_dir() else "its directory does not exist")


@contextmanager
def replacing(target: str | Path) -> Iterator[Path]:
    """A file to write beside the target. It takes the target's place if there was no error; else the target stays."""
    with replacing_all(target) as [place]:
        yield place


@contextmanager
def replacing_all(target: str | Path, *companions: str | Path) -> Iterator[list[Path]]:
    """Files to write beside a target and its companions.

    They take their places if there was no error, the companions first: a target is never without them.
    """
    targets = [Path(path) for path in (target, *companions)]
    if targets[0].is_dir():
        raise _unwritable(targets[0], _DIRECTORY)
    places: list[Path] = []
    handles: list[int] = []
    try:
        for path in targets:
            _remove_leftovers(path)
            handle, place = _temporary_file(path)
            handles.append(handle)
            places.append(place)
        yield places
        umask = os.umask(0)
        os.umask(umask)
        for place, path in reversed(list(zip(places, targets, strict=True))):
            place.chmod(0o666 & ~umask)
            place.replace(path)
    except OSError as error:
        raise _unwritable(targets[0], f"cannot be written ({error.strerror or error})") from None
    finally:
        for place in places:
            place.unlink(missing_ok=True)
        for handle in handles:
            os.close(handle)


def _temporary_file(target: Path) -> tuple[int, Path]:
    """A new file beside the target, locked as long as it is open."""
    while True:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=_TEMPORARY)
        if _lock(handle, exclusive=True) and Path(name).exists():
            return handle, Path(name)
        os.close(handle)  # taken for a leftover before it was locked


def _remove_leftovers(target: Path) -> None:
    """Remove what a killed process left beside the target; nobody has locked it any more."""
    for path in target.parent.iterdir() if os.access(target.parent, os.R_OK, effective_ids=True) else ():
        if path.name.startswith(f".{target.name}.") and path.name.endswith(_TEMPORARY):
            with suppress(OSError), path.open("rb") as leftover:
                if _lock(leftover.fileno(), exclusive=True):
                    path.unlink()


def _unwritable(path: str | Path, problem: str) -> OntoevalError:
    return OntoevalError(f"{problem}; choose another path", place=str(path))


@contextmanager
def directory_lock(
    directory: Path, *, exclusive: bool, seconds: float, waiting: Callable[[LockedError], None] | None = None
) -> Iterator[None]:
    """Hold a directory for oneself, or shared with others; LockedError if that is not possible within some seconds.

    `waiting` is called once if it takes a while. The directory itself is locked: no file is left over, and the system
    unlocks it if the process is killed.
    """
    handle = os.open(directory, os.O_RDONLY)
    try:
        start, said = time.monotonic(), False
        while not _lock(handle, exclusive=exclusive):
            waited = time.monotonic() - start
            if waited >= seconds:
                raise LockedError(lock_holder(directory))
            if waiting is not None and not said and waited >= _SAY_AFTER:
                waiting(LockedError(lock_holder(directory)))
                said = True
            time.sleep(_PAUSE)
        yield
    finally:
        with suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_UN)  # a forked process may have a copy of the handle
        os.close(handle)


def _lock(handle: int, *, exclusive: bool) -> bool:
    """Lock an open file; False if another has locked it."""
    try:
        fcntl.flock(handle, (fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        pass
    return True


def lock_holder(path: Path) -> int | None:
    """The process that has locked a file or directory, where the system says so (Linux)."""
    with suppress(OSError, ValueError, IndexError):
        status = path.stat()
        number = f"{os.major(status.st_dev):02x}:{os.minor(status.st_dev):02x}:{status.st_ino}"
        for line in Path("/proc/locks").read_text().splitlines():
            words = line.split()  # 1: FLOCK ADVISORY WRITE 4711 fd:01:123456 0 EOF
            if words[5] == number and int(words[4]) > 0:
                return int(words[4])
    return None
