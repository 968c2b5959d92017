"""Agreement with people: lookup, left-out pairs, coefficients, intervals, published figures."""

from __future__ import annotations

import json
import math
import random
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import ontoeval as oe
from ontoeval.analysis.human_agreement import HumanAgreement, agree, default_agreement_measures
from ontoeval.errors import ParameterError
from ontoeval.load import load_pairs
from ontoeval.rdf.store import write_scores

EDGES = [
    ("animal", "thing"), ("dog", "animal"), ("cat1", "animal"), ("tool", "thing"), ("hammer", "tool"), ("cat2", "tool"),
    ("big dog", "dog"),
]  # fmt: skip
LABELS = {"cat1": "cat", "cat2": "cat", "dog": ["dog", "hound"], "hammer": "Hammer"}
PAIRS = [("dog", "cat", 3.5), ("hound", "hammer", 1.0), ("big dog", "animal", 2.0), ("hammer", "cat", 0.5)]


@pytest.fixture
def ontology() -> oe.Ontology:
    return oe.Ontology.from_edges(EDGES, labels=LABELS, name="things")


def distances(found: HumanAgreement) -> list[float]:
    values: list[float] = found["Rada(scale=distance)"].values.tolist()
    return values


# lookup


def test_words_are_looked_up_and_the_best_pair_of_senses_counts(ontology: oe.Ontology) -> None:
    found = agree(ontology, PAIRS)
    assert distances(found) == [2, 4, 2, 2]  # hammer is nearer to cat2, dog to cat
    assert (found.given, found.words, found.several) == (4, 6, 1)
    assert [row["senses"]["Rada(scale=distance)"] for row in found.pairs()] == [
        ["dog", "cat1"], ["dog", "hammer"], ["big dog", "animal"], ["hammer", "cat2"],
    ]  # fmt: skip


def test_the_best_of_a_similarity_is_the_greatest(ontology: oe.Ontology) -> None:
    found = agree(ontology, PAIRS, ["JC", "WP", "JC(scale=distance)"])
    both = oe.relate(ontology, ["hammer", "hammer"], ["cat1", "cat2"], "JC")
    assert found["JC"].values[3] == both.max() != both.min()
    apart = oe.relate(ontology, ["hammer", "hammer"], ["cat1", "cat2"], "JC(scale=distance)")
    assert found["JC(scale=distance)"].values[3] == apart.min()


def test_of_each_word_the_first_sense_alone_may_count(ontology: oe.Ontology) -> None:
    assert distances(agree(ontology, PAIRS, senses="first")) == [2, 4, 2, 4]


def test_pairs_with_an_unknown_word_are_left_out_with_the_reason(ontology: oe.Ontology) -> None:
    rows = [("dgo", "cat", 1.0), *PAIRS, ("x", "y", 2), ("z", "z", 3)]
    found = agree(ontology, rows, "Lin")
    assert [tuple(pair) for pair in found.left_out] == [
        ("dgo", "cat", 1.0, 1, "'dgo' is unknown"),
        ("x", "y", 2.0, 6, "'x' and 'y' are unknown"),
        ("z", "z", 3.0, 7, "'z' is unknown"),
    ]
    assert (found.given, len(found.task), found["Lin"].pairs) == (7, 4, 4)
    assert found["Lin"].pearson.value == agree(ontology, PAIRS, "Lin")["Lin"].pearson.value


def test_case_and_blanks_are_no_obstacle_and_iris_will_do(ontology: oe.Ontology) -> None:
    found = agree(ontology, [("Dog", "CAT", 1), ("Big Dog", "hammer", 2), ("cat2", "cat2", 3)], "Rada")
    assert found.left_out == ()
    assert found["Rada"].values.tolist() == [1 / 3, 1 / 6, 1]


def test_the_added_root_is_no_concept() -> None:
    forest = oe.Ontology.from_edges([("a", "b"), ("c", "d")])
    name = forest.hierarchy.iris[0]
    assert forest.hierarchy.root_added
    found = agree(forest, [("a", "b", 1), ("a", "c", 2), ("a", name, 3)], "Rada")
    assert [pair.reason for pair in found.left_out] == [f"{name!r} is unknown"]


# where pairs come from


def test_pairs_come_from_a_file_a_table_or_a_list(ontology: oe.Ontology, tmp_path: Path) -> None:
    path = tmp_path / "rated.tsv"
    path.write_text("word1\tword2\trating\n" + "".join(f"{a}\t{b}\t{r}\n" for a, b, r in PAIRS))
    found = [agree(ontology, pairs, "WP") for pairs in (path, str(path), load_pairs(path), PAIRS, tuple(PAIRS))]
    assert len({one["WP"].pearson.value for one in found}) == 1
    assert found[0].source.path == str(path)
    assert found[0].lines == (2, 3, 4, 5)
    assert found[3].lines == (1, 2, 3, 4)


@pytest.mark.parametrize(
    ("row", "shown"),
    [(("a", "b"), "('a', 'b')"), (("a", "b", "3"), "('a', 'b', '3')"), ((1, "b", 3), "(1, 'b', 3)"),
     (("a", "b", math.nan), "('a', 'b', nan)"), ("abc", "'abc'")],
)  # fmt: skip
def test_what_is_no_rated_pair_is_refused(ontology: oe.Ontology, row: Any, shown: str) -> None:
    with pytest.raises(ParameterError) as error:
        agree(ontology, [*PAIRS, row])
    assert (
        str(error.value)
        == f"{shown} is not a rated pair. Use (left, right, rating), with a finite number as the rating."
    )


@pytest.mark.parametrize(
    ("pairs", "options", "message"),
    [
        ([], {}, "no pairs. Use rows of (left, right, rating)."),
        (b"dog\tcat\n", {}, "(bytes): no ratings found. Add a third column of numbers."),
        (
            [("dgo", "cta", 1)], {},
            "(memory): no pair has both names in things; unknown: 'dgo', 'cta'. Use labels or IRIs of its concepts.",
        ),
        (
            [("hamer", "cat", 1)], {},
            "(memory): no pair has both names in things; unknown: 'hamer'. Did you mean 'hammer'?",
        ),
        (
            PAIRS, {"measures": []},
            "no measures. Name one such as 'Lin', or remove measures= for the default ones.",
        ),
        (
            PAIRS, {"measures": "TF_csc"},
            "TF_csc does not score pairs of concepts. Use a measure such as BDM or Lin; see `ontoeval measures`.",
        ),
        (
            PAIRS, {"measures": ["Lin", "Pearson(similarity=Lin)"]},
            "Pearson(similarity=Lin) does not score pairs of concepts. Use a measure such as BDM or Lin; see "
            "`ontoeval measures`.",
        ),
        (PAIRS, {"measures": [3]}, "3 is not a measure. Use a name such as 'TF_csc', or parse('TF_csc')."),
        (
            PAIRS, {"senses": "all"},
            "senses must be 'max' or 'first', not 'all'.",
        ),
        (PAIRS, {"confidence": 95}, "confidence must be a number > 0 and < 1, not 95. Use e.g. 0.95."),
        (PAIRS, {"rounds": 0}, "rounds must be a whole number >= 1, not 0. Use e.g. 2000."),
        (PAIRS, {"seed": -1}, "seed must be a whole number >= 0, not -1."),
    ],
)  # fmt: skip
def test_wrong_input_is_refused(ontology: oe.Ontology, pairs: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(oe.OntoevalError) as error:
        agree(ontology, pairs, **options)
    assert str(error.value) == message


# values


def test_the_default_measures_have_rada_as_a_distance(ontology: oe.Ontology) -> None:
    names = [str(measure) for measure in default_agreement_measures()]
    assert "Rada(scale=distance)" in names
    assert "Rada" not in names
    assert [found.name for found in agree(ontology, PAIRS, confidence=None)] == names
    assert {"BDM", "LC", "WP", "Resnik", "Lin", "JC"} < set(names)


def test_the_coefficients_are_those_of_scipy(ontology: oe.Ontology) -> None:
    ratings = [pair[2] for pair in PAIRS]
    for found in agree(ontology, PAIRS, ["Rada(scale=distance)", "Lin", "WP"]):
        values = -found.values if found.distance else found.values
        assert found.pearson.value == pytest.approx(stats.pearsonr(values, ratings).statistic)
        assert found.spearman.value == pytest.approx(stats.spearmanr(values, ratings).statistic)
        assert found.kendall.value == pytest.approx(stats.kendalltau(values, ratings).statistic)


def test_infinite_values_are_left_out_for_the_measure_that_has_them() -> None:
    parts = oe.Ontology.from_edges([("a", "b"), ("b", "c"), ("y", "z")], root="none")
    rows = [("a", "b", 3.0), ("a", "c", 2.0), ("a", "z", 1.0), ("b", "b", 4.0)]
    found = agree(parts, rows, ["Rada(scale=distance)", "Rada", "LC(scale=raw)"])
    for name in ("Rada(scale=distance)", "LC(scale=raw)"):
        assert found[name].pairs == 3
        assert [tuple(pair) for pair in found[name].left_out] == [("a", "z", 1.0, 3, "the value is infinite")]
    assert found["Rada(scale=distance)"].pearson.value == pytest.approx(1)
    assert (found["Rada"].pairs, found["Rada"].left_out) == (4, ())
    assert found.left_out == ()


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([("dog", "cat", 3)], "1 pair; a correlation needs at least two"),
        ([("dog", "cat", 3), ("dog", "hammer", 3)], "all ratings are the same (3)"),
        ([("dog", "animal", 3), ("hammer", "tool", 1)], "all values of Rada are the same (0.5)"),
    ],
)
def test_coefficients_that_there_are_not_have_a_reason(
    ontology: oe.Ontology, rows: list[tuple[str, str, float]], reason: str
) -> None:
    found = agree(ontology, rows, "Rada")["Rada"]
    for score in found.coefficients.values():
        assert score.undefined == reason
        assert math.isnan(score.value)
        assert score.interval is None
    assert found.draws == 0


# intervals


def chain(size: int) -> oe.Ontology:
    """Distances from c0 are 1, 2, ..."""
    return oe.Ontology.from_edges([(f"c{n}", f"c{n + 1}") for n in range(size)])


def noisy(size: int, seed: int, noise: float) -> list[tuple[str, str, float]]:
    draw = random.Random(seed)
    return [("c0", f"c{n}", -n / size + draw.gauss(0, noise)) for n in range(1, size + 1)]


def test_intervals_hold_the_coefficient_of_the_population_as_often_as_they_should() -> None:
    size, noise = 60, 0.2
    ontology = chain(size)
    population = [row[2] for seed in range(500, 700) for row in noisy(size, seed, noise)]
    true = stats.pearsonr(list(range(-1, -size - 1, -1)) * 200, population).statistic
    held = 0
    for seed in range(60):
        found = agree(ontology, noisy(size, seed, noise), "Rada(scale=distance)", rounds=400).measures[0].pearson
        assert found.interval is not None
        assert found.interval[0] <= found.value <= found.interval[1]
        held += found.interval[0] <= true <= found.interval[1]
    assert 50 <= held <= 60  # 57 expected; 49 or fewer once in more than 500 times


def test_intervals_are_those_of_drawing_pairs_one_by_one() -> None:
    rows = noisy(40, 3, 0.3)
    found = agree(chain(40), rows, "Rada(scale=distance)", rounds=3000)
    x, y = -np.arange(1.0, 41), np.array([row[2] for row in rows])
    generator = np.random.default_rng(99)  # other draws: the ends agree but for chance
    drawn = [generator.integers(0, 40, 40) for _ in range(1500)]
    for score, function in zip(
        found.measures[0].coefficients.values(), (stats.pearsonr, stats.spearmanr, stats.kendalltau), strict=True
    ):
        expected = np.quantile([function(x[draw], y[draw]).statistic for draw in drawn], [0.025, 0.975])
        assert score.interval == pytest.approx(tuple(expected), abs=0.03)


def test_the_same_seed_gives_the_same_intervals_in_whatever_order(ontology: oe.Ontology) -> None:
    rows = [*PAIRS, ("dog", "dog", 4.0), ("cat", "tool", 1.5), ("animal", "hammer", 0.25)]
    shuffled = random.Random(5).sample(rows, len(rows))
    once, again, other = (
        [score.interval for found in agree(ontology, given, seed=seed) for score in found.coefficients.values()]
        for given, seed in ((rows, 0), (shuffled, 0), (rows, 1))
    )
    assert np.array(once) == pytest.approx(np.array(again), abs=1e-12)
    assert once != other


def test_large_tables_are_drawn_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = noisy(30, 1, 0.5)
    whole = agree(chain(30), rows, "Rada", rounds=50)["Rada"]
    monkeypatch.setattr(
        sys.modules["ontoeval.analysis.human_agreement"], "_BLOCK", 100
    )  # ontoeval.analysis.human_agreement itself is the function
    parts = agree(chain(30), rows, "Rada", rounds=50)["Rada"]
    for one, other in zip(whole.coefficients.values(), parts.coefficients.values(), strict=True):
        assert one.interval == pytest.approx(other.interval)


def test_draws_in_which_a_column_is_constant_are_left_out(ontology: oe.Ontology) -> None:
    found = agree(ontology, [("dog", "dog", 3), ("dog", "hammer", 1)], "Rada", rounds=1000)["Rada"]
    assert 400 < found.draws < 600  # half of the draws take one pair twice
    assert found.pearson.interval == pytest.approx((1, 1))


def test_intervals_can_be_left_out_and_have_a_level(ontology: oe.Ontology) -> None:
    assert agree(ontology, PAIRS, "Lin", confidence=None)["Lin"].pearson.interval is None
    wide, narrow = (
        agree(chain(30), noisy(30, 1, 0.5), "Rada", confidence=level)["Rada"].pearson.interval for level in (0.95, 0.5)
    )
    assert wide is not None
    assert narrow is not None
    assert wide[0] < narrow[0] < narrow[1] < wide[1]


# what can be done with it


def test_to_dict_can_be_written_as_json_and_says_all(ontology: oe.Ontology) -> None:
    found = agree(ontology, [*PAIRS, ("dog", "dgo", 1)], ["Lin", "Rada(scale=distance)"])
    document = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert (document["given"], document["pairs"], document["words"], document["words_with_several_senses"]) == (
        5,
        4,
        6,
        1,
    )
    assert document["left_out"] == [
        {"left": "dog", "right": "dgo", "rating": 1.0, "line": 5, "reason": "'dgo' is unknown"}
    ]
    assert document["confidence"] == {
        "level": 0.95, "method": "percentile bootstrap over pairs", "rounds": 2000, "seed": 0,
    }  # fmt: skip
    entry = document["measures"]["Rada(scale=distance)"]
    assert entry["Pearson"] == found["Rada(scale=distance)"].pearson.value
    assert entry["intervals"]["Kendall"] == list(found["Rada(scale=distance)"].kendall.interval or ())
    assert entry["definition"]["measure"] == "Rada(scale=distance, edges=similarity, paths=any, root_paths=true)"
    assert entry["definition"]["enters_as"] == "-d"
    assert document["measures"]["Lin"]["definition"]["enters_as"] == "its value"
    assert document["measures"]["Lin"]["definition"]["senses"] == "the best pair of senses is used"


def test_undefined_coefficients_are_null_in_json(ontology: oe.Ontology) -> None:
    document = agree(ontology, PAIRS[:1], "Lin").to_dict()["measures"]["Lin"]
    assert (document["Pearson"], document["intervals"]["Pearson"]) == (None, None)
    assert document["undefined"] == "1 pair; a correlation needs at least two"


def test_frames(ontology: oe.Ontology) -> None:
    found = agree(ontology, PAIRS, ["Lin", "WP"])
    frame = found.to_frame()
    assert list(frame.index) == ["Lin", "WP"]
    assert list(frame.columns[:4]) == ["pairs", "Pearson", "Pearson low", "Pearson high"]
    assert frame.loc["WP", "Kendall"] == found["WP"].kendall.value
    pairs = found.pairs_frame()
    assert list(pairs.columns) == ["left", "right", "rating", "Lin", "WP"]
    assert pairs["WP"].tolist() == found["WP"].values.tolist()


def test_equal_best_coefficients_are_all_marked(ontology: oe.Ontology) -> None:
    rows = [("dog", "dog", 4), ("dog", "animal", 3), ("dog", "thing", 2), ("dog", "hammer", 1)]
    text = agree(ontology, rows, ["Rada", "Rada(scale=distance)", "Flat"], confidence=None).render("markdown")
    lines = text.splitlines()
    assert lines[0] == "| measure | pairs | Pearson r | Spearman rho | Kendall tau-b |"
    assert [line.count("**") // 2 for line in lines[2:]] in ([3, 2, 0], [2, 3, 0])  # the same ranks, another r


def test_the_scores_can_be_stored_and_read_back(ontology: oe.Ontology, tmp_path: Path) -> None:
    found = agree(ontology, PAIRS, ["Lin", "Rada(scale=distance)"], system="me")
    write_scores(found.result, tmp_path / "scores.trig")
    (back,) = oe.read_scores(tmp_path / "scores.trig")
    assert back == found.result
    assert [score.name for score in back] == [
        "Lin", "Pearson(similarity=Lin)", "Spearman(similarity=Lin)", "Kendall(similarity=Lin)",
        "Rada(scale=distance)",
        *(f"{kind}(similarity=Rada(scale=distance))" for kind in ("Pearson", "Spearman", "Kendall")),
    ]  # fmt: skip
    assert back["Pearson(similarity=Lin)"].interval == found["Lin"].pearson.interval
    assert list(back.inputs) == ["ontology", "ratings"]
    assert back.settings["senses"] == "max"
    local = back["Lin"].local
    assert local is not None
    assert local.to_dict() == dict(zip(
        ["dog cat", "hound hammer", "big dog animal", "hammer cat"], found["Lin"].values.tolist(), strict=True
    ))  # fmt: skip


def test_the_same_run_has_the_same_key_and_another_file_another_one(ontology: oe.Ontology) -> None:
    keys = [
        agree(ontology, rows, "Lin", senses=senses).result.key
        for rows, senses in ((PAIRS, "max"), (PAIRS, "max"), (PAIRS[::-1], "max"), (PAIRS, "first"))
    ]
    assert keys[0] == keys[1]
    assert len(set(keys)) == 3


# published


@pytest.mark.slow
def test_miller_and_charles_on_wordnet(wordnet_nouns: oe.Ontology, shared_data: Path) -> None:
    expected = {
        "Resnik": 0.8026, "Lin": 0.8361, "JC": 0.8819, "Rada(scale=distance)": 0.6931,
        "Rada(scale=distance, paths=common-ancestor)": 0.6379,
    }  # fmt: skip
    found = agree(wordnet_nouns, shared_data / "wordsim-wn30" / "EN-MC-30.txt", list(expected))
    assert found.left_out == ()
    for name, value in expected.items():
        assert found[name].pairs == 30
        assert found[name].pearson.value == pytest.approx(value, abs=0.00005)


def test_published_spearman_of_paths_on_wordnet(wordnet_nouns: oe.Ontology, shared_data: Path) -> None:
    name = "Rada(paths=common-ancestor)"
    found = agree(wordnet_nouns, shared_data / "wordsim-wn30" / "noun_mc.txt", name, confidence=None)
    assert found[name].spearman.value == pytest.approx(0.724, abs=0.0005)


def test_words_of_wordnet_with_capitals_and_blanks(wordnet_nouns: oe.Ontology) -> None:
    found = agree(wordnet_nouns, [("Machine Gun", "RIFLE", 3), ("car", "Automobile", 4), ("cord", "smile", 0)], "Lin")
    assert found.left_out == ()
    assert [row["senses"]["Lin"][0] for row in found.pairs()][:2] == ["machine_gun.n.01", "car.n.01"]


# what is there twice, alike, or nothing


@pytest.mark.parametrize("order", [[5, 4, 3, 2, 1, 0], [2, 3, 0, 5, 1, 4]])
def test_a_pair_that_is_there_twice_gives_the_same_intervals_in_whatever_order(
    ontology: oe.Ontology, order: list[int]
) -> None:
    rows = [("dog", "cat", 3.5), ("dog", "cat", 1.0), ("dog", "cat", 2.25), *PAIRS[1:]]
    once, again = (
        [score.interval for found in agree(ontology, given, ["Lin", "WP"]) for score in found.coefficients.values()]
        for given in (rows, [rows[place] for place in order])
    )
    assert np.array(once) == pytest.approx(np.array(again), abs=1e-12)


def test_a_measure_without_values_is_undefined_with_its_reason_in_the_stored_result(tmp_path: Path) -> None:
    # D = 0 edges: there is nothing to divide by
    flat = oe.Ontology.from_edges([], concepts=["a", "b"], root="none")
    name = "LC(scale=raw, unit=edges)"
    found = agree(flat, [("a", "b", 1), ("a", "a", 2), ("b", "b", 3)], name)
    write_scores(found.result, tmp_path / "scores.trig")
    (back,) = oe.read_scores(tmp_path / "scores.trig")
    for result in (found.result, back):
        assert math.isnan(result[name].value)
        assert result[name].undefined == "undefined for 3 of 3 pairs"
    assert [tuple(pair) for pair in found[name].left_out] == [
        ("a", "b", 1.0, 1, "no value"), ("a", "a", 2.0, 2, "no value"),
        ("b", "b", 3.0, 3, "no value"),
    ]  # fmt: skip


def test_no_coefficient_is_marked_where_all_are_alike(ontology: oe.Ontology) -> None:
    # in a tree the shortest way is over the common ancestor
    both = ["Rada(scale=distance)", "Rada(scale=distance, paths=common-ancestor)"]
    found = agree(ontology, PAIRS, both, confidence=None)
    assert found[both[0]].values.tolist() == found[both[1]].values.tolist()
    assert "*" not in found.render("markdown")
    assert "*" not in found.render()
    assert "*" not in agree(ontology, PAIRS, both[0], confidence=None).render()  # one alone


@pytest.mark.parametrize("level", [0, 1, 95, -0.5, math.nan])
def test_a_level_that_is_none_is_refused(ontology: oe.Ontology, level: float) -> None:
    with pytest.raises(ParameterError) as error:
        agree(ontology, PAIRS, confidence=level)
    assert str(error.value) == f"confidence must be a number > 0 and < 1, not {level!r}. Use e.g. 0.95."
