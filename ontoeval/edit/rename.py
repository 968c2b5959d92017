"""Lexical damage: `rename_concepts`; `use_synonyms` as preferred labels, of `concepts_with_synonyms`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from ontoeval.edit.rebuild import Draft, namespace
from ontoeval.matching.normalize import checked_folds, folder
from ontoeval.model.arrays import LongArray
from ontoeval.model.lexicon import NAME, ROLES, Lexicon, name_as_label
from ontoeval.model.ontology import Ontology

_PREFERRED, _ALTERNATIVE = ROLES.index("preferred"), ROLES.index("alternative")
_REPLACED = (_PREFERRED, ROLES.index("title"))  # what a match by preferred label compares, with the name
_SYNONYMS = (_ALTERNATIVE, ROLES.index("exact"))  # a hidden label is for searching, others say something else


def rename_concepts(ontology: Ontology, concepts: LongArray) -> Ontology:
    """Each gets a name that resembles no other, which stands in for all its labels; its place stays the same.

    The names do not depend on the old ones, since measures that compare texts would give credit for what is left of
    them, and not on how many concepts are renamed.
    """
    lexicon, names = ontology.lexicon, _new_names(ontology, concepts, "renamed")
    rows = np.flatnonzero(~np.isin(lexicon.concepts, concepts))
    relabelled = Lexicon.build(
        lexicon.size,
        np.concatenate([lexicon.concepts[rows], concepts]).astype(np.int64),
        [*(lexicon.texts[row] for row in rows.tolist()), *map(name_as_label, names)],
        [*(lexicon.languages[row] for row in rows.tolist()), *[""] * len(names)],
        [*lexicon.roles[rows].tolist(), *[NAME] * len(names)],
    )
    without = set(concepts.tolist())
    senses = {word: tuple(c for c in order if c not in without) for word, order in ontology.senses.items()}
    changed = replace(ontology, lexicon=relabelled, senses={word: order for word, order in senses.items() if order})
    return _with_names(changed, concepts, names)


def use_synonyms(ontology: Ontology, concepts: LongArray) -> Ontology:
    """A synonym and the preferred label of each change places, and it gets a new name; see `concepts_with_synonyms`.

    All its preferred labels become alternative ones. In each language in which it has a synonym, the first becomes the
    preferred label.
    """
    lexicon, preferred = ontology.lexicon, _synonym_rows(ontology)
    roles = lexicon.roles.copy()
    here = np.isin(lexicon.concepts, concepts)
    roles[here & np.isin(roles, _REPLACED)] = _ALTERNATIVE
    roles[preferred[here[preferred]]] = _PREFERRED
    relabelled = Lexicon.build(
        lexicon.size, lexicon.concepts.astype(np.int64), lexicon.texts, lexicon.languages, roles.tolist()
    )
    names = _new_names(ontology, concepts, "synonym")
    return _with_names(replace(ontology, lexicon=relabelled), concepts, names)


def concepts_with_synonyms(ontology: Ontology) -> LongArray:
    """The concepts whose preferred label a synonym can replace, the root left out.

    A synonym is an alternative or exact label that is the preferred label of no concept, even if case, separators and
    the like are forgotten: else a match by preferred label would find the concept, or another one, again.
    """
    concepts = np.unique(ontology.lexicon.concepts[_synonym_rows(ontology)]).astype(np.int64)
    return concepts[concepts >= int(ontology.hierarchy.has_root)]


def _synonym_rows(ontology: Ontology) -> LongArray:
    """The row of the first synonym of each concept and language, if the concept has a preferred label."""
    return ontology.cached("first synonyms", lambda: _first_synonyms(ontology.lexicon))


def _first_synonyms(lexicon: Lexicon) -> LongArray:
    fold = folder(checked_folds("all"))
    labelled = np.isin(lexicon.roles, _REPLACED)
    named = np.flatnonzero(labelled | (lexicon.roles == NAME)).tolist()
    taken = {fold(lexicon.texts[row]) for row in named}
    with_label = np.zeros(lexicon.size, dtype=bool)
    with_label[lexicon.concepts[labelled]] = True
    first: dict[tuple[int, str], int] = {}
    for row in np.flatnonzero(np.isin(lexicon.roles, _SYNONYMS) & with_label[lexicon.concepts]).tolist():
        if fold(lexicon.texts[row]) not in taken:
            first.setdefault((int(lexicon.concepts[row]), lexicon.languages[row]), row)
    return np.array(sorted(first.values()), dtype=np.int64)


def _new_names(ontology: Ontology, concepts: LongArray, word: str) -> list[str]:
    """`http://ex.org/renamed-17` for concept 17, with a word that is in no name or label."""
    iris = ontology.hierarchy.iris
    word = _unused_word(word, (*iris, *ontology.aliases, *ontology.lexicon.texts))
    return [f"{namespace(iris[concept])}{word}-{concept}" for concept in concepts.tolist()]


def _unused_word(word: str, texts: Iterable[str]) -> str:
    """The word, with a number behind it where it occurs in the texts."""
    everything, free, number = "\n".join(texts).casefold(), word, 1
    while free in everything:
        number += 1
        free = f"{word}{number}"
    return free


def _with_names(ontology: Ontology, concepts: LongArray, names: list[str]) -> Ontology:
    return replace(Draft.of(ontology), names=dict(zip(concepts.tolist(), names, strict=True))).build()
