"""`merge`: two ontologies as one, matched concepts being one; `MergedOntology` also maps the concepts of both sides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ontoeval.edit.rebuild import AssignmentTable, renumbered_senses
from ontoeval.errors import ParameterError, warn
from ontoeval.matching.matcher import match
from ontoeval.matching.matching import Matching
from ontoeval.matching.suggestions import match_warnings
from ontoeval.model.arrays import Adjacency, BoolArray, FloatArray, LongArray, freeze
from ontoeval.model.hierarchy import EdgeTable, Hierarchy
from ontoeval.model.instances import IndividualNames, InstanceAssignment
from ontoeval.model.lexicon import NAME, ROLES, Lexicon, local_name
from ontoeval.model.ontology import MergedFiles, Ontology, Source

_PREFERRED, _ALTERNATIVE, _HIDDEN = (ROLES.index(role) for role in ("preferred", "alternative", "hidden"))


@dataclass(frozen=True, eq=False)
class MergedOntology:
    """The merged ontology M, and the concept of M that each concept of either side is; -1 for an added root."""

    ontology: Ontology
    of_learned: LongArray
    of_gold: LongArray

    @classmethod
    def of(
        cls,
        learned: Ontology,
        gold: Ontology,
        matching: Matching,
        root: str | None = None,
        *,
        mapped: bool = False,
    ) -> MergedOntology:
        """Merge two ontologies; see `merge`.

        `mapped`: broadMatch and narrowMatch lead to the concept of the other file, as `merge` says; else a concept that
        they make is as any other.
        """
        same = SameConcepts.with_mapped(learned, gold, matching) if mapped else SameConcepts.of(matching)
        names, number, gold_number = _names(learned, gold, same)
        if root is None:
            root = gold.hierarchy.root_rule
            if root in gold.hierarchy:  # perhaps the name of a concept of the other file only
                root = names[gold_number[gold.hierarchy.id(root)]]
        hierarchy = Hierarchy.build(
            names,
            _stated_edges(learned.hierarchy, number)
            + _stated_edges(gold.hierarchy, gold_number)
            + (_between_files("hierarchical", learned, gold, number, gold_number) if mapped else EdgeTable.make()),
            related=_links(learned.hierarchy.related, number)
            + _links(gold.hierarchy.related, gold_number)
            + _between_files("related", learned, gold, number, gold_number),
            synonyms=_links(learned.hierarchy.synonyms, number)
            + _links(gold.hierarchy.synonyms, gold_number)
            + _between_files("synonym", learned, gold, number, gold_number),
            root=root,
            root_weight=gold.hierarchy.weight,
        )
        new = np.append(hierarchy.ids(names), -1)  # a number of -1, an added root, stays -1
        of_learned, of_gold = freeze(new[number]), freeze(new[gold_number])
        sides = (learned, of_learned), (gold, of_gold)
        # what stands for a concept of the other file is not in this one: no name, no count
        own_learned = np.where(same.learned_in_gold < 0, of_learned, -1)
        own_gold = np.where(same.gold_in_learned < 0, of_gold, -1)
        own_sides = (learned, own_learned), (gold, own_gold)
        ontology = Ontology(
            hierarchy,
            _lexicon(hierarchy, same, own_sides),
            _instances(sides, len(hierarchy)),
            Source(
                path=f"{learned.source.path} + {gold.source.path}",
                profile=gold.source.profile,
                notes=tuple(_clashes(hierarchy, learned, of_learned)),
            ),
            _aliases(hierarchy, sides),
            _counts(own_sides, len(hierarchy)),
            {**renumbered_senses(learned.senses, of_learned), **renumbered_senses(gold.senses, of_gold)},
            MergedFiles(
                learned.source,
                gold.source,
                _concepts_of(own_learned, len(hierarchy)),
                _concepts_of(own_gold, len(hierarchy)),
                matching.summary(),
                frozenset(learned.instances.iris if learned.instances else ()),
                frozenset(gold.instances.iris if gold.instances else ()),
            ),
            weights=gold.weights,
            individual_names=IndividualNames(
                gold.individual_names.iris + learned.individual_names.iris,
                gold.individual_names.texts + learned.individual_names.texts,
                gold.individual_names.same + learned.individual_names.same,
            ),
        )
        return cls(ontology, of_learned, of_gold)


def merge(learned: Ontology, gold: Ontology, matching: Matching | None = None, *, root: str | None = None) -> Ontology:
    """M: the concepts of the gold standard, and the learned ones without a partner; a matched one is its partner.

    Its edges are those of both files, each once (the lightest of several), and mapping links between them such as
    skos:exactMatch. A concept that a file names in skos:broadMatch or narrowMatch and nowhere else is the other file's
    concept of that IRI, whatever the matching. Labels, instances, senses and former IRIs are those of both. Any other
    learned concept without a partner whose IRI the gold standard has, too, gets a number behind its IRI: it is another
    concept. Where both have counts of a corpus, the counts of matched concepts are those of the gold standard. `root`
    is as in `load_ontology`; without it, the rule of the gold standard.
    """
    matching = match(learned, gold) if matching is None else matching
    if (len(matching.to_gold), len(matching.to_learned)) != (len(learned.hierarchy), len(gold.hierarchy)):
        raise ParameterError(
            "the matching is between other ontologies",
            advice="Use match(learned, gold).",
            parameter="matching",
        )
    merged = MergedOntology.of(learned, gold, matching, root, mapped=True).ontology
    doubts = match_warnings(learned, gold, matching)
    warn(doubts)
    return replace(merged, source=replace(merged.source, warnings=doubts)) if doubts else merged


@dataclass(frozen=True)
class SameConcepts:
    """Which concepts of two files are one in M: matched ones, and those that a file names as the other file's."""

    to_gold: LongArray  # learned id -> gold id, one to one, or -1
    to_learned: LongArray
    learned_in_gold: LongArray  # learned id -> gold id of the concept that it stands for, or -1
    gold_in_learned: LongArray

    @classmethod
    def of(cls, matching: Matching) -> SameConcepts:
        """The pairs of the matching alone."""
        to_gold, to_learned = matching.to_gold.astype(np.int64), matching.to_learned.astype(np.int64)
        return cls(to_gold, to_learned, np.full_like(to_gold, -1), np.full_like(to_learned, -1))

    @classmethod
    def with_mapped(cls, learned: Ontology, gold: Ontology, matching: Matching) -> SameConcepts:
        """A concept that a file only maps to stands for that of the other file; another partner loses it."""
        same = cls.of(matching)
        for concept, other in _only_mapped(learned, gold):
            same.learned_in_gold[concept] = other
        named = set(same.learned_in_gold.tolist())
        for concept, other in _only_mapped(gold, learned):
            # of a concept that both files only map to, the gold one is left
            if same.learned_in_gold[other] < 0 and concept not in named:
                same.gold_in_learned[concept] = other
        for partner, back, stands_for in (
            (same.to_gold, same.to_learned, same.learned_in_gold),
            (same.to_learned, same.to_gold, same.gold_in_learned),
        ):
            matched = np.flatnonzero((stands_for >= 0) & (partner >= 0))
            back[partner[matched]] = -1
            partner[matched] = -1
        return same


def _only_mapped(ontology: Ontology, other: Ontology) -> Iterator[tuple[int, int]]:
    """The concepts that a file only maps to and that are of the other file, and the concepts that they are there."""
    for iri in sorted(ontology.only_mapped):
        current = other.aliases.get(iri, iri)
        if current in other.hierarchy:
            yield ontology.hierarchy.id(iri), other.hierarchy.id(current)


def _names(learned: Ontology, gold: Ontology, same: SameConcepts) -> tuple[list[str], LongArray, LongArray]:
    """The names of M, and the position among them of each learned and each gold concept (-1: an added root)."""
    number, gold_number = np.full(len(learned.hierarchy), -1), np.full(len(gold.hierarchy), -1)
    kept = np.flatnonzero(same.gold_in_learned < 0)
    kept = kept[kept >= int(gold.hierarchy.root_added)]
    names = [gold.hierarchy.iris[concept] for concept in kept.tolist()]
    gold_number[kept] = np.arange(len(kept))
    matched = np.flatnonzero(same.to_gold >= 0)
    number[matched] = gold_number[same.to_gold[matched]]
    alone = np.flatnonzero((same.to_gold < 0) & (same.learned_in_gold < 0))
    alone = alone[alone >= int(learned.hierarchy.root_added)]
    number[alone] = len(names) + np.arange(len(alone))
    for numbers, others, stands_for in (
        (number, gold_number, same.learned_in_gold),
        (gold_number, number, same.gold_in_learned),
    ):
        mapped = np.flatnonzero(stands_for >= 0)
        numbers[mapped] = others[stands_for[mapped]]
    taken = {*names, *gold.aliases, *(learned.hierarchy.iris[concept] for concept in alone.tolist())}
    own = {*names, *gold.aliases}
    for concept in alone.tolist():
        names.append(_free(learned.hierarchy.iris[concept], own, taken))
    return names, number, gold_number


def _free(name: str, own: set[str], taken: set[str]) -> str:
    """The name, with a number behind it if the gold standard has it."""
    if name not in own:
        return name
    number = 2
    while f"{name}-{number}" in taken:
        number += 1
    taken.add(f"{name}-{number}")
    return f"{name}-{number}"


def _clashes(hierarchy: Hierarchy, learned: Ontology, of_learned: LongArray) -> Iterator[str]:
    """A note if both files have an IRI without being matched."""
    new_names = [
        (iri, hierarchy.iris[concept])
        for iri, concept in zip(learned.hierarchy.iris, of_learned.tolist(), strict=True)
        if concept >= 0 and iri in hierarchy and hierarchy.iris[concept] != iri
    ]
    if new_names:
        iri, new = new_names[0]
        count = "1 IRI is" if len(new_names) == 1 else f"{len(new_names):,} IRIs are"
        yield (
            f"{count} in both files but not matched: {iri} is the concept of the second file, {new} that of the first"
        )


def _concepts_of(new: LongArray, size: int) -> BoolArray:
    """Which concepts of M a side has."""
    result = np.zeros(size, dtype=bool)
    result[new[new >= 0]] = True
    return freeze(result)


def _stated_edges(hierarchy: Hierarchy, number: LongArray) -> EdgeTable:
    """The edges of the file in the numbers of M: no self-edges, none that were added to the root."""
    tails, heads = (number[ends] for ends in hierarchy.stated_edges)
    proper = tails != heads  # a matched concept may be mapped to its partner
    return EdgeTable(tails[proper], heads[proper], hierarchy.parents.weights[hierarchy.given][proper])


def _links(edges: Adjacency, number: LongArray) -> EdgeTable:
    return EdgeTable(number[edges.tails], number[edges.indices], edges.weights)


def _between_files(
    kind: str, learned: Ontology, gold: Ontology, number: LongArray, gold_number: LongArray
) -> EdgeTable:
    """The mapping links (skos:exactMatch and the like) of either file to a concept that only the other has."""
    tails, heads, weights = [], [], []
    for ontology, other, own, others in ((learned, gold, number, gold_number), (gold, learned, gold_number, number)):
        for link in ontology.outside:
            iri = other.aliases.get(link.iri, link.iri)
            if link.kind == kind and iri in other.hierarchy:
                ends = int(own[link.concept]), int(others[other.hierarchy.id(iri)])
                if ends[0] != ends[1]:
                    tails.append(ends[not link.upwards])
                    heads.append(ends[link.upwards])
                    weights.append(link.weight)
    return EdgeTable.make(tails, heads, weights)


def _lexicon(hierarchy: Hierarchy, same: SameConcepts, sides: tuple[tuple[Ontology, LongArray], ...]) -> Lexicon:
    """The labels of both; the preferred label of a matched concept is that of the gold standard.

    The local name that a matched concept has in the learned file is a hidden label, so that it is found by it.
    """
    concepts, texts, languages, roles = [], [], [], []
    for (ontology, new), is_learned in zip(sides, (True, False), strict=True):
        lexicon = ontology.lexicon
        rows = np.flatnonzero(new[lexicon.concepts] >= 0)
        role = lexicon.roles[rows].copy()
        if is_learned:
            matched = same.to_gold[lexicon.concepts[rows]] >= 0
            role[matched & ((role == _PREFERRED) | (role == NAME))] = _ALTERNATIVE
        else:  # the name of a matched concept goes before a label of the learned file
            role[(same.to_learned[lexicon.concepts[rows]] >= 0) & (role == NAME)] = _PREFERRED
        concepts.append(new[lexicon.concepts[rows]])
        texts += [lexicon.texts[row] for row in rows.tolist()]
        languages += [lexicon.languages[row] for row in rows.tolist()]
        roles += role.tolist()
    learned, of_learned = sides[0]
    common = np.flatnonzero((same.to_gold >= 0) & (of_learned >= 0))
    concepts.append(of_learned[common])
    texts += [local_name(learned.hierarchy.iris[concept]) for concept in common.tolist()]
    languages += [""] * len(common)
    roles += [_HIDDEN] * len(common)
    return Lexicon.build(len(hierarchy), np.concatenate(concepts), texts, languages, roles)


def _instances(sides: tuple[tuple[Ontology, LongArray], ...], size: int) -> InstanceAssignment | None:
    rows: list[tuple[str, int, float]] = []
    for ontology, new in sides:
        if ontology.instances is not None:
            table, iris = AssignmentTable.of(ontology.instances), ontology.instances.iris
            columns = table.rows.tolist(), new[table.concepts].tolist(), table.strengths.tolist()
            rows += [
                (iris[row], concept, strength) for row, concept, strength in zip(*columns, strict=True) if concept >= 0
            ]
    return InstanceAssignment.build(rows, size)


def _aliases(hierarchy: Hierarchy, sides: tuple[tuple[Ontology, LongArray], ...]) -> dict[str, str]:
    """Former IRIs, and the learned IRIs of matched concepts, as names of the concepts of M."""
    aliases: dict[str, str] = {}
    for ontology, new in sides:
        own = ontology.hierarchy.iris
        current = {iri: hierarchy.iris[concept] for iri, concept in zip(own, new.tolist(), strict=True) if concept >= 0}
        aliases |= {former: current[iri] for former, iri in ontology.aliases.items() if iri in current}
        aliases |= current
    return {name: iri for name, iri in aliases.items() if name not in hierarchy}


def _counts(sides: tuple[tuple[Ontology, LongArray], ...], size: int) -> FloatArray | None:
    """Corpus counts, if both sides have them; the gold standard, which comes last, decides of matched concepts."""
    counts = np.zeros(size)
    for ontology, new in sides:
        if ontology.counts is None:
            return None
        kept = np.flatnonzero(new >= 0)
        counts[new[kept]] = ontology.counts[kept]
    return freeze(counts)
