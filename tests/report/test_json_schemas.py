"""The published JSON schemas: valid themselves, strict about what must be there, open for keys of later releases."""

from __future__ import annotations

import json
from typing import Any

import pytest
from helpers import refused, run
from json_schemas import validator

from ontoeval.errors import ParameterError
from ontoeval.report.json_schemas import NAMES, json_schema, with_schema


def conforms(name: str, document: dict[str, Any]) -> bool:
    return validator(name, strictly=False).is_valid(document)


@pytest.mark.parametrize("name", NAMES)
def test_each_is_printed_with_its_name_and_is_a_schema(name: str) -> None:
    printed = json.loads(run("schema", name).stdout)
    assert printed == json_schema(name)
    assert printed["$id"] == f"https://w3id.org/ontoeval/schema/{name}-1.json"
    assert not conforms(name, with_schema(name, {}))


def test_keys_of_later_releases_are_allowed_and_missing_ones_are_not() -> None:
    finding = {"source": "a", "shapes": "b", "engine": "c", "conforms": True, "counts": {}, "findings": []}
    assert conforms("validate", with_schema("validate", finding))
    assert conforms("validate", with_schema("validate", {**finding, "later": 1}))
    assert not conforms("validate", with_schema("validate", {**finding, "conforms": "yes"}))
    assert not conforms("validate", finding)  # neither schema nor version
    assert not conforms("match", with_schema("validate", finding))


def test_a_command_without_a_schema_has_none() -> None:
    assert with_schema("perturb", {"seed": 1}) == {"seed": 1}
    with pytest.raises(ParameterError, match=r"^no schema 'compar'\. Did you mean 'compare'\? Use one of: compare, "):
        json_schema("compar")
    assert refused("schema", "compar", code=2).startswith("unknown value 'compar'.")
