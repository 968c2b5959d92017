"""The 30 pairs of Miller & Charles 1991 on WordNet 3.0: published scores pair by pair, and agreement with people."""

from __future__ import annotations

import gzip
from functools import cache
from math import log
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from scipy.stats import pearsonr, spearmanr

import ontoeval as oe

PRINTED = 0.0005 + 1e-9  # half a unit of the last of three digits
NLTK_LCH = "LC(scale=raw, depth=longest, unit=edges, paths=common-ancestor)"


class WordNet(NamedTuple):
    ontology: oe.Ontology
    parents: dict[str, list[str]]
    senses: dict[str, list[str]]


def rows(path: Path) -> list[list[str]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file][1:]


@cache
def read(folder: Path) -> WordNet:
    parents = {
        synset: [parent for column in columns[:2] for parent in column.split(",") if parent]
        for synset, *columns in rows(folder / "synsets.tsv.gz")
    }
    senses = {lemma: synsets.split(",") for lemma, synsets in rows(folder / "index.tsv.gz")}
    edges = [(child, parent) for child, above in parents.items() for parent in above]
    return WordNet(oe.Ontology.from_edges(edges, concepts=list(parents)), parents, senses)


@pytest.fixture
def wordnet(shared_data: Path) -> WordNet:
    return read(shared_data / "wordnet30-noun")


class Pairs(NamedTuple):
    words: list[tuple[str, str]]
    ratings: list[float]


def rated(path: Path) -> Pairs:
    lines = [line.split() for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(lines) == 30
    return Pairs([(a, b) for a, b, _ in lines], [float(rating) for _, _, rating in lines])


@pytest.fixture
def pairs(shared_data: Path) -> Pairs:
    return rated(shared_data / "wordsim-wn30" / "EN-MC-30.txt")


def published(shared_data: Path, measure: str) -> np.ndarray:
    file = shared_data / "wordsim-wn30" / "sematch-results" / f"noun_mc-{measure}.txt"
    return np.array(file.read_text(encoding="utf-8").split()[1:], dtype=float)


def related(wordnet: WordNet, pairs: Pairs, measure: str) -> np.ndarray:
    """The best over the senses of the two words."""
    left = [wordnet.senses[a] for a, _ in pairs.words]
    right = [wordnet.senses[b] for _, b in pairs.words]
    return oe.relate(wordnet.ontology, left, right, measure)


def test_the_hierarchy(wordnet: WordNet) -> None:
    found = wordnet.ontology.describe()
    assert (found["concepts"], found["root"], found["root_added"]) == (82115, "00001740", False)
    assert found["leaves"] == 64958
    dog, cat = wordnet.senses["dog"][0], wordnet.senses["cat"][0]
    assert oe.relate(wordnet.ontology, [dog, dog], [dog, cat], NLTK_LCH) == pytest.approx(
        [log(2 * 19), 2.0281],
        abs=0.00005,  # D = 19
    )
    down_and_up = NLTK_LCH.replace("common-ancestor", "any")  # cat, domestic cat, domestic animal, dog
    assert oe.relate(wordnet.ontology, [dog], [cat], down_and_up) == pytest.approx([-log(4 / 38)])


def test_path_scores_pair_by_pair(wordnet: WordNet, pairs: Pairs, shared_data: Path) -> None:
    found = related(wordnet, pairs, "Rada(paths=common-ancestor)")
    assert np.abs(found - published(shared_data, "path")).max() <= PRINTED
    assert found == pytest.approx(1 / (1 + related(wordnet, pairs, "Rada(scale=distance, paths=common-ancestor)")))


def test_leacock_chodorow_scores_pair_by_pair(wordnet: WordNet, pairs: Pairs, shared_data: Path) -> None:
    found = related(wordnet, pairs, NLTK_LCH)
    assert np.abs(found - published(shared_data, "lch")).max() <= PRINTED


@pytest.mark.parametrize("ratings", ["EN-MC-30.txt", "noun_mc.txt"])
def test_rank_correlations(ratings: str, wordnet: WordNet, shared_data: Path) -> None:
    lines = (shared_data / "wordsim-wn30" / "published.tsv").read_text(encoding="utf-8").splitlines()
    stated = {line.split("\t")[2]: float(line.split("\t")[3]) for line in lines[1:]}
    pairs = rated(shared_data / "wordsim-wn30" / ratings)
    for name, measure in (("path", "Rada(paths=common-ancestor)"), ("lch", NLTK_LCH)):
        rho = spearmanr(np.round(related(wordnet, pairs, measure), 9), pairs.ratings).statistic
        assert rho == pytest.approx(stated[name], abs=PRINTED)


def test_paths_that_go_down_and_up_again_matter(wordnet: WordNet, pairs: Pairs) -> None:
    anyhow = related(wordnet, pairs, "Rada(scale=distance)")
    upwards = related(wordnet, pairs, "Rada(scale=distance, paths=common-ancestor)")
    assert (anyhow <= upwards).all()
    assert int((anyhow < upwards).sum()) == 7


def test_wu_palmer_differs_where_the_depth_of_one_ancestor_was_taken(
    wordnet: WordNet, pairs: Pairs, shared_data: Path
) -> None:
    # Published: the common ancestor of greatest shortest depth, one of several equals, with its *longest* depth.
    # That puts boy-lad and brother-monk higher than shortest depths do, and a word below itself: magician and wizard
    # are one synset, whose deepest ancestor lies deeper than itself on its shortest path.
    found, stated = related(wordnet, pairs, "WP"), published(shared_data, "wup")
    far = [pairs.words[i] for i in np.flatnonzero(np.abs(found - stated) > PRINTED)]
    assert far == [("boy", "lad"), ("magician", "wizard"), ("brother", "monk")]
    chosen = [found[pairs.words.index(pair)] for pair in far]
    assert chosen == pytest.approx([12 / 13, 1, 14 / 15])
    for i, (a, b) in enumerate(pairs.words):
        scores = [one_ancestor_scores(wordnet, x, y) for x in wordnet.senses[a] for y in wordnet.senses[b]]
        low, high = max(map(min, scores)), max(map(max, scores))
        assert low - PRINTED <= stated[i] <= high + PRINTED
        assert min(abs(stated[i] - low), abs(stated[i] - high)) <= PRINTED


def one_ancestor_scores(wordnet: WordNet, a: str, b: str) -> list[float]:
    """The published rule, for each of the equally deep common ancestors."""
    to_a, to_b = climb(wordnet, a), climb(wordnet, b)
    common = {m: climb(wordnet, m)["00001740"] for m in to_a.keys() & to_b.keys()}
    deepest = [m for m, depth in common.items() if depth == max(common.values())]
    deep = {m: 2 * (longest(wordnet, m) + 1) for m in deepest}
    return [deep[m] / (to_a[m] + to_b[m] + deep[m]) for m in deepest]


def climb(wordnet: WordNet, start: str) -> dict[str, int]:
    steps, waiting = {start: 0}, [start]
    for here in waiting:
        for above in wordnet.parents[here]:
            if above not in steps:
                steps[above] = steps[here] + 1
                waiting.append(above)
    return steps


def longest(wordnet: WordNet, start: str) -> int:
    return max((longest(wordnet, above) + 1 for above in wordnet.parents[start]), default=0)


@pytest.mark.parametrize(
    ("measure", "r"),
    [
        ("Resnik", 0.8026),
        ("Lin", 0.8361),
        ("JC", 0.8819),
        ("Rada(scale=distance)", -0.6931),
        ("Rada(scale=distance, paths=common-ancestor)", -0.6379),
    ],
)
def test_agreement_with_people(measure: str, r: float, wordnet: WordNet, pairs: Pairs) -> None:
    found = related(wordnet, pairs, measure)
    assert pearsonr(found, pairs.ratings).statistic == pytest.approx(r, abs=0.00005)


def test_rank_agreement_by_information_content(wordnet: WordNet, pairs: Pairs) -> None:
    for measure, rho in (("Resnik", 0.722), ("Lin", 0.762), ("JC", 0.839)):
        found = np.round(related(wordnet, pairs, measure), 9)
        assert spearmanr(found, pairs.ratings).statistic == pytest.approx(rho, abs=0.001), measure


def test_scales_do_not_change_ranks(wordnet: WordNet, pairs: Pairs) -> None:
    raw, unit = related(wordnet, pairs, "LC(scale=raw)"), related(wordnet, pairs, "LC")
    assert (np.argsort(raw, kind="stable") == np.argsort(unit, kind="stable")).all()
    assert pearsonr(raw, unit).statistic == pytest.approx(1)
    other = related(wordnet, pairs, "LC(scale=raw, depth=longest, unit=edges)")
    assert np.ptp(raw - other) == pytest.approx(0, abs=1e-12)  # D shifts by a constant
