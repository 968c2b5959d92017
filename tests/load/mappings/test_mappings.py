"""Mappings: the Alignment format, SSSOM, two columns, and what is refused."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
from pathlib import Path
from random import Random

import helpers
import pytest
from helpers import refusal, run, work_in
from hypothesis import example, given
from hypothesis import strategies as st

import ontoeval as oe
from ontoeval.errors import LoadError
from ontoeval.load.mappings import load_mapping
from ontoeval.load.mappings.oaei import ALIGNMENT
from ontoeval.load.mappings.sssom import sssom
from ontoeval.matching.alignment import Alignment

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
OBO = "http://purl.obolibrary.org/obo/"
KINDS = "SSSOM TSV, the Alignment format (XML) or two columns"
FETCH = "The file is damaged or truncated: download it again."
LEAVE_OUT = "is not a number from 0 to 1. Correct or remove it."
THREE = "2 or 3 (left, right, confidence)"
COLUMNS = "Separate the columns by TAB; leave no cell empty."


def cell(left: str = "http://a#A", right: str = "http://b#B", measure: str | None = "1.0", relation: str = "=") -> str:
    number = "" if measure is None else f"<measure rdf:datatype='xsd:float'>{measure}</measure>"
    return (
        f"<map><Cell>\n<entity1 rdf:resource='{left}'/>\n<entity2 rdf:resource='{right}'/>\n{number}"
        f"<relation>{relation}</relation></Cell></map>\n"
    )


def alignment(*cells: str, namespace: str = ALIGNMENT, before: str = "") -> str:
    return (
        f"<?xml version='1.0' encoding='utf-8'?>\n{before}<rdf:RDF xmlns='{namespace}' xmlns:rdf='{RDF}'>\n"
        f"<Alignment>\n<xml>yes</xml><level>0</level><type>??</type>\n{''.join(cells)}</Alignment>\n</rdf:RDF>\n"
    )


def table(*rows: str, header: str = "subject_id\tpredicate_id\tobject_id\tconfidence", prefixes: str = "") -> str:
    return "".join(f"#{line}\n" for line in ["curie_map:", "  a: http://a/", *prefixes.splitlines()]) + "\n".join(
        [header, *rows, ""]
    )


def load(text: str | bytes) -> Alignment:
    return load_mapping(text if isinstance(text, bytes) else text.encode())


def pairs(text: str | bytes) -> list[tuple[str, str]]:
    return [(left, right) for left, right, _ in load(text).pairs]


def refused(text: str | bytes) -> str:
    return refusal(LoadError, load, text).removeprefix("(bytes)")


# The Alignment format


def test_cells_are_pairs_with_a_measure() -> None:
    mapping = load(alignment(cell("http://a#Z", "http://b#Z", "0.25"), cell()))
    assert mapping == Alignment((("http://a#A", "http://b#B", 1.0), ("http://a#Z", "http://b#Z", 0.25)), "(bytes)", 0)


def test_the_namespace_may_end_in_a_hash() -> None:
    assert pairs(alignment(cell(), namespace=ALIGNMENT + "#")) == [("http://a#A", "http://b#B")]


def test_a_missing_measure_is_one() -> None:
    assert load(alignment(cell(measure=None), cell("http://a#C", measure=" "))).pairs == (
        ("http://a#A", "http://b#B", 1.0),
        ("http://a#C", "http://b#B", 1.0),
    )


@pytest.mark.parametrize(
    "relation",
    [
        "=", " =\n", "", "equivalence", "Equivalence", "EquivRelation",
        "fr.inrialpes.exmo.align.impl.rel.EquivRelation", "fr.inrialpes.exmo.align.impl.rel.EquivRelation@50",
        "http://www.w3.org/2002/07/owl#equivalentClass", "http://www.w3.org/2002/07/owl#equivalentProperty",
        "http://www.w3.org/2002/07/owl#sameAs", "http://www.w3.org/2004/02/skos/core#exactMatch",
    ],
)  # fmt: skip
def test_ways_to_write_an_equivalence(relation: str) -> None:
    assert load(alignment(cell(relation=relation))).skipped == 0


@pytest.mark.parametrize(
    "relation",
    [
        "&lt;", "&gt;", "&lt;=", "%", "~>", "HasInstance", "fr.inrialpes.exmo.align.impl.rel.SubsumeRelation@1",
        "http://www.w3.org/2004/02/skos/core#closeMatch",
    ],
)  # fmt: skip
def test_other_relations_are_counted(relation: str) -> None:
    mapping = load(alignment(cell(), cell("http://a#X", relation=relation), cell("http://a#Y", relation=relation)))
    assert mapping.pairs == (("http://a#A", "http://b#B", 1.0),)
    assert mapping.skipped == 2


def test_a_relation_may_be_an_attribute() -> None:
    ends = "<entity1 rdf:resource='a'/><entity2 rdf:resource='b'/>"
    text = alignment(
        f"<map><Cell q:relation='=' q:measure='0.5'>{ends}</Cell></map>",
        f"<map><Cell q:relation='&lt;'>{ends}</Cell></map>",
    ).replace("<rdf:RDF", f"<rdf:RDF xmlns:q='{ALIGNMENT}'")
    assert load(text) == Alignment((("a", "b", 0.5),), "(bytes)", 1)


def test_a_file_that_is_no_valid_rdf() -> None:
    """As the reference alignment of conference and confOf, whose first <map> wraps <onto1>."""
    broken = cell().replace("<map>", "<map><onto1><Ontology rdf:about='http://a'/></onto1>")
    assert pairs(alignment(broken)) == [("http://a#A", "http://b#B")]


def test_an_end_may_be_a_named_class_of_edoal_but_no_expression() -> None:
    named = "<entity2><e:Class rdf:about='http://b#B'/></entity2>"
    compound = "<entity2><e:Class><e:or><e:Class rdf:about='http://b#B'/></e:or></e:Class></entity2>"
    text = alignment(
        f"<map><Cell><entity1 rdf:resource='http://a#A'/>\n{named}\n</Cell></map>",
        f"<map><Cell><entity1 rdf:resource='http://a#C'/>{compound}</Cell></map>",
    ).replace("<rdf:RDF", "<rdf:RDF xmlns:e='http://ns.inria.org/edoal/1.0/#'")
    assert load(text) == Alignment((("http://a#A", "http://b#B", 1.0),), "(bytes)", 1)


def test_entities_for_namespaces_are_written_out_and_lines_still_counted() -> None:
    before = '<!DOCTYPE rdf:RDF [\n<!ENTITY a "http://a#">\n<!ENTITY b "http://b#">\n]>\n'
    assert pairs(alignment(cell("&a;A", "&b;B"), before=before)) == [("http://a#A", "http://b#B")]
    text = alignment(cell("&a;A", "&b;B", "2"), before=before)
    line = text[: text.index("<Cell>")].count("\n") + 1
    assert refused(text) == f", line {line}: the measure '2' {LEAVE_OUT}"
    cut = text[: text.index("<relation>")]
    assert refused(cut) == f", line {cut.count(chr(10)) + 1}: not well-formed XML: no element found. {FETCH}"


def test_the_document_type_of_old_files_is_not_fetched() -> None:
    before = '<!DOCTYPE rdf:RDF SYSTEM "align.dtd">\n'
    assert pairs(alignment(cell(), before=before)) == [("http://a#A", "http://b#B")]
    undeclared = alignment(cell("&a;A"), before=before)
    line = undeclared[: undeclared.index("&a;")].count("\n") + 1
    assert refused(undeclared) == f", line {line}: not well-formed XML: undefined entity. {FETCH}"


def test_a_measure_out_of_bounds_is_refused_even_of_another_relation() -> None:
    assert refused(alignment(cell(), cell(measure="-0.1"))) == f", line 9: the measure '-0.1' {LEAVE_OUT}"
    assert refused(alignment(cell(measure="high", relation="&lt;"))) == f", line 5: the measure 'high' {LEAVE_OUT}"
    assert refused(alignment(cell(measure="nan"))) == f", line 5: the measure 'nan' {LEAVE_OUT}"


def test_a_cell_without_an_end_is_refused() -> None:
    advice = "Add it, as rdf:resource."
    assert refused(alignment(cell(left=""))) == f", line 5: the cell has no entity1. {advice}"
    assert refused(alignment(cell().replace("entity2", "entity3"))) == f", line 5: the cell has no entity2. {advice}"


def test_an_alignment_without_an_equivalence_is_refused() -> None:
    assert refused(alignment()) == f": no pairs of equivalent names found. Use {KINDS}."
    assert refused(alignment(cell(relation="%"))) == (
        f": no pairs of equivalent names found (1 row of another relation). Use {KINDS}."
    )


def test_another_xml_file_is_refused() -> None:
    assert refused(f"<rdf:RDF xmlns:rdf='{RDF}'/>") == (
        f": XML with the root element <RDF> has no <Alignment> in the namespace {ALIGNMENT}. Use {KINDS}."
    )
    assert refused(alignment(cell(), namespace="http://elsewhere/")).startswith(": XML with the root element")


@pytest.mark.parametrize(
    ("before", "line", "what"),
    [
        (
            '<!DOCTYPE x [<!ENTITY a "aa">\n<!ENTITY b "&a;&a;">]>\n',
            3,
            "declares the entity '&b;' with other entities or markup",
        ),
        (
            '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>\n',
            2,
            "declares the external entity '&a;' (file:///etc/passwd)",
        ),
        ('<!DOCTYPE x [<!ENTITY % a "aa">]>\n', 2, "declares the parameter entity '%a;'"),
    ],
)
def test_unsafe_entities_are_refused(before: str, line: int, what: str) -> None:
    assert refused(alignment(cell("&a;"), before=before)) == (
        f", line {line}: the document type {what}, which is unsafe. Write the text in full: only short namespace "
        "entities are accepted."
    )


def test_an_entity_that_is_used_too_often_is_refused() -> None:
    before = f'<!DOCTYPE x [<!ENTITY a "{"a" * 1000}">]>\n'
    assert refused(alignment(cell("&a;" * 10_000), before=before)) == (
        ": its entities expand to 10,000,000 bytes, which is unsafe. Write the text in full."
    )


def test_elements_may_nest_deep() -> None:
    assert pairs(alignment(cell(), "<x>" * 100_000 + "</x>" * 100_000)) == [("http://a#A", "http://b#B")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (alignment(cell())[:-12], f", line 9: not well-formed XML: no element found. {FETCH}"),
        (alignment(cell()).replace("</map>", "</mop>"), f", line 8: not well-formed XML: mismatched tag. {FETCH}"),
        (alignment(cell()).replace("xmlns:rdf", "xmlns:r"), f", line 2: not well-formed XML: unbound prefix. {FETCH}"),
    ],
)
def test_malformed_xml_is_refused_with_its_line(text: str, message: str) -> None:
    assert refused(text) == message


def test_all_reference_alignments_of_the_conference_track(shared_data: Path) -> None:
    folder = shared_data / "oaei-conference" / "alignments"
    mappings = {path.name: load_mapping(path) for path in sorted(folder.glob("*.rdf"))}
    assert len(mappings) == 21
    assert sum(len(mapping.pairs) for mapping in mappings.values()) == 305
    assert sum(mapping.skipped for mapping in mappings.values()) == 0
    assert len(mappings["conference-confOf.rdf"].pairs) == 15
    assert mappings["cmt-edas.rdf"].path == str(folder / "cmt-edas.rdf")
    assert ("http://cmt#Person", "http://edas#Person", 1.0) in mappings["cmt-edas.rdf"].pairs
    for name, mapping in mappings.items():
        left, right = name.removesuffix(".rdf").lower().split("-")
        for one, other, confidence in mapping.pairs:
            assert one.lower().startswith(f"http://{left}#")
            assert other.lower().startswith(f"http://{right}#")
            assert confidence == 1.0


# SSSOM


def test_curies_are_expanded_with_the_map() -> None:
    text = table("a:1\tskos:exactMatch\tb:2\t0.5", prefixes='  "b": "http://b#" # a comment\n  c: \'http://c/\'\n')
    assert load(text) == Alignment((("http://a/1", "http://b#2", 0.5),), "(bytes)", 0)


def test_the_map_may_be_indented_otherwise_and_end_before_other_keys() -> None:
    head = "#   license: x\n#   curie_map:\n#     a: http://a/\n#\n#   creator_id:\n#     b: http://b/\n"
    assert pairs(head + "subject_id\tpredicate_id\tobject_id\na:1\tskos:exactMatch\tb:2\n") == [("http://a/1", "b:2")]


def test_the_map_may_stand_in_one_line() -> None:
    head = "#curie_map: {a: http://a/, 'b': \"http://b/\"}\n"
    text = head + "subject_id\tpredicate_id\tobject_id\na:1\tskos:exactMatch\tb:2\n"
    assert pairs(text) == [("http://a/1", "http://b/2")]


def test_the_metadata_may_be_in_another_file() -> None:
    text = "object_id\tpredicate_id\tsubject_id\nhttp://b/2\tskos:exactMatch\thttp://a/1\n"
    assert pairs(text) == [("http://a/1", "http://b/2")]


def test_a_prefix_that_is_not_in_the_map_stays_but_ids_of_obo_become_iris() -> None:
    text = table("x:y\towl:sameAs\tGO:0008150\t", "urn:x:1\towl:sameAs\tNCIT:C12764\t")
    assert pairs(text) == [("urn:x:1", OBO + "NCIT_C12764"), ("x:y", OBO + "GO_0008150")]
    ontology = oe.load_ontology(b"format-version: 1.2\n\n[Term]\nid: GO:0008150\n\n[Term]\nid: NCIT:C12764\n")
    assert {OBO + "GO_0008150", OBO + "NCIT_C12764"} <= set(ontology.hierarchy.iris)


def test_the_map_goes_before_the_ids_of_obo() -> None:
    text = table("a:1\tskos:exactMatch\tGO:1\t", prefixes="  GO: http://go/\n")
    assert pairs(text) == [("http://a/1", "http://go/1")]


def test_outer_blanks_do_not_count() -> None:
    assert pairs(table(" a:1 \t skos:exactMatch \t http://b/2 \t 0.5 ")) == [("http://a/1", "http://b/2")]


def test_an_iri_is_no_curie_even_if_the_map_has_its_scheme() -> None:
    text = table("http://a/1\tskos:exactMatch\ta:2\t", prefixes="  http: http://wrong/\n")
    assert pairs(text) == [("http://a/1", "http://a/2")]


@pytest.mark.parametrize("name", ["exactMatch", "sameAs", "equivalentClass", "equivalentProperty"])
@pytest.mark.parametrize("full", [False, True])
def test_predicates_of_equivalence(name: str, full: bool) -> None:
    short, long = (
        ("skos:", "http://www.w3.org/2004/02/skos/core#")
        if name == "exactMatch"
        else ("owl:", "http://www.w3.org/2002/07/owl#")
    )
    assert load(table(f"a:1\t{long if full else short}{name}\ta:2\t")).skipped == 0


def test_what_is_no_equivalence_is_counted() -> None:
    mapping = load(
        table(
            "a:1\tskos:exactMatch\ta:2\t\t",
            "a:1\tskos:closeMatch\ta:3\t\t",
            "a:1\toboInOwl:hasDbXref\ta:3\t\t",
            "a:1\tskos:exactMatch\ta:3\t\tNot",
            "a:1\tskos:exactMatch\tsssom:NoTermFound\t\t",
            "https://w3id.org/sssom/NoTermFound\tskos:exactMatch\ta:4\t\t",
            header="subject_id\tpredicate_id\tobject_id\tconfidence\tpredicate_modifier",
        )
    )
    assert mapping == Alignment((("http://a/1", "http://a/2", 1.0),), "(bytes)", 5)


def test_columns_come_in_any_order_and_rows_may_end_early() -> None:
    text = table(
        "0.5\tx\ta:2\tskos:exactMatch\ta:1\tremark", "\t\ta:4\towl:sameAs\ta:3", "", "\t\t\t",
        header="confidence\tauthor_id\tobject_id\tPredicate_ID\t subject_id \tcomment",
    )  # fmt: skip
    assert load(text).pairs == (("http://a/1", "http://a/2", 0.5), ("http://a/3", "http://a/4", 1.0))


def test_cells_may_be_quoted_with_tabs_and_line_breaks_in_them() -> None:
    header = '"subject_id"\tsubject_label\t"predicate_id"\tobject_id\tconfidence'
    text = table(
        '"a:1"\t"a ""b""\tc\nd"\tskos:exactMatch\ta:2\t0.5',
        'a:3\t5" disk\tskos:exactMatch\ta:4\t2',
        header=header,
    )
    assert refused(text) == f", line 6: the confidence '2' {LEAVE_OUT}"
    assert load(text.replace("\t2\n", "\t0\n")).pairs == (
        ("http://a/1", "http://a/2", 0.5),
        ("http://a/3", "http://a/4", 0.0),
    )


def test_windows_line_ends() -> None:
    text = table("a:1\tskos:exactMatch\tb:2\t0.5", prefixes="  b: http://b/").replace("\n", "\r\n")
    assert load(text).pairs == (("http://a/1", "http://b/2", 0.5),)


def test_a_quote_that_is_not_closed_swallows_nothing() -> None:
    advice = "Put cells with quotes, TABs or line breaks into double quotes, and double the quotes in them."
    rows = ('a:1\tskos:exactMatch\t"a:2\t0.5', "a:3\tskos:exactMatch\ta:4\t0.5")
    assert refused(table(*rows)) == f", line 4: not valid SSSOM TSV: unexpected end of data. {advice}"
    assert refused(table(rows[1], '"x" y' + rows[0])) == (
        f", line 5: not valid SSSOM TSV: TAB expected after '\"'. {advice}"
    )


def test_literals_are_named_by_their_labels() -> None:
    header = "subject_id\tsubject_label\tpredicate_id\tobject_id\tsubject_type"
    text = table("\tan ear\tskos:exactMatch\ta:2\trdfs literal", header=header)
    assert pairs(text) == [("an ear", "http://a/2")]
    text = table("\tan ear\tskos:exactMatch\ta:2", header=header, prefixes="subject_type: rdfs literal\n")
    assert pairs(text) == [("an ear", "http://a/2")]
    assert refused(text.replace("#subject_type", "#object_type")) == (
        ", line 5: subject_id is empty. Add a CURIE or an IRI, or sssom:NoTermFound."
    )


def test_errors_in_rows() -> None:
    assert refused(table("a:1\tskos:exactMatch\t \t")) == (
        ", line 4: object_id is empty. Add a CURIE or an IRI, or sssom:NoTermFound."
    )
    assert refused(table("a:1\t\ta:2\t")) == (", line 4: predicate_id is empty. Add a predicate, e.g. skos:exactMatch.")
    assert refused(table("a:1\tskos:exactMatch\ta:2\t1\tx")) == (
        ", line 4: found 5 cells, expected 4. Separate the cells by TAB, one for each column."
    )
    assert refused(table("a:1\tskos:exactMatch\ta:2\thigh")) == f", line 4: the confidence 'high' {LEAVE_OUT}"
    assert refused(table("a:1\tskos:broadMatch\ta:2\t1.5")) == f", line 4: the confidence '1.5' {LEAVE_OUT}"


@pytest.mark.parametrize(
    ("header", "problem"),
    [
        ("subject_id\tobject_id", "has no column predicate_id; columns: subject_id, object_id."),
        (
            "subject\tpredicat_id\tobject_id",
            "has no column subject_id, predicate_id; columns: subject, predicat_id, object_id. Did you mean 'subject'?",
        ),
        ("x\ty", "has no column subject_id, predicate_id, object_id; columns: x, y."),
        ("", "has no column subject_id, predicate_id, object_id; columns: none."),
    ],
)
def test_missing_columns(header: str, problem: str) -> None:
    assert refused(table(header=header).rstrip("\n")) == (
        f", line 3: the SSSOM table {problem} Add at least subject_id, predicate_id, object_id, separated by TAB."
    )


def test_a_table_without_rows() -> None:
    assert refused(table()) == f": no pairs of equivalent names found. Use {KINDS}."


# Two columns


def test_two_columns_and_perhaps_a_confidence() -> None:
    text = "car\tAutomobile\nmotor bike\tMotorcycle\t0.5\n\n bus\tBus\t 1 \r\n"
    assert load(text).pairs == (("bus", "Bus", 1.0), ("car", "Automobile", 1.0), ("motor bike", "Motorcycle", 0.5))
    assert load(text).skipped == 0


def test_two_words_without_a_tab() -> None:
    assert pairs("car Automobile\nmotor bike\tMotorcycle\n") == [("car", "Automobile"), ("motor bike", "Motorcycle")]


def test_names_may_begin_with_a_hash_or_a_bracket() -> None:
    assert pairs("#car\t#Car\n#bus\t#Bus\n") == [("#bus", "#Bus"), ("#car", "#Car")]
    assert pairs("(root)\t[root]\n") == [("(root)", "[root]")]
    assert pairs("<http://a>\t<http://b>\n") == [("<http://a>", "<http://b>")]


def test_names_are_as_written() -> None:
    """No map of prefixes: a name of a table may look like a CURIE."""
    assert pairs("GO:0008150\towl:Thing\n") == [("GO:0008150", "owl:Thing")]


@pytest.mark.parametrize(
    "header",
    ["learned\tgold", "Source\tTARGET", "subject\tobject", "left\tright", "entity1\tentity2", "left right"],
)
def test_a_header_line_is_recognised(header: str) -> None:
    assert pairs(f"{header}\ncar\tAutomobile\n") == [("car", "Automobile")]


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("gold\tlearned", "Automobile\tcar"),
        ("score\tobject\tsubject", "0.5\tAutomobile\tcar"),
        ("target\tMeasure\tsource", "Automobile\t0.5\tcar"),
        ("left\tright\tconfidence", "car\tAutomobile\t0.5"),
    ],
)
def test_a_header_line_says_which_column_is_which(header: str, row: str) -> None:
    confidence = 0.5 if "0.5" in row else 1.0
    assert load(f"{header}\n{row}\n").pairs == (("car", "Automobile", confidence),)


USE = "Remove them; use learned, gold and optionally confidence."


def test_trailing_tabs_and_blanks_are_accepted() -> None:
    assert pairs("a\tb\t\nc\td \n") == [("a", "b"), ("c", "d")]
    assert pairs("gold\tlearned\t\na\tb\t\n") == [("b", "a")]


def test_a_first_line_that_does_not_name_both_sides_is_a_pair() -> None:
    assert pairs("source\tleft\ncar\tAutomobile\n") == [("car", "Automobile"), ("source", "left")]
    assert pairs("score\tgold\n") == [("score", "gold")]
    assert pairs("car\tAutomobile\nleft\tright\n") == [("car", "Automobile"), ("left", "right")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\tb\nc\n", f", line 2: found 1 cell, expected {THREE}. {COLUMNS}"),
        ("a\tb\n\n# c\n", f", line 3: found 1 cell, expected {THREE}. {COLUMNS}"),
        ("a\tb\t1\tc\n", f", line 1: found 4 cells, expected {THREE}. {COLUMNS}"),
        ("a\tb\nc\t\n", f", line 2: found 2 cells, 1 of them empty, expected {THREE}. {COLUMNS}"),
        ("a\t\t1\n", f", line 1: found 3 cells, 1 of them empty, expected {THREE}. {COLUMNS}"),
        (
            "learned\tgold\tstrength\na\tb\t0.3\n",
            f", line 1: unknown or repeated columns: 'strength'. {USE}",
        ),
        (
            "learned\tgold\tright\na\tb\tc\n",
            f", line 1: unknown or repeated columns: 'right'. {USE}",
        ),
        ("gold\tlearned\na\tb\t1\n", f", line 2: found 3 cells, expected 2 (right, left). {COLUMNS}"),
        ("score\tgold\tlearned\n1\ta\n", f", line 2: found 2 cells, expected 3 (confidence, right, left). {COLUMNS}"),
        ("a\tb\t1.01\n", f", line 1: the confidence '1.01' {LEAVE_OUT}"),
        ("a\tb\tc\n", f", line 1: the confidence 'c' {LEAVE_OUT}"),
        ("left\tright\n", f": no pairs of equivalent names found. Use {KINDS}."),
    ],
)  # fmt: skip
def test_wrong_rows(text: str, message: str) -> None:
    assert refused(text) == message


# Whatever the format


def test_of_repeated_pairs_the_highest_confidence_counts() -> None:
    rows = ["a\tb\t0.5", "c\td\t0.1", "a\tb\t0.75", "a\tb\t0.25"]
    expected = (("a", "b", 0.75), ("c", "d", 0.1))
    assert load("\n".join(rows)).pairs == expected
    assert load("\n".join(reversed(rows))).pairs == expected
    assert load(alignment(cell("a", "b", "0.5"), cell("a", "b", "0.75"))).pairs == (("a", "b", 0.75),)


@pytest.mark.parametrize(
    "content", [b"", b"\xef\xbb\xbf", b" \n\t\n", gzip.compress(b"", mtime=0)], ids=["none", "mark", "blanks", "packed"]
)
def test_an_empty_file(content: bytes) -> None:
    assert refused(content) == f": the file is empty. Use a mapping: {KINDS}."


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("@prefix : <http://x/> .\n", "@prefix : <http://x/> .\\n"),
        ("# a comment\n@prefix : <http://x/> .\n", "# a comment\\n@prefix : <h"),
        ("<http://a>\t<http://b>\t<http://c> .\n", "<http://a>\\t<http://b>\\t<h"),
        ("BASE <http://x/>\n", "BASE <http://x/>\\n"),
        ('{"a": "b"}', '{"a": "b"}'),
        ("[\n]", "[\\n]"),
        ("[1, 2]", "[1, 2]"),
        ("format-version: 1.2\n", "format-version: 1.2\\n"),
        ("left,right\na,b\n", "left,right\\na,b\\n"),
        ("left, right\na, b\n", "left, right\\na, b\\n"),
        ("This is a text.\n", "This is a text.\\n"),
        ("<!DOCTYPE html>\n<html><p>404", "<!DOCTYPE html>\\n<html><p"),
        ("\x7fELF\x02\x01\x00\x00", "\\x7fELF\\x02\\x01\\x00\\x00"),
        ("# nothing but a comment\n", "# nothing but a comment\\n"),
    ],
)
def test_other_formats(text: str, shown: str) -> None:
    assert refused(text) == f": unknown format of a mapping (starts '{shown}'). Use {KINDS}."


@pytest.mark.parametrize("text", [alignment(cell("é")), table("é\towl:sameAs\tb"), "a\tb\né\tb\n"])
def test_another_encoding(text: str) -> None:
    line = text[: text.index("é")].count("\n") + 1
    assert refused(text.replace(" encoding='utf-8'", "").encode("latin-1")) == (
        f", line {line}: byte 0xe9 is not UTF-8. Convert the file to UTF-8, e.g. with `iconv -f latin1 -t utf-8`."
    )
    assert load(text.replace("'utf-8'", "'latin-1'").encode("latin-1" if "xml" in text else "utf-16")).pairs


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_compressed_files_and_streams(pack: object, tmp_path: Path) -> None:
    assert callable(pack)
    packed = pack(b"a\tb\n")
    path = tmp_path / "x.tsv.packed"
    path.write_bytes(packed)
    assert load_mapping(path) == Alignment((("a", "b", 1.0),), str(path), 0)
    assert load_mapping(str(path)).pairs == load_mapping(io.BytesIO(packed)).pairs == (("a", "b", 1.0),)
    with pytest.raises(LoadError, match="larger than 3 bytes when unpacked"):
        load_mapping(path, max_size=3)
    path.write_bytes(packed[:-5])
    with pytest.raises(LoadError, match="cannot be unpacked"):
        load_mapping(path)


def test_a_folder_and_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(LoadError) as caught:
        load_mapping(tmp_path)
    assert str(caught.value) == f"{tmp_path}: is a directory. Use a file in it."
    with pytest.raises(LoadError) as caught:
        load_mapping(tmp_path / "x")
    assert str(caught.value) == f"{tmp_path / 'x'}: no such file. Check the path."


GOOD = {
    "alignment": alignment(cell("http://a#A", "http://b#B", "0.5"), cell(relation="&lt;"), cell("http://a#C")).encode(),
    "sssom": table('a:1\tskos:exactMatch\t"b ""c"""\t0.5', "GO:1\towl:sameAs\ta:3\t").encode(),
    "plain": "learned\tgold\tscore\ncar\tAutomobile\t0.5\nvélo\tBicycle\n".encode(),
}
TOKENS = (
    b"\t",
    b"\n",
    b'"',
    b"'",
    b"<",
    b">",
    b"&",
    b";",
    b"#",
    b":",
    b"\x00",
    b"\xff",
    b"\xc3",
    b"-1",
    b"nan",
    b"]]>",
)


@pytest.mark.parametrize("kind", GOOD)
def test_damaged_files_load_or_are_refused_in_words(kind: str) -> None:
    assert load(GOOD[kind]).pairs
    outcomes = {True: 0, False: 0}
    for seed in range(300):
        random = Random(f"{kind} {seed}")
        data = bytearray(GOOD[kind])
        for _ in range(random.randint(1, 3)):
            start = random.randrange(len(data))
            kept = random.choice((0, 0, 1, 5, 40))
            new = random.choice((b"", bytes([random.randrange(256)]), random.choice(TOKENS)))
            data[start : start + kept] = new
            if random.random() < 0.1:
                del data[random.randrange(len(data)) + 1 :]
        try:
            mapping = load(bytes(data))
        except oe.OntoevalError:
            outcomes[False] += 1
        else:
            outcomes[True] += 1
            assert all(left and right and 0 <= confidence <= 1 for left, right, confidence in mapping.pairs)
    assert min(outcomes.values()) > 20  # the mutations are neither harmless nor hopeless


# SSSOM out


ROWS = [
    ("http://l/B", "http://g/B", "b", "B", 0.1 + 0.2, "fuzzy:0.9"),
    ("http://l/A", "http://g/A", 'an "a"\tand\nmore', "", 1, "label"),
    ("x", "GO:1", "", "", 1.0, "mapping"),
]


def test_the_whole_text() -> None:
    text = sssom(ROWS, learned="http://l", gold="a: b", tool_version="0.1.0")
    assert text == (
        '#curie_map:\n#  name: ""\n#  semapv: https://w3id.org/semapv/vocab/\n'
        "#  skos: http://www.w3.org/2004/02/skos/core#\n#mapping_set_id: urn:uuid:IDENTIFIER\n"
        "#license: https://w3id.org/sssom/license/unspecified\n"
        '#subject_source: http://l\n#object_source: "a: b"\n#mapping_tool: ontoeval\n#mapping_tool_version: "0.1.0"\n'
        "subject_id\tsubject_label\tpredicate_id\tobject_id\tobject_label\tmapping_justification\tconfidence\tcomment\n"
        'http://l/A\t"an ""a""\tand\nmore"\tskos:exactMatch\thttp://g/A\t\tsemapv:LexicalMatching\t1.0\t'
        "matched by label\n"
        "http://l/B\tb\tskos:exactMatch\thttp://g/B\tB\tsemapv:LexicalSimilarityThresholdMatching\t0.30000000000000004\t"
        "matched by fuzzy:0.9\nx\t\tskos:exactMatch\tname:GO:1\t\tsemapv:UnspecifiedMatching\t1.0\tmatched by mapping\n"
    ).replace("IDENTIFIER", text.partition("urn:uuid:")[2][:36])
    assert load(text).pairs == (
        ("http://l/A", "http://g/A", 1.0),
        ("http://l/B", "http://g/B", 0.30000000000000004),
        ("x", "GO:1", 1.0),
    )


def test_the_identifier_is_of_the_content() -> None:
    def identifier(text: str) -> str:
        return text.partition("#mapping_set_id: ")[2].partition("\n")[0]

    one = identifier(sssom(ROWS, learned="http://l"))
    assert one.startswith("urn:uuid:")
    assert identifier(sssom(ROWS[::-1], learned="http://l", tool_version="9")) == one
    assert identifier(sssom(ROWS[1:], learned="http://l")) != one
    assert identifier(sssom(ROWS, learned="http://m")) != one


def test_what_is_not_known_is_left_out() -> None:
    keys = [line.partition(":")[0] for line in sssom(ROWS[:2]).splitlines() if line.startswith("#")]
    assert keys == ["#curie_map", "#  semapv", "#  skos", "#mapping_set_id", "#license", "#mapping_tool"]


@pytest.mark.parametrize(
    ("step", "term"),
    [
        ("iri", "UnspecifiedMatching"),
        ("label", "LexicalMatching"),
        ("preferred", "LexicalMatching"),
        ("name", "LexicalMatching"),
        ("fuzzy", "LexicalSimilarityThresholdMatching"),
        ("fuzzy:0.75", "LexicalSimilarityThresholdMatching"),
        ("mapping", "UnspecifiedMatching"),
        ("my_function", "UnspecifiedMatching"),
    ],
)
def test_the_justification_of_each_step(step: str, term: str) -> None:
    assert f"\tsemapv:{term}\t1.0\tmatched by {step}\n" in sssom([("a", "b", "", "", 1.0, step)])


@pytest.mark.parametrize("score", [-1.0, 1.5, float("inf")])
def test_a_score_that_is_no_confidence_goes_into_the_comment(score: float) -> None:
    text = sssom([("a", "b", "", "", score, "f")])
    assert text.endswith(f"\t\tmatched by f with the score {score!r}\n")
    assert load(text).pairs == (("a", "b", 1.0),)


NAMES = (
    "GO:0008150", "skos:a", "owl:Thing", "name:a", "name:", ":", "http://a/b", "urn:a:b", "sssom:NoTermFound",
    "https://w3id.org/sssom/NoTermFound", " a ", "subject_id", "#a", '"', "\u2028", "\ufeff", "\x00",
)  # fmt: skip
odd = (
    st.text(min_size=1, max_size=12)
    | st.text(alphabet='ab:#\t\n\r" /|\\é', min_size=1, max_size=8)
    | st.sampled_from(NAMES)
)


@given(
    st.lists(st.tuples(odd, odd, odd | st.just(""), odd | st.just(""), st.floats(0, 1), odd), min_size=1, max_size=6),
    st.none() | odd,
    st.none() | odd,
)
@example([(" name: a", "a ", "", "", 0.5, "iri")], None, "\n")
def test_what_is_written_is_read_back(
    rows: list[tuple[str, str, str, str, float, str]], learned: str | None, gold: str | None
) -> None:
    best: dict[tuple[str, str], float] = {}
    for left, right, _, _, score, _ in rows:
        best[left, right] = max(score, best.get((left, right), 0.0))
    mapping = load(sssom(rows, learned=learned, gold=gold))
    assert mapping.pairs == tuple((*pair, best[pair]) for pair in sorted(best))
    assert mapping.skipped == 0


def test_pairs_with_a_low_confidence_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"m.tsv": "a\tx\t0.9\nb\ty\t0.5\nc\tz\t0.2\n", "l.tsv": "a\tr\nb\tr\nc\tr\n", "g.tsv": "x\tr\ny\tr\nz\tr\n"}
    work_in(tmp_path, monkeypatch, files)
    mapping = oe.load_mapping("m.tsv", min_confidence=0.5)
    assert [pair[:2] for pair in mapping.pairs] == [("a", "x"), ("b", "y")]
    assert mapping.left_out == 1
    result = run("compare", "l.tsv", "--gold", "g.tsv", "--match", "m.tsv:0.5,iri", "-m", "LP", "--json")
    assert "m.tsv: left out: 1 pair (confidence < 0.5)" in result.stderr
    (entry,) = json.loads(result.stdout)["results"]
    assert entry["matching"]["by"] == "mapping:0.5,iri"
    assert entry["scores"]["LP"] == 3 / 4  # a, b and r of four
    assert "no pair has a confidence >= 0.95" in helpers.refused(
        "compare", "l.tsv", "--gold", "g.tsv", "--match", "m.tsv:0.95"
    )
    assert "'high' is not a confidence" in helpers.refused(
        "compare", "l.tsv", "--gold", "g.tsv", "--match", "m.tsv:high"
    )
