"""Speed and memory of comparing two hierarchies by their instances, beside plain loops straight from the definitions.

    python benchmarks/instances.py                     # all parts, some minutes
    python benchmarks/instances.py --only a,c          # a: loops, b: growth, c: large counts, d: several parents

CPU time (user + system) of one process for each figure; imports, warm-up and building the ontologies apart, every time
from a fresh comparison, the closures of both sides included. Peak memory is that of the whole process.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from scipy.sparse import csr_array

import ontoeval as oe
from ontoeval.measures import parse
from ontoeval.measures.instances._triples import triples
from ontoeval.model.hierarchy import EdgeTable, Hierarchy
from ontoeval.model.instances import InstanceAssignment
from ontoeval.model.lexicon import Lexicon
from ontoeval.model.ontology import Source

Row = dict[str, Any]
DEPTH = 10
MOVED = 0.2  # of the instances
MOVED_NODES = 0.1
PER_NODE = 10  # instances
ALPHA, BETA = 0.3, 0.2
GROWTH = ("H_s", "ITP", "OntoRand", "OntoRand(delta=tree)")
GENERAL = ("H_s", "ITP", "EOR(delta=tree)")
VARIANTS = {"same": "the same tree", "moved": "10 % of the nodes moved"}
aims: list[tuple[str, float, str, float]] = []  # what, reached, "at least" or "at most", wanted


# inputs, as arrays


def grown(nodes: int, pick: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Parents of the nodes 1, 2, ... of a random tree of at most ten levels, and the level of every node.

    The levels grow by the same factor each; node 0 is the root.
    """
    factor = max(1.6, nodes ** (1 / DEPTH))
    sizes = [1]
    while sum(sizes) < nodes:
        wanted = math.ceil(sizes[-1] * factor) if len(sizes) < DEPTH else nodes
        sizes.append(min(wanted, nodes - sum(sizes)))
    starts = np.cumsum([0, *sizes])
    parents = [pick.integers(starts[k - 1], starts[k], sizes[k]) for k in range(1, len(sizes))]
    return np.concatenate([np.zeros(0, dtype=np.int64), *parents]), np.repeat(np.arange(len(sizes)), sizes)


def shifted(parents: np.ndarray, level: np.ndarray, pick: np.random.Generator) -> np.ndarray:
    """Some nodes below another node of a higher level."""
    child = np.flatnonzero(pick.random(len(parents)) < MOVED_NODES)
    end = np.searchsorted(level, level[child + 1])  # the nodes before are on higher levels
    result = parents.copy()
    result[child] = pick.integers(0, end)
    return result


def ontology(tails: np.ndarray, heads: np.ndarray, nodes: int, places: np.ndarray, name: str) -> oe.Ontology:
    """Nodes as concepts, and one instance on each place."""
    width = len(str(nodes))
    names = [f"c{k:0{width}d}" for k in range(nodes)]
    hierarchy = Hierarchy.build(names, EdgeTable.make(tails, heads), root=names[0])
    ids = hierarchy.ids(names)
    nothing = Lexicon.build(len(hierarchy), np.zeros(0, dtype=np.int64), [], [], [])
    width = len(str(len(places)))
    iris = tuple(f"i{k:0{width}d}" for k in range(len(places)))
    columns = (np.ones(len(places)), ids[places], np.arange(len(places) + 1))
    assigned = InstanceAssignment(iris, csr_array(columns, shape=(len(places), len(hierarchy))))
    return oe.Ontology(hierarchy, nothing, assigned, Source(path=name))


def moved(places: np.ndarray, nodes: int, pick: np.random.Generator) -> np.ndarray:
    """A fifth of the instances on random nodes."""
    return np.where(pick.random(len(places)) < MOVED, pick.integers(0, nodes, len(places)), places)


def pair(instances: int, nodes: int, variant: str = "same") -> tuple[oe.Ontology, oe.Ontology]:
    """Learned and gold tree."""
    pick = np.random.default_rng(1)
    parents, level = grown(nodes, pick)
    places = pick.integers(0, nodes, instances)
    other = shifted(parents, level, pick) if variant == "moved" else parents
    child = np.arange(1, nodes)
    learned = ontology(child, other, nodes, moved(places, nodes, pick), "learned")
    return learned, ontology(child, parents, nodes, places, "gold")


def lattices(cells: int) -> tuple[oe.Ontology, oe.Ontology]:
    """Three of ten nodes have a second parent; the instances sit on exactly so many pairs of nodes."""
    pick = np.random.default_rng(1)
    nodes = max(20, cells // 4)
    parents, level = grown(nodes, pick)
    child = np.arange(1, nodes)
    second = np.flatnonzero(pick.random(nodes - 1) < 0.3) + 1
    above = pick.integers(0, np.searchsorted(level, level[second]))
    tails, heads = np.concatenate([child, second]), np.concatenate([parents, above])
    places = pick.integers(0, nodes, 40 * cells)
    found = np.unique(moved(places, nodes, pick) * nodes + places)
    found = np.repeat(pick.choice(found, cells, replace=False), pick.integers(1, 20, cells))
    learned = ontology(tails, np.concatenate([shifted(parents, level, pick), above]), nodes, found // nodes, "learned")
    return learned, ontology(tails, heads, nodes, found % nodes, "gold")


def fresh(sides: tuple[oe.Ontology, oe.Ontology], matching: oe.Matching) -> oe.Comparison:
    """Without anything that was computed before."""
    made = []
    for side in sides:
        old = side.hierarchy
        bare = Hierarchy(**{name: getattr(old, name) for name in old.__dataclass_fields__})
        made.append(oe.Ontology(bare, side.lexicon, side.instances, side.source))
    return oe.Comparison(made[0], made[1], matching)


# the same straight from the definitions


class Plain:
    """One side in dictionaries: the ancestors of the concept that each instance sits on, itself included."""

    def __init__(self, side: oe.Ontology) -> None:
        hierarchy = side.hierarchy
        parents = [hierarchy.parents[c].tolist() for c in range(len(hierarchy))]
        assert side.instances is not None
        self.where = side.instances.strength.indices.tolist()
        self.steps = [self._upwards(c, parents) for c in range(len(hierarchy))]
        above = [frozenset(found) for found in self.steps]
        self.depth = [steps[0] for steps in self.steps]
        self.up = [above[c] for c in self.where]

    @staticmethod
    def _upwards(concept: int, parents: list[list[int]]) -> dict[int, int]:
        """The fewest edges to each ancestor."""
        found, front, step = {concept: 0}, [concept], 0
        while front:
            step += 1
            front = [p for p in {p for c in front for p in parents[c]} if p not in found]
            found.update(dict.fromkeys(front, step))
        return found

    def overlap(self, i: int, j: int) -> float:
        return len(self.up[i] & self.up[j]) / len(self.up[i] | self.up[j])

    def tree(self, i: int, j: int) -> float:
        u, v = self.where[i], self.where[j]
        if u == v:
            return 1.0
        common = self.up[i] & self.up[j]
        length = min(self.steps[u][a] + self.steps[v][a] for a in common)
        return math.exp(-ALPHA * length) * math.tanh(BETA * max(self.depth[a] for a in common))

    def companions(self, i: int) -> set[int]:
        own, up = self.where[i], self.up[i]
        return {j for j, other in enumerate(self.where) if other in up or own in self.up[j]}


def loop_triples(learned: Plain, gold: Plain) -> float:
    """H_s with w1."""
    mine, theirs = learned.up, gold.up
    everybody = range(len(mine))
    in_learned = in_gold = in_both = 0
    for i in everybody:
        for j in everybody:
            if j == i:
                continue
            for k in everybody:
                if k in (i, j):
                    continue
                closer = mine[i] & mine[j] > mine[i] & mine[k]
                as_well = theirs[i] & theirs[j] > theirs[i] & theirs[k]
                in_learned += closer
                in_gold += as_well
                in_both += closer and as_well
    return 2 * in_both / (in_learned + in_gold)


def loop_splits(learned: Plain, gold: Plain) -> float:
    """H_s with w2: what triples have in common at each set of ancestors where they part."""
    mine, theirs = learned.up, gold.up
    everybody = range(len(mine))
    counts = [Counter(), Counter(), Counter(), Counter()]  # type: list[Counter[frozenset[int]]]
    for i in everybody:
        for j in everybody:
            if j == i:
                continue
            for k in everybody:
                if k in (i, j):
                    continue
                part, other = mine[i] & mine[k], theirs[i] & theirs[k]
                closer, as_well = mine[i] & mine[j] > part, theirs[i] & theirs[j] > other
                if closer:
                    counts[0][part] += 1
                if as_well:
                    counts[1][other] += 1
                if closer and as_well:
                    counts[2][part] += 1
                    counts[3][other] += 1
    shares = [common / own[above] for own, both in (counts[::2], counts[1::2]) for above, common in both.items()]
    return math.fsum(shares) / (len(counts[0]) + len(counts[1]))


def loop_pairs(learned: Plain, gold: Plain, delta: str) -> float:
    """OntoRand and EOR."""
    mine, theirs = getattr(learned, delta), getattr(gold, delta)
    size = len(learned.where)
    apart = [abs(mine(i, j) - theirs(i, j)) for i in range(size) for j in range(i)]
    return 1.0 - math.fsum(apart) / len(apart)


def loop_companions(learned: Plain, gold: Plain) -> float:
    """ITP."""
    total = []
    for i in range(len(learned.where)):
        mine = learned.companions(i)
        total.append(len(mine & gold.companions(i)) / len(mine))
    return math.fsum(total) / len(total)


LOOPS: dict[str, tuple[Callable[[Plain, Plain], float], tuple[str, ...]]] = {
    "H_s": (loop_triples, ()),
    "H_s(weight=w2)": (loop_splits, ()),
    "OntoRand": (lambda one, two: loop_pairs(one, two, "overlap"), ("EOR",)),
    "OntoRand(delta=tree)": (lambda one, two: loop_pairs(one, two, "tree"), ("EOR(delta=tree)",)),
    "ITP": (loop_companions, ()),
}


# what children measure


def cpu(action: Callable[[], Any], repeat: int) -> tuple[float, Any]:
    best, value = math.inf, None
    for _ in range(repeat):
        start = time.process_time()
        value = action()
        best = min(best, time.process_time() - start)
    return best, value


def timed(sides: tuple[oe.Ontology, oe.Ontology], name: str, repeat: int) -> Row:
    """One measure, every time from a fresh comparison."""
    measure = parse(name)
    warm = pair(60, 12)
    measure(fresh(warm, oe.match(*warm, by="iri")))
    matching = oe.match(*sides, by="iri")
    tasks = [fresh(sides, matching) for _ in range(repeat)]
    seconds, score = cpu(lambda: measure(tasks.pop()), repeat)
    assert score.undefined is None, score.undefined
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"cpu": seconds, "value": score.value, "mb": memory, "cells": len(fresh(sides, matching).shared.count)}


def child_loop(name: str, instances: str) -> Row:
    """A loop, and the measures that it is the definition of, on the same instances."""
    sides = pair(int(instances), int(instances) // PER_NODE, "moved")
    loop, others = LOOPS[name]
    plain = Plain(sides[0]), Plain(sides[1])
    slow, value = cpu(lambda: loop(*plain), 1)
    rows = {measure: timed(sides, measure, 20) for measure in (name, *others)}
    for measure, row in rows.items():
        assert abs(row["value"] - value) < 1e-10, (measure, row["value"], value)
    return {"slow": slow, "rows": rows}


def child_growth(name: str, instances: str, variant: str) -> Row:
    size = int(instances)
    return timed(pair(size, size // PER_NODE, variant), name, 3)


def child_general(name: str, cells: str) -> Row:
    return timed(lattices(int(cells)), name, 1)


def child_large(instances: str) -> Row:
    """Counts of triples beyond 64-bit integers, beside those of Python's integers."""
    sides = pair(int(instances), 40, "moved")
    task = fresh(sides, oe.match(*sides, by="iri"))
    seconds, found = cpu(lambda: triples(task), 1)
    learned, gold, both = exact_triples(Plain(sides[0]), Plain(sides[1]))
    value = parse("H_s")(task).value
    return {
        "cpu": seconds,
        "learned": str(learned),
        "gold": str(gold),
        "both": str(both),
        "possible": str(int(instances) * (int(instances) - 1) * (int(instances) - 2)),
        "off": max(
            float(abs(Fraction(float(have)) / exact - 1))
            for have, exact in ((found.learned, learned), (found.gold, gold), (found.both, both))
        ),
        "value_off": float(abs(Fraction(value) - Fraction(2 * both, learned + gold))),
    }


def exact_triples(learned: Plain, gold: Plain) -> tuple[int, int, int]:
    """|T_l|, |T_g| and |T_l ∩ T_g| of trees: each pair of nodes sees the others by how deep they part from it."""
    cells = Counter(zip(learned.where, gold.where, strict=True))
    above = [{c: frozenset(steps) for c, steps in enumerate(side.steps)} for side in (learned, gold)]
    together = [[[len(up[u] & up[v]) for v in up] for u in up] for up in above]
    totals = [0, 0, 0]
    for (a, b), own in cells.items():
        seen: Counter[tuple[int, int]] = Counter()
        for (u, v), number in cells.items():
            seen[together[0][a][u], together[1][b][v]] += number
        seen[together[0][a][a], together[1][b][b]] -= 1  # the instance itself
        for (x, y), near in seen.items():
            for (p, q), far in seen.items():
                triples = own * near * far
                totals[0] += triples * (x > p)
                totals[1] += triples * (y > q)
                totals[2] += triples * (x > p and y > q)
    return totals[0], totals[1], totals[2]


CHILDREN: dict[str, Callable[..., Row]] = {
    "loop": child_loop,
    "growth": child_growth,
    "general": child_general,
    "large": child_large,
}


# running


def run(name: str, *more: object) -> Row:
    command = [sys.executable, __file__, "--child", name, *map(str, more)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{name} {more}: {done.stderr}")
    return dict(json.loads(done.stdout.splitlines()[-1]))


def table(head: list[str], rows: list[list[str]]) -> None:
    """Markdown with columns of one width, so that it reads as plain text as well."""
    widths = [max(3, *(len(line[i]) for line in [head, *rows])) for i in range(len(head))]
    rule = ["-" * w if not i else "-" * (w - 1) + ":" for i, w in enumerate(widths)]
    for line in [head, rule, *rows]:
        cells = [cell.rjust(w) if i else cell.ljust(w) for i, (cell, w) in enumerate(zip(line, widths, strict=True))]
        print("| " + " | ".join(cells) + " |")
    print(flush=True)


def loops(instances: int) -> None:
    print(f"## a. {instances:,} instances on {instances // PER_NODE:,} concepts, beside plain loops\n", flush=True)
    rows = []
    for name in LOOPS:
        found = run("loop", name, instances)
        for measure, row in found["rows"].items():
            ratio = found["slow"] / row["cpu"]
            rows.append([measure, f"{row['cpu'] * 1000:.2f}", f"{found['slow']:.2f}", f"{ratio:,.0f} x", "yes"])
            if measure.startswith("H_s"):
                aims.append((f"a. {measure}: times faster than the loop over triples", ratio, "at least", 1e4))
    table(["measure", "CPU ms", "loop, CPU s", "ratio", "equal"], rows)


def growth(sizes: list[int]) -> None:
    ratios: dict[str, list[float]] = {}
    memory = []
    for variant, what in VARIANTS.items():
        print(f"## b. Growth: learned on {what}, 20 % of the instances moved\n", flush=True)
        rows = []
        for name in GROWTH:
            before = None
            for size in sizes:
                row = run("growth", name, size, variant)
                ratio = row["cpu"] / before if before else math.nan
                figures = [name, f"{size:,}", f"{size // PER_NODE:,}", f"{row['cells']:,}", f"{row['cpu']:.3f}"]
                rows.append([*figures, f"{ratio:.1f} x" if before else "", f"{row['mb']:,.0f}", f"{row['value']:.6f}"])
                memory.append(row["mb"])
                if before:
                    ratios.setdefault(name, []).append(ratio)
                before = row["cpu"]
        table(["measure", "instances", "concepts", "cells", "CPU s", "to the last", "peak MiB", "value"], rows)
    for name, own in ratios.items():
        aims.append((f"b. {name}: ten times the instances, most times the CPU time", max(own), "at most", 12.0))
    aims.append(("b. peak MiB", max(memory), "at most", 4096.0))


def large(instances: int) -> None:
    print(f"## c. {instances:,} instances on 40 concepts: counts beyond 64 bits\n", flush=True)
    row = run("large", instances)
    print(f"All triples: {row['possible']}; T_l {row['learned']}, T_g {row['gold']}, both {row['both']}.")
    print(f"H_s in {row['cpu']:.2f} CPU s; the counts differ from the exact ones by {row['off']:.1g} of them at most,")
    print(f"H_s by {row['value_off']:.1g}.\n", flush=True)
    aims.append(("c. counts of triples: largest relative difference", row["off"], "at most", 1e-12))
    aims.append(("c. H_s: difference", row["value_off"], "at most", 1e-12))


def general(sizes: list[int]) -> None:
    print("## d. Several parents: any hierarchy\n", flush=True)
    rows = []
    for name in GENERAL:
        before = None
        for size in sizes:
            row = run("general", name, size)
            assert row["cells"] == size, row["cells"]
            ratio = f"{row['cpu'] / before:.1f} x" if before else ""
            rows.append([name, f"{size:,}", f"{row['cpu']:.3f}", ratio, f"{row['mb']:,.0f}", f"{row['value']:.6f}"])
            before = row["cpu"]
    table(["measure", "cells", "CPU s", "to the last", "peak MiB", "value"], rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="a,b,c,d", help="parts, such as a,d")
    parser.add_argument("--instances", type=int, default=400, help="of the loops")
    parser.add_argument("--growth", default="10000,100000,1000000", help="instances")
    parser.add_argument("--large", type=int, default=3_000_000, help="instances")
    parser.add_argument("--cells", default="1000,10000", help="pairs of concepts that hold instances, in part d")
    parser.add_argument("--child", nargs="+", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        name, *more = options.child
        print(json.dumps(CHILDREN[name](*more)))
        return
    parts = set(options.only.replace(" ", "").split(","))
    room = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    print(f"{os.cpu_count()} cores, {room:.0f} GiB, Python {platform.python_version()}, numpy {np.__version__}\n")
    if "a" in parts:
        loops(options.instances)
    if "b" in parts:
        growth([int(size) for size in options.growth.split(",")])
    if "c" in parts:
        large(options.large)
    if "d" in parts:
        general([int(size) for size in options.cells.split(",")])
    print("## Aims\n")
    rows = []
    for what, got, way, wanted in aims:
        met = got >= wanted if way == "at least" else got <= wanted
        rows.append([what, "yes" if met else "**no**", f"{got:,.3g}", f"{way} {wanted:g}"])
    table(["", "met", "reached", "wanted"], rows)


if __name__ == "__main__":
    main()
