"""Progress on stderr: one line of a terminal, whatever its width, and nothing of it where it is none."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow  # processes and terminals

NOW = "from ontoeval.cli.steps import progress_line; progress_line.DELAY = 0; progress_line._PAUSE = 0.001;"
CODE = f"{NOW} from ontoeval.cli import main; main(prog_name='ontoeval')"


def in_a_terminal(width: int, *arguments: object, code: str = CODE, **environment: str) -> tuple[str, str, int]:
    """stdout, what the terminal of stderr gets, and the exit code."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    command = [sys.executable, "-c", code, *map(str, arguments)]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=theirs, env={**os.environ, "TERM": "xterm", **environment}
    )
    os.close(theirs)
    received = b""
    while True:
        try:
            block = os.read(ours, 65536)
        except OSError:  # Linux: the other end is closed
            break
        if not block:
            break
        received += block
    os.close(ours)
    out = process.communicate(timeout=60)[0]
    return out.decode(), received.decode("utf-8", "replace"), process.returncode


@pytest.fixture
def edges(tmp_path: Path) -> Path:
    path = tmp_path / "an ontology with a long name, by far too long for a narrow window.tsv"
    path.write_text("".join(f"c{n}\tc{n // 3}\n" for n in range(1, 1500)), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "width", [pytest.param(20, marks=pytest.mark.slow), 40, pytest.param(80, marks=pytest.mark.slow)]
)
def test_a_line_is_never_wider_than_the_window_and_is_erased(edges: Path, tmp_path: Path, width: int) -> None:
    out, err, code = in_a_terminal(
        width, "relate", "--all", "--ontology", edges, "-m", "Lin,Resnik", "-o", tmp_path / "all.tsv"
    )
    assert (out, code) == ("", 0)
    *states, end = err.split("\r\x1b[K")
    assert any(re.match(r"[\d,]+ of 1,500 rows", state) for state in states) or width == 20
    assert len(states) > 2
    assert max(map(len, states)) < width
    assert not any("\n" in state for state in states)
    assert end == f"note: {tmp_path}/all.tsv: 1,125,750 pairs of 1,500 concepts\r\n"


@pytest.mark.parametrize("how", [("-q",), ("TERM",), ()])
def test_no_line_if_nobody_wants_it(edges: Path, how: tuple[str, ...]) -> None:
    code = CODE if how else CODE.removeprefix(NOW).strip()  # short steps show nothing
    options = ["-q"] if how == ("-q",) else []
    _, err, exit_code = in_a_terminal(
        80, "describe", edges, *options, code=code, **({"TERM": "dumb"} if how == ("TERM",) else {})
    )
    assert (err, exit_code) == ("", 0)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("compare", "{0}", "--gold", "{0}", "-m", "TP_csc", "--store", "{1}/store"), "storing in "),
        (("compare", "{0}", "--gold", "{0}", "-m", "TP_csc", "--intervals"), "intervals"),
        (("match", "{0}", "--gold", "{0}"), "matching "),
        (("nearest", "c1", "--ontology", "{0}"), "BDM ("),
    ],
)
def test_long_steps_say_what_they_do(edges: Path, tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    _, err, code = in_a_terminal(100, *(argument.format(edges, tmp_path) for argument in arguments))
    assert code == 0, err
    assert f"\r\x1b[K{words}" in err
    assert err.count("\n") == err.count("note: ")


def test_an_error_comes_below_no_rest_of_a_line(edges: Path) -> None:
    _, err, code = in_a_terminal(40, "nearest", "nothing", "--ontology", edges)
    assert code == 1
    assert err.split("\r\x1b[K")[-1].startswith("error: unknown concept 'nothing'")
