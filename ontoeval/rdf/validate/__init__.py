"""No code, only imports: `validate` (check.py), `Report`, `Finding`, `shapes_path`, `LIMITS`."""

from ontoeval.rdf.validate.check import LIMITS, Engine, validate
from ontoeval.rdf.validate.report import Finding, Report
from ontoeval.rdf.validate.shapes import shapes_path

__all__ = ["LIMITS", "Engine", "Finding", "Report", "shapes_path", "validate"]
