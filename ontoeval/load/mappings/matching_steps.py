"""`matching_steps`: a chain of steps of matching as text, with files of mappings (steps: matching/matcher.py)."""

from __future__ import annotations

from pathlib import Path

from ontoeval.errors import ParameterError
from ontoeval.load.mappings import load_mapping
from ontoeval.matching.alignment import Alignment
from ontoeval.matching.matcher import STEPS


def matching_steps(chain: str) -> list[str | Alignment]:
    """A chain of steps between commas, as `match` takes it; the files of mappings among them are read."""
    names = [name.strip() for name in chain.split(",")]
    if not all(map(_is_step, names)) and Path(chain).is_file():
        return [_mapping(chain)]  # a name with a comma in it
    return [_mapping(name) if not _is_step(name) and _may_be_file(name) else name for name in names]


def _mapping(name: str) -> Alignment:
    """The mapping of a file; behind a colon its least confidence."""
    path, _, least = name.rpartition(":")
    if path and not Path(name).is_file() and Path(path).is_file():
        try:
            return load_mapping(path, min_confidence=float(least))
        except ValueError:
            raise ParameterError(
                f"{least!r} is not a confidence", place=name, advice="Use a number from 0 to 1.", parameter="by"
            ) from None
    return load_mapping(name)


def _is_step(name: str) -> bool:
    return name.partition(":")[0] in STEPS  # a file of that name is ./label


def _may_be_file(name: str) -> bool:
    return "/" in name or "." in name or Path(name).is_file()
