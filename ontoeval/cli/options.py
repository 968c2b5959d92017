"""Shared options: loading, matching, -m, --format (values: tables/); --fail-under parsed (compared: evaluation.py)."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from ontoeval.cli.spelling import spelled
from ontoeval.errors import ParameterError
from ontoeval.evaluation import more_is_better, scores_below
from ontoeval.files import check_writable
from ontoeval.load.options import LoadOptions
from ontoeval.measures import parse
from ontoeval.measures.registry import split_names
from ontoeval.results import EvaluationResult
from ontoeval.tables import Layout

Command = TypeVar("Command", bound=Callable[..., Any])

LAYOUTS = tuple(layout.value for layout in Layout if layout.on_command_line)
_FOR_PROGRAMS = sorted((layout for layout in Layout if not layout.for_people), key=lambda layout: layout is Layout.JSON)
FILE_LAYOUTS = {f".{layout.value}": layout for layout in _FOR_PROGRAMS}  # suffix -> layout of files of single values
MISSED = 3  # exit code if a score is under its limit
_DEFAULTS = LoadOptions()
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def with_options(options: Iterable[Callable[[Any], Any]]) -> Callable[[Command], Command]:
    """A decorator that adds options to a command, in their order."""
    declared = list(options)

    def decorated(command: Command) -> Command:
        for option in reversed(declared):
            command = option(command)
        return command

    return decorated


def _size(context: click.Context, parameter: click.Parameter, value: str) -> int:
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)i?B?", value, re.IGNORECASE)
    if not match:
        raise click.BadParameter(f"{value!r} is no size. Give bytes, or for instance 500M or 8G.")
    return int(float(match[1]) * _UNITS[match[2].upper()])


def _weights(context: click.Context, parameter: click.Parameter, values: Sequence[str]) -> dict[str, Any] | None:
    result: dict[str, Any] = {}
    for value in values:
        name, equals, number = (text.strip() for text in value.rpartition("="))  # an IRI may have a = of its own
        if not equals:
            raise click.BadParameter(f"{value!r} is no NAME=NUMBER. For instance: related=2.")
        if result.setdefault(name, number) != number:
            raise click.BadParameter(f"{name} has two weights, {result[name]} and {number}.")
    return result or None  # the library checks the numbers


def _thresholds(context: click.Context, parameter: click.Parameter, value: str | None) -> tuple[float, ...]:
    """The thresholds of --min-confidence: numbers with commas between them, each once."""
    try:
        numbers = [float(text) for text in value.split(",")] if value is not None else []
    except ValueError:
        numbers = [math.nan]
    if not all(map(math.isfinite, numbers)):
        raise click.BadParameter(f"{value!r} is not a number, or several with commas, e.g. 0,0.3,0.6.")
    if len(set(numbers)) < len(numbers):
        raise click.BadParameter(f"{value!r} names a threshold twice.")
    return tuple(numbers)


def _load_option(flag: str, help: str, name: str | None = None, **settings: Any) -> Callable[[Command], Command]:
    """An option of `LoadOptions`, with the default, the choices and the kind that it has there."""
    name = name or flag.removeprefix("--").replace("-", "_")
    default, choices = getattr(_DEFAULTS, name), LoadOptions.choices(name)
    if isinstance(default, bool):
        settings["is_flag"] = True
    elif isinstance(default, tuple):
        settings["multiple"] = True
    elif default is not None:
        settings = {"default": default, "show_default": bool(default), **settings}
    if choices:
        settings["type"] = click.Choice(choices)
    return click.option(flag, name, help=help, **settings)


_ONTOLOGY_OPTIONS = [
    _load_option("--input-format", "Format of the files, if the content does not tell it.", "format", metavar="NAME"),
    _load_option("--profile", "Which side of a file that has both classes and SKOS concepts."),
    _load_option("--root", "The root: the single top or an added one, an added one in any case, none, or a concept.",
                 metavar="auto|new|none|IRI"),
    _load_option("--on-cycle", "Keep cycles (their concepts are each other's ancestors) or refuse them."),
    _load_option("--weight", "Weight of hierarchical, related or synonym edges (1, 1, 0), or of one property: broader, "
                 "broadMatch, relatedMatch, exactMatch, subClassOf, equivalentClass, a --relation, ...; or altLabel.",
                 "weights", multiple=True, metavar="NAME=NUMBER", callback=_weights),
    _load_option("--reason", "Use the inferred hierarchy. HermiT needs Java."),
    _load_option("--reason-timeout", "Stop a reasoner after this time.", metavar="SECONDS",
                 type=click.FloatRange(min=0, min_open=True)),
    _load_option("--import", "Add a file's triples, or look owl:imports up in a folder or catalog-v001.xml.", "imports",
                 metavar="FILE", type=click.Path()),
    _load_option("--relation", "A further transitive relation whose links count as subclass links, e.g. part_of.",
                 "relations", metavar="IRI"),
    _load_option("--other-relations", "Read relations other than is-a: assertions, restrictions, domain and range. RelP, "
                 "RelR and RelF do so by themselves."),
    _load_option("--symmetric", "A property whose relations have no direction, besides those that the file says so of.",
                 metavar="NAME"),
    _load_option("--namespace", "Keep the concepts whose IRI starts so (or of an OBO namespace).", "namespaces",
                 metavar="PREFIX"),
    _load_option("--below", "Keep this concept and all below it.", metavar="IRI"),
    _load_option("--scheme", "Keep the concepts of one SKOS concept scheme.", metavar="IRI"),
    _load_option("--deprecated", "Keep deprecated and obsolete concepts."),
    _load_option("--transitive", "Count skos:broaderTransitive and narrowerTransitive."),
    _load_option("--mappings", "Count skos:broadMatch and narrowMatch."),
    _load_option("--close-match", "Count skos:closeMatch as synonym."),
    _load_option("--instance-property", "Property from a document to its concepts, besides dct:subject.", metavar="IRI"),
    _load_option("--instance-key", "Property whose value, not its IRI, names an instance; of several the first that it "
                 "has.", metavar="IRI"),
    _load_option("--min-strength", "Leave out assignments of instances to concepts with a lower strength, up to 1.",
                 metavar="T", type=float),
    _load_option("--strict-instances", "Leave out instances that sit on several concepts."),
    _load_option("--columns", "Order of a TSV's columns, e.g. parent,child or child,parent,confidence.",
                 metavar="NAMES"),
    _load_option("--base-iri", "Base of relative IRIs.", metavar="IRI"),
    _load_option("--lenient", "Read slightly broken files, too, and note what was wrong."),
    _load_option("--max-size", "Refuse files that unpack to more.", default=f"{_DEFAULTS.max_size // _UNITS['G']}G",
                 metavar="SIZE", callback=_size),
]  # fmt: skip


_CONFIDENCE_HELP = "Leave out links of which {whose} learner is less confident, and concepts left without any link"
_MIN_CONFIDENCE = _load_option("--min-confidence", _CONFIDENCE_HELP.format(whose="the") + ".", metavar="T", type=float)
_MIN_CONFIDENCE_OF_LEARNED = _load_option(
    "--min-confidence", _CONFIDENCE_HELP.format(whose="LEARNED's") + ".", metavar="T", type=float
)
_MIN_CONFIDENCES = click.option("--min-confidence", "min_confidence", metavar="T[,T...]", callback=_thresholds,
                                help=_CONFIDENCE_HELP.format(whose="LEARNED's") + "; several: a row each.")  # fmt: skip
_INSTANCES = click.option("--instances", metavar="FILE", help="TSV: instance, concept[, strength].")
_IMPORTS = "The same as --import, of the {side}; --import is then of {other} alone."
_GOLD_IMPORTS = click.option("--gold-import", "gold_imports", multiple=True, metavar="FILE", type=click.Path(),
                             help=_IMPORTS.format(side="gold standard", other="the learned side"))  # fmt: skip
_INSTANCES_OF_BOTH = [
    click.option("--instances", multiple=True, metavar="FILE",
                 help="TSV: instance, concept[, strength], of the learned side; of several learned ontologies one for "
                      "all, or one for each in their order."),
    click.option("--gold-instances", metavar="FILE", help="The same, of the gold standard."),
]  # fmt: skip
_ONE_LANGUAGE = click.option("--lang", "language", metavar="TAG",
                             help="Labels in this language: en takes en, en-GB, then none.")  # fmt: skip
_LANGUAGES = click.option("--lang", "languages", multiple=True, metavar="TAG",
                          help="Labels in this language (en takes en, en-GB, then none); several: one by one.")  # fmt: skip


ontology_options = with_options([*_ONTOLOGY_OPTIONS, _MIN_CONFIDENCE, _INSTANCES, _ONE_LANGUAGE])  # of one ontology
# of learned ontologies and a gold one; all but the instances, the imports if so wished and the confidence hold for both
two_sided_options = with_options(
    [*_ONTOLOGY_OPTIONS, _GOLD_IMPORTS, _MIN_CONFIDENCE_OF_LEARNED, *_INSTANCES_OF_BOTH, _LANGUAGES]
)
# the same with several thresholds of confidence
several_sided_options = with_options(
    [*_ONTOLOGY_OPTIONS, _GOLD_IMPORTS, _MIN_CONFIDENCES, *_INSTANCES_OF_BOTH, _LANGUAGES]
)


digits_option = click.option("--digits", type=click.IntRange(0, 15), default=3, show_default=True,
                             help="Decimals in tables for people.")  # fmt: skip
counts_option = click.option("--counts", metavar="FILE",
                             help="TSV: concept, how often it occurs in a corpus; for ic=corpus.")  # fmt: skip


def measure_option(example: str, help: str | None = None) -> Callable[[Command], Command]:
    """`-m` with a measure with parameters as an example."""
    usual = (
        f"A measure, with parameters if you like: {example}. Several with commas or several -m. `ontoeval measures` "
        "lists all."
    )
    return click.option("-m", "--measure", "measures", multiple=True, metavar="NAME", help=help or usual)


def measure_names(values: Sequence[str], example: str) -> list[str]:
    """The single names of -m; none if it was not given."""
    names = split_names(values)
    if values and not names:
        raise ParameterError(
            "-m names no measure", advice=f"Give one such as {example}, or leave -m out for the default ones."
        )
    return names


concept_options = with_options([
    click.option("--ontology", "source", required=True, metavar="FILE", help="The ontology of the concepts."),
    measure_option("Lin(ic=sanchez)"),
    counts_option,
    digits_option,
])  # fmt: skip


def layout_options(
    names: Sequence[str] = LAYOUTS,
    *,
    default: str | None = Layout.TABLE.value,
    metavar: str | None = None,
    help: str = "How to print the result.",
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """`--format` and its short form `--json`: the command gets a `layout`, or the name of a format of its own."""

    def decorated(command: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(command)
        def with_layout(*arguments: Any, layout: str | None, as_json: bool, **options: Any) -> Any:
            value: Layout | str | None = layout
            if as_json or layout in LAYOUTS:
                value = Layout.JSON if as_json else Layout.named(str(layout))
            return command(*arguments, layout=value, **options)

        json_flag = click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
        choice = click.option("--format", "layout", type=click.Choice(names), default=default,
                              show_default=default is not None, metavar=metavar, help=help)  # fmt: skip
        return choice(json_flag(with_layout))

    return decorated


_MATCHING_OPTIONS = [
    click.option("--match", "by", default="iri,label", show_default=True, metavar="CHAIN",
                 help="How to find the same concepts: iri, label (any), preferred (label), name (local), fuzzy:0.9, "
                      "instances (those that share most; instances:0.5 at least so many), the file of a mapping (SSSOM, "
                      "OAEI Alignment, two columns; FILE:0.5 from this confidence on), or several with commas, in turn."),
    click.option("--normalize", default="none", show_default=True, metavar="WORDS",
                 help="What to forget before texts are compared: case, nfkc, separators (blank, _ and -), camel, stem, "
                      "or all (but stem)."),
]  # fmt: skip
matching_options = with_options(_MATCHING_OPTIONS)  # of commands that match concepts
merging_options = with_options([
    click.option("--with", "other", metavar="FILE",
                 help="A second ontology: concepts of either file are related in the two merged, matched ones being one."),
    click.option("--with-import", "other_imports", multiple=True, metavar="FILE", type=click.Path(),
                 help=_IMPORTS.format(side="file of --with", other="that of --ontology")),
    *_MATCHING_OPTIONS,
])  # fmt: skip


def limit_of(text: str) -> tuple[str, float]:
    """NAME=VALUE of --fail-under."""
    name, _, value = text.rpartition("=")
    try:
        least = float(value)
    except ValueError:
        least = math.nan
    if not name.strip() or math.isnan(least):
        hint = f"{text!r} is no NAME=VALUE. For instance: TF_csc=0.7."
        raise click.BadParameter(hint, param_hint="--fail-under")
    return name.strip(), least


def check_limits(limits: dict[str, float]) -> None:
    """Refuse measures of which more is not better."""
    for name in limits:
        if not more_is_better(parse(name)):
            raise ParameterError(f"--fail-under is for measures of which more is better; {name} is none.")


def fail_under(results: Sequence[EvaluationResult], limits: dict[str, float]) -> None:
    """End with an exit code of its own if a score is under its limit."""
    missed = scores_below(results, limits)
    for result, name, limit in missed:
        score = result[name]
        value = f"undefined: {spelled(score.undefined)}" if score.undefined else f"{score.value:.4f}, under {limit:g}"
        click.echo(f"{result.judged.name}: {name} is {value}", err=True)
    if missed:
        raise click.exceptions.Exit(MISSED)


def file_layout(path: str, option: str) -> Layout:
    """The layout of a file of single values, by its suffix; refused before the work begins."""
    suffix = Path(path).suffix.lower()
    if suffix not in FILE_LAYOUTS:
        *others, last = FILE_LAYOUTS
        advice = f"Give a name that ends in {', '.join(others)} or {last}."
        raise ParameterError(f"cannot tell the format of {option}", place=path, advice=advice)
    check_writable(path)
    return FILE_LAYOUTS[suffix]
