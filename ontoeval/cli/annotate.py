"""`ontoeval annotate`: options, steps and printed lines (what is written into the ontology: rdf/writeback/)."""

from __future__ import annotations

from typing import Any

import click

from ontoeval.cli.inputs import TwoSides, evaluate_task
from ontoeval.cli.options import matching_options, measure_names, measure_option, two_sided_options
from ontoeval.cli.printing import echo_notes
from ontoeval.errors import ParameterError
from ontoeval.evaluation import named_measures, needs_relations
from ontoeval.files import check_writable
from ontoeval.rdf import writeback
from ontoeval.results import EvaluationResult
from ontoeval.tasks.comparison import Comparison


@click.command(no_args_is_help=True)
@click.argument("learned", metavar="LEARNED")
@click.option("--gold", metavar="FILE", help="The gold standard.")
@click.option(
    "-o", "--output", required=True, metavar="FILE", help="What to write: .owl or .rdf (RDF/XML), .ttl or .nt."
)
@measure_option(
    "'TP(extract=sc)'",
    "A measure that has scores of single concepts: TP_csc, 'TP(extract=sc)'. Several with commas or several -m.",
)
@click.option("--merged", is_flag=True, help="Write everything of LEARNED, too, instead of an overlay that imports it.")
@click.option("--clean", is_flag=True, help="Write LEARNED without the scores that were merged into it.")
@matching_options
@click.option("--ignore-novel", is_flag=True, help="Judge only the learned concepts that the gold standard has.")
@two_sided_options
def annotate(learned: str, gold: str | None, output: str, measures: tuple[str, ...], merged: bool, clean: bool,
             **options: Any) -> None:  # fmt: skip
    """Write the scores of single concepts as annotations of an ontology.

    FILE of -o becomes an overlay: an ontology that imports LEARNED and holds the scores. The catalog-v001.xml beside it
    tells Protégé where LEARNED is. With --merged it is a copy of LEARNED with the scores in it; those of an earlier run
    are replaced. LEARNED itself is never changed.

    \b
    Examples:
      ontoeval annotate learned.owl --gold gold.ttl -o learned.scores.owl
      ontoeval annotate learned.ttl --gold gold.ttl -m TP_csc,TR_csc --merged -o scored.ttl
      ontoeval annotate --clean scored.ttl -o learned-again.ttl
    """
    check_writable(output)
    reading = {key: options[key] for key in ("format", "base_iri", "lenient", "max_size")}
    if clean:
        if gold is not None or measures or merged:
            raise ParameterError("--clean only takes scores out", advice="Leave --gold, -m and --merged out.")
        written = writeback.clean(learned, output, **reading)
        click.echo(f"{output}: {written.removed:,} statements of ontoeval less than in {learned}")
    else:
        if gold is None:
            advice = "Give it with --gold, or take scores out with --clean."
            raise ParameterError("scores need a gold standard", advice=advice)
        writeback.check_target(output, learned)
        result = _result(learned, gold, measures, options)
        written = writeback.annotate(result, learned, output, merged=merged, **reading)
        _echo_written(written, learned)
    echo_notes(learned, written.notes)


def _result(learned: str, gold: str, measures: tuple[str, ...], options: dict[str, Any]) -> EvaluationResult:
    """Load, match and evaluate, and print what was noticed."""
    names = measure_names(measures, "TP_csc")
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


def _echo_written(written: writeback.WrittenFile, learned: str) -> None:
    concepts = "concept" if written.concepts == 1 else "concepts"
    scores = f"{written.scores:,} scores ({', '.join(written.measures)}) on {written.concepts:,} {concepts}"
    click.echo(f"{written.target}: {scores}")
    if written.catalogue is not None:
        click.echo(f"{written.catalogue}: says where {learned} is")
    if written.removed:
        click.echo(f"{written.target}: {written.removed:,} statements of an earlier run replaced")
