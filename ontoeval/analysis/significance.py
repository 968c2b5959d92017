"""`confidence` (bootstrap), `p_values`, `differences`, `paired_tests` by concept, relation, document.

The unit that is drawn or exchanged is a concept: a gold concept together with its learned partner, or a learned concept
without a partner. Of measures on instances it is an instance, of annotations a document. Of measures on relations it is
a relation: a gold one together with the learned one that it is paired with, or a learned one without a partner. A score
made of several averages (F-measures) is made anew of each draw.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ontoeval.analysis.pair_tests import PAIRED_ROUNDS, PairTest, pairs_of, with_holm, with_letters
from ontoeval.errors import MissingInputError, ParameterError
from ontoeval.model.arrays import FloatArray, LongArray
from ontoeval.model.hierarchy import Hierarchy
from ontoeval.results import DrawnUnits, EvaluationResult, LocalScores, ResultTable, Score
from ontoeval.tasks.comparison import Comparison
from ontoeval.tasks.extraction import Extraction

_BLOCK = 8_000_000  # drawn numbers held at a time
ROUNDS = 1_000
Task = Comparison | Extraction
Tasks = tuple[Comparison, Comparison] | tuple[Extraction, Extraction]
Outcome = tuple[FloatArray, FloatArray]  # units x leaves: values times weights, and weights


class Difference(NamedTuple):
    """How much better the first of two results is."""

    value: float  # first - second
    interval: tuple[float, float]  # paired bootstrap
    p: float  # paired randomisation, two-sided


def paired_tests(
    results: Sequence[EvaluationResult],
    *,
    baseline: int | None = None,
    measures: Collection[str] | None = None,
    rounds: int = PAIRED_ROUNDS,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> list[PairTest]:
    """Every two results tested by the randomisation of `p_values`, or each against `baseline` (its place).

    By measure and pair; `measures`: only of these names. p_adjusted is Holm's correction for the pairs of a measure.
    `progress` gets the number of pairs done and of all.
    """
    check_rounds(rounds, seed)
    pairs = pairs_of(len(results), baseline)
    by_measure: dict[str, list[PairTest]] = {}
    for done, (left, right) in enumerate(pairs):
        if progress is not None:
            progress(done, len(pairs))
        tasks = _tasks(results[left], results[right])
        for name, scores in _common_scores(results[left], results[right]):
            if measures is not None and name not in measures:
                continue
            outcomes = _outcomes(scores, tasks)
            defined = all(score.undefined is None for score in scores)
            difference = scores[0].value - scores[1].value if defined else None
            test = PairTest(name, left, right, difference, None, None, None, rounds=rounds)
            if outcomes is not None:
                p = _randomisation_p(scores, outcomes, rounds, np.random.default_rng(seed))
                unit = _unit(_leaves(scores[0]) or (), tasks[0])
                test = test._replace(p=p, n=len(outcomes[0][0]), unit=unit)
            by_measure.setdefault(name, []).append(test)
    return [test for tests in by_measure.values() for test in with_holm(tests)]


def with_paired_tests(
    table: ResultTable,
    baseline: str | None = None,
    *,
    measures: Collection[str] | None = None,
    rounds: int | None = None,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
    what: str = "runs",
) -> ResultTable:
    """The table with tests of each pair of rows, or of each and the baseline, and intervals of the differences."""
    place = None if baseline is None else table.place_of(baseline, what)
    tests = paired_tests(
        table.results,
        baseline=place,
        measures=measures,
        rounds=PAIRED_ROUNDS if rounds is None else rounds,
        seed=seed,
        progress=progress,
    )
    intervals = difference_intervals(table.results, tests, draws=ROUNDS if rounds is None else rounds, seed=seed)
    tests = [test._replace(interval=interval) for test, interval in zip(tests, intervals, strict=True)]
    return with_letters(replace(table, tests=tests), table.results)


def difference_intervals(
    results: Sequence[EvaluationResult], tests: Sequence[PairTest], *, draws: int = ROUNDS, seed: int = 0
) -> list[tuple[float, float] | None]:
    """For each test the 95 % interval of its difference, by paired bootstrap; None where there is no p either."""
    check_rounds(draws, seed)
    intervals: list[tuple[float, float] | None] = []
    for test in tests:
        left, right = results[test.left], results[test.right]
        scores = left[test.measure].score, right[test.measure].score
        outcomes = None if test.p is None else _outcomes(scores, _tasks(left, right))
        intervals.append(None if outcomes is None else _difference_interval(scores, outcomes, draws, 0.95, seed))
    return intervals


def confidence(
    result: EvaluationResult, *, rounds: int = ROUNDS, level: float = 0.95, seed: int = 0
) -> EvaluationResult:
    """The same result with bootstrap intervals for every score that is made of averages.

    Concepts, instances, relations or documents are drawn with replacement, as many as there are; the interval lies
    between the (1 - level) / 2 quantiles of the drawn values (percentile bootstrap, Efron 1979). A score that cannot
    have one says why (`no_interval`).
    """
    check_rounds(rounds, seed)
    check_level(level)
    task = _task(result)
    scores = []
    for entry in result.scores:
        leaves = _leaves(entry.score)
        if leaves is None:
            scores.append(replace(entry, no_interval=_no_interval(entry.score)))
            continue
        units = [_units(leaf, task) for leaf in leaves]
        values, present = _table(leaves, units, np.unique(np.concatenate(units)))
        round_values = np.concatenate(
            list(_resampled_values(entry.score, values, present, rounds, np.random.default_rng(seed)))
        )
        low, high = np.quantile(round_values, [(1 - level) / 2, (1 + level) / 2]).tolist()
        scores.append(replace(entry, interval=(low, high)))
    return replace(result, scores=tuple(scores))


def p_values(
    left: EvaluationResult, right: EvaluationResult, *, rounds: int = PAIRED_ROUNDS, seed: int = 0
) -> dict[str, float | None]:
    """Could two learned ontologies or responses differ so by chance? The p of a paired randomisation test of measures.

    In each round every concept (instance, relation, document) changes sides with probability 1/2 (Noreen 1989); p = (1
    + rounds in which the two differ at least as much as they do) / (1 + rounds). Two-sided; None where a measure is no
    average over concepts (instances, relations, documents). An instance or relation that one of the two has not takes
    part on its side alone.
    """
    check_rounds(rounds, seed)
    tasks = _tasks(left, right)
    result: dict[str, float | None] = {}
    for name, scores in _common_scores(left, right):
        outcomes = _outcomes(scores, tasks)
        result[name] = (
            None if outcomes is None else _randomisation_p(scores, outcomes, rounds, np.random.default_rng(seed))
        )
    return result


def differences(
    left: EvaluationResult,
    right: EvaluationResult,
    *,
    rounds: int = PAIRED_ROUNDS,
    draws: int = ROUNDS,
    level: float = 0.95,
    seed: int = 0,
) -> dict[str, Difference | None]:
    """How much better the first result is than the second, with an interval and the p of `p_values`, for each measure.

    The interval is that of a paired bootstrap: the same concepts (documents) are drawn for both. None where a measure
    is no average over concepts (documents).
    """
    check_rounds(rounds, seed)
    check_rounds(draws, seed)
    check_level(level)
    tasks = _tasks(left, right)
    result: dict[str, Difference | None] = {}
    for name, scores in _common_scores(left, right):
        outcomes = _outcomes(scores, tasks)
        if outcomes is None:
            result[name] = None
            continue
        p = _randomisation_p(scores, outcomes, rounds, np.random.default_rng(seed))
        interval = _difference_interval(scores, outcomes, draws, level, seed)
        result[name] = Difference(scores[0].value - scores[1].value, interval, p)
    return result


def _difference_interval(
    scores: tuple[Score, Score], outcomes: Sequence[Outcome], draws: int, level: float, seed: int
) -> tuple[float, float]:
    """Paired bootstrap: both are drawn with the same seed, so the same units."""
    left_values, right_values = (
        np.concatenate(list(_resampled_values(score, *outcome, draws, np.random.default_rng(seed))))
        for score, outcome in zip(scores, outcomes, strict=True)
    )
    low, high = np.quantile(left_values - right_values, [(1 - level) / 2, (1 + level) / 2]).tolist()
    return low, high


def _common_scores(left: EvaluationResult, right: EvaluationResult) -> Iterator[tuple[str, tuple[Score, Score]]]:
    """The measures that both have."""
    for score in left.scores:
        other = next((s for s in right.scores if s.measure == score.measure), None)
        if other is not None:
            yield score.name, (score.score, other.score)


def _tasks(left: EvaluationResult, right: EvaluationResult) -> Tasks:
    """The tasks of the two results; ParameterError unless both have the same gold standard."""
    left_task, right_task = _task(left), _task(right)
    if isinstance(left_task, Comparison) and isinstance(right_task, Comparison):
        if _same_hierarchy(left_task.gold.hierarchy, right_task.gold.hierarchy):
            return left_task, right_task
        raise _other_gold()
    if (
        isinstance(left_task, Extraction)
        and isinstance(right_task, Extraction)
        and left_task.key.digest == right_task.key.digest
    ):
        return left_task, right_task
    raise _other_gold()


def _other_gold() -> ParameterError:
    return ParameterError("the two results have different gold standards", advice="Score both against the same one.")


def _same_hierarchy(left: Hierarchy, right: Hierarchy) -> bool:
    return left is right or (
        left.iris == right.iris
        and np.array_equal(left.parents.indptr, right.parents.indptr)
        and np.array_equal(left.parents.indices, right.parents.indices)
    )


def check_rounds(rounds: int, seed: int, *, usual: int = ROUNDS) -> None:
    """ParameterError unless these are a number of draws and a seed; `usual` is the example in the message."""
    if not isinstance(seed, int | np.integer) or isinstance(seed, bool) or seed < 0:
        raise ParameterError(f"seed must be a whole number >= 0, not {seed!r}", parameter="seed")
    if not isinstance(rounds, int | np.integer) or isinstance(rounds, bool) or rounds < 1:
        raise ParameterError(
            f"rounds must be a whole number >= 1, not {rounds!r}",
            advice=f"Use e.g. {usual}.",
            parameter="rounds",
        )


def check_level(level: float, parameter: str = "level") -> None:
    """ParameterError unless this is a level of confidence."""
    if not 0 < level < 1:
        raise ParameterError(
            f"{parameter} must be a number > 0 and < 1, not {level!r}", advice="Use e.g. 0.95.", parameter=parameter
        )


def _task(result: EvaluationResult) -> Task:
    if not isinstance(result.subject, Comparison | Extraction):
        what = "annotations" if result.task == "extraction" else "compared ontologies"
        raise MissingInputError(f"the {what} are needed, but only scores were read", advice="Evaluate them again.")
    return result.subject


def _leaves(score: Score) -> list[Score] | None:
    """The averages that a score is made of; None if it is made of something else, too."""
    if score.undefined is not None:
        return None
    leaves = list(_innermost(score))
    return leaves if all(_has_units(leaf) for leaf in leaves) else None


def _innermost(score: Score) -> Iterator[Score]:
    """The scores that a score is computed from, itself if from none."""
    if score.combine is None:
        yield score
    for part in score.parts:
        yield from _innermost(part)


def _drawn_units(leaf: Score) -> LocalScores | DrawnUnits | None:
    return leaf.local if leaf.units is None else leaf.units


def _weights(drawn: LocalScores | DrawnUnits) -> FloatArray:
    weights = drawn.weights if isinstance(drawn, LocalScores) else None
    return np.ones(len(drawn.values)) if weights is None else weights


def _has_units(leaf: Score) -> bool:
    drawn = _drawn_units(leaf)
    return drawn is not None and bool(_weights(drawn).any())


def _no_interval(score: Score) -> str | None:
    """Why a score has no interval; nothing of one that is undefined, which has its own reason."""
    if score.undefined is not None:
        return None
    if all(_drawn_units(leaf) is not None for leaf in _innermost(score)):
        return "one side has nothing to resample"
    return "not an average over concepts, instances, relations or documents"


def _unit(leaves: Sequence[Score], task: Task) -> str:
    """What is drawn; a measure is made of one kind of unit alone."""
    if isinstance(task, Extraction):
        return "document"
    drawn = _drawn_units(leaves[0])
    return drawn.of if drawn is not None and drawn.of in ("instance", "relation") else "concept"


def _units(leaf: Score, task: Task) -> LongArray:
    """A number for what each drawn value is about: the gold concept, or behind those the novel learned one.

    Instances, relations and documents have their own.
    """
    drawn = _drawn_units(leaf)
    assert drawn is not None  # noqa: S101 - _leaves takes no others
    ids = drawn.ids.astype(np.int64)
    if isinstance(task, Extraction):
        return task.documents_of(ids) if drawn.of == "annotation" else ids
    if drawn.of in ("gold", "instance", "relation"):
        return ids
    partner = task.matching.to_gold[ids].astype(np.int64)
    return np.where(partner >= 0, partner, len(task.gold.hierarchy) + ids)


def _table(leaves: Sequence[Score], units: Sequence[LongArray], known: LongArray) -> Outcome:
    """Units x leaves: the values times their weights, and the weights (0 where a unit takes no part)."""
    values, present = np.zeros((len(known), len(leaves))), np.zeros((len(known), len(leaves)))
    for column, (leaf, unit) in enumerate(zip(leaves, units, strict=True)):
        drawn = _drawn_units(leaf)
        assert drawn is not None  # noqa: S101
        rows = np.searchsorted(known, unit)
        weights = _weights(drawn)
        np.add.at(values[:, column], rows, drawn.values * weights)  # a document has several annotations
        np.add.at(present[:, column], rows, weights)
    return values, present


def _blocks(rounds: int, width: int) -> Iterator[int]:
    step = max(1, _BLOCK // max(1, width))
    for start in range(0, rounds, step):
        yield min(step, rounds - start)


def _resampled_values(
    score: Score, values: FloatArray, present: FloatArray, rounds: int, random: np.random.Generator
) -> Iterator[FloatArray]:
    size = len(values)
    for count in _blocks(rounds, size):
        sample = random.integers(0, size, size=(count, size))
        sample += np.arange(count)[:, None] * size
        counts = np.bincount(sample.ravel(), minlength=count * size).reshape(count, size).astype(np.float64)
        yield _values_of_rounds(score, counts @ values, counts @ present)


def _values_of_rounds(score: Score, sums: FloatArray, counts: FloatArray) -> FloatArray:
    """The score of each round from the sums and counts of its leaves."""
    nothing = np.broadcast_to([leaf.empty for leaf in _leaves(score) or ()], sums.shape).copy()
    means = np.divide(sums, counts, out=nothing, where=counts > 0)
    columns = iter(range(means.shape[1]))

    def combine(part: Score) -> Any:
        if part.combine is None:
            return means[:, next(columns)]
        return part.combine(*[combine(inner) for inner in part.parts])

    result: FloatArray = np.asarray(combine(score), dtype=np.float64)
    return result


def _randomisation_p(
    scores: tuple[Score, Score], outcomes: Sequence[Outcome], rounds: int, random: np.random.Generator
) -> float:
    (left, left_weights), (right, right_weights) = outcomes
    observed = abs(scores[0].value - scores[1].value)
    differ = np.any((left != right) | (left_weights != right_weights), axis=1)
    if not differ.any():
        return 1.0
    base = [
        (values.sum(axis=0), weights.sum(axis=0)) for values, weights in ((left, left_weights), (right, right_weights))
    ]
    change = (right - left)[differ], (right_weights - left_weights)[differ]
    extreme = 0
    for count in _blocks(rounds, int(differ.sum())):
        swap = random.integers(0, 2, size=(count, int(differ.sum())), dtype=np.uint8).astype(np.float64)
        sums, counts = swap @ change[0], swap @ change[1]
        left_values = _values_of_rounds(scores[0], base[0][0] + sums, base[0][1] + counts)
        right_values = _values_of_rounds(scores[1], base[1][0] - sums, base[1][1] - counts)
        extreme += int(np.count_nonzero(np.abs(left_values - right_values) >= observed - 1e-12))
    return (1 + extreme) / (1 + rounds)


def _outcomes(scores: tuple[Score, Score], tasks: Tasks) -> list[Outcome] | None:
    """Both sides over the same units: gold concepts, novel ones by IRI; or instances, relations, documents by name."""
    left, right = (_leaves(score) for score in scores)
    if left is None or right is None:
        return None
    number = _number_units([*left, *right], tasks)
    sides: list[tuple[list[Score], Task]] = [(left, tasks[0]), (right, tasks[1])]
    units = [[_shared_units(leaf, task, number) for leaf in leaves] for leaves, task in sides]
    known = np.unique(np.concatenate([*units[0], *units[1]]))
    return [_table(leaves, numbers, known) for leaves, numbers in zip((left, right), units, strict=True)]


def _number_units(leaves: Sequence[Score], tasks: Tasks) -> dict[Any, int]:
    """A number for what two tasks may number differently: novel concepts (instances, relations), documents."""
    names: set[Any] = set()
    for leaf in leaves:
        names.update(() if leaf.units is None else leaf.units.names())
    instances = all(leaf.local is not None and leaf.local.of == "instance" for leaf in leaves)
    for task in tasks if not names else ():  # a measure is made of one kind of unit alone
        if isinstance(task, Extraction):
            names.update(task.documents)
        elif instances:
            names.update(task.shared.names)
        else:
            names.update(task.learned.hierarchy.iris[concept] for concept in task.novel.tolist())
    return {name: place for place, name in enumerate(sorted(names))}


def _shared_units(leaf: Score, task: Task, number: dict[Any, int]) -> LongArray:
    if leaf.units is not None:
        return np.array([number[name] for name in leaf.units.names()], dtype=np.int64)
    units = _units(leaf, task)
    if isinstance(task, Extraction) or (leaf.local is not None and leaf.local.of == "instance"):
        names = task.documents if isinstance(task, Extraction) else task.shared.names
        shared: LongArray = np.array([number[name] for name in names], dtype=np.int64)[units]
        return shared
    size = len(task.gold.hierarchy)
    iris = task.learned.hierarchy.iris
    novel = [size + number[iris[unit - size]] for unit in units[units >= size].tolist()]
    result = units.copy()
    result[units >= size] = novel
    return result
