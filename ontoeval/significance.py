"""How far a score can be trusted: bootstrap intervals, and paired tests of two learned ontologies.

The unit that is drawn or exchanged is a concept: a gold concept together with its learned partner, or a learned concept
without a partner. A score made of several averages (F-measures) is made anew of each draw.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ontoeval.errors import MissingInputError, ParameterError
from ontoeval.model.arrays import FloatArray, LongArray
from ontoeval.model.hierarchy import Hierarchy
from ontoeval.model.tasks import Comparison
from ontoeval.results import EvaluationResult, Score

_BLOCK = 8_000_000  # drawn numbers held at a time
ROUNDS = 1_000
PAIRED_ROUNDS = 10_000


def confidence(
    result: EvaluationResult, *, rounds: int = ROUNDS, level: float = 0.95, seed: int = 0
) -> EvaluationResult:
    """The same result with bootstrap intervals for every score that is made of averages over concepts.

    Concepts are drawn with replacement, as many as there are; the interval lies between the (1 - level) / 2 quantiles
    of the drawn values (percentile bootstrap, Efron 1979).
    """
    _check_rounds(rounds, seed)
    if not 0 < level < 1:
        raise ParameterError(f"the level {level!r} is not between 0 and 1. For instance: 0.95.")
    task = _task(result)
    scores = []
    for found in result.scores:
        leaves = _leaves(found.score)
        if leaves is None:
            scores.append(found)
            continue
        units = [_units(leaf, task) for leaf in leaves]
        values, present = _table(leaves, units, np.unique(np.concatenate(units)))
        drawn = np.concatenate(list(_resampled(found.score, values, present, rounds, np.random.default_rng(seed))))
        low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2]).tolist()
        scores.append(replace(found, interval=(low, high)))
    return replace(result, scores=tuple(scores))


def p_values(
    left: EvaluationResult, right: EvaluationResult, *, rounds: int = PAIRED_ROUNDS, seed: int = 0
) -> dict[str, float | None]:
    """Could two learned ontologies differ so by chance? The p of a paired randomisation test for each measure.

    In each round every concept changes sides with probability 1/2 (Noreen 1989); p = (1 + rounds in which the two
    differ at least as much as they do) / (1 + rounds). Two-sided; None where a measure is no average over
    concepts.
    """
    _check_rounds(rounds, seed)
    tasks = _task(left), _task(right)
    if not _same_hierarchy(tasks[0].gold.hierarchy, tasks[1].gold.hierarchy):
        raise ParameterError("the two results are not on the same gold standard. Compare both with one.")
    found: dict[str, float | None] = {}
    for score in left.scores:
        other = next((s for s in right.scores if s.measure == score.measure), None)
        if other is not None:
            pair = score.score, other.score
            found[score.name] = _paired(pair, tasks, rounds, np.random.default_rng(seed))
    return found


def _same_hierarchy(left: Hierarchy, right: Hierarchy) -> bool:
    return left is right or (
        left.iris == right.iris
        and np.array_equal(left.parents.indptr, right.parents.indptr)
        and np.array_equal(left.parents.indices, right.parents.indices)
    )


def _check_rounds(rounds: int, seed: int) -> None:
    if not isinstance(seed, int | np.integer) or seed < 0:
        raise ParameterError(f"{seed!r} is no seed. Give a whole number from 0 on.")
    if not isinstance(rounds, int | np.integer) or isinstance(rounds, bool) or rounds < 1:
        raise ParameterError(f"{rounds!r} is no number of rounds. Give a whole number, for instance {ROUNDS}.")


def _task(result: EvaluationResult) -> Comparison:
    if not isinstance(result.subject, Comparison):
        raise MissingInputError(
            "this needs the compared ontologies. Evaluate them again instead of reading the scores."
        )
    return result.subject


def _leaves(score: Score) -> list[Score] | None:
    """The averages that a score is made of; None if it is made of something else, too."""
    if score.undefined is not None:
        return None
    if score.combine is None:
        local = score.local
        weighty = local is not None and (len(local.values) if local.weights is None else local.weights.any())
        return [score] if weighty else None
    found: list[Score] = []
    for part in score.parts:
        inner = _leaves(part)
        if inner is None:
            return None
        found += inner
    return found


def _units(leaf: Score, task: Comparison) -> LongArray:
    """A number for what each local value is about: the gold concept, or behind those the novel learned one."""
    assert leaf.local is not None  # noqa: S101 - _leaves takes no others
    ids = leaf.local.ids.astype(np.int64)
    if leaf.local.of == "gold":
        return ids
    partner = task.matching.to_gold[ids].astype(np.int64)
    return np.where(partner >= 0, partner, len(task.gold.hierarchy) + ids)


def _table(leaves: Sequence[Score], units: Sequence[LongArray], known: LongArray) -> tuple[FloatArray, FloatArray]:
    """Units x leaves: the values times their weights, and the weights (0 where a unit takes no part)."""
    values, present = np.zeros((len(known), len(leaves))), np.zeros((len(known), len(leaves)))
    for column, (leaf, own) in enumerate(zip(leaves, units, strict=True)):
        assert leaf.local is not None  # noqa: S101
        rows = np.searchsorted(known, own)
        weights = 1.0 if leaf.local.weights is None else leaf.local.weights
        values[rows, column] = leaf.local.values * weights
        present[rows, column] = weights
    return values, present


def _blocks(rounds: int, width: int) -> Iterator[int]:
    step = max(1, _BLOCK // max(1, width))
    for start in range(0, rounds, step):
        yield min(step, rounds - start)


def _resampled(
    score: Score, values: FloatArray, present: FloatArray, rounds: int, random: np.random.Generator
) -> Iterator[FloatArray]:
    size = len(values)
    for count in _blocks(rounds, size):
        drawn = random.integers(0, size, size=(count, size))
        drawn += np.arange(count)[:, None] * size
        often = np.bincount(drawn.ravel(), minlength=count * size).reshape(count, size).astype(np.float64)
        yield _remade(score, often @ values, often @ present)


def _remade(score: Score, sums: FloatArray, counts: FloatArray) -> FloatArray:
    """The score of each round from the sums and counts of its leaves."""
    nothing = np.broadcast_to([leaf.empty for leaf in _leaves(score) or ()], sums.shape).copy()
    means = np.divide(sums, counts, out=nothing, where=counts > 0)
    columns = iter(range(means.shape[1]))

    def made(part: Score) -> Any:
        if part.combine is None:
            return means[:, next(columns)]
        return part.combine(*[made(inner) for inner in part.parts])

    result: FloatArray = np.asarray(made(score), dtype=np.float64)
    return result


def _paired(
    scores: tuple[Score, Score], tasks: tuple[Comparison, Comparison], rounds: int, random: np.random.Generator
) -> float | None:
    leaves = [_leaves(score) for score in scores]
    if leaves[0] is None or leaves[1] is None:
        return None
    (left, left_there), (right, right_there) = _outcomes(leaves[0], leaves[1], tasks)
    observed = abs(scores[0].value - scores[1].value)
    differ = np.any((left != right) | (left_there != right_there), axis=1)
    if not differ.any():
        return 1.0
    base = [(values.sum(axis=0), there.sum(axis=0)) for values, there in ((left, left_there), (right, right_there))]
    change = (right - left)[differ], (right_there - left_there)[differ]
    extreme = 0
    for count in _blocks(rounds, int(differ.sum())):
        swap = random.integers(0, 2, size=(count, int(differ.sum())), dtype=np.uint8).astype(np.float64)
        sums, counts = swap @ change[0], swap @ change[1]
        one = _remade(scores[0], base[0][0] + sums, base[0][1] + counts)
        two = _remade(scores[1], base[1][0] - sums, base[1][1] - counts)
        extreme += int(np.count_nonzero(np.abs(one - two) >= observed - 1e-12))
    return (1 + extreme) / (1 + rounds)


def _outcomes(
    left: Sequence[Score], right: Sequence[Score], tasks: tuple[Comparison, Comparison]
) -> list[tuple[FloatArray, FloatArray]]:
    """Both sides over the same units: gold concepts, and novel concepts by their IRI."""
    novel = {task.learned.hierarchy.iris[c] for task in tasks for c in task.novel.tolist()}
    number = {iri: place for place, iri in enumerate(sorted(novel))}
    units = [
        [_shared_units(_units(leaf, task), task, number) for leaf in leaves]
        for leaves, task in zip((left, right), tasks, strict=True)
    ]
    known = np.unique(np.concatenate([*units[0], *units[1]]))
    return [_table(leaves, own, known) for leaves, own in zip((left, right), units, strict=True)]


def _shared_units(units: LongArray, task: Comparison, number: dict[str, int]) -> LongArray:
    size = len(task.gold.hierarchy)
    iris = task.learned.hierarchy.iris
    novel = [size + number[iris[unit - size]] for unit in units[units >= size].tolist()]
    result = units.copy()
    result[units >= size] = novel
    return result
