"""GATE files of BDM: `read_bdm` gives `BdmTable`; `gate_header`, `gate_lines` (written by write_matrix.py)."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from ontoeval.errors import EmptyFileError, LoadError, ParameterError, number_of
from ontoeval.load.input import DEFAULT_LIMIT, open_input
from ontoeval.model.arrays import FloatArray, LongArray, freeze

_USE = "Use a file of BDM scores, with lines such as 'key=A, response=B, bdm=0.5, msca=C, cp=1, ...'."
_TITLE = re.compile(r"##.*\bontology named (.*?)\.?\s*")
_NO_MSCA = "no MSCA!"
_WHOLE = ("cp", "dpk", "dpr")
_REAL = ("bdm", "n0", "n1", "n2", "bran")


class BdmRow(NamedTuple):
    """One pair; where there is no common superconcept, `msca` is None and cp -1."""

    key: str
    response: str
    bdm: float
    msca: str | None
    cp: int
    dpk: int
    dpr: int
    n0: float
    n1: float
    n2: float
    bran: float


@dataclass(frozen=True, eq=False)
class BdmTable:
    """The pairs of a file, as columns; a number that a line lacks is -1 (cp, dpk, dpr) or nan."""

    name: str  # of the ontology
    key: tuple[str, ...]
    response: tuple[str, ...]
    bdm: FloatArray
    msca: tuple[str | None, ...]
    cp: LongArray
    dpk: LongArray
    dpr: LongArray
    n0: FloatArray
    n1: FloatArray
    n2: FloatArray
    bran: FloatArray
    path: str = "(memory)"
    unrelated: int = 0  # pairs whose score was -1

    def __post_init__(self) -> None:
        for array in (self.bdm, self.cp, self.dpk, self.dpr, self.n0, self.n1, self.n2, self.bran):
            freeze(array)

    def __len__(self) -> int:
        return len(self.key)

    def __repr__(self) -> str:
        return f"<BdmTable {self.path}: {len(self):,} pairs>"

    def score(self, a: str, b: str) -> float:
        """The score of two concepts, whichever is the key; 0 if the file does not have them."""
        score = self._scores.get((a, b))
        return self._scores.get((b, a), 0.0) if score is None else score

    @cached_property
    def _scores(self) -> dict[tuple[str, str], float]:
        """The first score of each pair, by its names in the order of the file."""
        scores: dict[tuple[str, str], float] = {}
        for a, b, score in zip(self.key, self.response, self.bdm.tolist(), strict=True):
            if (b, a) not in scores:
                scores.setdefault((a, b), score)
        return scores

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """Notes on what is unusual in the file."""
        notes = []
        if self.unrelated:
            scores = number_of(self.unrelated, "score is", "scores are")
            notes.append(f"{scores} -1 (no common superconcept, as in files of early 2009); read as 0")
        pairs = zip(self.key, self.response, self.bdm.tolist(), strict=True)
        several = {frozenset((a, b)) for a, b, score in pairs if self.score(a, b) != score}
        if several:
            notes.append(f"{number_of(len(several), 'pair has', 'pairs have')} several scores; the first is used")
        return tuple(notes)

    def rows(self) -> Iterator[BdmRow]:
        """The pairs, one by one."""
        fields = [getattr(self, name) for name in BdmRow._fields]
        columns = [column.tolist() if isinstance(column, np.ndarray) else column for column in fields]
        return map(BdmRow._make, zip(*columns, strict=True))


def read_bdm(source: object, *, max_size: int = DEFAULT_LIMIT) -> BdmTable:
    """Read a file that GATE, or `gate_lines`, wrote: fields by name, in any order.

    `source` is a path, '-' for stdin, bytes or an open file, compressed or not. Names are those of the file: full URIs,
    in files from before 2010 local names. Of a pair that comes twice the first score counts.
    """
    with closing(open_input(source, limit=max_size)) as file:
        path = file.name
        try:
            text = file.read_text(lenient_helps=False)
        except EmptyFileError:
            text = ""
    lines = [(number, line.rstrip("\r")) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if not lines:
        raise EmptyFileError("the file is empty", advice=_USE, path=path)
    title = _TITLE.fullmatch(lines[0][1])
    fields = [(number, _fields(line, number, path)) for number, line in lines if not line.startswith("##")]
    if not fields:
        raise LoadError("no scores found, only a title", advice=_USE, path=path)
    whole = {name: np.array([_whole(f, name, n, path) for n, f in fields], dtype=np.int64) for name in _WHOLE}
    real = {name: np.array([_real(f, name, n, path) for n, f in fields], dtype=np.float64) for name in _REAL}
    unrelated = real["bdm"] == -1
    real["bdm"][unrelated] = 0.0
    for (number, values), score in zip(fields, real["bdm"].tolist(), strict=True):
        if not 0 <= score <= 1:
            raise _error(f"the score {values['bdm']!r} is not a number from 0 to 1", number, path)
    return BdmTable(
        name=title[1] if title else "",
        key=tuple([values["key"] for _, values in fields]),
        response=tuple([values["response"] for _, values in fields]),
        msca=tuple([values.get("msca") for _, values in fields]),
        cp=whole["cp"],
        dpk=whole["dpk"],
        dpr=whole["dpr"],
        bdm=real["bdm"],
        n0=real["n0"],
        n1=real["n1"],
        n2=real["n2"],
        bran=real["bran"],
        path=path,
        unrelated=int(unrelated.sum()),
    )


def _fields(line: str, number: int, path: str) -> dict[str, str]:
    """`key=A, response=B, bdm=0.0,  no MSCA! cp=-1, ...` as names and values."""
    result: dict[str, str] = {}
    for part in line.split(", "):
        rest = part.lstrip()
        name, equals, value = rest.removeprefix(_NO_MSCA).lstrip().partition("=")
        if equals:
            result.setdefault(name, value)
        elif rest.removeprefix(_NO_MSCA).strip():
            raise _error(f"{part.strip()!r} is not a field", number, path)
    missing = next((name for name in ("key", "response", "bdm") if not result.get(name)), None)
    if missing:
        raise _error(f"no field {missing!r}", number, path)
    return result


def _whole(fields: dict[str, str], name: str, line: int, path: str) -> int:
    text = fields.get(name, "-1").strip()
    if not re.fullmatch(r"-?[0-9]{1,18}", text):
        raise _error(f"the field {name!r} must be a whole number, not {text!r}", line, path)
    return int(text)


def _real(fields: dict[str, str], name: str, line: int, path: str) -> float:
    text = fields.get(name, "nan").strip()
    try:
        return float(text)
    except ValueError:
        raise _error(f"the field {name!r} must be a number, not {text!r}", line, path) from None


def _error(problem: str, line: int, path: str) -> LoadError:
    return LoadError(problem, advice=_USE, path=path, format="gate", line=line)


def gate_header(name: str) -> str:
    """The first line of a file of scores; `name` is that of the ontology."""
    one_line = " ".join(name.split())
    return f"##The following are the BDM scores for each pair of concepts in the ontology named {one_line}.\n"


def gate_lines(rows: Iterable[BdmRow]) -> Iterator[str]:
    """One line for each pair, as GATE's tools read them."""
    for row in rows:
        for name in (row.key, row.response, row.msca or ""):
            if ", " in name or "\n" in name or "\r" in name:
                raise ParameterError(
                    f"the name {name!r} cannot be written to a GATE file, where ', ' or a line break ends a field",
                    advice="Use IRIs for concepts.",
                )
        common = f"{_NO_MSCA} cp=-1" if row.msca is None else f"msca={row.msca}, cp={row.cp}"
        yield (
            f"key={row.key}, response={row.response}, bdm={java_float(row.bdm)}, {' ' * (row.msca is None)}{common}, "
            f"dpk={row.dpk}, dpr={row.dpr}, n0={java_float(row.n0)}, n1={java_float(row.n1)}, "
            f"n2={java_float(row.n2)}, bran={java_float(row.bran)}\n"
        )


@lru_cache(maxsize=1 << 16)
def java_float(value: float) -> str:
    """A number in single precision as Java prints it: `1.0`, `2.8333333`, `1.0E-4`."""
    single = np.float32(value)
    size = abs(float(single))
    if not math.isfinite(size):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if not size or 1e-3 <= size < 1e7:
        return np.format_float_positional(single, unique=True, trim="0")  # str() has 9.999999e+06
    digits, _, power = np.format_float_scientific(single, unique=True, trim="0").partition("e")
    return f"{digits}E{int(power)}"
