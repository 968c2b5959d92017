"""LoadOptions: one list of options for load_ontology, the pipeline and the command line."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields
from pathlib import Path
from typing import Any

import click
import pytest

import ontoeval as oe
from ontoeval.cli.explore import describe
from ontoeval.errors import ParameterError
from ontoeval.load.options import LoadOptions

TABLE = b"cat\tanimal\ndog\tanimal\n"


def test_options_can_be_given_whole_by_name_or_as_keywords() -> None:
    options = LoadOptions(root="new", columns="child,parent")
    for source in (options, {"root": "new", "columns": ["child", "parent"]}):
        assert oe.load_ontology(TABLE, source).hierarchy.root_added
    assert oe.load_ontology(TABLE, root="new").hierarchy.root_added


def test_a_keyword_goes_before_the_options() -> None:
    options = LoadOptions(root="new", columns="parent,child")
    ontology = oe.load_ontology(TABLE, options, columns="child,parent")
    assert ontology.hierarchy.root_added  # of the options
    assert ontology.hierarchy.iris[0] == "(root)"
    assert oe.load_ontology(TABLE, {"root": "new"}, root="auto").hierarchy.root_added is False


def test_one_value_is_as_good_as_several() -> None:
    options = LoadOptions(
        imports=Path("a.ttl"), relations="http://x/r", namespaces="http://x/", instance_key="http://x/k"
    )  # type: ignore[arg-type]
    assert options == LoadOptions(
        imports=[Path("a.ttl")], relations=["http://x/r"], namespaces=("http://x/",), instance_key=["http://x/k"]
    )
    assert options.relations == ("http://x/r",)
    assert LoadOptions(columns="Child, parent").columns == ("child", "parent")


def test_an_unknown_option_is_refused_with_the_nearest_name() -> None:
    names = ", ".join(field.name for field in fields(LoadOptions))
    for options, keywords in ((None, {"colums": "a"}), ({"colums": "a"}, {})):
        with pytest.raises(ParameterError) as caught:
            oe.load_ontology(TABLE, options, **keywords)
        assert str(caught.value) == (
            f"unknown option 'colums' of load_ontology. Did you mean 'columns'? Use one of: {names}."
        )
        assert caught.value.parameter == "colums"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"profile": "rdf"}, "unknown profile 'rdf'. Use one of: auto, owl, skos."),
        ({"reason": "hermt"}, "unknown reasoner 'hermt'. Did you mean 'hermit'? Use one of: hermit, elk."),
        ({"on_cycle": "drop"}, "unknown on_cycle 'drop'. Use one of: keep, error."),
        ({"root": 1}, "root must be a string, not 1. Use 'auto', 'new', 'none' or the IRI of a concept."),
        ({"instance_property": "x"}, "the instance property 'x' is not an IRI. Use its full IRI."),
        ({"base_iri": "x"}, "the base IRI 'x' is not an absolute IRI. Use e.g. http://example.org/onto."),
        ({"min_strength": 2}, "min_strength must be a number from 0 to 1, not 2."),
    ],
)
def test_a_wrong_value_is_refused_at_once_and_names_its_parameter(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError) as caught:
        LoadOptions(**options)
    assert str(caught.value) == message
    assert [caught.value.parameter] == list(options)


def test_options_do_not_change() -> None:
    options = LoadOptions()
    with pytest.raises(FrozenInstanceError):
        options.root = "new"  # type: ignore[misc]


def test_the_choices_of_an_option_are_those_of_its_type() -> None:
    assert LoadOptions.choices("profile") == ("auto", "owl", "skos")
    assert LoadOptions.choices("reason") == ("hermit", "elk")
    assert LoadOptions.choices("on_cycle") == ("keep", "error")
    assert LoadOptions.choices("root") == ()


def test_the_command_line_has_every_option_with_the_same_default_and_choices() -> None:
    values = describe.make_context("describe", ["x.ttl"]).params
    names = [field.name for field in fields(LoadOptions)]
    assert LoadOptions(**{name: values[name] for name in names}) == LoadOptions()
    types = {parameter.name: parameter.type for parameter in describe.params}
    by_words = {"transitive", "mappings", "close_match", "strict_instances"}  # --skos, --ambiguous-instances
    assert set(names) - set(types) == by_words
    for name in set(names) - by_words:
        kind = types[name]
        assert tuple(kind.choices if isinstance(kind, click.Choice) else ()) == LoadOptions.choices(name)
