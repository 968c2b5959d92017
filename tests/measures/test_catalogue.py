"""The pages of measures, word for word, from measures of our own: with and without everything that one can have."""

from __future__ import annotations

import importlib
from typing import Literal

import pytest

from ontoeval.measures import measure
from ontoeval.measures.catalogue import describe_measure, entries, markdown_page
from ontoeval.measures.registry import Definition, Registry
from ontoeval.results import Score
from ontoeval.tasks.comparison import Comparison

MODULE = importlib.import_module("ontoeval.measures.registry")  # the package has a function of that name, too
PURPOSE = "It says " + "how " * 40 + "much."  # 8 + 160 + 5 characters


def plain(task: Comparison) -> Score:
    """Plain score."""
    return Score(1.0)


def rich(task: Comparison, *, way: Literal["short", "long"] = "short", share: float = 0.5, of: str = "x") -> Score:
    """Rich score.

    R = share.
    Second line.
    """
    return Score(share)


@pytest.fixture
def definitions(monkeypatch: pytest.MonkeyPatch) -> dict[str, Definition]:
    registry = Registry()
    monkeypatch.setattr(MODULE, "REGISTRY", registry)
    measure("Plain", source="nobody 1900", dimension="lexical")(plain)
    measure(
        "Rich",
        source="somebody 1901",
        dimension="structural",
        best=None,
        range=(0.0, float("inf")),
        symmetric=True,
        identity=False,
        needs=("instances", "ratings"),
        purpose=PURPOSE,
        default=2,
        sets={"toys": 1},
    )(rich)
    measure("Rich_long", source="somebody 1902", dimension="structural", params={"way": "long"})(rich)
    measure("Rich_half", source="somebody 1903", dimension="structural", params={"way": "long"}, default=1)(rich)
    return {definition.name: definition for definition in registry}


def test_a_measure_without_anything_in_words(definitions: dict[str, Definition]) -> None:
    assert describe_measure(definitions["Plain"]) == (
        "Plain: Plain score\n\nRange 0 to 1, best 1.\nSource: nobody 1900.\n"
    )


def test_a_measure_with_everything_in_words(
    definitions: dict[str, Definition], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lines of 80 characters at most: `It says ` and 18 times `how `, then 20 times, then twice."""
    monkeypatch.setenv("COLUMNS", "80")
    assert describe_measure(definitions["Rich"]) == "\n".join([
        "Rich: Rich score", "",
        "It says " + " ".join(["how"] * 18), " ".join(["how"] * 20), "how how much.", "",
        "R = share. Second line.", "",
        "  way = short|long (default short)", "  share = float (default 0.5)", "  of = name (default x)", "",
        "Range 0 to inf, no best value, symmetric.",
        "Needs instances, ratings.",
        "In the sets core, toys.",
        "Source: somebody 1901.", "",
    ])  # fmt: skip


def test_a_page_of_measures(definitions: dict[str, Definition]) -> None:
    """The name without fixed parameters first, then those by default; paragraphs of 120 characters at most."""
    order = ("Plain", "Rich_long", "Rich_half", "Rich")
    assert markdown_page((definitions[name] for name in order), "print measures") == "\n".join([
        "# Measures", "",
        "What does a number mean, and which measure answers a question?", "",
        "    print measures TF_csc         # one definition",
        "    print measures ancestor       # the measures whose names or descriptions have a word", "",
        "This page has them all: `print measures` writes it. `*` marks the default ones. A name may be",
        "followed by parameters: `TP(extract=sc, over=learned)`; the value named first is the default.", "",
        "## Lexical", "",
        "### Plain", "", "**Plain score.**", "", "- from 0 to 1, best 1", "- source: nobody 1900", "",
        "## Structural", "",
        "### Rich*, Rich_half*, Rich_long", "", "**Rich score.**", "",
        "It says " + " ".join(["how"] * 28), " ".join(["how"] * 12) + " much.", "",
        "```text", "R = share.", "Second line.", "```", "",
        "- `way` = short, long", "- `share` = float", "- `of` = name",
        "- `Rich_half` is `Rich(way=long)`: somebody 1903", "- `Rich_long` is `Rich(way=long)`: somebody 1902",
        "- from 0 to inf, no best value, symmetric", "- needs instances, ratings", "- source: somebody 1901", "",
    ])  # fmt: skip


def test_a_page_of_presets_alone_is_named_like_their_function(definitions: dict[str, Definition]) -> None:
    assert "\n**Rich score.**\n" in markdown_page([definitions["Rich_long"]], "")


def test_the_facts_of_a_measure(definitions: dict[str, Definition]) -> None:
    rich, long = entries(definitions["Rich"]), entries(definitions["Rich_long"])
    assert (rich["range"], rich["best"], rich["symmetric"], rich["sets"]) == (
        [0.0, "inf"],
        None,
        True,
        ["core", "toys"],
    )
    assert (long["range"], long["best"], long["symmetric"], long["sets"]) == ([0.0, 1.0], 1.0, False, [])
    assert (rich["default"], long["default"], rich["needs"]) == (True, False, ["instances", "ratings"])
    assert (long["fixed"], rich["fixed"]) == ({"way": "long"}, {})
    assert long["parameters"] == {
        "share": {"default": "0.5", "values": "float"},
        "of": {"default": "x", "values": "name"},
    }
