"""One call for a whole job: the same numbers as the commands and as the single steps, and errors in its own words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from helpers import run
from hypothesis import given
from hypothesis import strategies as st

import ontoeval as oe
from ontoeval.analysis import relate as steps
from ontoeval.errors import LoadError, MissingInputError, ParameterError, UnknownConceptError

ROOT = Path(__file__).resolve().parents[1]
PAPER = ROOT / "fixtures" / "dellschaft2006"
NEWS = ROOT / "fixtures" / "annotations"
LINKS = [("cat", "mammal"), ("dog", "mammal"), ("hen", "bird"), ("mammal", "animal"), ("bird", "animal")]
ANIMALS = oe.Ontology.from_edges(LINKS, labels={"cat": "house cat", "hen": "Bank", "bird": "Bank"})


def printed(*words: object) -> dict[str, Any]:
    """The one result that a command prints as JSON."""
    done = run(*map(str, words), "--format", "json")
    assert done.exit_code == 0, done.stderr
    document: dict[str, Any] = json.loads(done.stdout)
    return dict(document["results"][0])


def same(result: oe.EvaluationResult, document: dict[str, Any]) -> None:
    assert result.to_dict()["scores"] == document["scores"]
    assert result.to_dict()["canonical_names"] == document["canonical_names"]
    assert result.to_dict()["counts"] == document["counts"]


@pytest.mark.parametrize(
    ("options", "given_as"),
    [
        ([], {}),
        (["-m", "classic", "--normalize", "case"], {"measures": "classic", "normalize": "case"}),
        (["--match", "name,label"], {"match": "name,label"}),
        (["--lang", "en"], {"language": "en"}),
        (["--ignore-novel", "-m", "LP,TF_sc"], {"ignore_novel": True, "measures": "LP,TF_sc"}),
        (["--root", "new"], {"load": {"root": "new"}}),
    ],
)
def test_compare_has_the_numbers_of_the_command(options: list[str], given_as: dict[str, Any]) -> None:
    paths = PAPER / "oc1.ttl", PAPER / "or2.ttl"
    same(oe.compare(*map(str, paths), **given_as), printed("compare", paths[0], "--gold", paths[1], *options))


@pytest.mark.parametrize(
    ("options", "given_as"),
    [
        ([], {}),
        (["--spans", "lenient", "--similarity", "WP"], {"spans": "lenient", "similarity": "WP"}),
        (["--unknown", "drop", "-m", "F,AF"], {"unknown": "drop", "measures": ["F", "AF"]}),
    ],
)
def test_annotations_have_the_numbers_of_the_command(options: list[str], given_as: dict[str, Any]) -> None:
    paths = [str(NEWS / name) for name in ("near", "key", "news.ttl")]
    document = printed("annotations", paths[0], "--gold", paths[1], "--ontology", paths[2], *options)
    same(oe.compare_annotations(*paths, **given_as), document)


LABELS = oe.Corpus.from_labels({"a": ["x", "y"], "b": ["z"]})


@pytest.mark.parametrize(
    ("options", "given_as"),
    [
        ([], {}),
        (["--limit", "1"], {"limit": 1}),
        (["--min-score", "0.5"], {"min_score": 0.5}),
        (["-m", "ranking"], {"measures": "ranking"}),
        (["-m", "ranking", "--limit", "1"], {"measures": "ranking", "limit": 1}),
    ],
)
def test_labels_have_the_numbers_of_the_command(tmp_path: Path, options: list[str], given_as: dict[str, Any]) -> None:
    gold, predicted = tmp_path / "gold.tsv", tmp_path / "predicted.tsv"
    gold.write_text("document\tconcept\na\tx\na\ty\nb\tz\n")
    predicted.write_text("document\tconcept\tscore\na\tx\t0.9\na\tz\t0.4\nb\tz\t0.7\nb\tx\t0.8\n")
    document = printed("labels", predicted, "--gold", gold, *options)
    same(oe.compare_labels(predicted, gold, **given_as), document)


def test_agreement_has_the_numbers_of_the_command() -> None:
    paths = [str(NEWS / name) for name in ("near", "far", "key")]
    done = run("agreement", *paths, "--ontology", str(NEWS / "news.ttl"), "--format", "json")
    document = json.loads(done.stdout)["agreement"]
    found = oe.agreement(paths, str(NEWS / "news.ttl"))
    assert found.to_dict()["pairs"] == document["pairs"]
    assert [(row.left, row.right) for row in found.table] == [tuple(pair["annotators"]) for pair in document["pairs"]]
    assert found.table[0].Kappa == document["pairs"][0]["Kappa"]


def test_sources_of_any_kind_give_one_result() -> None:
    learned = [("cat", "mammal"), ("dog", "animal"), ("mammal", "animal")]
    text = "child\tparent\n" + "".join(f"{child}\t{parent}\n" for child, parent in learned)
    frame = pd.DataFrame(learned, columns=["child", "parent"])
    ontology = oe.Ontology.from_edges(learned)
    sources = [ontology, text.encode(), frame, pl.DataFrame(frame), ontology.to_networkx(), ontology.to_frame()]
    values = [[score.value for score in oe.compare(source, ANIMALS)] for source in sources]
    assert values == [values[0]] * len(sources)


EDGES = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7), st.integers(1, 5)), min_size=1, max_size=12)


@given(EDGES)
def test_frames_are_read_as_the_links_they_hold(rows: list[tuple[int, int, int]]) -> None:
    links = {(f"c{child}", f"c{parent}"): weight / 2 for child, parent, weight in rows}
    expected = oe.Ontology.from_edges([(*ends, weight) for ends, weight in links.items()])
    columns = {"weight": list(links.values()), "parent": [p for _, p in links], "child": [c for c, _ in links]}
    for frame in (pd.DataFrame(columns), pl.DataFrame(columns)):
        ontology = oe.load_ontology(frame)
        assert ontology.digest == expected.digest
        assert oe.load_ontology(ontology.to_frame()).digest == expected.digest


def test_numbers_as_names_survive_a_missing_value() -> None:
    frame = pd.DataFrame({"child": [1, 2], "parent": [2, None]})  # pandas makes 2.0 of the parent
    assert set(oe.load_ontology(frame)) == {"1", "2"}


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (pd.DataFrame({"a": ["x"], "b": ["y"]}), "the frame has the columns 'a', 'b', not child and parent"),
        (pd.Series(["x"]), "a Series is not a table of links"),
        (pl.DataFrame({"child": ["x"]}).lazy(), "a LazyFrame is not a table of links"),
        (pd.DataFrame({"child": ["x"], "parent": [True]}), r"\(pandas\), line 1: True is not a name or a number"),
        (pd.DataFrame({"child": ["x"], "parent": ["y"], "weight": [-1]}), "the weight '-1' is not a finite number"),
        (pd.DataFrame({"child": ["x"], "parent": ["y"], "score": [0.5]}), "may be confidences of a learner or weights"),
    ],
)
def test_frames_that_are_no_links_are_refused(frame: object, message: str) -> None:
    with pytest.raises(LoadError, match=message):
        oe.load_ontology(frame)


def test_two_names_give_a_number_and_two_lists_an_array() -> None:
    value = oe.relate(ANIMALS, "house cat", "dog", "WP")
    assert isinstance(value, float)
    assert value == 2 * 2 / (3 + 3)
    values = oe.relate(ANIMALS, ["cat", "house cat"], ["dog", "hen"], "WP")
    assert values.tolist() == [value, 2 * 1 / (3 + 3)]
    # of the two that are called Bank the one that is nearer counts: the bird
    assert oe.relate(ANIMALS, "cat", "Bank", "WP") == 2 * 1 / (3 + 2)


def test_a_matrix_is_an_array_and_a_frame() -> None:
    matrix = oe.relate_all(ANIMALS, ["house cat", "dog", "animal"], "WP")
    expected = steps.relate_all(ANIMALS, ["cat", "dog", "animal"], "WP")
    np.testing.assert_array_equal(np.asarray(matrix), expected)
    np.testing.assert_array_equal(np.asarray(matrix, dtype=np.float32), expected.astype(np.float32))
    assert matrix.concepts == ("cat", "dog", "animal")
    assert matrix.to_frame().loc["house cat", "dog"] == matrix[0, 1]
    assert len(oe.relate_all(ANIMALS)) == len(ANIMALS)
    twice = oe.relate_all(ANIMALS, ["hen", "bird"]).to_frame()  # one label
    assert list(twice.columns) == ["hen", "bird"]


def test_the_nearest_are_a_table() -> None:
    table = oe.nearest(ANIMALS, "house cat", "WP", top=2)
    assert [(row.iri, row.value) for row in table] == [("mammal", 4 / 5), ("dog", 4 / 6)]
    assert list(table.to_frame().columns) == ["iri", "label", "value"]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: oe.relate(ANIMALS, "mamal", "dog"),
            UnknownConceptError,
            "unknown concept 'mamal'. Did you mean 'mammal'",
        ),
        (lambda: oe.nearest(ANIMALS, "Bank"), UnknownConceptError, "2 concepts of .* have the name 'Bank'"),
        (lambda: oe.nearest(ANIMALS, "cat", top=0), ParameterError, "top must be a whole number >= 1, not 0"),
        (lambda: oe.compare(ANIMALS, ANIMALS, []), ParameterError, "no measures. Name one"),
        (lambda: oe.compare(ANIMALS, ANIMALS, match=""), ParameterError, 'no matching step. Use match="iri,label"'),
        (lambda: oe.match(ANIMALS, ANIMALS, ""), ParameterError, 'no matching step. Use by="iri,label"'),
        (lambda: oe.compare(ANIMALS, ANIMALS, load={"root": "new"}), ParameterError, "no ontology is read"),
        (
            lambda: oe.compare(b"a\tb\t0.5\n", ANIMALS),
            LoadError,
            r"Set load=\{\"columns\": 'child,parent,confidence'\}",
        ),
        (lambda: oe.compare(b"a\tb\n", ANIMALS, load={"rot": "new"}), ParameterError, "unknown option 'rot'"),
        (lambda: oe.compare_labels(LABELS, LABELS, similarity="WP"), MissingInputError, "similarity needs an ontology"),
        (lambda: oe.compare_labels(LABELS, LABELS, unknown="drop"), MissingInputError, "unknown needs an ontology"),
        (lambda: oe.compare_labels(LABELS, LABELS, ties="file"), ParameterError, "unknown value ties='file'"),  # type: ignore[arg-type]
        (lambda: oe.compare_annotations(LABELS, LABELS, kb="urn:x"), ParameterError, 'Set by="instance"'),
        (lambda: oe.agreement([LABELS]), MissingInputError, "at least two annotators"),
    ],
)
def test_wrong_calls_are_refused_in_the_words_of_the_verb(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()


def test_novel_concepts_that_are_all_there_is_are_scored_with_a_warning() -> None:
    learned = oe.Ontology.from_edges([("x", "y")])
    with pytest.warns(oe.OntoevalWarning, match="the gold standard has none of its concepts"):
        oe.compare(learned, ANIMALS, "LP", ignore_novel=True)


def test_a_text_in_place_of_a_list_of_concepts_is_refused() -> None:
    animals = oe.Ontology.from_edges([("cat", "animal")])
    with pytest.raises(ParameterError, match=r"^concepts is a text, not a list\. Use e\.g\. \['cat', 'dog'\]\.$"):
        oe.relate_all(animals, "cat")


def test_all_pairs_that_need_more_than_2_gb_are_refused() -> None:
    large = oe.Ontology.from_edges([(f"c{n}", "root") for n in range(17_000)])
    with pytest.raises(ParameterError, match=r"^all pairs of 17,001 concepts do not fit in memory\. "):
        oe.relate_all(large)
