"""`Report`: `Finding`s, counts, `conforms`, `check` raises, JSON; `Breach` of an engine (printed: cli/validate.py)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple, get_args

from ontoeval.errors import ValidationError, number_of

Severity = Literal["violation", "warning", "info"]

SEVERITIES: tuple[Severity, ...] = get_args(Severity)  # the worst first


@dataclass(frozen=True)
class Finding:
    """One breach of a rule."""

    rule: str
    severity: Severity
    focus: str  # the node that breaks it: an IRI, _:id, or a literal as in N-Triples
    value: str | None  # what is wrong about it, if it is one thing
    message: str


class Breach(NamedTuple):
    """A finding as an engine reports it; for built-in rules severity and message come from their shapes."""

    rule: str
    focus: str
    value: str | None
    severity: Severity = "violation"
    message: str = ""


@dataclass(frozen=True)
class Report:
    """The findings in a graph, the worst first."""

    source: str
    shapes: str  # name or file
    engine: Literal["shacl", "native"]
    findings: tuple[Finding, ...]
    labels: Mapping[str, str]  # of the nodes that findings name, where there are any

    @property
    def conforms(self) -> bool:
        """True if there is no violation, whatever the warnings."""
        return not self.counts["violation"]

    @cached_property
    def counts(self) -> dict[Severity, int]:
        """The number of findings of each severity."""
        counts = Counter(finding.severity for finding in self.findings)
        return {severity: counts[severity] for severity in SEVERITIES}

    def by_rule(self) -> dict[str, list[Finding]]:
        """The findings of each rule."""
        rules: dict[str, list[Finding]] = defaultdict(list)
        for finding in self.findings:
            rules[finding.rule].append(finding)
        return dict(rules)

    def check(self) -> None:
        """Raise a ValidationError if there is a violation."""
        if not self.conforms:
            first = next(finding for finding in self.findings if finding.severity == "violation")
            number = self.counts["violation"]
            raise ValidationError(
                f"{number_of(number, 'violation', 'violations')} of the shapes {self.shapes!r}, first: "
                f"{first.message} ({first.focus})",
                place=self.source,
                advice="See `ontoeval validate`.",
                findings=self.findings,
            )

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "source": self.source,
            "shapes": self.shapes,
            "engine": self.engine,
            "conforms": self.conforms,
            "counts": self.counts,
            "findings": [
                {
                    "rule": finding.rule,
                    "severity": finding.severity,
                    "focus": finding.focus,
                    "label": self.labels.get(finding.focus),
                    "value": finding.value,
                    "message": finding.message,
                }
                for finding in self.findings
            ],
        }
