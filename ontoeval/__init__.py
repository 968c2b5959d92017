"""ontoeval: imports each public name when it is first used; which names are public is listed in `__init__.pyi`.

The package scores learned ontologies, annotations, classifications. `import ontoeval` costs next to nothing.
"""

import ast
import warnings
from importlib import import_module
from pathlib import Path
from typing import Any


def _public_names() -> dict[str, str]:
    """Name -> module, as the stub imports them."""
    stub = ast.parse(Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    imports = [node for node in stub.body if isinstance(node, ast.ImportFrom) and node.module is not None]
    return {alias.name: str(node.module) for node in imports for alias in node.names}


_MODULES = _public_names()
__all__ = list(_MODULES)

# Former public name -> where it is now; behind the blank what does the same among the public names.
_FORMER = {
    "Agreement": "analysis.human_agreement.HumanAgreement",
    "Alignment": "matching.alignment.Alignment",
    "Errors": "analysis.explain.Errors EvaluationResult.errors()",
    "Hierarchy": "model.hierarchy.Hierarchy",
    "HierarchyError": "errors.HierarchyError",
    "InstanceAssignment": "model.instances.InstanceAssignment",
    "Lexicon": "model.lexicon.Lexicon",
    "LoadError": "errors.LoadError",
    "LoadOptions": "load.LoadOptions",
    "LocalScores": "results.LocalScores",
    "MissingInputError": "errors.MissingInputError",
    "ParameterError": "errors.ParameterError",
    "Relations": "model.relations.Relations",
    "Score": "results.Score",
    "Sensitivity": "analysis.sensitivity.Sensitivity",
    "Source": "model.ontology.Source",
    "StoreError": "errors.StoreError",
    "UnknownConceptError": "errors.UnknownConceptError",
    "UnknownMeasureError": "errors.UnknownMeasureError",
    "UnknownRunError": "errors.UnknownRunError",
    "agree": "analysis.human_agreement.agree correlate()",
    "alpha": "analysis.annotator_agreement.alpha agreement()",
    "confidence": "analysis.significance.confidence EvaluationResult.with_intervals()",
    "confusions": "analysis.confusion.confusions EvaluationResult.confusions()",
    "cost_precision": "analysis.confusion.cost_precision",
    "differences": "analysis.significance.differences",
    "explain": "analysis.explain.explain EvaluationResult.explain()",
    "merge": "edit.merge.merge",
    "p_values": "analysis.significance.p_values",
    "per_class": "analysis.confusion.per_class EvaluationResult.per_class()",
    "to_graph": "rdf.ontology_writer.to_graph Ontology.to_rdflib()",
    "why": "analysis.relate.why",
    "worst": "analysis.worst.worst EvaluationResult.worst()",
    "write_all": "analysis.write_matrix.write_matrix write_matrix()",
    "write_ontology": "rdf.ontology_writer.write_ontology Ontology.save()",
    "write_scores": "rdf.store.write_scores EvaluationResult.save()",
}


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        value = getattr(import_module(_MODULES[name]), name)
        globals()[name] = value
        return value
    if name in _FORMER:
        place, _, public = _FORMER[name].partition(" ")
        module, _, attribute = f"{__name__}.{place}".rpartition(".")
        instead = f"{__name__}.{public}, or {attribute} of {module}" if public else f"{attribute} of {module}"
        warnings.warn(f"{__name__}.{name} is deprecated. Use {instead}.", DeprecationWarning, stacklevel=2)
        return getattr(import_module(module), attribute)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
