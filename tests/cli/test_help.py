"""Help of every command: at most 40 lines of 80 columns, nothing heavy imported; --help-all; old spellings."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator

import click
import pytest
from helpers import run

from ontoeval.cli import main
from ontoeval.cli.help import GROUPS, Command, Group, Option
from ontoeval.report.json_schemas import NAMES as JSON_SCHEMAS

HEAVY = {"numpy", "scipy", "rdflib", "pyoxigraph", "rich", "lxml", "networkx"}


def commands(group: Group = main, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield (*path, name), command
        if isinstance(command, Group):
            yield from commands(command, (*path, name))


ALL = dict(commands())
SINGLE = {path: command for path, command in ALL.items() if isinstance(command, Command)}


def test_every_command_of_the_list_is_there_under_its_name() -> None:
    assert len(SINGLE) == 21
    assert all(command.name == path[-1] for path, command in ALL.items())


@pytest.mark.parametrize("path", [(), *ALL], ids=" ".join)
def test_help_has_at_most_40_lines_of_80_columns(path: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    result = run(*path, "--help")
    lines = result.stdout.splitlines()
    assert result.exit_code == 0
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 80
    assert lines[0].startswith(f"Usage: {' '.join(('ontoeval', *path))} ")


@pytest.mark.parametrize("path", SINGLE, ids=" ".join)
def test_all_options_are_listed_in_groups(path: tuple[str, ...]) -> None:
    command = SINGLE[path]
    some, every = run(*path, "--help").stdout, run(*path, "--help-all").stdout
    assert max(map(len, every.splitlines())) <= 80
    for option in command.params:
        if isinstance(option, Option) and not option.hidden:
            assert option.group in GROUPS
            assert re.search(rf"(?m)^  (-\w, )?{re.escape(option.opts[-1])}\b", every)
            assert bool(re.search(rf"(?m)^  (-\w, )?{re.escape(option.opts[-1])}\b", some)) is not option.rare
    more = sum(isinstance(o, Option) and o.rare and not o.hidden for o in command.params)
    assert some.rstrip().endswith(f"{more} more option{'s' * (more > 1)}: --help-all")


@pytest.mark.parametrize("path", SINGLE, ids=" ".join)
def test_every_command_has_an_example_that_its_options_accept(path: tuple[str, ...]) -> None:
    command = SINGLE[path]
    lines = command.examples.strip().splitlines()
    assert lines
    known = {name for p in command.params for name in (*p.opts, *p.secondary_opts)} | {"--json"}
    for line in lines:
        assert line.startswith(f"ontoeval {' '.join(path)}")
        assert set(re.findall(r"(?<=\s)--?[a-z][a-z-]*", line)) <= known


@pytest.mark.parametrize("path", [(), ("store",)], ids=" ".join)
def test_all_help_of_a_group_is_its_help_and_a_pointer_to_its_commands(path: tuple[str, ...]) -> None:
    result = run(*path, "--help-all")
    command = " ".join(("ontoeval", *path))
    assert (result.exit_code, result.stderr) == (0, "")
    pointer = f"All options of a command: {command} COMMAND --help-all\n"
    assert result.stdout == f"{run(*path, '--help').stdout}\n{pointer}"


def test_json_stands_beside_the_format_that_it_is() -> None:
    with_json = [path for path, command in SINGLE.items() if any(o.name == "layout" for o in command.params)]
    assert len(with_json) > 15
    for path in with_json:
        assert re.search(r"(?m)^  -f, --format NAME +table, json \(--json\)", run(*path, "--help").stdout), path


def test_the_schema_promises_what_there_is() -> None:
    assert "  schema       Print the RDF vocabulary or a JSON schema\n" in run("--help").stdout
    assert run("schema", "rdf").stdout.startswith("@prefix")
    assert json.loads(run("schema", "compare").stdout)["$id"].endswith("/compare-1.json")


def test_no_help_imports_anything_heavy() -> None:
    calls = [["--help"], *([*path, option] for path in SINGLE for option in ("--help", "--help-all"))]
    code = (
        f"import sys\nfrom ontoeval.cli import main\nfor call in {calls!r}:\n"
        "    main.main(call, prog_name='ontoeval', standalone_mode=False)\nprint(*sys.modules)"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = set(shown.stdout.splitlines()[-1].split())
    assert "click" in modules
    assert not modules & HEAVY


# What may differ: formats of a command, folders beside files, several thresholds, fewer choices in relate and nearest,
# what there is to add or store; `store import --ontology` is a flag, and so is --explain of pairs that are named.
DIFFERENT_VALUES = {
    "--format", "--gold", "--min-confidence", "--senses", "--unknown", "--per", "--store-level", "--ontology",
    "--explain",
}  # fmt: skip


def test_an_option_has_one_kind_of_value_everywhere() -> None:
    kinds: dict[str, set[str | None]] = {}
    for command in SINGLE.values():
        for option in command.params:
            if isinstance(option, Option) and not option.hidden:
                value = option.metavar or "|".join(map(str, getattr(option.type, "choices", ())))
                kinds.setdefault(option.opts[-1], set()).add(None if option.is_flag else value)
    assert {name for name, values in kinds.items() if len(values) > 1} <= DIFFERENT_VALUES
    assert len(kinds) > 80


# Old spellings

OLD_COMMANDS = {
    "rank": "labels -m ranking", "agree": "correlate", "annotate": "write-back", "vocabulary": "schema rdf",
}  # fmt: skip


@pytest.mark.parametrize(("old", "new"), OLD_COMMANDS.items())
def test_old_commands_still_run_with_a_note(old: str, new: str) -> None:
    result = run(old, *([] if old == "vocabulary" else ["--help"]))
    assert result.exit_code == 0
    assert result.stderr == f"note: {old} is now {new}.\n"
    assert old not in main.list_commands(click.Context(main))


@pytest.mark.parametrize(
    ("path", "old"), [(path, old) for path, command in SINGLE.items() for old in command.old], ids=str
)
def test_what_an_old_option_is_now_is_an_option_of_the_command(path: tuple[str, ...], old: str) -> None:
    command = SINGLE[path]
    now = command.old[old]
    (option,) = (p for p in command.params if now[0] in (*p.opts, *p.secondary_opts))
    assert old not in {name for p in command.params for name in p.opts}
    if len(now) > 1:
        assert isinstance(option.type, click.Choice | click.types.StringParamType)
        assert now[1] in getattr(option.type, "choices", [now[1]])


def test_old_options_are_read_with_a_note_in_either_form() -> None:
    compare = SINGLE["compare",]
    for arguments, renamed in (
        (["a", "--system", "x"], ["a", "--name", "x"]),
        (["a", "--system=x=y"], ["a", "--name=x=y"]),
        (["--no-local", "a"], ["--store-level", "totals", "a"]),
        (["--json"], ["--format", "json"]),
        (["--worst", "a"], ["--worst=10", "a"]),
        (["--worst", "3", "a"], ["--worst", "3", "a"]),
        (["--worst"], ["--worst=10"]),
        (["--worst=4"], ["--worst=4"]),
        (["--", "--system", "--worst"], ["--", "--system", "--worst"]),
    ):
        assert compare.in_todays_spelling(arguments) == renamed


@pytest.mark.parametrize("arguments", ["-q agree --help", "agree -q --help", "agree --quiet --plot x --help"])
def test_notes_of_old_spellings_are_hidden_by_quiet(arguments: str) -> None:
    result = run(*arguments.split())
    assert (result.exit_code, result.stderr) == (0, "")


def test_a_wrong_command_gets_a_suggestion_and_a_pointer_to_help() -> None:
    result = run("descibe")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "error: 'descibe' is not a command. Did you mean 'describe'?\nHelp: ontoeval --help\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("compare a --gold b --bar", "no such option '--bar'. Did you mean '--base-iri' or '--per'?"),
        ("compare a --gold b -z", "no such option '-z'."),
        ("measures LF TF", "too many arguments: TF."),
        ("schema owl", f"unknown value 'owl'. Use one of: {', '.join(['rdf', *JSON_SCHEMAS])}."),
        ("compare a --gold b --reason-timeout 0", "--reason-timeout: must be > 0, not 0."),
        ("describe a --skos broad", "--skos: unknown value 'broad'. Use one or more of: transitive, mappings, close."),
        ("nearest a --ontology b --senses max", "--senses: unknown value 'max'. Use first."),
        ("annotations a --per word", "--per: unknown value 'word'. Use one of: class, document."),
    ],
)  # fmt: skip
def test_errors_of_usage_are_worded_as_all_others(arguments: str, message: str) -> None:
    result = run(*arguments.split())
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"error: {message}\n")


def test_a_wrong_value_names_the_option() -> None:
    result = run("compare", "a", "--gold", "b", "--digits", "99")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("error: --digits: must be from 0 to 15, not 99.")
    assert run("compare", "a", "--gold", "b", "--max-size", "5X").stderr.startswith(
        "error: --max-size: '5X' is not a size. Use e.g. 500M.\n"
    )
