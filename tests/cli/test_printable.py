"""What controls a terminal is shown, not obeyed: in every command, for labels, files, documents, names of runs."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from helpers import refused, run
from mutations import RAW
from trials.fuzz_case import commands

import ontoeval as oe
from ontoeval.cli.steps.printing import echo
from ontoeval.errors import LoadError, json_escaped, printable
from ontoeval.tables import Layout, render

HOSTILE = "\x1b]0;title\x07\x1b[31m\x9b2J\u202e\u2066\x7f"
SHOWN = r"\x1b]0;title\x07\x1b[31m\x9b2J\u202e\u2066\x7f"
CAR, VAN = f"car{HOSTILE}", f"van{HOSTILE}"
_ESCAPED = HOSTILE.encode("unicode_escape").decode().replace(r"\x", r"\u00")
TURTLE = f"""@prefix : <http://e/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:vehicle a owl:Class . :boat a owl:Class ; rdfs:subClassOf :vehicle .
:car a owl:Class ; rdfs:label "car{_ESCAPED}" ; rdfs:subClassOf :vehicle .
:van a owl:Class ; rdfs:label "van{_ESCAPED}", "van{_ESCAPED}"@en ; rdfs:subClassOf :car .
"""
TABLES = [layout.value for layout in Layout if layout.for_people and layout.on_command_line]
LEARNED, GOLD, RUN = f"learned{HOSTILE}.tsv", f"gold{HOSTILE}.ttl", f"run{HOSTILE}"
# command -> calls that quote what is hostile; in the folder that `folder` fills
CALLS: dict[str, list[list[str]]] = {
    "compare": [
        [LEARNED, "--gold", GOLD, "--match", "label,name", "--errors", "--worst", "--explain", CAR],
        [LEARNED, LEARNED, "--gold", GOLD, "--name", RUN, "--name", "b", "-m", "RelF,LF", "--fail-under", "LF=1"],
    ],
    "annotations": [["spans.jsonl", "--gold", "gold.jsonl", "--ontology", LEARNED, "--per", "class",
                     "--per", "document", "--confusion"]],
    "labels": [["labels.tsv", "--gold", "labels.tsv", "--ontology", LEARNED, "--per", "document"]],
    "agreement": [["spans.jsonl", f"also{HOSTILE}.jsonl"]],
    "describe": [[GOLD], [LEARNED, GOLD]],
    "match": [[LEARNED, "--gold", GOLD, "--match", "label,name"]],
    "relate": [[CAR, VAN, "--ontology", LEARNED, "--explain"], ["--pairs", "pairs.tsv", "--ontology", LEARNED]],
    "nearest": [[CAR, "--ontology", GOLD]],
    "validate": [[GOLD]],
    "measures": [[f"LF{HOSTILE}"]],
    "correlate": [["rated.tsv", "--ontology", LEARNED, "--rounds", "10"]],
    "sensitivity": [[LEARNED, "--perturb", f"move{HOSTILE}"], [LEARNED, "--runs", "1", "-m", f"LF{HOSTILE}"]],
    "perturb": [[LEARNED, "--remove-concepts", "1", "-o", f"out{HOSTILE}.tsv"]],
    "query": [["scores.trig", "trend", "-p", "measure=LF"],
              ["scores.trig", "worst-concepts", "-p", "run=latest", "-p", "measure=LF"]],
    "store list": [["scores.trig"], ["store"]],
    "store show": [["scores.trig", "--worst"]],
    "store delete": [["store", RUN, "--yes"]],
    "store export": [["store", f"out{HOSTILE}.trig"]],
    "store import": [["other", GOLD, "--ontology"]],
    "write-back": [[GOLD, "--gold", GOLD, "-o", f"out{HOSTILE}.ttl"]],
}  # fmt: skip
QUIET = {"schema"}  # prints nothing that comes from outside


@pytest.fixture(scope="module")
def hostile_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two ontologies, corpora, tables, and the scores of a run."""
    folder = tmp_path_factory.mktemp("hostile")
    files = {
        LEARNED: f"{CAR}\tvehicle\n{VAN}\t{CAR}\nboat\tvehicle\nvehicle\tthing\n",
        GOLD: TURTLE,
        "labels.tsv": f"doc{HOSTILE}\t{CAR}\t0.5\ndoc{HOSTILE}\tno{HOSTILE}\t0.25\n",
        "pairs.tsv": f"{CAR}\t{VAN}\n{CAR}\tboat\n",
        "rated.tsv": f"{CAR}\t{VAN}\t3\n{CAR}\tboat\t1\n{VAN}\tvehicle\t2\nno{HOSTILE}\tboat\t2\n",
    }
    for name, found in (("spans", CAR), ("gold", VAN), (f"also{HOSTILE}", VAN)):
        spans = [{"start": 0, "end": 3, "class": found}, {"start": 4, "end": 6, "class": f"no{HOSTILE}"}]
        files[f"{name}.jsonl"] = json.dumps({"document": f"doc{HOSTILE}", "annotations": spans}) + "\n"
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    arguments = [
        "compare",
        folder / LEARNED,
        "--gold",
        folder / GOLD,
        "--match",
        "name,label",
        "-m",
        "LF",
        "--name",
        RUN,
    ]
    result = run(*arguments, "-o", folder / "scores.trig", "--store", folder / "store")
    assert result.exit_code == 0, result.output
    return folder


@pytest.fixture
def folder(hostile_files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are in the current folder, and each test may change them."""
    shutil.copytree(hostile_files, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)


def calls() -> Iterator[tuple[str, list[str]]]:
    for name, lists in CALLS.items():
        for arguments in lists:
            yield name, arguments


def test_every_command_is_tried() -> None:
    assert {*CALLS, *QUIET} == {*commands()}


@pytest.mark.parametrize(("command", "arguments"), [*calls()])
@pytest.mark.usefixtures("folder")
def test_what_is_hostile_is_shown_and_not_obeyed(command: str, arguments: list[str]) -> None:
    options = [option for option in commands()[command].params if "--format" in option.opts]
    kind = options[0].type if options else None
    layouts = [name for name in TABLES if name in kind.choices] if isinstance(kind, click.Choice) else [None]
    for layout in layouts:
        more = [] if layout is None else ["-f", layout]
        result = run(*command.split(), *arguments, *more, environment={"COLUMNS": "80", "GITHUB_ACTIONS": "true"})
        output = (result.stdout_bytes + result.stderr_bytes).decode("utf-8", "surrogatepass")
        assert isinstance(result.exception, SystemExit | None), result.output
        assert RAW.findall(output) == []
        if layout in (None, "table"):
            assert r"\x1b" in output or r"\u202e" in output


@pytest.mark.parametrize("name", [f"no{HOSTILE}.ttl", "no\nsuch\r\nfile", "no\udcff"])
@pytest.mark.usefixtures("folder")
def test_a_message_is_one_printable_line(name: str) -> None:
    assert not RAW.search(refused("describe", name))
    assert not RAW.search(run("compare", name, f"--no{HOSTILE}").stderr)


@pytest.mark.usefixtures("folder")
def test_the_words_of_a_parser_are_printable() -> None:
    """pyoxigraph quotes what it does not understand."""
    Path("x.ttl").write_text(f"<http://e/a> {HOSTILE} <http://e/b> .")
    message = refused("describe", "x.ttl")
    assert not RAW.search(message)
    assert r"\x1b" in message
    with pytest.raises(LoadError) as caught:
        oe.load_ontology("x.ttl")
    assert not RAW.search(str(caught.value))


@pytest.mark.usefixtures("folder")
def test_files_of_tables_for_people_are_printable_and_those_for_programs_exact() -> None:
    arguments = ("relate", "--pairs", "pairs.tsv", "--ontology", LEARNED, "-m", "BDM")
    assert run(*arguments, "-o", "x.json", "-o", "x.tsv", "-o", "x.csv", "-o", "x.md", "-o", "x.tex").exit_code == 0
    texts = {path.suffix: path.read_text(encoding="utf-8") for path in Path().glob("x.*")}
    assert not RAW.search(texts[".md"] + texts[".tex"] + texts[".json"])
    assert SHOWN in texts[".md"]
    assert CAR in texts[".tsv"]
    assert CAR in texts[".csv"]
    assert json.loads(texts[".json"])["results"][0]["left"] == CAR


class Terminal:
    """A stream that is a terminal."""

    encoding = "utf-8"

    def __init__(self) -> None:
        self.text = ""

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> None:
        self.text += text

    def flush(self) -> None:
        pass


def test_on_a_terminal_tables_for_programs_are_printable_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """As `ls` does it: what is read from a pipe or a file is exact, what a person sees obeys nothing."""
    terminal = Terminal()
    monkeypatch.setattr("sys.stdout", terminal)
    echo(render("", ["a", "b"], [[CAR, "x"]], "tsv"), Layout.TSV)
    assert terminal.text == f"a\tb\ncar{SHOWN}\tx\n"


@pytest.mark.usefixtures("folder")
def test_github_gets_one_line_with_escaped_percent_signs() -> None:
    result = run("describe", "100%\nno.ttl", environment={"GITHUB_ACTIONS": "true"})
    first, second = result.stderr.splitlines()
    assert first.startswith("error: 100% no.ttl: ")
    assert second == "::error title=ontoeval::" + first.removeprefix("error: ").replace("%", "%25")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain – Ωµ 漢字 😀", "plain – Ωµ 漢字 😀"),
        ("می\u200cخواهم 👩\u200d🚀", "می\u200cخواهم 👩\u200d🚀"),  # joiners are part of the spelling
        ("a\x1b]8;;http://e\x07b", r"a\x1b]8;;http://e\x07b"),
        ("a\x00b\x7fc\x85d\x9be", r"a\x00b\x7fc\x85d\x9be"),
        ("a\u202eb\u2069c\u200fd\u061ce\ufefff\u2028g", r"a\u202eb\u2069c\u200fd\u061ce\ufefff\u2028g"),
        ("a\udcffb", r"a\udcffb"),
        ("one\n  two\r\n\tthree", "one two three"),
        ("a  b", "a  b"),
        ("", ""),
    ],
)
def test_printable(text: str, expected: str) -> None:
    assert printable(text) == expected
    assert printable(expected) == expected


def test_tabs_and_line_breaks_of_a_text_of_lines_stay() -> None:
    assert printable("a\tb\nc\rd\x1b", breaks=True) == "a\tb\nc" + r"\x0dd\x1b"


def test_json_keeps_its_values() -> None:
    document = {CAR: [HOSTILE, "\u2028", "ä", 1]}
    text = json_escaped(json.dumps(document, ensure_ascii=False, indent=1))
    assert json.loads(text) == document
    assert not RAW.search(text)
    assert "ä" in text
