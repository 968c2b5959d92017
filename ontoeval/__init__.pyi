"""The documented names of ontoeval and where they live; `__init__.py` imports each when it is first used."""

from ontoeval.analysis.sensitivity import sensitivity
from ontoeval.analysis.write_matrix import write_matrix
from ontoeval.edit.perturb import perturb
from ontoeval.errors import OntoevalError, OntoevalWarning
from ontoeval.evaluation import evaluate
from ontoeval.load import load_mapping, load_ontology
from ontoeval.load.corpora import load_corpus
from ontoeval.matching.matching import Matching
from ontoeval.measures import all_measures, measure, parse
from ontoeval.model.corpus import Corpus
from ontoeval.model.ontology import Ontology
from ontoeval.rdf.store import Store, read_scores
from ontoeval.results import EvaluationResult, ResultTable
from ontoeval.tasks.comparison import Comparison
from ontoeval.tasks.concept_pairs import ConceptPairs
from ontoeval.tasks.extraction import Extraction
from ontoeval.verbs.concepts import correlate, nearest, relate, relate_all
from ontoeval.verbs.corpora import agreement, compare_annotations, compare_labels
from ontoeval.verbs.ontologies import compare, match
from ontoeval.version import __version__

__all__ = [
    "Comparison",
    "ConceptPairs",
    "Corpus",
    "EvaluationResult",
    "Extraction",
    "Matching",
    "OntoevalError",
    "OntoevalWarning",
    "Ontology",
    "ResultTable",
    "Store",
    "__version__",
    "agreement",
    "all_measures",
    "compare",
    "compare_annotations",
    "compare_labels",
    "correlate",
    "evaluate",
    "load_corpus",
    "load_mapping",
    "load_ontology",
    "match",
    "measure",
    "nearest",
    "parse",
    "perturb",
    "read_scores",
    "relate",
    "relate_all",
    "sensitivity",
    "write_matrix",
]
