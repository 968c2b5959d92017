"""Relations other than is-a, read from every kind of file; what is read without them stays as it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from snippets import EX, load, short

import ontoeval as oe

OBO = "http://purl.obolibrary.org/obo/"


def relations(ontology: oe.Ontology) -> set[str]:
    """As `subject property object`, in short names."""
    assert ontology.relations is not None
    rows = ontology.relations.named_triples(ontology.hierarchy)
    return {" ".join(short(name).rpartition("#")[2].removeprefix(OBO) for name in row) for row in rows}


def read(turtle: str, **options: object) -> set[str]:
    return relations(load(turtle, other_relations=True, **options))


CLASSES = ":A a owl:Class . :B rdfs:subClassOf :A . :C rdfs:subClassOf :A . :p a owl:ObjectProperty . "


@pytest.mark.parametrize(
    ("turtle", "expected"),
    [
        (":A rdfs:subClassOf [ owl:onProperty :p ; owl:someValuesFrom :B ]", {"A p B"}),
        (":A rdfs:subClassOf [ owl:onProperty :p ; owl:allValuesFrom :B ]", {"A p B"}),
        (":A rdfs:subClassOf [ owl:onProperty :p ; owl:hasValue :i ]", {"A p i"}),
        (":A owl:equivalentClass [ owl:intersectionOf ( :B [ owl:onProperty :p ; owl:someValuesFrom :C ] ) ]",
         {"A p C"}),
        ("[ owl:onProperty :p ; owl:someValuesFrom :C ] owl:equivalentClass :A", {"A p C"}),
        (":A owl:intersectionOf ( :B [ owl:onProperty :p ; owl:someValuesFrom :C ] )", {"A p C"}),
        # not implied, and so no relation
        (":A rdfs:subClassOf [ owl:unionOf ( :B [ owl:onProperty :p ; owl:someValuesFrom :C ] ) ]", set()),
        (":A rdfs:subClassOf [ owl:onProperty :p ; owl:minCardinality 1 ]", set()),
        # a union or an intersection stands for its members
        (":A rdfs:subClassOf [ owl:onProperty :p ; owl:allValuesFrom [ owl:unionOf ( :B :C ) ] ]", {"A p B", "A p C"}),
        # the inverse of a property turns the relation round
        (":A rdfs:subClassOf [ owl:onProperty [ owl:inverseOf :p ] ; owl:someValuesFrom :B ]", {"B p A"}),
        # classes that are not of the file, datatypes
        (":A rdfs:subClassOf [ owl:onProperty :p ; owl:someValuesFrom :Elsewhere ]", set()),
        (":A rdfs:subClassOf [ owl:onProperty :d ; owl:someValuesFrom xsd:string ]", set()),
        (":p rdfs:domain :A ; rdfs:range :B", {"p domain A", "p range B"}),
        (":d a owl:DatatypeProperty ; rdfs:domain :A ; rdfs:range xsd:string", {"d domain A"}),
        (":r a rdf:Property ; rdfs:domain [ owl:unionOf ( :A :C ) ]", {"r domain A", "r domain C"}),
        (":p rdfs:domain owl:Thing", set()),
        (":i a :A ; :p :j . :j a :B", {"i p j"}),
        (":i :p :j", {"i p j"}),  # the ends of an object property are individuals
        (":i :unknown :j", set()),  # of any other they have to be known
        (":i a :A ; :unknown :j . :j a :B", {"i unknown j"}),
        (":A :unknown :B", {"A unknown B"}),
        (":i a :A ; :d :j . :j a :B . :d a owl:DatatypeProperty", set()),
        (":A :note :B . :note a owl:AnnotationProperty", set()),
        (":p rdfs:seeAlso :q", set()),
        (":A <http://www.w3.org/ns/shacl#node> :B", set()),
        (":i :p [ :p :j ]", set()),  # blank nodes
        (":B skos:closeMatch :C ; skos:broadMatch :A", {"B closeMatch C", "B broadMatch A"}),
        (":B skos:related :C ; skos:exactMatch :A", set()),  # the hierarchy has these
        (":B :p :Old . :Old a owl:Class ; owl:deprecated true", set()),
    ],
)  # fmt: skip
def test_what_triples_relate(turtle: str, expected: set[str]) -> None:
    assert read(CLASSES + turtle + " .") == expected


def test_symmetric_and_inverse_properties_and_labels_are_read() -> None:
    turtle = ':p a owl:SymmetricProperty ; rdfs:label "beside"@en . :q owl:inverseOf :r . :i :p :j . :j :q :k .'
    found = load(CLASSES + turtle + " :q a owl:ObjectProperty .", other_relations=True).relations
    assert found is not None
    names = [short(name) for name in found.properties]
    assert [names[place] for place in found.symmetric.nonzero()[0]] == ["p"]
    assert [[names[p] for p in pair] for pair in found.inverse.tolist()] == [["q", "r"]]
    assert found.lexicon.label(names.index("p")) == "beside"
    assert [short(name) for name in found.individuals] == ["i", "j", "k"]


@pytest.mark.parametrize("name", ["http://ex.org/nextTo", "nextTo", "next to"])
def test_a_user_can_say_that_a_property_is_symmetric(name: str) -> None:
    turtle = CLASSES + ':nextTo rdfs:label "next to" . :A :nextTo :B .'
    found = load(turtle, other_relations=True, symmetric=name)
    assert found.relations is not None
    place = found.relations.properties.index(EX + "nextTo")
    assert found.relations.symmetric[place]
    assert not found.source.notes


def test_a_symmetric_property_that_is_not_there_is_noted() -> None:
    found = load(CLASSES + ":A :nextTo :B .", other_relations=True, symmetric=["nextTu"])
    assert found.source.notes == ("no links with the relation 'nextTu'. Did you mean 'nextTo'?",)


def test_relations_that_are_subclass_links_are_no_other_relations() -> None:
    turtle = CLASSES + ":A :q :B . :C rdfs:subClassOf [ owl:onProperty :p ; owl:someValuesFrom :B ] ."
    assert read(turtle) == {"A q B", "C p B"}
    assert read(turtle, relations=[EX + "p"]) == {"A q B"}
    assert read(turtle, relations=[EX + "p", EX + "q"]) == set()


def test_relations_of_concepts_that_are_left_out_are_counted() -> None:
    found = load(CLASSES + ":A :p :B . :D a owl:Class ; :p :B .", other_relations=True, below="A")
    assert relations(found) == {"A p B"}
    assert (found.source.counts["relations"], found.source.counts["relations_left_out"]) == (1, 1)


def test_without_the_option_there_are_none_and_the_rest_is_the_same() -> None:
    turtle = CLASSES + ":A :p :B ; rdfs:subClassOf [ owl:onProperty :p ; owl:someValuesFrom :C ] ."
    plain, more = load(turtle), load(turtle, other_relations=True)
    assert plain.relations is None
    assert plain.source.triples == more.source.triples
    assert plain.hierarchy.iris == more.hierarchy.iris
    assert plain.lexicon.texts == more.lexicon.texts


def test_skos_mapping_links_are_relations_unless_they_are_hierarchical_or_synonyms() -> None:
    turtle = ":a a skos:Concept . :b skos:broader :a ; skos:closeMatch :a ; skos:narrowMatch :c ."
    turtle += " :c skos:broader :a ; :likes :b ."
    assert read(turtle) == {"b closeMatch a", "b narrowMatch c", "c likes b"}
    assert read(turtle, close_match=True, mappings=True) == {"c likes b"}


FUNCTIONAL = """Prefix(:=<http://ex.org/>)
Ontology(<http://ex.org/o>
Declaration(Class(:A)) Declaration(Class(:B)) Declaration(Class(:C)) Declaration(ObjectProperty(:p))
Declaration(ObjectProperty(:q)) Declaration(ObjectProperty(:s)) Declaration(NamedIndividual(:i))
Declaration(DataProperty(:d)) Declaration(AnnotationProperty(:note))
SubClassOf(:B :A) SubClassOf(:A ObjectAllValuesFrom(:p :B)) SubClassOf(:A ObjectHasValue(:p :i))
SubClassOf(:A ObjectSomeValuesFrom(ObjectInverseOf(:p) :C))
EquivalentClasses(:C ObjectIntersectionOf(:A ObjectSomeValuesFrom(:p :A)))
SymmetricObjectProperty(:s) InverseObjectProperties(:p :q) ObjectPropertyDomain(:p :A)
ObjectPropertyRange(:p ObjectUnionOf(:A :B)) DataPropertyDomain(:d :A)
ObjectPropertyAssertion(ObjectInverseOf(:p) :i :j) ObjectPropertyAssertion(:s :i :j)
AnnotationAssertion(:note :A :B)
)"""


def test_owl_in_three_syntaxes_has_the_same_relations() -> None:
    pyhornedowl = pytest.importorskip("pyhornedowl")
    ontology = pyhornedowl.open_ontology_from_string(FUNCTIONAL, "ofn")
    loaded = [
        oe.load_ontology(ontology.save_to_string(syntax).encode(), other_relations=True)
        for syntax in ("ofn", "owx", "rdf")
    ]
    assert relations(loaded[0]) == {
        "A p B", "A p i", "C p A", "d domain A", "i s j", "j p i", "p domain A", "p range A", "p range B"
    }  # fmt: skip
    assert len({one.digest for one in loaded}) == 1
    for one, syntax in zip(loaded[:2], ("ofn", "owx"), strict=True):
        plain = oe.load_ontology(ontology.save_to_string(syntax).encode())
        assert plain.source.triples == one.source.triples


OBO_FILE = """format-version: 1.2
ontology: ex

[Term]
id: EX:1
name: whole

[Term]
id: EX:2
name: part
is_a: EX:1
relationship: part_of EX:1 ! whole
relationship: EX:near EX:3

[Term]
id: EX:3
is_a: EX:1
alt_id: EX:9

[Term]
id: EX:4
is_a: EX:1
relationship: part_of EX:9

[Typedef]
id: part_of
name: part of
xref: BFO:0000050
inverse_of: has_part
domain: EX:2

[Typedef]
id: has_part
xref: BFO:0000051

[Typedef]
id: EX:near
is_symmetric: true

[Instance]
id: EX:i
instance_of: EX:1
relationship: part_of EX:j

[Instance]
id: EX:j
instance_of: EX:1
"""


def test_relationships_of_obo() -> None:
    found = oe.load_ontology(OBO_FILE.encode(), other_relations=True)
    assert relations(found) == {
        "EX_2 BFO_0000050 EX_1", "EX_2 EX_near EX_3", "EX_4 BFO_0000050 EX_3", "BFO_0000050 domain EX_2",
        "EX_i BFO_0000050 EX_j",
    }  # fmt: skip
    assert found.relations is not None
    names = [name.removeprefix(OBO) for name in found.relations.properties]
    assert [[names[p] for p in pair] for pair in found.relations.inverse.tolist()] == [["BFO_0000050", "BFO_0000051"]]
    assert names[int(found.relations.symmetric.nonzero()[0][0])] == "EX_near"
    assert found.relations.lexicon.label(names.index("BFO_0000050")) == "part of"
    plain = oe.load_ontology(OBO_FILE.encode())
    assert plain.hierarchy.iris == found.hierarchy.iris
    assert plain.lexicon.texts == found.lexicon.texts
    hierarchical = oe.load_ontology(OBO_FILE.encode(), other_relations=True, relations=["part_of"])
    assert relations(hierarchical) == {"EX_2 EX_near EX_3"}


def test_edges_of_obo_graphs() -> None:
    nodes = [{"id": f"EX:{n}", "type": "CLASS", "lbl": f"term {n}"} for n in (1, 2, 3)]
    nodes += [{"id": "BFO:0000050", "type": "PROPERTY", "lbl": "part of"}, {"id": "EX:i", "type": "INDIVIDUAL"}]
    edges = [
        {"sub": "EX:2", "pred": "is_a", "obj": "EX:1"},
        {"sub": "EX:2", "pred": "BFO:0000050", "obj": "EX:3"},
        {"sub": "EX:i", "pred": "BFO:0000050", "obj": "EX:3"},
        {"sub": "BFO:0000050", "pred": "inverseOf", "obj": "BFO:0000051"},
        {"sub": "BFO:0000050", "pred": "subPropertyOf", "obj": "EX:r"},
    ]
    graph = {
        "nodes": nodes,
        "edges": edges,
        "logicalDefinitionAxioms": [
            {"definedClassId": "EX:3", "genusIds": ["EX:1"],
             "restrictions": [{"propertyId": "BFO:0000050", "fillerId": "EX:2"}]}
        ],
        "domainRangeAxioms": [{"predicateId": "BFO:0000050", "domainClassIds": ["EX:1"], "rangeClassIds": ["EX:2"]}],
    }  # fmt: skip
    data = json.dumps({"graphs": [graph]}).encode()
    found = oe.load_ontology(data, other_relations=True)
    assert relations(found) == {
        "EX_2 BFO_0000050 EX_3", "EX_i BFO_0000050 EX_3", "EX_3 BFO_0000050 EX_2", "BFO_0000050 domain EX_1",
        "BFO_0000050 range EX_2",
    }  # fmt: skip
    assert found.relations is not None
    assert len(found.relations.inverse) == 1
    assert oe.load_ontology(data).hierarchy.iris == found.hierarchy.iris


def test_a_table_of_edges_has_no_other_relations() -> None:
    found = oe.load_ontology(b"cat\tanimal\n", other_relations=True)
    assert found.relations is not None
    assert len(found.relations) == 0
    assert found.digest == oe.load_ontology(b"cat\tanimal\n").digest


def test_lenient_reading_keeps_relations(tmp_path: Path) -> None:
    file = tmp_path / "a.ttl"
    file.write_text("<http://x/a b> a <http://x/c> . <http://x/k> <http://www.w3.org/2000/01/rdf-schema#subClassOf> "
                    "<http://x/l> ; <http://x/p> <http://x/l> .")  # fmt: skip
    found = oe.load_ontology(file, lenient=True, other_relations=True)
    assert relations(found) == {"http://x/k http://x/p http://x/l"}


ASSERTED = """:knows a owl:ObjectProperty . :Person a owl:Class . :ann :knows :bob . :anna :knows :bob .
:ann owl:sameAs :anna . :ann :key "A" . :bob :key "B" .
"""


def test_individuals_without_a_class_may_be_the_same() -> None:
    ontology = load(ASSERTED, other_relations=True)
    assert relations(ontology) == {"ann knows bob", "anna knows bob"}
    assert ontology.individual_names.same == ((EX + "ann", EX + "anna"),)
    assert oe.parse("RelP")(oe.Comparison(ontology, ontology)).counts["learned_relations"] == 1


def test_a_key_names_individuals_of_relations_like_instances() -> None:
    ontology = load(ASSERTED, other_relations=True, instance_key=[EX + "key"])
    assert relations(ontology) == {"A knows B", "anna knows B"}
    assert ontology.individual_names.same == (("A", EX + "anna"),)
    assert ontology.source.counts["relations_left_out"] == 0
