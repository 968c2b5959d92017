"""NIF and KIM-style RDF: contexts, mentions, classes of the entity, owl:sameAs, and what is refused."""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pyoxigraph as ox
import pytest
from helpers import annotation_rows, refusal
from hypothesis import given
from hypothesis import strategies as st

from ontoeval.errors import LoadError
from ontoeval.load.corpora import load_corpus
from ontoeval.load.corpora.format import join_same
from ontoeval.model.corpus import AnnotatedDocument, Annotation, Corpus
from ontoeval.tasks.extraction import Extraction

SMILE = "\N{GRINNING FACE}"
DUL = "http://www.ontologydesignpatterns.org/ont/dul/DUL.owl#"
PREFIXES = """\
@prefix nif: <http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#> .
@prefix itsrdf: <http://www.w3.org/2005/11/its/rdf#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix e: <http://e/> .
"""
KIM = """\
@prefix pkm: <http://proton.semanticweb.org/2006/05/protonkm#> .
@prefix t: <http://proton.semanticweb.org/2006/05/protont#> .
@prefix e: <http://e/> .
"""
SEVERAL = "annotations with several classes; the first IRI in alphabetical order was used"
HINT = "to use the classes of one vocabulary, set class_feature= to the start of its IRIs"
AS_WRITTEN = (
    "offsets are kept as written, because the text is not in the file; KIM's are in UTF-16 units, which are "
    "characters unless the text has emoji or other characters beyond U+FFFF"
)


def context(text: str, iri: str = "<http://e/d#char=0,99>") -> str:
    return f'{iri} a nif:Context ; nif:isString """{text}""" .\n'


def mention(more: str, start: object = 0, end: object = 2, iri: str = "<http://e/d#m>") -> str:
    return (
        f'{iri} a nif:String ; nif:beginIndex "{start}"^^xsd:int ; nif:endIndex "{end}"^^xsd:int ; '
        f"nif:referenceContext <http://e/d#char=0,99> ; {more} .\n"
    )


def nif(*parts: str, **options: object) -> Corpus:
    return load_corpus((PREFIXES + "".join(parts)).encode(), **options)  # type: ignore[arg-type]


def refused(text: str, **options: object) -> str:
    return refusal(LoadError, load_corpus, text.encode(), **options)


def test_offsets_count_characters_after_an_emoji() -> None:
    text = f"{SMILE}{SMILE} Ann in Rom"
    corpus = nif(
        context(text),
        mention("nif:anchorOf 'Ann' ; itsrdf:taClassRef e:Person ; itsrdf:taConfidence 0.5", 3, 6),
        mention("nif:anchorOf 'Rom' ; itsrdf:taIdentRef e:Rome", 10, 13, "<http://e/d#n>"),
        "e:Rome a owl:NamedIndividual, e:City .",
    )
    assert annotation_rows(corpus) == [
        ("http://e/d", 3, 6, "http://e/Person", None, 0.5),
        ("http://e/d", 10, 13, "http://e/City", "http://e/Rome", None),
    ]
    assert corpus.lengths.tolist() == [13]
    assert corpus.source.format == "nif"
    assert corpus.source.counts == {}
    assert corpus.source.notes == ()


def test_anchors_that_do_not_fit_are_counted_and_utf16_offsets_told() -> None:
    text = f"{SMILE} Ann"
    corpus = nif(
        context(text),
        mention("nif:anchorOf 'Ann' ; itsrdf:taClassRef e:C", 3, 5),
        mention("nif:anchorOf 'An' ; itsrdf:taClassRef e:C", 3, 5, "e:n"),
    )
    assert corpus.source.counts == {
        "anchors different from the text at the offsets": 2,
        "anchors equal to the text if offsets are in UTF-16 units, as in Java": 1,
    }


@pytest.mark.parametrize(
    ("entity", "concept"),
    [
        ("", None),
        ("e:X a owl:Individual, owl:NamedIndividual, owl:Thing .", None),
        ("e:X a owl:NamedIndividual, e:B .", "http://e/B"),
        ("e:X a nif:Phrase, e:B .", "http://e/B"),
        ("e:X a owl:Class .", "http://e/X"),
        ("e:X a skos:Concept .", "http://e/X"),
        ("e:X a skos:Concept, e:B .", "http://e/B"),
    ],
)
def test_the_class_of_the_entity(entity: str, concept: str | None) -> None:
    corpus = nif(context("Ann"), mention("itsrdf:taIdentRef e:X"), entity)
    assert annotation_rows(corpus) == [("http://e/d", 0, 2, concept, "http://e/X", None)]


def test_the_class_of_the_mention_goes_first() -> None:
    corpus = nif(context("Ann"), mention("itsrdf:taIdentRef e:X ; itsrdf:taClassRef e:A"), "e:X a e:B .")
    assert corpus.concepts == ("http://e/A",)


def test_of_several_classes_the_smallest_of_the_web_or_those_of_a_vocabulary() -> None:
    parts = context("Ann"), mention("itsrdf:taClassRef e:B, <ann:Annotation>, e:A, <http://f/C>")
    corpus = nif(*parts)
    assert corpus.concepts == ("http://e/A",)
    assert corpus.source.counts == {SEVERAL: 1}
    assert corpus.source.notes == (HINT,)
    one_vocabulary = nif(*parts, class_feature="http://f/")
    assert one_vocabulary.concepts == ("http://f/C",)
    assert one_vocabulary.source.counts == {}
    assert nif(*parts, class_feature="class").concepts == ("http://e/A",)
    nothing = nif(context("Ann"), mention("itsrdf:taClassRef e:B"), class_feature="http://f/")
    assert annotation_rows(nothing) == [("http://e/d", 0, 2, None, None, None)]


def test_what_is_no_mention_is_counted() -> None:
    corpus = nif(
        context("Ann"),
        "<http://e/d#char=0,99> itsrdf:taClassRef e:Topic ; nif:beginIndex 0 ; nif:endIndex 3 .",
        mention("nif:anchorOf 'An'", iri="e:word"),
        mention("itsrdf:taIdentRef e:Y, e:X", iri="e:two"),
    )
    assert annotation_rows(corpus) == [("http://e/d", 0, 2, None, "http://e/X", None)]
    assert corpus.source.counts == {
        "annotations of a whole context; left out": 1,
        "strings without a class or an entity; left out": 1,
        "mentions of several entities; the first IRI in alphabetical order was used": 1,
    }


def test_names_of_documents() -> None:
    corpus = nif(
        "e:plain nif:isString 'a' .",
        "<http://e/one#offset_0_9_abc> nif:isString 'ab' .",
        "<http://e/two?nif=context> nif:isString 'abc' .",
        "<#char=0,4> nif:isString 'abcd' .",
        "<sub/x#char=0,5> nif:isString 'abcde' .",
        "[] a nif:Context ; nif:sourceUrl e:page ; nif:isString 'abcdef' .",
        "<http://e/same#char=0,1> nif:isString 'a' . <http://e/same#char=2,3> nif:isString 'b' .",
        "<http://e/bare#char=3,5> itsrdf:taClassRef e:C .",
    )
    assert dict(zip(corpus.documents, corpus.lengths.tolist(), strict=True)) == {
        "http://e/plain": 1,
        "http://e/one": 2,
        "http://e/two": 3,
        "(bytes)": 4,
        "sub/x": 5,
        "http://e/page": 6,
        "http://e/same#char=0,1": 1,
        "http://e/same#char=2,3": 1,
        "http://e/bare": -1,
    }
    assert annotation_rows(corpus) == [("http://e/bare", 3, 5, "http://e/C", None, None)]


def test_any_rdf_syntax_and_compressed(tmp_path: Path) -> None:
    turtle = (
        PREFIXES + context(f"{SMILE} Ann") + mention("itsrdf:taIdentRef e:X", 2, 5) + "e:X a e:C ; owl:sameAs e:Y ."
    )
    expected = load_corpus(turtle.encode())
    quads = list(ox.parse(turtle.encode(), format=ox.RdfFormat.TURTLE))
    for name, syntax in (
        ("a.rdf", ox.RdfFormat.RDF_XML),
        ("a.nt", ox.RdfFormat.N_TRIPLES),
        ("a.trig", ox.RdfFormat.TRIG),
        ("a.jsonld", ox.RdfFormat.JSON_LD),
    ):
        data = ox.serialize((quad if syntax.supports_datasets else quad.triple for quad in quads), format=syntax)
        assert data is not None
        (tmp_path / f"{name}.gz").write_bytes(gzip.compress(data))
        assert load_corpus(tmp_path / f"{name}.gz").digest == expected.digest, name


def test_same_individuals_are_joined() -> None:
    corpus = nif(
        context("Ann"), "e:X owl:sameAs e:Z, e:Y . e:Q owl:sameAs e:Z . [] owl:sameAs e:X . e:X owl:sameAs e:X ."
    )
    assert _groups(corpus.same.items()) == [("http://e/Q", "http://e/X", "http://e/Y", "http://e/Z")]


def _groups(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, ...]]:
    """The names that pairs join."""
    groups: list[set[str]] = []
    for pair in pairs:
        touched = [group for group in groups if group & set(pair)]
        groups = [group for group in groups if group not in touched] + [set(pair).union(*touched)]
    return sorted(tuple(sorted(group)) for group in groups if len(group) > 1)


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef")), max_size=10))
def test_joining_loses_no_pair(pairs: list[tuple[str, str]]) -> None:
    same: dict[str, str] = {}
    for pair in pairs:
        join_same(same, [pair])
    assert _groups(same.items()) == _groups(pairs)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            mention("itsrdf:taClassRef e:C", "x"),
            "nif:beginIndex of 'http://e/d#m' must be a whole number >= 0, not 'x'. Correct it.",
        ),
        (
            mention("itsrdf:taClassRef e:C", 0, -1),
            "nif:endIndex of 'http://e/d#m' must be a whole number >= 0, not '-1'. Correct it.",
        ),
        (
            mention("itsrdf:taClassRef e:C", 0, 10**16),
            "nif:endIndex of 'http://e/d#m' is too large: 10000000000000000. Correct it.",
        ),
        (
            mention("itsrdf:taClassRef e:C", 3, 1),
            "the mention 'http://e/d#m' starts at 3 but ends at 1. Correct its offsets.",
        ),
        (
            context("Ann") + mention("itsrdf:taClassRef e:C", 1, 4),
            "the mention 'http://e/d#m' (1 to 4) is outside the text of 3 characters. Use the text that was annotated.",
        ),
        (
            mention("itsrdf:taClassRef e:C ; nif:beginIndex 7"),
            "'http://e/d#m' has 2 values of nif:beginIndex. Keep one of them.",
        ),
        (
            "e:m itsrdf:taClassRef e:C ; nif:referenceContext e:d .",
            "'http://e/m' has no nif:beginIndex. Add it.",
        ),
        (
            "e:m itsrdf:taClassRef e:C ; nif:beginIndex 1 ; nif:referenceContext e:d .",
            "'http://e/m' has no nif:endIndex. Add it.",
        ),
        (
            "[] itsrdf:taClassRef e:C ; nif:beginIndex 1 ; nif:endIndex 2 .",
            "an annotation without an IRI has no nif:referenceContext. Add it.",
        ),
        (
            "[] nif:isString 'a' .",
            "a nif:Context has neither an IRI nor a nif:sourceUrl. Add one.",
        ),
        (
            mention("itsrdf:taClassRef e:C ; itsrdf:taConfidence 'sure'"),
            "itsrdf:taConfidence of 'http://e/d#m' must be a finite number, not 'sure'. Correct it.",
        ),
        (
            mention("itsrdf:taClassRef e:C ; itsrdf:taConfidence 'inf'"),
            "itsrdf:taConfidence of 'http://e/d#m' must be a finite number, not 'inf'. Correct it.",
        ),
    ],
)
def test_mentions_that_are_refused(text: str, message: str) -> None:
    assert refused(PREFIXES + text) == f"(bytes): {message}"


def test_files_that_are_refused(tmp_path: Path) -> None:
    assert refused(PREFIXES + "\ne:m nif:beginIndex 1 .\ne:x e:y e:z\ne:m e:n e:o .\n") == (
        "(bytes), line 10: not valid turtle: A dot is expected at the end of statements. Correct the file."
    )
    assert refused("words, words", format="nif") == ("(bytes): not RDF (starts 'words, words'). Use an RDF file.")
    assert refused("a\tb\nc\td\n", format="kim-rdf") == (
        "(bytes): not RDF (starts 'a\\tb\\nc\\td\\n'). Use an RDF file."
    )
    assert refused("<html><body>x</body></html>", format="nif") == (
        "(bytes): not RDF (starts '<html><body>x</body></ht'). Use an RDF file."
    )
    assert refused("", format="nif") == "(bytes): the file is empty. Use annotated documents."
    bomb = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><rdf:RDF xmlns:rdf="r"/>'
    assert refused(bomb, format="nif") == (
        "(bytes), line 1: the document type declares the external entity '&a;' (file:///etc/passwd), which is "
        "unsafe. Write the text in full: only short namespace entities are accepted."
    )


def test_kim_mentions() -> None:
    corpus = load_corpus(
        (
            KIM + "e:m a pkm:Mention ; pkm:hasStartOffset 3 ; pkm:hasEndOffset '6' ; pkm:occursIn e:doc ; "
            "pkm:refersInstance e:Ann . e:Ann a t:Person . e:n a pkm:Mention ; pkm:hasStartOffset 0 ; "
            "pkm:hasEndOffset 1 ; pkm:occursIn e:doc ; pkm:refersInstance e:unknown ."
        ).encode()
    )
    assert annotation_rows(corpus) == [
        ("http://e/doc", 0, 1, None, "http://e/unknown", None),
        ("http://e/doc", 3, 6, "http://proton.semanticweb.org/2006/05/protont#Person", "http://e/Ann", None),
    ]
    assert corpus.source.format == "kim-rdf"
    assert corpus.source.notes == (AS_WRITTEN,)


def test_other_vocabularies_by_local_name(tmp_path: Path) -> None:
    path = tmp_path / "doc7.ttl"
    path.write_text(
        "@prefix v: <http://v/> . @prefix e: <http://e/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
        "[] a v:Annotation ; v:start 1 ; v:end 2 ; v:class 'Person' ; v:inst e:Ann ; v:score 0.25 .\n"
        "[] a v:Annotation, e:City ; v:start 4 ; v:end 6 . e:Ann owl:sameAs e:Anna .\n"
    )
    corpus = load_corpus(path)
    assert annotation_rows(corpus) == [
        ("doc7", 1, 2, "Person", "http://e/Ann", 0.25),
        ("doc7", 4, 6, "http://e/City", None, None),
    ]
    assert corpus.same == {"http://e/Ann": "http://e/Anna"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("e:a e:b e:c .", "no annotations with a start and an end found. "),
        ("e:a e:start 1 . e:b e:start 1 ; e:end 2 .", "'http://e/a' has no http://e/end. Add it."),
        (
            "e:a e:start 1 ; e:end 2 . e:b e:start 1 ; e:end 2 ; e:inDocument e:d .",
            "'http://e/a' has no http://e/inDocument. Add it.",
        ),
        ("e:a e:start 3 ; e:end 2 .", "the annotation 'http://e/a' starts at 3 but ends at 2. "),
    ],
)
def test_kim_rdf_that_is_refused(text: str, message: str) -> None:
    more = {
        "no annotations with a start and an end found. ": "Use annotations with hasStartOffset and hasEndOffset, "
        "as in KIM.",
        "the annotation 'http://e/a' starts at 3 but ends at 2. ": "Correct its offsets.",
    }.get(message, "")
    assert refused(KIM + text, format="kim-rdf") == f"(bytes): {message}{more}"


names = st.sampled_from(["http://e/A", "http://e/B", "http://f/C"])
annotations = st.tuples(
    st.integers(0, 12),
    st.integers(0, 12),
    st.one_of(st.none(), names),
    st.one_of(st.none(), names),
    st.one_of(st.none(), st.floats(0, 1)),
).filter(lambda row: row[2] is not None or row[3] is not None)
corpora = st.dictionaries(
    st.sampled_from(["http://d/1", "http://d/2", "http://d/3"]),
    st.lists(annotations.map(lambda row: (min(row[:2]), max(row[:2]), *row[2:])), max_size=5),
)


@given(corpora, st.lists(st.sampled_from(["a", SMILE, "é", "\n", '"']), min_size=12, max_size=15))
def test_a_random_corpus_as_nif(
    documents: dict[str, list[tuple[int, int, str, str, float]]], letters: list[str]
) -> None:
    text = "".join(letters)
    expected = Corpus.build(
        AnnotatedDocument(name, [Annotation(*row) for row in spans], len(text)) for name, spans in documents.items()
    )
    written = [PREFIXES]
    for name, spans in documents.items():
        whole = f"<{name}#char=0,{len(text)}>"
        quoted = str(ox.Literal(text))
        written.append(f"{whole} a nif:Context ; nif:isString {quoted} .\n")
        for start, end, concept, instance, score in spans:
            values = [f"nif:beginIndex {start}", f"nif:endIndex {end}", f"nif:referenceContext {whole}"]
            values += [f"nif:anchorOf {ox.Literal(text[start:end])}"]
            values += [f"itsrdf:taClassRef <{concept}>"] * (concept is not None)
            values += [f"itsrdf:taIdentRef <{instance}>"] * (instance is not None)
            values += [f'itsrdf:taConfidence "{score!r}"^^xsd:double'] * (score is not None)
            written.append(f"[] a nif:String ; {' ; '.join(values)} .\n")
    corpus = load_corpus("".join(written).encode())
    assert Counter(annotation_rows(corpus)) == Counter(annotation_rows(expected))
    assert corpus.documents == expected.documents
    assert corpus.lengths.tolist() == expected.lengths.tolist()
    assert corpus.source.counts == {}


@pytest.fixture
def oke(shared_data: Path) -> Path:
    folder = shared_data / "nif-oke-gerbil"
    if not folder.is_dir():
        pytest.skip(f"the OKE data is not on this machine ({folder})")
    return folder


def test_oke_gold(oke: Path) -> None:
    corpus = load_corpus(oke / "oke2015-task1-example-gold.ttl")
    assert (len(corpus.documents), len(corpus), len(corpus.same)) == (3, 12, 9)
    base = "http://www.ontologydesignpatterns.org/data/oke-challenge/task-1/"
    assert corpus.documents == tuple(f"{base}sentence-{n}" for n in (1, 2, 3))
    assert corpus.lengths.tolist() == [146, 192, 69]
    assert annotation_rows(corpus)[:2] == [
        (f"{base}sentence-1", 0, 20, DUL + "Person", f"{base}Florence_May_Harding", None),
        (f"{base}sentence-1", 34, 40, None, f"{base}National_Art_School", None),
    ]
    assert corpus.same[f"{base}Sydney"] == "http://dbpedia.org/resource/Sydney"
    assert corpus.source.counts == {}


def test_fox_run(oke: Path) -> None:
    corpus = load_corpus(oke / "run-FOX.ttl")
    assert (len(corpus.documents), len(corpus)) == (3, 9)
    assert corpus.source.counts == {SEVERAL: 9}
    one_vocabulary = load_corpus(oke / "run-FOX.ttl", class_feature="http://www.ontologydesignpatterns.org/ont/")
    assert one_vocabulary.concepts == (
        "http://www.ontologydesignpatterns.org/ont/d0.owl#Location",
        DUL + "Organization",
        DUL + "Person",
    )
    gold = load_corpus(oke / "oke2015-task1-example-gold.ttl")
    judged = Extraction(corpus, gold, by="instance", kb="http://dbpedia.org/resource/")
    assert len(judged.documents) == 3


def test_oke_training(oke: Path) -> None:
    first = load_corpus(oke / "oke2015-train-task1.ttl")
    assert (len(first.documents), len(first)) == (95, 341)
    assert first.source.counts == {"anchors different from the text at the offsets": 7}
    assert first.concepts == tuple(DUL + name for name in ("Organization", "Person", "Place", "Role"))
    second = load_corpus(oke / "oke2015-train-task2.ttl")
    assert (len(second.documents), len(second)) == (99, 300)


def test_invalid_oke_file(oke: Path) -> None:
    path = oke / "oke2015-task2-example-gold.ttl"
    with pytest.raises(LoadError) as caught:
        load_corpus(path)
    assert str(caught.value) == (
        f"{path}, line 7: not valid turtle: A dot is expected at the end of statements. Correct the file."
    )
