"""`ontoeval compare`: own options, steps (loads, matches: `TwoSides`, inputs.py; prints: report/comparison.py)."""

from __future__ import annotations

from typing import Any

import click

from ontoeval.analysis.significance import PAIRED_ROUNDS, paired_tests
from ontoeval.cli.inputs import TwoSides, evaluate_task
from ontoeval.cli.options import (
    check_limits,
    digits_option,
    fail_under,
    file_layout,
    layout_options,
    limit_of,
    matching_options,
    measure_names,
    measure_option,
    several_sided_options,
)
from ontoeval.cli.printing import echo_notes, json_text, write_text
from ontoeval.cli.spelling import option_spelling
from ontoeval.cli.storing import Storing, storing_options
from ontoeval.errors import ParameterError
from ontoeval.evaluation import RELATION_MEASURES, named_measures, needs_relations, scores_relations
from ontoeval.report.comparison import TOP, ComparisonReport, find_run, only_on_instances
from ontoeval.report.local_scores import local_table
from ontoeval.report.score_tables import shown_measures
from ontoeval.results import ResultTable
from ontoeval.tables import Layout
from ontoeval.tasks.comparison import Comparison


@click.command(no_args_is_help=True)
@click.argument("learned", nargs=-1, required=True, metavar="LEARNED...")
@click.option("--gold", required=True, metavar="FILE", help="The gold standard.")
@measure_option("TP(extract=sc)")
@matching_options
@click.option("--ignore-novel", is_flag=True, help="Judge only the learned concepts that the gold standard has.")
@click.option(
    "--worst",
    type=click.IntRange(min=1),
    metavar="N",
    help="List the N concepts (with ITP, ITR or ITF also instances) that lose most.",
)
@click.option(
    "--explain",
    "explained",
    multiple=True,
    metavar="CONCEPT",
    help="Show the relations of a concept (IRI or label) on both sides.",
)
@click.option(
    "--errors",
    "with_errors",
    is_flag=True,
    help="List missing, novel and misplaced concepts, inverted links, cycles, related and synonym links of one side.",
)
@click.option("--per", type=click.Choice(["property"]), help="Add a table of the scores of relations by property.")
@click.option("--confidence", "with_confidence", is_flag=True, help="Add bootstrap 95 % intervals.")
@click.option("--top", type=click.IntRange(min=0), default=TOP, show_default=True, metavar="N",
              help="Rows per list for people; 0: all.")  # fmt: skip
@click.option("--significance", is_flag=True, help="Test every two runs (paired randomisation, corrected by Holm).")
@click.option("--baseline", metavar="NAME", help="Test each run against this one only.")
@click.option(
    "--rounds",
    type=click.IntRange(1, 1_000_000),
    metavar="N",
    help="Rounds of --confidence (1000) and --significance (10000).",
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of --confidence and --significance."
)
@click.option("--local", metavar="FILE", help="Write the scores of each concept: .tsv, .csv or .json.")
@click.option(
    "--fail-under", "limits", multiple=True, metavar="NAME=VALUE", help="Exit with code 3 if a score is lower."
)
@layout_options()
@storing_options
@digits_option
@several_sided_options
def compare(learned: tuple[str, ...], gold: str, measures: tuple[str, ...], ignore_novel: bool, worst: int | None,
            explained: tuple[str, ...], with_errors: bool, per: str | None, with_confidence: bool, top: int,
            significance: bool, baseline: str | None, rounds: int | None, seed: int, local: str | None, limits: tuple[str, ...], layout: Layout, digits: int,
            **options: Any) -> None:  # fmt: skip
    """Compare learned ontologies with a gold standard.

    LEARNED and --gold are OWL, RDFS, SKOS, OBO or tables of edges in any common syntax, plain or compressed.

    \b
    Examples:
      ontoeval compare learned.owl --gold gold.ttl
      ontoeval compare run*.ttl --gold gold.owl --match label --normalize case --format latex
      ontoeval compare learned.ttl --gold gold.ttl -m TF_csc -m 'TP(extract=uc)' --worst 10
      ontoeval compare a.tsv b.tsv --gold gold.tsv --confidence --significance --json
      ontoeval compare learned.tsv --gold gold.tsv --columns child,parent,confidence --min-confidence 0,0.3,0.6
      ontoeval compare clusters.tsv --gold topics.tsv --instances a.tsv --gold-instances b.tsv -m H_s,ITF,EOR
      ontoeval compare learned.owl --gold gold.owl -m RelP,RelR,'RelF(similarity=WP)' --per property
      ontoeval compare learned.ttl --gold gold.ttl --fail-under TF_csc=0.7
      ontoeval compare learned.ttl --gold gold.ttl --store scores --system "my learner"
    """
    storing = Storing(options)
    thresholds = dict(limit_of(limit) for limit in limits)
    names = measure_names(measures, "TF_csc") or [name for name, _ in named_measures(None, Comparison)]
    if per is not None and not any(scores_relations(measure) for _, measure in named_measures(names, Comparison)):
        names += RELATION_MEASURES
    computed = named_measures([*names, *thresholds], Comparison)  # refused before anything is loaded
    options["other_relations"] |= needs_relations(computed)
    check_limits(thresholds)
    local_layout = None if local is None else file_layout(local, "--local")
    sides = TwoSides(options, learned, gold)
    significance |= baseline is not None
    if significance and len(sides.learned) < 2:
        raise ParameterError("--significance needs two learned ontologies or more", advice="Give another one.")
    tasks = _tasks(
        sides, with_hint=not only_on_instances(measure for _, measure in computed), ignore_novel=ignore_novel
    )
    results = [
        evaluate_task(task, computed, system=storing.system, with_confidence=with_confidence, rounds=rounds, seed=seed)
        for task in tasks
    ]
    tests = None
    if significance:
        table = ResultTable(results)
        against = None if baseline is None else find_run(table.rows, table.paths, baseline)
        shown = shown_measures(results) if layout.for_people else None
        rounds = rounds or PAIRED_ROUNDS
        tests = paired_tests(results, baseline=against, measures=shown, rounds=rounds, seed=seed)
    report = ComparisonReport(tasks, results, tests, explained, worst, with_errors, per is not None, top)
    # everything is made before anything is shown, so that there is never half a result
    as_json = layout is Layout.JSON
    text = json_text(report.document()) if as_json else report.text(layout, digits, option_spelling)
    storing.write(results)
    if local is not None and local_layout is not None:
        write_text(local, local_table(results, local_layout))
    click.echo(text, nl=False)
    instances = sides.instances_given
    for kind, line in report.remarks(option_spelling, instances_given=instances, ignore_novel=ignore_novel):
        if kind == "warning" or not as_json:
            click.echo(f"{kind}: {line}", err=True)
    fail_under(results, thresholds)


def _tasks(sides: TwoSides, *, with_hint: bool, ignore_novel: bool) -> list[Comparison]:
    """Load and match, and print what was noticed."""
    gold = sides.read_gold(f"gold {sides.gold}")
    tasks = []
    for place, path in enumerate(sides.learned):
        learned = sides.read_learned(place, f"{place + 1}/{len(sides.learned)} {path}")
        matching, notes = sides.match(learned, gold, with_hint=with_hint)
        task = Comparison(learned, gold, matching)
        echo_notes(learned.source.with_confidence(path), [*learned.source.notes, *notes])
        tasks.append(task.covered() if ignore_novel else task)
    echo_notes(sides.gold, gold.source.notes)
    return tasks
