"""What `ontoeval perturb` prints: summary line, JSON; counts moved instances (changes: edit/perturb.py)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from ontoeval.edit.perturb import Perturbation
from ontoeval.model.ontology import Ontology


def document(before: Ontology, after: Ontology, perturbation: Perturbation, amount: int, seed: int) -> dict[str, Any]:
    """What was changed, for JSON; no seed where nothing is random."""
    sizes = [len(ontology.hierarchy) - int(ontology.hierarchy.root_added) for ontology in (before, after)]
    instances = 0 if before.instances is None else len(before.instances)
    return {
        "perturbation": perturbation.kind,
        "level": perturbation.level,
        "amount": amount,
        "available": perturbation.available(before),
        "seed": None if perturbation.certain(before, amount) else seed,
        "concepts": {"before": sizes[0], "after": sizes[1]},
        "instances": {"all": instances, "moved": 0 if perturbation.renames else _moved_instances(before, after)},
    }


def summary(change: Mapping[str, Any]) -> str:
    """What was changed (a `document`), in a line."""
    amount, available, concepts, instances = (change[key] for key in ("amount", "available", "concepts", "instances"))
    up = f"; {instances['moved']:,} of {instances['all']:,} instances moved up" if instances["all"] else ""
    removed = concepts["before"] - concepts["after"]
    seed = "" if change["seed"] is None else f" (seed {change['seed']})"
    return {
        "cut-depth": f"removed {removed:,} of {concepts['before']:,} concepts, all below depth {amount}{up}",
        "insert-empty": f"inserted {amount:,} of {available:,} possible empty concepts{seed}",
        "remove-level": f"removed {amount:,} of {available:,} concepts of level {change['level']}{up}{seed}",
        "move-instances": f"moved {amount:,} of {available:,} instances{seed}",
        "move-nodes": f"moved {amount:,} of {available:,} concepts{seed}",
        "remove-concepts": f"removed {amount:,} of {available:,} concepts{up}{seed}",
        "rename-concepts": f"renamed {amount:,} of {available:,} concepts{seed}",
        "use-synonyms": f"replaced the preferred labels of {amount:,} of {available:,} concepts by synonyms{seed}",
    }[str(change["perturbation"])]


def _moved_instances(before: Ontology, after: Ontology) -> int:
    """How many instances do not sit where they did."""
    if before.instances is None or after.instances is None:
        return 0
    return sum(old != new for old, new in zip(_homes(before), _homes(after), strict=True))


def _homes(ontology: Ontology) -> list[tuple[str, ...]]:
    """The concepts of each instance, by name."""
    if ontology.instances is None:
        return []
    starts, iris = ontology.instances.strength.indptr.tolist(), ontology.hierarchy.iris
    names = [iris[concept] for concept in ontology.instances.strength.indices.tolist()]
    return [tuple(sorted(names[a:b])) for a, b in pairwise(starts)]
