"""Named queries on two engines against plain Python, safe parameters, the time limit, what is refused."""

from __future__ import annotations

import io
import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyoxigraph as ox
import pytest
import rdflib
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from rdflib.plugins.sparql import prepareQuery
from strategies import ontologies

import ontoeval as oe
from ontoeval.errors import OntoevalError, ParameterError, StoreError, UnknownMeasureError, UnknownRunError
from ontoeval.measures import parse
from ontoeval.model.ontology import Ontology, Source
from ontoeval.rdf.store.backends import Memory
from ontoeval.rdf.store.queries import Query, find_query, named_queries, value_of
from ontoeval.rdf.store.result_graph import UnknownMeasure, input_iri, run_iri
from ontoeval.rdf.store.sparql_safety import Sparql
from ontoeval.rdf.store.store import Store, open_store
from ontoeval.rdf.vocabulary import NS, PREFIXES, concept_node
from ontoeval.results import EvaluationResult, MeasureResult, NamedScores, Names, Score

Results = Sequence[EvaluationResult]
Rows = list[tuple[Any, ...]]
pytestmark = pytest.mark.filterwarnings("ignore:Dataset:DeprecationWarning")  # rdflib warns of itself
FEW = settings(
    max_examples=8, phases=[Phase.explicit, Phase.reuse, Phase.generate], suppress_health_check=[HealthCheck.too_slow]
)


# two engines

each_engine = pytest.mark.parametrize("engine", ["pyoxigraph", pytest.param("rdflib", marks=pytest.mark.slow)])


def memory(results: Results) -> Store:
    store = Store(Memory("made"))
    store.write(results)
    return store


def oxigraph(store: Store, text: str) -> Rows:
    backend: Any = store.backend
    found: Any = backend.store.query(text)
    names = [v.value for v in found.variables]
    return [tuple(_plain(row[name]) for name in names) for row in found]


def dataset_of(store: Store) -> rdflib.Dataset:
    backend: Any = store.backend
    data = io.BytesIO()
    backend.store.dump(data, format=ox.RdfFormat.N_QUADS)
    dataset = rdflib.Dataset()
    dataset.parse(data=data.getvalue().decode(), format="nquads")
    return dataset


prepared = cache(prepareQuery)  # most of rdflib's time


def by_rdflib(dataset: rdflib.Dataset, text: str) -> Rows:
    found: Any = dataset.query(prepared(text))
    return [tuple(_plain_rdflib(row.get(str(name))) for name in found.vars or ()) for row in found]


def _plain(term: Any) -> Any:
    if isinstance(term, ox.Literal) and term.datatype.value.startswith(PREFIXES["xsd"]):
        return _number(term.value, term.datatype.value)
    return None if term is None else term.value


def _plain_rdflib(term: Any) -> Any:
    if isinstance(term, rdflib.Literal) and term.datatype is not None:
        return _number(str(term), str(term.datatype))
    return None if term is None else str(term)


def _number(text: str, datatype: str) -> Any:
    kind = datatype.rpartition("#")[2]
    if kind == "dateTime":
        return text.replace("+00:00", "Z")
    return float(text) if kind in ("double", "decimal", "integer", "float") else text


def same(found: Rows, expected: Rows) -> None:
    assert len(found) == len(expected), (found, expected)
    for one, other in zip(found, expected, strict=True):
        assert [pytest.approx(v, abs=1e-12) if isinstance(v, float) else v for v in other] == list(one)


class Engine:
    """Runs in a store, asked by pyoxigraph or by rdflib."""

    def __init__(self, store: Store, engine: str) -> None:
        self.store = store
        self.dataset = dataset_of(store) if engine == "rdflib" else None

    def agree(self, name: str, expected: Rows, **given: object) -> None:
        text = find_query(name).bound(given, self.store).with_prefixes
        found = oxigraph(self.store, text) if self.dataset is None else by_rdflib(self.dataset, text)
        same(found, expected)


# plain Python


def best(measure: str) -> float | None:
    return 1.0 if measure == "Plug" else parse(measure).best


def far(measure: str, value: float) -> float:
    top = best(measure)
    assert top is not None
    return -value if math.isinf(top) else abs(value - top)


def worse(measure: str, value: float, threshold: float) -> bool:
    return far(measure, value) > far(measure, threshold)


def iri(result: EvaluationResult) -> str:
    return run_iri(result).value


def whole(result: EvaluationResult, measure: str) -> MeasureResult | None:
    return next((s for s in result.scores if str(s.measure) == measure), None)


def value(result: EvaluationResult, measure: str) -> float | None:
    score = whole(result, measure)
    return None if score is None or score.undefined is not None else float(score.value)


def local(result: EvaluationResult, measure: str) -> list[tuple[str, str, float]]:
    score = whole(result, measure)
    if score is None or score.local is None:
        return []
    return [(concept_node(n.iri).value, n.label, n.value) for n in score.local.all() if not math.isnan(n.value)]


def order(results: Results) -> list[EvaluationResult]:
    return sorted(results, key=lambda r: (r.started, r.system, iri(r)))


def golds(result: EvaluationResult) -> frozenset[str]:
    """What a run was judged against."""
    return frozenset(input_iri(source).value for source in list(result.inputs.values())[1:])


def gold(result: EvaluationResult) -> str | None:
    titles = [s.path.rpartition("/")[2] for s in result.inputs.values() if input_iri(s).value in golds(result)]
    return min(titles, default=None)


def trend(results: Results, measure: str) -> Rows:
    found = []
    for r in sorted(results, key=lambda r: (r.system, r.started, iri(r))):
        score = whole(r, measure)
        if score is not None:
            found.append((r.system, r.started, iri(r), gold(r), value(r, measure), score.undefined))
    return found


def worst_concepts(result: EvaluationResult, measure: str, count: int) -> Rows:
    return sorted(local(result, measure), key=lambda row: (-far(measure, row[2]), row[0]))[:count]  # type: ignore[return-value]


def always_bad(results: Results, measure: str, threshold: float, least: int) -> Rows:
    scores: dict[str, list[tuple[str, float]]] = {}
    for r in results:
        for concept, label, v in local(r, measure):
            scores.setdefault(concept, []).append((label, v))
    found = []
    for concept, pairs in scores.items():
        values = [v for _, v in pairs]
        if len(values) >= least and all(worse(measure, v, threshold) for v in values):
            mean = sum(values) / len(values)
            row = (concept, min(n for n, _ in pairs), float(len(values)), mean, min(values), max(values))
            found.append((-sum(far(measure, v) for v in values) / len(values), row))
    return [row for _, row in sorted(found, key=lambda pair: (round(pair[0], 12), pair[1][0]))]


def precision_recall(results: Results, precision: str, recall: str) -> Rows:
    rows = []
    for r in results:
        p, q = value(r, precision), value(r, recall)
        if p is not None and q is not None:
            rows.append((r.system, r.started, iri(r), gold(r), p, q, 2 * p * q / (p + q) if p + q > 0 else 0.0))
    return sorted(rows, key=lambda row: (-row[6], row[0], row[1], row[2]))


def two_systems(results: Results, first: str, second: str) -> Rows:
    rows = []
    for measure in {str(s.measure) for r in results for s in r.scores}:
        for against in {golds(r) for r in results}:
            runs = [r for r in results if golds(r) == against and value(r, measure) is not None]
            sides = [[value(r, measure) or 0.0 for r in runs if r.system == name] for name in (first, second)]
            if all(sides):
                a, b = (sum(side) / len(side) for side in sides)
                title = min(
                    (t for r in runs if r.system in (first, second) and (t := gold(r)) is not None), default=None
                )
                row = (measure, dimension(measure), title, a, b, a - b, float(len(sides[0])), float(len(sides[1])))
                rows.append((row[1] or "", measure, title or "", sorted(against), row))
    return [row[-1] for row in sorted(rows)]


def dimension(measure: str) -> str | None:
    return None if measure == "Plug" else parse(measure).preset.dimension


def pareto(results: Results, first: str, second: str) -> Rows:
    points = [
        (far(first, a), far(second, b), r.system, r.started, iri(r), a, b, golds(r))
        for r in results
        if (a := value(r, first)) is not None and (b := value(r, second)) is not None
    ]
    front = [
        p for p in points if not any(q[0] <= p[0] and q[1] <= p[1] and q[:2] != p[:2] and q[7] == p[7] for q in points)
    ]
    return [p[2:7] for p in sorted(front, key=lambda p: p[:5])]


def by_dimension(results: Results) -> Rows:
    rows = []
    for r in results:
        kinds: dict[str | None, list[float]] = {}
        for s in r.scores:
            if best(str(s.measure)) == 1 and s.undefined is None:
                kinds.setdefault(dimension(str(s.measure)), []).append(s.value)
        for kind, values in kinds.items():
            rows.append((kind, r.system, r.started, iri(r), float(len(values)), sum(values) / len(values), min(values)))
    return sorted(rows, key=lambda row: (row[0] or "", -round(row[5], 12), row[1], row[2], row[3]))


def regressions(results: Results, since: EvaluationResult, least: float, system: str = "same") -> Rows:
    rows = []
    for r in results:
        if iri(r) == iri(since) or r.started < since.started or golds(r) != golds(since):
            continue
        if system != "any" and r.system != since.system:
            continue
        for s in r.scores:
            measure = str(s.measure)
            before, now = value(since, measure), value(r, measure)
            if before is None or now is None or best(measure) is None:
                continue
            loss = far(measure, now) - far(measure, before)
            if loss > 0 and loss >= least:
                rows.append((r.system, r.started, iri(r), measure, before, now, loss))
    return sorted(rows, key=lambda row: (row[1], row[0], row[2], -row[6], row[3]))


def check_all(results: Results, engine: str) -> None:
    """Every shipped query but `below`, which joins an ontology, with values of parameters of our own."""
    agree = Engine(memory(results), engine).agree
    for measure in ("TF_csc", "TP_csc", "Motif"):
        agree("trend", trend(results, measure), measure=measure)
        agree("always-bad", always_bad(results, measure, 0.6, 1), measure=measure, threshold=0.6, least=1)
        agree("always-bad", always_bad(results, measure, 0.9, 2), measure=measure, threshold=0.9)
    agree("precision-recall", precision_recall(results, "TP_csc", "TR_csc"))
    agree("precision-recall", precision_recall(results, "LP", "LR"), precision="LP", recall="LR")
    for first, second in (("A", "B"), ("B", "A"), ("A", "A"), ("A", "nobody"), ("nobody", "nothing")):
        agree("two-systems", two_systems(results, first, second), first=first, second=second)
    agree("pareto", pareto(results, "LF", "TF_csc"))
    agree("pareto", pareto(results, "LF", "Motif"), second="Motif")
    agree("by-dimension", by_dimension(results))
    for place, r in enumerate(order(results)):
        for measure in ("TP_csc", "Motif"):
            agree("worst-concepts", worst_concepts(r, measure, 3), run=iri(r), measure=measure, count=3)
            expected = [
                (concept, label, v, None, None, None)
                for concept, label, v in worst_concepts(r, measure, 99)
                if worse(measure, v, 0.6)
            ]
            agree("below", expected, run=iri(r), measure=measure, threshold=0.6)
        if place < 2:
            agree("regressions", regressions(results, r, 0.0), since=iri(r))
            agree("regressions", regressions(results, r, 0.0, "any"), since=iri(r), system="any")
            agree("regressions", regressions(results, r, 0.25, "any"), since=iri(r), least=0.25, system="any")


# results


@pytest.fixture(scope="module")
def dellschaft() -> list[EvaluationResult]:
    """oc1 to oc5 against or2, by the systems A and B, a day apart."""
    folder = Path(__file__).resolve().parents[3] / "fixtures" / "dellschaft2006"
    gold = oe.load_ontology(folder / "or2.ttl")
    wanted = ["LP", "LR", "LF", "TP_csc", "TR_csc", "TF_csc", "EdgeF", "Motif", "Concepts", "TP(extract=uc)"]
    return [
        replace(
            oe.evaluate(oe.Comparison(oe.load_ontology(folder / f"oc{i}.ttl"), gold), wanted, system="AABBA"[i - 1]),
            started=f"2026-11-0{i}T09:00:00Z",
        )
        for i in range(1, 6)
    ]


VALUES = (0.0, 0.25, 0.5, 0.75, 1.0)  # few and exact, so that there are ties


@st.composite
def made(draw: Callable[..., Any]) -> list[EvaluationResult]:
    """Up to four runs with any values, undefined ones among them."""
    found = []
    names = ["http://ex.org/a", "http://ex.org/b", "two words", "ä"]
    for number in range(draw(st.integers(0, 4))):
        scores = []
        for measure in ("LP", "LR", "LF", "TP_csc", "TR_csc", "TF_csc", "Motif", "Concepts"):
            drawn = draw(st.sampled_from((*VALUES, None, "left out")))
            if drawn == "left out":
                continue
            score = Score.impossible("nothing to divide by") if drawn is None else Score(drawn)
            of = None
            if measure in ("TP_csc", "Motif") and drawn is not None:
                ids = draw(st.lists(st.integers(0, 3), unique=True))
                values = [draw(st.sampled_from((*VALUES, math.nan))) for _ in ids]
                of = NamedScores(
                    "learned", Names(names, lambda i: f"label {i}"), np.array(ids, np.int32), np.array(values)
                )
            scores.append(MeasureResult(measure, parse(measure), score, of))
        inputs = {"learned": Source(path="l", sha256=f"{number:064d}")}
        for letter in draw(st.sampled_from(("f", "f", "e", "", "ef"))):  # of the gold standards
            inputs[letter] = Source(path=f"g/{letter}", sha256=letter * 64)
        started = f"2026-11-0{draw(st.integers(1, 2))}T00:00:00Z"
        system = draw(st.sampled_from(("A", "B")))
        found.append(
            EvaluationResult("comparison", inputs, {}, tuple(scores), parse, "1", started, f"{number:032d}", system)
        )
    return found


@each_engine
def test_every_query_answers_the_dellschaft_runs_as_plain_python_does(
    engine: str, dellschaft: list[EvaluationResult]
) -> None:
    check_all(dellschaft, engine)


@each_engine
@FEW
@given(results=made())
def test_every_query_answers_any_runs_as_plain_python_does(engine: str, results: list[EvaluationResult]) -> None:
    check_all(results, engine)


@each_engine
@settings(FEW, max_examples=3)
@given(learned=st.lists(ontologies(), min_size=2, max_size=2), gold=ontologies())
def test_every_query_answers_random_ontologies(
    engine: str, learned: list[dict[str, Any]], gold: dict[str, Any]
) -> None:
    standard = Ontology.from_edges(**gold)
    results = {}
    for number, one in enumerate(learned):
        task = oe.Comparison(Ontology.from_edges(**one), standard)
        r = oe.evaluate(task, ["LP", "LR", "LF", "TP_csc", "TR_csc", "TF_csc", "Motif"], system="AB"[number])
        results[r.key] = replace(r, started=f"2026-11-0{number + 1}T00:00:00Z")
    check_all(list(results.values()), engine)


@each_engine
def test_an_empty_store_has_no_rows(engine: str) -> None:
    check_all([], engine)


@each_engine
def test_parents_come_from_the_ontology_that_was_evaluated(
    engine: str, dellschaft: list[EvaluationResult], fixtures: Path
) -> None:
    store = memory(dellschaft)
    folder = fixtures / "dellschaft2006"
    store.add_ontology(folder / "oc5.ttl")
    store.add_ontology(folder / "or2.ttl")
    v = "http://example.org/vehicles#"
    expected = []
    for name in ("BMX", "coupé"):
        for ontology in ("oc5.ttl", "or2.ttl"):
            parent = parent_of(folder / ontology, v + name)
            expected.append((v + name, name, 0.5, ontology, parent, parent.removeprefix(v)))
    Engine(store, engine).agree("below", expected, threshold=0.6)
    assert len(store.query("below", threshold=0.6)) == 4


def parent_of(file: Path, concept: str) -> str:
    below = ox.NamedNode(f"{PREFIXES['rdfs']}subClassOf")
    (found,) = [q.object.value for q in ox.parse(path=file) if q.predicate == below and q.subject.value == concept]
    return str(found)


@each_engine
def test_skos_parents_and_languages(engine: str) -> None:
    store = memory([_one(0.25)])
    backend: Any = store.backend
    graph = ox.NamedNode(f"{NS}input/{'0' * 32}")
    data = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix e: <http://ex.org/> .
        e:a skos:broader e:p . e:q skos:narrower e:a .
        e:p skos:prefLabel "Elter"@de , "parent"@en-GB ; skos:altLabel "other"@en ."""
    backend.store.load(data.encode(), format=ox.RdfFormat.TURTLE, to_graph=graph)
    rows: Rows = [
        ("http://ex.org/a", "label", 0.25, "l", "http://ex.org/p", "parent"),
        ("http://ex.org/a", "label", 0.25, "l", "http://ex.org/q", None),
    ]
    Engine(store, engine).agree("below", rows)
    assert store.query("below", language="de")[0]["parentLabel"] == "Elter"


def _one(v: float) -> EvaluationResult:
    of = NamedScores("learned", Names(["http://ex.org/a"], lambda i: "label"), np.array([0], np.int32), np.array([v]))
    scores = (MeasureResult("TP_csc", parse("TP_csc"), Score(v), of),)
    inputs = {"learned": Source(path="l", sha256="0" * 64)}
    return EvaluationResult("comparison", inputs, {}, scores, parse, "1", "2026-11-01T00:00:00Z", "0" * 32, "A")


# several gold standards, measures that are not installed


def run_of(number: int, system: str, against: str, **values: float) -> EvaluationResult:
    """A run on the day of its number, judged against gold standards of one letter each."""
    scores = [
        MeasureResult(name, UnknownMeasure(name) if name == "Plug" else parse(name), Score(v))
        for name, v in values.items()
    ]
    inputs = {"learned": Source(path="l", sha256=f"{number:064d}")}
    inputs.update({letter: Source(path=f"g/{letter}", sha256=letter * 64) for letter in against})
    started = f"2026-11-0{number}T00:00:00Z"
    return EvaluationResult("comparison", inputs, {}, tuple(scores), parse, "1", started, f"{number:032d}", system)


@pytest.fixture(scope="module")
def two_golds() -> list[EvaluationResult]:
    return [
        run_of(1, "A", "e", LF=1, TF_csc=0.75, TP_csc=1, TR_csc=0.5),
        run_of(2, "B", "e", LF=0.5, TF_csc=0.5, TP_csc=1, TR_csc=1),
        run_of(3, "A", "f", LF=0.25, TF_csc=0.25, TP_csc=0.5, TR_csc=0.5),
        run_of(4, "A", "e", LF=0.75, TF_csc=0.75, TP_csc=1, TR_csc=0.25),
        run_of(5, "B", "ef", LF=0.25, TF_csc=0, TP_csc=0, TR_csc=0),
        run_of(6, "B", "", LF=0, TF_csc=0, TP_csc=0, TR_csc=0),
    ]


@each_engine
def test_two_gold_standards_as_plain_python_has_them(engine: str, two_golds: list[EvaluationResult]) -> None:
    check_all(two_golds, engine)


def test_pareto_compares_runs_against_the_same(two_golds: list[EvaluationResult]) -> None:
    rows = memory(two_golds).query("pareto")
    assert [row["run"] for row in rows] == [iri(two_golds[i]) for i in (0, 2, 4, 5)]


def test_regressions_compare_runs_of_a_system_against_the_same(two_golds: list[EvaluationResult]) -> None:
    store = memory(two_golds)
    rows = store.query("regressions", since="first")
    assert [(row["run"], row["measure"], row["loss"]) for row in rows] == [
        (iri(two_golds[3]), str(parse("LF")), 0.25),
        (iri(two_golds[3]), str(parse("TR_csc")), 0.25),
    ]
    assert {row["run"] for row in store.query("regressions", since="first", system="any")} == {
        iri(two_golds[i]) for i in (1, 3)
    }


def test_two_systems_have_a_mean_for_every_gold_standard_of_both(two_golds: list[EvaluationResult]) -> None:
    runs = [*two_golds, run_of(7, "B", "f", LF=0.5)]
    rows = [
        row for row in memory(runs).query("two-systems", first="A", second="B") if row["measure"] == str(parse("LF"))
    ]
    names = ("gold", "mean_first", "mean_second", "runs_first", "runs_second")
    assert [tuple(row[name] for name in names) for row in rows] == [("e", 0.875, 0.5, 2, 1), ("f", 0.25, 0.5, 1, 1)]


@pytest.mark.parametrize("name", ["trend", "precision-recall"])
def test_the_gold_standard_is_named(name: str, two_golds: list[EvaluationResult]) -> None:
    found = {row["run"]: row["gold"] for row in memory(two_golds).query(name)}
    assert found == dict(zip(map(iri, two_golds), ("e", "e", "f", "e", "e", None), strict=True))


@each_engine
def test_a_gold_standard_that_is_the_same_file_by_another_name_counts_once(engine: str) -> None:
    runs = [run_of(1, "A", "e", LF=0.5), run_of(2, "B", "e", LF=0.25)]
    runs = [replace(r, inputs={"learned": Source(path="a", sha256="e" * 64), "gold": r.inputs["e"]}) for r in runs]
    Engine(memory(runs), engine).agree("two-systems", two_systems(runs, "A", "B"), first="A", second="B")
    (row,) = memory(runs).query("two-systems", first="A", second="B")
    assert (row["gold"], row["runs_first"], row["runs_second"]) == ("a", 1, 1)
    assert len(memory(runs).query("trend", measure="LF")) == 2


@each_engine
def test_gold_standards_without_a_title_are_told_apart(engine: str) -> None:
    store = memory([run_of(1, "A", "e", LF=0.5), run_of(2, "B", "e", LF=0.25), run_of(3, "A", "f", LF=1)])
    backend: Any = store.backend
    backend.store.update(f"DELETE WHERE {{ GRAPH ?g {{ ?s <{PREFIXES['dct']}title> ?o }} }}")
    row = (str(parse("LF")), "lexical", None, 0.5, 0.25, 0.25, 1.0, 1.0)
    Engine(store, engine).agree("two-systems", [row], first="A", second="B")
    assert [r["gold"] for r in store.query("trend", measure="LF")] == [None] * 3


@each_engine
def test_a_measure_that_is_not_installed(engine: str) -> None:
    runs = [
        run_of(1, "A", "e", LF=0.5, Plug=0.75),
        run_of(2, "A", "e", LF=1, Plug=0.5),
        run_of(3, "B", "e", LF=0, Plug=0),
    ]
    store = memory(runs)
    agree = Engine(store, engine).agree
    agree("trend", trend(runs, "Plug"), measure="Plug")
    agree("precision-recall", precision_recall(runs, "Plug", "LF"), precision="Plug", recall="LF")
    agree("pareto", pareto(runs, "LF", "Plug"), second="Plug")
    agree("regressions", regressions(runs, runs[0], 0), since="first")
    agree("regressions", regressions(runs, runs[0], 0, "any"), since="first", system="any")
    agree("by-dimension", by_dimension(runs))
    agree("two-systems", two_systems(runs, "A", "B"), first="A", second="B")
    assert [row["value"] for row in store.query("trend", measure=" Plug ")] == [0.75, 0.5, 0.0]
    assert [row["measure"] for row in store.query("regressions", since="first")] == ["Plug"]
    assert [row["mean"] for row in store.query("by-dimension") if row["dimension"] is None] == [0.75, 0.5, 0.0]
    with pytest.raises(UnknownMeasureError):  # neither here nor in the store
        store.query("trend", measure="Plugg")
    with pytest.raises(ParameterError):
        store.query("trend", measure="TP(extract=nothing)")


# the way through the child process


@pytest.fixture(scope="module")
def store(dellschaft: list[EvaluationResult], tmp_path_factory: pytest.TempPathFactory) -> Store:
    found = Store(tmp_path_factory.mktemp("query") / "store")
    found.write(dellschaft)
    return found


@pytest.mark.parametrize("name", named_queries())
def test_the_answer_of_a_store_is_that_of_the_engine(
    name: str, store: Store, dellschaft: list[EvaluationResult]
) -> None:
    given = {"first": "A", "second": "B"} if name == "two-systems" else {}
    twin = memory(dellschaft)
    expected = oxigraph(twin, find_query(name).bound(given, twin).with_prefixes)
    same([tuple(row.values()) for row in store.query(name, **given)], expected)


def test_every_named_query_says_what_it_does_and_what_it_takes() -> None:
    assert list(named_queries()) == [
        "always-bad", "below", "by-dimension", "pareto", "per-document", "precision-recall", "regressions",
        "relations", "trend", "two-systems", "worst-concepts",
    ]  # fmt: skip
    for query in named_queries().values():
        assert query.help.endswith(".")
        assert all(parameter.help for parameter in query.parameters)


def test_a_measure_is_known_by_any_spelling(store: Store) -> None:
    rows = store.query("trend", measure="TP( over=common,extract=csc )")
    assert list(rows) == list(store.query("trend", measure="TP_csc"))
    assert len(rows) == 5
    assert len(store.query("trend", measure="TP(extract=uc)")) == 5


def test_a_run_is_known_by_words_and_by_the_beginning_of_its_id(store: Store) -> None:
    runs = store.runs()
    for word, place in (("latest", -1), ("previous", -2), ("first", 0)):
        by_word = store.query("worst-concepts", run=word)
        assert by_word == list(store.query("worst-concepts", run=runs[place].id[:8]))
        assert by_word == list(store.query("worst-concepts", run=runs[place].run))


def test_answers_as_python_has_them(store: Store) -> None:
    rows = store.query('SELECT (1 AS ?i) (1.5 AS ?d) (1e0 AS ?f) (true AS ?b) ("x"@en AS ?t) (oe:a AS ?u) ?none {}')
    assert rows == [{"i": 1, "d": 1.5, "f": 1.0, "b": True, "t": "x", "u": f"{NS}a", "none": None}]
    assert rows.columns == ("i", "d", "f", "b", "t", "u", "none")
    assert rows[:1] == [rows[0]]
    assert repr(rows) == "<Answer: 1 rows>"
    frame = rows.to_frame()
    assert list(frame.columns) == list(rows.columns)
    assert frame["f"].tolist() == [1.0]
    assert list(store.query("SELECT ?a ?b { FILTER(false) }").to_frame().columns) == ["a", "b"]


def test_ask_and_construct(store: Store) -> None:
    yes, no = store.query("ASK { GRAPH ?g { ?g a oe:Evaluation } }"), store.query("ASK { FILTER(false) }")
    assert (yes.yes, bool(yes), no.yes, bool(no)) == (True, True, False, False)
    made = store.query("CONSTRUCT { ?g rdfs:label ?s } WHERE { GRAPH ?g { ?g oe:system ?s } }")
    assert len(made) == 5
    assert set(made[0]) == {"subject", "predicate", "object"}
    assert sum(1 for _ in ox.parse(made.to_turtle(), format=ox.RdfFormat.TURTLE)) == 5
    assert len(store.query(f"DESCRIBE <{NS}catalogue>")) == 0
    with pytest.raises(
        ParameterError, match=r"^only CONSTRUCT and DESCRIBE return triples. Use a format other than ttl.$"
    ):
        yes.to_turtle()


def test_files_are_asked_like_stores(store: Store, tmp_path: Path) -> None:
    for name in ("x.trig", "x.nq"):
        store.export(tmp_path / name)
        assert open_store(tmp_path / name).query("trend") == list(store.query("trend"))
    (tmp_path / "o.ttl").write_text("<http://ex.org/a> <http://ex.org/p> 1 .")
    assert open_store(tmp_path / "o.ttl").query("SELECT ?o { ?s ?p ?o }") == [{"o": 1}]


def test_a_query_may_declare_prefixes_itself(store: Store, tmp_path: Path) -> None:
    assert store.query("PREFIX oe: <http://other/> SELECT (oe:x AS ?a) {}") == [{"a": "http://other/x"}]
    assert store.query("BASE <http://b/> SELECT (<x> AS ?a) {}") == [{"a": "http://b/x"}]
    (tmp_path / "own.rq").write_text(
        "# Mine.\n# param who (text) = A : a system\nSELECT ?g { GRAPH ?g { ?g oe:system $who } }"
    )
    assert len(store.query(str(tmp_path / "own.rq"))) == 3
    assert len(store.query(str(tmp_path / "own.rq"), who="B")) == 2


# parameters


NASTY = [
    'A" } INSERT DATA {}', "A'", "A\\", 'A\\" || true || "', "A\n} #", "$first", "?system", "<http://x>", "A\r", "\x00",
    '"""', "A #", "}", "\u202e", "\U0001f600",
]  # fmt: skip


@pytest.mark.parametrize("words", NASTY)
def test_a_text_stays_a_text(words: str, store: Store) -> None:
    query = "# param who (text) : a system\nSELECT ($who AS ?x) ?g { OPTIONAL { GRAPH ?g { ?g oe:system $who } } }"
    assert store.query(query, who=words) == [{"x": words, "g": None}]
    assert list(store.query("two-systems", first=words, second="B")) == []


def test_what_looks_like_a_parameter_inside_a_text_is_left_alone(store: Store) -> None:
    query = '# param who (text) = A : a system\n# $who\nSELECT ("$who" AS ?a) (<http://x/$who> AS ?b) ($who AS ?c) {}'
    assert store.query(query) == [{"a": "$who", "b": "http://x/$who", "c": "A"}]


@pytest.mark.parametrize(
    ("name", "given", "kind", "message"),
    [
        ("trend", {"measure": "TP_cs"}, UnknownMeasureError,
         "unknown measure 'TP_cs'. Did you mean 'TP_csc' or 'TP_sc'? See `ontoeval measures`."),
        ("trend", {"mesure": "TP"}, ParameterError,
         "the query trend has no parameter 'mesure'. Did you mean 'measure'? Use one of: measure."),
        ("by-dimension", {"x": "y"}, ParameterError,
         "the query by-dimension has no parameter 'x'. It has none; `# param` declares one."),
        ("two-systems", {"first": "A"}, ParameterError,
         "the query two-systems needs second (the other system). Use `query(..., second=VALUE)`."),
        ("always-bad", {"threshold": "0.5) }"}, ParameterError,
         "threshold must be a number, not '0.5) }'. Use e.g. 0.5."),
        ("always-bad", {"threshold": "nan"}, ParameterError, "threshold must be a number, not 'nan'. Use e.g. 0.5."),
        ("worst-concepts", {"count": "-1"}, ParameterError,
         "count must be a whole number >= 0, not '-1'. Use e.g. 10."),
        ("worst-concepts", {"count": "1 OFFSET 3"}, ParameterError,
         "count must be a whole number >= 0, not '1 OFFSET 3'. Use e.g. 10."),
        ("two-systems", {"first": "\ud800", "second": "B"}, ParameterError,
         "first must be text in UTF-8, not '\\ud800'. Correct it."),
        ("trends", {}, ParameterError,
         f"unknown query 'trends'. Did you mean 'trend'? Use one of: {', '.join(named_queries())}."),
        ("nowhere.rq", {}, ParameterError,
         "nowhere.rq: cannot be read (No such file or directory). Choose another file."),
        ("# param x (numbr)\nASK {}", {}, ParameterError,
         "the parameter x of the query has the unknown kind 'numbr'. Did you mean 'number'? Use one of: measure, "
         "run, text, number, count, iri."),
        ("# param x (iri)\nASK { $x ?p ?o }", {"x": "http://a> } #"}, ParameterError,
         "x must be an IRI, not 'http://a> } #'. Use e.g. https://example.org/term."),
    ],
)  # fmt: skip
def test_wrong_parameters(
    name: str, given: dict[str, str], kind: type[OntoevalError], message: str, store: Store
) -> None:
    with pytest.raises(kind) as error:
        store.query(name, **given)
    assert str(error.value) == message


def test_a_run_that_is_not_there(store: Store) -> None:
    ids = ", ".join(f"{info.id[:8]} ({info.system})" for info in store.runs())
    for run in ("zzz", "http://x> } #"):
        with pytest.raises(UnknownRunError) as error:
            store.query("worst-concepts", run=run)
        assert str(error.value) == f"{store.backend.name}: no run {run!r}. Runs: {ids}."
    with pytest.raises(UnknownRunError) as error:
        memory([]).query("regressions")
    assert str(error.value) == "made: no run 'previous'. Runs: none."


# what is refused


SERVICE = "SERVICE queries another server, which is not allowed. Import the data with `Store.load()`."


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }",
        "SELECT * { service silent ?x { ?s ?p ?o } }",
        "SELECT * { SERVICE # c\n <http://127.0.0.1:9/> # {\n { } }",
        "SELECT * { ?s ?p trueSERVICE<http://127.0.0.1:9/>{} }",
        "SELECT * { ?s oe:p?1SERVICE<http://127.0.0.1:9/>{} }",
        "SELECT * { ?s ?p oe:a.b.SERVICE<http://127.0.0.1:9/>{} }",
        "SELECT * { SERVICEoe:a{ } }",
        "SELECT * { SERVICESILENToe:a { } }",
        "PREFIX service: <http://s/> SELECT * { SERVICE service:a { } }",
        "SELECT * { FILTER(1<2)SERVICE?x{ } }",
        'SELECT * { ?s ?p "#" . SERVICE <http://127.0.0.1:9/> { } }',
        "SELECT * { \\u0053ERVICE <http://127.0.0.1:9/> { } }",
        "ASK { { SELECT * { SERVICE <http://127.0.0.1:9/> { } } } }",
        "CONSTRUCT { ?s ?p ?o } WHERE { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }",
    ],
)
def test_service_is_refused(text: str, store: Store) -> None:
    with pytest.raises(ParameterError) as error:
        store.query(text)
    assert str(error.value) == SERVICE


def test_a_value_that_a_stray_quotation_mark_opens_up_is_refused(store: Store) -> None:
    query = '# param who (text)\nSELECT * { ?s ?p " . $who }'
    with pytest.raises(ParameterError) as error:
        store.query(query, who=" . SERVICE <http://127.0.0.1:9/> { } } #")
    assert str(error.value) == SERVICE


@pytest.mark.parametrize(
    "text",
    [
        'SELECT * { ?s ?p "SERVICE <http://x> {}" }',
        "SELECT * { ?s ?p '''a' SERVICE <http://x> { }''' } # SERVICE <http://x> {",
        "SELECT * { ?s <http://x/SERVICE> ?o }",
        "SELECT ?service ?x { ?x oe:service ?service }",
        "PREFIX service: <http://s/> SELECT * { GRAPH service:g { ?s service:p ?service } }",
        "SELECT * { ?s oe:service ?y { ?y ?q ?z } }",
        'SELECT * { ?s ?p "x"@en-service . { ?a ?b ?c } }',
        "SELECT * { ?s ?p _:service . { } }",
    ],
)
def test_the_word_service_elsewhere_is_no_service(text: str, store: Store) -> None:
    Sparql(text).check()
    assert len(store.query(text)) == 0


@pytest.mark.parametrize("word", ["INSERT DATA { }", "delete where { ?s ?p ?o }", "# c\nPREFIX a: <http://a/> DROP ALL",
                                  "LOAD <http://x>", "WITH <http://x> DELETE { }", "CLEAR ALL",
                                  "BASE <http://b/> COPY <a> TO <b>"])  # fmt: skip
def test_updates_are_refused(word: str, store: Store) -> None:
    with pytest.raises(ParameterError) as error:
        store.query(word)
    updates = {"INSERT", "DELETE", "DROP", "LOAD", "WITH", "CLEAR", "COPY"}
    name = next(w for w in word.replace("\n", " ").split() if w.upper() in updates)
    assert str(error.value) == (
        f"{name.upper()} is an update, but queries only read. Use a SELECT, ASK, CONSTRUCT or DESCRIBE query; "
        "`Store()` adds and deletes runs."
    )


NO_QUERY = "Use a SELECT, ASK, CONSTRUCT or DESCRIBE query, a file that ends in .rq, or a name from `named_queries()`."


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", f"not a query. {NO_QUERY}"),
        ("SELEKT * {}", f"not a query (starts 'selekt'). {NO_QUERY}"),
        ("SELECT * WHERE {\n  ?s foo:x ?o }",
         "the query is not valid at line 2, column 11 (near '?s foo:x ?o }'): the prefix foo: is not declared."),
        ("SELECT ?a WHERE { ?a ?b ?c } GROUP BY ?b",
         "the query is not valid at line 1, column 41 (near '?b ?c } GROUP BY ?b'): the SELECT contains a variable "
         "that is unbound."),
        ("SELECT * { ?s ?p }",
         "the query is not valid at line 1, column 19 (near 'SELECT * { ?s ?p }'): syntax error."),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_query_and_where(text: str, message: str, store: Store) -> None:
    with pytest.raises(ParameterError) as error:
        store.query(text)
    assert str(error.value) == message


def test_a_runaway_query_is_ended_at_the_limit(store: Store) -> None:
    cross = " ".join(f"GRAPH ?g{i} {{ ?a{i} ?b{i} ?c{i} }}" for i in range(6))
    with pytest.raises(StoreError) as error:  # without the limit it would not end, and past it the child ends itself
        store.query(f"SELECT (COUNT(*) AS ?n) {{ {cross} }}", timeout=1)
    assert str(error.value) == (
        f"{store.backend.name}: the query was stopped after 1 s. Narrow the query, or increase timeout=."
    )


@pytest.mark.parametrize("limit", [0, -1, math.nan, math.inf])
def test_a_limit_is_a_number_of_seconds(limit: float, store: Store) -> None:
    with pytest.raises(ParameterError) as error:
        store.query("trend", timeout=limit)
    assert str(error.value) == f"timeout must be a number of seconds > 0, not {limit}. Use e.g. 60."


def test_a_folder_that_is_no_store(tmp_path: Path) -> None:
    with pytest.raises(StoreError) as error:
        Store(tmp_path / "no").query("ASK {}")
    assert str(error.value) == (f"{tmp_path}/no: no such store. Make one with `write_scores(..., {tmp_path}/no)`.")


def test_the_comments_in_front_declare_the_parameters() -> None:
    query = Query.from_text(
        "# What.\n# more\n#param a (text)=x : words\n# param b(number): c\n\nSELECT * {} # param c (text)"
    )
    assert query.help == "What."
    assert [tuple(p) for p in query.parameters] == [("a", "text", "x", "words"), ("b", "number", None, "c")]


def test_an_ontology_goes_into_the_graph_of_its_input(tmp_path: Path, fixtures: Path) -> None:
    store = Store(tmp_path / "s")
    file = fixtures / "dellschaft2006" / "or2.ttl"
    graph = store.add_ontology(file)
    source = oe.load_ontology(file).source
    assert graph.value == f"{NS}input/{(source.sha256 or '')[:32]}"
    count = len(list(store.backend.triples(graph)))
    assert count == source.triples
    store.add_ontology(file)  # again
    assert len(list(store.backend.triples(graph))) == count
    (tmp_path / "x.tsv").write_text("a\tb\n")
    with pytest.raises(OntoevalError) as error:
        store.add_ontology(tmp_path / "x.tsv")
    assert str(error.value) == f"{tmp_path}/x.tsv: not RDF but tsv. Convert it, e.g. to Turtle."


@pytest.mark.parametrize(("text", "expected"), [("true", True), ("1", True), ("false", False), ("0", False)])
def test_a_boolean_has_two_spellings_of_each_value(text: str, expected: bool) -> None:
    assert value_of(ox.Literal(text, datatype=ox.NamedNode(PREFIXES["xsd"] + "boolean"))) is expected


def test_an_empty_answer_says_which_scores_are_not_stored(fixtures: Path, tmp_path: Path) -> None:
    folder = fixtures / "dellschaft2006"
    store = oe.Store(str(tmp_path / "store"))
    store.write(oe.compare(str(folder / "oc4.ttl"), str(folder / "or2.ttl"), ["TP_csc", "TF_csc"]))
    with pytest.warns(oe.OntoevalWarning) as caught:
        assert not store.query("worst-concepts", measure="TF_csc")
    assert [str(one.message) for one in caught] == ["no scores of concepts by TF_csc are stored. Use one of: TP_csc."]
    with pytest.warns(oe.OntoevalWarning, match=r"^no scores by LF are stored\. Use one of: TF_csc, TP_csc\.$"):
        assert not store.query("trend", measure="LF")
    with warnings.catch_warnings():
        warnings.simplefilter("error", oe.OntoevalWarning)
        assert not store.query("below", measure="TP_csc", threshold=0)  # there are such scores, and none is so low
        answer = store.query("trend", measure="TF_csc")
    assert "oc4" in str(answer)
    assert "<table" in answer._repr_html_()
