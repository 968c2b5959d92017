"""`Place` in a file: errors, checks of a single text, offset or score (start <= end: `check_span` in format.py)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import NoReturn

from ontoeval.errors import LoadError
from ontoeval.load.corpora.format import GREATEST


@dataclass
class Place:
    """A position in a file, and checks of the values there."""

    path: str
    format: str
    line: int | None = None

    def fail(self, problem: str, advice: str) -> NoReturn:
        """Raise a LoadError about this position."""
        raise LoadError(problem, advice=advice, path=self.path, format=self.format, line=self.line)

    def text(self, value: object, what: str) -> str:
        """A string that can be written again."""
        if not isinstance(value, str):
            self.fail(f"{what} must be a string, not {json_text(value)}", "Correct it.")
        try:
            value.encode()
        except UnicodeEncodeError:
            self.fail(f"{what} contains half of a surrogate pair: {value!r}", "Correct it.")
        return value

    def offset(self, value: object, what: str) -> int:
        """A whole number from 0 on."""
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            self.fail(f"{what} must be a whole number >= 0, not {json_text(value)}", "Correct it.")
        if value >= GREATEST:
            self.fail(f"{what} is too large: {value}", "Correct it.")
        return value

    def score(self, value: object) -> float | None:
        """A number, or None."""
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= 1e308:
            self.fail(f"the score must be a number, not {json_text(value)}", "Correct or remove it.")
        return float(value)


def json_text(value: object) -> str:
    """A value of JSON for a message."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else f"{text[:60]}..."
