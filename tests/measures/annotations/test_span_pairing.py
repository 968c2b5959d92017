"""The best pairing of annotations, against every possible one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from strategies import shuffles
from twin_spans import EDGES, Span, Totals, best, document

from ontoeval.measures import parse
from ontoeval.measures.annotations import span_pairing as spans
from ontoeval.measures.annotations.extraction import pair_annotations, similarities
from ontoeval.measures.annotations.span_pairing import Pairs, heaviest
from ontoeval.model.corpus import AnnotatedDocument, Annotation, Corpus
from ontoeval.model.ontology import Ontology
from ontoeval.tasks.extraction import Extraction

ONTOLOGY = Ontology.from_edges(EDGES)
SIMILARITIES = ("Flat", "BDM", "LA", "Lin")
MATCHES = ("strict", "lenient")


def task_of(keys: Sequence[Sequence[Span]], responses: Sequence[Sequence[Span]], **options: Any) -> Extraction:
    def corpus(side: Sequence[Sequence[Span]]) -> Corpus:
        return Corpus.from_spans({f"d{number}": spans for number, spans in enumerate(side)})

    return Extraction(corpus(responses), corpus(keys), options.pop("ontology", ONTOLOGY), **options)


def similarity_of(name: str) -> Any:
    """sim(K, R) of names, one pair at a time."""
    task = task_of([], [])
    measure = parse(name)

    @cache
    def similarity(key: str | None, response: str | None) -> float:
        ids = [-1 if c is None or c not in ONTOLOGY.hierarchy else ONTOLOGY.hierarchy.id(c) for c in (key, response)]
        return float(similarities(task, measure, *(np.array([i]) for i in ids))[0])

    return similarity


SIMILARITY = {name: similarity_of(name) for name in SIMILARITIES}


def totals_of(task: Extraction, pairs: Pairs, number: int) -> Totals:
    key, response = task.key_side, task.response_side
    own = np.flatnonzero(key.document[pairs.key] == number)
    left, right = pairs.key[own], pairs.response[own]
    assert np.array_equal(key.document[left], response.document[right])
    assert len(set(left.tolist())) == len(left)
    assert len(set(right.tolist())) == len(right)
    shared = np.minimum(key.end[left], response.end[right]) - np.maximum(key.start[left], response.start[right])
    same = (key.start[left] == response.start[right]) & (key.end[left] == response.end[right])
    assert np.all(same | (shared > 0))
    assert np.array_equal(same, pairs.same[own])
    millionths = int(np.rint(pairs.similarity[own] * 1e6).sum())
    return Totals(int(same.sum()), millionths, len(own), int(np.maximum(shared, 0).sum()))


def check(keys: list[list[Span]], responses: list[list[Span]]) -> None:
    task = task_of(keys, responses)
    for match in MATCHES:
        for name in SIMILARITIES:
            pairs = pair_annotations(task, parse(name), match)
            assert np.all(np.diff(pairs.key) > 0)
            for number, (key, response) in enumerate(zip(keys, responses, strict=True)):
                expected = best(key, response, match, SIMILARITY[name])
                assert totals_of(task, pairs, number) == expected, (match, name, key, response)


@given(random=shuffles())
def test_it_is_the_best_of_all_matchings(random: Random) -> None:
    check(*([document(random, most=4) for _ in range(3)] for _ in range(2)))


@pytest.mark.parametrize("limit", ["EXACT", "FEW"])
@given(random=shuffles())
def test_other_ways_to_the_same_pairing(random: Random, limit: str) -> None:
    """EXACT: whole numbers of any size wherever spans differ; FEW: a solver for every group of two and more."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spans, limit, 1)
        check(*([document(random, most=4) for _ in range(3)] for _ in range(2)))


@given(random=shuffles())
def test_blocks_change_nothing(random: Random) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spans, "BLOCK", 1)
        check(*([document(random, most=4) for _ in range(3)] for _ in range(2)))


@given(random=shuffles())
def test_groups_that_are_solved_one_by_one(random: Random) -> None:
    """More annotations at fewer places."""
    keys, responses = ([document(random, most=6, length=2, classes=["man", "agent", "port"])] for _ in range(2))
    check(keys, responses)


@given(random=shuffles())
def test_whole_numbers_of_any_size(random: Random) -> None:
    """The solver of our own against scipy's, on numbers that both can hold, and the same beside a huge one."""
    from scipy.optimize import linear_sum_assignment

    rows, columns = random.randint(0, 7), random.randint(1, 7)
    table = np.zeros((rows, columns), dtype=np.int64)
    edges: list[dict[int, int]] = [{} for _ in range(rows)]
    for row in range(rows):
        for column in range(columns):
            if random.random() < 0.6:
                table[row, column] = edges[row][column] = random.randint(1, random.choice([3, 1000]))
    left, right = linear_sum_assignment(table, maximize=True)
    expected = int(table[left, right].sum())
    found = heaviest(edges)
    assert sum(edges[row][column] for row, column in found) == expected
    assert len({row for row, _ in found}) == len({column for _, column in found}) == len(found)
    large = [{column: weight * 10**40 for column, weight in own.items()} for own in edges]
    assert sum(large[row][column] for row, column in heaviest(large)) == expected * 10**40


def test_one_more_character_decides_where_floating_point_cannot_tell() -> None:
    long = 10**12
    keys = [[(0, long, "man"), *((10 * i, 10 * i + 9, "man") for i in range(40))]]
    responses = [[*((10 * i + 1, 10 * i + 8 + (i == 7), "man") for i in range(41))]]
    task = task_of(keys, responses)
    pairs = pair_annotations(task, parse("Flat"), "lenient")
    assert len(pairs) == 41
    assert totals_of(task, pairs, 0) == Totals(0, 41_000_000, 41, 7 * 41 + 1)
    # the last one has no other partner than the long one, which comes after (0, 9)
    assert (int(pairs.key[1]), int(pairs.response[1])) == (1, 40)


def told(task: Extraction, pairs: Pairs) -> list[tuple[Any, ...]]:
    columns = []
    for side, own in ((task.key_side, pairs.key), (task.response_side, pairs.response)):
        columns += [[task.names[n] if n >= 0 else None for n in side.name[own].tolist()]]
        columns += [[task.documents[d] for d in side.document[own].tolist()], side.start[own].tolist()]
        columns += [side.end[own].tolist()]
    return list(zip(*columns, pairs.similarity.tolist(), strict=True))


@given(random=shuffles())
def test_input_order_never_matters(random: Random) -> None:
    sides = [[(f"d{n}", document(random, most=8, length=5)) for n in range(3)] for _ in range(2)]
    found = []
    for _ in range(2):
        corpora = []
        for side in sides:
            made = [
                AnnotatedDocument(name, [Annotation(*span) for span in random.sample(own, len(own))])
                for name, own in random.sample(side, len(side))
            ]
            corpora.append(Corpus.build(made))
        task = Extraction(*corpora, ONTOLOGY)
        found.append([told(task, pair_annotations(task, parse(name), m)) for name in SIMILARITIES for m in MATCHES])
    assert found[0] == found[1]


@given(random=shuffles())
def test_no_similarity_earns_less_than_flat_and_lenient_no_less_than_strict(random: Random) -> None:
    keys, responses = ([document(random, most=12, length=12) for _ in range(4)] for _ in range(2))
    task = task_of(keys, responses)
    credit = {
        (name, match): pair_annotations(task, parse(name), match).similarity.sum()
        for name in SIMILARITIES
        for match in MATCHES
    }
    for name in SIMILARITIES:
        assert credit["Flat", "strict"] <= credit[name, "strict"] + 1e-5
        assert credit["Flat", "lenient"] <= credit[name, "lenient"] + 1e-5
        assert credit[name, "strict"] <= credit[name, "lenient"] + 1e-5


def test_a_span_that_is_the_same_comes_before_a_class_that_is() -> None:
    task = task_of([[(0, 5, "man")]], [[(0, 5, "company"), (0, 6, "man")]])
    pairs = pair_annotations(task, parse("Flat"), "lenient")
    assert (pairs.response.tolist(), pairs.similarity.tolist(), pairs.same.tolist()) == ([0], [0.0], [True])


def test_empty_spans_go_with_the_same_place_alone() -> None:
    keys, responses = [[(3, 3, "man"), (5, 5, "man")]], [[(3, 3, "man"), (0, 9, "man"), (4, 4, "man")]]
    for match in MATCHES:
        pairs = pair_annotations(task_of(keys, responses), parse("Flat"), match)
        assert (len(pairs), pairs.same.tolist()) == (1, [True])


def test_spans_that_only_touch_share_no_character() -> None:
    assert not len(pair_annotations(task_of([[(0, 3, "man")]], [[(3, 5, "man")]]), parse("Flat"), "lenient"))


def test_no_annotations_have_no_pairs() -> None:
    for keys, responses in (([], []), ([[]], [[]]), ([[(0, 1, "man")]], [[]])):
        for match in MATCHES:
            assert not len(pair_annotations(task_of(keys, responses), parse("BDM"), match))


@pytest.mark.parametrize("almost", [0.7 - 0.4, 0.3 + 1e-9, 0.3 - 4e-7])
def test_similarities_equal_in_millionths_leave_the_choice_to_the_overlap(almost: float) -> None:
    """One key and two responses, of which the first shares 8 characters with it and the second 3."""
    task = task_of([[(0, 10, "man")]], [[(2, 12, "man"), (7, 17, "man")]])

    def chosen(*similarity: float) -> list[int]:
        found = spans.best_pairs(task, "lenient", lambda key, response: np.array(similarity)[response])
        return found.response.tolist()

    assert almost != 0.3
    assert chosen(almost, 0.3) == [0]
    assert chosen(0.3, almost) == [0]
    assert chosen(0.3, 0.300001) == [1]  # one millionth more comes first


def test_one_character_decides_in_a_long_chain_of_long_spans() -> None:
    """120 keys and 121 responses whose ends take turns: each key overlaps with the response before it and after it.

    All keys can be paired, in 121 ways: those up to some key with the one before, the others with the one after. With
    the one before each key shares 10**7 characters; with the one after one less, from the 40th key on one more.
    """
    long, count, fewer = 10**7, 120, 40
    ends = [0, long]  # response, key, response, ...
    for key in range(count):
        ends += [ends[-1] + long, ends[-1] + 2 * long + (-1 if key < fewer else 1)]
    ends.append(ends[-1] + long)
    responses = [(begin, end, "man") for begin, end in pairwise(ends[::2])]
    keys = [(begin, end, "man") for begin, end in pairwise(ends[1::2])]
    assert (len(keys), len(responses)) == (count, count + 1)
    task = task_of([keys], [responses])
    pairs = pair_annotations(task, parse("Flat"), "lenient")
    assert totals_of(task, pairs, 0) == Totals(0, count * 1_000_000, count, count * long + count - fewer)
    assert pairs.response.tolist() == [*range(fewer), *range(fewer + 1, count + 1)]
