"""`explain` a concept, `Errors` by kind, as data (texts: report/comparison.py; what loses most: worst.py)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from ontoeval.analysis.branches import parents_by_label
from ontoeval.analysis.reasons import Reason, reasons, with_local_scores
from ontoeval.edit.edges import restrict_edges, transitive_reduction
from ontoeval.errors import UnknownConceptError, printable
from ontoeval.measures import Measure, parse
from ontoeval.measures.comparison.edges import shared_edges
from ontoeval.measures.comparison.extracts import extract_overlap
from ontoeval.measures.comparison.relation_lists import NamedRelation, RelationLists
from ontoeval.model.arrays import BoolArray, LongArray
from ontoeval.model.hierarchy import EdgeTable
from ontoeval.model.lexicon import local_name
from ontoeval.model.lookup import find_concept, possible_meanings
from ontoeval.model.ontology import Ontology
from ontoeval.model.relatives import Place, relatives
from ontoeval.tasks.comparison import Comparison

_MANY_LINKS = 2_000_000

Move = Literal["up", "down", "sideways"]
MOVES = get_args(Move)


class NamedConcept(NamedTuple):
    iri: str
    label: str
    common: bool = True  # the other side has it, too


class NamedRelative(NamedTuple):
    """A superconcept or subconcept, and where it is on each side; None: it is neither there."""

    iri: str
    label: str
    common: bool = True  # the other side has the concept, too
    learned: Place | None = None
    gold: Place | None = None


@dataclass(frozen=True, repr=False)
class Explanation:
    """One concept on both sides."""

    iri: str
    label: str
    learned: str | None  # IRI on that side
    gold: str | None
    learned_parents: tuple[NamedConcept, ...]
    gold_parents: tuple[NamedConcept, ...]
    both: tuple[NamedRelative, ...]  # superconcepts and subconcepts on both sides, the concept itself apart
    only_learned: tuple[NamedRelative, ...]
    only_gold: tuple[NamedRelative, ...]
    values: dict[str, float]  # local values by measure
    moved: Move | Literal["no"] | None = None  # None: only one side has it, or telling takes long
    merged_into: NamedConcept | None = None  # the concept of the other side that has its IRI as an alternative one
    reasons: tuple[Reason, ...] = ()  # of Place, Near and Preserved
    relations: Mapping[str, tuple[NamedRelation, ...]] | None = (
        None  # "both", "only_learned", "only_gold"; None: unread
    )

    def __repr__(self) -> str:
        sides = (
            f"{len(self.both):,} both sides, {len(self.only_learned):,} only learned, {len(self.only_gold):,} only gold"
        )
        return f"<Explanation of {printable(self.label)}: {sides}>"

    def __str__(self) -> str:
        from ontoeval.report.comparison_details import TOP, explanation_text

        return explanation_text(self, self.label, None, TOP, 3)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        fields = ("learned_parents", "gold_parents", "both", "only_learned", "only_gold")
        lists = {field: [entry._asdict() for entry in getattr(self, field)] for field in fields}
        known = {"iri": self.iri, "label": self.label, "learned": self.learned, "gold": self.gold, "moved": self.moved}
        merged_into = {"merged_into": self.merged_into and self.merged_into._asdict()}
        reasons = [reason.to_dict() for reason in self.reasons]
        relations = {
            where: [relation.to_dict() for relation in entries] for where, entries in (self.relations or {}).items()
        }
        with_relations = {} if self.relations is None else {"relations": relations}
        return {**known, **merged_into, "values": self.values, "reasons": reasons, **lists, **with_relations}


def explain(task: Comparison, concept: str, measures: Sequence[str | Measure] = ()) -> Explanation:
    """The cotopies of a concept (IRI, local name or label, of either side) next to each other.

    `measures`: others than the taxonomic ones whose local value is wanted, too: those of the set "between", with the
    reasons of their values, and of relations. If relations were read, those that the concept takes part in are listed.
    """
    chosen = [parse(measure) if isinstance(measure, str) else measure for measure in measures]
    learned, gold = _sides(task, concept)
    both, only_learned, only_gold = _relatives(task, learned, gold)
    known, side = (task.gold, gold) if gold is not None else (task.learned, learned)
    assert side is not None  # noqa: S101 - _sides found one
    return Explanation(
        iri=known.hierarchy.iris[side],
        label=known.label_of(side),
        learned=None if learned is None else task.learned.hierarchy.iris[learned],
        gold=None if gold is None else task.gold.hierarchy.iris[gold],
        learned_parents=()
        if learned is None
        else _named_concepts(task, task.learned.hierarchy.parents[learned].tolist()),
        gold_parents=() if gold is None else _named_concepts(task.swapped, task.gold.hierarchy.parents[gold].tolist()),
        both=both,
        only_learned=only_learned,
        only_gold=only_gold,
        values=_values(task, learned, gold, chosen),
        moved=None if learned is None or gold is None else Errors(task).move_of(learned),
        merged_into=_merged_into(task.swapped, gold) if learned is None else _merged_into(task, learned),
        reasons=tuple(reasons(task, learned, gold, chosen)),
        relations=_relations(task, learned, gold),
    )


def _merged_into(task: Comparison, concept: int | None) -> NamedConcept | None:
    """The gold concept that has the IRI of a learned one without a partner as an alternative one."""
    if concept is None or task.matching.to_gold[concept] >= 0:
        return None
    iri = task.gold.aliases.get(task.learned.hierarchy.iris[concept])
    if iri is None or iri not in task.gold.hierarchy:  # a part may have been selected
        return None
    target = task.gold.hierarchy.id(iri)
    return NamedConcept(iri, task.gold.label_of(target), bool(task.matching.to_learned[target] >= 0))


def _relations(task: Comparison, learned: int | None, gold: int | None) -> dict[str, tuple[NamedRelation, ...]] | None:
    lists = RelationLists(task)
    if not lists.were_read:
        return None
    names = "both", "only_learned", "only_gold"
    return {name: tuple(entries) for name, entries in zip(names, lists.of_concept(learned, gold), strict=True)}


def explain_in_all(
    tasks: Sequence[Comparison], concept: str, measures: Sequence[Measure] = ()
) -> list[Explanation | None]:
    """A concept in several comparisons, None where neither side has it; UnknownConceptError if it is in none."""
    explanations: list[Explanation | None] = []
    unknown = None
    for task in tasks:
        try:
            explanations.append(explain(task, concept, measures))
        except UnknownConceptError as error:
            explanations.append(None)
            unknown = error
    if unknown is not None and not any(explanations):
        raise unknown
    return explanations


def _sides(task: Comparison, name: str) -> tuple[int | None, int | None]:
    """The concept on either side: an IRI or an id goes before a name, the gold standard before the learned ontology."""
    for side in (task.swapped, task):
        if name in side.learned.hierarchy:
            return _with_partner(task, side, side.learned.hierarchy.id(name))
    for side in (task.swapped, task) if ":" in name else ():  # an id may be an alternative one on the other side
        concepts = possible_meanings(side.learned, name)
        iris = [local_name(side.learned.hierarchy.iris[concept]) for concept in concepts]
        if iris == [name.replace(":", "_", 1)]:
            return _with_partner(task, side, concepts[0])
    ambiguous = None
    for side in (task.swapped, task):
        try:
            return _with_partner(task, side, find_concept(side.learned, name))
        except UnknownConceptError as error:
            if possible_meanings(side.learned, name):
                ambiguous = ambiguous or error
    if ambiguous is not None:
        raise ambiguous
    hint = task.gold.names.suggestion(name) or task.learned.names.suggestion(name)
    raise UnknownConceptError(
        f"unknown concept {name!r}: it is in neither {task.learned.source.path} nor {task.gold.source.path}",
        advice=f"{hint} Use an IRI, a CURIE, a local name or a label.".strip(),
        parameter="concept",
    )


def _with_partner(task: Comparison, side: Comparison, concept: int) -> tuple[int | None, int | None]:
    partner = int(side.matching.to_gold[concept])
    other = None if partner < 0 else partner
    return (concept, other) if side is task else (other, concept)


def _relatives(task: Comparison, learned: int | None, gold: int | None) -> list[tuple[NamedRelative, ...]]:
    """The superconcepts and subconcepts on both sides, on the learned and on the gold side alone."""
    ours, theirs = relatives(task.learned.hierarchy, learned), relatives(task.gold.hierarchy, gold)
    to_gold = {c: int(task.matching.to_gold[c]) for c in ours.all}
    partners = {partner: c for c, partner in to_gold.items() if partner in theirs.all}
    both = {c: (ours.place(partners[c]), theirs.place(c)) for c in partners}
    only_learned = {c: (ours.place(c), None) for c in ours.all if to_gold[c] not in theirs.all}
    only_gold = {c: (None, theirs.place(c)) for c in theirs.all - partners.keys()}
    return [
        tuple(NamedRelative(*entry, *places[c]) for c, entry in _by_label(side, places))
        for side, places in ((task.swapped, both), (task, only_learned), (task.swapped, only_gold))
    ]


def _named_concepts(task: Comparison, concepts: Iterable[int]) -> tuple[NamedConcept, ...]:
    return tuple(entry for _, entry in _by_label(task, concepts))


def _by_label(task: Comparison, concepts: Iterable[int]) -> list[tuple[int, NamedConcept]]:
    """Learned concepts by label; common ones first."""
    names = [
        (c, NamedConcept(task.learned.hierarchy.iris[c], task.learned.label_of(c), bool(task.matching.to_gold[c] >= 0)))
        for c in concepts
    ]
    return sorted(names, key=lambda entry: (not entry[1].common, entry[1].label, entry[1].iri))


def _values(task: Comparison, learned: int | None, gold: int | None, measures: Iterable[Measure]) -> dict[str, float]:
    """The local values of the concept; where only one side has it, those that count it."""
    values: dict[str, float] = {}
    usual = [parse(name) for name in ("TP_csc", "TR_csc", "TO_csc", "TP_sc", "TR_sc")]
    for measure in (*usual, *with_local_scores(measures)):
        name, local = str(measure), measure(task.as_read).local
        if local is not None:
            concept = learned if local.of == "learned" else gold
            values.update((name, float(value)) for value in local.values[local.ids == concept])
    return values


@dataclass(frozen=True, eq=False)
class Errors:
    """What is wrong with a learned ontology, by kind; `to_dict` gives IRIs and labels."""

    task: Comparison

    @cached_property
    def novel(self) -> LongArray:
        """Learned concepts that the gold standard does not have."""
        return self.task.novel

    @cached_property
    def missing(self) -> LongArray:
        """Gold concepts that were not learned."""
        return self.task.swapped.novel

    @cached_property
    def moved(self) -> dict[Move, LongArray]:
        """Learned ids of misplaced common concepts.

        Misplaced: the nearest common superconcepts differ, and so do all common superconcepts. Up: none of the learned
        ones is wrong, but some are lost. Down: none is lost, but there are wrong ones. Sideways: both.
        """
        task = self.task
        learned, gold = task.common
        overlap = extract_overlap(task, "cuc")
        lost, wrong = overlap.gold > overlap.both, overlap.learned > overlap.both
        size = len(task.gold.hierarchy)
        learned_links, gold_links = _nearest(task), _nearest(task.swapped)
        low, high = (task.matching.to_gold[ends] for ends in learned_links)
        learned_codes = low.astype(np.int64) * size + high
        gold_codes = gold_links[0].astype(np.int64) * size + gold_links[1]
        differs = np.zeros(size, dtype=bool)
        differs[np.setxor1d(learned_codes, gold_codes) // size] = True
        misplaced = differs[gold]
        kinds: dict[Move, BoolArray] = {"up": lost & ~wrong, "down": wrong & ~lost, "sideways": wrong & lost}
        return {kind: learned[misplaced & mask].astype(np.int64) for kind, mask in kinds.items()}

    def move_of(self, learned: int) -> Move | Literal["no"] | None:
        """How a common concept was moved; None where telling takes long."""
        if self.costly:
            return None
        moves = (kind for kind in MOVES if np.any(self.moved[kind] == learned))
        return next(moves, "no")

    @property
    def merged(self) -> dict[Literal["missing", "novel"], list[tuple[str, NamedConcept]]]:
        """Of each kind the IRIs that the other side has as alternative ones, and the concepts that it has for them."""
        sides: tuple[tuple[Literal["missing", "novel"], Comparison, LongArray], ...]
        sides = ("missing", self.task.swapped, self.missing), ("novel", self.task, self.novel)
        return {
            kind: [
                (side.learned.hierarchy.iris[concept], target)
                for concept in (concepts.tolist() if side.gold.aliases else ())
                if (target := _merged_into(side, concept)) is not None
            ]
            for kind, side, concepts in sides
        }

    @cached_property
    def inverted(self) -> list[tuple[int, int]]:
        """Learned links (child, parent) whose ends stand the other way round in the gold standard."""
        children, parents = self.task.inverted_links
        return list(zip(children.tolist(), parents.tolist(), strict=True))

    @cached_property
    def missing_links(self) -> list[tuple[int, int]]:
        """Gold links (child, parent) that were not learned as links, by gold ids: what EdgeR counts as missing."""
        return _links_not_shared(self.task.swapped)

    @cached_property
    def novel_links(self) -> list[tuple[int, int]]:
        """Learned links (child, parent) that are not links of the gold standard: what EdgeP counts as wrong."""
        return _links_not_shared(self.task)

    def links_between_common(self) -> tuple[int, int]:
        """How many of the missing and of the novel links have two ends that both sides have."""
        sides = (self.task.swapped, self.missing_links), (self.task, self.novel_links)
        missing, novel = (
            sum(task.matching.to_gold[child] >= 0 <= task.matching.to_gold[parent] for child, parent in links)
            for task, links in sides
        )
        return int(missing), int(novel)

    @cached_property
    def related_only_learned(self) -> list[tuple[int, int]]:
        """Related links between common concepts that the gold standard does not have, by learned ids."""
        return _links_of_one_side(self.task, "related")

    @cached_property
    def related_only_gold(self) -> list[tuple[int, int]]:
        """Related links between common concepts that were not learned, by gold ids."""
        return _links_of_one_side(self.task.swapped, "related")

    @cached_property
    def synonym_only_learned(self) -> list[tuple[int, int]]:
        """Synonym links between common concepts that the gold standard does not have, by learned ids."""
        return _links_of_one_side(self.task, "synonyms")

    @cached_property
    def synonym_only_gold(self) -> list[tuple[int, int]]:
        """Synonym links between common concepts that were not learned, by gold ids."""
        return _links_of_one_side(self.task.swapped, "synonyms")

    @property
    def _links(self) -> dict[str, tuple[Ontology, list[tuple[int, int]]]]:
        """Kind of error -> the side that has the links, and these."""
        learned, gold = self.task.learned, self.task.gold
        return {
            "related_only_learned": (learned, self.related_only_learned),
            "related_only_gold": (gold, self.related_only_gold),
            "synonym_only_learned": (learned, self.synonym_only_learned),
            "synonym_only_gold": (gold, self.synonym_only_gold),
        }

    @property
    def relations_of_one_side(self) -> dict[str, list[NamedRelation]]:
        """Kind of error -> other relations that only one side has; nothing if relations were not read.

        Those whose ends and property the other side has come first.
        """
        lists = RelationLists(self.task)
        kinds = {"relations_only_learned": True, "relations_only_gold": False} if lists.were_read else {}
        return {kind: lists.of_one_side(learned=learned) for kind, learned in kinds.items()}

    def _count_relations(self) -> dict[str, int]:
        lists = RelationLists(self.task)
        kinds = {"relations_only_learned": True, "relations_only_gold": False} if lists.were_read else {}
        return {kind: lists.count_of_one_side(learned=learned) for kind, learned in kinds.items()}

    @property
    def cycles(self) -> tuple[tuple[int, ...], ...]:
        """The cycles of the learned ontology."""
        return self.task.learned.hierarchy.cycles

    @property
    def costly(self) -> bool:
        """True if finding the moved concepts takes long: a novel concept stands between many common ones."""
        return max(_links_around(self.task), _links_around(self.task.swapped)) > _MANY_LINKS

    def counts(self, *, quick: bool = False) -> dict[str, int | None]:
        """How many of each kind; `quick`: None for the moved ones where counting them takes long."""
        moved: dict[str, int | None] = dict.fromkeys(("moved_up", "moved_down", "moved_sideways"))
        if not (quick and self.costly):
            moved = {f"moved_{kind}": len(concepts) for kind, concepts in self.moved.items()}
        return {
            "missing": len(self.missing),
            "novel": len(self.novel),
            **moved,
            "inverted": len(self.inverted),
            "missing_links": len(self.missing_links),
            "novel_links": len(self.novel_links),
            "cycles": len(self.cycles),
            "gold_cycles": len(self.task.gold.hierarchy.cycles),
            **{kind: len(links) for kind, (_, links) in self._links.items()},
            **self._count_relations(),
        }

    def to_dict(self) -> dict[str, Any]:
        """All of them by IRI and label."""
        learned, gold = self.task.learned, self.task.gold
        return {
            "missing": [
                _entry(gold, c) | _parents(gold, c, "gold") | _replacement(self.task.swapped, c)
                for c in self.missing.tolist()
            ],
            "novel": [
                _entry(learned, c) | _parents(learned, c, "learned") | _replacement(self.task, c)
                for c in self.novel.tolist()
            ],
            **{f"moved_{kind}": self._moved_entries(concepts.tolist()) for kind, concepts in self.moved.items()},
            "inverted": _link_entries(learned, self.inverted),
            "missing_links": _link_entries(gold, self.missing_links),
            "novel_links": _link_entries(learned, self.novel_links),
            "cycles": [_entries(learned, cycle) for cycle in self.cycles],
            "gold_cycles": [_entries(gold, cycle) for cycle in gold.hierarchy.cycles],
            **{kind: [_entries(side, link) for link in links] for kind, (side, links) in self._links.items()},
            **{kind: [r.to_dict() for r in relations] for kind, relations in self.relations_of_one_side.items()},
        }

    def _moved_entries(self, concepts: Sequence[int]) -> list[dict[str, Any]]:
        learned, gold = self.task.learned, self.task.gold
        partners = self.task.matching.to_gold
        return [
            _entry(learned, c)
            | {"gold": _entry(gold, int(partners[c]))}
            | _parents(learned, c, "learned")
            | _parents(gold, int(partners[c]), "gold")
            for c in concepts
        ]


def _parents(ontology: Ontology, concept: int, side: Literal["learned", "gold"]) -> dict[str, list[str]]:
    """The parents of a concept by label, and their IRIs in the same order."""
    names = parents_by_label(ontology, concept)
    return {f"{side}_parents": [label for label, _ in names], f"{side}_parent_iris": [iri for _, iri in names]}


def _replacement(task: Comparison, concept: int) -> dict[str, dict[str, str]]:
    """What a learned concept was merged into, if it was."""
    target = _merged_into(task, concept)
    return {} if target is None else {"merged_into": {"iri": target.iri, "label": target.label}}


def _link_entries(ontology: Ontology, links: Iterable[tuple[int, int]]) -> list[dict[str, Any]]:
    iris, label = ontology.hierarchy.iris, ontology.label_of
    return [
        {"child": iris[child], "parent": iris[parent], "labels": [label(child), label(parent)]}
        for child, parent in links
    ]


def _links_not_shared(task: Comparison) -> list[tuple[int, int]]:
    """The learned links that EdgeP counts as wrong."""
    tails, heads = task.learned.hierarchy.stated_edges
    rows = ~shared_edges(task)
    return list(zip(tails[rows].tolist(), heads[rows].tolist(), strict=True))


def _links_of_one_side(task: Comparison, kind: Literal["related", "synonyms"]) -> list[tuple[int, int]]:
    """Learned links between common concepts whose partners have no such link; a link is undirected and comes once."""
    size = len(task.gold.hierarchy)
    links, others = getattr(task.learned.hierarchy, kind), getattr(task.gold.hierarchy, kind)
    once = links.tails < links.indices
    tails, heads = links.tails[once], links.indices[once]
    ends = task.matching.to_gold[tails].astype(np.int64), task.matching.to_gold[heads].astype(np.int64)
    missing = ~np.isin(ends[0] * size + ends[1], others.tails.astype(np.int64) * size + others.indices)
    rows = (ends[0] >= 0) & (ends[1] >= 0) & missing
    return list(zip(tails[rows].tolist(), heads[rows].tolist(), strict=True))


def _links_around(task: Comparison) -> float:
    """An upper bound of the links between common concepts that go through novel ones."""
    parents = task.learned.hierarchy.parents
    novel = task.matching.to_gold < 0
    below = np.bincount(parents.indices[~novel[parents.tails]], minlength=len(novel))
    return float(np.dot(below[novel], task.learned.hierarchy.closure.ancestor_count[novel]))


def _entries(ontology: Ontology, concepts: Iterable[int]) -> list[dict[str, Any]]:
    return [_entry(ontology, c) for c in concepts]


def _entry(ontology: Ontology, concept: int) -> dict[str, Any]:
    return {"iri": ontology.hierarchy.iris[concept], "label": ontology.label_of(concept)}


def _nearest(task: Comparison) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """(common concept, common superconcept with no common concept between) on the learned side."""
    hierarchy = task.learned.hierarchy
    edges = EdgeTable.make(hierarchy.parents.tails, hierarchy.parents.indices)
    inner = transitive_reduction(len(hierarchy), restrict_edges(len(hierarchy), edges, task.matching.to_gold >= 0, 1.0))
    return inner.tails, inner.heads
