"""Tables: `read_edges` (TSV), `read_pairs` (JSON): headers, weights; `read_instances` (TSV); `is_edges`, `is_pairs`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from ontoeval.errors import LoadError, Message, listed, number_of
from ontoeval.load.input import Input
from ontoeval.load.ontologies.columns import CONFIDENCE_NAMES
from ontoeval.load.ontologies.confidence import finite_number
from ontoeval.load.ontologies.facts import Facts
from ontoeval.load.ontologies.format import Fit, Head
from ontoeval.load.options import LoadOptions
from ontoeval.load.safety import read_json

_PAIRS = re.compile(r'\[\s*+\{[^{}\[\]]*"(?:parent|child)"\s*+:')
_EITHER = "confidence or weight"  # a column that may be either, so that the user has to say which
_HEADERS = {  # words of a header line -> column
    "child": "child", "concept": "child", "class": "child", "term": "child", "hyponym": "child", "subclass": "child",
    "narrower": "child", "subconcept": "child", "sub": "child", "iri": "child",
    "parent": "parent", "hypernym": "parent", "superclass": "parent", "broader": "parent", "superconcept": "parent",
    "super": "parent", "parents": "parent", "hyperonym": "parent",
    "weight": "weight", "confidence": "confidence", "probability": "confidence", "score": _EITHER,
    "label": "label", "name": "label", "id": "id", "nr": "id", "no": "id",
}  # fmt: skip
_INSTANCE_HEADERS = {
    "instance": "instance", "individual": "instance", "document": "instance", "doc": "instance", "url": "instance",
    "concept": "concept", "class": "concept", "subject": "concept", "label": "concept", "type": "concept",
    "strength": "strength", "weight": "strength", "score": "strength",
}  # fmt: skip
Row = tuple[int, list[str]]  # line number, cells
Assignments = tuple[list[str], list[str], list[float]]  # instances, concepts, strengths


def is_edges(head: Head) -> Fit:
    """A table; two words a line may be anything, so that a suffix may say otherwise."""
    return Fit.PERHAPS if head.is_table and ("\t" in head.text or head.by_suffix in (None, "tsv")) else Fit.NO


def is_pairs(head: Head) -> Fit:
    return Fit.SURELY if _PAIRS.match(head.text) else Fit.NO


def read_edges(source: Input, options: LoadOptions) -> Facts:
    """TSV lines `child TAB parent` or `id TAB term TAB hypernym`, or as a header line or `options.columns` says.

    A third column of numbers must be named: it may be the confidence of a learner or the weight of a path. Lines of two
    words may be separated by blanks. Nothing is quoted; outer blanks are stripped and case is kept. Of a line with an
    empty cell the other names still count as concepts.
    """
    facts = Facts(profile="names")
    rows = list(_rows(source.read_text(lenient=options.lenient)))
    order, rows = _column_order(rows, options.columns, source.name)
    empty = 0
    seen = set()  # (child, parent); an id column may number the same pair twice
    for line, cells in rows:
        if len(cells) > len(order) or (len(cells) < 2 and len(order) > 1):
            raise LoadError(
                f"found {number_of(len(cells), 'cell', 'cells')}, expected {_expected_cells(order)}",
                advice="Separate the columns by TAB, or set {columns}.",
                parameter="columns",
                path=source.name,
                format="tsv",
                line=line,
            )
        row = dict(zip(order, cells, strict=False))
        child, parent = row.get("child", ""), row.get("parent", "")
        empty += cells.count("")
        seen.add((child, parent))
        for name in (child, parent):
            if name:
                facts.concepts.append(facts.number(name))
        if child and row.get("label"):
            facts.label(facts.number(child), row["label"], "", "preferred")
        confidence = _confidence(row.get("confidence", ""), source.name, line)
        if child and parent:
            ends = facts.number(child), facts.number(parent)
            facts.edge(*ends, _weight(row.get("weight", ""), source.name, line))
            if confidence is not None:
                facts.confidence(*ends, confidence)
    if options.columns is None and order == ["id", "child", "parent"] and rows and _is_number(rows[0][1][-1]):
        facts.notes.append(
            Message("not all cells of the third column are numbers: read as id, term, hypernym. Set {columns}")
        )
    facts.counts["lines"] = len(rows)
    facts.counts["duplicate_lines"] = len(rows) - len(seen)
    facts.counts["empty_cells"] = empty
    return facts


def read_pairs(source: Input, options: LoadOptions) -> Facts:
    """A JSON list of {"parent": ..., "child": ...}, perhaps with a "confidence" (or "probability" or "score")."""
    document = read_json(source, lenient=options.lenient)
    facts = Facts(profile="names")
    if not isinstance(document, list):
        raise LoadError('not a list of {"parent": ..., "child": ...}', advice="Use such a list.", path=source.name)
    seen = set()
    empty = 0
    confidence_key = _confidence_key(document) if options.min_confidence is not None else None
    for position, entry in enumerate(document):
        if not isinstance(entry, dict) or not {"parent", "child"} <= entry.keys():
            raise LoadError(
                f'entry {position} of the list lacks "parent" or "child"',
                advice="Add both, as strings.",
                path=source.name,
            )
        names = [_text(entry[key], position, key, source.name) for key in ("child", "parent")]
        seen.add(tuple(names))
        numbers = [facts.number(name) for name in names if name]
        facts.concepts.extend(numbers)
        empty += 2 - len(numbers)
        if len(numbers) == 2:
            facts.edge(numbers[0], numbers[1])
            if confidence_key is not None and entry.get(confidence_key) is not None:
                value = _json_number(entry[confidence_key], position, confidence_key, source.name)
                facts.confidence(numbers[0], numbers[1], value)
    facts.counts["lines"] = len(document)
    facts.counts["duplicate_lines"] = len(document) - len(seen)
    facts.counts["empty_cells"] = empty
    return facts


def read_instances(source: Input, *, lenient: bool = False) -> Assignments:
    """TSV lines `instance TAB concept [TAB strength]`, in the order that a header line names."""
    text = source.read_text(lenient=lenient)
    rows = _rows(text)
    first = next(rows, None)
    headings = [] if first is None else [_INSTANCE_HEADERS.get(cell.casefold()) for cell in first[1]]
    order = [name for name in headings if name] if None not in headings else []
    header = {"instance", "concept"} <= set(order)
    if not header:
        order = ["instance", "concept", "strength"]
        rows = rows if first is None else chain([first], rows)
    column = {name: position for position, name in enumerate(order)}
    return _read_even_rows(text, column, header=header) or _read_uneven_rows(rows, column, len(order), source.name)


def _read_even_rows(text: str, column: dict[str, int], *, header: bool) -> Assignments | None:
    """Lines that all have the same number of cells, none of them empty or odd: a million in a second. Else None."""
    text = text.strip("\n")
    width = text.partition("\n")[0].count("\t") + 1
    if not 2 <= width <= max(column.values()) + 1 or {line.count("\t") for line in text.split("\n")} != {width - 1}:
        return None
    cells = [*map(str.strip, text.replace("\n", "\t").split("\t"))]
    if "" in cells[column["instance"] :: width] or "" in cells[column["concept"] :: width]:
        return None
    if header:
        del cells[:width]
    instances, concepts = cells[column["instance"] :: width], cells[column["concept"] :: width]
    position = column.get("strength", width)
    if position >= width:
        return instances, concepts, [1.0] * len(instances)
    strengths = cells[position::width]
    known = ((cell, _strength_of(cell)) for cell in set(strengths))
    values = {cell: value for cell, value in known if value is not None}
    if not values.keys() >= set(strengths):
        return None
    return instances, concepts, [values[cell] for cell in strengths]


def _read_uneven_rows(rows: Iterable[Row], column: dict[str, int], width: int, path: str) -> Assignments:
    instance, concept, strength = column["instance"], column["concept"], column.get("strength", width)
    last_required = max(instance, concept)
    instances, concepts, strengths = [], [], []
    for line, cells in rows:
        if not last_required < len(cells) <= width or not cells[instance] or not cells[concept]:
            raise LoadError(
                f"found {number_of(len(cells), 'cell', 'cells')}, expected instance, concept and optionally a strength",
                advice="Separate the columns by TAB; leave no cell empty.",
                path=path,
                line=line,
            )
        instances.append(cells[instance])
        concepts.append(cells[concept])
        strengths.append(_strength(cells[strength], path, line) if strength < len(cells) else 1.0)
    return instances, concepts, strengths


def _rows(text: str) -> Iterator[Row]:
    for line, content in enumerate(text.split("\n"), 1):
        if not content or content.isspace():
            continue
        if "\t" in content:
            yield line, [*map(str.strip, content.split("\t"))]
        else:
            words = content.split()
            yield line, words if len(words) == 2 else [content.strip()]


def _column_order(rows: list[Row], columns: Sequence[str] | None, path: str) -> tuple[list[str], list[Row]]:
    """Which column is which, and the rows without a header line."""
    header = [_HEADERS.get(cell.casefold()) for cell in rows[0][1]] if rows else []
    is_header = None not in header and len(set(header)) == len(header) and {"child", "parent"} <= set(header)
    first_line = rows[0] if rows else (0, [])
    if is_header:
        rows = rows[1:]
    if columns is not None:
        return list(columns), rows
    if is_header:
        order = [name for name in header if name]
        if _EITHER in order:
            raise _unclear_column(f"the column {first_line[1][order.index(_EITHER)]!r}", order, path, first_line[0])
        return order, rows
    third = [(line, cells[2]) for line, cells in rows if len(cells) == 3 and cells[2]]
    if not third:
        return ["child", "parent", "weight"], rows
    numbers = [_is_number(cell) for _, cell in third]
    if all(numbers):
        raise _unclear_column("the third column", ["child", "parent", _EITHER], path, third[0][0])
    if len(numbers) > 1 and all(numbers[1:]) and third[0][0] == first_line[0] and not _is_number(first_line[1][0]):
        raise _unknown_header(first_line, path)
    return ["id", "child", "parent"], rows


def _unclear_column(column: str, order: Sequence[str], path: str, line: int) -> LoadError:
    """The error about a column of numbers that nothing says the meaning of."""
    first, second = (",".join(order).replace(_EITHER, name) for name in ("confidence", "weight"))
    return LoadError(
        f"the numbers of {column} may be confidences of a learner or weights of links",
        advice=f"Set {{columns={first}}} or {{columns={second}}}, or add a header line.",
        parameter="columns",
        path=path,
        format="tsv",
        line=line,
    )


def _unknown_header(row: Row, path: str) -> LoadError:
    """The error about a first line of words above a column of numbers."""
    line, cells = row
    unknown = listed([repr(cell) for cell in cells if cell.casefold() not in _HEADERS] or map(repr, cells))
    return LoadError(
        f"the first line looks like a header, as numbers follow in the third column; unknown: {unknown}",
        advice="Use e.g. child, parent, confidence; if it is not a header, set {columns}.",
        parameter="columns",
        path=path,
        format="tsv",
        line=line,
    )


def _expected_cells(order: Sequence[str]) -> str:
    return f"{len(order) - 1} or {len(order)} ({', '.join(order)})" if len(order) > 2 else f"2 ({', '.join(order)})"


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _weight(cell: str, path: str, line: int) -> float:
    if not cell:
        return math.nan
    value = float(cell) if _is_number(cell) else math.nan
    if not (math.isfinite(value) and value >= 0):
        raise LoadError(
            f"the weight {cell!r} is not a finite number >= 0",
            advice="Correct or remove it.",
            path=path,
            format="tsv",
            line=line,
        )
    return value


def _confidence(cell: str, path: str, line: int) -> float | None:
    """Any finite number: learners have probabilities, but also scores of other ranges."""
    if not cell:
        return None
    value = finite_number(cell)
    if value is None:
        raise LoadError(
            f"the confidence {cell!r} is not a finite number",
            advice="Correct or remove it.",
            path=path,
            format="tsv",
            line=line,
        )
    return value


def _strength_of(cell: str) -> float | None:
    """A number in (0, 1]; None if it is something else."""
    value = 1.0 if not cell else float(cell) if _is_number(cell) else math.nan
    return value if 0 < value <= 1 else None


def _strength(cell: str, path: str, line: int) -> float:
    value = _strength_of(cell)
    if value is None:
        raise LoadError(
            f"the strength {cell!r} is not a number > 0 and <= 1", advice="Correct or remove it.", path=path, line=line
        )
    return value


def _confidence_key(document: Sequence[object]) -> str | None:
    """What the confidence is called in a list of pairs; of several names the first of `CONFIDENCE_NAMES`."""
    keys = {key for entry in document if isinstance(entry, dict) for key in entry}
    return next((name for name in CONFIDENCE_NAMES if name in keys), None)


def _json_number(value: object, position: int, key: str, path: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise LoadError(
            f"{key!r} of entry {position} of the list is not a finite number: {value!r}",
            advice="Correct or remove it.",
            path=path,
        )
    return float(value)


def _text(value: object, position: int, key: str, path: str) -> str:
    if not isinstance(value, str):
        raise LoadError(f"{key!r} of entry {position} of the list is not a string", advice="Use a term.", path=path)
    return value.strip()
