"""`even_tree`: the tree of Bade & Benz: sizes of levels, two or three children each, `per_node` instances."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ontoeval.errors import ParameterError
from ontoeval.model.ontology import Ontology

BADE_BENZ = (1, 3, 7, 18, 45, 116)  # concepts of each level


def even_tree(per_node: int = 50, sizes: Sequence[int] = BADE_BENZ) -> Ontology:
    """The tree of Bade & Benz, section 4: 190 concepts on six levels, `per_node` instances on each but the root.

    Every concept above the last level has two or three children, the third ones spread evenly: with m concepts on a
    level and k more than 2m on the next, concept j = 0 ... m - 1 has three if ⌊(j + 1) k / m⌋ > ⌊j k / m⌋.
    """
    if isinstance(per_node, bool) or not isinstance(per_node, int) or per_node < 0:
        raise ParameterError(f"per_node must be a whole number >= 0, not {per_node!r}", parameter="per_node")
    if tuple(sizes[:1]) != (1,) or any(not 2 * m <= n <= 3 * m for m, n in pairwise(sizes)):
        raise ParameterError(
            f"{tuple(sizes)!r} are not level sizes: the first must be 1, each other 2 to 3 times the one before",
            advice="Use e.g. (1, 3, 7, 18).",
            parameter="sizes",
        )
    names = [
        [f"node-{level}-{place:0{len(str(size - 1))}d}" for place in range(size)] for level, size in enumerate(sizes)
    ]
    names[0] = ["root"]
    edges = []
    for parents, children in pairwise(names):
        more, size = len(children) - 2 * len(parents), len(parents)
        remaining = iter(children)
        for j, parent in enumerate(parents):
            three = (j + 1) * more // size > j * more // size
            edges += [(next(remaining), parent) for _ in range(3 if three else 2)]
    width = len(str(max(per_node - 1, 0)))
    instances = {
        f"{name.replace('node', 'item')}-{number:0{width}d}": name
        for level in names[1:]
        for name in level
        for number in range(per_node)
    }
    return Ontology.from_edges(
        edges, root="root", concepts=["root"], instances=instances, name=f"{sum(sizes)} concepts"
    )
