"""Speed and memory of comparing two ontologies, beside the same measures on plain Python sets, in one run.

    python benchmarks/compare.py --data ../shared/data          # the Gene Ontology and real pairs of releases
    python benchmarks/compare.py --growth                       # 10^4, 10^5, 10^6 generated concepts
    python benchmarks/compare.py --cycle 5000                   # a learned ontology with one large cycle

CPU time (user + system) of one process for each row, the least of `--repeat` runs; imports and warm-up apart. Where the
Gene Ontology is absent, a generated hierarchy of the same size, depth and branching stands in.
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
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ontoeval as oe
from ontoeval.measures import parse

Pairs = list[tuple[str, str]]
GO = "go2017/go.owl.gz"
RELEASES = {
    "Gene Ontology 2019 against 2022": ("go2019/GeneOntology_2019.01.29.obo.gz", "go2022/go-2022-07-01.ttl.gz"),
    "Disease Ontology 2014 against 2019": (
        "doid/DiseaseOntology_2014.10.13.obo.gz",
        "doid/DiseaseOntology_2019.03.07.obo.gz",
    ),
}


# the same measures on plain sets


class Sets:
    """Ancestors and extracts of two ontologies by name; concepts of equal name are common. No cycles."""

    def __init__(self, learned: Pairs, gold: Pairs) -> None:
        self.learned, self.gold = set_closure(learned), set_closure(gold)
        self.common = self.learned.keys() & self.gold.keys()

    def cotopies(self, above: dict[str, set[str]], keep: set[str] | None) -> dict[str, set[str]]:
        found = {c: set(ancestors) if keep is None else ancestors & keep for c, ancestors in above.items()}
        for c, ancestors in above.items():
            if keep is None or c in keep:
                for a in ancestors:
                    found[a].add(c)
        return found

    def csc(self) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
        return self.cotopies(self.learned, set(self.common)), self.cotopies(self.gold, set(self.common))

    def sc(self) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
        sides = self.cotopies(self.learned, None), self.cotopies(self.gold, None)
        for side in sides:
            for c, members in side.items():
                members.add(c)
        return sides


def set_closure(edges: Pairs) -> dict[str, set[str]]:
    parents: dict[str, list[str]] = {}
    for child, parent in edges:
        parents.setdefault(child, []).append(parent)
        parents.setdefault(parent, [])
    above: dict[str, set[str]] = {}
    for start in parents:
        waiting = [start]
        while waiting:
            concept = waiting[-1]
            if concept in above:
                waiting.pop()
                continue
            later = [p for p in parents[concept] if p not in above]
            if later:
                waiting += later
                continue
            waiting.pop()
            found: set[str] = set()
            for parent in parents[concept]:
                found |= above[parent]
                found.add(parent)
            above[concept] = found
    return above


def mean_precision(left: dict[str, set[str]], right: dict[str, set[str]], common: Any, over: int) -> float:
    total = 0.0
    for c in common:
        total += len(left[c] & right[c]) / len(left[c]) if left[c] else 0.0 if right[c] else 1.0
    return total / over


def mean_overlap(left: dict[str, set[str]], right: dict[str, set[str]], common: Any) -> float:
    total = 0.0
    for c in common:
        both = len(left[c] & right[c])
        whole = len(left[c]) + len(right[c]) - both
        total += both / whole if whole else 1.0
    return total / len(common)


def optimistic(left: dict[str, set[str]], right: dict[str, set[str]], common: Any) -> float:
    total = 0.0
    for c, own in left.items():
        if c in common:
            both = len(own & right[c])
            total += both / (len(own) + len(right[c]) - both)
        else:
            best = 0.0
            for other in right.values():
                both = len(own & other)
                best = max(best, both / (len(own) + len(other) - both))
            total += best
    return total / len(left)


# inputs


def generated(count: int, *, branching: int = 6, seed: int = 1) -> Pairs:
    """About as deep and as wide as the Gene Ontology: 1.9 parents per concept, at most 15 levels."""
    pick = random.Random(seed)
    edges = []
    for concept in range(1, count):
        above = concept // branching
        for parent in {above, *(max(0, above - pick.randrange(branching)) for _ in range(pick.randrange(2)))}:
            edges.append((f"c{concept}", f"c{parent}"))
    return edges


def moved(edges: Pairs, share: float, seed: int = 1) -> Pairs:
    """A share of the edges leads to another parent, one that is not below the child."""
    pick = random.Random(seed)
    above = set_closure(edges)
    names = sorted(above, key=lambda c: len(above[c]))
    rank = {c: i for i, c in enumerate(names)}
    result = []
    for child, parent in edges:
        # fewer ancestors than the child: cannot be below it
        result.append(
            (child, names[pick.randrange(rank[child])]) if pick.random() < share and rank[child] else (child, parent)
        )
    return result


def edges_of(ontology: oe.Ontology) -> Pairs:
    hierarchy = ontology.hierarchy
    names = ["(root)" if not c and hierarchy.root_added else iri for c, iri in enumerate(hierarchy.iris)]
    tails, heads = hierarchy.parents.tails.tolist(), hierarchy.parents.indices.tolist()
    return [(names[c], names[p]) for c, p in zip(tails, heads, strict=True)]


def cpu(action: Callable[[], Any], repeat: int) -> tuple[float, Any]:
    best, value = float("inf"), None
    for _ in range(repeat):
        start = time.process_time()
        value = action()
        best = min(best, time.process_time() - start)
    return best, value


def fresh(ontology: oe.Ontology) -> oe.Ontology:
    """The same without anything that was computed before."""
    hierarchy = ontology.hierarchy
    bare = type(hierarchy)(**{name: getattr(hierarchy, name) for name in hierarchy.__dataclass_fields__})
    return oe.Ontology(bare, ontology.lexicon, ontology.instances, ontology.source, ontology.aliases)


# what is measured


def row(name: str, ours: float, theirs: float | None, same: bool | None = None) -> None:
    other = "" if theirs is None else f"{theirs:.2f}"
    ratio = "" if theirs is None else f"{theirs / max(ours, 1e-4):.1f} x"
    note = "" if same is None else "yes" if same else "NO"
    print(f"| {name} | {ours:.3f} | {other} | {ratio} | {note} |", flush=True)


HEADER = "| measure | ontoeval, CPU s | Python sets, CPU s | ratio | equal |\n| --- | ---: | ---: | ---: | --- |"


def against_itself(data: Path, repeat: int) -> None:
    """The Gene Ontology against itself with 10 % of the edges moved."""
    start = time.process_time()
    if (data / GO).is_file():
        gold = oe.load_ontology(data / GO)
        loading = time.process_time() - start
        name = "Gene Ontology 2017"
    else:
        gold, loading, name = oe.Ontology.from_edges(generated(45_000)), None, "generated, 45,000 concepts"
    edges = edges_of(gold)
    changed = [(c, p) for c, p in moved(edges, 0.1) if p != "(root)"]
    learned = oe.Ontology.from_edges(changed, root="new", concepts=sorted({c for c, _ in edges}))
    print(f"\n{name} against itself with 10 % of the edges moved: {len(gold.hierarchy):,} concepts\n\n{HEADER}")

    def ours() -> Any:
        task = oe.Comparison(fresh(learned), fresh(gold), matching)
        return task, parse("TP_csc")(task).value, parse("TR_csc")(task).value

    def theirs() -> Any:
        sets = Sets(edges_of(learned), edges)
        left, right = sets.csc()
        k = len(sets.common)
        return (
            sets,
            left,
            right,
            mean_precision(left, right, sets.common, k),
            mean_precision(right, left, sets.common, k),
        )

    matched, matching = cpu(lambda: oe.match(learned, gold, by="iri"), repeat)
    seconds, (task, precision, recall) = cpu(ours, repeat)
    slow, (sets, left, right, p, r) = cpu(theirs, 1)
    row("closures of both, TP_csc, TR_csc", seconds, slow, abs(p - precision) + abs(r - recall) < 1e-9)
    further(task, sets, left, right, repeat)

    def default() -> Any:
        return oe.evaluate(oe.Comparison(fresh(learned), fresh(gold), matching))

    everything, _ = cpu(default, repeat)
    row("all default measures, closures included", everything, None)
    row("matching by IRI", matched, None)
    if loading is not None:
        print(
            f"\nLoading one file: {loading:.2f} CPU s; all default measures: {everything / (2 * loading):.1%} of two."
        )
    print(f"Pairs of concept and ancestor: {int(gold.hierarchy.closure.ancestor_count.sum()):,}.")


def further(task: oe.Comparison, sets: Sets, left: Any, right: Any, repeat: int) -> None:
    """Each further measure, when the closures are there."""
    seconds, score = cpu(lambda: parse("TO_csc")(task), repeat)
    slow, value = cpu(lambda: mean_overlap(left, right, sets.common), 1)
    row("then TO_csc", seconds, slow, abs(score.value - value) < 1e-9)
    start = time.process_time()
    score = parse("TP_sc")(task)
    seconds = time.process_time() - start
    start = time.process_time()
    full = sets.sc()
    value = mean_precision(*full, sets.common, len(sets.learned))
    row("then TP_sc", seconds, time.process_time() - start, abs(score.value - value) < 1e-9)
    start = time.process_time()
    score = parse("ClosureP")(task)
    seconds = time.process_time() - start

    def pairs() -> float:
        top = {"(root)"}  # an added root is no superconcept of the file
        both = sum(len(sets.learned[c] & sets.gold[c] - top) for c in sets.common)
        return both / sum(len(above - top) for above in sets.learned.values())

    slow, value = cpu(pairs, 1)
    row("then ClosureP", seconds, slow, abs(score.value - value) < 1e-9)
    start = time.process_time()
    score = parse("EdgeF")(task)
    seconds = time.process_time() - start

    def links() -> float:
        ours, theirs = ({(c, p) for c, p in edges_of(o) if p != "(root)"} for o in (task.learned, task.gold))
        return 2 * len(ours & theirs) / (len(ours) + len(theirs))

    slow, value = cpu(links, 1)
    row("then EdgeF", seconds, slow, abs(score.value - value) < 1e-9)


def releases(data: Path, repeat: int) -> None:
    """Real pairs, with the optimistic estimation for what only one of them has."""
    for name, files in RELEASES.items():
        if not all((data / file).is_file() for file in files):
            print(f"\n{name}: skipped, no such files")
            continue
        start = time.process_time()
        learned, gold = (oe.load_ontology(data / file) for file in files)
        loading = time.process_time() - start
        matched, matching = cpu(lambda: oe.match(learned, gold), 1)  # noqa: B023
        task = oe.Comparison(learned, gold, matching)
        everything, result = cpu(lambda: oe.evaluate(oe.Comparison(fresh(learned), fresh(gold), matching)), repeat)  # noqa: B023
        best, score = cpu(lambda: parse("TO_sc")(oe.Comparison(learned, gold, matching)), 1)  # noqa: B023
        print(f"\n{name}: {len(learned.hierarchy):,} and {len(gold.hierarchy):,} concepts, {len(matching):,} common; ")
        print(
            f"loading {loading:.2f} CPU s, matching {matched:.2f}, default measures {everything:.2f}, TO_sc {best:.2f}."
        )
        print(" ".join(f"{s.name} {s.value:.3f}" for s in result), f"TO_sc {score.value:.3f}")
        if len(task.novel) * len(gold.hierarchy) < 1.2e8:  # sets take a minute for every 10^8 pairs
            sets = Sets(edges_of(learned), edges_of(gold))
            left, right = sets.sc()
            slow, value = cpu(lambda: optimistic(left, right, sets.common), 1)  # noqa: B023
            print(
                f"TO_sc on sets: {slow:.1f} CPU s, {slow / best:.0f} x.",
                "(by IRI alone)" if abs(value - score.value) > 1e-9 else "",
            )


def growth(counts: list[int]) -> None:
    print(
        "\n| concepts | pairs of concept and ancestor | closures and default measures, CPU s | ns per pair | peak MB |"
    )
    print("| ---: | ---: | ---: | ---: | ---: |")
    for count in counts:
        done = subprocess.run(
            [sys.executable, __file__, "--stage", str(count)], check=True, capture_output=True, text=True
        )
        found = json.loads(done.stdout.splitlines()[-1])
        each = found["cpu"] / found["pairs"] * 1e9
        print(f"| {count:,} | {found['pairs']:,} | {found['cpu']:.2f} | {each:.0f} | {found['mb']:.0f} |", flush=True)


def stage(count: int) -> None:
    edges = generated(count)
    gold = oe.Ontology.from_edges(edges)
    learned = oe.Ontology.from_edges(moved_quickly(edges, 0.1))
    matching = oe.match(learned, gold, by="iri")
    start = time.process_time()
    oe.evaluate(oe.Comparison(learned, gold, matching))
    seconds = time.process_time() - start
    pairs = int(gold.hierarchy.closure.ancestor_count.sum() + learned.hierarchy.closure.ancestor_count.sum())
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"cpu": seconds, "pairs": pairs, "mb": memory}))


def moved_quickly(edges: Pairs, share: float) -> Pairs:
    """As `moved`, for generated names: a parent with a lower number is never below."""
    pick = random.Random(1)
    return [(c, f"c{pick.randrange(max(1, int(c[1:]) // 6))}" if pick.random() < share else p) for c, p in edges]


def cycle(count: int) -> None:
    """A learned ontology in which `count` concepts of a chain of levels form one cycle."""
    edges = generated(2 * count)
    gold = oe.Ontology.from_edges(edges)
    ring = [(f"c{i}", f"c{i % count + 1}") for i in range(1, count + 1)]
    learned = oe.Ontology.from_edges([*edges, *ring])
    matching = oe.match(learned, gold, by="iri")
    seconds, result = cpu(lambda: oe.evaluate(oe.Comparison(learned, gold, matching)), 1)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    largest = max(map(len, learned.hierarchy.cycles))
    print(
        f"\n{2 * count:,} concepts, one cycle of {largest:,}: {seconds:.2f} CPU s, {memory:.0f} MB; "
        f"TF_csc {result['TF_csc'].value:.4f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--growth", action="store_true")
    parser.add_argument("--cycle", type=int, metavar="CONCEPTS")
    parser.add_argument("--stage", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.stage:
        stage(options.stage)
        return
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    print(f"{os.cpu_count()} cores, {memory:.0f} GiB, Python {platform.python_version()}")
    if options.growth:
        growth([10_000, 100_000, 1_000_000])
    elif options.cycle:
        cycle(options.cycle)
    else:
        against_itself(options.data, options.repeat)
        print(f"Peak memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB, the sets included.")
        releases(options.data, options.repeat)


if __name__ == "__main__":
    main()
