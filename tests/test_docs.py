"""README.md and docs/ show what is true today: each of their commands is run, and prints what the page shows.

`RENEW_DOCS=1 pytest tests/test_docs.py` writes what is printed now into the pages and draws the picture again.
"""

from __future__ import annotations

import doctest
import json
import os
import re
import runpy
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from pages import ROOT, blocks, call, renewed, shown

from ontoeval.cli import main

PAGES = ("README.md", *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md"))))
PAPER = "fixtures/dellschaft2006/"
EVERYWHERE = {  # what the names in commands without a folder stand for
    "learned.owl": PAPER + "oc1.ttl",
    "new.owl": PAPER + "oc1.ttl",
    "old.owl": PAPER + "or2.ttl",
    "gold.ttl": PAPER + "or2.ttl",
    "vehicles.ttl": PAPER + "or2.ttl",
    "thesaurus.ttl": "fixtures/subjects/thesaurus.ttl",
    "populated.ttl": "fixtures/formats/tiny.ttl",
}
ON_PAGE = {
    "docs/comparing.md": {
        **{f"runs/{run}.taxo": f"{PAPER}{run}.ttl" for run in ("oc1", "oc4", "oc5")},
        "run.taxo": PAPER + "oc4.ttl",
        "gold.taxo": PAPER + "or2.ttl",
        "learned.tsv": PAPER + "votes.tsv",
    },
    "docs/loading.md": {f"v0.{n}/protonu.owl": "fixtures/formats/tiny.rdf" for n in (1, 2)},
    "docs/annotations.md": dict.fromkeys(("learned.ttl", "gold.ttl", "classes.ttl"), "fixtures/formats/tiny.ttl"),
    "docs/command-line.md": {
        "run": "fixtures/annotations/near",
        "key": "fixtures/annotations/key",
        "proton.owl": "fixtures/annotations/news.ttl",
    },
}
RATED = "coupé\tvan\t3.5\ncar\tbike\t1.0\nBMX\tMTB\t3.0\ncar\tvan\t3.2\nbike\tvan\t0.5\n"
EXIT_CODES = {"--fail-under F=0.6,AF=0.7": 3}  # what a command says that fails on purpose


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder such as a reader has it, with the fixtures in it."""
    (tmp_path / "fixtures").symlink_to(ROOT / "fixtures")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


def fill(folder: Path, page: str) -> None:
    """The files that commands of a page name without a folder."""
    for name, source in (EVERYWHERE | ON_PAGE.get(page, {})).items():
        if (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, folder / name)
        else:
            (folder / name).parent.mkdir(exist_ok=True)
            shutil.copy(ROOT / source, folder / name)
    (folder / "rated.tsv").write_text(RATED, encoding="utf-8")


@pytest.mark.parametrize("page", PAGES)
def test_commands_and_python_of_a_page_print_what_it_shows(page: str, folder: Path) -> None:
    fill(folder, page)
    text = (ROOT / page).read_text(encoding="utf-8")
    screens: list[tuple[str, str, str]] = []
    for line, output in shown(text):
        code, printed, messages = call(line)
        allowed = next((code for words, code in EXIT_CODES.items() if words in line), 0)
        assert code == allowed, f"{line}\n{messages}"
        if output is not None:
            screens.append((line, output, printed))
    if os.environ.get("RENEW_DOCS"):
        (ROOT / page).write_text(renewed(text, [printed for _, _, printed in screens]), encoding="utf-8")
    else:
        for line, output, printed in screens:
            assert printed == output, line
    run_python(page, text)  # with the files that the commands wrote


def run_python(page: str, text: str) -> None:
    """A block with `>>>` prints what it shows; the blocks of a page share their names."""
    names: dict[str, Any] = {}
    for block in blocks(text, "python"):
        if ">>>" in block:
            test = doctest.DocTestParser().get_doctest(block, names, page, page, 0)
            assert not doctest.DocTestRunner(verbose=False).run(test, clear_globs=False).failed
            names |= test.globs
        else:
            exec(compile(block, page, "exec"), names)  # noqa: S102 - our own example


@pytest.mark.parametrize("page", PAGES)
def test_a_page_begins_with_a_job(page: str) -> None:
    """A command, a picture of one, or a block of one stands above the first heading."""
    start = (ROOT / page).read_text(encoding="utf-8").split("\n## ")[0]
    assert re.search(r"^(    \S|\$ ontoeval |>>> |!\[)", start, re.MULTILINE)


@pytest.mark.parametrize("page", [page for page in PAGES if page != "docs/performance.md"])  # options of benchmarks
def test_every_option_and_command_that_is_named_exists(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    options = {name for command in below(main) for option in command.params for name in option.opts}
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*[a-z]", text))
    assert named <= options | {"--help", "--help-all", "--json"}
    assert {*re.findall(r"[`$] ?ontoeval ([a-z][a-z-]*)", text)} <= {*main.list_commands(click.Context(main))}


def below(command: click.Command) -> Iterator[click.Command]:
    """A command and its commands."""
    yield command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from below(found)


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    for target, anchor in re.findall(r"\]\((?!http)([^)#]*)(?:#([^)]*))?\)", text):
        path = (ROOT / page).parent / target if target else ROOT / page
        assert path.exists(), target
        if anchor:
            assert anchor in anchors(path), f"{target}#{anchor}"


def anchors(path: Path) -> Iterator[str]:
    """The headings of a page as GitHub names them."""
    for heading in re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE):
        yield re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def test_every_page_is_linked_from_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [page for page in PAGES[1:] if f"({page})" not in readme] == []


def test_the_table_of_results_says_which_tests_need_files_of_others() -> None:
    """A row has a dagger if its test asks for the shared data, which is not in the repository."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.*?) \| .* \| \[.*\]\((tests/.*)\) \|$", readme, re.MULTILINE)
    assert len(rows) >= 9
    for source, test in rows:
        assert source.endswith("†") == ("shared_data" in (ROOT / test).read_text(encoding="utf-8")), test


def test_the_picture_of_the_terminal_is_what_its_script_draws() -> None:
    script: dict[str, Any] = runpy.run_path(str(ROOT / "docs" / "terminal.py"))
    if os.environ.get("RENEW_DOCS"):
        script["PICTURE"].write_text(script["picture"](), encoding="utf-8")
    assert script["PICTURE"].read_text(encoding="utf-8") == script["picture"]()


def test_settings_and_json_of_the_page_on_the_command_line(folder: Path) -> None:
    page = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    fill(folder, "docs/command-line.md")
    (settings,) = blocks(page, "toml")
    (folder / "settings.toml").write_text(settings, encoding="utf-8")
    code, printed, messages = call(
        "ontoeval --config settings.toml compare learned.owl --gold gold.ttl --json --fail-under LF=0.1"
    )
    assert code == 0, messages
    for name in ("root", "weight", "digits", "normalize", "lang"):
        assert f": {name} = " in messages
    assert set(tomllib.loads(settings)) == {"load", "output", "compare"}
    (example,) = blocks(page, "json")
    keys = re.findall(r'"(\w+)": ', example)
    found = json.loads(printed)
    assert [key for key in found if key in keys] == keys
    assert list(found)[:2] == keys[:2]
    assert found["schema"] in example
