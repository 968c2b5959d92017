"""`Scores`: scores by learned concept (of gold: its one partner, by matching/), Turtle, N-Triples (IRIs: iris.py)."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pyoxigraph as ox

from ontoeval.errors import MissingInputError, OntoevalError, ParameterError, listed, number_of
from ontoeval.load.formats import FORMATS
from ontoeval.rdf.store.result_graph import run_iri
from ontoeval.rdf.vocabulary import DOUBLE, LABEL, TYPE, double, metric, named_node, node
from ontoeval.rdf.writeback.iris import ANNOTATION, AXIOM, PROPERTY, RUN, RUN_DECLARED, SOURCE, TARGET, score_iri
from ontoeval.results import EvaluationResult, MeasureResult, NamedScores


@dataclass
class Scores:
    """The scores of an evaluation by measure and learned concept."""

    run: ox.NamedNode
    columns: dict[str, tuple[MeasureResult, dict[str, float]]]  # by property
    left_out: set[str]  # concepts without a valid IRI

    @classmethod
    def from_result(cls, result: EvaluationResult, path: str, format: str) -> Scores:
        if FORMATS[format].rdf is None and not FORMATS[format].owl_imports:
            raise OntoevalError(
                f"scores are written to concepts of RDF or OWL, not {format}",
                place=path,
                advice="Convert it to Turtle.",
            )
        with_local = [score for score in result.scores if score.local is not None]
        if not with_local:
            names = listed(score.name for score in result.scores)
            raise ParameterError(
                f"{names} {'has' if len(result.scores) == 1 else 'have'} no scores of single concepts",
                advice="Choose another measure, e.g. TP_csc.",
            )
        columns: dict[str, tuple[MeasureResult, dict[str, float]]] = {}
        left_out: set[str] = set()
        for score in with_local:
            iri = score_iri(str(score.measure))
            if iri not in columns:  # one measure may have been asked for under two names
                values = _by_concept(score.local, result)  # type: ignore[arg-type]
                left_out.update(concept for concept in values if named_node(concept) is None)
                columns[iri] = score, {concept: v for concept, v in values.items() if concept not in left_out}
        if not any(values for _, values in columns.values()):
            raise OntoevalError(
                "no learned concept has a score",
                place=path,
                advice="Choose a measure with scores of learned concepts, e.g. TP_csc, or match more concepts with "
                "another {by}.",
            )
        return cls(run_iri(result), columns, left_out)

    def __len__(self) -> int:
        return sum(len(values) for _, values in self.columns.values())

    @property
    def concepts(self) -> int:
        """The number of concepts that have a score."""
        return len({concept for _, values in self.columns.values() for concept in values})

    @property
    def measures(self) -> tuple[str, ...]:
        return tuple(score.name for score, values in self.columns.values() if values)

    @property
    def notes(self) -> tuple[str, ...]:
        if not self.left_out:
            return ()
        concepts = number_of(len(self.left_out), "concept has", "concepts have")
        return (f"{concepts} no valid IRI, so no scores: {listed(sorted(self.left_out))}",)

    def lines(self, turtle: bool, prefixes: Mapping[str, str]) -> Iterator[str]:
        """Turtle or N-Triples, as text: for a million scores a third of the time that triples would take."""

        def term(iri: ox.NamedNode) -> str:
            return _curie(iri.value, prefixes) if turtle else str(iri)

        run, a, label, see_also = str(self.run), term(TYPE), term(LABEL), term(node("rdfs:seeAlso"))
        axiom, source, property, target, by_run = map(term, (AXIOM, SOURCE, PROPERTY, TARGET, RUN))
        for triple in sorted(RUN_DECLARED, key=str):
            yield f"{triple} .\n"
        for iri, (score, values) in self.columns.items():
            if not values:
                continue
            score_property, datatype = term(ox.NamedNode(iri)), term(DOUBLE)
            yield f"{score_property} {a} {term(ANNOTATION)} .\n"
            yield f"{score_property} {label} {ox.Literal(str(score.measure))} .\n"
            yield f"{score_property} {see_also} {metric(score.measure.preset.name)} .\n"
            # the same run makes the same file
            blank = "_:oe" + hashlib.blake2b(f"{self.run.value} {iri}".encode(), digest_size=10).hexdigest() + "x"
            for number, (name, value) in enumerate(values.items()):
                concept, literal = f"<{name}>", f'"{double(value).value}"^^{datatype}'
                yield f"{concept} {score_property} {literal} .\n"
                about_axiom = (
                    f"{a} {axiom}",
                    f"{source} {concept}",
                    f"{property} {score_property}",
                    f"{target} {literal}",
                    f"{by_run} {run}",
                )
                if turtle:
                    yield f"[] {' ; '.join(about_axiom)} .\n"
                else:
                    yield "".join(f"{blank}{number} {statement} .\n" for statement in about_axiom)


def _curie(iri: str, prefixes: Mapping[str, str]) -> str:
    """As `prefix:name` where a prefix fits."""
    for prefix, namespace in prefixes.items():
        if iri.startswith(namespace) and re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", iri[len(namespace) :]):
            return f"{prefix}:{iri[len(namespace) :]}"
    return f"<{iri}>"


def _by_concept(local: NamedScores, result: EvaluationResult) -> dict[str, float]:
    """The values by learned concept; those of gold concepts by their partner."""
    if local.of not in ("learned", "gold", "concept"):
        return {}  # documents, instances and pairs are not concepts
    ids = local.ids.tolist()
    names = local.names.iris
    if local.of == "gold":
        task = result.subject
        if task is None:
            raise MissingInputError(
                "the result was read from a file, which does not hold the matching",
                advice="Evaluate again.",
                parameter="result",
            )
        partner = task.matching.to_learned.tolist()
        ids, names = [partner[concept] for concept in ids], task.learned.hierarchy.iris
    root_added = result.subject is not None and result.subject.learned.hierarchy.root_added
    return {
        names[concept]: value
        for concept, value in zip(ids, local.values.tolist(), strict=True)
        if concept >= int(root_added) and not math.isnan(value)
    }
