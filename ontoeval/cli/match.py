"""`ontoeval match`: which concept is which."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from ontoeval.cli.options import (
    LAYOUTS,
    check_place,
    choices_by_side,
    layout_options,
    matched_by,
    matching_options,
    note,
    progress_on_stderr,
    two_sided_options,
    write_text,
)
from ontoeval.tables import Layout

if TYPE_CHECKING:
    from ontoeval.matching.matcher import Matching
    from ontoeval.model.ontology import Ontology

_SHOWN = 20  # ambiguous candidates


@click.command(no_args_is_help=True)
@click.argument("learned", metavar="LEARNED")
@click.option("--gold", required=True, metavar="FILE", help="The gold standard.")
@matching_options
@click.option("--reference", metavar="FILE", help="A right alignment: gives precision, recall and F of the matching.")
@click.option("-o", "--output", metavar="FILE", help="Write the matching as SSSOM TSV.")
@layout_options([*LAYOUTS, "sssom"])
@two_sided_options
def match(learned: str, gold: str, by: str, normalize: str, reference: str | None, output: str | None, layout: Layout | str,
          languages: tuple[str, ...], **options: Any) -> None:  # fmt: skip
    """Say which learned concept is which gold concept.

    \b
    Examples:
      ontoeval match learned.owl --gold gold.ttl
      ontoeval match learned.owl --gold gold.ttl --match label,fuzzy:0.9 --normalize all -o mapping.sssom.tsv
      ontoeval match cmt.owl --gold ekaw.owl --match name --normalize case --reference cmt-ekaw.rdf
      ontoeval match clusters.tsv --gold topics.tsv --match instances --instances a.tsv --gold-instances b.tsv
    """
    from ontoeval.load import load_mapping, load_ontology
    from ontoeval.load.mappings.sssom import sssom
    from ontoeval.matching.alignment import agreement
    from ontoeval.matching.matcher import match as paired
    from ontoeval.matching.suggestions import hint

    steps = matched_by(by)
    if output is not None:
        check_place(output)
    right = None if reference is None else load_mapping(reference)
    (own,), others = choices_by_side(options, [learned], gold)
    language = languages[0] if len(languages) == 1 else None
    sides = []
    for path, choices in ((learned, own), (gold, others)):
        with progress_on_stderr(path) as progress:
            sides.append(load_ontology(path, progress=progress, language=language, **choices))
    ours, theirs = sides
    matching = paired(ours, theirs, steps, normalize=normalize, language=languages or None)
    scores = None if right is None else agreement(matching, right, ours, theirs)
    written = sssom(_rows(matching, ours, theirs), learned=ours.source.iri, gold=theirs.source.iri)
    if output is not None:
        write_text(output, written)
    if layout is Layout.JSON:
        click.echo(json.dumps(_document(matching, ours, theirs, scores), indent=2, ensure_ascii=False))
    elif not isinstance(layout, Layout):
        click.echo(written, nl=False)
    else:
        _print(matching, ours, theirs, scores, layout)
    better = hint(ours, theirs, matching)
    for text in (*ours.source.notes, *matching.notes, *([better] if better else [])):
        click.echo(f"{learned}: {text}", err=True)
    for text in theirs.source.notes:
        click.echo(f"{gold}: {text}", err=True)


def _rows(matching: Matching, learned: Ontology, gold: Ontology) -> list[tuple[str, str, str, str, float, str]]:
    """(learned IRI, gold IRI, learned label, gold label, score, step)."""
    rows = [
        (
            learned.hierarchy.iris[pair.learned],
            gold.hierarchy.iris[pair.gold],
            learned.label(pair.learned),
            gold.label(pair.gold),
            pair.score,
            matching.by[int(matching.steps[pair.learned])],
        )
        for pair in matching.pairs
    ]
    return sorted(rows)


def _ambiguous(matching: Matching, learned: Ontology, gold: Ontology) -> list[dict[str, Any]]:
    return [
        {
            "learned": learned.hierarchy.iris[c.learned],
            "gold": gold.hierarchy.iris[c.gold],
            "score": c.score,
            "by": step,
        }
        for c, step in matching.dropped
    ]


def _document(matching: Matching, learned: Ontology, gold: Ontology, scores: dict[str, Any] | None) -> dict[str, Any]:
    keys = ("learned", "gold", "learned_label", "gold_label", "score", "by")
    document = {
        "learned": learned.source.path,
        "gold": gold.source.path,
        "matching": matching.summary(),
        "pairs": [dict(zip(keys, row, strict=True)) for row in _rows(matching, learned, gold)],
        "ambiguous": _ambiguous(matching, learned, gold),
    }
    return document if scores is None else {**document, "reference": scores}


def _print(
    matching: Matching, learned: Ontology, gold: Ontology, scores: dict[str, Any] | None, layout: Layout
) -> None:
    from ontoeval.tables import render, short_names

    names = short_names([learned.source.path, gold.source.path])
    rows: Sequence[Sequence[Any]] = [
        [_called(row[2], row[0]), _called(row[3], row[1]), row[5], row[4]] for row in _rows(matching, learned, gold)
    ]
    if not layout.for_people:
        rows = [[row[0], row[1], row[5], row[4]] for row in _rows(matching, learned, gold)]
    click.echo(render("The same concepts", [*names, "by", "score"], rows, layout), nl=False)
    about = matching.summary()
    note(
        f"{about['matched']:,} pairs of {about['learned']:,} learned and {about['gold']:,} gold concepts"
        + (" (two added roots are one of them)" if about["found"]["added root"] else ""),
        layout,
    )
    dropped = _ambiguous(matching, learned, gold)
    for entry in dropped[:_SHOWN]:
        note(f"ambiguous: {entry['learned']} could also be {entry['gold']} (by {entry['by']})", layout)
    if matching.ambiguous > min(len(dropped), _SHOWN):
        note(
            f"and {matching.ambiguous - min(len(dropped), _SHOWN):,} more ambiguous candidates (--json lists them)",
            layout,
        )
    if scores is not None:
        header = ["against the reference", "precision", "recall", "F", "right", "found", "reference"]
        row = ["", *(scores[key] for key in ("precision", "recall", "f", "right", "found", "reference"))]
        click.echo("\n" + render("", header, [row], layout), nl=False)


def _called(label: str, iri: str) -> str:
    return label if label == iri else f"{label} <{iri}>"
