"""The credit of single annotations."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
import twin_spans as twin
from hypothesis import given
from strategies import shuffles
from test_extraction import similarity, task_of

from ontoeval.measures import parse


def test_by_hand() -> None:
    keys = [[(0, 3, "man"), (4, 8, "city")], [(0, 2, "company")]]
    responses = [[(0, 3, "man"), (4, 8, "man"), (4, 8, "city")], [(1, 5, "company")]]
    task = task_of(keys, responses)
    score = parse("Credit(similarity=Flat)")(task)
    assert score.value == pytest.approx(2 / 5)
    assert score.local is not None
    names, label = task.unit_names["annotation"][:2]
    told = [(names[i], label(i), value) for i, value in zip(score.local.ids, score.local.values, strict=True)]
    assert told == [
        ("d0#char=0,3;key=0", "man at 0 to 3 of d0 (key)", 1.0),
        ("d0#char=4,8;key=1", "city at 4 to 8 of d0 (key)", 1.0),
        ("d1#char=0,2;key=0", "company at 0 to 2 of d1 (key)", 0.0),
        ("d0#char=4,8;response=2", "man at 4 to 8 of d0 (response)", 0.0),
        ("d1#char=1,5;response=0", "company at 1 to 5 of d1 (response)", 0.0),
    ]
    assert parse("Credit(similarity=Flat, spans=lenient)")(task).value == pytest.approx(3 / 4)
    assert parse("Credit")(task_of([[]], [[]])).value == 1.0


@given(random=shuffles())
def test_the_sum_of_the_best_pairing_over_all_that_was_to_be_found_or_was(random: Random) -> None:
    keys, responses = ([twin.document(random, most=4) for _ in range(2)] for _ in range(2))
    for name in ("Flat", "BDM"):
        for match in ("strict", "lenient"):
            best = [
                twin.best(k, r, match, lambda a, b, name=name: similarity(name, a, b))  # type: ignore[misc]
                for k, r in zip(keys, responses, strict=True)
            ]
            whole = sum(len(k) + len(r) for k, r in zip(keys, responses, strict=True)) - sum(t.pairs for t in best)
            score = parse("Credit", similarity=name, spans=match)(task_of(keys, responses))
            expected = sum(t.millionths for t in best) / 1e6 / whole if whole else 1.0
            assert score.value == pytest.approx(expected, abs=1e-5)
            assert score.local is not None
            assert len(score.local.values) == whole
            assert len(np.unique(score.local.ids)) == whole
