"""Options and outputs that several commands share."""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click

from ontoeval.errors import OntoevalError, ParameterError
from ontoeval.model.lexicon import is_iri
from ontoeval.tables import Layout

Command = TypeVar("Command", bound=Callable[..., Any])
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def ontology_options(command: Command) -> Command:
    """The options of every command that loads an ontology."""
    for option in reversed([*_ONTOLOGY_OPTIONS, _INSTANCES, _ONE_LANGUAGE]):
        command = option(command)
    return command


def two_sided_options(command: Command) -> Command:
    """The options of every command that loads learned ontologies and a gold one; all but the instances hold for both."""
    for option in reversed([*_ONTOLOGY_OPTIONS, *_INSTANCES_OF_BOTH, _LANGUAGES]):
        command = option(command)
    return command


def choices_by_side(
    options: dict[str, Any], learned: Sequence[str], gold: str
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """What each learned ontology, and what the gold standard is loaded with: the options, but its own instances."""
    tables, gold_table = options["instances"], options["gold_instances"]
    if len(tables) not in (0, 1, len(learned)):
        one = len(learned) == 1
        files = "is 1 learned ontology" if one else f"are {len(learned):,} learned ontologies"
        how = "once" if one else "once for all of them, or once for each, in their order"
        raise ParameterError(f"--instances is there {len(tables):,} times, and there {files}. Give it {how}.")
    if [*learned, gold, *tables, gold_table].count("-") > 1:
        raise ParameterError("- is stdin, which can be read once. Give files for the others.")
    own = list(tables) if len(tables) == len(learned) else [*tables, None][:1] * len(learned)
    rest = {key: value for key, value in options.items() if key not in ("instances", "gold_instances")}
    return [{**rest, "instances": table} for table in own], {**rest, "instances": gold_table}


def _size(context: click.Context, parameter: click.Parameter, value: str) -> int:
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)i?B?", value, re.IGNORECASE)
    if not match:
        raise click.BadParameter(f"{value!r} is no size. Give bytes, or for instance 500M or 8G.")
    return int(float(match[1]) * _UNITS[match[2].upper()])


def _weights(context: click.Context, parameter: click.Parameter, values: Sequence[str]) -> dict[str, Any] | None:
    result = {}
    for value in values:
        kind, equals, number = value.partition("=")
        if not equals:
            raise click.BadParameter(f"{value!r} is no KIND=NUMBER. For instance: related=2.")
        result[kind.strip()] = number.strip()
    return result or None  # the library checks the numbers


_ONTOLOGY_OPTIONS = [
    click.option("--input-format", "format", metavar="NAME", help="Format of the files, if the content does not tell it."),
    click.option("--profile", type=click.Choice(["auto", "owl", "skos"]), default="auto", show_default=True,
                 help="Which side of a file that has both classes and SKOS concepts."),
    click.option("--root", default="auto", show_default=True, metavar="auto|new|none|IRI",
                 help="The root: the single top or an added one, an added one in any case, none, or a concept."),
    click.option("--on-cycle", type=click.Choice(["keep", "error"]), default="keep", show_default=True,
                 help="Keep cycles (their concepts are each other's ancestors) or refuse them."),
    click.option("--weight", "weights", multiple=True, metavar="KIND=NUMBER", callback=_weights,
                 help="Weight of hierarchical, related or synonym edges (1, 1, 0)."),
    click.option("--reason", type=click.Choice(["hermit", "elk"]), help="Use the inferred hierarchy. HermiT needs Java."),
    click.option("--reason-timeout", type=click.FloatRange(min=0, min_open=True), default=600, show_default=True,
                 metavar="SECONDS", help="Stop a reasoner after this time."),
    click.option("--import", "imports", multiple=True, type=click.Path(), metavar="FILE",
                 help="Add a file's triples, or look owl:imports up in a folder or catalog-v001.xml."),
    click.option("--relation", "relations", multiple=True, metavar="IRI",
                 help="A further transitive relation whose links count as subclass links, e.g. part_of."),
    click.option("--namespace", "namespaces", multiple=True, metavar="PREFIX",
                 help="Keep the concepts whose IRI starts so (or of an OBO namespace)."),
    click.option("--below", metavar="IRI", help="Keep this concept and all below it."),
    click.option("--scheme", metavar="IRI", help="Keep the concepts of one SKOS concept scheme."),
    click.option("--deprecated", is_flag=True, help="Keep deprecated and obsolete concepts."),
    click.option("--transitive", is_flag=True, help="Count skos:broaderTransitive and narrowerTransitive."),
    click.option("--mappings", is_flag=True, help="Count skos:broadMatch and narrowMatch."),
    click.option("--close-match", is_flag=True, help="Count skos:closeMatch as synonym."),
    click.option("--instance-property", metavar="IRI", help="Property from a document to its concepts, besides dct:subject."),
    click.option("--instance-key", multiple=True, metavar="IRI",
                 help="Property whose value, not its IRI, names an instance; of several the first that it has."),
    click.option("--min-strength", type=float, default=0.0, metavar="T",
                 help="Leave out assignments of instances to concepts with a lower strength, up to 1."),
    click.option("--strict-instances", is_flag=True, help="Leave out instances that sit on several concepts."),
    click.option("--columns", metavar="NAMES", help="Order of a TSV's columns, e.g. parent,child or child,parent,label."),
    click.option("--base-iri", metavar="IRI", help="Base of relative IRIs."),
    click.option("--lenient", is_flag=True, help="Read slightly broken files, too, and note what was wrong."),
    click.option("--max-size", default="4G", show_default=True, metavar="SIZE", callback=_size,
                 help="Refuse files that unpack to more."),
]  # fmt: skip


_INSTANCES = click.option("--instances", metavar="FILE", help="TSV: instance, concept[, strength].")
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


@contextmanager
def progress_on_stderr(label: str, *, counted: bool = False) -> Iterator[Callable[[int, int | None], None] | None]:
    """A progress bar for long work, if somebody is looking: of bytes that are read, or of steps that are counted."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    done = (MofNCompleteColumn(), TimeRemainingColumn()) if counted else (DownloadColumn(), TimeElapsedColumn())
    columns = (TextColumn("{task.description}"), BarColumn(), *done)
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def status_on_stderr() -> Iterator[Callable[[str], None] | None]:
    """A line that says what is being computed, if somebody is looking."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    with Console(stderr=True).status("") as status:
        yield status.update


LAYOUTS = tuple(layout.value for layout in Layout if layout.on_command_line)


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


def matching_options(command: Command) -> Command:
    """The options of every command that pairs concepts."""
    for option in reversed(_MATCHING_OPTIONS):
        command = option(command)
    return command


_MATCHING_OPTIONS = [
    click.option("--match", "by", default="iri,label", show_default=True, metavar="CHAIN",
                 help="How to find the same concepts: iri, label (any), preferred (label), name (local), fuzzy:0.9, "
                      "instances (those that share most; instances:0.5 at least so many), the file of a mapping (SSSOM, "
                      "OAEI Alignment, two columns), or several with commas, in turn."),
    click.option("--normalize", default="none", show_default=True, metavar="WORDS",
                 help="What to forget before texts are compared: case, nfkc, separators (blank, _ and -), camel, stem, "
                      "or all (but stem)."),
]  # fmt: skip


def matched_by(chain: str) -> list[Any]:
    """The chain of --match, files of mappings read."""
    from ontoeval.load import load_mapping
    from ontoeval.matching.matcher import STEPS

    words = [word.strip() for word in chain.split(",")]
    if not all(word.partition(":")[0] in STEPS for word in words) and Path(chain).is_file():
        return [load_mapping(chain)]  # a name with a comma in it
    steps: list[Any] = []
    for word in words:
        known = word.partition(":")[0] in STEPS  # a file of that name is ./label
        steps.append(load_mapping(word) if not known and ("/" in word or "." in word or Path(word).is_file()) else word)
    return steps


def check_place(path: str) -> None:
    """Refuse a file that cannot be written before the work begins."""
    folder = Path(path).parent
    if Path(path).is_dir() or not folder.is_dir():
        raise OntoevalError(
            f"{path}: cannot write it ({'a folder' if Path(path).is_dir() else 'no such folder'}). Give another place."
        )


def write_text(path: str, text: str) -> None:
    """Write beside the target, then rename: what was there is lost only when the new one is whole."""
    from ontoeval.files import replacing

    with replacing(path) as place, place.open("w", encoding="utf-8", newline="") as stream:
        stream.write(text)


def storing_options(command: Command) -> Command:
    """The options of every command that evaluates: where its results go as RDF."""
    for option in reversed(_STORING_OPTIONS):
        command = option(command)
    return command


_STORING_OPTIONS = [
    click.option("-o", "--output", metavar="FILE", help="Add the scores as RDF to a .trig or .nq file."),
    click.option("--store", metavar="DIR|URL", help="Add the scores as RDF to a store: a folder or a SPARQL endpoint."),
    click.option("--no-local", is_flag=True, help="Leave the scores of single concepts out of -o and --store."),
    click.option("--base", metavar="IRI", help="What makes an IRI of a concept's plain name, in -o and --store."),
    click.option("--system", metavar="NAME", help="Who made what is judged (the file's name), in -o and --store."),
]  # fmt: skip


class Storing:
    """Where results go as RDF, checked before the work begins."""

    NAMES = ("output", "store", "no_local", "base", "system")

    def __init__(self, options: dict[str, Any]) -> None:
        self.output, self.store, self.no_local, self.base, self.system = (options.pop(name) for name in self.NAMES)
        if self.output is not None:
            check_place(self.output)
            if Path(self.output).suffix.lower() not in (".trig", ".nq"):
                raise OntoevalError(
                    f"{self.output}: cannot tell the format of -o. Give a name that ends in .trig or .nq."
                )
        for place in (self.output, self.store):
            if place is not None:
                from ontoeval.rdf.store.store import check_place as check_scores

                check_scores(place)
        if self.base is not None and not is_iri(self.base):
            raise ParameterError(f"the base {self.base!r} is no IRI. For instance: https://example.org/terms/.")

    def write(self, results: Sequence[Any]) -> None:
        """Into the file and into the store."""
        places = [place for place in (self.output, self.store) if place is not None]
        if places:
            from ontoeval.rdf.store import write_scores
            from ontoeval.rdf.store.result_graph import BASE

            for place in places:
                write_scores(results, place, base=self.base or BASE, local=not self.no_local)


def note(text: str, layout: Layout) -> None:
    """A remark below a table; beside a machine-readable result it goes to stderr."""
    click.echo(text, err=layout is not Layout.TABLE)
