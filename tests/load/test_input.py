"""The way in for bytes: whatever they come in, packed or encoded however, the same ontology comes out."""

from __future__ import annotations

import bz2
import codecs
import gzip
import hashlib
import io
import lzma
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from tiny_files import COMPLETE

import ontoeval as oe
from ontoeval.errors import LoadError, ParameterError
from ontoeval.load.input import DEFAULT_LIMIT, Input, open_input

TINY = "https://example.org/tiny#"
CONCEPTS = (
    "Vehicle", "LandVehicle", "WaterVehicle", "Bicycle", "Boat", "Car", "AmphibiousCar", "Tandem",
)  # fmt: skip
COUNT = "import sys, ontoeval; print(len(ontoeval.load_ontology(sys.argv[1]).hierarchy))"


def gzipped(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)


def zipped(data: bytes, name: str = "tiny.ttl") -> bytes:
    return archive({name: data})


def archive(members: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in members.items():
            file.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzipped, ".bz2": bz2.compress, ".xz": lzma.compress, ".zip": zipped,
}  # fmt: skip


@pytest.fixture
def turtle(fixtures: Path) -> bytes:
    return (fixtures / "formats" / "tiny.ttl").read_bytes()


@pytest.fixture
def rdfxml(fixtures: Path) -> bytes:
    return (fixtures / "formats" / "tiny.rdf").read_bytes()


def is_tiny(ontology: oe.Ontology) -> bool:
    """True if it is the ontology of fixtures/formats, the French label and all."""
    iris = ontology.hierarchy.iris
    labels = ontology.lexicon.labels(ontology.hierarchy.id(TINY + "Bicycle"))
    return iris == tuple(TINY + name for name in CONCEPTS) and set(labels) == {"bicycle", "vélo"}


class TestWhereItComesFrom:
    @pytest.mark.parametrize("as_path", [str, Path, os.path.abspath])
    def test_a_path(self, as_path: Callable[[object], object], tmp_path: Path, turtle: bytes) -> None:
        path = tmp_path / "tiny.ttl"
        path.write_bytes(turtle)
        ontology = oe.load_ontology(as_path(path))
        assert is_tiny(ontology)
        assert ontology.source.path == str(path)

    def test_a_path_with_blanks_and_letters_of_any_kind(self, tmp_path: Path, turtle: bytes) -> None:
        path = tmp_path / "mein Vélo – 車.ttl"
        path.write_bytes(turtle)
        assert oe.load_ontology(path).source.path == str(path)

    @pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
    def test_bytes(self, kind: Callable[[bytes], object], turtle: bytes) -> None:
        ontology = oe.load_ontology(kind(turtle))
        assert is_tiny(ontology)
        assert ontology.source.path == "(bytes)"

    def test_an_open_binary_file_is_read_and_left_open(self, tmp_path: Path, turtle: bytes) -> None:
        path = tmp_path / "tiny.ttl"
        path.write_bytes(turtle)
        with path.open("rb") as stream:
            ontology = oe.load_ontology(stream)
            assert not stream.closed
        assert is_tiny(ontology)
        assert ontology.source.path == str(path)
        assert ontology.source.sha256 == hashlib.sha256(turtle).hexdigest()

    def test_an_open_text_file(self, tmp_path: Path, turtle: bytes) -> None:
        path = tmp_path / "tiny.ttl"
        path.write_bytes(turtle)
        with path.open(encoding="utf-8") as stream:
            assert is_tiny(oe.load_ontology(stream))

    def test_streams_without_a_name(self, turtle: bytes) -> None:
        for stream in (io.BytesIO(turtle), io.StringIO(turtle.decode())):
            ontology = oe.load_ontology(stream)
            assert is_tiny(ontology)
            assert ontology.source.path == "(stream)"

    def test_the_text_of_a_stream_is_decoded_already_whatever_its_xml_declaration_says(self, rdfxml: bytes) -> None:
        text = rdfxml.decode().replace("UTF-8", "ISO-8859-1")
        assert is_tiny(oe.load_ontology(io.StringIO(text)))
        assert is_tiny(oe.load_ontology(io.StringIO(text.replace("ISO-8859-1", "UTF-16"))))

    def test_a_stream_beyond_what_is_kept_in_memory(self, turtle: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("ontoeval.load.input._IN_MEMORY", 100)
        assert is_tiny(oe.load_ontology(io.BytesIO(turtle)))

    def test_stdin(self, turtle: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(turtle)))
        ontology = oe.load_ontology("-")
        assert is_tiny(ontology)
        assert ontology.source.path == "(stdin)"
        assert ontology.source.sha256 == hashlib.sha256(turtle).hexdigest()

    def test_packed_stdin(self, turtle: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzipped(turtle))))
        assert is_tiny(oe.load_ontology("-"))

    def test_a_pipe_that_has_a_path(self, fixtures: Path) -> None:
        """As the shell makes one: `ontoeval describe <(zcat tiny.ttl.gz)`."""
        script = f'{sys.executable} -c "{COUNT}" <(cat {fixtures / "formats" / "tiny.ttl"})'
        done = subprocess.run(["bash", "-c", script], capture_output=True, timeout=60)
        assert (done.stdout, done.stderr) == (b"8\n", b"")

    def test_a_named_pipe(self, turtle: bytes, tmp_path: Path) -> None:
        path = tmp_path / "pipe"
        os.mkfifo(path)
        with subprocess.Popen([sys.executable, "-c", COUNT, path], stdout=subprocess.PIPE) as reader:
            try:
                path.write_bytes(turtle)  # waits for the reader
                stdout, _ = reader.communicate(timeout=10)
            finally:
                reader.kill()
        assert stdout == b"8\n"

    def test_the_path_of_stdin(self, turtle: bytes) -> None:
        command = [sys.executable, "-c", COUNT, "/dev/stdin"]
        done = subprocess.run(command, input=turtle, capture_output=True, timeout=60)
        assert (done.stdout, done.stderr) == (b"8\n", b"")

    def test_every_source_has_the_sha256_of_its_bytes_as_given(self, turtle: bytes, tmp_path: Path) -> None:
        for suffix, pack in {"": bytes, **PACKERS}.items():
            path = tmp_path / f"tiny.ttl{suffix}"
            path.write_bytes(pack(turtle))
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            assert oe.load_ontology(path).source.sha256 == digest
            assert oe.load_ontology(path.read_bytes()).source.sha256 == digest
            assert oe.load_ontology(io.BytesIO(path.read_bytes())).source.sha256 == digest

    def test_loading_does_not_change_the_file(self, turtle: bytes, tmp_path: Path) -> None:
        path = tmp_path / "tiny.ttl"
        path.write_bytes(turtle)
        path.chmod(0o444)
        before = path.stat().st_mtime_ns
        oe.load_ontology(path)
        assert path.read_bytes() == turtle
        assert path.stat().st_mtime_ns == before
        assert [entry.name for entry in tmp_path.iterdir()] == ["tiny.ttl"]

    def test_no_file_stays_open(self, turtle: bytes, rdfxml: bytes, tmp_path: Path) -> None:
        before = _open_files()
        for suffix, pack in {"": bytes, **PACKERS}.items():
            for name, data in (("tiny.ttl", turtle), ("tiny.rdf", rdfxml)):
                path = tmp_path / f"{name}{suffix}"
                path.write_bytes(pack(data))
                oe.load_ontology(path)
        assert _open_files() == before


def _open_files() -> int:
    folder = Path("/proc/self/fd")
    return len(list(folder.iterdir())) if folder.is_dir() else 0


class TestPacked:
    @pytest.mark.parametrize("suffix", PACKERS)
    def test_compression_is_told_by_content(self, suffix: str, turtle: bytes, tmp_path: Path) -> None:
        packed = PACKERS[suffix](turtle)
        for name in (f"tiny.ttl{suffix}", f"tiny{suffix}", "tiny.ttl", "tiny"):
            path = tmp_path / name
            path.write_bytes(packed)
            assert is_tiny(oe.load_ontology(path))
        assert is_tiny(oe.load_ontology(packed))
        assert is_tiny(oe.load_ontology(io.BytesIO(packed)))

    @pytest.mark.parametrize("suffix", PACKERS)
    def test_a_suffix_without_compression_behind_it(self, suffix: str, turtle: bytes, tmp_path: Path) -> None:
        path = tmp_path / f"tiny.ttl{suffix}"
        path.write_bytes(turtle)
        assert is_tiny(oe.load_ontology(path))

    def test_gzip_in_several_parts(self, turtle: bytes) -> None:
        assert is_tiny(oe.load_ontology(gzipped(turtle[:100]) + gzipped(turtle[100:])))

    def test_a_zip_with_folders_and_what_a_mac_adds(self, turtle: bytes) -> None:
        packed = archive({"data/": b"", "data/tiny.ttl": turtle, "__MACOSX/data/._tiny.ttl": b"\x00\x05\x16\x07"})
        assert is_tiny(oe.load_ontology(packed))

    @pytest.mark.parametrize(
        ("name", "suffix"),
        [
            ("a/b.ttl", ".ttl"), ("b.ttl.gz", ".ttl"), ("b.OWL.ZIP", ".owl"), ("b.obo.xz", ".obo"), ("b.gz", ""),
            ("b", ""), ("b.tar.bz2", ".tar"),
        ],
    )  # fmt: skip
    def test_the_suffix_without_that_of_the_compression(self, name: str, suffix: str) -> None:
        assert Input(name, io.BytesIO).suffix == suffix


class TestEncodings:
    MARKS = (
        ("utf-8", codecs.BOM_UTF8), ("utf-16-le", codecs.BOM_UTF16_LE), ("utf-16-be", codecs.BOM_UTF16_BE),
        ("utf-32-le", codecs.BOM_UTF32_LE), ("utf-32-be", codecs.BOM_UTF32_BE),
    )  # fmt: skip

    @pytest.mark.parametrize(("encoding", "mark"), MARKS)
    @pytest.mark.parametrize("name", COMPLETE)
    def test_a_byte_order_mark(self, name: str, encoding: str, mark: bytes, fixtures: Path) -> None:
        text = (fixtures / "formats" / name).read_text(encoding="utf-8")
        assert is_tiny(oe.load_ontology(mark + text.encode(encoding)))

    @pytest.mark.parametrize(("encoding", "mark"), MARKS)
    def test_a_byte_order_mark_on_a_table(self, encoding: str, mark: bytes) -> None:
        ontology = oe.load_ontology(mark + "vélo\tvéhicule\n".encode(encoding))
        assert ontology.hierarchy.iris == ("véhicule", "vélo")

    @pytest.mark.parametrize(("encoding", "mark"), MARKS)
    def test_a_byte_order_mark_goes_before_the_xml_declaration(self, encoding: str, mark: bytes, rdfxml: bytes) -> None:
        for declared in ("ISO-8859-1", "UTF-16", "UTF-8", "us-ascii"):
            text = rdfxml.decode().replace("UTF-8", declared)
            assert is_tiny(oe.load_ontology(mark + text.encode(encoding)))

    @pytest.mark.parametrize("name", ["tiny.rdf", "tiny.owx"])
    @pytest.mark.parametrize("encoding", ["ISO-8859-1", "iso-8859-15", "windows-1252", "latin1", "UTF8", "mac-roman"])
    def test_the_encoding_that_xml_declares(self, name: str, encoding: str, fixtures: Path) -> None:
        text = (fixtures / "formats" / name).read_text(encoding="utf-8").replace("UTF-8", encoding)
        assert is_tiny(oe.load_ontology(text.encode(encoding)))
        assert is_tiny(oe.load_ontology(text.replace('"', "'", 4).encode(encoding)))

    @pytest.mark.parametrize("declared", ["us-ascii", "ASCII", "US-ASCII"])
    def test_declared_as_ascii(self, declared: str, rdfxml: bytes) -> None:
        text = rdfxml.decode().replace("UTF-8", declared).replace("vélo", "v&#233;lo")
        assert is_tiny(oe.load_ontology(text.encode("ascii")))

    def test_declared_as_latin_1_and_packed(self, rdfxml: bytes) -> None:
        text = rdfxml.decode().replace("UTF-8", "ISO-8859-1")
        assert is_tiny(oe.load_ontology(gzipped(text.encode("latin-1"))))

    def test_a_character_across_the_border_of_two_reads(self) -> None:
        lines = "".join(f"vélo{number}\tvéhicule\n" for number in range(40_000))
        for mark, encoding in ((codecs.BOM_UTF16_LE, "utf-16-le"), (b"\xef\xbb\xbf ", "utf-8")):
            assert len(oe.load_ontology(mark + lines.encode(encoding)).hierarchy) == 40_001

    @pytest.mark.parametrize(
        "name", ["klingon", "hex", "base64", "rot13", "zlib", "bz2", "uu", "quopri", "x-mac-roman", "unicode_escape"]
    )
    def test_an_encoding_that_nobody_knows_or_that_is_none(self, name: str, rdfxml: bytes) -> None:
        with pytest.raises(LoadError) as caught:
            oe.load_ontology(rdfxml.replace(b"UTF-8", name.encode()))
        expected = f"(bytes): the XML declaration names the unknown encoding '{name}'. Convert the file to UTF-8."
        assert str(caught.value) == expected

    @pytest.mark.parametrize("declared", ["UTF-16", "utf-7", "us-ascii"])
    def test_a_declared_encoding_that_is_wrong(self, declared: str, rdfxml: bytes) -> None:
        with pytest.raises(LoadError) as caught:
            oe.load_ontology(rdfxml.replace(b"UTF-8", declared.encode()))
        assert str(caught.value) == (
            f"(bytes): declared as {codecs.lookup(declared).name}, but some bytes are not. Correct the declaration "
            "or the file."
        )

    def test_half_a_character_at_the_end(self, turtle: bytes) -> None:
        with pytest.raises(LoadError) as caught:
            oe.load_ontology(turtle.decode().encode("utf-16")[:-1])
        assert str(caught.value) == (
            "(bytes): declared as utf-16, but some bytes are not. Correct the declaration or the file."
        )


class TestLimit:
    def test_the_default_is_generous(self) -> None:
        assert DEFAULT_LIMIT == 4 << 30
        assert open_input(b"x").limit == DEFAULT_LIMIT

    @pytest.mark.parametrize("suffix", ["", *PACKERS])
    def test_the_unpacked_size_counts(self, suffix: str, turtle: bytes, tmp_path: Path) -> None:
        path = tmp_path / f"tiny.ttl{suffix}"
        path.write_bytes({"": bytes, **PACKERS}[suffix](turtle))
        size = len(turtle)
        assert is_tiny(oe.load_ontology(path, max_size=size))
        assert is_tiny(oe.load_ontology(path.read_bytes(), max_size=size))
        with pytest.raises(LoadError) as caught:
            oe.load_ontology(path, max_size=size - 1)
        assert str(caught.value) == (
            f"{path}: larger than {size - 1} bytes when unpacked. Increase max_size= if you trust the file."
        )

    def test_a_stream_is_not_read_beyond_the_limit(self) -> None:
        class Endless(io.RawIOBase):
            produced = 0

            def read(self, size: int = -1, /) -> bytes:
                self.produced += size
                return b"#" * size

        stream = Endless()
        with pytest.raises(LoadError) as caught:
            oe.load_ontology(stream, max_size=1 << 20)
        assert str(caught.value) == (
            "(stream): larger than 1,048,576 bytes when unpacked. Increase max_size= if you trust the file."
        )
        assert stream.produced < 1 << 22

    def test_a_bomb_is_unpacked_up_to_the_limit_only(self) -> None:
        bomb = gzipped(b"@prefix : <http://x/> .\n" + b"#\n" * (32 << 20))
        source = Input("bomb", lambda: io.BytesIO(bomb), limit=1 << 20)
        with source.open() as stream:
            assert len(stream.read(1 << 19)) == 1 << 19
            with pytest.raises(LoadError, match="larger than 1,048,576 bytes"):
                stream.read()


class TestProgress:
    @pytest.mark.parametrize("suffix", ["", *PACKERS])
    def test_it_ends_with_all_bytes_of_the_file(self, suffix: str, turtle: bytes, tmp_path: Path) -> None:
        path = tmp_path / f"tiny.ttl{suffix}"
        path.write_bytes({"": bytes, **PACKERS}[suffix](turtle))
        seen: list[tuple[int, int | None]] = []
        ontology = oe.load_ontology(path, progress=lambda done, total: seen.append((done, total)))
        size = path.stat().st_size
        assert is_tiny(ontology)
        assert seen
        assert {total for _, total in seen} == {size}
        assert all(0 <= done <= size for done, _ in seen)
        assert max(done for done, _ in seen) == size
        if suffix != ".zip":  # its directory stands at the end and is read first
            assert seen[-1] == (size, size)

    def test_a_stream_has_progress_too(self, turtle: bytes) -> None:
        seen: list[tuple[int, int | None]] = []
        oe.load_ontology(io.BytesIO(turtle), progress=lambda done, total: seen.append((done, total)))
        assert seen[-1] == (len(turtle), len(turtle))

    def test_a_long_file_is_reported_in_steps(self) -> None:
        line = b"<http://x/%d> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <http://x/0> .\n"
        data = b"".join(line % number for number in range(1, 20_000))
        seen: list[int] = []
        oe.load_ontology(data, progress=lambda done, total: seen.append(done))
        steps = [done for done, before in zip(seen[1:], seen, strict=False) if done > before]
        assert len(steps) >= 4
        assert max(seen) == len(data)


class TestRefused:
    @pytest.mark.parametrize("source", [3, None, 1.5, ["tiny.ttl"], object()], ids=lambda source: type(source).__name__)
    def test_what_is_no_source(self, source: object) -> None:
        with pytest.raises(ParameterError) as caught:
            oe.load_ontology(source)
        assert str(caught.value) == (
            f"cannot load an ontology from a {type(source).__name__}. Use a path, '-', bytes, an open file, an "
            "rdflib.Graph, an owlready2 ontology, a networkx.DiGraph or a data frame; "
            "for a list of links use Ontology.from_edges."
        )

    def test_a_closed_file(self) -> None:
        stream = io.BytesIO(b"x")
        stream.close()
        with pytest.raises(LoadError) as caught:
            oe.load_ontology(stream)
        assert str(caught.value) == (
            "(stream): cannot be read (I/O operation on closed file). Use a file that is open for reading."
        )

    def test_a_file_that_is_open_for_writing(self, tmp_path: Path) -> None:
        path = tmp_path / "new.ttl"
        with path.open("wb") as stream, pytest.raises(LoadError) as caught:
            oe.load_ontology(stream)
        assert str(caught.value) == f"{path}: cannot be read (read). Use a file that is open for reading."

    def test_a_text_file_that_was_opened_with_the_wrong_encoding(self, turtle: bytes, tmp_path: Path) -> None:
        path = tmp_path / "tiny.ttl"
        path.write_bytes(turtle.decode().encode("latin-1"))
        with path.open(encoding="utf-8") as stream, pytest.raises(LoadError) as caught:
            oe.load_ontology(stream)
        assert str(caught.value) == (
            f"{path}: cannot be read as text (invalid continuation byte). Open the file in binary mode."
        )

    def test_text_that_is_no_unicode(self) -> None:
        with pytest.raises(LoadError) as caught:
            oe.load_ontology(io.StringIO("@prefix : <http://x/> . # \udc80"))
        assert str(caught.value) == (
            "(stream): cannot be read as text (surrogates not allowed). Open the file in binary mode."
        )

    def test_no_stdin(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "stdin", None)
        with pytest.raises(LoadError) as caught:
            oe.load_ontology("-")
        assert str(caught.value) == "(stdin): stdin is closed. Use a file."

    def test_a_path_that_no_file_can_have(self) -> None:
        with pytest.raises(LoadError) as caught:
            oe.load_ontology("a\0b.ttl")
        assert str(caught.value) == (
            "a\\x00b.ttl: cannot be opened (embedded null byte). Check the path and its permissions."
        )

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
    def test_a_file_without_permission(self, turtle: bytes, tmp_path: Path) -> None:
        path = tmp_path / "tiny.ttl"
        path.write_bytes(turtle)
        path.chmod(0)
        with pytest.raises(LoadError) as caught:
            oe.load_ontology(path)
        assert str(caught.value) == f"{path}: cannot be opened (Permission denied). Check the path and its permissions."
