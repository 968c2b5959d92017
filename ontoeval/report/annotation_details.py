"""`Section`: details of each response, by document, by class, confusions (computed: analysis/confusion.py)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from ontoeval.analysis.confusion import confusions, per_class
from ontoeval.measures import Measure
from ontoeval.measures.annotations.span_pairing import Match
from ontoeval.report.names import curie
from ontoeval.report.score_tables import scored_families
from ontoeval.results import EvaluationResult, MeasureResult
from ontoeval.tables import Cell
from ontoeval.tasks.extraction import Extraction


@dataclass(frozen=True, eq=False)
class Response:
    """One response against the gold standard: a row of the tables."""

    name: str
    task: Extraction
    system: str | None = None  # by default that of the response's file
    given_name: str | None = None  # by the user; programs else get the path
    settings: Mapping[str, Any] = field(default_factory=dict)  # what the task does not tell

    @property
    def variant(self) -> str | None:
        """The coarser ontology that it is judged on, if it is."""
        return self.settings.get("variant")

    def with_variant(self, name: str) -> str:
        """A name that also tells the variant, if there is one."""
        return name if self.variant is None else f"{name} ({self.variant})"


Entry = dict[str, Any]


class Section(NamedTuple):
    """What else is told of each response: a table, or a list in JSON."""

    key: str  # in JSON
    title: str
    entries: Callable[[Response, EvaluationResult], list[Entry]]
    classes: tuple[str, ...] = ()  # columns with IRIs; people get labels
    order: Callable[[Entry], Any] | None = None  # on a terminal, where only the first entries are shown
    lowest: Callable[[EvaluationResult], str] | None = None  # there, the column whose lowest values come first
    has_own_count: bool = False  # the user said how many entries there are to be
    loss: str | None = None  # where this is 0, nothing is wrong, and a terminal leaves the entry out


# People read of gold and response; JSON has the words of the files and of RDF.
_HEADS = {"keys": "gold", "responses": "response"}


def head_for_people(name: str) -> str:
    """The head of a column."""
    side, _, what = name.partition("_")
    if side in ("key", "response") and what:
        return f"{'gold' if side == 'key' else side} {what}"
    return _HEADS.get(name, name)  # such as a measure


def cells_for_people(section: Section, task: Extraction, entry: Entry) -> list[Cell]:
    """An entry with labels in place of IRIs."""
    return [_class(task, value) if name in section.classes else value for name, value in entry.items()]


def _class(task: Extraction, name: str | None) -> str | None:
    """A class as people know it; None for what is missing or spurious."""
    if name is None:
        return None
    if task.ontology is not None and not task.flat and name in task.ontology.hierarchy:
        label = task.ontology.label_of(task.ontology.hierarchy.id(name))
        return curie(name) if label == name else label
    return curie(name)


def has_documents(score: MeasureResult) -> bool:
    """True if there are scores of single documents."""
    return score.local is not None and score.local.of == "document"


def _per_document(response: Response, result: EvaluationResult) -> list[Entry]:
    """The local scores of documents side by side."""
    columns = {
        score.name: {named.iri: named.value for named in score.local.all()}
        for score in result.scores
        if has_documents(score) and score.local is not None
    }
    return [
        {"document": name, **{measure: values.get(name) for measure, values in columns.items()}}
        for name in response.task.documents
    ]


def _main_measure(result: EvaluationResult) -> str:
    """The F-measure of the first family, else the first measure that documents have."""
    names = [score.name for score in result.scores if has_documents(score)]
    families = [row.f.name for row in scored_families(result) if row.f.name in names]
    return next(iter([*families, *names]), "")


PER_DOCUMENT = Section("per_document", "documents, lowest {lowest} first", _per_document, lowest=_main_measure)


def class_section(similarity: str | Measure, spans: Match, what: str) -> Section:
    """Precision and recall of each class (`what`: class or individual)."""

    def entries(response: Response, result: EvaluationResult) -> list[Entry]:
        return [
            {what: c.name, "AP": c.precision, "AR": c.recall, "AF": c.f, "keys": c.keys, "responses": c.responses}
            for c in per_class(response.task, similarity, spans)
        ]

    title = f"{'classes' if what == 'class' else 'individuals'}, most frequent first ({_near(similarity, spans)})"
    return Section("per_class", title, entries, (what,), lambda entry: -entry["keys"] - entry["responses"])


def confusion_section(similarity: str | Measure, spans: Match, what: str, count: int | Literal["top"]) -> Section:
    """The confusions of classes (`what`: class or individual) that cost most: `count` of them (0: all)."""
    key, response_class = f"key_{what}", f"response_{what}"
    most = None if count == "top" else count or None

    def entries(response: Response, result: EvaluationResult) -> list[Entry]:
        return [
            {key: c.key, response_class: c.response, "count": c.count, "similarity": c.similarity, "lost": c.lost}
            for c in confusions(response.task, similarity, spans)[:most]
        ]

    title = f"confusions, missing and spurious, costliest first ({_near(similarity, spans)})"
    return Section("confusion", title, entries, (key, response_class), has_own_count=count != "top", loss="lost")


def _near(similarity: str | Measure, spans: Match) -> str:
    return f"{similarity}{', lenient' if spans == 'lenient' else ''}"


def first_entries(section: Section, entries: Sequence[Entry], top: int, lowest: str | None) -> Sequence[Entry]:
    """Those that a terminal shows: `top`, 0: all; all where the user said how many there are to be.

    `lowest`: the column whose lowest values come first, entries without one at the end.
    """
    ordered = list(entries) if section.order is None else sorted(entries, key=section.order)
    if lowest is not None:
        values = ((entry.get(lowest), entry) for entry in ordered)
        ordered = [entry for _, entry in sorted(values, key=lambda one: (one[0] is None, one[0] or 0.0))]
    return ordered if section.has_own_count else ordered[: top or None]
