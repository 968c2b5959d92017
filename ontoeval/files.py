"""Writing files: `check_writable` before the work begins; `replacing`: the old file stays until the new is whole."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ontoeval.errors import OntoevalError

_DIRECTORY = "is a directory"


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
    try:
        for path in targets:
            handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
            os.close(handle)
            places.append(Path(name))
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


def _unwritable(path: str | Path, problem: str) -> OntoevalError:
    return OntoevalError(f"{problem}; choose another path", place=str(path))
