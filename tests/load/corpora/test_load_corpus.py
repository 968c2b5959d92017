"""Files, folders and several of them as one corpus."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
from functools import partial
from pathlib import Path

import pytest
from helpers import refusal

import ontoeval as oe
from ontoeval.load.corpora import FORMATS
from ontoeval.load.corpora.format import document_name


def gate(name: str = "Key", features: str = "class", value: str = "A") -> bytes:
    feature = f"<Feature><Name>{features}</Name><Value>{value}</Value></Feature>" if features else ""
    return (
        f'<GateDocument><TextWithNodes><Node id="0"/>abc<Node id="3"/></TextWithNodes><AnnotationSet Name="{name}">'
        f'<Annotation Id="1" Type="T" StartNode="0" EndNode="3">{feature}</Annotation></AnnotationSet></GateDocument>'
    ).encode()


def bdoc() -> bytes:
    one = {"type": "T", "start": 0, "end": 2, "id": 0, "features": {"class": "B"}}
    sets = {"Key": {"name": "Key", "annotations": [one], "next_annid": 1}}
    return json.dumps({"annotation_sets": sets, "text": "abc", "offset_type": "p", "name": "x"}).encode()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "corpus"
    (made / "sub").mkdir(parents=True)
    (made / "b.xml").write_bytes(gate())
    (made / "a.xml.gz").write_bytes(gzip.compress(gate()))
    (made / "sub" / "c.bdocjs").write_bytes(bdoc())
    (made / ".hidden").write_bytes(b"nothing")
    (made / "b.txt").write_bytes(b"abc")  # the text of b.xml
    return made


refused = partial(refusal, oe.OntoevalError, oe.load_corpus)


def test_a_folder_is_read_in_order_with_all_below_it(folder: Path) -> None:
    corpus = oe.load_corpus(folder)
    assert corpus.documents == ("a", "b", "c")
    assert (corpus.concepts, len(corpus), corpus.labels) == (("A", "B"), 3, False)
    source = corpus.source
    assert (source.path, source.format, source.profile) == (str(folder), "bdoc, gate", "corpus")
    files = [folder / "a.xml.gz", folder / "b.xml", folder / "sub" / "c.bdocjs"]
    digests = [hashlib.sha256(path.read_bytes()).digest() for path in files]
    assert source.sha256 == hashlib.sha256(b"".join(digests)).hexdigest()
    assert oe.load_corpus(files).digest == corpus.digest
    assert oe.load_corpus(files[1]).source.sha256 == digests[1].hex()


def test_bytes_and_streams_are_files_too() -> None:
    assert oe.load_corpus(gate()).documents == oe.load_corpus(bytearray(gate())).documents == ("(bytes)",)
    assert oe.load_corpus(io.BytesIO(gate())).documents == ("(stream)",)
    assert oe.load_corpus([io.BytesIO(gate()), bdoc()]).documents == ("(bytes)", "(stream)")


def test_a_format_leaves_other_files_of_a_folder_out(folder: Path) -> None:
    (folder / "README.md").write_text("# What this is\n\nOf two documents.\n")
    corpus = oe.load_corpus(folder, format="gate")
    assert corpus.documents == ("a", "b")
    assert "2 files are not in the format 'gate'; left out: README.md, sub/c.bdocjs" in corpus.source.notes


def test_progress_goes_from_nothing_to_all(folder: Path) -> None:
    reports: list[tuple[int, int | None]] = []
    oe.load_corpus(folder, progress=lambda done, total: reports.append((done, total)))
    size = sum(path.stat().st_size for path in (folder / "a.xml.gz", folder / "b.xml", folder / "sub" / "c.bdocjs"))
    assert [done for done, _ in reports] == sorted({done for done, _ in reports})
    assert reports[-1] == (size, size)


def test_the_class_is_found_in_the_whole_corpus_not_in_each_document(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(gate(features="kind"))
    (tmp_path / "b.xml").write_bytes(gate())
    corpus = oe.load_corpus(tmp_path)
    assert (corpus.documents, corpus.concepts, len(corpus)) == (("a", "b"), ("A",), 1)
    assert corpus.source.counts == {"annotations without a class; left out": 1}
    (tmp_path / "b.xml").write_bytes(gate(features=""))
    assert oe.load_corpus(tmp_path).concepts == ("T",)


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("a.xml", "a"), ("x/b.xml.gz", "b"), ("a.b.bdocjs.GZ", "a.b"), ("plain", "plain"), (".xml", ".xml"),
        ("(stdin)", "(stdin)"),
    ],
)  # fmt: skip
def test_the_name_of_a_document_is_that_of_its_file(file: str, name: str) -> None:
    assert document_name(file) == name


def test_files_that_cannot_be_told_are_listed(folder: Path) -> None:
    (folder / "README.md").write_text("# What this is\n\nOf two documents.\n")
    (folder / "sub" / "empty").write_bytes(b"")
    assert refused(folder) == (
        f"{folder}: unknown format of 2 of 5 files: README.md, sub/empty. Remove them, or set format= to bdoc or gate."
    )


def test_refused(folder: Path) -> None:
    empty = folder.parent / "empty"
    empty.mkdir()
    nothing = folder / "nothing"
    nothing.write_bytes(b"")
    (empty / "README.md").write_text("# What this is\n\nOf two documents.\n")
    known = ", ".join(FORMATS)
    assert refused(nothing) == f"{nothing}: the file is empty. Use annotated documents."
    assert refused(b"# What this is\n\nOf two.\n") == (
        "(bytes): unknown format of annotations (starts '# What this is\\n\\nOf two.\\n'). Set format=."
    )
    assert refused(empty) == (
        f"{empty}: no files with annotations in this directory (found: README.md). Use a directory of annotated "
        "documents."
    )
    assert refused(folder, format="gat") == f"unknown format 'gat'. Did you mean 'gate'? Use one of: {known}."
    assert refused([]) == "the list of files is empty. Add a file or a directory."
    assert refused(folder / "none.xml") == f"{folder / 'none.xml'}: no such file. Check the path."
    assert refused(folder / "b.xml", max_size=10) == (
        f"{folder / 'b.xml'}: larger than 10 bytes when unpacked. Increase max_size= if you trust the file."
    )
    assert refused(folder / "b.xml", labels=True) == (
        f"{folder / 'b.xml'}: document 'b' has a span of text, expected a label of the whole document. Use a corpus "
        "of one kind."
    )


def test_a_document_may_come_once(folder: Path) -> None:
    (folder / "sub" / "b.xml").write_bytes(gate())
    assert refused(folder) == (
        f"{folder / 'sub' / 'b.xml'}: the document 'b' is also in {folder / 'b.xml'}. Remove or rename one of them."
    )


def test_sets_are_compared_over_all_documents(folder: Path) -> None:
    (folder / "d.xml").write_bytes(gate("Response"))
    assert refused(folder) == (
        f"{folder / 'd.xml'}: annotations are in several sets: 'Key' (2), 'Response' (1). Set annotation_set=."
    )
    assert refused(folder, annotation_set="Keys") == (
        f"{folder}: no annotation set 'Keys'. Did you mean 'Key'? Sets: 'Key' (3), 'Response' (1)."
    )
    assert len(oe.load_corpus(folder, annotation_set="Response")) == 1
