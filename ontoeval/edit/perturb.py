"""Ontologies spoilt on purpose, to see how measures react: the settings of Bade & Benz, section 4."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ontoeval.edit.edges import restricted
from ontoeval.edit.rebuild import Parts, Places, fresh_names
from ontoeval.errors import MissingInputError, ParameterError, did_you_mean, listed
from ontoeval.model.arrays import BoolArray, LongArray, spans
from ontoeval.model.hierarchy import EdgeTable
from ontoeval.model.lexicon import is_iri
from ontoeval.model.ontology import Ontology

Amount = int | str  # a number, or a share such as "10%"
KINDS = ("cut-depth", "insert-empty", "remove-level", "move-instances", "move-nodes")
_SHARE = re.compile(r"(\d+(?:\.\d*)?|\.\d+)\s*%")
_FEWEST = 3  # children of a concept that gets an empty one over two of them


def perturb(
    ontology: Ontology, kind: str | Perturbation, amount: Amount, *, level: int | None = None, seed: int = 0
) -> Ontology:
    """The ontology with some of it changed at random; labels, and every instance, are kept.

    kind, and what `amount` is the number of:
    "cut-depth": concepts deeper than `amount` are removed, without any chance; their instances go to the nearest
    ancestors that stay.
    "insert-empty": concepts with three or more children get an empty one over two of these.
    "remove-level": concepts of `level` (or: "remove-level:3") are removed; children and instances go to the parents.
    "move-instances": instances go to another concept, never the root. One that sits on several leaves them all, for as
    many others.
    "move-nodes": concepts other than the root go below another one, the root allowed, with their instances and without
    their children, which go to the old parents.

    The level and the depth of a concept are the fewest edges from the root (0), or without a root from a concept that
    has none above it. An amount such as "10%" is a share of what there is. The same content and seed give the same
    result, and a greater amount does the same and more. An added root counts as the root and stays an added one; only
    topmost concepts are directly below it. None of them makes a cycle.
    """
    chosen = kind if isinstance(kind, Perturbation) and level is None else Perturbation.named(str(kind), level)
    return chosen.applied(ontology, amount, seed)


@dataclass(frozen=True)
class Perturbation:
    """A way to change an ontology."""

    kind: str
    level: int | None = None  # of remove-level

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ParameterError(
                f"unknown perturbation {self.kind!r}.{did_you_mean(self.kind, KINDS)} Choose from: {listed(KINDS)}."
            )
        if self.kind == "remove-level" and self.level is None:
            raise ParameterError("remove-level needs a level. For instance: remove-level:3.")
        if self.kind != "remove-level" and self.level is not None:
            raise ParameterError(f"{self.kind} has no level, but {self.level!r} is given. Leave it out.")
        if self.level is not None and (type(self.level) is not int or self.level < 1):
            raise ParameterError(
                f"the level {self.level!r} is no whole number from 1 on. For instance: remove-level:3."
            )

    @classmethod
    def named(cls, name: str, level: int | None = None) -> Perturbation:
        """NAME or NAME:LEVEL."""
        kind, colon, given = name.strip().partition(":")
        if colon and level is not None:
            raise ParameterError(f"{name!r} has a level, and {level!r} is given beside it. Give one of them.")
        if not colon:
            return cls(kind, level)
        if kind == "remove-level" and not re.fullmatch(r"[0-9]+", given):
            raise ParameterError(f"the level {given!r} is no whole number from 1 on. For instance: remove-level:3.")
        return cls(kind, int(given) if given.isdecimal() else given)  # type: ignore[arg-type]

    def __str__(self) -> str:
        return self.kind if self.level is None else f"{self.kind}:{self.level}"

    @property
    def of(self) -> str:
        """What the amount is a number of."""
        return {
            "cut-depth": "levels below the root",
            "insert-empty": "concepts with three or more children",
            "remove-level": f"concepts on level {self.level}",
            "move-instances": "instances that can go elsewhere",
            "move-nodes": "concepts that can go elsewhere",
        }[self.kind]

    def available(self, ontology: Ontology) -> int:
        """The greatest amount: how many there are; of cut-depth the greatest depth."""
        found, hierarchy = len(_CANDIDATES[self.kind](self, ontology)), ontology.hierarchy
        everything = self.kind == "remove-level" and hierarchy.root_added and found == len(hierarchy) - 1
        return found - everything  # an added root needs something to be the root of

    def number(self, ontology: Ontology, amount: Amount) -> int:
        """The amount as a number; ParameterError if there are not so many."""
        path, hierarchy = ontology.source.path, ontology.hierarchy
        value, share = _parsed(amount)
        if share and self.kind == "cut-depth":
            raise ParameterError(f"{amount!r} is a share, and cut-depth takes a depth. Give a whole number from 0 on.")
        available = self.available(ontology)
        number = math.floor(value * available / 100 + 0.5) if share else int(value)
        if self.kind == "cut-depth":  # where nothing is deeper there is nothing to cut
            if hierarchy.root_added and not number:
                raise ParameterError(f"{path}: nothing but the added root would be left. Cut at depth 1 or deeper.")
        elif number > available:
            there = len(_CANDIDATES[self.kind](self, ontology))
            if not there:
                raise ParameterError(f"{path}: there are no {self.of}. Choose another perturbation.")
            if number == there:
                raise ParameterError(f"{path}: nothing but the added root would be left. Give at most {available:,}.")
            raise ParameterError(
                f"{path}: {number:,} is more than there are: {there:,} {self.of}. Give at most {available:,}."
            )
        return number

    def certain(self, ontology: Ontology, number: int) -> bool:
        """True if there is no chance in it: every seed gives the same."""
        if not number or self.kind == "cut-depth":
            return True
        return self.kind == "remove-level" and number == len(_CANDIDATES[self.kind](self, ontology))

    def applied(self, ontology: Ontology, amount: Amount, seed: int = 0) -> Ontology:
        """See `perturb`."""
        if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
            raise ParameterError(f"{seed!r} is no seed. Give a whole number from 0 on.")
        number = self.number(ontology, amount)
        changed = self._changed(ontology, number, np.random.default_rng(int(seed)))
        chance = "" if self.certain(ontology, number) else f", seed {int(seed)}"
        path = f"{ontology.source.path} ({self} {number}{chance})"
        about = replace(ontology.source, path=path, sha256=None, triples=None, counts={}, notes=())
        return replace(changed, source=about)

    def _changed(self, ontology: Ontology, number: int, random: np.random.Generator) -> Ontology:
        if self.kind == "cut-depth":
            return _without(ontology, ontology.hierarchy.steps_down > number)
        chosen = random.permutation(_CANDIDATES[self.kind](self, ontology))[:number]
        if not number:
            return ontology
        if self.kind == "remove-level":
            gone = np.zeros(len(ontology.hierarchy), dtype=bool)
            gone[chosen] = True
            return _without(ontology, gone)
        return _RANDOM[self.kind](ontology, chosen, random)


def _parsed(amount: Amount) -> tuple[float, bool]:
    """The number, and whether it is a share in per cent."""
    if isinstance(amount, int | np.integer) and not isinstance(amount, bool) and amount >= 0:
        return int(amount), False
    if isinstance(amount, str):
        text = amount.strip()
        share = _SHARE.fullmatch(text)
        if share and float(share[1]) <= 100:
            return float(share[1]), True
        if re.fullmatch(r"[0-9]+", text):
            return int(text), False
    raise ParameterError(f"{amount!r} is no amount. Give a whole number from 0 on, or a share such as 10%.")


def _below_the_root(perturbation: Perturbation, ontology: Ontology) -> LongArray:
    """One for each level that can be cut off."""
    return np.arange(int(ontology.hierarchy.steps_down.max()))


def _with_children(perturbation: Perturbation, ontology: Ontology) -> LongArray:
    return np.flatnonzero(ontology.hierarchy.children.degree >= _FEWEST)


def _on_level(perturbation: Perturbation, ontology: Ontology) -> LongArray:
    depth = ontology.hierarchy.steps_down
    found = np.flatnonzero(depth == perturbation.level)
    if not len(found):
        deepest = int(depth.max())
        advice = f"Give a level from 1 to {deepest}." if deepest else "All concepts are on level 0, and stay."
        raise ParameterError(
            f"{ontology.source.path}: there is no level {perturbation.level}, the deepest is {deepest}. {advice}"
        )
    return found


def _movable(perturbation: Perturbation, ontology: Ontology) -> LongArray:
    """The instances for which there is a concept other than the root that they do not sit on."""
    instances, first = ontology.instances, int(ontology.hierarchy.has_root)
    if instances is None:
        raise MissingInputError(
            f"{ontology.source.path}: move-instances needs instances, and there are none. "
            "Give them with --instances FILE."
        )
    places = Places.of(instances)
    own = np.bincount(places.rows[places.concepts >= first], minlength=len(instances))
    return np.flatnonzero(own < len(ontology.hierarchy) - first)


def _with_places_to_go(perturbation: Perturbation, ontology: Ontology) -> LongArray:
    """All but the root, if there are at least three concepts: one, its parent, and another."""
    size = len(ontology.hierarchy)
    return np.arange(int(ontology.hierarchy.has_root), size) if size > 2 else np.arange(0)


_CANDIDATES: dict[str, Callable[[Perturbation, Ontology], LongArray]] = {
    "cut-depth": _below_the_root,
    "insert-empty": _with_children,
    "remove-level": _on_level,
    "move-instances": _movable,
    "move-nodes": _with_places_to_go,
}


def _without(ontology: Ontology, gone: BoolArray) -> Ontology:
    """Children and instances of what is gone go to its parents, or if these are gone to theirs."""
    if not gone.any():
        return ontology
    parts, size = Parts.of(ontology), len(gone)
    places = parts.places
    holders = np.unique(places.concepts[gone[places.concepts]])
    # an instance goes where a child would: each concept that is gone gets one child more, which is looked up below
    more = EdgeTable(
        np.concatenate([parts.edges.tails, size + np.arange(len(holders))]),
        np.concatenate([parts.edges.heads, holders]),
        np.concatenate([parts.edges.weights, np.ones(len(holders))]),
    )
    stay = np.concatenate([~gone, np.ones(len(holders), dtype=bool)])
    edges = restricted(size + len(holders), more, stay, ontology.hierarchy.weight)
    looked_up = edges.tails >= size
    edges, upwards = _chosen(edges, ~looked_up), _chosen(edges, looked_up)
    places = _lifted(places, gone, holders, upwards, size)
    return replace(parts, edges=edges, places=places, keep=~gone).together()


def _chosen(edges: EdgeTable, rows: BoolArray) -> EdgeTable:
    return EdgeTable(edges.tails[rows], edges.heads[rows], edges.weights[rows])


def _lifted(places: Places, gone: BoolArray, holders: LongArray, upwards: EdgeTable, size: int) -> Places:
    """Instances of concepts that are gone, on all concepts that `upwards` says (from size + place in holders)."""
    order = np.argsort(upwards.tails, kind="stable")
    targets = upwards.heads[order]
    often = np.bincount(upwards.tails - size, minlength=len(holders))
    starts = np.cumsum(often) - often
    lost = np.flatnonzero(gone[places.concepts])
    holder = np.searchsorted(holders, places.concepts[lost])
    again = np.repeat(lost, often[holder])
    stay = ~gone[places.concepts]
    return Places(
        np.concatenate([places.rows[stay], places.rows[again]]),
        np.concatenate([places.concepts[stay], targets[spans(starts[holder], often[holder])]]),
        np.concatenate([places.strengths[stay], places.strengths[again]]),
    )


def _with_empty(ontology: Ontology, chosen: LongArray, random: np.random.Generator) -> Ontology:
    """Each chosen concept gets a new one over two of its children."""
    parts, hierarchy = Parts.of(ontology), ontology.hierarchy
    size = len(hierarchy)
    wanted, tails, heads = [], [], []
    for number, concept in enumerate(chosen.tolist()):
        pair = random.permutation(hierarchy.children[concept])[:2].tolist()
        # an added root may have the name of a built-in class, whose namespace is no place for ours
        model = hierarchy.iris[min(pair) if hierarchy.root_added and not concept else concept]
        wanted.append(_inserted(model, "root" if hierarchy.root_added and not concept else None))
        tails += [*pair, size + number]
        heads += [size + number, size + number, concept]
    over = np.array(tails).reshape(-1, 3)[:, :2] * size + chosen[:, None]
    keys = parts.edges.tails * size + parts.edges.heads
    now_below = np.isin(keys, over)
    weight = dict(zip(keys[now_below].tolist(), parts.edges.weights[now_below].tolist(), strict=True))
    weights = [[*(weight[key] for key in pair), hierarchy.weight] for pair in over.tolist()]
    edges = EdgeTable(
        np.concatenate([parts.edges.tails[~now_below], np.array(tails)]),
        np.concatenate([parts.edges.heads[~now_below], np.array(heads)]),
        np.concatenate([parts.edges.weights[~now_below], np.array(weights).ravel()]),
    )
    return replace(parts, edges=edges, fresh=fresh_names(wanted, ontology)).together()


def _inserted(model: str, local: str | None) -> str:
    """`http://ex.org/a` -> `http://ex.org/inserted-a`: what it is, and below which concept."""
    space = ""
    if is_iri(model):
        trimmed = model.rstrip("/#")
        space = trimmed[: max(trimmed.rfind("#"), trimmed.rfind("/")) + 1] or trimmed[: trimmed.rfind(":") + 1]
        model = trimmed
    return f"{space}inserted-{local or model[len(space) :]}"


def _with_moved_instances(ontology: Ontology, chosen: LongArray, random: np.random.Generator) -> Ontology:
    """Each chosen instance goes to another concept; the hierarchy stays as it is."""
    assert ontology.instances is not None  # noqa: S101 - they were counted
    places, size = Places.of(ontology.instances), len(ontology.hierarchy)
    first = int(ontology.hierarchy.has_root)
    concepts = places.concepts.copy()
    start = ontology.instances.strength.indptr.astype(np.int64)
    single = np.diff(start)[chosen] == 1
    rows = start[chosen[single]]
    # one number for each chosen instance, used or not: a greater amount begins like a smaller one
    drawn = random.random(len(chosen))
    own = concepts[rows]
    others = size - first - (own >= first)
    target = first + (drawn[single] * others).astype(np.int64)
    concepts[rows] = target + ((own >= first) & (target >= own))
    keep = np.ones(len(concepts), dtype=bool)
    for instance, draw in zip(chosen[~single].tolist(), drawn[~single].tolist(), strict=True):
        here = slice(start[instance], start[instance + 1])
        free = np.setdiff1d(np.arange(first, size), concepts[here])
        found = np.random.default_rng(int(draw * 2**53)).permutation(free)[: here.stop - here.start]
        concepts[here.start : here.start + len(found)] = found
        keep[here.start + len(found) : here.stop] = False  # there are not so many others
    moved = Places(places.rows[keep], concepts[keep], places.strengths[keep])
    return replace(ontology, instances=moved.assignment(ontology.instances.iris, size))


def _with_moved_concepts(ontology: Ontology, chosen: LongArray, random: np.random.Generator) -> Ontology:
    """One after the other: each leaves its children to its parents, so that it is below none of them when it moves."""
    parts, weight = Parts.of(ontology), ontology.hierarchy.weight
    size = len(ontology.hierarchy)
    above: list[dict[int, float]] = [{} for _ in range(size)]
    below: list[set[int]] = [set() for _ in range(size)]
    columns = (parts.edges.tails.tolist(), parts.edges.heads.tolist(), parts.edges.weights.tolist())
    for tail, head, own in zip(*columns, strict=True):
        above[tail][head] = own
        below[head].add(tail)
    for concept in chosen.tolist():
        old = above[concept]
        for child in below[concept]:
            del above[child][concept]
            for parent in old:
                if parent != child:
                    above[child].setdefault(parent, weight)
                    below[parent].add(child)
        for parent in old:
            below[parent].discard(concept)
        below[concept] = set()
        target = _drawn({concept, *old}, size, random) if len(old) < size - 1 else _drawn({concept}, size, random)
        above[concept] = {target: weight}
        below[target].add(concept)
    found = [(tail, head, own) for tail, parents in enumerate(above) for head, own in parents.items()]
    tails, heads, weights = zip(*found, strict=True) if found else ((), (), ())
    return replace(parts, edges=EdgeTable.make(tails, heads, np.array(weights))).together()


def _drawn(excluded: set[int], size: int, random: np.random.Generator) -> int:
    """A number below `size` that is not excluded."""
    target = int(random.integers(size - len(excluded)))
    for one in sorted(excluded):
        target += target >= one
    return target


_RANDOM: dict[str, Callable[[Ontology, LongArray, np.random.Generator], Ontology]] = {
    "insert-empty": _with_empty,
    "move-instances": _with_moved_instances,
    "move-nodes": _with_moved_concepts,
}
