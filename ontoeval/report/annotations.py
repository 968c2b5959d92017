"""`AnnotationReport`: tables, JSON, remarks of `annotations`, `labels`, `rank`; `Response`; per-class sections."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ontoeval.analysis.confusion import confusions, per_class
from ontoeval.analysis.ranking_agreement import RankingAgreement, rankings_agree
from ontoeval.analysis.significance import Difference, differences
from ontoeval.errors import Spelling, number_of, text_for
from ontoeval.measures import Measure
from ontoeval.measures.annotations.span_pairing import Match
from ontoeval.model.corpus import Corpus
from ontoeval.report.names import MOST_NAMES, first_few
from ontoeval.results import EvaluationResult, MeasureResult, ResultTable
from ontoeval.tables import Cell, Layout, Value, render, terminal_width
from ontoeval.tasks.extraction import Extraction


@dataclass(frozen=True, eq=False)
class Response:
    """One response against the key: a row of the tables."""

    name: str
    task: Extraction
    system: str | None = None  # by default that of the response's file
    settings: Mapping[str, Any] = field(default_factory=dict)  # what the task does not tell

    @property
    def variant(self) -> str | None:
        """The coarser ontology that it is judged on, if it is."""
        return self.settings.get("variant")

    def with_settings(self, result: EvaluationResult) -> EvaluationResult:
        """Its result with the settings that the task does not tell."""
        return replace(result, settings={**result.settings, **self.settings})


class Words(NamedTuple):
    """What things are called in titles and remarks."""

    response: str = "response"
    key: str = "gold standard"
    annotations: str = "annotations"
    class_: str = "class"
    classes: str = "classes"


LABEL_WORDS = Words(annotations="labels", class_="label", classes="labels")


class Section(NamedTuple):
    """What else is told of each response: a table, or a list in JSON."""

    key: str  # in JSON
    title: str
    entries: Callable[[Response, EvaluationResult], list[dict[str, Any]]]
    classes: tuple[str, ...] = ()  # columns with IRIs; people get labels


class DifferenceFromFirst(NamedTuple):
    """How a response differs from the first one."""

    response: Response
    result: EvaluationResult
    by_measure: Mapping[str, Difference | None]


def differences_from_first(
    responses: Sequence[Response], results: Sequence[EvaluationResult], *, rounds: int, draws: int, seed: int
) -> list[DifferenceFromFirst]:
    """Of each response on the original ontology."""
    return [
        DifferenceFromFirst(response, result, differences(result, results[0], rounds=rounds, draws=draws, seed=seed))
        for response, result in zip(responses[1:], results[1:], strict=True)
        if response.variant is None
    ]


@dataclass(frozen=True, eq=False)
class AnnotationReport:
    """Responses and their results as text."""

    responses: Sequence[Response]
    results: Sequence[EvaluationResult]
    layout: Layout
    sections: Sequence[Section] = ()
    differences: Sequence[DifferenceFromFirst] = ()
    words: Words = Words()  # noqa: RUF009 - a tuple of strings
    short_names: Mapping[str, str] = field(default_factory=dict)  # measures without what the title says of all of them
    digits: int = 3

    @property
    def _pairs(self) -> list[tuple[Response, EvaluationResult]]:
        return list(zip(self.responses, self.results, strict=True))

    def document(self, more: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """For JSON; `more` stands behind the results."""
        entries = []
        for response, result in self._pairs:
            entry = {**result.to_dict(), **_facts(response.task, self.words)}
            for section in self.sections:
                entry[section.key] = section.entries(response, result)
            entries.append(entry)
        document: dict[str, Any] = {"results": entries, **(more or {})}
        if self.differences:
            document["significance"] = [
                {
                    "response": result.judged.path,
                    "baseline": self.results[0].judged.path,
                    "difference": {name: difference and difference.value for name, difference in by_measure.items()},
                    "intervals": {
                        name: difference and list(difference.interval) for name, difference in by_measure.items()
                    },
                    "p": {name: difference and difference.p for name, difference in by_measure.items()},
                }
                for _, result, by_measure in self.differences
            ]
        return document

    def tables(self, title: str) -> str:
        """The scores, and what else is to be shown, each as a table."""
        texts = [self._scores(heading, pairs) for heading, pairs in self._groups(title)]
        if self.layout is Layout.TABLE:
            texts.append(self._count_table())
        texts += [self._difference(response, by_measure) for response, _, by_measure in self.differences]
        for section in self.sections:
            texts += [self._section(section, response, result) for response, result in self._pairs]
        return "\n".join(text for text in texts if text)

    def _groups(self, title: str) -> Iterator[tuple[str, list[tuple[Response, EvaluationResult]]]]:
        """The rows of each table: one for each ontology for people, who compare what stands in a column."""
        if not self.layout.for_people:
            yield title, self._pairs
            return
        for variant in dict.fromkeys(response.variant for response in self.responses):
            heading = title if variant is None else f"{title}, variant={variant}"
            yield heading, [pair for pair in self._pairs if pair[0].variant == variant]

    def _scores(self, title: str, pairs: Sequence[tuple[Response, EvaluationResult]]) -> str:
        results = [_with_name(self._short(result), response.name) for response, result in pairs]
        table = ResultTable(results)
        best = " (* best)" if len(results) > 1 else ""
        wide = _width(table.measures, table.rows, self.digits) > terminal_width()
        return table.render(self.layout, title=f"{title}{best}", precision=self.digits, upright=wide)

    def _short(self, result: EvaluationResult) -> EvaluationResult:
        """For people: measures without the parameters that the title tells of all of them."""
        return replace(result, scores=tuple(replace(s, name=self._name(s.name)) for s in result.scores))

    def _name(self, measure: str) -> str:
        return self.short_names.get(measure, measure) if self.layout.for_people else measure

    def _count_table(self) -> str:
        """How much there was, and how much of it was found."""
        pairs = [(response, _most_counts(result)) for response, result in self._pairs if response.variant is None]
        scores = [score for _, score in pairs]
        names = [name for name in _COUNTS if any(name in score.counts for score in scores)]
        if not any(score.counts.get("partial") for score in scores) and "partial" in names:
            names.remove("partial")
        cells: list[list[Cell]] = [
            [
                response.name,
                len(response.task.documents),
                *(_whole_number(score.counts.get(name)) for name in names if name != "documents"),
            ]
            for response, score in pairs
        ]
        header = ["", "documents", *(_COUNTS[name] for name in names if name != "documents")]
        # what is paired, and is correct, is a question of the similarity
        title = f"What was found ({self._name(scores[0].name)})" if "keys" in names else "What was found"
        return render(title, header, cells, self.layout)

    def _difference(self, response: Response, by_measure: Mapping[str, Difference | None]) -> str:
        first = self.responses[0].name
        if self.layout is not Layout.TABLE:  # nothing has a title there
            header = ["response", "baseline", "measure", "difference", "low", "high", "p"]
            rows: list[list[Cell]] = [
                [
                    response.name,
                    first,
                    self._name(name),
                    *((difference.value, *difference.interval, difference.p) if difference else (None,) * 4),
                ]
                for name, difference in by_measure.items()
            ]
            return render("", header, rows, self.layout, precision=max(4, self.digits))
        cells: list[list[Cell]] = [
            [self._name(name), Value(difference.value, interval=difference.interval), f"{difference.p:.4f}"]
            if difference is not None
            else [self._name(name), None, None]
            for name, difference in by_measure.items()
        ]
        title = f"{response.name} - {first}: difference, its 95 % interval (paired bootstrap), p (paired randomisation)"
        return render(title, ["", "difference", "p"], cells, self.layout, precision=self.digits)

    def _section(self, section: Section, response: Response, result: EvaluationResult) -> str:
        entries = section.entries(response, self._short(result))
        title = f"{response.name}: {section.title}"
        if not entries:
            return f"{title}: none\n" if self.layout is Layout.TABLE else ""
        header = [name.replace("_", " ") if name in section.classes else name for name in entries[0]]
        labelled = section.classes if self.layout.for_people else ()
        cells = [
            [_class(response.task, value) if name in labelled else value for name, value in entry.items()]
            for entry in entries
        ]
        if self.layout is Layout.TABLE:
            return render(title, header, cells, self.layout, precision=self.digits)
        rows = [[response.name, *line] for line in cells]
        return render("", [self.words.response, *header], rows, self.layout, precision=self.digits)

    def ranks(self) -> RankingAgreement | None:
        """How measures rank several responses; None of one."""
        if len(self.responses) < 2:
            return None
        return rankings_agree([replace(result, system=response.name) for response, result in self._pairs])

    def rank_table(self, ranks: RankingAgreement) -> str:
        """The rank of each response by each measure, and how it goes with the binary one."""
        header = ["", *ranks.header[1:]] if self.layout is Layout.TABLE else ranks.header
        rows = [[self._name(measure), *cells] for measure, *cells in ranks.rows]
        title = "Ranks, and Kendall's tau-b with binary credit"
        return render(title, header, rows, self.layout, precision=self.digits)

    def local_results(self) -> list[EvaluationResult]:
        """The results, those on a coarser ontology under a name that says so."""
        return [
            result if response.variant is None else _with_name(result, f"{result.judged.path} ({response.variant})")
            for response, result in self._pairs
        ]

    def remarks(self, corpora: Mapping[str, Corpus], spelling: Spelling) -> Iterator[str]:
        """What a reader of the tables should know; what holds for several rows is said once."""
        names_by_line: dict[str, list[str]] = {}
        for name, corpus in corpora.items():
            for line in _notes(corpus, self.words, spelling):
                names_by_line.setdefault(line, []).append(name)
        for response, result in self._pairs:
            undefined = [
                f"{score.name} is undefined: {text_for(score.undefined, spelling)}"
                for score in result.scores
                if score.undefined is not None
            ]
            if response.variant is None:
                for name, line in self._unknown_classes(response, corpora, spelling):
                    names = names_by_line.setdefault(line, [])
                    names += [name] * (name not in names)  # the gold standard is that of all responses
            about = () if response.variant is not None else self._about(response, spelling)
            for line in (*about, *undefined):
                names_by_line.setdefault(line, []).append(response.name)
        for line, names in names_by_line.items():
            yield f"{first_few(names)}: {line}"
        yield from self._other_documents()

    def _other_documents(self) -> Iterator[str]:
        """Rows that are no fair comparison, because each is judged over the key's documents and its own."""
        originals = [response for response in self.responses if response.variant is None]
        if len({response.task.documents for response in originals}) > 1:
            numbers = first_few([f"{response.name} {len(response.task.documents):,}" for response in originals])
            yield f"rows are scored on different documents, those of the {self.words.key} and their own: {numbers}"

    def _unknown_classes(
        self, response: Response, corpora: Mapping[str, Corpus], spelling: Spelling
    ) -> Iterator[tuple[str, str]]:
        """(Name of the corpus, remark) on classes of each side that the ontology does not have, or more than once."""
        task, unknown = response.task, _facts(response.task, self.words)["unknown_classes"]
        if task.ontology is None:
            return
        gold = next((name for name, corpus in corpora.items() if corpus is task.key), Path(task.key.source.path).name)
        rule = "left out" if task.unknown == "drop" else "counted as wrong"
        for role, name in (("response", response.name), ("key", gold)):
            for ambiguous, lacking in ((False, "not"), (True, "ambiguous")):
                entries = [entry for entry in unknown if entry[role] and ("ambiguous" in entry) == ambiguous]
                if entries:
                    classes = number_of(len(entries), f"{self.words.class_} is", f"{self.words.classes} are")
                    count = sum(entry[role] for entry in entries)
                    annotations = number_of(count, self.words.annotations.removesuffix("s"), self.words.annotations)
                    names = [_as_found(task, entry["name"]) for entry in entries]
                    yield (
                        name,
                        (
                            f"{classes} {lacking} in {Path(task.ontology.source.path).name} ({annotations}, {rule}): "
                            f"{first_few(names)}{_all_in_json(names, spelling)}"
                        ),
                    )

    def _about(self, response: Response, spelling: Spelling) -> Iterator[str]:
        task, facts = response.task, _facts(response.task, self.words)
        for role, word in (("response", self.words.response), ("key", self.words.key)):
            only = facts[f"only_in_{role}"]
            if only:
                documents = number_of(len(only), "document is", "documents are")
                yield f"{documents} only in the {word}: {first_few(only)}{_all_in_json(only, spelling)}"
        if bare := task.without_class:
            yield (
                f"no class for {len(bare):,} of {len(task.names):,} individuals, each similar only to itself: "
                f"{first_few([repr(name) for name in bare])}{_all_in_json(bare, spelling)}"
            )
        if task.elsewhere:
            yield (
                f"matched by local name in another namespace: {first_few([repr(n) for n in task.elsewhere])}"
                f"{_all_in_json(task.elsewhere, spelling)}"
            )


def _as_found(task: Extraction, name: str) -> str:
    """A class that was not found, or the concepts that it may mean."""
    return f"{name!r} ({' or '.join(task.ambiguous[name])})" if name in task.ambiguous else repr(name)


_COUNTS = {
    "documents": "documents", "keys": "keys", "responses": "responses", "same_span": "same span",
    "partial": "overlapping", "correct": "correct", "missing": "missing", "spurious": "spurious",
    "left_out": "left out", "items": "items", "agreed": "agreed",
}  # fmt: skip


def _most_counts(result: EvaluationResult) -> MeasureResult:
    """The score whose counts tell most: the last one over documents, for credits of single annotations stand behind."""
    for name in ("missing", "left_out", "items"):
        scores = [score for score in result.scores if name in score.counts]
        if scores:
            return next((score for score in reversed(scores) if _of_documents(score)), scores[-1])
    return result.scores[-1]


def _of_documents(score: MeasureResult) -> bool:
    return score.local is not None and score.local.of == "document"


def _per_document(response: Response, result: EvaluationResult) -> list[dict[str, Any]]:
    """The local scores of documents side by side."""
    columns = {
        score.name: {named.iri: named.value for named in score.local.all()}
        for score in result.scores
        if _of_documents(score) and score.local is not None
    }
    return [
        {"document": name, **{measure: values.get(name) for measure, values in columns.items()}}
        for name in response.task.documents
    ]


PER_DOCUMENT = Section("per_document", "each document", _per_document)


def class_section(similarity: str | Measure, match: Match, what: str) -> Section:
    """Precision and recall of each class (`what`: class or individual)."""

    def entries(response: Response, result: EvaluationResult) -> list[dict[str, Any]]:
        return [
            {what: c.name, "AP": c.precision, "AR": c.recall, "AF": c.f, "keys": c.keys, "responses": c.responses}
            for c in per_class(response.task, similarity, match)
        ]

    return Section("per_class", f"each {what} ({_near(similarity, match)})", entries, (what,))


def confusion_section(similarity: str | Measure, match: Match, what: str, count: int) -> Section:
    """The confusions of classes (`what`: class or individual) that cost most."""
    key, response_class = f"key_{what}", f"response_{what}"

    def entries(response: Response, result: EvaluationResult) -> list[dict[str, Any]]:
        return [
            {key: c.key, response_class: c.response, "count": c.count, "similarity": c.similarity, "lost": c.lost}
            for c in confusions(response.task, similarity, match)[:count]
        ]

    title = f"confusions ({_near(similarity, match)})"
    return Section("confusion", title, entries, (key, response_class))


def _near(similarity: str | Measure, match: Match) -> str:
    return f"{similarity}{', lenient' if match == 'lenient' else ''}"


def _facts(task: Extraction, words: Words) -> dict[str, Any]:
    """What JSON tells beside the scores."""
    sides = set(task.response.documents), set(task.key.documents)
    whole = replace(task, unknown="keep") if task.unknown == "drop" else task  # with what was left out
    counts = [
        np.bincount(side.name[side.name >= 0], minlength=len(task.names))
        for side in (whole.key_side, whole.response_side)
    ]
    unknown = np.flatnonzero(task.concept_of < 0).tolist()
    return {
        "only_in_response": sorted(sides[0] - sides[1]),
        "only_in_key": sorted(sides[1] - sides[0]),
        "unknown_classes": [
            {
                "name": task.names[i],
                "key": int(counts[0][i]),
                "response": int(counts[1][i]),
                **({"ambiguous": list(task.ambiguous[task.names[i]])} if task.names[i] in task.ambiguous else {}),
            }
            for i in unknown
        ],
        "taken_by_local_name": list(task.elsewhere),
        **({"individuals_without_class": list(task.without_class)} if task.by == "instance" else {}),
        "notes": {
            role: [
                *_nothing(corpus, words),
                *(_count(n, what) for what, n in corpus.source.counts.items()),
                *corpus.source.notes,
            ]
            for role, corpus in (("response", task.response), ("key", task.key))
        },
    }


def _notes(corpus: Corpus, words: Words, spelling: Spelling) -> Iterator[str]:
    """What the loader noticed."""
    yield from _nothing(corpus, words)
    yield from (_count(number, what) for what, number in corpus.source.counts.items())
    yield from (text_for(note, spelling) for note in corpus.source.notes)


def _count(number: int, what: str) -> str:
    """A count of the loader, whose name begins with a plural: `1 annotation without a class; left out`."""
    noun, _, rest = what.partition(" ")
    return f"{number_of(number, noun.removesuffix('s'), noun)} {rest}"


def _nothing(corpus: Corpus, words: Words) -> Iterator[str]:
    if not len(corpus):
        yield f"no {words.annotations} found; scores are those defined for empty input"


def _all_in_json(names: Sequence[str], spelling: Spelling) -> str:
    return f" ({spelling('json', None)} lists all)" if len(names) > MOST_NAMES else ""


def _class(task: Extraction, name: str | None) -> str:
    """A class as people know it; none for what is missing or spurious."""
    if name is None:
        return ""
    if task.ontology is not None and not task.flat and name in task.ontology.hierarchy:
        return task.ontology.label(task.ontology.hierarchy.id(name))
    return name


def _with_name(result: EvaluationResult, name: str) -> EvaluationResult:
    """The result with a name of its own for its row."""
    role, source = next(iter(result.inputs.items()))
    return replace(result, inputs={**result.inputs, role: replace(source, path=name)})


def _whole_number(count: float | None) -> int | None:
    return None if count is None else int(count)


def _width(measures: Sequence[str], rows: Sequence[str], digits: int) -> int:
    """Of a table with a column for each measure, about."""
    return 6 + max(map(len, rows), default=0) + sum(max(len(name), digits + 2) + 4 for name in measures)
