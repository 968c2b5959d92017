"""`Individuals`: instances of an ontology as individuals: those that owl:sameAs joins are one; classes and names."""

from __future__ import annotations

from functools import cached_property

from ontoeval.model.instances import joined_names
from ontoeval.model.lexicon import name_as_label
from ontoeval.model.name_index import NameIndex
from ontoeval.model.ontology import Ontology


class Individuals:
    """The instances that sit on a concept. Of several IRIs of one individual the least stands for it.

    Preferred are IRIs that sit on a concept themselves and are not the IRI of a concept, too (punning).
    """

    def __init__(self, ontology: Ontology) -> None:
        self._hierarchy = ontology.hierarchy
        self._assignment = ontology.instances
        self._names = ontology.individual_names
        self._joined = joined_names(self._names.same)

    @classmethod
    def of(cls, ontology: Ontology) -> Individuals:
        """The individuals of an ontology, made once."""
        return ontology.cached("individuals", lambda: cls(ontology))

    @cached_property
    def _row(self) -> dict[str, int]:
        """The row of each instance in the assignment."""
        return {} if self._assignment is None else {iri: row for row, iri in enumerate(self._assignment.iris)}

    def every_iri(self, iri: str) -> list[str]:
        """An IRI and all that owl:sameAs joins it with."""
        return self._joined.get(iri, [iri])

    def __contains__(self, iri: str) -> bool:
        return any(one in self._row for one in self.every_iri(iri))

    def representative(self, iri: str) -> str:
        """The IRI that stands for an individual."""
        if iri not in self._joined:
            return iri
        return min(self._joined[iri], key=lambda one: (one in self._hierarchy, one not in self._row, one))

    @property
    def iris(self) -> list[str]:
        """All IRIs of all individuals."""
        return [*self._row, *(iri for iri in self._joined if iri not in self._row and iri in self)]

    def classes(self, iri: str) -> tuple[int, ...]:
        """T(i) as it was told: the concepts that an individual sits on, under any of its IRIs."""
        if self._assignment is None:
            return ()
        strength, concepts = self._assignment.strength, set()
        for row in (self._row[one] for one in self.every_iri(iri) if one in self._row):
            concepts.update(strength.indices[strength.indptr[row] : strength.indptr[row + 1]].tolist())
        return tuple(sorted(concepts))

    def labels(self, iri: str) -> tuple[str, ...]:
        """The labels of an individual, that to show first; without any the words of its name."""
        texts = [text for one in sorted(self.every_iri(iri)) for text in self._labels.get(one, ())]
        return tuple(dict.fromkeys(texts)) or (name_as_label(iri),)

    @cached_property
    def _labels(self) -> dict[str, list[str]]:
        labels: dict[str, list[str]] = {}
        for iri, text in zip(self._names.iris, self._names.texts, strict=True):
            labels.setdefault(iri, []).append(text)
        return labels

    def named(self, name: str) -> tuple[str, ...]:
        """The individuals that an IRI, a label, a local name or a CURIE can mean, as a class is looked up."""
        if name in self:
            return (self.representative(name),)
        iris, index = self._index
        return tuple(sorted({self.representative(iris[number]) for number in index.find(name)}))

    @cached_property
    def _index(self) -> tuple[list[str], NameIndex]:
        """The IRIs that have a class or a label, and their positions by name."""
        iris = list(dict.fromkeys([*self._row, *self._names.iris]))
        number = {iri: place for place, iri in enumerate(iris)}
        labels = [(text, number[iri]) for text, iri in zip(self._names.texts, self._names.iris, strict=True)]
        return iris, NameIndex({iri: number[iri] for iri in self._row}, lambda: labels)
