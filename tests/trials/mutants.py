"""Mutation trial: change the measures in small ways at random and see whether the tests notice.

    pip install pytest-cov
    python -m pytest --cov=ontoeval --cov-context=test --cov-report= -o addopts= -m "not slow" -n 2
    python tests/trials/mutants.py --count 300 --seed 1 --jobs 2 > mutants.tsv

A seeded sample over `ontoeval/measures/` and `ontoeval/concepts/`, at least five mutants of each file. Each mutant is
tried in a copy of the tree with every fast test that runs its line (the first command records which), those of its own
file first: what survives them survives the whole fast suite. With `--slow` the recording is one of the slow tests. A
line each: outcome, file, line, what was changed. Not part of the suite: it takes half an hour on two cores.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from queue import Queue

from coverage import CoverageData

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("measures", "concepts")
LEAST = 5  # mutants of a file
LIMIT = 1000  # greater numbers are limits and sizes of blocks: one more changes nothing
# what measures say of themselves is read by tests that run no line of their files
OF_DEFINITIONS = {f"tests/measures/test_{name}.py" for name in ("contract", "definitions", "registry")}
SECONDS = 600  # a mutant that runs longer counts as killed: it no longer ends
OPERATORS = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*", ast.FloorDiv: "*", ast.Mod: "//", ast.Pow: "*",
    ast.BitAnd: "|", ast.BitOr: "&",
}  # fmt: skip
WORDS = {
    "min": "max", "max": "min", "minimum": "maximum", "maximum": "minimum", "fmin": "fmax", "fmax": "fmin",
    "all": "any", "any": "all", "left": "right", "right": "left", "cumsum": "cumprod", "learned": "gold",
    "gold": "learned", "precision": "recall", "floor": "ceil", "ceil": "floor", "rint": "floor", "argmin": "argmax",
    "argmax": "argmin", "zeros": "ones", "ones": "zeros", "sum": "max", "nonzero": "isnan",
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """One change of one file: the text from `start` to `stop` becomes `text`."""

    file: Path
    line: int
    start: int
    stop: int
    text: str

    def applied(self, source: str) -> str:
        return source[: self.start] + self.text + source[self.stop :]


class Places(ast.NodeVisitor):
    """Collects what can be changed; annotations, docstrings and decorators are passed over."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.source = file.read_text(encoding="utf-8")
        lines = self.source.splitlines(keepends=True)
        self.offset = [0]
        for line in lines:
            self.offset.append(self.offset[-1] + len(line))
        self.lines = lines
        self.found: list[Mutant] = []
        self.visit(ast.parse(self.source))

    def place(self, line: int, column: int) -> int:
        """Where a node's line and column (in UTF-8 bytes) are in the text."""
        return self.offset[line - 1] + len(self.lines[line - 1].encode()[:column].decode())

    def add(self, node: ast.expr, text: str) -> None:
        start = self.place(node.lineno, node.col_offset)
        stop = self.place(node.end_lineno or node.lineno, node.end_col_offset or 0)
        self.found.append(Mutant(self.file, node.lineno, start, stop, text))

    def between(self, left: ast.expr, right: ast.expr, operator: ast.AST) -> None:
        """Replace the operator that stands between two expressions."""
        if type(operator) not in OPERATORS:
            return
        start = self.place(left.end_lineno or left.lineno, left.end_col_offset or 0)
        stop = self.place(right.lineno, right.col_offset)
        gap = self.source[start:stop]
        if gap.strip().strip("()\n ") and "(" not in gap and ")" not in gap and "\n" not in gap:
            self.found.append(Mutant(self.file, left.lineno, start, stop, f" {OPERATORS[type(operator)]} "))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        body = node.body[1:] if ast.get_docstring(node) is not None else node.body
        for child in [*node.args.defaults, *(d for d in node.args.kw_defaults if d), *body]:
            self.visit(child)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for child in node.body:
            self.visit(child)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_Raise(self, node: ast.Raise) -> None:
        """Messages are tested elsewhere."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Nor are words changed."""

    def visit_Assign(self, node: ast.Assign) -> None:
        if not (isinstance(node.value, ast.Subscript) and ast.unparse(node.value).startswith("Literal")):
            self.visit(node.value)

    def visit_Compare(self, node: ast.Compare) -> None:
        for left, operator, right in zip([node.left, *node.comparators], node.ops, node.comparators, strict=False):
            self.between(left, right, operator)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        self.between(node.left, node.right, node.op)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        for value in node.values:
            self.add(node, ast.unparse(value))
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if not isinstance(node.operand, ast.Constant):
            self.add(node, ast.unparse(node.operand))
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self.add(node, f"({ast.unparse(node.body)})")
        self.add(node, f"({ast.unparse(node.orelse)})")
        self.generic_visit(node)

    def visit_If(self, node: ast.If) -> None:
        self.add(node.test, f"not ({ast.unparse(node.test)})")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self.add(node, str(not node.value))
        elif isinstance(node.value, int | float) and node.value < LIMIT:
            self.add(node, repr(node.value + 1))

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if node.attr in WORDS:
            stop = self.place(node.end_lineno or node.lineno, node.end_col_offset or 0)
            self.found.append(Mutant(self.file, node.lineno, stop - len(node.attr), stop, WORDS[node.attr]))
        self.generic_visit(node)


def sample(count: int, seed: int) -> list[Mutant]:
    """So many mutants, at least `LEAST` of each file, the rest wherever there are places."""
    chosen: list[Mutant] = []
    others: list[Mutant] = []
    dice = random.Random(seed)
    for file in sorted(path for folder in FOLDERS for path in (ROOT / "ontoeval" / folder).rglob("*.py")):
        places = Places(file).found
        dice.shuffle(places)
        chosen += places[:LEAST]
        others += places[LEAST:]
    dice.shuffle(others)
    return chosen + others[: max(0, count - len(chosen))]


class Recording:
    """Which tests run which line, as pytest-cov wrote it down."""

    def __init__(self, path: Path) -> None:
        self.data = CoverageData(str(path))
        self.data.read()
        self.files = {Path(name).relative_to(_package(Path(name))): name for name in self.data.measured_files()}

    def tests(self, file: Path, line: int) -> list[str]:
        """The tests that run a line; if it is run on import, those of any line of the file and those of definitions."""
        name = self.files.get(file.relative_to(ROOT / "ontoeval"))
        by_line = self.data.contexts_by_lineno(name) if name else {}
        tests = _functions(by_line.get(line, ()))
        if not tests:
            tests = _functions(chain.from_iterable(by_line.values())) | OF_DEFINITIONS
        stem = file.stem.lstrip("_")
        return sorted(tests, key=lambda test: (stem not in test.split("::")[0], "trials" in test, test))


def _package(file: Path) -> Path:
    """The folder `ontoeval` that a file lies in; the recorded tree may be another clone."""
    return next(folder for folder in file.parents if folder.name == "ontoeval" and (folder / "errors.py").exists())


def _functions(contexts: Iterable[str]) -> set[str]:
    """Test functions without their parameters; '' is what runs on import."""
    return {context.split("|")[0].split("[")[0] for context in contexts} - {""}


def killed_by(mutant: Mutant, tree: Path, tests: list[str], marker: str) -> str | None:
    """The first test that fails with the mutant; None if it survives all."""
    target = tree / mutant.file.relative_to(ROOT)
    source = mutant.file.read_text(encoding="utf-8")
    target.write_text(mutant.applied(source), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-n", "0", "-m", marker, "-p", "no:cacheprovider", "--tb=no"]
    try:
        done = subprocess.run(
            [*command, "--hypothesis-profile=mutants", *tests],
            cwd=tree,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            env={**os.environ, "PYTHONPATH": str(tree)},
        )
    except subprocess.TimeoutExpired:
        return "time"
    finally:
        target.write_text(source, encoding="utf-8")
    if done.returncode in (0, 5):  # 5: nothing to run
        return None
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return failed[0].split(" - ")[0] if failed else f"exit code {done.returncode}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--recording", type=Path, default=ROOT / ".coverage", help="what pytest-cov wrote")
    parser.add_argument("--slow", action="store_true", help="the recording is of the slow tests")
    options = parser.parse_args()
    mutants = sample(options.count, options.seed)
    recording = Recording(options.recording)
    with tempfile.TemporaryDirectory() as folder:
        trees: Queue[Path] = Queue()
        for number in range(options.jobs):
            tree = Path(folder, str(number), "ontoeval")
            shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache"))
            shared = ROOT.parent / "shared"
            if shared.is_dir():
                (tree.parent / "shared").symlink_to(shared)
            trees.put(tree)

        def tried(mutant: Mutant) -> bool:
            tree = trees.get()
            tests = recording.tests(mutant.file, mutant.line)
            killer = killed_by(mutant, tree, tests, "slow" if options.slow else "not slow") if tests else None
            trees.put(tree)
            change = f"{mutant.file.read_text(encoding='utf-8')[mutant.start : mutant.stop]!r} -> {mutant.text!r}"
            outcome = f"SURVIVED {len(tests)} tests" if killer is None else f"killed by {killer}"
            print(outcome, mutant.file.relative_to(ROOT), mutant.line, change, sep="\t", flush=True)  # noqa: T201
            return killer is not None

        with ThreadPoolExecutor(options.jobs) as pool:
            killed = list(pool.map(tried, mutants))
    print(f"{sum(killed)} of {len(killed)} mutants killed", file=sys.stderr)  # noqa: T201


if __name__ == "__main__":
    main()
