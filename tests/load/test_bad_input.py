"""Whatever is wrong with a file, a user reads one line that says what, where, and what to do."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import re
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner, Result
from helpers import refusal, refused
from tiny_files import FILES, FOLDER

import ontoeval as oe
from ontoeval.cli import main
from ontoeval.errors import LoadError, ParameterError
from ontoeval.load.formats import FORMATS
from ontoeval.load.ontologies.rdf import RDF_FORMATS
from ontoeval.load.options import LoadOptions

OWL = "http://www.w3.org/2002/07/owl#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
TTL, XML, NT, NQ, TRIG, N3, JSONLD, OWX, OFN, OBO, OBOGRAPH, TSV, PAIRS = (
    (FOLDER / f"tiny.{suffix}").read_bytes()
    for suffix in (
        "ttl", "rdf", "nt", "nq", "trig", "n3", "jsonld", "owx", "ofn", "obo", "obograph.json", "tsv", "pairs.json",
    )
)  # fmt: skip
CHOICES = ", ".join(FORMATS)
PARAMETERS = {  # an option in a message -> what a Python user reads instead
    "--input-format": "format=", "--lenient": "lenient=True", "--max-size": "max_size=", "--columns": "columns=",
    "--profile": "profile=", "--base-iri IRI": 'base_iri="IRI"',
}  # fmt: skip
OPTION = re.compile("|".join(PARAMETERS))
STRICT = "Correct the file, or set --lenient to read what can be read."
FETCH = "The file is damaged or truncated: download it again."
UNPACK = "The file is damaged or truncated: download or pack it again."
UTF8 = "Convert the file to UTF-8, e.g. with `iconv -f latin1 -t utf-8`"
LIKE = f"this looks like {{}}, not an ontology. Write one link per line, child TAB parent. Other formats: {CHOICES}."
NO_CONCEPT = "no concepts found: no class, no SKOS concept, no link. Use an ontology, or set another --profile."
NO_STATEMENT = "no statements found (read as {}). Set --input-format."
TURTLE_HEAD = f"@prefix owl: <{OWL}> .\n@prefix rdfs: <{RDFS}> .\n"
BOMB = b"@prefix : <http://x/> .\n" + b"#\n" * (2 << 20)


def rdfxml(body: str, more: str = "") -> bytes:
    return f'<rdf:RDF{more} xmlns:rdf="{RDF}" xmlns:owl="{OWL}" xmlns:rdfs="{RDFS}">\n{body}\n</rdf:RDF>\n'.encode()


def turtle(body: str) -> bytes:
    return (TURTLE_HEAD + body).encode()


def latin(data: bytes) -> bytes:
    return data.replace(b' encoding="UTF-8"', b"").decode().encode("latin-1")


def upto(data: bytes, mark: bytes) -> bytes:
    """Cut off where `mark` begins."""
    return data[: data.index(mark)]


def archive(members: Mapping[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        for name, data in members.items():
            file.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def encrypted(data: bytes) -> bytes:
    """The flags that say so are enough."""
    marked = bytearray(archive({"tiny.ttl": data}))
    marked[6] |= 1
    marked[marked.index(b"PK\x01\x02") + 8] |= 1
    return bytes(marked)


def overwritten(data: bytes, start: int) -> bytes:
    """Eight bytes that no packer writes."""
    return data[:start] + b"\xff" * 8 + data[start + 8 :]


@dataclass(frozen=True)
class Bad:
    """A file that is refused: its name, its content, and the message after its name (and the line, if it has one)."""

    name: str
    content: bytes = field(repr=False)
    message: str
    line: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def whole(self) -> str:
        place = self.name if self.line is None else f"{self.name}, line {self.line}"
        return f"{place}: {self.message}"

    @property
    def in_python(self) -> str:
        """The same with parameters instead of options."""
        return OPTION.sub(lambda option: PARAMETERS[option[0]], self.whole)

    @property
    def arguments(self) -> list[str]:
        names = {"format": "--input-format", "max_size": "--max-size", "base_iri": "--base-iri"}
        arguments: list[str] = []
        for key, value in self.options.items():
            arguments += [names.get(key, f"--{key}")] + ([] if value is True else [str(value)])
        return arguments


BAD = {
    "empty file": Bad("x.ttl", b"", "the file is empty. Use an ontology file."),
    "empty gzip": Bad("x.ttl.gz", gzip.compress(b"", mtime=0), "the file is empty. Use an ontology file."),
    "byte order mark alone": Bad("x.ttl", b"\xef\xbb\xbf", "the file is empty. Use an ontology file."),
    "blanks alone": Bad("x.owl", b" \n\t\r\n ", "the file is empty. Use an ontology file."),
    "many blanks": Bad("x.tsv", b" " * 200_000, "the file is empty. Use an ontology file."),
    # rubbish
    "zeros": Bad(
        "x.owl",
        b"\x7fELF\x02\x01\x01\x00\x00",
        "unknown format (starts '\\x7fELF\\x02\\x01\\x01\\x00\\x00'). Set --input-format.",
    ),
    "a picture": Bad(
        "x.rdf",
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
        "unknown format (starts '�PNG\\r\\n\\x1a\\n\\x00\\x00\\x00\\rIHDR'). Set --input-format.",
    ),
    "a picture as Turtle": Bad(
        "x.ttl",
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
        f"byte 0x89 is not UTF-8. {UTF8}.",
        1,
        {"format": "turtle"},
    ),
    # truncated
    "RDF/XML cut off in a tag": Bad(
        "x.rdf", upto(XML, b'source="#Bicycle"'), f"not well-formed XML: unclosed token. {FETCH}", 29
    ),
    "RDF/XML cut off between elements": Bad(
        "x.rdf", upto(XML, b'  <owl:Class rdf:about="#Boat">'), f"not well-formed XML: no element found. {FETCH}", 31
    ),
    "RDF/XML cut off in text": Bad(
        "x.rdf", upto(XML, b"lo</rdfs"), f"not well-formed XML: no element found. {FETCH}", 25
    ),
    "RDF/XML without its last tag": Bad(
        "x.rdf", upto(XML, b"</rdf:RDF>"), f"not well-formed XML: no element found. {FETCH}", 41
    ),
    "RDF/XML cut off in the head": Bad("x.rdf", XML[:120], f"not well-formed XML: no element found. {FETCH}", 4),
    "RDF/XML with a tag that closes another": Bad(
        "x.rdf", XML.replace(b"</owl:Class>", b"</owl:Klass>", 1), f"not well-formed XML: mismatched tag. {FETCH}", 15
    ),
    "two RDF/XML files in one": Bad(
        "x.rdf", XML + XML.split(b"]>\n")[1], f"not well-formed XML: junk after document element. {FETCH}", 42
    ),
    "Turtle cut off": Bad("x.ttl", upto(TTL, b"Boat ."), f"not valid turtle: Unexpected end. {STRICT}", 14),
    "Turtle cut off in a literal": Bad(
        "x.ttl", upto(TTL, b'cycle"@en'), f"not valid turtle: Unexpected end of file. {STRICT}", 11
    ),
    "N-Triples cut off": Bad("x.nt", upto(NT, b'"@fr .'), f"not valid nt: Unexpected end of file. {STRICT}", 12),
    "N-Quads cut off": Bad("x.nq", upto(NQ, b'"@fr <'), f"not valid nquads: Unexpected end of file. {STRICT}", 12),
    "TriG cut off": Bad("x.trig", upto(TRIG, b":Tandem"), f"not valid trig: Unexpected end. {STRICT}", 12),
    "JSON-LD cut off": Bad(
        "x.jsonld",
        upto(JSONLD, b'"#Boat"]}'),
        f"not valid json-ld: Unexpected end of file, a value was expected. {STRICT}",
        18,
    ),
    "OWL/XML cut off": Bad(
        "x.owx", upto(OWX, b"  <ClassAssertion>"), f"not well-formed XML: no element found. {FETCH}", 25
    ),
    "functional syntax cut off": Bad(
        "x.ofn",
        upto(OFN, b"le)\nSubClassOf(:Tandem"),
        "not valid ofn: expected SPARQL_PnPrefix or FullIRI at column 21 of 'SubClassOf(:Bicycle :LandVehic'. "
        "Correct the file.",
        18,
    ),
    "OBO cut off": Bad(
        "x.obo",
        upto(OBO, b" tiny:WaterVehicle\n\n[Term]\nid: tiny:Amphibious"),
        "'is_a:' has no id; expected e.g. 'is_a: GO:0008150'. Correct the file, or set --lenient to skip the line.",
        32,
    ),
    "OBO cut off in a tag": Bad(
        "x.obo",
        upto(OBO, b"_a: tiny:WaterVehicle\n\n[Term]\nid: tiny:Amphibious"),
        "'is' is not 'tag: value'. Correct the file, or set --lenient to skip the line.",
        32,
    ),
    "OBO cut off after a stanza's name": Bad(
        "x.obo",
        upto(OBO, b"id: tiny:Boat"),
        "the stanza [Term] has no 'id:'. Correct the file, or set --lenient to skip the stanza.",
        30,
    ),
    "OBO Graphs cut off": Bad(
        "x.json",
        upto(OBOGRAPH, b"Tandem"),
        "not valid JSON: Unterminated string starting at. The file is damaged or truncated: correct it or download "
        "it again.",
        16,
    ),
    "pairs cut off": Bad(
        "x.json",
        upto(PAIRS, b"Car"),
        "not valid JSON: Unterminated string starting at. The file is damaged or truncated: correct it or download "
        "it again.",
        4,
    ),
    "table cut off": Bad(
        "x.tsv",
        upto(TSV, b"\thttps://example.org/tiny#Boat"),
        "found 1 cell, expected 2 (child, parent). Separate the columns by TAB, or set --columns.",
        9,
    ),
    # another format
    "a web page": Bad(
        "x.owl",
        b"<!DOCTYPE html>\n<html><head><title>404</title></head><body></body></html>",
        "this is an HTML page, not an ontology. Download the ontology file itself, not the web page about it.",
    ),
    "a web page of today": Bad(
        "x.owl",
        b"<!doctype html>\n<html lang=en><meta charset=utf-8><title>404</title><p>Not found<br>",
        "this is an HTML page, not an ontology. Download the ontology file itself, not the web page about it.",
    ),
    "a web page without a declaration": Bad(
        "x.ttl",
        b"\n<HTML>\n<HEAD><TITLE>404</TITLE></HEAD></HTML>",
        "this is an HTML page, not an ontology. Download the ontology file itself, not the web page about it.",
    ),
    "a GATE document": Bad(
        "x.xml",
        b"<?xml version='1.0' encoding='UTF-8'?>\n<GateDocument version='3'><TextWithNodes/></GateDocument>",
        "XML with the root element <GateDocument> is neither RDF/XML nor OWL/XML. Use an ontology file.",
    ),
    "CSV": Bad(
        "x.csv",
        b"child,parent\ncat,animal\ndog,animal\n",
        LIKE.format("comma-separated values"),
    ),
    "CSV with semicolons": Bad(
        "gold.txt",
        b"ID;Parent;Label\n1;2;dog\n",
        LIKE.format("comma-separated values"),
    ),
    "CSV that is called a table": Bad(
        "x.tsv",
        b"child,parent\ncat,animal\n",
        LIKE.format("comma-separated values"),
    ),
    "prose": Bad(
        "x.txt",
        b"This is a text.\nIt says nothing.\n",
        LIKE.format("running text"),
    ),
    "a list of numbers": Bad(
        "x.json",
        b"[1, 2]",
        NO_STATEMENT.format("json-ld"),
    ),
    "JSON of another kind": Bad("x.json", b'{"name": "cat"}', NO_STATEMENT.format("json-ld")),
    "a file in a file in a file": Bad(
        "x.ttl.gz.xz",
        lzma.compress(b"\x1f\x8b\x08\x00" + bytes(4)),
        "unknown format (starts '\\x1f�\\x08\\x00\\x00\\x00\\x00\\x00'). Set --input-format.",
    ),
    # a format that it is not in
    "Turtle as RDF/XML": Bad(
        "x.ttl", TTL, f"not well-formed XML: not well-formed (invalid token). {FETCH}", 1, {"format": "xml"}
    ),
    "RDF/XML as Turtle": Bad(
        "x.rdf", XML, f"not valid turtle: Invalid IRI code point ' '. {STRICT}", 1, {"format": "turtle"}
    ),
    "OBO as Turtle": Bad(
        "x.obo",
        OBO,
        f"not valid turtle: The prefix format-version: has not been declared. {STRICT}",
        1,
        {"format": "turtle"},
    ),
    "Turtle as N-Triples": Bad(
        "x.ttl",
        TTL,
        f"not valid nt: The subject of a triple must be an IRI or a blank node. {STRICT}",
        1,
        {"format": "nt"},
    ),
    "Turtle as JSON-LD": Bad(
        "x.ttl", TTL, f"not valid json-ld: Unexpected char: '@'. {STRICT}", 1, {"format": "json-ld"}
    ),
    "RDF/XML as OWL/XML": Bad(
        "x.rdf", XML, "not valid owlxml: Unexpected tag: found Class. Correct the file.", 13, {"format": "owlxml"}
    ),
    "Turtle as functional syntax": Bad(
        "x.ttl",
        TTL,
        "not valid ofn: expected OntologyDocument at column 1 of '@prefix : <https://example.org/tiny#> .'. "
        "Correct the file.",
        1,
        {"format": "ofn"},
    ),
    "RDF/XML as OBO": Bad(
        "x.rdf",
        XML,
        "'<?xml version=\"1.0\" encoding=\"UTF-8\"?>' is not 'tag: value'. Correct the file, or set --lenient to skip "
        "the line.",
        1,
        {"format": "obo"},
    ),
    "Turtle as OBO": Bad("x.ttl", TTL, NO_CONCEPT, None, {"format": "obo"}),
    "Turtle as a table": Bad(
        "x.ttl",
        TTL,
        "found 1 cell, expected 2 or 3 (child, parent, weight). Separate the columns by TAB, or set --columns.",
        1,
        {"format": "tsv"},
    ),
    "Turtle as pairs": Bad(
        "x.ttl",
        TTL,
        "not valid JSON: Expecting value. The file is damaged or truncated: correct it or download it again.",
        1,
        {"format": "pairs"},
    ),
    "pairs as OBO Graphs": Bad(
        "x.json",
        PAIRS,
        "the document has no 'graphs'. Correct the file, or make it again, e.g. with `robot convert --format json`.",
        None,
        {"format": "obograph"},
    ),
    "OBO Graphs as pairs": Bad(
        "x.json",
        OBOGRAPH,
        'not a list of {"parent": ..., "child": ...}. Use such a list.',
        None,
        {"format": "pairs"},
    ),
    # encodings
    "Latin-1 in Turtle": Bad("x.ttl", latin(TTL), f"byte 0xe9 is not UTF-8. {UTF8}.", 11),
    "Latin-1 in N-Triples": Bad("x.nt", latin(NT), f"byte 0xe9 is not UTF-8. {UTF8}.", 12),
    "Latin-1 in JSON-LD": Bad("x.jsonld", latin(JSONLD), f"byte 0xe9 is not UTF-8. {UTF8}.", 15),
    "Latin-1 in RDF/XML that does not say so": Bad("x.rdf", latin(XML), f"byte 0xe9 is not UTF-8. {UTF8}.", 25),
    "Latin-1 in OWL/XML that does not say so": Bad("x.owx", latin(OWX), f"byte 0xe9 is not UTF-8. {UTF8}.", 34),
    "Latin-1 in functional syntax": Bad("x.ofn", latin(OFN), f"byte 0xe9 is not UTF-8. {UTF8}.", 24),
    "Latin-1 in OBO": Bad(
        "x.obo", latin(OBO), f"byte 0xe9 is not UTF-8. {UTF8}, or set --lenient to replace such bytes.", 23
    ),
    "Latin-1 in OBO Graphs": Bad(
        "x.json", latin(OBOGRAPH), f"byte 0xe9 is not UTF-8. {UTF8}, or set --lenient to replace such bytes.", 14
    ),
    "Latin-1 in a table": Bad(
        "x.tsv",
        "car\tvehicle\nvélo\tvehicle\n".encode("latin-1"),
        f"byte 0xe9 is not UTF-8. {UTF8}, or set --lenient to replace such bytes.",
        2,
    ),
    "Latin-1 in pairs": Bad(
        "x.json",
        '[\n{"child": "vélo",\n"parent": "vehicle"}]'.encode("latin-1"),
        f"byte 0xe9 is not UTF-8. {UTF8}, or set --lenient to replace such bytes.",
        2,
    ),
    "UTF-16 without a byte order mark": Bad(
        "x.ttl",
        TTL.decode().encode("utf-16-le"),
        "unknown format (starts '@\\x00p\\x00r\\x00e\\x00f\\x00i\\x00x\\x00 \\x00:\\x00 \\x00<\\x00h\\x00'). "
        "Set --input-format.",
    ),
    "an encoding that is none": Bad(
        "x.rdf",
        XML.replace(b"UTF-8", b"latin-17"),
        "the XML declaration names the unknown encoding 'latin-17'. Convert the file to UTF-8.",
    ),
    # archives
    "zip with two files": Bad(
        "x.zip",
        archive({"a.ttl": TTL, "b.ttl": TTL}),
        "the archive has 2 files (a.ttl, b.ttl) instead of one. Unpack it and use the ontology file.",
    ),
    "zip with many files": Bad(
        "x.zip",
        archive({f"{number}.ttl": TTL for number in range(12)}),
        "the archive has 12 files (0.ttl, 1.ttl, 2.ttl, 3.ttl, 4.ttl, 5.ttl, 6.ttl, 7.ttl and 4 more) instead of "
        "one. Unpack it and use the ontology file.",
    ),
    "zip without a file": Bad("x.zip", archive({}), "the archive is empty. Pack the ontology file again."),
    "zip with a folder alone": Bad(
        "x.zip", archive({"data/": b""}), "the archive is empty. Pack the ontology file again."
    ),
    "encrypted zip": Bad(
        "x.zip",
        encrypted(TTL),
        "the file 'tiny.ttl' in the archive is encrypted. Unpack it and use the ontology file.",
    ),
    "zip cut off": Bad(
        "x.zip",
        archive({"tiny.ttl": TTL})[:100],
        "cannot be unpacked (File is not a zip file). Pack it again, or unpack it first.",
    ),
    "zip whose place of the file is lost": Bad(
        "x.zip",
        archive({"tiny.ttl": TTL})[:20] + archive({"tiny.ttl": TTL})[30:],
        "cannot be unpacked ([Errno 22] Invalid argument). Pack it again, or unpack it first.",
    ),
    "damaged zip": Bad(
        "x.zip",
        overwritten(archive({"tiny.ttl": TTL}), 38),  # after the head of the file in the archive
        f"cannot be unpacked (Error -3 while decompressing data: invalid block type). {UNPACK}",
    ),
    "damaged gzip": Bad(
        "x.ttl.gz",
        overwritten(gzip.compress(TTL, mtime=0), 10),
        f"cannot be unpacked (Error -3 while decompressing data: invalid block type). {UNPACK}",
    ),
    "gzip with a wrong checksum": Bad(
        "x.tsv.gz",
        gzip.compress(TSV, mtime=0)[:-8] + bytes(8),
        f"cannot be unpacked (CRC check failed 0x0 != {zlib.crc32(TSV):#x}). {UNPACK}",
    ),
    "gzip cut off": Bad(
        "x.ttl.gz",
        gzip.compress(TTL, mtime=0)[:150],
        f"cannot be unpacked (Compressed file ended before the end-of-stream marker was reached). {UNPACK}",
    ),
    "gzip cut off in its head": Bad(
        "x.ttl.gz",
        gzip.compress(TTL, mtime=0)[:5],
        f"cannot be unpacked (Compressed file ended before the end-of-stream marker was reached). {UNPACK}",
    ),
    "gzip with something behind it": Bad(
        "x.ttl.gz",
        gzip.compress(TTL, mtime=0) + b"more",
        f"cannot be unpacked (Not a gzipped file (b'mo')). {UNPACK}",
    ),
    "bzip2 cut off": Bad(
        "x.ttl.bz2",
        bz2.compress(TTL)[:150],
        f"cannot be unpacked (Compressed file ended before the end-of-stream marker was reached). {UNPACK}",
    ),
    "damaged bzip2": Bad(
        "x.ttl.bz2", overwritten(bz2.compress(TTL), 30), f"cannot be unpacked (Invalid data stream). {UNPACK}"
    ),
    "xz cut off": Bad(
        "x.ttl.xz",
        lzma.compress(TTL)[:150],
        f"cannot be unpacked (Compressed file ended before the end-of-stream marker was reached). {UNPACK}",
    ),
    "damaged xz": Bad(
        "x.ttl.xz", overwritten(lzma.compress(TTL), 60), f"cannot be unpacked (Corrupt input data). {UNPACK}"
    ),
    "gzip bomb": Bad(
        "x.ttl.gz",
        gzip.compress(BOMB, mtime=0),
        "larger than 1,048,576 bytes when unpacked. Increase --max-size if you trust the file.",
        None,
        {"max_size": 1 << 20},
    ),
    "zip bomb": Bad(
        "x.zip",
        archive({"x.ttl": BOMB}),
        "larger than 1,048,576 bytes when unpacked. Increase --max-size if you trust the file.",
        None,
        {"max_size": 1 << 20},
    ),
    # IRIs
    "a relative IRI in RDF/XML": Bad(
        "x.rdf",
        rdfxml('<owl:Class rdf:about="A"/>'),
        "a relative IRI without a base (error while parsing IRI 'A': No scheme found in an absolute IRI). "
        "Set --base-iri IRI, or --lenient to use the file's address.",
    ),
    "rdf:ID without a base": Bad(
        "x.rdf",
        rdfxml('<owl:Class rdf:ID="A"/>'),
        "a relative IRI without a base (error while parsing IRI '#A': No scheme found in an absolute IRI). "
        "Set --base-iri IRI, or --lenient to use the file's address.",
    ),
    "a relative IRI in Turtle": Bad(
        "x.ttl",
        turtle("<A> a owl:Class ."),
        "a relative IRI without a base (No scheme found in an absolute IRI). "
        "Set --base-iri IRI, or --lenient to use the file's address.",
        3,
    ),
    "a relative IRI at the start of Turtle": Bad(
        "x.ttl",
        f"<A> a <{OWL}Class> .".encode(),
        "a relative IRI without a base (No scheme found in an absolute IRI). "
        "Set --base-iri IRI, or --lenient to use the file's address.",
        1,
    ),
    "a relative IRI in N-Triples": Bad(
        "x.nt",
        f"<A> <{RDF}type> <{OWL}Class> .\n".encode(),
        "a relative IRI without a base (No scheme found in an absolute IRI). "
        "Set --base-iri IRI, or --lenient to use the file's address.",
        1,
    ),
    "a relative IRI in JSON-LD": Bad(
        "x.jsonld",
        f'{{"@id": "A", "@type": "{OWL}Class"}}'.encode(),
        "a relative IRI without a base ('A'). Set --base-iri IRI, or --lenient to use the file's address.",
    ),
    "a relative IRI among others in JSON-LD": Bad(
        "x.jsonld",
        f'[{{"@id": "http://x/A", "@type": "{OWL}Class"}}, {{"@id": "#B", "@type": "{OWL}Class"}}]'.encode(),
        "a relative IRI without a base ('#B'). Set --base-iri IRI, or --lenient to use the file's address.",
    ),
    "a blank in an IRI of RDF/XML": Bad(
        "x.rdf",
        rdfxml('<owl:Class rdf:about="http://x/A B"/>'),
        f"not valid xml: error while parsing IRI 'http://x/A B': Invalid IRI code point ' '. {STRICT}",
    ),
    "a blank in an IRI of Turtle": Bad(
        "x.ttl",
        turtle("<http://x/A B> a owl:Class ."),
        f"not valid turtle: Invalid IRI code point ' '. {STRICT}",
        3,
    ),
    "a language tag with an underscore": Bad(
        "x.rdf",
        rdfxml('<owl:Class rdf:about="http://x/A"><rdfs:label xml:lang="en_US">a</rdfs:label></owl:Class>'),
        f"not valid xml: error while parsing language tag 'en_us': The given language subtag is invalid. {STRICT}",
    ),
    "an rdf:ID twice": Bad(
        "x.rdf",
        rdfxml('<owl:Class rdf:ID="A"/><owl:Class rdf:ID="A"/>', ' xml:base="http://x/"'),
        f"not valid xml: <http://x/#A> has already been used as rdf:ID value. {STRICT}",
    ),
    "an rdf:ID that is no XML name": Bad(
        "x.rdf",
        rdfxml('<owl:Class rdf:ID="1 A"/>', ' xml:base="http://x/"'),
        f"not valid xml: 1 A is not a valid rdf:ID value. {STRICT}",
    ),
    "about without its namespace": Bad(
        "x.rdf",
        rdfxml('<owl:Class about="http://x/A"/>'),
        f"not valid xml: XML namespaces are required in RDF/XML. {STRICT}",
    ),
    "an entity that nobody declared": Bad(
        "x.rdf", rdfxml('<owl:Class rdf:about="&ex;A"/>'), f"not well-formed XML: undefined entity. {FETCH}", 2
    ),
    "a prefix that nobody declared": Bad(
        "x.ttl",
        turtle("ex:A a owl:Class ."),
        f"not valid turtle: The prefix ex: has not been declared. {STRICT}",
        3,
    ),
    # nothing in it
    "Turtle without a statement": Bad("x.ttl", TURTLE_HEAD.encode(), NO_STATEMENT.format("turtle")),
    "a comment alone": Bad("x.ttl", b"# nothing\n", NO_STATEMENT.format("turtle")),
    "RDF/XML without a statement": Bad("x.rdf", rdfxml(""), NO_STATEMENT.format("xml")),
    "JSON-LD without a statement": Bad("x.jsonld", b"{}", NO_STATEMENT.format("json-ld")),
    "functional syntax without a statement": Bad("x.ofn", b"Ontology()", NO_STATEMENT.format("ofn")),
    "statements without a concept": Bad("x.nt", b"<http://x/a> <http://x/b> <http://x/c> .\n", NO_CONCEPT),
    "an ontology without a class": Bad("x.rdf", rdfxml('<owl:Ontology rdf:about="http://x"/>'), NO_CONCEPT),
    "owl:Thing alone": Bad("x.ttl", turtle("owl:Thing a owl:Class ."), NO_CONCEPT),
    "OBO without a term": Bad("x.obo", b"format-version: 1.4\nontology: x\n", NO_CONCEPT),
    "OBO Graphs without a node": Bad("x.json", b'{"graphs": [{"nodes": []}]}', NO_CONCEPT),
    "functional syntax without a class": Bad("x.ofn", b"Ontology(<http://x>)", NO_CONCEPT),
    "a table that is a header": Bad("x.tsv", b"child\tparent\n", NO_CONCEPT),
    "an empty list": Bad("x.json", b"[]", NO_STATEMENT.format("json-ld")),
    "an empty list as pairs": Bad("x.json", b"[]", NO_CONCEPT, None, {"format": "pairs"}),
    "SKOS in OWL": Bad("x.ttl", TTL, NO_CONCEPT, None, {"profile": "skos"}),
}


def described(*arguments: str) -> Result:
    """`ontoeval describe` with stdout and stderr apart, whatever the version of click."""
    try:
        runner = CliRunner(mix_stderr=False)  # type: ignore[call-arg]
    except TypeError:
        runner = CliRunner()
    return runner.invoke(main, ["describe", *arguments])


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are named without a folder, as users mostly do."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("case", BAD.values(), ids=BAD.keys())
def test_in_python(case: Bad) -> None:
    Path(case.name).write_bytes(case.content)
    with pytest.raises(LoadError) as caught:
        oe.load_ontology(case.name, **case.options)
    assert str(caught.value) == case.in_python
    assert (caught.value.path, caught.value.line) == (case.name, case.line)


@pytest.mark.parametrize("case", BAD.values(), ids=BAD.keys())
def test_on_the_command_line(case: Bad) -> None:
    Path(case.name).write_bytes(case.content)
    result = described(case.name, *case.arguments)
    assert (result.exit_code, result.stdout, result.stderr) == (1, "", f"error: {case.whole}\n")
    assert isinstance(result.exception, SystemExit)


def test_every_message_has_a_second_sentence_that_says_what_to_do() -> None:
    advice = ("Use ", "Set ", "Correct ", "Check ", "Convert ", "Unpack ", "Pack ", "Increase ", "Write ", "Separate ",
              "The file ", "Download ")  # fmt: skip
    for case in BAD.values():
        assert any(f". {start}" in case.message or f"). {start}" in case.message for start in advice), case.message
        assert case.message.endswith((".", FETCH))
        assert "\n" not in case.message


class TestPlaces:
    def test_no_such_file(self) -> None:
        for source in ("no.ttl", Path("no.ttl"), "no/such/folder.ttl"):
            with pytest.raises(LoadError) as caught:
                oe.load_ontology(source)
            assert str(caught.value) == f"{source}: no such file. Check the path."
        result = described("no.ttl")
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr == "error: no.ttl: no such file. Check the path.\n"

    def test_no_name_at_all(self) -> None:
        with pytest.raises(LoadError) as caught:
            oe.load_ontology("")
        assert str(caught.value) == ": no such file. Check the path."

    def test_a_directory(self) -> None:
        Path("folder.owl").mkdir()
        with pytest.raises(LoadError) as caught:
            oe.load_ontology("folder.owl")
        assert str(caught.value) == "folder.owl: is a directory. Use a file in it."
        result = described("folder.owl")
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr == "error: folder.owl: is a directory. Use a file in it.\n"

    def test_the_ontology_files_of_a_directory_are_named(self) -> None:
        """By suffix, also of compressed ones; not what is hidden or a folder."""
        Path("v1").mkdir()
        for name in ("b.ttl", "README.md", ".c.owl"):
            (Path("v1") / name).write_bytes(TTL)
        Path("v1/sub.owl").mkdir()
        assert refusal(LoadError, oe.load_ontology, "v1") == "v1: is a directory. Use its file b.ttl."
        Path("v1/a.OBO.gz").touch()
        message = "v1: is a directory. Use one of its files: a.OBO.gz, b.ttl."
        assert refusal(LoadError, oe.load_ontology, "v1") == message
        for command in (
            ("compare", "v1/b.ttl", "--gold", "v1"),
            ("compare", "v1", "--gold", "v1/b.ttl"),
            ("validate", "v1"),
        ):
            assert refused(*command) == message

    def test_a_file_in_the_place_of_a_folder(self) -> None:
        Path("x.ttl").write_bytes(TTL)
        with pytest.raises(LoadError) as caught:
            oe.load_ontology("x.ttl/y.ttl")
        assert str(caught.value) == (
            "x.ttl/y.ttl: cannot be opened (Not a directory). Check the path and its permissions."
        )

    def test_a_name_that_is_too_long(self) -> None:
        name = "x" * 5000
        with pytest.raises(LoadError) as caught:
            oe.load_ontology(name)
        expected = f"{name}: cannot be opened (File name too long). Check the path and its permissions."
        assert str(caught.value) == expected

    def test_a_link_that_leads_to_itself(self) -> None:
        Path("loop.ttl").symlink_to("loop.ttl")
        with pytest.raises(LoadError) as caught:
            oe.load_ontology("loop.ttl")
        assert str(caught.value) == (
            "loop.ttl: cannot be opened (Too many levels of symbolic links). Check the path and its permissions."
        )

    def test_one_of_several_files(self) -> None:
        Path("good.ttl").write_bytes(TTL)
        result = described("good.ttl", "no.ttl")
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr == "error: no.ttl: no such file. Check the path.\n"

    def test_an_import(self) -> None:
        Path("good.ttl").write_bytes(TTL)
        Path("bad.rdf").write_bytes(XML[:-12])
        result = described("good.ttl", "--import", "bad.rdf")
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr == f"error: bad.rdf, line 40: not well-formed XML: no element found. {FETCH}\n"

    @pytest.mark.parametrize("source", ["(bytes)", "(stream)"])
    def test_what_has_no_name(self, source: str) -> None:
        data: Any = upto(TTL, b"Boat .") if source == "(bytes)" else io.BytesIO(upto(TTL, b"Boat ."))
        with pytest.raises(LoadError) as caught:
            oe.load_ontology(data)
        assert str(caught.value) == (
            f"{source}, line 14: not valid turtle: Unexpected end. Correct the file, or set lenient=True to read "
            "what can be read."
        )


class TestLongLines:
    """A file may be one line of many megabytes, but no message is."""

    @pytest.mark.parametrize(
        "content",
        [
            OFN.replace(b"\n", b" ") + b"Declaration" * 10_000,
            OWX.replace(b"\n", b" ").replace(b"<Declaration>", b"<Declaration" + b"x" * 100_000 + b">", 1),
            TTL + b":" + b"x" * 100_000 + b" .",
            TTL + b"nobody:" + b"x" * 100_000 + b" a owl:Class .",
            NT + b"<http://x/" + b"x" * 100_000 + b" y> <a:a> <a:b> .\n",
            XML.replace(b'rdf:about="#Car"', b'rdf:about="http://x/ ' + b"x" * 100_000 + b'"'),
            OBO + b"x" * 100_000,
            JSONLD + b"x" * 100_000,
            OBOGRAPH + b"x" * 100_000,
            b"x" * 100_000,
            b"<" + b"x" * 50_000 + b" a='b'/>",
            TSV + b"a\t" * 50_000 + b"\n",
            TSV.replace(b"child\tparent\n", b"") + b"a\tb\t1" + b"x" * 100_000 + b"\n",
            XML.replace(b"&tiny;Bicycle", b"&" + b"x" * 100_000 + b";"),
        ],
        ids=[
            "functional syntax", "OWL/XML", "Turtle", "Turtle with a long prefix", "N-Triples", "RDF/XML", "OBO",
            "JSON-LD", "OBO Graphs", "rubbish", "XML", "table", "weight", "entity",
        ],
    )  # fmt: skip
    def test_the_message_is_short(self, content: bytes) -> None:
        for lenient in (False, True):
            try:
                oe.load_ontology(content, lenient=lenient)
            except LoadError as error:
                message = str(error)
            else:
                continue
            assert len(message) < 1_000
            assert "\n" not in message


class TestOptions:
    def test_a_format_that_nobody_knows(self) -> None:
        Path("x.ttl").write_bytes(TTL)
        expected = f"unknown format 'turtel'. Did you mean 'turtle'? Use one of: {CHOICES}."
        with pytest.raises(ParameterError) as caught:
            oe.load_ontology("x.ttl", format="turtel")
        assert str(caught.value) == expected
        result = described("x.ttl", "--input-format", "turtel")
        assert (result.exit_code, result.stdout, result.stderr) == (1, "", f"error: {expected}\n")

    @pytest.mark.parametrize("base", ["not an IRI", "relative", ""])
    def test_a_base_that_is_no_iri(self, base: str) -> None:
        Path("x.ttl").write_bytes(TTL)
        expected = f"the base IRI {base!r} is not an absolute IRI. Use e.g. http://example.org/onto."
        for lenient in (False, True):
            with pytest.raises(ParameterError) as caught:
                oe.load_ontology("x.ttl", base_iri=base, lenient=lenient)
            assert str(caught.value) == expected
        result = described("x.ttl", "--base-iri", base)
        assert (result.exit_code, result.stdout, result.stderr) == (1, "", f"error: {expected}\n")

    def test_a_size_that_is_none(self) -> None:
        Path("x.ttl").write_bytes(TTL)
        result = described("x.ttl", "--max-size", "much")
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.endswith(
            "error: --max-size: 'much' is not a size. Use e.g. 500M.\nHelp: ontoeval describe --help\n"
        )

    @pytest.mark.parametrize(("size", "limit"), [("100", 100), ("0.5k", 512), ("100B", 100), ("0", 0)])
    def test_a_small_limit(self, size: str, limit: int) -> None:
        Path("x.ttl").write_bytes(TTL)
        result = described("x.ttl", "--max-size", size)
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr == (
            f"error: x.ttl: larger than {limit} bytes when unpacked. Increase --max-size if you trust the file.\n"
        )

    @pytest.mark.parametrize("name", ["x.ttl.gz", "x.zip"])
    def test_a_bomb_against_the_default_limit(self, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        assert LoadOptions().max_size == 4 << 30
        monkeypatch.setitem(LoadOptions.__init__.__kwdefaults__, "max_size", 1 << 20)
        Path(name).write_bytes(gzip.compress(BOMB, mtime=0) if name.endswith("gz") else archive({"x.ttl": BOMB}))
        assert Path(name).stat().st_size < 100_000
        with pytest.raises(LoadError) as caught:
            oe.load_ontology(name)
        assert str(caught.value) == (
            f"{name}: larger than 1,048,576 bytes when unpacked. Increase max_size= if you trust the file."
        )


class TestTheCommandItself:
    """In a process of its own: no traceback, nothing on stdout, nothing else on stderr."""

    @staticmethod
    def run(*arguments: str, data: bytes | None = None) -> tuple[int, str, str]:
        command = [sys.executable, "-W", "error", "-c", "from ontoeval.cli import main; main()", *arguments]
        done = subprocess.run(command, input=data, capture_output=True, timeout=60)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def test_rubbish(self) -> None:
        Path("x.owl").write_bytes(b"\x00" + Random(1).randbytes(4000))
        status, stdout, stderr = self.run("describe", "x.owl")
        assert (status, stdout) == (1, "")
        assert stderr.startswith("error: x.owl: unknown format (starts '\\x00")
        assert stderr.endswith("'). Set --input-format.\n")
        assert stderr.count("\n") == 1

    def test_truncated_stdin(self) -> None:
        assert self.run("describe", "-", data=upto(TTL, b"Boat .")) == (
            1,
            "",
            f"error: (stdin), line 14: not valid turtle: Unexpected end. {STRICT}\n",
        )

    def test_what_even_lenience_does_not_read(self) -> None:
        Path("x.ttl").write_bytes(turtle("<http://x/<a b>> a owl:Class ; ex:b .\n"))
        status, stdout, stderr = self.run("describe", "x.ttl", "--lenient")
        assert (status, stdout) == (1, "")
        assert stderr.startswith("error: x.ttl, line 3: not valid turtle: ")
        assert stderr.count("\n") == 1

    def test_the_traceback_is_there_for_those_who_ask(self) -> None:
        status, stdout, stderr = self.run("--debug", "describe", "no.ttl")
        assert (status, stdout) == (1, "")
        assert stderr.startswith("Traceback (most recent call last):\n")
        assert stderr.endswith("ontoeval.errors.LoadError: no.ttl: no such file. Check the path.\n")


LENIENT = {
    "a blank in an IRI of RDF/XML": "http://x/A B",
    "a blank in an IRI of Turtle": "http://x/A B",
    "a language tag with an underscore": "http://x/A",
    "an rdf:ID twice": "http://x/#A",
    "an rdf:ID that is no XML name": "http://x/#1 A",
    "a relative IRI in RDF/XML": "{folder}/A",
    "rdf:ID without a base": "{folder}/x.rdf#A",
    "a relative IRI in Turtle": "{folder}/A",
    "a relative IRI at the start of Turtle": "{folder}/A",
    "a relative IRI in N-Triples": "{folder}/A",
    "a relative IRI in JSON-LD": "{folder}/A",
    "about without its namespace": "http://x/A",
}


class TestLenient:
    @pytest.mark.parametrize("name", LENIENT)
    def test_is_read_and_noted(self, name: str, tmp_path: Path) -> None:
        case = BAD[name]
        Path(case.name).write_bytes(case.content)
        ontology = oe.load_ontology(case.name, lenient=True)
        assert ontology.hierarchy.iris == (LENIENT[name].format(folder=tmp_path.as_uri()),)
        reason = case.whole.split(". Set ")[0].removesuffix(f". {STRICT}")
        note = f"read leniently: {reason}"
        assert ontology.source.notes == (note,)
        result = described(case.name, "--lenient", "--json")
        assert (result.exit_code, result.stderr) == (0, f"note: {case.name}: {note}\n")
        assert json.loads(result.stdout)["ontologies"][0]["notes"] == [note]

    def test_the_label_with_the_odd_language_is_kept(self) -> None:
        ontology = oe.load_ontology(BAD["a language tag with an underscore"].content, lenient=True)
        assert ontology.lexicon.labels(0) == ("a",)

    @pytest.mark.parametrize(
        "name",
        ["a relative IRI in RDF/XML", "a relative IRI in Turtle", "a relative IRI in JSON-LD",
         "a relative IRI at the start of Turtle", "a relative IRI in N-Triples"],
    )  # fmt: skip
    def test_a_base_goes_before_the_address_of_the_file(self, name: str) -> None:
        for lenient in (False, True):
            ontology = oe.load_ontology(BAD[name].content, base_iri="http://base/x", lenient=lenient)
            assert ontology.hierarchy.iris == ("http://base/A",)

    @pytest.mark.parametrize("name", [name for name, format in FILES.items() if format in RDF_FORMATS])
    def test_a_good_file_is_read_as_ever(self, name: str) -> None:
        data = (FOLDER / name).read_bytes()
        strict, lenient = oe.load_ontology(data), oe.load_ontology(data, lenient=True)
        assert strict.describe() == lenient.describe()
        assert lenient.source.notes == ()

    @pytest.mark.parametrize(
        ("content", "names"),
        [
            ("car\tvehicle\nvélo\tvehicle\n".encode("latin-1"), ("vehicle", "car", "v\ufffdlo")),
            ('[{"child": "vélo", "parent": "vehicle"}]'.encode("latin-1"), ("vehicle", "v\ufffdlo")),
        ],
    )
    def test_bytes_of_another_encoding_are_replaced_and_counted(self, content: bytes, names: tuple[str, ...]) -> None:
        ontology = oe.load_ontology(content, lenient=True)
        assert ontology.hierarchy.iris == names
        assert ontology.source.notes == ("1 byte sequence is not UTF-8; replaced",)

    @pytest.mark.parametrize("content", [latin(OBO), latin(OBOGRAPH)], ids=["obo", "obograph"])
    def test_bytes_of_another_encoding_in_labels_are_replaced_and_counted(self, content: bytes) -> None:
        ontology = oe.load_ontology(content, lenient=True)
        bicycle = ontology.hierarchy.id("https://example.org/tiny#Bicycle")
        assert ontology.lexicon.labels(bicycle) == ("bicycle", "v\ufffdlo")
        assert ontology.source.notes == ("1 byte sequence is not UTF-8; replaced",)

    def test_malformed_lines_of_obo_are_skipped_and_counted(self) -> None:
        ontology = oe.load_ontology(BAD["OBO cut off"].content, lenient=True)
        assert len(ontology.hierarchy) == 7 + 1  # Boat stands alone, so that there is an added root
        assert ontology.source.notes == ("1 OBO line or stanza is malformed; skipped",)

    @pytest.mark.parametrize(
        "name",
        ["Turtle cut off", "Turtle cut off in a literal", "N-Triples cut off", "TriG cut off", "JSON-LD cut off",
         "a prefix that nobody declared", "RDF/XML as Turtle", "Turtle as JSON-LD"],
    )  # fmt: skip
    def test_what_even_lenience_does_not_read_is_worded_as_without(self, name: str) -> None:
        case = BAD[name]
        Path(case.name).write_bytes(case.content)
        expected = case.whole.replace(STRICT, "Correct the file.")
        with pytest.raises(LoadError) as caught:
            oe.load_ontology(case.name, lenient=True, **case.options)
        assert str(caught.value) == expected

    @pytest.mark.parametrize(
        "name",
        [
            "empty file", "zeros", "a web page", "a web page of today", "a GATE document", "CSV", "zip with two files",
            "encrypted zip", "gzip cut off", "gzip bomb", "RDF/XML cut off in a tag",
            "RDF/XML cut off between elements", "RDF/XML without its last tag", "OWL/XML cut off",
            "functional syntax cut off", "Latin-1 in Turtle",
            "Latin-1 in RDF/XML that does not say so", "Latin-1 in functional syntax",
            "Latin-1 in OWL/XML that does not say so", "an entity that nobody declared", "Turtle without a statement",
            "statements without a concept", "an encoding that is none",
        ],
    )  # fmt: skip
    def test_what_lenience_does_not_change(self, name: str) -> None:
        case = BAD[name]
        Path(case.name).write_bytes(case.content)
        with pytest.raises(LoadError) as caught:
            oe.load_ontology(case.name, lenient=True, **case.options)
        assert str(caught.value) == case.in_python

    def test_the_words_of_the_parsers_are_not_heard(self, capfd: pytest.CaptureFixture[str]) -> None:
        """rdflib logs what it thinks of a literal; a user reads our lines alone."""
        number = '<rdfs:comment rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">many</rdfs:comment>'
        Path("x.rdf").write_bytes(rdfxml(f'<owl:Class about="http://x/A">{number}</owl:Class>'))
        oe.load_ontology("x.rdf", lenient=True)
        assert capfd.readouterr() == ("", "")

    def test_a_panic_of_a_parser_is_one_message(self, capfd: pytest.CaptureFixture[str]) -> None:
        """py-horned-owl's library for prefixes breaks off in the midst of a character."""
        Path("x.owx").write_bytes(OWX.replace(b'abbreviatedIRI="rdfs:', 'abbreviatedIRI="rdf\u202es:'.encode()))
        with pytest.raises(LoadError) as caught:
            oe.load_ontology("x.owx")
        assert str(caught.value).startswith("x.owx: the owlxml parser failed: ")
        assert "\u202e" not in str(caught.value)
        assert capfd.readouterr() == ("", "")
