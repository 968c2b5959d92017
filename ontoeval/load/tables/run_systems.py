"""`load_run_systems`: which run is of which system: a run in the first column, its system in a named one."""

from __future__ import annotations

from contextlib import closing

from ontoeval.errors import LoadError, did_you_mean, listed
from ontoeval.load.input import open_input
from ontoeval.load.tables.rows import read_rows, separator_advice


def load_run_systems(source: object, column: str) -> dict[str, str]:
    """Read a table with a header: a run in the first column, the name of its system in `column`.

    `source` is a path, '-' for stdin, bytes or an open file. The columns are separated by a TAB, else by a comma, else
    by a semicolon, else by blanks.
    """
    with closing(open_input(source)) as file:
        format, ((_, header), *rows) = read_rows(file, "a header line, and a run in the first column", columns=2)
        path = file.name
    if column not in header[1:]:
        advice = f"{did_you_mean(column, header[1:])} Use one of: {listed(header[1:])}.".strip()
        raise LoadError(f"no column {column!r} after the run column", advice=advice, path=path)
    place = header.index(column, 1)
    systems: dict[str, str] = {}
    for line, cells in rows:
        if len(cells) <= place or not cells[place]:
            raise LoadError(
                f"{cells[0]!r} has no {column}", advice=separator_advice(format), path=path, format=format, line=line
            )
        run, system = cells[0], cells[place]
        if systems.setdefault(run, system) != system:
            problem = f"run {run!r} belongs to both {systems[run]!r} and {system!r}"
            raise LoadError(problem, advice="Keep one.", path=path, line=line)
    return systems
