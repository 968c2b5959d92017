"""`load_beside`: an ontology with the imports of another one; what it does not import itself is left out."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

from ontoeval.errors import OntoevalWarning, warn
from ontoeval.load.options import LoadOptions
from ontoeval.load.pipeline import load_ontology
from ontoeval.model.ontology import Ontology


def load_beside(source: Any, options: LoadOptions, **more: Any) -> Ontology:
    """Load a gold standard whose imports were named for both sides.

    A module of the learned ontology, added to a gold standard that does not import it, would make its concepts right.
    """
    if not options.imports or not isinstance(source, str | Path) or str(source) == "-":
        return load_ontology(source, options, **more)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OntoevalWarning)
        ontology = load_ontology(source, options, **more)
    unasked = set(ontology.source.unasked_imports)
    if unasked:
        imports = tuple(path for path in options.imports if str(path) not in unasked)
        return load_ontology(source, LoadOptions.make(options, imports=imports), **more)
    warn(ontology.source.warnings)
    return ontology
