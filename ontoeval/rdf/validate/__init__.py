"""Does a graph conform to its shapes? SHACL for all shapes, and a fast check of the built-in rules for big graphs."""

from ontoeval.rdf.validate.check import LIMITS, Engine, validate
from ontoeval.rdf.validate.report import Finding, Report
from ontoeval.rdf.validate.shapes import shapes_path

__all__ = ["LIMITS", "Engine", "Finding", "Report", "shapes_path", "validate"]
