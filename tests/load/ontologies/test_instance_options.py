"""Instances: tables of any shape, keys instead of IRIs, and a least strength."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ontoeval as oe
from ontoeval.errors import LoadError, ParameterError
from ontoeval.load.input import open_input
from ontoeval.load.ontologies.edge_table import read_instances

EX = "http://ex.org/"
URL, HOME = EX + "url", EX + "homepage"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
HEAD = f"""@prefix : <{EX}> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix dct: <http://purl.org/dc/terms/> .
:car a owl:Class . :van a owl:Class ; rdfs:subClassOf :car .
"""
TREE = b"car\tvehicle\nbike\tvehicle\nvan\tcar\n"


def load(text: str, **options: Any) -> oe.Ontology:
    return oe.load_ontology((HEAD + text).encode(), **options)


def placed(ontology: oe.Ontology) -> dict[tuple[str, str], float]:
    if ontology.instances is None:
        return {}
    cells, names = ontology.instances.strength.tocoo(), ontology.instances.iris
    rows = zip(cells.coords[0].tolist(), cells.coords[1].tolist(), cells.data.tolist(), strict=True)
    return {(names[i], ontology.hierarchy.iris[c].removeprefix(EX)): s for i, c, s in rows}


# tables

LINES = st.lists(
    st.tuples(
        st.sampled_from(["a", "b b", "http://x/c", "Ä", "instance"]),
        st.sampled_from(["car", "two words", "concept"]),
        st.sampled_from(["", "", "0.25", "1", "0.5", "1e-3"]),
        st.sampled_from(["", " ", "\u00a0"]),  # around cells
    ),
    min_size=1,
    max_size=8,
)
LAYOUTS = {  # header -> which of (instance, concept, strength) each column holds
    "": (0, 1, 2), "instance\tconcept\tstrength": (0, 1, 2), "class\tstrength\turl": (1, 2, 0),
    "Weight\tdoc\ttype": (2, 0, 1), "document\tsubject": (0, 1), "label\turl": (1, 0),
}  # fmt: skip


@given(LINES, st.sampled_from(list(LAYOUTS)), st.booleans(), st.sampled_from(["\n", "\r\n", "\n\n", "\n \n", "\n\t\n"]))
def test_a_table_says_the_same_in_any_layout(
    lines: list[tuple[str, str, str, str]], header: str, short: bool, end: str
) -> None:
    """Columns in any order, an empty last cell left away or not, blanks around cells, empty lines."""
    layout = LAYOUTS[header]
    text, expected = ["\t", header] if header and end == "\n\t\n" else [header] if header else [], []
    for *line, pad in lines:
        if len(layout) == 2:
            line[2] = ""
        cells = [line[column] for column in layout]
        if short and not cells[-1]:
            cells.pop()
        text.append("\t".join(pad + cell + pad for cell in cells))
        expected.append((line[0], line[1], float(line[2] or 1)))
    if not header and expected[0][:2] == ("instance", "concept"):
        text.insert(0, "a\tcar")  # or it is a header
        expected.insert(0, ("a", "car", 1.0))
    columns = read_instances(open_input((end.join(text) + end).encode()))
    assert list(zip(*columns, strict=True)) == expected


@pytest.mark.parametrize("text", ["\n", " \n\t\n", "instance\tconcept\n"])
def test_a_table_of_nothing(text: str) -> None:
    assert read_instances(open_input(text.encode())) == ([], [], [])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("d\tcar\ne\tcar\t2\n", "line 2: the strength '2' is not a number > 0 and <= 1. Correct or remove it."),
        (
            "d\tcar\t1\ne\tcar\tmuch\n",
            "line 2: the strength 'much' is not a number > 0 and <= 1. Correct or remove it.",
        ),
        *(
            (
                text,
                f"line {line}: found {cells}, expected instance, concept and optionally a strength. Separate "
                "the columns by TAB; leave no cell empty.",
            )
            for text, line, cells in (
                ("d\tcar\ne\t\n", 2, "2 cells"),
                ("\n\td\n", 2, "2 cells"),
                ("d\tcar\nd\n", 2, "1 cell"),
                ("d\tcar\t1\t1\n", 1, "4 cells"),
                ("url\tclass\nd\tcar\t0.5\n", 2, "3 cells"),
                ("class\tstrength\turl\ncar\t0.5\n", 2, "2 cells"),
            )
        ),
    ],
)
def test_what_is_wrong_in_a_table_is_told_with_its_line(text: str, message: str) -> None:
    with pytest.raises(LoadError) as caught:
        read_instances(open_input(text.encode()))
    assert str(caught.value) == f"(bytes), {message}"


# a least strength

WEAK = {"a": {"car": 0.5, "bike": 0.25}, "b": {"van": 0.2}, "c": "car"}


def test_weak_assignments_are_left_out_and_counted() -> None:
    ontology = oe.load_ontology(TREE, instances=WEAK, min_strength=0.5)
    assert placed(ontology) == {("a", "car"): 0.5, ("c", "car"): 1.0}
    assert ontology.source.notes == ("left out: 2 of 4 instance assignments (strength < 0.5; min_strength=)",)


@pytest.mark.parametrize("least", [0.0, 0.1, 0.2])
def test_what_is_strong_enough_stays_without_a_word(least: float) -> None:
    ontology = oe.load_ontology(TREE, instances=WEAK, min_strength=least)
    assert len(placed(ontology)) == 4
    assert ontology.source.notes == ()


def test_all_may_be_too_weak() -> None:
    ontology = oe.load_ontology(TREE, instances={"a": {"car": 0.5}}, min_strength=0.75)
    assert ontology.instances is None
    assert ontology.source.notes == ("left out: 1 of 1 instance assignments (strength < 0.75; min_strength=)",)


def test_what_a_file_itself_says_has_full_strength() -> None:
    assert placed(load(":i a :car .", min_strength=1.0)) == {(EX + "i", "car"): 1.0}


@pytest.mark.parametrize("least", [-0.5, 1.5, float("nan")])
def test_a_least_strength_is_between_0_and_1(least: float) -> None:
    with pytest.raises(ParameterError) as caught:
        oe.load_ontology(TREE, min_strength=least)
    assert str(caught.value) == (f"min_strength must be a number from 0 to 1, not {least}.")


# keys

PAGES = (
    """:i a :car ; :url " http://page/1 " . :j a :van ; :url <http://page/2> . :k dct:subject :van ; :url "3"@en ."""
)


def test_a_key_names_an_instance_instead_of_its_iri() -> None:
    ontology = load(PAGES, instance_key=URL)
    assert placed(ontology) == {("http://page/1", "car"): 1.0, ("http://page/2", "van"): 1.0, ("3", "van"): 1.0}
    assert ontology.source.notes == ()


def test_without_a_key_instances_are_known_by_their_iris() -> None:
    assert {name for name, _ in placed(load(PAGES))} == {EX + "i", EX + "j", EX + "k"}


def test_of_several_values_the_smallest_counts_whatever_their_order() -> None:
    for values in ('"b", "a", "c"', '"c", <http://a>, "a"', '" ", "a", "  b"'):
        assert placed(load(f":i a :car ; :url {values} .", instance_key=URL)) == {("a", "car"): 1.0}


def test_of_several_keys_the_first_that_an_instance_has_counts() -> None:
    text = ':i a :car ; :url "z" ; :homepage "a" . :j a :van ; :homepage "h" .'
    assert placed(load(text, instance_key=[URL, HOME])) == {("z", "car"): 1.0, ("h", "van"): 1.0}
    assert placed(load(text, instance_key=[HOME, URL])) == {("a", "car"): 1.0, ("h", "van"): 1.0}
    assert load(text, instance_key=[HOME, URL]).source.notes == ()


def test_an_instance_without_a_value_keeps_its_iri() -> None:
    text = ':i a :car ; :url "u" . :j a :van . :k a :van ; :url " " . :l a :van ; :url [] .'
    ontology = load(text, instance_key=URL)
    assert placed(ontology) == {("u", "car"): 1.0} | {(EX + name, "van"): 1.0 for name in "jkl"}
    assert ontology.source.notes == (
        "no value of http://ex.org/url (instance_key=) for 3 of 4 instances; their IRIs are used",
    )


def test_a_key_that_no_instance_has_is_told() -> None:
    ontology = load(':i a :car . :car :url "u" .', instance_key=[URL, HOME])
    assert placed(ontology) == {(EX + "i", "car"): 1.0}
    assert ontology.source.notes == (
        "no instance has a value of http://ex.org/url, http://ex.org/homepage (instance_key=); their IRIs are used",
    )


def test_instances_of_one_value_are_one() -> None:
    ontology = load(':i a :car ; :url "u" . :j a :van ; :url "u" . :k a :van ; :url "v" .', instance_key=URL)
    assert placed(ontology) == {("u", "car"): 1.0, ("u", "van"): 1.0, ("v", "van"): 1.0}
    assert ontology.source.notes == (
        "merged: 1 of 3 instances (same value of http://ex.org/url as another; instance_key=)",
    )


def test_a_key_may_be_what_is_read_anyway() -> None:
    text = ':i a :car ; rdfs:label "Herbie" . :van rdfs:label "van" . :j a :car ; dct:subject :van .'
    ontology = load(text, instance_key=[LABEL, "http://purl.org/dc/terms/subject"])
    assert placed(ontology) == {("Herbie", "car"): 1.0, (EX + "van", "car"): 1.0, (EX + "van", "van"): 1.0}
    assert ontology.label_of(ontology.hierarchy.id(EX + "van")) == "van"


def test_a_key_holds_for_imported_files_and_lenient_reading(tmp_path: Path) -> None:
    (tmp_path / "more.ttl").write_text(f'<{EX}m> a <{EX}van> ; <{URL}> "more" .')
    ontology = load(':i a :car ; :url "u" .', instance_key=URL, imports=tmp_path / "more.ttl", lenient=True)
    assert placed(ontology) == {("u", "car"): 1.0, ("more", "van"): 1.0}


def test_a_table_has_the_names_that_count_already() -> None:
    ontology = load(PAGES, instance_key=URL, instances={EX + "i": "car"})
    assert placed(ontology) == {(EX + "i", "car"): 1.0}
    assert ontology.source.notes == ()


def test_a_key_says_nothing_about_files_without_triples() -> None:
    ontology = oe.load_ontology(TREE, instance_key=URL, instances={"a": "car"})
    assert placed(ontology) == {("a", "car"): 1.0}
    assert ontology.source.notes == ()


def test_a_key_is_an_iri() -> None:
    with pytest.raises(ParameterError) as caught:
        load(PAGES, instance_key=[URL, "url"])
    assert str(caught.value) == "the instance key 'url' is not an IRI. Use its full IRI."


# one concept each


def test_strict_instances_are_those_on_exactly_one_concept() -> None:
    table = {"one": "car", "two": ["car", "bike"], "weak": {"car": 1.0, "bike": 0.2}}
    assert set(placed(oe.load_ontology(TREE, instances=table, strict_instances=True))) == {("one", "car")}
    strong = oe.load_ontology(TREE, instances=table, strict_instances=True, min_strength=0.5)
    assert set(placed(strong)) == {("one", "car"), ("weak", "car")}  # the weak one goes first
    assert "left out: 1 of 3 instances (several concepts; strict_instances=True)" in strong.source.notes
    nothing = oe.load_ontology(TREE, instances={"two": ["car", "bike"]}, strict_instances=True)
    assert nothing.instances is None


# real data

GOOGLE, DMOZ = (f"http://localhost:80/{name}.Freizeit.v2.owl#url" for name in ("Google", "dmoz"))


def test_two_web_directories_share_the_pages_that_their_files_both_name(shared_data: Path) -> None:
    folder = shared_data / "webdir-freizeit"
    if not folder.is_dir():
        pytest.skip(f"the web directories are not on this machine ({folder})")
    urls, instances = [], []
    for name in ("Google", "dmoz"):
        path = folder / f"{name}.Freizeit.v2.owl.gz"
        with gzip.open(path, "rt", encoding="utf-8") as stream:
            urls.append({url.strip() for url in re.findall(r"<base:url>(.*?)</base:url>", stream.read(), re.DOTALL)})
        ontology = oe.load_ontology(path, lenient=True, instance_key=[GOOGLE, DMOZ])
        assert ontology.instances is not None
        instances.append(set(ontology.instances.iris))
    assert instances[0] & instances[1] == urls[0] & urls[1]
    assert [len(each) for each in instances] == [len(each) for each in urls]


def test_the_web_directories_are_refused_with_what_is_wrong_and_what_helps(shared_data: Path) -> None:
    folder = shared_data / "webdir-freizeit"
    if not folder.is_dir():
        pytest.skip(f"the web directories are not on this machine ({folder})")
    path = folder / "dmoz.Freizeit.v2.owl.gz"
    with pytest.raises(LoadError) as caught:
        oe.load_ontology(path)
    relative = "a relative IRI without a base (error while parsing IRI '': No scheme found in an absolute IRI)"
    assert str(caught.value) == (f'{path}: {relative}. Set base_iri="IRI", or lenient=True to use the file\'s address.')
    with pytest.raises(LoadError) as caught:
        oe.load_ontology(path, base_iri="http://localhost:80/dmoz.Freizeit.v2.owl")
    identifier = "Top_World_Deutsch_Online-Shops_Freizeit_http://www.usatrains.ch is not a valid rdf:ID value"
    assert str(caught.value) == (
        f"{path}: not valid xml: {identifier}. Correct the file, or set lenient=True to read what can be read."
    )
    ontology = oe.load_ontology(path, lenient=True)
    assert ontology.source.notes == (f"read leniently: {path}: {relative}; not valid xml: {identifier}",)
