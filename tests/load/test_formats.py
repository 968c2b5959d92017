"""Which format a file is in: by its content first, by its suffix second."""

from __future__ import annotations

import contextlib
import io
import re
import time
from pathlib import Path

import pytest
from tiny_files import EDGES_ALONE, FILES, WITHOUT_IRIS

import ontoeval as oe
from ontoeval.errors import LoadError, ParameterError
from ontoeval.load.formats import FORMATS, detect, named_format, suffixes
from ontoeval.load.input import Input

PAGE = Path(__file__).resolve().parents[2] / "docs" / "loading.md"
WIDER = {  # what reads a format, too: there the suffix decides
    "nt": {"turtle", "nquads", "trig", "n3"},
    "turtle": {"trig", "n3"},
}
TINY = "https://example.org/tiny#"
EDGES = {
    (f"{TINY}{child}", f"{TINY}{parent}")
    for child, parent in (
        ("LandVehicle", "Vehicle"), ("WaterVehicle", "Vehicle"), ("Car", "LandVehicle"), ("Bicycle", "LandVehicle"),
        ("Tandem", "Bicycle"), ("Boat", "WaterVehicle"), ("AmphibiousCar", "Car"), ("AmphibiousCar", "Boat"),
    )
}  # fmt: skip
OWL = "http://www.w3.org/2002/07/owl#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
PREFIX = f"@prefix owl: <{OWL}> .\n"
TRIPLE = f"<http://x/A> <{RDF}type> <{OWL}Class>"


def detected(content: str | bytes, name: str = "file") -> str:
    data = content.encode() if isinstance(content, str) else content
    return detect(Input(name, lambda: io.BytesIO(data)))


def edges(ontology: oe.Ontology) -> set[tuple[str, str]]:
    iris, parents = ontology.hierarchy.iris, ontology.hierarchy.parents
    pairs = zip(parents.tails.tolist(), parents.indices.tolist(), strict=True)
    return {(iris[tail], iris[head]) for tail, head in pairs}


def instances(ontology: oe.Ontology) -> set[tuple[str, str, float]]:
    assert ontology.instances is not None
    rows = ontology.instances.strength.tocoo()
    cells = zip(rows.row.tolist(), rows.col.tolist(), rows.data.tolist(), strict=True)
    return {(ontology.instances.iris[i], ontology.hierarchy.iris[c], strength) for i, c, strength in cells}


def promised() -> set[str]:
    """The formats in the first column of the table on the page about loading."""
    (rows,) = re.findall(r"^\| `--input-format` .*\n\| ---.*\n((?:\|.*\n)+)", PAGE.read_text(), re.MULTILINE)
    return {name for row in rows.splitlines() for name in re.findall(r"`(.+?)`", row.split("|")[1])}


def test_every_format_that_the_documentation_promises_is_known() -> None:
    assert promised()
    assert promised() <= set(FORMATS)


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_has_a_file_here(format: str) -> None:
    """Every test of `FILES` takes a new file up by itself."""
    missing = f"fixtures/formats has no file in the format {format!r}. Add tiny.SUFFIX, or tiny.{format}.SUFFIX."
    if format not in promised() and format not in FILES.values():
        pytest.skip(f"{missing} And name it in docs/loading.md.")  # somebody is trying it out, or a plug-in has it
    assert format in FILES.values(), missing


@pytest.mark.parametrize(("name", "format"), FILES.items())
class TestEveryFormat:
    def test_with_its_own_suffix(self, name: str, format: str, fixtures: Path) -> None:
        assert detected((fixtures / "formats" / name).read_bytes(), name) == format

    def test_without_a_suffix(self, name: str, format: str, fixtures: Path) -> None:
        content = (fixtures / "formats" / name).read_bytes()
        assert detected(content) == format
        assert detected(content, "tiny.txt") == format
        assert detected(content, "tiny.gz") == format

    def test_with_the_suffix_of_another(self, name: str, format: str, fixtures: Path) -> None:
        content = (fixtures / "formats" / name).read_bytes()
        formats = {suffix: detected(content, f"tiny{suffix}") for suffix in (*suffixes(), ".json", ".csv", ".zip")}
        wider = WIDER.get(format, set())
        right = {suffix: by if (by := suffixes().get(suffix)) in wider else format for suffix in formats}
        assert formats == right

    def test_after_blank_lines_and_a_byte_order_mark(self, name: str, format: str, fixtures: Path) -> None:
        content = (fixtures / "formats" / name).read_bytes()
        assert detected(b"\xef\xbb\xbf" + content) == format
        if not content.startswith(b"<?xml"):  # XML allows nothing before that
            assert detected(b"\n \r\n\n" + content) == format

    def test_with_the_line_ends_of_windows(self, name: str, format: str, fixtures: Path) -> None:
        content = (fixtures / "formats" / name).read_bytes().replace(b"\n", b"\r\n")
        assert detected(content) == format
        assert len(oe.load_ontology(content).hierarchy) == 8

    def test_the_whole_way(self, name: str, format: str, fixtures: Path, tmp_path: Path) -> None:
        path = tmp_path / "tiny.unknown"
        path.write_bytes((fixtures / "formats" / name).read_bytes())
        ontology = oe.load_ontology(path)
        assert ontology.source.format == format
        if format in WITHOUT_IRIS:
            labels = {
                iri: ontology.label_of(c).title().replace(" ", "") for c, iri in enumerate(ontology.hierarchy.iris)
            }
            assert {(f"{TINY}{labels[c]}", f"{TINY}{labels[p]}") for c, p in edges(ontology)} == EDGES
            return
        assert edges(ontology) == EDGES
        if format not in EDGES_ALONE:
            assert instances(ontology) == {(f"{TINY}duck", f"{TINY}AmphibiousCar", 1.0)}
            labels = ontology.lexicon.labels(ontology.hierarchy.id(f"{TINY}Bicycle"))
            assert set(labels) == {"bicycle", "vélo"}


@pytest.mark.parametrize(
    ("format", "content"),
    [
        pytest.param("xml", f'<!-- note --><rdf:RDF xmlns:rdf="{RDF}"/>', id="a comment first"),
        pytest.param("xml", f'<?xml-stylesheet href="x"?>\n<rdf:RDF xmlns:rdf="{RDF}"/>', id="a stylesheet first"),
        pytest.param("xml", f'<r:RDF xmlns:r="{RDF}"/>', id="another prefix for RDF"),
        pytest.param("xml", f'<o:Class xmlns:o="{OWL}" xmlns:rdf="{RDF}" rdf:about="http://x/A"/>', id="no rdf:RDF"),
        pytest.param("owlxml", f'<o:Ontology xmlns:o="{OWL}"/>', id="OWL/XML with a prefix"),
        pytest.param("turtle", f"# note\n#\n\n{PREFIX}<http://x/A> a owl:Class .\n", id="Turtle after comments"),
        pytest.param("turtle", f"BASE <http://x/>\n<A> a <{OWL}Class> .\n", id="Turtle with BASE"),
        pytest.param("turtle", f"[] a <{OWL}Ontology> .\n<http://x/A> a <{OWL}Class> .\n", id="Turtle with [] first"),
        pytest.param("turtle", f"[ a <{OWL}Ontology> ] .\n<http://x/A> a <{OWL}Class> .\n", id="Turtle with [ first"),
        pytest.param("turtle", f"<A> a <{OWL}Class> .\n", id="Turtle with a relative IRI first"),
        pytest.param("turtle", f"<#A> a <{OWL}Class> .\n", id="Turtle with a fragment first"),
        pytest.param(
            "turtle",
            f"{PREFIX}@prefix ontology: <http://dbpedia.org/ontology/> .\nontology:Person a owl:Class .\n",
            id="Turtle with a prefix that is an OBO tag",
        ),
        pytest.param(
            "turtle",
            f'{PREFIX}<http://x/A> a owl:Class ; <http://x/note> """of\ndate: today\n[Term]\n""" .\n',
            id="Turtle with OBO in a literal",
        ),
        pytest.param(
            "turtle",
            f'{PREFIX}<http://x/A> a owl:Class ; <http://x/note> """{{ => }}""" , "graph <x> {{" . # =>\n',
            id="Turtle with braces in literals",
        ),
        pytest.param("nt", f"{TRIPLE} .", id="one triple without an end of line"),
        pytest.param("nt", f"# note\n{TRIPLE} .\n", id="one triple after a comment"),
        pytest.param("nt", f"{TRIPLE} .\n".replace(" ", "\t"), id="triples with TABs"),
        pytest.param("nt", f"{TRIPLE}.\n".replace(" ", "\t"), id="triples with TABs and a full stop at once"),
        pytest.param("nt", f"_:a <{RDF}type> <{OWL}Class> .\n", id="a blank node first"),
        pytest.param("nt", f'<http://x/A> <http://x/p> "<<( {{ => \\" }}"@en .\n{TRIPLE} .\n', id="marks in a literal"),
        pytest.param("nquads", f"{TRIPLE} <http://x/g> .\n".replace(" ", "\t"), id="quads with TABs"),
        pytest.param("nquads", f"{TRIPLE} .\n{TRIPLE} <http://x/g> .\n", id="triples and quads"),
        pytest.param("trig", f"{{ {TRIPLE} }}", id="TriG that is one graph"),
        pytest.param("trig", f"{PREFIX}{{ {TRIPLE} . }}\n", id="TriG with a graph without a name"),
        pytest.param("trig", f"{PREFIX}GRAPH <http://x/g> {{ {TRIPLE} }}\n", id="TriG with GRAPH"),
        pytest.param("trig", f"{PREFIX}_:g {{ {TRIPLE} }}\n", id="TriG with a blank graph"),
        pytest.param("n3", f"{PREFIX}{{ ?a a owl:Class }} => {{ ?a a owl:Thing }} .\n", id="an N3 rule"),
        pytest.param("n3", f"{PREFIX}@forAll <#x> .\n", id="N3 with @forAll"),
        pytest.param("json-ld", f'[{{"@id": "http://x/A", "@type": ["{OWL}Class"]}}]', id="expanded JSON-LD"),
        pytest.param("json-ld", f'[\n  {{\n    "@id": "http://x/A", "@type": "{OWL}Class"}}]', id="the same in lines"),
        pytest.param("json-ld", '{"@context": {"ex": "http://x/"}, "@id": "ex:A"}', id="compact JSON-LD"),
        pytest.param("json-ld", '{\n"@graph"\n: []}', id="JSON-LD in lines"),
        pytest.param("ofn", "# note\nPrefix(:=<http://x#>)\nOntology()\n", id="functional syntax after a comment"),
        pytest.param("ofn", " \n Prefix (:=<http://x#>)\nOntology()\n", id="functional syntax with blanks"),
        pytest.param("obo", "! note\nformat-version: 1.2\n\n[Term]\nid: X:1\n", id="OBO after a comment"),
        pytest.param("obo", "[Term]\nid: X:1\n", id="OBO without a header"),
        pytest.param("obo", 'remark: x\nsubsetdef: a "b"\n\n[Term]\nid: X:1\n', id="OBO with an odd header"),
        pytest.param("obograph", '{"meta": {}, "graphs" :\n[{"nodes": []}]}', id="OBO Graphs after something else"),
        pytest.param("json-ld", "[]", id="an empty list"),
        pytest.param("pairs", '[{"score": 1, "child": "b", "parent": "a"}]', id="pairs with more keys"),
        pytest.param("pairs", '[\n {\n  "parent": "{",\n  "child": "b"\n }\n]', id="pairs in lines"),
        pytest.param("wordnet", "00001740 03 n 01 entity 0 000 | all  \n", id="WordNet without its head"),
        pytest.param("wordnet", "  1 A licence\n\n00001740 29 v 0a a 0 b f 001 @ 00001741 v 0000 | x", id="WordNet"),
        pytest.param("wordnet", "  1 A licence\ndog n 2 1 @ 2 1 02084071 10114209  \n", id="an index of WordNet"),
        pytest.param("tsv", "00001740\t03 n 01 entity 0 000 |\n", id="a table that begins like WordNet"),
        pytest.param("tsv", "  1 cat\n  7 dog\n", id="words and numbers"),
        pytest.param("tsv", "<unk>\tU.S.\n<s>\tmark\n", id="names in angle brackets"),
        pytest.param("tsv", "<b>x</b>\tmark\n<i>y</i>\tmark\n", id="names with tags"),
        pytest.param("tsv", "E. coli\tbacterium\nB. subtilis\tbacterium\n", id="names with initials"),
        pytest.param("tsv", "1.1 Dogs\t1 Animals\n1.2 Cats\t1 Animals\n", id="names with numbers"),
        pytest.param("turtle", "<urn:a>\ta\t<urn:C> ;\n\t<urn:p>\t<urn:b> .\n", id="Turtle with TABs"),
        pytest.param("tsv", "cat\tanimal\ndog\tanimal\n", id="two columns"),
        pytest.param("tsv", "1\tcat\tanimal\n2\tdog\tanimal\n", id="three columns"),
        pytest.param("tsv", "cat animal\ndog animal\n", id="two words"),
        pytest.param("tsv", "ex:cat\tex:animal\nex:dog\tex:animal\n", id="short IRIs"),
        pytest.param("tsv", "ex:cat ex:animal\nex:dog ex:animal\n", id="short IRIs and blanks"),
        pytest.param("tsv", "<http://x/A>\t<http://x/B>\n<http://x/C>\t<http://x/B>\n", id="IRIs in brackets"),
        pytest.param("tsv", "date\ttime\nontology\tscience\n", id="words that are OBO tags"),
        pytest.param("tsv", "ontology:learning\tlearning\nx\ty\n", id="a name that begins with an OBO tag"),
    ],
)
def test_by_content(format: str, content: str) -> None:
    assert detected(content) == format


@pytest.mark.parametrize(
    ("format", "name", "content"),
    [
        ("turtle", "x.ttl", f"{TRIPLE} .\n"),
        ("nt", "x.nt", f"{TRIPLE} .\n"),
        ("nt", "x.owl", f"{TRIPLE} .\n"),
        ("n3", "x.n3", f"{PREFIX}{TRIPLE} .\n"),
        ("trig", "x.trig", f"{PREFIX}{TRIPLE} .\n"),
        ("turtle", "x.nt", f"{PREFIX}{TRIPLE} .\n"),
        ("turtle", "x.ttl", "# nothing here\n"),
        ("turtle", "x.ttl", "# nothing\n"),
        ("tsv", "x.tsv", "# child\tparent\ncat\tanimal\n"),
        ("tsv", "x.taxo", "one word and more\n"),
        ("tsv", "x.tsv.gz", "word\n"),
        ("obo", "x.obo", "! nothing here but a comment\n"),
        ("ofn", "x.fss", "nothing that could be told\n"),
    ],
)
def test_the_suffix_where_the_content_leaves_it_open(format: str, name: str, content: str) -> None:
    assert detected(content, name) == format


@pytest.mark.parametrize("suffix", ["", ".xml", ".owl", ".rdf", ".owx", ".jsonld", ".csv", ".txt"])
def test_neither_content_nor_suffix_tells(suffix: str) -> None:
    with pytest.raises(LoadError) as caught:
        detected("ID Parent Label\n1 2 dog\n", f"gold{suffix}")
    assert str(caught.value) == (f"gold{suffix}: unknown format (starts 'ID Parent Label\\n1 2 dog\\n'). Set format=.")


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_can_be_named(name: str) -> None:
    assert named_format(name) == name
    assert named_format(name.upper()) == name


@pytest.mark.parametrize(
    ("name", "format"),
    [
        ("rdfxml", "xml"), ("RDF/XML", "xml"), ("rdf", "xml"), ("ttl", "turtle"), ("ntriples", "nt"), ("nq", "nquads"),
        ("JSONLD", "json-ld"), ("owx", "owlxml"), ("functional", "ofn"), ("obo-graphs", "obograph"), ("json", "pairs"),
    ],
)  # fmt: skip
def test_a_format_has_other_names(name: str, format: str) -> None:
    assert named_format(name) == format


@pytest.mark.parametrize(
    ("name", "hint"),
    [("turtel", " Did you mean 'turtle'?"), ("ntriple", " Did you mean 'ntriples'?"), ("manchester", ""), ("", "")],
)
def test_a_format_that_nobody_knows(name: str, hint: str) -> None:
    with pytest.raises(ParameterError) as caught:
        named_format(name)
    assert str(caught.value) == (f"unknown format {name!r}.{hint} Use one of: {', '.join(FORMATS)}.")


@pytest.mark.parametrize(("name", "format"), FILES.items())
def test_a_named_format_goes_before_content_and_suffix(name: str, format: str, fixtures: Path) -> None:
    content = (fixtures / "formats" / name).read_bytes()
    assert len(oe.load_ontology(content, format=format).hierarchy) == 8
    if format in ("nt", "turtle"):
        assert oe.load_ontology(content, format="trig").source.format == "trig"


def test_detection_takes_no_time_on_odd_content() -> None:
    """The first 64 kB decide; no pattern may run over them again and again."""
    begin = time.process_time()
    parts = [
        "a.",
        "a:",
        "a ",
        "\n",
        " ",
        "\t",
        "#\n",
        '"',
        '"""',
        "<",
        "<a ",
        "{",
        "[{",
        "[",
        "\\",
        "a\tb\n",
        "_:",
        ";\n",
    ]
    for part in parts:
        content = part * (70_000 // len(part))
        for start in ("", "@prefix a: <http://x/> .\n", "[", "{", "<a>", "a: "):
            with contextlib.suppress(LoadError):
                detected(start + content)
    assert time.process_time() - begin < 10
