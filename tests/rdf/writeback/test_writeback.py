"""Scores in an ontology: what is written, that nothing of the original is lost, and that all of it goes again."""

from __future__ import annotations

import gzip
import hashlib
import re
import shutil
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest
from helpers import refusal
from tiny_files import FILES, FOLDER, RDF_OR_OWL

from ontoeval import Comparison, evaluate, load_ontology
from ontoeval.errors import LoadError, MissingInputError, OntoevalError, ParameterError
from ontoeval.load.formats import FORMATS, detect
from ontoeval.load.input import open_input
from ontoeval.load.options import LoadOptions
from ontoeval.rdf.store.result_graph import run_iri
from ontoeval.rdf.writeback import SCORE, SUFFIXES, annotate, clean, score_iri
from ontoeval.results import EvaluationResult

OE = "https://w3id.org/ontoeval/"
OWL = "http://www.w3.org/2002/07/owl#"
HEAD = """@prefix : <http://ex.org/o#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""
PAPER = sorted(path.name for path in (FOLDER.parent / "dellschaft2006").glob("*.ttl"))
RDF_FILES = [*(f"formats/{name}" for name in RDF_OR_OWL), *(f"dellschaft2006/{name}" for name in PAPER)]
MISC = ["demo.owl", "food.rdf", "hierarchy1.turtle", "pizza.owl.rdf", "simple_owl.turtle.rdf", "test1.ttl", "test2.ttl",
        "wine.rdfxml.owl"]  # fmt: skip
needs_java = pytest.mark.skipif(shutil.which("java") is None, reason="Java is not installed")


def triples(path: Path) -> list[ox.Triple]:
    source = open_input(path)
    with FORMATS[detect(source)].quads(source, LoadOptions()) as quads:
        return [quad.triple for quad in quads]


def canonical(statements: Iterable[ox.Triple]) -> set[str]:
    """The triples with blank nodes renamed: equal for isomorphic graphs."""
    graph = ox.Dataset(ox.Quad(t.subject, t.predicate, t.object) for t in statements)
    graph.canonicalize(ox.CanonicalizationAlgorithm.RDFC_1_0_SHA_256)
    return {str(quad) for quad in graph}


def result_of(learned: Path, gold: Path | None = None, measures: Any = ("TP_csc", "TR_csc"), **options: Any) -> Any:
    ours = load_ontology(learned, **options)
    return evaluate(Comparison(ours, load_ontology(gold or learned, **options)), list(measures))


def scores(path: Path) -> dict[tuple[str, str], float]:
    """(concept, measure) -> value."""
    found = {}
    for triple in triples(path):
        if triple.predicate.value.startswith(SCORE):
            key = triple.subject.value, triple.predicate.value.removeprefix(SCORE)
            assert key not in found
            assert triple.object.datatype.value.endswith("XMLSchema#double")
            found[key] = float(triple.object.value)
    return found


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    learned, gold = tmp_path / "learned.ttl", tmp_path / "gold.ttl"
    learned.write_text(HEAD + "<http://ex.org/o> a owl:Ontology . :b rdfs:subClassOf :a . :c rdfs:subClassOf :a . "
                       ":n rdfs:subClassOf :b .")  # fmt: skip
    gold.write_text(HEAD + ":b rdfs:subClassOf :a . :c rdfs:subClassOf :b . :g rdfs:subClassOf :c .")
    return learned, gold


# what is written


def test_scores_stand_on_the_concepts_with_the_run(pair: tuple[Path, Path], tmp_path: Path) -> None:
    learned, gold = pair
    result = result_of(learned, gold)
    written = annotate(result, learned, tmp_path / "overlay.ttl")
    found = scores(tmp_path / "overlay.ttl")
    ns = "http://ex.org/o#"
    expected = {(name, "TP_csc"): value for name, value in result["TP_csc"].local.to_dict().items()}
    # recall is scored on gold concepts: g has no partner
    expected |= {(n, "TR_csc"): v for n, v in result["TR_csc"].local.to_dict().items() if n != ns + "g"}
    assert found == expected
    assert (ns + "c", "TR_csc") in found
    assert (written.scores, written.measures) == (len(found), ("TP_csc", "TR_csc"))
    assert written.concepts == len({concept for concept, _ in found})
    everything = {str(t) for t in triples(tmp_path / "overlay.ttl")}
    for name in (f"{SCORE}TP_csc", f"{SCORE}TR_csc", f"{OE}run"):
        assert f"<{name}> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <{OWL}AnnotationProperty>" in everything
    assert f'<{SCORE}TP_csc> <http://www.w3.org/2000/01/rdf-schema#label> "TP_csc"' in everything
    axioms: dict[Any, dict[str, Any]] = {}
    for t in triples(tmp_path / "overlay.ttl"):
        if isinstance(t.subject, ox.BlankNode):
            axioms.setdefault(t.subject, {})[t.predicate.value] = t.object
    told = set()
    for axiom in axioms.values():
        source, prop, target = (axiom[OWL + "annotated" + end] for end in ("Source", "Property", "Target"))
        told.add((source.value, prop.value.removeprefix(SCORE), float(target.value)))
        assert axiom[OE + "run"] == run_iri(result)
        assert len(axiom) == 5
    assert told == {(*key, value) for key, value in found.items()}


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_all_syntaxes_say_the_same(pair: tuple[Path, Path], tmp_path: Path, suffix: str) -> None:
    learned, gold = pair
    result = result_of(learned, gold, ["TP_csc", "TP(extract=sc, over=learned)"])
    annotate(result, learned, tmp_path / "one.ttl")
    annotate(result, learned, tmp_path / f"two{suffix}")
    assert canonical(triples(tmp_path / "one.ttl")) == canonical(triples(tmp_path / f"two{suffix}"))
    assert not list(tmp_path.glob(".*"))


@pytest.mark.parametrize(
    ("measure", "iri"),
    [
        ("TP_csc", "TP_csc"),
        ("TP(extract=sc, over=learned)", "TP%28extract%3Dsc%2C%20over%3Dlearned%29_"),
        ("X(y=0.5)", "X%28y%3D0.5%29_"),
    ],
)
def test_the_property_of_a_measure_ends_in_a_name(measure: str, iri: str) -> None:
    assert score_iri(measure) == SCORE + iri


def test_one_measure_under_two_names_is_one_score(pair: tuple[Path, Path], tmp_path: Path) -> None:
    learned, gold = pair
    written = annotate(result_of(learned, gold, ["TP_csc", "TP(extract=csc)"]), learned, tmp_path / "o.ttl")
    assert written.measures == ("TP_csc",)
    assert len(scores(tmp_path / "o.ttl")) == written.scores


@pytest.mark.parametrize("suffix", [".ttl", ".nt", ".owl"])
@pytest.mark.parametrize("merged", [False, True])
def test_odd_iris(tmp_path: Path, suffix: str, merged: bool) -> None:
    odd = [
        "http://ex.org/a(b)",
        "http://ex.org/ünï/日本",
        "http://ex.org/100%25",
        "http://ex.org/x?q=1&r=2",
        "urn:x:y'z",
    ]
    learned = tmp_path / "learned.nt"
    subclass = "<http://www.w3.org/2000/01/rdf-schema#subClassOf>"
    learned.write_text("".join(f"<{iri}> {subclass} <http://ex.org/top> .\n" for iri in odd), encoding="utf-8")
    target = tmp_path / f"scored{suffix}"
    annotate(result_of(learned, measures=["TP(extract=sc)"]), learned, target, merged=merged)
    assert {concept for concept, _ in scores(target)} == {*odd, "http://ex.org/top"}


def test_an_added_root_has_no_score(tmp_path: Path) -> None:
    learned = tmp_path / "learned.ttl"
    learned.write_text(HEAD + ":a a owl:Class . :b a owl:Class .")
    annotate(result_of(learned, measures=["TP_sc", "TR_sc"]), learned, tmp_path / "o.ttl")
    assert {concept for concept, _ in scores(tmp_path / "o.ttl")} == {"http://ex.org/o#a", "http://ex.org/o#b"}


def test_a_skos_concept_stays_one(fixtures: Path, tmp_path: Path) -> None:
    learned = fixtures / "formats" / "tiny-skos.ttl"
    annotate(result_of(learned), learned, tmp_path / "merged.ttl", merged=True)
    typed = {t.object.value for t in triples(tmp_path / "merged.ttl") if t.subject == ox.NamedNode("https://example.org/tiny#Car")
             and t.predicate.value.endswith("#type")}  # fmt: skip
    assert typed == {"http://www.w3.org/2004/02/skos/core#Concept"}
    assert load_ontology(tmp_path / "merged.ttl").digest == load_ontology(learned).digest


def test_the_same_run_writes_the_same_file(pair: tuple[Path, Path], tmp_path: Path) -> None:
    learned, gold = pair
    for name in ("one.nt", "two.nt", "one.ttl", "two.ttl"):
        annotate(result_of(learned, gold), learned, tmp_path / name, merged=True)
    assert (tmp_path / "one.nt").read_bytes() == (tmp_path / "two.nt").read_bytes()
    assert (tmp_path / "one.ttl").read_bytes() == (tmp_path / "two.ttl").read_bytes()


# the overlay and its catalogue


def test_the_overlay_finds_its_import(pair: tuple[Path, Path], tmp_path: Path) -> None:
    learned, gold = pair
    folder = tmp_path / "sub dir"
    folder.mkdir()
    before = hashlib.sha256(learned.read_bytes()).hexdigest()
    written = annotate(result_of(learned, gold), learned, folder / "scores.owl")
    assert hashlib.sha256(learned.read_bytes()).hexdigest() == before
    assert written.catalogue == folder / "catalog-v001.xml"
    assert written.catalogue.read_text() == (
        '<?xml version="1.0" encoding="UTF-8"?>'
        '<catalog xmlns="urn:oasis:names:tc:entity:xmlns:xml:catalog" prefer="public">\n'
        '    <uri id="ontoeval" name="http://ex.org/o" uri="../learned.ttl"/>\n</catalog>\n'
    )
    whole = load_ontology(folder / "scores.owl", imports=[folder])
    assert whole.source.unresolved_imports == ()
    assert sorted(whole.hierarchy.iris) == sorted(load_ontology(learned).hierarchy.iris)


@pytest.mark.parametrize("name", ["hier (1) %.ttl", "tiny.ofn", "tiny.owx", "tiny-skos.ttl", "packed.nt.gz"])
def test_every_file_can_be_imported(fixtures: Path, tmp_path: Path, name: str) -> None:
    learned = tmp_path / name
    if (fixtures / "formats" / name).exists():
        shutil.copy(fixtures / "formats" / name, learned)
    elif name.endswith(".gz"):
        learned.write_bytes(gzip.compress((fixtures / "formats" / "tiny.nt").read_bytes()))
    else:
        learned.write_text(HEAD + ":b rdfs:subClassOf :a .")  # it has no IRI of its own
    annotate(result_of(learned), learned, tmp_path / "scores.ttl")
    whole = load_ontology(tmp_path / "scores.ttl", imports=[tmp_path])
    assert whole.source.unresolved_imports == ()
    assert sorted(whole.hierarchy.iris) == sorted(load_ontology(learned).hierarchy.iris)


def test_obo_can_have_an_overlay(fixtures: Path, tmp_path: Path) -> None:
    learned = fixtures / "formats" / "tiny.obo"
    written = annotate(result_of(learned), learned, tmp_path / "scores.ttl")
    assert written.scores == len(scores(tmp_path / "scores.ttl")) > 0


def test_a_catalogue_is_extended_once(pair: tuple[Path, Path], tmp_path: Path) -> None:
    learned, gold = pair
    catalogue = tmp_path / "catalog-v001.xml"
    catalogue.write_text(
        '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<!-- mine -->\n'
        '<c:catalog xmlns:c="urn:oasis:names:tc:entity:xmlns:xml:catalog" prefer="public">'
        '<c:group id="g"><!-- é --><c:uri name="http://other.org/" uri="other.owl"/></c:group></c:catalog>'
    )
    annotate(result_of(learned, gold), learned, tmp_path / "scores.ttl")
    text = catalogue.read_text()
    assert "<!-- mine -->" in text
    assert '<!-- é --><c:uri name="http://other.org/" uri="other.owl"/></c:group></c:catalog>' in text
    assert '<c:uri id="ontoeval" name="http://ex.org/o" uri="learned.ttl"/>' in text
    annotate(result_of(learned, gold), learned, tmp_path / "scores2.ttl")
    assert catalogue.read_text() == text
    moved = learned.rename(tmp_path / "moved.ttl")
    annotate(result_of(moved, gold), moved, tmp_path / "scores.ttl")
    assert catalogue.read_text() == text.replace("learned.ttl", "moved.ttl")


def test_an_entry_of_the_user_is_not_changed(pair: tuple[Path, Path], tmp_path: Path) -> None:
    learned, gold = pair
    catalogue = tmp_path / "catalog-v001.xml"
    catalogue.write_text('<catalog xmlns="urn:x"><uri id="User" name="http://ex.org/o" uri="gold.ttl"/></catalog>')
    with pytest.raises(OntoevalError) as caught:
        annotate(result_of(learned, gold), learned, tmp_path / "scores.ttl")
    assert str(caught.value) == (
        f"{catalogue}: the catalog maps http://ex.org/o to {gold}, not to {learned}. Write the overlay to another "
        "directory, or correct the catalog."
    )
    assert not (tmp_path / "scores.ttl").exists()
    catalogue.write_text("<catalog><uri></catalog>")
    with pytest.raises(LoadError, match="not a valid XML catalog: mismatched tag: line 1, column 16"):
        annotate(result_of(learned, gold), learned, tmp_path / "scores.ttl")
    assert catalogue.read_text() == "<catalog><uri></catalog>"


# merged and clean


def round_trip(learned: Path, folder: Path, suffix: str) -> None:
    before = learned.read_bytes()
    merged, again = folder / f"merged{suffix}", folder / f"again{suffix}"
    result = result_of(learned)
    written = annotate(result, learned, merged, merged=True)
    assert learned.read_bytes() == before
    original = canonical(triples(learned))
    whole = triples(merged)
    assert len(scores(merged)) == written.scores > 0
    assert load_ontology(merged).digest == load_ontology(learned).digest
    cleaned = clean(merged, again)
    assert canonical(triples(again)) == original
    assert cleaned.removed == len(set(map(str, whole))) - len(set(map(str, triples(again))))
    # once more replaces
    second = folder / f"second{suffix}"
    assert annotate(result_of(merged), merged, second, merged=True).removed == cleaned.removed
    assert scores(second) == scores(merged)
    assert len(triples(second)) == len(whole)


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".ttl", ".nt", ".rdf"])
@pytest.mark.parametrize("name", RDF_FILES)
def test_clean_gives_the_original_back(fixtures: Path, tmp_path: Path, name: str, suffix: str) -> None:
    round_trip(fixtures / name, tmp_path, suffix)


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".ttl", ".owl"])
@pytest.mark.parametrize("name", MISC)
def test_clean_gives_real_ontologies_back(shared_data: Path, tmp_path: Path, name: str, suffix: str) -> None:
    round_trip(shared_data / "owl-misc" / name, tmp_path, suffix)


LITERALS = (
    HEAD
    + r"""
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . @prefix o: <http://www.w3.org/2002/07/owl#> .
@prefix score: <http://s/> .
:b rdfs:subClassOf :a ; :p "01"^^xsd:integer , "abc"^^xsd:integer , "x"@EN-us , "a\nb\t\r\n<&>\"'é" ,
  "" , "1.0E0"^^xsd:double .
_:1 :p _:b0 , [ :q ( 1 2 ) ] . _:oe :p _:oe . :b :p _:1 . :a :p :a .
[] a owl:Axiom ; owl:annotatedSource :b ; owl:annotatedProperty rdfs:subClassOf ; owl:annotatedTarget :a ;
  rdfs:comment "mine" .
"""
)


@pytest.mark.parametrize("suffix", [".ttl", ".nt", ".owl"])
def test_literals_and_blank_nodes_are_carried_over(tmp_path: Path, suffix: str) -> None:
    learned = tmp_path / "learned.ttl"
    learned.write_text(LITERALS, encoding="utf-8")
    round_trip(learned, tmp_path, suffix)


def test_what_a_user_said_about_a_score_goes_with_it(pair: tuple[Path, Path], tmp_path: Path) -> None:
    learned, gold = pair
    annotate(result_of(learned, gold), learned, tmp_path / "m.ttl", merged=True)
    text = (tmp_path / "m.ttl").read_text().replace("[] rdf:type", '[] rdfs:comment "bad" ; rdf:type')
    (tmp_path / "m.ttl").write_text(text)
    clean(tmp_path / "m.ttl", tmp_path / "c.ttl")
    assert canonical(triples(tmp_path / "c.ttl")) == canonical(triples(learned))


def test_clean_without_scores_and_with_nothing_else(pair: tuple[Path, Path], tmp_path: Path) -> None:
    learned, gold = pair
    written = clean(learned, tmp_path / "c.ttl")
    assert (written.removed, written.notes) == (0, ("no scores of ontoeval found",))
    assert canonical(triples(tmp_path / "c.ttl")) == canonical(triples(learned))
    annotate(result_of(learned, gold), learned, tmp_path / "o.ttl")
    written = clean(tmp_path / "o.ttl", tmp_path / "c.nt")
    assert written.notes == ("the file has only scores; the ontology that it imports has none",)
    assert (tmp_path / "c.nt").read_text() == ""


def test_rules_of_n3_are_noted(fixtures: Path, tmp_path: Path) -> None:
    learned = fixtures / "formats" / "tiny.n3"
    note = "left out: rules and formulas of N3 (other syntaxes cannot hold them)"
    assert annotate(result_of(learned), learned, tmp_path / "m.ttl", merged=True).notes == (note,)


def test_a_slightly_broken_file_can_be_merged(tmp_path: Path) -> None:
    learned = tmp_path / "learned.ttl"
    learned.write_text(
        HEAD + ":b rdfs:subClassOf :a . <http://ex.org/a b> rdfs:subClassOf :a . <rel> rdfs:subClassOf :a ."
    )
    result = result_of(learned, lenient=True)
    with pytest.raises(LoadError, match=r"learned\.ttl, line 3"):
        annotate(result, learned, tmp_path / "m.ttl", merged=True)
    written = annotate(result, learned, tmp_path / "m.ttl", merged=True, lenient=True)
    assert written.notes == ("1 concept has no valid IRI, so no scores: http://ex.org/a b",)
    assert (learned.parent / "rel").as_uri() in {concept for concept, _ in scores_leniently(tmp_path / "m.ttl")}


def test_json_ld_with_relative_iris(tmp_path: Path) -> None:
    learned = tmp_path / "learned.jsonld"
    subclass = "http://www.w3.org/2000/01/rdf-schema#subClassOf"
    learned.write_text(
        f'{{"@id": "http://ex.org/b", "{subclass}": {{"@id": "http://ex.org/a"}}, "http://ex.org/p": {{"@id": "rel"}}}}'
    )
    with pytest.raises(LoadError) as caught:
        annotate(result_of(learned), learned, tmp_path / "m.ttl", merged=True)
    assert str(caught.value) == (
        f'{learned}: a relative IRI without a base. Set base_iri="IRI", or lenient=True to use the file\'s address.'
    )
    annotate(result_of(learned), learned, tmp_path / "m.ttl", merged=True, base_iri="http://base.org/")
    assert "<http://base.org/rel>" in (tmp_path / "m.ttl").read_text()


def scores_leniently(path: Path) -> list[tuple[str, str]]:
    parsed = ox.parse(path=str(path), format=ox.RdfFormat.TURTLE, lenient=True)
    return [(q.subject.value, q.object.value) for q in parsed if q.predicate.value.startswith(SCORE)]


# other programs


@needs_java
@pytest.mark.parametrize("merged", [False, True])
@pytest.mark.parametrize("name", [pytest.param("pizza", marks=pytest.mark.slow), "tiny"])
def test_hermit_finds_a_scored_file_consistent(
    request: pytest.FixtureRequest, fixtures: Path, tmp_path: Path, merged: bool, name: str
) -> None:
    import owlready2

    learned = fixtures / "formats" / "tiny.rdf"
    if name == "pizza":
        learned = request.getfixturevalue("shared_data") / "owl-misc" / "pizza.owl.rdf"
    measures = ["TP_csc", "TP(extract=sc)"]
    annotate(result_of(learned, measures=measures), learned, tmp_path / "scores.owl", merged=merged)
    world = owlready2.World()
    files = [tmp_path / "scores.owl"] if merged else [learned, tmp_path / "scores.owl"]
    for file in files:
        with file.open("rb") as stream:
            world.get_ontology(load_ontology(learned).source.iri if file == learned else f"{OE}overlay/x").load(
                fileobj=stream, only_local=True
            )
    found = scores(tmp_path / "scores.owl")
    for concept, measure in list(found)[:20]:
        assert world[SCORE + measure] in world.annotation_properties()
        assert world[SCORE + measure][world[concept]] == [found[concept, measure]]
    owlready2.sync_reasoner_hermit(world, debug=0)  # raises if it is inconsistent


def test_owlready2_reads_the_overlay_beside_the_original(fixtures: Path, tmp_path: Path) -> None:
    import owlready2

    learned = fixtures / "formats" / "tiny.rdf"
    annotate(result_of(learned), learned, tmp_path / "scores.owl")
    world = owlready2.World()
    with learned.open("rb") as stream:
        original = world.get_ontology("https://example.org/tiny").load(fileobj=stream)
    with (tmp_path / "scores.owl").open("rb") as stream:
        overlay = world.get_ontology(f"{OE}overlay/x").load(fileobj=stream)
    assert overlay.imported_ontologies == [original]


@pytest.mark.parametrize("merged", [False, True])
def test_horned_owl_sees_the_score_and_its_run(fixtures: Path, tmp_path: Path, merged: bool) -> None:
    import pyhornedowl

    learned = fixtures / "formats" / "tiny.rdf"
    result = result_of(learned, measures=["TP(extract=sc)"])
    annotate(result, learned, tmp_path / "scores.owl", merged=merged)
    ontology = pyhornedowl.open_ontology_from_string((tmp_path / "scores.owl").read_text(), "rdf")
    found = {}
    for entry in ontology.get_components():
        if type(entry.component).__name__ == "AnnotationAssertion":
            annotation = entry.component.ann
            if str(annotation.ap.first) == score_iri("TP(extract=sc)"):
                (about,) = entry.ann
                assert (str(about.ap.first), str(about.av)) == (f"{OE}run", run_iri(result).value)
                found[str(entry.component.subject)] = float(annotation.av.literal)
    assert found == result.scores[0].local.to_dict()


# what is refused


def refused(error: type[OntoevalError], *arguments: Any, **options: Any) -> str:
    return refusal(error, annotate, *arguments, **options)


def test_the_input_is_never_written(pair: tuple[Path, Path], tmp_path: Path) -> None:
    learned, gold = pair
    result = result_of(learned, gold)
    text = f"{learned}: is the input file, which is never changed. Set target= to another name."
    assert refused(ParameterError, result, learned, learned, merged=True) == text
    link = tmp_path / "link.ttl"
    link.symlink_to(learned)
    assert refused(ParameterError, result, learned, link) == text.replace("learned.ttl", "link.ttl")
    with pytest.raises(ParameterError, match=re.escape(text)):
        clean(learned, learned)


def test_places_and_suffixes(pair: tuple[Path, Path], tmp_path: Path) -> None:
    learned, gold = pair
    result = result_of(learned, gold)
    target = tmp_path / "x.json"
    assert refused(ParameterError, result, learned, target) == (
        f"{target}: unknown suffix '.json'. Use one of: {' '.join(SUFFIXES)}."
    )
    target = tmp_path / "no" / "x.ttl"
    assert refused(OntoevalError, result, learned, target) == (
        f"{target}: its directory does not exist; choose another path."
    )
    (tmp_path / "folder.ttl").mkdir()
    assert refused(OntoevalError, result, learned, tmp_path / "folder.ttl") == (
        f"{tmp_path / 'folder.ttl'}: is a directory; choose another path."
    )
    assert refused(ParameterError, result, "-", tmp_path / "x.ttl") == (
        "the learned ontology must be a file, not stdin (-)."
    )


def test_another_file_than_the_judged_one(pair: tuple[Path, Path], tmp_path: Path) -> None:
    learned, gold = pair
    assert refused(OntoevalError, result_of(learned, gold), gold, tmp_path / "x.ttl") == (
        f"{gold}: not the file that was scored ({learned}), or it has changed since. Evaluate it again."
    )


def test_measures_without_scores_of_concepts(pair: tuple[Path, Path], tmp_path: Path) -> None:
    learned, gold = pair
    assert refused(ParameterError, result_of(learned, gold, ["TF_csc"]), learned, tmp_path / "x.ttl") == (
        "TF_csc has no scores of single concepts. Choose another measure, e.g. TP_csc."
    )


def test_no_concept_with_a_score(pair: tuple[Path, Path], tmp_path: Path) -> None:
    learned, _ = pair
    other = tmp_path / "other.ttl"
    other.write_text(HEAD.replace("ex.org", "else.org") + ":y rdfs:subClassOf :x .")
    assert refused(OntoevalError, result_of(learned, other, ["TR_csc"]), learned, tmp_path / "x.ttl") == (
        f"{learned}: no learned concept has a score. Choose a measure with scores of learned concepts, e.g. TP_csc, "
        "or match more concepts with another by=."
    )


def test_a_result_that_was_read_back(pair: tuple[Path, Path], tmp_path: Path) -> None:
    learned, gold = pair
    result: EvaluationResult = replace(result_of(learned, gold), subject=None)
    assert refused(MissingInputError, result, learned, tmp_path / "x.ttl") == (
        "the result was read from a file, which does not hold the matching. Evaluate again."
    )


@pytest.mark.parametrize(
    ("name", "format"), [row for row in FILES.items() if row[0] not in RDF_OR_OWL and row[1] != "obo"]
)
def test_formats_that_are_no_rdf(fixtures: Path, tmp_path: Path, name: str, format: str) -> None:
    learned = fixtures / "formats" / name
    assert refused(OntoevalError, result_of(learned), learned, tmp_path / "x.ttl") == (
        f"{learned}: scores are written to concepts of RDF or OWL, not {format}. Convert it to Turtle."
    )
    with pytest.raises(OntoevalError) as caught:
        clean(learned, tmp_path / "x.ttl")
    assert str(caught.value) == f"{learned}: {format} cannot hold ontoeval scores. Use RDF or OWL."


def test_obo_cannot_be_merged(fixtures: Path, tmp_path: Path) -> None:
    learned = fixtures / "formats" / "tiny.obo"
    assert refused(OntoevalError, result_of(learned), learned, tmp_path / "x.ttl", merged=True) == (
        f"{learned}: OBO cannot be written as RDF completely. Convert it to OWL, or remove merged= to write an "
        "overlay instead."
    )


def test_what_rdf_xml_cannot_say(tmp_path: Path) -> None:
    learned, target = tmp_path / "learned.ttl", tmp_path / "x.owl"
    other = "Use a name that ends in .ttl or .nt."
    for statement, text in (
        (
            ":b <http://ex.org/1> 2 .",
            "RDF/XML cannot hold the property http://ex.org/1, which does not end in an XML name.",
        ),
        (r':b rdfs:label "a\u0001b" .', None),
    ):
        learned.write_text(HEAD + ":b rdfs:subClassOf :a . " + statement)
        found = refused(OntoevalError, result_of(learned), learned, target, merged=True)
        if text is None:
            assert found.startswith(f"{target}: the written file differs from the data (")
            assert found.endswith(f"). {other}")
        else:
            assert found == f"{target}: {text} {other}"
        assert not target.exists()
        assert not list(tmp_path.glob(".*"))
        round_trip(learned, tmp_path, ".ttl")


def test_a_language_that_rdf_xml_cannot_say_is_named(tmp_path: Path) -> None:
    learned, target = tmp_path / "learned.rdf", tmp_path / "x.owl"
    learned.write_text(
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:owl="http://www.w3.org/2002/07/owl#"'
        ' xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#"><owl:Class rdf:about="http://ex.org/a">'
        '<rdfs:label xml:lang="en_gb">x</rdfs:label></owl:Class></rdf:RDF>'
    )
    result = result_of(learned, lenient=True)
    text = refused(OntoevalError, result, learned, target, merged=True, lenient=True)
    assert text.startswith(f"{target}: RDF/XML cannot hold all triples ('en_gb'")
    assert not target.exists()


@pytest.mark.parametrize("merged", [False, True])
def test_measures_without_a_score_of_a_concept_are_not_among_those_written(tmp_path: Path, merged: bool) -> None:
    learned = tmp_path / "learned.ttl"
    learned.write_text(HEAD + ":b rdfs:subClassOf :a . :c rdfs:subClassOf :a . :x a :b . :y a :b . :z a :c .")
    result = result_of(learned, measures=["ITP", "TP_csc"])
    assert result["ITP"].local.of == "instance"
    assert len(result["ITP"].local) == 3
    written = annotate(result, learned, tmp_path / "o.ttl", merged=merged)
    assert written.measures == ("TP_csc",)
    assert {measure for _, measure in scores(tmp_path / "o.ttl")} == {"TP_csc"}
