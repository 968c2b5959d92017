"""The road from a source to an ontology: open, detect, read, import, reason, build."""

from __future__ import annotations

import gc
import io
import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, get_args

from ontoeval.errors import LoadError, ParameterError, did_you_mean, listed
from ontoeval.load import terms
from ontoeval.load.formats import Format, detect, named_format
from ontoeval.load.input import Input, Progress, open_input
from ontoeval.load.ontologies.build import Choices, build
from ontoeval.load.ontologies.columns import Columns, Wanted, collect, wanted
from ontoeval.load.ontologies.edge_table import checked_columns, read_edges, read_json, read_pairs
from ontoeval.load.ontologies.facts import Facts, unused_relation
from ontoeval.load.ontologies.imports import Library, answers
from ontoeval.load.ontologies.instances import given_instances, place_instances
from ontoeval.load.ontologies.obo import read_obo
from ontoeval.load.ontologies.obograph import read_obograph
from ontoeval.load.ontologies.owl import read_owl
from ontoeval.load.ontologies.owlxml import HORNED_FORMATS, full_rdf, owl_triples
from ontoeval.load.ontologies.rdf import RDF_FORMATS, ntriples, quads_of, quads_of_graph, read_rdf, worded_errors
from ontoeval.load.ontologies.reason import Reasoner, infer
from ontoeval.load.ontologies.skos import classes_below, read_skos
from ontoeval.load.ontologies.wordnet import read_wordnet
from ontoeval.load.safety import check_xml
from ontoeval.model.instances import Assigned
from ontoeval.model.ontology import Ontology, Source, networkx_parts

Profile = Literal["auto", "owl", "skos"]


@dataclass(frozen=True)
class Road:
    """One way of loading, with all that a user chose; see `load_ontology`."""

    choices: Choices
    format: str | None
    profile: Profile
    reason: Reasoner | None
    reason_timeout: float
    imports: Sequence[str | Path]
    relations: Sequence[str]
    scheme: str | None
    transitive: bool
    mappings: bool
    close_match: bool
    instances: str | Path | Assigned | None
    instance_property: str | None
    columns: str | Sequence[str] | None
    base_iri: str | None
    lenient: bool
    max_size: int
    progress: Progress | None

    def __post_init__(self) -> None:
        _check_choice("profile", self.profile, get_args(Profile))
        _check_choice("reasoner", self.reason, (None, *get_args(Reasoner)))
        _check_choice("on_cycle", self.choices.on_cycle, ("keep", "error"))
        if self.columns is not None:
            checked_columns(self.columns)
        if self.instance_property is not None:
            _check_iri("instance property", self.instance_property)
        for key in self.choices.instance_keys:
            _check_iri("instance key", key)
        if not 0 <= self.choices.min_strength <= 1:
            raise ParameterError(
                f"the least strength {self.choices.min_strength!r} is not between 0 and 1. "
                "Give a number above 0, at most 1."
            )
        if self.base_iri is not None and not _is_absolute(self.base_iri):
            raise ParameterError(
                f"the base IRI {self.base_iri!r} is no absolute IRI. Give one as in http://example.org/onto."
            )

    def load(self, source: object) -> Ontology:
        """Read `source`, whatever it is."""
        with _garbage_collector_off():
            return self._load(source)

    def _load(self, source: object) -> Ontology:
        library = type(source).__module__.split(".")[0]
        if library == "networkx":
            return self._finished(_networkx_facts(source), Source("(networkx)"))
        if library == "rdflib":
            return self._from_quads(lambda: quads_of_graph(source), Source("(rdflib)"))  # type: ignore[arg-type]
        if library == "owlready2":
            return self._from_quads(lambda: _owlready_quads(source), Source("(owlready2)"))
        given = open_input(source, limit=self.max_size, progress=self.progress)
        with closing(given):
            return self._from_input(given)

    def _from_input(self, given: Input) -> Ontology:
        format = self._format_of(given)
        about = Source(path=given.name, format=format, sha256=given.sha256)
        if format in RDF_FORMATS or format in HORNED_FORMATS:
            columns = Columns()
            self._read_triples(given, format, columns)
            return self._from_columns(columns, about, [(given, format)])
        if self.reason:
            raise ParameterError(f"{given.name}: a reasoner needs OWL, and this is {format}. Leave --reason out.")
        return self._finished(self._plain_facts(given, format), about)

    def _format_of(self, given: Input) -> Format:
        if self.format is None:
            return detect(given)
        chosen = named_format(self.format)
        if chosen in ("xml", "owlxml"):
            check_xml(given)  # the entity check, which detection would have done
        return chosen

    def _plain_facts(self, given: Input, format: Format) -> Facts:
        """The formats without triples."""
        facts = self._read_plain(given, format)
        replaced = given.replaced_bytes() if self.lenient else 0
        if replaced:
            facts.notes.append(f"bytes that are not UTF-8 replaced: {replaced}")
        return facts

    def _read_plain(self, given: Input, format: Format) -> Facts:
        if format == "obo":
            text = given.read_text(errors="replace" if self.lenient else "strict")
            return read_obo(io.StringIO(text), path=given.name, relations=self.relations, lenient=self.lenient)
        if format == "obograph":
            return read_obograph(read_json(given, lenient=self.lenient), path=given.name, relations=self.relations)
        if format == "pairs":
            return read_pairs(given, lenient=self.lenient)
        if format == "wordnet":
            return read_wordnet(given, lenient=self.lenient)
        columns = None if self.columns is None else checked_columns(self.columns)
        return read_edges(given, columns=columns, lenient=self.lenient)

    def _read_triples(self, given: Input, format: Format, columns: Columns) -> None:
        properties = self._properties()
        if format in HORNED_FORMATS:
            with worded_errors(given.name, format):
                collect(owl_triples(given, format), columns, properties)
        else:
            read_rdf(given, format, columns, properties, lenient=self.lenient, base=self.base_iri)
        if not columns.triples:
            raise LoadError("there is no statement in it. Give an ontology file.", path=given.name, format=format)

    def _properties(self) -> Wanted:
        for relation in self.relations:
            _check_iri("relation", relation)
        return wanted(self.relations, self.instance_property, self.choices.instance_keys)

    def _from_quads(self, quads: Any, about: Source) -> Ontology:
        columns = Columns()
        properties = self._properties()
        with worded_errors(about.path, "rdf"):
            collect(quads(), columns, properties)
        if not columns.triples:
            raise LoadError("there is no statement in it. Give an ontology.", path=about.path)
        return self._from_columns(columns, about, [], quads)

    def _from_columns(
        self, columns: Columns, about: Source, files: list[tuple[Input, Format]], quads: Any = None
    ) -> Ontology:
        own = sorted(_names(columns, columns.members(terms.ONTOLOGY)))
        columns.facts.iri = own[0] if own else None
        self._import(columns, files)
        facts = self._facts_of(columns, about)
        if self.reason:
            everything = quads() if quads else _all_quads(files, self.lenient, self.base_iri)
            with worded_errors(about.path, "rdf"):
                data = ntriples(everything)
            self._infer(facts, self.reason, data, about.path)
        place_instances(columns, self.instance_property, self.choices.instance_keys)
        return self._finished(facts, about)

    def _import(self, columns: Columns, files: list[tuple[Input, Format]]) -> None:
        """Add the triples of imported ontologies, and theirs; what was not found stays in facts.imports."""
        library = Library(self.imports)
        waiting = list(library.files)
        read: dict[Path, set[str]] = {}
        missing: set[str] = set()
        while True:
            for path in waiting:
                if path.resolve() not in {known.resolve() for known in read}:
                    read[path] = self._add_import(path, columns, files)
            declared = _names(columns, (o for _, o in columns.of(terms.IMPORTS)))
            own = {name.rstrip("#/") for name in _names(columns, columns.members(terms.ONTOLOGY))}
            missing = {
                iri
                for iri in declared
                if iri.rstrip("#/") not in own and not any(answers(p, names, iri) for p, names in read.items())
            }
            found = {iri: library.find(iri) for iri in sorted(missing)}
            known = {path.resolve() for path in read}
            waiting = [path for path in found.values() if path is not None and path.resolve() not in known]
            missing = {iri for iri, path in found.items() if path is None}
            if not waiting:
                break
        columns.facts.imports = sorted(missing)

    def _add_import(self, path: Path, columns: Columns, files: list[tuple[Input, Format]]) -> set[str]:
        given = open_input(path, limit=self.max_size, progress=self.progress)
        format = detect(given)
        if format not in RDF_FORMATS and format not in HORNED_FORMATS:
            raise LoadError(f"an import must be RDF or OWL, and this is {format}. Convert it.", path=given.name)
        before = _names(columns, columns.members(terms.ONTOLOGY))
        self._read_triples(given, format, columns)
        files.append((given, format))
        versions = _names(columns, (o for _, o in columns.of(terms.VERSION_IRI)))
        return (_names(columns, columns.members(terms.ONTOLOGY)) - before) | versions

    def _facts_of(self, columns: Columns, about: Source) -> Facts:
        restricted = {prop for _, prop in columns.of(terms.ON_PROPERTY)}
        for name in self.relations:
            if not any(columns.of(name)) and columns.facts.names.get(name) not in restricted:
                columns.facts.notes.append(unused_relation(name))
        profile = self._profile_of(columns)
        if profile == "owl":
            if self.scheme is not None:
                raise ParameterError(
                    f"{about.path}: --scheme is for SKOS, and this is read as OWL. Give --profile skos."
                )
            return read_owl(columns, relations=self.relations)
        if self.reason:
            raise ParameterError(f"{about.path}: a reasoner needs OWL, and this is read as SKOS. Leave --reason out.")
        return read_skos(
            columns,
            path=about.path,
            transitive=self.transitive,
            mappings=self.mappings,
            close_match=self.close_match,
            scheme=self.scheme,
            relations=self.relations,
        )

    def _profile_of(self, columns: Columns) -> Literal["owl", "skos"]:
        """The kind of which the file has more, classes or concepts; what it has of the other is noted."""
        if self.profile != "auto":
            return self.profile
        classes = len({*columns.members(terms.CLASS, terms.RDFS_CLASS), *(c for c, _ in columns.of(terms.SUBCLASS))})
        concepts = len(
            {
                *columns.members(*classes_below(columns, terms.CONCEPT)),
                *(c for pair in columns.of(terms.BROADER, terms.NARROWER) for c in pair),
            }
        )
        chosen: Literal["owl", "skos"] = "skos" if concepts > classes else "owl"
        if classes and concepts:
            other = f"{concepts} SKOS concepts" if chosen == "owl" else f"{classes} classes"
            columns.facts.notes.append(
                f"read as {chosen.upper()}; it also has {other}: --profile {'skos' if chosen == 'owl' else 'owl'}"
            )
        return chosen

    def _infer(self, facts: Facts, reasoner: Reasoner, data: bytes, path: str) -> None:
        """Add the inferred edges to the told ones; `build` removes those that others imply."""
        inferred = infer(data, reasoner=reasoner, timeout=self.reason_timeout, path=path)
        for child, parent in inferred.subclasses:
            facts.edge(facts.number(child), facts.number(parent))
        told = {frozenset(pair) for pair in facts.equivalent}
        found = ((facts.number(a), facts.number(b)) for a, b in inferred.equivalent)
        facts.equivalent.extend(pair for pair in found if frozenset(pair) not in told)
        facts.reduce = True
        facts.counts["unsatisfiable"] = len(inferred.unsatisfiable)
        if inferred.unsatisfiable:
            facts.notes.append(f"unsatisfiable: {listed(inferred.unsatisfiable)}")
        facts.notes.extend(inferred.notes)

    def _finished(self, facts: Facts, about: Source) -> Ontology:
        if self.instances is not None:
            table = given_instances(facts, self.choices, self.instances, lenient=self.lenient, max_size=self.max_size)
            about = replace(about, instances=table)
        return build(facts, self.choices, about)


@contextmanager
def _garbage_collector_off() -> Iterator[None]:
    """Facts hold no cycles, and looking for some among millions of names takes a tenth of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _is_absolute(iri: str) -> bool:
    import pyoxigraph as ox

    try:
        ox.NamedNode(iri)
    except ValueError:
        return False
    return True


def _check_iri(what: str, value: str) -> None:
    if not _is_absolute(value):
        raise ParameterError(f"the {what} {value!r} is no IRI. Give its full IRI.")


def _check_choice(what: str, value: str | None, choices: Sequence[str | None]) -> None:
    if value not in choices:
        names = [c for c in choices if c is not None]
        raise ParameterError(
            f"unknown {what} {value!r}.{did_you_mean(str(value), names)} Choose from: {', '.join(names)}."
        )


def _names(columns: Columns, numbers: Iterable[int]) -> set[str]:
    chosen = set(numbers)
    if not chosen:
        return set()
    names = list(columns.facts.names)
    return {names[n] for n in chosen}


def _all_quads(files: Sequence[tuple[Input, Format]], lenient: bool, base: str | None) -> Iterable[Any]:
    for given, format in files:
        if format in HORNED_FORMATS:
            yield from full_rdf(given, format)
        else:
            with quads_of(given, format, lenient=lenient, base=base) as quads:
                yield from quads


def _owlready_quads(ontology: Any) -> Iterable[Any]:
    """The triples of an owlready2 ontology and of what it has loaded by import."""
    import pyoxigraph as ox

    seen: list[Any] = []
    waiting = [ontology]
    while waiting:
        one = waiting.pop()
        if one in seen:
            continue
        seen.append(one)
        waiting.extend(one.imported_ontologies)
        data = io.BytesIO()
        one.save(file=data, format="ntriples")
        yield from ox.parse(data.getvalue(), format=ox.RdfFormat.N_TRIPLES, lenient=True)


def _networkx_facts(graph: Any) -> Facts:
    facts = Facts(profile="names")
    pairs, labels = networkx_parts(graph)
    facts.concepts.extend(facts.number(str(node)) for node in graph)
    for child, parent, *weight in pairs["hierarchical"]:
        facts.edge(facts.number(child), facts.number(parent), *weight)
    for kind, column in (("related", facts.related), ("synonym", facts.synonyms)):
        for a, b, *weight in pairs[kind]:
            column.append((facts.number(a), facts.number(b)))
            facts.own_weights[column[-1]] = weight[0] if weight else math.nan
    for node, label in labels.items():
        facts.label(facts.number(node), label, "", "preferred")
    return facts
