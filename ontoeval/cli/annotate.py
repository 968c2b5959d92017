"""`ontoeval annotate`: scores on the concepts of the ontology itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ontoeval.cli.options import (
    check_place,
    choices_by_side,
    matched_by,
    matching_options,
    progress_on_stderr,
    status_on_stderr,
    two_sided_options,
)
from ontoeval.cli.scores import split_names
from ontoeval.cli.spelling import option_spelling
from ontoeval.errors import ParameterError

if TYPE_CHECKING:
    from ontoeval.rdf.writeback import Written
    from ontoeval.results import EvaluationResult


@click.command(no_args_is_help=True)
@click.argument("learned", metavar="LEARNED")
@click.option("--gold", metavar="FILE", help="The gold standard.")
@click.option(
    "-o", "--output", required=True, metavar="FILE", help="What to write: .owl or .rdf (RDF/XML), .ttl or .nt."
)
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="NAME",
    help="A measure that has scores of single concepts: TP_csc, 'TP(extract=sc)'. Several with commas or several -m.",
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
    from ontoeval.rdf import writeback

    check_place(output)
    reading = {key: options[key] for key in ("format", "base_iri", "lenient", "max_size")}
    if clean:
        if gold is not None or measures or merged:
            raise ParameterError("--clean only takes scores out. Leave --gold, -m and --merged out.")
        written = writeback.clean(learned, output, **reading)
        click.echo(f"{output}: {written.removed:,} statements of ontoeval less than in {learned}")
    else:
        if gold is None:
            raise ParameterError("scores need a gold standard. Give it with --gold, or take scores out with --clean.")
        writeback.check_target(output, learned)
        result = _result(learned, gold, measures, options)
        written = writeback.annotate(result, learned, output, merged=merged, **reading)
        _tell(written, learned)
    for text in written.notes:
        click.echo(f"{learned}: {text}", err=True)


def _result(learned: str, gold: str, measures: tuple[str, ...], options: dict[str, Any]) -> EvaluationResult:
    from ontoeval.evaluation import evaluate, named_measures
    from ontoeval.load import load_ontology
    from ontoeval.matching.matcher import match
    from ontoeval.matching.suggestions import hint
    from ontoeval.tasks.comparison import Comparison

    names = split_names(measures) if measures else None
    chosen = named_measures(names, Comparison)  # refused before anything is loaded
    if not chosen:
        raise ParameterError("-m names no measure. Give one such as TP_csc, or leave -m out for the default ones.")
    steps = matched_by(options.pop("by"))
    normalize, languages, ignore_novel = (options.pop(key) for key in ("normalize", "languages", "ignore_novel"))
    (own,), others = choices_by_side(options, [learned], gold)
    language = languages[0] if len(languages) == 1 else None
    sides = []
    for path, choices in ((gold, others), (learned, own)):
        with progress_on_stderr(path) as progress:
            sides.append(load_ontology(path, progress=progress, language=language, **choices))
            for text in sides[-1].source.notes:
                click.echo(f"{path}: {text}", err=True)
    theirs, ours = sides
    matching = match(ours, theirs, steps, normalize=normalize, language=languages or None)
    better = hint(ours, theirs, matching)
    for text in (*matching.notes, *([better] if better else [])):
        click.echo(f"{learned}: {text}", err=True)
    task = Comparison(ours, theirs, matching)
    with status_on_stderr() as status:
        return evaluate(task.covered() if ignore_novel else task, names, progress=status).spelled(option_spelling)


def _tell(written: Written, learned: str) -> None:
    concepts = "concept" if written.concepts == 1 else "concepts"
    scores = f"{written.scores:,} scores ({', '.join(written.measures)}) on {written.concepts:,} {concepts}"
    click.echo(f"{written.target}: {scores}")
    if written.catalogue is not None:
        click.echo(f"{written.catalogue}: says where {learned} is")
    if written.removed:
        click.echo(f"{written.target}: {written.removed:,} statements of an earlier run replaced")
