"""owl:imports: from files that are given, a folder or a catalogue; never from the network."""

from __future__ import annotations

import gc
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from snippets import EX, PREFIXES, concepts, edges

import ontoeval as oe
from ontoeval.errors import LoadError


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object, **options: object) -> None:
        raise AssertionError("nothing may be fetched")

    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.fixture(autouse=True, scope="module")
def new_objects_only() -> None:
    """Collecting all that other tests left would take most of the time here."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def files_are_closed() -> Iterator[None]:
    """A file that was left open is a ResourceWarning of this test, not of a later one."""
    yield
    gc.collect()


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(PREFIXES + text, encoding="utf-8")
    return path


MAIN = ":main a owl:Ontology ; owl:imports :base . :b rdfs:subClassOf :a ."
BASE = ":base a owl:Ontology . :a rdfs:subClassOf :top ."


# What is not given


def test_an_import_that_is_not_given_is_listed(tmp_path: Path) -> None:
    main = write(
        tmp_path, "main.ttl", ":main a owl:Ontology ; owl:imports :z, <http://other.org/y#> . :a a owl:Class ."
    )
    write(tmp_path, "z.ttl", ":z a owl:Ontology . :c a owl:Class .")  # beside it, but not given
    ontology = oe.load_ontology(main)
    assert ontology.source.unresolved_imports == (EX + "z", "http://other.org/y#")
    assert ontology.describe()["unresolved_imports"] == [EX + "z", "http://other.org/y#"]
    assert concepts(ontology) == {"a"}


@pytest.mark.parametrize("format", ["functional", "OWL/XML", "OBO", "rdflib"])
def test_imports_of_every_syntax_are_listed(tmp_path: Path, format: str) -> None:
    source: object
    if format == "functional":
        source = b"Ontology(<http://ex.org/main>\nImport(<http://ex.org/base>)\nDeclaration(Class(<http://ex.org/a>)))"
    elif format == "OWL/XML":
        source = (
            b'<?xml version="1.0"?><Ontology xmlns="http://www.w3.org/2002/07/owl#" ontologyIRI="http://ex.org/main">'
            b'<Import>http://ex.org/base</Import><Declaration><Class IRI="http://ex.org/a"/></Declaration></Ontology>'
        )
    elif format == "OBO":
        source = b"format-version: 1.4\nimport: http://ex.org/base\n\n[Term]\nid: X:1\n"
    else:
        import rdflib

        source = rdflib.Graph().parse(data=PREFIXES + MAIN, format="turtle")
    assert oe.load_ontology(source).source.unresolved_imports == (EX + "base",)


def test_nothing_is_fetched_even_for_an_address_that_answers(tmp_path: Path) -> None:
    """The child process has no network stand-ins: a listening socket would notice a visit."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        server.settimeout(0)
        address = f"http://127.0.0.1:{server.getsockname()[1]}/base"
        main = write(tmp_path, "main.ttl", f":main a owl:Ontology ; owl:imports <{address}> . :a a owl:Class .")
        code = "import sys, ontoeval; print(ontoeval.load_ontology(sys.argv[1]).source.unresolved_imports)"
        done = subprocess.run(
            [sys.executable, "-c", code, str(main)], capture_output=True, text=True, check=True, timeout=60
        )
        assert done.stdout.strip() == str((address,))
        with pytest.raises(BlockingIOError):
            server.accept()


# Files


def test_the_triples_of_a_given_file_are_added(tmp_path: Path) -> None:
    main, base = write(tmp_path, "main.ttl", MAIN), write(tmp_path, "other.ttl", BASE)
    ontology = oe.load_ontology(main, imports=[base])
    assert edges(ontology) == {"b < a", "a < top"}
    assert ontology.source.unresolved_imports == ()
    assert ontology.source.iri == EX + "main"
    assert ontology.source.path == str(main)


def test_a_given_file_is_added_even_if_nothing_imports_it(tmp_path: Path) -> None:
    main = write(tmp_path, "main.ttl", ":b rdfs:subClassOf :a .")
    extra = write(tmp_path, "extra.ttl", ":c rdfs:subClassOf :b .")
    assert edges(oe.load_ontology(main, imports=[extra])) == {"b < a", "c < b"}


def test_a_given_file_answers_by_its_ontology_iri_its_version_iri_or_its_name(tmp_path: Path) -> None:
    text = ":main a owl:Ontology ; owl:imports {} . :b rdfs:subClassOf :a ."
    base = write(
        tmp_path, "some-name.ttl", ":base a owl:Ontology ; owl:versionIRI <http://ex.org/base/1.0> . :a a owl:Class ."
    )
    for iri in (
        "http://ex.org/base",
        "http://ex.org/base#",
        "http://ex.org/base/1.0",
        "http://web.org/x/some-name.owl",
    ):
        main = write(tmp_path, "main.ttl", text.format(f"<{iri}>"))
        assert oe.load_ontology(main, imports=[base]).source.unresolved_imports == (), iri
    main = write(tmp_path, "main.ttl", text.format("<http://ex.org/other>"))
    assert oe.load_ontology(main, imports=[base]).source.unresolved_imports == (EX + "other",)


def test_several_files_of_several_syntaxes_may_be_given(tmp_path: Path) -> None:
    main = write(tmp_path, "main.ttl", MAIN)
    base = write(tmp_path, "base.ttl", BASE)
    functional = tmp_path / "more.ofn"
    functional.write_text("Ontology(<http://ex.org/more>\nSubClassOf(<http://ex.org/top> <http://ex.org/root>))")
    assert edges(oe.load_ontology(main, imports=[str(base), functional])) == {"b < a", "a < top", "top < root"}


def test_imports_of_bytes_and_graphs_are_resolved_as_well(tmp_path: Path) -> None:
    import rdflib

    base = write(tmp_path, "base.ttl", BASE)
    text = PREFIXES + MAIN
    for source in (text.encode(), rdflib.Graph().parse(data=text, format="turtle")):
        assert edges(oe.load_ontology(source, imports=[base])) == {"b < a", "a < top"}


def test_labels_and_individuals_of_an_import_count(tmp_path: Path) -> None:
    main = write(tmp_path, "main.ttl", MAIN)
    base = write(tmp_path, "base.ttl", BASE + " :a rdfs:label 'A' . :i a :b .")
    ontology = oe.load_ontology(main, imports=[base])
    assert "A" in ontology.lexicon.texts
    assert ontology.instances is not None
    assert ontology.instances.iris == (EX + "i",)


def test_a_file_given_twice_is_read_once(tmp_path: Path) -> None:
    main, base = write(tmp_path, "main.ttl", MAIN), write(tmp_path, "base.ttl", BASE)
    (tmp_path / "folder").mkdir()
    again = oe.load_ontology(main, imports=[base, str(base), tmp_path / "folder" / ".." / "base.ttl"])
    assert again.source.triples == oe.load_ontology(main, imports=[base]).source.triples == 5


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("none.ttl", None, "no such file. Check the path."),
        ("edges.tsv", "a\tb\n", "an import must be RDF or OWL, not tsv. Convert it."),
    ],
)
def test_an_import_that_cannot_be_read_is_an_error(tmp_path: Path, name: str, text: str | None, message: str) -> None:
    main = write(tmp_path, "main.ttl", MAIN)
    if text is not None:
        (tmp_path / name).write_text(text)
    with pytest.raises(LoadError) as caught:
        oe.load_ontology(main, imports=[tmp_path / name])
    assert str(caught.value) == f"{tmp_path / name}: {message}"


def test_an_error_in_an_import_names_the_import(tmp_path: Path) -> None:
    main, base = write(tmp_path, "main.ttl", MAIN), tmp_path / "base.ttl"
    base.write_text("@prefix : <http://ex.org/> .\n:a :b\n")
    with pytest.raises(LoadError) as caught:
        oe.load_ontology(main, imports=[base])
    assert caught.value.path == str(base)
    assert str(caught.value).startswith(f"{base}, line ")


# A folder


@pytest.mark.parametrize("name", ["base.ttl", "base.owl", "BASE.TTL", "base.ttl.gz"])
def test_a_folder_is_searched_by_name(tmp_path: Path, name: str) -> None:
    import gzip

    main = write(tmp_path, "main.ttl", MAIN)
    data = (PREFIXES + BASE).encode()
    (tmp_path / "modules").mkdir()
    (tmp_path / "modules" / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    write(tmp_path, "modules/unasked.ttl", ":never a owl:Class .")
    ontology = oe.load_ontology(main, imports=[tmp_path / "modules"])
    assert edges(ontology) == {"b < a", "a < top"}
    assert concepts(ontology) == {"a", "b", "top"}
    assert ontology.source.unresolved_imports == ()


def test_a_folder_without_the_import_leaves_it_unresolved(tmp_path: Path) -> None:
    main = write(tmp_path, "main.ttl", MAIN)
    write(tmp_path, "modules/based.ttl", BASE)
    write(tmp_path, "modules/deeper/base.ttl", BASE)  # folders in it are not searched
    ontology = oe.load_ontology(main, imports=[tmp_path / "modules"])
    assert ontology.source.unresolved_imports == (EX + "base",)


def test_a_name_of_the_web_with_its_own_suffix_is_found(tmp_path: Path) -> None:
    text = ":main a owl:Ontology ; owl:imports <http://ex.org/v2/base.owl> . :b rdfs:subClassOf :a ."
    main = write(tmp_path, "main.ttl", text)
    write(tmp_path, "modules/base.owl", BASE)
    assert edges(oe.load_ontology(main, imports=[tmp_path / "modules"])) == {"b < a", "a < top"}


# A catalogue


def catalogue(path: Path, *entries: tuple[str, str]) -> Path:
    lines = "".join(f'<uri id="x" name="{name}" uri="{uri}"/>' for name, uri in entries)
    path.write_text(
        '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n'
        '<catalog prefer="public" xmlns="urn:oasis:names:tc:entity:xmlns:xml:catalog">\n'
        f'<group id="Folder Repository, directory=, recursive=true" prefer="public" xml:base="">{lines}</group>\n'
        "</catalog>\n"
    )
    return path


@pytest.mark.parametrize("place", ["folder", "file"])
def test_a_catalogue_says_where_an_import_is(tmp_path: Path, place: str) -> None:
    main = write(tmp_path, "main.ttl", MAIN)
    write(tmp_path, "modules/any name.ttl", BASE)
    path = catalogue(tmp_path / "catalog-v001.xml", (EX + "base", "modules/any%20name.ttl"), (EX + "no", "no.ttl"))
    ontology = oe.load_ontology(main, imports=[tmp_path if place == "folder" else path])
    assert edges(ontology) == {"b < a", "a < top"}
    assert ontology.source.unresolved_imports == ()


def test_a_catalogue_entry_on_the_web_is_not_fetched(tmp_path: Path) -> None:
    main = write(tmp_path, "main.ttl", MAIN)
    path = catalogue(tmp_path / "catalog-v001.xml", (EX + "base", "http://ex.org/base.ttl"))
    assert oe.load_ontology(main, imports=[path]).source.unresolved_imports == (EX + "base",)


@pytest.mark.parametrize("form", ["file:{}", "file://{}", "{}"])
def test_a_catalogue_may_name_files_from_the_root(tmp_path: Path, form: str) -> None:
    main = write(tmp_path, "main.ttl", MAIN)
    base = write(tmp_path, "modules/x.ttl", BASE)
    path = catalogue(tmp_path / "catalog-v001.xml", (EX + "base", form.format(base)))
    assert edges(oe.load_ontology(main, imports=[path])) == {"b < a", "a < top"}


def test_a_catalogue_that_names_a_missing_file_is_an_error(tmp_path: Path) -> None:
    main = write(tmp_path, "main.ttl", MAIN)
    path = catalogue(tmp_path / "catalog-v001.xml", (EX + "base", "gone.ttl"))
    with pytest.raises(LoadError) as caught:
        oe.load_ontology(main, imports=[path])
    assert str(caught.value) == (
        f"{tmp_path / 'gone.ttl'}: no such file, but the XML catalog lists it for 'http://ex.org/base'. Correct the "
        "catalog."
    )


def test_a_catalogue_that_is_no_xml_is_an_error(tmp_path: Path) -> None:
    main = write(tmp_path, "main.ttl", MAIN)
    path = tmp_path / "catalog-v001.xml"
    path.write_text("<catalog><uri name='x'")
    with pytest.raises(LoadError) as caught:
        oe.load_ontology(main, imports=[path])
    assert str(caught.value).startswith(f"{path}")
    assert caught.value.path == str(path)


def test_a_catalogue_with_entities_is_refused(tmp_path: Path) -> None:
    main = write(tmp_path, "main.ttl", MAIN)
    path = tmp_path / "catalog-v001.xml"
    path.write_text('<!DOCTYPE c [<!ENTITY a "x"><!ENTITY b "&a;&a;">]><catalog>&b;</catalog>')
    with pytest.raises(LoadError) as caught:
        oe.load_ontology(main, imports=[path])
    assert "is unsafe" in str(caught.value)


def test_a_file_given_by_another_path_than_its_catalogues_is_read_once(tmp_path: Path) -> None:
    """The file calls itself something else, so that only the catalogue knows whose import it is."""
    main = write(tmp_path, "main.ttl", ":main a owl:Ontology ; owl:imports :x . :b rdfs:subClassOf :a .")
    write(tmp_path, "module.ttl", ":m a owl:Ontology . :a rdfs:subClassOf :top .")
    path = catalogue(tmp_path / "catalog-v001.xml", (EX + "x", "module.ttl"))
    code = (
        "import sys, ontoeval; found = ontoeval.load_ontology(sys.argv[1], imports=sys.argv[2:]);"
        "print(found.source.triples, found.source.unresolved_imports)"
    )
    done = subprocess.run(  # in a child, because this would not come to an end
        [sys.executable, "-c", code, str(main), "module.ttl", str(path)],
        capture_output=True,
        text=True,
        check=True,
        timeout=20,
        cwd=tmp_path,
    )
    assert done.stdout.split(maxsplit=1) == ["5", "()\n"]


# Imports of imports


def test_imports_of_imports_are_resolved(tmp_path: Path) -> None:
    main = write(tmp_path, "main.ttl", MAIN)
    write(tmp_path, "modules/base.ttl", ":base a owl:Ontology ; owl:imports :deep . :a rdfs:subClassOf :top .")
    write(tmp_path, "modules/deep.ttl", ":deep a owl:Ontology ; owl:imports :missing . :top rdfs:subClassOf :all .")
    ontology = oe.load_ontology(main, imports=[tmp_path / "modules"])
    assert edges(ontology) == {"b < a", "a < top", "top < all"}
    assert ontology.source.unresolved_imports == (EX + "missing",)


def test_circular_imports_come_to_an_end(tmp_path: Path) -> None:
    main = write(tmp_path, "main.ttl", ":main a owl:Ontology ; owl:imports :base . :b rdfs:subClassOf :a .")
    write(tmp_path, "modules/base.ttl", ":base a owl:Ontology ; owl:imports :deep, :base . :a rdfs:subClassOf :top .")
    write(tmp_path, "modules/deep.ttl", ":deep a owl:Ontology ; owl:imports :base, :main . :c rdfs:subClassOf :top .")
    ontology = oe.load_ontology(main, imports=[tmp_path / "modules"])
    assert edges(ontology) == {"b < a", "a < top", "c < top"}
    assert ontology.source.unresolved_imports == ()
    assert ontology.source.triples == 11


def test_a_file_that_imports_itself_is_resolved() -> None:
    text = PREFIXES + ":main a owl:Ontology ; owl:imports :main . :a a owl:Class ."
    assert oe.load_ontology(text.encode()).source.unresolved_imports == ()


@pytest.mark.parametrize(("ontology_iri", "imported"), [("main#", "main"), ("main", "main#"), ("main/", "main")])
def test_an_ontology_imports_itself_whatever_ends_its_iri(ontology_iri: str, imported: str) -> None:
    text = PREFIXES + f"<{EX}{ontology_iri}> a owl:Ontology ; owl:imports <{EX}{imported}> . :a a owl:Class ."
    assert oe.load_ontology(text.encode()).source.unresolved_imports == ()


# Blank nodes


def test_blank_nodes_of_two_files_are_different_even_with_the_same_label(tmp_path: Path) -> None:
    """Merged, _:x would be one intersection of four classes."""
    text = "{} rdfs:subClassOf _:x . _:x owl:intersectionOf _:l . _:l rdf:first {} ; rdf:rest rdf:nil ."
    main = write(tmp_path, "main.ttl", text.format(":a", ":b"))
    more = write(tmp_path, "more.ttl", text.format(":c", ":d"))
    assert edges(oe.load_ontology(main, imports=[more])) == {"a < b", "c < d"}


def test_blank_nodes_of_two_n_triples_files_are_different(tmp_path: Path) -> None:
    owl, rdf = "http://www.w3.org/2002/07/owl#", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    for name, child, parent in (("main", "a", "b"), ("more", "c", "d")):
        (tmp_path / f"{name}.nt").write_text(
            f"<{EX}{child}> <http://www.w3.org/2000/01/rdf-schema#subClassOf> _:x .\n"
            f"_:x <{owl}intersectionOf> _:l .\n_:l <{rdf}first> <{EX}{parent}> .\n_:l <{rdf}rest> <{rdf}nil> .\n"
        )
    ontology = oe.load_ontology(tmp_path / "main.nt", imports=[tmp_path / "more.nt"])
    assert edges(ontology) == {"a < b", "c < d"}


# OBO files

STANZAS = [
    "[Term]\nid: X:1\nname: one\nalt_id: X:9\n", "[Term]\nid: X:2\nis_a: X:1\nrelationship: part_of X:1\n",
    "[Term]\nid: X:3\nis_a: X:9\nsynonym: \"three\" EXACT []\n", "[Term]\nid: X:4\nis_a: X:2\nis_a: X:3\n",
    "[Term]\nid: X:5\nis_obsolete: true\n", "[Term]\nid: X:6\nrelationship: part_of X:4\n",
    "[Typedef]\nid: part_of\nxref: BFO:0000050\n", "[Instance]\nid: X:i\ninstance_of: X:4\n",
]  # fmt: skip


@given(
    st.lists(st.integers(0, 2), min_size=len(STANZAS), max_size=len(STANZAS)),
    st.sampled_from(["part_of", "BFO:0000050"]),
)
def test_an_obo_file_with_its_imports_is_the_joined_file(
    tmp_path_factory: pytest.TempPathFactory, file_of: list[int], relation: str
) -> None:
    """Whichever of three files says something: the first imports the second, and that the third."""
    folder = tmp_path_factory.mktemp("obo")
    headers = ("ontology: main\nimport: second.obo\n", "import: http://ex.org/third.obo\n", "format-version: 1.2\n")
    for number, (name, header) in enumerate(zip(("main", "second", "third"), headers, strict=True)):
        stanzas = [text for text, file in zip(STANZAS, file_of, strict=True) if file == number]
        (folder / f"{name}.obo").write_text("\n".join([header, *stanzas]))
    joined = oe.load_ontology(("ontology: main\n" + "\n".join(STANZAS)).encode(), relations=[relation])
    ontology = oe.load_ontology(folder / "main.obo", imports=[folder], relations=[relation])
    assert ontology.source.unresolved_imports == ()
    assert ontology.source.warnings == ()
    assert ontology.digest == joined.digest
    assert (dict(ontology.aliases), ontology.instances.iris) == (dict(joined.aliases), joined.instances.iris)


def obo_edges(ontology: oe.Ontology) -> set[str]:
    return {edge.replace("http://purl.obolibrary.org/obo/", "") for edge in edges(ontology)}


def test_an_obo_file_may_import_owl(tmp_path: Path) -> None:
    """The OWL file has the parents and a label, and imports of its own."""
    main = tmp_path / "main.obo"
    main.write_text(
        "ontology: main\nimport: http://ex.org/base\n[Term]\nid: X:2\nis_a: X:1\nrelationship: part_of X:0\n"
    )
    obo = "http://purl.obolibrary.org/obo/"
    base = "<http://ex.org/base> a owl:Ontology ; owl:imports <http://ex.org/top> . "
    base += f"<{obo}X_1> rdfs:subClassOf <{obo}X_0> "
    write(tmp_path, "modules/base.ttl", base + "; rdfs:label 'one' .")
    write(tmp_path, "modules/top.ttl", f"<http://ex.org/top> a owl:Ontology . <{obo}X_0> rdfs:subClassOf <{obo}X_T> .")
    ontology = oe.load_ontology(main, imports=[tmp_path / "modules"])
    assert obo_edges(ontology) == {"X_2 < X_1", "X_1 < X_0", "X_0 < X_T"}
    assert "one" in ontology.lexicon.texts
    assert ontology.source.warnings == ()
    related = oe.load_ontology(main, imports=[tmp_path / "modules"], relations=["part_of"])
    assert obo_edges(related) == {"X_2 < X_1", "X_1 < X_0", "X_0 < X_T", "X_2 < X_0"}


def test_an_obo_file_is_imported_by_what_its_header_calls_it(tmp_path: Path) -> None:
    (tmp_path / "some file.obo").write_text("ontology: upper\n[Term]\nid: X:1\nis_a: X:0\n")
    main = tmp_path / "main.obo"
    for name in (
        "upper",
        "upper.obo",
        "http://purl.obolibrary.org/obo/upper.owl",
        "http://purl.obolibrary.org/obo/upper.obo",
    ):
        main.write_text(f"import: {name}\n[Term]\nid: X:2\nis_a: X:1\n")
        ontology = oe.load_ontology(main, imports=[tmp_path / "some file.obo"])
        assert obo_edges(ontology) == {"X_2 < X_1", "X_1 < X_0"}, name
        assert (ontology.source.unresolved_imports, ontology.source.notes) == ((), ())


def test_an_obo_file_cannot_import_a_table(tmp_path: Path) -> None:
    (tmp_path / "main.obo").write_text("import: table\n[Term]\nid: X:2\nis_a: X:1\n")
    (tmp_path / "table.tsv").write_text("a\tb\n")
    with pytest.raises(LoadError, match=r"table.tsv: an import must be OBO, RDF or OWL, not tsv"):
        oe.load_ontology(tmp_path / "main.obo", imports=[tmp_path / "table.tsv"])


def test_of_a_folder_the_file_with_the_whole_name_goes_first(tmp_path: Path) -> None:
    main = write(tmp_path, "main.ttl", MAIN.replace(":base", "<http://ex.org/base.ttl>"))
    write(tmp_path, "modules/base.ttl", BASE)
    write(tmp_path, "modules/base.nt.ttl", ":never a owl:Class .")
    write(tmp_path, "modules/base.n3", ":never a owl:Class .")
    assert edges(oe.load_ontology(main, imports=[tmp_path / "modules"])) == {"b < a", "a < top"}


def test_annotation_vocabularies_of_obo_and_protege_are_noted_only(tmp_path: Path) -> None:
    head = "@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
    imports = "<http://purl.obolibrary.org/obo/omo.owl>, <http://protege.stanford.edu/plugins/owl/protege>"
    links = "<http://x.org/b> rdfs:subClassOf <http://x.org/a> ."
    (tmp_path / "o.ttl").write_text(f"{head}<http://x.org/o> a owl:Ontology ; owl:imports {imports} . {links}")
    source = oe.load_ontology(tmp_path / "o.ttl").source
    assert source.warnings == ()
    assert any("obo/omo.owl" in note for note in source.notes)
