"""Relations other than is-a: RelP, RelR, RelF against their twin, on random relations and by hand."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyoxigraph as ox
import pytest
import rdflib
import twin_relations as twin
from helpers import data_folder, near, refusal
from hypothesis import given, settings
from rdflib.collection import Collection
from rdflib.namespace import OWL, RDF, RDFS
from strategies import shuffles
from twin_compare import Case, cases, named
from twin_concepts import Concepts
from twin_individuals import Population
from twin_relations import DOMAIN, RANGE, RELATED, RelationPair, random_side

import ontoeval as oe
from ontoeval.analysis.explain import Errors
from ontoeval.errors import MissingInputError, ParameterError
from ontoeval.measures.comparison import _relations
from ontoeval.model.instances import IndividualNames
from ontoeval.model.lexicon import local_name, split_words

NAMES = ("RelP", "RelR", "RelF")


def with_same(ontology: oe.Ontology, *pairs: tuple[str, str]) -> oe.Ontology:
    """The ontology with pairs of owl:sameAs."""
    return replace(ontology, individual_names=IndividualNames(same=pairs))


def drawn(case: Case, random: Random, most: int) -> tuple[RelationPair, oe.Comparison]:
    """Two hierarchies with random relations; half of the gold ones are made of the learned ones."""
    learned, gold = named(case.learned), named(case.gold)
    sides = (
        random_side(learned, twin.LEARNED_PROPERTIES, random, most),
        random_side(gold, twin.GOLD_PROPERTIES, random, most),
    )
    same = {**case.mapping, **twin.COMMON_PROPERTIES, DOMAIN: DOMAIN, RANGE: RANGE}
    same |= {name: name for name in twin.INDIVIDUALS}
    for s, p, o in sides[0].relations:
        if s in same and p in same and o in same and random.random() < 0.5:
            turned = random.random() < 0.3 and p not in (DOMAIN, RANGE)
            sides[1].relations.append((same[o], same[p], same[s]) if turned else (same[s], same[p], same[o]))
    mapping = {a: b for a, b in case.mapping.items() if a in learned and b in gold}
    ontologies = [
        with_same(oe.Ontology.from_edges(**made, **side.arguments), *side.same)
        for made, side in zip((case.learned, case.gold), sides, strict=True)
    ]
    matching = oe.match(*ontologies, by=lambda *_: list(mapping.items()))
    return RelationPair(*sides, mapping), oe.Comparison(*ontologies, matching)


@given(case=cases(), random=shuffles())
def test_exact_scores_are_those_of_the_twin(case: Case, random: Random) -> None:
    pair, task = drawn(case, random, 12)
    for over in ("common", "all"):
        for kind in ("all", "related", "synonym"):
            expected = twin.scores(pair, over, kind)
            for name in NAMES:
                score = oe.parse(name, over=over, kind=kind)(task)
                assert (score.undefined is None) == (expected[name] is not None), (name, over, kind)
                if expected[name] is not None:
                    assert score.value == near(expected[name]), (name, over, kind)


@given(case=cases(), random=shuffles())
def test_scores_of_one_property_and_by_property_are_those_of_the_twin(case: Case, random: Random) -> None:
    pair, task = drawn(case, random, 12)
    result = oe.evaluate(task, ["RelP(over=all)", "RelR(over=all)", "RelF(over=all)"])
    for score, name in zip(result, NAMES, strict=True):
        listed = {row.iri: row.value for row in score.by_property}
        groups = {pair.group(triple) for side in ("learned", "gold") for triple in pair.triples(side, "all", "all")}
        assert len(listed) == len(groups)
        for group in groups:
            (iri,) = {member for _, _, member in group} & set(listed)
            assert listed[iri] == near(twin.scores(pair, "all", iri)[name])
            assert oe.parse(name, over="all", kind=iri)(task).value == near(listed[iri])


@given(case=cases(), random=shuffles())
def test_local_scores_are_means_over_the_triples_of_a_concept(case: Case, random: Random) -> None:
    pair, task = drawn(case, random, 12)
    for over in ("common", "all"):
        for name, side in (("RelP", "learned"), ("RelR", "gold")):
            local = oe.evaluate(task, oe.parse(name, over=over)).scores[0].local
            expected = twin.local_scores(pair, side, over, "all")
            assert ({} if local is None else local.to_dict()) == near(expected)


@given(case=cases(), random=shuffles())
def test_counts_and_weights_are_those_of_the_twin(case: Case, random: Random) -> None:
    pair, task = drawn(case, random, 12)
    for over in ("common", "all"):
        counted, every = ({side: pair.triples(side, chosen, "all") for side in ("learned", "gold")} for chosen in
                          (over, "all"))  # fmt: skip
        expected = {"common_relations": len(counted["learned"].keys() & counted["gold"].keys())}
        for side in ("learned", "gold"):
            expected[f"{side}_relations"] = len(counted[side])
            expected[f"{side}_left_out"] = len(every[side]) - len(counted[side])
        for name, side in (("RelP", "learned"), ("RelR", "gold"), ("RelF", "learned")):
            score = oe.parse(name, over=over)(task)
            counts = score.counts or score.parts[0].counts
            assert {count: counts[count] for count in expected} == expected, name
            if score.undefined is None and name != "RelF":
                assert score.by_property is not None
                assert score.by_property.weights is not None
                assert score.by_property.weights.sum() == len(counted[side])
                assert score.local is not None
                assert score.local.of == side
                assert score.local.weights is not None
                # the score is the mean over the triples, which are drawn for intervals, and not over the concepts
                assert not score.local.weights.any()
                assert score.units is not None
                assert len(score.units.values) == len(counted[side])


@pytest.mark.parametrize("measure", ["WP", "BDM", "LA"])
@settings(max_examples=25)
@given(case=cases(), random=shuffles())
def test_graded_scores_are_those_of_the_twin(measure: str, case: Case, random: Random) -> None:
    pair, task = drawn(case, random, 5)
    gold = Population(Concepts(**case.gold), pair.told)
    for over in ("common", "all"):
        expected = twin.scores(pair, over, "all", lambda a, b: gold(measure, a, b))
        for name in NAMES:
            score = oe.parse(name, over=over, similarity=measure)(task)
            assert (score.undefined is None) == (expected[name] is not None)
            if expected[name] is not None:
                assert score.value == near(expected[name]), (name, over)
                exact = oe.parse(name, over=over)(task).value
                assert score.value >= exact - 1e-9


@given(case=cases(), random=shuffles())
def test_recall_is_precision_with_the_sides_exchanged(case: Case, random: Random) -> None:
    _, task = drawn(case, random, 8)
    for over in ("common", "all"):
        there, back = oe.parse("RelR", over=over)(task), oe.parse("RelP", over=over)(task.swapped)
        assert (there.undefined is None) == (back.undefined is None)
        assert there.value == near(back.value) or there.undefined


@given(case=cases(), random=shuffles())
def test_an_ontology_with_relations_has_the_best_values_against_itself(case: Case, random: Random) -> None:
    side = random_side(named(case.learned), twin.LEARNED_PROPERTIES, random, 8)
    ontology = oe.Ontology.from_edges(**case.learned, **side.arguments)
    for similarity in ("Flat", "WP"):
        score = oe.parse("RelF", over="all", similarity=similarity)(oe.Comparison(ontology, ontology))
        assert score.value == near(1.0) or (score.undefined and not side.statements)


# by hand

EDGES = [
    ("car", "vehicle"),
    ("van", "vehicle"),
    ("wheel", "part"),
    ("door", "part"),
    ("vehicle", "thing"),
    ("part", "thing"),
]


def task_of(learned: dict[str, Any], gold: dict[str, Any]) -> oe.Comparison:
    return oe.Comparison(oe.Ontology.from_edges(EDGES, **learned), oe.Ontology.from_edges(EDGES, **gold))


def values(task: oe.Comparison, *measures: str) -> list[float]:
    return [score.value for score in oe.evaluate(task, measures)]


def test_inverse_properties_that_only_the_gold_standard_declares_are_turned_to_one_direction() -> None:
    task = task_of(
        {"relations": [("wheel", "partOf", "car")]},
        {"relations": [("car", "hasPart", "wheel")], "inverse": [("hasPart", "partOf")]},
    )
    assert values(task, *NAMES) == [1, 1, 1]
    (row,) = oe.evaluate(task, "RelF").scores[0].by_property
    assert (row.iri, row.relations) == ("hasPart", 2)


def test_a_relation_in_the_wrong_direction_is_wrong_unless_the_property_is_symmetric() -> None:
    learned, gold = [("car", "near", "van")], [("van", "near", "car")]
    assert values(task_of({"relations": learned}, {"relations": gold}), *NAMES) == [0, 0, 0]
    assert values(task_of({"relations": learned}, {"relations": gold, "symmetric": ["near"]}), *NAMES) == [1, 1, 1]


def test_without_direction_the_better_of_both_counts() -> None:
    task = task_of({"related": [("car", "door")]}, {"related": [("door", "van")]})
    # Wu and Palmer: 2 (1 + 1) / (1 + 1 + 2 (1 + 1)) for car and van, 1 for door and door
    assert values(task, "RelP(similarity=WP)") == near([4 / 6])
    directed = task_of({"relations": [("car", "p", "door")]}, {"relations": [("door", "p", "van")]})
    assert values(directed, "RelP(similarity=WP)") == near([1 / 9])


def test_domain_and_range_are_relations_of_properties() -> None:
    task = task_of(
        {"relations": [("hasPart", "domain", "vehicle"), ("hasPart", "range", "wheel"), ("new", "domain", "part")]},
        {"relations": [("hasPart", "domain", "vehicle"), ("hasPart", "range", "part")]},
    )
    assert values(task, "RelP", "RelP(over=all)", "RelR", "RelP(kind=domain)") == near([1 / 2, 1 / 3, 1 / 2, 1])
    # Wu and Palmer: 2 (1 + 1) / (1 + 0 + 2 (1 + 1))
    assert values(task, "RelP(similarity=WP)") == near([(1 + 4 / 5) / 2])


def test_individuals_are_matched_by_iri_even_if_the_gold_standard_relates_them_to_nothing() -> None:
    task = task_of(
        {"relations": [("herbie", "has", "wheel"), ("kitt", "has", "wheel")]},
        {"relations": [("car", "has", "wheel")], "instances": {"herbie": "car"}},
    )
    assert values(task, "RelP", "RelP(over=all)") == [0, 0]
    assert dict(oe.evaluate(task, "RelP").scores[0].counts)["learned_relations"] == 1  # kitt is not matched


def test_individuals_that_owl_same_as_joins_on_either_side_are_one() -> None:
    made = {"relations": [("herbie", "has", "wheel"), ("53", "has", "wheel"), ("kitt", "has", "door")]}
    other = {"relations": [("bug", "has", "wheel"), ("k2000", "has", "door")]}
    plain = task_of(made, other)
    assert values(plain, "RelP(over=all)", "RelR(over=all)") == [0, 0]
    task = oe.Comparison(with_same(plain.learned, ("herbie", "53")), with_same(plain.gold, ("bug", "53")))
    assert values(task, "RelP(over=all)", "RelP", "RelR(over=all)") == near([1 / 2, 1, 1 / 2])
    assert dict(oe.evaluate(task, "RelP(over=all)").scores[0].counts)["learned_relations"] == 2


def test_individuals_are_as_similar_as_leaves_below_their_gold_classes() -> None:
    types = {"herbie": "car", "kitt": "car", "bully": "van"}
    gold = {"relations": [("herbie", "has", "wheel"), ("bully", "has", "door")], "instances": types}
    known = {"instances": types}
    task = task_of({"relations": [("kitt", "has", "wheel")], **known}, gold)
    # Wu and Palmer: 2 (2 + 1) / (1 + 1 + 2 (2 + 1)) for two cars, 2 (2 + 1) / (0 + 1 + 2 (2 + 1)) for car and one
    assert values(task, "RelP(similarity=WP)", "RelP") == near([6 / 8, 0])
    of_class = task_of({"relations": [("car", "has", "wheel")], **known}, gold)
    assert values(of_class, "RelP(similarity=WP)") == near([6 / 7])
    stranger = task_of({"relations": [("car53", "has", "wheel")], "instances": {"car53": "car"}}, gold)
    assert values(stranger, "RelP(similarity=WP, over=all)") == [0]  # the gold standard does not have it
    measure = oe.parse("RelP", similarity=lambda a, b: {("kitt", "herbie"): 0.5}.get((a, b), 0.0))
    assert measure(task).value == 0.5


def test_same_as_is_part_of_the_hash_of_an_ontology_with_relations() -> None:
    one, other = ("herbie", "53"), ("kitt", "k2000")
    for made, number in (({"relations": [("herbie", "has", "wheel")]}, 2), ({}, 1)):
        plain = oe.Ontology.from_edges(EDGES, **made)
        same = [with_same(plain, *pairs) for pairs in ((one, other), (other, one[::-1]))]
        assert len({ontology.digest for ontology in (plain, *same)}) == number


def test_without_relations_on_either_side_there_is_no_score_and_on_one_side_it_is_0() -> None:
    assert oe.parse("RelF")(task_of({}, {})).undefined == "neither side has a relation"
    assert oe.parse("RelP(over=all)")(task_of({}, {})).undefined == "neither side has a relation"
    task = task_of({}, {"related": [("car", "van")]})
    assert values(task, *NAMES) == [0, 0, 0]
    assert oe.parse("RelP(kind=synonym)")(task).undefined == "neither side has a synonym link"


def test_relations_that_cannot_be_judged_are_0_if_the_other_side_can_be_judged_else_undefined_with_their_numbers() -> (
    None
):
    strange = [("x", "p", "wheel"), ("x", "q", "y"), ("car", "q", "wheel")]  # x, y and q are not in the gold standard
    judged = task_of({"relations": strange}, {"relations": [("car", "p", "wheel")]})
    assert values(judged, *NAMES) == [0, 0, 0]
    task = task_of({"relations": strange}, {"relations": [("z", "p", "door")]})
    reason = (
        "no relation has matched ends and a matched property; 3 learned: 2 with an unmatched end, 2 with an "
        "unmatched property; 1 gold: 1 with an unmatched end"
    )
    for name in NAMES:
        assert oe.parse(name)(task).undefined == reason
        assert oe.parse(name, over="all")(task).value == 0
    assert oe.parse("RelP(kind=q)")(task_of({"relations": strange}, {})).undefined == (
        "no relation with the property q has matched ends and a matched property; 2 learned: 1 with an unmatched "
        "end, 2 with an unmatched property; 0 gold"
    )


def test_a_property_can_be_named_by_iri_local_name_or_words_of_its_label() -> None:
    made = {"relations": [("wheel", "http://x.org/partOf", "car"), ("car", "likes", "van")]}
    task = task_of(made, {"relations": made["relations"][:1]})
    for name in ("http://x.org/partOf", "partOf", "part_of", "PART-OF"):
        assert values(task, f"RelP(kind={name})", "RelP(over=all)") == near([1, 1 / 2])
    assert str(oe.parse("RelP(kind=http://x.org/partOf)")) == "RelP(kind=http://x.org/partOf)"


def test_a_property_that_neither_side_has_is_refused_with_those_there_are() -> None:
    task = task_of({"relations": [("wheel", "partOf", "car")]}, {})
    message = refusal(ParameterError, oe.evaluate, task, "RelP(kind=partof2)")
    assert message == (
        "neither side has a property 'partof2'. Did you mean 'partOf'? Use all, related, synonym or partOf."
    )


def test_a_name_of_two_properties_is_refused() -> None:
    made = {"relations": [("wheel", "http://x.org/has", "car"), ("car", "http://y.org/has", "van")]}
    message = refusal(ParameterError, oe.evaluate, task_of(made, {}), "RelP(kind=has)")
    assert message == ("2 properties have the name 'has': http://x.org/has, http://y.org/has. Use the IRI.")


def test_relations_that_were_not_read_are_refused_but_related_links_need_no_reading() -> None:
    prefixes = b"@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix : <http://x.org/> .\n"
    turtle = prefixes + b":a skos:broader :b ; skos:related :c . :c skos:broader :b ."
    ontology = oe.load_ontology(turtle)
    task = oe.Comparison(ontology, ontology)
    assert values(task, "RelF(kind=related)") == [1]
    message = refusal(MissingInputError, oe.evaluate, task, "RelF")
    assert message == ("RelF needs relations, but those of (bytes) were not read. Set other_relations=True.")
    read = oe.load_ontology(turtle, other_relations=True)
    assert values(oe.Comparison(read, read), "RelF") == [1]


def test_a_python_function_may_say_how_similar_concepts_are() -> None:
    task = task_of({"relations": [("car", "p", "wheel")]}, {"relations": [("van", "p", "wheel")]})
    measure = oe.parse("RelP", similarity=lambda a, b: 1.0 if a == b else 0.25)
    assert measure(task).value == 0.25
    bad = oe.parse("RelP", similarity=lambda a, b: 2.0)
    message = refusal(ParameterError, bad, task)
    assert "returned 2.0 for 'car' and 'van'." in message


def test_a_distance_is_no_similarity() -> None:
    assert "not a similarity from 0 to 1" in refusal(ParameterError, oe.parse, "RelP(similarity=Rada(scale=distance))")


def test_too_many_pairs_are_undefined_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_relations, "MOST_PAIRS", 3)
    made = {"relations": [("car", "p", "wheel"), ("van", "p", "wheel")]}
    task = task_of(made, made)
    assert oe.parse("RelP")(task).value == 1
    reason = oe.parse("RelF(similarity=WP)")(task).undefined
    assert reason is not None
    assert reason.startswith("too many relations with the property p to pair by similarity: 2 learned and 2 gold")


def test_concepts_that_are_left_out_take_their_relations_with_them() -> None:
    learned = oe.Ontology.from_edges(
        [*EDGES, ("new", "vehicle")], relations=[("new", "p", "wheel"), ("car", "p", "wheel"), ("x", "p", "car")]
    )
    gold = oe.Ontology.from_edges(EDGES, relations=[("car", "p", "wheel")])
    task = oe.Comparison(learned, gold)
    assert values(task, "RelP(over=all)") == near([1 / 3])
    assert values(task.covered(), "RelP(over=all)") == near([1 / 2])


def test_a_wrong_relation_is_refused() -> None:
    message = refusal(ParameterError, oe.Ontology.from_edges, EDGES, relations=[("car", "p")])
    assert message == "('car', 'p') is not a relation. Use (subject, property, object), names as strings."


def test_relations_change_the_hash_of_an_ontology_only_if_there_are_any() -> None:
    plain, empty = oe.Ontology.from_edges(EDGES), oe.Ontology.from_edges(EDGES, symmetric=["p"])
    one = oe.Ontology.from_edges(EDGES, relations=[("car", "p", "van")])
    two = oe.Ontology.from_edges(EDGES, relations=[("car", "p", "van")], symmetric=["p"])
    assert plain.digest == empty.digest
    assert len({plain.digest, one.digest, two.digest}) == 3


def test_the_arrays_of_relations_cannot_be_written() -> None:
    relations = oe.Ontology.from_edges(EDGES, related=[("car", "van")], relations=[("car", "p", "van")]).all_relations
    assert RELATED in relations.properties
    with pytest.raises(ValueError, match="read-only"):
        relations.subjects[0] = np.int64(1)


# real files


def test_related_links_of_a_damaged_thesaurus(shared_data: Path) -> None:
    """A fifth of the links of the UNESCO thesaurus dropped, 300 wrong ones added: counted again in plain sets."""
    related = ox.NamedNode(RELATED)
    file = data_folder(shared_data, "skos-unesco") / "unesco-thesaurus.ttl.gz"
    triples = [quad.triple for quad in ox.parse(gzip.decompress(file.read_bytes()), format=ox.RdfFormat.TURTLE)]
    links = {frozenset((t.subject.value, t.object.value)) for t in triples if t.predicate == related}
    random = Random(5)
    kept = {link for link in sorted(links, key=sorted) if random.random() > 0.2}
    names = sorted({name for link in links for name in link})
    wrong: set[frozenset[str]] = set()
    while len(wrong) < 300:
        link = frozenset(random.sample(names, 2))
        wrong |= {link} - links
    rest = [triple for triple in triples if triple.predicate != related]
    added = [ox.Triple(ox.NamedNode(min(link)), related, ox.NamedNode(max(link))) for link in kept | wrong]
    data = ox.serialize([*rest, *added], format=ox.RdfFormat.N_TRIPLES)
    task = oe.Comparison(oe.load_ontology(data), oe.load_ontology(file))
    precision, recall = len(kept) / (len(kept) + 300), len(kept) / len(links)
    assert values(task, "RelP(kind=related)", "RelR(kind=related)") == near([precision, recall])
    errors = Errors(task).counts()
    assert (errors["related_only_learned"], errors["related_only_gold"]) == (300, len(links - kept))


@pytest.mark.slow  # rdflib counts the links
@pytest.mark.parametrize("name", ["cmt-conference", "cmt-ekaw", "confOf-edas", "conference-ekaw", "edas-iasted"])
def test_domains_of_the_conference_track(name: str, shared_data: Path) -> None:
    """Domains by named classes in one direction of the alignment, counted again with rdflib."""
    folder = data_folder(shared_data, "oaei-conference")
    files = [folder / "ontologies" / f"{side}.owl" for side in name.split("-")]
    alignment = oe.load_mapping(folder / "alignments" / f"{name}.rdf")
    learned, gold = (oe.load_ontology(file, other_relations=True) for file in files)
    task = oe.Comparison(learned, gold, oe.match(learned, gold, by=alignment))
    same = {a: b for a, b, _ in alignment.pairs}
    sides = [_domains(file) for file in files]
    properties = {a: b for a, b in same.items() if a in _properties(files[0]) and b in _properties(files[1])}
    for a in sorted(_properties(files[0]) - set(properties)):  # then by the words of the local name
        for b in sorted(_properties(files[1]) - set(properties.values())):
            if a not in properties and split_words(local_name(a)) == split_words(local_name(b)):
                properties[a] = b
    mapped = {(properties[p], same[c]) for p, c in sides[0] if p in properties and c in same}
    common = {(p, c) for p, c in sides[1] if p in properties.values() and c in same.values()}
    expected = len(mapped & common) / len(mapped) if mapped else 0.0
    score = oe.parse("RelP(kind=domain)")(task)
    assert (score.undefined is None) == bool(mapped or common)
    assert score.undefined or score.value == near(expected)


def _properties(file: Path) -> set[str]:
    graph = rdflib.Graph().parse(file, format="xml")
    kinds = ("Object", "Datatype", "Symmetric", "Transitive", "InverseFunctional")
    return {
        str(p)
        for kind in kinds
        for p in graph.subjects(RDF.type, OWL[f"{kind}Property"])
        if isinstance(p, rdflib.URIRef)
    }


def _domains(file: Path) -> set[tuple[str, str]]:
    graph = rdflib.Graph().parse(file, format="xml")
    found = set()
    for prop, node in graph.subject_objects(RDFS.domain):
        union = graph.value(node, OWL.unionOf)
        for concept in [node] if union is None else Collection(graph, union):
            if isinstance(concept, rdflib.URIRef) and not concept.startswith(str(OWL)):
                found.add((str(prop), str(concept)))
    return found
