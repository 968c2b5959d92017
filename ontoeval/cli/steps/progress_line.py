"""`ProgressLine`: what is being done, in one line of a terminal's stderr, if it takes longer than two seconds."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from types import TracebackType

from ontoeval.tables.folding import cut, on_one_line

DELAY = 2.0  # seconds before it is shown
_PAUSE = 0.2  # seconds between two states of it
_ERASE = "\r\x1b[K"


class ProgressLine:
    """A line that is rewritten in place, never longer than the window, and erased at the end."""

    def __init__(self, text: Callable[[float], str]) -> None:
        """`text`: what it says after some seconds; it is called in another thread."""
        self._text = text
        self._end = threading.Event()
        self._started = time.monotonic()
        self._shown = False
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> ProgressLine:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end.set()
        self._thread.join()
        if self._shown:
            self._write(_ERASE)

    def _run(self) -> None:
        if DELAY and self._end.wait(DELAY):
            return
        self._shown = True
        while True:  # once at least
            text = on_one_line(self._text(time.monotonic() - self._started))
            self._write(f"{_ERASE}{cut(text, _window() - 1)}")  # a full line would wrap
            if self._end.wait(_PAUSE):
                return

    @staticmethod
    def _write(text: str) -> None:
        encoding = sys.stderr.encoding or "ascii"
        try:
            sys.stderr.write(text.encode(encoding, "replace").decode(encoding))
            sys.stderr.flush()
        except (OSError, ValueError):  # the terminal is gone
            pass


def is_wanted() -> bool:
    """True if somebody can see a line that is rewritten."""
    return sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def _window() -> int:
    """The columns of the terminal itself, which may change; COLUMNS is for tables."""
    try:
        return max(os.get_terminal_size(sys.stderr.fileno()).columns, 2)
    except (OSError, ValueError):
        return 80
