"""Tables: TSV edges, JSON pairs, and instances."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest
from helpers import concepts, refusal
from helpers import weighted_edges as edges

import ontoeval as oe
from ontoeval.errors import LoadError, ParameterError


def load(text: str | bytes, **options: object) -> oe.Ontology:
    """A TSV that is said to be one."""
    return oe.load_ontology(text if isinstance(text, bytes) else text.encode(), format="tsv", **options)


refused = partial(refusal, oe.OntoevalError, load)


# Columns


def test_two_columns_are_child_and_parent() -> None:
    ontology = load("car\tvehicle\nbike\tvehicle\n")
    assert edges(ontology) == {("car", "vehicle"): 1.0, ("bike", "vehicle"): 1.0}
    assert ontology.source.profile == "names"
    assert ontology.source.format == "tsv"
    assert not ontology.hierarchy.root_added


WEIGHTED = "child,parent,weight"


def test_a_third_column_may_be_a_weight() -> None:
    ontology = load("car\tvehicle\t0.5\nbike\tvehicle\t2\nbus\tvehicle\t1e-3\nvan\tcar\t0\n", columns=WEIGHTED)
    assert edges(ontology) == {
        ("car", "vehicle"): 0.5,
        ("bike", "vehicle"): 2.0,
        ("bus", "vehicle"): 0.001,
        ("van", "car"): 0.0,
    }


def test_a_third_column_of_words_is_the_hypernym() -> None:
    ontology = load("0\tcar\tvehicle\n1\tmotor bike\tvehicle\n")
    assert edges(ontology) == {("car", "vehicle"): 1.0, ("motor bike", "vehicle"): 1.0}
    assert concepts(ontology) == {"car", "vehicle", "motor bike"}


def test_one_word_in_the_third_column_is_enough_for_a_hypernym() -> None:
    ontology = load("0\tcar\tvehicle\n1\t1984\t20\n")
    assert edges(ontology) == {("car", "vehicle"): 1.0, ("1984", "20"): 1.0}


def test_a_weight_may_be_missing_on_some_lines() -> None:
    table = "car\tvehicle\t0.5\nbike\tvehicle\nbus\tvehicle\t\n"
    ontology = load(table, columns=WEIGHTED, weights={"hierarchical": 3})
    assert edges(ontology) == {("car", "vehicle"): 0.5, ("bike", "vehicle"): 3.0, ("bus", "vehicle"): 3.0}


def test_the_lightest_of_repeated_edges_counts() -> None:
    ontology = load("car\tvehicle\t2\ncar\tvehicle\t0.5\ncar\tvehicle\t1\n", columns=WEIGHTED)
    assert edges(ontology) == {("car", "vehicle"): 0.5}


def test_numbers_may_be_names_where_there_are_two_columns() -> None:
    assert edges(load("7\t3\n9\t3\n")) == {("7", "3"): 1.0, ("9", "3"): 1.0}


# Header lines


@pytest.mark.parametrize(
    "header",
    ["child\tparent", "Child\tParent", "hyponym\thypernym", "subclass\tsuperclass", "term\thypernym", "child parent"],
)
def test_a_header_line_is_recognised(header: str) -> None:
    ontology = load(f"{header}\ncar\tvehicle\n")
    assert edges(ontology) == {("car", "vehicle"): 1.0}
    assert concepts(ontology) == {"car", "vehicle"}
    assert ontology.describe()["lines"] == 1


@pytest.mark.parametrize(
    ("header", "line"),
    [
        ("parent\tchild", "vehicle\tcar"),
        ("hypernym\thyponym", "vehicle\tcar"),
        ("id\tterm\thypernym", "0\tcar\tvehicle"),
        ("parent\tchild\tweight", "vehicle\tcar\t1"),
        ("weight\tchild\tparent", "1\tcar\tvehicle"),
    ],
)
def test_a_header_line_says_which_column_is_which(header: str, line: str) -> None:
    assert edges(load(f"{header}\n{line}\n")) == {("car", "vehicle"): 1.0}


def test_a_header_line_may_name_a_column_of_labels() -> None:
    ontology = load("child\tlabel\tparent\nC1\tmotor car\tC0\n")
    assert edges(ontology) == {("C1", "C0"): 1.0}
    assert ontology.lexicon.labels(ontology.hierarchy.id("C1")) == ("motor car",)
    assert ontology.lexicon.labels(ontology.hierarchy.id("C0")) == ("C0",)


def test_a_header_is_only_looked_for_in_the_first_line() -> None:
    assert edges(load("car\tvehicle\nchild\tparent\n")) == {("car", "vehicle"): 1.0, ("child", "parent"): 1.0}


def test_a_first_line_that_names_no_two_columns_is_no_header() -> None:
    """`class` and `name` are words of headers, but no header says class and name and no parent."""
    assert ("class", "name") in edges(load("class\tname\nmethod\tname\n"))
    assert ("concept", "term") in edges(load("concept\tterm\ncar\tterm\n"))


# --columns


def test_another_order_may_be_given() -> None:
    assert edges(load("vehicle\tcar\n", columns="parent,child")) == {("car", "vehicle"): 1.0}
    assert edges(load("vehicle\tcar\n", columns=["parent", "child"])) == {("car", "vehicle"): 1.0}
    assert edges(load("2\tvehicle\tcar\n", columns="weight, Parent, child")) == {("car", "vehicle"): 2.0}
    assert edges(load("2\tcar\tvehicle\n", columns="id,child,parent")) == {("car", "vehicle"): 1.0}


def test_labels_may_be_a_column() -> None:
    ontology = load("C1\tC0\tmotor car\nC2\tC0\t\n", columns="child,parent,label")
    assert edges(ontology) == {("C1", "C0"): 1.0, ("C2", "C0"): 1.0}
    assert ontology.lexicon.labels(ontology.hierarchy.id("C1")) == ("motor car",)
    assert ontology.lexicon.labels(ontology.hierarchy.id("C2")) == ("C2",)
    assert ontology.describe()["labels"] == 1
    assert ontology.describe()["unlabelled"] == 2


@pytest.mark.parametrize(
    ("header", "columns"),
    [
        ("parent\tchild", "parent,child"),
        ("hypernym\tterm\tscore", "parent,child,weight"),
        ("source\ttarget", "parent,child"),
        ("parent\tname\tid", "parent,child,label"),
    ],
)
def test_a_header_that_agrees_with_the_given_columns_is_no_edge(header: str, columns: str) -> None:
    ontology = load(f"{header}\nvehicle\tcar\n", columns=columns)
    assert edges(ontology) == {("car", "vehicle"): 1.0}


@pytest.mark.parametrize(
    ("header", "columns"),
    [
        ("child\tparent", "parent,child"),
        ("term\thypernym", "parent,child"),
        ("child\tparent\tconfidence", "child,parent,weight"),
        ("child\tparent\tscore", "child,parent,label"),
    ],
)
def test_a_header_that_contradicts_the_given_columns_is_refused(header: str, columns: str) -> None:
    assert refused(f"{header}\nvehicle\tcar\n", columns=columns) == (
        f"(bytes), line 1: the header line has the columns {header.replace(chr(9), ', ')}, but columns= says "
        f"{columns.replace(',', ', ')}. See which is right for its rows: remove columns=, or correct the header line."
    )


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (
            "parent,chld",
            "unknown column 'chld'. Did you mean 'child'? Use one of: child, parent, weight, confidence, label, id.",
        ),
        ("parent,", "unknown column ''. Use one of: child, parent, weight, confidence, label, id."),
        ("child", "the columns 'child' do not contain child and parent once each. Use e.g. child,parent."),
        (
            "child,parent,child",
            "the columns 'child,parent,child' do not contain child and parent once each. Use e.g. child,parent.",
        ),
    ],
)
def test_wrong_columns_are_the_callers_mistake(columns: str, message: str) -> None:
    with pytest.raises(ParameterError) as caught:
        load("a\tb\n", columns=columns)
    assert str(caught.value) == message


# Cells


def test_two_words_may_be_separated_by_blanks() -> None:
    assert edges(load("car vehicle\nbike   vehicle\n  bus vehicle \n")) == {
        ("car", "vehicle"): 1.0,
        ("bike", "vehicle"): 1.0,
        ("bus", "vehicle"): 1.0,
    }


def test_blanks_inside_a_cell_are_kept_between_tabs() -> None:
    assert edges(load("motor  bike\tvehicle with wheels\n")) == {("motor  bike", "vehicle with wheels"): 1.0}


def test_outer_blanks_are_stripped() -> None:
    assert edges(load("  car \t vehicle\u00a0 \r\n")) == {("car", "vehicle"): 1.0}


def test_case_is_kept() -> None:
    ontology = load("Car\tvehicle\ncar\tVehicle\n")
    assert concepts(ontology) == {"Car", "car", "vehicle", "Vehicle"}


def test_nothing_is_quoted_or_escaped() -> None:
    ontology = load('"a\tb"\n"c"\t\'d\'\ne\\tf\tg,h\n#i\t%20\n')
    assert edges(ontology) == {('"a', 'b"'): 1.0, ('"c"', "'d'"): 1.0, ("e\\tf", "g,h"): 1.0, ("#i", "%20"): 1.0}


def test_a_plain_name_is_its_own_label_unchanged() -> None:
    ontology = load("motorBike_x\tVehicle-Of%20Some:Kind\n")
    assert set(ontology.lexicon.texts) == {"motorBike_x", "Vehicle-Of%20Some:Kind"}
    assert ontology.describe()["labels"] == 0
    assert ontology.describe()["unlabelled"] == 2


def test_iris_in_a_table_have_their_local_name_as_label() -> None:
    ontology = load("http://ex.org/MotorBike\thttp://ex.org/vehicle\n")
    assert set(ontology.lexicon.texts) == {"Motor Bike", "vehicle"}


def test_an_added_root_of_a_table_is_no_owl_thing() -> None:
    ontology = load("car\tvehicle\ndog\tanimal\n")
    assert ontology.hierarchy.iris[0] == "(root)"
    assert ontology.hierarchy.root_added


def test_a_table_that_has_the_added_roots_name_keeps_it() -> None:
    ontology = load("car\t(root)\ndog\tanimal\n")
    assert ontology.hierarchy.root_added
    assert ontology.hierarchy.iris[0] != "(root)"
    assert concepts(ontology) == {"car", "(root)", "dog", "animal"}


# Counts


def test_empty_cells_are_skipped_and_counted() -> None:
    ontology = load("car\tvehicle\nbike\t\n\tanimal\n \t \n")
    assert edges(ontology) == {("car", "vehicle"): 1.0}
    assert concepts(ontology) == {"car", "vehicle", "bike", "animal"}
    assert ontology.describe()["empty_cells"] == 2  # a line of blanks and TABs alone is an empty line
    assert ontology.describe()["lines"] == 3


def test_lines_and_duplicate_lines_are_counted() -> None:
    ontology = load("car\tvehicle\n\nbike\tvehicle\ncar\tvehicle\n car \tvehicle \nvehicle\tcar\n")
    assert ontology.describe()["lines"] == 5
    assert ontology.describe()["duplicate_lines"] == 2
    assert ontology.describe()["edges"] == 5  # three given ones, and two to the root that the cycle needs
    assert ontology.describe()["given_edges"] == 3


def test_lines_that_differ_in_their_id_alone_are_duplicates() -> None:
    ontology = load("0\tcar\tvehicle\n1\tcar\tvehicle\n")
    assert ontology.describe()["lines"] == 2
    assert ontology.describe()["duplicate_lines"] == 1


def test_self_edges_are_counted() -> None:
    ontology = load("car\tcar\nbike\tcar\n")
    assert ontology.describe()["self_edges"] == 1
    assert edges(ontology) == {("bike", "car"): 1.0}


# Errors


def test_a_line_of_one_cell_is_an_error() -> None:
    assert refused("car\tvehicle\nmotor bike vehicle\n") == (
        "(bytes), line 2: found 1 cell, expected 2 or 3 (child, parent, weight). Separate the columns by TAB, or "
        "set columns=."
    )


def test_a_line_of_too_many_cells_is_an_error() -> None:
    assert refused("car\tvehicle\n\na\tb\tc\td\n") == (
        "(bytes), line 3: found 4 cells, expected 2 or 3 (child, parent, weight). Separate the columns by TAB, or "
        "set columns=."
    )
    assert refused("a\tb\tc\n", columns="child,parent") == (
        "(bytes), line 1: found 3 cells, expected 2 (child, parent). Separate the columns by TAB, or set columns=."
    )
    assert refused("0\ta\tb\n1\ta\tb\tc\n") == (
        "(bytes), line 2: found 4 cells, expected 2 or 3 (id, child, parent). Separate the columns by TAB, or set "
        "columns=."
    )


@pytest.mark.parametrize("weight", ["-1", "nan", "inf", "-inf", "1e999"])
def test_a_weight_that_is_no_finite_number_is_an_error(weight: str) -> None:
    assert refused(f"car\tvehicle\t1\nbike\tvehicle\t{weight}\n", columns=WEIGHTED) == (
        f"(bytes), line 2: the weight '{weight}' is not a finite number >= 0. Correct or remove it."
    )


def test_a_word_in_a_column_that_the_header_calls_weight_is_an_error() -> None:
    assert refused("child\tparent\tweight\ncar\tvehicle\t1\nbike\tvehicle\theavy\n") == (
        "(bytes), line 3: the weight 'heavy' is not a finite number >= 0. Correct or remove it."
    )


def test_an_error_has_the_path_the_format_and_the_line(tmp_path: Path) -> None:
    path = tmp_path / "edges.tsv"
    path.write_text("car\tvehicle\nbike\n")
    with pytest.raises(LoadError) as caught:
        oe.load_ontology(path)
    assert str(caught.value).startswith(f"{path}, line 2: found 1 cell")
    assert (caught.value.path, caught.value.format, caught.value.line) == (str(path), "tsv", 2)


def test_a_table_without_a_name_has_no_concept() -> None:
    message = (
        "(bytes): no concepts found: no class, no SKOS concept, no link. Use an ontology, or set another profile=."
    )
    assert refused("child\tparent\n") == message
    assert refused("\t\n") == message


def test_bytes_that_are_not_utf_8_are_an_error_unless_lenient() -> None:
    assert refused(b"car\tvehicle\ncaf\xe9\tvehicle\n") == (
        "(bytes), line 2: byte 0xe9 is not UTF-8. Convert the file to UTF-8, e.g. with `iconv -f latin1 -t utf-8`, "
        "or set lenient=True to replace such bytes."
    )
    assert ("caf\ufffd", "vehicle") in edges(load(b"car\tvehicle\ncaf\xe9\tvehicle\n", lenient=True))


def test_a_table_cannot_be_reasoned_about() -> None:
    assert refused("car\tvehicle\n", reason="elk") == ("(bytes): reasoning needs OWL, not tsv. Remove reason=.")


# Detection


@pytest.mark.parametrize(
    "text",
    [
        "car\tvehicle\n",
        "car\tvehicle\nbike\tvehicle\n",
        "0\tcar\tvehicle\n",
        "http://ex.org/a\thttp://ex.org/b\n",
        "\ufeffcar\tvehicle\n",
        "car\tvehicle",
    ],
)
def test_a_table_is_recognised_by_its_content(text: str) -> None:
    ontology = oe.load_ontology(text.encode())
    assert ontology.source.format == "tsv"
    assert len(edges(ontology)) == len(text.splitlines())


@pytest.mark.parametrize("suffix", [".tsv", ".taxo", ".tab"])
def test_a_table_is_recognised_by_its_suffix(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"x{suffix}"
    path.write_text("<http://ex.org/a>\t<http://ex.org/b>\n")
    ontology = oe.load_ontology(path)
    assert ontology.source.format == "tsv"
    assert edges(ontology) == {("<http://ex.org/a>", "<http://ex.org/b>"): 1.0}


# JSON pairs


def pairs(*entries: object) -> bytes:
    return json.dumps(entries).encode()


def test_json_pairs_are_edges() -> None:
    ontology = oe.load_ontology(
        pairs({"parent": "vehicle", "child": "motor bike"}, {"child": "Car ", "parent": "vehicle", "more": 1})
    )
    assert edges(ontology) == {("motor bike", "vehicle"): 1.0, ("Car", "vehicle"): 1.0}
    assert ontology.source.format == "pairs"
    assert ontology.source.profile == "names"


def test_json_pairs_are_counted_like_lines() -> None:
    ontology = oe.load_ontology(
        pairs(
            {"parent": "vehicle", "child": "car"},
            {"parent": " vehicle", "child": "car"},
            {"parent": "", "child": "bike"},
            {"parent": "car", "child": "car"},
        )
    )
    assert edges(ontology) == {("car", "vehicle"): 1.0}
    assert concepts(ontology) == {"car", "vehicle", "bike"}
    described = ontology.describe()
    assert (described["lines"], described["duplicate_lines"], described["empty_cells"]) == (4, 1, 1)
    assert described["self_edges"] == 1


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            b'[{"parent": "a", "child": "b"}, {"parent": "a"}]',
            '(bytes): entry 1 of the list lacks "parent" or "child". Add both, as strings.',
        ),
        (
            b'[{"parent": "a", "child": "b"}, "c"]',
            '(bytes): entry 1 of the list lacks "parent" or "child". Add both, as strings.',
        ),
        (
            b'[{"parent": "a", "child": 7}]',
            "(bytes): 'child' of entry 0 of the list is not a string. Use a term.",
        ),
        (
            b'[{"parent": "a", "child": "b"},\n {"parent": "a", "ch',
            "(bytes), line 2: not valid JSON: Unterminated string starting at. The file is damaged or truncated: "
            "correct it or download it again.",
        ),
    ],
)
def test_broken_json_pairs_are_errors(data: bytes, message: str) -> None:
    with pytest.raises(LoadError) as caught:
        oe.load_ontology(data)
    assert str(caught.value) == message


def test_an_empty_list_of_pairs_has_no_concept() -> None:
    with pytest.raises(LoadError) as caught:
        oe.load_ontology(b"[]", format="pairs")
    assert str(caught.value) == (
        "(bytes): no concepts found: no class, no SKOS concept, no link. Use an ontology, or set another profile=."
    )


def test_json_that_is_no_list_of_pairs_is_an_error() -> None:
    with pytest.raises(LoadError) as caught:
        oe.load_ontology(b'{"parent": "a", "child": "b"}', format="pairs")
    assert str(caught.value) == '(bytes): not a list of {"parent": ..., "child": ...}. Use such a list.'


# Instances

TREE = "car\tvehicle\nbike\tvehicle\nvan\tcar\n"


def with_instances(tmp_path: Path, text: str, tree: str = TREE) -> oe.Ontology:
    path = tmp_path / "instances.tsv"
    path.write_text(text, encoding="utf-8")
    return load(tree, instances=path)


def placed(ontology: oe.Ontology) -> dict[tuple[str, str], float]:
    if ontology.instances is None:
        return {}
    rows = ontology.instances.strength.tocoo()
    names = ontology.instances.iris
    return {
        (names[i], ontology.hierarchy.iris[c]): float(strength)
        for i, c, strength in zip(rows.row, rows.col, rows.data, strict=True)
    }


def test_instances_sit_on_concepts_with_a_strength(tmp_path: Path) -> None:
    ontology = with_instances(tmp_path, "doc 1\tcar\ndoc 1\tbike\t0.25\ndoc2\tvan\t1\n\n")
    assert placed(ontology) == {("doc 1", "car"): 1.0, ("doc 1", "bike"): 0.25, ("doc2", "van"): 1.0}
    assert ontology.describe()["instances"] == 2
    assert ontology.source.notes == ()
    assert ontology.instances is not None
    assert not ontology.instances.strict


@pytest.mark.parametrize(
    ("header", "line"),
    [
        ("instance\tconcept", "d\tcar"),
        ("Document\tLabel\tScore", "d\tcar\t1.0"),
        ("concept\tinstance", "car\td"),
        ("strength\tconcept\tinstance", "1\tcar\td"),
    ],
)
def test_a_header_says_which_column_is_which(tmp_path: Path, header: str, line: str) -> None:
    assert placed(with_instances(tmp_path, f"{header}\n{line}\n")) == {("d", "car"): 1.0}


def test_the_strongest_of_repeated_lines_counts(tmp_path: Path) -> None:
    assert placed(with_instances(tmp_path, "d\tcar\t0.2\nd\tcar\t0.7\nd\tcar\t0.5\n")) == {("d", "car"): 0.7}


def test_unknown_concepts_are_noted(tmp_path: Path) -> None:
    ontology = with_instances(tmp_path, "d\tcar\ne\tplane\nf\tship\n")
    assert placed(ontology) == {("d", "car"): 1.0}
    note = "left out: 2 of 3 lines (unknown concept; first: 'plane')"
    assert ontology.source.notes == (f"{tmp_path / 'instances.tsv'}: {note}",)


def test_instances_on_no_known_concept_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(LoadError) as caught:
        with_instances(tmp_path, "e\tplane\nf\tship\n")
    assert str(caught.value) == (
        f"{tmp_path / 'instances.tsv'}: no line has a concept of the ontology (2 lines, first: 'plane'). Use the "
        "columns instance, concept[, strength]."
    )


@pytest.mark.parametrize("strength", ["0", "-0.5", "1.5", "nan", "much"])
def test_a_strength_outside_0_to_1_is_an_error(tmp_path: Path, strength: str) -> None:
    with pytest.raises(LoadError) as caught:
        with_instances(tmp_path, f"d\tcar\ne\tcar\t{strength}\n")
    assert str(caught.value) == (
        f"{tmp_path / 'instances.tsv'}, line 2: the strength '{strength}' is not a number > 0 and <= 1. Correct or "
        "remove it."
    )


@pytest.mark.parametrize(
    ("line", "cells"), [("d", "1 cell"), ("d\t", "2 cells"), ("\tcar", "2 cells"), ("d\tcar\t1\tx", "4 cells")]
)
def test_a_line_without_instance_or_concept_is_an_error(tmp_path: Path, line: str, cells: str) -> None:
    with pytest.raises(LoadError) as caught:
        with_instances(tmp_path, f"d\tcar\n{line}\n")
    assert str(caught.value) == (
        f"{tmp_path / 'instances.tsv'}, line 2: found {cells}, expected instance, concept and optionally a "
        "strength. Separate the columns by TAB; leave no cell empty."
    )


def test_instances_may_be_a_mapping() -> None:
    ontology = load(TREE, instances={"d": "car", "e": ["bike", "van"], "f": {"car": 0.5}})
    assert placed(ontology) == {("d", "car"): 1.0, ("e", "bike"): 1.0, ("e", "van"): 1.0, ("f", "car"): 0.5}


def test_an_instance_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(LoadError) as caught:
        load(TREE, instances=tmp_path / "none.tsv")
    assert str(caught.value) == f"{tmp_path / 'none.tsv'}: no such file. Check the path."


OWL_FILE = b"""
@prefix : <http://ex.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Car rdfs:subClassOf :Vehicle . :Old a owl:Class ; owl:deprecated true . :own a :Car . :p a owl:ObjectProperty .
<http://ex.org/a#Dog> a owl:Class . <http://ex.org/b#Dog> a owl:Class .
"""


def test_given_instances_take_the_place_of_the_files_own() -> None:
    assert placed(oe.load_ontology(OWL_FILE)) == {("http://ex.org/own", "http://ex.org/Car"): 1.0}
    ontology = oe.load_ontology(OWL_FILE, instances={"d": "http://ex.org/Vehicle"})
    assert placed(ontology) == {("d", "http://ex.org/Vehicle"): 1.0}


def test_concepts_of_instances_may_be_local_names_that_are_unique() -> None:
    ontology = oe.load_ontology(OWL_FILE, instances={"d": "Vehicle", "e": "Dog"})
    assert placed(ontology) == {("d", "http://ex.org/Vehicle"): 1.0}
    assert ontology.source.notes == ("(instances): left out: 1 of 2 lines (ambiguous name; first: 'Dog')",)


def test_lines_that_name_something_else_than_a_concept_are_noted_as_well() -> None:
    """A deprecated class and an individual are names of the file, but no concepts of the ontology."""
    instances = {"d": "http://ex.org/Car", "e": "http://ex.org/Old", "f": "http://ex.org/own"}
    ontology = oe.load_ontology(OWL_FILE, instances=instances)
    assert placed(ontology) == {("d", "http://ex.org/Car"): 1.0}
    note = "left out: 2 of 3 lines (unknown concept; first: 'http://ex.org/Old')"
    assert ontology.source.notes == (f"(instances): {note}",)
    with pytest.raises(LoadError) as caught:
        oe.load_ontology(OWL_FILE, instances={"e": "http://ex.org/Old"})
    assert str(caught.value) == (
        "(instances): no line has a concept of the ontology (1 line, first: 'http://ex.org/Old'). Did you mean "
        "'http://ex.org/Car' or 'http://ex.org/Vehicle'? Use the columns instance, concept[, strength]."
    )


# First lines that are nearly a header, third columns that are nearly a weight


@pytest.mark.parametrize(
    "first",
    [
        "child\tparent\tparent", "child\tparent\tsuperclass", "class\tterm\tparent", "source\ttarget", "from\tto\tid",
        "head\trelation\ttail",
    ],
)  # fmt: skip
def test_a_header_that_leaves_open_which_column_is_the_parent_is_refused(first: str) -> None:
    assert refused(f"{first}\ncar\tvehicle\tmachine\n") == (
        f"(bytes), line 1: the header line ({first.replace(chr(9), ', ')}) does not say which column is the child and "
        'which the parent. Set columns="child,parent" or columns="parent,child", or use these words in the header line.'
    )


@pytest.mark.parametrize(
    ("header", "line"),
    [
        ("class\tsubclass", "vehicle\tcar"),
        ("Topic\tSubtopic", "vehicle\tcar"),
        ("parent\tname", "vehicle\tcar"),
        ("parent_id\tid", "vehicle\tcar"),
        ("#parent\tchild", "vehicle\tcar"),
        ("Broader Term\tNarrower Term", "vehicle\tcar"),
        ("superclass\tclass\tcomment", "vehicle\tcar\tseen on the web"),
    ],
)
def test_other_words_of_headers_are_obeyed(header: str, line: str) -> None:
    assert edges(load(f"{header}\n{line}\n")) == {("car", "vehicle"): 1.0}


def test_columns_that_are_not_read_are_noted() -> None:
    ontology = load("child\tsource\tparent\ncar\tweb\tvehicle\nbike\t\tvehicle\n")
    assert edges(ontology) == {("car", "vehicle"): 1.0, ("bike", "vehicle"): 1.0}
    assert ontology.source.notes == ("columns that are not read: 'source'",)
    assert ontology.describe()["empty_cells"] == 0


NOT_ALL_NUMBERS = (
    "not all cells of the third column are numbers: read as id, term, hypernym. If that is wrong, set columns="
)


def test_a_third_column_that_begins_with_a_number_but_is_no_weight_is_noted() -> None:
    ontology = load("1\t1984\t20\n2\tcar\tvehicle\n")
    assert edges(ontology) == {("1984", "20"): 1.0, ("car", "vehicle"): 1.0}
    assert ontology.source.notes == (NOT_ALL_NUMBERS,)


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("1\tcar\tvehicle\n2\t1984\t20\n", None),  # a word to begin with: nobody takes it for a weight
        ("car\tvehicle\t2\nbike\tvehicle\t3\n", WEIGHTED),
        ("1\t1984\t20\n2\tcar\tvehicle\n", "id,child,parent"),
        ("id\tterm\thypernym\n1\tcar\tvehicle\n", None),
    ],
)
def test_a_third_column_that_can_be_read_in_one_way_only_is_not_noted(text: str, columns: str | None) -> None:
    assert load(text, columns=columns).source.notes == ()
