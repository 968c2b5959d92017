"""`load_beside`: one of several ontologies that are read with the same imports; what only others import is left out."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from ontoeval.errors import OntoevalWarning, warn
from ontoeval.load.options import LoadOptions
from ontoeval.load.pipeline import load_ontology
from ontoeval.model.ontology import Ontology


def load_beside(source: Any, options: LoadOptions, of_other: Callable[[], Collection[str]], **more: Any) -> Ontology:
    """Load an ontology whose imports were named for others, too.

    A module that one side imports and the other does not would make concepts right, or novel, that the other side does
    not have. `of_other`: the files that none of the others imports; what no side imports is added to all.
    """
    if not options.imports or not isinstance(source, str | Path) or str(source) == "-":
        return load_ontology(source, options, **more)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OntoevalWarning)
        ontology = load_ontology(source, options, **more)
        unasked = set(ontology.source.unasked_imports)
        foreign = unasked.difference(of_other()) if unasked else unasked
    if foreign:
        imports = tuple(path for path in options.imports if str(path) not in foreign)
        return load_ontology(source, LoadOptions.make(options, imports=imports), **more)
    warn(ontology.source.warnings)
    return ontology


def unasked_imports(source: Any, options: LoadOptions) -> Collection[str]:
    """The files of the imports that an ontology does not import itself."""
    if isinstance(source, Ontology) or not isinstance(source, str | Path) or str(source) == "-":
        return [str(path) for path in options.imports]  # it is not read with them
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OntoevalWarning)
        options = LoadOptions.make(options, min_confidence=None, instances=None)  # which say nothing of imports
        return load_ontology(source, options).source.unasked_imports
