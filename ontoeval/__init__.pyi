"""The public names of ontoeval and where they live; `__init__.py` imports each when it is first used."""

from ontoeval.analysis.annotator_agreement import alpha
from ontoeval.analysis.confusion import confusions, cost_precision, per_class
from ontoeval.analysis.explain import Errors, explain
from ontoeval.analysis.human_agreement import Agreement, agree
from ontoeval.analysis.relate import nearest, relate, relate_all, why
from ontoeval.analysis.sensitivity import Sensitivity, sensitivity
from ontoeval.analysis.significance import confidence, differences, p_values
from ontoeval.analysis.worst import worst
from ontoeval.analysis.write_all import write_all
from ontoeval.edit.merge import merge
from ontoeval.edit.perturb import perturb
from ontoeval.errors import (
    HierarchyError,
    LoadError,
    MissingInputError,
    OntoevalError,
    OntoevalWarning,
    ParameterError,
    StoreError,
    UnknownConceptError,
    UnknownMeasureError,
    UnknownRunError,
)
from ontoeval.evaluation import evaluate
from ontoeval.load import LoadOptions, load_mapping, load_ontology
from ontoeval.load.corpora import load_corpus
from ontoeval.matching.alignment import Alignment
from ontoeval.matching.matcher import Matching, match
from ontoeval.measures import all_measures, measure, parse
from ontoeval.model.corpus import Corpus
from ontoeval.model.hierarchy import Hierarchy
from ontoeval.model.instances import InstanceAssignment
from ontoeval.model.lexicon import Lexicon
from ontoeval.model.ontology import Ontology, Source
from ontoeval.model.relations import Relations
from ontoeval.rdf.ontology_writer import to_graph, write_ontology
from ontoeval.rdf.store import Store, read_scores, write_scores
from ontoeval.results import EvaluationResult, LocalScores, ResultTable, Score
from ontoeval.tasks.comparison import Comparison
from ontoeval.tasks.concept_pairs import ConceptPairs
from ontoeval.tasks.extraction import Extraction
from ontoeval.version import __version__

__all__ = [
    "Agreement",
    "Alignment",
    "Comparison",
    "ConceptPairs",
    "Corpus",
    "Errors",
    "EvaluationResult",
    "Extraction",
    "Hierarchy",
    "HierarchyError",
    "InstanceAssignment",
    "Lexicon",
    "LoadError",
    "LoadOptions",
    "LocalScores",
    "Matching",
    "MissingInputError",
    "OntoevalError",
    "OntoevalWarning",
    "Ontology",
    "ParameterError",
    "Relations",
    "ResultTable",
    "Score",
    "Sensitivity",
    "Source",
    "Store",
    "StoreError",
    "UnknownConceptError",
    "UnknownMeasureError",
    "UnknownRunError",
    "__version__",
    "agree",
    "all_measures",
    "alpha",
    "confidence",
    "confusions",
    "cost_precision",
    "differences",
    "evaluate",
    "explain",
    "load_corpus",
    "load_mapping",
    "load_ontology",
    "match",
    "measure",
    "merge",
    "nearest",
    "p_values",
    "parse",
    "per_class",
    "perturb",
    "read_scores",
    "relate",
    "relate_all",
    "sensitivity",
    "to_graph",
    "why",
    "worst",
    "write_all",
    "write_ontology",
    "write_scores",
]
