"""Which instances ended up in the wrong company."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ontoeval.measures.instances.cotopy import companions
from ontoeval.model.ontology import Ontology
from ontoeval.model.placement import Placement
from ontoeval.tasks.comparison import Comparison


@dataclass(frozen=True)
class InstanceLoss:
    """An instance that has other companions (instances at, above or below its concepts) than it should have."""

    iri: str
    precision: float  # itp
    recall: float  # itr
    wrong: int  # companions that it does not have in the gold standard
    lost: int  # companions that it has in the gold standard only
    learned: tuple[str, ...]  # labels of its concepts
    gold: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {**self.__dict__, "learned": list(self.learned), "gold": list(self.gold)}


def worst_instances(task: Comparison, count: int = 10) -> list[InstanceLoss]:
    """The shared instances that lose most.

    The lowest harmonic mean of itp(i) = |isc_l ∩ isc_g| / |isc_l| and itr(i) = |isc_l ∩ isc_g| / |isc_g| first; of
    equals the one with more wrong and lost companions, then by IRI. Instances that lose nothing are left out.
    """
    if not len(task.shared):
        return []
    found = companions(task)
    wrong, lost = found.learned - found.both, found.gold - found.both
    value = 2 * found.both / (found.learned + found.gold)  # i itself is in all of them
    cells = np.flatnonzero(wrong + lost > 0)
    losing = np.flatnonzero(np.isin(task.shared.cell, cells))
    cell = task.shared.cell[losing]
    order = np.lexsort((losing, -(wrong + lost)[cell], value[cell]))[: max(count, 0)]  # the names are sorted
    return [
        InstanceLoss(
            iri=task.shared.names[i],
            precision=float(found.both[c] / found.learned[c]),
            recall=float(found.both[c] / found.gold[c]),
            wrong=int(wrong[c]),
            lost=int(lost[c]),
            learned=_concepts(task.learned, task.shared.learned, i),
            gold=_concepts(task.gold, task.shared.gold, i),
        )
        for i, c in zip(losing[order].tolist(), cell[order].tolist(), strict=True)
    ]


def _concepts(ontology: Ontology, placement: Placement, instance: int) -> tuple[str, ...]:
    place = int(placement.place[instance])
    concepts = placement.concepts[placement.indptr[place] : placement.indptr[place + 1]]
    return tuple(sorted(ontology.label(concept) for concept in concepts.tolist()))
