"""Pairs of concepts with their scores, as tables and JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ontoeval.cli.options import status_on_stderr
from ontoeval.errors import LoadError, OntoevalError, UnknownConceptError, listed
from ontoeval.tables import Layout

if TYPE_CHECKING:
    from ontoeval.measures import Measure
    from ontoeval.model.ontology import Ontology
    from ontoeval.tasks.concept_pairs import ConceptPairs

Named = Sequence[tuple[str, "Measure"]]  # measures under the names that were asked for
TABLES = ("tsv", "csv", "json")  # for machines: full precision


@dataclass(frozen=True)
class Asked:
    """Pairs as written."""

    left: Sequence[str]
    right: Sequence[str]
    ratings: Any = None
    lines: Sequence[int] = ()
    path: str | None = None


def asked_pairs(two: Sequence[str], pairs: str | None) -> Asked:
    if pairs is None:
        return Asked(two[:1], two[1:])
    from ontoeval.load import load_pairs

    table = load_pairs(pairs)
    return Asked(table.left, table.right, table.ratings, table.lines, table.source.path)


class _Finder:
    """From names to concepts, each name looked up once."""

    def __init__(self, ontology: Ontology, *, first: bool) -> None:
        self.ontology, self.first = ontology, first
        self._known: dict[str, tuple[str, ...]] = {}

    def known(self, name: str) -> tuple[str, ...]:
        """The IRIs that a name can mean, or nothing."""
        from ontoeval.model.lookup import possible_meanings

        if name not in self._known:
            found = possible_meanings(self.ontology, name)
            iris = self.ontology.hierarchy.iris
            self._known[name] = tuple(iris[concept] for concept in (found[:1] if self.first else found))
        return self._known[name]

    def error(self, name: str) -> str:
        """What is wrong with a name, and what may have been meant."""
        from ontoeval.model.lookup import meanings

        try:
            meanings(self.ontology, name)
        except UnknownConceptError as error:
            return str(error)
        return ""


@dataclass
class _Scored:
    """What a measure says: values, the concepts taken and the reasons, one for each pair."""

    values: list[float]
    left: list[str]
    right: list[str]
    why: list[dict[str, Any]] = field(default_factory=list)


@dataclass
class Rows:
    """The pairs that are known, with their scores."""

    ontology: Ontology
    written: list[tuple[str, str]]
    task: ConceptPairs
    ratings: list[float] | None
    skipped: list[dict[str, Any]]
    path: str | None
    scores: dict[str, _Scored] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.written)

    @classmethod
    def found(cls, ontology: Ontology, asked: Asked, *, first: bool, skip: bool) -> Rows:
        from ontoeval.tasks.concept_pairs import ConceptPairs

        finder = _Finder(ontology, first=first)
        kept, skipped = [], []
        for place, ends in enumerate(zip(asked.left, asked.right, strict=True)):
            unknown = [name for name in ends if not finder.known(name)]
            if not unknown:
                kept.append(place)
            elif skip and asked.path is not None:
                skipped.append({"left": ends[0], "right": ends[1], "line": asked.lines[place], "unknown": unknown})
            else:
                raise _unknown(finder, unknown[0], asked, place)
        if not kept:
            raise UnknownConceptError(
                f"{asked.path}: no pair has two concepts of {ontology.source.path}. Check --ontology."
            )
        written = [(asked.left[place], asked.right[place]) for place in kept]
        ratings = None if asked.ratings is None else asked.ratings[kept]
        left, right = ([finder.known(ends[side]) for ends in written] for side in (0, 1))
        several = any(len(iris) > 1 for side in (left, right) for iris in side)
        if several:
            task = ConceptPairs(ontology, left, right, ratings, names=written)
        else:
            task = ConceptPairs(ontology, [iri for (iri,) in left], [iri for (iri,) in right], ratings)
        return cls(ontology, written, task, None if ratings is None else ratings.tolist(), skipped, asked.path)

    @property
    def several(self) -> bool:
        """Whether a name can mean several concepts."""
        return self.task.names is not None

    def score(self, measures: Named, *, with_why: bool) -> None:
        from ontoeval.concepts.pairs import PairList
        from ontoeval.measures.concepts.values import pair_values, value_parts

        iris = self.ontology.hierarchy.iris
        with status_on_stderr() as status:
            for name, measure in measures:
                if status is not None:
                    status(name)
                values = pair_values(measure, self.task.pairs)
                which = self.task.chosen(values, least=measure.best == 0.0)
                taken = PairList(self.task.pairs.space, self.task.pairs.left[which], self.task.pairs.right[which])
                self.scores[name] = _Scored(
                    values[which].tolist(),
                    [iris[concept] for concept in taken.left.tolist()],
                    [iris[concept] for concept in taken.right.tolist()],
                    value_parts(measure, taken) if with_why else [],
                )


def _unknown(finder: _Finder, name: str, asked: Asked, place: int) -> OntoevalError:
    words = finder.error(name)
    if asked.path is None:
        return UnknownConceptError(
            f"{words} Give an IRI, a CURIE, a local name or a label of {finder.ontology.source.path}."
        )
    return LoadError(
        f"{words} Correct it, or leave such pairs out with --skip-unknown.", path=asked.path, line=asked.lines[place]
    )


def tell_skipped(rows: Rows) -> None:
    """Which pairs were left out."""
    if rows.skipped:
        left_out, all_of_them = len(rows.skipped), len(rows) + len(rows.skipped)
        words = listed(
            f"{' and '.join(map(repr, skipped['unknown']))} (line {skipped['line']})" for skipped in rows.skipped
        )
        click.echo(f"{rows.path}: {left_out:,} of {all_of_them:,} pairs left out, unknown: {words}", err=True)


class Shown:
    """Scored pairs as text."""

    def __init__(self, rows: Rows, measures: Named, with_why: bool, digits: int) -> None:
        self.rows, self.measures, self.with_why, self.digits = rows, measures, with_why, digits
        self.ontology = rows.ontology

    def document(self) -> str:
        """As JSON: full precision, IRIs."""
        rows, results = self.rows, []
        for place, (left, right) in enumerate(rows.written):
            first = next(iter(rows.scores.values()))
            entry: dict[str, Any] = {
                "left": first.left[place],
                "right": first.right[place],
                "given": [left, right],
                **({} if rows.ratings is None else {"rating": rows.ratings[place]}),
                "scores": {name: plain_part(scored.values[place]) for name, scored in rows.scores.items()},
            }
            if first.why:
                entry["why"] = {
                    name: {
                        "left": scored.left[place],
                        "right": scored.right[place],
                        **{key: plain_part(part) for key, part in scored.why[place].items()},
                    }
                    for name, scored in rows.scores.items()
                }
            results.append(entry)
        document = {
            "ontology": self.ontology.source.path,
            "results": results,
            **({} if rows.path is None else {"skipped": rows.skipped}),
            "definitions": definition_entries(self.ontology, self.measures),
        }
        return json.dumps(document, indent=2, ensure_ascii=False) + "\n"

    def table(self, layout: Layout) -> str:
        """A row for each pair."""
        from ontoeval.tables import Cell, render

        rows, header = self.rows, ["left", "right"]
        columns: list[Sequence[Cell]] = [[left for left, _ in rows.written], [right for _, right in rows.written]]
        if rows.ratings is not None:
            header.append("rating")
            columns.append(rows.ratings)
        for name, scored in rows.scores.items():
            header.append(name)
            columns.append([cell(value) for value in scored.values])
            if self.with_why:
                for title, column in self._reasons(scored, layout):
                    header.append(f"{name} {title}")
                    columns.append(column)
        cells = [list(row) for row in zip(*columns, strict=True)]
        title = f"{len(rows):,} pairs of {Path(self.ontology.source.path).name}" if layout is Layout.TABLE else ""
        return render(title, header, cells, layout, precision=self.digits)

    def _reasons(self, scored: _Scored, layout: Layout) -> Iterator[tuple[str, list[Any]]]:
        """Of what the values are made: a column for each part, or for people one of words."""
        from ontoeval.cli.reasons import words

        if layout.for_people:
            yield "why", [words(self.ontology, parts) for parts in self._taken(scored)]
            return
        for key in dict.fromkeys(key for parts in self._taken(scored) for key in parts):
            yield key, [_text(parts.get(key)) for parts in self._taken(scored)]

    def _taken(self, scored: _Scored) -> list[dict[str, Any]]:
        """The reasons, and first which concepts were taken, if there was a choice."""
        if not self.rows.several:
            return scored.why
        return [
            {"left": left, "right": right, **why}
            for left, right, why in zip(scored.left, scored.right, scored.why, strict=True)
        ]

    def pair(self, layout: Layout) -> str:
        """One pair: the concepts, and a row for each measure."""
        from ontoeval.cli.reasons import words
        from ontoeval.tables import render

        if not layout.for_people:
            return self.table(layout)
        scores = [
            [name, cell(scored.values[0]), words(self.ontology, scored.why[0])]
            for name, scored in self.rows.scores.items()
        ]
        table = render("", ["measure", "value", "why"], scores, layout, precision=self.digits)
        return table if layout is not Layout.TABLE else self._concepts() + table

    def _concepts(self) -> str:
        """Which concepts were taken, and by which measures if they differ."""
        lines: list[tuple[str, str, str, str]] = []
        for number, (side, written) in enumerate(zip(("left", "right"), self.rows.written[0], strict=True)):
            takers: dict[str, list[str]] = {}
            for name, scored in self.rows.scores.items():
                takers.setdefault((scored.left, scored.right)[number][0], []).append(name)
            given = (self.rows.task.left, self.rows.task.right)[number][0]
            for iri, names in takers.items():
                said = "" if isinstance(given, str) or len(given) == 1 else f"one of {len(given)} called {written!r}"
                said += f", for {', '.join(names)}" if len(takers) > 1 else ""
                lines.append((side, self.ontology.label(self.ontology.hierarchy.id(iri)), iri, said))
        wide, wider = (max(len(line[column]) for line in lines) for column in (1, 2))
        texts = [f"  {side:<5}  {name:<{wide}}  {iri:<{wider}}  {said}".rstrip() for side, name, iri, said in lines]
        title = (
            f"Two concepts of {Path(self.ontology.source.path).name}: left is what is judged (R, P), right the key (K)"
        )
        return "\n".join([title, *texts]) + "\n"


def cell(value: float) -> float | None:
    return None if value != value else value  # nan is not itself


def plain_part(part: Any) -> Any:
    """As JSON can say it."""
    from ontoeval.results import plain

    return plain(part) if isinstance(part, float) else part


def _text(part: Any) -> Any:
    return " ".join(part) if isinstance(part, list) else cell(part) if isinstance(part, float) else part


def definition_entries(ontology: Ontology, measures: Named) -> dict[str, dict[str, Any]]:
    from ontoeval.analysis.relate import definition

    return {name: definition(ontology, measure) for name, measure in measures}


def definition_lines(ontology: Ontology, measures: Named) -> str:
    from ontoeval.cli.reasons import definitions

    return definitions(definition_entries(ontology, measures).values())
