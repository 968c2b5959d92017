"""One way to keep beside a value what is computed from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Result = TypeVar("Result")


class Cached:
    """A frozen value that keeps what several measures derive from it, each thing once."""

    def cached(self, key: Any, make: Callable[[], Result]) -> Result:
        """What `make` gives, computed on the first call with this key."""
        kept: dict[Any, Any] = self.__dict__.setdefault("_kept", {})
        if key not in kept:
            kept[key] = make()
        result: Result = kept[key]
        return result
