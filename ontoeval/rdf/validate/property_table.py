"""`PropertyTable`: triples of the properties that rules use (`_READ`); `of_class`, `label`, `work` (size for SHACL)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

import pyoxigraph as ox

from ontoeval.errors import LoadError
from ontoeval.load import terms
from ontoeval.rdf.validate.data_graph import LABEL, Data, key
from ontoeval.rdf.vocabulary import NS, SCORE_CLASSES, node

PREFERRED, ALTERNATIVE, HIDDEN = (
    f"{terms.SKOS}prefLabel", f"{terms.SKOS}altLabel", f"{terms.SKOS}hiddenLabel"
)  # fmt: skip
NAMES = (
    LABEL, PREFERRED, f"{terms.SKOS_XL}prefLabel", f"{terms.DCT}title", "http://schema.org/name", "https://schema.org/name"
)  # fmt: skip
METRIC, TARGET, VALUE = (node(f"dqv:{name}").value for name in ("isMeasurementOf", "computedOn", "value"))
USED, SOFTWARE, STARTED = (node(f"prov:{name}").value for name in ("used", "wasAssociatedWith", "startedAtTime"))
UNDEFINED, SPEC, AGAINST, STATUS, COUNT, VERSION, SHA256, MINIMUM, MAXIMUM, RELATIONS, WARNING = (
    NS + name
    for name in (
        "undefined", "spec", "against", "status", "measurementCount", "version", "sha256", "minimum", "maximum",
        "relations", "warning",
    )
)  # fmt: skip
PROPERTY, WEIGHT = f"{NS}property", node("rdf:value").value
_READ = (
    terms.TYPE, terms.SUBCLASS, terms.BROADER, terms.NARROWER, terms.BROADER_TRANSITIVE, terms.NARROWER_TRANSITIVE,
    terms.RELATED, terms.DEPRECATED, terms.IMPORTS, *NAMES, ALTERNATIVE, HIDDEN, METRIC, TARGET, VALUE, USED, SOFTWARE,
    STARTED, UNDEFINED, SPEC, AGAINST, STATUS, COUNT, VERSION, SHA256, MINIMUM, MAXIMUM, RELATIONS,
    WARNING, PROPERTY, WEIGHT,
)  # fmt: skip


class Several:
    """The values of a subject that has more than one."""

    __slots__ = ("terms",)

    def __init__(self, *terms: Any) -> None:
        self.terms = dict.fromkeys(terms)  # a set that keeps the order


_Column = dict[str, Any]  # subject -> its value, or Several


class PropertyTable:
    """The triples of a graph whose properties the rules are about, by property and subject."""

    def __init__(self, data: Data) -> None:
        self.columns: dict[str, _Column] = {name: {} for name in _READ}
        columns, shared = self.columns, {}.setdefault  # type: ignore[var-annotated]
        count, last, subject = 0, None, ""
        for count, triple in enumerate(data.triples(), 1):  # noqa: B007 - the number of triples
            column = columns.get(triple.predicate.value)
            if column is None:
                continue
            term, value = triple.subject, triple.object
            if term != last:
                last, subject = term, key(term)
            value = shared(value, value)  # one object for equal values, of which there are few
            before = column.setdefault(subject, value)
            if before is not value:
                if type(before) is Several:
                    before.terms[value] = None
                else:
                    column[subject] = Several(before, value)
        if not count:
            raise LoadError("no statements found", advice="Use an RDF file.", path=data.name)

    def values(self, subject: str, predicate: str) -> list[Any]:
        """The values of a property."""
        value = self.columns[predicate].get(subject)
        return [] if value is None else list(value.terms) if type(value) is Several else [value]

    def pairs(self, predicate: str) -> Iterator[tuple[str, str]]:
        """Subject and object of each triple."""
        for subject, value in self.columns[predicate].items():
            for term in value.terms if type(value) is Several else (value,):
                yield subject, key(term)

    def objects(self, predicate: str) -> list[str]:
        """The values of a property over all subjects, each once."""
        return list({value for _, value in self.pairs(predicate)})

    def of_class(self, *classes: str) -> list[str]:
        """The instances of classes and of their subclasses."""
        children: dict[str, list[str]] = defaultdict(list)
        for child, parent in self.pairs(terms.SUBCLASS):
            children[parent].append(child)
        subclasses = reachable(classes, children) | set(classes)
        types = {term for term in self._types if key(term) in subclasses}
        return [
            subject
            for subject, value in self.columns[terms.TYPE].items()
            if (not types.isdisjoint(value.terms) if type(value) is Several else value in types)
        ]

    @property
    def missing_imports(self) -> set[str]:
        """What is imported by the graph and not in it."""
        present = {iri.rstrip("#/") for iri in self.of_class(terms.ONTOLOGY)}
        imports = {
            term.value for subject in self.columns[terms.IMPORTS] for term in self.values(subject, terms.IMPORTS)
        }
        return {iri for iri in imports if iri.rstrip("#/") not in present}

    @cached_property
    def _types(self) -> set[Any]:
        values = self.columns[terms.TYPE].values()
        several = (term for value in values if type(value) is Several for term in value.terms)
        return {value for value in values if type(value) is not Several}.union(several)

    @cached_property
    def scores(self) -> list[str]:
        """The scores of all kinds."""
        return self.of_class(*(NS + kind for kind in SCORE_CLASSES))

    def work(self, shapes: str) -> int:
        """How much work the shapes are for SHACL, in the units of `check.LIMITS`."""
        if shapes == "scores":
            return len(self.scores) * (4 + len(self.of_class(f"{NS}Evaluation")))
        targets = (terms.TYPE, terms.SUBCLASS, terms.BROADER, terms.NARROWER, terms.RELATED, PREFERRED, ALTERNATIVE)
        return len(set().union(*(self.columns[name] for name in targets)))

    def label(self, subject: str) -> str | None:
        """A label, if possible in English or without a language."""
        labels = [term for name in NAMES[:2] for term in self.values(subject, name) if type(term) is ox.Literal]
        best = min(labels, key=lambda term: (term.language not in ("en", None), term.value), default=None)
        return None if best is None else str(best.value)

    def parents(self, up: Iterable[str], down: Iterable[str]) -> dict[str, list[str]]:
        """Each child with its parents, by properties from child to parent (up) and from parent to child (down)."""
        parents: dict[str, list[str]] = defaultdict(list)
        for name in up:
            for child, parent in self.pairs(name):
                parents[child].append(parent)
        for name in down:
            for parent, child in self.pairs(name):
                parents[child].append(parent)
        return parents


def reachable(starts: Iterable[str], neighbours: Mapping[str, list[str]]) -> set[str]:
    """The nodes that one or more steps lead to."""
    seen: set[str] = set()
    waiting = list(starts)
    while waiting:
        for name in neighbours.get(waiting.pop(), ()):
            if name not in seen:
                seen.add(name)
                waiting.append(name)
    return seen
