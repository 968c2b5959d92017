"""ontoeval: how good a learned ontology, annotation or classification is, against a gold standard."""

from ontoeval.errors import (
    HierarchyError,
    LoadError,
    MissingInputError,
    OntoevalError,
    ParameterError,
    UnknownConceptError,
)  # fmt: skip
from ontoeval.load import load_ontology, to_graph
from ontoeval.model.hierarchy import Hierarchy
from ontoeval.model.instances import InstanceAssignment
from ontoeval.model.lexicon import Lexicon
from ontoeval.model.ontology import Ontology, Source

__all__ = [
    "Hierarchy",
    "HierarchyError",
    "InstanceAssignment",
    "Lexicon",
    "LoadError",
    "MissingInputError",
    "OntoevalError",
    "Ontology",
    "ParameterError",
    "Source",
    "UnknownConceptError",
    "load_ontology",
    "to_graph",
]
