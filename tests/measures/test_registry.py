"""Measures by name: every spelling, every mistake, and how one is added."""

from __future__ import annotations

import importlib
import math
import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ontoeval.errors import ParameterError, UnknownMeasureError
from ontoeval.measures import (
    Definition,
    Measure,
    all_measures,
    current_name,
    default_measures,
    measure,
    measure_set,
    parse,
)
from ontoeval.measures.registry import Parameter, Registry, spelled
from ontoeval.model.ontology import Ontology
from ontoeval.results import Score
from ontoeval.tasks.comparison import Comparison
from ontoeval.tasks.extraction import Extraction

MODULE = importlib.import_module("ontoeval.measures.registry")  # the package has a function of that name, too
FINITE = st.floats(allow_nan=False, allow_infinity=False).map(lambda number: number + 0.0)  # -0.0 is 0.0
NAMES = [definition.name for definition in all_measures()]
UNREADABLE = "{!r} is not a measure. Use a name, or a name with parameters: TP(extract=sc, over=common)."


def task() -> Comparison:
    ontology = Ontology.from_edges([("a", "b"), ("c", "b")])
    return Comparison(ontology, ontology)


# measures of our own, with a parameter of every kind


def similarity(left: str, right: str) -> float:
    return float(left == right)


def other_similarity(left: str, right: str) -> float:
    return 1.0


def odd_ones_out(parameters: Mapping[str, Any]) -> None:
    if parameters["count"] == 13:
        raise ParameterError("count=13 brings bad luck. Give another.")


def with_every_kind(
    task: Comparison,
    *,
    count: int = 3,
    share: float = 0.5,
    strict: bool = False,
    way: Literal["short", "long-way"] = "short",
    power: Literal["auto"] | float = "auto",
    level: Literal[1, 2] = 1,
    by: Literal["equal"] | Callable[[str, str], float] = "equal",
) -> Score:
    """Everything at once.

    The value is count + share.
    """
    return Score(count + share)


def with_inner(task: Comparison, *, inner: Measure = None, factor: float = 1.0) -> Score:  # type: ignore[assignment]
    """A measure of a measure."""
    return Score(inner(task).value * factor)


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> Registry:
    """A registry of its own, for what the decorator registers meanwhile."""
    registry = Registry()
    monkeypatch.setattr(MODULE, "REGISTRY", registry)
    measure("Every", source="here", dimension="structural", check=odd_ones_out)(with_every_kind)
    measure("Every_strict", source="here", dimension="structural", params={"strict": True, "share": 0.25})(
        with_every_kind
    )
    measure("Inner", source="here", dimension="structural", best=None)(with_inner)
    return registry


# the grammar


def values(parameter: Parameter, registry_names: list[str]) -> st.SearchStrategy[Any]:
    """Any value that a parameter can be written with."""
    found: list[st.SearchStrategy[Any]] = [st.sampled_from(parameter.choices)] if parameter.choices else []
    for kind in parameter.kinds:
        if kind is int:
            found.append(st.integers(-(10**6), 10**6))
        elif kind is float:
            found.append(st.floats(0, 1) | FINITE)
        elif kind is bool:
            found.append(st.booleans())
        elif kind is str:
            found.append(st.sampled_from(["part_of", "http://example.org/has-part", "RO:0002202"]))
        else:
            found.append(st.sampled_from(registry_names).map(parse))
    return st.one_of(found)


@st.composite
def spelled_measures(draw: st.DrawFn) -> tuple[Definition, dict[str, Any]]:
    definition = draw(st.sampled_from(all_measures()))
    chosen = [p for p in definition.open if draw(st.booleans())]
    given = {p.name: draw(values(p, ["LP", "TP_sc"])) for p in chosen}
    try:
        if definition.check is not None:
            definition.check(definition.defaults | given)
    except ParameterError:
        assume(False)
    return definition, given


@given(spelled_measures(), st.randoms(use_true_random=False))
def test_a_name_reads_back_as_the_same_measure_however_it_is_spelled(
    drawn: tuple[Definition, dict[str, Any]], shuffle: random.Random
) -> None:
    definition, chosen = drawn
    made = parse(definition.name, **chosen)
    assert parse(str(made)) == made
    assert str(parse(str(made))) == str(made)
    assert made.parameters == definition.defaults | chosen
    everything = list((definition.defaults | chosen).items())
    shuffle.shuffle(everything)
    blank = shuffle.choice(["", " ", "  ", "\t"])
    arguments = f"{blank},{blank}".join(f"{name}{blank}={blank}{spelled(value)}" for name, value in everything)
    written = f"{blank}{definition.name}{blank}({blank}{arguments}{blank}){blank}"
    assert parse(written) == made
    assert hash(parse(written)) == hash(made)


@pytest.mark.parametrize("name", NAMES)
def test_a_bare_name_reads_back(name: str) -> None:
    assert parse(str(parse(name))) == parse(name)
    assert parse(f"{name}()") == parse(name)
    assert repr(parse(name)) == f"<measure {parse(name)}>"


def test_the_name_of_a_preset_is_used_where_one_fits() -> None:
    assert str(parse("TP")) == "TP_csc"
    assert str(parse("TP(extract=sc, over=learned)")) == "TP_sc"
    assert str(parse("TP(over=learned, extract=sc)")) == "TP_sc"
    assert str(parse("TP(extract=sc, over=common)")) == "TP(extract=sc)"
    assert str(parse("TP_sc(average=macro)")) == "TP_sc"
    assert parse("TP_csc(average=micro)") == parse("TP(average=micro)")
    assert parse("TP_csc(average=micro)").preset.name == "TP"
    assert parse("TP(extract=sc, over=learned)").preset.name == "TP_sc"


def test_measures_differ_by_function_and_by_parameters() -> None:
    assert parse("TP_csc") != parse("TR_csc")
    assert parse("TP_csc") != parse("TP_sc")
    assert parse("TP_csc") != "TP_csc"
    assert len({parse(name) for name in ("TP", "TP_csc", "TP(extract=csc)", "TP_sc", "TR")}) == 3


def test_every_kind_of_value_is_read_in_its_type(fresh: Registry) -> None:
    made = fresh.parse("Every(count=-4, share=1e-3, strict=true, way=long-way, power=+2.5, level=2)")
    assert made.parameters == {
        "count": -4, "share": 0.001, "strict": True, "way": "long-way", "power": 2.5, "level": 2, "by": "equal",
    }  # fmt: skip
    assert [type(value) for value in made.parameters.values()] == [int, float, bool, str, float, int, str]
    assert fresh.parse("Every(count=4, share=2)") == fresh.parse("Every", count=4.0, share=2)
    assert str(fresh.parse("Every", share=2.0, strict=True)) == "Every(share=2, strict=true)"


@given(
    st.integers(-(2**53), 2**53),
    FINITE,
    st.booleans(),
    st.sampled_from([1, 2]),
)
def test_numbers_read_back_exactly(count: int, share: float, strict: bool, level: int) -> None:
    registry = Registry()
    registry.add(definition_of(with_every_kind))
    made = registry.parse("X", count=count, share=share, power=share, strict=strict, level=level)
    again = registry.parse(str(made))
    assert again == made
    assert hash(again) == hash(made)


def definition_of(function: Callable[..., Score], name: str = "X", **changed: Any) -> Definition:
    return Definition(
        **{
            "name": name, "function": function, "source": "here", "dimension": "structural", "fixed": {},
            "symmetric": False, "range": (0.0, 1.0), "best": 1.0, "identity": True, "needs": (),
            "check": None, **changed,
        }
    )  # fmt: skip


@pytest.mark.parametrize("count", [2**53 + 1, -(2**53) - 1, 10**400])
def test_a_whole_number_that_no_float_can_hold_is_read(fresh: Registry, count: int) -> None:
    assert fresh.parse(f"Every(count={count})").parameters["count"] == count
    assert fresh.parse("Every", count=count).parameters["count"] == count


def test_a_measure_can_be_a_value(fresh: Registry) -> None:
    made = fresh.parse("Inner(inner=Every(count=7, share=0.25), factor=2)")
    assert made.parameters["inner"] == fresh.parse("Every(share=0.25, count=7)")
    assert str(made) == "Inner(inner=Every(count=7, share=0.25), factor=2)"
    assert fresh.parse(str(made)) == made
    assert made(task()).value == 14.5
    assert fresh.parse("Inner", inner=fresh.parse("Every_strict")) == fresh.parse("Inner(inner=Every_strict)")
    deep = fresh.parse("Inner(inner=Inner(inner=Every(count=1), factor=3), factor=2)")
    assert str(deep) == "Inner(inner=Inner(inner=Every(count=1), factor=3), factor=2)"
    assert fresh.parse(str(deep)) == deep


# mistakes


@pytest.mark.parametrize(
    "text",
    [
        "", "  ", "(", "TP(", "TP)", "TP)x", "TP(extract)", "TP(extract=)", "TP(=sc)", "TP(,)", "TP(extract=sc",
        "TP=sc",
        "TP extract=sc", "TP extract", "TP(extract=sc)x", "TP(extract=sc)(over=common)", "TP((extract=sc))",
        "TP(extract=sc,,over=common)", "TP(,extract=sc)", "TP(extract='sc')", "TP[extract=sc]", "TP(extract=sc))",
        "TP(extract=sc(), over", "TP(extract=sc, extract=sc)", "TP_csc;", "TP(extract:sc)", "TP(extract)=sc",
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(ParameterError) as caught:
        parse(text)
    assert str(caught.value) == UNREADABLE.format(text)


@pytest.mark.parametrize("text", ["TP(extract=s c)", "TP(extract=sc over=common)", "TP(average=ma cro)"])
def test_two_words_are_not_one_value(text: str) -> None:
    with pytest.raises(ParameterError) as caught:
        parse(text)
    assert str(caught.value) == UNREADABLE.format(text)


def test_a_last_comma_is_let_pass() -> None:
    assert parse("TP(extract=sc,)") == parse("TP(extract=sc)")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("TP_cs", "unknown measure 'TP_cs'. Did you mean 'TP_csc' or 'TP_sc'? See `ontoeval measures`."),
        ("tp_CSC", "unknown measure 'tp_CSC'. Did you mean 'TP_csc'? See `ontoeval measures`."),
        ("qqqqqq", "unknown measure 'qqqqqq'. See `ontoeval measures`."),
        ("0.5", "unknown measure '0.5'. See `ontoeval measures`."),
        ("qqqqqq(a=1)", "unknown measure 'qqqqqq'. See `ontoeval measures`."),
    ],
)
def test_an_unknown_measure_is_refused_with_a_suggestion(text: str, message: str) -> None:
    with pytest.raises(UnknownMeasureError) as caught:
        parse(text)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "TP(extrct=sc)",
            "TP has no parameter 'extrct'. Did you mean 'extract'? Use one of: extract, over, estimate, average.",
        ),
        ("TP(zzz=sc)", "TP has no parameter 'zzz'. Use one of: extract, over, estimate, average."),
        ("LP(zzz=1)", "LP has no parameter 'zzz'. It has none."),
        ("TP(average=makro)", "TP does not take average=makro. Did you mean 'macro'? Use macro or micro."),
        ("TP(over=x)", "TP does not take over=x. Use common, learned or novel."),
        ("TP(over=TP(over=x))", "TP does not take over=TP(over=x). Use common, learned or novel."),
        (
            "TP_csc(extract=sc)",
            "TP_csc is extract=csc, over=common; it does not take extract=sc. Use TP(...).",
        ),
        ("TP(over=novel)", "over=novel needs estimate=optimistic. Add estimate=optimistic."),
        (
            "TP(over=learned, average=micro)",
            "average=micro needs over=common, not over=learned.",
        ),
    ],
)  # fmt: skip
def test_a_wrong_parameter_is_refused(text: str, message: str) -> None:
    with pytest.raises(ParameterError) as caught:
        parse(text)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Every(count=2.5)", "Every does not take count=2.5. Use a whole number."),
        ("Every(count=x)", "Every does not take count=x. Use a whole number."),
        ("Every(share=x)", "Every does not take share=x. Use a number."),
        ("Every(share=nan)", "Every does not take share=nan. Use a number."),
        ("Every(share=inf)", "Every does not take share=inf. Use a number."),
        ("Every(strict=yes)", "Every does not take strict=yes. Use false or true."),
        ("Every(power=aut)", "Every does not take power=aut. Did you mean 'auto'? Use auto or a number."),
        ("Every(level=3)", "Every does not take level=3. Use 1 or 2."),
        ("Every(by=similarity)", "Every does not take by=similarity. Use equal."),
        ("Every(count=13)", "count=13 brings bad luck. Give another."),
        (
            "Every_strict(strict=false)",
            "Every_strict is strict=true, share=0.25; it does not take strict=false. Use Every(...).",
        ),
    ],
)
def test_a_wrong_value_is_refused_by_its_kind(fresh: Registry, text: str, message: str) -> None:
    with pytest.raises(ParameterError) as caught:
        fresh.parse(text)
    assert str(caught.value) == message


def test_true_and_false_are_no_numbers(fresh: Registry) -> None:
    with pytest.raises(ParameterError) as caught:
        fresh.parse("Every", count=True)
    assert str(caught.value) == "Every does not take count=True. Use a whole number."


def test_an_inner_measure_that_is_none_is_refused(fresh: Registry) -> None:
    with pytest.raises(UnknownMeasureError) as caught:
        fresh.parse("Inner(inner=Evry)")
    assert str(caught.value) == "unknown measure 'Evry'. Did you mean 'Every'? See `ontoeval measures`."
    with pytest.raises(ParameterError) as wrong:
        fresh.parse("Inner(inner=Every(count=x))")
    assert str(wrong.value) == "Every does not take count=x. Use a whole number."


@pytest.mark.parametrize("value", [5, None, 0.5])
def test_something_else_than_a_measure_is_refused_where_one_is_needed(fresh: Registry, value: Any) -> None:
    with pytest.raises(ParameterError):
        fresh.parse("Inner", inner=value)


# functions as values


def test_a_function_can_be_a_value_where_the_measure_takes_one(fresh: Registry) -> None:
    made = fresh.parse("Every", by=similarity)
    assert made.parameters["by"] is similarity
    assert str(made) == "Every(by=similarity)"
    assert made == fresh.parse("Every", by=similarity)
    assert made != fresh.parse("Every", by=other_similarity)
    assert made != fresh.parse("Every")
    assert len({made, fresh.parse("Every", by=similarity), fresh.parse("Every", by=other_similarity)}) == 2


def test_a_function_is_refused_where_the_measure_takes_none(fresh: Registry) -> None:
    with pytest.raises(ParameterError) as caught:
        fresh.parse("Every", way=similarity)
    assert str(caught.value).endswith("Use short or long-way.")


# definitions


def test_a_measure_is_added_with_the_decorator_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    registry = Registry()
    monkeypatch.setattr(MODULE, "REGISTRY", registry)

    @measure("Mine", source="nobody", dimension="lexical", best=0, symmetric=True, needs=["instances"])
    def mine(task: Comparison, *, factor: float = 2.0) -> Score:
        """My own measure.

        It is `factor` times the number of learned concepts.
        """
        return Score(factor * len(task.learned.hierarchy))

    (definition,) = registry
    assert definition.label == "My own measure"
    assert definition.definition == "It is `factor` times the number of learned concepts."
    assert (definition.task, definition.source, definition.dimension) == (Comparison, "nobody", "lexical")
    assert (definition.best, definition.symmetric, definition.needs) == (0, True, ("instances",))
    assert definition.parameters == {"factor": Parameter("factor", 2.0, (float,), (), False)}
    assert registry.parse("Mine(factor=3)")(task()).value == 9.0
    assert registry.parse("Mine").best == 0
    assert mine(task()).value == 6.0  # the function is what it was
    assert "Mine" not in NAMES


def test_a_preset_says_in_its_label_what_it_fixes(fresh: Registry) -> None:
    preset = fresh.definition("Every_strict")
    assert preset.label == "Everything at once (strict=true, share=0.25)"
    assert [p.name for p in preset.open] == ["count", "way", "power", "level", "by"]
    assert preset.defaults["strict"] is True
    assert fresh.definition("Every").label == "Everything at once"
    assert str(fresh.parse("Every(share=0.25, strict=true)")) == "Every_strict"


@pytest.mark.parametrize("name", ["", "1TP", "T P", "TP-x", "TP(x)", "Ä"])
def test_a_name_that_the_grammar_cannot_read_is_no_name(name: str) -> None:
    with pytest.raises(ParameterError) as caught:
        Registry().add(definition_of(with_every_kind, name))
    assert str(caught.value) == f"{name!r} is not a name for a measure. Use letters, digits and _."


def test_two_functions_cannot_have_one_name(fresh: Registry) -> None:
    with pytest.raises(ParameterError) as caught:
        fresh.add(definition_of(with_inner, "Every"))
    assert str(caught.value) == "two measures have the name 'Every'. Rename one."


def test_a_function_can_be_defined_again(fresh: Registry) -> None:
    """As a notebook does when a cell runs twice."""

    def again(task: Comparison) -> Score:
        """Twice."""
        return Score(2.0)

    again.__qualname__ = "with_every_kind"
    fresh.add(definition_of(again, "Every"))
    assert fresh.parse("Every")(task()).value == 2.0


def test_every_measure_says_where_it_comes_from_and_what_it_is() -> None:
    for definition in all_measures():
        assert definition.source
        assert definition.label
        assert definition.definition
        low, high = definition.range
        assert low < high
        assert definition.best is None or low <= definition.best <= high
        assert not (definition.best is not None and math.isnan(definition.best))
        assert set(definition.fixed) <= set(definition.parameters)


def test_labels_tell_all_measures_apart() -> None:
    labels = [definition.label for definition in all_measures()]
    assert sorted(labels) == sorted(set(labels))


def test_the_default_measures_come_in_their_order() -> None:
    found = [str(chosen) for chosen in default_measures(Comparison)]
    assert found == [
        "LP", "LR", "LF", "EdgeP", "EdgeR", "EdgeF", "TP_csc", "TR_csc", "TF_csc", "TP_sc", "TR_sc", "TF_sc",
    ]  # fmt: skip
    assert default_measures(int) == ()


def test_named_sets() -> None:
    assert measure_set("core", Comparison) == default_measures(Comparison)
    assert [str(chosen) for chosen in measure_set("classic", Comparison)] == [
        "LP", "LR", "LF", "TP_csc", "TR_csc", "TF_csc", "TFprime_csc", "TP_sc", "TR_sc", "TF_sc", "TO_csc", "EdgeF",
    ]  # fmt: skip
    between = ["NearP", "NearR", "NearF", "PlaceP", "PlaceR", "PlaceF", "Preserved"]
    assert [str(chosen) for chosen in measure_set("between", Comparison)] == between
    assert measure_set("ranking", Comparison) == ()
    assert [str(chosen) for chosen in measure_set("ranking", Extraction)] == ["APrec", "RPrec", "P_at"]
    assert [str(chosen) for chosen in measure_set("classic", Extraction)] == [
        "P", "R", "F", "AP_LA", "AR_LA", "AF_LA", "AP", "AR", "AF", "Kappa", "Pi", "Alpha_Flat", "LabelP", "LabelR",
        "LabelF", "LabelP_high", "LabelR_high", "LabelF_high", "SetRel", "SetP", "SetR", "SetF", "hF",
    ]  # fmt: skip
    assert measure_set("nonsense", Comparison) == ()
    everything = measure_set("all", Comparison)
    assert len(set(everything)) == len(everything)
    names = {str(chosen) for chosen in everything}
    assert names >= {
        *map(str, measure_set("core", Comparison)),
        *map(str, measure_set("classic", Comparison)),
        *between,
    }
    assert not names & {"RelF", "ITF", "H_s"}  # they need relations or instances
    assert "TP" not in names  # it is TP_csc


def test_a_family_names_its_precision_and_recall() -> None:
    families = {d.name: d.family for d in all_measures() if d.family is not None}
    assert {name: (family.word, family.precision, family.recall) for name, family in families.items()} == {
        "LF": ("Concepts", "LP", "LR"), "EdgeF": ("Links", "EdgeP", "EdgeR"),
        "TF_csc": ("Hierarchy", "TP_csc", "TR_csc"), "TF_sc": ("Overall", "TP_sc", "TR_sc"),
        "RelF": ("Relations", "RelP", "RelR"),
        "F": ("Exact", "P", "R"), "AF": ("Graded", "AP", "AR"), "AF_LA": ("By LA", "AP_LA", "AR_LA"),
        "LabelF": ("Exact", "LabelP", "LabelR"), "hF": ("Ancestors", "hP", "hR"), "SetF": ("Graded", "SetP", "SetR"),
    }  # fmt: skip


def _presets() -> Iterator[Definition]:
    return (definition for definition in all_measures() if definition.fixed)


@pytest.mark.parametrize("preset", list(_presets()), ids=lambda d: d.name)
def test_a_preset_is_the_bare_measure_with_what_it_fixes(preset: Definition) -> None:
    bare = parse(preset.name).registry.bare(preset.function)
    assert parse(bare.name, **preset.fixed) == parse(preset.name)


def _families() -> list[tuple[str, str, str]]:
    """Precision, recall and F-measure by name: LP, LR, LF; AP_LA, AR_LA, AF_LA."""
    found = []
    for name in NAMES:
        before, letter, after = name.rpartition("P")
        three = (name, f"{before}R{after}", f"{before}F{after}")
        if letter and set(three) <= set(NAMES):
            found.append(three)
    return found


@pytest.mark.parametrize("family", _families(), ids=lambda family: family[0])
def test_precision_recall_and_f_have_the_same_defaults(family: tuple[str, str, str]) -> None:
    """Otherwise the F-measure is not that of the precision and the recall beside it."""
    precision, recall, f = (parse(name).parameters for name in family)
    assert precision == recall == f


def test_the_families_are_found() -> None:
    firsts = {"LP", "EdgeP", "ClosureP", "FuzzyP", "ContinuousP", "GraphP", "TP_csc", "ITP", "AP_LA", "LabelP", "hP"}
    assert firsts < {family[0] for family in _families()}


def test_the_threshold_of_fuzzy_f1_is_that_of_its_authors() -> None:
    """Lo, Jiang, Li & Jamnik 2024 (OLLM) evaluate with a cosine of 0.436 and more."""
    assert {parse(name).parameters["threshold"] for name in ("FuzzyP", "FuzzyR", "FuzzyF")} == {0.436}


def test_a_renamed_parameter_is_the_same_measure() -> None:
    assert parse("F(match=lenient)") == parse("F(spans=lenient)")
    assert str(parse("AP(match=lenient, similarity=Lin)")) == "AP(similarity=Lin, spans=lenient)"
    assert parse("Credit", match="lenient") == parse("Credit(spans=lenient)")
    assert current_name("AP(match = lenient, similarity=Lin)") == "AP(spans = lenient, similarity=Lin)"
    assert current_name("TP(match=lenient)") == "TP(match=lenient)"  # it has no such parameter
    assert current_name("between") == "between"
    with pytest.raises(ParameterError, match="match= is another name of spans="):
        parse("F(match=lenient, spans=lenient)")
    with pytest.raises(ParameterError, match="TP has no parameter 'match'"):
        parse("TP(match=lenient)")
