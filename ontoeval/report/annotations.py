"""`AnnotationReport`: tables and JSON of `annotations` and `labels` (details, remarks: annotation_*.py)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ontoeval.analysis.groups import GroupedTable
from ontoeval.analysis.ranking_agreement import RankingAgreement, rankings_agree
from ontoeval.errors import Spelling, python_spelling
from ontoeval.model.corpus import Corpus
from ontoeval.report.annotation_details import (
    Response,
    Section,
    cells_for_people,
    first_entries,
    has_documents,
    head_for_people,
)
from ontoeval.report.annotation_remarks import Remark, Words, facts, remarks
from ontoeval.report.groups import letters_in_words, marks_in_words, systems_in_words
from ontoeval.report.paired_tests import (
    TEST_HEADER,
    difference_table,
    documents_of_tests,
    rows_of_tests,
    sample_remarks,
)
from ontoeval.report.score_tables import legend, one_run_table, runs_table, shown_measures
from ontoeval.results import EvaluationResult, MeasureResult, ResultTable
from ontoeval.tables import Cell, Layout, fold, render, terminal_width

_Pair = tuple[Response, EvaluationResult]


@dataclass(frozen=True, eq=False)
class AnnotationReport:
    """Responses and their results as text."""

    responses: Sequence[Response]
    results: Sequence[EvaluationResult]
    table: ResultTable  # of those on the original ontology, or of their systems; perhaps tested
    layout: Layout
    sections: Sequence[Section] = ()
    words: Words = Words()  # noqa: RUF009 - a tuple of strings
    digits: int = 3
    top: int = 0  # entries of a section on a terminal, 0: all
    spelling: Spelling = python_spelling
    default_measures: bool = False  # the user named none

    @property
    def _pairs(self) -> list[_Pair]:
        return list(zip(self.responses, self.results, strict=True))

    # JSON

    def document(self, more: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """For JSON; `more` stands behind the results."""
        entries = []
        for response, result in self._pairs:
            entry = {**result.to_dict(), **facts(response.task)}
            for section in self.sections:
                entry[section.key] = section.entries(response, result)
            entries.append(entry)
        document: dict[str, Any] = {"results": entries, **(more or {})}
        if self._systems is not None:
            document["systems"] = self._systems.to_dict()
        if self.table.tests:
            document["significance"] = documents_of_tests(self.table.tests, self._tested_names)
        return document

    # tables

    def tables(self, title: str) -> str:
        """The scores, and what else is to be shown. Programs get one table: that of the detail if there is one."""
        if not self.layout.for_people:
            if self.table.tests:
                return self._test_table()
            if self.sections:
                return self._section_of_all(self.sections[0])
            return self._exact_scores() if self._systems is None else self._systems.render(self.layout)
        texts = [self._scores(heading, pairs) for heading, pairs in self._by_variant(title)]
        if self.table.tests:
            if self.layout is Layout.TABLE:
                texts.append(self._differences())
            elif self.table.better is None:  # else letters say it
                texts.append(self._test_table())
        for section in self.sections:
            if self.layout is Layout.TABLE:
                texts += [self._section(section, response, result) for response, result in self._pairs]
            else:
                texts.append(self._section_of_all(section))
        return "\n".join(text for text in texts if text)

    def _by_variant(self, title: str) -> Iterator[tuple[str, list[_Pair]]]:
        """The rows of each table: one for each ontology, as people compare what stands in a column."""
        for variant in dict.fromkeys(response.variant for response in self.responses):
            heading = title if variant is None else f"{title}, variant {variant}"
            yield heading, [pair for pair in self._pairs if pair[0].variant == variant]

    def _exact_scores(self) -> str:
        table = ResultTable([result for _, result in self._named_for_programs()])
        return table.render(self.layout, precision=self.digits)

    def _named_for_programs(self) -> Iterator[_Pair]:
        for response, result in self._pairs:
            name = result.judged.path if response.given_name is None else response.given_name
            yield response, _with_path(result, response.with_variant(name))

    def _scores(self, title: str, pairs: Sequence[_Pair]) -> str:
        results = [result for _, result in pairs]
        if len(pairs) == 1 and self.layout is Layout.TABLE:
            text = one_run_table(results[0], f"{pairs[0][0].name} {title}", self.digits)
            return text + "".join(f"{line}\n" for line in self._count_lines(*pairs[0]))
        table, counts = self.table, {}
        if self._systems is not None:
            what = f"{systems_in_words(self._systems, self.words.response)} {title} ({marks_in_words(self._systems)})"
        else:
            if pairs[0][0].variant is not None:
                table = ResultTable(results, [response.name for response, _ in pairs])
            letters = "" if table.better is None else letters_in_words()
            what = f"{len(pairs)} {self.words.response}s {title} (* best{letters})"
            counts = self._counts(pairs) if self.layout is Layout.TABLE else {}
        measures = shown_measures(results, default=self.default_measures)
        text = runs_table(table, what, self.layout, self.digits, measures=measures, counts=counts)
        words = legend(results[0]) if self.default_measures and self.layout is Layout.TABLE else ""
        return text + (f"{words}\n" if words else "")

    # counts

    def _count_lines(self, response: Response, result: EvaluationResult) -> list[str]:
        """How much there was, and how much of it was found, in lines of text."""
        score = _most_counts(result)
        counts = [f"{count:,} {word}" for word, (count,) in _columns([(response, score)]).items()]
        size = len(response.task.documents)
        documents = f"{size:,} document{'s' * (size != 1)}"
        lines = [documents]
        if "keys" in score.counts:
            gold, judged = (int(score.counts[name]) for name in ("keys", "responses"))
            lines = [f"{documents}, {gold:,} gold and {judged:,} {self.words.response} {self.words.annotations}"]
        if counts:  # what is paired, and is correct, is a question of the measure
            differ = any(
                _columns([(response, other)]) != _columns([(response, score)]) for other in _scores_of_pairing(result)
            )
            by = f" ({score.name})" if differ else ""
            lines.append(", ".join(counts) + by)
        text = lines if "keys" in score.counts else [": ".join(lines)]
        return [line for whole in text for line in fold(whole, terminal_width())]

    def _counts(self, pairs: Sequence[_Pair]) -> dict[str, list[int]]:
        """The same as columns of the table."""
        return _columns([(response, _most_counts(result)) for response, result in pairs])

    # details

    @property
    def _systems(self) -> GroupedTable | None:
        """The systems, if responses are joined to some."""
        return self.table if isinstance(self.table, GroupedTable) else None

    @property
    def _shown(self) -> list[str]:
        """The measures that a table of several responses shows."""
        return shown_measures(self.results, default=self.default_measures) if self.results else []

    @property
    def _tested_names(self) -> Sequence[str]:
        """The names of the rows that were tested."""
        return (
            [self._row_name(place) for place in range(len(self.table.rows))]
            if self._systems is None
            else self.table.rows
        )

    def _differences(self) -> str:
        """The tests for a terminal."""
        return difference_table(
            self.table,
            self._shown,
            digits=self.digits,
            top=self.top,
            spelling=self.spelling,
            unit=self.words.response,
        )

    def _test_table(self) -> str:
        rows = rows_of_tests(self.table.tests or (), self._tested_names)
        return render("", TEST_HEADER, rows, self.layout, precision=max(4, self.digits))

    def _row_name(self, place: int) -> str:
        response = self.responses[place]
        named = self.layout.for_people or response.given_name is not None
        return response.with_variant(response.name if named else self.results[place].judged.path)

    def _section(self, section: Section, response: Response, result: EvaluationResult) -> str:
        """Of one response, for a terminal."""
        entries = section.entries(response, result)
        if section.loss is not None:
            entries = [entry for entry in entries if entry[section.loss]]
        lowest = None if section.lowest is None else section.lowest(result)
        title = f"{response.with_variant(response.name)}: {section.title.format(lowest=lowest)}"
        if not entries:
            return f"{title}: none\n"
        first = first_entries(section, entries, self.top, lowest)
        cells = [cells_for_people(section, response.task, entry) for entry in first]
        text = render(title, list(map(head_for_people, entries[0])), cells, self.layout, precision=self.digits)
        more = len(entries) - len(first)
        return text + (f"  … {more:,} more ({self.spelling('top', '0')})\n" if more else "")

    def _section_of_all(self, section: Section) -> str:
        """Of all responses in one table, without a title."""
        rows: list[list[Cell]] = []
        header: list[str] = []
        for place, (response, result) in enumerate(self._pairs):
            for entry in section.entries(response, result):
                people = self.layout.for_people
                header = header or [head_for_people(name) if people else name for name in entry]
                cells = cells_for_people(section, response.task, entry) if people else list(entry.values())
                rows.append([self._row_name(place), *cells])
        return render("", [self.words.response, *header], rows, self.layout, precision=self.digits) if rows else ""

    # rankings

    def ranks(self) -> RankingAgreement | None:
        """How measures rank several responses; None of one."""
        if len(self.responses) < 2:
            return None
        if self._systems is not None:
            return rankings_agree(self._systems.means)
        return rankings_agree(
            [replace(result, system=self._row_name(place)) for place, result in enumerate(self.results)]
        )

    def rank_table(self, ranks: RankingAgreement) -> str:
        """The rank of each response by each measure, and how it goes with the binary one."""
        header = ["", *ranks.header[1:]] if self.layout is Layout.TABLE else ranks.header
        rows = [[measure, *cells] for measure, *cells in ranks.rows]
        title = "Ranks, and Kendall's tau-b with binary credit"
        return render(title, header, rows, self.layout, precision=self.digits)

    # files and remarks

    def local_results(self) -> list[EvaluationResult]:
        """The results, those on a coarser ontology under a name that says so."""
        return [result for _, result in self._named_for_programs()]

    def remarks(self, corpora: Sequence[tuple[str, Corpus]]) -> Iterator[Remark]:
        """What a reader of the tables should know; `corpora`: the gold standard first, and the responses."""
        yield from remarks(self._pairs, corpora, self.spelling)
        for text, misleads in sample_remarks(self.table, self._shown, self.spelling, self.words.response):
            yield Remark(text, misleads)


_COUNTS = {
    "same_span": "same span", "partial": "overlapping", "correct": "correct", "wrong": "wrong class",
    "missing": "missing", "spurious": "spurious", "left_out": "left out", "items": "items", "agreed": "agreed",
}  # fmt: skip


def _columns(scores: Sequence[tuple[Response, MeasureResult]]) -> dict[str, list[int]]:
    """The counts that all scores have, by what they are called; what is correct or wrong adds up to what is paired."""
    rows = [_with_wrong(score.counts) for _, score in scores]
    names = [name for name in _COUNTS if all(name in row for row in rows)]
    empty = {name for name in ("partial", "left_out") if not any(row.get(name) for row in rows)}
    if "partial" in empty:  # then it is what is correct and what is wrong
        empty.add("same_span")
    words = {**_COUNTS, "wrong": "wrong individual"} if scores[0][0].task.by == "instance" else _COUNTS
    return {words[name]: [int(row[name]) for row in rows] for name in names if name not in empty}


def _with_wrong(counts: Mapping[str, float]) -> dict[str, float]:
    """The counts, and how many pairs of annotations have different classes."""
    if "same_span" not in counts:
        return dict(counts)
    return {**counts, "wrong": counts["same_span"] + counts["partial"] - counts["correct"]}


def _most_counts(result: EvaluationResult) -> MeasureResult:
    """The score whose counts tell most: the last one over documents, for credits of single annotations stand behind."""
    for name in ("missing", "left_out", "items"):
        scores = [score for score in result.scores if name in score.counts]
        if scores:
            return next((score for score in reversed(scores) if has_documents(score)), scores[-1])
    return result.scores[-1]


def _scores_of_pairing(result: EvaluationResult) -> list[MeasureResult]:
    """The scores that count how annotations were paired."""
    return [score for score in result.scores if "keys" in score.counts and "missing" in score.counts]


def _with_path(result: EvaluationResult, path: str) -> EvaluationResult:
    """The result with another path of what was judged."""
    role, source = next(iter(result.inputs.items()))
    return replace(result, inputs={**result.inputs, role: replace(source, path=path)})
