"""`EvaluationResult`: the scores of one task, with what is needed to repeat them; `MeasureResult`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from ontoeval.errors import (
    Message,
    MissingInputError,
    Spelling,
    UnknownMeasureError,
    did_you_mean,
    listed,
    printable,
    text_for,
)
from ontoeval.model.ontology import Source
from ontoeval.tables import Table, frame

if TYPE_CHECKING:
    import pandas as pd

    from ontoeval.analysis.confusion import ClassScore, Confusion
    from ontoeval.analysis.error_table import ErrorRow
    from ontoeval.analysis.explain import Explanation
    from ontoeval.analysis.worst import LocalLoss, Loss
    from ontoeval.measures import Measure

from ontoeval.results.named_scores import NamedScores, PropertyScore
from ontoeval.results.scores import Score, distance_to_best, plain
from ontoeval.tables.names import name_beside

_SHOWN = 4  # scores in a line
_ABOUT = {"comparison": "compared ontologies", "extraction": "annotations", "conceptpairs": "pairs of concepts"}


@dataclass(frozen=True, eq=False)
class MeasureResult:
    """A score under the name that was asked for."""

    name: str  # as the user wrote it
    measure: Any  # measures.Measure; results stand left of measures
    score: Score
    local: NamedScores | None = None
    interval: tuple[float, float] | None = None  # bootstrap
    by_property: tuple[PropertyScore, ...] = ()
    no_interval: str | None = None  # why an interval that was asked for is not there

    @property
    def value(self) -> float:
        return self.score.value

    @property
    def counts(self) -> Mapping[str, float]:
        return self.score.counts

    @property
    def undefined(self) -> str | None:
        return self.score.undefined

    @property
    def distance_to_best(self) -> float | None:
        """How far the value is from the best one, less being better; None where there is no better and worse."""
        return None if self.undefined is not None else distance_to_best(self.measure, self.value)

    def spelled(self, spelling: Spelling) -> MeasureResult:
        """The same result, with parameters in the reason as the reader writes them."""
        reason = self.undefined
        if not isinstance(reason, Message):
            return self
        return replace(self, score=replace(self.score, undefined=reason.text(spelling)))

    def facts(self) -> tuple[Any, ...]:
        """All that equality compares: values as texts, so that nan equals nan; no local score is like None."""
        local = None if self.local is None or not len(self.local) else (self.local.of, repr(self.local.all()))
        return repr(self.value), self.undefined, dict(self.counts), self.interval, local, repr(self.by_property)

    @property
    def in_words(self) -> str:
        """`LF 0.719`."""
        return f"{self.name} {'undefined' if self.undefined is not None else format(self.value, '.3f')}"

    def __repr__(self) -> str:
        return f"<{self.name}: {self.undefined or format(self.value, '.4f')}>"


def system_of_file(judged: Source, *others: Source) -> str:
    """Who made what is judged, by the name of its file: `env.TAXI.taxo` beside `env.taxo` is TAXI."""
    name = PurePath(judged.path).name
    beside = name_beside(name, others[0].path, suffix=False) if others else name
    return judged.with_confidence(beside.partition(".")[0] or name)


@dataclass(frozen=True, eq=False, repr=False)
class EvaluationResult:
    """The scores of one task, with what is needed to repeat them.

    Examples
    --------
    >>> import ontoeval as oe
    >>> result = oe.compare("fixtures/dellschaft2006/oc1.ttl", "fixtures/dellschaft2006/or2.ttl", "LP,LR")
    >>> result["LP"].value == result.to_dict()["scores"]["LP"]
    True
    >>> result.save("scores.json")
    >>> [row.kind for row in result.errors()][:1]
    ['missing concept']
    """

    task: str  # "comparison"
    inputs: Mapping[str, Source]  # role ("learned", "gold") -> source
    settings: Mapping[str, Any]  # how the task was set up: the matching and its counts
    scores: tuple[MeasureResult, ...]
    parse: Callable[[str], Any] = field(repr=False)  # a name to a measure, whatever its spelling
    version: str = ""
    started: str = ""
    key: str = ""  # hash of inputs, settings and measures: the same run has the same one
    system: str = ""  # who made what is judged
    warnings: tuple[str, ...] = ()  # why numbers may mislead
    subject: Any = field(default=None, repr=False)  # the task itself; not there when read back from a file

    def __getitem__(self, name: Any) -> MeasureResult:
        for score in self.scores:
            if score.name == name:
                return score
        measure = self.parse(name) if isinstance(name, str) else name
        for score in self.scores:
            if score.measure == measure:
                return score
        names = [score.name for score in self.scores]
        hint = did_you_mean(str(name), names)
        raise UnknownMeasureError(
            f"{str(name)!r} was not computed", advice=f"{hint} Computed: {listed(names)}.".strip(), parameter="name"
        )

    def __iter__(self) -> Iterator[MeasureResult]:
        return iter(self.scores)

    def __len__(self) -> int:
        return len(self.scores)

    def __eq__(self, other: object) -> bool:
        """The same scores of the same inputs, however they are called and whenever they were computed."""
        return isinstance(other, EvaluationResult) and self._facts() == other._facts()

    def __hash__(self) -> int:
        return hash(self.key)

    def _facts(self) -> tuple[Any, ...]:
        inputs = [(role, s.sha256, s.iri, s.triples, s.format, s.profile) for role, s in self.inputs.items()]
        scores = {str(score.measure): score.facts() for score in self.scores}
        return self.task, self.key, self.system, self.version, inputs, dict(self.settings), scores

    @property
    def judged(self) -> Source:
        """What was judged."""
        return next(iter(self.inputs.values()))

    @property
    def against(self) -> Sequence[Source]:
        """What it was judged against; tables of instances belong to their ontologies."""
        return [source for role, source in self.inputs.items() if not role.endswith("_instances")][1:]

    def spelled(self, spelling: Spelling) -> EvaluationResult:
        """The same result, with the parameters that undefined scores and warnings name as the reader writes them."""
        scores = tuple(score.spelled(spelling) for score in self.scores)
        return replace(self, scores=scores, warnings=tuple(text_for(text, spelling) for text in self.warnings))

    def to_dict(self) -> dict[str, Any]:
        """For JSON: full precision, undefined scores null with their reasons under a key of their own."""
        hashes = {role: source.sha256 for role, source in self.inputs.items() if source.sha256 is not None}
        missing = {role: list(s.unresolved_imports) for role, s in self.inputs.items() if s.unresolved_imports}
        return {
            "system": self.system,
            **{role: source.path for role, source in self.inputs.items()},
            "sha256": hashes,
            **({"unresolved_imports": missing} if missing else {}),
            **self.settings,
            "scores": {score.name: plain(score.value) for score in self.scores},
            "canonical_names": {score.name: str(score.measure) for score in self.scores},
            "undefined": {score.name: score.undefined for score in self.scores if score.undefined is not None},
            **({"warnings": list(self.warnings)} if self.warnings else {}),
            "counts": {score.name: {k: plain(v) for k, v in score.counts.items()} for score in self.scores},
            **(
                {"intervals": {s.name: [plain(end) for end in s.interval] for s in self.scores if s.interval}}
                if any(score.interval is not None for score in self.scores)
                else {}
            ),
            **(
                {"no_interval": {s.name: s.no_interval for s in self.scores if s.no_interval}}
                if any(score.no_interval for score in self.scores)
                else {}
            ),
            **(
                {
                    "by_property": {
                        s.name: [row._asdict() for row in s.by_property] for s in self.scores if s.by_property
                    }
                }
                if any(score.by_property for score in self.scores)
                else {}
            ),
        }

    def to_frame(self) -> pd.DataFrame:
        """One row per measure as a pandas DataFrame."""
        rows = [{"value": s.value, "undefined": s.undefined, **dict(s.counts)} for s in self.scores]
        return frame(rows, [score.name for score in self.scores], "measure")

    # for people

    @property
    def given_name(self) -> str | None:
        """Who made what is judged, if it is not what its file is called."""
        return self.system if self.system != system_of_file(*self.inputs.values()) else None

    @property
    def title(self) -> str:
        """Who made what is judged, else its file."""
        return self.system or self.judged.name

    def __repr__(self) -> str:
        wholes = [score for score in self.scores if getattr(score.measure, "family", None)] or list(self.scores)
        texts = [score.in_words for score in wholes[:_SHOWN]] + ["..."] * (len(wholes) > _SHOWN)
        return f"<EvaluationResult {printable(self.title)}: {', '.join(texts)}>"

    def __str__(self) -> str:
        from ontoeval.report.score_tables import result_text

        return result_text(self)

    def _repr_html_(self) -> str:
        from ontoeval.report.score_tables import result_html

        return result_html(self)

    # what is said beyond the scores; not of results that were read from a file

    def task_of(self, kind: str) -> Any:
        """The task, which must be of a kind ("comparison", "extraction") and be there."""
        if self.subject is None:
            raise MissingInputError(
                "only scores were read, not what they were computed of", advice="Compare the files again."
            )
        if self.task != kind:
            raise MissingInputError(f"this says nothing about {_ABOUT[self.task]}", advice=f"Use {_ABOUT[kind]}.")
        return self.subject

    def explain(self, concept: str) -> Explanation:
        """The relations of a concept (IRI, CURIE, name or label) on both sides, and its local scores."""
        from ontoeval.analysis.explain import explain

        return explain(self.task_of("comparison"), concept, [score.measure for score in self])

    def worst(self, count: int = 10, measure: str | Measure | None = None) -> Table[Loss] | Table[LocalLoss]:
        """The lowest-scoring concepts: by relations, as TF_csc counts them, or by the local scores of a measure."""
        from ontoeval.analysis.worst import worst

        return worst(self.task_of("comparison"), count, measure)

    def errors(self) -> Table[ErrorRow]:
        """A row for each missing, novel or moved concept, inverted link, cycle and other difference."""
        from ontoeval.analysis.error_table import error_table

        return error_table(self.task_of("comparison"))

    def per_class(self) -> Table[ClassScore]:
        """Precision, recall and F of each class of annotations, near misses counted as in this result."""
        from ontoeval.analysis.confusion import near_misses_of, per_class

        return per_class(self.task_of("extraction"), *near_misses_of(self))

    def confusions(self, count: int | None = None) -> Table[Confusion]:
        """Which classes of annotations were taken for which, the most costly first: `count` of them, or all."""
        from ontoeval.analysis.confusion import confusions, near_misses_of

        return confusions(self.task_of("extraction"), *near_misses_of(self))[:count]

    def with_intervals(self, *, level: float = 0.95, rounds: int = 1_000, seed: int = 0) -> EvaluationResult:
        """The same result with percentile bootstrap intervals, where scores are made of averages."""
        from ontoeval.analysis.significance import confidence

        return confidence(self, rounds=rounds, level=level, seed=seed)

    def save(self, path: str | Path, *, figure: str | None = None) -> None:
        """Write the scores to a file: .json .csv .tsv .md .tex .svg .pdf .png, or .trig .nq, to which they are added.

        `figure` is "pr", "dots", "hist" or "curve".
        """
        from ontoeval.results.result_table import ResultTable

        ResultTable([self]).save(path, figure=figure)
