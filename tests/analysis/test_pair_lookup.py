"""Names of pairs as concepts: which pairs are left out, what is refused, and how the task names its pairs."""

from __future__ import annotations

import numpy as np
import pytest

from ontoeval.analysis.pair_lookup import PairLookup
from ontoeval.analysis.relate import evaluate_pairs
from ontoeval.errors import LoadError, UnknownConceptError
from ontoeval.evaluation import evaluate, named_measures
from ontoeval.load.tables.rated_pairs import PairTable, load_pairs
from ontoeval.model.ontology import Ontology, Source
from ontoeval.tasks.concept_pairs import ConceptPairs

TREE = [("dog", "animal"), ("cat", "animal"), ("oak", "plant"), ("animal", "thing"), ("plant", "thing")]
FILE = b"dog\tcat\ndog\tdogg\noak\tunicorn\n"


def ontology() -> Ontology:
    return Ontology.from_edges(TREE, labels={"dog": ["hound"], "cat": ["puss"], "oak": ["puss"]})


def table(*pairs: tuple[str, str]) -> PairTable:
    left, right = zip(*pairs, strict=True)
    return PairTable(left, right, None, tuple(range(1, len(pairs) + 1)), Source())


def test_pairs_with_an_unknown_name_are_left_out_with_their_names() -> None:
    lookup = PairLookup(ontology(), load_pairs(FILE))
    assert lookup.places.tolist() == [0]
    assert {place: lookup.unknown_names(place) for place in lookup.unknown_places.tolist()} == {
        1: ["dogg"],
        2: ["unicorn"],
    }
    lookup.refuse_nothing()


def test_an_unknown_name_of_a_file_is_refused_with_its_line_and_the_parameter_that_leaves_it_out() -> None:
    lookup = PairLookup(ontology(), load_pairs(FILE))
    with pytest.raises(LoadError) as caught:
        lookup.refuse_unknown()
    assert caught.value.line == 2
    assert caught.value.problem == "unknown concept 'dogg'"
    assert str(caught.value).endswith("Did you mean 'dog'? Correct it, or set skip_unknown=True.")


def test_an_unknown_name_that_is_from_no_file_is_refused_without_a_line() -> None:
    with pytest.raises(UnknownConceptError) as caught:
        PairLookup(ontology(), table(("dog", "unicorn"))).refuse_unknown()
    assert str(caught.value) == ("unknown concept 'unicorn'. Use an IRI, a CURIE, a local name or a label of (memory).")


def test_known_names_are_not_refused() -> None:
    lookup = PairLookup(ontology(), table(("hound", "cat")))
    lookup.refuse_unknown()
    assert lookup.names == [("hound", "cat")]


def test_a_task_calls_its_pairs_by_name_or_by_iri() -> None:
    lookup = PairLookup(ontology(), table(("hound", "cat")))
    assert lookup.task().written(0) == ("hound", "cat")
    assert lookup.task(named=False).written(0) == ("dog", "cat")
    assert lookup.task().ratings is None


def test_the_first_sense_counts_if_that_is_asked_for() -> None:
    pairs = table(("hound", "puss"))
    assert PairLookup(ontology(), pairs).task().ends(0) == (["dog"], ("cat", "oak"))
    first = PairLookup(ontology(), pairs, "first")
    assert first.task().ends(0) == (["dog"], ["cat"])
    assert first.several == 1  # of the names, whatever is made of it


def test_values_senses_and_result_of_pairs_are_computed_together() -> None:
    task = PairLookup(ontology(), table(("dog", "puss"), ("oak", "plant"))).task()
    measures = named_measures(["WP", "Rada(scale=distance)"], ConceptPairs)
    names: list[str] = []
    result, scores = evaluate_pairs(task, measures, progress=names.append)
    assert names == list(scores) == ["WP", "Rada(scale=distance)"]
    assert result == evaluate(task, measures)
    # dog and cat: 2 edges over animal, depth 2 nodes below thing: 2 * 2 / (1 + 1 + 2 * 2); oak is further away
    np.testing.assert_allclose(scores["WP"].values, [2 / 3, 2 * 2 / (1 + 2 * 2)])
    assert scores["Rada(scale=distance)"].values.tolist() == [2.0, 1.0]
    iris = task.ontology.hierarchy.iris
    for pairs in scores.values():
        assert [iris[concept] for concept in pairs.senses.right.tolist()] == ["cat", "plant"]
    assert [parts["ancestor"] for parts in scores["WP"].parts()] == ["animal", "plant"]
