"""`load_names`: names of concepts, one a line, # comments (names to concepts: analysis/name_lists.py)."""

from __future__ import annotations

from contextlib import closing

from ontoeval.errors import LoadError
from ontoeval.load.input import DEFAULT_LIMIT, open_input


def load_names(path: str, *, max_size: int = DEFAULT_LIMIT) -> list[tuple[int, str]]:
    """Read (line, name of a concept); empty lines and lines that start with # do not count."""
    with closing(open_input(path, limit=max_size)) as file:
        text = file.read_text(lenient_helps=False)
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
    names = [(number, line) for number, line in lines if line and not line.startswith("#")]
    if not names:
        raise LoadError("no concepts found", advice="Write one concept per line.", path=path)
    return names
