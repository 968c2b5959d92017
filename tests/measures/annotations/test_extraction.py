"""Augmented precision and recall, and the agreement of annotators, against plain Python and published values."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
import twin_spans as twin
from helpers import near
from hypothesis import given
from strategies import shuffles
from twin_spans import CLASSES, EDGES, Span, document

import ontoeval as oe
from ontoeval.analysis.annotator_agreement import alpha as alpha_of_many
from ontoeval.analysis.confusion import NO_CLASS, Confusion, confusions, cost_precision, examples, per_class
from ontoeval.errors import MissingInputError, ParameterError, UnknownConceptError
from ontoeval.evaluation import evaluate
from ontoeval.measures import all_measures, parse
from ontoeval.measures.annotations.extraction import pair_annotations, similarities
from ontoeval.measures.registry import Definition, Registry
from ontoeval.measures.similarity_parameter import check_similarity
from ontoeval.model.corpus import AnnotatedDocument, Annotation, Corpus
from ontoeval.model.ontology import Ontology
from ontoeval.results import Score
from ontoeval.tasks.concept_pairs import ConceptPairs
from ontoeval.tasks.extraction import Extraction

ONTOLOGY = Ontology.from_edges(EDGES)
KNOWN = [name for name in CLASSES if name not in ("nowhere", None)]
SIMILARITIES = ("Flat", "BDM", "LA")
MEASURES = [d for d in all_measures() if d.task is Extraction and d.function.__module__.endswith(".extraction")]


def corpus(documents: Sequence[Sequence[Span]]) -> Corpus:
    return Corpus.from_spans({f"d{number}": spans for number, spans in enumerate(documents)})


def task_of(keys: Sequence[Sequence[Span]], responses: Sequence[Sequence[Span]], **options: Any) -> Extraction:
    return Extraction(corpus(responses), corpus(keys), options.pop("ontology", ONTOLOGY), **options)


def similarity(name: str, key: str | None, response: str | None) -> float:
    ids = [-1 if c is None or c not in ONTOLOGY.hierarchy else ONTOLOGY.hierarchy.id(c) for c in (key, response)]
    return float(similarities(task_of([], []), parse(name), *(np.array([i]) for i in ids))[0])


# augmented precision and recall


def test_an_example_worked_by_hand() -> None:
    """The key has a man, a company and a port; the response calls the man a person and invents a city.

    BDM of the classes is taken as given; its own values are tested elsewhere.
    """
    keys = [[(0, 3, "man"), (4, 9, "company"), (20, 24, "port")], [(0, 2, "city")]]
    responses = [[(0, 3, "person"), (4, 9, "company"), (21, 24, "port"), (30, 31, "city")], []]
    found = evaluate(
        task_of(keys, responses), ["P", "R", "F", "AP", "AR", "AP(spans=lenient)", "AF(average=macro)", "AR_LA"]
    )
    bdm = similarity("BDM", "man", "person")
    assert 0 < bdm < 1
    expected = {
        "P": 1 / 4,
        "R": 1 / 4,
        "F": 1 / 4,
        "AP": (bdm + 1) / 4,
        "AR": (bdm + 1) / 4,
        "AP(spans=lenient)": (bdm + 2) / 4,
        "AF(average=macro)": ((bdm + 1) / 3.5 + 0) / 2,
        "AR_LA": 2 / 4,  # LA of an ancestor is 1
    }
    assert {score.name: score.value for score in found} == near(expected)
    assert dict(found["AP(spans=lenient)"].counts) == near(
        {
            "correct": 2,  # the company, and the port whose span overlaps
            "same_span": 2,
            "partial": 1,
            "same_span_credit": bdm + 1,
            "partial_credit": 1.0,
            "missing": 1,
            "spurious": 1,
            "keys": 4,
            "responses": 4,
        }
    )
    assert found["AP"].local is not None
    assert found["AP"].local.to_dict() == near({"d0": (bdm + 1) / 4, "d1": 0.0})


@given(random=shuffles())
def test_precision_recall_and_f_are_those_of_the_best_pairing(random: Random) -> None:
    keys, responses = ([document(random, most=3) for _ in range(3)] for _ in range(2))
    task = task_of(keys, responses)
    for name in SIMILARITIES:
        for match in ("strict", "lenient"):
            given = f"similarity={name}, spans={match}"
            pair = pair_annotations(task, parse(name), match)
            credit = np.bincount(task.key_side.document[pair.key], weights=pair.similarity, minlength=3).tolist()
            sizes = [(len(r), len(k)) for r, k in zip(responses, keys, strict=True)]
            each = [(twin.ratio(c, r, k), twin.ratio(c, k, r)) for c, (r, k) in zip(credit, sizes, strict=True)]
            whole = sum(credit), sum(r for r, _ in sizes), sum(k for _, k in sizes)
            micro = twin.ratio(whole[0], whole[1], whole[2]), twin.ratio(whole[0], whole[2], whole[1])
            expected = {
                f"AP({given})": micro[0],
                f"AR({given})": micro[1],
                f"AF({given})": twin.f_measure(*micro),
                f"AP({given}, average=macro)": sum(p for p, _ in each) / 3,
                f"AR({given}, average=macro)": sum(r for _, r in each) / 3,
                f"AF({given}, average=macro)": sum(twin.f_measure(*pair) for pair in each) / 3,
            }
            for text, value in expected.items():
                assert parse(text)(task).value == near(value), text


@given(random=shuffles())
def test_the_identities_of_the_paper(random: Random) -> None:
    """n + Spurious are the responses, n + Missing the keys; AF is the harmonic mean; credit is shared."""
    task = task_of(*([document(random, most=8) for _ in range(2)] for _ in range(2)))
    for name in ("P", "AP", "AP_LA", "AP(spans=lenient)"):
        others = [parse(name.replace("P", letter, 1) if name == "P" else f"A{letter}{name[2:]}") for letter in "RF"]
        precision, recall, f = (measure(task) for measure in (parse(name), *others))
        counts = precision.counts
        pairs = counts["same_span"] + counts["partial"]
        assert counts["correct"] <= pairs
        if name == "P":
            assert counts["correct"] == counts["same_span_credit"]
        assert counts["responses"] == pairs + counts["spurious"] == len(task.response_side)
        assert counts["keys"] == pairs + counts["missing"] == len(task.key_side)
        assert dict(counts) == dict(recall.counts) == dict(f.counts)
        assert f.value == near(twin.f_measure(precision.value, recall.value))
        credit = counts["same_span_credit"] + counts["partial_credit"]
        if counts["responses"] and counts["keys"]:
            assert (precision.value * counts["responses"], recall.value * counts["keys"]) == near((credit, credit))


@pytest.mark.parametrize(
    ("keys", "responses", "expected"),
    [
        ([[]], [[]], (1.0, 1.0, 1.0)),
        ([], [], (1.0, 1.0, 1.0)),
        ([[(0, 1, "man")]], [[]], (0.0, 0.0, 0.0)),
        ([[]], [[(0, 1, "man")]], (0.0, 0.0, 0.0)),
        ([[(0, 1, "man")]], [[(0, 1, "port")]], (0.0, 0.0, 0.0)),
    ],
)
@pytest.mark.parametrize("average", ["micro", "macro"])
def test_nothing_on_one_side(keys: Any, responses: Any, expected: tuple[float, ...], average: str) -> None:
    task = task_of(keys, responses)
    scores = [parse(f"{name}(average={average})")(task) for name in ("AP", "AR", "AF")]
    assert tuple(score.value for score in scores) == expected
    # without any document, as a sample may be: a mean of nothing is 1, and so is nothing of nothing
    annotated = any(map(len, [*keys, *responses]))
    assert {score.empty for score in scores} == {0.0 if annotated and average == "micro" else 1.0}
    credit = parse("Credit")(task)
    assert (credit.value, credit.empty) == (0.0 if annotated else 1.0, 1.0)


def test_a_document_that_only_one_side_has_is_empty_on_the_other() -> None:
    response = Corpus.from_spans({"a": [(0, 1, "man")], "b": [(0, 1, "man")]})
    task = Extraction(response, Corpus.from_spans({"a": [(0, 1, "man")], "c": []}), ONTOLOGY)
    score = parse("P(average=macro)")(task)
    assert score.value == near((1 + 0 + 1) / 3)
    assert score.local is not None
    assert score.local.values.tolist() == [1.0, 0.0, 1.0]


@given(random=shuffles())
def test_a_score_is_the_weighted_mean_of_its_documents(random: Random) -> None:
    task = task_of(*([document(random) for _ in range(4)] for _ in range(2)))
    for name in ("AP", "AR", "AF", "F", "AR_LA", "AP(average=macro)", "AF(average=macro, spans=lenient)"):
        score = parse(name)(task)
        assert score.local is not None
        assert score.local.of == "document"
        weights = score.local.weights
        if weights is None or weights.any():
            assert score.value == near(float(np.average(score.local.values, weights=weights)))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("AP(similarity=Rada(scale=distance))", "is not a similarity from 0 to 1"),
        ("AR(similarity=LC(scale=raw))", "is not a similarity from 0 to 1"),
        ("AF(similarity=Pearson)", "does not score pairs of concepts"),
        ("Alpha(similarity=TP)", "does not score pairs of concepts"),
    ],
)
def test_other_measures_are_no_similarities(text: str, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        parse(text)


def test_a_similarity_is_from_0_to_1_and_1_is_its_best() -> None:
    bdm = parse("BDM")
    for scale in ({"best": 0.0}, {"range": (-1.0, 1.0)}):  # a distance up to 1, a similarity that can be negative
        other = replace(bdm, definition=replace(bdm.definition, **scale))  # type: ignore[arg-type]
        with pytest.raises(ParameterError, match="is not a similarity from 0 to 1"):
            check_similarity({"similarity": other})
    check_similarity({"similarity": bdm})


def test_a_similarity_may_have_parameters_of_its_own() -> None:
    text = "AP(similarity=Rada(scale=similarity, edges=similarity))"
    task = task_of([[(0, 1, "man")]], [[(0, 1, "woman")]])
    assert parse(text)(task).value == near(similarity("Rada", "man", "woman"))
    assert str(parse("AP(similarity=Flat)")) == "P"
    assert str(parse("AR(similarity=LA)")) == "AR_LA"


def test_a_name_that_fits_no_concept_is_wrong_even_if_both_sides_have_it() -> None:
    keys = responses = [[(0, 1, "nowhere"), (2, 3, "man"), (4, 5, None)]]
    assert parse("P")(task_of(keys, responses)).value == near(1 / 3)
    assert parse("P")(task_of(keys, responses, unknown="drop")).value == 0.5  # no class: not unknown


def test_names_are_compared_without_an_ontology() -> None:
    keys, responses = [[(0, 1, "x"), (2, 3, "")]], [[(0, 1, "x"), (2, 3, "")]]
    task = task_of(keys, responses, ontology=None)
    assert [score.name for score in evaluate(task)] == ["P", "R", "F"]
    assert [score.name for score in evaluate(task, "classic")] == ["P", "R", "F", "Kappa", "Pi", "Alpha_Flat"]
    assert parse("F")(task).value == 1.0
    for name in ("AP", "AR_LA", "AF(similarity=Lin)", "Alpha"):
        with pytest.raises(MissingInputError, match="needs an ontology"):
            parse(name)(task)
    with pytest.raises(MissingInputError, match="needs an ontology"):  # also where there is nothing to compare
        parse("AP")(task_of([], [], ontology=None))


def test_exact_and_graded_scores_stand_side_by_side_by_default() -> None:
    task = task_of([[(0, 1, "man")]], [[(0, 1, "person")]])
    assert [score.name for score in evaluate(task)] == ["P", "R", "F", "AP", "AR", "AF"]
    classic = ["P", "R", "F", "AP_LA", "AR_LA", "AF_LA", "AP", "AR", "AF"]
    assert [score.name for score in evaluate(task, "classic")] == classic


def test_labels_of_documents_are_refused() -> None:
    labels = Corpus.from_labels({"d": ["man"]})
    task = Extraction(labels, labels, ONTOLOGY)
    for name in ("P", "AF", "Kappa", "Alpha"):
        with pytest.raises(MissingInputError, match=f"{name} scores spans of text, not labels of documents"):
            parse(name)(task)


def test_individuals_are_judged_by_name_and_other_ones_by_their_similarity() -> None:
    key = Corpus.from_spans({"d": [(0, 1, "man", "http://x/1"), (2, 3, "man", "http://x/2")]})
    response = Corpus.from_spans({"d": [(0, 1, "port", "http://x/1"), (2, 3, "man", "http://x/9")]})
    assert parse("P")(Extraction(response, key, ONTOLOGY, by="instance")).value == 0.5
    populated = Ontology.from_edges(EDGES, instances={"http://x/2": "man", "http://x/9": "man"})
    [close] = oe.relate(populated, ["http://x/9"], ["http://x/2"], "BDM")
    assert 0 < close < 1
    task = Extraction(response, key, ONTOLOGY, by="instance")
    assert parse("AF")(task).value == pytest.approx((1 + close) / 2)
    assert parse("Credit")(task).value == pytest.approx((1 + close) / 2)
    with pytest.raises(MissingInputError, match="LA needs an ontology"):
        parse("AP_LA")(Extraction(response, key, None, by="instance"))


# what every measure promises


@pytest.mark.parametrize("definition", MEASURES, ids=lambda definition: definition.name)
@given(random=shuffles())
def test_values_lie_in_the_range_and_the_same_annotations_have_the_best_value(definition: Any, random: Random) -> None:
    keys, responses = ([document(random, length=5) for _ in range(2)] for _ in range(2))
    measure = parse(definition.name)
    low, high = measure.range
    score = measure(task_of(keys, responses))
    assert isinstance(score.value, float)
    if score.undefined is None:
        assert low <= score.value <= high
    else:
        assert math.isnan(score.value)
        assert re.search(r"\w+ \w+", score.undefined)
    known = [document(random, classes=KNOWN, length=5) for _ in range(2)]
    itself = measure(task_of(known, known))
    assert itself.value == near(1.0) or (not definition.identity and itself.undefined is not None)


@pytest.mark.parametrize("definition", [d for d in MEASURES if d.symmetric], ids=lambda definition: definition.name)
@given(random=shuffles())
def test_symmetric_measures_do_not_change_when_the_sides_are_swapped(definition: Any, random: Random) -> None:
    keys, responses = ([document(random, length=3) for _ in range(2)] for _ in range(2))
    one, two = (parse(definition.name)(task_of(*sides)) for sides in ((keys, responses), (responses, keys)))
    assert one.undefined == two.undefined
    assert one.value == pytest.approx(two.value, nan_ok=True)


@given(random=shuffles())
def test_neither_the_order_of_documents_nor_of_annotations_matters(random: Random) -> None:
    sides = [[(f"d{n}", document(random, most=7, length=5)) for n in range(3)] for _ in range(2)]
    found = []
    for _ in range(2):
        made = [
            Corpus.build(
                AnnotatedDocument(name, [Annotation(*span) for span in random.sample(own, len(own))])
                for name, own in random.sample(side, len(side))
            )
            for side in sides
        ]
        task = Extraction(made[0], made[1], ONTOLOGY)
        scores = [parse(d.name)(task) for d in MEASURES]
        rows = [per_class(task, "LA", "lenient"), confusions(task, "LA", "lenient")]
        found.append(([(repr(s.value), s.undefined, dict(s.counts)) for s in scores], rows))
    assert found[0] == found[1]


# agreement


def items_of(keys: Sequence[Span], responses: Sequence[Span]) -> list[tuple[str | None, str | None]]:
    """One annotation to a place, so that there is one pairing."""
    other = {span[:2]: span[2] for span in responses}
    pairs = [(span[2], other[span[:2]]) for span in keys if span[:2] in other]
    return [pair for pair in pairs if pair != (None, None)]


def single(spans: Sequence[Span]) -> list[Span]:
    return list({span[:2]: span for span in spans}.values())


@given(random=shuffles())
def test_kappa_and_pi(random: Random) -> None:
    classes = ["a", "b", "", None]
    keys, responses = (single(document(random, most=12, length=3, classes=classes)) for _ in range(2))
    items = items_of(keys, responses)
    for ontology in (None, ONTOLOGY):  # names are compared either way
        task = task_of([keys], [responses], ontology=ontology)
        for name in ("kappa", "pi"):
            expected = twin.chance_corrected(items, name)
            score = parse(name.capitalize())(task)
            assert score.counts["items"] == len(items)
            if expected is None:
                assert score.undefined is not None
            else:
                assert score.value == near(float(expected))


@given(random=shuffles())
def test_kappa_and_pi_with_no_class_as_a_class(random: Random) -> None:
    """Renaming what has no class says the same, with every pair of the same span as an item."""
    keys, responses = (single(document(random, most=12, length=3, classes=["a", "b", "", None])) for _ in range(2))
    named = [[(start, end, name or f"{name}") for start, end, name in one] for one in (keys, responses)]
    items = items_of(*named)
    for name in ("kappa", "pi"):
        expected = twin.chance_corrected(items, name)
        score = parse(f"{name.capitalize()}(no_class=category)")(task_of([keys], [responses]))
        assert score.counts["items"] == len(items)
        if expected is None:
            assert score.undefined is not None
        else:
            assert score.value == near(float(expected))


def test_no_class_on_both_sides_is_paired_before_other_classes() -> None:
    keys, responses = [(0, 1, None), (0, 1, "a"), (2, 3, "a")], [(0, 1, "b"), (0, 1, None), (2, 3, "a")]
    counts = parse("Kappa(no_class=category)")(task_of([keys], [responses])).counts
    assert (counts["items"], counts["agreed"]) == (3, 2)
    assert parse("Kappa")(task_of([keys], [responses])).counts["agreed"] == 1  # no class agrees with nothing


def test_kappa_where_chance_explains_all_is_undefined() -> None:
    task = task_of([[(0, 1, "a"), (2, 3, "a")]], [[(0, 1, "a"), (2, 3, "a")]])
    for name in ("Kappa", "Pi"):
        assert parse(name)(task).undefined == "all items have the same class"
        assert parse(name)(task_of([], [])).undefined == "no two annotations with the same span have a class"
        whole = parse(f"{name}(no_class=category)")
        assert whole(task_of([], [])).undefined == "no two annotations with the same span"
        nothing = [[(0, 1, None), (2, 3, None)]]
        assert whole(task_of(nothing, nothing)).undefined == "all items have the same class"


@given(random=shuffles())
def test_alpha_of_two(random: Random) -> None:
    keys, responses = (single(document(random, most=12, length=3)) for _ in range(2))
    units = [[a, b] for a, b in items_of(keys, responses) if a in KNOWN and b in KNOWN]
    task = task_of([keys], [responses])
    for name in SIMILARITIES:
        expected = twin.alpha(units, lambda a, b, name=name: similarity(name, a, b))  # type: ignore[misc]
        score = parse(f"Alpha(similarity={name})")(task)
        assert score.counts["units"] == len(units)
        if expected is None:
            assert score.undefined is not None
        else:
            assert score.value == near(expected), name


@given(random=shuffles())
def test_alpha_of_many(random: Random) -> None:
    made = [[document(random, most=8, length=2) for _ in range(2)] for _ in range(random.randint(3, 5))]
    places = {(n, *span[:2]) for one in made for n, own in enumerate(one) for span in own}
    units, counts = [], {"repeated": 0, "left_out": 0, "single": 0}
    for place in sorted(places):
        marked = [[s[2] for s in one[place[0]] if s[:2] == place[1:]] for one in made]
        values = [value for own in marked for value in own]
        if any(len(own) > 1 for own in marked):
            counts["repeated"] += 1
        elif len(values) < 2:
            counts["single"] += 1
        elif not set(values) <= set(KNOWN):
            counts["left_out"] += 1
        else:
            units.append(values)
    for name in SIMILARITIES:
        expected = twin.alpha(units, lambda a, b, name=name: similarity(name, a, b))  # type: ignore[misc,arg-type]
        score = alpha_of_many([corpus(one) for one in made], ONTOLOGY, name)
        assert {key: score.counts[key] for key in counts} == counts
        assert score.counts["units"] == len(units)
        if expected is None:
            assert score.undefined is not None
        else:
            assert score.value == near(expected), name


@given(random=shuffles())
def test_alpha_of_two_annotators_is_the_measure(random: Random) -> None:
    one, two = (corpus([document(random, most=8, length=2) for _ in range(2)]) for _ in range(2))
    for name in SIMILARITIES:
        expected = parse("Alpha", similarity=parse(name))(Extraction(one, two, ONTOLOGY))
        found = alpha_of_many([one, two], ONTOLOGY, name)
        assert (found.undefined, dict(found.counts)) == (expected.undefined, dict(expected.counts))
        assert found.undefined is not None or found.value == expected.value


def test_alpha_of_names_alone_and_of_one_annotator() -> None:
    one, two, three = (corpus([[(0, 1, a), (2, 3, b)]]) for a, b in (("x", "y"), ("x", "y"), ("x", "x")))
    units = [["x", "x", "x"], ["y", "y", "x"]]
    assert alpha_of_many([one, two, three]).value == near(twin.alpha(units, lambda a, b: float(a == b)))
    with pytest.raises(MissingInputError, match="at least two annotators"):
        alpha_of_many([one])


def test_a_worked_example_of_nominal_alpha() -> None:
    """Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), A: two observers, 10 units, alpha = 0.095."""
    first, second = "0100000010", "1110010000"
    task = task_of(
        [[(i, i + 1, c) for i, c in enumerate(first)]], [[(i, i + 1, c) for i, c in enumerate(second)]], ontology=None
    )
    assert parse("Alpha_Flat")(task).value == pytest.approx(0.095, abs=5e-4)


def gate_sets(path: Path, kind: str, feature: str) -> dict[str, Corpus]:
    """The sets of a GATE document; what lacks the feature has no class, and an empty value is ""."""
    root = ElementTree.parse(path).getroot()
    found = {}
    for group in root.iter("AnnotationSet"):
        rows = []
        for annotation in group.iter("Annotation"):
            if annotation.get("Type") != kind:
                continue
            values = {f.findtext("Name"): f.findtext("Value") or "" for f in annotation.iter("Feature")}
            ends = (int(annotation.get(f"{end}Node", "")) for end in ("Start", "End"))
            rows.append(Annotation(*ends, values.get(feature)))
        found[group.get("Name", "")] = Corpus.build([AnnotatedDocument("d", rows)])
    return found


def test_the_published_agreement_of_gate(shared_data: Path) -> None:
    folder = shared_data / "gate-iaa-beijing"
    if not folder.is_dir():
        pytest.skip(f"{folder} is not there")
    with (folder / "published.tsv").open(encoding="utf-8") as file:
        published = {(r["sets"], r["quantity"]): r["value"] for r in csv.DictReader(file, delimiter="\t")}
    sets = gate_sets(folder / "beijing-opera.xml", "sent", "Op")
    task = Extraction(sets["ann2"], sets["ann1"])
    kappa, pi = parse("Kappa")(task), parse("Pi")(task)
    assert kappa.counts["items"] == pi.counts["items"] == 9
    assert kappa.counts["agreed"] / 9 == pytest.approx(float(published["ann1;ann2", "observed agreement"]), abs=1e-7)
    assert kappa.value == pytest.approx(float(published["ann1;ann2", "Cohen kappa"]), abs=1e-7)
    assert pi.value == pytest.approx(float(published["ann1;ann2", "Scott pi (Siegel-Castellan)"]), abs=1e-7)


# classes


@given(random=shuffles())
def test_classes_and_confusions_account_for_every_annotation(random: Random) -> None:
    task = task_of(*([document(random, most=7, length=5) for _ in range(3)] for _ in range(2)))
    for name in SIMILARITIES:
        rows, listed = per_class(task, name, "lenient"), confusions(task, name, "lenient")
        counts = parse(f"AP(similarity={name}, spans=lenient)")(task).counts
        credit = counts["same_span_credit"] + counts["partial_credit"]
        assert counts["correct"] == sum(row.count for row in listed if row.similarity == 1)
        assert [row.name for row in rows] == sorted(row.name for row in rows)
        assert sum(row.keys for row in rows) == counts["keys"]
        assert sum(row.responses for row in rows) == counts["responses"]
        assert sum(row.key_credit for row in rows) == near(credit)
        assert sum(row.response_credit for row in rows) == near(credit)
        assert sum(row.count for row in listed if row.key is None) == counts["spurious"]
        assert sum(row.count for row in listed if row.response is None) == counts["missing"]
        assert sum(row.count * row.similarity for row in listed) == near(credit)
        lost = [round(row.lost, 6) for row in listed]
        assert lost == sorted(lost, reverse=True)
        for row in rows:
            mine = [c for c in listed if c.key == row.name]
            assert row.keys == sum(c.count for c in mine)
            if row.keys:
                assert row.recall == near(sum(c.count * c.similarity for c in mine) / row.keys)
            mine = [c for c in listed if c.response == row.name]
            if row.responses:
                assert row.precision == near(sum(c.count * c.similarity for c in mine) / row.responses)
            if not (row.keys and row.responses):
                assert row.f == 0.0


def test_what_is_taken_for_what() -> None:
    keys = [[(0, 1, "man"), (2, 3, "man"), (4, 5, "port"), (6, 7, None)]]
    responses = [[(0, 1, "man"), (2, 3, "woman"), (6, 7, "nowhere"), (8, 9, "city")]]
    assert confusions(task_of(keys, responses), "Flat") == [
        Confusion(None, "city", 1, 0.0, 1.0),
        Confusion(NO_CLASS, "nowhere", 1, 0.0, 1.0),
        Confusion("man", "woman", 1, 0.0, 1.0),
        Confusion("port", None, 1, 0.0, 1.0),
        Confusion("man", "man", 1, 1.0, 0.0),
    ]
    man = next(row for row in per_class(task_of(keys, responses), "Flat") if row.name == "man")
    assert (man.precision, man.recall, man.keys, man.responses) == (1.0, 0.5, 2, 1)


def test_names_of_one_concept_are_one_class() -> None:
    ontology = Ontology.from_edges(EDGES, labels={"man": "male person"})
    task = task_of([[(0, 1, "man")]], [[(0, 1, "male person")]], ontology=ontology)
    assert confusions(task) == [Confusion("man", "man", 1, 1.0, 0.0)]


def test_cost_based_precision_of_one_class() -> None:
    """Two of four examples are a man; one was taken for a woman."""
    keys = [[(0, 1, "man"), (2, 3, "man"), (4, 5, "port")]]
    responses = [[(0, 1, "man"), (2, 3, "woman"), (8, 9, "man")]]
    task = task_of(keys, responses)
    assert cost_precision(task, "man", similarity="Flat").value == 1 / 4
    near_miss = similarity("BDM", "man", "woman")
    assert cost_precision(task, "man").value == near((1 + near_miss) / 4)
    assert cost_precision(task, "company").value == 0.0
    # what was assigned to X: the usual precision
    found = examples(task)
    assigned = [i for i in range(len(found)) if task.names[task.response_side.name[found.response[i]]] == "man"]
    assigned = [i for i in assigned if found.response[i] >= 0]
    usual = {row.name: row.precision for row in per_class(task, "Flat")}
    assert cost_precision(task, "man", assigned).value == 1 / 2 == usual["man"]
    assert cost_precision(task, "man", []).undefined == "no examples were chosen"
    with pytest.raises(UnknownConceptError, match="no annotation has the class 'nobody'"):
        cost_precision(task, "nobody")
    with pytest.raises(ParameterError, match="some positions are not"):
        cost_precision(task, "man", [7])
    with pytest.raises(ParameterError, match="not a similarity"):
        cost_precision(task, "man", similarity="Rada(scale=distance)")


# results


def test_scores_are_written_and_read_back() -> None:
    from ontoeval.rdf.store import Store
    from ontoeval.rdf.store.backends import Memory

    result = evaluate(task_of([[(0, 3, "man")], []], [[(0, 3, "person")], [(1, 2, "port")]]))
    store = Store(Memory("m"))
    store.write(result)
    (back,) = store.read()
    assert back == result
    assert set(result.inputs) == {"response", "key", "ontology"}
    assert result.judged.profile == "corpus"
    assert oe.ResultTable([back]).to_tsv() == oe.ResultTable([result]).to_tsv()


def test_another_corpus_is_another_run() -> None:
    keys = [[(0, 1, "man")]]
    runs = {evaluate(task_of(keys, other)).key for other in (keys, [[(0, 2, "man")]], [[(0, 1, "port")]], keys)}
    assert len(runs) == 3


def nowhere(task: ConceptPairs) -> Score:
    """Nothing at all."""
    return Score.impossible("there is none")


def test_a_similarity_without_a_value_is_refused() -> None:
    registry = Registry()
    registry.add(
        Definition("Nowhere", nowhere, "here", "concept similarity", {}, False, (0.0, 1.0), 1.0, True, (), None)
    )
    chosen = parse("AP", similarity=registry.parse("Nowhere"))
    with pytest.raises(MissingInputError, match="Nowhere has no value for 1 of 1 pairs of classes"):
        chosen(task_of([[(0, 1, "man")]], [[(0, 1, "port")]]))


@pytest.mark.parametrize(("occurrences", "correct"), [(10**9, 1), (10**5, 0)])
def test_a_pair_is_correct_if_its_similarity_is_1_in_millionths(occurrences: int, correct: int) -> None:
    """r > a > b and r > c; b and c occur n times each, a itself once.

    IC(b) - IC(a) = ln((n + 1) / n), about 1/n, and IC(a) is about ln 2, so Lin is about 1 - 1 / (2 n ln 2):
    1 - 7e-10 or 1 - 7e-6.
    """
    ontology = Ontology.from_edges([("a", "r"), ("b", "a"), ("c", "r")])
    ontology = ontology.with_counts({"a": 1, "b": occurrences, "c": occurrences})
    task = task_of([[(0, 4, "a"), (5, 9, "c")]], [[(0, 4, "b")]], ontology=ontology)
    score = parse("AP(similarity=Lin(ic=corpus))")(task)
    assert score.value == pytest.approx(1 - 1 / (2 * occurrences * math.log(2)), abs=1e-10)
    assert score.value < 1
    assert (score.counts["correct"], score.counts["same_span"], score.counts["missing"]) == (correct, 1, 1)


def test_alpha_has_no_lower_bound_where_classes_are_near_each_other() -> None:
    assert parse("Alpha(similarity=BDM)").range == (-math.inf, 1.0)
    assert parse("Alpha_Flat").range == (-1.0, 1.0)
