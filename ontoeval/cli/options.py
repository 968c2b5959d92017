"""Options that several commands declare: loading, matching, measures, statistics, output; nothing heavy is imported."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

import click

from ontoeval.cli import completion
from ontoeval.cli.help import Option
from ontoeval.tables import Layout

FIGURES = ("pr", "dots", "hist", "curve")  # those of report/figures, which import numpy (a test compares them)
LAYOUTS = tuple(layout.value for layout in Layout if layout.on_command_line)
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_SKOS = {"transitive": "transitive", "mappings": "mappings", "close": "close_match"}  # word -> field of LoadOptions

# Old spellings of options that many commands have, and what they are now.
OLD_LOADING = {
    "--transitive": "--skos transitive", "--mappings": "--skos mappings", "--close-match": "--skos close",
    "--strict-instances": "--ambiguous-instances drop",
}  # fmt: skip
OLD_STORING = {"--no-local": "--store-level totals", "--base": "--run-base", "--system": "--name"}


# values


def _size(context: click.Context, parameter: click.Parameter, value: str) -> int:
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)i?B?", value, re.IGNORECASE)
    if not match:
        raise click.BadParameter(f"{value!r} is not a size. Use e.g. 500M.")
    return int(float(match[1]) * _UNITS[match[2].upper()])


def _weights(context: click.Context, parameter: click.Parameter, values: Sequence[str]) -> dict[str, Any] | None:
    result: dict[str, Any] = {}
    for value in values:
        name, equals, number = (text.strip() for text in value.rpartition("="))  # an IRI may have a = of its own
        if not equals:
            raise click.BadParameter(f"{value!r} is not NAME=NUMBER. Use e.g. related=2.")
        if result.setdefault(name, number) != number:
            raise click.BadParameter(f"{name} has two weights, {result[name]} and {number}.")
    return result or None  # the library checks the numbers


def _thresholds(context: click.Context, parameter: click.Parameter, value: str | None) -> tuple[float, ...]:
    """The thresholds of --min-confidence: numbers with commas between them, each once."""
    try:
        numbers = [float(text) for text in str(value).split(",")] if value is not None else []
    except ValueError:
        numbers = [math.nan]
    if not all(map(math.isfinite, numbers)):
        raise click.BadParameter(f"{value!r} is not a number, or several with commas, e.g. 0,0.3,0.6.")
    if len(set(numbers)) < len(numbers):
        raise click.BadParameter(f"{value!r} names a threshold twice.")
    return tuple(numbers)


def _skos(context: click.Context, parameter: click.Parameter, values: Sequence[str]) -> None:
    words = [word.strip() for value in values for word in value.split(",")]
    for word in words:
        if word not in _SKOS:
            raise click.BadParameter(f"unknown value {word!r}. Use one or more of: {', '.join(_SKOS)}.")
    context.params.update({field: word in words for word, field in _SKOS.items()})


def _ambiguous(context: click.Context, parameter: click.Parameter, value: str) -> None:
    context.params["strict_instances"] = value == "drop"


def _layout(context: click.Context, parameter: click.Parameter, value: str | None) -> Layout | str | None:
    return Layout.named(value) if value is not None and value in LAYOUTS else value


# loading


def _loading(*names: str, help: str, group: str = "Loading", **settings: Any) -> Option:
    return Option(*names, group=group, rare=True, help=help, **settings)


def loading_options(
    *, visible: Sequence[str] = (), sides: int = 1, language: bool = True, runs: bool = False
) -> list[Option]:
    """How ontologies are loaded; defaults and choices are those of `LoadOptions` (a test compares them).

    `visible`: options that the help of the command shows under Input. `sides=2`: of a learned and of a gold ontology,
    `runs`: of several learned ones, or several least confidences.
    """
    options = [
        _loading("--input-format", "format", metavar="NAME", help="File format, if it cannot be detected."),
        _loading("--profile", type=click.Choice(["auto", "owl", "skos"]), default="auto", show_default=True,
                 help="What to read from a file with both OWL classes and SKOS concepts."),
        _loading("--root", default="auto", show_default=True, metavar="auto|new|none|IRI",
                 help="Add a root: above several top concepts (auto), always (new), never (none); "
                      "or use this concept."),
        _loading("--on-cycle", type=click.Choice(["keep", "error"]), default="keep", show_default=True,
                 help="Keep cycles (their concepts are each other's ancestors) or refuse them."),
        _loading("--weight", "weights", multiple=True, metavar="NAME=NUMBER", callback=_weights,
                 help="Weight of hierarchical, related or synonym links (1, 1, 0), or of one property, e.g. "
                      "broadMatch=2."),
        _loading("--reason", type=click.Choice(["hermit", "elk"]), help="Infer the hierarchy. HermiT needs Java."),
        _loading("--reason-timeout", default=600, show_default=True, metavar="SECONDS",
                 type=click.FloatRange(min=0, min_open=True), help="Stop the reasoner after this time."),
        _loading("--import", "imports", multiple=True, metavar="FILE", type=click.Path(),
                 help="Load this file, too, or take owl:imports from this directory or catalog-v001.xml."),
        _loading("--relation", "relations", multiple=True, metavar="IRI",
                 help="A transitive relation that counts as is-a, e.g. part_of."),
        _loading("--other-relations", is_flag=True, help="Also read relations other than is-a (automatic with RelP, RelR, RelF)."),
        _loading("--symmetric", multiple=True, metavar="NAME", help="Treat this property as symmetric."),
        _loading("--namespace", "namespaces", multiple=True, metavar="PREFIX",
                 help="Keep only concepts whose IRI has this prefix (or OBO namespace)."),
        _loading("--below", metavar="IRI", help="Keep only this concept and its descendants."),
        _loading("--scheme", metavar="IRI", help="Keep only the concepts of this SKOS concept scheme."),
        _loading("--merge-labels", type=click.Choice(["case", "normalized"]),
                 help=f"Merge {'LEARNED concepts' if sides == 2 else 'concepts'} whose labels differ only in case "
                      "(normalized: also in spacing or punctuation)."),
        _loading("--deprecated", is_flag=True, help="Include deprecated and obsolete concepts."),
        _loading("--skos", multiple=True, metavar="WORDS", callback=_skos, expose_value=False,
                 help="Also read transitive (broaderTransitive), mappings (broadMatch), close (closeMatch)."),
        _loading("--columns", metavar="NAMES", help="Columns of a table, e.g. parent,child or child,parent,weight."),
        _confidence_option(sides, runs),
        _loading("--base-iri", metavar="IRI", help="Base of relative IRIs."),
        _loading("--lenient", is_flag=True, help="Tolerate minor syntax errors, with a note."),
        _loading("--max-size", default="4G", show_default=True, metavar="SIZE", callback=_size,
                 help="Refuse files larger than this when unpacked."),
        *_instance_options(sides, runs),
    ]  # fmt: skip
    if sides == 2:
        options.append(imports_option("--gold-import", "gold_imports", "the gold standard"))
        options.append(
            _loading(
                "--gold-columns",
                metavar="NAMES",
                help="Like --columns, for the gold standard; --columns is then for LEARNED only.",
            )
        )
    if language:
        options.append(
            _loading(
                "--lang",
                "language",
                metavar="TAG",
                help="Use labels in this language (en: also en-GB), else those without a language.",
            )
        )
    for option in options:
        if option.opts[-1] in visible:
            option.group, option.rare = "Input", False
    return options


def imports_option(name: str, parameter: str, whose: str) -> Option:
    """Imports of a second file; --import is then of the first one alone."""
    return _loading(name, parameter, multiple=True, metavar="FILE", type=click.Path(),
                    help=f"Like --import, for {whose}; --import is then for the other side only.")  # fmt: skip


def _confidence_option(sides: int, runs: bool) -> Option:
    whose = "LEARNED's links" if sides == 2 else "links"
    if runs:
        return _loading("--min-confidence", metavar="T[,T...]", callback=_thresholds,
                        help=f"Drop {whose} below this confidence; a list gives one run per value.")  # fmt: skip
    return _loading("--min-confidence", metavar="T", type=float, help=f"Drop {whose} below this confidence.")


def _instance_options(sides: int, runs: bool) -> list[Option]:
    table = "TSV: instance, concept[, strength]"
    tables = [_loading("--instances", metavar="FILE", group="Instances", help=f"{table}.")]
    if sides == 2:
        tables = [
            _loading("--instances", multiple=True, metavar="FILE", group="Instances",
                     help=f"{table}; give one for all LEARNED files, or one per file." if runs else f"{table}."),
            _loading("--gold-instances", metavar="FILE", group="Instances", help="The same for the gold standard."),
        ]  # fmt: skip
    return [
        *tables,
        _loading("--instance-property", metavar="IRI", group="Instances",
                 help="Property that links an instance to its concepts, in addition to dct:subject."),
        _loading("--instance-key", multiple=True, metavar="IRI", group="Instances",
                 help="Property whose value identifies an instance, in place of its IRI."),
        _loading("--min-strength", default=0.0, metavar="T", type=float, group="Instances",
                 help="Drop instance assignments weaker than this (0 to 1)."),
        _loading("--ambiguous-instances", type=click.Choice(["keep", "drop"]), default="keep", show_default=True,
                 callback=_ambiguous, expose_value=False, group="Instances", help="What to do with instances of several concepts."),
    ]  # fmt: skip


# input and matching


def gold_option(help: str, metavar: str = "FILE", *, required: bool = True) -> Option:
    return Option("--gold", required=required, metavar=metavar, group="Input", help=help)


def ontology_option(help: str, *, required: bool = True) -> Option:
    return Option("--ontology", "source", required=required, metavar="FILE", group="Input", help=help)


def matching_options(*, rare: bool = False, languages: bool = True) -> list[Option]:
    """How learned concepts are matched with gold concepts."""
    options = [
        Option("--match", "by", default="iri,label", show_default=True, metavar="CHAIN", group="Matching", rare=rare,
               help="Ways to match, in the order given: iri, label, preferred, name, fuzzy:0.9, FILE, ..."),
        Option("--normalize", default="none", metavar="WORDS", group="Matching", rare=rare,
               help="Ignore in labels: case, separators, all, stem, ..."),
    ]  # fmt: skip
    if languages:
        options.append(
            Option("--lang", "languages", multiple=True, metavar="TAG", group="Matching", rare=rare,
                   help="Labels in this language only; repeat for more.")
        )  # fmt: skip
    return options


def unknown_option(default: str, choices: Sequence[str]) -> Option:
    return Option("--unknown", type=click.Choice(choices), default=default, show_default=True, group="Matching",
                  help=f"Unknown names: {'wrong, left out, refused' if 'keep' in choices else 'left out, or refused'}.")  # fmt: skip


def senses_option() -> Option:
    return Option("--senses", type=click.Choice(["max", "first"]), default="max", show_default=True,
                  group="Matching", help="Ambiguous names: most similar senses, or first.")  # fmt: skip


# scores and statistics


def measure_option(example: str, *, rare: bool = False) -> Option:
    """`-m` with a measure or a set of measures as an example."""
    return Option("-m", "--measure", "measures", multiple=True, metavar="NAME", group="Scores", rare=rare,
                  shell_complete=completion.measures, help=f"Measures or a set, e.g. {example}.")  # fmt: skip


def fail_under_option() -> Option:
    return Option("--fail-under", "limits", multiple=True, metavar="NAME=X|FILE", group="Scores",
                  help="Exit with code 3 if a score is lower.")  # fmt: skip


def top_option(default: int = 10) -> Option:
    return Option("--top", type=click.IntRange(min=0), default=default, show_default=True, metavar="N", group="Output",
                  rare=True, help="Rows of each list; 0 = all.")  # fmt: skip


def counts_option() -> Option:
    return Option("--counts", metavar="FILE", group="Input", rare=True,
                  help="TSV: concept, corpus frequency; for ic=corpus.")  # fmt: skip


def statistics_options(*, compared: str) -> list[Option]:
    """Intervals and tests; `compared`: what a row is."""
    return [
        Option("--intervals", "with_confidence", is_flag=True, group="Statistics", help="Add 95% bootstrap confidence intervals."),
        Option("--significance", is_flag=True, group="Statistics",
               help=f"Test all pairs of {compared}s."),
        Option("--baseline", metavar="NAME", group="Statistics", help=f"Test only against this {compared}."),
        Option("--group", metavar="REGEX|auto", group="Statistics",
               help=r"Join runs of a system: '_seed\d+', FILE:COLUMN."),
        Option("--test", type=click.Choice(["permutation", "welch"]), group="Statistics", rare=True,
               help="Test of groups: permutation of runs, or Welch's t."),
        *sampling_options("intervals (1000) and tests (10000)"),
    ]  # fmt: skip


def sampling_options(what: str) -> list[Option]:
    return [
        Option("--rounds", type=click.IntRange(1, 1_000_000), metavar="N", group="Statistics", rare=True,
               help=f"Resamples for {what}."),
        seed_option(),
    ]  # fmt: skip


def seed_option() -> Option:
    return Option("--seed", type=click.IntRange(min=0), default=0, show_default=True, metavar="N",
                  group="Statistics", rare=True, help="Random seed.")  # fmt: skip


# output


def format_option(names: Sequence[str] = LAYOUTS, *, default: str | None = Layout.TABLE.value) -> Option:
    """`-f`: the command gets a `layout`, or the name of a format of its own. `--json` is `-f json`."""
    return Option("-f", "--format", "layout", type=click.Choice(names), default=default, metavar="NAME", group="Output",
                  callback=_layout, help=", ".join(names).replace("json", "json (--json)"))  # fmt: skip


def output_option(suffixes: str, *, required: bool = False, many: bool = True) -> Option:
    return Option("-o", "--output", multiple=many, required=required, metavar="FILE", group="Output",
                  help=suffixes)  # fmt: skip


def figure_option(*, thresholds: bool = False) -> Option:
    """`thresholds`: the command may score several thresholds of confidence, which are a curve."""
    figures = [figure for figure in FIGURES if thresholds or figure != "curve"]
    return Option("--figure", type=click.Choice(figures), metavar="NAME", group="Output", rare=True,
                  help=f"What -o FILE.svg, .pdf or .png shows: {', '.join(figures)}.")  # fmt: skip


def local_option(of: str) -> Option:
    return Option("--local", metavar="FILE", group="Output", help=f"Scores of each {of}: .tsv, .csv, .json.")


def digits_option() -> Option:
    return Option("--digits", type=click.IntRange(0, 15), default=3, show_default=True, metavar="N", group="Output",
                  rare=True, help="Decimals in tables.")  # fmt: skip


def storing_options(of: str, *, annotations: bool = False, inputs: int | None = None) -> list[Option]:
    """Where scores go as RDF, and what goes there; `of`: what has scores of its own, `inputs`: how many may be named."""
    levels, what = ["totals", "units"], f"Totals only, or also the scores of each {of}."
    if annotations:
        levels, what = [*levels, "annotations"], f"Totals; also each {of}; also each annotation."
    return [
        Option("--store", metavar="DIR|URL", envvar="ONTOEVAL_STORE", group="Output",
               help="Add scores to an RDF store (directory or URL)."),
        Option("--name", "names", multiple=True, metavar="NAME", group="Output",
               help="Name of the system." if inputs == 1 else "Name of the system; repeat for each input."),
        Option("--store-level", type=click.Choice(levels), default="units", show_default=True, group="Output",
               rare=True, help=what),
        Option("--run-base", "base", metavar="IRI", group="Output", rare=True,
               help="Base IRI for concepts that have only a name."),
    ]  # fmt: skip
