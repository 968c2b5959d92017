"""OBO files: every behaviour on a few lines, then whole ontologies against fastobo and published counts."""

from __future__ import annotations

import gzip
import math
from collections import Counter
from pathlib import Path

import fastobo
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontoeval.errors import LoadError
from ontoeval.load.ontologies.facts import Facts
from ontoeval.load.ontologies.obo import parse_obo

OBO = "http://purl.obolibrary.org/obo/"
DATA = Path(__file__).resolve().parents[4] / "shared" / "data"
HEADER = "format-version: 1.4\nontology: x\n\n"


def read(text: str, *, relations: tuple[str, ...] = (), lenient: bool = False) -> Facts:
    return parse_obo(text.splitlines(keepends=True), path="x.obo", relations=relations, lenient=lenient)


def term(*lines: str, id: str = "X:1") -> str:
    return "\n".join(["[Term]", f"id: {id}", *lines, "", ""])


def iris(facts: Facts) -> list[str]:
    return list(facts.names)


def concepts(facts: Facts) -> set[str]:
    names = iris(facts)
    return {names[number] for number in facts.concepts}


def deprecated(facts: Facts) -> set[str]:
    names = iris(facts)
    return {names[number] for number in facts.deprecated}


def edges(facts: Facts) -> list[tuple[str, str]]:
    names = iris(facts)
    return [(names[c], names[p]) for c, p in zip(facts.children, facts.parents, strict=True)]


def labels(facts: Facts) -> Counter[tuple[str, str, str]]:
    names = iris(facts)
    return Counter(
        (names[c], text, role) for c, text, role in zip(facts.labelled, facts.texts, facts.roles, strict=True)
    )


def namespaces(facts: Facts) -> dict[str, str]:
    names = iris(facts)
    return {names[number]: namespace for number, namespace in facts.namespaces.items()}


def texts(facts: Facts) -> list[tuple[str, str]]:
    return list(zip(facts.texts, facts.roles, strict=True))


def live_edges(facts: Facts) -> set[tuple[str, str]]:
    gone = deprecated(facts)
    return {(child, parent) for child, parent in edges(facts) if not {child, parent} & gone}


def errors(text: str) -> LoadError:
    with pytest.raises(LoadError) as caught:
        read(text)
    return caught.value


# Ids


@pytest.mark.parametrize(
    ("identifier", "iri"),
    [
        ("GO:0008150", OBO + "GO_0008150"),
        ("NCBITaxon:Union_0000023", OBO + "NCBITaxon_Union_0000023"),
        ("http://example.org/a#b", "http://example.org/a#b"),
        ("https://example.org/a", "https://example.org/a"),
        ("urn:lsid:example.org:a", "urn:lsid:example.org:a"),
        ("limb", OBO + "x#limb"),
        ("fore limb", OBO + "x#fore%20limb"),
        ("X:a<b>", OBO + "X_a%3Cb%3E"),
        (r"X:a\:b", OBO + "X_a:b"),
        ("X:1 ! one", OBO + "X_1"),
        ('X:1 {source="a ! b"} ! one', OBO + "X_1"),
        ("X:Größe", OBO + "X_Größe"),
    ],
)
def test_an_id_becomes_the_iri_of_the_standard_mapping(identifier: str, iri: str) -> None:
    assert iris(read(HEADER + term(id=identifier))) == [iri]


def test_an_idspace_line_says_what_a_prefix_stands_for() -> None:
    header = 'ontology: x\nidspace: EX http://example.org/ns# "an example"\n\n'
    facts = read(header + term("is_a: Y:2", id="EX:1"))
    assert edges(facts) == [("http://example.org/ns#1", OBO + "Y_2")]


def test_an_idspace_line_without_an_iri_is_passed_over() -> None:
    assert iris(read("idspace: X\n\n" + term())) == [OBO + "X_1"]


def test_an_unprefixed_id_of_an_unnamed_ontology_has_a_fixed_base() -> None:
    assert iris(read(term(id="limb"))) == [OBO + "unnamed#limb"]


def test_an_unprefixed_id_is_based_on_an_ontology_that_is_an_iri() -> None:
    facts = read("ontology: http://example.org/o\n\n" + term(id="limb"))
    assert iris(facts) == ["http://example.org/o#limb"]
    assert facts.iri == "http://example.org/o"


# The header


def test_the_ontology_line_names_the_ontology() -> None:
    assert read("ontology: cl/cl-basic\n").iri == OBO + "cl/cl-basic.owl"
    assert read("format-version: 1.2\n").iri is None
    assert read("ontology:\n").iri is None


def test_import_lines_are_listed_as_written() -> None:
    facts = read("import: http://example.org/a.obo\nimport: b.obo ! the other\n")
    assert facts.imports == ["http://example.org/a.obo", "b.obo"]


def test_header_tags_count_only_in_the_header() -> None:
    facts = read(term("ontology: y", "import: z", "idspace: X http://example.org/") + term(id="X:2"))
    assert (facts.iri, facts.imports, iris(facts)) == (None, [], [OBO + "X_1", OBO + "X_2"])


def test_the_profile_is_owl_and_triples_are_not_counted() -> None:
    facts = read(HEADER + term())
    assert (facts.profile, facts.statements, facts.counts, facts.notes) == ("owl", None, {}, [])


def test_a_file_without_stanzas_has_no_concepts() -> None:
    assert read("").concepts == []
    assert read(HEADER).concepts == []


# Labels


def test_a_name_is_the_preferred_label_without_a_language() -> None:
    facts = read(term("name: biological process"))
    assert texts(facts) == [("biological process", "preferred")]
    assert facts.languages == [""]


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("fore limb ! a comment", "fore limb"),
        ('fore limb {source="a"}', "fore limb"),
        ('fore limb {source="a", note="b ! c"} ! a comment', "fore limb"),
        ("the set {a, b} of letters", "the set {a, b} of letters"),
        ("a {b or c = d} e", "a {b or c = d} e"),
        ("Yahoo!", "Yahoo!"),
        (r"wow \! so", "wow ! so"),
        (r"a\:b\, c\nd\te\Wf \{g\} \\n", "a:b, c\nd\te f {g} \\n"),
        ("key: value", "key: value"),
    ],
)
def test_a_name_is_read_without_escapes_modifiers_and_comment(written: str, name: str) -> None:
    assert texts(read(term(f"name: {written}"))) == [(name, "preferred")]


def test_an_empty_name_is_no_label() -> None:
    assert texts(read(term("name:", "name: ! nothing", 'synonym: "" EXACT []'))) == []


@pytest.mark.parametrize("scope", ["EXACT", "NARROW", "BROAD", "RELATED"])
def test_a_synonym_has_the_role_of_its_scope(scope: str) -> None:
    role = scope.lower()
    assert texts(read(term(f'synonym: "a" {scope} []'))) == [("a", role)]
    assert texts(read(term(f'synonym: "a" {scope} LAYPERSON [X:1, X:2]'))) == [("a", role)]
    assert texts(read(term(f'{role}_synonym: "a" []'))) == [("a", role)]


@pytest.mark.parametrize("rest", ["", " []", " LAYPERSON []", " BROADLY []", " [X:1]"])
def test_a_synonym_without_a_scope_is_related(rest: str) -> None:
    assert texts(read(term(f'synonym: "a"{rest}'))) == [("a", "related")]


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (r'"a \"b\" c" EXACT []', 'a "b" c'),
        (r'"ends in a backslash \\" EXACT [] {a="b"}', "ends in a backslash \\"),
        (r'"\"" EXACT []', '"'),
        (r'"a\nb\, c" EXACT [url:http\://example.org]', "a\nb, c"),
        ('"a ! b {c=d} [e]" EXACT [X:1 "see \\"this\\""] {f="g"} ! h', "a ! b {c=d} [e]"),
        ('"in German: größer" EXACT []', "in German: größer"),
    ],
)
def test_the_text_of_a_synonym_ends_at_its_closing_quote(written: str, text: str) -> None:
    assert texts(read(term(f"synonym: {written}"))) == [(text, "exact")]


@pytest.mark.parametrize(
    ("written", "text", "role"),
    [
        ("fore limb EXACT []", "fore limb", "exact"),
        ("fore limb NARROW LAYPERSON [X:1] ! why", "fore limb", "narrow"),
        ("fore limb", "fore limb", "related"),
        ("fore limb []", "fore limb", "related"),
        ('"fore limb EXACT []', "fore limb", "exact"),
        (r'"fore limb\" EXACT []', "fore limb", "exact"),
        ('fore "limb" BROAD []', "fore limb", "broad"),
    ],
)
def test_a_synonym_without_its_quotes_is_tolerated(written: str, text: str, role: str) -> None:
    assert texts(read(term(f"synonym: {written}"))) == [(text, role)]


def test_names_of_typedefs_and_instances_are_no_labels() -> None:
    facts = read("[Typedef]\nid: part_of\nname: part of\nis_a: overlaps\n\n[Instance]\nid: i\nname: an i\n")
    assert (facts.names, facts.texts, facts.children, facts.concepts) == ({}, [], [], [])


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=("C", "Z")) | st.just(" "), min_size=1))
def test_any_text_that_fastobo_writes_is_read_back(text: str) -> None:
    name = text.strip() or "a"
    frame = fastobo.term.TermFrame(
        fastobo.id.PrefixedIdent("X", "1"),
        [
            fastobo.term.NameClause(name),
            fastobo.term.SynonymClause(fastobo.syn.Synonym(text, "BROAD")),
        ],
    )
    assert texts(read(str(frame))) == [(name, "preferred"), (text, "broad")]


# Namespaces


def test_a_term_has_its_own_namespace_or_the_default_one() -> None:
    facts = read("default-namespace: d\n\n" + term("namespace: n", "is_a: X:3") + term(id="X:2"))
    assert namespaces(facts) == {OBO + "X_1": "n", OBO + "X_2": "d"}


def test_without_a_default_namespace_a_term_may_have_none() -> None:
    assert read(term()).namespaces == {}


def test_two_namespaces_of_one_term_do_not_depend_on_their_order() -> None:
    for first, second in [("a", "b"), ("b", "a")]:
        assert read(term(f"namespace: {first}") + term(f"namespace: {second}")).namespaces == {0: "a"}


# Edges


def test_is_a_makes_an_edge_with_the_weight_of_its_kind() -> None:
    facts = read(term("is_a: X:2 ! two", 'is_a: X:3 {is_inferred="true"} ! three', "is_a: X:2"))
    assert edges(facts) == [
        (OBO + "X_1", OBO + "X_2"),
        (OBO + "X_1", OBO + "X_3"),
        (OBO + "X_1", OBO + "X_2"),
    ]
    assert len(facts.weights) == 3
    assert all(math.isnan(weight) for weight in facts.weights)
    assert concepts(facts) == {OBO + "X_1"}


@pytest.mark.parametrize("thing", ["owl:Thing", "http://www.w3.org/2002/07/owl#Thing", "owl:Nothing"])
def test_owl_thing_is_no_concept_and_links_to_it_are_dropped(thing: str) -> None:
    facts = read(term(f"is_a: {thing}") + term("name: thing", "is_a: X:2", id=thing))
    assert (iris(facts), edges(facts), texts(facts)) == ([OBO + "X_1"], [], [])


def test_definitions_and_equivalences_make_no_edges() -> None:
    facts = read(term("intersection_of: X:2", "union_of: X:3", "equivalent_to: X:4", "disjoint_from: X:5"))
    assert (iris(facts), edges(facts), facts.equivalent) == ([OBO + "X_1"], [], [])


PARTS = HEADER + (
    term("relationship: part_of X:2 ! two", "relationship: has_part X:3", "is_a: X:4")
    + "[Typedef]\nid: part_of\nname: part of\nxref: BFO:0000050\nis_transitive: true\n\n"
    + "[Typedef]\nid: has_part\nxref: BFO:0000051\n"
)


@pytest.mark.parametrize("relation", ["part_of", "BFO:0000050", OBO + "BFO_0000050", OBO + "x#part_of"], ids=str)
def test_a_relation_asked_for_by_any_of_its_names_makes_edges(relation: str) -> None:
    facts = read(PARTS, relations=(relation,))
    assert set(edges(facts)) == {(OBO + "X_1", OBO + "X_2"), (OBO + "X_1", OBO + "X_4")}
    assert len(facts.weights) == 2


def test_relations_not_asked_for_make_no_edges() -> None:
    assert edges(read(PARTS)) == [(OBO + "X_1", OBO + "X_4")]
    assert edges(read(PARTS, relations=("regulates",))) == [(OBO + "X_1", OBO + "X_4")]


def test_a_relation_without_a_typedef_can_be_asked_for() -> None:
    text = term('relationship: BFO:0000050 X:2 {cardinality="1"} ! two')
    for relation in ["BFO:0000050", OBO + "BFO_0000050"]:
        assert edges(read(text, relations=(relation,))) == [(OBO + "X_1", OBO + "X_2")]


# Obsolete terms and alternative ids


def test_an_obsolete_term_is_a_concept_and_deprecated() -> None:
    facts = read(term("is_obsolete: true ! since 2019") + term("is_obsolete: false", id="X:2"))
    assert concepts(facts) == {OBO + "X_1", OBO + "X_2"}
    assert deprecated(facts) == {OBO + "X_1"}


def test_an_alternative_id_is_an_alias_of_its_term() -> None:
    facts = read(term("alt_id: X:7", "alt_id: X:8 ! former", "alt_id:"))
    assert facts.aliases == {OBO + "X_7": OBO + "X_1", OBO + "X_8": OBO + "X_1"}
    assert concepts(facts) == {OBO + "X_1"}


def test_the_smallest_term_keeps_an_alternative_id_that_two_claim() -> None:
    one, two = term("alt_id: X:9"), term("alt_id: X:9", id="X:2")
    assert read(one + two).aliases == read(two + one).aliases == {OBO + "X_9": OBO + "X_1"}


def test_what_points_at_an_alternative_id_points_at_its_term() -> None:
    text = (
        term("is_a: X:9", "relationship: part_of X:9", id="X:2")
        + "[Instance]\nid: X:i\ninstance_of: X:9\n\n"
        + term("alt_id: X:9")
    )
    facts = read(text, relations=("part_of",))
    assert edges(facts) == [(OBO + "X_2", OBO + "X_1")] * 2
    assert facts.instances == [(OBO + "X_i", facts.names[OBO + "X_1"], 1.0)]


def test_an_alternative_id_with_an_obsolete_stanza_is_an_alias_all_the_same() -> None:
    facts = read(term("alt_id: X:9") + term("is_obsolete: true", id="X:9") + term("is_a: X:9", id="X:2"))
    assert facts.aliases == {OBO + "X_9": OBO + "X_1"}
    assert edges(facts) == [(OBO + "X_2", OBO + "X_1")]
    assert facts.notes == []


def test_an_alternative_id_that_is_a_live_term_stays_that_term() -> None:
    facts = read(term("alt_id: X:9", "alt_id: X:1") + term(id="X:9") + term("is_a: X:9", id="X:2"))
    assert facts.aliases == {}
    assert edges(facts) == [(OBO + "X_2", OBO + "X_9")]
    assert [note.partition(" (")[0] for note in facts.notes] == ["1 alt_id is also a live term; kept"]


# Stanzas


def test_stanzas_of_one_id_are_merged() -> None:
    facts = read(term("name: one", "is_a: X:2") + term("is_a: X:3", "is_obsolete: true"))
    assert concepts(facts) == {OBO + "X_1"} == deprecated(facts)
    assert edges(facts) == [(OBO + "X_1", OBO + "X_2"), (OBO + "X_1", OBO + "X_3")]


def test_an_instance_belongs_to_the_concepts_it_is_an_instance_of() -> None:
    facts = read("[Instance]\nid: X:i\nname: an i\ninstance_of: X:1 ! one\ninstance_of: X:2\n")
    assert [(name, iris(facts)[c], strength) for name, c, strength in facts.instances] == [
        (OBO + "X_i", OBO + "X_1", 1.0),
        (OBO + "X_i", OBO + "X_2", 1.0),
    ]


def test_tags_may_stand_before_the_id() -> None:
    facts = read("[Term]\nname: one\nis_a: X:2\nid: X:1\n\n[Instance]\ninstance_of: X:1\nid: X:i\n")
    assert texts(facts) == [("one", "preferred")]
    assert edges(facts) == [(OBO + "X_1", OBO + "X_2")]
    assert facts.instances == [(OBO + "X_i", facts.names[OBO + "X_1"], 1.0)]


def test_a_second_id_begins_the_next_term() -> None:
    facts = read("[Term]\nid: X:1\nname: one\nid: X:2\nname: two\n")
    assert labels(facts) == Counter([(OBO + "X_1", "one", "preferred"), (OBO + "X_2", "two", "preferred")])


def test_blanks_line_ends_comments_and_case_of_a_stanza_do_not_matter() -> None:
    lines = [
        "! hello",
        "",
        "  [term] ! a term: this",
        "id:X:1",
        "! note: this",
        "",
        " name:  one ",
        "is_a:X:2",
        "!",
    ]
    facts = read("\r\n".join(lines))
    assert texts(facts) == [("one", "preferred")]
    assert edges(facts) == [(OBO + "X_1", OBO + "X_2")]


def test_lines_may_come_without_their_line_ends() -> None:
    facts = parse_obo(iter(["[Term]", "id: X:1", "is_a: X:2 ! two"]), path="x.obo")
    assert edges(facts) == [(OBO + "X_1", OBO + "X_2")]


def test_stanzas_of_other_kinds_are_passed_over() -> None:
    facts = read("[Annotation]\nsubject: X:1\nis_a: X:2\nid: X:3\n\n[Foo]\nis_a: X:2\n" + term())
    assert (iris(facts), edges(facts)) == ([OBO + "X_1"], [])


@settings(deadline=None)
@given(st.permutations(range(6)))
def test_the_order_of_stanzas_changes_nothing(order: list[int]) -> None:
    stanzas = [
        term("is_a: X:9", "namespace: b", "relationship: part_of X:2"),
        term("alt_id: X:9", "is_a: X:3 ! three", id="X:2"),
        term("alt_id: X:9", 'synonym: "three" EXACT []', id="X:3"),
        term("namespace: a", "is_obsolete: false"),
        term("is_obsolete: true", "is_a: X:3", id="X:9"),
        "[Typedef]\nid: part_of\nxref: BFO:0000050\n\n",
    ]
    facts = read(HEADER + "".join(stanzas[i] for i in order), relations=("BFO:0000050",))
    assert concepts(facts) == {OBO + f"X_{i}" for i in (1, 2, 3, 9)}
    assert sorted(edges(facts)) == [
        (OBO + "X_1", OBO + "X_2"),
        (OBO + "X_1", OBO + "X_2"),
        (OBO + "X_2", OBO + "X_3"),
        (OBO + "X_9", OBO + "X_3"),
    ]
    assert facts.aliases == {OBO + "X_9": OBO + "X_2"}
    assert namespaces(facts) == {OBO + "X_1": "a"}


# Errors


def test_a_stanza_without_an_id_is_an_error() -> None:
    error = errors(HEADER + "[Term]\nname: one\n\n" + term(id="X:2"))
    assert str(error) == (
        "x.obo, line 4: the stanza [Term] has no 'id:'. Correct the file, or set lenient=True to skip the stanza."
    )
    assert (error.path, error.format, error.line) == ("x.obo", "obo", 4)


def test_a_last_stanza_with_an_empty_id_is_an_error() -> None:
    assert str(errors("[Typedef]\nid: ! nothing\n")) == (
        "x.obo, line 1: the stanza [Typedef] has no 'id:'. Correct the file, or set lenient=True to skip the stanza."
    )


@pytest.mark.parametrize("value", ["", " ", " ! two", ' {source="a"}'])
def test_an_is_a_without_an_id_is_an_error(value: str) -> None:
    error = errors(term("name: one", f"is_a:{value}"))
    assert str(error) == (
        "x.obo, line 4: 'is_a:' has no id; expected e.g. 'is_a: GO:0008150'. Correct the file, or set lenient=True "
        "to skip the line."
    )
    assert (error.path, error.format, error.line) == ("x.obo", "obo", 4)


def test_the_line_of_an_error_before_the_id_is_its_own() -> None:
    assert errors("[Term]\nis_a:\nid: X:1\n").line == 2


def test_a_relationship_without_a_target_is_an_error_if_it_matters() -> None:
    text = term("relationship: part_of ! what")
    assert edges(read(text)) == []
    with pytest.raises(LoadError) as caught:
        read(text, relations=("part_of",))
    assert str(caught.value) == (
        "x.obo, line 3: 'relationship:' has no id; expected e.g. 'relationship: part_of GO:0008150'. Correct the "
        "file, or set lenient=True to skip the line."
    )


def test_an_instance_of_nothing_is_an_error() -> None:
    assert str(errors("[Instance]\nid: X:i\ninstance_of:\n")) == (
        "x.obo, line 3: 'instance_of:' has no id; expected e.g. 'instance_of: GO:0008150'. Correct the file, or set "
        "lenient=True to skip the line."
    )


def test_a_line_without_a_colon_is_an_error() -> None:
    error = errors(term("name: one", "is_a X2 " + "x" * 100))
    assert str(error) == (
        "x.obo, line 4: 'is_a X2 xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' is not 'tag: value'. Correct the file, or set "
        "lenient=True to skip the line."
    )
    assert (error.path, error.format, error.line) == ("x.obo", "obo", 4)


def test_lenient_skips_what_is_malformed_and_counts_it() -> None:
    text = "[Term]\nname: nothing\nis_a: X:5\n\n" + term("is_a:", "name one", "is_a: X:2", "relationship: r")
    facts = read(text, lenient=True, relations=("r",))
    assert edges(facts) == [(OBO + "X_1", OBO + "X_2")]
    assert facts.texts == []
    assert facts.notes[-1:] == ["4 OBO lines or stanzas are malformed; skipped"]


PIECES = ["[Term]", "[", "id:", "is_a:", "synonym:", "alt_id:", "X:1", '"', "\\", " ! ", " {a=", "\n", " "]


@settings(deadline=None)
@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=3)).map("".join))
def test_whatever_the_text_lenient_reads_it_and_strict_has_only_its_own_errors(text: str) -> None:
    lenient = read(text, lenient=True, relations=("part_of",))
    try:
        strict = read(text, relations=("part_of",))
    except LoadError:
        assert any(note.endswith("malformed; skipped") for note in lenient.notes)
    else:
        assert strict == lenient


# Whole ontologies

GO = "go2019/GeneOntology_2019.01.29.obo.gz"
HPO = "hpo/hp.obo.gz"
DOID_2014 = "doid/DiseaseOntology_2014.10.13.obo.gz"
DOID_2019 = "doid/DiseaseOntology_2019.03.07.obo.gz"
CL = "cl/CellOntology_2019.01.29.obo.gz"
ONTOLOGIES = [*(pytest.param(name, marks=pytest.mark.slow) for name in (GO, HPO, DOID_2019)), DOID_2014, CL]

# fastobo refuses cl and both doid for a def: or xref: that we do not read, so it gets only the tags compared.
COMPARED = (
    "[",
    "format-version",
    "id:",
    "name:",
    "namespace:",
    "synonym:",
    "is_a:",
    "is_obsolete:",
    "alt_id:",
)


def text_of(name: str) -> str:
    if not DATA.is_dir():
        pytest.skip("the shared data folder is not here")
    return gzip.decompress((DATA / name).read_bytes()).decode("utf-8")


def iri_of(ident: object) -> str:
    assert isinstance(ident, fastobo.id.PrefixedIdent)
    return f"{OBO}{ident.prefix}_{ident.local}"


@pytest.mark.parametrize("name", ONTOLOGIES)
def test_fastobo_reads_the_same(name: str) -> None:
    text = text_of(name)
    facts = read(text)
    document = fastobo.loads("\n".join(line for line in text.split("\n") if line.startswith(COMPARED)) + "\n")
    expected_concepts: set[str] = set()
    expected_deprecated: set[str] = set()
    expected_edges: Counter[tuple[str, str]] = Counter()
    expected_labels: Counter[tuple[str, str, str]] = Counter()
    expected_namespaces: dict[str, str] = {}
    claims: set[tuple[str, str]] = set()
    for frame in document:
        if not isinstance(frame, fastobo.term.TermFrame):
            continue
        iri = iri_of(frame.id)
        expected_concepts.add(iri)
        for clause in frame:
            match clause:
                case fastobo.term.NameClause():
                    expected_labels[iri, clause.name.strip(), "preferred"] += 1
                case fastobo.term.SynonymClause():
                    synonym = clause.synonym
                    expected_labels[iri, synonym.desc, synonym.scope.lower()] += 1
                case fastobo.term.NamespaceClause():
                    expected_namespaces[iri] = str(clause.namespace)
                case fastobo.term.IsAClause():
                    expected_edges[iri, iri_of(clause.term)] += 1
                case fastobo.term.IsObsoleteClause() if clause.obsolete:
                    expected_deprecated.add(iri)
                case fastobo.term.AltIdClause():
                    claims.add((iri_of(clause.alt_id), iri))
    live = expected_concepts - expected_deprecated
    assert concepts(facts) == expected_concepts
    assert deprecated(facts) == expected_deprecated
    assert Counter(edges(facts)) == expected_edges
    assert labels(facts) == expected_labels
    assert facts.aliases == {alias: main for alias, main in claims if alias not in live}
    key = "default-namespace: "
    default = {line.removeprefix(key) for line in text.split("\n") if line.startswith(key)}
    assert namespaces(facts) == {
        **{iri: namespace for iri in expected_concepts for namespace in default},
        **expected_namespaces,
    }


@pytest.mark.parametrize(
    ("name", "live", "is_a"),
    [
        pytest.param(GO, 45_013, 77_189, marks=pytest.mark.slow),
        (HPO, 19_034, 23_392),
        (DOID_2014, 6_413, 6_796),
        (DOID_2019, 9_233, 10_880),
    ],
)
def test_live_terms_and_is_a_edges_are_those_of_the_source_notes(name: str, live: int, is_a: int) -> None:
    facts = read(text_of(name))
    assert len(concepts(facts) - deprecated(facts)) == live
    assert len(live_edges(facts)) == len(facts.children) == is_a


@pytest.mark.slow
@pytest.mark.parametrize("relation", ["part_of", "BFO:0000050"])
def test_part_of_adds_the_edges_of_the_source_notes_to_the_gene_ontology(relation: str) -> None:
    assert len(live_edges(read(text_of(GO), relations=(relation,)))) == 85_128


@pytest.mark.slow
def test_one_namespace_of_the_gene_ontology_is_as_the_source_notes_say() -> None:
    facts = read(text_of(GO))
    processes = {iri for iri, namespace in namespaces(facts).items() if namespace == "biological_process"}
    assert len(processes - deprecated(facts)) == 29_694
    assert sum({child, parent} <= processes for child, parent in live_edges(facts)) == 57_483


def test_the_cell_ontology_that_strict_readers_refuse_is_read() -> None:
    text = text_of(CL)
    with pytest.raises(SyntaxError):
        fastobo.loads(text)
    facts = read(text)
    assert facts.iri == OBO + "cl/cl-basic.owl"
    assert len(facts.children) == text.count("\nis_a: ") == 3_139
    assert len(facts.concepts) == text.count("\n[Term]\n")


def test_the_one_live_alternative_id_of_the_disease_ontology_is_noted() -> None:
    facts = read(text_of(DOID_2014))
    assert OBO + "DOID_13918" not in facts.aliases
    assert [note.partition(" (")[0] for note in facts.notes] == ["1 alt_id is also a live term; kept"]


# Relations that were asked for in vain


def test_a_relation_that_no_line_uses_is_noted() -> None:
    assert read(PARTS, relations=("regulates",)).notes == ["no links with the relation 'regulates'."]


def test_a_relation_spelt_almost_right_is_suggested() -> None:
    facts = read(PARTS, relations=("part_off", "has_part"))
    assert facts.notes == ["no links with the relation 'part_off'. Did you mean 'part_of'?"]
    assert set(edges(facts)) == {(OBO + "X_1", OBO + "X_3"), (OBO + "X_1", OBO + "X_4")}


@pytest.mark.parametrize("relation", ["part_of", "BFO:0000050", OBO + "BFO_0000050"])
def test_a_relation_that_is_used_is_not_noted(relation: str) -> None:
    assert read(PARTS, relations=(relation,)).notes == []
