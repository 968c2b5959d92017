"""What the README shows works. (Its two set-up lines run whole in .ci/run.)"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from ontoeval.cli import main

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^    (python3 -m venv \.venv && .*)$", README, re.MULTILINE)


def test_two_lines_do_all_the_set_up() -> None:
    assert len(COMMANDS) == 2
    assert "pip install -q -e . && .venv/bin/ontoeval " in COMMANDS[0]
    assert COMMANDS[1].endswith(".venv/bin/pytest -q")


def test_main_command_prints_its_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    arguments = shlex.split(COMMANDS[0].partition(".venv/bin/ontoeval ")[2])
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0
    assert re.search(r"concepts +5 +6\n", result.stdout)
    assert re.search(r"avg depth +1\.667 +2\.000\n", result.stdout)


def test_python_example_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    (block,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    names: dict[str, object] = {}
    exec(compile(block, "README.md", "exec"), names)  # noqa: S102 - our own example
    assert len(names["learned"].hierarchy) == 5  # type: ignore[attr-defined]
    assert names["gold"].describe()["avg_depth"] == pytest.approx(5 / 3)  # type: ignore[attr-defined]


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / target).exists()
