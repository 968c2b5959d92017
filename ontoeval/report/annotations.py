"""Judged annotations and labels as tables and JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ontoeval.cli.options import note, write_text
from ontoeval.cli.scores import local_text
from ontoeval.tables import Layout

if TYPE_CHECKING:
    from ontoeval.analysis.significance import Difference
    from ontoeval.cli.annotation_options import Choices
    from ontoeval.model.corpus import Corpus
    from ontoeval.results import EvaluationResult, MeasureResult
    from ontoeval.tasks.extraction import Extraction

SHOWN = 5  # names in a remark


@dataclass(frozen=True)
class Row:
    """One response against the key: a row of the tables."""

    name: str
    task: Extraction
    system: str | None = None  # by default that of the response's file
    settings: Mapping[str, Any] = field(default_factory=dict)  # what the task does not tell


class Section(NamedTuple):
    """What else is told of each row: a table, or a list in JSON."""

    key: str  # in JSON
    title: str
    entries: Callable[[Row, EvaluationResult], list[dict[str, Any]]]
    classes: tuple[str, ...] = ()  # columns with IRIs; people get labels


class Shown:
    """The results as text."""

    def __init__(self, choices: Choices, rows: Sequence[Row], results: Sequence[EvaluationResult], layout: Layout,
                 sections: Sequence[Section] = (), words: Mapping[str, Any] | None = None) -> None:  # fmt: skip
        self.choices, self.rows, self.results, self.layout = choices, rows, results, layout
        self.sections = [*sections, *([_PER_DOCUMENT] if choices.per_document else [])]
        self.words: dict[str, Any] = {
            "response": "response",
            "key": "key",
            "annotations": "annotations",
            "classes": ("class", "classes"),
        }
        self.words |= dict(words or {})

    def document(self, more: Mapping[str, Any] | None = None) -> str:
        """As JSON."""
        entries = []
        for row, result in zip(self.rows, self.results, strict=True):
            entry = {**result.to_dict(), **_facts(row.task, self.words)}
            for section in self.sections:
                entry[section.key] = section.entries(row, result)
            entries.append(entry)
        document: dict[str, Any] = {"results": entries, **(more or {})}
        if self.choices.significance:
            document["significance"] = [
                {
                    "response": other.judged.path,
                    **({"variant": row.settings["variant"]} if "variant" in row.settings else {}),
                    "baseline": self.results[0].judged.path,
                    "difference": {name: one and one.value for name, one in found.items()},
                    "intervals": {name: one and list(one.interval) for name, one in found.items()},
                    "p": {name: one and one.p for name, one in found.items()},
                }
                for row, other, found in self._differences()
            ]
        return json.dumps(document, indent=2, ensure_ascii=False) + "\n"

    def _differences(self) -> Iterator[tuple[Row, EvaluationResult, dict[str, Difference | None]]]:
        """Of each response from the first, on the same ontology."""
        from ontoeval.analysis.significance import PAIRED_ROUNDS, ROUNDS, differences

        rounds = self.choices.rounds
        first = self.results[0]
        for row, other in zip(self.rows[1:], self.results[1:], strict=True):
            if "variant" not in row.settings:
                found = differences(
                    other, first, rounds=rounds or PAIRED_ROUNDS, draws=rounds or ROUNDS, seed=self.choices.seed
                )
                yield row, other, found

    def tables(self, title: str) -> str:
        """The scores, and what else was asked for, each as a table."""
        texts = [self._scores(words, rows, results) for words, rows, results in self._groups(title)]
        if self.layout is Layout.TABLE:
            texts.append(self._found())
        if self.choices.significance:
            texts += [self._difference(row, found) for row, _, found in self._differences()]
        for section in self.sections:
            for row, result in zip(self.rows, self.results, strict=True):
                texts.append(self._section(section, row, result))
        return "\n".join(text for text in texts if text)

    def _groups(self, title: str) -> Iterator[tuple[str, list[Row], list[EvaluationResult]]]:
        """The rows of each table: one for each ontology for people, who compare what stands in a column."""
        if not self.layout.for_people:
            yield title, [*self.rows], [*self.results]
            return
        pairs = list(zip(self.rows, self.results, strict=True))
        for variant in dict.fromkeys(row.settings.get("variant") for row in self.rows):
            own = [(row, result) for row, result in pairs if row.settings.get("variant") == variant]
            words = title if variant is None else f"{title}, variant={variant}"
            yield words, [row for row, _ in own], [result for _, result in own]

    def _scores(self, title: str, rows: Sequence[Row], results: Sequence[EvaluationResult]) -> str:
        from ontoeval.results import ResultTable

        named = [_called(result, row.name) for row, result in zip(rows, results, strict=True)]
        table = ResultTable([self._short(result) for result in named])
        best = " (* is best)" if len(named) > 1 else ""
        wide = _width(table.measures, table.rows, self.choices.digits) > _terminal()
        return table.render(self.layout, title=f"{title}{best}", precision=self.choices.digits, upright=wide)

    def _short(self, result: EvaluationResult) -> EvaluationResult:
        """For people: measures without the parameters that the title tells of all of them."""
        return replace(result, scores=tuple(replace(s, name=self._name(s.name)) for s in result.scores))

    def _name(self, measure: str) -> str:
        return self.choices.short(measure) if self.layout.for_people else measure

    def _found(self) -> str:
        """How much there was, and how much of it was found."""
        from ontoeval.tables import Cell, render

        pairs = [
            (row, _counted(result))
            for row, result in zip(self.rows, self.results, strict=True)
            if "variant" not in row.settings
        ]
        counted = [score for _, score in pairs]
        names = [name for name in _COUNTS if any(name in score.counts for score in counted)]
        if not any(score.counts.get("partial") for score in counted) and "partial" in names:
            names.remove("partial")
        cells: list[list[Cell]] = [
            [
                row.name,
                len(row.task.documents),
                *(_whole(score.counts.get(name)) for name in names if name != "documents"),
            ]
            for row, score in pairs
        ]
        header = ["", "documents", *(_COUNTS[name] for name in names if name != "documents")]
        # what is paired, and is correct, is a question of the similarity
        title = f"What was found ({self._name(counted[0].name)})" if "keys" in names else "What was found"
        return render(title, header, cells, Layout.TABLE)

    def _difference(self, row: Row, found: Mapping[str, Difference | None]) -> str:
        from ontoeval.tables import Cell, Value, render

        first = self.rows[0].name
        if self.layout is not Layout.TABLE:  # nothing has a title there
            header = ["response", "baseline", "measure", "difference", "low", "high", "p"]
            exact: list[list[Cell]] = [
                [row.name, first, self._name(name), *((one.value, *one.interval, one.p) if one else (None,) * 4)]
                for name, one in found.items()
            ]
            return render("", header, exact, self.layout, precision=max(4, self.choices.digits))
        cells: list[list[Cell]] = [
            [self._name(name), Value(one.value, interval=one.interval), f"{one.p:.4f}"]
            if one is not None
            else [self._name(name), None, None]
            for name, one in found.items()
        ]
        title = f"{row.name} - {first}: difference, its 95 % interval (paired bootstrap), p (paired randomisation)"
        return render(title, ["", "difference", "p"], cells, self.layout, precision=self.choices.digits)

    def _section(self, section: Section, row: Row, result: EvaluationResult) -> str:
        from ontoeval.tables import render

        entries = section.entries(row, self._short(result))
        title = f"{row.name}: {section.title}"
        if not entries:
            return f"{title}: nothing\n" if self.layout is Layout.TABLE else ""
        header = [name.replace("_", " ") if name in section.classes else name for name in entries[0]]
        people = self.layout.for_people
        cells = [
            [_class(row.task, value) if people and name in section.classes else value for name, value in entry.items()]
            for entry in entries
        ]
        if self.layout is Layout.TABLE:
            return render(title, header, cells, self.layout, precision=self.choices.digits)
        rows = [[row.name, *line] for line in cells]
        return render("", [self.words["response"], *header], rows, self.layout, precision=self.choices.digits)

    def remarks(self, others: Mapping[str, Corpus] | None = None) -> Iterator[str]:
        """What a reader of the tables should know; what holds for several rows is said once."""
        said: dict[str, list[str]] = {}
        for name, corpus in (others or {}).items():
            for line in _notes(corpus, self.words):
                said.setdefault(line, []).append(name)
        for row, result in zip(self.rows, self.results, strict=True):
            undefined = [f"{s.name} is undefined: {s.undefined}" for s in result.scores if s.undefined is not None]
            about = () if "variant" in row.settings else self._about(row)
            for line in (*about, *undefined):
                said.setdefault(line, []).append(row.name)
        for line, names in said.items():
            yield f"{few(names)}: {line}"
        yield from self._other_documents()

    def _other_documents(self) -> Iterator[str]:
        """Rows that are no fair comparison, because each is judged over the key's documents and its own."""
        rows = [row for row in self.rows if "variant" not in row.settings]
        if len({row.task.documents for row in rows}) > 1:
            numbers = few([f"{row.name} {len(row.task.documents):,}" for row in rows])
            yield f"the rows have different documents, those of the {self.words['key']} and their own: {numbers}"

    def _about(self, row: Row) -> Iterator[str]:
        facts = _facts(row.task, self.words)
        for role in ("response", "key"):
            only = facts[f"only_in_{role}"]
            if only:
                documents = "1 document" if len(only) == 1 else f"{len(only):,} documents"
                yield f"{documents} only in the {self.words[role]}: {few(only)}{_all_in_json(only)}"
        unknown = facts["unknown_classes"]
        if unknown and row.task.ontology is not None:
            often = sum(entry["key"] + entry["response"] for entry in unknown)
            one, several = self.words["classes"]
            classes = f"1 {one} is" if len(unknown) == 1 else f"{len(unknown):,} {several} are"
            rule = "left out" if row.task.unknown == "drop" else "matching nothing"
            what = self.words["annotations"].removesuffix("s") if often == 1 else self.words["annotations"]
            names = [_as_found(row.task, entry["name"]) for entry in unknown]
            lacking = "not in" if not row.task.ambiguous else "not, or not once, in"
            yield (
                f"{classes} {lacking} {Path(row.task.ontology.source.path).name} "
                f"({often:,} {what}, {rule}): {few(names)}{_all_in_json(names)}"
            )
        if row.task.elsewhere:
            yield (
                f"taken by their local name, in another namespace: {few([repr(n) for n in row.task.elsewhere])}"
                f"{_all_in_json(row.task.elsewhere)}"
            )


def _as_found(task: Extraction, name: str) -> str:
    """A class that was not found, or the concepts that it may mean."""
    return f"{name!r} ({' or '.join(task.ambiguous[name])})" if name in task.ambiguous else repr(name)


_COUNTS = {
    "documents": "documents", "keys": "keys", "responses": "responses", "same_span": "same span",
    "partial": "overlapping", "correct": "correct", "missing": "missing", "spurious": "spurious",
    "left_out": "left out", "items": "items", "agreed": "agreed",
}  # fmt: skip


def _counted(result: EvaluationResult) -> MeasureResult:
    """The score whose counts tell most: the last one over documents, for what --keep-annotations adds stands behind."""
    for name in ("missing", "left_out", "items"):
        having = [score for score in result.scores if name in score.counts]
        if having:
            return next((score for score in reversed(having) if _of_documents(score)), having[-1])
    return result.scores[-1]


def _of_documents(score: MeasureResult) -> bool:
    return score.local is not None and score.local.of == "document"


def _per_document(row: Row, result: EvaluationResult) -> list[dict[str, Any]]:
    """The local scores of documents side by side."""
    columns = {
        score.name: {named.iri: named.value for named in score.local.all()}
        for score in result.scores
        if _of_documents(score) and score.local is not None
    }
    return [
        {"document": name, **{measure: values.get(name) for measure, values in columns.items()}}
        for name in row.task.documents
    ]


_PER_DOCUMENT = Section("per_document", "each document", _per_document)


def _facts(task: Extraction, words: Mapping[str, Any]) -> dict[str, Any]:
    """What JSON tells beside the scores."""
    import numpy as np

    sides = set(task.response.documents), set(task.key.documents)
    whole = replace(task, unknown="keep") if task.unknown == "drop" else task  # with what was left out
    often = [np.bincount(s.name[s.name >= 0], minlength=len(task.names)) for s in (whole.key_side, whole.response_side)]
    unknown = np.flatnonzero(task.concept_of < 0).tolist()
    return {
        "only_in_response": sorted(sides[0] - sides[1]),
        "only_in_key": sorted(sides[1] - sides[0]),
        "unknown_classes": [
            {
                "name": task.names[i],
                "key": int(often[0][i]),
                "response": int(often[1][i]),
                **({"ambiguous": list(task.ambiguous[task.names[i]])} if task.names[i] in task.ambiguous else {}),
            }
            for i in unknown
        ],
        "taken_by_local_name": list(task.elsewhere),
        "notes": {
            role: [
                *_nothing(corpus, words),
                *(f"{n:,} {what}" for what, n in corpus.source.counts.items()),
                *corpus.source.notes,
            ]
            for role, corpus in (("response", task.response), ("key", task.key))
        },
    }


def _notes(corpus: Corpus, words: Mapping[str, Any]) -> Iterator[str]:
    """What the loader noticed."""
    yield from _nothing(corpus, words)
    for what, number in corpus.source.counts.items():
        yield f"{number:,} {what}"
    if corpus.source.notes:
        yield " ".join(corpus.source.notes)


def _nothing(corpus: Corpus, words: Mapping[str, Any]) -> Iterator[str]:
    if not len(corpus):
        yield f"there are no {words['annotations']}, so the scores are what the definitions say for nothing"


def _all_in_json(names: Sequence[str]) -> str:
    return " (--json lists all)" if len(names) > SHOWN else ""


def _class(task: Extraction, name: str | None) -> str:
    """A class as people know it; none for what is missing or spurious."""
    if name is None:
        return ""
    if task.ontology is not None and not task.flat and name in task.ontology.hierarchy:
        return task.ontology.label(task.ontology.hierarchy.id(name))
    return name


def _called(result: EvaluationResult, name: str) -> EvaluationResult:
    """The result with a name of its own for its row."""
    role, source = next(iter(result.inputs.items()))
    return replace(result, inputs={**result.inputs, role: replace(source, path=name)})


def _on_variant(row: Row, result: EvaluationResult) -> EvaluationResult:
    variant = row.settings.get("variant")
    return result if variant is None else _called(result, f"{result.judged.path} ({variant})")


def _whole(count: float | None) -> int | None:
    return None if count is None else int(count)


def _width(measures: Sequence[str], rows: Sequence[str], digits: int) -> int:
    """Of a table with a column for each measure, about."""
    return 6 + max(map(len, rows), default=0) + sum(max(len(name), digits + 2) + 4 for name in measures)


def _terminal() -> int:
    import shutil

    return shutil.get_terminal_size((110, 40)).columns


def finish(choices: Choices, shown: Shown, text: str, corpora: Mapping[str, Corpus]) -> None:
    """Store, write and show, once everything is made, so that there is never half a result."""
    if shown.results:
        choices.storing.write(shown.results)
    if choices.local is not None:
        named = [_on_variant(row, result) for row, result in zip(shown.rows, shown.results, strict=True)]
        write_text(choices.local, local_text(named, choices.local, role="response"))
    click.echo(text, nl=False)
    if shown.layout is not Layout.JSON:
        for line in shown.remarks(corpora):
            note(line, shown.layout)
    choices.fail_under(shown.results)


def few(names: Sequence[str]) -> str:
    """The first names, and how many more there are."""
    more = f" and {len(names) - SHOWN:,} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more
