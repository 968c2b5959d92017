"""WordNet's database files: names, senses, labels, edges, and what is refused."""

from __future__ import annotations

import gzip
import io
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from helpers import concepts, edges, refusal

import ontoeval as oe
from ontoeval.edit.rebuild import keep_concepts
from ontoeval.errors import LoadError
from ontoeval.model.lookup import find_concept

INSTALLED = Path("/usr/share/wordnet")
FETCH = "The file is damaged or truncated: download it again."
NOTE = "no index.noun beside data.noun: concepts are named by their offset, and the senses of a word have no order"
# Lines end in two blanks, as in the files.
HEAD = "  1 A licence of the example.  \n  2 It says nothing.  \n"
DATA = (
    HEAD
    + """\
00000100 03 n 01 entity 0 002 ~ 00000200 n 0000 ~ 00000500 n 0000 | all
00000200 05 n 02 animal 0 Beast 0 002 @ 00000100 n 0000 + 00000100 v 0101 | a living thing | or so
00000300 05 n 03 dog 0 domestic_dog 0 Canis_familiaris 0 002 @ 00000200 n 0000 @ 00000500 n 0000 | barks
00000400 18 n 02 frump 0 dog 0 001 @ 00000500 n 0000 | a dull person
00000500 18 n 01 person 0 001 @ 00000100 n 0000 | somebody
00000600 18 n 01 Rex 1 001 @i 00000300 n 0000 | a certain dog
""".replace("\n", "  \n")
)
INDEX = (
    HEAD
    + """\
animal n 1 2 @ ~ 1 1 00000200
beast n 1 2 @ ~ 1 0 00000200
canis_familiaris n 1 1 @ 1 0 00000300
dog n 3 1 @ 3 2 00000400 00000999 00000300
domestic_dog n 1 1 @ 1 0 00000300
entity n 1 1 ~ 1 1 00000100
frump n 1 1 @ 1 0 00000400
person n 1 2 @ ~ 1 1 00000500
rex n 1 1 @i 1 0 00000600
""".replace("\n", "  \n")
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "data.noun").write_text(DATA)
    (tmp_path / "index.noun").write_text(INDEX)
    return tmp_path


def senses(ontology: oe.Ontology, word: str) -> list[str]:
    return [ontology.hierarchy.iris[concept] for concept in ontology.concepts_named(word)]


refused = partial(refusal, LoadError, oe.load_ontology)


# Names and edges


def test_concepts_are_called_by_their_first_word_and_its_sense(folder: Path) -> None:
    ontology = oe.load_ontology(folder / "data.noun")
    assert concepts(ontology) == {"entity.n.01", "animal.n.01", "dog.n.03", "frump.n.01", "person.n.01", "rex.n.01"}
    assert ontology.source.format == "wordnet"
    assert ontology.source.notes == ()
    assert ontology.hierarchy.iris[0] == "entity.n.01"
    assert not ontology.hierarchy.root_added


def test_hypernyms_and_instance_hypernyms_are_parents(folder: Path) -> None:
    assert edges(oe.load_ontology(folder / "data.noun")) == {
        ("animal.n.01", "entity.n.01"),
        ("person.n.01", "entity.n.01"),
        ("dog.n.03", "animal.n.01"),
        ("dog.n.03", "person.n.01"),
        ("frump.n.01", "person.n.01"),
        ("rex.n.01", "dog.n.03"),
    }


def test_offsets_and_other_words_lead_to_the_concept(folder: Path) -> None:
    ontology = oe.load_ontology(folder / "data.noun")
    assert ontology.aliases == {
        "00000100-n": "entity.n.01",
        "00000200-n": "animal.n.01",
        "beast.n.01": "animal.n.01",
        "00000300-n": "dog.n.03",
        "domestic_dog.n.01": "dog.n.03",
        "canis_familiaris.n.01": "dog.n.03",
        "00000400-n": "frump.n.01",
        "dog.n.01": "frump.n.01",
        "00000500-n": "person.n.01",
        "00000600-n": "rex.n.01",
    }
    assert (
        find_concept(ontology, "00000300-n")
        == find_concept(ontology, "domestic_dog.n.01")
        == ontology.hierarchy.id("dog.n.03")
    )


def test_words_are_labels(folder: Path) -> None:
    ontology = oe.load_ontology(folder / "data.noun")
    entries = [tuple(entry) for entry in ontology.lexicon.entries(ontology.hierarchy.id("dog.n.03"))]
    assert entries == [
        ("dog", "en", "preferred"),
        ("Canis familiaris", "en", "alternative"),
        ("domestic dog", "en", "alternative"),
    ]


def test_the_senses_of_a_word_are_in_the_order_of_use(folder: Path) -> None:
    ontology = oe.load_ontology(folder / "data.noun")
    assert senses(ontology, "dog") == senses(ontology, "DOG") == ["frump.n.01", "dog.n.03"]
    assert senses(ontology, "Domestic Dog") == senses(ontology, "domestic_dog") == ["dog.n.03"]
    assert senses(ontology, "animal.n.01") == ["animal.n.01"]
    assert senses(ontology, "cat") == []


def test_senses_follow_the_concepts_into_a_part(folder: Path) -> None:
    below = oe.load_ontology(folder / "data.noun", below="animal.n.01")
    assert concepts(below) == {"animal.n.01", "dog.n.03", "rex.n.01"}
    assert senses(below, "dog") == ["dog.n.03"]
    assert set(below.senses) == {"animal", "beast", "canis_familiaris", "dog", "domestic_dog", "rex"}
    rooted = oe.load_ontology(folder / "data.noun", root="new")
    assert senses(rooted, "dog") == ["frump.n.01", "dog.n.03"]
    part = keep_concepts(rooted, np.array([iri not in ("person.n.01", "frump.n.01") for iri in rooted.hierarchy.iris]))
    assert senses(part, "dog") == ["dog.n.03"]
    assert "frump" not in part.senses


def test_an_ontology_without_senses_looks_names_up_as_ever() -> None:
    ontology = oe.Ontology.from_edges([("dog", "animal"), ("Dog", "animal")])
    assert ontology.senses == {}
    assert senses(ontology, "dog") == ["dog"]
    assert senses(ontology, "DOG") == ["Dog", "dog"]


def test_adjectives(tmp_path: Path) -> None:
    """A satellite has a letter of its own, and its words are cut off where they say where they may stand."""
    (tmp_path / "data.adj").write_text(
        "00000100 00 a 01 able(p) 0 000 | can  \n"
        "00000200 00 s 03 U.S.(ip) 0 Able(a) 0 x(y) 0 001 & 00000100 a 0000 | also  \n"
    )
    (tmp_path / "index.adj").write_text("able a 2 0 2 0 00000200 00000100  \nu.s. a 1 0 1 0 00000200  \n")
    ontology = oe.load_ontology(tmp_path / "data.adj")
    assert concepts(ontology) == {"able.a.02", "u.s..s.01"}
    assert ontology.aliases == {
        "00000100-a": "able.a.02",
        "00000200-s": "u.s..s.01",
        "00000200-a": "u.s..s.01",
        "able.s.01": "u.s..s.01",
        "able.a.01": "u.s..s.01",
        "u.s..a.01": "u.s..s.01",
    }
    assert set(ontology.lexicon.labels(ontology.hierarchy.id("u.s..s.01"))) == {"U.S.", "Able", "x(y)"}
    assert senses(ontology, "able") == ["u.s..s.01", "able.a.02"]


def test_verbs_have_frames(tmp_path: Path) -> None:
    path = tmp_path / "data.verb"
    path.write_text(
        "00000100 29 v 01 breathe 0 001 ~ 00000200 v 0000 02 + 02 00 + 08 00 | air  \n"
        "00000200 29 v 01 respire 1 002 @ 00000100 v 0000 @ 00000100 n 0000 01 + 02 00 | air  \n"
    )
    assert edges(oe.load_ontology(path)) == {("00000200-v", "00000100-v")}


# Exception lists


EXCEPTIONS = "beeves beast\ndoggen dog animal\nfolk person\nmen man\nrex person\n"


def test_irregular_forms_mean_what_their_base_forms_mean(folder: Path) -> None:
    (folder / "noun.exc").write_text(EXCEPTIONS)
    ontology = oe.load_ontology(folder / "data.noun")
    assert senses(ontology, "beeves") == senses(ontology, "beast") == ["animal.n.01"]
    assert senses(ontology, "Doggen") == ["frump.n.01", "dog.n.03", "animal.n.01"]  # in the order of use
    assert senses(ontology, "rex") == ["rex.n.01"]  # WordNet has the word
    assert senses(ontology, "men") == []  # ... but not this base form
    assert ontology.source.notes == ("3 irregular forms read from noun.exc",)
    assert find_concept(ontology, "folk") == find_concept(ontology, "person.n.01")


def test_irregular_forms_without_an_index(folder: Path) -> None:
    (folder / "index.noun").unlink()
    (folder / "data.noun").rename(folder / "small.data.noun")
    (folder / "small.noun.exc").write_text(EXCEPTIONS)
    (folder / "noun.exc").write_text("beeves entity\n")
    ontology = oe.load_ontology(folder / "small.data.noun")
    assert senses(ontology, "doggen") == ["00000300-n", "00000400-n", "00000200-n"]
    assert senses(ontology, "beeves") == ["00000200-n"]


def test_a_damaged_exception_list(folder: Path) -> None:
    (folder / "noun.exc").write_text("mice mouse\nfolk\n")
    assert refused(folder / "data.noun") == f"{folder / 'noun.exc'}, line 2: 'folk' has no base form. {FETCH}"


# Without an index


def test_without_an_index_concepts_are_called_by_their_offset(folder: Path) -> None:
    (folder / "index.noun").unlink()
    alone = oe.load_ontology(folder / "data.noun")
    for ontology in (alone, oe.load_ontology(DATA.encode()), oe.load_ontology(io.BytesIO(DATA.encode()))):
        assert concepts(ontology) == {f"00000{number}00-n" for number in range(1, 7)}
        assert ontology.source.notes == (NOTE,)
        assert ontology.aliases == ontology.senses == {}
        assert senses(ontology, "dog") == ["00000300-n", "00000400-n"]


def test_a_stream_has_no_index_beside_it(folder: Path) -> None:
    with (folder / "data.noun").open("rb") as stream:
        assert oe.load_ontology(stream).source.notes == (NOTE,)


def test_packed_files(folder: Path) -> None:
    plain = oe.load_ontology(folder / "data.noun")
    (folder / "data.noun.gz").write_bytes(gzip.compress(DATA.encode()))
    assert oe.load_ontology(folder / "data.noun.gz").digest == plain.digest
    (folder / "index.noun").unlink()
    (folder / "index.noun.gz").write_bytes(gzip.compress(INDEX.encode()))
    assert oe.load_ontology(folder / "data.noun.gz").digest == plain.digest


def test_names_with_something_before_them(folder: Path) -> None:
    (folder / "small.data.noun").write_text(DATA)
    (folder / "small.index.noun").write_text(INDEX.replace("00000300", "00000400"))
    ontology = oe.load_ontology(folder / "small.data.noun")
    assert ontology.source.notes == ("1 synset is named by offset, as the first word is not in the index",)
    assert "00000300-n" in concepts(ontology)


def test_hypernyms_outside_the_file(folder: Path) -> None:
    lines = [line for line in DATA.splitlines() if not line.startswith("00000500")]
    (folder / "data.noun").write_text("\n".join(lines))
    ontology = oe.load_ontology(folder / "data.noun")
    assert ontology.source.notes == ("2 hypernyms are not in the file; left out",)
    assert "person" not in ontology.senses


def test_the_ends_of_lines_do_not_matter(folder: Path) -> None:
    plain = oe.load_ontology(folder / "data.noun")
    for name in ("data.noun", "index.noun"):
        path = folder / name
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert oe.load_ontology(folder / "data.noun").digest == plain.digest


# What is refused


GOOD = "00000100 03 n 01 entity 0 000 | all  \n"


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("entity", "'entity' is not the start of a synset, e.g. '02084071 05 n 03 '"),
        ("00000200 03 x 01 e 0 000 |", "'00000200 03 x 01' is not the start of a synset, e.g. '02084071 05 n 03 '"),
        ("00000200 03 n 00 000 |", "found 0 words, expected 0"),
        ("00000200 03 n 03 a 0 b 0 ", "found 2 words, expected 3"),
        ("00000200 03 n 02 a 0 001 @ 00000100 n 0000 |", "the number of pointers after 2 words is '00000100'"),
        ("00000200 03 n 01 a 0 x |", "the number of pointers after 1 words is 'x'"),
        ("00000200 03 n 01 a 0 002 @ 00000100 n 0000 @ 00000", "found 1 pointers, expected 2"),
        ("00000200 03 n 01 a 0 001 @ 0000010 n 0000 |", "the pointer '@ 0000010 n' is invalid"),
        ("00000200 03 n 01 a 0 001 @ 00000100 x 0000 |", "the pointer '@ 00000100 x' is invalid"),
        ("00000100 03 n 01 a 0 000 |", "line 1 has the same offset, 00000100"),
    ],
)
def test_damaged_lines(line: str, problem: str) -> None:
    assert refused(f"{GOOD}\n{line}\n".encode(), format="wordnet") == f"(bytes), line 3: {problem}. {FETCH}"


def test_two_parts_of_speech_in_one_file() -> None:
    assert refused(f"{GOOD}00000200 29 v 01 breathe 0 000 01 + 02 00 |\n".encode()) == (
        "(bytes), line 2: this is a synset of data.verb, but those before are of data.noun. Use one file at "
        "a time: their offsets overlap."
    )


def test_nothing_but_a_head() -> None:
    assert refused(HEAD.encode(), format="wordnet") == (
        "(bytes): no synsets found. Use a data file of WordNet, e.g. data.noun."
    )


def test_the_index_instead_of_the_data(folder: Path) -> None:
    assert refused(folder / "index.noun") == (
        f"{folder / 'index.noun'}, line 3: this is the index of WordNet, not its data. Use the data file beside it, "
        "e.g. data.noun."
    )


@pytest.mark.parametrize("line", ["dog n 2 1 @ 2 1 00000300", "dog n 1 1 @ 1 1 0000030", "dog x 1 1 @ 1 1 00000300"])
def test_a_damaged_index(folder: Path, line: str) -> None:
    (folder / "index.noun").write_text(f"{HEAD}{line}\n")
    assert refused(folder / "data.noun") == (
        f"{folder / 'index.noun'}, line 3: {line[:16]!r} is not the start of a word, e.g. 'dog n 7 5 @ ', or the "
        f"line does not end with the offsets of its senses. {FETCH}"
    )


def test_the_folder_instead_of_a_file(folder: Path, tmp_path: Path) -> None:
    assert refused(folder) == (
        f"{folder}: is a directory with data.noun of WordNet. Use one of them, e.g. {folder / 'data.noun'}."
    )
    for name in ("data.adj", "data.adv", "data.verb"):
        (folder / name).touch()
    assert refused(folder) == (
        f"{folder}: is a directory with data.adj, data.adv, data.noun, data.verb of WordNet. Use one of them, e.g. "
        f"{folder / 'data.noun'}."
    )
    (folder / "data.noun").unlink()
    assert refused(folder).endswith(f"Use one of them, e.g. {folder / 'data.adj'}.")


def test_the_limit_holds_for_the_index(folder: Path) -> None:
    assert refused(folder / "data.noun", max_size=300).startswith(f"{folder / 'data.noun'}: larger than 300 bytes")
    (folder / "index.noun").write_text(INDEX * 10)
    size = len(DATA)
    assert refused(folder / "data.noun", max_size=size) == (
        f"{folder / 'index.noun'}: larger than {size} bytes when unpacked. Increase max_size= if you trust the file."
    )


def test_bytes_that_are_not_utf8(folder: Path) -> None:
    (folder / "data.noun").write_bytes(DATA.replace("Beast", "B\xe9te").encode("latin-1"))
    assert refused(folder / "data.noun") == (
        f"{folder / 'data.noun'}, line 4: byte 0xe9 is not UTF-8. Convert the file to UTF-8, e.g. with `iconv -f "
        "latin1 -t utf-8`, or set lenient=True to replace such bytes."
    )
    assert "1 byte sequence is not UTF-8; replaced" in oe.load_ontology(folder / "data.noun", lenient=True).source.notes


# WordNet 3.0


def test_the_nouns_of_wordnet(wordnet_nouns: oe.Ontology) -> None:
    nouns = wordnet_nouns
    description = nouns.describe()
    assert (description["concepts"], description["roots"], description["leaves"]) == (82_115, 1, 64_958)
    assert nouns.hierarchy.iris[0] == "entity.n.01"
    assert nouns.source.notes == ("1,380 irregular forms read from noun.exc",)
    assert nouns.aliases["02084071-n"] == nouns.aliases["domestic_dog.n.01"] == "dog.n.01"
    assert senses(nouns, "dog") == [
        "dog.n.01", "frump.n.01", "dog.n.03", "cad.n.01", "frank.n.02", "pawl.n.01", "andiron.n.01",
    ]  # fmt: skip


def test_the_nouns_are_those_of_the_tables(wordnet_nouns: oe.Ontology, shared_data: Path) -> None:
    nouns = wordnet_nouns
    tables = shared_data / "wordnet30-noun"
    rows = [
        line.split("\t") for line in gzip.decompress((tables / "synsets.tsv.gz").read_bytes()).decode().splitlines()
    ]
    name = {offset: nouns.aliases[f"{offset}-n"] for offset, *_ in rows[1:]}
    assert edges(nouns) == {
        (name[child], name[parent])
        for child, above, instance, _ in rows[1:]
        for parent in f"{above},{instance}".split(",")
        if parent
    }
    index = gzip.decompress((tables / "index.tsv.gz").read_bytes()).decode().splitlines()
    offsets_of = {
        word: offsets.split(",") for word, offsets in (line.split("\t") for line in index) if offsets[:1].isdigit()
    }
    assert len(offsets_of) == 117_798
    assert len(nouns.senses.keys() - offsets_of.keys()) == 1_380  # the irregular forms that are no words themselves
    assert all(senses(nouns, word) == [name[offset] for offset in offsets] for word, offsets in offsets_of.items())


@pytest.mark.parametrize(
    ("file", "size", "forms"), [("verb", 13_767, "1,879"), ("adj", 18_156, "1,175"), ("adv", 3_621, "3")]
)
def test_the_other_parts_of_speech(file: str, size: int, forms: str) -> None:
    if not (INSTALLED / f"data.{file}").exists():
        pytest.skip(f"WordNet is not installed ({INSTALLED}; Debian's wordnet-base)")
    ontology = oe.load_ontology(INSTALLED / f"data.{file}")
    assert len(concepts(ontology)) == size
    assert ontology.source.notes == (f"{forms} irregular forms read from {file}.exc",)


def test_a_folder_of_wordnet_is_refused_with_a_hint() -> None:
    if not (INSTALLED / "data.noun").exists():
        pytest.skip(f"WordNet is not installed ({INSTALLED}; Debian's wordnet-base)")
    assert refused(INSTALLED) == (
        f"{INSTALLED}: is a directory with data.adj, data.adv, data.noun, data.verb of WordNet. Use one of them, "
        f"e.g. {INSTALLED}/data.noun."
    )
