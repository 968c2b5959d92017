"""Mappings, names of one ontology that are names of another: SSSOM, the Alignment format, or two columns."""

from __future__ import annotations

import csv
import io
import json
import math
import re
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from xml.parsers import expat

from ontoeval.errors import LoadError, ParameterError, did_you_mean, listed
from ontoeval.load import terms
from ontoeval.load.guard import check_xml, not_well_formed, open_xml
from ontoeval.load.obo import expand
from ontoeval.load.source import DEFAULT_LIMIT, Input, open_input
from ontoeval.model.matching import Alignment

ALIGNMENT = "http://knowledgeweb.semanticweb.org/heterogeneity/alignment"
SEMAPV = "https://w3id.org/semapv/vocab/"
SSSOM = "https://w3id.org/sssom/"
_BUILT_IN = {  # prefixes that an SSSOM file may leave out of its map
    "owl": terms.OWL, "rdf": terms.RDF, "rdfs": terms.RDFS, "skos": terms.SKOS, "xsd": terms.XSD,
    "semapv": SEMAPV, "sssom": SSSOM, "linkml": "https://w3id.org/linkml/",
}  # fmt: skip
_SAME = frozenset({terms.EXACT_MATCH, terms.EQUIVALENT, terms.SAME_AS, terms.OWL + "equivalentProperty"})
_SAME_WORDS = {"=", "==", "≡", "equivalence", "equivalent", "equivrelation"}  # of the Alignment format
_NO_TERM = {"sssom:NoTermFound", SSSOM + "NoTermFound"}
_SSSOM_COLUMNS = ("subject_id", "predicate_id", "object_id")
_SSSOM_KEYS = {"curie_map", "mapping_set_id", "sssom_version"}
_PLAIN_HEADERS = {
    "learned": "left", "source": "left", "subject": "left", "left": "left", "entity1": "left",
    "gold": "right", "target": "right", "object": "right", "right": "right", "entity2": "right",
    "confidence": "confidence", "score": "confidence", "measure": "confidence",
}  # fmt: skip
_PLAIN_COLUMNS = ["left", "right", "confidence"]
_KINDS = "SSSOM TSV, the Alignment format (XML) or two columns"
_XML = re.compile(rb"<(?:\?xml|!|[A-Za-z_][\w.\-]*+(?::[\w.\-]++)?+(?:\s[^<>]*=|>\s*+<))")
_HTML = re.compile(rb"<(?:!doctype\s++)?+html\b", re.I)
_NO_NAMES = tuple('@{[(<"')  # two words that begin so are a line of Turtle, JSON and the like
_OBO_ID = re.compile(r"(?=[a-z]*+[A-Z])[A-Za-z]\w++:[A-Z]?\d+", re.ASCII)  # GO:0008150, FBbt:00000001, NCIT:C3224
_YAML_LINE = re.compile(r"(\s*+)(\"[^\"]*+\"|'[^']*+'|[^\s:\"'#\-][^:]*+):(?:\s++(.*+))?+")
_YAML_PLAIN = re.compile(r"[A-Za-z][\w./#:%?=&~+@\-]*[\w/#]", re.ASCII)
_AS_IS = "name"  # a prefix that stands for nothing: what follows it is a name as it is

Pairs = Iterator[tuple[str, str, float] | None]  # None: a row that claims something else than equivalence


def load_mapping(source: object, *, max_size: int = DEFAULT_LIMIT) -> Alignment:
    """Read pairs of names that are the same: SSSOM TSV, the Alignment format (XML), or `left TAB right [TAB number]`.

    `source` is a path, '-' for stdin, bytes or an open file, compressed or not. Rows that claim something else than
    equivalence are counted in `skipped`. Of a pair that comes twice the higher confidence counts.
    """
    file = open_input(source, limit=max_size)
    try:
        return _alignment(file, _read(file))
    finally:
        file.close()


def _alignment(source: Input, found: Pairs) -> Alignment:
    best: dict[tuple[str, str], float] = {}
    skipped = 0
    for row in found:
        if row is None:
            skipped += 1
        else:
            left, right, confidence = row
            best[left, right] = max(confidence, best.get((left, right), 0.0))
    if not best:
        others = f", only rows that claim something else ({skipped:,})" if skipped else ""
        raise LoadError(f"there is no pair of equivalent names in it{others}. Give {_KINDS}.", path=source.name)
    pairs = tuple((left, right, best[left, right]) for left, right in sorted(best))
    return Alignment(pairs, source.name, skipped)


def _read(source: Input) -> Pairs:
    """The rows, in the format that the content tells."""
    try:
        start = source.head.lstrip()
    except LoadError as error:
        if "the file is empty" not in str(error):
            raise
        start = b""
    if not start:
        raise LoadError(f"the file is empty. Give a mapping: {_KINDS}.", path=source.name)
    if _HTML.match(start):
        raise _unknown(source)
    text = source.read_text(lenient_helps=False)
    if _XML.match(start):
        return _alignment_cells(source, text)
    lines = text.split("\n")
    begin = next((n for n, line in enumerate(lines) if line.strip() and not line.startswith("#")), len(lines))
    metadata, prefixes = _metadata(lines[:begin])
    head = lines[begin] if begin < len(lines) else ""
    if not _SSSOM_KEYS.isdisjoint(metadata) or not set(_SSSOM_COLUMNS).isdisjoint(_header(head.split("\t"))):
        return _Sssom(source, metadata, prefixes).rows("\n".join(lines[begin:]), begin)
    if not _is_table(next(line for line in lines if line.strip())):
        raise _unknown(source)
    return _plain_rows(source, lines)


def _unknown(source: Input) -> LoadError:
    shown = source.head[:24].decode("utf-8", "replace")
    return LoadError(f"cannot tell the format of a mapping (first bytes: {shown!r}). Give {_KINDS}.", path=source.name)


def _confidence(text: str, what: str, source: Input, format: str, line: int) -> float:
    try:
        value = float(text) if text.strip() else 1.0
    except ValueError:
        value = math.nan
    if not 0 <= value <= 1:
        raise LoadError(
            f"the {what} {text!r} is no number from 0 to 1. Correct it or leave it out.",
            path=source.name,
            format=format,
            line=line,
        )
    return value


# The Alignment format


def _alignment_cells(source: Input, text: str) -> Pairs:
    """The cells of the Alignment format; as XML, since not every file that is about is valid RDF/XML."""
    root, _ = check_xml(source)
    with open_xml(source) as stream:
        data = stream.read()
    # what declares entities was rewritten to one line: the lines after it have other numbers than in the file
    reader = _CellReader(source, text.count("\n") - data.count(b"\n"))
    reader.read(data)
    if not reader.is_alignment:
        raise LoadError(
            f"an XML file with the root element <{root.rpartition(' ')[2]}> and without an <Alignment> of the "
            f"namespace {ALIGNMENT}. Give {_KINDS}.",
            path=source.name,
            format="xml",
        )
    yield from reader.rows


@dataclass
class _Cell:
    line: int
    texts: dict[str, str] = field(default_factory=dict)
    compound: bool = False  # an end is an expression, not a name


class _CellReader:
    """Follows the elements of a file: which cell, and which part of it, the parser is in."""

    def __init__(self, source: Input, shift: int) -> None:
        self.source, self.shift = source, shift
        self.is_alignment = False
        self.rows: list[tuple[str, str, float] | None] = []
        self.cell: _Cell | None = None
        self.part = ""
        self.depth = 0  # below the part
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text

    def read(self, data: bytes) -> None:
        try:
            self.parser.Parse(data, True)
        except expat.ExpatError as error:
            error.lineno += self.shift
            raise not_well_formed(self.source.name, error) from None

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        own = _own_name(name)
        if self.part:
            self._inside(attributes)
        elif own == "Alignment":
            self.is_alignment = True
        elif own == "Cell":
            self.cell = _Cell(self.parser.CurrentLineNumber + self.shift)
            named = ((_own_name(key), value) for key, value in attributes.items())  # a short form of RDF/XML
            self.cell.texts = {key: value for key, value in named if key in ("measure", "relation")}
        elif self.cell and own in ("entity1", "entity2", "measure", "relation"):
            self.part = own
            self.cell.texts[own] = attributes.get(f"{terms.RDF} resource", "")

    def _inside(self, attributes: dict[str, str]) -> None:
        """An element where a name may stand: a class with its IRI, or an expression."""
        self.depth += 1
        if self.cell and self.depth == 1 and self.part.startswith("entity"):
            self.cell.texts[self.part] = attributes.get(f"{terms.RDF} about", "")
        if self.cell and (self.depth > 1 or not self.cell.texts[self.part]):
            self.cell.compound = True

    def _end(self, name: str) -> None:
        if self.depth:
            self.depth -= 1
        elif self.part:
            self.part = ""
        elif self.cell and _own_name(name) == "Cell":
            self.rows.append(self._row(self.cell))
            self.cell = None

    def _text(self, data: str) -> None:
        if self.cell and self.part and not self.depth:
            self.cell.texts[self.part] += data

    def _row(self, cell: _Cell) -> tuple[str, str, float] | None:
        confidence = _confidence(cell.texts.get("measure", ""), "measure", self.source, "alignment", cell.line)
        left, right = (cell.texts.get(end, "").strip() for end in ("entity1", "entity2"))
        if cell.compound or not _is_equivalence(cell.texts.get("relation", "")):
            return None
        if not left or not right:
            raise LoadError(
                f"the cell has no {'entity1' if not left else 'entity2'}. Give both ends, each as rdf:resource.",
                path=self.source.name,
                format="alignment",
                line=cell.line,
            )
        return left, right, confidence


def _own_name(name: str) -> str:
    """The name of an element of the Alignment format, or nothing."""
    namespace, _, local = name.rpartition(" ")
    return local if namespace.removesuffix("#") == ALIGNMENT else ""


def _is_equivalence(relation: str) -> bool:
    """True for `=`, and for what tools write instead, the name of a Java class (with an address) among it."""
    word = relation.strip().strip('"')
    java = word.partition("@")[0].rpartition(".")[2]
    return not word or word in _SAME or java.casefold() in _SAME_WORDS


# SSSOM


def _metadata(lines: Sequence[str]) -> tuple[dict[str, str], dict[str, str]]:
    """The scalars of the block of `#` lines before an SSSOM table, and its map of prefixes.

    It is YAML, of which this understands what the format allows here: one level of keys, and the map.
    """
    scalars: dict[str, str] = {}
    prefixes: dict[str, str] = {}
    outer = -1  # the indentation of `curie_map:` while inside it
    for line in lines:
        found = _YAML_LINE.fullmatch(line.strip().removeprefix("#"))
        if not found:
            continue
        indent, key, value = len(found[1]), _unquoted(found[2]), (found[3] or "").strip()
        if 0 <= outer < indent:
            if value:
                prefixes[key] = _unquoted(value)
            continue
        outer = indent if key == "curie_map" else -1
        scalars[key] = _unquoted(value)
        if key == "curie_map" and value.startswith("{"):  # all in one line
            entries = (_YAML_LINE.fullmatch(entry) for entry in value.strip("{}").split(","))
            prefixes.update({_unquoted(entry[2]): _unquoted(entry[3] or "") for entry in entries if entry})
    return scalars, prefixes


def _unquoted(value: str) -> str:
    if value[:1] in ('"', "'"):
        return value[1:].partition(value[0])[0]
    return value.partition(" #")[0].strip()  # a comment


def _header(cells: Sequence[str]) -> list[str]:
    return [_unquoted(cell.strip()).lower() for cell in cells]


def _expanded(cell: str, prefixes: Mapping[str, str]) -> str:
    """The name that a cell stands for: of a CURIE the IRI, if the prefix is known or the id is one of OBO."""
    prefix, colon, local = cell.lstrip().partition(":")
    if colon and prefixes.get(prefix) == "":
        return local  # with its outer blanks
    cell = cell.strip()
    if colon and prefix in prefixes and not local.startswith("//"):
        return prefixes[prefix] + local.strip()
    return expand(cell) if _OBO_ID.fullmatch(cell) else cell


class _Sssom:
    """The table of an SSSOM file, with what its metadata say."""

    def __init__(self, source: Input, metadata: Mapping[str, str], prefixes: Mapping[str, str]) -> None:
        self.source, self.metadata = source, metadata
        self.prefixes = {**_BUILT_IN, **prefixes}

    def rows(self, text: str, before: int) -> Pairs:
        """The rows of a table that begins after so many lines."""
        # strict: else a quote too many would swallow the rows after it without a word
        reader = csv.reader(io.StringIO(text, newline=""), delimiter="\t", strict=True)
        columns: list[str] = []
        line = before + 1
        try:
            for cells in reader:
                if columns and any(cell.strip() for cell in cells):
                    yield self._row(columns, cells, line)
                elif not columns:
                    columns = self._checked(_header(cells), line)
                line = before + reader.line_num + 1
        except csv.Error as error:
            raise self._error(
                f"not valid SSSOM TSV: {error}. Put cells that have quotes, TABs or line breaks into double quotes, "
                "and double the quotes in them.",
                line,
            ) from None
        if not columns:
            self._checked([], line)

    def _checked(self, columns: list[str], line: int) -> list[str]:
        missing = [name for name in _SSSOM_COLUMNS if name not in columns]
        if missing:
            raise self._error(
                f"the columns of an SSSOM table lack {listed(missing)}; found: {listed(columns) or 'none'}."
                f"{did_you_mean(missing[0], set(columns) - set(_SSSOM_COLUMNS))} "
                f"Give at least {', '.join(_SSSOM_COLUMNS)}, separated by TAB.",
                line,
            )
        return columns

    def _row(self, columns: Sequence[str], cells: Sequence[str], line: int) -> tuple[str, str, float] | None:
        if len(cells) > len(columns):
            raise self._error(
                f"found {len(cells)} cells, expected {len(columns)}. Separate the cells by TAB, as many as columns.",
                line,
            )
        row = dict(zip(columns, cells, strict=False))
        confidence = _confidence(row.get("confidence", ""), "confidence", self.source, "sssom", line)
        ends = [self._end(row, side, line) for side in ("subject", "object")]
        predicate = row.get("predicate_id", "").strip()
        if not predicate:
            raise self._error("predicate_id is empty. Give a predicate, for instance skos:exactMatch.", line)
        if (
            row.get("predicate_modifier", "").strip()  # there is but one: Not
            or _expanded(predicate, self.prefixes) not in _SAME
            or None in ends
        ):
            return None
        return ends[0] or "", ends[1] or "", confidence

    def _end(self, row: Mapping[str, str], side: str, line: int) -> str | None:
        """The name of the subject or the object; None where it is said that there is none."""
        cell = row.get(f"{side}_id", "")
        if cell.strip() in _NO_TERM:
            return None
        kind = row.get(f"{side}_type", "").strip() or self.metadata.get(f"{side}_type", "")
        if not cell.strip() and kind == "rdfs literal" and row.get(f"{side}_label", "").strip():
            return row[f"{side}_label"].strip()
        if not cell.strip():
            raise self._error(f"{side}_id is empty. Give a CURIE or an IRI, or {min(_NO_TERM, key=len)}.", line)
        return _expanded(cell, self.prefixes)

    def _error(self, message: str, line: int) -> LoadError:
        return LoadError(message, path=self.source.name, format="sssom", line=line)


# Two columns


def _is_table(first: str) -> bool:
    """Whether the first line is one of a table: it has a TAB, or is two words."""
    if "\t" in first:
        line = first.strip()
        return not (line.startswith("<") and line.endswith("."))  # N-Triples may have TABs between its terms
    words = first.split()
    if len(words) != 2 or words[0].startswith(_NO_NAMES) or words[1].startswith("<"):
        return False
    return not words[0].endswith((":", ",", ";"))


def _plain_rows(source: Input, lines: Iterable[str]) -> Pairs:
    order: list[str] = []
    for line, content in enumerate(lines, 1):
        if not content.strip():
            continue
        words = content.split()
        cells = [cell.strip() for cell in content.split("\t")]
        if "\t" not in content and len(words) == 2 and words[0] != "#":
            cells = words
        if not order:
            named = [_PLAIN_HEADERS.get(cell.casefold(), "") for cell in cells]
            is_header = "" not in named and len(set(named)) == len(named) and {"left", "right"} <= set(named)
            order = named if is_header else _PLAIN_COLUMNS
            if is_header:
                continue
        row = dict(zip(order, cells, strict=False))
        if len(cells) > len(order) or "" in cells or not {"left", "right"} <= row.keys():
            empty = f", {cells.count('')} of them empty" if "" in cells else ""
            raise LoadError(
                f"found {len(cells)} cells{empty}, expected {_expected(order)}. "
                "Separate the columns by TAB and leave none empty.",
                path=source.name,
                format="tsv",
                line=line,
            )
        yield row["left"], row["right"], _confidence(row.get("confidence", ""), "confidence", source, "tsv", line)


def _expected(order: Sequence[str]) -> str:
    return f"{'2 or 3' if order[2:] == ['confidence'] else len(order)} ({', '.join(order)})"


# Out


class MappingRow(NamedTuple):
    """A learned concept that is a gold concept: names, labels, the score, and the step that found it."""

    learned: str
    gold: str
    learned_label: str
    gold_label: str
    score: float
    step: str  # of a matching: iri, label, preferred, name, fuzzy:0.9, mapping, or the name of a function


def sssom(
    rows: Iterable[tuple[str, str, str, str, float, str]],
    *,
    learned: str | None = None,
    gold: str | None = None,
    tool_version: str | None = None,
) -> str:
    """The pairs as SSSOM TSV, which `load_mapping` reads back; learned, gold: the IRIs of the ontologies."""
    table, escaped = _table([MappingRow(*row) for row in rows])
    metadata = {
        # by what is in it, so that the same pairs have the same identifier anywhere
        "mapping_set_id": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, f'{SSSOM}{learned}|{gold}|{table}')}",
        "license": SSSOM + "license/unspecified",  # the format demands one, and it is not ours to choose
        "subject_source": learned,
        "object_source": gold,
        "mapping_tool": "ontoeval",
        "mapping_tool_version": tool_version,
    }
    prefixes = {**({_AS_IS: ""} if escaped else {}), "semapv": SEMAPV, "skos": terms.SKOS}
    lines = ["curie_map:", *(f"  {prefix}: {_scalar(iri)}" for prefix, iri in prefixes.items())]
    lines += [f"{key}: {_scalar(value)}" for key, value in metadata.items() if value]
    return "".join(f"#{line}\n" for line in lines) + table


def write_sssom(
    path: str | Path,
    rows: Iterable[tuple[str, str, str, str, float, str]],
    *,
    learned: str | None = None,
    gold: str | None = None,
    tool_version: str | None = None,
) -> None:
    """Write the pairs to a file as SSSOM TSV, as `sssom` gives it."""
    text = sssom(rows, learned=learned, gold=gold, tool_version=tool_version)
    try:
        Path(path).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise ParameterError(f"{path}: cannot be written ({error.strerror or error}). Give another file.") from None


def _table(rows: Sequence[MappingRow]) -> tuple[str, bool]:
    """The header and the rows, and whether a name had to be marked as no CURIE."""
    columns = (
        "subject_id", "subject_label", "predicate_id", "object_id", "object_label", "mapping_justification",
        "confidence", "comment",
    )  # fmt: skip
    lines = ["\t".join(columns)]
    escaped = False
    for row in sorted(rows, key=lambda row: (row.learned, row.gold, row.step, row.score)):
        ends = [_written(row.learned), _written(row.gold)]
        escaped = escaped or ends != [row.learned, row.gold]
        score = float(row.score)
        fits = 0 <= score <= 1  # a function may give any score
        cells = (
            ends[0], row.learned_label, "skos:exactMatch", ends[1], row.gold_label, _justification(row.step),
            repr(score) if fits else "", f"matched by {row.step}" + ("" if fits else f" with the score {score!r}"),
        )  # fmt: skip
        lines.append("\t".join(_quoted(cell) for cell in cells))
    return "\n".join(lines) + "\n", escaped


def _justification(step: str) -> str:
    """The term of the Semantic Mapping Vocabulary; it has none for equal IRIs, nor for what somebody else matched."""
    word = step.partition(":")[0]
    if word in ("label", "preferred", "name"):
        return "semapv:LexicalMatching"
    return "semapv:LexicalSimilarityThresholdMatching" if word == "fuzzy" else "semapv:UnspecifiedMatching"


def _written(name: str) -> str:
    """A name so that `_expanded` gives it back: as it is, or marked where it would be taken for a CURIE."""
    kept = name and name not in _NO_TERM and _expanded(name, {**_BUILT_IN, _AS_IS: ""}) == name
    return name if kept else f"{_AS_IS}:{name}"


def _quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"' if re.search(r'[\t\n\r"]', cell) else cell


def _scalar(value: str) -> str:
    """A text of YAML, in quotes where it could mean something else."""
    return value if _YAML_PLAIN.fullmatch(value) else json.dumps(value)
