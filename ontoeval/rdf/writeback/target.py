"""The file to write, and what was written into it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ontoeval.errors import OntoevalError, ParameterError

SUFFIXES = {".ttl": "turtle", ".nt": "nt", ".owl": "xml", ".rdf": "xml"}


@dataclass(frozen=True)
class Written:
    """What was written where."""

    target: Path
    scores: int = 0
    concepts: int = 0
    measures: tuple[str, ...] = ()
    removed: int = 0  # statements of ours that were there before
    catalogue: Path | None = None
    notes: tuple[str, ...] = ()


def check_target(target: str | Path, source: str | Path) -> Path:
    """Refuse what cannot or must not be written, before the work begins."""
    target = Path(target)
    if target.suffix.lower() not in SUFFIXES:
        raise ParameterError(f"{target}: cannot tell the format. Give a name that ends in {', '.join(SUFFIXES)}.")
    if target.is_dir() or not target.parent.is_dir():
        problem = "a folder" if target.is_dir() else "no such folder"
        raise OntoevalError(f"{target}: cannot write it ({problem}). Give another place.")
    if target.exists() and Path(source).exists() and target.samefile(source):
        raise ParameterError(f"{target}: this is the file to read, which is never changed. Give another name with -o.")
    return target
