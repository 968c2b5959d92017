"""SSSOM TSV: `sssom_rows` reads (CURIEs; equivalences: mapping_rows.py), `sssom` writes the pairs of a matching."""

from __future__ import annotations

import csv
import io
import json
import re
import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ontoeval.errors import LoadError, did_you_mean, listed
from ontoeval.load import terms
from ontoeval.load.input import Input
from ontoeval.load.mappings.mapping_rows import SAME, Pairs, confidence
from ontoeval.load.ontologies.obo_ids import expand

SEMAPV = "https://w3id.org/semapv/vocab/"
SSSOM = "https://w3id.org/sssom/"
_BUILT_IN = {  # prefixes that an SSSOM file may leave out of its map
    "owl": terms.OWL, "rdf": terms.RDF, "rdfs": terms.RDFS, "skos": terms.SKOS, "xsd": terms.XSD,
    "semapv": SEMAPV, "sssom": SSSOM, "linkml": "https://w3id.org/linkml/",
}  # fmt: skip
_NO_TERM = {"sssom:NoTermFound", SSSOM + "NoTermFound"}
_SSSOM_COLUMNS = ("subject_id", "predicate_id", "object_id")
_SSSOM_KEYS = {"curie_map", "mapping_set_id", "sssom_version"}
_OBO_ID = re.compile(r"(?=[a-z]*+[A-Z])[A-Za-z]\w++:[A-Z]?\d+", re.ASCII)  # GO:0008150, FBbt:00000001, NCIT:C3224
_YAML_LINE = re.compile(r"(\s*+)(\"[^\"]*+\"|'[^']*+'|[^\s:\"'#\-][^:]*+):(?:\s++(.*+))?+")
_YAML_PLAIN = re.compile(r"[A-Za-z][\w./#:%?=&~+@\-]*[\w/#]", re.ASCII)
_AS_IS = "name"  # an empty prefix: what follows it is a name as it is
_QUOTED_TAB = "'\t'"  # in messages of csv


def sssom_rows(source: Input, lines: Sequence[str]) -> Pairs | None:
    """The rows of an SSSOM table; None if it is none."""
    begin = next((n for n, line in enumerate(lines) if line.strip() and not line.startswith("#")), len(lines))
    metadata, prefixes = _metadata(lines[:begin])
    head = _header(lines[begin].split("\t")) if begin < len(lines) else []
    if _SSSOM_KEYS.isdisjoint(metadata) and set(_SSSOM_COLUMNS).isdisjoint(head):
        return None
    return _Sssom(source, metadata, prefixes).rows("\n".join(lines[begin:]), begin)


def _metadata(lines: Sequence[str]) -> tuple[dict[str, str], dict[str, str]]:
    """The scalars of the block of `#` lines before an SSSOM table, and its map of prefixes.

    It is YAML, of which this understands what the format allows here: one level of keys, and the map.
    """
    scalars: dict[str, str] = {}
    prefixes: dict[str, str] = {}
    outer = -1  # the indentation of `curie_map:` while inside it
    for line in lines:
        match = _YAML_LINE.fullmatch(line.strip().removeprefix("#"))
        if not match:
            continue
        indent, key, value = len(match[1]), _unquote(match[2]), (match[3] or "").strip()
        if 0 <= outer < indent:
            if value:
                prefixes[key] = _unquote(value)
            continue
        outer = indent if key == "curie_map" else -1
        scalars[key] = _unquote(value)
        if key == "curie_map" and value.startswith("{"):  # all in one line
            entries = (_YAML_LINE.fullmatch(entry) for entry in value.strip("{}").split(","))
            prefixes.update({_unquote(entry[2]): _unquote(entry[3] or "") for entry in entries if entry})
    return scalars, prefixes


def _unquote(value: str) -> str:
    if value[:1] in ('"', "'"):
        return value[1:].partition(value[0])[0]
    return value.partition(" #")[0].strip()  # a comment


def _header(cells: Sequence[str]) -> list[str]:
    return [_unquote(cell.strip()).lower() for cell in cells]


def _expand(cell: str, prefixes: Mapping[str, str]) -> str:
    """The name that a cell stands for: of a CURIE the IRI, if the prefix is known or the id is one of OBO."""
    prefix, colon, local = cell.lstrip().partition(":")
    if colon and prefixes.get(prefix) == "":
        return local  # with its outer blanks
    cell = cell.strip()
    if colon and prefix in prefixes and not local.startswith("//"):
        return prefixes[prefix] + local.strip()
    return expand(cell) if _OBO_ID.fullmatch(cell) else cell


class _Sssom:
    """The table of an SSSOM file, read with the prefixes and the metadata of the file."""

    def __init__(self, source: Input, metadata: Mapping[str, str], prefixes: Mapping[str, str]) -> None:
        self.source, self.metadata = source, metadata
        self.prefixes = {**_BUILT_IN, **prefixes}

    def rows(self, text: str, before: int) -> Pairs:
        """The rows of a table that begins after so many lines."""
        # strict: else a quote too many would swallow the rows after it without an error
        reader = csv.reader(io.StringIO(text, newline=""), delimiter="\t", strict=True)
        columns: list[str] = []
        line = before + 1
        try:
            for cells in reader:
                if columns and any(cell.strip() for cell in cells):
                    yield self._row(columns, cells, line)
                elif not columns:
                    columns = self._check_columns(_header(cells), line)
                line = before + reader.line_num + 1
        except csv.Error as error:
            raise self._error(
                f"not valid SSSOM TSV: {str(error).replace(_QUOTED_TAB, 'TAB')}",
                "Put cells with quotes, TABs or line breaks into double quotes, and double the quotes in them.",
                line,
            ) from None
        if not columns:
            self._check_columns([], line)

    def _check_columns(self, columns: list[str], line: int) -> list[str]:
        missing = [name for name in _SSSOM_COLUMNS if name not in columns]
        if missing:
            raise self._error(
                f"the SSSOM table has no column {listed(missing)}; columns: {listed(columns) or 'none'}",
                f"{did_you_mean(missing[0], set(columns) - set(_SSSOM_COLUMNS))} "
                f"Add at least {', '.join(_SSSOM_COLUMNS)}, separated by TAB.".lstrip(),
                line,
            )
        return columns

    def _row(self, columns: Sequence[str], cells: Sequence[str], line: int) -> tuple[str, str, float] | None:
        if len(cells) > len(columns):
            raise self._error(
                f"found {len(cells)} cells, expected {len(columns)}",
                "Separate the cells by TAB, one for each column.",
                line,
            )
        row = dict(zip(columns, cells, strict=False))
        score = confidence(row.get("confidence", ""), "confidence", self.source, "sssom", line)
        ends = [self._end(row, side, line) for side in ("subject", "object")]
        predicate = row.get("predicate_id", "").strip()
        if not predicate:
            raise self._error("predicate_id is empty", "Add a predicate, e.g. skos:exactMatch.", line)
        if (
            row.get("predicate_modifier", "").strip()  # there is but one: Not
            or _expand(predicate, self.prefixes) not in SAME
            or None in ends
        ):
            return None
        return ends[0] or "", ends[1] or "", score

    def _end(self, row: Mapping[str, str], side: str, line: int) -> str | None:
        """The name of the subject or the object; None if the row states that there is none."""
        cell = row.get(f"{side}_id", "")
        if cell.strip() in _NO_TERM:
            return None
        kind = row.get(f"{side}_type", "").strip() or self.metadata.get(f"{side}_type", "")
        if not cell.strip() and kind == "rdfs literal" and row.get(f"{side}_label", "").strip():
            return row[f"{side}_label"].strip()
        if not cell.strip():
            raise self._error(f"{side}_id is empty", f"Add a CURIE or an IRI, or {min(_NO_TERM, key=len)}.", line)
        return _expand(cell, self.prefixes)

    def _error(self, problem: str, advice: str, line: int) -> LoadError:
        return LoadError(problem, advice=advice, path=self.source.name, format="sssom", line=line)


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


def _table(rows: Sequence[MappingRow]) -> tuple[str, bool]:
    """The header and the rows, and whether a name had to be marked as no CURIE."""
    columns = (
        "subject_id", "subject_label", "predicate_id", "object_id", "object_label", "mapping_justification",
        "confidence", "comment",
    )  # fmt: skip
    lines = ["\t".join(columns)]
    escaped = False
    for row in sorted(rows, key=lambda row: (row.learned, row.gold, row.step, row.score)):
        ends = [_name_cell(row.learned), _name_cell(row.gold)]
        escaped = escaped or ends != [row.learned, row.gold]
        score = float(row.score)
        fits = 0 <= score <= 1  # a function may give any score
        cells = (
            ends[0], row.learned_label, "skos:exactMatch", ends[1], row.gold_label, _justification(row.step),
            repr(score) if fits else "", f"matched by {row.step}" + ("" if fits else f" with the score {score!r}"),
        )  # fmt: skip
        lines.append("\t".join(_quote(cell) for cell in cells))
    return "\n".join(lines) + "\n", escaped


def _justification(step: str) -> str:
    """The term of the Semantic Mapping Vocabulary; it has none for equal IRIs, nor for matches of other tools."""
    word = step.partition(":")[0]
    if word in ("label", "preferred", "name"):
        return "semapv:LexicalMatching"
    return "semapv:LexicalSimilarityThresholdMatching" if word == "fuzzy" else "semapv:UnspecifiedMatching"


def _name_cell(name: str) -> str:
    """A name so that `_expand` gives it back: as it is, or marked where it would be taken for a CURIE."""
    unchanged = name and name not in _NO_TERM and _expand(name, {**_BUILT_IN, _AS_IS: ""}) == name
    return name if unchanged else f"{_AS_IS}:{name}"


def _quote(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"' if re.search(r'[\t\n\r"]', cell) else cell


def _scalar(value: str) -> str:
    """A text of YAML, in quotes where it could mean something else."""
    return value if _YAML_PLAIN.fullmatch(value) else json.dumps(value)
