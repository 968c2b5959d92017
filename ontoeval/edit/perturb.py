"""`perturb`, `Perturbation`: damage to structure and words by amount and seed (renames: rename.py)."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ontoeval.edit.edges import restrict_edges
from ontoeval.edit.rebuild import AssignmentTable, Draft, namespace, unused_names
from ontoeval.edit.rename import concepts_with_synonyms, rename_concepts, use_synonyms
from ontoeval.errors import MissingInputError, ParameterError, did_you_mean, listed
from ontoeval.model.arrays import BoolArray, LongArray, spans, starts
from ontoeval.model.hierarchy import EdgeTable
from ontoeval.model.ontology import Ontology

Amount = int | str  # a number, or a share such as "10%"
STRUCTURAL = ("cut-depth", "insert-empty", "remove-level", "move-instances", "move-nodes")  # Bade & Benz, section 4
LEXICAL = ("remove-concepts", "rename-concepts", "use-synonyms")  # Dellschaft & Staab, section 3
KINDS = (*STRUCTURAL, *LEXICAL)
_SHARE = re.compile(r"(\d+(?:\.\d*)?|\.\d+)\s*%")
_FEWEST = 3  # children of a concept that gets an empty one over two of them
_EXAMPLE = "Use e.g. remove-level:3."
_NOTHING_LEFT = "only the added root would remain"


def perturb(
    ontology: Ontology, kind: str | Perturbation, amount: Amount, *, level: int | None = None, seed: int = 0
) -> Ontology:
    """The ontology with some of it changed at random; every instance is kept.

    kind, and what `amount` is the number of; first damage to the structure, which keeps the labels (Bade & Benz):
    "cut-depth": concepts deeper than `amount` are removed, without randomness; their instances go to the nearest
    ancestors that stay.
    "insert-empty": concepts with three or more children get an empty one over two of these.
    "remove-level": concepts of `level` (or: "remove-level:3") are removed; children and instances go to the parents.
    "move-instances": instances go to another concept, never the root. One that sits on several leaves them all, for as
    many others.
    "move-nodes": concepts other than the root go below another one, the root allowed, with their instances and without
    their children, which go to the old parents.
    Then damage to the vocabulary, which keeps the order of all that can still be matched (Dellschaft & Staab):
    "remove-concepts": concepts of any level from 1 on are removed; children and instances go to the parents.
    "rename-concepts": concepts other than the root get a name such as "renamed-17", which replaces all their labels.
    "use-synonyms": a synonym (alternative or exact label) of a concept other than the root becomes its preferred label,
    in each language that has one; its preferred labels become alternative ones, and its name a new one such as
    "synonym-17". A match by IRI, name or preferred label does not find it, one by any label can.

    The level and the depth of a concept are the fewest edges from the root (0), or without a root from a concept that
    has none above it. An amount such as "10%" is a share of what there is. The same content and seed give the same
    result, and a greater amount does the same and more. An added root counts as the root and stays an added one; only
    topmost concepts are directly below it. None of them makes a cycle.

    Examples
    --------
    >>> import ontoeval as oe
    >>> animals = oe.Ontology.from_edges([("cat", "mammal"), ("dog", "mammal"), ("mammal", "animal")])
    >>> len(oe.perturb(animals, "remove-concepts", 1, seed=1))
    3
    """
    change = kind if isinstance(kind, Perturbation) and level is None else Perturbation.named(str(kind), level)
    return change.apply(ontology, amount, seed)


@dataclass(frozen=True)
class Perturbation:
    """A way to change an ontology."""

    kind: str
    level: int | None = None  # of remove-level

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ParameterError(
                f"unknown kind of damage {self.kind!r}",
                advice=f"{did_you_mean(self.kind, KINDS)} Use one of: {listed(KINDS)}.".strip(),
                parameter="kind",
            )
        if self.kind == "remove-level" and self.level is None:
            raise ParameterError("remove-level needs a level", advice=_EXAMPLE, parameter="level")
        if self.kind != "remove-level" and self.level is not None:
            raise ParameterError(
                f"{self.kind} takes no level, but {self.level!r} is set", advice="Remove the level.", parameter="level"
            )
        if self.level is not None and (type(self.level) is not int or self.level < 1):
            raise _no_level(self.level)

    @classmethod
    def named(cls, name: str, level: int | None = None) -> Perturbation:
        """NAME or NAME:LEVEL."""
        kind, colon, number = name.strip().partition(":")
        if colon and level is not None:
            raise ParameterError(
                f"two levels: {name!r} and {level!r}",
                advice="Remove one of them.",
                parameter="level",
            )
        if not colon:
            return cls(kind, level)
        if kind == "remove-level" and not re.fullmatch(r"[0-9]+", number):
            raise _no_level(number)
        return cls(kind, int(number) if number.isdecimal() else number)  # type: ignore[arg-type]

    def __str__(self) -> str:
        return self.kind if self.level is None else f"{self.kind}:{self.level}"

    @property
    def renames(self) -> bool:
        """True if concepts get other names and stay where they are."""
        return self.kind in ("rename-concepts", "use-synonyms")

    @property
    def _removes(self) -> bool:
        """True if a number of concepts is removed."""
        return self.kind in ("remove-level", "remove-concepts")

    @property
    def _unit(self) -> str:
        """What the amount is a number of."""
        return {
            "cut-depth": "levels below the root",
            "insert-empty": "concepts with three or more children",
            "remove-level": f"concepts on level {self.level}",
            "move-instances": "instances that can be moved",
            "move-nodes": "concepts that can be moved",
            "remove-concepts": "concepts that can be removed",
            "rename-concepts": "concepts that can be renamed",
            "use-synonyms": "concepts with a synonym",
        }[self.kind]

    def available(self, ontology: Ontology) -> int:
        """The greatest amount: how many there are; of cut-depth the greatest depth."""
        count, hierarchy = len(self._candidates(ontology)), ontology.hierarchy
        everything = self._removes and hierarchy.root_added and count == len(hierarchy) - 1
        return count - everything  # an added root needs something to be the root of

    def number(self, ontology: Ontology, amount: Amount) -> int:
        """The amount as a number; ParameterError if there are not so many."""
        path, hierarchy = ontology.source.path, ontology.hierarchy
        value, share = _parse_amount(amount)
        if share and self.kind == "cut-depth":
            raise ParameterError(f"cut-depth takes a whole number, not {amount!r}", parameter="amount")
        available = self.available(ontology)
        number = math.floor(value * available / 100 + 0.5) if share else int(value)
        if self.kind == "cut-depth":  # where nothing is deeper there is nothing to cut
            if hierarchy.root_added and not number:
                raise ParameterError(_NOTHING_LEFT, place=path, advice="Cut at depth 1 or deeper.", parameter="amount")
        elif number > available:
            count = len(self._candidates(ontology))
            if not count:
                raise ParameterError(
                    f"no {self._unit}", place=path, advice="Choose another kind of damage.", parameter="kind"
                )
            problem = f"{number:,} is too many ({self._unit}: {count:,})"
            raise ParameterError(
                _NOTHING_LEFT if number == count else problem,
                place=path,
                advice=f"Use at most {available:,}.",
                parameter="amount",
            )
        return number

    def certain(self, ontology: Ontology, number: int) -> bool:
        """True if there is no chance in it: every seed gives the same."""
        if not number or self.kind == "cut-depth":
            return True
        all_alike = self._removes or self.kind in LEXICAL
        return all_alike and number == len(self._candidates(ontology))

    def apply(self, ontology: Ontology, amount: Amount, seed: int = 0) -> Ontology:
        """See `perturb`."""
        if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
            raise ParameterError(f"seed must be a whole number >= 0, not {seed!r}", parameter="seed")
        number = self.number(ontology, amount)
        changed = self._change(ontology, number, np.random.default_rng(int(seed)))
        chance = "" if self.certain(ontology, number) else f", seed {int(seed)}"
        path = f"{ontology.source.path} ({self} {number}{chance})"
        about = replace(ontology.source, path=path, sha256=None, triples=None, counts={}, notes=())
        return replace(changed, source=about)

    def _candidates(self, ontology: Ontology) -> LongArray:
        """What the change can be about: levels, concepts or instances."""
        return _CANDIDATES[self.kind](self, ontology)

    def _change(self, ontology: Ontology, number: int, random: np.random.Generator) -> Ontology:
        if self.kind == "cut-depth":
            return _without(ontology, ontology.hierarchy.steps_down > number)
        sample = random.permutation(self._candidates(ontology))[:number]
        if not number:
            return ontology
        if self._removes:
            removed = np.zeros(len(ontology.hierarchy), dtype=bool)
            removed[sample] = True
            return _without(ontology, removed)
        return _RANDOM[self.kind](ontology, sample, random)


def _no_level(level: object) -> ParameterError:
    return ParameterError(f"level must be a whole number >= 1, not {level!r}", advice=_EXAMPLE, parameter="level")


def _parse_amount(amount: Amount) -> tuple[float, bool]:
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
    raise ParameterError(
        f"{amount!r} is not an amount",
        advice="Use a whole number >= 0, or a percentage such as 10%.",
        parameter="amount",
    )


def _below_the_root(perturbation: Perturbation, ontology: Ontology) -> LongArray:
    """One for each level that can be cut off."""
    return np.arange(int(ontology.hierarchy.steps_down.max()))


def _with_children(perturbation: Perturbation, ontology: Ontology) -> LongArray:
    return np.flatnonzero(ontology.hierarchy.children.degree >= _FEWEST)


def _on_level(perturbation: Perturbation, ontology: Ontology) -> LongArray:
    depth = ontology.hierarchy.steps_down
    concepts = np.flatnonzero(depth == perturbation.level)
    if not len(concepts):
        deepest = int(depth.max())
        raise ParameterError(
            f"no concepts on level {perturbation.level}; the deepest level is {deepest}",
            place=ontology.source.path,
            advice=f"Use a level from 1 to {deepest}." if deepest else "Choose another kind of damage.",
            parameter="level",
        )
    return concepts


def _movable(perturbation: Perturbation, ontology: Ontology) -> LongArray:
    """The instances for which there is a concept other than the root that they do not sit on."""
    instances, first = ontology.instances, int(ontology.hierarchy.has_root)
    if instances is None:
        raise MissingInputError(
            "move-instances needs instances, but there are none",
            place=ontology.source.path,
            advice="Set {instances=FILE}.",
        )
    table = AssignmentTable.of(instances)
    concepts_below_root = np.bincount(table.rows[table.concepts >= first], minlength=len(instances))
    return np.flatnonzero(concepts_below_root < len(ontology.hierarchy) - first)


def _with_places_to_go(perturbation: Perturbation, ontology: Ontology) -> LongArray:
    """All but the root, if there are at least three concepts: one, its parent, and another."""
    size = len(ontology.hierarchy)
    return np.arange(int(ontology.hierarchy.has_root), size) if size > 2 else np.arange(0)


def _below_others(perturbation: Perturbation, ontology: Ontology) -> LongArray:
    """All but the root, or without one the topmost concepts, whose instances could go nowhere."""
    return np.flatnonzero(ontology.hierarchy.steps_down > 0)


def _but_the_root(perturbation: Perturbation, ontology: Ontology) -> LongArray:
    return np.arange(int(ontology.hierarchy.has_root), len(ontology.hierarchy))


def _with_synonyms(perturbation: Perturbation, ontology: Ontology) -> LongArray:
    concepts = concepts_with_synonyms(ontology)
    if not len(concepts):
        raise MissingInputError(
            "use-synonyms needs alternative labels, but no concept has one that could become its preferred label",
            place=ontology.source.path,
            advice="Choose another kind of damage, such as rename-concepts.",
            parameter="kind",
        )
    return concepts


_CANDIDATES: dict[str, Callable[[Perturbation, Ontology], LongArray]] = {
    "cut-depth": _below_the_root,
    "insert-empty": _with_children,
    "remove-level": _on_level,
    "move-instances": _movable,
    "move-nodes": _with_places_to_go,
    "remove-concepts": _below_others,
    "rename-concepts": _but_the_root,
    "use-synonyms": _with_synonyms,
}


def _without(ontology: Ontology, removed: BoolArray) -> Ontology:
    """Children and instances of what is removed go to its parents, or if these are removed to theirs."""
    if not removed.any():
        return ontology
    draft, size = Draft.of(ontology), len(removed)
    table = draft.assignments
    holders = np.unique(table.concepts[removed[table.concepts]])
    # an instance goes where a child would: each removed concept with instances gets one child more, whose edges tell
    more = EdgeTable.make(size + np.arange(len(holders)), holders)
    stay = np.concatenate([~removed, np.ones(len(holders), dtype=bool)])
    edges = restrict_edges(size + len(holders), draft.edges + more, stay, ontology.hierarchy.weight)
    of_instances = edges.tails >= size
    table = _lift_instances(table, removed, holders, edges[of_instances], size)
    return replace(draft, edges=edges[~of_instances], assignments=table, keep=~removed).build()


def _lift_instances(
    table: AssignmentTable, removed: BoolArray, holders: LongArray, upwards: EdgeTable, size: int
) -> AssignmentTable:
    """Instances of removed concepts on all concepts that `upwards` names (from size + position in `holders`)."""
    order = np.argsort(upwards.tails, kind="stable")
    targets = upwards.heads[order]
    count = np.bincount(upwards.tails - size, minlength=len(holders))
    lost = np.flatnonzero(removed[table.concepts])
    holder = np.searchsorted(holders, table.concepts[lost])
    repeated = np.repeat(lost, count[holder])
    stay = ~removed[table.concepts]
    return AssignmentTable(
        np.concatenate([table.rows[stay], table.rows[repeated]]),
        np.concatenate([table.concepts[stay], targets[spans(starts(count)[holder], count[holder])]]),
        np.concatenate([table.strengths[stay], table.strengths[repeated]]),
    )


def _with_empty(ontology: Ontology, sample: LongArray, random: np.random.Generator) -> Ontology:
    """Each concept of the sample gets a new one over two of its children."""
    draft, hierarchy = Draft.of(ontology), ontology.hierarchy
    size = len(hierarchy)
    names, tails, heads = [], [], []
    for number, concept in enumerate(sample.tolist()):
        pair = random.permutation(hierarchy.children[concept])[:2].tolist()
        # an added root may have the name of a built-in class, in whose namespace nothing is to be named
        model = hierarchy.iris[min(pair) if hierarchy.root_added and not concept else concept]
        names.append(_inserted_name(model, "root" if hierarchy.root_added and not concept else None))
        tails += [*pair, size + number]
        heads += [size + number, size + number, concept]
    replaced_keys = np.array(tails).reshape(-1, 3)[:, :2] * size + sample[:, None]
    keys = draft.edges.tails * size + draft.edges.heads
    replaced = np.isin(keys, replaced_keys)
    weight = dict(zip(keys[replaced].tolist(), draft.edges.weights[replaced].tolist(), strict=True))
    weights = [[*(weight[key] for key in pair), hierarchy.weight] for pair in replaced_keys.tolist()]
    edges = draft.edges[~replaced] + EdgeTable.make(tails, heads, np.array(weights).ravel())
    return replace(draft, edges=edges, new_names=unused_names(names, ontology)).build()


def _inserted_name(model: str, local: str | None) -> str:
    """`http://ex.org/a` -> `http://ex.org/inserted-a`: what it is, and below which concept."""
    space = namespace(model)
    return f"{space}inserted-{local or (model.rstrip('/#') if space else model)[len(space) :]}"


def _with_moved_instances(ontology: Ontology, sample: LongArray, random: np.random.Generator) -> Ontology:
    """Each instance of the sample goes to another concept; the hierarchy stays as it is."""
    assert ontology.instances is not None  # noqa: S101 - they were counted
    table, size = AssignmentTable.of(ontology.instances), len(ontology.hierarchy)
    first = int(ontology.hierarchy.has_root)
    concepts = table.concepts.copy()
    start = ontology.instances.strength.indptr.astype(np.int64)
    single = np.diff(start)[sample] == 1
    rows = start[sample[single]]
    # one number for each instance of the sample, used or not: a greater amount begins like a smaller one
    draws = random.random(len(sample))
    before = concepts[rows]
    others = size - first - (before >= first)
    target = first + (draws[single] * others).astype(np.int64)
    concepts[rows] = target + ((before >= first) & (target >= before))
    keep = np.ones(len(concepts), dtype=bool)
    for instance, draw in zip(sample[~single].tolist(), draws[~single].tolist(), strict=True):
        here = slice(start[instance], start[instance + 1])
        free = np.setdiff1d(np.arange(first, size), concepts[here])
        targets = np.random.default_rng(int(draw * 2**53)).permutation(free)[: here.stop - here.start]
        concepts[here.start : here.start + len(targets)] = targets
        keep[here.start + len(targets) : here.stop] = False  # there are not so many others
    moved = replace(table, concepts=concepts)[keep]
    return replace(ontology, instances=moved.assignment(ontology.instances.iris, size))


def _with_moved_concepts(ontology: Ontology, sample: LongArray, random: np.random.Generator) -> Ontology:
    """One after the other: each leaves its children to its parents, so that it is below none of them when it moves."""
    draft, weight = Draft.of(ontology), ontology.hierarchy.weight
    size = len(ontology.hierarchy)
    parents: list[dict[int, float]] = [{} for _ in range(size)]  # with the weights of the edges
    children: list[set[int]] = [set() for _ in range(size)]
    columns = (draft.edges.tails.tolist(), draft.edges.heads.tolist(), draft.edges.weights.tolist())
    for tail, head, edge_weight in zip(*columns, strict=True):
        parents[tail][head] = edge_weight
        children[head].add(tail)
    for concept in sample.tolist():
        old_parents = parents[concept]
        for child in children[concept]:
            del parents[child][concept]
            for parent in old_parents:
                if parent != child:
                    parents[child].setdefault(parent, weight)
                    children[parent].add(child)
        for parent in old_parents:
            children[parent].discard(concept)
        children[concept] = set()
        excluded = {concept, *old_parents} if len(old_parents) < size - 1 else {concept}
        target = _draw(excluded, size, random)
        parents[concept] = {target: weight}
        children[target].add(concept)
    rows = [(tail, head, edge_weight) for tail, above in enumerate(parents) for head, edge_weight in above.items()]
    tails, heads, weights = zip(*rows, strict=True) if rows else ((), (), ())
    return replace(draft, edges=EdgeTable.make(tails, heads, np.array(weights))).build()


def _draw(excluded: set[int], size: int, random: np.random.Generator) -> int:
    """A number below `size` that is not excluded."""
    target = int(random.integers(size - len(excluded)))
    for number in sorted(excluded):
        target += target >= number
    return target


_RANDOM: dict[str, Callable[[Ontology, LongArray, np.random.Generator], Ontology]] = {
    "insert-empty": _with_empty,
    "move-instances": _with_moved_instances,
    "move-nodes": _with_moved_concepts,
    "rename-concepts": lambda ontology, sample, _: rename_concepts(ontology, sample),
    "use-synonyms": lambda ontology, sample, _: use_synonyms(ontology, sample),
}
