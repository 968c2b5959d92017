"""Results as RDF and back."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import ontologies

import ontoeval as oe
from ontoeval.analysis.significance import confidence
from ontoeval.errors import LoadError, ParameterError
from ontoeval.matching.alignment import Alignment
from ontoeval.measures import parse
from ontoeval.model.corpus import Corpus
from ontoeval.model.lexicon import is_iri
from ontoeval.rdf.store import Store, read_scores, write_scores
from ontoeval.rdf.store.backends import Memory
from ontoeval.rdf.store.result_graph import result_triples, run_iri
from ontoeval.rdf.validate import validate
from ontoeval.rdf.vocabulary import BASE, COMPUTED_ON, NS, concept_node, node
from ontoeval.results import EvaluationResult, Score
from ontoeval.tasks.extraction import Extraction

MEASURES = ["LP", "TF_csc", "TP( extract=uc )", "EdgeP", "CFM", "AvgSub", "Motif"]


def compared(learned: dict[str, Any], gold: dict[str, Any], **options: Any) -> EvaluationResult:
    one, two = oe.Ontology.from_edges(**learned, **options, name="some/where/a.ttl"), oe.Ontology.from_edges(**gold)
    return oe.evaluate(oe.Comparison(one, two), MEASURES)


INSTANCE_MEASURES = ["H_s", "H_a( detailed=gold )", "ITP", "ITF(adjusted=true)", "OntoRand", "EOR(delta=tree)"]


def compared_by_instances(learned: dict[str, Any], gold: dict[str, Any]) -> EvaluationResult:
    sides = []
    for made in (learned, gold):
        somewhere = min([name for edge in made["edges"] for name in edge[:2]] + list(made["concepts"]))
        sides.append({**made, "instances": {**made["instances"], "two words": somewhere, "http://x.org/i": somewhere}})
    one = oe.Ontology.from_edges(**sides[0], name="some/where/a.ttl")
    return oe.evaluate(oe.Comparison(one, oe.Ontology.from_edges(**sides[1])), INSTANCE_MEASURES)


RELATION_MEASURES = ["RelP", "RelR( over=all )", "RelF(over=all)", "RelF(kind=related)", "RelP(kind=p)"]


def compared_by_relations(learned: dict[str, Any], gold: dict[str, Any]) -> EvaluationResult:
    sides = []
    for made in (learned, gold):
        names = sorted({name for edge in made["edges"] for name in edge[:2]} | set(made["concepts"]))
        rows = [(name, "p", names[0]) for name in names] + [(names[-1], "http://x.org/q", "two words")]
        sides.append({**made, "relations": [*rows, ("p", "domain", names[-1])]})
    one = oe.Ontology.from_edges(**sides[0], name="some/where/a.ttl")
    return oe.evaluate(oe.Comparison(one, oe.Ontology.from_edges(**sides[1])), RELATION_MEASURES)


PAIR_MEASURES = ["BDM", "Rada( scale=distance )", "LC(scale=raw, unit=edges)", "Lin"]


def related(learned: dict[str, Any], _: dict[str, Any], **options: Any) -> EvaluationResult:
    ontology = oe.Ontology.from_edges(**learned, **options, name="some/where/a.ttl")
    names = sorted(set(ontology.hierarchy.iris[int(ontology.hierarchy.root_added) :]))
    left, right = [*names, names], [*reversed(names), names[:1]]  # the last is a word of many senses
    return oe.evaluate(oe.ConceptPairs(ontology, left, right), PAIR_MEASURES)


SPAN_MEASURES = ["P", "AP_LA", "AF( match=lenient )", "AR(average=macro)", "Kappa", "Alpha(similarity=Flat)"]


def extracted(learned: dict[str, Any], gold: dict[str, Any], **options: Any) -> EvaluationResult:
    ontology = oe.Ontology.from_edges(**gold, **options)
    sides = []
    for number, made in enumerate((learned, gold)):
        names = sorted({end for edge in made["edges"] for end in edge[:2]} | {*made["concepts"]})
        spans = [(place, place + 1 + number * (place % 3), name) for place, name in enumerate([*names, None])]
        place = "some/where/a.ttl" if not number else "(memory)"
        sides.append(Corpus.from_spans({"one": spans, "zwei/2": spans[::2]}, name=place))
    return oe.evaluate(Extraction(*sides, ontology), SPAN_MEASURES)


# A result of every kind of task, its measures, and one of them in another spelling; later kinds join here.
TASKS: dict[str, tuple[Callable[[dict[str, Any], dict[str, Any]], EvaluationResult], list[str], str]] = {
    "comparison": (compared, MEASURES, "TP(extract=uc)"),
    "comparison by instances": (compared_by_instances, INSTANCE_MEASURES, "H_a(detailed=gold)"),
    "comparison by relations": (compared_by_relations, RELATION_MEASURES, "RelR(over=all)"),
    "conceptpairs": (related, PAIR_MEASURES, "Rada(scale=distance)"),
    "extraction": (extracted, SPAN_MEASURES, "AF(match=lenient)"),
}


def read_back(result: EvaluationResult, base: str = BASE) -> EvaluationResult:
    """As `Store.write` and `read` do it, without the catalogue of measures, which takes most of their time."""
    memory = Memory("m")
    memory.put(run_iri(result), result_triples(result, base=base))
    (found,) = Store(memory).read()
    return found


@pytest.mark.parametrize("kind", sorted(TASKS))
@given(learned=ontologies(), gold=ontologies())
def test_what_is_written_is_read_back(kind: str, learned: dict[str, Any], gold: dict[str, Any]) -> None:
    made, names, spelling = TASKS[kind]
    result = made(learned, gold)
    if kind == "comparison":
        result = confidence(result, rounds=3)
        store = Store(Memory("m"))
        store.write(result)
        (back,) = store.read()
    else:
        back = read_back(result)
    assert back == result
    assert back.task == kind.partition(" ")[0]
    assert (back.started, [s.path for s in back.inputs.values()]) == (
        result.started,
        ["a.ttl", "(memory)", "(memory)"][: len(result.inputs)],
    )
    assert [score.name for score in back] == names
    assert [str(score.measure) for score in back] == [str(parse(name)) for name in names]
    assert repr(back[spelling].value) == repr(result[spelling].value)


def test_a_pair_says_which_concepts_it_is_of() -> None:
    ontology = oe.Ontology.from_edges([("a", "b"), ("c", "b")])
    task = oe.ConceptPairs(ontology, ["a", ["a", "c"]], ["b", "c"], names=[("a", "b"), ("word", "c")])
    about = [(t.subject.value, t.predicate.value, t.object.value) for t in result_triples(oe.evaluate(task, "Flat"))]
    pair = f"{NS}name/word%20c"
    assert {o for s, p, o in about if (s, p) == (pair, f"{NS}left")} == {f"{NS}name/a", f"{NS}name/c"}
    assert [o for s, p, o in about if (s, p) == (pair, f"{NS}right")] == [f"{NS}name/c"]
    assert [o for s, p, o in about if (s, p) == (pair, "http://www.w3.org/2000/01/rdf-schema#label")] == ["word – c"]
    (score,) = [s for s, p, o in about if (p, o) == ("http://www.w3.org/ns/dqv#computedOn", pair)]
    assert (score, "http://www.w3.org/ns/dqv#value", "1.0") in about


@pytest.mark.parametrize("suffix", ["trig", "nq"])
def test_files_hold_several_results_and_replace_the_same_one(suffix: str, tmp_path: Path, fixtures: Path) -> None:
    gold = oe.load_ontology(fixtures / "dellschaft2006" / "or2.ttl")
    results = [
        oe.evaluate(oe.Comparison(oe.load_ontology(fixtures / "dellschaft2006" / f"oc{n}.ttl"), gold)) for n in (4, 5)
    ]
    path = tmp_path / f"scores.{suffix}"
    write_scores(results[0], path)
    first = path.read_bytes()
    write_scores(results[0], path)
    assert path.read_bytes() == first
    write_scores(results, path)
    back = {r.key: r for r in read_scores(path)}
    assert back == {r.key: r for r in results}
    assert back[results[0].key] != results[1]
    assert list(tmp_path.iterdir()) == [path]


def triples_of(result: EvaluationResult, **options: Any) -> set[str]:
    return {str(triple) for triple in result_triples(result, **options)}


@given(learned=ontologies(), gold=ontologies())
def test_the_same_run_writes_the_same_triples_but_for_the_time(learned: dict[str, Any], gold: dict[str, Any]) -> None:
    one, two = compared(learned, gold), compared(learned, gold)
    assert one.key == two.key
    assert triples_of(one) == triples_of(replace(two, started=one.started))


def test_another_input_setting_or_measure_is_another_run() -> None:
    a, b = {"edges": [("x", "r"), ("y", "r")]}, {"edges": [("x", "r"), ("y", "x")]}
    base = compared(a, b)
    task = base.subject
    others = [
        compared(b, a),
        compared(a, b, labels={"x": "other"}),
        compared(a, b, root="new"),
        oe.evaluate(task, MEASURES[:-1]),
        oe.evaluate(oe.Comparison(task.learned, task.gold, oe.match(task.learned, task.gold, "label")), MEASURES),
    ]
    assert len({base.key, *(other.key for other in others)}) == 6
    assert oe.evaluate(task, list(reversed(MEASURES))).key == base.key
    assert compared(a, b).key == base.key


@given(learned=ontologies(), gold=ontologies())
def test_there_are_no_blank_nodes_and_no_nan(learned: dict[str, Any], gold: dict[str, Any]) -> None:
    for triple in result_triples(compared(learned, gold)):
        assert isinstance(triple.subject, ox.NamedNode)
        assert isinstance(triple.object, ox.NamedNode | ox.Literal)
        assert "NaN" not in str(triple.object)


def test_an_undefined_score_has_a_reason_and_no_value() -> None:
    result = compared({"edges": [], "concepts": ["a"]}, {"edges": [], "concepts": ["a"]})
    about = {(t.subject.value, t.predicate.value): t.object.value for t in result_triples(result)}
    own = f"{run_iri(result).value}/AvgSub"
    assert about[own, f"{NS}undefined"] == "no concept of some/where/a.ttl has a subconcept"
    assert (own, "http://www.w3.org/ns/dqv#value") not in about


def test_infinite_values_come_back() -> None:
    result = compared({"edges": [("a", "b")]}, {"edges": [("a", "b")]})
    score = replace(result.scores[0], score=Score(math.inf), interval=(-math.inf, math.inf))
    store = Store(Memory("m"))
    store.write(replace(result, scores=(score,)))
    (back,) = store.read()
    assert back.scores[0].value == math.inf
    assert back.scores[0].interval == (-math.inf, math.inf)


def test_local_scores_can_be_left_out() -> None:
    result = compared({"edges": [("a", "b")]}, {"edges": [("a", "b")]})
    with_local, without = triples_of(result), triples_of(result, local=False)
    assert not any("ConceptScore" in triple for triple in without)
    assert {t for t in with_local if "/LP/" in t or "ConceptScore" in t}
    store = Store(Memory("m"))
    store.write(result, local=False)
    (back,) = store.read()
    assert all(score.local is None for score in back)
    assert [score.value for score in back] == pytest.approx([score.value for score in result], nan_ok=True)


ODD = ("a", "two words", "Ä/ß", "100%", "(root)", "http://ex.org/a b", "http://[bad", "日本", "a\tb", "#", "urn:x:y")


@given(names=st.lists(st.sampled_from(ODD) | st.text(min_size=1).filter(str.isprintable), min_size=1, unique=True))
def test_names_become_iris_and_names_again(names: list[str]) -> None:
    result = compared({"edges": [], "concepts": names}, {"edges": [], "concepts": ["a"]})
    for base in ("https://example.org/terms/", "http://ex.org/", "urn:x:"):
        if any(is_iri(name) and name.startswith(base) for name in names):
            continue  # such an IRI and the plain name that is its end cannot be told apart
        back = read_back(result, base)
        assert back == result
        assert {n.iri for n in back["LP"].local.all()} == set(result.subject.learned.hierarchy.iris)


def test_an_iri_below_the_base_stays_as_it_is() -> None:
    result = compared({"edges": [("http://ex.org/a", "http://ex.org/b")]}, {"edges": [("x", "y")]})
    targets = {t.object.value for t in result_triples(result, base="http://ex.org/") if "computedOn" in str(t)}
    assert {"http://ex.org/a", "http://ex.org/b"} <= targets


def test_another_mapping_or_system_is_another_run() -> None:
    one, two = oe.Ontology.from_edges([("a", "r"), ("b", "r")]), oe.Ontology.from_edges([("a", "r"), ("b", "r")])
    keys = set()
    for pairs, system in ((("a", "a"), "x"), (("a", "b"), "x"), (("a", "b"), "y")):
        matching = oe.match(one, two, Alignment((("r", "r", 1.0), (*pairs, 1.0))))
        keys.add(oe.evaluate(oe.Comparison(one, two, matching), ["LP"], system=system).key)
    assert len(keys) == 3


def test_a_name_without_an_iri_stands_behind_the_base() -> None:
    assert concept_node("green tea", "https://ex.org/t/").value == "https://ex.org/t/green%20tea"
    assert concept_node("http://ex.org/tea", "https://ex.org/t/").value == "http://ex.org/tea"
    result = compared({"edges": [("green tea", "tea")]}, {"edges": [("green tea", "tea")]})
    targets = {t.object.value for t in result_triples(result, base="https://ex.org/t/") if "computedOn" in str(t)}
    assert {"https://ex.org/t/green%20tea", "https://ex.org/t/tea"} <= targets
    with pytest.raises(ParameterError) as caught:
        Store(Memory("m")).write(result, base="no iri")
    assert str(caught.value) == "the base 'no iri' is not an IRI. Use e.g. https://example.org/terms/."


def test_a_measure_that_is_not_known_here_keeps_its_name_and_value() -> None:
    def alike(left: list[str], right: list[str]) -> list[list[float]]:
        return [[float(a == b) for b in right] for a in left]

    task = compared({"edges": [("a", "b")]}, {"edges": [("a", "b")]}).subject
    result = oe.evaluate(task, [parse("FuzzyF", labels=alike)])
    store = Store(Memory("m"))
    store.write(result)
    (back,) = store.read()
    assert back.scores[0].value == 1.0
    assert str(back.scores[0].measure) == str(result.scores[0].measure)
    stored = oe.ResultTable([result]).to_tsv().replace("\nsome/where/a.ttl\t", "\na.ttl\t")  # folders are not stored
    assert oe.ResultTable([back]).to_tsv() == stored


def test_a_graph_that_was_cut_off_is_refused() -> None:
    result = compared({"edges": [("a", "b")]}, {"edges": [("a", "b")]})
    memory = Memory("half.nq")
    status = node("oe:status")
    memory.put(run_iri(result), [t for t in result_triples(result) if t.predicate != status])
    assert Store(memory).runs() == []
    from ontoeval.rdf.store.result_graph import read_result

    with pytest.raises(LoadError) as caught:
        read_result(memory.triples(run_iri(result)), path="half.nq")
    assert (
        str(caught.value) == "half.nq: a graph has no complete run. Write it again: it is damaged or not by ontoeval."
    )


@pytest.mark.parametrize(
    ("property", "value"),
    [
        ("oe:settings", "{not JSON"), ("oe:settings", "[]"), ("oe:inputs", "{}"), ("oe:inputs", "[]"),
        ("oe:inputs", "[[1]]"),
        ("oe:counts", "3"), ("oe:counts", "[" * 100_000), ("oe:place", "first"), ("dqv:value", "much"),
        ("oe:measurementCount", "INF"),
    ],
)  # fmt: skip
def test_a_damaged_value_is_refused(property: str, value: str) -> None:
    result = compared({"edges": [("a", "b")]}, {"edges": [("a", "b")]})
    memory = Memory("damaged.nq")
    damaged = node(property)
    triples = [
        ox.Triple(t.subject, t.predicate, ox.Literal(value)) if t.predicate == damaged else t
        for t in result_triples(result)
    ]
    assert triples != list(result_triples(result))
    memory.put(run_iri(result), triples)
    with pytest.raises(LoadError) as caught:
        Store(memory).read()
    assert str(caught.value).startswith("damaged.nq: ")
    assert "Write it again" in str(caught.value)


def test_a_score_of_no_concept_is_refused() -> None:
    result = compared({"edges": [("a", "b")]}, {"edges": [("a", "b")]})
    memory = Memory("damaged.nq")
    memory.put(run_iri(result), [t for t in result_triples(result) if t.predicate != COMPUTED_ON])
    with pytest.raises(LoadError, match="Write it again"):
        Store(memory).read()


def test_a_file_without_evaluations_is_refused(fixtures: Path) -> None:
    path = fixtures / "dellschaft2006" / "or1.ttl"
    with pytest.raises(LoadError) as caught:
        read_scores(path)
    assert str(caught.value) == f"{path}: no runs found. Use a file written by `write_scores()`."


def test_the_worst_of_a_distance_that_was_read_are_the_furthest() -> None:
    chain = oe.Ontology.from_edges([("a", "b"), ("b", "c")])
    task = oe.ConceptPairs(chain, ["a", "a", "a"], ["a", "b", "c"])
    store = Store(Memory("m"))
    store.write(oe.evaluate(task, "Rada(scale=distance)"))
    (back,) = store.read()
    local = back["Rada(scale=distance)"].local
    assert local is not None
    assert [(pair.label, pair.value) for pair in local.worst()] == [("a – c", 2.0), ("a – b", 1.0), ("a – a", 0.0)]


def test_a_run_says_how_many_concepts_were_matched_and_how_many_candidates_were_left() -> None:
    # r is r; both x1 and x2 could be x, and one of them is
    learned = oe.Ontology.from_edges([("x1", "r"), ("x2", "r"), ("n", "r")], labels={"x1": "x", "x2": "x"})
    gold = oe.Ontology.from_edges([("y", "r"), ("m", "r")], labels={"y": "x"})
    result = oe.evaluate(oe.Comparison(learned, gold), "LP")
    told = {t.predicate.value: t.object for t in result_triples(result) if t.subject == run_iri(result)}
    assert told[f"{NS}matched"] == ox.Literal(2)
    assert told[f"{NS}ambiguous"] == ox.Literal(1)


def test_a_pair_without_a_value_has_a_reason_and_its_graph_conforms() -> None:
    flat = oe.Ontology.from_edges([], concepts=["a", "b"], root="none")
    task = oe.ConceptPairs(flat, ["a", "a"], ["b", "a"])
    result = oe.evaluate(task, "LC(scale=raw, unit=edges)")  # D = 0 edges: undefined
    triples = list(result_triples(result))
    kind, pair = node("rdf:type"), node("oe:PairScore")
    scores = {t.subject for t in triples if (t.predicate, t.object) == (kind, pair)}
    assert len(scores) == 2
    reasons = {t.subject: t.object for t in triples if t.predicate == node("oe:undefined") and t.subject in scores}
    assert reasons == dict.fromkeys(scores, ox.Literal("no value"))
    assert validate(triples, engine="shacl").findings == ()
    assert validate(triples, engine="native").findings == ()
