"""A case of trials/fuzz.py: a command, options and damaged files, by seed and number; what is wrong with its end."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import tempfile
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import click
from click.testing import CliRunner, Result
from mutations import CONTROLS, NUMBERS, PACKERS, RAW, damaged, slightly_damaged
from trials.fuzz_inputs import CALLS, NAMES, RARE, SEEDS, Seed

import ontoeval as oe
from ontoeval.cli import main
from ontoeval.load import read_bdm
from ontoeval.load.corpora import FORMATS as CORPUS_FORMATS

DOCUMENTED = (0, 1, 2, 3)  # exit codes
MESSAGE = re.compile(r"(?:error|warning|note|failed|Help|::error title=ontoeval|::warning title=ontoeval):")
FOR_PROGRAMS = ("csv", "tsv", "sssom", "ttl", "npy", "parquet", "gate")
_ROLE = re.compile(r"\{(\w+)(?::([^}]*))?\}")
# Options that are not tried: --debug shows tracebacks on purpose, reasoners take seconds, what is left needs a network
_NOT_TRIED = {"--debug", "--reason", "--reason-timeout", "--timeout", "--store", "--help-all", "--output"}
_EFFORT = {"--rounds", "--runs", "--points", "--per-node"}  # a great number takes long on purpose
_NUMBERS = ("0", "1", "2", "3", "7", "100", "-1", "1e9", "0.5", "nan", "inf", "-inf", "99999999999999999999", "x", "")
_WORDS = """
iri label name fuzzy:0.5 fuzzy:2 label,iri case all case,stem none en auto new child,parent child,child hierarchical=2
related=-1 related=x TF_csc TF_csc,LF core classic relations instances hF Lin BDM LA AF(similarity=Lin) LC(scale=raw)
Lin(ic=corpus) TF_csc( TF_csc(a=) H_s(weight=w2) LF=0.9 LF=x move-nodes=0,1 cut-depth remove-level:9 transitive,close
Mention class Key link-1 ptop: run=latest measure=LF http://e/ https://example.org/tiny#Vehicle part_of tsv turtle obo
gate jsonl brat json-ld 10% a=b
""".split()  # noqa: SIM905
_GOOD = {  # option -> values that suit it
    name: values.split()
    for name, _, values in (
        line.partition(" ")
        for line in f"""
--measure TF_csc TF_csc,LF core classic Lin BDM,LA F,AF LabelF,hF ranking RelF TED
--match iri label name label,iri fuzzy:0.5,name preferred
--normalize case all case,stem none separators,camel
--lang en fr none en-GB
--columns child,parent parent,child child,parent,weight child,parent,label
--root new none auto
--weight hierarchical=2 related=0.5 broadMatch=2
--min-confidence 0 0.5 0,0.5
--below https://example.org/tiny#Vehicle https://example.org/tiny#Boat
--namespace https://example.org/tiny# https://
--skos transitive,close mappings
--relation https://example.org/tiny#partOf part_of
--base-iri http://e/
--max-size 1K 1G 0
--input-format turtle tsv obo xml json-ld n3 owlxml wordnet pairs
--corpus-format {" ".join(CORPUS_FORMATS)}
--fail-under LF=0.9 F=0.5 LabelF=1
--explain Car Boat
--similarity Lin LA WP Flat
--type Mention Car
--class-feature class type
--instance-property https://example.org/tiny#p
--instance-key https://example.org/tiny#p
--min-strength 0 0.5 1
--variant link-1
--perturb move-nodes=0,1 cut-depth use-synonyms=0,2
--name a b
--shapes ontology corpus scores
--run-base http://e/
--param run=latest measure=LF
--local local.tsv local.json
--baseline 1 tiny.ttl
--group auto tin. [ x.csv:y
--test welch permutation
--min-value 0.5 0
--kb http://e/
--top 1 3 0
--digits 0 1 15
--limit 0 1 9
--seed 0 7
--worst 1 5
--confusion 1 5
--min-score 0 0.5 nan
--scheme http://e/s
""".strip().splitlines()
    )
}
_SUFFIXES = (".json", ".csv", ".tsv", ".md", ".tex", ".trig", ".nq", ".ttl", ".svg", ".x", "")


@dataclass
class Case:
    """The arguments and the files that they name; `environment`: variables that are set."""

    arguments: list[str]
    files: dict[str, bytes] = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)

    def write(self, folder: Path) -> None:
        for name, data in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)


@dataclass(frozen=True)
class Problem:
    """What must not happen; problems of the same `place` are one finding."""

    kind: str
    place: str
    detail: str


@cache
def commands() -> dict[str, click.Command]:
    """Every command by its name, those of groups with both names."""

    def walk(group: click.Group, name: str) -> Iterator[tuple[str, click.Command]]:
        context = click.Context(group, info_name="ontoeval")
        for word in group.list_commands(context):
            command = group.get_command(context, word)
            if isinstance(command, click.Group):
                yield from walk(command, f"{name}{word} ")
            elif command is not None:
                yield f"{name}{word}", command

    return dict(walk(main, ""))


class _Maker:
    """Makes one case."""

    def __init__(self, random: Random, seeds: Mapping[str, list[Seed]]) -> None:
        self.random, self.seeds = random, seeds
        self.case = Case([])
        self.same: dict[str, Seed] = {}
        self.count = 0

    def make(self) -> Case:
        names = list(CALLS)
        weights = [RARE.get(name, 1.0) for name in names]
        (name,) = self.random.choices(names, weights)
        call = self.random.choice(CALLS[name])
        self.case.arguments = [*name.split(), *(self.filled(word) for word in shlex.split(call))]
        if name in commands():
            for _ in range(self.random.choice((0, 0, 1, 1, 2, 3))):
                self.case.arguments += self.option(self.random.choice(commands()[name].params))
        if self.random.random() < 0.1:
            self.case.environment["GITHUB_ACTIONS"] = "true"
        return self.case

    def filled(self, word: str) -> str:
        """A word of a call, with files, names and outputs in it."""
        if word == "store":
            self.case.files.update(stored())
        return _ROLE.sub(lambda role: self.value(role[1], role[2]), word)

    def value(self, role: str, more: str | None) -> str:
        if role == "name":
            return self.random.choice(NAMES)
        if role == "out":
            return f"out{more}"
        return self.file(role)

    def file(self, kind: str) -> str:
        """The path of a new file or folder, damaged more often than not."""
        seed = self.seed_of(kind)
        first, self.count = self.count == 0, self.count + 1
        folder = f"{self.count}{self.random.choice(CONTROLS) if self.random.random() < 0.05 else ''}"
        target = self.random.choice(list(seed)) if self.random.random() < (0.8 if first else 0.3) else None
        others = [data for other in self.seeds[kind] for data in other.values()]
        for path, data in seed.items():
            if path == target and self.random.random() < 0.6:
                data = slightly_damaged(data, self.random)
            elif path == target:
                data = damaged(data, self.random, others)
                if self.random.random() < 0.03:
                    data = damaged(self.random.choice([*PACKERS.values()])(data), self.random, others)
            self.case.files[f"{folder}/{path}"] = data
        return f"{folder}/{next(iter(seed)).partition('/')[0]}"

    def seed_of(self, kind: str) -> Seed:
        """A file of this kind, rather the same as before: two sides that have nothing in common are soon refused."""
        if kind not in self.same or self.random.random() < 0.3:
            own = self.random.random() < 0.7
            self.same[kind] = self.random.choice(SEEDS[kind] if own else self.seeds[kind])
        return self.same[kind]

    def option(self, parameter: click.Parameter) -> list[str]:
        """An option with a value that is often right."""
        if not isinstance(parameter, click.Option) or parameter.opts[-1] in _NOT_TRIED:
            return ["-o", f"more{self.random.choice(_SUFFIXES)}"] if "-o" in parameter.opts else []
        name = self.random.choice([*parameter.opts, *parameter.secondary_opts])
        if parameter.is_flag:
            return [name]
        return [name, *(self.option_value(parameter) for _ in range(parameter.nargs))]

    def option_value(self, parameter: click.Option) -> str:
        chance = self.random.random()
        if isinstance(parameter.type, click.Choice) and chance < 0.9:
            return str(self.random.choice(list(parameter.type.choices)))
        if parameter.opts[-1] in _GOOD and chance < 0.8:
            return self.random.choice(_GOOD[parameter.opts[-1]])
        if parameter.opts[-1] in _EFFORT:
            return self.random.choice(("0", "1", "2", "9", "-1", "x"))
        if isinstance(parameter.type, click.types.IntParamType | click.types.FloatParamType) and chance < 0.9:
            return self.random.choice(_NUMBERS)
        if re.search("FILE|PATH", parameter.metavar or "") and chance < 0.8:
            kind = parameter.opts[-1].removeprefix("--gold-").removeprefix("--")
            return self.file(kind if kind in self.seeds else self.random.choice([*self.seeds]))
        if chance > 0.95:
            return self.random.choice(CONTROLS) + self.random.choice(NUMBERS).decode()
        return self.random.choice((*_WORDS, *NAMES))


def make_case(seed: int, number: int, seeds: Mapping[str, list[Seed]] = SEEDS) -> Case:
    return _Maker(Random(f"{seed} {number}"), seeds).make()


@cache
def stored() -> dict[str, bytes]:
    """The files of a store with a few runs."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for seed in SEEDS["scores"]:
            Case([], dict(seed)).write(folder)
        files = sorted(map(str, folder.iterdir()))
        result = CliRunner().invoke(main, ["store", "import", f"{folder}/store", *files])
        assert result.exit_code == 0, result.output
        return {f"store/{path.name}": path.read_bytes() for path in (folder / "store").iterdir() if path.name != "LOCK"}


def run_case(case: Case, folder: Path) -> list[Problem]:
    """Run it in this folder, which is empty before and after; what must not happen."""
    case.write(folder)
    before = Path.cwd()
    os.chdir(folder)
    try:
        if case.arguments[0] == "(read_bdm)":
            return _library_problems(case.arguments[1])
        return problems_of_result(case, invoke(case, case.arguments))
    finally:
        os.chdir(before)
        for entry in folder.iterdir():
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()


def invoke(case: Case, arguments: list[str]) -> Result:
    environment: dict[str, Any] = {"GITHUB_ACTIONS": None, "ONTOEVAL_STORE": None, "COLUMNS": "80", **case.environment}
    try:
        return CliRunner().invoke(main, arguments, input="", env=environment)
    except BaseException as error:  # a panic of a library in Rust is no Exception
        if isinstance(error, KeyboardInterrupt):
            raise
        return Result(CliRunner(), b"", b"", b"", None, 70, error, (type(error), error, error.__traceback__))  # type: ignore[arg-type]


def _library_problems(path: str) -> list[Problem]:
    """A reader that no command has."""
    try:
        read_bdm(path)
    except oe.OntoevalError as error:
        return [Problem("raw", "read_bdm", repr(error))] if RAW.search(str(error)) else []
    except Exception as error:
        return [_of_exception(error)]
    return []


def problems_of_result(case: Case, result: Result) -> list[Problem]:
    """What must not happen, in what a case printed and how it ended."""
    return list(_problems(case, result))


def _problems(case: Case, result: Result) -> Iterator[Problem]:
    command = " ".join(word for word in case.arguments[:2] if word in " ".join(commands()).split())
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        yield _of_exception(result.exception)
    elif result.exit_code == 70:
        error = invoke(case, [*case.arguments, "--debug"]).exception
        known = error is not None and not isinstance(error, SystemExit)
        yield _of_exception(error) if known and error else Problem("exit code 70", command, result.stderr)
    elif result.exit_code not in DOCUMENTED:
        yield Problem(f"exit code {result.exit_code}", command, result.stderr)
    stdout, stderr = (data.decode("utf-8", "surrogatepass") for data in (result.stdout_bytes, result.stderr_bytes))
    if RAW.search(stderr):
        yield Problem("raw", f"stderr of {command}", ascii(stderr))
    if _for_people(case.arguments) and RAW.search(stdout):
        yield Problem("raw", f"stdout of {command}", ascii(stdout))
    stray = [line for line in stderr.splitlines() if not MESSAGE.match(line)]
    if stray and result.exit_code != 70:
        yield Problem("stray line", f"{command}: {stray[0][:60]}", stderr)


def _for_people(arguments: list[str]) -> bool:
    """Whether it prints a table for people, or JSON, which escapes what is not printable."""
    return not {*arguments} & {*FOR_PROGRAMS, "schema", "query"}


def _of_exception(error: BaseException) -> Problem:
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "/ontoeval/" in frame.filename]
    place = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "?"
    text = "".join(traceback.format_exception(error))
    return Problem("traceback", f"{type(error).__name__} {place}", text[-6000:])
