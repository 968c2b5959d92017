"""Which texts of two lists are similar."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

_ROUNDING = 1e-9  # 1 - 1/5 is not quite 0.8
_BLOCK = 16_000_000  # similarities held at a time


def similar(
    left: Sequence[tuple[int, str]], right: Sequence[tuple[int, str]], threshold: float
) -> Iterator[tuple[int, int, float]]:
    """Places in both lists, and how similar the texts are; an empty text is like nothing.

    Texts whose lengths differ too much cannot be similar, so each length meets its own window of lengths alone.
    """
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cdist

    order = sorted(range(len(right)), key=lambda place: len(right[place][1]))
    lengths = np.array([len(right[place][1]) for place in order])
    by_length: dict[int, list[int]] = {}
    for place, (_, text) in enumerate(left):
        by_length.setdefault(len(text), []).append(place)
    by_length.pop(0, None)
    for length, places in sorted(by_length.items()):
        least = threshold - _ROUNDING
        window = slice(*np.searchsorted(lengths, [length * least, length / least + 1e-6]))
        theirs = order[window]
        if not theirs:
            continue
        longer = np.maximum(length, lengths[window])
        most = int((1 - least) * longer.max() + 1)
        rows = max(1, _BLOCK // len(theirs))
        for start in range(0, len(places), rows):
            block = places[start : start + rows]
            distance = cdist(
                [left[place][1] for place in block],
                [right[place][1] for place in theirs],
                scorer=Levenshtein.distance,
                score_cutoff=most,
                dtype=np.int32,
            )
            similarity = 1 - distance / longer
            for row, column in zip(*np.nonzero(similarity >= least), strict=True):
                yield block[row], theirs[column], float(similarity[row, column])
