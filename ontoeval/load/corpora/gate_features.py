"""`Chooser`: which GATE annotations count, their class and instance (feature names: format.py); `add_notes`, checks."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any

from ontoeval.errors import LoadError, did_you_mean, listed, number_of
from ontoeval.load.corpora.format import (
    BY_TYPE,
    CLASS_FEATURES,
    INSTANCE_FEATURES,
    AnnotationContent,
    CorpusOptions,
    Findings,
)

MARKUP = "Original markups"  # where GATE keeps the tags of the file that the text came from: not annotations
WITHOUT = "annotations without a class; left out"
WITHOUT_KEPT = "annotations without a class; kept"
_KEPT = 10_000  # different annotations at a time
_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*+:\S")  # or a CURIE
_canonical: Callable[[Any], str] = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str
).encode


class Chooser:
    """Selects the annotations of one file by the user's options, and counts for the whole corpus what is there."""

    def __init__(self, options: CorpusOptions, path: str, format: str) -> None:
        self.path, self.format = path, format
        self.annotation_set = options.annotation_set
        self.types = frozenset(options.types)
        self.by_type = options.class_feature == BY_TYPE
        self.class_features = (options.class_feature,) if options.class_feature else CLASS_FEATURES
        self.instance_features = (options.instance_feature,) if options.instance_feature else INSTANCE_FEATURES
        self.instance_is_enough = options.instance_feature is not None
        self.findings = options.findings
        self.findings.has_sets = True
        self.contents: dict[Hashable, AnnotationContent] = options.findings.contents

    def count_set(self, name: str, size: int) -> bool:
        """Whether to look into a set of so many annotations."""
        self.findings.sets[name] += size
        return self.selects_set(name)

    def selects_set(self, name: str) -> bool:
        """The same, without counting."""
        return name != MARKUP if self.annotation_set is None else name == self.annotation_set

    def content(self, type: str, features: Mapping[str, Any], key: Hashable = None) -> AnnotationContent:
        """The class and instance of an annotation; by `key` (type and features) it is kept, as many are the same."""
        holder, concept = self._class(type, features)
        instance = self._first(self.instance_features, features)
        try:
            text = canonical(type, features)
        except RecursionError:
            raise LoadError(
                "the features of an annotation are nested too deep",
                advice="Export the document again.",
                path=self.path,
                format=self.format,
            ) from None
        content = AnnotationContent(concept, instance, text, holder, tuple(map(str, features)))
        if len(self.contents) >= _KEPT:
            self.contents.clear()
        if key is not None:
            self.contents[key] = content
        return content

    def keeps(self, name: str, content: AnnotationContent) -> bool:
        """Whether an annotation of that set counts; to be asked only for those of the chosen types."""
        findings = self.findings
        if content.concept is not None:
            findings.class_features[content.holder] += 1
        else:
            findings.features.update(content.features)
            if not self.types and not (content.instance is not None and self.instance_is_enough):
                findings.counts[WITHOUT] += 1
                return False
            findings.counts[WITHOUT_KEPT] += 1
        findings.used_sets[name] += 1
        return True

    def _class(self, type: str, features: Mapping[str, Any]) -> tuple[str, str | None]:
        if self.by_type:
            return BY_TYPE, type
        for feature in self.class_features:
            value = features.get(feature)
            if value is not None:
                return feature, _with_ontology(self._text(feature, value), features.get("ontology"))
        return "", None

    def _first(self, names: Iterable[str], features: Mapping[str, Any]) -> str | None:
        for name in names:
            value = features.get(name)
            if value is not None:
                return self._text(name, value)
        return None

    def _text(self, feature: str, value: Any) -> str:
        if isinstance(value, str):
            return value
        if isinstance(value, int | float):
            return json.dumps(value)
        raise LoadError(
            f"the feature {feature!r} of an annotation is {_short_repr(value)}, expected one name",
            advice="Choose another feature for classes or instances.",
            path=self.path,
            format=self.format,
        )

    def check_one_set(self) -> None:
        """Refuse annotations of more than one set if no set was chosen."""
        used = self.findings.used_sets
        if self.annotation_set is None and len(used) > 1:
            raise LoadError(
                f"annotations are in several sets: {_with_counts(used)}",
                advice="Set {annotation_set}.",
                parameter="annotation_set",
                path=self.path,
                format=self.format,
            )


def check_options(options: CorpusOptions, path: str) -> None:
    """Refuse options that fit nothing in the whole corpus, after all of it was read."""
    findings = options.findings
    if not findings.has_sets:
        return
    name = options.annotation_set
    if name is not None and name not in findings.sets:
        raise LoadError(
            f"no annotation set {name!r}",
            advice=f"{did_you_mean(name, findings.sets)} Sets: {_with_counts(findings.sets) or 'none'}.".strip(),
            parameter="annotation_set",
            path=path,
        )
    if options.class_feature and found_no_class(findings):
        raise LoadError(
            f"no annotation has the feature {options.class_feature!r}",
            advice=f"{did_you_mean(options.class_feature, findings.features)} "
            f"Features: {_with_counts(findings.features) or 'none'}.".lstrip(),
            parameter="class_feature",
            path=path,
        )


def add_notes(options: CorpusOptions) -> None:
    """Note where the classes were found, and what was left out."""
    findings = options.findings
    if not findings.has_sets:
        return
    if options.annotation_set is None and findings.used_sets:
        for name, number in sorted(findings.used_sets.items()):
            findings.note(f"{number_of(number, 'annotation', 'annotations')} of the {_set_name(name)}")
    if options.class_feature == BY_TYPE:
        findings.note("the type of an annotation is used as its class")
    elif findings.class_features:
        findings.note(f"classes are read from the feature {_with_counts(findings.class_features)}")
    absent = [type for type in options.types if type not in findings.types]
    if absent:
        types = _with_counts(findings.types) or "none"
        findings.note(f"no annotation has the type {listed(map(repr, absent))}. Types: {types}")


def found_no_class(findings: Findings) -> bool:
    """Whether there are annotations, none of which has a feature that is known to hold classes."""
    return findings.counts[WITHOUT] + findings.counts[WITHOUT_KEPT] > 0 and not findings.class_features


def canonical(type: str, features: Mapping[str, Any]) -> str:
    """All of an annotation but its place, as one text: the same for the same features in any order."""
    try:
        return _canonical([type, features])
    except TypeError:  # keys of YAML and MessagePack may be of several kinds
        return _canonical([type, _text_keys(features)])


def _text_keys(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _text_keys(inner) for key, inner in value.items()}
    return [_text_keys(inner) for inner in value] if isinstance(value, list | tuple) else value


def _with_ontology(name: str, ontology: Any) -> str:
    """The IRI of a local name in an ontology; a name without one, or an IRI, as it is."""
    if not name or not ontology or not isinstance(ontology, str) or _IRI.match(name):
        return name
    return f"{ontology}{name}" if ontology.endswith(("#", "/")) else f"{ontology}#{name}"


def _short_repr(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _set_name(name: str) -> str:
    return f"set {name!r}" if name else "default set"


def _with_counts(counts: Counter[str]) -> str:
    return listed(f"{name!r} ({'' if name else 'default, '}{number:,})" for name, number in sorted(counts.items()))
