"""What the README shows works. (Its two set-up lines run whole in .ci/run.)"""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import click
import pytest
from helpers import run

from ontoeval.cli import main

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^    (python3 -m venv \.venv && .*)$", README, re.MULTILINE)


def _command(name: str) -> click.Command:
    command = main.get_command(click.Context(main), name)
    assert command is not None
    return command


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


def test_annotations_are_judged_as_the_readme_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "120")  # a narrow terminal gets the table upright
    ((command, shown),) = re.findall(r"```\n\$ ontoeval (annotations .*?)\n(.*?)```", README, re.DOTALL)
    result = run(*shlex.split(command))
    assert result.exit_code == 0
    assert result.stdout.partition("What was found")[0].strip() == shown.strip()


@pytest.mark.parametrize("page", ["annotations.md", "instances.md", "relating.md"])
def test_python_of_a_page_runs(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    (block,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / page).read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(block, page, "exec"), names)  # noqa: S102 - our own example
    assert len(names["ontology"].hierarchy) > 5


def test_commands_of_the_page_on_instances_print_what_it_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "110")
    page = (ROOT / "docs" / "instances.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```\n\$ ontoeval (.*?)\n(.*?)```", page, re.DOTALL)
    assert len(blocks) == 2
    for command, shown in blocks:
        result = run(*shlex.split(command))
        assert result.exit_code == 0, command
        assert result.stdout.strip() == shown.strip(), command


def test_the_first_command_of_the_page_on_comparing_prints_what_it_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "80")
    page = (ROOT / "docs" / "comparing.md").read_text(encoding="utf-8")
    command, shown = re.findall(r"```\n\$ ontoeval (.*?)\n(.*?)```", page, re.DOTALL)[0]
    words = [word for text in shlex.split(command) for word in (sorted(map(str, Path().glob(text))) or [text])]
    assert run(*words).stdout == shown


@pytest.mark.filterwarnings("ignore:ontoeval:DeprecationWarning")  # a page of its own is rewritten for the new names
def test_python_example_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)  # it writes a file
    (tmp_path / "fixtures").symlink_to(ROOT / "fixtures")
    (block,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(block, "README.md", "exec"), names)  # noqa: S102 - our own example
    assert names["result"]["TF_csc"].value == pytest.approx(16 / 21)
    assert len(names["small"].hierarchy) == 5


def test_every_shown_command_has_known_options() -> None:
    shown = re.findall(r"^    \.venv/bin/ontoeval (.*?)(?: +#.*)?$", README, re.MULTILINE)
    assert len(shown) >= 8
    for line in shown:
        command, *words = shlex.split(line)
        known = {name for parameter in _command(command).params for name in parameter.opts}
        assert {word for word in words if word.startswith("-")} <= known, line


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


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / target).exists()
