"""`alpha` of several annotators, `annotator_agreement` of each pair (formulas: measures/annotations/extraction.py)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ontoeval.errors import MissingInputError, listed, warn
from ontoeval.measures import Measure, parse
from ontoeval.measures.annotations.extraction import NoClass, reliability
from ontoeval.measures.annotations.span_pairing import Match
from ontoeval.measures.similarity_parameter import check_similarity
from ontoeval.model.arrays import LongArray, row_codes
from ontoeval.model.corpus import Corpus
from ontoeval.model.ontology import Ontology
from ontoeval.results import Score, plain
from ontoeval.tables import Table
from ontoeval.tasks.extraction import Extraction, Unknown

if TYPE_CHECKING:
    import pandas as pd


def alpha(
    corpora: Sequence[Corpus], ontology: Ontology | None = None, similarity: str | Measure | None = None
) -> Score:
    """Krippendorff's alpha of two or more annotators, 1 - Do/De with delta = 1 - (sim(a, b) + sim(b, a))/2.

    Of two annotators it is the measure Alpha, whose units are the best pairs. For more a unit is a span of a document
    with the classes that annotators gave it; who did not mark it has no value there. A span that one annotator marked
    twice is left out (count `repeated`), and so are units with an unknown class (`left_out`) and with one value
    (`single`). `similarity` is BDM, and Flat (nominal alpha) without an ontology.
    """
    if len(corpora) < 2:
        raise MissingInputError(
            "agreement needs at least two annotators",
            advice="Use a corpus for each.",
            parameter="corpora",
        )
    measure = _similarity(ontology, similarity)
    if len(corpora) == 2:
        return parse("Alpha", similarity=measure)(Extraction(corpora[0], corpora[1], ontology))
    tasks = [Extraction(corpus, corpora[0], ontology) for corpus in corpora]
    if any(task.labels for task in tasks):
        raise MissingInputError(
            "alpha scores spans of text, not labels of documents",
            advice="Use corpora of spans.",
            parameter="corpora",
        )
    unit, values, annotator = _values(tasks)
    # marked twice by one annotator
    first, marks = np.unique(row_codes([unit, annotator]), return_counts=True, return_index=True)[1:]
    is_repeated = np.isin(unit, unit[first[marks > 1]])
    repeated = len(np.unique(unit[is_repeated]))
    unit, values = unit[~is_repeated], values[~is_repeated]
    shared = np.bincount(unit, minlength=1)[unit] > 1
    single = int(np.count_nonzero(~shared))
    unit, values = unit[shared], values[shared]
    unknown = np.isin(unit, unit[values < 0])
    left_out = len(np.unique(unit[unknown]))
    return reliability(
        tasks[0],
        measure,
        unit[~unknown],
        values[~unknown],
        repeated=repeated,
        left_out=left_out,
        single=single,
    )


COEFFICIENTS = ("F", "Kappa", "Pi", "Alpha")


class AgreementRow(NamedTuple):
    """How far two annotators agree: F with either of them as the gold standard, and coefficients."""

    left: str
    right: str
    F: float
    F_reversed: float
    Kappa: float
    Pi: float
    Alpha: float
    items: int
    agreed: int


@dataclass(frozen=True, eq=False, repr=False)
class Agreement:
    """How far each pair of several annotators agrees, and all of them."""

    annotators: tuple[str, ...]
    pairs: Mapping[tuple[str, str], Mapping[str, Score]]  # F of both directions, Kappa, Pi, Alpha
    alpha: Score  # of all
    measure: str  # the F, by its full name

    @property
    def table(self) -> Table[AgreementRow]:
        """A row for each pair of annotators; nan where a coefficient is undefined."""
        rows = []
        for annotators, scores in self.pairs.items():
            values = (scores[name].value for name in ("F", "F back", *COEFFICIENTS[1:]))
            counts = scores["Kappa"].counts
            rows.append(AgreementRow._make((*annotators, *values, int(counts["items"]), int(counts.get("agreed", 0)))))
        return Table(rows, AgreementRow, title=f"Inter-annotator agreement ({self.measure})")

    def to_frame(self) -> pd.DataFrame:
        """A pandas DataFrame with a row for each pair of annotators."""
        return self.table.to_frame()

    def __repr__(self) -> str:
        alpha = self.alpha.undefined or format(self.alpha.value, ".3f")
        return f"<Agreement of {listed(self.annotators)}: alpha {alpha}>"

    def __str__(self) -> str:
        return str(self.table)

    def _repr_html_(self) -> str:
        return self.table._repr_html_()

    @property
    def means(self) -> dict[str, float | None]:
        """Over the pairs; None if one of them is undefined."""
        columns = {name: [scores[name].value for scores in self.pairs.values()] for name in COEFFICIENTS}
        means = {name: sum(values) / len(values) for name, values in columns.items()}
        return {name: None if math.isnan(mean) else mean for name, mean in means.items()}

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "annotators": list(self.annotators),
            "measure": self.measure,
            "pairs": [
                {
                    "annotators": [left, right],
                    **{name: plain(score.value) for name, score in scores.items()},
                    "items": int(scores["Kappa"].counts["items"]),
                    "agreed": int(scores["Kappa"].counts.get("agreed", 0)),
                    "undefined": {name: score.undefined for name, score in scores.items() if score.undefined},
                }
                for (left, right), scores in self.pairs.items()
            ],
            "mean": self.means,
            "alpha": {
                "value": plain(self.alpha.value),
                "undefined": self.alpha.undefined,
                "counts": {name: plain(count) for name, count in self.alpha.counts.items()},
            },
        }


def annotator_agreement(
    annotators: Mapping[str, Corpus],
    ontology: Ontology | None = None,
    similarity: str | Measure | None = None,
    *,
    match: Match = "strict",
    unknown: Unknown = "keep",
    no_class: NoClass = "mismatch",
) -> Agreement:
    """AF in both directions, Kappa, Pi and Alpha of each pair of annotators (by name), and alpha of all.

    `similarity` is BDM, and Flat without an ontology. `no_class` is that of Kappa and Pi. Corpora that do not go
    together are refused.
    """
    near = _similarity(ontology, similarity)
    parameters = {"similarity": near, "spans": match}
    chance = [parse(name, no_class=no_class) for name in ("Kappa", "Pi")]
    f, *others = parse("AF", **parameters), *chance, parse("Alpha", **parameters)
    pairs: dict[tuple[str, str], Mapping[str, Score]] = {}
    for left, right in combinations(annotators, 2):
        task = Extraction(annotators[left], annotators[right], ontology, unknown=unknown)
        task.check()
        warn(task.warnings)
        back = Extraction(annotators[right], annotators[left], ontology, unknown=unknown)
        scores = [measure(task) for measure in (f, *others)]
        pairs[left, right] = {"F": scores[0], "F back": f(back), **dict(zip(COEFFICIENTS, scores, strict=True))}
    if len(annotators) == 2:
        (whole,) = (scores["Alpha"] for scores in pairs.values())
    else:
        whole = alpha(list(annotators.values()), ontology, near)
    return Agreement(tuple(annotators), pairs, whole, str(f))


def _similarity(ontology: Ontology | None, similarity: str | Measure | None) -> Measure:
    if similarity is None:
        similarity = "Flat" if ontology is None else "BDM"
    measure = parse(similarity) if isinstance(similarity, str) else similarity
    check_similarity({"similarity": measure})
    return measure


def _values(tasks: Sequence[Extraction]) -> tuple[LongArray, LongArray, LongArray]:
    """For every annotation of all annotators its unit, its class (-1: unknown) and its annotator."""
    documents = _number_names({name for task in tasks for name in task.response.documents})
    names = _number_names({name for task in tasks for name in task.names})
    columns: list[list[LongArray]] = [[], [], [], [], []]
    for number, task in enumerate(tasks):
        side = task.response_side
        place = np.array([documents.get(name, -1) for name in task.documents], dtype=np.int64)
        concept = side.concept
        if task.flat:  # each task numbers names for itself
            concept = np.array([*(names[name] for name in task.names), -1], dtype=np.int64)[side.name]
        side_columns = (place[side.document], side.start, side.end, concept, np.full(len(side), number))
        for column, side_column in zip(columns, side_columns, strict=True):
            column.append(side_column)
    document, start, end, values, annotator = (np.concatenate(column) for column in columns)
    _, unit = np.unique(row_codes([document, start, end]), return_inverse=True)
    return unit, values, annotator


def _number_names(names: set[str]) -> Mapping[str, int]:
    return {name: place for place, name in enumerate(sorted(names))}
