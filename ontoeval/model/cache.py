"""`Cached`: a base class whose `cached(key, make)` keeps what is computed from a frozen value, each result once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Result = TypeVar("Result")


class Cached:
    """A frozen value that keeps what several measures derive from it, each thing once."""

    def cached(self, key: Any, make: Callable[[], Result]) -> Result:
        """What `make` gives, computed on the first call with this key."""
        results: dict[Any, Any] = self.__dict__.setdefault("_cached_results", {})
        if key not in results:
            results[key] = make()
        result: Result = results[key]
        return result
