"""Shapes: both engines find the same, and everything that we write conforms."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph as ox
import pytest
from helpers import refusal
from hypothesis import example, given, settings
from hypothesis import strategies as st

import ontoeval as oe
from ontoeval.errors import LoadError, OntoevalError, ParameterError, ValidationError
from ontoeval.rdf.store.result_graph import result_triples
from ontoeval.rdf.store.store import write_scores
from ontoeval.rdf.validate import LIMITS, Engine, Report, native, shapes_path, validate
from ontoeval.rdf.validate.shapes import built_in
from ontoeval.rdf.vocabulary import PREFIXES, measure_triples, node

HEAD = "".join(f"@prefix {prefix}: <{iri}> .\n" for prefix, iri in PREFIXES.items()) + (
    "@prefix : <http://example.org/> . @prefix sh: <http://www.w3.org/ns/shacl#> .\n"
)
ENGINES: tuple[Engine, ...] = ("shacl", "native")
Breach = tuple[str, str, str | None]


def turtle(text: str) -> bytes:
    return (HEAD + text).encode()


def breaches(report: Report) -> list[Breach]:
    short = "http://example.org/"
    return [
        (f.rule, f.focus.removeprefix(short), None if f.value is None else f.value.removeprefix(short))
        for f in report.findings
    ]


def both(source: object, shapes: str | None = None) -> list[Breach]:
    """What the engines find, if it is the same."""
    one, other = (validate(source, shapes, engine=engine) for engine in ENGINES)
    assert (one.engine, other.engine) == ENGINES
    assert one.findings == other.findings
    assert (one.shapes, one.labels) == (other.shapes, other.labels)
    return breaches(other)


# ontologies


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (':a skos:prefLabel "x"@en, "x"@de, "x", "y" ; skos:altLabel "y"@en', []),
        (':a skos:prefLabel "x"@en, "y"@en', [("S14", "a", None)]),
        (':a skos:prefLabel "x"@en-GB, "y"@EN-gb, "z"@en', [("S14", "a", None)]),
        (':a skos:prefLabel "x"@en ; skos:altLabel "x"@en, "y"@en', [("S13", "a", '"x"@en')]),
        (':a skos:prefLabel "x"@en ; skos:altLabel "x"@de, "x"', []),
        (':a skos:prefLabel "x" ; skos:altLabel "x" ; skos:hiddenLabel "x"',
         [("S13", "a", '"x"'), ("S13-hidden", "a", '"x"')]),
        (":a skos:related :b", []),
        (":a skos:related :b ; skos:broader :b", [("S27", "a", "b")]),
        (":a skos:related :c ; skos:broader :b . :c skos:narrower :b", [("S27", "a", "c")]),
        (":c skos:related :a . :a skos:broader :b . :b skos:broader :c", [("S27", "a", "c")]),
        (":a skos:related :b . :b skos:related :a ; skos:broaderTransitive :a", [("S27", "b", "a")]),
        (":a skos:broader :a", [("broader-cycle", "a", None)]),
        (":a skos:broader :b . :a skos:narrower :b", [("broader-cycle", "a", None), ("broader-cycle", "b", None)]),
        (":a rdfs:subClassOf :a", []),
        (":a rdfs:subClassOf :b . :b rdfs:subClassOf :a . :c rdfs:subClassOf :a",
         [("subclass-cycle", "a", None), ("subclass-cycle", "b", None)]),
        (":a a owl:Class . owl:Thing a owl:Class . [] a owl:Class", [("has-label", "a", None)]),
        (':a a owl:Class ; dct:title "x" . :b a :Kind ; rdfs:label "y" . :c a :Kind . :Kind rdfs:subClassOf owl:Class',
         [("has-label", "c", None)]),
        (":a rdfs:subClassOf :b . :b owl:deprecated true", [("deprecated-parent", "b", "a")]),
        (":a rdfs:subClassOf :b ; owl:deprecated true . :b owl:deprecated true", []),
        (":a rdfs:subClassOf :b . :b owl:deprecated false", []),
        (":b skos:narrower :a . :b a owl:DeprecatedClass", [("deprecated-parent", "b", "a")]),
    ],
)  # fmt: skip
def test_rules_of_ontologies(text: str, expected: list[Breach]) -> None:
    assert both(turtle(text + " .")) == expected


def test_integrity_is_violated_and_hygiene_is_warned_about() -> None:
    text = ':a skos:prefLabel "x"@en, "y"@en ; skos:broader :a ; rdfs:subClassOf :b . '
    text += ":b a owl:Class, owl:DeprecatedClass ."
    for engine in ENGINES:
        report = validate(turtle(text), engine=engine)
        assert [(f.severity, f.rule) for f in report.findings] == [
            ("violation", "S14"),
            ("warning", "broader-cycle"), ("warning", "deprecated-parent"), ("warning", "has-label"),
        ]  # fmt: skip
        assert report.labels == {"http://example.org/a": "x"}


IRIS = st.sampled_from([ox.NamedNode(f"http://example.org/{letter}") for letter in "abcd"])
LABELS = st.sampled_from(
    [ox.Literal("x"), ox.Literal("x", language="en"), ox.Literal("y", language="en"), ox.Literal("y", language="de")]
)
TRUTH = st.sampled_from([ox.Literal(True), ox.Literal(False)])
KINDS = st.sampled_from(
    [node("owl:Class"), node("owl:DeprecatedClass"), node("skos:Concept"), ox.NamedNode("http://example.org/a")]
)


def told(
    subjects: st.SearchStrategy[ox.NamedNode], predicates: str, objects: st.SearchStrategy[object]
) -> st.SearchStrategy[ox.Triple]:
    return st.builds(ox.Triple, subjects, st.sampled_from([node(name) for name in predicates.split()]), objects)  # type: ignore[arg-type]


ONTOLOGY = st.lists(
    told(IRIS, "skos:broader skos:narrower skos:related rdfs:subClassOf skos:broaderTransitive", IRIS)
    | told(IRIS, "skos:broader skos:related rdfs:subClassOf", IRIS)
    | told(IRIS, "skos:prefLabel skos:altLabel skos:hiddenLabel rdfs:label", LABELS)
    | told(IRIS, "owl:deprecated", TRUTH)
    | told(IRIS, "rdf:type", KINDS),
    min_size=1,
    max_size=12,
)  # fmt: skip


@settings(max_examples=8)
@given(ONTOLOGY)
def test_engines_agree_on_ontologies(triples: list[ox.Triple]) -> None:
    both(triples, "ontology")


@pytest.mark.slow
@settings(max_examples=50)
@given(ONTOLOGY)
def test_engines_agree_on_many_ontologies(triples: list[ox.Triple]) -> None:
    both(triples, "ontology")


# scores

RUN, XSD = "http://example.org/run", PREFIXES["xsd"]
GOOD = f"""
<{RUN}> a oe:Evaluation ; prov:startedAtTime "2026-01-02T03:04:05Z"^^xsd:dateTime ; prov:wasAssociatedWith :tool ;
  prov:used :input ; oe:status oe:Complete ; oe:measurementCount 2 .
:tool a prov:SoftwareAgent ; oe:version "1" .
:input oe:sha256 "{"0a" * 32}" .
<{RUN}/m> a oe:RunScore ; dqv:isMeasurementOf :metric ; dqv:computedOn :input ; dqv:value 0.5e0 ;
  oe:spec "m" ; oe:against :b .
<{RUN}/m/0> a oe:ConceptScore ; dqv:isMeasurementOf :metric ; dqv:computedOn :concept ; oe:undefined "no value" .
:metric oe:minimum 0e0 ; oe:maximum 1e0 .
"""


def test_a_good_graph_has_no_findings() -> None:
    assert both(turtle(GOOD)) == []
    assert validate(turtle(GOOD)).shapes == "scores"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("dqv:isMeasurementOf :metric ; dqv:computedOn :concept", "dqv:computedOn :concept",
         [("one-metric", "run/m/0", None)]),
        ("dqv:computedOn :concept", "dqv:computedOn :concept, :other", [("one-target", "run/m/0", None)]),
        ("dqv:computedOn :concept", "dqv:computedOn 'concept'", [("one-target", "run/m/0", '"concept"')]),
        ("dqv:value 0.5e0", "dqv:value 0.5", [("one-value", "run/m", '"0.5"^^<' + XSD + 'decimal>')]),
        ("dqv:value 0.5e0", "dqv:value 'x'^^xsd:double", [("one-value", "run/m", '"x"^^<' + XSD + 'double>')]),
        ("dqv:value 0.5e0", "dqv:value 0.5e0, 0.6e0", [("one-value", "run/m", None)]),
        ("dqv:value 0.5e0", "dqv:value 'NaN'^^xsd:double", [("not-nan", "run/m", '"NaN"^^<' + XSD + 'double>')]),
        ("dqv:value 0.5e0", "dqv:value 1.5e0", [("within-range", "metric", "run/m")]),
        ("dqv:value 0.5e0", "dqv:value '-INF'^^xsd:double", [("within-range", "metric", "run/m")]),
        ("oe:maximum 1e0", "oe:minimum 0e0", []),
        ("dqv:value 0.5e0 ;", "", [("value-or-reason", "run/m", None)]),
        ("dqv:value 0.5e0", "dqv:value 0.5e0 ; oe:undefined 'why'", [("value-or-reason", "run/m", None)]),
        ('"no value"', '"no value"@en', [("one-reason", "run/m/0", '"no value"@en')]),
        ('"no value"', '"no value", "none"', [("one-reason", "run/m/0", None)]),
        ('oe:spec "m" ;', "", [("one-spec", "run/m", None)]),
        ("; oe:against :b", "", []),
        ("oe:against :b", "oe:against 'b'", [("against-iri", "run/m", '"b"')]),
        (f"<{RUN}/m/0> a oe:ConceptScore", "_:b a oe:ConceptScore",
         [("all-scores", "run", '"2"^^<' + XSD + 'integer>'), ("score-has-iri", "_:b", None)]),
        (f"<{RUN}/m/0> a oe:ConceptScore", f"<{RUN}/m/0> a oe:Score",
         [("all-scores", "run", '"2"^^<' + XSD + 'integer>')]),
        ("oe:measurementCount 2", "oe:measurementCount 2.0", [("one-count", "run", '"2.0"^^<' + XSD + 'decimal>')]),
        ("; oe:measurementCount 2", "", [("one-count", "run", None)]),
        ("oe:measurementCount 2", 'oe:measurementCount 2 ; oe:warning "a", "b"', []),
        ("oe:measurementCount 2", "oe:measurementCount 2 ; oe:warning 3",
         [("warning-text", "run", f'"3"^^<{XSD}integer>')]),
        ("oe:status oe:Complete", "oe:status oe:Half", [("complete", "run", None)]),
        ("prov:used :input ;", "", [("has-inputs", "run", None)]),
        (":tool a prov:SoftwareAgent ;", ":tool", [("software-agent", "tool", None)]),
        ('oe:version "1"', 'rdfs:label "1"', [("software-version", "tool", None)]),
        ('sha256 "0a', 'sha256 "0A', [("input-hash", "input", '"0A' + "0a" * 31 + '"')]),
        ("2026-01-02T", "2026-13-02T", [("one-start", "run", '"2026-13-02T03:04:05Z"^^<' + XSD + 'dateTime>')]),
        ("prov:wasAssociatedWith :tool ;", "", [("one-software", "run", None)]),
    ],
)  # fmt: skip
def test_rules_of_scores(old: str, new: str, expected: list[Breach]) -> None:
    assert old in GOOD
    found = both(turtle(GOOD.replace(old, new)))
    assert [(r, "_:b" if f.startswith("_:") else f, v) for r, f, v in found] == expected


PROPERTY = f"""<{RUN}/m/property/0> a oe:PropertyScore ; dqv:isMeasurementOf :metric ; dqv:computedOn :p ;
  dqv:value 0.5e0 ; oe:spec "m" ; oe:relations 3 ."""


@pytest.mark.slow  # SHACL; the rules of other scores are tested in the fast run
@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("; oe:relations 3", "; oe:relations 0", []),
        ("; oe:relations 3", "", [("one-number-of-relations", "run/m/property/0", None)]),
        ("oe:relations 3", "oe:relations 3, 4", [("one-number-of-relations", "run/m/property/0", None)]),
        ("oe:relations 3", "oe:relations -3",
         [("one-number-of-relations", "run/m/property/0", '"-3"^^<' + XSD + 'integer>')]),
        ("oe:relations 3", "oe:relations 3e0",
         [("one-number-of-relations", "run/m/property/0", '"3e0"^^<' + XSD + 'double>')]),
        ('oe:spec "m" ; oe:relations', "oe:relations", [("one-property-spec", "run/m/property/0", None)]),
        ("dqv:value 0.5e0", "dqv:value 1.5e0", [("within-range", "metric", "run/m/property/0")]),
        ("dqv:value 0.5e0 ;", "", [("value-or-reason", "run/m/property/0", None)]),
        ("dqv:computedOn :p", "dqv:computedOn 'p'", [("one-target", "run/m/property/0", '"p"')]),
    ],
)  # fmt: skip
def test_rules_of_scores_by_property(old: str, new: str, expected: list[Breach]) -> None:
    assert old in PROPERTY
    counted = GOOD.replace("measurementCount 2", "measurementCount 3")
    assert both(turtle(counted + PROPERTY)) == []
    assert both(turtle(counted + PROPERTY.replace(old, new))) == expected


SUBJECTS = st.sampled_from(
    [ox.NamedNode(RUN), *(ox.NamedNode(f"{RUN}/{name}") for name in "mn"), ox.NamedNode("http://example.org/x")]
)
VALUES = st.sampled_from([
    *(ox.Literal(text, datatype=node("xsd:double")) for text in ("0.5", "1.5", "-1", "NaN", "INF", "oops")),
    ox.Literal("a"), ox.Literal(1), ox.Literal("oops", datatype=node("xsd:integer")), ox.Literal("0a" * 32),
    ox.Literal("2026-01-02T03:04:05Z", datatype=node("xsd:dateTime")), node("oe:Complete"),
])  # fmt: skip
TYPES = st.sampled_from([node(f"oe:{name}") for name in ("RunScore", "ConceptScore", "PropertyScore", "Evaluation")])
SCORES = st.lists(
    told(SUBJECTS, "rdf:type", TYPES)
    | told(SUBJECTS, "dqv:isMeasurementOf dqv:computedOn prov:used prov:wasAssociatedWith oe:against", SUBJECTS)
    | told(SUBJECTS, "dqv:value dqv:value oe:undefined oe:minimum oe:maximum oe:spec oe:version oe:sha256", VALUES)
    | told(SUBJECTS, "oe:measurementCount oe:relations oe:status prov:startedAtTime dqv:computedOn prov:used", VALUES),
    min_size=1,
    max_size=14,
)  # fmt: skip


@settings(max_examples=8)
@given(SCORES)
@example([ox.Triple(ox.NamedNode(RUN), node("rdf:type"), node("oe:Evaluation"))])
def test_engines_agree_on_scores(triples: list[ox.Triple]) -> None:
    both(triples, "scores")


@pytest.mark.slow
@settings(max_examples=50)
@given(SCORES)
def test_engines_agree_on_many_scores(triples: list[ox.Triple]) -> None:
    both(triples, "scores")


# what we write


@pytest.fixture(scope="module")
def results() -> list[oe.EvaluationResult]:
    """Scores of files, of plain names, and undefined ones."""
    folder = Path(__file__).parents[3] / "fixtures" / "dellschaft2006"
    gold = oe.load_ontology(folder / "or1.ttl")
    plain = oe.load_ontology(b'van\tvehicle\ncoup\xc3\xa9 "x"\tvehicle\n', root="none")
    alone = oe.load_ontology(b"ship\tboat\n", root="none")
    tasks = [(oe.load_ontology(folder / "oc1.ttl"), gold), (plain, plain), (alone, plain)]
    fitting = [d.name for d in oe.all_measures() if d.task is oe.Comparison and not d.needs]
    every = sorted({str(oe.parse(name)) for name in fitting})  # TP and TP_csc are the same measure
    return [oe.evaluate(oe.Comparison(one, other, oe.match(one, other)), every) for one, other in tasks]


@pytest.mark.parametrize(
    ("local", "suffix"),
    [
        (True, ".nq"),
        *(pytest.param(*case, marks=pytest.mark.slow) for case in ((True, ".trig"), (False, ".nq"), (False, ".trig"))),
    ],
)
def test_every_graph_that_we_write_conforms(
    results: list[oe.EvaluationResult], tmp_path: Path, suffix: str, local: bool
) -> None:
    assert any(score.undefined for result in results for score in result.scores)
    path = tmp_path / f"scores{suffix}"
    write_scores(results, path, local=local)
    assert ("ConceptScore" in path.read_text(encoding="utf-8")) == local
    report = validate(path, engine="native")
    assert (report.shapes, report.findings) == ("scores", ())
    if local and suffix == ".trig":
        assert validate(path, engine="shacl").findings == ()


def test_a_whole_graph_misses_what_is_taken_away(results: list[oe.EvaluationResult]) -> None:
    triples = [*result_triples(results[0]), *measure_triples()]
    assert breaches(validate(triples, engine="native")) == []
    for gone in ("isMeasurementOf", "computedOn", "value", "startedAtTime", "sha256", "status", "measurementCount"):
        left = [t for t in triples if not t.predicate.value.endswith(gone)]
        assert not validate(left, engine="native").conforms


# real data


def test_the_astronomy_thesaurus_breaks_s27_twice(shared_data: Path) -> None:
    report = validate(shared_data / "uat" / "UAT.rdf.gz")
    assert report.engine == "native"  # 2,275 concepts take SHACL half a minute
    base = "http://astrothesaurus.org/uat/"
    assert [(f.rule, f.focus, f.value) for f in report.findings] == [
        ("S27", f"{base}1813", f"{base}1822"),
        ("S27", f"{base}1878", f"{base}633"),
    ]
    with pytest.raises(ValidationError, match=r"UAT\.rdf\.gz: 2 violations of the shapes 'ontology', first: S27"):
        report.check()


@pytest.mark.slow
def test_engines_agree_on_the_astronomy_thesaurus(shared_data: Path) -> None:
    assert len(both(shared_data / "uat" / "UAT.rdf.gz")) == 2


# in and out


def test_big_graphs_are_checked_natively(monkeypatch: pytest.MonkeyPatch) -> None:
    assert validate(turtle(GOOD)).engine == "shacl"
    monkeypatch.setitem(LIMITS, "scores", 1)
    assert validate(turtle(GOOD)).engine == "native"


def test_a_chain_too_deep_for_shacl_is_checked_natively() -> None:
    chain = turtle("".join(f":c{i} skos:broader :c{i + 1} .\n" for i in range(1500)) + ":c1500 skos:broader :c0 .")
    assert len(validate(chain, engine="native").findings) == 1501
    with pytest.raises(
        OntoevalError, match=r"^\(bytes\): the hierarchy is too deep for the engine shacl\. Use engine=\"native\"\.$"
    ):
        validate(chain, engine="shacl")
    assert validate(chain).engine == "native"


def test_named_graphs_are_checked_together(tmp_path: Path) -> None:
    path = tmp_path / "two.trig"
    path.write_text(HEAD + ':g { :a skos:prefLabel "x"@en } :h { :a skos:prefLabel "y"@en }', encoding="utf-8")
    assert both(path) == [("S14", "a", None)]


def test_rdflib_graphs_are_taken() -> None:
    import rdflib

    graph = rdflib.Graph().parse(data=turtle(":a skos:broader :a ."), format="turtle")
    assert both(graph) == [("broader-cycle", "a", None)]
    assert len(graph) == 1


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("x.obo", "ontology: x\n\n[Term]\nid: X:1\nname: one\nis_a: X:2\n\n[Term]\nid: X:2\nis_obsolete: true\n",
         [("deprecated-parent", "http://purl.obolibrary.org/obo/X_2", "http://purl.obolibrary.org/obo/X_1"),
          ("has-label", "http://purl.obolibrary.org/obo/X_2", None)]),
        ("x.tsv", "cat\tanimal\nanimal\tcat\n",
         [("subclass-cycle", "urn:name:animal", None), ("subclass-cycle", "urn:name:cat", None)]),
        ("x.ofn", "Prefix(:=<http://example.org/>)\nOntology(<http://example.org/>\nDeclaration(Class(:a))\n)",
         [("has-label", "a", None)]),
    ],
)  # fmt: skip
def test_formats_without_triples(tmp_path: Path, name: str, text: str, expected: list[Breach]) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert both(tmp_path / name) == expected


def own(text: str) -> bytes:
    return turtle(f":Mine a sh:NodeShape ; sh:targetClass skos:Concept ; {text} .")


DATA = turtle(":a a skos:Concept ; rdfs:label 'a' .")


def test_shapes_of_ones_own() -> None:
    report = validate(
        DATA, own("sh:name 'dated' ; sh:severity sh:Warning ; sh:property [ sh:path dct:date ; sh:minCount 1 ]")
    )
    assert [(f.rule, f.severity, f.focus) for f in report.findings] == [
        ("MinCount of date", "violation", "http://example.org/a")
    ]
    report = validate(DATA, own("sh:name 'none' ; sh:severity sh:Warning ; sh:message 'no' ; sh:nodeKind sh:Literal"))
    assert [(f.rule, f.severity, f.value, f.message) for f in report.findings] == [("none", "warning", None, "no")]
    assert report.conforms
    report.check()


def refused(error: type[OntoevalError], message: str, source: object, shapes: object = None, **options: object) -> None:
    assert refusal(error, validate, source, shapes, **options) == message


def test_what_cannot_be_used_is_refused(tmp_path: Path) -> None:
    refused(LoadError, "none.ttl: no such file. Check the path.", "none.ttl")
    refused(LoadError, "(bytes): no statements found. Use an RDF file.", b"@prefix : <http://example.org/> .")
    refused(
        ParameterError,
        "unknown shapes 'score'. Did you mean 'scores'? Use a file, or one of: scores, ontology, corpus.",
        DATA,
        "score",
    )
    refused(LoadError, "mine.ttl: no such file. Check the path.", DATA, "mine.ttl")
    refused(LoadError, "(bytes): no SHACL shapes found. Use a file of shapes.", DATA, DATA)
    refused(ParameterError, "unknown engine 'fast'. Use one of: auto, shacl, native.", DATA, engine="fast")
    message = 'the native engine supports built-in shapes only. Use engine="shacl".'
    refused(ParameterError, message, DATA, own("sh:nodeKind sh:IRI"), engine="native")
    message = "an iterable must contain pyoxigraph triples or quads. Use a file or a graph."
    refused(ParameterError, message, [1, 2])


@pytest.mark.parametrize("query", ["SELECT $this WHERE { nonsense", "ASK { ?a ?b }"])
def test_bad_shapes_are_refused_in_words(query: str) -> None:
    with pytest.raises(OntoevalError, match=r"^\(bytes\): cannot be used as shapes \(.*\)\. Correct the file\.$"):
        validate(DATA, own(f"sh:sparql [ sh:select '''{query}''' ]"))
    with pytest.raises(OntoevalError, match=r"cannot be used as shapes"):
        validate(DATA, own("sh:property [ sh:minCount 1 ]"))


@pytest.mark.parametrize(
    ("word", "query"),
    [
        ("SERVICE", "SELECT $this WHERE { SERVICE <http://127.0.0.1:9/> { $this ?p ?o } }"),
        ("FROM", "SELECT $this from <http://127.0.0.1:9/> WHERE { $this ?p ?o }"),
    ],
)
def test_nothing_is_fetched(word: str, query: str) -> None:
    message = f"(bytes): a query in the shapes uses {word}, but nothing is downloaded. Remove it."
    refused(LoadError, message, DATA, own(f"sh:sparql [ sh:select '''{query}''' ]"))
    fine = 'SELECT $this WHERE { $this <http://example.org/from> ?from # service\n FILTER(?from = "load") }'
    assert validate(DATA, own(f"sh:sparql [ sh:select '''{fine}''' ]")).conforms


def test_imports_are_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    import socket

    def no_network(*_: object, **__: object) -> None:
        raise AssertionError("somebody called out")

    monkeypatch.setattr(socket.socket, "connect", no_network)
    imports = ". <http://example.org/o> a owl:Ontology ; owl:imports <http://127.0.0.1:9/other>"
    assert validate(DATA + imports.encode()[1:] + b" .", own(f"sh:nodeKind sh:IRI {imports}")).conforms


@pytest.mark.parametrize("name", ["scores", "ontology"])
def test_every_rule_of_the_shapes_is_checked_natively(name: str) -> None:
    """A rule that is added to a file and forgotten here would be found by SHACL alone."""
    rules, _ = built_in(name)
    source = Path(native.__file__).read_text(encoding="utf-8")
    assert {rule for rule in rules if f'"{rule}"' not in source} == set()
    assert all(rule.message for rule in rules.values())
    assert shapes_path(name).is_file()


def test_the_worst_findings_come_first_whatever_their_rules_are_called() -> None:
    kinds = (("a", "Info"), ("b", "Warning"), ("c", "Violation"))
    shapes = "".join(
        f":{name} a sh:NodeShape ; sh:targetClass skos:Concept ; sh:nodeKind sh:Literal ; sh:severity sh:{kind} .\n"
        for name, kind in kinds
    )
    report = validate(DATA, turtle(shapes))
    assert [(f.severity, f.rule) for f in report.findings] == [("violation", "c"), ("warning", "b"), ("info", "a")]


@pytest.mark.parametrize("kind", ["RunScore", "ConceptScore", "PairScore"])
def test_more_scores_than_an_evaluation_tells_of_are_found(kind: str) -> None:
    score = f"<{RUN}/n> a oe:{kind} ; dqv:isMeasurementOf :metric ; dqv:computedOn :b ; dqv:value 0.5e0 ; oe:spec 'n' ."
    assert both(turtle(GOOD + score)) == [("all-scores", "run", '"2"^^<' + XSD + "integer>")]
    assert both(turtle(GOOD.replace("measurementCount 2", "measurementCount 3") + score)) == []


@pytest.mark.parametrize(
    ("time", "good"),
    [
        ("2026-01-02T03:04:05", True),  # XML Schema: the zone may be left out
        ("2026-01-02T03:04:05.678", True),
        ("2026-01-02T03:04:05.678+01:00", True),
        ("2026-01-02T03:04:05-05:30", True),
        ("2026-01-02T03:04", False),
        ("2026-01-02", False),
    ],
)
def test_a_start_may_have_a_zone(time: str, good: bool) -> None:
    found = both(turtle(GOOD.replace("2026-01-02T03:04:05Z", time)))
    assert found == ([] if good else [("one-start", "run", f'"{time}"^^<{XSD}dateTime>')])


@pytest.mark.parametrize(
    ("bounds", "good"),
    [
        ("oe:minimum 0e0, 0.25e0 ; oe:maximum 1e0, 0.75e0", True),
        ("oe:minimum 0e0, 0.6e0 ; oe:maximum 1e0", False),
        ("oe:minimum 0.6e0, 0e0 ; oe:maximum 1e0", False),
        ("oe:minimum 0e0 ; oe:maximum 1e0, 0.4e0", False),
        ("oe:minimum 0e0 ; oe:maximum 0.4e0, 1e0", False),
    ],
)
def test_of_several_bounds_every_one_holds(bounds: str, good: bool) -> None:
    found = both(turtle(GOOD.replace("oe:minimum 0e0 ; oe:maximum 1e0", bounds)))
    assert found == ([] if good else [("within-range", "metric", "run/m")])
