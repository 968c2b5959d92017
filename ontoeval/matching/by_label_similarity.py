"""`similar_pairs`: similar texts by edit distance for step `fuzzy` (which labels, which pairs win: matcher.py)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

_ROUNDING = 1e-9  # 1 - 1/5 is not quite 0.8
_BLOCK = 16_000_000  # similarities held at a time


def similar_pairs(
    left: Sequence[tuple[int, str]], right: Sequence[tuple[int, str]], threshold: float
) -> Iterator[tuple[int, int, float]]:
    """Positions in both lists, and the similarity of the texts; an empty text is similar to none.

    Texts whose lengths differ too much cannot be similar, so texts of one length are compared with a window of lengths.
    """
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cdist

    order = sorted(range(len(right)), key=lambda position: len(right[position][1]))
    lengths = np.array([len(right[position][1]) for position in order])
    by_length: dict[int, list[int]] = {}
    for position, (_, text) in enumerate(left):
        by_length.setdefault(len(text), []).append(position)
    by_length.pop(0, None)
    for length, positions in sorted(by_length.items()):
        least = threshold - _ROUNDING
        window = slice(*np.searchsorted(lengths, [length * least, length / least + 1e-6]))
        candidates = order[window]
        if not candidates:
            continue
        longer = np.maximum(length, lengths[window])
        most = int((1 - least) * longer.max() + 1)
        rows = max(1, _BLOCK // len(candidates))
        for start in range(0, len(positions), rows):
            block = positions[start : start + rows]
            distance = cdist(
                [left[position][1] for position in block],
                [right[position][1] for position in candidates],
                scorer=Levenshtein.distance,
                score_cutoff=most,
                dtype=np.int32,
            )
            similarity = 1 - distance / longer
            for row, column in zip(*np.nonzero(similarity >= least), strict=True):
                yield block[row], candidates[column], float(similarity[row, column])
