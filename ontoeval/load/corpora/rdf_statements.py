"""`Statements`: triples by role of their property (which role: nif.py, webanno.py); offsets, scores checked."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

import pyoxigraph as ox

from ontoeval.errors import EmptyFileError, LoadError, UnknownFormatError
from ontoeval.load.corpora.format import GREATEST, refuse_empty
from ontoeval.load.formats import detect
from ontoeval.load.input import Input
from ontoeval.load.ontologies.rdf import NOWHERE, RDF_FORMATS, quads_of, worded_errors

NIF = "http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#"
ITS = "http://www.w3.org/2005/11/its/rdf#"

Values = dict[str, list[str]]  # subject -> objects
Role = Callable[[str], str | None]  # the IRI of a property -> its role; None: not read

_INTEGER = re.compile(r"\+?[0-9]{1,18}")


class Statements:
    """The statements of a file that are read, by the role of their property."""

    def __init__(self, file: Input, format: str, role: Role) -> None:
        self.path = file.name
        self.format = format
        self.by_role: dict[str, Values] = {}
        self.properties: dict[str, dict[str, None]] = {}  # role -> the IRIs of its properties
        syntax = _syntax(file, format)
        base = None if syntax in ("nt", "nquads") else NOWHERE
        tables: dict[ox.NamedNode, Values | None] = {}
        errors = worded_errors(file.name, syntax, source=file, lenient=True)
        with errors, quads_of(file, syntax, base=base) as quads:
            for quad in quads:
                if quad.predicate not in tables:
                    tables[quad.predicate] = self._table(role, quad.predicate.value)
                table = tables[quad.predicate]
                if table is not None:
                    subject, value = _text(quad.subject), _text(quad.object)
                    if subject is not None and value is not None:
                        table.setdefault(subject, []).append(value)

    def _table(self, role: Role, iri: str) -> Values | None:
        name = role(iri)
        if name is None:
            return None
        self.properties.setdefault(name, {}).setdefault(iri)
        return self.by_role.setdefault(name, {})

    def __getitem__(self, role: str) -> Values:
        return self.by_role.get(role, {})

    def all(self, subject: str, role: str) -> list[str]:
        """The different values, in order."""
        return sorted(set(self[role].get(subject, ())))

    def one(self, subject: str, role: str) -> str | None:
        """The value, if there is one; LoadError if there are several."""
        values = self.all(subject, role)
        if len(values) > 1:
            raise self.error(
                f"{self.subject_name(subject)} has {len(values)} values of {self.property_name(role)}",
                "Keep one of them.",
            )
        return values[0] if values else None

    def number(self, subject: str, role: str) -> int | None:
        """An offset, if there is one."""
        value = self.one(subject, role)
        if value is None:
            return None
        what = f"{self.property_name(role)} of {self.subject_name(subject)}"
        if not _INTEGER.fullmatch(value.strip()):
            raise self.error(f"{what} must be a whole number >= 0, not {value!r}", "Correct it.")
        if int(value) >= GREATEST:
            raise self.error(f"{what} is too large: {value}", "Correct it.")
        return int(value)

    def score(self, subject: str) -> float | None:
        """The score of an annotation, if it has one."""
        value = self.one(subject, "score")
        if value is None:
            return None
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise self.error(
                f"{self.property_name('score')} of {self.subject_name(subject)} must be a finite number, not {value!r}",
                "Correct it.",
            )
        return number

    def property_name(self, role: str) -> str:
        """The property of a role, for a message."""
        iri = next(iter(self.properties.get(role, ())), role)
        return iri.replace(NIF, "nif:").replace(ITS, "itsrdf:").removeprefix(NOWHERE)

    def subject_name(self, subject: str) -> str:
        """A subject, for a message; the name of a blank node would be the parser's."""
        return "an annotation without an IRI" if subject.startswith("_:") else repr(subject.removeprefix(NOWHERE))

    def error(self, problem: str, advice: str) -> LoadError:
        """A LoadError about the file."""
        return LoadError(problem, advice=advice, path=self.path, format=self.format)


def _syntax(file: Input, format: str) -> str:
    """The RDF syntax of a file."""
    refuse_empty(file, format)
    try:
        syntax = detect(file)
    except (EmptyFileError, UnknownFormatError):
        raise _no_rdf(file, format) from None
    if syntax not in RDF_FORMATS:
        raise _no_rdf(file, format)
    return syntax


def _no_rdf(file: Input, format: str) -> LoadError:
    start = file.head[:24].decode("utf-8", "replace")
    return LoadError(f"not RDF (starts {start!r})", advice="Use an RDF file.", path=file.name, format=format)


def _text(term: object) -> str | None:
    if isinstance(term, ox.BlankNode):
        return "_:" + term.value
    return term.value if isinstance(term, ox.NamedNode | ox.Literal) else None
