"""`infer`: triples rewritten for HermiT or ELK, in a child process (time: options.py; unsatisfiable: pipeline.py).

HermiT runs by owlready2, ELK by pyelk-reasoner. Both run in a child process, which is killed with all that it started
when the time is over: a reasoner may print, never end, or take the whole process down.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import sys
import tempfile
import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from io import BytesIO
from itertools import chain, pairwise
from subprocess import PIPE, Popen, TimeoutExpired
from typing import Any

import pyoxigraph as ox

from ontoeval.errors import LoadError, MissingInputError
from ontoeval.load.options import Reasoner
from ontoeval.load.terms import BUILT_IN, CLASS, EQUIVALENT, NOTHING, OWL, RDF, RDFS, SUBCLASS, THING, TYPE

Pair = tuple[str, str]
Statement = tuple[str, str, str]  # an IRI without brackets, _:blank or "literal"

STATEMENT = re.compile(r'\s*(<[^<>]*>|_:\S+)\s*(<[^<>]*>)\s*(<[^<>]*>|_:\S+|".*[^\s.])\s*\.\s*$')
INCONSISTENT = {
    "failure": "the ontology is inconsistent",
    "advice": "Correct it, or remove {reason}.",
}
VOCABULARIES = (*BUILT_IN, "http://www.w3.org/2003/11/swrl#")
DATATYPE = RDFS + "Datatype"
CLASS_AXIOMS = {SUBCLASS, EQUIVALENT, OWL + "disjointWith", OWL + "disjointUnionOf"}
EXPRESSIONS = {OWL + name: CLASS for name in ("intersectionOf", "unionOf", "complementOf", "oneOf")}
EXPRESSIONS |= {OWL + "onProperty": OWL + "Restriction", OWL + "onDatatype": DATATYPE}
EXPRESSION_TYPES = {CLASS, RDFS + "Class", OWL + "Restriction", DATATYPE, OWL + "DataRange"}
ANNOTATION = {OWL + "AnnotationProperty"}  # an undeclared property is one, as in the OWL API
IGNORED = {RDFS + name for name in ("label", "comment", "seeAlso", "isDefinedBy")} | {OWL + "imports"}
ABOUT = {OWL + "Ontology", OWL + "Axiom", OWL + "Annotation"}  # says nothing that is not said elsewhere


@dataclass(frozen=True)
class InferredHierarchy:
    """What a reasoner inferred about the named classes; owl:Thing and owl:Nothing are in none of the fields.

    Of equivalent classes the first by IRI has the edges, and `equivalent` chains the others to it. A class
    that can have no instance would be below every other: it is in `unsatisfiable` only and has no edges.
    """

    subclasses: tuple[Pair, ...]  # (child, parent), not reduced
    equivalent: tuple[Pair, ...]
    unsatisfiable: tuple[str, ...]
    notes: tuple[str, ...]


def infer(ntriples: bytes, *, reasoner: Reasoner, timeout: float, path: str) -> InferredHierarchy:
    """Classify the ontology of `ntriples`, without its imports; `path` names it in messages."""
    seconds = min(timeout, 2e6)  # poll() takes no more
    request = {"java": _java() if reasoner == "hermit" else None, "seconds": seconds}
    if reasoner == "elk" and not (find_spec("pyelk") and find_spec("pyowl_core")):  # there is another pyelk
        advice = "Run `pip install 'ontoeval-toolkit[elk]'`."
        raise MissingInputError("reasoning with ELK needs pyelk-reasoner", advice=advice, parameter="reason")
    try:
        answer = _ask(json.dumps(request).encode() + b"\n" + ntriples, seconds)
    except TimeoutExpired:
        name, other = ("HermiT", ", or use {reason=elk}") if reasoner == "hermit" else ("ELK", "")
        raise LoadError(
            f"reasoning with {name} took longer than {timeout:g} s",
            advice=f"Increase {{reason_timeout}}{other}.",
            parameter="reason_timeout",
            path=path,
        ) from None
    if "failure" in answer:
        raise LoadError(answer["failure"], advice=answer.get("advice"), path=path)
    pairs = {key: tuple((left, right) for left, right in answer[key]) for key in ("subclasses", "equivalent")}
    return InferredHierarchy(**pairs, unsatisfiable=tuple(answer["unsatisfiable"]), notes=tuple(answer["notes"]))


def _java() -> str:
    import owlready2  # type: ignore[import-untyped,unused-ignore]

    program: str = owlready2.JAVA_EXE
    if path := shutil.which(program):
        return path
    raise MissingInputError(
        f"reasoning with HermiT needs Java, but '{program}' was not found",
        advice="Install a Java runtime such as OpenJDK, or use {reason=elk} (run "
        "`pip install 'ontoeval-toolkit[elk]'`).",
        parameter="reason",
    )


def _ask(request: bytes, seconds: float) -> dict[str, Any]:
    """Let a child run `_serve`; raise TimeoutExpired when it takes longer."""
    code = "from ontoeval.load.ontologies.reason import _serve; _serve()"
    with tempfile.TemporaryDirectory(prefix="ontoeval-") as folder:
        command, env = [sys.executable, "-P", "-c", code], _environment(folder)
        child = Popen(command, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=env, start_new_session=True)  # noqa: S603
        try:
            output, errors = child.communicate(request, timeout=seconds)
        finally:
            if child.poll() is None:
                _kill(child.pid)
                child.communicate()
    if child.returncode == 0 and output:
        answer: dict[str, Any] = json.loads(output)
        return answer
    last = errors.decode(errors="replace").strip().rpartition("\n")[2]
    return {"failure": f"the reasoner ended with exit code {child.returncode}: {last or '-'}"}


def _environment(folder: str) -> dict[str, str]:
    paths = os.pathsep.join(path or "." for path in sys.path)
    # without these, Java writes '?' for letters that the locale lacks
    encoding = "-Dfile.encoding=UTF-8 -Dstdout.encoding=UTF-8 -Dsun.stdout.encoding=UTF-8"
    options = f"{os.environ.get('JAVA_TOOL_OPTIONS', '')} {encoding}".strip()
    # a folder of its own: owlready2 leaves its file behind when it is killed
    return {**os.environ, "PYTHONPATH": paths, "JAVA_TOOL_OPTIONS": options, "TMPDIR": folder, "TEMP": folder}


def _kill(session: int) -> None:  # with Java, where there are sessions
    os.kill(session, signal.SIGTERM) if sys.platform == "win32" else os.killpg(session, signal.SIGKILL)


def _serve() -> None:
    """In the child: answer the request on stdin in JSON on stdout; what is printed goes to stderr."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    request = json.loads(sys.stdin.buffer.readline())
    java = request["java"]
    timer = threading.Timer(request["seconds"] + 10, _kill, (os.getpid(),))  # the parent may be gone
    timer.daemon = True
    timer.start()
    try:
        statements = _logical_statements(sys.stdin.buffer.read().decode())
        answer = _hermit(statements, java) if java else _elk(statements)
    except BaseException as error:  # a panic in Rust is no Exception
        answer = _failure(error, *(("HermiT", "elk") if java else ("ELK", "hermit")))
    with answers:
        json.dump(answer, answers)


def _failure(error: BaseException, reasoner: str, other: str) -> dict[str, Any]:
    if type(error).__name__ == "OwlReadyInconsistentOntologyError":
        return dict(INCONSISTENT)
    text = str(error.__cause__ or error)
    if java := re.search(r"^(?:Exception in .*? )?(?:[\w$]+\.)+(\w+(?:Exception|Error))(: .*)?$", text, re.M):
        text = java[1] + (java[2] or "")
    line = text.strip().partition("\n")[0].rstrip(" .") or type(error).__name__
    return {
        "failure": f"{reasoner} failed: {line}",
        "advice": f"Correct the file, use {{reason={other}}}, or remove {{reason}}.",
    }


def _statements(ntriples: str) -> Iterator[Statement]:
    for line in ntriples.split("\n"):
        if match := STATEMENT.match(line):  # nothing else than comments and RDF 1.2 triple terms fails
            subject, predicate, value = (term[1:-1] if term[0] == "<" else term for term in match.groups())
            yield subject, predicate, value


def _ntriples(statements: Iterable[Statement]) -> bytes:
    terms = ([t if t.startswith(("_:", '"')) else f"<{t}>" for t in statement] for statement in statements)
    return "".join(f"{s} {p} {o} .\n" for s, p, o in terms).encode()


def _logical_statements(ntriples: str) -> list[Statement]:
    """The statements that mean something to a reasoner, spelled so that both readers understand them.

    Imports and annotations go: owlready2 would fetch the first, and import modules that the second name.
    Class expressions get exactly one type, named classes are declared, `A intersectionOf L` (OWL 1) becomes
    `A equivalentClass [intersectionOf L]`: py-horned-owl silently drops what is spelled otherwise.
    """
    types: defaultdict[str, set[str]] = defaultdict(set)
    for subject, predicate, value in _statements(ntriples):
        if predicate == TYPE:
            types[subject].add(value)
    kept: list[Statement] = []
    for subject, predicate, value in _statements(ntriples):
        anonymous = subject.startswith("_:")
        logical = predicate.startswith(VOCABULARIES) or types.get(predicate, ANNOTATION) != ANNOTATION
        retyped = anonymous and predicate == TYPE and value in EXPRESSION_TYPES
        if not logical or retyped or predicate in IGNORED or types.get(subject, set()) & ABOUT:
            continue
        if predicate in CLASS_AXIOMS:
            for name in (subject, value):
                if not name.startswith(("_:", '"')) and not types[name] & {CLASS, DATATYPE}:
                    types[name].add(CLASS)
                    kept.append((name, TYPE, CLASS))
        elif (kind := EXPRESSIONS.get(predicate)) and (anonymous or kind == CLASS):
            kind = DATATYPE if types.get(subject, set()) & {DATATYPE, OWL + "DataRange"} else kind
            if not anonymous:
                name, subject = subject, f"_:expression{len(kept)}"
                kept.append((name, EQUIVALENT, subject))
            kept.append((subject, TYPE, kind))
        kept.append((subject, predicate, value))
    if iri_with_space := next((t for statement in kept for t in statement if t[0] != '"' and len(t.split()) > 1), None):
        raise ValueError(f"the IRI <{iri_with_space}> contains a space")  # owlready2 would drop the statement
    return kept


def _hermit(statements: list[Statement], java: str) -> dict[str, Any]:
    import owlready2

    owlready2.JAVA_EXE = java
    world = owlready2.World()
    # Ontology.load() would make a Python class of every property and stop at one that is a class as well
    graph = world.get_ontology("urn:ontoeval:told#").graph
    graph.parse(BytesIO(_ntriples(statements)), format="ntriples")
    notes = []
    try:
        owlready2.sync_reasoner_hermit(world, infer_property_values=False, debug=0)
    except owlready2.OwlReadyJavaError as error:
        unknown = re.search(r"UnsupportedDatatypeException(?:.|\n)*?The datatype '([^']*)'", str(error))
        if unknown is None:
            raise
        owlready2.sync_reasoner_hermit(world, debug=0, ignore_unsupported_datatypes=True)
        notes.append(f"HermiT ignored axioms with datatypes that are not in OWL 2, such as {unknown[1]}")

    def pairs(predicate: str) -> list[Pair]:  # asserted and inferred; an id below 0 is a blank node
        triples = world._get_obj_triples_spo_spo(None, world._abbreviate(predicate), None)
        return [(world._unabbreviate(s), world._unabbreviate(o)) for s, _, o in triples if s > 0 and o > 0]

    classes, data = ({name for name, kind in pairs(TYPE) if kind == of} for of in (CLASS, DATATYPE))
    edges, equal = ([pair for pair in pairs(of) if data.isdisjoint(pair)] for of in (SUBCLASS, EQUIVALENT))
    return {**_quotient(classes, edges, equal), "notes": notes}


def _elk(statements: list[Statement]) -> dict[str, Any]:
    import pyelk
    import pyhornedowl
    import pyowl_core

    # with B below (r some B) and a range D of r, pyelk-reasoner 0.2.1 wrongly puts B below D
    sound = [statement for statement in statements if statement[1] != RDFS + "range"]
    quads = ox.parse(_ntriples(sound), ox.RdfFormat.N_TRIPLES, lenient=True)
    text = ox.serialize((quad.triple for quad in quads), format=ox.RdfFormat.RDF_XML) or b""
    ontology = pyhornedowl.open_ontology_from_string(text.decode(), "rdf")
    notes = _add_disjoint_classes(ontology, sound)
    imports = pyowl_core.ImportPolicy.IGNORE
    options = pyowl_core.LoadOptions(format=pyowl_core.DocumentFormat.FUNCTIONAL, imports=imports)
    with pyelk.Reasoner(ontology.save_to_string("ofn").encode(), load_options=options) as elk:
        if not elk.is_consistent().value:
            return dict(INCONSISTENT)
        result = elk.classify()
    ignored = sorted({" with ".join(reason.constructors) for reason in result.reasons})
    if ignored := ignored + ["property ranges"] * (sound != statements):
        notes.append(f"ELK does not fully support {', '.join(ignored)}, so subclasses may be missing")
    # by id: a hash costs pyelk as much as writing the IRI out
    nodes = {id(node): [member.iri.value for member in node.members] for node in result.value.nodes}
    edges = [(nodes[id(child)][0], nodes[id(parent)][0]) for child, parent in result.value.direct_edges]
    equal = [pair for members in nodes.values() for pair in pairwise(members)]
    return {**_quotient(set(chain(*nodes.values())), edges, equal), "notes": notes}


def _add_disjoint_classes(ontology: Any, statements: list[Statement]) -> list[str]:
    """Add owl:AllDisjointClasses, which py-horned-owl 2.0 drops; say if it dropped other class axioms."""
    from pyhornedowl.model import DisjointClasses

    first, rest = ({s: o for s, p, o in statements if p == RDF + step} for step in ("first", "rest"))
    disjoint = {s for s, _, o in statements if o == OWL + "AllDisjointClasses"}
    for cell in [o for s, p, o in statements if s in disjoint and p == OWL + "members"]:
        members = []
        while cell in first and cell in rest:
            members.append(first[cell])
            cell = rest.pop(cell)  # so that a list in a circle ends
        if len(members) > 1 and not any(member.startswith("_:") for member in members):
            ontology.add_axiom(DisjointClasses([ontology.class_((member, True)) for member in members]))
    kinds = ("SubClassOf", "EquivalentClasses", "DisjointClasses", "DisjointUnion", "DatatypeDefinition")
    read = sum(type(axiom.component).__name__ in kinds for axiom in ontology.get_axioms())
    stated = len(disjoint) + sum(predicate in CLASS_AXIOMS for _, predicate, _ in statements)
    return [f"ELK read {read:,} of {stated:,} class axioms: py-horned-owl dropped the others"] * (read < stated)


def _quotient(classes: set[str], edges: list[Pair], equal: list[Pair]) -> dict[str, Any]:
    """Edges between the first members of sets of equivalent classes, without owl:Thing and owl:Nothing."""
    leaders: dict[str, str] = {}

    def leader(name: str) -> str:
        while (above := leaders.get(name, name)) != name:
            leaders[name] = name = leaders.get(above, above)
        return name

    for left, right in equal:
        low, high = sorted((leader(left), leader(right)))
        leaders[high] = low
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for name in sorted(classes.union(*edges, *equal) - {THING, NOTHING}):
        groups[leader(name)].append(name)
    unsatisfiable = groups.pop(leader(NOTHING), [])
    first = {leading: members[0] for leading, members in groups.items()}
    quotient = {(first.get(leader(child)), first.get(leader(parent))) for child, parent in edges}
    if top := first.get(leader(THING)):
        quotient |= {(name, top) for name in first.values()}  # HermiT does not say so
    return {
        "subclasses": sorted((low, high) for low, high in quotient if low and high and low != high),
        "equivalent": [pair for members in groups.values() for pair in pairwise(members)],
        "unsatisfiable": unsatisfiable,
    }
