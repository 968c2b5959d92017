"""`load_ontology`: its steps: imports, OWL or SKOS, inferred edges, graphs, frames (then ontologies/build.py)."""

from __future__ import annotations

import gc
import io
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Literal

import pyoxigraph as ox

from ontoeval.errors import LoadError, Message, ParameterError, listed, number_of, warn
from ontoeval.load import terms
from ontoeval.load.formats import FORMATS, detect, format_of, suffixes
from ontoeval.load.input import Input, Progress, open_input
from ontoeval.load.ontologies.build import build, kept_concepts
from ontoeval.load.ontologies.columns import Columns, Properties, collect, properties_to_read
from ontoeval.load.ontologies.confidence import keep_confident_edges, read_confident_triples
from ontoeval.load.ontologies.edge_table import read_frame
from ontoeval.load.ontologies.facts import Facts, Link, unused_relation
from ontoeval.load.ontologies.format import FilesReader, OntologyFormat
from ontoeval.load.ontologies.imports import (
    ImportLocations,
    note_useless_imports,
    read_imports,
    report_missing_imports,
    unimportable,
)
from ontoeval.load.ontologies.instances import instances_of_triples, replace_instances
from ontoeval.load.ontologies.merge_labels import merge_near_duplicates
from ontoeval.load.ontologies.obo_ids import expand, follow_aliases
from ontoeval.load.ontologies.owl import read_owl
from ontoeval.load.ontologies.rdf import ntriples, quads_of_graph, worded_errors
from ontoeval.load.ontologies.reason import infer
from ontoeval.load.ontologies.relations import relations_of_triples
from ontoeval.load.ontologies.skos import classes_below, read_skos
from ontoeval.load.options import LoadOptions, Reasoner, check_iri
from ontoeval.model.networkx_graph import networkx_parts
from ontoeval.model.ontology import Ontology, Source

Quads = Callable[[], Iterable[Any]]  # reads the triples once more
Files = list[tuple[Input, OntologyFormat]]  # the file and what it imports


def load_ontology(
    source: object,
    options: LoadOptions | Mapping[str, Any] | None = None,
    *,
    progress: Progress | None = None,
    **choices: Any,
) -> Ontology:
    """Read an ontology.

    `source` is a path, '-' for stdin, bytes, an open file, an rdflib.Graph, an owlready2 ontology or a
    networkx.DiGraph.

    options: how it is read, as `LoadOptions` or by their names; single ones can be given as keywords
    (`load_ontology("a.obo", below="GO:0008150")`), which go before `options`. progress: called with the bytes read so
    far and in all.

    Examples
    --------
    >>> import ontoeval as oe
    >>> oe.load_ontology("fixtures/dellschaft2006/or2.ttl")
    <Ontology fixtures/dellschaft2006/or2.ttl: 7 concepts, 7 labels>
    >>> import pandas as pd
    >>> links = pd.DataFrame({"child": ["cat", "dog"], "parent": ["animal", "animal"]})
    >>> list(oe.load_ontology(links))
    ['animal', 'cat', 'dog']
    """
    with _garbage_collector_off():
        ontology = Pipeline(LoadOptions.make(options, **choices), progress).load(source)
    warn(ontology.source.warnings)
    return ontology


@dataclass(frozen=True)
class Pipeline:
    """The steps of loading, each with the options that it needs."""

    options: LoadOptions
    progress: Progress | None = None

    def load(self, source: object) -> Ontology:
        """Read `source`, whatever it is."""
        library = type(source).__module__.split(".")[0]
        if library == "networkx":
            facts = _networkx_facts(source)
            note_useless_imports(facts, self.options.imports, library)
            return self._build(self._confident(facts, "(networkx)"), Source("(networkx)"))
        if library in ("pandas", "polars"):
            name = f"({library})"
            facts = self._frame_facts(source, name)
            note_useless_imports(facts, self.options.imports, library)
            return self._build(self._confident(facts, name), Source(name))
        if library == "rdflib":
            return self._from_quads(lambda: quads_of_graph(source), Source("(rdflib)"))  # type: ignore[arg-type]
        if library == "owlready2":
            return self._from_quads(lambda: _owlready_quads(source), Source("(owlready2)"))
        with closing(self._open(source)) as opened:
            return self._from_file(opened)

    def _frame_facts(self, source: object, name: str) -> Facts:
        if type(source).__name__ != "DataFrame":
            raise LoadError(
                f"a {type(source).__name__} is not a table of links",
                advice="Use a DataFrame with the columns child and parent.",
                path=name,
            )
        return read_frame(source, self.options, name)

    def _open(self, source: object) -> Input:
        return open_input(source, limit=self.options.max_size, progress=self.progress, suffixes=suffixes())

    def _from_file(self, file: Input) -> Ontology:
        format = FORMATS[format_of(file, self.options.format, self.options.columns)]
        source = Source(path=file.name, format=format.name, sha256=file.sha256)
        if format.rdf is not None:
            columns = Columns()
            self._read_triples(file, format, columns)
            files: Files = [(file, format)]
            return self._from_columns(columns, source, files, lambda: _all_quads(files, self.options))
        if self.options.reason:
            raise ParameterError(
                f"reasoning needs OWL, not {format.name}",
                place=file.name,
                advice="Remove {reason}.",
                parameter="reason",
            )
        facts = format.read(file, self.options) if format.reader is None else self._read_files(file, format.reader)
        if format.reader is None:
            note_useless_imports(facts, self.options.imports, format.name)
        if self.options.lenient and (replaced := file.replaced_bytes()):
            facts.notes.append(f"{number_of(replaced, 'byte sequence is', 'byte sequences are')} not UTF-8; replaced")
        return self._build(self._confident(facts, source.path), source)

    def _read_files(self, file: Input, make: Callable[[LoadOptions], FilesReader]) -> Facts:
        """The facts of a file without triples and of what it imports, which may have triples."""
        reader, columns = make(self.options), Columns()
        own_names = reader.read(file)

        def read(path: Path) -> set[str]:
            imported = self._open(path)
            format = FORMATS[detect(imported)]
            if format.reader is make:
                return reader.read(imported)
            if format.rdf is None:
                raise unimportable(imported.name, format.name, "OBO, RDF or OWL")
            before = _ontology_names(columns)
            owl._read_triples(imported, format, columns)
            return _ontology_names(columns) - before

        def imports() -> tuple[set[str], set[str]]:
            return {*reader.imports, *_imported_by(columns)}, {*own_names, *_ontology_names(columns)}

        names = {expand(name): name for name in self.options.relations}
        options = replace(self.options, relations=tuple(names), weights=None, min_confidence=None)
        owl = Pipeline(options, self.progress)
        found = read_imports(self._locations(file), imports, read)
        facts = reader.facts()
        if columns.triples:
            owl_facts = owl._read_as(owl._profile(columns), columns, file.name)
            owl_facts.properties = [names.get(iri, iri) for iri in owl_facts.properties]
            if options.other_relations:
                relations_of_triples(columns, options=options)
            instances_of_triples(columns, options)
            facts.add(owl_facts)
            follow_aliases(facts)
        facts.imports, facts.unasked_imports = found.missing, found.unasked
        facts.notes.extend(found.notes)
        return facts

    def _locations(self, file: Input | None) -> ImportLocations:
        importing = None if file is None else Path(file.name)
        return ImportLocations(self.options.imports, importing if importing and importing.is_file() else None)

    def _confident(self, facts: Facts, path: str) -> Facts:
        """The facts of what has no triples, without what is below the least confidence."""
        if self.options.min_confidence is not None:
            keep_confident_edges(facts, self.options.min_confidence, path=path)
        return facts

    def _read_triples(self, file: Input, format: OntologyFormat, columns: Columns) -> None:
        properties = self._properties()
        if format.collect is not None:
            format.collect(file, self.options, columns, properties)
        else:
            with worded_errors(file.name, format.name, source=file), format.quads(file, self.options) as quads:
                collect(quads, columns, properties)
        if not columns.triples:
            raise LoadError(
                f"no statements found (read as {format.name})",
                advice="Set {format}.",
                parameter="format",
                path=file.name,
                format=format.name,
            )

    def _properties(self) -> Properties:
        options = self.options
        for relation in options.relations:
            check_iri(relation, "relation", "relations")
        return properties_to_read(
            options.relations,
            options.instance_property,
            options.instance_key,
            confidences=options.min_confidence is not None,
            others=options.other_relations,
        )

    def _from_quads(self, quads: Quads, source: Source) -> Ontology:
        columns = Columns()
        properties = self._properties()
        with worded_errors(source.path, "rdf"):
            collect(quads(), columns, properties)
        if not columns.triples:
            raise LoadError("no statements found", advice="Use an ontology.", path=source.path)
        return self._from_columns(columns, source, [], quads)

    def _from_columns(self, columns: Columns, source: Source, files: Files, quads: Quads) -> Ontology:
        ontologies = sorted(_names(columns, columns.members(terms.ONTOLOGY)))
        columns.facts.iri = ontologies[0] if ontologies else None
        self._import(columns, files)
        facts = self._facts(columns, source.path)
        if self.options.reason:
            with worded_errors(source.path, "rdf"):
                data = ntriples(quads())
            self._infer(facts, self.options.reason, data, source.path)
        instances_of_triples(columns, self.options)
        return self._build(facts, source)

    def _import(self, columns: Columns, files: Files) -> None:
        """Add the triples of imported ontologies, and of theirs; those not found stay in facts.imports."""

        def read(path: Path) -> set[str]:
            file = self._open(path)
            format = FORMATS[detect(file)]
            if format.rdf is None:
                raise unimportable(file.name, format.name)
            before = _ontology_names(columns)
            self._read_triples(file, format, columns)
            files.append((file, format))
            return _ontology_names(columns) - before

        def imports() -> tuple[set[str], set[str]]:
            return _imported_by(columns), _names(columns, columns.members(terms.ONTOLOGY))

        found = read_imports(self._locations(files[0][0] if files else None), imports, read)
        columns.facts.imports, columns.facts.unasked_imports = found.missing, found.unasked
        columns.facts.notes.extend(found.notes)

    def _facts(self, columns: Columns, path: str) -> Facts:
        options = self.options
        if options.reason and options.min_confidence is not None:
            raise ParameterError(
                Message("{reason} and {min_confidence} cannot be combined: a reasoner reads all axioms"),
                place=path,
                advice="Remove one of them.",
                parameter="min_confidence",
            )
        restricted = {prop for _, prop in columns.pairs_of(terms.ON_PROPERTY)}
        for name in options.relations:
            if not any(columns.pairs_of(name)) and columns.facts.names.get(name) not in restricted:
                columns.facts.notes.append(unused_relation(name))
        profile = self._profile(columns)  # of the whole file, whatever confidence is asked for
        read = partial(self._read_as, profile, path=path)
        read_relations = partial(relations_of_triples, options=options) if options.other_relations else None
        if options.min_confidence is not None:
            least = options.min_confidence
            return read_confident_triples(
                columns, read, least, options.relations, path=path, read_relations=read_relations
            )
        facts = read(columns)
        if read_relations is not None:
            read_relations(columns)
        return facts

    def _read_as(self, profile: Literal["owl", "skos"], columns: Columns, path: str) -> Facts:
        options = self.options
        if profile == "owl":
            if options.scheme is not None:
                raise ParameterError(
                    Message("{scheme} needs SKOS, but the file was read as OWL"),
                    place=path,
                    advice="Set {profile=skos}.",
                    parameter="scheme",
                )
            return read_owl(columns, relations=options.relations)
        if options.reason:
            raise ParameterError(
                "reasoning needs OWL, not SKOS",
                place=path,
                advice="Remove {reason}.",
                parameter="reason",
            )
        return read_skos(columns, options, path=path)

    def _profile(self, columns: Columns) -> Literal["owl", "skos"]:
        """The kind of which the file has more, classes or concepts; what it has of the other is noted."""
        if self.options.profile != "auto":
            return self.options.profile
        subclasses = (child for child, _ in columns.pairs_of(terms.SUBCLASS))
        classes = len({*columns.members(terms.CLASS, terms.RDFS_CLASS), *subclasses})
        linked = (concept for pair in columns.pairs_of(terms.BROADER, terms.NARROWER) for concept in pair)
        concepts = len({*columns.members(*classes_below(columns, terms.CONCEPT)), *linked})
        is_skos = concepts > classes
        if classes and concepts:
            read, others, profile = (
                ("SKOS", number_of(classes, "class", "classes"), "owl")
                if is_skos
                else ("OWL", number_of(concepts, "SKOS concept", "SKOS concepts"), "skos")
            )
            columns.facts.notes.append(
                Message(f"read as {read}; the file also has {others}. To read these instead, set {{profile={profile}}}")
            )
        return "skos" if is_skos else "owl"

    def _infer(self, facts: Facts, reasoner: Reasoner, data: bytes, path: str) -> None:
        """Add the inferred edges to the asserted ones; `build` removes those that others imply."""
        inferred = infer(data, reasoner=reasoner, timeout=self.options.reason_timeout, path=path)
        for child, parent in inferred.subclasses:
            facts.edge(facts.number(child), facts.number(parent), property=terms.SUBCLASS)
        asserted = {frozenset(pair) for pair in facts.equivalent}
        pairs = ((facts.number(a), facts.number(b)) for a, b in inferred.equivalent)
        facts.equivalent.extend(pair for pair in pairs if frozenset(pair) not in asserted)
        facts.reduce = True
        facts.counts["unsatisfiable"] = len(inferred.unsatisfiable)
        if inferred.unsatisfiable:
            unsatisfiable = number_of(len(inferred.unsatisfiable), "class is", "classes are")
            facts.notes.append(f"{unsatisfiable} unsatisfiable: {listed(inferred.unsatisfiable)}")
        facts.notes.extend(inferred.notes)

    def _build(self, facts: Facts, source: Source) -> Ontology:
        if self.options.merge_labels is not None:
            merge_near_duplicates(facts, self.options.merge_labels, kept_concepts(facts, self.options))
        if self.options.instances is not None:
            source = replace(source, instances=replace_instances(facts, self.options))
        report_missing_imports(facts, source.path)
        return build(facts, self.options, replace(source, min_confidence=self.options.min_confidence))


@contextmanager
def _garbage_collector_off() -> Iterator[None]:
    """Facts hold no cycles, and looking for some among millions of names takes a tenth of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _names(columns: Columns, numbers: Iterable[int]) -> set[str]:
    distinct = set(numbers)
    if not distinct:
        return set()
    names = list(columns.facts.names)
    return {names[n] for n in distinct}


def _imported_by(columns: Columns) -> set[str]:
    return _names(columns, (imported for _, imported in columns.pairs_of(terms.IMPORTS)))


def _ontology_names(columns: Columns) -> set[str]:
    """The ontology and version IRIs of what was read."""
    versions = (version for _, version in columns.pairs_of(terms.VERSION_IRI))
    return _names(columns, chain(columns.members(terms.ONTOLOGY), versions))


def _all_quads(files: Sequence[tuple[Input, OntologyFormat]], options: LoadOptions) -> Iterable[Any]:
    for file, format in files:
        with format.quads(file, options) as quads:
            yield from quads


def _owlready_quads(ontology: Any) -> Iterable[Any]:
    """The triples of an owlready2 ontology and of what it has loaded by import."""
    seen: list[Any] = []
    pending = [ontology]
    while pending:
        current = pending.pop()
        if current in seen:
            continue
        seen.append(current)
        pending.extend(current.imported_ontologies)
        data = io.BytesIO()
        current.save(file=data, format="ntriples")
        yield from ox.parse(data.getvalue(), format=ox.RdfFormat.N_TRIPLES, lenient=True)


def _networkx_facts(graph: Any) -> Facts:
    facts = Facts(profile="names")
    pairs, labels = networkx_parts(graph)
    facts.concepts.extend(facts.number(str(node)) for node in graph)
    for child, parent, *weight in pairs["hierarchical"]:
        facts.edge(facts.number(child), facts.number(parent), *weight)
    for kind, column in (("related", facts.related), ("synonym", facts.synonyms)):
        for a, b, *weight in pairs[kind]:
            column.append(Link(facts.number(a), facts.number(b), weight=weight[0] if weight else math.nan))
    for node, label in labels.items():
        facts.label(facts.number(node), label, "", "preferred")
    return facts
