"""Only imports: `load_ontology` (pipeline.py), `load_beside`, `load_corpus`, `load_mapping`, `load_pairs`, ...

Only this folder reads foreign formats.
"""

from __future__ import annotations

from ontoeval.load.beside import load_beside, unasked_imports
from ontoeval.load.corpora import load_corpus
from ontoeval.load.mappings import load_mapping
from ontoeval.load.options import LoadOptions
from ontoeval.load.pipeline import load_ontology
from ontoeval.load.tables.counts import load_counts
from ontoeval.load.tables.gate_bdm import read_bdm
from ontoeval.load.tables.rated_pairs import load_pairs

__all__ = [
    "LoadOptions",
    "load_beside",
    "load_corpus",
    "load_counts",
    "load_mapping",
    "load_ontology",
    "load_pairs",
    "read_bdm",
    "unasked_imports",
]
