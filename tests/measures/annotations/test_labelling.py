"""Label sets and ranked labels: against the slow twin, against ir_measures, and what the definitions promise."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest
import strategies
import twin_labels
from helpers import near
from hypothesis import given, settings
from hypothesis import strategies as st
from twin_concepts import Concepts
from twin_labels import Document, Ranking

import ontoeval as oe
from ontoeval.concepts.space import Space
from ontoeval.errors import MissingInputError, ParameterError
from ontoeval.measures import Definition, all_measures
from ontoeval.measures.annotations import _label_sets as _labelsets
from ontoeval.measures.annotations.ranking import precision_at_recall
from ontoeval.model.corpus import Corpus
from ontoeval.tasks.extraction import Extraction

UNKNOWN = ("unknown one", "zz", "http://ex.org/no/Such")
SIMILARITIES = ("BDM", "LA", "LC", "Rada", "Resnik", "Lin", "Flat")
CREDITS = ("binary", "high", "low")
MEASURES = [d for d in all_measures() if d.dimension == "labelling"]
Scored = dict[str, list[tuple[str, float | None]]]


class Case:
    """An ontology and the scored labels of both sides; some are unknown, some come twice, some documents are empty."""

    def __init__(self, made: Mapping[str, Any], pick: int, random: Random) -> None:
        root = strategies.root_of(made, pick)
        self.twin = Concepts(**made, root=root)
        self.ontology = oe.Ontology.from_edges(**made, root=root)
        self.random = random
        self.pool = [*self.twin.given, *UNKNOWN]
        self.names = [f"d{number}" for number in range(random.randint(0, 4))]
        self.response, self.key = self.side(), self.side()

    def side(self) -> Scored:
        found: Scored = {}
        for name in self.names:
            if self.random.random() < 0.9:
                count = self.random.choice([0, 1, 2, 3, 4, 5])
                found[name] = [
                    (self.random.choice(self.pool), self.random.choice([0.1, 0.25, 0.5, 0.5, 0.9, 0.1 + 1e-9]))
                    for _ in range(count)
                ]
        return found

    @property
    def task(self) -> Extraction:
        return Extraction(scored(self.response), scored(self.key), self.ontology)

    def documents(self, similarity: str) -> list[Document]:
        known = self.twin.given

        def sim(g: str, f: str) -> float:
            return self.twin(similarity, f, g)

        return [
            Document(plain(self.response.get(name, [])), plain(self.key.get(name, [])), known, sim)
            for name in sorted({*self.response, *self.key})
        ]


def labels(given: Mapping[str, Sequence[str]]) -> Corpus:
    return Corpus.from_labels(given)


def scored(given: Mapping[str, Sequence[tuple[str, float | None]]]) -> Corpus:
    return Corpus.from_labels({d: [n if s is None else (n, s) for n, s in those] for d, those in given.items()})


def plain(those: Sequence[tuple[str, float | None]]) -> list[str]:
    return [name for name, _ in those]


def value(task: Extraction, measure: str) -> float:
    return oe.parse(measure)(task).value


def made_cases() -> st.SearchStrategy[Case]:
    return st.builds(Case, strategies.ontologies(), strategies.picks(), strategies.shuffles())


TINY = oe.Ontology.from_edges([("a", "r"), ("b", "r"), ("a1", "a"), ("a2", "a"), ("b1", "b"), ("b2", "b")])


# twins


@given(case=made_cases(), similarity=st.sampled_from(SIMILARITIES))
def test_set_relatedness_is_the_twins(case: Case, similarity: str) -> None:
    documents, task = case.documents(similarity), case.task
    for pairing, average in product(("best", "one-to-one"), ("macro", "micro")):
        expected = twin_labels.set_measures(documents, pairing, average)
        for name in ("SetP", "SetR", "SetF", "SetRel"):
            found = value(task, f"{name}(similarity={similarity}, pairing={pairing}, average={average})")
            assert found == near(expected[name]), (name, pairing, average)
        if pairing == "best":
            found = value(task, f"SetRel(similarity={similarity}, pairing=average, average={average})")
            assert found == near(expected["middle"])


@given(case=made_cases(), similarity=st.sampled_from(SIMILARITIES))
def test_label_precision_and_recall_are_the_twins(case: Case, similarity: str) -> None:
    documents, task = case.documents(similarity), case.task
    for credit in CREDITS:
        for name, expected in twin_labels.label_measures(documents, credit).items():
            assert value(task, f"{name}(credit={credit}, similarity={similarity})") == near(expected), (name, credit)


@given(case=made_cases())
def test_hierarchical_measures_are_the_twins(case: Case) -> None:
    documents, task = case.documents("Flat"), case.task
    for root, average in product(("out", "in"), ("macro", "micro")):
        for name, expected in twin_labels.hierarchical(documents, case.twin, root, average).items():
            assert value(task, f"{name}(root={root}, average={average})") == near(expected), (name, root, average)


@given(case=made_cases(), ic=st.sampled_from(["seco", "sanchez", "zhou", "corpus"]))
def test_set_gic_is_the_twins(case: Case, ic: str) -> None:
    documents, task = case.documents("Flat"), case.task
    kind = {"ic": ic, "smoothing": "add-one"} if ic == "corpus" else {"ic": ic}
    words = ", ".join(f"{key}={word}" for key, word in kind.items())
    if ic == "corpus" and not case.twin.assigned:
        return
    for average in ("macro", "micro"):
        expected = twin_labels.set_gic(documents, case.twin, average, **kind)
        assert value(task, f"SetGIC({words}, average={average})") == near(expected)


@given(case=made_cases())
def test_nearest_ancestors_are_the_twins(case: Case) -> None:
    task = case.task
    for name, expected in twin_labels.nearest_ancestors(case.documents("Flat"), case.twin).items():
        score = oe.parse(name)(task)
        assert score.local is not None
        assert score.local.values.tolist() == near(expected), name
        assert score.value == near(twin_labels.averaged(expected))
        assert all(0 <= own <= 1 for own in score.local.values.tolist())


@given(
    case=made_cases(),
    similarity=st.sampled_from(SIMILARITIES),
    ties=st.sampled_from(["label", "trec_eval"]),
    depth=st.sampled_from([1, 2, 3, 200]),
)
def test_rankings_are_the_twins(case: Case, similarity: str, ties: str, depth: int) -> None:
    task, documents = case.task, case.documents(similarity)
    names = sorted({*case.response, *case.key})
    rankings = [
        Ranking(case.response.get(name, []), document, ties, depth)
        for name, document in zip(names, documents, strict=True)
        if document.g
    ]
    given_ = f"similarity={similarity}, ties={ties}, depth={depth}"
    levels = [Fraction(0), Fraction(1, 2), Fraction(1)]
    for credit in CREDITS:
        wanted = {
            "APrec({})": [ranking.average_precision(credit) for ranking in rankings],
            "RPrec({})": [ranking.r_precision(credit) for ranking in rankings],
            "RPrec(recall_levels=3, {})": [ranking.at_levels(levels, credit) for ranking in rankings],
            "P_at(k=2, {})": [ranking.precision_at(2, credit) for ranking in rankings],
            "P_at({})": [ranking.precision_at(10, credit) for ranking in rankings],
        }
        for form, values in wanted.items():
            score = oe.parse(form.format(f"credit={credit}, {given_}"))(task)
            if not rankings:
                assert math.isnan(score.value)
                assert score.undefined == "no document has a true label"
                continue
            assert score.local is not None
            np.testing.assert_allclose(score.local.values, values, rtol=1e-9, atol=1e-9, err_msg=form)
            assert score.value == near(float(np.mean(values)))
            assert score.counts["left_out"] == len(names) - len(rankings)


@settings(max_examples=20)
@given(case=made_cases(), similarity=st.sampled_from(SIMILARITIES))
def test_nothing_depends_on_the_size_of_blocks_and_tables(case: Case, similarity: str) -> None:
    wanted = [
        f"{name}({more}similarity={similarity})"
        for name, more in [("SetRel", ""), ("SetRel", "pairing=one-to-one, "), ("LabelF", "credit=low, ")]
        + [("APrec", f"credit={credit}, ") for credit in CREDITS]
    ] + ["LCAP", "LCAR", "LCAF"]
    before = [repr(value(case.task, name)) for name in wanted]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_labelsets, "BLOCK", 1)
        patch.setattr(_labelsets, "DENSE", 0)
        patch.setattr("ontoeval.measures.annotations.ranking._CELLS", 1)
        assert [repr(value(case.task, name)) for name in wanted] == before


# promises


@given(case=made_cases(), similarity=st.sampled_from(SIMILARITIES))
def test_binary_is_at_most_low_and_low_at_most_high(case: Case, similarity: str) -> None:
    task = case.task
    for name in ("LabelP", "LabelR", "LabelF", "APrec", "RPrec", "P_at"):
        binary, high, low = (oe.parse(f"{name}(credit={credit}, similarity={similarity})")(task) for credit in CREDITS)
        if binary.local is None or high.local is None or low.local is None:
            continue
        assert (binary.local.values <= low.local.values + 1e-12).all()
        assert (low.local.values <= high.local.values + 1e-12).all()
        assert (high.local.values <= 1 + 1e-12).all()


@given(case=made_cases())
def test_swapping_the_sides_swaps_precision_and_recall_for_symmetric_similarities(case: Case) -> None:
    there = Extraction(scored(case.response), scored(case.key), case.ontology)
    back = Extraction(scored(case.key), scored(case.response), case.ontology)
    for left, right in [
        *((f"Set{a}(pairing={p}, average={v})", f"Set{b}(pairing={p}, average={v})")
          for a, b in ("PR", "RP", "FF") for p in ("best", "one-to-one") for v in ("macro", "micro")),
        *((f"Label{a}(credit={c})", f"Label{b}(credit={c})") for a, b in ("PR", "FF") for c in CREDITS),
        *((f"h{a}(root={r}, average={v})", f"h{b}(root={r}, average={v})")
          for a, b in ("PR", "FF") for r in ("in", "out") for v in ("macro", "micro")),
        *((f"LCA{a}", f"LCA{b}") for a, b in ("PR", "FF")),
        *((f"{name}(average={v})",) * 2 for name in ("SetRel", "SetGIC") for v in ("macro", "micro")),
    ]:  # fmt: skip
        assert value(there, left) == near(value(back, right)), left


@given(case=made_cases())
def test_a_score_is_the_weighted_mean_of_its_documents_or_made_of_parts(case: Case) -> None:
    for name, average in product(("SetP", "SetR", "SetRel", "SetF", "hP", "hR", "hF", "SetGIC"), ("macro", "micro")):
        score = oe.parse(f"{name}(average={average})")(case.task)
        assert (score.local is None) == bool(score.parts)
        for part in score.parts or (score,):
            assert part.local is not None
            assert part.local.of == "document"
            assert part.local.ids.tolist() == list(range(len(case.task.documents)))
            weights = part.local.weights
            if len(part.local.values) and (weights is None or weights.any()):
                assert part.value == near(float(np.average(part.local.values, weights=weights)))


@given(case=made_cases())
def test_known_labels_against_themselves_have_the_best_value(case: Case) -> None:
    known = {document: [name for name, _ in those if name not in UNKNOWN] for document, those in case.key.items()}
    task = Extraction(labels(known), labels(known), case.ontology)
    for name in ("SetRel", "SetF(pairing=one-to-one)", "SetF(average=micro)", "LabelF(credit=low)", "LabelF"):
        assert value(task, name) == near(1.0)
    for name in ("hF", "hF(root=in, average=micro)", "LCAP", "LCAR", "LCAF", "SetGIC", "SetGIC(average=micro)"):
        assert value(task, name) == near(1.0)


@given(case=made_cases(), random=strategies.shuffles())
def test_neither_order_nor_repetition_changes_anything(case: Case, random: Random) -> None:
    def shuffled(side: Scored) -> Scored:
        documents = random.sample(sorted(side), len(side))
        return {name: random.sample(side[name] * 2, 2 * len(side[name])) for name in documents}

    other = Extraction(scored(shuffled(case.response)), scored(shuffled(case.key)), case.ontology)
    for name in ("SetRel", "SetF(average=micro)", "LabelF(credit=low)", "APrec(credit=low)", "hF", "LCAF", "SetGIC"):
        assert repr(value(other, name)) == repr(value(case.task, name))


def test_rankings_with_binary_credit_are_those_of_ir_measures() -> None:
    ir = pytest.importorskip("ir_measures")
    random = Random(5)
    for _ in range(30):
        topics = [f"t{number}" for number in range(random.randint(1, 5))]
        pool = [f"doc{number}" for number in range(30)]
        true = {topic: random.sample(pool, random.randint(1, 8)) for topic in topics}
        run = {topic: [(name, random.choice([1.0, 2.0, 2.5, 3.25])) for name in random.sample(pool, 20)]
               for topic in topics}  # fmt: skip
        qrels = {topic: dict.fromkeys(names, 1) for topic, names in true.items()}
        wanted = [ir.AP, ir.Rprec, ir.P @ 5, ir.P @ 25]
        theirs = {
            (str(row.measure), row.query_id): row.value
            for row in ir.iter_calc(wanted, qrels, {topic: dict(pairs) for topic, pairs in run.items()})
        }
        task = Extraction(Corpus.from_labels(run), labels(true))
        forms = ["APrec(ties=trec_eval)", "RPrec(ties=trec_eval)", "P_at(k=5, ties=trec_eval)"]
        for name, form in zip(wanted, [*forms, "P_at(k=25, ties=trec_eval)"], strict=True):
            local = oe.parse(form)(task).local
            assert local is not None
            for topic, ours in zip(task.documents, local.values.tolist(), strict=True):
                assert ours == near(theirs[str(name), topic])


# worked by hand


def rada(task: Extraction, measure: str) -> float:
    return value(task, measure.replace(")", ", similarity=Rada)"))


def test_equations_4_and_5_by_hand() -> None:
    # true a1, b1; assigned a1 (right), a2 (2 edges from a1, 4 from b1), b (1 edge from b1, 3 from a1)
    task = Extraction(labels({"d": ["a1", "a2", "b"]}), labels({"d": ["a1", "b1"]}), TINY)
    assert value(task, "LabelP") == near(1 / 3)
    # each label its nearest true one: 1, 1/(1+2), 1/(1+1)
    assert rada(task, "LabelP(credit=high)") == near((1 + 1 / 3 + 1 / 2) / 3)
    # the missed b1 picks b, and nothing picks a2
    assert rada(task, "LabelP(credit=low)") == near((1 + 0 + 1 / 2) / 3)
    # recall: a1 is found; b1 finds b at one edge, and both wrong labels pick b1
    assert rada(task, "LabelR(credit=high)") == near((1 + 1 / 2) / 2)
    assert rada(task, "LabelR(credit=low)") == near((1 + 1 / 2) / 2)
    assert value(task, "LabelR") == near(1 / 2)


def test_low_credit_lets_a_term_pick_one_label_only() -> None:
    # both assigned labels are one edge from the only true one: the smaller IRI is picked
    task = Extraction(labels({"d": ["a1", "a2"]}), labels({"d": ["a"]}), TINY)
    assert rada(task, "LabelP(credit=high)") == near(1 / 2)
    assert rada(task, "LabelP(credit=low)") == near(1 / 4)
    assert rada(task, "LabelR(credit=low)") == near(1 / 2)


def test_of_equally_similar_labels_the_smallest_iri_is_picked() -> None:
    # a is one edge from a1 and a2 and picks a1; what is below a1 (a2) picks that, too
    for below, expected in (("a1", 1 / 4), ("a2", 1 / 2)):
        ontology = oe.Ontology.from_edges([("a1", "a"), ("a2", "a"), ("x", below)])
        task = Extraction(labels({"d": ["a1", "a2"]}), labels({"d": ["a", "x"]}), ontology)
        assert rada(task, "LabelP(credit=low)") == near(expected)


def test_similarities_are_compared_in_millionths_and_summed_in_full() -> None:
    for more, expected in ((1e-7, (1 / 2.0000001 + 1 / 2) / 2), (1e-4, 1 / 4)):
        ontology = oe.Ontology.from_edges([("a1", "a", 1 + more), ("a2", "a"), ("x", "a2")])
        task = Extraction(labels({"d": ["a1", "a2"]}), labels({"d": ["a", "x"]}), ontology)
        assert value(task, "LabelP(credit=low, similarity=Rada)") == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", range(40))
def test_many_labels_of_a_small_tree_are_the_twins(seed: int) -> None:
    random = Random(seed)
    names = [f"n{number:02d}" for number in random.sample(range(16), 16)]
    edges = [(name, names[random.randrange(place)]) for place, name in enumerate(names) if place]
    twin, ontology = Concepts(edges), oe.Ontology.from_edges(edges)

    def side() -> Scored:
        return {f"d{n}": [(name, random.random()) for name in random.sample(names, 7)] for n in range(4)}

    response, key = side(), side()
    task = Extraction(scored(response), scored(key), ontology)
    for similarity in ("Rada", "LA"):
        sim = partial(lambda measure, g, f: twin(measure, f, g), similarity)
        documents = [Document(plain(response[d]), plain(key[d]), names, sim) for d in sorted(key)]
        for name, expected in twin_labels.label_measures(documents, "low").items():
            assert value(task, f"{name}(credit=low, similarity={similarity})") == near(expected)
        ranked = [
            Ranking(response[d], document, "label", 9) for d, document in zip(sorted(key), documents, strict=True)
        ]
        expected = sum(ranking.average_precision("low") for ranking in ranked) / len(ranked)
        assert value(task, f"APrec(credit=low, similarity={similarity})") == near(expected)


@pytest.mark.parametrize("seed", range(20))
def test_nearest_ancestors_in_a_small_graph_full_of_ties_are_the_twins(seed: int) -> None:
    random = Random(seed)
    names = [f"n{number:02d}" for number in random.sample(range(14), 14)]
    edges = [
        (name, parent)
        for place, name in enumerate(names)
        for parent in random.sample(names[max(0, place - 6) : place], min(place, random.choice([1, 2, 2, 3])))
    ]
    twin, ontology = Concepts(edges), oe.Ontology.from_edges(edges)

    def side() -> dict[str, list[str]]:
        return {f"d{n:02d}": random.sample(names, random.randint(1, 3)) for n in range(30)}

    response, key = side(), side()
    documents = [Document(response[d], key[d], names, lambda a, b: 0.0) for d in sorted(key)]
    task = Extraction(labels(response), labels(key), ontology)
    for name, expected in twin_labels.nearest_ancestors(documents, twin).items():
        local = oe.parse(name)(task).local
        assert local is not None
        assert local.values.tolist() == near(expected), name


def test_ranked_labels_by_hand() -> None:
    ranked = Corpus.from_labels({"d": [("a2", 4.0), ("a1", 3.0), ("b", 2.0), ("b1", 1.0)]})
    task = Extraction(ranked, labels({"d": ["a1", "b1"]}), TINY)
    assert value(task, "APrec") == near((1 / 2 + 2 / 4) / 2)
    # P@2: a2 earns 1/3 of a1 and a1 earns 1; P@4: 1/3 + 1 + 1/2 + 1
    assert rada(task, "APrec(credit=high)") == near(((1 / 3 + 1) / 2 + (1 / 3 + 1 + 1 / 2 + 1) / 4) / 2)
    # P@2: of the true ones b1 is missed and picks a2, 4 edges away; P@4: none is missed
    assert rada(task, "APrec(credit=low)") == near(((1 / 5 + 1) / 2 + 2 / 4) / 2)
    assert rada(task, "RPrec(credit=low)") == near((1 / 5 + 1) / 2)
    assert value(task, "P_at(k=8)") == near(2 / 8)


def test_set_relatedness_by_hand() -> None:
    task = Extraction(labels({"d": ["a1", "b"]}), labels({"d": ["a2"]}), TINY)
    # a1 - a2: 2 edges, b - a2: 3 edges
    assert rada(task, "SetRel(average=macro)") == near((1 / 3 + 1 / 4 + 1 / 3) / 3)
    assert rada(task, "SetP(average=macro)") == near((1 / 3 + 1 / 4) / 2)
    assert rada(task, "SetR(average=macro)") == near(1 / 3)
    assert rada(task, "SetRel(pairing=one-to-one)") == near(2 / 3 / 3)
    assert rada(task, "SetRel(pairing=average)") == near(((1 / 3 + 1 / 4) / 2 + 1 / 3) / 2)


def lca(assigned: Sequence[str], true: Sequence[str], ontology: oe.Ontology) -> tuple[float, float, float]:
    task = Extraction(labels({"d": assigned}), labels({"d": true}), ontology)
    precision, recall, f = (value(task, name) for name in ("LCAP", "LCAR", "LCAF"))
    return precision, recall, f


def test_nearest_ancestors_by_hand() -> None:
    # siblings meet in a: {a1, a} and {a2, a}; the root does not matter
    assert lca(["a1"], ["a2"], TINY) == near((1 / 2, 1 / 2, 1 / 2))
    # one above the other: {a} of {a1, a}
    assert lca(["a"], ["a1"], TINY) == near((1, 1 / 2, 2 / 3))
    # they meet in the root: {a1, a, r} and {b1, b, r}
    assert lca(["a1"], ["b1"], TINY) == near((1 / 3, 1 / 3, 1 / 3))
    # a1 is right; b1's nearest is b; a2 meets a1 in a, and so a1's way up to a counts on both sides
    # {a1, a, a2, b} and {a1, a, b1, b}
    assert lca(["a1", "a2", "b"], ["a1", "b1"], TINY) == near((3 / 4, 3 / 4, 3 / 4))
    # nothing on one side, nothing on either
    assert lca([], ["a1"], TINY) == (0.0, 0.0, 0.0)
    assert lca(["a1"], [], TINY) == (0.0, 0.0, 0.0)
    assert lca([], [], TINY) == (1.0, 1.0, 1.0)


def test_of_equally_near_ancestors_the_deepest_counts_and_then_the_first_by_iri() -> None:
    # x and w meet in y and in z, after 2 edges; z is deeper, and lies between x and q: {x, z, q} and {w, z, q}
    deeper = oe.Ontology.from_edges(
        [("x", "y"), ("w", "y"), ("x", "z"), ("w", "z"), ("y", "r"), ("z", "q"), ("q", "r")]
    )
    assert lca(["x"], ["w", "q"], deeper) == near((2 / 3, 2 / 3, 2 / 3))
    # now both are as deep, and y comes first; v meets x in z: {x, y, z} and {w, y, v, z}
    level = oe.Ontology.from_edges([("x", "y"), ("w", "y"), ("x", "z"), ("w", "z"), ("y", "r"), ("z", "r"), ("v", "z")])
    assert lca(["x"], ["w", "v"], level) == near((2 / 3, 2 / 4, 4 / 7))


def test_of_equally_short_ways_the_first_by_iri_counts() -> None:
    # t meets x in p, and m is above x, over o or over p: {x, p, o, m} and {t, p, m}
    edges = [("x", "o"), ("x", "p"), ("o", "m"), ("p", "m"), ("t", "p")]
    assert lca(["x"], ["m", "t"], oe.Ontology.from_edges(edges)) == near((2 / 4, 2 / 3, 4 / 7))
    # with z instead of o: {x, p, m}
    other = [(a.replace("o", "z"), b.replace("o", "z")) for a, b in edges]
    assert lca(["x"], ["m", "t"], oe.Ontology.from_edges(other)) == near((2 / 3, 2 / 3, 2 / 3))


def test_without_a_common_ancestor_a_label_stands_alone() -> None:
    apart = oe.Ontology.from_edges([("a1", "a"), ("b1", "b")], root="none")
    assert lca(["a1"], ["b1"], apart) == (0.0, 0.0, 0.0)
    assert lca(["a1", "b1"], ["b1"], apart) == near((1 / 2, 1, 2 / 3))
    joined = oe.Ontology.from_edges([("a1", "a"), ("b1", "b")], root="new")
    assert lca(["a1"], ["b1"], joined) == near((1 / 3, 1 / 3, 1 / 3))  # the added root counts


def test_the_members_of_a_cycle_are_one_node() -> None:
    ring = oe.Ontology.from_edges([("a", "b"), ("b", "a"), ("a", "r"), ("c", "b"), ("d", "a")])
    assert lca(["a"], ["b"], ring) == (1.0, 1.0, 1.0)
    assert lca(["c"], ["d"], ring) == near((1 / 2, 1 / 2, 1 / 2))


def test_learning_accuracy_takes_the_true_concept_as_key_on_both_sides() -> None:
    task = Extraction(labels({"d": ["a"]}), labels({"d": ["a1"]}), TINY)
    expected = oe.relate(TINY, ["a"], ["a1"], "LA")[0]  # the judged concept stands left
    assert expected != oe.relate(TINY, ["a1"], ["a"], "LA")[0]
    for name in ("SetP", "SetR", "LabelP(credit=high)", "LabelR(credit=high)", "LabelR(credit=low)"):
        opening = name.removesuffix(")") + ("(" if "(" not in name else ", ")
        assert value(task, f"{opening}similarity=LA)") == near(expected)


# odd input


@pytest.mark.parametrize(
    ("response", "key", "value", "pooled"),
    [
        ({}, {}, 1.0, 1.0),
        ({"d": []}, {"d": []}, 1.0, 1.0),
        ({"d": []}, {"d": ["a1"]}, 0.0, 0.0),
        ({"d": ["a1"]}, {"d": []}, 0.0, 0.0),
        ({"d": ["a1"], "e": []}, {"d": ["a1"], "e": []}, 1.0, 1.0),
        ({"d": [], "e": []}, {"d": ["a1"], "e": []}, 0.5, 0.0),  # e is empty on both sides
    ],
)
def test_without_labels(response: Any, key: Any, value: float, pooled: float) -> None:
    task = Extraction(labels(response), labels(key), TINY)
    labelled = any(map(len, [*response.values(), *key.values()]))
    for name in ("SetP", "SetR", "SetF", "SetRel", "hP", "hR", "hF", "SetGIC"):
        macro, micro = (oe.parse(f"{name}(average={average})")(task) for average in ("macro", "micro"))
        assert (macro.value, macro.empty) == (value, 1.0), name
        assert micro.value == pooled, name
        for part in micro.parts or [micro]:
            # labels that are all the same may have no information content: then SetGIC is 1
            assert part.empty == (response == key if name == "SetGIC" else not labelled), name
    for name in ("LabelP", "LabelR", "LabelF", "LCAP", "LCAR", "LCAF"):
        score = oe.parse(name)(task)
        assert (score.value, score.empty) == (value, 1.0), name


def test_unknown_labels_match_nothing_not_even_themselves() -> None:
    task = Extraction(labels({"d": ["a1", "zz"]}), labels({"d": ["a1", "zz"]}), TINY)
    assert value(task, "LabelP") == near(1 / 2)
    assert value(task, "SetRel") == near(1 / 2)
    assert value(task, "hP") == near(2 / 3)  # a1, a and the unknown one
    assert value(task, "LCAR") == near(1 / 2)  # a1 and the unknown one
    assert oe.parse("LabelP")(task).counts == {
        "documents": 1, "correct": 1, "spurious": 1, "missing": 1, "unknown": 2,
    }  # fmt: skip
    space = Space.of(TINY)
    content = space.content("seco", "none", False).values[space.closure.part]
    own = sum(content[TINY.hierarchy.id(name)] for name in ("r", "a", "a1"))
    assert value(task, "SetGIC") == near(own / (own + 2))
    dropped = Extraction(labels({"d": ["a1", "zz"]}), labels({"d": ["a1", "zz"]}), TINY, unknown="drop")
    assert value(dropped, "LabelP") == 1.0


def test_two_names_of_one_concept_are_one_label() -> None:
    named = oe.Ontology.from_edges([("urn:x#a", "urn:x#r")], labels={"urn:x#a": "first"})
    task = Extraction(labels({"d": ["urn:x#a", "first", "a"]}), labels({"d": ["first"]}), named)
    assert value(task, "LabelP") == 1.0


def test_without_an_ontology_names_are_the_same_or_not() -> None:
    task = Extraction(Corpus.from_labels({"d": [("a", 2.0), ("b", 1.0)]}), labels({"d": ["b", "c"]}))
    for name in ("LabelF", "LabelF(credit=low, similarity=Flat)", "SetF(similarity=Flat)", "RPrec(similarity=Flat)"):
        assert value(task, name) == near(1 / 2)
    assert value(task, "APrec(credit=high, similarity=Flat)") == near(1 / 4)
    for name in ("SetRel", "LabelF(credit=high)", "APrec(credit=low)", "hP", "LCAP", "SetGIC"):
        with pytest.raises(MissingInputError, match="ontology"):
            value(task, name)


def test_labels_without_scores_are_no_ranking() -> None:
    task = Extraction(labels({"d": ["a", "b"]}), labels({"d": ["b"]}))
    score = oe.parse("APrec")(task)
    assert math.isnan(score.value)
    assert "no scores" in str(score.undefined)


def test_a_document_without_a_ranking_has_0_and_one_without_true_labels_is_left_out() -> None:
    task = Extraction(Corpus.from_labels({"a": [("x", 1.0)], "c": [("x", 1.0)]}), labels({"a": ["x"], "b": ["x"]}))
    score = oe.parse("APrec")(task)
    assert score.value == 1 / 2
    assert score.counts == {"documents": 2, "left_out": 1, "unknown": 0}


@pytest.mark.parametrize("bare", ["p", "q"])
def test_a_label_without_information_content_is_refused_at_the_top_too(bare: str) -> None:
    """Without a root each top has a content of its own, and none if nothing was counted below it."""
    counted = "q" if bare == "p" else "p"
    ontology = oe.Ontology.from_edges([("p1", "p"), ("q1", "q")], root="none").with_counts({f"{counted}1": 3})
    task = Extraction(labels({"d": [counted]}), labels({"d": [bare]}), ontology)
    with pytest.raises(MissingInputError, match=rf"no information content for 1 concept.*'{bare}'"):
        value(task, "SetGIC(ic=corpus)")


@pytest.mark.parametrize("definition", MEASURES, ids=lambda definition: definition.name)
def test_the_same_labels_have_the_best_value_unless_the_measure_says_otherwise(definition: Definition) -> None:
    """Labels without scores are no ranking, so that measures of rankings cannot promise it."""
    same = labels({"d": ["a1", "b"], "e": ["a2"]})
    score = oe.parse(definition.name)(Extraction(same, same, TINY))
    assert (score.undefined is None) == definition.identity
    assert score.undefined is not None or score.value == near(1.0)


def test_spans_and_individuals_are_refused() -> None:
    spans = Corpus.from_spans({"d": [(0, 1, "a")]})
    with pytest.raises(MissingInputError, match="spans of text"):
        value(Extraction(spans, spans, TINY), "SetRel")
    with pytest.raises(ParameterError, match="individuals"):
        value(Extraction(labels({"d": ["a"]}), labels({"d": ["a"]}), TINY, by="instance"), "LabelP")


@pytest.mark.parametrize(
    "name",
    [
        "SetRel(similarity=Rada(scale=distance))", "LabelP(similarity=LC(scale=raw))", "APrec(similarity=LF)",
        "APrec(depth=0)", "P_at(k=0)", "RPrec(recall_levels=1)", "RPrec(recall_levels=-2)", "SetGIC(smoothing=add-one)",
        "SetP(pairing=average)", "LabelP(credit=medium)",
    ],
)  # fmt: skip
def test_parameters_without_a_meaning_are_refused(name: str) -> None:
    with pytest.raises(ParameterError):
        oe.parse(name)


def test_levels_of_recall_are_decimal_numbers() -> None:
    # 7 of 10 reached: 0.7 * 10 is a little more than 7 in floating point
    found = [(f"n{number}", 20.0 - number) for number in range(7)]
    task = Extraction(Corpus.from_labels({"d": found}), labels({"d": [f"n{number}" for number in range(10)]}))
    assert precision_at_recall(task, [0.7]).value == 1.0
    assert precision_at_recall(task, [0.71, 0.5]).value == 0.5
    assert precision_at_recall(task, [0.0, 1.0]).value == 0.5  # both ends are levels; 10 of 10 are never reached
    with pytest.raises(ParameterError, match="level"):
        precision_at_recall(task, [1.5])
    with pytest.raises(ParameterError, match="no level"):
        precision_at_recall(task, [])


@pytest.mark.parametrize(
    ("level", "true", "hits"),
    [
        (5 / 6, 6, 5),  # as a float a little more than five sixths
        (0.51, 51, 27),  # 26 of 51 are 0.5098
        (0.6666666668, 3, 2),  # two thirds, of all fractions up to billionths the nearest: the next is 0.666666667
        (0.666666667, 3, 3),
    ],
)
def test_a_level_of_recall_is_the_nearest_fraction_up_to_billionths(level: float, true: int, hits: int) -> None:
    """Hit, miss, hit, miss, ...: the k-th hit is at rank 2k - 1, where the precision is k / (2k - 1), less and less."""
    ranked = [(f"{'miss' if rank % 2 else 'hit'} {rank // 2}", 999.0 - rank) for rank in range(2 * true)]
    task = Extraction(Corpus.from_labels({"d": ranked}), labels({"d": [f"hit {number}" for number in range(true)]}))
    assert precision_at_recall(task, [level]).value == near(hits / (2 * hits - 1))


def test_scores_in_single_precision_tie() -> None:
    task = Extraction(Corpus.from_labels({"d": [("a", 1.0), ("b", 1.0 + 1e-12)]}), labels({"d": ["b"]}))
    assert value(task, "APrec") == 1.0
    task = Extraction(Corpus.from_labels({"d": [("b", 1.0), ("a", 1.0 + 1e-12)]}), labels({"d": ["b"]}))
    assert value(task, "APrec") == 1 / 2
    assert value(task, "APrec(ties=trec_eval)") == 1.0  # descending names


# cutting


def test_cut_takes_the_best_labels_and_those_that_reach_the_threshold() -> None:
    corpus = Corpus.from_labels({"a": [("x", 0.5), ("y", 0.9), ("x", 0.8), ("z", 0.5)], "b": [], "c": [("q", 0.1)]})

    def kept(cut: Corpus) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {name: [] for name in cut.documents}
        for document, concept in zip(cut.document.tolist(), cut.concept.tolist(), strict=True):
            found[cut.documents[document]].append(cut.concepts[concept])
        return found

    assert kept(corpus.cut(limit=2)) == {"a": ["y", "x"], "b": [], "c": ["q"]}
    assert kept(corpus.cut(threshold=0.8)) == {"a": ["y", "x"], "b": [], "c": []}
    assert kept(corpus.cut(limit=1, threshold=0.05)) == {"a": ["y"], "b": [], "c": ["q"]}
    assert corpus.cut() is corpus
    assert corpus.cut(limit=2).digest != corpus.digest


@pytest.mark.parametrize("chosen", [{"limit": -1}, {"limit": True}, {"threshold": math.nan}])
def test_cut_refuses_what_is_no_limit(chosen: dict[str, Any]) -> None:
    with pytest.raises(ParameterError):
        Corpus.from_labels({"a": [("x", 0.5)]}).cut(**chosen)


def test_only_labels_with_scores_can_be_cut() -> None:
    with pytest.raises(ParameterError, match="without scores"):
        labels({"a": ["x"]}).cut(limit=1)
    with pytest.raises(ParameterError, match="spans"):
        Corpus.from_spans({"a": [(0, 1, "x")]}).cut(limit=1)
