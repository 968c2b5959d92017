"""The tree of Bade & Benz."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ontoeval.edit.synthetic import even_tree
from ontoeval.errors import ParameterError


def test_the_tree_of_the_paper() -> None:
    """190 nodes, 74 inner ones, 41 with three children, all leaves on level 5; 50 instances on each of 189."""
    tree = even_tree()
    hierarchy = tree.hierarchy
    assert np.bincount(hierarchy.steps_down).tolist() == [1, 3, 7, 18, 45, 116]
    children = hierarchy.children.degree
    assert np.bincount(children).tolist() == [116, 0, 33, 41]
    assert np.all(hierarchy.steps_down[children == 0] == 5)
    assert np.all(hierarchy.parents.degree == np.where(np.arange(190) == 0, 0, 1))
    assert tree.instances is not None
    assert (len(tree.instances), tree.instances.strict) == (9450, True)
    often = np.bincount(tree.instances.strength.indices, minlength=190)
    assert often.tolist() == [0] + [50] * 189


def test_third_children_are_spread_evenly() -> None:
    """Of 3 concepts with 7 children the last has three; of 7 with 18 those of j = 1, 3, 5, 6 (⌊(j+1)4/7⌋ > ⌊j4/7⌋)."""
    hierarchy = even_tree(per_node=0).hierarchy
    children = dict(zip(hierarchy.iris, hierarchy.children.degree.tolist(), strict=True))
    assert [children[f"node-1-{j}"] for j in range(3)] == [2, 2, 3]
    assert [children[f"node-2-{j}"] for j in range(7)] == [2, 3, 2, 3, 2, 3, 3]


def test_other_sizes_and_no_instances() -> None:
    assert even_tree(per_node=0).instances is None
    small = even_tree(per_node=1, sizes=(1, 2, 5))
    assert len(small.hierarchy) == 8
    assert small.instances is not None
    assert len(small.instances) == 7
    assert len(even_tree(per_node=3, sizes=(1,)).hierarchy) == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"per_node": -1}, "per_node must be a whole number >= 0, not -1."),
        ({"per_node": 1.5}, "per_node must be a whole number >= 0, not 1.5."),
        (
            {"sizes": (1, 4)},
            "(1, 4) are not level sizes: the first must be 1, each other 2 to 3 times the one before. Use e.g. "
            "(1, 3, 7, 18).",
        ),
        (
            {"sizes": ()},
            "() are not level sizes: the first must be 1, each other 2 to 3 times the one before. Use e.g. (1, "
            "3, 7, 18).",
        ),
    ],
)
def test_what_makes_no_tree_is_refused(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(ParameterError) as error:
        even_tree(**arguments)
    assert str(error.value) == said
