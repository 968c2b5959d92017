"""`definition`: what is needed to repeat a measure's values, as a dict (as text: report/concept_pairs.py)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ontoeval.analysis.relate import concept_measure
from ontoeval.concepts.information_content import FORMULAS, own_counts
from ontoeval.measures import Measure
from ontoeval.measures.registry import spelled
from ontoeval.model.ontology import Ontology
from ontoeval.tasks.concept_pairs import root_rule


def definition(ontology: Ontology, measure: str | Measure) -> dict[str, Any]:
    """All that is needed to get the same numbers: every parameter, the formulas, the root, the size."""
    measure = concept_measure(measure)
    ontology = ontology.classes or ontology  # individuals do not count
    preset, parameters = measure.definition, measure.parameters
    arguments = ", ".join(f"{name}={spelled(value)}" for name, value in parameters.items())
    entries: dict[str, Any] = {
        "measure": f"{preset.name}({arguments})" if parameters else preset.name,
        "label": preset.label,
        "source": preset.source,
        "definition": " ".join(preset.definition.split()),
        "root": _ROOTS.get(root_rule(ontology), f"the ontology's own: {root_rule(ontology)}"),
        "concepts": len(ontology.hierarchy),
    }
    if "ic" in parameters:
        smoothing = ", every count + 1" if parameters["smoothing"] == "add-one" else ""
        entries["ic"] = FORMULAS[parameters["ic"]] + smoothing
        if parameters["ic"] == "corpus":
            entries["counts"] = _counts(ontology)
    if "paths" in parameters:
        entries["weights"] = _weights(ontology)
        if changes := ontology.weights.changes():
            entries["weights_by_name"] = changes
    return entries


_ROOTS = {
    "none": "none; lengths are counted from the nearest top concept",
    "added": "added above all top concepts, counted as a concept",
}


def _counts(ontology: Ontology) -> str:
    """Where the counts of a corpus are from, and how many there are."""
    origin = "given" if ontology.counts is not None else "instances"
    return f"{origin}, {float(own_counts(ontology).sum()):g} in all"


def _weights(ontology: Ontology) -> dict[str, list[float]]:
    """The different weights of each kind of edge."""
    hierarchy = ontology.hierarchy
    kinds = {"hierarchical": hierarchy.parents, "related": hierarchy.related, "synonym": hierarchy.synonyms}
    return {kind: np.unique(edges.weights).tolist() for kind, edges in kinds.items() if len(edges)}
