"""Scores back into the ontology that they judge: beside it as an overlay, or merged into a copy; and out again."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from ontoeval.errors import OntoevalError, ParameterError
from ontoeval.load.formats import FORMATS, format_of
from ontoeval.load.input import DEFAULT_LIMIT, Input, open_input
from ontoeval.rdf.writeback.concept_scores import Scores
from ontoeval.rdf.writeback.iris import OVERLAY, SCORE, score_iri
from ontoeval.rdf.writeback.original import Original
from ontoeval.rdf.writeback.overlay import write_overlay
from ontoeval.rdf.writeback.serialise import write
from ontoeval.rdf.writeback.target import Written, check_target
from ontoeval.results import EvaluationResult

__all__ = ["OVERLAY", "SCORE", "Written", "annotate", "check_target", "clean", "score_iri"]


def annotate(
    result: EvaluationResult,
    learned: str | Path,
    target: str | Path,
    *,
    merged: bool = False,
    format: str | None = None,
    base_iri: str | None = None,
    lenient: bool = False,
    max_size: int = DEFAULT_LIMIT,
) -> Written:
    """Write the scores of single concepts of `result` as annotations of the concepts of the file `learned`.

    By default `target` becomes an overlay, an ontology that imports `learned`, with an entry in the catalog-v001.xml
    beside it. With `merged` it holds all triples of `learned`, too; scores that were in `learned` before, of whatever
    run, are left out, so that a file never shows two runs at a time. `learned` itself is never changed.

    Learned concepts get the scores; that of a gold concept goes to its learned partner if there is one. The syntax
    follows the suffix: .ttl, .nt, .owl or .rdf. format, base_iri, lenient and max_size are those of `load_ontology`.
    """
    target = check_target(target, learned)
    if str(learned) == "-":
        raise ParameterError("- is stdin, and scores are written beside a file. Give the learned ontology as a file.")
    with closing(open_input(learned, limit=max_size)) as source:
        _check_judged(result, source)
        kind = format_of(source, format)
        scores = Scores.of(result, str(learned), kind)
        if merged and FORMATS[kind].rdf is None:
            raise OntoevalError(
                f"{learned}: this is {kind.upper()}, of which not everything can be written as RDF here. "
                "Convert it to OWL, or leave --merged out: an overlay needs no copy."
            )
        if not merged:
            return write_overlay(result, scores, Path(learned), target)
        original = Original(source, kind, base_iri, lenient)
        removed = write(target, original, scores.lines)
    return Written(target, len(scores), scores.concepts, scores.measures, removed, notes=original.notes + scores.notes)


def clean(
    path: str | Path,
    target: str | Path,
    *,
    format: str | None = None,
    base_iri: str | None = None,
    lenient: bool = False,
    max_size: int = DEFAULT_LIMIT,
) -> Written:
    """Write `path` without our scores, of whatever run: annotations, their axioms, declarations, overlay header."""
    target = check_target(target, path)
    with closing(open_input(path, limit=max_size)) as source:
        kind = format_of(source, format)
        if FORMATS[kind].rdf is None:
            raise OntoevalError(f"{path}: this is {kind}, which holds no scores of ontoeval. Give RDF or OWL.")
        original = Original(source, kind, base_iri, lenient)
        removed = write(target, original)
    notes = list(original.notes)
    if not removed:
        notes.append("there are no scores of ontoeval in it")
    elif not original.kept:
        notes.append("there is nothing but scores in it; the ontology that it imports has none")
    return Written(target, removed=removed, notes=tuple(notes))


def _check_judged(result: EvaluationResult, source: Input) -> None:
    if result.judged.sha256 != source.sha256:
        raise OntoevalError(
            f"{source.name}: this is not the file that was judged ({result.judged.path}), or it has changed since. "
            "Evaluate it again."
        )
