"""Scores back into the ontology that they judge: beside it as an overlay, or merged into a copy; and out again."""

from __future__ import annotations

import hashlib
import logging
import math
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote
from xml.dom import minidom
from xml.parsers import expat

import pyoxigraph as ox

from ontoeval.errors import LoadError, MissingInputError, OntoevalError, ParameterError, listed
from ontoeval.load.detect import Format, detect, named_format
from ontoeval.load.guard import check_xml
from ontoeval.load.imports import CATALOG
from ontoeval.load.owlxml import HORNED_FORMATS, full_rdf
from ontoeval.load.rdf import _NOWHERE, RDF_FORMATS, quads_of, worded_errors
from ontoeval.load.source import DEFAULT_LIMIT, Input, open_input
from ontoeval.model.lexicon import is_iri
from ontoeval.results import EvaluationResult, MeasureResult, NamedScores
from ontoeval.store.graph import input_iri, run_iri
from ontoeval.vocabulary import DOUBLE, LABEL, NS, PREFIXES, TYPE, double, metric, node

SCORE = f"{NS}score/"
OVERLAY = f"{NS}overlay/"
SUFFIXES = {".ttl": "turtle", ".nt": "nt", ".owl": "xml", ".rdf": "xml"}
_SYNTAX = {"turtle": ox.RdfFormat.TURTLE, "nt": ox.RdfFormat.N_TRIPLES, "xml": ox.RdfFormat.RDF_XML}
_ANNOTATION, _AXIOM, _RUN = node("owl:AnnotationProperty"), node("owl:Axiom"), node("oe:run")
_SOURCE, _PROPERTY, _TARGET = node("owl:annotatedSource"), node("owl:annotatedProperty"), node("owl:annotatedTarget")
_RUN_DECLARED = frozenset({ox.Triple(_RUN, TYPE, _ANNOTATION), ox.Triple(_RUN, LABEL, ox.Literal("run of ontoeval"))})
_OURS = (SCORE, OVERLAY)
_PREFIXES = {**{name: PREFIXES[name] for name in ("oe", "owl", "rdf", "rdfs", "xsd")}, "score": SCORE}
_NO_OVERLAY = ("tsv", "pairs", "obograph")  # nothing that owl:imports could read
_ENTRY = "ontoeval"  # id of our entries in a catalogue
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.\-]*\Z")  # what RDF/XML needs at the end of a property's IRI
_XML_NAME = re.compile(r"[^\W\d][\w.\-]*\Z")
_ROUND = 1 << 64
Triples = Iterable[ox.Triple]
Lines = Callable[[bool, Mapping[str, str]], Iterable[str]]  # Turtle or N-Triples, and the prefixes


@dataclass(frozen=True)
class Written:
    """What was written where."""

    target: Path
    scores: int = 0
    concepts: int = 0
    measures: tuple[str, ...] = ()
    removed: int = 0  # statements of ours that were there before
    catalogue: Path | None = None
    notes: tuple[str, ...] = ()


def score_iri(measure: str) -> str:
    """The annotation property of a measure by its full name, percent-encoded.

    RDF/XML can only say properties whose IRIs end in a name. One with parameters ends in a parenthesis and gets an
    underscore behind it.
    """
    encoded = quote(measure, safe="")
    last = encoded[encoded.rfind("%") + 3 :] if "%" in encoded else encoded
    return SCORE + encoded + ("" if _NAME.search(last) else "_")


def annotate(
    result: EvaluationResult,
    learned: str | Path,
    target: str | Path,
    *,
    merged: bool = False,
    format: str | None = None,
    base_iri: str | None = None,
    lenient: bool = False,
    max_size: int = DEFAULT_LIMIT,
) -> Written:
    """Write the scores of single concepts of `result` as annotations of the concepts of the file `learned`.

    By default `target` becomes an overlay, an ontology that imports `learned`, with an entry in the catalog-v001.xml
    beside it. With `merged` it holds all triples of `learned`, too; scores that were in `learned` before, of whatever
    run, are left out, so that a file never shows two runs at a time. `learned` itself is never changed.

    Learned concepts get the scores; that of a gold concept goes to its learned partner if there is one. The syntax
    follows the suffix: .ttl, .nt, .owl or .rdf. format, base_iri, lenient and max_size are those of `load_ontology`.
    """
    target = check_target(target, learned)
    if str(learned) == "-":
        raise ParameterError("- is stdin, and scores are written beside a file. Give the learned ontology as a file.")
    with closing(open_input(learned, limit=max_size)) as source:
        _check_judged(result, source)
        kind = named_format(format) if format is not None else detect(source)
        scores = _Scores.of(result, str(learned), kind)
        if merged and kind == "obo":
            raise OntoevalError(
                f"{learned}: this is OBO, of which not everything can be written as RDF here. Convert it to OWL, or "
                "leave --merged out: an overlay needs no copy."
            )
        if not merged:
            return _overlay(result, scores, Path(learned), target)
        original = _Original(source, kind, base_iri, lenient)
        removed = _write(target, original, scores.lines)
    return Written(target, len(scores), scores.concepts, scores.measures, removed, notes=original.notes + scores.notes)


def clean(
    path: str | Path,
    target: str | Path,
    *,
    format: str | None = None,
    base_iri: str | None = None,
    lenient: bool = False,
    max_size: int = DEFAULT_LIMIT,
) -> Written:
    """Write `path` without our scores, of whatever run: annotations, their axioms, declarations, overlay header."""
    target = check_target(target, path)
    with closing(open_input(path, limit=max_size)) as source:
        kind = named_format(format) if format is not None else detect(source)
        if kind not in RDF_FORMATS and kind not in HORNED_FORMATS:
            raise OntoevalError(f"{path}: this is {kind}, which holds no scores of ontoeval. Give RDF or OWL.")
        original = _Original(source, kind, base_iri, lenient)
        removed = _write(target, original)
    notes = list(original.notes)
    if not removed:
        notes.append("there are no scores of ontoeval in it")
    elif not original.kept:
        notes.append("there is nothing but scores in it; the ontology that it imports has none")
    return Written(target, removed=removed, notes=tuple(notes))


# which scores


@dataclass
class _Scores:
    """All scores, by measure and concept."""

    run: ox.NamedNode
    columns: dict[str, tuple[MeasureResult, dict[str, float]]]  # by property
    left_out: set[str]  # concepts that have no IRI, or none that is valid

    @classmethod
    def of(cls, result: EvaluationResult, path: str, format: Format) -> _Scores:
        if format in _NO_OVERLAY:
            raise OntoevalError(
                f"{path}: scores are written on the concepts of RDF or OWL, and this is {format}. Make RDF of it: "
                f"ontoeval.to_graph(ontoeval.load_ontology({path!r})).serialize('learned.ttl')."
            )
        with_local = [score for score in result.scores if score.local is not None]
        if not with_local:
            names = listed(score.name for score in result.scores)
            raise ParameterError(f"no scores of single concepts come with {names}. Choose others, for instance TP_csc.")
        columns: dict[str, tuple[MeasureResult, dict[str, float]]] = {}
        left_out: set[str] = set()
        for score in with_local:
            iri = score_iri(str(score.measure))
            if iri not in columns:  # one measure may have been asked for under two names
                values = _by_concept(score.local, result)  # type: ignore[arg-type]
                left_out.update(concept for concept in values if not _is_valid(concept))
                columns[iri] = score, {concept: v for concept, v in values.items() if concept not in left_out}
        if not any(values for _, values in columns.values()):
            raise OntoevalError(
                f"{path}: no learned concept has a score. Choose measures with scores of learned concepts (TP_csc), or "
                "another --match, so that gold concepts have partners."
            )
        return cls(run_iri(result), columns, left_out)

    def __len__(self) -> int:
        return sum(len(values) for _, values in self.columns.values())

    @property
    def concepts(self) -> int:
        """How many have a score."""
        return len({concept for _, values in self.columns.values() for concept in values})

    @property
    def measures(self) -> tuple[str, ...]:
        return tuple(score.name for score, values in self.columns.values() if values)

    @property
    def notes(self) -> tuple[str, ...]:
        if not self.left_out:
            return ()
        return (f"concepts without a valid IRI have no scores: {listed(sorted(self.left_out))}",)

    def lines(self, turtle: bool, prefixes: Mapping[str, str]) -> Iterator[str]:
        """Turtle or N-Triples: as text, which takes a third of the time that a million triples would."""

        def said(term: ox.NamedNode) -> str:
            return _short(term.value, prefixes) if turtle else str(term)

        run, a, label, also = str(self.run), said(TYPE), said(LABEL), said(node("rdfs:seeAlso"))
        axiom, source, target, by, names = map(said, (_AXIOM, _SOURCE, _TARGET, _RUN, _PROPERTY))
        for triple in sorted(_RUN_DECLARED, key=str):
            yield f"{triple} .\n"
        for iri, (score, values) in self.columns.items():
            if not values:
                continue
            own, kind = said(ox.NamedNode(iri)), said(DOUBLE)
            yield f"{own} {a} {said(_ANNOTATION)} .\n{own} {label} {ox.Literal(str(score.measure))} .\n"
            yield f"{own} {also} {metric(score.measure.preset.name)} .\n"
            # the same run makes the same file
            blank = "_:oe" + hashlib.blake2b(f"{self.run.value} {iri}".encode(), digest_size=10).hexdigest() + "x"
            for number, (name, value) in enumerate(values.items()):
                concept, literal = f"<{name}>", f'"{double(value).value}"^^{kind}'
                yield f"{concept} {own} {literal} .\n"
                about = (f"{a} {axiom}", f"{source} {concept}", f"{names} {own}", f"{target} {literal}", f"{by} {run}")
                if turtle:
                    yield f"[] {' ; '.join(about)} .\n"
                else:
                    yield "".join(f"{blank}{number} {said_of} .\n" for said_of in about)


def _short(iri: str, prefixes: Mapping[str, str]) -> str:
    """As `prefix:name` where a prefix fits."""
    for prefix, namespace in prefixes.items():
        if iri.startswith(namespace) and re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", iri[len(namespace) :]):
            return f"{prefix}:{iri[len(namespace) :]}"
    return f"<{iri}>"


def _by_concept(local: NamedScores, result: EvaluationResult) -> dict[str, float]:
    """The values by learned concept; those of gold concepts by their partner."""
    if local.of not in ("learned", "gold", "concept"):
        return {}  # documents, instances and pairs are no part of the ontology's own concepts
    ids = local.ids.tolist()
    names = local.names.iris
    if local.of == "gold":
        task = result.subject
        if task is None:
            raise MissingInputError(
                "this result was read from a file, which does not say which concepts are the same. Evaluate again."
            )
        partner = task.matching.to_learned.tolist()
        ids, names = [partner[thing] for thing in ids], task.learned.hierarchy.iris
    added = result.subject is not None and result.subject.learned.hierarchy.root_added
    return {
        names[thing]: value
        for thing, value in zip(ids, local.values.tolist(), strict=True)
        if thing >= int(added) and not math.isnan(value)
    }


def _is_valid(iri: str) -> bool:
    """False for plain names, blank nodes, and what --lenient lets through."""
    if not is_iri(iri):
        return False
    try:
        ox.NamedNode(iri)
    except ValueError:
        return False
    return True


def _check_judged(result: EvaluationResult, source: Input) -> None:
    if result.judged.sha256 != source.sha256:
        raise OntoevalError(
            f"{source.name}: this is not the file that was judged ({result.judged.path}), or it has changed since. "
            "Evaluate it again."
        )


# overlay


def _overlay(result: EvaluationResult, scores: _Scores, learned: Path, target: Path) -> Written:
    judged = result.judged
    named = judged.iri is not None and _is_valid(judged.iri)
    imported = ox.NamedNode(judged.iri) if named and judged.iri else input_iri(judged)
    own = ox.NamedNode(OVERLAY + result.key[:32])

    comment = ox.Literal(f"The scores of {learned.name}, written by ontoeval.", language="en")
    header = (
        ox.Triple(own, TYPE, node("owl:Ontology")),
        ox.Triple(own, node("owl:imports"), imported),
        ox.Triple(own, node("rdfs:comment"), comment),
    )

    def lines(turtle: bool, prefixes: Mapping[str, str]) -> Iterator[str]:
        yield from (f"{triple} .\n" for triple in header)
        yield from scores.lines(turtle, prefixes)

    catalogue = target.parent / CATALOG
    text = _catalogue(catalogue, imported.value, learned)  # refused before anything is written
    _write(target, None, lines)
    if text is not None:
        with _replacing(catalogue) as place:
            place.write_text(text, encoding="utf-8", newline="")
    return Written(target, len(scores), scores.concepts, scores.measures, catalogue=catalogue, notes=scores.notes)


def _catalogue(path: Path, iri: str, file: Path) -> str | None:
    """The catalogue with an entry for the file; None if it has that already."""
    address = quote(Path(os.path.relpath(file.resolve(), path.parent.resolve())).as_posix())
    if not path.exists():
        document = minidom.parseString(  # noqa: S318
            '<catalog prefer="public" xmlns="urn:oasis:names:tc:entity:xmlns:xml:catalog">\n</catalog>'
        )
    else:
        source = open_input(path)
        check_xml(source)
        try:
            with source.open() as stream:
                document = minidom.parseString(stream.read())  # noqa: S318
        except expat.ExpatError as error:
            raise LoadError(f"not a readable XML catalogue: {error}. Correct it.", path=str(path)) from None
    root: Any = document.documentElement
    for entry in [*root.getElementsByTagName("*")]:
        if entry.tagName.rpartition(":")[2] == "uri" and entry.getAttribute("name") == iri:
            there = path.parent / unquote(entry.getAttribute("uri").removeprefix("file:").removeprefix("//"))
            if there.exists() and there.resolve() == file.resolve():
                return None
            if there.exists() and entry.getAttribute("id") != _ENTRY:
                raise OntoevalError(
                    f"{path}: it says that {iri} is {there}, which is not {file}. Write the overlay into another "
                    "folder, or correct the catalogue."
                )
            entry.setAttribute("id", _ENTRY)  # its file is gone, or we wrote it
            entry.setAttribute("uri", address)
            return _xml_text(document)
    prefix = root.tagName.rpartition(":")[0]
    entry = document.createElement(f"{prefix}:uri" if prefix else "uri")
    for name, value in (("id", _ENTRY), ("name", iri), ("uri", address)):
        entry.setAttribute(name, value)
    # before everything else: Protégé writes its own group of entries anew
    for added in (document.createTextNode("\n    "), entry):
        root.insertBefore(added, root.firstChild if added is not entry else root.childNodes[1])
    return _xml_text(document)


def _xml_text(document: minidom.Document) -> str:
    return document.toxml(encoding="UTF-8").decode("utf-8") + "\n"


# in and out


class _Scored(Exception):  # noqa: N818 - no error
    """The file has scores of ours."""


@dataclass
class _Original:
    """All triples of a file, less what we once put there."""

    source: Input
    format: Format
    base: str | None
    lenient: bool
    removed: int = 0
    kept: int = 0
    prefixes: dict[str, str] = field(default_factory=dict)

    @property
    def notes(self) -> tuple[str, ...]:
        if self.format != "n3":
            return ()
        return ("rules and formulas of N3 cannot be written in other syntaxes and were left out",)

    @property
    def tries(self) -> list[bool]:
        """Strictly, then leniently if allowed."""
        return [False, True] if self.lenient and self.format in RDF_FORMATS else [False]

    @contextmanager
    def triples(self, *, lenient: bool, scored: bool) -> Iterator[Iterator[ox.Triple]]:
        """The triples in their order, or _Scored on the way; with `scored` those of blank nodes come last."""
        self.removed = self.kept = 0
        if self.format in HORNED_FORMATS:
            with worded_errors(self.source.name, self.format):
                quads = full_rdf(self.source, self.format)
            yield (self._without_scores if scored else self._unscored)(self._worded(quads))
            return
        base = self.base or (Path(self.source.name).resolve().as_uri() if lenient else None)
        with quads_of(self.source, self.format, lenient=lenient, base=base) as quads:
            every = self._absolute(quads) if self.format == "json-ld" else quads
            yield (self._without_scores if scored else self._unscored)(self._worded(every))

    def _worded(self, quads: Iterable[Any]) -> Iterator[ox.Triple]:
        """The parser's errors as ours, but not those of whoever takes the triples."""
        with worded_errors(self.source.name, self.format, source=self.source, lenient=self.lenient):
            every = iter(quads)
            for quad in every:
                self.prefixes.update(_usable(getattr(quads, "prefixes", {})))  # at the top of a file, as a rule
                yield quad.triple
                break
            for quad in every:
                yield quad.triple

    def _absolute(self, quads: Iterable[Any]) -> Iterator[Any]:
        """JSON-LD drops what is relative to nothing, so it was read with a base that is told again from others."""
        for quad in quads:
            if _NOWHERE in str(quad):
                raise LoadError(
                    "a relative IRI without a base. Give --base-iri IRI, or --lenient to take the file's address.",
                    path=self.source.name,
                    format=self.format,
                )
            yield quad

    def _unscored(self, triples: Iterator[ox.Triple]) -> Iterator[ox.Triple]:
        """Pass on everything; stop at the first sign of our scores."""
        kept = 0
        for triple in triples:
            predicate = triple.predicate.value
            if predicate.startswith(NS) or (predicate == TYPE.value and _is_ours(triple)):
                raise _Scored
            kept += 1
            yield triple
        self.kept = kept

    def _without_scores(self, triples: Iterator[ox.Triple]) -> Iterator[ox.Triple]:
        """Pass on what is not ours.

        A blank node turns out to be one of our axioms only when all that is said of it has been read, so what is said
        of blank nodes waits until the end.
        """
        ours: set[Any] = set()
        waiting: dict[Any, list[ox.Triple]] = {}
        for triple in triples:
            if _is_ours(triple):
                self.removed += 1
            elif type(triple.subject) is ox.BlankNode:
                waiting.setdefault(triple.subject, []).append(triple)
                if triple.predicate == _PROPERTY and str(triple.object)[1:].startswith(SCORE):
                    ours.add(triple.subject)
            else:
                self.kept += 1
                yield triple
        for subject, about in waiting.items():
            if subject in ours:
                self.removed += len(about)
            else:
                self.kept += len(about)
                yield from about


def _is_ours(triple: ox.Triple) -> bool:
    """True for scores, headers and declarations of ours; axioms have blank nodes and are told otherwise."""
    subject: Any = triple.subject
    if triple.predicate.value.startswith(SCORE):
        return True
    return type(subject) is ox.NamedNode and (subject.value.startswith(_OURS) or triple in _RUN_DECLARED)


def _usable(prefixes: Mapping[str, str]) -> dict[str, str]:
    found = {}
    for name, iri in prefixes.items():
        try:
            ox.NamedNode(iri)
        except ValueError:
            continue  # a relative one, under --lenient
        found[name] = iri
    return found


def _one_each(prefixes: Mapping[str, str]) -> dict[str, str]:
    """One prefix for each namespace, as only one of several would be declared."""
    names = {iri: name for name, iri in prefixes.items()}
    return {name: iri for iri, name in names.items()}


def check_target(target: str | Path, source: str | Path) -> Path:
    """Refuse what cannot or must not be written, before the work begins."""
    target = Path(target)
    if target.suffix.lower() not in SUFFIXES:
        raise ParameterError(f"{target}: cannot tell the format. Give a name that ends in {', '.join(SUFFIXES)}.")
    if target.is_dir() or not target.parent.is_dir():
        problem = "a folder" if target.is_dir() else "no such folder"
        raise OntoevalError(f"{target}: cannot write it ({problem}). Give another place.")
    if target.exists() and Path(source).exists() and target.samefile(source):
        raise ParameterError(f"{target}: this is the file to read, which is never changed. Give another name with -o.")
    return target


@contextmanager
def _replacing(target: Path) -> Iterator[Path]:
    """A file to write beside the target, which takes its place when all went well."""
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        os.close(handle)
        place = Path(name)
        try:
            yield place
            umask = os.umask(0)
            os.umask(umask)
            place.chmod(0o666 & ~umask)
            place.replace(target)
        except BaseException:
            place.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise OntoevalError(f"{target}: cannot write it ({error.strerror}). Give another place.") from None


class _Sum:
    """Adds up triples, so that two lots can be compared whatever their order."""

    def __init__(self) -> None:
        self.count = self.total = 0

    def passing(self, triples: Triples) -> Iterator[ox.Triple]:
        """Pass on the triples, counted."""
        count = total = 0
        for triple in triples:
            count += 1
            total += hash(triple)
            yield triple
        self.count += count
        self.total = (self.total + total) % _ROUND

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Sum) and (self.count, self.total) == (other.count, other.total)

    __hash__ = None  # type: ignore[assignment]


def _write(target: Path, original: _Original | None, added: Lines | None = None) -> int:
    """Write all triples of the original, check that they can be read again, and add lines.

    The number of triples that were left out.
    """
    syntax = SUFFIXES[target.suffix.lower()]
    with _replacing(target) as place:
        if original is None:
            _serialise(place, target, syntax, iter(()), dict(_PREFIXES), added)
            return 0
        for lenient, scored in product(original.tries, (False, True)):
            if not scored and (added is None or NS.encode() in original.source.head):
                continue  # it has scores, as a rule
            original.prefixes.update({} if added is None else _PREFIXES)
            try:
                with original.triples(lenient=lenient, scored=scored) as triples:
                    _serialise(place, target, syntax, triples, original.prefixes, added)
            except _Scored:
                continue
            except LoadError as error:
                if lenient is original.tries[-1] or error.format is None:
                    raise
            else:
                break
        return original.removed


def _then(triples: Triples, others: Triples) -> Iterator[ox.Triple]:
    yield from triples
    yield from others


def _serialise(
    place: Path, target: Path, syntax: str, triples: Iterator[ox.Triple], prefixes: dict[str, str], added: Lines | None
) -> None:
    written = _Sum()
    if syntax == "xml":
        text = "".join(added(False, {})) if added else ""
        ours = (quad.triple for quad in ox.parse(text, format=ox.RdfFormat.N_TRIPLES))
        _rdf_xml(place, target, _then(triples, ours), prefixes, written)
        _check(place, target, syntax, written)
        return
    first = next(triples, None)  # the prefixes of the original are known with it
    prefixes = _one_each(prefixes)
    with place.open("wb") as stream:
        if first is not None:
            known = prefixes if syntax == "turtle" else None
            every = written.passing(_then([first], triples))
            ox.serialize(every, stream, format=_SYNTAX[syntax], prefixes=known)
        elif syntax == "turtle" and added:
            stream.writelines(f"@prefix {name}: <{iri}> .\n".encode() for name, iri in prefixes.items())
    _check(place, target, syntax, written)
    if added:
        with place.open("a", encoding="utf-8", newline="\n") as more:
            more.writelines(added(syntax == "turtle", prefixes))


def _check(place: Path, target: Path, syntax: str, written: _Sum) -> None:
    """Read again what was written: not a triple of the original may be lost."""
    read = _Sum()
    try:
        if syntax == "xml":  # pyoxigraph also reads characters that XML does not allow
            with place.open("rb") as stream:
                expat.ParserCreate().ParseFile(stream)
        for _ in read.passing(quad.triple for quad in ox.parse(path=str(place), format=_SYNTAX[syntax], lenient=True)):
            pass
        problem = "" if read == written else f"{written.count:,} triples were written, {read.count:,} others read again"
    except (SyntaxError, ValueError, expat.ExpatError) as error:
        problem = str(error).rstrip(".")
    if problem:
        other = "Give a name that ends in .ttl or .nt." if syntax == "xml" else "Try another syntax."
        raise OntoevalError(f"{target}: what was written is not what should be there ({problem}). {other}")


def _rdf_xml(place: Path, target: Path, triples: Triples, prefixes: dict[str, str], written: _Sum) -> None:
    """Through rdflib: owlready2 takes pyoxigraph's RDF/XML for OWL/XML."""
    import rdflib

    numbers: dict[str, str] = {}

    def term(given: Any) -> Any:
        if isinstance(given, ox.NamedNode):
            return rdflib.URIRef(given.value)
        if isinstance(given, ox.BlankNode):
            return rdflib.BNode(numbers[given.value])
        if isinstance(given, ox.Literal) and given.direction is None:
            if given.language:
                return rdflib.Literal(given.value, lang=given.language)
            plain = given.datatype.value == PREFIXES["xsd"] + "string"
            datatype = None if plain else rdflib.URIRef(given.datatype.value)
            return rdflib.Literal(given.value, datatype=datatype, normalize=False)
        raise OntoevalError(f"{target}: RDF/XML cannot say {given}. Give a name that ends in .ttl or .nt.")

    def numbered(given: Any) -> Any:
        """Blank nodes of any name as b0, b1, ...: in RDF/XML they are XML names."""
        if isinstance(given, ox.BlankNode):
            return ox.BlankNode(numbers.setdefault(given.value, f"b{len(numbers)}"))
        return given

    graph = rdflib.Graph(bind_namespaces="none")
    chatter = logging.getLogger("rdflib.term")
    was_silent, chatter.disabled = chatter.disabled, True  # it complains of literals that are none of our business
    try:
        unique = dict.fromkeys(
            (ox.Triple(numbered(t.subject), t.predicate, numbered(t.object)), (t.subject, t.predicate, t.object))
            for t in triples
        )
        for _, (subject, predicate, value) in unique:
            graph.add((term(subject), term(predicate), term(value)))
        for _ in written.passing(triple for triple, _ in unique):
            pass
        graph.namespace_manager = _strict(graph)
        for name, iri in _one_each(prefixes).items():
            graph.bind(name, iri)
        text = graph.serialize(format="xml", encoding="utf-8")
        place.write_bytes(text.replace(b"\r", b"&#13;"))  # a bare one reads as the end of a line
    except ValueError as error:
        property = str(error).rpartition(" ")[2]
        raise OntoevalError(
            f"{target}: RDF/XML cannot say the property {property}, which does not end in a name. "
            "Give a name that ends in .ttl or .nt."
        ) from None
    finally:
        chatter.disabled = was_silent


def _strict(graph: Any) -> Any:
    """A namespace manager that cuts IRIs where XML can: rdflib's own takes `(` and `%` for letters."""
    from rdflib import URIRef
    from rdflib.namespace import NamespaceManager

    known: dict[str, tuple[str, URIRef, str]] = {}

    class Strict(NamespaceManager):
        def compute_qname_strict(self, uri: str, generate: bool = True) -> tuple[str, str, str]:
            if uri not in known:
                found = _XML_NAME.search(uri)
                if found is None:
                    raise ValueError(f"no name at the end of {uri}")
                namespace = URIRef(uri[: found.start()])
                prefix = self.store.prefix(namespace)
                number = 1
                while prefix is None:
                    if self.store.namespace(f"ns{number}") is None:
                        self.bind(prefix := f"ns{number}", namespace)
                    number += 1
                known[uri] = prefix, namespace, found[0]
            return known[uri]

    return Strict(graph, bind_namespaces="none")
