"""The two set-up lines of the README, which .ci/run runs whole, and docs/measures.md, which a command writes."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from helpers import run

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^    (python3 -m venv \.venv && .*)$", README, re.MULTILINE)


def test_two_lines_do_all_the_set_up() -> None:
    assert len(COMMANDS) == 2
    assert "pip install -q -e . && .venv/bin/ontoeval " in COMMANDS[0]
    assert COMMANDS[1].endswith(".venv/bin/pytest -q")


def test_main_command_prints_what_the_readme_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "80")
    arguments = shlex.split(COMMANDS[0].partition(".venv/bin/ontoeval ")[2])
    result = run(*arguments)
    assert result.exit_code == 0
    (shown,) = re.findall(r"```\n(oc1\.ttl against .*?)```", README, re.DOTALL)
    assert result.stdout.strip() == shown.strip()


def sections(page: str) -> dict[str, str]:
    """Heading -> the text below it."""
    parts = [part.partition("\n") for part in re.split(r"^(?=##)", page, flags=re.MULTILINE)]
    return {heading: text.strip() for heading, _, text in parts}


def test_the_page_of_measures_is_what_the_registry_says() -> None:
    page = sections((ROOT / "docs" / "measures.md").read_text(encoding="utf-8"))
    printed = sections(run("measures", "--format", "markdown").stdout)
    assert list(page.items()) == [section for section in printed.items() if section[0] in page]
    further = [heading.lstrip("# ") for heading in printed if heading not in page]
    if further:  # a plug-in's, or somebody is trying one out
        command = "ontoeval measures --format markdown > docs/measures.md"
        pytest.skip(f"docs/measures.md lacks {', '.join(further)}. Renew it: {command}")
