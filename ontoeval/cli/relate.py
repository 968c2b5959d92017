"""`ontoeval relate` and `ontoeval nearest`: concept against concept."""

from __future__ import annotations

import json
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ontoeval.cli.concepts import check_stdin, concept_options, loaded_ontology
from ontoeval.cli.options import (
    LAYOUTS,
    Storing,
    check_place,
    layout_options,
    note,
    ontology_options,
    status_on_stderr,
    write_text,
)
from ontoeval.cli.scores import split_names
from ontoeval.errors import LoadError, ParameterError, UnknownConceptError, listed
from ontoeval.report.concept_pairs import (
    TABLES,
    Named,
    Rows,
    Shown,
    asked_pairs,
    cell,
    definition_entries,
    definition_lines,
    plain_part,
    tell_skipped,
)
from ontoeval.tables import Layout

if TYPE_CHECKING:
    from ontoeval.model.ontology import Ontology

MATRIX = 20  # concepts of a matrix on the terminal
_FILES = ("npy", "parquet", "gate")  # formats of files alone
_RDF = ("trig", "nq")


@click.command(no_args_is_help=True)
@click.argument("two", nargs=-1, metavar="[A B]")
@concept_options
@click.option("--pairs", metavar="FILE", help="TSV or CSV: two concepts a line, perhaps a rating.")
@click.option("--all", "every", is_flag=True, help="All pairs of concepts, into a file (-o).")
@click.option(
    "--concepts",
    "list_of",
    metavar="FILE",
    help="All pairs of these, one concept a line; without -o as a matrix, if they are few.",
)
@click.option(
    "--senses",
    type=click.Choice(["max", "first"]),
    default="max",
    show_default=True,
    help="Of several concepts that a name can mean: the best pair counts, or the first ones.",
)
@click.option("--why", "with_why", is_flag=True, help="Say for each of --pairs what its values are made of, too.")
@click.option("--skip-unknown", is_flag=True, help="Leave out what the ontology does not have.")
@click.option(
    "--least", type=float, metavar="VALUE", help="With --all: only pairs of at least this value, of a distance at most."
)
@click.option("--single", is_flag=True, help="With --all: single precision in .npy and .parquet.")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Write the pairs to a .tsv, .csv or .json file, or add them as RDF to a .trig or .nq file. With "
    "--all: .npy, .parquet, .tsv, .csv (also .gz).",
)
@click.option("--store", metavar="DIR|URL", help="Add the scores as RDF to a store: a folder or a SPARQL endpoint.")
@click.option("--no-local", is_flag=True, help="Leave the scores of single pairs out of the RDF.")
@click.option("--base", metavar="IRI", help="What makes an IRI of a concept's plain name, in RDF.")
@click.option("--system", metavar="NAME", help="Whose scores these are (the ontology's name), in RDF.")
@layout_options(
    [*LAYOUTS, *_FILES],
    default=None,
    metavar="NAME",
    help=f"How to print the result: {', '.join(LAYOUTS)}. With --all -o: tsv, csv, npy, parquet, or gate for "
    "the file that GATE's tools read.",
)
@ontology_options
def relate(two: tuple[str, ...], source: str, measures: tuple[str, ...], counts: str | None, digits: int,
           pairs: str | None, every: bool, list_of: str | None, senses: str, with_why: bool, skip_unknown: bool,
           least: float | None, single: bool, layout: Layout | str | None, **options: Any) -> None:  # fmt: skip
    """Say how similar two concepts are, or the pairs of a file, or all pairs.

    Concepts are IRIs, CURIEs, local names or labels. A is what is judged and B the key, for measures where that makes a
    difference (LA).

    \b
    Examples:
      ontoeval relate Company "Political Entity" --ontology proton.owl --root new
      ontoeval relate dog cat --ontology data.noun -m Lin -m 'LC(scale=raw, paths=common-ancestor)'
      ontoeval relate --pairs rated.tsv --ontology go.obo -m BDM,Lin --why --format csv
      ontoeval relate --pairs rated.tsv --ontology go.obo -m 'Resnik(ic=corpus)' --counts counts.tsv -o values.tsv
      ontoeval relate --concepts some.txt --ontology go.obo -m simGIC
      ontoeval relate --all --ontology go.obo -m Lin -o lin.npy
      ontoeval relate --all --ontology go.obo -m Lin -m BDM -o both.parquet
      ontoeval relate --all --ontology proton.owl --root none -m BDM --format gate -o bdm.txt
    """
    every = every or list_of is not None
    _check_usage(two, pairs, every, layout, {"least": least is not None, "single": single}, options)
    if every and with_why:
        raise click.UsageError("--why goes with --pairs.")
    check_stdin(source, pairs, list_of, counts)
    chosen = _measures(measures or (("BDM",) if every else ()))
    if every:
        for name in Storing.NAMES[1:]:
            options.pop(name)
        job = _All(chosen, layout, options.pop("output"), least, single, skip_unknown, digits, senses == "first")
        words = None if list_of is None else _lines(list_of)
        job.run(loaded_ontology(source, counts, options), words, list_of)
        return
    table = _table_file(options)
    storing = Storing(options)
    asked = asked_pairs(two, pairs)
    ontology = loaded_ontology(source, counts, options)
    rows = Rows.found(ontology, asked, first=senses == "first", skip=skip_unknown)
    rows.score(chosen, with_why=with_why or not pairs)
    # everything is made before anything is written or shown, so that there is never half a result
    show = Shown(rows, chosen, with_why, digits)
    if table is not None:
        kind = Path(table).suffix.lower().lstrip(".")
        text = show.document() if kind == "json" else show.table(Layout.named(kind))
        write_text(table, text)
        click.echo(f"{table}: {len(rows):,} pairs", err=True)
    if storing.output is not None or storing.store is not None:
        from ontoeval.evaluation import evaluate

        storing.write([evaluate(rows.task, [name for name, _ in chosen], system=storing.system)])
    tell_skipped(rows)
    if table is not None:
        click.echo(definition_lines(ontology, chosen), err=True)
        return
    printed = layout if isinstance(layout, Layout) else Layout.TABLE
    if printed is Layout.JSON:
        click.echo(show.document(), nl=False)
        return
    click.echo(show.table(printed) if pairs else show.pair(printed), nl=False)
    note(definition_lines(ontology, chosen), printed)


def _check_usage(two: Sequence[str], pairs: str | None, every: bool, layout: Layout | str | None, of_all: Mapping[str, bool],
                 options: Mapping[str, Any]) -> None:  # fmt: skip
    """One of the three forms, and nothing that goes with another one."""
    if len(two) not in (0, 2):
        raise click.UsageError(f"Give two concepts, A and B, not {len(two)}.")
    forms = [name for name, given in (("A B", two), ("--pairs", pairs is not None), ("--all", every)) if given]
    if len(forms) != 1:
        what = f"not {' and '.join(forms)} together" if forms else "there is none of them"
        raise click.UsageError(f"Give two concepts A and B, or --pairs FILE, or --all: {what}.")
    if not every:
        wrong = [f"--{name}" for name, given in of_all.items() if given]
        wrong += [f"--format {layout}"] if layout in _FILES else []
        if wrong:
            raise click.UsageError(f"{wrong[0]} goes with --all.")
        return
    if options["store"] is not None:
        raise click.UsageError("--store goes with A B and with --pairs. All pairs go to a file: -o.")
    if options["output"] is None and (layout in _FILES or any(of_all.values())):
        wrong = [f"--{name}" for name, given in of_all.items() if given]
        raise click.UsageError(f"{(wrong or [f'--format {layout}'])[0]} needs -o FILE.")


def _measures(names: Sequence[str]) -> Named:
    """The measures asked for, or the default ones; refused before anything is loaded."""
    from ontoeval.analysis.relate import concept_measure
    from ontoeval.evaluation import named_measures
    from ontoeval.tasks.concept_pairs import ConceptPairs

    given = split_names(names)
    if names and not given:
        raise ParameterError("-m names no measure. Give one such as BDM, or leave -m out for the default ones.")
    for name in given:
        concept_measure(name)
    found = named_measures(given or None, ConceptPairs)
    return [(name, measure) for name, measure in found if "ratings" not in measure.definition.needs]


def _table_file(options: dict[str, Any]) -> str | None:
    """-o if it is a table; what is RDF stays for `Storing`."""
    output: str | None = options["output"]
    if output is None:
        return None
    kind = Path(output).suffix.lower().lstrip(".")
    if kind in _RDF:
        return None
    if kind not in TABLES:
        endings = ", ".join(f".{name}" for name in (*TABLES, *_RDF))
        more = " (-o FILE.npy and FILE.parquet go with --all)" if kind in _FILES else ""
        raise ParameterError(f"{output}: cannot tell the format. Give a name that ends in one of {endings}{more}.")
    check_place(output)
    options["output"] = None
    return output


def _lines(path: str) -> list[tuple[int, str]]:
    """A list of concepts: line numbers and names."""
    from ontoeval.load.input import DEFAULT_LIMIT, open_input

    with closing(open_input(path, limit=DEFAULT_LIMIT)) as file:
        text = file.read_text(lenient_helps=False)
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
    found = [(number, line) for number, line in lines if line and not line.startswith("#")]
    if not found:
        raise LoadError("there is no concept in it. Give one a line.", path=path)
    return found


@contextmanager
def _rows_on_stderr(label: str) -> Iterator[Callable[[int, int], None] | None]:
    """A progress bar of rows, if somebody is looking."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("rows"),
               TimeElapsedColumn(), TimeRemainingColumn())  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def _ended_by_exit() -> Iterator[None]:
    """Let SIGTERM end the program as Ctrl-C does, so that no temporary file of many gigabytes stays behind."""
    if threading.current_thread() is not threading.main_thread():  # only there can signals be caught
        yield
        return
    before = signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


class _All:
    """All pairs: into a file, or a small matrix."""

    def __init__(self, measures: Named, layout: Layout | str | None, output: str | None, least: float | None, single: bool,
                 skip: bool, digits: int, first: bool) -> None:  # fmt: skip
        self.measures, self.layout, self.output, self.digits = measures, layout, output, digits
        self.least, self.single, self.skip, self.first = least, single, skip, first
        self.file_format = layout.value if isinstance(layout, Layout) else layout
        if output is not None:
            from ontoeval.analysis.relate_all import file_format

            check_place(output)
            file_format(output, self.file_format)

    def run(self, ontology: Ontology, words: list[tuple[int, str]] | None, path: str | None) -> None:
        from ontoeval.analysis.relate import every_concept

        iris = ontology.hierarchy.iris
        if words is None:
            concepts = [iris[concept] for concept in every_concept(ontology).tolist()]
        else:
            concepts = self._listed(ontology, words, path)
        if self.output is not None:
            self._write(ontology, concepts)
        elif len(concepts) > MATRIX:
            raise ParameterError(
                f"a matrix of {len(concepts):,} concepts is too large to be printed. Give a file with -o, or at most "
                f"{MATRIX} concepts with --concepts."
            )
        else:
            self._print(ontology, concepts)

    def _listed(self, ontology: Ontology, words: list[tuple[int, str]], path: str | None) -> list[str]:
        """The concepts of a list, each once."""
        from ontoeval.model.lookup import find_concept, meanings, possible_meanings

        found: dict[str, None] = {}
        skipped = []
        for line, name in words:
            if self.skip and not possible_meanings(ontology, name):
                skipped.append(f"{name!r} (line {line})")
                continue
            try:
                which = meanings(ontology, name)[0] if self.first else find_concept(ontology, name)
                found[ontology.hierarchy.iris[which]] = None
            except UnknownConceptError as error:
                raise LoadError(f"{error} Correct it or leave it out.", path=path, line=line) from None
        if skipped:
            click.echo(
                f"{path}: {len(skipped):,} of {len(words):,} concepts left out, unknown: {listed(skipped)}", err=True
            )
        if not found:
            raise LoadError(f"{ontology.source.path} has none of its concepts. Check --ontology.", path=path)
        return list(found)

    def _write(self, ontology: Ontology, concepts: list[str]) -> None:
        from ontoeval.analysis.relate_all import file_format, write_all

        assert self.output is not None  # noqa: S101 - only then
        with _ended_by_exit(), _rows_on_stderr(self.output) as progress:
            written = write_all(ontology, self.output, [name for name, _ in self.measures], concepts, format=self.file_format,
                                single=self.single, least=self.least, progress=progress)  # fmt: skip
        what = "values" if file_format(self.output, self.file_format) == "npy" else "pairs"
        click.echo(f"{self.output}: {written:,} {what} of {len(concepts):,} concepts", err=True)
        click.echo(definition_lines(ontology, self.measures), err=True)

    def _print(self, ontology: Ontology, concepts: list[str]) -> None:
        from ontoeval.analysis.relate import relate_all
        from ontoeval.tables import render

        layout = self.layout if isinstance(self.layout, Layout) else Layout.TABLE
        matrices = {name: relate_all(ontology, concepts, measure).tolist() for name, measure in self.measures}
        labels = [ontology.label(concept) for concept in ontology.hierarchy.ids(concepts).tolist()]
        if layout is Layout.JSON:
            document = {
                "ontology": ontology.source.path,
                "concepts": [{"iri": iri, "label": word} for iri, word in zip(concepts, labels, strict=True)],
                "matrices": {n: [[plain_part(value) for value in row] for row in rows] for n, rows in matrices.items()},
                "definitions": definition_entries(ontology, self.measures),
            }
            click.echo(json.dumps(document, indent=2, ensure_ascii=False))
            return
        names = concepts if not layout.for_people else labels
        texts = []
        for name, rows in matrices.items():
            cells = [[word, *map(cell, row)] for word, row in zip(names, rows, strict=True)]
            corner = name if layout is not Layout.TABLE else ""
            title = f"{name} (rows left, columns right)"
            texts.append(render(title, [corner, *names], cells, layout, precision=self.digits))
        click.echo("\n".join(texts), nl=False)
        note(definition_lines(ontology, self.measures), layout)


@click.command(no_args_is_help=True)
@click.argument("concept", metavar="A")
@concept_options
@click.option("-k", "count", type=click.IntRange(min=1), default=10, show_default=True, metavar="N", help="How many.")
@click.option("--senses", type=click.Choice(["first"]), help="Of several concepts that A can mean take the first.")
@layout_options()
@ontology_options
def nearest(concept: str, source: str, measures: tuple[str, ...], counts: str | None, digits: int, count: int,
            senses: str | None, layout: Layout, **options: Any) -> None:  # fmt: skip
    """List the concepts that are nearest to a concept, by BDM or other measures.

    A is an IRI, a CURIE, a local name or a label.

    \b
    Examples:
      ontoeval nearest Company --ontology proton.owl
      ontoeval nearest GO:0008150 --ontology go.obo -k 20 -m Lin -m simGIC --format tsv
      ontoeval nearest dog --ontology data.noun -m 'JC(ic=corpus)' --counts counts.tsv --senses first
    """
    from ontoeval.analysis.relate import nearest as nearest_ones
    from ontoeval.tables import render

    check_stdin(source, counts)
    chosen = _measures(measures or ("BDM",))
    ontology = loaded_ontology(source, counts, options)
    iri = _the_one(ontology, concept, first=senses == "first")
    with status_on_stderr() as status:
        found = {}
        for name, measure in chosen:
            if status is not None:
                status(name)
            found[name] = nearest_ones(ontology, iri, measure, count)
    label = ontology.label(ontology.hierarchy.id(iri))
    if layout is Layout.JSON:
        document = {
            "ontology": ontology.source.path,
            "concept": iri,
            "label": label,
            "nearest": {
                name: [
                    {"rank": rank, "iri": one.iri, "label": one.label, "value": plain_part(one.value)}
                    for rank, one in enumerate(ones, 1)
                ]
                for name, ones in found.items()
            },
            "definitions": definition_entries(ontology, chosen),
        }
        click.echo(json.dumps(document, indent=2, ensure_ascii=False))
        return
    header = ["rank", "concept", "IRI", "value"]
    cells = {
        name: [[rank, one.label, one.iri, cell(one.value)] for rank, one in enumerate(ones, 1)]
        for name, ones in found.items()
    }
    if layout is Layout.TABLE:
        titles = {name: f"Nearest to {_called(label, iri)} by {name}" for name in cells}
        texts = [render(titles[name], header, rows, layout, precision=digits) for name, rows in cells.items()]
        click.echo("\n".join(texts), nl=False)
    else:
        rows = [[name, *row] for name, own in cells.items() for row in own]
        click.echo(render("", ["measure", *header], rows, layout, precision=digits), nl=False)
    note(definition_lines(ontology, chosen), layout)


def _the_one(ontology: Ontology, name: str, *, first: bool) -> str:
    from ontoeval.model.lookup import find_concept, possible_meanings

    found = possible_meanings(ontology, name)
    iris = ontology.hierarchy.iris
    if first and found:
        return iris[found[0]]
    try:
        return iris[find_concept(ontology, name)]
    except UnknownConceptError as error:
        more = (
            "Or take the first one with --senses first." if found else "Give an IRI, a CURIE, a local name or a label."
        )
        raise UnknownConceptError(f"{error} {more}") from None


def _called(label: str, iri: str) -> str:
    return label if label == iri else f"{label} <{iri}>"
