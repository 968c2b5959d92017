"""Constants: IRIs of RDF, OWL, SKOS, OBO; `LABELS`: label properties and roles (our own terms: rdf/vocabulary.py)."""

from __future__ import annotations

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
XSD = "http://www.w3.org/2001/XMLSchema#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
SKOS_XL = "http://www.w3.org/2008/05/skos-xl#"
OBO_IN_OWL = "http://www.geneontology.org/formats/oboInOwl#"
DCT = "http://purl.org/dc/terms/"
SHACL = "http://www.w3.org/ns/shacl#"
BUILT_IN = (RDF, RDFS, OWL, XSD)  # never the namespace of a concept

TYPE = RDF + "type"
FIRST, REST, NIL = RDF + "first", RDF + "rest", RDF + "nil"
SUBCLASS = RDFS + "subClassOf"
THING, NOTHING = OWL + "Thing", OWL + "Nothing"
CLASS, RDFS_CLASS, DEPRECATED_CLASS = OWL + "Class", RDFS + "Class", OWL + "DeprecatedClass"
ONTOLOGY, IMPORTS, VERSION_IRI = OWL + "Ontology", OWL + "imports", OWL + "versionIRI"
EQUIVALENT, SAME_AS = OWL + "equivalentClass", OWL + "sameAs"
INTERSECTION, UNION, DISJOINT_UNION = OWL + "intersectionOf", OWL + "unionOf", OWL + "disjointUnionOf"
ON_PROPERTY, SOME_VALUES = OWL + "onProperty", OWL + "someValuesFrom"
ALL_VALUES, HAS_VALUE = OWL + "allValuesFrom", OWL + "hasValue"
DOMAIN, RANGE, INVERSE = RDFS + "domain", RDFS + "range", OWL + "inverseOf"
SYMMETRIC, INDIVIDUAL = OWL + "SymmetricProperty", OWL + "NamedIndividual"
OBJECT_PROPERTIES = tuple(
    OWL + name
    for name in (
        "ObjectProperty", "SymmetricProperty", "AsymmetricProperty", "TransitiveProperty", "ReflexiveProperty",
        "IrreflexiveProperty", "InverseFunctionalProperty",
    )
)  # fmt: skip
DATA_PROPERTIES = (OWL + "DatatypeProperty", RDF + "Property")  # or of no known kind
ANNOTATION_PROPERTIES = (OWL + "AnnotationProperty", OWL + "OntologyProperty")
DEPRECATED = OWL + "deprecated"
ANNOTATED_SOURCE, ANNOTATED_PROPERTY = OWL + "annotatedSource", OWL + "annotatedProperty"
ANNOTATED_TARGET = OWL + "annotatedTarget"

CONCEPT, SCHEME, COLLECTION = SKOS + "Concept", SKOS + "ConceptScheme", SKOS + "Collection"
ORDERED_COLLECTION = SKOS + "OrderedCollection"
BROADER, NARROWER = SKOS + "broader", SKOS + "narrower"
BROADER_TRANSITIVE, NARROWER_TRANSITIVE = SKOS + "broaderTransitive", SKOS + "narrowerTransitive"
BROAD_MATCH, NARROW_MATCH = SKOS + "broadMatch", SKOS + "narrowMatch"
HIERARCHICAL_MAPPINGS = (BROAD_MATCH, NARROW_MATCH)
RELATED, RELATED_MATCH = SKOS + "related", SKOS + "relatedMatch"
EXACT_MATCH, CLOSE_MATCH = SKOS + "exactMatch", SKOS + "closeMatch"
IN_SCHEME, TOP_CONCEPT_OF, HAS_TOP_CONCEPT = SKOS + "inScheme", SKOS + "topConceptOf", SKOS + "hasTopConcept"

LITERAL_FORM = SKOS_XL + "literalForm"
OBO_NAMESPACE, ALTERNATIVE_ID = OBO_IN_OWL + "hasOBONamespace", OBO_IN_OWL + "hasAlternativeId"
OBSOLETE_CLASS = OBO_IN_OWL + "ObsoleteClass"  # above all obsolete terms in early OWL exports of OBO files
SUBJECT = DCT + "subject"

LABELS = {  # property -> role in the lexicon
    SKOS + "prefLabel": "preferred",
    RDFS + "label": "preferred",
    SKOS + "altLabel": "alternative",
    SKOS + "hiddenLabel": "hidden",
    OBO_IN_OWL + "hasExactSynonym": "exact",
    OBO_IN_OWL + "hasNarrowSynonym": "narrow",
    OBO_IN_OWL + "hasBroadSynonym": "broad",
    OBO_IN_OWL + "hasRelatedSynonym": "related",
    DCT + "title": "title",
    "http://schema.org/name": "title",
    "https://schema.org/name": "title",
}
XL_LABELS = {
    SKOS_XL + "prefLabel": "preferred",
    SKOS_XL + "altLabel": "alternative",
    SKOS_XL + "hiddenLabel": "hidden",
}
OBO = "http://purl.obolibrary.org/obo/"
