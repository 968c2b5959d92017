"""Steps of `ontoeval write-back` (what is written into the ontology: rdf/writeback/)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from ontoeval.cli.state import note
from ontoeval.cli.steps.checks import measure_names
from ontoeval.cli.steps.inputs import TwoSides, evaluate_task
from ontoeval.cli.steps.printing import echo_json, echo_notes, status_on_stderr
from ontoeval.errors import number_of
from ontoeval.evaluation import named_measures, needs_relations
from ontoeval.files import check_writable
from ontoeval.rdf import writeback
from ontoeval.results import EvaluationResult
from ontoeval.tables import Layout
from ontoeval.tasks.comparison import Comparison


def write_back(learned: str, gold: str | None, output: str, measures: tuple[str, ...], merged: bool, clean: bool,
               layout: Layout, **options: Any) -> None:  # fmt: skip
    """Evaluate and write the scores, or write the ontology without them."""
    check_writable(output)
    reading = {key: options[key] for key in ("format", "base_iri", "lenient", "max_size")}
    if clean:
        if gold is not None or measures or merged:
            raise click.UsageError("--clean only removes scores. Remove --gold, -m and --merged.")
        with status_on_stderr(f"cleaning {learned}"):
            written = writeback.clean(learned, output, **reading)
    else:
        if gold is None:
            raise click.UsageError("scores need a gold standard. Set --gold, or remove scores with --clean.")
        writeback.check_target(output, learned)
        result = _result(learned, gold, measures, options)
        with status_on_stderr(f"writing {output}"):
            written = writeback.annotate(result, learned, output, merged=merged, **reading)
    if layout is Layout.JSON:
        echo_json(_document(written))
    else:
        for line in _summary(written, learned):
            note(line)
    echo_notes(learned, written.notes)


def _result(learned: str, gold: str, measures: tuple[str, ...], options: dict[str, Any]) -> EvaluationResult:
    """Load, match and evaluate, and print what was noticed."""
    names = measure_names(measures)
    computed = named_measures(names or None, Comparison)  # refused before anything is loaded
    ignore_novel = options.pop("ignore_novel")
    options["other_relations"] |= needs_relations(computed)
    sides = TwoSides(options, [learned], gold)
    gold_ontology = sides.read_gold()
    echo_notes(gold, gold_ontology.source.notes)
    ontology = sides.read_learned()
    echo_notes(learned, ontology.source.notes)
    matching, notes = sides.match(ontology, gold_ontology)
    echo_notes(learned, notes)
    task = Comparison(ontology, gold_ontology, matching)
    return evaluate_task(task.covered() if ignore_novel else task, computed)


def _summary(written: writeback.WrittenFile, learned: str) -> Iterator[str]:
    if written.scores:
        scores, concepts = (
            number_of(written.scores, "score", "scores"),
            number_of(written.concepts, "concept", "concepts"),
        )
        yield f"{written.target}: {scores} ({', '.join(written.measures)}) of {concepts}"
    if written.catalogue is not None:
        yield f"{written.catalogue}: maps the import to {learned}"
    if written.removed:
        yield f"{written.target}: {number_of(written.removed, 'statement', 'statements')} of an earlier run removed"


def _document(written: writeback.WrittenFile) -> dict[str, Any]:
    return {
        "output": str(written.target),
        "catalog": None if written.catalogue is None else str(written.catalogue),
        "measures": list(written.measures),
        "concepts": written.concepts,
        "scores": written.scores,
        "removed": written.removed,
        "notes": list(written.notes),
    }
