"""`Matrix`: values of all pairs of concepts, with their names (computed: relate.py; streamed: write_matrix.py)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ontoeval.analysis.relate import every_concept, relate_all
from ontoeval.measures import Measure
from ontoeval.model.arrays import FloatArray, freeze
from ontoeval.model.ontology import Ontology
from ontoeval.tables import TextTable, frame, in_notebook
from ontoeval.tables.table import SHOWN
from ontoeval.tasks.concept_pairs import concept_ids

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class Matrix:
    """Values of pairs: rows are the left concepts, columns the same concepts as right ones.

    It can be used as a numpy array: ``numpy.asarray(matrix)``, ``matrix[0, 1]``.
    """

    measure: Measure
    concepts: tuple[str, ...]  # IRIs
    labels: tuple[str, ...]
    values: FloatArray

    @classmethod
    def of(cls, ontology: Ontology, concepts: Sequence[str] | npt.NDArray[Any] | None, measure: Measure) -> Matrix:
        """Of some concepts by IRI or id, or of all by IRI."""
        ids = every_concept(ontology) if concepts is None else concept_ids(ontology, concepts)
        values = relate_all(ontology, ids, measure)
        iris = tuple(ontology.hierarchy.iris[concept] for concept in ids.tolist())
        return cls(measure, iris, tuple(map(ontology.label_of, ids.tolist())), freeze(values))

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        if copy or (dtype is not None and np.dtype(dtype) != self.values.dtype):
            return np.array(self.values, dtype=dtype)
        return self.values

    def __getitem__(self, place: Any) -> Any:
        return self.values[place]

    def __len__(self) -> int:
        return len(self.concepts)

    @property
    def shape(self) -> tuple[int, int]:
        """As many rows as columns."""
        return len(self), len(self)

    def to_frame(self) -> pd.DataFrame:
        """A pandas DataFrame with labels as rows and columns, or IRIs if two concepts have one label."""
        names = self.labels if len(set(self.labels)) == len(self) else self.concepts
        rows = [dict(zip(names, row, strict=True)) for row in self.values.tolist()]
        return frame(rows, names, str(self.measure), columns=names)

    def __repr__(self) -> str:
        return f"<Matrix of {self.measure}: {len(self):,} concepts>"

    def __str__(self) -> str:
        return f"{self!r}\n{np.array2string(self.values, threshold=SHOWN * SHOWN, precision=3)}\n"

    def _repr_html_(self) -> str:
        some = slice(0, SHOWN)
        rows = [[label, *row] for label, row in zip(self.labels[some], self.values[some, some].tolist(), strict=True)]
        note = f"the first {SHOWN} of {len(self):,} concepts" if len(self) > SHOWN else ""
        return in_notebook(TextTable(str(self.measure), ["", *self.labels[some]], rows), note)
