"""Steps of `ontoeval query`: how answers and the list of queries are printed (SPARQL: rdf/store/queries.py)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import click

from ontoeval.cli.state import note
from ontoeval.cli.steps.checks import CHECK_FAILED
from ontoeval.cli.steps.output import Outputs
from ontoeval.cli.steps.printing import echo, json_text, status_on_stderr
from ontoeval.cli.steps.storing import store_and_others
from ontoeval.output import write_text
from ontoeval.rdf.store import Store
from ontoeval.rdf.store.queries import Answer, Query, answer, find_query, named_queries, value_of
from ontoeval.rdf.store.result_graph import RUN
from ontoeval.rdf.store.store import open_store, short_ids
from ontoeval.rdf.vocabulary import DATE_TIME, PREFIXES
from ontoeval.report.names import curie, with_prefix
from ontoeval.report.stored_runs import LABELS, minute, run_table, with_labels
from ontoeval.results import plain
from ontoeval.tables import Layout, render, rounded_text

_TURTLE = "ttl"  # a format of this command alone


def query(place: str | None, query: str | None, parameters: dict[str, str], layout: Layout | str | None, timeout: float,
          digits: int, listing: bool, output: tuple[str, ...], exit_code: bool) -> None:  # fmt: skip
    """Ask a store, or list the named queries."""
    outputs = Outputs(output, own=(f".{_TURTLE}",))
    if listing:
        outputs.write(_list, _layout_of_list(layout))
        return
    place, (query,) = store_and_others([place, query], "a query (--list shows names)")
    question = find_query(sys.stdin.read() if query == "-" else query)  # refused before a big file is read
    with status_on_stderr(f"querying {place}"):
        store = open_store(place)
        answered = answer(store, question, parameters, timeout=timeout)
    for path in outputs.of(f".{_TURTLE}"):
        write_text(path, answered.to_turtle())
    layout = layout or (_TURTLE if answered.triples is not None else Layout.TABLE)
    if isinstance(layout, Layout):
        title = partial(_title, question, parameters, answered, store)
        outputs.write(lambda layout: _answer_text(answered, layout, digits, title), layout)
    else:
        echo(answered.to_turtle(), Layout.TSV)
    if not len(answered) and answered.yes is None:
        note("no rows")
    if exit_code and (len(answered) or answered.yes):
        raise click.exceptions.Exit(CHECK_FAILED)


def _answer_text(answered: Answer, layout: Layout, digits: int, title: Callable[[], str]) -> str:
    """An answer as text; people get short names of runs and concepts."""
    if layout is Layout.JSON:
        return _json(answered)
    if answered.yes is not None:
        return f"{rounded_text(answered.yes) if layout.for_people else str(answered.yes).lower()}\n"
    if not layout.for_people:
        return render("", answered.columns, [list(row.values()) for row in answered], layout)
    runs = short_ids(run for terms in answered.terms for term in terms if (run := _run_id(term)) is not None)
    if layout is not Layout.TABLE:
        rows = [[_short(term, runs) for term in terms] for terms in answered.terms]
        return render("", answered.columns, rows, layout, precision=digits)
    rows = [
        [
            value_of(term) if name in LABELS else _short(term, runs)
            for name, term in zip(answered.columns, terms, strict=True)
        ]
        for terms in answered.terms
    ]
    header, shown = with_labels(answered.columns, rows)
    return run_table(title(), header, shown, precision=digits)


def _title(question: Query, parameters: Mapping[str, str], answered: Answer, store: Store) -> str:
    """What the rows are: `TF_csc of 5 runs`, `worst-concepts by TP_csc of run 1bfd33c9 (oc4)`, `3 rows`."""
    count = f"{len(answered):,} row{'' if len(answered) == 1 else 's'}"
    values = [(p, parameters.get(p.name, p.default or "")) for p in question.parameters]
    measures = " and ".join(value for parameter, value in values if parameter.kind == "measure")
    runs = {str(row["run"]) for row in answered} if "run" in answered.columns else set()
    if measures and "run" in answered.columns and len(runs) == len(answered):
        return f"{measures} of {len(runs):,} run{'' if len(runs) == 1 else 's'}"
    texts = " and ".join(value for p, value in values if p.kind == "text" and p.default is None)
    words = [question.name, *([f"by {measures}"] if measures else []), *([f"of {texts}"] if texts else [])]
    for parameter, value in values:
        if parameter.kind == "run":
            info = store.find(value)
            link = "of run" if parameter.name == "run" else parameter.name
            words.append(f"{link} {short_ids([info.id])[info.id]} ({info.system})")
    what = " ".join(word for word in words if word)
    return f"{what}: {count}" if what else count


def _json(answered: Answer) -> str:
    if answered.yes is not None:
        document: dict[str, Any] = {"answer": answered.yes}
    else:
        rows = [{k: plain(v) if isinstance(v, float) else v for k, v in row.items()} for row in answered]
        document = {"columns": list(answered.columns), "rows": rows}
    return json_text(document)


def _run_id(term: Any) -> str | None:
    """The id of a run by its IRI."""
    value = value_of(term) if type(term).__name__ == "NamedNode" else ""
    return value[len(RUN) :] if value.startswith(RUN) and "/" not in value[len(RUN) :] else None


def _short(term: Any, runs: Mapping[str, str]) -> Any:
    """A value as people read it: the beginning of a run's id, times to the minute, IRIs with a common prefix."""
    run, value = _run_id(term), value_of(term)
    if run is not None:
        return runs[run]
    if getattr(term, "datatype", None) == DATE_TIME:
        return minute(value)
    return (with_prefix(value, PREFIXES) or curie(value)) if type(term).__name__ == "NamedNode" else value


def _layout_of_list(layout: Layout | str | None) -> Layout:
    if isinstance(layout, str):
        raise click.UsageError("--list has no triples. Use another format than ttl.")
    return layout or Layout.TABLE


def _list(layout: Layout) -> str:
    queries = named_queries()
    if layout is Layout.JSON:
        document = {
            "queries": [
                {"name": q.name, "help": q.help, "parameters": [p._asdict() for p in q.parameters], "text": q.text}
                for q in queries.values()
            ]
        }
        return json_text(document)
    if layout is not Layout.TABLE:
        rows = [
            [q.name, q.help, " ".join(p.name if p.default is None else f"{p.name}={p.default}" for p in q.parameters)]
            for q in queries.values()
        ]
        return render("", ["name", "what it answers", "parameters"], rows, layout)
    lines = []
    for q in queries.values():
        lines.append(f"{q.name}: {q.help}")
        lines += [
            f"    {p.name}{' (required)' if p.default is None else f'={p.default}'}: {p.help}" for p in q.parameters
        ]
    return "\n".join(lines) + "\n"
