"""What `relate`, `nearest` print: tables, JSON, paths; `definition_lines` (data: analysis/pair_definition.py)."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from ontoeval.analysis.merged_paths import Bridge, bridges, file_of, merged_files
from ontoeval.analysis.pair_definition import definition
from ontoeval.analysis.pair_lookup import PairLookup
from ontoeval.errors import listed, number_of
from ontoeval.evaluation import NamedMeasure
from ontoeval.measures.concepts.pair_scores import PairScores
from ontoeval.model.arrays import Adjacency
from ontoeval.model.hierarchy import ROOT_NAME
from ontoeval.model.ontology import Ontology
from ontoeval.report.names import concept_names, curie
from ontoeval.results import NamedScore, plain
from ontoeval.tables import Cell, Layout, render, terminal_width
from ontoeval.tables.folding import fold
from ontoeval.tasks.concept_pairs import ConceptPairs

_LONGEST_PATH = 7  # concepts of a path that is shown whole
_GAP = "..."
_WIDEST = 120  # columns of a paragraph
_INDENT = 2


@dataclass(frozen=True, eq=False)
class PairReport:
    """Pairs of concepts with the values of some measures as text."""

    lookup: PairLookup
    task: ConceptPairs
    scores: Mapping[str, PairScores]
    with_parts: bool  # tables and documents of files say what values are made of
    digits: int = 3

    @property
    def _ontology(self) -> Ontology:
        return self.task.ontology

    @property
    def _ratings(self) -> list[float] | None:
        return None if self.task.ratings is None else self.task.ratings.tolist()

    @property
    def _from_file(self) -> bool:
        return self.lookup.table.source.format is not None

    @property
    def measures(self) -> list[NamedMeasure]:
        """The measures by the names that were asked for."""
        return [(name, scores.measure) for name, scores in self.scores.items()]

    def _concepts(self, scores: PairScores) -> tuple[list[str], list[str]]:
        """The IRIs of the concepts that each value is from, left and right."""
        iris, senses = self._ontology.hierarchy.iris, scores.senses
        left, right = ([iris[concept] for concept in side.tolist()] for side in (senses.left, senses.right))
        return left, right

    def _skipped_pairs(self) -> list[dict[str, Any]]:
        """The pairs of a file with an unknown name."""
        table = self.lookup.table
        return [
            {
                "left": table.left[place],
                "right": table.right[place],
                "line": table.lines[place],
                "unknown": self.lookup.unknown_names(place),
            }
            for place in self.lookup.unknown_places.tolist()
        ]

    @cached_property
    def _bridges(self) -> list[Bridge]:
        """Of each pair of a merged ontology the path between the files; nothing of a single one."""
        if self._ontology.merged is None:
            return []
        senses = next(iter(self.scores.values())).senses
        return bridges(self._ontology, senses.left, senses.right)

    def document(self) -> dict[str, Any]:
        """For JSON: full precision, IRIs."""
        concepts = {name: self._concepts(scores) for name, scores in self.scores.items()}
        with_parts = self.with_parts or not self._from_file
        values = {name: scores.values.tolist() for name, scores in self.scores.items()}
        parts = {name: scores.parts() for name, scores in self.scores.items()} if with_parts else {}
        left, right = next(iter(concepts.values()))
        ratings = self._ratings
        results = []
        for place, names in enumerate(self.lookup.names):
            entry: dict[str, Any] = {
                "left": left[place],
                "right": right[place],
                "given": list(names),
                **({} if ratings is None else {"rating": ratings[place]}),
                "scores": {name: json_value(column[place]) for name, column in values.items()},
            }
            if parts:
                entry["why"] = {
                    name: {
                        "left": concepts[name][0][place],
                        "right": concepts[name][1][place],
                        **{key: json_value(part) for key, part in column[place].items()},
                    }
                    for name, column in parts.items()
                }
            if self._bridges:
                entry |= {"path": list(self._bridges[place].path), "through": list(self._bridges[place].through)}
            results.append(entry)
        return {
            "ontology": self._ontology.source.path,
            "results": results,
            **({"skipped": self._skipped_pairs()} if self._from_file else {}),
            **_matching_entry(self._ontology),
            "definitions": definition_entries(self._ontology, self.measures),
        }

    def table(self, layout: Layout) -> str:
        """A row for each pair."""
        names, ratings = self.lookup.names, self._ratings
        header = ["left", "right"]
        columns: list[Sequence[Cell]] = [[left for left, _ in names], [right for _, right in names]]
        if ratings is not None:
            header.append("rating")
            columns.append(ratings)
        for name, scores in self.scores.items():
            header.append(name)
            columns.append([without_nan(value) for value in scores.values.tolist()])
            if self.with_parts:
                for title, column in self._part_columns(scores, layout):
                    header.append(f"{name} {title}")
                    columns.append(column)
        if self._bridges and (self.with_parts or not layout.for_people):
            header.append("through")
            columns.append([", ".join(_labels(self._ontology, bridge.through)) for bridge in self._bridges])
        cells = [list(row) for row in zip(*columns, strict=True)]
        title = (
            f"{number_of(len(names), 'pair', 'pairs')} of {file_names(self._ontology)}"
            if layout is Layout.TABLE
            else ""
        )
        return render(title, header, cells, layout, precision=self.digits)

    def _part_columns(self, scores: PairScores, layout: Layout) -> Iterator[tuple[str, list[Any]]]:
        """What the values are made of: a column for each part, or for people one of words."""
        rows = self._parts_with_concepts(scores)
        if layout.for_people:
            yield "why", [parts_in_words(self._ontology, parts) for parts in rows]
            return
        for key in dict.fromkeys(key for parts in rows for key in parts):
            yield key, [_part_cell(parts.get(key)) for parts in rows]

    def _parts_with_concepts(self, scores: PairScores) -> list[dict[str, Any]]:
        """What the values are made of, first the concepts that were taken if there was a choice."""
        if self.task.names is None:
            return scores.parts()
        left, right = self._concepts(scores)
        return [
            {"left": left_concept, "right": right_concept, **parts}
            for left_concept, right_concept, parts in zip(left, right, scores.parts(), strict=True)
        ]

    def single_pair(self, layout: Layout) -> str:
        """One pair for people: a row for each measure; if asked for, the concepts and what the values are made of."""
        values = {name: without_nan(scores.values.tolist()[0]) for name, scores in self.scores.items()}
        header, rows = ["measure", "value"], [[name, value] for name, value in values.items()]
        if self.with_parts:
            header = [*header, "why"]
            parts = (parts_in_words(self._ontology, scores.parts()[0]) for scores in self.scores.values())
            rows = [[*row, part] for row, part in zip(rows, parts, strict=True)]
        table = render("", header, rows, layout, precision=self.digits)
        if layout is not Layout.TABLE:
            return table
        left, right = self._pair_names()
        concepts = self._taken_concepts() if self.with_parts else ""
        return f"{left} and {right} in {file_names(self._ontology)}\n{concepts}{table}"

    def _pair_names(self) -> list[str]:
        """What the two are called: the concept that the name stands for, or the name if it is one of several."""
        named, ends = [], self.task.ends(0)
        for written, senses in zip(self.lookup.names[0], ends, strict=True):
            (name,) = _concept_names(self._ontology, senses[:1])
            named.append(name if len(senses) == 1 else written)
        return named

    def sense_remarks(self) -> Iterator[str]:
        """The names of a single pair that several concepts have."""
        for written, senses in zip(self.lookup.names[0], self.task.ends(0), strict=True):
            if len(senses) > 1:
                yield f"{len(senses)} concepts have the name {written!r}; the best pair is used"

    def _taken_concepts(self) -> str:
        """Which concepts were taken, and by which measures if they differ."""
        lines: list[tuple[str, str, str, str]] = []
        concepts = {name: self._concepts(scores) for name, scores in self.scores.items()}
        for side, (role, written) in enumerate(zip(("left", "right"), self.lookup.names[0], strict=True)):
            measures_by_iri: dict[str, list[str]] = {}
            for name, sides in concepts.items():
                measures_by_iri.setdefault(sides[side][0], []).append(name)
            senses = self.task.ends(0)[side]
            for iri, measures in measures_by_iri.items():
                remark = "" if len(senses) == 1 else f"one of {len(senses)} concepts with the name {written!r}"
                if self._ontology.merged is not None:
                    remark = f"{_file_in_words(self._ontology, iri)} {remark}".rstrip()
                remark += f", for {', '.join(measures)}" if len(measures_by_iri) > 1 else ""
                lines.append((role, self._ontology.label_of(self._ontology.hierarchy.id(iri)), iri, remark))
        columns = [column for column in zip(*lines, strict=True) if any(column)]
        table = render("", [""] * len(columns), list(zip(*columns, strict=True)), Layout.TABLE)
        paths = [f"  path: {_bridge_in_words(self._ontology, bridge)}" for bridge in self._bridges]
        folded = (line for text in paths for line in fold(text, terminal_width(), indent=_INDENT))
        return table + "".join(f"{line}\n" for line in folded)

    def skipped_remark(self) -> str | None:
        """Which pairs were left out, if some were."""
        skipped, pairs = self._skipped_pairs(), len(self.lookup.table)
        if not skipped:
            return None
        names = listed(f"{' and '.join(map(repr, pair['unknown']))} in line {pair['line']}" for pair in skipped)
        unknown = "unknown name" if len(skipped) == len(skipped[0]["unknown"]) == 1 else "unknown names"
        return f"{self.lookup.table.source.path}: left out: {len(skipped):,} of {pairs:,} pairs ({unknown}: {names})"


def file_names(ontology: Ontology) -> str:
    """The name of the file, or of the two files of a merged ontology, without folders."""
    files = ontology.merged
    paths = [ontology.source.path] if files is None else [files.learned.path, files.gold.path]
    names = " and ".join(Path(path).name for path in paths)
    return names if files is None else f"{names} ({files.matched:,} matched)"


def _file_in_words(ontology: Ontology, iri: str) -> str:
    """Which of two merged files has a concept."""
    files, where = merged_files(ontology), file_of(ontology, ontology.hierarchy.id(iri))
    if where == "both":
        return "in both"
    return f"in {Path((files.learned if where == 'learned' else files.gold).path).name}"


def _bridge_in_words(ontology: Ontology, bridge: Bridge) -> str:
    """The path between two files by labels, and the matched concepts on it."""
    if not bridge.path:
        return "only through an added root"
    matched = ", ".join(_labels(ontology, bridge.through)) or "none"
    return f"{path_in_words(ontology, bridge.path)}; in both files: {matched}"


def matrix_document(
    ontology: Ontology, concepts: Sequence[str], matrices: Mapping[str, list[list[float]]], measures: list[NamedMeasure]
) -> dict[str, Any]:
    """All pairs of some concepts, for JSON: a matrix for each measure."""
    labels = zip(concepts, _labels(ontology, concepts), strict=True)
    return {
        "ontology": ontology.source.path,
        "concepts": [{"iri": iri, "label": label} for iri, label in labels],
        "matrices": {name: [list(map(json_value, row)) for row in rows] for name, rows in matrices.items()},
        "definitions": definition_entries(ontology, measures),
    }


def matrix_tables(
    ontology: Ontology,
    concepts: Sequence[str],
    matrices: Mapping[str, list[list[float]]],
    layout: Layout,
    digits: int,
) -> str:
    """All pairs of some concepts: a matrix for each measure."""
    names = _concept_names(ontology, concepts) if layout.for_people else list(concepts)
    texts = []
    for measure, rows in matrices.items():
        cells: list[list[Cell]] = [[name, *map(without_nan, row)] for name, row in zip(names, rows, strict=True)]
        corner = "" if layout is Layout.TABLE else measure
        title = f"{measure} (rows left, columns right)"
        texts.append(render(title, [corner, *names], cells, layout, precision=digits))
    return "\n".join(texts)


def _concept_names(ontology: Ontology, iris: Sequence[str]) -> list[str]:
    """What concepts are called in front of people."""
    return concept_names(iris, _labels(ontology, iris))


def _labels(ontology: Ontology, iris: Sequence[str]) -> list[str]:
    return [ontology.label_of(concept) for concept in ontology.hierarchy.ids(iris).tolist()]


def nearest_document(
    ontology: Ontology, iri: str, nearest: Mapping[str, Sequence[NamedScore]], measures: list[NamedMeasure]
) -> dict[str, Any]:
    """The nearest concepts by each measure, for JSON."""
    return {
        "ontology": ontology.source.path,
        "concept": iri,
        "label": ontology.label_of(ontology.hierarchy.id(iri)),
        "nearest": {
            name: [
                {
                    "rank": rank,
                    "iri": concept.iri,
                    "label": concept.label,
                    "value": json_value(concept.value),
                    **_where(ontology, iri, concept.iri),
                }
                for rank, concept in enumerate(concepts, 1)
            ]
            for name, concepts in nearest.items()
        },
        **_matching_entry(ontology),
        "definitions": definition_entries(ontology, measures),
    }


def _matching_entry(ontology: Ontology) -> dict[str, Any]:
    """How the files of a merged ontology were matched."""
    return {} if ontology.merged is None else {"matching": dict(ontology.merged.matching)}


def _where(ontology: Ontology, iri: str, other: str) -> dict[str, Any]:
    """Of a concept of a merged ontology: which file has it, and the matched concepts on the way from another."""
    if ontology.merged is None:
        return {}
    ends = (np.array([ontology.hierarchy.id(end)]) for end in (iri, other))
    (bridge,) = bridges(ontology, *ends)
    return {"file": file_of(ontology, ontology.hierarchy.id(other)), "through": list(bridge.through)}


def _where_cells(ontology: Ontology, iri: str, other: str) -> list[Cell]:
    where = _where(ontology, iri, other)
    return [where["file"], ", ".join(_labels(ontology, where["through"]))] if where else []


def nearest_tables(
    ontology: Ontology, iri: str, nearest: Mapping[str, Sequence[NamedScore]], layout: Layout, digits: int
) -> str:
    """The nearest concepts by each measure: a table for each, or one with a column for the measure."""
    if layout is not Layout.TABLE:
        rows = [
            [
                name,
                rank,
                concept.label,
                concept.iri,
                without_nan(concept.value),
                *_where_cells(ontology, iri, concept.iri),
            ]
            for name, concepts in nearest.items()
            for rank, concept in enumerate(concepts, 1)
        ]
        return render(
            "", ["measure", "rank", "concept", "IRI", "value", *_where_header(ontology)], rows, layout, precision=digits
        )
    (name,) = _concept_names(ontology, [iri])
    texts = []
    for measure, concepts in nearest.items():
        names = concept_names([concept.iri for concept in concepts], [concept.label for concept in concepts])
        rows = [
            [rank, shown, without_nan(concept.value), *_where_cells(ontology, iri, concept.iri)]
            for rank, (shown, concept) in enumerate(zip(names, concepts, strict=True), 1)
        ]
        title = f"Nearest to {name} in {file_names(ontology)}"
        texts.append(render(title, ["", "concept", measure, *_where_header(ontology)], rows, layout, precision=digits))
    return "\n".join(texts)


def _where_header(ontology: Ontology) -> list[str]:
    return ["file", "through"] if ontology.merged is not None else []


def without_nan(value: float | None) -> float | None:
    """A value for a cell of a table: none where it is undefined."""
    return None if value is None or value != value else value  # nan is not itself


def json_value(part: Any) -> Any:
    """A value or a part of it as JSON can say it."""
    return plain(part) if isinstance(part, float) else part


def _part_cell(part: Any) -> Any:
    return " ".join(part) if isinstance(part, list) else without_nan(part) if isinstance(part, float) else part


# what values are made of


def parts_in_words(ontology: Ontology, parts: Mapping[str, Any]) -> str:
    """The parts one after the other, concepts by label: `MSCA Organization, CP 5, DPK 1, ...`."""
    return ", ".join(text for key, part in parts.items() if (text := _part_in_words(ontology, key, part)))


def _part_in_words(ontology: Ontology, key: str, part: Any) -> str:
    if isinstance(part, list):
        return path_in_words(ontology, part) if part else f"no {key}"
    if key in ("left", "right"):  # one of several concepts of one label
        return f"{key} {curie(part)}"
    if isinstance(part, str):
        return f"{key} {ontology.label_of(ontology.hierarchy.id(part)) if part in ontology.hierarchy else part}"
    if part is None:
        return f"no {key}" if key in ("MSCA", "MICA", "ancestor") else ""
    return f"{key} {_number(part)}"


def _number(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def path_in_words(ontology: Ontology, path: Sequence[str]) -> str:
    """A path by labels: `a < b > c` goes up from a to b and down to c; `=` is a synonym edge and `~` a related one.

    Of a long one both ends are shown and where it turns.
    """
    ids = [0 if iri == ROOT_NAME and ontology.hierarchy.root_added else ontology.hierarchy.id(iri) for iri in path]
    signs = [_sign(ontology, low, high) for low, high in pairwise(ids)]
    last = len(ids) - 1
    turns = {place for place in range(1, last) if signs[place - 1] != signs[place]}
    shown = {0, 1, last - 1, last} | turns if len(ids) > _LONGEST_PATH else set(range(len(ids)))
    texts = [ontology.label_of(ids[0])]
    for place in range(1, len(ids)):
        if place in shown:
            texts += [signs[place - 1], ontology.label_of(ids[place])]
        elif place - 1 in shown:
            texts += [signs[place - 1], _GAP]
    return " ".join(texts)


def _sign(ontology: Ontology, tail: int, head: int) -> str:
    hierarchy = ontology.hierarchy
    if _has_edge(hierarchy.synonyms, tail, head):
        return "="
    if _has_edge(hierarchy.parents, tail, head):
        return "<"
    return ">" if _has_edge(hierarchy.parents, head, tail) else "~"


def _has_edge(edges: Adjacency, tail: int, head: int) -> bool:
    return head in edges.indices[edges.indptr[tail] : edges.indptr[tail + 1]]


# definitions


def definition_entries(ontology: Ontology, measures: Iterable[NamedMeasure]) -> dict[str, dict[str, Any]]:
    """What somebody with another tool needs to see why numbers differ, for JSON."""
    return {name: definition(ontology, measure) for name, measure in measures}


def definition_lines(ontology: Ontology, measures: Iterable[NamedMeasure]) -> str:
    """What somebody with another tool needs to see why numbers differ, a paragraph for each measure."""
    width = min(terminal_width(), _WIDEST)
    entries = list(definition_entries(ontology, measures).values())
    texts = []
    measures_by_formula: dict[str, list[str]] = {}  # of information content
    for entry in entries:
        first = entry["definition"].split(". ")[0].rstrip(".")
        texts.append(f"{entry['measure']}: {entry['label']}: {first}. {entry['source']}.")
        if "ic" in entry:
            measures_by_formula.setdefault(entry["ic"], []).append(entry["measure"].partition("(")[0])
    for formula, names in measures_by_formula.items():
        which = f" of {listed(dict.fromkeys(names))}" if len(measures_by_formula) > 1 else ""
        texts.append(f"IC(c){which} = {formula}.")
    closing = [f"Root: {entries[0]['root']}", f"{entries[0]['concepts']:,} concepts"]
    closing += next((_weight_texts(entry) for entry in entries if entry.get("weights")), [])
    texts.append("; ".join(closing) + ".")
    return "\n".join(textwrap.fill(text, width, subsequent_indent="    ", break_on_hyphens=False) for text in texts)


def _weight_texts(entry: Mapping[str, Any]) -> list[str]:
    """The different weights of each kind of edge, and those that were set."""
    kinds = [f"{kind} {' or '.join(f'{weight:g}' for weight in some[:3])}" for kind, some in entry["weights"].items()]
    by_name = [f"{name} {weight:g}" for name, weight in entry.get("weights_by_name", {}).items()]
    return [f"weights of links: {', '.join(kinds)}", *([f"by name: {', '.join(by_name)}"] if by_name else [])]
