"""`write_matrix`: values of all pairs in npy, parquet, tsv, csv or GATE files (lines: load/tables/gate_bdm.py)."""

from __future__ import annotations

import csv
import gzip
import io
import os
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from ontoeval.analysis.relate import concept_measure, every_concept
from ontoeval.concepts.pairs import PairGrid, PairList
from ontoeval.concepts.space import Space
from ontoeval.errors import MissingInputError, OntoevalError, ParameterError, did_you_mean
from ontoeval.evaluation import Measures, NamedMeasure
from ontoeval.files import replacing_all
from ontoeval.load.tables.gate_bdm import BdmRow, gate_header, gate_lines
from ontoeval.measures import Measure
from ontoeval.measures.concepts.bdm import balance
from ontoeval.measures.concepts.pair_scores import pair_values
from ontoeval.model.arrays import BoolArray, FloatArray, LongArray
from ontoeval.model.ontology import Ontology
from ontoeval.tasks.concept_pairs import concept_ids, with_named_individuals

Kind = Literal["npy", "parquet", "tsv", "csv", "gate"]
Progress = Callable[[int, int], None]  # gets the rows that are done, and how many there are
FORMATS: tuple[Kind, ...] = get_args(Kind)

BLOCK = 1 << 24  # values in one block: 128 MB
LINES = 1 << 16  # pairs of a file of GATE at a time
_PAGE = 1 << 28  # bytes of IRIs beyond which a Parquet file would spell them out in every row
_CONCEPTS = ".concepts.tsv"  # end of the file beside a matrix


def write_matrix(
    ontology: Ontology,
    path: str | os.PathLike[str],
    measure: Measures = "BDM",
    concepts: Sequence[str] | npt.NDArray[Any] | None = None,
    *,
    format: str | None = None,
    single: bool = False,
    least: float | None = None,
    progress: Progress | None = None,
) -> int:
    """Write the values of all pairs of some concepts (or of all); the number of values that were written.

    Concepts are given by IRI, or as an array of ids from `ontology.hierarchy.ids`. The end of the path tells the
    format, or `format` does:

    - `npy`: a matrix for `numpy.load(path, mmap_mode="r")`, rows left, columns right; beside it PATH.concepts.tsv says
      which concept is which row;
    - `parquet` (needs pyarrow), `tsv`, `csv`, these two also `.gz`: a line for each pair, a column for each measure;
    - `gate`: the file that GATE's tools read, for BDM alone.

    In lists a symmetric measure has each pair once, a concept with itself included, others have every ordered pair;
    `least` keeps those of at least this value, of a distance those of at most this value. `single` writes numbers of
    single precision. A concept given twice counts once. What was at the path is lost only when the new file is whole.

    Examples
    --------
    >>> import numpy as np
    >>> import ontoeval as oe
    >>> animals = oe.Ontology.from_edges([("cat", "mammal"), ("dog", "mammal"), ("mammal", "animal")])
    >>> oe.write_matrix(animals, "animals.npy", "WP")
    16
    >>> np.load("animals.npy", mmap_mode="r").shape
    (4, 4)
    """
    target = Path(path)
    kind = file_format(str(target), format)
    entries = [measure] if isinstance(measure, str | Measure) else list(measure)
    job = _Job.of(ontology, entries, concepts, least, progress)
    job.check(kind, single)
    companions = [target.with_name(target.name + _CONCEPTS)] if kind == "npy" else []
    with replacing_all(target, *companions) as places:
        if kind == "npy":
            return job.write_npy(target, places[0], places[1], np.dtype("<f4" if single else "<f8"))
        if kind == "parquet":
            return job.write_parquet(places[0], single=single)
        with _text(places[0], compressed=target.suffix.lower() == ".gz") as stream:
            return job.write_gate(stream) if kind == "gate" else job.write_lines(stream, kind)


def file_format(path: str, format: str | None = None) -> Kind:
    """The format of a file of all pairs, as given or by the end of its name."""
    ending = Path(path.lower().removesuffix(".gz")).suffix.lstrip(".")
    kind = ending if format is None else format
    if kind in FORMATS and (format is not None or kind != "gate"):
        if path.lower().endswith(".gz") and kind in ("npy", "parquet"):
            raise ParameterError(
                f"{kind} cannot be compressed as .gz",
                place=path,
                advice="Remove .gz, or use .tsv.gz or .csv.gz.",
                parameter="path",
            )
        return kind
    if format is not None:
        raise ParameterError(
            f"unknown format {format!r} for all pairs",
            advice=f"{did_you_mean(format, FORMATS)} Use one of: {', '.join(FORMATS)}.".strip(),
            parameter="format",
        )
    raise ParameterError(
        f"unknown suffix {Path(path).suffix!r}",
        place=path,
        advice="Use one of: .npy .parquet .tsv .csv .tsv.gz .csv.gz, or the gate format.",
        parameter="path",
    )


@dataclass(frozen=True, eq=False)
class _Block:
    """The values of some rows and columns, as places among the concepts, and which of these pairs are listed."""

    low: int
    high: int
    first: int  # of the columns
    values: list[FloatArray]  # one for each measure
    listed: BoolArray

    @property
    def pairs(self) -> tuple[LongArray, LongArray]:
        """The places of the pairs that are listed."""
        rows, columns = np.nonzero(self.listed)
        rows += self.low
        columns += self.first
        return rows, columns


@dataclass(frozen=True, eq=False)
class _Job:
    """What to compute; a method for each format writes it."""

    ontology: Ontology
    names: list[str]
    measures: list[Measure]
    ids: LongArray
    least: float | None
    progress: Progress | None

    @classmethod
    def of(
        cls,
        ontology: Ontology,
        measures: Sequence[str | Measure | NamedMeasure],
        concepts: Sequence[str] | npt.NDArray[Any] | None,
        least: float | None,
        progress: Progress | None,
    ) -> _Job:
        if not measures:
            raise ParameterError("no measures", advice="Name one such as BDM.", parameter="measure")
        if concepts is not None and not len(concepts):
            raise ParameterError("the list of concepts is empty", advice="Add a concept.", parameter="concepts")
        if concepts is not None:
            ontology = with_named_individuals(ontology, concepts)
        ids = every_concept(ontology) if concepts is None else concept_ids(ontology, concepts)
        ids = np.array(list(dict.fromkeys(ids.tolist())), dtype=np.int64)
        named = {}
        for entry in measures:
            name, measure = entry if isinstance(entry, tuple) else (str(entry), entry)
            named[name.strip()] = concept_measure(measure)
        return cls(ontology, list(named), list(named.values()), ids, least, progress)

    def check(self, kind: Kind, single: bool) -> None:
        """ParameterError if format and parameters do not go together, before anything is computed."""
        if kind in ("npy", "gate") and len(self.measures) > 1:
            raise ParameterError(
                f"the {kind} format holds one measure, not {self._measure_names}",
                advice="Write one file for each, or use .parquet or .tsv.",
                parameter="measure",
            )
        if kind == "gate" and self.measures[0].definition.name != "BDM":
            raise ParameterError(
                f"the gate format holds only BDM, not {self._measure_names}",
                advice="Use BDM.",
                parameter="measure",
            )
        if kind == "npy" and self.least is not None:
            raise ParameterError(
                "a matrix holds all pairs and takes no minimum value",
                advice="Remove {least}, or use .parquet or .tsv.",
                parameter="least",
            )
        if self.least is not None and len(self.measures) > 1:
            raise ParameterError(
                f"a minimum value needs one measure, not {self._measure_names}",
                advice="Write one file for each.",
                parameter="least",
            )
        if single and kind not in ("npy", "parquet"):
            raise ParameterError(
                "single precision needs .npy or .parquet",
                advice="Remove {single}, or use one of them.",
                parameter="single",
            )

    @property
    def _measure_names(self) -> str:
        return ", ".join(self.names)

    @property
    def _symmetric(self) -> bool:
        return all(measure.definition.symmetric for measure in self.measures)

    def _done(self, rows: int) -> None:
        if self.progress is not None:
            self.progress(rows, len(self.ids))

    def _blocks(self, *, halved: bool) -> Iterator[_Block]:
        """All pairs, some rows at a time; `halved`: of each two pairs (a, b) and (b, a) one."""
        count, low = len(self.ids), 0
        self._done(0)
        while low < count:
            first = low if halved else 0
            high = min(count, low + max(BLOCK // ((count - first) * len(self.measures)), 1))
            grid = PairGrid(Space.of(self.ontology), self.ids[low:high], self.ids[first:])
            values = [pair_values(measure, grid) for measure in self.measures]
            listed = self._is_listed(values[0])
            if halved:
                listed &= np.arange(first, count) >= np.arange(low, high)[:, None]
            yield _Block(low, high, first, values, listed)
            self._done(high)
            low = high

    def _is_listed(self, values: FloatArray) -> BoolArray:
        if self.least is None:
            return np.ones(values.shape, dtype=bool)
        return values <= self.least if self.measures[0].best == 0.0 else values >= self.least

    def write_npy(self, target: Path, place: Path, companion: Path, dtype: np.dtype[Any]) -> int:
        """A file of numpy.

        It is written from the front to the back: through a memory map a full disk would end the process without a word,
        and the pages would count as memory of the process.
        """
        count = len(self.ids)
        _check_space(target, count * count * dtype.itemsize)
        iris, label = self.ontology.hierarchy.iris, self.ontology.label_of
        with open(companion, "w", encoding="utf-8", newline="") as stream:
            stream.write("row\tiri\tlabel\n")
            for row, concept in enumerate(self.ids.tolist()):
                stream.write(f"{row}\t{_cell(iris[concept])}\t{_cell(label(concept))}\n")
        with open(place, "wb") as file:
            shape = {"descr": np.lib.format.dtype_to_descr(dtype), "fortran_order": False, "shape": (count, count)}
            np.lib.format.write_array_header_1_0(file, shape)
            for block in self._blocks(halved=False):
                file.write(np.ascontiguousarray(block.values[0], dtype=dtype).data)
        return count * count

    def write_lines(self, stream: IO[str], kind: Literal["tsv", "csv"]) -> int:
        """Lines of two IRIs and the values."""
        separator = "\t" if kind == "tsv" else ","
        escape = _cell if kind == "tsv" else _csv_cell
        iris = self.ontology.hierarchy.iris
        names = [escape(iris[concept]) for concept in self.ids.tolist()]
        stream.write(separator.join(["left", "right", *map(escape, self.names)]) + "\n")
        written = 0
        for block in self._blocks(halved=self._symmetric):
            for row in range(block.high - block.low):
                listed_columns = np.flatnonzero(block.listed[row])
                numbers = ([_number(v) for v in values[row, listed_columns].tolist()] for values in block.values)
                left_cell = names[block.low + row] + separator
                rights = (names[block.first + column] for column in listed_columns.tolist())
                stream.writelines(
                    f"{left_cell}{separator.join(cells)}\n" for cells in zip(rights, *numbers, strict=True)
                )
                written += len(listed_columns)
        return written

    def write_parquet(self, place: Path, *, single: bool) -> int:
        """Columns of IRIs, each spelled once, and columns of values."""
        try:
            import pyarrow as pa
            import pyarrow.parquet as pq
        except ImportError:
            raise MissingInputError(
                "Parquet needs pyarrow",
                advice="Run `pip install 'ontoeval-toolkit[parquet]'`, or use .npy or .tsv.",
            ) from None
        iris, number = self.ontology.hierarchy.iris, pa.float32() if single else pa.float64()
        names = pa.array([iris[concept] for concept in self.ids.tolist()], pa.string())
        concept = pa.dictionary(pa.int32(), pa.string())
        schema = pa.schema([("left", concept), ("right", concept), *((name, number) for name in self.names)])
        written = 0
        with pq.ParquetWriter(place, schema, compression="zstd", dictionary_pagesize_limit=_PAGE,
                              use_dictionary=["left", "right"]) as writer:  # fmt: skip
            for block in self._blocks(halved=self._symmetric):
                places = [pa.array(side.astype(np.int32)) for side in block.pairs]
                ends = [pa.DictionaryArray.from_arrays(side, names) for side in places]
                # an undefined value is null
                numbers = [pa.array(values[block.listed], number, from_pandas=True) for values in block.values]
                if len(places[0]):
                    writer.write_table(pa.Table.from_arrays([*ends, *numbers], schema=schema))
                written += len(places[0])
        return written

    def write_gate(self, stream: IO[str]) -> int:
        """The file of GATE; the left concept is the response."""
        source = self.ontology.source
        stream.write(gate_header(source.iri or Path(source.path).name))
        written, count = 0, len(self.ids)
        self._done(0)
        low = 0
        while low < count:
            high = min(count, low + max(LINES // (count - low), 1))
            rows, columns = np.nonzero(np.arange(low, count) >= np.arange(low, high)[:, None])
            pairs = PairList(Space.of(self.ontology), self.ids[low + rows], self.ids[low + columns])
            for line in gate_lines(self._gate_rows(pairs)):
                stream.write(line)
                written += 1
            self._done(high)
            low = high
        return written

    def _gate_rows(self, pairs: PairList) -> Iterator[BdmRow]:
        space, iris = pairs.space, self.ontology.hierarchy.iris
        bdm = balance(pairs, self.measures[0].parameters["msca"])
        chains, mean = space.direct.chains
        part, same = space.closure.part, pairs.same
        # placeholders of a concept and itself, as GATE has them
        key, response = (np.where(same, 1.0, chains[part[side]]) for side in (pairs.right, pairs.left))
        listed = self._is_listed(bdm.score)
        for left, right, score, top, cp, dpk, dpr, n1, n2, branching in zip(
            *(
                column[listed].tolist()
                for column in (
                    pairs.left, pairs.right, bdm.score, bdm.msca, bdm.cp, bdm.right, bdm.left, key, response,
                    bdm.branching,
                )
            ),
            strict=True,
        ):  # fmt: skip
            msca = None if top < 0 else iris[left if left == right else space.member(top)]
            yield BdmRow(iris[right], iris[left], score, msca, cp, dpk, dpr, mean, n1, n2, branching)


def _cell(text: str) -> str:
    return re.sub(r"[\t\r\n]+", " ", text)


def _csv_cell(text: str) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow([text])
    return line.getvalue()


def _number(value: float) -> str:
    return "" if value != value else repr(value)  # nan is not itself


def _check_space(target: Path, needed: int) -> None:
    free = shutil.disk_usage(target.parent).free
    if needed > free:
        raise OntoevalError(
            f"the matrix needs {_size(needed)}, but only {_size(free)} is free",
            place=str(target),
            advice="Choose another path, single precision, a list of concepts, or a list of pairs (.parquet) with "
            "a minimum value.",
            parameter="path",
        )


def _size(count: int) -> str:
    return f"{count / 2**30:,.1f} GiB" if count >= 2**28 else f"{count / 2**20:,.1f} MiB"


@contextmanager
def _text(place: Path, *, compressed: bool) -> Iterator[IO[str]]:
    """A file of text; compressed without a date, so that the same numbers make the same file."""
    with open(place, "wb") as file:
        if not compressed:
            with io.TextIOWrapper(file, encoding="utf-8", newline="") as stream:
                yield stream
            return
        with (
            gzip.GzipFile(filename="", mode="wb", fileobj=file, compresslevel=6, mtime=0) as zipped,
            io.TextIOWrapper(zipped, encoding="utf-8", newline="") as stream,
        ):
            yield stream
