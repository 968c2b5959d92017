"""Concept against concept beside other libraries: same graph, same concepts, same information content, one run.

    python benchmarks/relatedness.py --data ../shared/data             # pip install -e '.[bench]'
    python benchmarks/relatedness.py --only a,d                        # some parts
    python benchmarks/relatedness.py --only e                          # all pairs of the Gene Ontology to a file: long

a matrix of 2,000 random concepts, b a list of random pairs, c do the values agree, d BDM on PROTON beside enumerating
paths, e all pairs streamed to a file, f shortest paths.

CPU seconds (user + system, all threads), each library in a process of its own. For ontoeval closures and information
content are built within the time measured ("again": they are there already), for the others they are made ready before
and not counted; loading is counted for none. A slow peer answers a sample, at least 2,000 pairs, and its rate is
extrapolated: marked ~. A matrix of 2,000 concepts has 2,001,000 different pairs: so many are counted, for all alike.
Without the data folder a generated hierarchy stands in.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import platform
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import scipy
from compare import generated
from peers import OPENERS, cpu
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

import ontoeval as oe
from ontoeval.analysis.relate import relate_all

HERE = Path(__file__).parent
CONCEPTS = 2_000
GRAPHS = {"WordNet 3.0 nouns": "wordnet30-noun/synsets.tsv.gz", "Gene Ontology 2022": "go2022/go-2022-07-01.ttl.gz"}
STREAMED = "go2017/go.owl.gz"
PROTON = "proton/v0.1"
LISTS = ("ontoeval", "hpo3", "go3", "semsimian", "nltk", "fastsemsim", "nxontology", "goatools")
QUICK = ("ontoeval", "hpo3", "go3")  # those that answer a million pairs in seconds
Row = dict[str, Any]
Paths = list[tuple[int, ...]]
aims: list[tuple[str, float, float]] = []  # what, reached, wanted (at least)


# inputs


def wordnet(path: Path) -> oe.Ontology:
    edges = []
    with gzip.open(path, "rt") as stream:
        next(stream)
        for line in stream:
            synset, hypernyms, instance_of, _ = line.rstrip("\n").split("\t")
            edges += [(synset, above) for above in f"{hypernyms},{instance_of}".split(",") if above]
    return oe.Ontology.from_edges(edges)


def graphs(data: Path) -> dict[str, Callable[[], oe.Ontology]]:
    found: dict[str, Callable[[], oe.Ontology]] = {}
    for name, file in GRAPHS.items():
        path = data / file
        if not path.is_file():
            print(f"{name} skipped: no {path}")
        elif path.name == "synsets.tsv.gz":
            found[name] = lambda path=path: wordnet(path)  # type: ignore[misc]
        else:
            found[name] = lambda path=path: oe.load_ontology(str(path))  # type: ignore[misc]
    return found or {"generated hierarchy": lambda: oe.Ontology.from_edges(generated(40_000))}


def prepare(ontology: oe.Ontology, folder: Path, pairs: int) -> None:
    """What each peer reads: the edges by number and the random concepts and pairs."""
    hierarchy = ontology.hierarchy
    count = len(hierarchy.iris)
    pick = np.random.default_rng(1)
    concepts = 1 + pick.permutation(count - 1)[:CONCEPTS]  # the root, number 0, is left out: peers disagree on 0/0
    np.save(folder / "edges.npy", np.stack([hierarchy.parents.tails, hierarchy.parents.indices], axis=1))
    np.save(folder / "concepts.npy", concepts)
    np.save(folder / "pairs.npy", pick.choice(concepts, (2, pairs)))
    np.save(folder / "anywhere.npy", pick.integers(1, count, (2, pairs)))
    np.save(folder / "check.npy", pick.choice(concepts, (2, 2_000)))
    if hierarchy.iris[0].isdigit():
        np.save(folder / "offsets.npy", np.array([int(offset) for offset in hierarchy.iris]))


# running


def run_peer(name: str, folder: Path, forms: str, options: argparse.Namespace) -> Row:
    more = [name, str(folder), forms, str(options.seconds), str(options.repeat)]
    command = [sys.executable, str(HERE / "peers.py"), *more]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=options.timeout)
        lines = done.stdout.splitlines()
        if done.returncode or not lines:
            return {"failed": f"ended with {done.returncode}: {(done.stderr.splitlines() or ['no message'])[-1][:160]}"}
        return dict(json.loads(lines[-1]))
    except subprocess.TimeoutExpired:
        return {"failed": f"not ready after {options.timeout:g} s"}


def table(head: list[str], rows: list[list[str]]) -> None:
    """Markdown with columns of one width, so that it reads as plain text as well."""
    widths = [max(3, *(len(line[i]) for line in [head, *rows])) for i in range(len(head))]
    rule = ["-" * w if i < 2 else "-" * (w - 1) + ":" for i, w in enumerate(widths)]
    for line in [head, rule, *rows]:
        cells = [
            cell.ljust(w) if i < 2 else cell.rjust(w) for i, (cell, w) in enumerate(zip(line, widths, strict=True))
        ]
        print("| " + " | ".join(cells) + " |")
    print(flush=True)


def rate(row: Row) -> float:
    return float(row["pairs"] / row["cpu"]) if row["cpu"] else float("inf")


def amount(number: float) -> str:
    """A rate in thousands or millions."""
    return f"{number / 1e6:.1f} M" if number >= 1e6 else f"{number / 1e3:.3g} k"


def times(ratio: float) -> str:
    return f"{ratio:,.0f} x" if ratio >= 100 else f"{ratio:.3g} x"


def rates(results: dict[str, Row], form: str, pairs: int) -> None:
    """One row per measure and peer, the fastest first."""
    rows = []
    for measure in ("Lin", "Resnik", "Wu-Palmer"):
        found = {
            name: row
            for name, result in results.items()
            for row in result.get("rows", ())
            if row["form"] == form and row["measure"] == measure
        }
        own = found.get("ontoeval")
        for name, row in sorted(found.items(), key=lambda item: -rate(item[1])):
            share = "" if own is None or name == "ontoeval" else times(rate(own) / rate(row))
            label = f"{name} {results[name]['version']}" if name != "ontoeval" else "**ontoeval**"
            mark = "~" if row["sampled"] else ""
            rows.append([measure, label, amount(rate(row)), f"{mark}{pairs / rate(row):,.2f}", share])
            if "again" in row:
                again = row["pairs"] / row["again"]
                rows.append([measure, "ontoeval, again", amount(again), f"{pairs / again:,.2f}", ""])
    table(["measure", "by", "pairs per CPU s", "CPU s for all", "ontoeval is faster by"], rows)


def against(results: dict[str, Row], form: str, measure: str, peer: str) -> float | None:
    found = {
        name: rate(row)
        for name in ("ontoeval", peer)
        for row in results.get(name, {}).get("rows", ())
        if (row["form"], row["measure"]) == (form, measure)
    }
    return found["ontoeval"] / found[peer] if len(found) == 2 else None


def note_aims(graph: str, results: dict[str, Row]) -> None:
    for form, measure, peer, wanted in (
        ("matrix", "Resnik", "ensmallen", 2.0),
        ("matrix", "Lin", "go3", 20.0),
        ("matrix", "Lin", "nxontology", 200.0),
        ("pairs", "Lin", "hpo3", 1.0),
        ("anywhere", "Lin", "hpo3", 1.0),
    ):
        reached = against(results, form, measure, peer)
        if reached is not None:
            what = {"matrix": "matrix", "pairs": "list of pairs", "anywhere": "list of pairs anywhere"}[form]
            aims.append((f"{graph}, {what}, {measure}: times {peer}'s speed", reached, wanted))


def agreement(graph: str, folder: Path, results: dict[str, Row]) -> None:
    """Part c: values of 2,000 random pairs beside ontoeval's."""
    rows = []
    for measure in ("Lin", "Resnik", "Wu-Palmer"):
        own_file = folder / f"values-ontoeval-{measure}.npy"
        if not own_file.is_file():
            continue
        own = np.load(own_file)
        for name in results:
            file = folder / f"values-{name}-{measure}.npy"
            if name == "ontoeval" or not file.is_file():
                continue
            theirs = np.load(file)
            answered = ~np.isnan(theirs)
            apart = np.abs(theirs - own)[answered]
            largest = float(apart.max()) if len(apart) else float("nan")
            rows.append(
                [measure, name, f"{largest:.1e}", f"{np.mean(apart > 1e-5):.1%}", f"{1 - np.mean(answered):.1%}"]
            )
            if measure == "Lin" and name in ("nxontology", "nltk"):
                aims.append((f"{graph}, Lin agrees with {name}: digits", -np.log10(max(largest, 1e-16)), 5.0))
    table(["measure", "beside", "largest difference", "differ by > 0.00001", "not answered"], rows)


def graph_parts(options: argparse.Namespace, parts: set[str]) -> None:
    """Parts a, b and c on each graph."""
    for name, load in graphs(options.data).items():
        ontology = load()
        with tempfile.TemporaryDirectory(dir=options.folder) as temporary:
            folder = Path(temporary)
            prepare(ontology, folder, options.pairs)
            hierarchy = ontology.hierarchy
            print(f"## {name}: {len(hierarchy.iris):,} concepts, {len(hierarchy.parents.indices):,} edges\n")
            del ontology
            results: dict[str, Row] = {}
            for peer in OPENERS:
                forms = ["matrix"] if "a" in parts else []
                if "b" in parts and peer in LISTS:
                    forms += ["pairs", "anywhere"] if peer in QUICK else ["pairs"]
                clock = time.perf_counter()
                result = run_peer(peer, folder, ",".join(forms), options)
                print(f"  {name}: {peer}, {time.perf_counter() - clock:.0f} s", file=sys.stderr, flush=True)
                if "failed" in result:
                    print(f"left out: {peer}: {result['failed']}", flush=True)
                else:
                    results[peer] = result
            print()
            if "a" in parts:
                chosen = min(CONCEPTS, len(hierarchy.iris) - 1)
                print(f"a. Matrix of {chosen:,} random concepts\n")
                rates(results, "matrix", chosen * (chosen + 1) // 2)
            if "b" in parts:
                print(f"b. List of {options.pairs:,} random pairs of those concepts\n")
                rates(results, "pairs", options.pairs)
                print(f"b. List of {options.pairs:,} random pairs of all concepts\n")
                rates(results, "anywhere", options.pairs)
            note_aims(name, results)
            if "c" in parts:
                print("c. Values of 2,000 random pairs, same information content\n")
                agreement(name, folder, results)


# BDM as its definition reads


def proton(data: Path) -> oe.Ontology:
    folder = data / PROTON
    return oe.load_ontology(str(folder / "protonu.owl"), imports=str(folder), root="new")


def chain_means(parents: list[list[int]], children: list[list[int]]) -> tuple[float, list[float]]:
    """n0 and n(c): mean length of all chains, and of the chains through each concept."""
    count = len(parents)
    up, up_length, down, down_length = [0] * count, [0] * count, [0] * count, [0] * count
    for c in range(count):
        up[c] = sum(up[p] for p in parents[c]) or 1
        up_length[c] = sum(up_length[p] + up[p] for p in parents[c])
    for c in reversed(range(count)):
        down[c] = sum(down[d] for d in children[c]) or 1
        down_length[c] = sum(down_length[d] + down[d] for d in children[c])
    roots = [c for c in range(count) if not parents[c]]
    mean = sum(down_length[r] for r in roots) / sum(down[r] for r in roots)
    return mean, [up_length[c] / up[c] + down_length[c] / down[c] for c in range(count)]


def paths_to(concept: int, parents: list[list[int]]) -> list[tuple[int, ...]]:
    """All paths from a root down to a concept."""
    return [(*path, concept) for p in parents[concept] for path in paths_to(p, parents)] or [(concept,)]


def bdm_by_paths(k_paths: Paths, r_paths: Paths, br: list[int], means: tuple[float, list[float], float]) -> float:
    """The best of every root path of one concept beside every root path of another (the definition, step by step)."""
    n0, n, average = means
    best = 0.0
    for p in k_paths:
        for q in r_paths:
            common = 0
            while common < min(len(p), len(q)) and p[common] == q[common]:
                common += 1
            if not common:
                continue
            relevant = [p[common - 1], *p[common:-1], *q[common:-1]]
            branching = sum(br[c] for c in relevant) / len(relevant) / average
            x = branching * (common - 1) / n0
            if x:
                best = max(best, x / (x + (len(p) - common) / n[p[-1]] + (len(q) - common) / n[q[-1]]))
    return best


def part_d(options: argparse.Namespace) -> None:
    if not (options.data / PROTON / "protonu.owl").is_file():
        print(f"d. BDM skipped: no {options.data / PROTON}\n")
        return
    print("## d. BDM, all pairs of PROTON 0.1 below an added root\n")
    relate_all(oe.Ontology.from_edges([("b", "a"), ("c", "a")]), ["b", "c"], "BDM")  # imports
    best = again = float("inf")
    for _ in range(options.repeat):
        ontology = proton(options.data)
        hierarchy = ontology.hierarchy
        ids = range(int(hierarchy.root_added), len(hierarchy.iris))  # an added root is in no list of concepts
        names = [hierarchy.iris[c] for c in ids]
        start = cpu()
        own = relate_all(ontology, names, "BDM")
        best = min(best, cpu() - start)
        start = cpu()
        relate_all(ontology, names, "BDM")
        again = min(again, cpu() - start)
    count = len(hierarchy.iris)
    parents: list[list[int]] = [[] for _ in range(count)]
    children: list[list[int]] = [[] for _ in range(count)]
    for c, p in zip(hierarchy.parents.tails.tolist(), hierarchy.parents.indices.tolist(), strict=True):
        parents[c].append(p)
        children[p].append(c)
    br = [len(below) for below in children]
    means = (*chain_means(parents, children), sum(br) / sum(1 for b in br if b))
    known = [paths_to(c, parents) for c in range(count)]
    pairs = [(i, j) for i in range(len(ids)) for j in range(i)]
    start = cpu()
    values = [bdm_by_paths(known[ids[i]], known[ids[j]], br, means) for i, j in pairs]
    kept = cpu() - start
    start = cpu()
    for i, j in pairs:
        bdm_by_paths(paths_to(ids[i], parents), paths_to(ids[j], parents), br, means)
    each = cpu() - start
    worst = max(abs(value - own[i, j]) for value, (i, j) in zip(values, pairs, strict=True))
    # not counted: pairs with the added root, they all score 0
    print(f"{count:,} concepts, {sum(map(len, known)):,} root paths, {len(pairs):,} pairs of named concepts\n")
    table(
        ["by", "", "CPU s", "ontoeval is faster by", "largest difference"],
        [
            ["**ontoeval**", "closures and counts included", f"{best:.4f}", "", ""],
            ["ontoeval, again", "", f"{again:.4f}", "", ""],
            ["plain Python", "paths of every concept kept", f"{kept:.2f}", times(kept / best), f"{worst:.1e}"],
            ["plain Python", "paths enumerated for each pair", f"{each:.2f}", times(each / best), ""],
        ],
    )
    aims.append(("PROTON, BDM: times the speed of enumerating paths for each pair", each / best, 100.0))
    aims.append(("PROTON, BDM: times the speed of going through kept paths", kept / best, 100.0))
    aims.append(("PROTON, BDM: digits that agree", -float(np.log10(max(worst, 1e-16))), 9.0))


def part_e(options: argparse.Namespace) -> None:
    path = options.data / STREAMED
    if not path.is_file():
        print(f"e. Streaming skipped: no {path}\n")
        return
    free = shutil.disk_usage(options.folder or tempfile.gettempdir()).free
    if free < 24 * 2**30:
        print(f"e. Streaming skipped: {free / 2**30:.0f} GiB free, 24 are wanted (--folder)\n")
        return
    print("## e. All pairs of the Gene Ontology 2017 to a file\n", flush=True)
    with tempfile.TemporaryDirectory(dir=options.folder) as temporary:
        target = Path(temporary) / "all.npy"
        command = [str(Path(sys.executable).parent / "ontoeval"), "relate", "--all", "--ontology", str(path)]
        start, clock = children_cpu(), time.perf_counter()
        done = subprocess.run([*command, "-m", "Lin", "-o", str(target)], capture_output=True, text=True)
        took, wall = children_cpu() - start, time.perf_counter() - clock
        if done.returncode:
            print(f"failed: {done.stderr.strip()[-400:]}\n")
            return
        written = sum(file.stat().st_size for file in Path(temporary).iterdir())
        shape = np.load(target, mmap_mode="r").shape
    # of all children so far: part e runs first, so that it is this one's
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**20
    pairs = shape[0] * (shape[0] + 1) // 2
    table(
        ["concepts", "pairs", "CPU s, loading included", "wall s", "pairs per CPU s", "GiB written", "peak GiB"],
        [
            [
                f"{shape[0]:,}",
                f"{pairs:,}",
                f"{took:.1f}",
                f"{wall:.1f}",
                amount(pairs / took),
                f"{written / 2**30:.1f}",
                f"{memory:.2f}",
            ]
        ],
    )
    aims.append(("streaming: 4 GiB are this many times the peak memory", 4 / memory, 1.0))


def children_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


# shortest paths


def part_f(options: argparse.Namespace) -> None:
    name, load = next(iter(graphs(options.data).items()))
    ontology = load()
    hierarchy = ontology.hierarchy
    count = len(hierarchy.iris)
    pick = np.random.default_rng(2)
    some = 1 + pick.permutation(count - 1)[:CONCEPTS]
    pairs = min(options.pairs, 100_000)
    rows = []
    edges = hierarchy.parents
    graph = csr_array((np.ones(len(edges.indices)), (edges.tails, edges.indices)), shape=(count, count))
    for label, (left, right) in {
        f"of {CONCEPTS:,} concepts": pick.choice(some, (2, pairs)),
        "of all concepts": pick.integers(1, count, (2, pairs)),
    }.items():
        names = [[hierarchy.iris[c] for c in side] for side in (left, right)]
        sources = min((np.unique(left), np.unique(right)), key=len)
        sample = pick.permutation(sources)[:40]
        start = cpu()
        distances = dijkstra(graph, directed=False, indices=sample, unweighted=True)
        theirs = (cpu() - start) / len(sample) * len(sources)
        at = {int(c): i for i, c in enumerate(sample)}
        shared = [i for i, c in enumerate(left) if int(c) in at]
        expected = np.array([distances[at[int(left[i])], right[i]] for i in shared])
        for measure in ("Rada(scale=distance)", "LC"):
            start, clock = cpu(), time.perf_counter()
            values = oe.relate(ontology, *names, measure)
            took = cpu() - start
            worst = float(np.abs(values[shared] - expected).max()) if measure.startswith("Rada") and shared else None
            rows.append(
                [
                    measure,
                    f"{len(left):,} pairs {label}",
                    f"{len(sources):,}",
                    f"{took:.2f}",
                    f"{time.perf_counter() - clock:.2f}",
                    f"~{theirs:.2f}",
                    times(theirs / took),
                    "" if worst is None else f"{worst:.0e}",
                ]
            )
    print(f"## f. Shortest paths, {name}\n")
    head = ["measure", "pairs", "sources", "CPU s", "wall s", "dijkstra CPU s", "faster by", "largest difference"]
    table(head, rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--only", default="a,b,c,d,f", help="parts, such as a,b")
    parser.add_argument("--pairs", type=int, default=1_000_000, help="length of the list of pairs")
    parser.add_argument("--stream", action="store_true", help="part e as well: long, and 16 GB on the disk for a while")
    parser.add_argument("--seconds", type=float, default=5, help="CPU seconds after which a slow peer is extrapolated")
    parser.add_argument("--repeat", type=int, default=3, help="runs of a matrix, the least counts")
    parser.add_argument("--timeout", type=float, default=900, help="seconds a library may take in all")
    parser.add_argument("--folder", type=Path, help="where temporary files go")
    options = parser.parse_args()
    parts = set(options.only.replace(" ", "").split(","))
    random.seed(1)
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    versions = f"Python {platform.python_version()}, numpy {np.__version__}, scipy {scipy.__version__}"
    print(f"{os.cpu_count()} cores, {memory:.0f} GiB, {versions}\n", flush=True)
    if options.stream or "e" in parts:
        part_e(options)
    if parts & {"a", "b", "c"}:
        graph_parts(options, parts)
    if "d" in parts:
        part_d(options)
    if "f" in parts:
        part_f(options)
    print("## Aims\n")
    rows = [[what, "yes" if got >= wanted else "**no**", f"{got:,.3g}", f"{wanted:g}"] for what, got, wanted in aims]
    table(["", "met", "reached", "at least"], rows)


if __name__ == "__main__":
    main()
