"""Reading and scoring annotated documents: GATE XML of a key and a response, on the same files in one run.

    python benchmarks/annotations.py --data ../shared/data                     # pip install -e '.[bench]'
    python benchmarks/annotations.py --documents 1000 --annotations 100000     # a tenth
    python benchmarks/annotations.py --only a,b                                # some parts

a parsing beside scoring (the measures that `evaluate` computes if nobody says which), b parsing beside lxml that only
iterates over the elements of the same files, c all of it beside gatenlp that only loads the same files, d memory.

The corpus is generated, always the same: random words, annotations with the features that KIM writes (`class`, a class
of PROTON, and `inst`), Node ids in UTF-16 units and an emoji in every tenth document. The response has the classes of
the key, near misses, wrong ones, moved and missing annotations. Without the data folder a class tree stands in for
PROTON. About 400 bytes of disk for each annotation are needed for a while (--folder).

CPU seconds (user + system, all threads), each figure from a process that does nothing else, the least of `--repeat`
runs; imports are not counted. gatenlp loads a sample of the documents, which are all of a size, and its time is
extrapolated: marked ~.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import resource
import subprocess
import sys
import tempfile
from bisect import bisect
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import ontoeval as oe

PROTON = "proton/v0.1"
SIDES = ("key", "response")
WORDS_APART = 8  # words of text for each annotation
INDIVIDUALS = 40  # different ones for each class
# What happens to an annotation of the key in the response, adding up: the rest is missing
FATES = {"the same": 0.70, "near": 0.82, "wrong": 0.87, "moved": 0.92}
MEMORY = 10  # times the documents that part d has first
Row = dict[str, Any]
Span = tuple[int, int, str, int]  # first and last word, class, number of the individual
aims: list[tuple[str, float, str, float]] = []  # what, reached, "at least" or "at most", wanted


# the corpus (no library is imported before it is needed: children measure their own memory)


def classes(data: Path) -> oe.Ontology:
    """PROTON below an added root, or a tree of 300 classes."""
    import ontoeval as oe

    folder = data / PROTON
    if (folder / "protonu.owl").is_file():
        return oe.load_ontology(str(folder / "protonu.owl"), imports=str(folder), root="new")
    return oe.Ontology.from_edges(
        [(f"http://example.org/C{c}", f"http://example.org/C{c // 4}") for c in range(1, 300)]
    )


def neighbours(ontology: oe.Ontology) -> dict[str, list[str]]:
    """For each class its parents, its children and those beside it."""
    hierarchy = ontology.hierarchy
    added = int(hierarchy.root_added)
    above: dict[str, list[str]] = {iri: [] for iri in hierarchy.iris[added:]}
    below: dict[str, list[str]] = {iri: [] for iri in above}
    for child, parent in zip(hierarchy.parents.tails.tolist(), hierarchy.parents.indices.tolist(), strict=True):
        if parent >= added:
            above[hierarchy.iris[child]].append(hierarchy.iris[parent])
            below[hierarchy.iris[parent]].append(hierarchy.iris[child])
    return {
        iri: sorted({*above[iri], *below[iri], *(c for p in above[iri] for c in below[p])} - {iri}) or [iri]
        for iri in above
    }


def make(folder: Path, data: Path, documents: int, annotations: int, text: int) -> Row:
    """Write the files of both sides; `annotations` of each side, places for `text` of them in the words."""
    near = neighbours(classes(data))
    pick = random.Random(1)
    chosen = pick.sample(sorted(near), len(near))
    weights = [1 / (i + 5) for i in range(len(chosen))]  # some classes are frequent
    vocabulary = ["".join(pick.choices("aeionrstlmdu", k=pick.randint(2, 11))) for _ in range(5_000)]
    vocabulary[:20] = [word + "é" for word in vocabulary[:20]]
    written = 0
    for side in SIDES:
        (folder / side).mkdir(parents=True)
    for number in range(documents):
        own = annotations * (number + 1) // documents - annotations * number // documents
        places = max(text * 3 // 2 // documents, own * 3 // 2)
        words = pick.choices(vocabulary, k=places * WORDS_APART)
        if number % 10 == 0:
            words[pick.randrange(len(words))] = "\U0001f600"
        chance = pick.sample(range(places), own)
        names = pick.choices(chosen, weights, k=own)
        key = {place: span(place, name, pick) for place, name in zip(chance, names, strict=True)}
        response = answered(key, places, near, pick)
        for side, spans in zip(SIDES, (key, response), strict=True):
            written += write(folder / side / f"document{number:06d}.xml", words, list(spans.values()))
    return {"bytes": written, "classes": len(near)}


def span(place: int, name: str, pick: random.Random) -> Span:
    first = place * WORDS_APART + pick.randrange(3)
    return first, first + pick.randrange(3), name, pick.randrange(INDIVIDUALS)


def answered(key: dict[int, Span], places: int, near: dict[str, list[str]], pick: random.Random) -> dict[int, Span]:
    """As many annotations as the key has: what is missing stands elsewhere."""
    names, limits = list(near), list(FATES.values())
    response: dict[int, Span] = {}
    missing = 0
    for place, (first, last, name, individual) in key.items():
        fate = [*FATES, "missing"][bisect(limits, pick.random())]
        if fate == "missing":
            missing += 1
            continue
        said = pick.choice(near[name]) if fate == "near" else pick.choice(names) if fate == "wrong" else name
        response[place] = (first, last + (fate == "moved"), said, individual)
    free = [place for place in range(places) if place not in key]
    for place in pick.sample(free, missing):
        response[place] = span(place, pick.choice(names), pick)
    return response


def write(path: Path, words: list[str], spans: list[Span]) -> int:
    """A document as GATE saves it: nodes where annotations start and end, their ids the offsets in UTF-16 units."""
    starts = {first for first, *_ in spans}
    ends = {last for _, last, *_ in spans}
    start_of: dict[int, int] = {}
    end_of: dict[int, int] = {}
    text: list[str] = []
    offset = 0
    for i, word in enumerate(words):
        if i in starts:
            start_of[i] = offset
            text.append(f'<Node id="{offset}" />')
        text.append(word)
        offset += len(word) + (word > "\uffff")
        if i in ends:
            end_of[i] = offset
            text.append(f'<Node id="{offset}" />')
        text.append("\n" if i % 15 == 14 else " ")
        offset += 1
    found = "".join(
        f'<Annotation Id="{i}" Type="Lookup" StartNode="{start_of[first]}" EndNode="{end_of[last]}">\n'
        f"{feature('class', name)}{feature('inst', f'http://example.org/kb/{name[-6:]}.{individual}')}</Annotation>\n"
        for i, (first, last, name, individual) in enumerate(spans)
    )
    content = (
        "<?xml version='1.0' encoding='UTF-8'?>\n<GateDocument version=\"3\">\n<GateDocumentFeatures>\n"
        f"{feature('MimeType', 'text/plain')}</GateDocumentFeatures>\n<TextWithNodes>{''.join(text)}</TextWithNodes>\n"
        f"<AnnotationSet>\n{found}</AnnotationSet>\n</GateDocument>\n"
    ).encode()
    path.write_bytes(content)
    return len(content)


def feature(name: str, value: str) -> str:
    string = 'className="java.lang.String"'
    return f"<Feature>\n  <Name {string}>{name}</Name>\n  <Value {string}>{value}</Value>\n</Feature>\n"


# what children measure


def cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def files(folder: Path) -> list[str]:
    return [str(path) for side in SIDES for path in sorted((folder / side).iterdir())]


def child_ontoeval(folder: Path, data: Path) -> Row:
    """Load both sides and score them."""
    import lxml.etree  # noqa: F401 - so that importing it is not counted

    import ontoeval as oe

    warm = oe.Corpus.from_spans({"a": [(0, 1, "b"), (2, 3, "c")]})
    oe.evaluate(oe.Extraction(warm, warm, oe.Ontology.from_edges([("b", "a"), ("c", "a")])))  # imports
    empty, clocks = peak(), [cpu()]
    ontology = classes(data)
    clocks.append(cpu())
    key, response = (oe.load_corpus(str(folder / side)) for side in SIDES)
    clocks.append(cpu())
    loaded = peak()
    result = oe.evaluate(oe.Extraction(response, key, ontology))
    clocks.append(cpu())
    columns = ("lengths", "document", "start", "end", "concept", "instance", "score")
    return {
        "annotations": len(key) + len(response),
        "scores": {score.name: score.value for score in result.scores},
        **{what: clocks[i + 1] - clocks[i] for i, what in enumerate(("ontology", "parsing", "scoring"))},
        "empty": empty,
        "loaded": loaded,
        "peak": peak(),
        "columns": sum(getattr(side, column).nbytes for side in (key, response) for column in columns) / 2**20,
    }


def child_lxml(folder: Path, data: Path, way: str = "iterparse") -> Row:
    """Iterate over the elements, nothing kept; or parse into trees that are not looked at."""
    from lxml import etree

    paths = files(folder)
    start = cpu()
    for path in paths:
        if way == "parse":
            etree.parse(path)
        else:
            for _ in etree.iterparse(path):
                pass
    return {"CPU": cpu() - start}


def child_gatenlp(folder: Path, data: Path, sample: int) -> Row:
    from gatenlp import Document

    paths = files(folder)
    taken = paths[:: max(1, len(paths) // sample)]
    Document.load(paths[0], fmt="gatexml")  # imports
    start, annotations = cpu(), 0
    for path in taken:
        annotations += len(Document.load(path, fmt="gatexml").annset())
    took = cpu() - start
    return {"loading": took * len(paths) / len(taken), "sample": len(taken), "annotations": annotations}


CHILDREN: dict[str, Callable[..., Row]] = {
    "make": lambda folder, data, *sizes: make(folder, data, *map(int, sizes)),
    "ontoeval": child_ontoeval,
    "lxml": child_lxml,
    "gatenlp": lambda folder, data, sample: child_gatenlp(folder, data, int(sample)),
}


# running


def run(name: str, folder: Path, options: argparse.Namespace, *more: object) -> Row:
    command = [sys.executable, __file__, "--data", str(options.data), "--child", name, str(folder), *map(str, more)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        print(done.stderr, file=sys.stderr)
        return {"failed": (done.stderr.splitlines() or [f"ended with {done.returncode}"])[-1]}
    return dict(json.loads(done.stdout.splitlines()[-1]))


def least(name: str, folder: Path, options: argparse.Namespace, figures: tuple[str, ...], *more: str) -> Row:
    """Of several runs the one with the least time."""
    rows = []
    for _ in range(options.repeat):
        rows.append(run(name, folder, options, *more))
        if "failed" in rows[-1]:
            print(f"left out: {name}: {rows[-1]['failed']}\n")
            return rows[-1]
        print(f"  {name}: " + ", ".join(f"{rows[-1][figure]:.2f} s" for figure in figures), file=sys.stderr)
    return {**rows[-1], **{figure: min(row[figure] for row in rows) for figure in figures}}


def table(head: list[str], rows: list[list[str]]) -> None:
    """Markdown with columns of one width, so that it reads as plain text as well."""
    widths = [max(3, *(len(line[i]) for line in [head, *rows])) for i in range(len(head))]
    rule = ["-" * w if not i else "-" * (w - 1) + ":" for i, w in enumerate(widths)]
    for line in [head, rule, *rows]:
        cells = [cell.rjust(w) if i else cell.ljust(w) for i, (cell, w) in enumerate(zip(line, widths, strict=True))]
        print("| " + " | ".join(cells) + " |")
    print(flush=True)


def times(ratio: float) -> str:
    return f"{ratio:,.0f} x" if ratio >= 100 else f"{ratio:.3g} x"


def speed(options: argparse.Namespace, folder: Path, parts: set[str]) -> None:
    """Parts a, b and c, which have the same files."""
    made = run("make", folder, options, options.documents, options.annotations // 2, options.annotations // 2)
    if "failed" in made:
        sys.exit(f"no corpus: {made['failed']}")
    size = made["bytes"] / 2**20
    print(
        f"## {options.annotations:,} annotations, {options.documents:,} documents on each side: {size:,.0f} MiB of "
        f"GATE XML, {made['classes']:,} classes\n",
        flush=True,
    )
    own = least("ontoeval", folder, options, ("parsing", "scoring", "ontology"))
    if "failed" in own:
        return
    assert own["annotations"] == options.annotations // 2 * 2, own["annotations"]
    rows = [["**ontoeval**: parsing both sides", f"{own['parsing']:.2f}", f"{size / own['parsing']:.0f}", ""]]

    def add(what: str, took: float, mark: str = "") -> None:
        ratio = times(took / own["parsing"])
        rows.append([what, f"{mark}{took:.2f}", f"{mark}{size / took:.0f}" if "scoring" not in what else "", ratio])

    whole = own["ontology"] + own["parsing"] + own["scoring"]
    add("ontoeval: scoring", own["scoring"])
    add("ontoeval: both, the ontology loaded as well", whole)
    aims.append(("a. parsing: times the CPU time of scoring", own["parsing"] / own["scoring"], "at least", 5.0))
    if "b" in parts:
        for way, what in (("iterparse", "lxml: iterparse"), ("parse", "lxml: parse, the trees not looked at")):
            other = least("lxml", folder, options, ("CPU",), way)
            if "failed" not in other:
                add(what, other["CPU"])
                if way == "iterparse":
                    ratio = own["parsing"] / other["CPU"]
                    aims.append(("b. parsing: times the CPU time of lxml's iterparse", ratio, "at most", 2.0))
    if "c" in parts:
        peer = least("gatenlp", folder, options, ("loading",), str(options.sample))
        if "failed" not in peer:
            mark = "~" if peer["sample"] < 2 * options.documents else ""
            some = f" ({peer['sample']:,} of the files, extrapolated)" if mark else ""
            add(f"gatenlp: loading{some}", peer["loading"], mark)
            ratio = peer["loading"] / whole
            aims.append(("c. gatenlp's loading: times the CPU time of loading and scoring", ratio, "at least", 5.0))
    table(["", "CPU s", "MiB per CPU s", "beside parsing"], rows)
    print("Scores: " + ", ".join(f"{name} {value:.4g}" for name, value in own["scores"].items()) + "\n")


def memory(options: argparse.Namespace, folder: Path) -> None:
    """Part d: ten times the documents and the text with the same annotations, then ten times the annotations."""
    print("## d. Memory\n", flush=True)
    many, few = options.documents, max(1, options.documents // MEMORY)
    some = options.annotations // 2 // MEMORY
    rows, found = [], []
    for documents, number, text in ((few, some, some), (many, some, MEMORY * some), (many, MEMORY * some, 0)):
        with tempfile.TemporaryDirectory(dir=folder) as temporary:
            made = run("make", Path(temporary), options, documents, number, text)
            row = made if "failed" in made else run("ontoeval", Path(temporary), options)
        if "failed" in row:
            print(f"left out: {documents:,} documents: {row['failed']}\n")
            return
        found.append((row["peak"], made["bytes"] / 2**20))
        figures = (found[-1][1], row["columns"], row["loaded"] - row["empty"], row["peak"] - row["empty"], row["peak"])
        rows.append([f"{documents:,}", f"{row['annotations']:,}", *(f"{figure:,.1f}" for figure in figures)])
    head = ["documents on each side", "annotations", "MiB of files", "MiB of columns"]
    table([*head, "peak of parsing, above imports", "and of scoring", "with imports"], rows)
    more = (found[1][0] - found[0][0]) / (many - few) / 2
    print(f"A further file costs {more * 1024:.2f} KiB, and has {found[1][1] / many / 2 * 1024:.1f} KiB.\n")
    what = f"d. peak memory with {MEMORY} times the documents, the same annotations"
    aims.append((what, found[1][0] / found[0][0], "at most", 1.1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--documents", type=int, default=10_000, help="on each side")
    parser.add_argument("--annotations", type=int, default=1_000_000, help="of both sides together")
    parser.add_argument("--only", default="a,b,c,d", help="parts, such as a,d; b and c bring a with them")
    parser.add_argument("--sample", type=int, default=1_000, help="files that gatenlp loads")
    parser.add_argument("--repeat", type=int, default=3, help="runs of which the least counts")
    parser.add_argument("--folder", type=Path, help="where temporary files go")
    parser.add_argument("--child", nargs="+", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        name, folder, *more = options.child
        print(json.dumps(CHILDREN[name](Path(folder), options.data, *more)))
        return
    parts = set(options.only.replace(" ", "").split(","))
    versions = [f"Python {platform.python_version()}"]
    for package in ("numpy", "lxml", "gatenlp"):
        try:
            versions.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            versions.append(f"no {package}")
    room = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    print(f"{os.cpu_count()} cores, {room:.0f} GiB, {', '.join(versions)}\n", flush=True)
    with tempfile.TemporaryDirectory(dir=options.folder) as temporary:
        if parts & {"a", "b", "c"}:
            speed(options, Path(temporary) / "speed", parts)
    with tempfile.TemporaryDirectory(dir=options.folder) as temporary:
        if "d" in parts:
            memory(options, Path(temporary))
    print("## Aims\n")
    rows = []
    for what, got, way, wanted in aims:
        met = got >= wanted if way == "at least" else got <= wanted
        rows.append([what, "yes" if met else "**no**", f"{got:,.3g}", f"{way} {wanted:g}"])
    table(["", "met", "reached", "wanted"], rows)


if __name__ == "__main__":
    main()
