"""Concept against concept: one pair, many pairs, all pairs, the nearest ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ontoeval.concepts.information_content import FORMULAS, own_counts
from ontoeval.concepts.pairs import PairGrid, PairList
from ontoeval.concepts.space import Space
from ontoeval.errors import MissingInputError, ParameterError
from ontoeval.measures import Measure, parse
from ontoeval.measures.concepts._register import reasons, related
from ontoeval.measures.registry import spelled
from ontoeval.model.arrays import FloatArray, LongArray
from ontoeval.model.ontology import Ontology
from ontoeval.results import NamedScore
from ontoeval.tasks.concept_pairs import ConceptPairs, Concepts, concept_ids, root_rule

LARGEST = 1 << 31  # numbers of a matrix in memory: 16 GB


def concept_measure(name: str | Measure) -> Measure:
    """A measure between concepts."""
    chosen = parse(name) if isinstance(name, str) else name
    if chosen.definition.task is not ConceptPairs or "ratings" in chosen.definition.needs:
        raise MissingInputError(
            f"{chosen} is no measure between concepts",
            advice="Take one such as BDM or Lin; `ontoeval measures` lists all.",
            parameter="measure",
        )
    return chosen


def relate(ontology: Ontology, left: Concepts, right: Concepts, measure: str | Measure = "BDM") -> FloatArray:
    """The values of the pairs (left[i], right[i]); inf where infinite, nan where undefined.

    Concepts are given by IRI, or as an array of ids from `ontology.hierarchy.ids`. In place of one there may be a list,
    the senses of a word: the best of all their pairs counts. Where a measure is not symmetric the left concept is the
    one that is judged: LA has its prediction left and its key right.
    """
    chosen = concept_measure(measure)
    task = ConceptPairs(ontology, left, right)
    values = related(chosen, task.pairs)
    return task.best(values, least=chosen.best == 0.0)


def relate_all(
    ontology: Ontology, concepts: Sequence[str] | npt.NDArray[Any] | None = None, measure: str | Measure = "BDM"
) -> FloatArray:
    """The values of all pairs of some concepts (or of all) as a matrix: rows left, columns right."""
    chosen = concept_measure(measure)
    ids = every_concept(ontology) if concepts is None else concept_ids(ontology, concepts)
    if len(ids) ** 2 > LARGEST:
        raise ParameterError(
            f"all pairs of {len(ids):,} concepts do not fit into memory",
            advice="Write them to a file with write_all.",
            parameter="concepts",
        )
    return related(chosen, PairGrid(Space.of(ontology), ids, ids))


def nearest(ontology: Ontology, concept: str, measure: str | Measure = "BDM", k: int = 10) -> list[NamedScore]:
    """The k concepts nearest to one, the best first, ties by IRI; not the concept itself."""
    chosen = concept_measure(measure)
    if not isinstance(k, int | np.integer) or k < 1:
        raise ParameterError(
            f"k={k!r} is no number of concepts", advice="Give a whole number from 1 on.", parameter="k"
        )
    own = concept_ids(ontology, [concept])
    others = every_concept(ontology)
    others = others[others != own[0]]
    values = related(chosen, PairGrid(Space.of(ontology), own, others))[0]
    far = values if chosen.best == 0.0 else -values
    some = np.flatnonzero(~np.isnan(far))
    if k < len(some):
        some = some[far[some] <= np.partition(far[some], k - 1)[k - 1]]
    iris = ontology.hierarchy.iris
    ordered = sorted(some.tolist(), key=lambda place: (far[place], iris[others[place]]))
    return [
        NamedScore(iris[others[place]], ontology.label(int(others[place])), float(values[place]))
        for place in ordered[:k]
    ]


def why(ontology: Ontology, left: Concepts, right: Concepts, measure: str | Measure = "BDM") -> list[dict[str, Any]]:
    """For each pair its value and what that is made of: the MSCA or MICA and their kin, or the path."""
    chosen = concept_measure(measure)
    task = ConceptPairs(ontology, left, right)
    values = related(chosen, task.pairs)
    which = task.chosen(values, least=chosen.best == 0.0)
    pairs = PairList(Space.of(ontology), task.pairs.left[which], task.pairs.right[which])
    iris = ontology.hierarchy.iris
    ends = zip(pairs.left.tolist(), pairs.right.tolist(), values[which].tolist(), strict=True)
    return [
        {"left": iris[a], "right": iris[b], "value": value, **parts}
        for (a, b, value), parts in zip(ends, reasons(chosen, pairs), strict=True)
    ]


def definition(ontology: Ontology, measure: str | Measure) -> dict[str, Any]:
    """All that somebody needs to get the same numbers: every parameter, the formulas, the root, the size."""
    chosen = concept_measure(measure)
    given = chosen.parameters
    written = ", ".join(f"{name}={spelled(value)}" for name, value in given.items())
    own = chosen.definition
    found: dict[str, Any] = {
        "measure": f"{own.name}({written})" if given else own.name,
        "label": own.label,
        "source": own.source,
        "definition": " ".join(own.definition.split()),
        "root": _ROOTS.get(root_rule(ontology), f"the ontology's own: {root_rule(ontology)}"),
        "concepts": len(ontology.hierarchy),
    }
    if "ic" in given:
        found["ic"] = FORMULAS[given["ic"]] + (", every count + 1" if given["smoothing"] == "add-one" else "")
        if given["ic"] == "corpus":
            found["counts"] = _counted(ontology)
    if "paths" in given:
        found["weights"] = _weights(ontology)
    return found


_ROOTS = {
    "none": "none; lengths count from the nearest top",
    "added": "one was added above all tops, and counts as a concept",
}


def _counted(ontology: Ontology) -> str:
    """Where the counts of a corpus are from, and how many there are."""
    what = "given" if ontology.counts is not None else "instances"
    return f"{what}, {float(own_counts(ontology).sum()):g} in all"


def _weights(ontology: Ontology) -> dict[str, list[float]]:
    """The different weights of each kind of edge."""
    hierarchy = ontology.hierarchy
    kinds = {"hierarchical": hierarchy.parents, "related": hierarchy.related, "synonym": hierarchy.synonyms}
    return {kind: np.unique(edges.weights).tolist() for kind, edges in kinds.items() if len(edges)}


def every_concept(ontology: Ontology) -> LongArray:
    """The ids of all concepts, an added root left out, by IRI."""
    iris = ontology.hierarchy.iris
    first = int(ontology.hierarchy.root_added)
    return np.array(sorted(range(first, len(iris)), key=iris.__getitem__), dtype=np.int64)
