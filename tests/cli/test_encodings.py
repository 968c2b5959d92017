"""stdout in other encodings than UTF-8, closed, full, or with nobody who reads it: no command ends in a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow  # processes and terminals
ENCODINGS = ["ascii", "cp1252", "latin-1", "utf-16"]
PREFIXES = """@prefix : <http://ex.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""
ONTOLOGY = (
    PREFIXES
    + """
:all a owl:Class ; rdfs:label "τα πάντα"@el .
:car rdfs:subClassOf :all ; rdfs:label "αυτοκίνητο"@el, "自動車"@ja . :van rdfs:subClassOf :car ; rdfs:label "バン"@ja .
:cat rdfs:subClassOf :all ; rdfs:label "γάτα"@el .
"""
)
COMMANDS = """
describe a.ttl
describe a.ttl b.ttl
match a.ttl --gold b.ttl
match a.ttl --gold b.ttl -f sssom
relate 自動車 γάτα --ontology a.ttl --explain
relate --concepts names.txt --ontology a.ttl
nearest バン --ontology a.ttl
correlate rated.tsv --ontology a.ttl
compare a.ttl --gold b.ttl --worst --errors --explain 自動車
compare a.ttl --gold b.ttl --store scores --name σύστημα
query scores trend
query scores worst-concepts
query --list
store list scores
store show scores --worst
labels a.tsv --gold b.tsv --ontology a.ttl --per document
validate a.ttl
measures TP_csc
measures
sensitivity a.ttl --runs 2 -m TF_csc
perturb a.ttl --move-nodes 1 -o damaged.ttl
write-back a.ttl --gold b.ttl -o γ.ttl
schema rdf
write-back --help
--help
""".strip().splitlines()
DRIVER = """
import sys
from ontoeval.cli import main
codes = []
for line in sys.argv[1:]:
    try:
        main(line.split(" "), prog_name="ontoeval")
    except SystemExit as end:
        codes.append(end.code)
open("codes.txt", "w").write(str(codes))
"""


@pytest.fixture
def here(tmp_path: Path) -> Path:
    files = {
        "a.ttl": ONTOLOGY, "b.ttl": ONTOLOGY.replace(":van rdfs:subClassOf :car", ":van rdfs:subClassOf :cat"),
        "names.txt": "自動車\nγάτα\n",
        "rated.tsv": "自動車\tγάτα\t1\nバン\t自動車\t3\nγάτα\tバン\t2\nάγνωστο\tγάτα\t1\n",
        "a.tsv": "document\tlabel\nένα\t自動車\n", "b.tsv": "document\tlabel\nένα\tγάτα\n",
    }  # fmt: skip
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def program(
    here: Path, *arguments: str, encoding: str | None = None, code: str | None = None, tail: str = ""
) -> subprocess.CompletedProcess[bytes]:
    """The program itself; `tail`: what a shell writes behind it."""
    command = [sys.executable, *(["-c", code] if code else ["-m", "ontoeval"]), *arguments]
    environment = {**os.environ, "COLUMNS": "80", "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    environment |= {} if encoding is None else {"PYTHONIOENCODING": encoding}
    if tail:
        command = ["bash", "-c", f'"$@" {tail}', "bash", *command]
    return subprocess.run(command, cwd=here, env=environment, capture_output=True, timeout=120, check=False)


@pytest.mark.parametrize("encoding", ["ascii", *(pytest.param(name, marks=pytest.mark.slow) for name in ENCODINGS[1:])])
def test_every_command_prints_in_every_encoding(here: Path, encoding: str) -> None:
    done = program(here, *COMMANDS, encoding=encoding, code=DRIVER)
    assert b"Traceback" not in done.stderr
    codes = json.loads((here / "codes.txt").read_text())
    assert dict(zip(COMMANDS, codes, strict=True)) == dict.fromkeys(COMMANDS, 0), done.stderr.decode(encoding)


@pytest.mark.parametrize("encoding", ["ascii", *(pytest.param(name, marks=pytest.mark.slow) for name in ENCODINGS[1:])])
def test_programs_read_utf_8_and_people_what_their_terminal_can_show(here: Path, encoding: str) -> None:
    pair = ("relate", "自動車", "γάτα", "--ontology", "a.ttl", "-m", "BDM")
    document = json.loads(program(here, *pair, "--json", encoding=encoding).stdout.decode("utf-8"))
    assert document["results"][0]["given"] == ["自動車", "γάτα"]
    table = program(here, *pair, encoding=encoding).stdout.decode(encoding)
    left = "αυτοκίνητο and γάτα" if encoding == "utf-16" else "?????????? and ????"
    assert table == f"{left} in a.ttl\n  measure  value\n  BDM      0.000\n"


def test_rules_are_hyphens_where_the_encoding_has_no_lines(here: Path) -> None:
    long = "x" * 60
    (here / "long.tsv").write_text(f"{long} {long}\ttop\n")
    table = program(here, "match", "long.tsv", "--gold", "long.tsv", encoding="latin-1").stdout.decode("latin-1")
    assert "  --------" in table
    assert "?" not in table


@pytest.mark.parametrize("tail", ["| head -1", "2>&1 | head -1", ">&-", ">&- 2>&-", "<&- >&-", "| true"])
@pytest.mark.parametrize(
    "arguments", [("describe", "a.ttl", "--json"), pytest.param(("describe", "--help-all"), marks=pytest.mark.slow)]
)
def test_nobody_reads_to_the_end(here: Path, tail: str, arguments: tuple[str, ...]) -> None:
    done = program(here, *arguments, tail=f"{tail}; exit ${{PIPESTATUS[0]}}")
    assert done.returncode == 0, done.stderr
    assert b"Traceback" not in done.stderr
    assert b"Exception" not in done.stderr
    assert done.stdout.count(b"\n") <= 1


def test_with_stdout_closed_files_are_written_whole(here: Path) -> None:
    done = program(here, "compare", "a.ttl", "--gold", "b.ttl", "-o", "x.json", "-o", "x.trig", tail=">&-")
    assert done.returncode == 0, done.stderr
    assert json.loads((here / "x.json").read_text(encoding="utf-8"))["results"]
    assert program(here, "query", "x.trig", "trend", tail=">&-").returncode == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_disk_is_an_error_of_one_line(here: Path) -> None:
    done = program(here, "measures", tail="> /dev/full")
    assert (done.returncode, done.stderr) == (1, b"error: cannot write: No space left on device.\n")


def test_names_that_are_no_utf_8_are_shown_somehow(here: Path) -> None:
    name = os.fsdecode(b"\xff.ttl")
    (here / name).write_text(ONTOLOGY, encoding="utf-8")
    done = program(here, "describe", name, "-o", "x.json")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode("utf-8").startswith("\\udcff.ttl: turtle")
    assert json.loads((here / "x.json").read_text(encoding="utf-8"))
