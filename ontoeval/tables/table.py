"""`Table`: rows as named tuples, as a data frame or text; `frame`, `in_notebook` (cells: text_table.py)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from ontoeval.errors import MissingInputError, number_of
from ontoeval.tables.layouts import Layout
from ontoeval.tables.text_table import Cell, TextTable

if TYPE_CHECKING:
    import pandas as pd

Row = TypeVar("Row", bound=tuple[Any, ...])
SHOWN = 20  # rows of `str` and of a notebook
NOTEBOOK_LIMIT = 30_000  # characters
_LONGEST_CELL = 200  # characters, in a notebook


class Table(Sequence[Row], Generic[Row]):
    """Rows that are named tuples, in their order.

    A table is a sequence: `table[0].label`, `table[:5]`, `len(table)`, `for row in table`.

    Parameters
    ----------
    rows : iterable of named tuples
    row_type : type
        The class of the rows, which names the columns of an empty table, too.
    title : str, optional
        What stands above the table where people read it.
    only_programs : sequence of str, optional
        Columns that people do not see, as the IRIs beside labels, unless two rows look the same without them.

    Examples
    --------
    >>> from typing import NamedTuple
    >>> class Animal(NamedTuple):
    ...     iri: str
    ...     label: str
    ...     legs: int
    >>> table = Table([Animal("urn:x:1", "cat", 4), Animal("urn:x:2", "hen", 2)], Animal, only_programs=["iri"])
    >>> table
    <Table of 2 Animal: iri, label, legs>
    >>> print(table)
      label  legs
      cat       4
      hen       2
    <BLANKLINE>
    >>> table.to_dicts()[0]
    {'iri': 'urn:x:1', 'label': 'cat', 'legs': 4}
    """

    def __init__(
        self, rows: Iterable[Row], row_type: type[Row], *, title: str = "", only_programs: Sequence[str] = ()
    ) -> None:
        self._rows = tuple(rows)
        self._row_type, self.title, self._only_programs = row_type, title, tuple(only_programs)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the fields of each row."""
        names: tuple[str, ...] = getattr(self._row_type, "_fields", ())
        return names

    @overload
    def __getitem__(self, place: int) -> Row: ...
    @overload
    def __getitem__(self, place: slice) -> Table[Row]: ...
    def __getitem__(self, place: int | slice) -> Row | Table[Row]:
        if isinstance(place, slice):
            return Table(self._rows[place], self._row_type, title=self.title, only_programs=self._only_programs)
        return self._rows[place]

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self._rows)

    def __eq__(self, other: object) -> bool:
        """The same rows, in a table or in a list."""
        if not isinstance(other, Table | list | tuple):
            return NotImplemented
        return self._rows == tuple(other)

    __hash__ = None  # type: ignore[assignment]  # it equals lists, which have none

    def __repr__(self) -> str:
        return f"<Table of {len(self):,} {self._row_type.__name__}: {', '.join(self.columns)}>"

    def __str__(self) -> str:
        text = self[:SHOWN].render()
        return text if len(self) <= SHOWN else f"{text}  … {len(self) - SHOWN:,} more\n"

    def to_dicts(self) -> list[dict[str, Any]]:
        """A dictionary for each row, e.g. for `polars.DataFrame(table.to_dicts())`."""
        return [dict(zip(self.columns, row, strict=True)) for row in self._rows]

    def to_frame(self) -> pd.DataFrame:
        """A pandas DataFrame with a column for each field."""
        return frame(self.to_dicts(), columns=self.columns)

    def render(self, layout: Layout | str = Layout.TABLE, *, precision: int = 3) -> str:
        """The table as text: "table" for a terminal, "markdown", "latex", "html", or "csv", "tsv", "json" in full."""
        layout = Layout.named(layout)
        names = self._columns_for_people() if layout.for_people else self.columns
        return layout.write(self._text_table(names, precision))

    def _repr_html_(self) -> str:
        return in_notebook(self._text_table(self._columns_for_people(), 3))

    def _text_table(self, names: Sequence[str], precision: int) -> TextTable:
        places = [self.columns.index(name) for name in names]
        rows = [[_cell(row[place]) for place in places] for row in self._rows]
        return TextTable(self.title, [name.replace("_", " ") for name in names], rows, precision)

    def _columns_for_people(self) -> Sequence[str]:
        names = [name for name in self.columns if name not in self._only_programs]
        places = [self.columns.index(name) for name in names]
        seen = {tuple(str(row[place]) for place in places) for row in self._rows}
        return names if len(seen) == len(self._rows) else self.columns


def _cell(value: Any) -> Cell:
    """A field as a cell: several values between semicolons."""
    if hasattr(value, "dtype"):  # a number of numpy
        value = value.item()
    if value is None or isinstance(value, str | int | float):
        return None if value != value else value  # nan: there is no value
    if isinstance(value, Mapping):
        value = [f"{name} {entry}" for name, entry in value.items()]
    if isinstance(value, tuple | list) and not hasattr(value, "_fields"):
        return "; ".join(map(str, value))
    return str(value)


def frame(
    rows: Sequence[Mapping[str, Any]],
    index: Sequence[str] | None = None,
    name: str = "",
    *,
    columns: Sequence[str] | None = None,
) -> pd.DataFrame:
    """A pandas DataFrame; `name` is that of the index, if there is one."""
    try:
        import pandas as pd
    except ImportError:
        raise MissingInputError("to_frame() needs pandas", advice="Run `pip install pandas`.") from None
    labels = None if index is None else pd.Index(list(index), name=name)
    return pd.DataFrame(list(rows), index=labels, columns=None if columns is None else list(columns))


def in_notebook(table: TextTable, note: str = "") -> str:
    """HTML of the first rows, with neither style nor script, so small that a notebook stays small.

    `note` stands below the table.
    """
    short = TextTable(
        table.title, table.header, [list(map(_shorter, row)) for row in table.rows[:SHOWN]], table.precision
    )
    while True:
        more = len(table.rows) - len(short.rows)
        notes = [*([f"… {number_of(more, 'more row', 'more rows')}"] if more else []), *([note] if note else [])]
        text = Layout.HTML.write(short) + "".join(f"<p>{escape(line)}</p>\n" for line in notes)
        if len(text.encode()) <= NOTEBOOK_LIMIT or not short.rows:
            return text
        short = TextTable(short.title, short.header, short.rows[: len(short.rows) // 2], short.precision)


def _shorter(cell: Cell) -> Cell:
    return f"{cell[:_LONGEST_CELL]}…" if isinstance(cell, str) and len(cell) > _LONGEST_CELL else cell
