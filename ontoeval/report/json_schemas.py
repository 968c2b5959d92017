"""`json_schema`, `with_schema`: what the JSON of each command holds, as JSON Schema 2020-12; its name and number.

A new key keeps the number of a schema; a key that goes or means something else raises it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ontoeval.errors import ParameterError, did_you_mean
from ontoeval.version import __version__

PLACE = "https://w3id.org/ontoeval/schema/"
_Part = dict[str, Any]

TEXT: _Part = {"type": "string"}
NUMBER: _Part = {"type": "number"}
COUNT: _Part = {"type": "integer"}
FLAG: _Part = {"type": "boolean"}
TEXTS: _Part = {"type": "array", "items": TEXT}
# A score: null where it is undefined, a text where it is infinite.
VALUE: _Part = {"anyOf": [{"type": ["number", "null"]}, {"enum": ["inf", "-inf"]}]}


def _maybe(part: _Part) -> _Part:
    return {"anyOf": [part, {"type": "null"}]}


def _rows(part: _Part) -> _Part:
    return {"type": "array", "items": part}


def _by_name(part: _Part) -> _Part:
    """An object whose keys are names of measures, classes, systems."""
    return {"type": "object", "additionalProperties": part}


def _object(required: Mapping[str, _Part], optional: Mapping[str, _Part] | None = None) -> _Part:
    """An object with these keys; more may come with later releases."""
    return {"type": "object", "properties": {**required, **(optional or {})}, "required": list(required)}


def _open(part: _Part) -> _Part:
    """An object with further keys that depend on the ontology or the measure."""
    return {**part, "additionalProperties": True}


INTERVAL: _Part = {"type": "array", "items": VALUE, "minItems": 2, "maxItems": 2}
ANY: _Part = {}
_CONCEPT = {"iri": TEXT, "label": TEXT}

# What every evaluation has.
_SCORES = {
    "measures": TEXTS,
    "scores": _by_name(VALUE),
    "canonical_names": _by_name(TEXT),
    "undefined": _by_name(TEXT),
    "counts": _by_name(_by_name(VALUE)),
}
_MORE_SCORES = {
    "system": TEXT,
    "run": TEXT,
    "sha256": _by_name(TEXT),
    "unresolved_imports": _by_name(TEXTS),
    "warnings": TEXTS,
    "intervals": _by_name(INTERVAL),
    "no_interval": _by_name(TEXT),
    "by_property": _by_name(_rows(_object({**_CONCEPT, "value": VALUE, "relations": COUNT}))),
    "weights": ANY,
    "min_confidence": _by_name(NUMBER),
    "config": _object({"file": TEXT, "settings": {"type": "object"}}),
}
_MATCHING = _object(
    {
        "by": TEXT, "normalize": TEXTS, "languages": TEXTS, "matched": COUNT, "learned": COUNT, "gold": COUNT,
        "novel": COUNT, "missing": COUNT, "ambiguous": COUNT, "found": _by_name(COUNT), "notes": TEXTS,
    },
    {"left_out": COUNT},
)  # fmt: skip
_MATCHED_PAIR = _object(
    {"learned": TEXT, "gold": TEXT, "learned_label": TEXT, "gold_label": TEXT, "score": NUMBER, "by": TEXT}
)
_TEST = _object(
    {
        "measure": TEXT, "left": TEXT, "right": TEXT, "difference": _maybe(NUMBER), "p": _maybe(NUMBER),
        "p_adjusted": _maybe(NUMBER), "n": _maybe(COUNT), "test": TEXT,
    },
    {"interval": _maybe(INTERVAL)},
)  # fmt: skip
_CHECK = _object(
    {"run": TEXT, "measure": TEXT, "value": VALUE, "min": NUMBER, "passed": FLAG}, {"undefined": TEXT, "file": TEXT}
)
_SYSTEM = _object(
    {
        "system": TEXT, "runs": TEXTS,
        "scores": _by_name(
            _object({"mean": VALUE, "sd": _maybe(NUMBER), "n": COUNT, "undefined": COUNT, "values": _rows(VALUE)})
        ),
    }
)  # fmt: skip
_OF_ALL_RUNS = {"systems": _rows(_SYSTEM), "significance": _rows(_TEST), "checks": _rows(_CHECK), "warnings": TEXTS}

# compare
_RELATIVE = _object({**_CONCEPT, "common": FLAG}, {"learned": _maybe(TEXT), "gold": _maybe(TEXT)})
_RELATIVES = _rows(_RELATIVE)
_EXPLANATION = _object(
    {
        **_CONCEPT, "learned": _maybe(TEXT), "gold": _maybe(TEXT), "values": _by_name(VALUE),
        "reasons": _rows({"type": "object"}), "learned_parents": _RELATIVES, "gold_parents": _RELATIVES,
        "both": _RELATIVES, "only_learned": _RELATIVES, "only_gold": _RELATIVES,
    },
    {
        "moved": _maybe(TEXT), "merged_into": _maybe(_object(_CONCEPT, {"common": FLAG})),
        "relations": _by_name(_rows({"type": "object"})),
    },
)  # fmt: skip
_LEARNED_PARENTS = {"learned_parents": TEXTS, "learned_parent_iris": TEXTS}
_GOLD_PARENTS = {"gold_parents": TEXTS, "gold_parent_iris": TEXTS}
_MERGED_INTO = {"merged_into": _object(_CONCEPT)}
_MOVED = _rows(_object({**_CONCEPT, "gold": _object(_CONCEPT), **_LEARNED_PARENTS, **_GOLD_PARENTS}))
_LINKS = _rows(_object({"child": TEXT, "parent": TEXT, "labels": TEXTS}))
_GROUPS_OF_CONCEPTS = _rows(_rows(_object(_CONCEPT)))  # cycles, and links that have no direction
_ERRORS = _object(
    {
        "counts": _by_name(_maybe(COUNT)),
        "missing": _rows(_object({**_CONCEPT, **_GOLD_PARENTS}, _MERGED_INTO)),
        "novel": _rows(_object({**_CONCEPT, **_LEARNED_PARENTS}, _MERGED_INTO)),
        "moved_up": _MOVED, "moved_down": _MOVED, "moved_sideways": _MOVED,
        "inverted": _LINKS, "missing_links": _LINKS, "novel_links": _LINKS,
        "cycles": _GROUPS_OF_CONCEPTS, "gold_cycles": _GROUPS_OF_CONCEPTS,
    },
    {
        **dict.fromkeys(
            ("related_only_learned", "related_only_gold", "synonym_only_learned", "synonym_only_gold"),
            _GROUPS_OF_CONCEPTS,
        ),
        **dict.fromkeys(("relations_only_learned", "relations_only_gold"), _rows({"type": "object"})),
    },
)  # fmt: skip
_LOSS = _object(
    _CONCEPT | _LEARNED_PARENTS | _GOLD_PARENTS,
    {
        "precision": NUMBER, "recall": NUMBER, "wrong": COUNT, "lost": COUNT, "differences": _rows({"type": "object"}),
        "values": _by_name(VALUE), "learned": _maybe(TEXT), "gold": _maybe(TEXT),
    },
)  # fmt: skip
_INSTANCE_LOSS = _object(
    {"iri": TEXT, "precision": NUMBER, "recall": NUMBER, "wrong": COUNT, "lost": COUNT, "learned": TEXTS, "gold": TEXTS}
)
_COMPARISON = _object(
    {"learned": TEXT, "gold": TEXT, "matching": _MATCHING, **_SCORES},
    {
        **_MORE_SCORES, "learned_instances": TEXT, "gold_instances": TEXT, "ambiguous": _rows(_MATCHED_PAIR),
        "worst": _maybe(_rows(_LOSS)), "worst_by": TEXT, "worst_instances": _rows(_INSTANCE_LOSS),
        "explain": _rows(_maybe(_EXPLANATION)), "errors": _ERRORS,
    },
)  # fmt: skip

# annotations, labels, agreement
_UNKNOWN = _object({"name": TEXT, "key": COUNT, "response": COUNT}, {"ambiguous": TEXTS, "property": TEXT})
_JUDGED = {
    "response": TEXT, "key": TEXT, "by": TEXT, "unknown": TEXT, "documents": COUNT, **_SCORES,
    "only_in_response": TEXTS, "only_in_key": TEXTS, "unknown_classes": _rows(_UNKNOWN), "taken_by_local_name": TEXTS,
    "notes": _by_name(TEXTS),
}  # fmt: skip
_MORE_JUDGED = {
    **_MORE_SCORES, "ontology": TEXT, "root": TEXT, "unknown_names": COUNT,
    "per_document": _rows({"type": "object", "properties": {"document": TEXT}, "additionalProperties": VALUE}),
}  # fmt: skip
_ANNOTATIONS = _object(
    _JUDGED,
    {
        **_MORE_JUDGED, "kb": TEXT, "variant": TEXT, "individuals_without_class": TEXTS,
        "per_class": _rows(
            {
                "type": "object",
                "properties": {"class": TEXT, "individual": TEXT},
                "additionalProperties": VALUE,
            }
        ),
        "confusion": _rows(
            _object(
                {"count": COUNT, "similarity": NUMBER, "lost": NUMBER},
                dict.fromkeys(
                    ("key_class", "response_class", "key_individual", "response_individual"), _maybe(TEXT)
                ),
            )
        ),
    },
)  # fmt: skip
_LABELS = _object(_JUDGED, {**_MORE_JUDGED, "limit": COUNT, "threshold": NUMBER, "min_score": NUMBER})
_RANKS = _object(
    {
        "systems": _by_name(_by_name(_maybe(_object({"value": VALUE, "rank": NUMBER})))),
        "kendall": _by_name(VALUE),
    }
)
_AGREEMENT = _object(
    {
        "annotators": TEXTS,
        "measure": TEXT,
        "pairs": _rows(
            _object(
                {
                    "annotators": TEXTS, "F": VALUE, "F back": VALUE, "Kappa": VALUE, "Pi": VALUE, "Alpha": VALUE,
                    "items": COUNT, "agreed": COUNT, "undefined": _by_name(TEXT),
                }
            )
        ),
        "mean": _by_name(VALUE),
        "alpha": _object({"value": VALUE, "undefined": _maybe(TEXT), "counts": _by_name(VALUE)}),
    }
)  # fmt: skip

# concepts
_DEFINITIONS = _by_name(_open(_object({"measure": TEXT, "label": TEXT, "source": TEXT, "definition": TEXT})))
_PAIR = _object(
    {"left": ANY, "right": ANY, "given": TEXTS, "scores": _by_name(VALUE)},
    {"rating": NUMBER, "why": _by_name({"type": "object"}), "path": TEXTS, "through": TEXTS},
)
_WITH_ONTOLOGY = {"ontology": TEXT}
_RELATE: _Part = {
    "anyOf": [
        _object(
            {**_WITH_ONTOLOGY, "results": _rows(_PAIR), "definitions": _DEFINITIONS}, {"matching": _MATCHING}
        ),
        _object(
            {
                **_WITH_ONTOLOGY, "concepts": _rows(_object(_CONCEPT)), "matrices": _by_name(_rows(_rows(VALUE))),
                "definitions": _DEFINITIONS,
            },
            {"matching": _MATCHING},
        ),
    ]
}  # fmt: skip
_NEAREST = _object(
    {
        **_WITH_ONTOLOGY, "concept": TEXT, "label": TEXT,
        "nearest": _by_name(
            _rows(_object({"rank": COUNT, **_CONCEPT, "value": VALUE}, {"file": TEXT, "through": TEXTS}))
        ),
        "definitions": _DEFINITIONS,
    },
    {"matching": _MATCHING},
)  # fmt: skip
_LEFT_OUT = _rows(_object({"left": TEXT, "right": TEXT, "rating": NUMBER, "reason": TEXT}, {"line": COUNT}))
_CORRELATION = _object(
    {
        "ratings": TEXT, **_WITH_ONTOLOGY, "given": COUNT, "pairs": COUNT, "senses": TEXT, "words": COUNT,
        "words_with_several_senses": COUNT, "confidence": _maybe({"type": "object"}),
        "measures": _by_name(
            _object(
                {"pairs": COUNT, "left_out": _LEFT_OUT, "definition": ANY},
                {
                    **dict.fromkeys(("Pearson", "Spearman", "Kendall"), VALUE), "undefined": TEXT, "draws": COUNT,
                    "intervals": _by_name(_maybe(INTERVAL)),
                },
            )
        ),
        "left_out": _LEFT_OUT,
    }
)  # fmt: skip
_POINT = _object(
    {"mean": VALUE, "sd": _maybe(NUMBER), "n": COUNT, "values": _rows(VALUE)}, {"undefined": _by_name(COUNT)}
)
_SENSITIVITY = _object(
    {
        **_WITH_ONTOLOGY, "concepts": COUNT, "instances": COUNT, "measures": TEXTS, "runs": COUNT, "seed": COUNT,
        "match": TEXT,
        "perturbations": _rows(
            _object(
                {
                    "perturbation": TEXT, "level": _maybe(COUNT), "title": TEXT, "available": COUNT,
                    "points": _rows(_object({"amount": COUNT, "scores": _by_name(_POINT)})),
                }
            )
        ),
    }
)  # fmt: skip

# ontologies, stored scores, measures
_DESCRIPTION = _open(
    _object(
        {"source": TEXT, "format": _maybe(TEXT), "concepts": COUNT, "roots": COUNT, "leaves": COUNT, "edges": COUNT}
    )
)
_FINDING = _object(
    {"rule": TEXT, "severity": TEXT, "focus": TEXT, "label": _maybe(TEXT), "value": ANY, "message": TEXT}
)
_VALIDATION = _object(
    {
        "source": TEXT, "shapes": TEXT, "engine": TEXT, "conforms": FLAG, "counts": _by_name(COUNT),
        "findings": _rows(_FINDING),
    }
)  # fmt: skip
_MEASURE = _object(
    {
        "name": TEXT, "label": TEXT, "purpose": TEXT, "definition": TEXT, "sets": TEXTS, "source": TEXT,
        "dimension": TEXT, "task": TEXT, "range": INTERVAL, "best": VALUE, "symmetric": FLAG, "default": FLAG,
        "needs": TEXTS, "fixed": {"type": "object"}, "parameters": _by_name({"type": "object"}),
        "example": _maybe(TEXT),
    }
)  # fmt: skip
_QUERY: _Part = {
    "anyOf": [
        _object({"answer": FLAG}),
        _object({"columns": TEXTS, "rows": _rows({"type": "object"})}),
        _object(
            {
                "queries": _rows(
                    _object({"name": TEXT, "help": TEXT, "parameters": _rows({"type": "object"}), "text": TEXT})
                )
            }
        ),
    ]
}
_STORED_RUN = _object({"id": TEXT, "started": TEXT, "system": TEXT, "task": TEXT, "scores": COUNT})
# Files by their roles and settings of the task stand beside the scores.
_STORED_RESULT = _open(_object({"system": TEXT, "started": TEXT, **_SCORES}, _MORE_SCORES))

_DOCUMENTS: dict[str, tuple[int, str, _Part]] = {  # name -> number, what it is, its keys
    "compare": (
        1, "Learned ontologies scored against a gold standard",
        _object({"results": _rows(_COMPARISON)}, _OF_ALL_RUNS),
    ),
    "annotations": (
        1, "Text annotations scored against a gold standard",
        _object({"results": _rows(_ANNOTATIONS)}, {**_OF_ALL_RUNS, "agreement": _AGREEMENT}),
    ),
    "labels": (
        1, "Document labels or rankings scored against a gold standard",
        _object({"results": _rows(_LABELS)}, {**_OF_ALL_RUNS, "ranks": _RANKS}),
    ),
    "agreement": (1, "Agreement between annotators", _object({"agreement": _AGREEMENT})),
    "describe": (1, "Size, shape and labels of ontologies", _object({"ontologies": _rows(_DESCRIPTION)})),
    "match": (
        1, "Pairs of concepts of two ontologies",
        _object(
            {"learned": TEXT, "gold": TEXT, "matching": _MATCHING, "pairs": _rows(_MATCHED_PAIR),
             "ambiguous": _rows(_MATCHED_PAIR)},
            {"min_confidence": _by_name(NUMBER), "reference": {"type": "object"}},
        ),
    ),
    "relate": (1, "Similarities of pairs of concepts", _RELATE),
    "nearest": (1, "The concepts most similar to a concept", _NEAREST),
    "validate": (1, "Findings of SHACL shapes", _VALIDATION),
    "measures": (1, "Measures and their definitions", _object({"measures": _rows(_MEASURE)})),
    "correlate": (1, "Correlation of similarity measures with human ratings", _CORRELATION),
    "sensitivity": (1, "Scores of damaged copies of an ontology", _SENSITIVITY),
    "query": (1, "The answer to a query, or the named queries", _QUERY),
    "store-list": (1, "Runs in a store", _object({"runs": _rows(_STORED_RUN)})),
    "store-show": (1, "Scores of runs in a store", _object({"results": _rows(_STORED_RESULT)})),
}  # fmt: skip
NAMES = tuple(_DOCUMENTS)


def json_schema(name: str) -> dict[str, Any]:
    """The JSON Schema of the JSON of a command."""
    if name not in _DOCUMENTS:
        advice = f"{did_you_mean(name, NAMES)} Use one of: {', '.join(NAMES)}."
        raise ParameterError(f"no schema {name!r}", advice=advice.strip(), parameter="name")
    _, title, document = _DOCUMENTS[name]
    head = _object({"schema": {"const": _iri(name)}, "version": TEXT}, {"warnings": TEXTS})
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": _iri(name),
        "title": title,
        "allOf": [head, document],
    }


def with_schema(name: str, document: Mapping[str, Any]) -> dict[str, Any]:
    """A document that begins with the name of its schema and the version of this program, if it has a schema."""
    head = {"schema": _iri(name), "version": __version__} if name in _DOCUMENTS else {}
    return {**head, **document}


def _iri(name: str) -> str:
    return f"{PLACE}{name}-{_DOCUMENTS[name][0]}.json"
