"""`check_scores` against limits; `SavedScores`: an earlier result as limits, and which of its settings differ."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, NamedTuple

from ontoeval.errors import LoadError, Message, ParameterError, listed, sentence
from ontoeval.load.input import open_input
from ontoeval.load.safety import read_json
from ontoeval.measures import Measure, parse
from ontoeval.results import EvaluationResult, plain

TOLERANCE = 1e-9  # two machines may add the same numbers in another order
_SETTINGS = {  # key -> what a reader calls it
    "by": "matching", "normalize": "normalization", "languages": "languages", "unknown": "unknown names",
    "kb": "knowledge base", "root": "root", "limit": "limit", "threshold": "least score", "variant": "variant",
    "weights": "weights",
}  # fmt: skip


class Check(NamedTuple):
    """A score and the least value that it must have."""

    run: str
    measure: str
    value: float  # nan: undefined
    min: float
    undefined: str | None = None  # why
    file: str | None = None  # where the least value comes from

    @property
    def passed(self) -> bool:
        return self.value >= self.min - (0.0 if self.file is None else TOLERANCE)  # not if it is nan

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        more = {name: text for name in ("undefined", "file") if (text := getattr(self, name)) is not None}
        entry = {"run": self.run, "measure": self.measure, "value": plain(self.value), "min": self.min}
        return {**entry, "passed": self.passed, **more}


def check_scores(results: Sequence[EvaluationResult], limits: Mapping[str, float]) -> list[Check]:
    """Every result by each measure that has a limit."""
    return [_check(result, name, least) for result in results for name, least in limits.items()]


def _check(result: EvaluationResult, name: str | Measure, least: float, file: str | None = None) -> Check:
    score = result[name]
    return Check(_run(result), score.name, score.value, least, score.undefined, file)


def more_is_better(measure: Measure) -> bool:
    """True if the best value is the greatest."""
    return measure.best == measure.range[1]


@dataclass(frozen=True)
class SavedScores:
    """The results in a .json file that an evaluation wrote; now none of the scores may be lower."""

    path: str
    entries: Sequence[Mapping[str, Any]]

    @classmethod
    def read(cls, path: str) -> SavedScores:
        """Read the file; LoadError if it holds no results."""
        with closing(open_input(path)) as source:
            document = read_json(source)
        entries = document.get("results") if isinstance(document, dict) else None
        if not isinstance(entries, list) or not entries or not all(map(_is_result, entries)):
            raise LoadError("no saved results", advice="Write them with `-o FILE.json`.", path=path)
        return cls(path, entries)

    @property
    def measures(self) -> list[str]:
        """What is checked: measures that are defined in some run, and of which more is better."""
        names = dict.fromkeys(name for entry in self.entries for name, _ in self._least_values(entry))
        return list(names)

    def checks(self, results: Sequence[EvaluationResult]) -> list[Check]:
        """Each result against the run of its name; a single one against a single one, whatever their names."""
        pairs = self._pairs(results)
        for result, entry in pairs:
            self._refuse_other_settings(result, entry)
        return [
            _check(result, parse(name), least, self._place(result, entry))
            for result, entry in pairs
            for name, least in self._least_values(entry)
        ]

    def _refuse_other_settings(self, result: EvaluationResult, entry: Mapping[str, Any]) -> None:
        """Scores by other settings, or against another gold standard, say nothing of each other."""
        differences = [*_different_settings(result.to_dict(), entry)]
        if differences:
            raise ParameterError(
                f"saved with other settings than {_run(result)} has now: {', '.join(differences)}",
                place=self.path,
                advice="Use those settings, or save the scores again.",
            )

    def _place(self, result: EvaluationResult, entry: Mapping[str, Any]) -> str:
        """The file, and the run in it if that has another name."""
        name = _name(entry)
        return self.path if name in ("", _run(result)) else f"{self.path}, {name}"

    def warnings(self, results: Sequence[EvaluationResult]) -> Iterator[Message]:
        """That saved runs are not scored now."""
        pairs = self._pairs(results)
        old = [_name(entry) for entry in self.entries if all(entry is not one for _, one in pairs)]
        if old:
            yield sentence(f"saved scores of {listed(old)} were not compared: no such run now", place=self.path)

    def _least_values(self, entry: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
        """(canonical name, value)."""
        for name, value in entry["scores"].items():
            if isinstance(value, int | float) and math.isfinite(value):
                canonical = entry.get("canonical_names", {}).get(name, name)
                if more_is_better(parse(canonical)):
                    yield canonical, float(value)

    def _pairs(self, results: Sequence[EvaluationResult]) -> list[tuple[EvaluationResult, Mapping[str, Any]]]:
        if len(results) == len(self.entries) == 1:
            return [(results[0], self.entries[0])]
        by_name = {_name(entry): entry for entry in self.entries}
        new = [_run(result) for result in results if _run(result) not in by_name]
        if new:
            raise ParameterError(
                f"no saved scores of {listed(new)}",
                place=self.path,
                advice=f"It has: {listed(list(by_name))}. Set {{names}}, or save the scores again.",
                parameter="names",
            )
        return [(result, by_name[_run(result)]) for result in results]


def _is_result(entry: object) -> bool:
    return isinstance(entry, dict) and isinstance(entry.get("scores"), dict)


def _run(result: EvaluationResult) -> str:
    """The name of a run: its own if it is one of several of a system, else that of the system."""
    return str(result.settings.get("run", result.system))


def _name(entry: Mapping[str, Any]) -> str:
    return str(entry.get("run", entry.get("system", "")))


def _different_settings(now: Mapping[str, Any], saved: Mapping[str, Any]) -> Iterator[str]:
    """`unknown names 'keep', now 'drop'`: settings that change numbers, and a gold standard with another content."""
    for key, name in _SETTINGS.items():
        before, after = (_setting(entry, key) for entry in (saved, now))
        if before != after:
            yield f"{name} {_in_words(before)}, now {_in_words(after)}"
    missing = [sorted(entry.get("unresolved_imports", {})) for entry in (saved, now)]
    if missing[0] != missing[1]:
        yield f"imports not found: {_names_in_words(missing[0])}, now {_names_in_words(missing[1])}"
    hashes = [entry.get("sha256", {}) for entry in (saved, now)]
    for role in ("gold", "key", "ontology"):
        if role in hashes[0] and hashes[0][role] != hashes[1].get(role):
            yield f"another {'ontology' if role == 'ontology' else 'gold standard'}"


def _setting(entry: Mapping[str, Any], key: str) -> Any:
    return entry.get(key, (entry.get("matching") or {}).get(key))


def _in_words(value: Any) -> str:
    if isinstance(value, list | tuple):
        value = ",".join(map(str, value)) or None
    return "none" if value is None else f"'{value}'" if isinstance(value, str) else str(value)


def _names_in_words(names: Sequence[str]) -> str:
    return ",".join(names) or "none"
