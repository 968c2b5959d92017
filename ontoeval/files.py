"""Writing files so that nothing is lost."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ontoeval.errors import OntoevalError


@contextmanager
def replacing(target: str | Path) -> Iterator[Path]:
    """A file to write beside the target, which takes its place when all went well; else the target stays as it was."""
    target = Path(target)
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        os.close(handle)
        place = Path(name)
        try:
            yield place
            umask = os.umask(0)
            os.umask(umask)
            place.chmod(0o666 & ~umask)
            place.replace(target)
        except BaseException:
            place.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise OntoevalError(f"{target}: cannot write it ({error.strerror}). Give another place.") from None
