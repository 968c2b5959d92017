"""How notes and reasons of the library are printed: their parameters as options of the running command."""

from __future__ import annotations

import json

import click
import pytest

from ontoeval.cli.spelling import option_spelling, spelled
from ontoeval.cli.steps.printing import json_text
from ontoeval.errors import Message


@click.command()
@click.option("--input-format", "format")
@click.option("-m", "--measure", "measures")
def command(format: str, measures: str) -> None:
    """A command with options that are called otherwise in Python."""


def test_parameters_are_options_of_the_running_command() -> None:
    with click.Context(command):
        assert option_spelling("format", None) == "--input-format"
        assert option_spelling("format", "obo") == "--input-format obo"
        assert option_spelling("measures", "LP,LR") == "-m LP,LR"  # the spelling that is declared first
        assert option_spelling("min_strength", "0.5") == "--min-strength 0.5"  # of no option here


def test_only_messages_are_spelled() -> None:
    with click.Context(command):
        assert spelled(Message("give {format=obo}")) == "give --input-format obo"
        assert spelled("a {format} in the name of a file") == "a {format} in the name of a file"


def test_messages_are_spelled_wherever_they_stand_in_a_document() -> None:
    reason = Message("give {format}")
    document = {"notes": [reason, "{format}"], "undefined": {reason: {"LP": (reason, 0.5)}}, "none": None}
    with click.Context(command):
        assert json.loads(json_text(document)) == {
            "notes": ["give --input-format", "{format}"],
            "undefined": {"give --input-format": {"LP": ["give --input-format", 0.5]}},
            "none": None,
        }


@pytest.mark.parametrize("value", [0.1, 1, True, "ä"])
def test_other_values_of_a_document_stay_as_they_are(value: object) -> None:
    assert json_text({"value": value}) == json.dumps({"value": value}, indent=2, ensure_ascii=False) + "\n"
