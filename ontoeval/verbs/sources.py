"""What is given to a verb as values: `as_ontology`, `as_corpus`; errors in the words of the verb (`worded_for`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields
from typing import Any

from ontoeval.errors import OntoevalError, ParameterError
from ontoeval.evaluation import Measures
from ontoeval.load import LoadOptions, load_beside, load_corpus, load_ontology, unasked_imports
from ontoeval.measures import Measure
from ontoeval.measures.names import split_names
from ontoeval.model.corpus import Corpus
from ontoeval.model.ontology import Ontology

Load = LoadOptions | Mapping[str, Any]
_LOAD_OPTIONS = frozenset(field.name for field in fields(LoadOptions))
_PARAMETER = re.compile(r"\{([a-z]\w*)(?:=([^{}]*))?\}")


def as_ontology(source: object, load: Load | None = None, **changes: Any) -> Ontology:
    """An ontology as it is; anything else is read with the options, and with `changes` to them."""
    if isinstance(source, Ontology):
        return source
    return load_ontology(source, LoadOptions.make(load, **changes))


def as_side(source: object, other: object, load: Load | None = None, **changes: Any) -> Ontology:
    """One of two ontologies, read with the options that both sides have."""
    if isinstance(source, Ontology):
        return source
    options = LoadOptions.make(load, **changes)
    return load_beside(source, options, lambda: unasked_imports(other, options))


def as_corpus(source: object, load: Load | None, *, labels: bool) -> Corpus:
    """A corpus as it is; anything else is read as one of spans or of labels."""
    if isinstance(source, Corpus):
        return source
    options = LoadOptions.make(load)
    return load_corpus(source, labels=labels, language=options.language, max_size=options.max_size)


def refuse_unused(load: Load | None, *sources: object) -> None:
    """Refuse options of loading where no ontology is read."""
    if load is not None and all(source is None or isinstance(source, Ontology) for source in sources):
        raise ParameterError(
            "no ontology is read, so nothing is done with load", advice="Remove {load}.", parameter="load"
        )


def entries_of(measures: Measures | None) -> list[Any] | None:
    """Measures as a list; a text may be several between commas. None: the default ones."""
    if measures is None:
        return None
    entries = split_names([measures]) if isinstance(measures, str) else _as_list(measures)
    if not entries:
        raise ParameterError(
            "no measures",
            advice="Name one such as 'TF_csc', or remove {measures} for the default ones.",
            parameter="measures",
        )
    return entries


def _as_list(measures: Measure | Iterable[Any]) -> list[Any]:
    return [measures] if isinstance(measures, Measure) else list(measures)


@contextmanager
def worded_for(**names: str) -> Iterator[None]:
    """Errors name the parameters of a verb: those of `names` by other names, options of loading inside `load`."""
    try:
        yield
    except OntoevalError as error:
        if error.advice is not None:
            error.advice = _PARAMETER.sub(lambda match: _parameter_text(match, names), error.advice)
        if error.parameter in _LOAD_OPTIONS:
            error.parameter = "load"
        error.parameter = names.get(error.parameter or "", error.parameter)
        raise


def _parameter_text(match: re.Match[str], names: Mapping[str, str]) -> str:
    name, value = match[1], match[2]
    if name in names:
        return f"{{{names[name]}}}" if value is None else f"{{{names[name]}={value}}}"
    if name in _LOAD_OPTIONS:
        return f'load={{{{"{name}": {"..." if value is None else repr(value)}}}'
    return match[0]
