"""`by="instance"` with graded similarities, and populated ontologies against each other: against brute force."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from strategies import shuffles
from twin_concepts import Concepts
from twin_individuals import Population

import ontoeval as oe
from ontoeval.errors import MissingInputError
from ontoeval.measures import parse

EDGES = [("b", "a"), ("c", "a"), ("d", "b"), ("d", "c"), ("e", "d"), ("f", "c"), ("g", "f"), ("h", "f"), ("f", "k"),
         ("k", "f"), ("m", "l"), ("n", "m")]  # fmt: skip
CLASSES = sorted({name for edge in EDGES for name in edge})
PEOPLE = [f"http://x/{number}" for number in range(7)]
SIMILARITIES = ("BDM", "LA", "WP", "Lin", "Flat")


def some(random: Random, names: list[str], most: int) -> list[str]:
    return random.sample(names, random.randint(0, most))


def joined(pairs: list[tuple[str, str]]) -> dict[str, str]:
    """Each individual to the least name of all that owl:sameAs joins it with."""
    group = {name: {name} for name in PEOPLE}
    for left, right in pairs:
        union = group[left] | group[right]
        for name in union:
            group[name] = union
    return {name: min(names) for name, names in group.items()}


Side = dict[int, tuple[str | None, str | None]]  # start of a span -> class, individual


def side(random: Random) -> Side:
    return {
        start: (random.choice([*CLASSES, "unknown", None]), random.choice([*PEOPLE, *PEOPLE, None]))
        for start in range(6)
        if random.random() < 0.8
    }


def corpus(spans: Side, same: list[tuple[str, str]]) -> oe.Corpus:
    made = oe.Corpus.from_spans({"d": [(start, start + 1, *what) for start, what in spans.items()]})
    return oe.Corpus(**{**vars(made), "same": dict(same)})


@given(shuffles())
def test_other_individuals_are_as_similar_as_leaves_below_their_classes(random: Random) -> None:
    in_ontology = {name: some(random, CLASSES, 3) for name in some(random, PEOPLE, 4)}
    key, response = side(random), side(random)
    same = [(random.choice(PEOPLE[:3]), random.choice(PEOPLE[3:])) for _ in range(random.randint(0, 1))]
    one = joined(same)
    told: dict[str, set[str]] = {}
    sources = [
        [(name, where) for name, wheres in in_ontology.items() for where in wheres],
        *([(who, what) for what, who in spans.values() if who and what in CLASSES] for spans in (key, response)),
    ]
    for statements in sources:  # the ontology goes before the key, the key before the response
        more: dict[str, set[str]] = {}
        for who, what in statements:
            more.setdefault(one[who], set()).add(what)
        told = {**more, **told}
    twin = Population(Concepts(EDGES), told)
    ontology = oe.Ontology.from_edges(EDGES, instances=in_ontology)
    task = oe.Extraction(corpus(response, []), corpus(key, same), ontology, by="instance")
    for measure in SIMILARITIES:
        credit = 0.0
        for start in key.keys() & response.keys():
            k, r = key[start][1], response[start][1]
            if k is None or r is None:
                continue
            if one[k] == one[r]:
                credit += 1
            elif one[k] in told and one[r] in told:
                credit += twin(measure, one[r], one[k])
        nothing_known = not any(one[who] in told for _, who in [*key.values(), *response.values()] if who)
        names_any = any(who for _, who in [*key.values(), *response.values()])
        score = parse(f"AF(similarity={measure})")
        if measure != "Flat" and nothing_known and names_any and key.keys() & response.keys():
            with pytest.raises(MissingInputError, match="has a class"):
                score(task)
        elif key or response:
            assert score(task).value == pytest.approx(2 * credit / (len(key) + len(response)), abs=1e-9)


def population(random: Random) -> dict[str, set[str]]:
    return {name: set(some(random, CLASSES, 3)) for name in some(random, PEOPLE, 6)}


def turtle(individuals: dict[str, set[str]], same: list[tuple[str, str]], namespace: str = "http://c/") -> bytes:
    lines = [f"<{who}> a <{namespace}{what}> ." for who, where in individuals.items() for what in where]
    lines += [f"<{a}> <http://www.w3.org/2002/07/owl#sameAs> <{b}> ." for a, b in same]
    return ("@prefix owl: <http://www.w3.org/2002/07/owl#> .\n" + "\n".join(lines)).encode()


def best(twin: Population, measure: str, keys: list[str], responses: list[str]) -> float:
    """The greatest sum of similarities over one-to-one pairings."""
    if len(keys) <= len(responses):
        pairings = [list(zip(keys, way, strict=True)) for way in permutations(responses, len(keys))]
    else:
        pairings = [list(zip(way, responses, strict=True)) for way in permutations(keys, len(responses))]
    return max(sum(twin(measure, response, key) for key, response in pairing) for pairing in pairings)


@given(shuffles())
def test_two_populations_are_compared_by_the_classes_of_each_individual(random: Random) -> None:
    key, response = population(random), population(random)
    if not any(key.values()) or not any(response.values()):
        return
    same = [(random.choice(PEOPLE[:3]), random.choice(PEOPLE[3:])) for _ in range(random.randint(0, 2))]
    one = joined(same)
    keys: dict[str, set[str]] = {}
    responses: dict[str, set[str]] = {}
    for whole, individuals in ((keys, key), (responses, response)):
        for who, where in individuals.items():
            whole.setdefault(one[who], set()).update(where)
    twin = Population(Concepts(EDGES), {})
    ontology = oe.Ontology.from_edges([(f"http://c/{a}", f"http://c/{b}") for a, b in EDGES])
    task = oe.Extraction(oe.load_corpus(turtle(response, [])), oe.load_corpus(turtle(key, same)), ontology)
    for measure in SIMILARITIES:
        credit = sum(best(twin, measure, sorted(keys[who]), sorted(responses[who])) for who in keys if who in responses)
        for name, whole in (("AP", responses), ("AR", keys)):
            size = sum(map(len, whole.values()))
            found = parse(f"{name}(similarity={measure})")(task).value
            assert found == pytest.approx(credit / size, abs=3e-6)  # a pairing is chosen in millionths


DBPEDIA, RESOURCE = "http://dbpedia.org/ontology/", "http://dbpedia.org/resource/"
GOLD = {"London": "City", "Thames": "River", "Ada": "Scientist", "BBC": "Broadcaster", "Everest": "Mountain"}
LEARNED = {"London": "Settlement", "Thames": "River", "Ada": "Writer", "BBC": "City", "Hamlet": "Play"}


def test_a_learned_population_of_dbpedia(shared_data: Path) -> None:
    """P = 1/5: the river. A settlement earns something for a city, a writer something for a scientist."""

    def population(individuals: dict[str, str]) -> oe.Corpus:
        return oe.load_corpus(turtle({RESOURCE + who: {what} for who, what in individuals.items()}, [], DBPEDIA))

    ontology = oe.load_ontology(shared_data / "dbpedia-owl" / "dbpedia_2015-04.owl.gz")
    scores = oe.evaluate(oe.Extraction(population(LEARNED), population(GOLD), ontology), ["P", "R", "F", "AP", "AR"])
    assert [scores[name].value for name in ("P", "R", "F")] == [1 / 5] * 3
    found = [who for who in GOLD if who in LEARNED]
    pairs = [[DBPEDIA + side[who] for who in found] for side in (LEARNED, GOLD)]
    credits = oe.relate(ontology, pairs[0], pairs[1], "BDM")  # two classes: tests/measures/concepts
    assert credits.tolist()[1] == 1
    assert credits.tolist()[3] == 0
    assert 0 < credits.tolist()[0] < 1
    assert 0 < credits.tolist()[2] < 1
    assert scores["AP"].value == scores["AR"].value == pytest.approx(credits.sum() / 5)
