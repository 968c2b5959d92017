"""Kill trial: end a process with SIGKILL while it writes scores, and see what it leaves.

    python -m tests.trials.kills --count 100 --seed 1

The process adds evaluations to a store and to a .trig file, new ones and others that replace themselves, large ones and
small ones, and says which are done. It is killed at a random moment; every tenth time there is no store yet. After each
kill the store and the file must open, hold every evaluation that was done, and hold each one whole, in its old version
or its new one. At the end, after one more write, nothing is left over. It takes some minutes.
"""

from __future__ import annotations

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import ontoeval as oe
from ontoeval.rdf.store import Store, read_scores, write_scores

ROOT = Path(__file__).resolve().parents[2]
SIZES = (3, 30, 300, 2000)  # concepts of an evaluation
REPLACED = 5  # evaluations that are written again and again, in two versions
LONGEST, LONGEST_OF_NEW = 1.5, 0.3  # seconds after which a process is killed at the latest, if there is a store or not


def evaluation(name: str, size: int) -> oe.EvaluationResult:
    """An evaluation with two local scores for each concept; its key depends on its name alone."""
    tree = oe.Ontology.from_edges([(f"c{n}", f"c{n // 3}") for n in range(1, size)])
    result = oe.evaluate(oe.Comparison(tree, tree), ["TP_csc", "TR_csc"], system=f"{name}:{size}")
    return replace(result, key=name.encode().hex().ljust(64, "0"))


def write(place: Path, done: Path, seed: int) -> None:
    """Write until killed; a line for each evaluation that is stored."""
    pick = random.Random(seed)
    names = [f"old{n}" for n in range(REPLACED)] + [f"new{seed}-{n}" for n in range(5)]
    results = [evaluation(name, size) for name in names for size in pick.sample(SIZES, 2)]
    with done.open("a", encoding="utf-8") as sink:
        sink.write("ready\n")
        sink.flush()
        while True:
            result = pick.choice(results)
            for target in (place / "store", place / "scores.trig"):
                write_scores(result, target)
                sink.write(f"{target.name} {result.system.partition(':')[0]}\n")
                sink.flush()


def kill_once(place: Path, seed: int) -> dict[str, set[str]]:
    """Start a process and kill it; place -> the names of the evaluations that it said it had stored."""
    done = place / "done"
    done.unlink(missing_ok=True)
    longest = LONGEST if (place / "store").exists() else LONGEST_OF_NEW
    command = [sys.executable, "-m", "tests.trials.kills", "--write", str(place), "--seed", str(seed)]
    process = subprocess.Popen(command, cwd=ROOT)
    while not done.exists() or not done.read_text().startswith("ready\n"):
        assert process.poll() is None, "it could not be started"
        time.sleep(0.01)
    time.sleep(random.Random(seed).random() * longest)
    process.kill()
    process.wait()
    stored: dict[str, set[str]] = {"store": set(), "scores.trig": set()}
    for line in done.read_text().splitlines(keepends=True)[1:]:
        if line.endswith("\n"):
            target, _, name = line.strip().partition(" ")
            stored[target].add(name)
    return stored


def check(target: Path, stored: set[str]) -> int:
    """Everything that was stored is there, and everything that is there is whole; how many there are."""
    if not stored and (
        not target.exists() or list(target.glob("*")) == [] or (target / ".new-ontoeval-store").exists()
    ):
        return 0  # killed before there was anything
    names = set()
    for result in read_scores(target):
        name, _, size = result.system.partition(":")
        names.add(name)
        for score in result.scores:
            assert score.local is not None, result.system
            assert len(score.local) == int(size), result.system
            assert score.value == 1.0, result.system
    assert stored <= names, sorted(stored - names)
    return len(names)


def trial(count: int, seed: int, place: Path) -> str:
    """Kill some processes one after the other; the figures."""
    known: dict[str, set[str]] = {"store": set(), "scores.trig": set()}
    totals, begun = dict.fromkeys(known, 0), 0
    for number in range(count):
        if number % 10 == 0:
            begun += 1
            shutil.rmtree(place / "store", ignore_errors=True)
            (place / "scores.trig").unlink(missing_ok=True)
            known = {name: set() for name in known}
        for name, stored in kill_once(place, seed * 1000 + number).items():
            totals[name] += len(stored - known[name])
            known[name] |= stored
            check(place / name, known[name])
    for name in known:
        write_scores(evaluation("last", 3), place / name)
        check(place / name, known[name] | {"last"})
    leftovers = [path.name for path in place.iterdir() if path.name not in ("store", "scores.trig", "done")]
    leftovers += [path.name for path in (place / "store").iterdir() if is_leftover(path.name)]
    assert not leftovers, leftovers
    size = sum(path.stat().st_size for path in (place / "store").iterdir())
    return (
        f"{count} kills, {begun} of them with a new store: every store and file opened; {totals['store']} evaluations "
        f"in stores and {totals['scores.trig']} in files were stored and whole, none was lost; last store: "
        f"{len(Store(place / 'store').runs())} runs in {size / 1e6:.1f} MB; no file left over"
    )


def is_leftover(name: str) -> bool:
    return name.startswith(("bulk-", "LOG.old")) or name.endswith((".dbtmp", ".part"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.write is not None:
        write(options.write, options.write / "done", options.seed)
        return
    with tempfile.TemporaryDirectory() as folder:
        sys.stdout.write(f"{trial(options.count, options.seed, Path(folder))}\n")


if __name__ == "__main__":
    main()
