"""Measures on a task: which, in which order, under which names."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Literal

import numpy as np
import pytest

from ontoeval.errors import MissingInputError, ParameterError, UnknownMeasureError
from ontoeval.evaluation import evaluate, named_measures
from ontoeval.matching.matcher import match
from ontoeval.measures import Definition, Measure, all_measures, parse
from ontoeval.measures.registry import Registry, UnmetNeedError
from ontoeval.model.ontology import Ontology
from ontoeval.results import Score
from ontoeval.tasks.comparison import Comparison

DEFAULT = [
    "LP", "LR", "LF", "EdgeP", "EdgeR", "EdgeF", "TP_csc", "TR_csc", "TF_csc", "TP_sc", "TR_sc", "TF_sc",
]  # fmt: skip


@pytest.fixture
def task() -> Comparison:
    """Root, bike, car, BMX; the gold standard has bike and car, and a van."""
    learned = Ontology.from_edges([("bike", "root"), ("car", "root"), ("BMX", "bike")], labels={"BMX": "BMX bike"})
    gold = Ontology.from_edges([("bike", "root"), ("car", "root"), ("van", "car")])
    return Comparison(learned, gold)


def test_without_a_choice_the_default_measures_are_computed_in_their_order(task: Comparison) -> None:
    found = evaluate(task)
    assert [score.name for score in found] == DEFAULT
    assert list(found.to_dict()["scores"]) == DEFAULT


def test_the_values_are_those_of_the_definition(task: Comparison) -> None:
    found = evaluate(task)
    # root, bike and car of four concepts are common on both sides; the links to root are, too
    assert [found[name].value for name in ("LP", "LR", "LF")] == [0.75, 0.75, 0.75]
    assert found["EdgeF"].value == pytest.approx(2 / 3)
    assert found["LP"].counts == {"common": 3, "learned": 4}


def test_a_measure_may_come_with_its_name(task: Comparison) -> None:
    named = named_measures(["TP( extract = csc )", "LP"], Comparison)
    assert [name for name, _ in named] == ["TP( extract = csc )", "LP"]
    assert named_measures(named, Comparison) == named
    assert [score.name for score in evaluate(task, named)] == ["TP( extract = csc )", "LP"]
    assert evaluate(task, named) == evaluate(task, ["TP_csc", "LP"])
    with pytest.raises(ParameterError, match="is not a measure"):
        named_measures([("LP", "LP")], Comparison)  # type: ignore[list-item]


def test_a_need_is_reported_under_the_name_of_the_measure(task: Comparison) -> None:
    def needy(task: Comparison) -> Score:
        raise UnmetNeedError("needs a moon", advice="Wait.")

    registry = Registry()
    measure = Measure(replace(parse("LP").definition, name="Needy", function=needy), {}, registry)
    registry.add(measure.definition)
    with pytest.raises(MissingInputError, match=r"^Needy needs a moon\. Wait\.$"):
        measure(task)
    with pytest.raises(MissingInputError, match=r"^this measure needs a moon\. Wait\.$"):
        needy(task)


def test_reasons_name_parameters_as_their_reader_writes_them() -> None:
    edges = [("a", "r"), ("b", "r")]
    several, one = (Ontology.from_edges(edges, instances={"i": places}) for places in (["a", "b"], ["a"]))
    result = evaluate(Comparison(several, one), ["H_s", "LP"])
    reason = result["H_s"].undefined
    assert reason is not None
    assert reason.endswith("or set strict_instances=True")
    spelled = result.spelled(lambda parameter, value: f"<{parameter}>")
    assert spelled["H_s"].undefined == reason.replace("strict_instances=True", "<strict_instances>")
    assert spelled["LP"] is result["LP"]


def test_names_stay_as_the_user_wrote_them(task: Comparison) -> None:
    written = ["TP", "TP (extract = sc)", " LF ", "TP_csc(average=micro)"]
    found = evaluate(task, written)
    assert [score.name for score in found] == ["TP", "TP (extract = sc)", "LF", "TP_csc(average=micro)"]
    assert written == ["TP", "TP (extract = sc)", " LF ", "TP_csc(average=micro)"]
    assert found["TP"].value == task_value(task, "TP_csc")


def task_value(task: Comparison, name: str) -> float:
    return parse(name)(task).value


def test_one_measure_needs_no_list_and_may_be_an_object(task: Comparison) -> None:
    assert [score.name for score in evaluate(task, "TP")] == ["TP"]
    assert [score.name for score in evaluate(task, parse("TP"))] == ["TP_csc"]
    assert [score.name for score in evaluate(task, iter(["LP", parse("LR")]))] == ["LP", "LR"]
    assert evaluate(task, []).scores == ()


def test_a_name_that_is_asked_for_twice_comes_once_and_other_spellings_stay(task: Comparison) -> None:
    told: list[str] = []
    found = evaluate(task, ["TP", "LF", "TP_csc", "LF", parse("LF")], progress=told.append)
    assert [score.name for score in found] == ["TP", "LF", "TP_csc"]
    assert told == ["TP", "LF", "TP_csc"]
    assert found["TP"].value == found["TP_csc"].value


def test_progress_is_told_every_name_before_it_is_computed(task: Comparison) -> None:
    told: list[str] = []
    evaluate(task, progress=told.append)
    assert told == DEFAULT

    class Stop(Exception):  # noqa: N818
        pass

    def stop(name: str) -> None:
        told.append(name)
        if name == "LR":
            raise Stop

    told.clear()
    with pytest.raises(Stop):
        evaluate(task, ["LP", "LR", "LF"], progress=stop)
    assert told == ["LP", "LR"]


def test_local_scores_carry_iris_and_labels(task: Comparison) -> None:
    found = evaluate(task, ["LP", "LR", "LF"])
    local = found["LP"].local
    assert local is not None
    assert [tuple(named) for named in local.worst(1)] == [("BMX", "BMX bike", 0.0)]
    assert local.to_dict() == {"root": 1.0, "bike": 1.0, "car": 1.0, "BMX": 0.0}
    recall = found["LR"].local
    assert recall is not None
    assert (recall.of, [named.iri for named in recall.worst(1)]) == ("gold", ["van"])
    assert found["LF"].local is None


def snapshot(task: Comparison) -> list[Any]:
    found: list[Any] = []
    for side in (task.learned, task.gold):
        found += [side.hierarchy.iris, side.lexicon.texts, side.source]
        found += [
            side.hierarchy.parents.indices.tolist(),
            side.hierarchy.attached.tolist(),
            side.lexicon.roles.tolist(),
        ]
    matching = task.matching
    found += [matching.to_gold.tolist(), matching.to_learned.tolist(), np.nan_to_num(matching.scores).tolist()]
    return [*found, matching.summary()]


def test_none_of_the_arguments_is_changed(task: Comparison) -> None:
    before, inputs = snapshot(task), (task.learned, task.gold, task.matching)
    mine = [definition for definition in all_measures() if definition.task is Comparison]
    names = [definition.name for definition in mine if "instances" not in definition.needs]  # the task has none
    asked = list(names)
    first = evaluate(task, asked)
    assert asked == names
    assert snapshot(task) == before
    assert (task.learned, task.gold, task.matching) == inputs
    again = evaluate(task, reversed(asked))
    for name in names:  # nor does what was computed before change what comes after
        assert again[name].value == first[name].value or math.isnan(first[name].value)


def test_a_result_says_what_is_needed_to_repeat_it(task: Comparison) -> None:
    before = datetime.now(UTC).replace(microsecond=0)
    found = evaluate(task, "LP")
    assert before <= datetime.fromisoformat(found.started) <= datetime.now(UTC)
    assert found.task == "comparison"
    sides = {"learned": task.learned, "gold": task.gold}
    assert found.inputs == {role: replace(o.source, sha256=o.digest) for role, o in sides.items()}
    assert found.judged == found.inputs["learned"]
    assert found.settings == {"matching": task.matching.summary(), "measures": ["LP"]}
    assert found.version


def test_the_matching_of_the_task_is_used() -> None:
    learned = Ontology.from_edges([("x", "y")], labels={"x": "one", "y": "two"})
    gold = Ontology.from_edges([("p", "q")], labels={"p": "ONE", "q": "TWO"})
    assert evaluate(Comparison(learned, gold), "LF")["LF"].value == 0.0
    found = evaluate(Comparison(learned, gold, match(learned, gold, "label", normalize="case")), "LF")
    assert found["LF"].value == 1.0
    assert found.to_dict()["matching"]["by"] == "label"


@pytest.mark.parametrize("given", [7, None, b"LP", Score(1.0)])
def test_what_is_no_measure_is_refused(task: Comparison, given: Any) -> None:
    with pytest.raises(ParameterError) as caught:
        evaluate(task, ["LP", given])
    assert str(caught.value) == f"{given!r} is not a measure. Use a name such as 'TF_csc', or parse('TF_csc')."


def test_an_unknown_name_is_refused_before_anything_is_computed(task: Comparison) -> None:
    told: list[str] = []
    with pytest.raises(UnknownMeasureError) as caught:
        evaluate(task, ["LP", "TP_cs"], progress=told.append)
    assert str(caught.value) == ("unknown measure 'TP_cs'. Did you mean 'TP_csc' or 'TP_sc'? See `ontoeval measures`.")
    assert told == []


class Extraction:
    """Another task, for a measure that compares no ontologies."""


def elsewhere(task: Extraction) -> Score:
    """Of something else."""
    return Score(1.0)


def half(task: Comparison, *, by: Literal["none"] | Callable[[], float] = "none") -> Score:
    """Half a point, or what a function says."""
    return Score(0.5 if by == "none" else by())


def registered(function: Callable[..., Score], name: str) -> Registry:
    registry = Registry()
    registry.add(
        Definition(name, function, "here", "structural", {}, False, (0.0, 1.0), 1.0, True, (), None)
    )  # fmt: skip
    return registry


def test_a_measure_of_another_task_is_refused(task: Comparison) -> None:
    measure = registered(elsewhere, "Elsewhere").parse("Elsewhere")
    with pytest.raises(MissingInputError) as caught:
        evaluate(task, measure)
    assert str(caught.value) == ("Elsewhere scores Extractions, not two ontologies. See `ontoeval measures`.")
    assert named_measures([measure], Extraction) == [("Elsewhere", measure)]


def test_a_measure_of_ones_own_is_evaluated_like_any_other(task: Comparison) -> None:
    mine = registered(half, "Half").parse("Half")
    found = evaluate(task, ["LP", mine])
    assert found["Half"].value == 0.5
    assert found.to_dict()["scores"] == {"LP": 0.75, "Half": 0.5}


def test_measures_with_different_functions_keep_different_names(task: Comparison) -> None:
    """Both are called `Half(by=...<lambda>)` by themselves; one must not hide the other."""
    registry = registered(half, "Half")
    found = evaluate(task, [registry.parse("Half", by=lambda: 0.25), registry.parse("Half", by=lambda: 0.75)])
    assert sorted(found.to_dict()["scores"].values()) == [0.25, 0.75]
