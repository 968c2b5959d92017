"""Files of scores that are damaged: every command says so in a line, and no number is read that is not there."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pyoxigraph as ox
import pytest
from helpers import refused, run

import ontoeval as oe
from ontoeval.errors import LoadError
from ontoeval.rdf.store import read_scores, write_scores
from ontoeval.rdf.vocabulary import NS, node

XSD = "http://www.w3.org/2001/XMLSchema#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
ODD_TERMS = (
    ox.Literal("x"),
    ox.Literal("a" * 1_000_000),
    ox.Literal("1" * 5000, datatype=ox.NamedNode(f"{XSD}integer")),
    ox.Literal("[" * 100_000),
    ox.Literal("{}"),
    ox.Literal("[[1, 2], null]"),
    ox.Literal('{"matching": 1, "weights": [], "min_confidence": 3}'),
    ox.Literal("NaN", datatype=ox.NamedNode(f"{XSD}double")),
    ox.Literal("-INF", datatype=ox.NamedNode(f"{XSD}double")),
    ox.Literal("not a number", datatype=ox.NamedNode(f"{XSD}double")),
    ox.Literal(-1),
    ox.Literal("\x1b]0;title\x07\u202e"),
    ox.BlankNode("b"),
    ox.NamedNode(f"{RDF}nil"),
    ox.Triple(ox.BlankNode("b"), node("oe:spec"), ox.Literal("x")),
)


def scores(folder: Path, suffix: str) -> Path:
    """A file of three runs, with local scores, scores by property, undefined ones and intervals."""
    path = folder / f"scores{suffix}"
    gold = oe.Ontology.from_edges([("a", "r"), ("b", "r"), ("c", "a")])
    learned = oe.Ontology.from_edges([("a", "r"), ("b", "a"), ("d", "r")])
    write_scores(
        [oe.evaluate(oe.Comparison(one, gold), system=name) for one, name in ((learned, "x"), (gold, "y"))], path
    )
    empty = oe.Ontology.from_edges([("p", "q")])
    write_scores(oe.evaluate(oe.Comparison(empty, gold), ["TP_csc", "RelF", "LP"], system="z"), path)
    return path


def byte_damage(data: bytes, pick: random.Random) -> bytes:
    """Cut off, with other bytes, with a block of zeros, without a piece, or with a piece twice."""
    kind, place, size = pick.randrange(5), pick.randrange(len(data)), pick.choice((1, 3, 40, 4096))
    if kind == 0:
        return data[:place]
    if kind == 1:
        changed = bytearray(data)
        for _ in range(pick.choice((1, 5, 50))):
            changed[pick.randrange(len(data))] = pick.randrange(256)
        return bytes(changed)
    piece = {2: bytes(size), 3: b"", 4: data[place : place + size] * 2}[kind]
    return data[:place] + piece + data[place + size :]


def structural_damage(data: bytes, pick: random.Random) -> bytes:
    """A statement less, another object or subject, a second value, a loop, a list without an end."""
    quads = list(ox.parse(data, format=ox.RdfFormat.N_QUADS))
    for _ in range(pick.choice((1, 1, 3))):
        place = pick.randrange(len(quads))
        s, p, o, graph = (quads[place].subject, quads[place].predicate, quads[place].object, quads[place].graph_name)
        other, odd, kind = pick.choice(quads), pick.choice(ODD_TERMS), pick.randrange(6)
        if kind == 0:
            del quads[place]
        elif kind == 1:
            quads[place] = ox.Quad(s, p, pick.choice((odd, other.object, s)), graph)
        elif kind == 2:
            quads.append(ox.Quad(s, p, pick.choice((odd, other.object)), graph))
        elif kind == 3:
            quads[place] = ox.Quad(pick.choice((other.subject, ox.BlankNode("b"))), p, o, graph)
        elif kind == 4:
            quads[place] = ox.Quad(s, p, o, pick.choice((other.graph_name, ox.DefaultGraph(), ox.BlankNode("g"))))
        else:
            derived, rest = ox.NamedNode("http://www.w3.org/ns/prov#wasDerivedFrom"), ox.NamedNode(f"{RDF}rest")
            quads += [ox.Quad(s, derived, s, graph), ox.Quad(s, rest, s, graph)]
    return ox.serialize(quads, format=ox.RdfFormat.N_QUADS) or b""


def commands(path: Path, folder: Path) -> Iterator[tuple[object, ...]]:
    """What reads a file of scores and starts no other process."""
    fixture = Path(__file__).parents[3] / "fixtures" / "dellschaft2006"
    yield "store", "list", path
    yield "store", "show", path, "--worst", 2
    yield "store", "show", path, "--json"
    yield "store", "import", folder / "store", path
    yield "compare", fixture / "oc1.ttl", "--gold", fixture / "or1.ttl", "-m", "LP", "-o", path


def slow_commands(path: Path) -> Iterator[tuple[object, ...]]:
    yield "validate", path
    for query in ("trend", "worst-concepts", "below"):
        yield "query", path, query


def check(arguments: tuple[object, ...]) -> int:
    """An exit code that is documented, and a message without a traceback."""
    result = run(*arguments)
    assert result.exception is None or isinstance(result.exception, SystemExit), arguments
    assert result.exit_code in (0, 1, 3), (arguments, result.stderr)
    assert result.exit_code != 1 or result.stderr.split("\n")[-2].startswith("error: "), arguments
    return result.exit_code


def damages(folder: Path, seeds: range, commands: Callable[[Path], Iterator[tuple[object, ...]]]) -> int:
    """Damage a file once for each seed and run the commands on it; how many were refused."""
    trig, nq = scores(folder, ".trig").read_bytes(), scores(folder, ".nq").read_bytes()
    released = [
        path.read_bytes() for path in sorted((Path(__file__).parents[3] / "fixtures" / "scores").glob("*.trig"))
    ]
    refusals = 0
    for seed in seeds:
        pick = random.Random(seed)
        if pick.random() < 0.5:
            suffix, data = ".nq", structural_damage(nq, pick)
        else:
            suffix, data = pick.choice([(".trig", trig), (".nq", nq), *((".trig", file) for file in released)])
            data = byte_damage(data, pick)
        path = folder / f"damaged{suffix}"
        path.write_bytes(data)
        try:
            read_scores(path)
        except oe.OntoevalError:
            refusals += 1
        for arguments in commands(path):
            check(arguments)
    return refusals


def test_damaged_files_are_refused_in_a_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert damages(tmp_path, range(12), lambda path: iter([("store", "show", path, "--worst", 2)])) > 3
    assert capfd.readouterr().err == ""  # panics of pyoxigraph would be printed there


@pytest.mark.slow
def test_many_damaged_files_are_refused_in_a_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert damages(tmp_path, range(1000, 1030), slow_commands) > 5
    assert damages(tmp_path, range(2000, 2200), lambda path: commands(path, tmp_path)) > 50
    assert capfd.readouterr().err == ""


OTHER = ox.Literal("0.5", datatype=ox.NamedNode(f"{XSD}double"))
# the predicate of a statement, what becomes of its object (None: it is removed; a list: these as well), what is said
STRUCTURES: dict[str, tuple[str, object, str]] = {
    "no value": ("dqv:value", None, "dqv:value of {subject} is missing"),
    "no number": ("dqv:value", ox.Literal("much"), "dqv:value of {subject} is 'much', not a number"),
    "NaN": ("dqv:value", ODD_TERMS[7], "dqv:value of {subject} is 'NaN', not a number"),
    "two values": ("dqv:value", [OTHER], "dqv:value of {subject} has 2 values"),
    "a triple as value": ("dqv:value", ODD_TERMS[-1], "dqv:value of {subject} is missing"),
    "no system": ("oe:system", None, "the run {id} has no oe:system"),
    "two systems": ("oe:system", [ox.Literal("other")], "the run {id} has a property twice"),
    "no task": ("oe:task", None, "the run {id} has no oe:task"),
    "no time": ("prov:startedAtTime", None, "the run {id} has no prov:startedAtTime"),
    "no count": ("oe:measurementCount", ox.Literal("three"), "the run {id} has no number of scores"),
    "a score less": ("oe:measurementCount", ox.Literal(99), "the run {run} has 2 of 99 scores"),
    "a type less": ("rdf:type", None, "the run {run} has 1 of 2 scores"),
    "counts": ("oe:counts", ox.Literal("[1]"), "oe:counts of {subject} is not a JSON object"),
    "deep settings": ("oe:settings", ox.Literal("[" * 100_000), "oe:settings of {run} is not a JSON object"),
    "no inputs": ("oe:inputs", ox.Literal("[]"), "oe:inputs of {run} is empty"),
    "inputs": ("oe:inputs", ox.Literal("[[1]]"), "oe:inputs of {run} is not a list of [role, file, IRI]"),
    "a huge place": ("oe:place", ODD_TERMS[2], "oe:place of {subject} is '" + "1" * 50 + "', not a whole number"),
}


@pytest.mark.parametrize("name", STRUCTURES)
def test_a_run_whose_structure_is_damaged_is_refused_with_what_is_wrong(name: str, tmp_path: Path) -> None:
    property, change, problem = STRUCTURES[name]
    small = oe.Ontology.from_edges([("a", "r"), ("b", "r")])
    path = tmp_path / "scores.nq"
    result = oe.evaluate(oe.Comparison(small, small), ["LP", "LR"])
    write_scores(result, path, local=False)
    run_iri = f"{NS}run/{result.key[:32]}"
    subject = f"{run_iri}/LP" if property in ("dqv:value", "oe:counts", "oe:place", "rdf:type") else run_iri
    quads = []
    for quad in ox.parse(path.read_bytes(), format=ox.RdfFormat.N_QUADS):
        objects: list[object] = [quad.object]
        if quad.subject == ox.NamedNode(subject) and quad.predicate == node(property):
            objects = [] if change is None else [quad.object, *change] if isinstance(change, list) else [change]
        quads += [ox.Quad(quad.subject, quad.predicate, term, quad.graph_name) for term in objects]  # type: ignore[arg-type]
    path.write_bytes(ox.serialize(quads, format=ox.RdfFormat.N_QUADS) or b"")
    message = problem.format(subject=subject, run=run_iri, id=result.key[:32])
    with pytest.raises(LoadError) as caught:
        read_scores(path)
    assert caught.value.problem == message
    assert refused("store", "show", path).startswith(f"{path}: {message}. Write it again")
    assert refused("store", "import", tmp_path / "store", path).startswith(f"{path}: {message}. ")
    assert not (tmp_path / "store").exists()  # damage is not passed on


def test_a_damaged_run_of_a_store_can_be_deleted_by_its_id(tmp_path: Path) -> None:
    small = oe.Ontology.from_edges([("a", "r"), ("b", "r")])
    store = oe.Store(tmp_path / "store")
    results = [oe.evaluate(oe.Comparison(small, small), ["LP"], system=system) for system in ("x", "y")]
    store.write(results)
    damaged = ox.NamedNode(f"{NS}run/{results[0].key[:32]}")
    store.backend.put(damaged, [t for t in store.backend.triples(damaged) if t.predicate != node("oe:system")])
    assert refused("store", "list", store.backend.name) == (
        f"{store.backend.name}: the run {results[0].key[:32]} has no oe:system. "
        "Write it again, or delete it by its whole id."
    )
    assert run("store", "delete", store.backend.name, results[0].key[:32], "--yes").exit_code == 0
    assert [info.system for info in store.runs()] == ["y"]
    assert store.read()[0]["LP"].value == 1.0
