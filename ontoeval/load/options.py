"""`LoadOptions`: the options of `load_ontology` with defaults and checks (on the command line: cli/options.py)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from numbers import Real
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pyoxigraph as ox

from ontoeval.errors import ParameterError, did_you_mean
from ontoeval.load.input import DEFAULT_LIMIT
from ontoeval.matching.near_duplicates import Alike
from ontoeval.model.edge_weights import EdgeWeights
from ontoeval.model.hierarchy import OnCycle
from ontoeval.model.instances import Assigned

Profile = Literal["auto", "owl", "skos"]
Reasoner = Literal["hermit", "elk"]
LEARNED_ONLY = ("min_confidence", "merge_labels", "instances")  # say nothing of a gold standard loaded beside
COLUMNS = ("child", "parent", "weight", "confidence", "label", "id")


@dataclass(frozen=True, kw_only=True)
class LoadOptions:
    """How an ontology is loaded. Where several values may be given, a single string or path will do."""

    # The name of a format (`formats.FORMATS`), instead of the one that the content shows.
    format: str | None = None
    # Which side of a file that has OWL classes and SKOS concepts; "auto": that of which there are more.
    profile: Profile = "auto"
    # "auto": the single top or an added one; "new": an added one; "none"; or a concept.
    root: str = "auto"
    # Keep cycles (their concepts are each other's ancestors), or refuse them.
    on_cycle: OnCycle = "keep"
    # By kind {"hierarchical": 1, "related": 1, "synonym": 0}, or by property {"broadMatch": 2, "altLabel": 0.5}, see
    # `model.edge_weights`. A weight that the file gives to an edge goes before that of its property and of its kind.
    weights: Mapping[str, float] | None = None
    # Keep the labels in one language: "en" takes en, then en-GB, then those without a language.
    language: str | None = None
    # "hermit" (needs Java) or "elk": the inferred hierarchy instead of the asserted one.
    reason: Reasoner | None = None
    # Seconds after which a reasoner is stopped.
    reason_timeout: float = 600
    # Files whose triples are added, and folders or catalogues in which owl:imports are looked up.
    imports: Sequence[str | Path] = ()
    # Further properties whose triples or restrictions are hierarchical edges.
    relations: Sequence[str] = ()
    # Keep relations other than is-a: assertions, restrictions, domain and range (for RelP, RelR and RelF).
    other_relations: bool = False
    # Properties (IRI, OBO id or local name) whose relations hold in both directions, besides those the file says so of.
    symmetric: Sequence[str] = ()
    # Keep the concepts whose IRI starts so (or of an OBO namespace); paths through dropped ones become edges.
    namespaces: Sequence[str] = ()
    # Keep only this concept and its descendants.
    below: str | None = None
    # Keep only the concepts of this SKOS concept scheme.
    scheme: str | None = None
    # Merge concepts whose labels differ only in case, or also in spacing and punctuation.
    merge_labels: Alike | None = None
    # Keep deprecated concepts.
    deprecated: bool = False
    # Count skos:broaderTransitive and narrowerTransitive.
    transitive: bool = False
    # Count skos:broadMatch and narrowMatch.
    mappings: bool = False
    # Count skos:closeMatch as a synonym.
    close_match: bool = False
    # A TSV (instance, concept[, strength]) or a mapping, instead of the instances in the file.
    instances: str | Path | Assigned | None = None
    # A property from a document to its concepts, besides rdf:type and dct:subject.
    instance_property: str | None = None
    # A property whose (smallest) value, not its IRI, names an instance; of several the first that an instance has.
    instance_key: Sequence[str] = ()
    # Leave out assignments of instances to concepts that are weaker.
    min_strength: float = 0.0
    # Leave out instances that are assigned to several concepts.
    strict_instances: bool = False
    # Leave out links whose learner is less confident of them, and concepts that lose all their links by it.
    min_confidence: float | None = None
    # The order of a TSV's columns: names of `COLUMNS`, with commas or one by one.
    columns: Sequence[str] | None = None
    # The base of relative IRIs.
    base_iri: str | None = None
    # Read slightly broken files, too.
    lenient: bool = False
    # Refuse files that unpack to more bytes.
    max_size: int = DEFAULT_LIMIT

    def __post_init__(self) -> None:
        EdgeWeights.of(self.weights, _as_tuple(self.relations))  # an error comes before a large file is read
        if not isinstance(self.root, str):
            raise ParameterError(
                f"root must be a string, not {self.root!r}",
                advice="Use 'auto', 'new', 'none' or the IRI of a concept.",
                parameter="root",
            )
        for name, noun in (
            ("profile", "profile"),
            ("reason", "reasoner"),
            ("on_cycle", "on_cycle"),
            ("merge_labels", "merge_labels"),
        ):
            self._check_choice(name, noun)
        for name in ("imports", "relations", "symmetric", "namespaces", "instance_key"):
            self._set(name, _as_tuple(getattr(self, name)))
        if self.columns is not None:
            self._set("columns", tuple(checked_columns(self.columns)))
        if self.instance_property is not None:
            check_iri(self.instance_property, "instance property", "instance_property")
        for key in self.instance_key:
            check_iri(key, "instance key", "instance_key")
        if not 0 <= self.min_strength <= 1:
            raise ParameterError(
                f"min_strength must be a number from 0 to 1, not {self.min_strength!r}",
                parameter="min_strength",
            )
        if self.min_confidence is not None:
            self._set("min_confidence", _checked_confidence(self.min_confidence))
        if self.base_iri is not None and not _is_absolute(self.base_iri):
            raise ParameterError(
                f"the base IRI {self.base_iri!r} is not an absolute IRI",
                advice="Use e.g. http://example.org/onto.",
                parameter="base_iri",
            )

    @classmethod
    def make(cls, options: LoadOptions | Mapping[str, Any] | None = None, **changes: Any) -> LoadOptions:
        """The options, or those that a mapping names, with some of them changed."""
        names = [field.name for field in fields(cls)]
        by_name = changes if options is None or isinstance(options, LoadOptions) else {**options, **changes}
        for name in by_name:
            if name not in names:
                raise ParameterError(
                    f"unknown option {name!r} of load_ontology",
                    advice=f"{did_you_mean(name, names)} Use one of: {', '.join(names)}.".strip(),
                    parameter=name,
                )
        return replace(options, **by_name) if isinstance(options, LoadOptions) else cls(**by_name)

    @classmethod
    def choices(cls, name: str) -> tuple[str, ...]:
        """The values of an option that takes one of a few names; () for any other."""
        kinds = get_type_hints(cls)[name]
        literals = [kind for kind in (kinds, *get_args(kinds)) if get_origin(kind) is Literal]
        return tuple(value for kind in literals for value in get_args(kind))

    def _check_choice(self, name: str, noun: str) -> None:
        value, choices = getattr(self, name), self.choices(name)
        if value not in choices and not (name in ("reason", "merge_labels") and value is None):
            raise ParameterError(
                f"unknown {noun} {value!r}",
                advice=f"{did_you_mean(str(value), choices)} Use one of: {', '.join(choices)}.".strip(),
                parameter=name,
            )

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)


def checked_columns(columns: str | Sequence[str]) -> list[str]:
    """`child,parent,label` as a list of known columns, child and parent among them."""
    names = [name.strip().casefold() for name in (columns.split(",") if isinstance(columns, str) else columns)]
    for name in names:
        if name not in COLUMNS:
            raise ParameterError(
                f"unknown column {name!r}",
                advice=f"{did_you_mean(name, COLUMNS)} Use one of: {', '.join(COLUMNS)}.".strip(),
                parameter="columns",
            )
    if len(set(names)) < len(names) or not {"child", "parent"} <= set(names):
        raise ParameterError(
            f"the columns {','.join(names)!r} do not contain child and parent once each",
            advice="Use e.g. child,parent.",
            parameter="columns",
        )
    return names


def _checked_confidence(value: object) -> float:
    if not isinstance(value, Real) or isinstance(value, bool) or not math.isfinite(value):
        raise ParameterError(
            f"min_confidence must be a finite number, not {value!r}",
            advice="Use e.g. 0.3.",
            parameter="min_confidence",
        )
    return float(value)


def check_iri(value: str, noun: str, parameter: str) -> None:
    """Refuse what is no absolute IRI."""
    if not _is_absolute(value):
        raise ParameterError(f"the {noun} {value!r} is not an IRI", advice="Use its full IRI.", parameter=parameter)


def _is_absolute(iri: str) -> bool:
    try:
        ox.NamedNode(iri)
    except ValueError:
        return False
    return True


def _as_tuple(value: Any) -> tuple[Any, ...]:
    """One or several; a string is one, not its letters."""
    return (value,) if isinstance(value, (str, Path)) else tuple(value)
