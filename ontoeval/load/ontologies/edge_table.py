"""Tables: `read_edges` (TSV), `read_frame`, `read_pairs` (JSON); `read_instances` (TSV); `is_edges`, `is_pairs`."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from numbers import Real
from typing import Any

from ontoeval.errors import LoadError, Message, listed, number_of
from ontoeval.load.input import Input
from ontoeval.load.ontologies.columns import CONFIDENCE_NAMES
from ontoeval.load.ontologies.confidence import finite_number
from ontoeval.load.ontologies.facts import Facts
from ontoeval.load.ontologies.format import Fit, Head
from ontoeval.load.ontologies.text_kind import list_kind
from ontoeval.load.options import LoadOptions
from ontoeval.load.safety import read_json
from ontoeval.load.tables.headings import EITHER, EdgeHeader, contradicts, edge_header, instance_columns
from ontoeval.load.tables.rows import cut

_PAIRS = re.compile(r'\[\s*+\{[^{}\[\]]*"(?:parent|child)"\s*+:')
TABLE_ADVICE = "Write one link per line, child TAB parent."
Row = tuple[int, list[str]]  # line number, cells
Assignments = tuple[list[str], list[str], list[float]]  # instances, concepts, strengths


def is_edges(head: Head) -> Fit:
    """A table without marks of a list; two words a line may be anything, so that a suffix may say otherwise."""
    if not head.is_table or ("\t" not in head.text and head.by_suffix not in (None, "tsv")):
        return Fit.NO
    return Fit.NO if list_kind(head.raw_lines) else Fit.PERHAPS


def is_pairs(head: Head) -> Fit:
    return Fit.SURELY if _PAIRS.match(head.text) else Fit.NO


def read_edges(source: Input, options: LoadOptions) -> Facts:
    """TSV lines `child TAB parent` or `id TAB term TAB hypernym`, or as a header line or `options.columns` says.

    A third column of numbers must be named: it may be the confidence of a learner or the weight of a path. Lines of two
    words may be separated by blanks if a header line, the columns or the format say that this is a table. Nothing is
    quoted; outer blanks are stripped and case is kept. Of a line with an empty cell the other names still count as
    concepts.
    """
    facts = Facts(profile="names")
    text = source.read_text(lenient=options.lenient)
    rows = list(_rows(text, edge_header))
    if options.columns is None and all(len(cells) > 1 for _, cells in rows):  # else the first other line is refused
        _refuse_lists(text, source.name)
    if (
        options.columns is None
        and options.format is None
        and not any("\t" in line.strip() for line in text.split("\n"))
    ):
        _refuse_words(rows, source.name)
    lines = len(rows)
    order, rows = _column_order(rows, options.columns, source.name, facts)
    if len(rows) == lines:  # no header line
        facts.columns = tuple(order[: max((len(cells) for _, cells in rows), default=0)])
    _add_rows(facts, order, rows, source.name)
    if options.columns is None and order == ["id", "child", "parent"] and rows and _is_number(rows[0][1][-1]):
        facts.notes.append(
            Message(
                "not all cells of the third column are numbers: read as id, term, hypernym. If that is wrong, set "
                "{columns}"
            )
        )
    return facts


def read_frame(frame: Any, options: LoadOptions, path: str) -> Facts:
    """A data frame of pandas or polars as a table of links; the names of its columns are the header line."""
    names = [str(name) for name in frame.columns]
    header = [] if edge_header(names) is None else [(0, names)]  # not one of the rows, which are numbered from 1
    if not header and options.columns is None:
        raise LoadError(
            f"the frame has the columns {listed(map(repr, names))}, not child and parent",
            advice="Rename them, or set {columns}.",
            parameter="columns",
            path=path,
        )
    rows = [(number, [_frame_cell(cell, path, number) for cell in row]) for number, row in _frame_rows(frame)]
    facts = Facts(profile="names")
    order, rows = _column_order([*header, *rows], options.columns, path, facts)
    _add_rows(facts, order, rows, path)
    return facts


def _frame_rows(frame: Any) -> Iterator[tuple[int, Sequence[object]]]:
    """The rows of a frame with their numbers; None for what is missing."""
    if hasattr(frame, "iter_rows"):  # polars
        return enumerate(frame.iter_rows(), 1)
    objects = frame.astype(object)
    return enumerate(objects.where(frame.notna(), None).itertuples(index=False, name=None), 1)


def _frame_cell(value: object, path: str, row: int) -> str:
    """A name or a number as in a table; names that are numbers become 1.0 in a column with missing values."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, Real) and not isinstance(value, bool):
        number = float(value)
        return repr(int(number)) if number.is_integer() else repr(number)
    raise LoadError(f"{value!r} is not a name or a number", advice="Use strings as names.", path=path, line=row)


def _add_rows(facts: Facts, order: Sequence[str], rows: Sequence[Row], path: str) -> None:
    """The links, labels and confidences of the rows below the header line."""
    empty = 0
    seen = set()  # (child, parent); an id column may number the same pair twice
    for line, all_cells in rows:
        cells = cut(all_cells, len(order))
        if len(cells) > len(order) or (len(cells) < 2 and len(order) > 1):
            raise LoadError(
                f"found {number_of(len(cells), 'cell', 'cells')}, expected {_expected_cells(order)}",
                advice="Separate the columns by TAB, or set {columns}.",
                parameter="columns",
                path=path,
                format="tsv",
                line=line,
            )
        row = dict(zip(order, cells, strict=False))
        child, parent = row.get("child", ""), row.get("parent", "")
        empty += sum(1 for name, cell in row.items() if name and not cell)
        seen.add((child, parent))
        for name in (child, parent):
            if name:
                facts.concepts.append(facts.number(name))
        if child and row.get("label"):
            facts.label(facts.number(child), row["label"], "", "preferred")
        confidence = _confidence(row.get("confidence", ""), path, line)
        if child and parent:
            ends = facts.number(child), facts.number(parent)
            facts.edge(*ends, _weight(row.get("weight", ""), path, line))
            if confidence is not None:
                facts.confidence(*ends, confidence)
    _check_names(facts, rows, path)
    facts.counts["lines"] = len(rows)
    facts.counts["duplicate_lines"] = len(rows) - len(seen)
    facts.counts["empty_cells"] = empty


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
    rows = _rows(text, instance_columns)
    first = next(rows, None)
    header = None if first is None else instance_columns(first[1])
    if first is None or header is None:
        column, width = {"instance": 0, "concept": 1, "strength": 2}, 3
        rows = rows if first is None else chain([first], rows)
    else:
        column, width = header, len(cut(first[1], 2))
        unknown = [cell for place, cell in enumerate(first[1]) if cell and place not in column.values()]
        if unknown:
            raise LoadError(
                f"unknown columns: {listed(map(repr, unknown))}",
                advice="Remove them; use instance, concept and optionally strength.",
                path=source.name,
                line=first[0],
            )
    even = _read_even_rows(text, column, header=header is not None)
    return even or _read_uneven_rows(rows, column, width, source.name)


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
    for line, all_cells in rows:
        cells = cut(all_cells, width)
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


def _refuse_lists(text: str, path: str) -> None:
    """Refuse a list, an outline or Markdown."""
    kind = list_kind([line for line in text.split("\n") if line.strip()])
    if kind is not None:
        raise LoadError(
            f"this looks like {kind}, not a table of links",
            advice=f"{TABLE_ADVICE} If it is a table, set {{columns}}.",
            parameter="columns",
            path=path,
            format="tsv",
        )


def _rows(text: str, header: Callable[[Sequence[str]], object]) -> Iterator[Row]:
    """Cells between TABs, or between blanks where no line has a TAB inside; a `header` may have blanks in any case."""
    lines = text.split("\n")
    tabs = any("\t" in line.strip() for line in lines)
    is_first = True
    for line, content in enumerate(lines, 1):
        if not content or content.isspace():
            continue
        words = content.split()
        if len(words) == 2 and "\t" not in content.strip() and (not tabs or (is_first and header(words))):
            yield line, words
        else:
            yield line, [*map(str.strip, content.split("\t"))] if "\t" in content else [content.strip()]
        is_first = False


def _check_names(facts: Facts, rows: Sequence[Row], path: str) -> None:
    """Refuse a name without a letter or a digit: a bullet, a rule, a sign of Markdown."""
    odd = {name for name in facts.names if not any(map(str.isalnum, name))}
    if odd:
        line, name = next((line, cell) for line, cells in rows for cell in cells if cell in odd)
        raise LoadError(
            f"the name {name!r} has no letter or digit",
            advice="Remove the line, or correct the name.",
            path=path,
            format="tsv",
            line=line,
        )


def _refuse_words(rows: Sequence[Row], path: str) -> None:
    """Refuse lines of two words, which may be names, or links in either direction, if nothing says what they are."""
    if rows and all(len(cells) == 2 for _, cells in rows) and edge_header(rows[0][1]) is None:
        raise LoadError(
            f"this looks like a list of two-word names ({' '.join(rows[0][1])!r}), not a table of links",
            advice=f"{TABLE_ADVICE} If each line is a link, set {{columns=child,parent}} or the reverse.",
            parameter="columns",
            path=path,
            format="tsv",
        )


def _column_order(
    rows: list[Row], columns: Sequence[str] | None, path: str, facts: Facts
) -> tuple[list[str], list[Row]]:
    """Which column is which, and the rows without a header line; "" for a column that is not read."""
    first_line = rows[0] if rows else (0, [])
    header = edge_header(cut(first_line[1], 2))
    if header is not None:
        return _named_columns(header, columns, rows, path, facts), rows[1:]
    if columns is not None:
        return list(columns), rows
    third = [(line, cells[2]) for line, cells in rows if len(cells) == 3 and cells[2]]
    if not third:
        return ["child", "parent", "weight"], rows
    numbers = [_is_number(cell) for _, cell in third]
    if all(numbers):
        raise _unclear_column("the third column", ["child", "parent", EITHER], path, third[0][0])
    if len(numbers) > 1 and all(numbers[1:]) and third[0][0] == first_line[0] and not _is_number(first_line[1][0]):
        raise _unknown_header(first_line, path)
    return ["id", "child", "parent"], rows


def _named_columns(
    header: EdgeHeader, columns: Sequence[str] | None, rows: Sequence[Row], path: str, facts: Facts
) -> list[str]:
    """The columns that a header line names, unless the user names them; LoadError if both do and differ."""
    line, cells = rows[0]
    names = ", ".join(cells)
    if columns is not None and contradicts(cells, columns):
        raise LoadError(
            Message(f"the header line has the columns {names}, but {{columns}} says {', '.join(columns)}"),
            advice="See which is right for its rows: remove {columns}, or correct the header line.",
            parameter="columns",
            path=path,
            format="tsv",
            line=line,
        )
    if columns is not None:
        return list(columns)
    if not header.directed:
        raise LoadError(
            f"the header line ({names}) does not say which column is the child and which the parent",
            advice="Set {columns=child,parent} or {columns=parent,child}, or use these words in the header line.",
            parameter="columns",
            path=path,
            format="tsv",
            line=line,
        )
    if EITHER in header.order:
        raise _unclear_column(f"the column {cells[header.order.index(EITHER)]!r}", header.order, path, line)
    unknown = {place: cell for place, cell in enumerate(cells) if cell and not header.order[place]}
    for place in unknown:
        values = [row[place] for _, row in rows[1:] if place < len(row) and row[place]]
        if values and all(map(_is_number, values)):
            raise LoadError(
                f"unknown column {cells[place]!r} with numbers",
                advice="Use e.g. confidence or weight, or set {columns}.",
                parameter="columns",
                path=path,
                format="tsv",
                line=line,
            )
    if unknown:
        facts.notes.append(f"columns that are not read: {listed(map(repr, unknown.values()))}")
    return header.order


def _unclear_column(column: str, order: Sequence[str], path: str, line: int) -> LoadError:
    """The error about a column of numbers that nothing says the meaning of."""
    first, second = (",".join(order).replace(EITHER, name) for name in ("confidence", "weight"))
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
    return LoadError(
        "the first line looks like a header, as numbers follow in the third column; unknown: "
        f"{listed(map(repr, row[1]))}",
        advice="Use e.g. child, parent, confidence; if it is not a header, set {columns}.",
        parameter="columns",
        path=path,
        format="tsv",
        line=row[0],
    )


def _expected_cells(order: Sequence[str]) -> str:
    names = ", ".join(name or "(not read)" for name in order)
    return f"{len(order) - 1} or {len(order)} ({names})" if len(order) > 2 else f"2 ({names})"


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
