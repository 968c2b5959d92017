"""`ontoeval relate`, `nearest`: options, unknown names refused or skipped, steps (prints: report/concept_pairs.py)."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from ontoeval.analysis import relate as analysis
from ontoeval.analysis.name_lists import concept_or_individual, is_known, listed_concepts, refuse_no_concepts
from ontoeval.analysis.pair_lookup import PairLookup, Senses
from ontoeval.analysis.write_all import file_format, write_all
from ontoeval.cli.inputs import check_stdin, read_concepts
from ontoeval.cli.options import (
    FILE_LAYOUTS,
    LAYOUTS,
    concept_options,
    layout_options,
    measure_names,
    merging_options,
    ontology_options,
)
from ontoeval.cli.printing import (
    echo_json,
    json_text,
    note,
    progress_on_stderr,
    status_on_stderr,
    write_text,
)
from ontoeval.cli.spelling import option_spelling
from ontoeval.cli.storing import Storing
from ontoeval.errors import ParameterError, UnknownConceptError, listed
from ontoeval.evaluation import NamedMeasure, named_measures
from ontoeval.files import check_writable
from ontoeval.load import load_pairs
from ontoeval.load.tables.names import load_names
from ontoeval.load.tables.rated_pairs import PairTable
from ontoeval.model.ontology import Ontology, Source
from ontoeval.report import concept_pairs as report
from ontoeval.tables import Layout
from ontoeval.tasks.concept_pairs import ConceptPairs, with_named_individuals

LARGEST_MATRIX = 20  # concepts of a matrix on the terminal
_FILES = ("npy", "parquet", "gate")  # formats of files alone
_RDF = (".trig", ".nq")


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
@merging_options
@ontology_options
def relate(two: tuple[str, ...], source: str, measures: tuple[str, ...], counts: str | None, digits: int,
           pairs: str | None, every: bool, list_of: str | None, senses: Senses, with_why: bool, skip_unknown: bool,
           least: float | None, single: bool, layout: Layout | str | None, **options: Any) -> None:  # fmt: skip
    """Say how similar two concepts are, or the pairs of a file, or all pairs.

    Concepts are IRIs, CURIEs, local names or labels; so are individuals, the instances of classes: a name that no class
    has is looked for among them. A is what is judged and B the key, for measures where that makes a
    difference (LA).

    \b
    Examples:
      ontoeval relate Company "Political Entity" --ontology proton.owl --root new
      ontoeval relate dog cat --ontology data.noun -m Lin -m 'LC(scale=raw, paths=common-ancestor)'
      ontoeval relate --pairs rated.tsv --ontology go.obo -m BDM,Lin --why --format csv
      ontoeval relate --pairs rated.tsv --ontology go.obo -m 'Resnik(ic=corpus)' --counts counts.tsv -o values.tsv
      ontoeval relate minivan car --ontology learned.owl --with gold.ttl --match label
      ontoeval relate London Person --ontology populated.ttl -m BDM
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
    named = _measures(measures or (("BDM",) if every else ()))
    if every:
        for name in Storing.NAMES[1:]:
            options.pop(name)
        files = _AllPairs(named, layout, options.pop("output"), least, single, digits)
        names = None if list_of is None else load_names(list_of)
        ontology = read_concepts(source, counts, options)
        concepts = None
        if names is not None and list_of is not None:
            concepts = _listed(ontology, names, list_of, first=senses == "first", skip_unknown=skip_unknown)
            ontology = with_named_individuals(ontology, concepts)
        files.show(ontology, concepts)
        return
    table_file = _table_file(options)
    storing = Storing(options)
    table = load_pairs(pairs) if pairs else PairTable((two[0],), (two[1],), None, (1,), Source())
    ontology = read_concepts(source, counts, options)
    lookup = _looked_up(ontology, table, senses, skip_unknown=skip_unknown and pairs is not None)
    task = lookup.task(named=senses == "max" and lookup.several > 0)
    with status_on_stderr() as status:
        result, scores = analysis.evaluate_pairs(task, named, system=storing.system, progress=status)
    shown = report.PairReport(lookup, task, scores, with_why, digits)
    # everything is made before anything is written or shown, so that there is never half a result
    if table_file is not None:
        suffix = Path(table_file).suffix.lower()
        text = json_text(shown.document()) if suffix == ".json" else shown.table(FILE_LAYOUTS[suffix])
        write_text(table_file, text)
        click.echo(f"{table_file}: {len(task):,} pairs", err=True)
    storing.write([result.spelled(option_spelling)])
    skipped = shown.skipped_remark()
    if skipped is not None:
        click.echo(skipped, err=True)
    if table_file is not None:
        click.echo(report.definition_lines(ontology, named), err=True)
        return
    printed = layout if isinstance(layout, Layout) else Layout.TABLE
    if printed is Layout.JSON:
        echo_json(shown.document())
        return
    click.echo(shown.table(printed) if pairs else shown.single_pair(printed), nl=False)
    note(report.definition_lines(ontology, named), printed)


def _check_usage(two: Sequence[str], pairs: str | None, every: bool, layout: Layout | str | None, of_all: Mapping[str, bool],
                 options: Mapping[str, Any]) -> None:  # fmt: skip
    """One of the three forms, and nothing that goes with another one."""
    if len(two) not in (0, 2):
        raise click.UsageError(f"Give two concepts, A and B, not {len(two)}.")
    forms = [name for name, value in (("A B", two), ("--pairs", pairs is not None), ("--all", every)) if value]
    if len(forms) != 1:
        what = f"not {' and '.join(forms)} together" if forms else "there is none of them"
        raise click.UsageError(f"Give two concepts A and B, or --pairs FILE, or --all: {what}.")
    if not every:
        wrong = [f"--{name}" for name, value in of_all.items() if value]
        wrong += [f"--format {layout}"] if layout in _FILES else []
        if wrong:
            raise click.UsageError(f"{wrong[0]} goes with --all.")
        return
    if options["store"] is not None:
        raise click.UsageError("--store goes with A B and with --pairs. All pairs go to a file: -o.")
    if options["output"] is None and (layout in _FILES or any(of_all.values())):
        wrong = [f"--{name}" for name, value in of_all.items() if value]
        raise click.UsageError(f"{(wrong or [f'--format {layout}'])[0]} needs -o FILE.")


def _measures(values: Sequence[str]) -> list[NamedMeasure]:
    """The measures of -m, or the default ones; refused before anything is loaded."""
    names = measure_names(values, "BDM")
    for name in names:
        analysis.concept_measure(name)
    measures = named_measures(names or None, ConceptPairs)
    return [(name, measure) for name, measure in measures if "ratings" not in measure.definition.needs]


def _table_file(options: dict[str, Any]) -> str | None:
    """-o if it is a table; what is RDF stays for `Storing`."""
    output: str | None = options["output"]
    if output is None:
        return None
    suffix = Path(output).suffix.lower()
    if suffix in _RDF:
        return None
    if suffix not in FILE_LAYOUTS:
        more = " (-o FILE.npy and FILE.parquet go with --all)" if suffix.lstrip(".") in _FILES else ""
        advice = f"Give a name that ends in one of {', '.join((*FILE_LAYOUTS, *_RDF))}{more}."
        raise ParameterError("cannot tell the format", place=output, advice=advice)
    check_writable(output)
    options["output"] = None
    return output


def _looked_up(ontology: Ontology, table: PairTable, senses: Senses, *, skip_unknown: bool) -> PairLookup:
    """The pairs as concepts; a pair with an unknown name is left out, or refused."""
    lookup = PairLookup(ontology, table, senses)
    if not skip_unknown:
        lookup.refuse_unknown()
    if not len(lookup.places):
        raise UnknownConceptError(
            f"no pair has two concepts of {ontology.source.path}", place=table.source.path, advice="Check --ontology."
        )
    return lookup


def _listed(
    ontology: Ontology, names: list[tuple[int, str]], path: str, *, first: bool, skip_unknown: bool
) -> list[str]:
    """The concepts of a list; those that are unknown are told."""
    concepts, skipped = listed_concepts(ontology, names, path, first=first, skip_unknown=skip_unknown)
    if skipped:
        unknown = listed(f"{name!r} (line {line})" for line, name in skipped)
        click.echo(f"{path}: {len(skipped):,} of {len(names):,} concepts left out, unknown: {unknown}", err=True)
    refuse_no_concepts(ontology, concepts, path)
    return concepts


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


class _AllPairs:
    """All pairs: into a file, or a small matrix."""

    def __init__(self, measures: list[NamedMeasure], layout: Layout | str | None, output: str | None,
                 least: float | None, single: bool, digits: int) -> None:  # fmt: skip
        self.measures, self.layout, self.output = measures, layout, output
        self.least, self.single, self.digits = least, single, digits
        if output is not None:
            check_writable(output)
            file_format(output, self._format)

    @property
    def _format(self) -> str | None:
        """The format of the file, if it was given."""
        return self.layout.value if isinstance(self.layout, Layout) else self.layout

    def show(self, ontology: Ontology, concepts: list[str] | None) -> None:
        """Write or print the pairs of some concepts, or of all."""
        count = len(analysis.every_concept(ontology)) if concepts is None else len(concepts)
        if self.output is not None:
            self._write(ontology, concepts, count, self.output)
        elif count > LARGEST_MATRIX:
            raise ParameterError(
                f"a matrix of {count:,} concepts is too large to be printed",
                advice=f"Give a file with -o, or at most {LARGEST_MATRIX} concepts with --concepts.",
            )
        else:
            self._print(ontology, concepts)

    def _write(self, ontology: Ontology, concepts: list[str] | None, count: int, output: str) -> None:
        with _ended_by_exit(), progress_on_stderr(output, counted=True, unit="rows") as progress:
            written = write_all(ontology, output, [name for name, _ in self.measures], concepts, format=self._format,
                                single=self.single, least=self.least, progress=progress)  # fmt: skip
        what = "values" if file_format(output, self._format) == "npy" else "pairs"
        click.echo(f"{output}: {written:,} {what} of {count:,} concepts", err=True)
        click.echo(report.definition_lines(ontology, self.measures), err=True)

    def _print(self, ontology: Ontology, concepts: list[str] | None) -> None:
        if concepts is None:
            concepts = [ontology.hierarchy.iris[concept] for concept in analysis.every_concept(ontology).tolist()]
        layout = self.layout if isinstance(self.layout, Layout) else Layout.TABLE
        matrices = {name: analysis.relate_all(ontology, concepts, measure).tolist() for name, measure in self.measures}
        if layout is Layout.JSON:
            echo_json(report.matrix_document(ontology, concepts, matrices, self.measures))
            return
        click.echo(report.matrix_tables(ontology, concepts, matrices, layout, self.digits), nl=False)
        note(report.definition_lines(ontology, self.measures), layout)


@click.command(no_args_is_help=True)
@click.argument("concept", metavar="A")
@concept_options
@click.option("-k", "count", type=click.IntRange(min=1), default=10, show_default=True, metavar="N", help="How many.")
@click.option("--senses", type=click.Choice(["first"]), help="Of several concepts that A can mean take the first.")
@click.option(
    "--among",
    type=click.Choice(["classes", "individuals"]),
    help="List these.  [default: classes for a class, individuals for an individual]",
)
@layout_options()
@merging_options
@ontology_options
def nearest(concept: str, source: str, measures: tuple[str, ...], counts: str | None, digits: int, count: int,
            senses: str | None, among: analysis.Among | None, layout: Layout, **options: Any) -> None:  # fmt: skip
    """List the concepts that are nearest to a concept, by BDM or other measures.

    A is an IRI, a CURIE, a local name or a label, of a class or else of an individual.

    \b
    Examples:
      ontoeval nearest Company --ontology proton.owl
      ontoeval nearest GO:0008150 --ontology go.obo -k 20 -m Lin -m simGIC --format tsv
      ontoeval nearest minivan --ontology learned.owl --with gold.ttl
      ontoeval nearest London --ontology populated.ttl --among classes
      ontoeval nearest dog --ontology data.noun -m 'JC(ic=corpus)' --counts counts.tsv --senses first
    """
    check_stdin(source, counts)
    named = _measures(measures or ("BDM",))
    ontology = read_concepts(source, counts, options)
    iri = _one_concept(ontology, concept, first=senses == "first")
    nearest_by_measure = {}
    with status_on_stderr() as status:
        for name, measure in named:
            if status is not None:
                status(name)
            nearest_by_measure[name] = analysis.nearest(ontology, iri, measure, count, among=among, term=concept)
    ontology = with_named_individuals(
        ontology, [iri, *(other.iri for others in nearest_by_measure.values() for other in others)]
    )
    if layout is Layout.JSON:
        echo_json(report.nearest_document(ontology, iri, nearest_by_measure, named))
        return
    click.echo(report.nearest_tables(ontology, iri, nearest_by_measure, layout, digits), nl=False)
    note(report.definition_lines(ontology, named), layout)


def _one_concept(ontology: Ontology, name: str, *, first: bool) -> str:
    """The IRI of the one concept or individual of a name, or the first of several."""
    try:
        return concept_or_individual(ontology, name, first=first)
    except UnknownConceptError as error:
        several = "Or take the first one with --senses first."
        advice = several if is_known(ontology, name) else "Give an IRI, a CURIE, a local name or a label."
        raise UnknownConceptError(error.problem, advice=f"{error.advice or ''} {advice}".strip()) from None
