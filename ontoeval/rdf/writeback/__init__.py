"""`annotate`: scores into an ontology, `clean`: out of it; checks (which scores: concept_scores.py; serialise.py)."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from ontoeval.errors import OntoevalError, ParameterError
from ontoeval.files import check_writable
from ontoeval.load.formats import FORMATS, format_of
from ontoeval.load.input import DEFAULT_LIMIT, Input, open_input
from ontoeval.rdf.writeback.concept_scores import Scores
from ontoeval.rdf.writeback.iris import OVERLAY, SCORE, score_iri
from ontoeval.rdf.writeback.original import Original
from ontoeval.rdf.writeback.overlay import write_overlay
from ontoeval.rdf.writeback.serialise import SUFFIXES, write
from ontoeval.results import EvaluationResult

__all__ = ["OVERLAY", "SCORE", "WrittenFile", "annotate", "check_target", "clean", "score_iri"]


@dataclass(frozen=True)
class WrittenFile:
    """A file that was written, and what is in it."""

    target: Path
    scores: int = 0
    concepts: int = 0
    measures: tuple[str, ...] = ()
    removed: int = 0  # statements of an earlier write-back
    catalogue: Path | None = None
    notes: tuple[str, ...] = ()


def check_target(target: str | Path, source: str | Path) -> Path:
    """Refuse a file that cannot or must not be written, before the work begins."""
    target = Path(target)
    if target.suffix.lower() not in SUFFIXES:
        raise ParameterError(
            f"unknown suffix {target.suffix!r}",
            place=str(target),
            advice=f"Use one of: {' '.join(SUFFIXES)}.",
            parameter="target",
        )
    check_writable(target)
    if target.exists() and Path(source).exists() and target.samefile(source):
        raise ParameterError(
            "is the input file, which is never changed",
            place=str(target),
            advice="Set {target} to another name.",
            parameter="target",
        )
    return target


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
) -> WrittenFile:
    """Write the scores of single concepts of `result` as annotations of the concepts of the file `learned`.

    By default `target` becomes an overlay, an ontology that imports `learned`, with an entry in the catalog-v001.xml
    beside it. With `merged` it holds all triples of `learned`, too; scores of any earlier run are left out, so that a
    file never shows two runs at a time. `learned` itself is never changed.

    Learned concepts get the scores; that of a gold concept goes to its learned partner if there is one. The syntax
    follows the suffix: .ttl, .nt, .owl or .rdf. format, base_iri, lenient and max_size are those of `load_ontology`.
    """
    target = check_target(target, learned)
    if str(learned) == "-":
        raise ParameterError(
            "the learned ontology must be a file, not stdin (-)",
            parameter="learned",
        )
    with closing(open_input(learned, limit=max_size)) as source:
        _check_judged(result, source)
        file_format = format_of(source, format)
        scores = Scores.from_result(result, str(learned), file_format)
        if merged and FORMATS[file_format].rdf is None:
            raise OntoevalError(
                f"{file_format.upper()} cannot be written as RDF completely",
                place=str(learned),
                advice="Convert it to OWL, or remove {merged} to write an overlay instead.",
                parameter="merged",
            )
        counts = len(scores), scores.concepts, scores.measures
        if not merged:
            catalogue = write_overlay(result, scores, Path(learned), target)
            return WrittenFile(target, *counts, catalogue=catalogue, notes=scores.notes)
        original = Original(source, file_format, base_iri, lenient)
        removed = write(target, original, scores.lines)
    return WrittenFile(target, *counts, removed, notes=original.notes + scores.notes)


def clean(
    path: str | Path,
    target: str | Path,
    *,
    format: str | None = None,
    base_iri: str | None = None,
    lenient: bool = False,
    max_size: int = DEFAULT_LIMIT,
) -> WrittenFile:
    """Write `path` without the scores of any run: annotations, their axioms, declarations, overlay header."""
    target = check_target(target, path)
    with closing(open_input(path, limit=max_size)) as source:
        file_format = format_of(source, format)
        if FORMATS[file_format].rdf is None:
            raise OntoevalError(
                f"{file_format} cannot hold ontoeval scores",
                place=str(path),
                advice="Use RDF or OWL.",
                parameter="path",
            )
        original = Original(source, file_format, base_iri, lenient)
        removed = write(target, original)
    notes = list(original.notes)
    if not removed:
        notes.append("no scores of ontoeval found")
    elif not original.kept:
        notes.append("the file has only scores; the ontology that it imports has none")
    return WrittenFile(target, removed=removed, notes=tuple(notes))


def _check_judged(result: EvaluationResult, source: Input) -> None:
    if result.judged.sha256 != source.sha256:
        raise OntoevalError(
            f"not the file that was scored ({result.judged.path}), or it has changed since",
            place=source.name,
            advice="Evaluate it again.",
        )
