"""Validate what commands print against the published schemas; a key that no schema names is a mistake."""

from __future__ import annotations

from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from ontoeval.report.json_schemas import json_schema


def strict(part: Any) -> Any:
    """The schema without room for more keys, where it says which there are."""
    if isinstance(part, list):
        return [strict(entry) for entry in part]
    if not isinstance(part, dict):
        return part
    inner = {key: strict(value) for key, value in part.items()}
    if "properties" in part and "additionalProperties" not in part:
        inner["additionalProperties"] = False
    return inner


@cache
def validator(name: str, *, strictly: bool = True) -> Draft202012Validator:
    schema = json_schema(name)
    Draft202012Validator.check_schema(schema)
    if not strictly:
        return Draft202012Validator(schema)
    head, document = schema["allOf"]
    keys = dict(head["properties"])
    for whole in document.get("anyOf", [document]):
        whole["properties"] = {**keys, **whole["properties"]}
    return Draft202012Validator({**schema, "allOf": [head, strict(document)]})


def check(document: dict[str, Any]) -> None:
    """Assert that a document that names a schema conforms to it."""
    name = document["schema"].removeprefix("https://w3id.org/ontoeval/schema/").rpartition("-")[0]
    errors = sorted(validator(name).iter_errors(document), key=lambda error: len(error.path), reverse=True)
    assert not errors, f"{list(errors[0].absolute_path)}: {errors[0].message[:500]}"
