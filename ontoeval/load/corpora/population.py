"""Reader of populated ontologies (RDF, OWL): each individual is an annotation of its IRI or label with its classes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ontoeval.errors import LoadError, OntoevalError
from ontoeval.load import terms
from ontoeval.load.corpora.format import CorpusOptions, join_same, refuse_empty
from ontoeval.load.formats import FORMATS, detect
from ontoeval.load.input import Input, open_input
from ontoeval.load.ontologies.columns import Columns, Properties, collect
from ontoeval.load.ontologies.format import Fit, Head
from ontoeval.load.ontologies.rdf import NOWHERE, worded_errors
from ontoeval.load.options import LoadOptions
from ontoeval.model.corpus import AnnotatedDocument, Annotation
from ontoeval.model.lexicon import MEANING, ROLES, language_rank, name_as_label

DOCUMENT = "population"  # the name of the only document: that of a file would differ between response and key
_PROPERTIES = Properties((terms.SAME_AS,), ())
_NO_CLASSES = (*terms.BUILT_IN, terms.SKOS)  # vocabularies whose types do not say what an individual is
_OTHER_LANGUAGE = 3  # rank of a label in a language that was not asked for


def is_population(head: bytes, name: str) -> bool:
    """Whether the first bytes are surely RDF or OWL; formats of annotations in RDF are asked before."""
    try:
        start = Head(open_input(head))
        rows = [row for row in FORMATS.values() if row.rdf is not None and row.sniff(start) == Fit.SURELY]
        return any(row.written_in != "json" or b'"@' in head for row in rows)  # JSON-LD has keywords such as "@type"
    except OntoevalError:
        return False


def read_population(file: Input, options: CorpusOptions) -> Iterator[AnnotatedDocument]:
    """One document; every individual with a class is an annotation for each class that it was told to have.

    The place of an annotation is the IRI of the individual, with `options.individuals` "label" its label (without one
    the words of its local name). Types of RDF, RDFS, OWL and SKOS are no classes. A class feature that is the start of
    an IRI picks a vocabulary: other classes do not count. Individuals without an IRI are left out. Several files are
    one population.
    """
    refuse_empty(file, "population")
    columns = _columns(file)
    facts = columns.facts
    names = list(facts.names)
    join_same(options.findings.same, _same(columns, names))
    classes: dict[int, list[str]] = {}
    for kind in sorted(columns.types):
        if _counts_as_class(kind, options.class_feature):
            for member in set(columns.types[kind]):
                classes.setdefault(member, []).append(kind)
    if not classes:
        raise LoadError(
            "no individuals with a class found",
            advice="Use RDF with individuals that have a type.",
            path=file.name,
            format="population",
        )
    labels = _labels(columns, options.language) if options.individuals == "label" else {}
    numbers, annotations = options.findings.things, []
    for node in sorted(classes, key=names.__getitem__):
        iri = names[node]
        thing = labels.get(node, name_as_label(iri)) if options.individuals == "label" else iri
        start = numbers.setdefault(thing, len(numbers))
        annotations += [Annotation(start, start + 1, kind, iri) for kind in classes[node]]
    yield AnnotatedDocument(DOCUMENT, annotations)


def _columns(file: Input) -> Columns:
    """The types, labels and owl:sameAs of a file."""
    columns, options = Columns(), LoadOptions(base_iri=NOWHERE)
    format = FORMATS[detect(file)]
    if format.rdf is None:
        raise LoadError(
            f"a population must be RDF or OWL, not {format.name}",
            advice="Convert it.",
            path=file.name,
            format="population",
        )
    with worded_errors(file.name, format.name, source=file, lenient=True), format.quads(file, options) as quads:
        collect(quads, columns, _PROPERTIES)
    return columns


def _counts_as_class(kind: str, vocabulary: str | None) -> bool:
    if kind.startswith(_NO_CLASSES):
        return False
    return not vocabulary or ":" not in vocabulary or kind.startswith(vocabulary)


def _same(columns: Columns, names: list[str]) -> Iterable[tuple[str, str]]:
    for left, right in columns.pairs_of(terms.SAME_AS):
        if not names[left].startswith("_:") and not names[right].startswith("_:"):
            yield names[left], names[right]


def _labels(columns: Columns, language: str | None) -> dict[int, str]:
    """The label of each node: by role, language and text the first; with a language none in another one."""
    facts = columns.facts
    best: dict[int, tuple[int, int, str, str]] = {}
    for node, text, tag, role in zip(facts.labelled, facts.texts, facts.languages, facts.roles, strict=True):
        rank = 0 if language is None else language_rank(tag, language.lower())
        if rank < _OTHER_LANGUAGE and ROLES.index(role) in MEANING and text.strip():
            label = (ROLES.index(role), rank, tag, text.strip())
            best[node] = min(label, best.get(node, label))
    return {node: label[-1] for node, label in best.items()}
