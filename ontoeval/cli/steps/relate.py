"""Steps of `ontoeval relate`, `nearest`: unknown names refused or skipped (prints: report/concept_pairs.py)."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import click
from click.core import ParameterSource

from ontoeval.analysis import relate as analysis
from ontoeval.analysis.name_lists import concept_or_individual, is_known, listed_concepts, refuse_no_concepts
from ontoeval.analysis.pair_lookup import PairLookup, Senses
from ontoeval.analysis.write_matrix import file_format, write_matrix
from ontoeval.cli.spelling import option_spelling
from ontoeval.cli.state import note
from ontoeval.cli.steps.checks import measure_names
from ontoeval.cli.steps.inputs import check_stdin, read_concepts
from ontoeval.cli.steps.output import Outputs
from ontoeval.cli.steps.printing import echo, echo_json, json_text, progress_on_stderr, status_on_stderr
from ontoeval.cli.steps.storing import Storing
from ontoeval.errors import ParameterError, UnknownConceptError, listed, number_of
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
_TYPED = ParameterSource.COMMANDLINE


def relate(two: tuple[str, ...], source: str, measures: tuple[str, ...], counts: str | None, digits: int,
           pairs: str | None, every: bool, list_of: str | None, senses: Senses, with_why: bool, unknown: str,
           least: float | None, single: bool, layout: Layout | str | None, **options: Any) -> None:  # fmt: skip
    """Look the concepts up, compute; then write and print."""
    every = every or list_of is not None
    _check_usage(two, pairs, every, layout, {"min-value": least is not None, "single": single}, options)
    if every and with_why:
        raise click.UsageError("--explain needs A B or --pairs.")
    check_stdin(source, pairs, list_of, counts)
    named = _measures(measures or (("BDM",) if every else ()))
    if every:
        files = _AllPairs(named, layout, _only_file(options), least, single, digits)
        names = None if list_of is None else load_names(list_of)
        ontology = read_concepts(source, counts, options)
        concepts = None
        if names is not None and list_of is not None:
            concepts = _listed(ontology, names, list_of, first=senses == "first", skip_unknown=unknown == "drop")
            ontology = with_named_individuals(ontology, concepts)
        files.show(ontology, concepts)
        return
    storing = Storing(options)
    (system,) = storing.names_for(1)
    table = load_pairs(pairs) if pairs else PairTable((two[0],), (two[1],), None, (1,), Source())
    ontology = read_concepts(source, counts, options)
    lookup = _looked_up(ontology, table, senses, skip_unknown=unknown == "drop" and pairs is not None)
    task = lookup.task(named=senses == "max" and lookup.several > 0)
    with status_on_stderr() as status:
        result, scores = analysis.evaluate_pairs(task, named, system=system, progress=status)
    shown = report.PairReport(lookup, task, scores, with_why, digits)
    definitions = report.definition_lines(ontology, named) if with_why else ""

    def text(layout: Layout) -> str:
        if layout is Layout.JSON:
            return json_text(shown.document())
        table = shown.table(layout) if pairs is not None or not layout.for_people else shown.single_pair(layout)
        return f"{table}\n{definitions}\n" if definitions and layout is Layout.TABLE else table

    printed = layout if isinstance(layout, Layout) else Layout.TABLE
    storing.outputs.write(text, printed, lambda: storing.write([result.spelled(option_spelling)]))
    skipped = shown.skipped_remark()
    if skipped is not None:
        note(skipped)
    if pairs is None and not with_why:
        for remark in shown.sense_remarks():
            note(f"{remark} (--explain shows it)")


def _check_usage(two: Sequence[str], pairs: str | None, every: bool, layout: Layout | str | None, of_all: Mapping[str, bool],
                 options: Mapping[str, Any]) -> None:  # fmt: skip
    """One of the three forms, and nothing that goes with another one."""
    if len(two) not in (0, 2):
        raise click.UsageError(f"found {number_of(len(two), 'concept', 'concepts')}, expected two. Name A and B.")
    forms = [name for name, value in (("A B", two), ("--pairs", pairs is not None), ("--all", every)) if value]
    if len(forms) != 1:
        problem = f"{' and '.join(forms)} do not go together" if forms else "no concepts"
        raise click.UsageError(f"{problem}. Name A and B, or use --pairs FILE, --concepts FILE or --all.")
    if not every:
        wrong = [f"--{name}" for name, value in of_all.items() if value]
        wrong += [f"--format {layout}"] if layout in _FILES else []
        if wrong:
            raise click.UsageError(f"{wrong[0]} needs --all.")
        return
    if options["store"] is not None and click.get_current_context().get_parameter_source("store") is _TYPED:
        raise click.UsageError("--store needs A B or --pairs. All pairs go to a file: -o.")
    if not options["output"] and (layout in _FILES or any(of_all.values())):
        wrong = [f"--{name}" for name, value in of_all.items() if value]
        raise click.UsageError(f"{(wrong or [f'--format {layout}'])[0]} needs -o FILE.")


def _only_file(options: dict[str, Any]) -> str | None:
    """The one file of all pairs; what belongs to stored scores is taken out of the options."""
    output: tuple[str, ...] = options.pop("output")
    for name in ("store", "store_level", "base", "names"):
        options.pop(name)
    if len(output) > 1:
        raise click.UsageError(f"{output[1]}: all pairs are written to one file. Name one -o.")
    return output[0] if output else None


def _measures(values: Sequence[str]) -> list[NamedMeasure]:
    """The measures of -m, or the default ones; refused before anything is loaded."""
    names = measure_names(values)
    for name in names:
        analysis.concept_measure(name)
    measures = named_measures(names or None, ConceptPairs)
    return [(name, measure) for name, measure in measures if "ratings" not in measure.definition.needs]


def _looked_up(ontology: Ontology, table: PairTable, senses: Senses, *, skip_unknown: bool) -> PairLookup:
    """The pairs as concepts; a pair with an unknown name is left out, or refused."""
    lookup = PairLookup(ontology, table, senses)
    if not skip_unknown:
        lookup.refuse_unknown()
    if not len(lookup.places):
        raise UnknownConceptError(
            f"no pair has both concepts in {ontology.source.path}", place=table.source.path, advice="Check --ontology."
        )
    return lookup


def _listed(
    ontology: Ontology, names: list[tuple[int, str]], path: str, *, first: bool, skip_unknown: bool
) -> list[str]:
    """The concepts of a list; those that are unknown are told."""
    concepts, skipped = listed_concepts(ontology, names, path, first=first, skip_unknown=skip_unknown)
    if skipped:
        unknown = listed(f"{name!r} in line {line}" for line, name in skipped)
        note(f"{path}: left out: {len(skipped):,} of {len(names):,} concepts (unknown: {unknown})")
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
                f"a matrix of {count:,} concepts is too large to print",
                advice=f"Write it to a file with -o, or use at most {LARGEST_MATRIX} concepts with --concepts.",
            )
        else:
            self._print(ontology, concepts)

    def _write(self, ontology: Ontology, concepts: list[str] | None, count: int, output: str) -> None:
        with _ended_by_exit(), progress_on_stderr(output, counted=True, unit="rows") as progress:
            written = write_matrix(ontology, output, [name for name, _ in self.measures], concepts, format=self._format,
                                single=self.single, least=self.least, progress=progress)  # fmt: skip
        what = ("value", "values") if file_format(output, self._format) == "npy" else ("pair", "pairs")
        note(f"{output}: {number_of(written, *what)} of {number_of(count, 'concept', 'concepts')}")

    def _print(self, ontology: Ontology, concepts: list[str] | None) -> None:
        if concepts is None:
            concepts = [ontology.hierarchy.iris[concept] for concept in analysis.every_concept(ontology).tolist()]
        layout = self.layout if isinstance(self.layout, Layout) else Layout.TABLE
        matrices = {name: analysis.relate_all(ontology, concepts, measure).tolist() for name, measure in self.measures}
        if layout is Layout.JSON:
            echo_json(report.matrix_document(ontology, concepts, matrices, self.measures))
            return
        echo(report.matrix_tables(ontology, concepts, matrices, layout, self.digits), layout)


def nearest(concept: str, source: str, measures: tuple[str, ...], counts: str | None, digits: int, count: int,
            senses: str | None, among: analysis.Among | None, output: tuple[str, ...], layout: Layout,
            **options: Any) -> None:  # fmt: skip
    """Look the concept up, compute; then write and print."""
    outputs = Outputs(output)
    check_stdin(source, counts)
    named = _measures(measures or ("BDM",))
    ontology = read_concepts(source, counts, options)
    iri = _one_concept(ontology, concept, first=senses == "first")
    nearest_by_measure = {}
    with status_on_stderr(named[0][0]) as status:
        for name, measure in named:
            if status is not None:
                status(name)
            nearest_by_measure[name] = analysis.nearest(ontology, iri, measure, count, among=among, term=concept)
    ontology = with_named_individuals(
        ontology, [iri, *(other.iri for others in nearest_by_measure.values() for other in others)]
    )

    def text(layout: Layout) -> str:
        if layout is Layout.JSON:
            return json_text(report.nearest_document(ontology, iri, nearest_by_measure, named))
        return report.nearest_tables(ontology, iri, nearest_by_measure, layout, digits)

    outputs.write(text, layout)


def _one_concept(ontology: Ontology, name: str, *, first: bool) -> str:
    """The IRI of the one concept or individual of a name, or the first of several."""
    try:
        return concept_or_individual(ontology, name, first=first)
    except UnknownConceptError as error:
        if is_known(ontology, name):
            advice = "Use the IRI, or --senses first."
        else:
            advice = f"{error.advice or ''} Use an IRI, a CURIE, a local name or a label.".strip()
        raise UnknownConceptError(error.problem, advice=advice) from None
