"""`PairLookup`: names to all senses or the first (best: tasks/concept_pairs.py); unknown: callers refuse or skip."""

from __future__ import annotations

from collections import Counter
from typing import Any, Literal, NamedTuple

import numpy as np

from ontoeval.analysis.rated_table import ratings_of
from ontoeval.errors import LoadError, OntoevalError, UnknownConceptError, listed
from ontoeval.load.tables.rated_pairs import PairTable
from ontoeval.model.arrays import LongArray
from ontoeval.model.individuals import Individuals
from ontoeval.model.ontology import Ontology
from ontoeval.tasks.concept_pairs import Concept, ConceptPairs

Senses = Literal["max", "first"]


class LeftOut(NamedTuple):
    """A pair that takes no part, and why."""

    left: str
    right: str
    rating: float
    line: int | None  # of the file
    reason: str

    def to_dict(self) -> dict[str, Any]:
        """For JSON; without the line if there is no file."""
        return {name: value for name, value in self._asdict().items() if value is not None}


class PairLookup:
    """The names of a table of pairs as concepts of an ontology, each looked up once."""

    def __init__(self, ontology: Ontology, table: PairTable, senses: Senses = "max") -> None:
        self.ontology, self.table = ontology, table
        self._first_sense = senses == "first"
        names = dict.fromkeys((*table.left, *table.right))
        times = Counter(name.casefold() for name in names)
        self.senses: dict[str, tuple[str, ...]] = {  # IRIs of what a name can mean
            name: self._meanings(name, any_case=times[name.casefold()] == 1) for name in names
        }
        known = [bool(self.senses[a] and self.senses[b]) for a, b in zip(table.left, table.right, strict=True)]
        self.places: LongArray = np.flatnonzero(known)  # of the pairs with two known names
        self.unknown_places: LongArray = np.flatnonzero(~np.array(known, dtype=bool))

    def _meanings(self, name: str, *, any_case: bool) -> tuple[str, ...]:
        """The concepts of a name, else the individuals; `any_case`: the table does not tell it from another by case."""
        iris = self.ontology.hierarchy.iris
        concepts = self.ontology.names.find(name, any_case=any_case)
        return tuple(iris[concept] for concept in concepts) or Individuals.of(self.ontology).named(name)

    def unknown_names(self, place: int) -> list[str]:
        """The names of a pair that the ontology does not have."""
        return [name for name in (self.table.left[place], self.table.right[place]) if not self.senses[name]]

    def refuse_unknown(self) -> None:
        """Raise an error about the first unknown name, with the line if the pairs are from a file."""
        if len(self.unknown_places):
            raise self._unknown(int(self.unknown_places[0]))

    def _unknown(self, place: int) -> OntoevalError:
        name = self.unknown_names(place)[0]
        problem, hint = f"unknown concept {name!r}", self._hint(name)
        if self.table.source.format is None:  # not from a file
            path = self.ontology.source.path
            advice = f"{hint} Use an IRI, a CURIE, a local name or a label of {path}."
            return UnknownConceptError(problem, advice=advice.strip())
        advice = f"{hint} Correct it, or set {{skip_unknown=True}}."
        return LoadError(problem, path=self.table.source.path, line=self.table.lines[place], advice=advice.strip())

    def _hint(self, name: str) -> str:
        """What may have been meant by an unknown name."""
        return self.ontology.names.suggestion(name).strip()

    def refuse_nothing(self) -> None:
        """Raise an error if no pair is left."""
        if len(self.places):
            return
        unknown = [name for name, senses in self.senses.items() if not senses]
        raise UnknownConceptError(
            f"no pair has both names in {self.ontology.source.path}; unknown: {listed(map(repr, unknown))}",
            place=self.table.source.path,
            advice=self._hint(unknown[0]) or "Use labels or IRIs of its concepts.",
        )

    def task(self, *, named: bool = True) -> ConceptPairs:
        """The pairs with two known names; `named`: they are called by their names, else by IRIs."""
        table, places = self.table, self.places.tolist()
        return ConceptPairs(
            self.ontology,
            [self._concept(table.left[place]) for place in places],
            [self._concept(table.right[place]) for place in places],
            None if table.ratings is None else table.ratings[self.places],
            names=self.names if named else None,
            terms=self.names,
        )

    def _concept(self, name: str) -> Concept:
        senses = self.senses[name]
        return senses[0] if self._first_sense or len(senses) == 1 else senses

    @property
    def names(self) -> list[tuple[str, str]]:
        """The pairs with two known names, as written."""
        return [(self.table.left[place], self.table.right[place]) for place in self.places.tolist()]

    @property
    def words(self) -> int:
        """How many different names the known pairs have."""
        return len(self._names_in_use)

    @property
    def several(self) -> int:
        """How many of these names can mean several concepts."""
        return sum(len(self.senses[name]) > 1 for name in self._names_in_use)

    @property
    def _names_in_use(self) -> set[str]:
        return {name for pair in self.names for name in pair}

    @property
    def lines(self) -> tuple[int | None, ...]:
        """Of the known pairs in the file."""
        return tuple(self.table.lines[place] for place in self.places.tolist())

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """The rated pairs with an unknown name."""
        table, ratings = self.table, ratings_of(self.table).tolist()
        return tuple(
            LeftOut(table.left[n], table.right[n], ratings[n], table.lines[n], self._reason(n))
            for n in self.unknown_places.tolist()
        )

    def _reason(self, place: int) -> str:
        unknown = [repr(name) for name in dict.fromkeys(self.unknown_names(place))]
        return f"{unknown[0]} is unknown" if len(unknown) == 1 else f"{' and '.join(unknown)} are unknown"
