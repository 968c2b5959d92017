"""Who may import whom: the dependency rule of the design, section 1."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import ontoeval

PACKAGE = Path(ontoeval.__file__).parent
FILES = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))

# A part imports only from those listed for it (and from itself).
PARTS = {
    "errors": set(),
    "files": {"errors"},
    "model": {"errors"},
    "load": {"errors", "model"},
    "render": set(),
    "results": {"errors", "model", "render"},
    "measures": {"errors", "model", "results"},
    "evaluate": {"errors", "model", "results", "measures"},
    "relate": {"errors", "model", "results", "measures"},
    "allpairs": {"errors", "model", "load", "measures", "relate"},
    "words": {"errors", "model", "load"},
    "agree": {"words", "errors", "model", "load", "render", "results", "measures", "evaluate", "relate"},
    "sensitivity": {"errors", "model", "render", "results", "measures", "evaluate"},
    "plot": {"errors", "files", "model", "agree", "sensitivity"},
    "save": {"errors", "files", "model", "load"},
    "explain": {"errors", "model", "measures"},
    "confusion": {"errors", "model", "results", "measures"},
    "annotators": {"errors", "model", "results", "measures"},
    "significance": {"errors", "model", "results"},
    "vocabulary": {"measures"},
    "store": {"errors", "files", "model", "load", "results", "measures", "vocabulary"},
    "writeback": {"errors", "files", "model", "load", "results", "measures", "vocabulary", "store"},
    "validate": {"errors", "model", "load", "vocabulary"},
}
PARTS["__init__"] = set(PARTS) - {"render", "vocabulary"}
PARTS["cli"] = set(PARTS) - {"__init__"}
# Outside libraries, and the only places that may import them; True: inside functions alone.
ANYWHERE = {"numpy", "scipy"}
BORDERS: dict[str, dict[str, bool]] = {
    "pyoxigraph": {
        "load/": False,
        "store/": False,
        "rdf/ontology_writer.py": False,
        "rdf/vocabulary.py": False,
        "writeback/": False,
        "validate/": False,
    },
    "pyshacl": {"validate/": True},
    "httpx": {"rdf/store/endpoint.py": True},
    "rdflib": {"load/ontologies/rdf.py": True, "rdf/rdflib_graph.py": True, "writeback/": True, "validate/": True},
    "owlready2": {"load/ontologies/reason.py": True},
    "pyhornedowl": {"load/ontologies/owlxml.py": True, "load/ontologies/reason.py": True},
    "pyelk": {"load/ontologies/reason.py": True},
    "pyowl_core": {"load/ontologies/reason.py": True},
    "lxml": {"load/corpora/gate.py": True},
    "yaml": {"load/corpora/bdoc.py": True},
    "msgpack": {"load/corpora/bdoc.py": True},
    "networkx": {"model/ontology.py": True},
    "rapidfuzz": {"matching/by_label_similarity.py": True, "measures/comparison/_label_similarity.py": True},
    "apted": {"measures/comparison/tree_edit.py": True},
    "snowballstemmer": {"matching/normalize.py": True},
    "pyarrow": {"analysis/relate_all.py": True},
    "pandas": {
        "results.py": True,
        "analysis/human_agreement.py": True,
        "analysis/sensitivity.py": True,
        "rdf/store/queries.py": True,
    },
    "matplotlib": {"plot/": True},
    "click": {"cli/": False},
    "rich": {"cli/": True, "tables.py": True},
}
DYNAMIC = ("__import__", "import_module")
SCANS = {"measures/__init__.py"}  # imports every file beside it, so that a new measure is found by itself


@dataclass(frozen=True)
class Import:
    module: str  # absolute
    line: int
    inside: bool  # a function, so that it runs only when that is called
    typing: bool  # under `if TYPE_CHECKING`, so that it never runs


def imports(source: str, file: str) -> Iterator[Import]:
    yield from _walk(ast.parse(source), _package(file), inside=False, typing=False)


def _package(file: str) -> list[str]:
    return ["ontoeval", *file.split("/")[:-1]]


def _walk(node: ast.AST, package: list[str], *, inside: bool, typing: bool) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            for alias in child.names:
                yield Import(alias.name, child.lineno, inside, typing)
        elif isinstance(child, ast.ImportFrom):
            base = package[: len(package) - child.level + 1] if child.level else []
            module = ".".join([*base, *([child.module] if child.module else [])])
            if module == "ontoeval":  # from ontoeval import errors
                for alias in child.names:
                    yield Import(f"ontoeval.{alias.name}", child.lineno, inside, typing)
            else:
                yield Import(module, child.lineno, inside, typing)
        elif isinstance(child, ast.Call) and ast.unparse(child.func).rpartition(".")[2] in DYNAMIC:
            first = child.args[0] if child.args else None
            name = first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else "?"
            yield Import(name, child.lineno, inside, typing)
            yield from _walk(child, package, inside=inside, typing=typing)
        else:
            function = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            checking = isinstance(child, ast.If) and ast.unparse(child.test) in (
                "TYPE_CHECKING",
                "typing.TYPE_CHECKING",
            )
            yield from _walk(child, package, inside=inside or function, typing=typing or checking)


def part_of(file: str) -> str:
    return file.split("/")[0].removesuffix(".py")


def forbidden(source: str, file: str) -> list[str]:
    """The imports of a file that break the rule, each with its line."""
    found = []
    for entry in imports(source, file):
        top, *rest = entry.module.split(".")
        if entry.module == "?" and file in SCANS:
            continue
        if top == "ontoeval":
            allowed = PARTS.get(part_of(file), set()) | {part_of(file)}
            wrong = not rest or rest[0] not in allowed
        elif top in sys.stdlib_module_names or top in ANYWHERE:
            wrong = False
        else:
            wrong = _beyond_the_border(top, entry, file)
        if wrong:
            found.append(f"{file}:{entry.line} imports {entry.module}")
    return found


def _beyond_the_border(top: str, entry: Import, file: str) -> bool:
    for place, only_inside in BORDERS.get(top, {}).items():
        if file == place or (place.endswith("/") and file.startswith(place)):
            return only_inside and not (entry.inside or entry.typing)
    return True


def test_every_file_is_part_of_the_rule() -> None:
    assert {part_of(file) for file in FILES} <= set(PARTS)
    assert "model/ontology.py" in FILES
    assert "load/ontologies/rdf.py" in FILES


@pytest.mark.parametrize("file", FILES)
def test_a_file_imports_only_what_stands_to_the_left_of_it(file: str) -> None:
    assert forbidden((PACKAGE / file).read_text(encoding="utf-8"), file) == []


@pytest.mark.parametrize("file", [file for file in FILES if file.startswith("model/")])
def test_the_model_knows_no_rdf_library(file: str) -> None:
    """Not even for type annotations."""
    libraries = {"rdflib", "pyoxigraph", "owlready2", "pyhornedowl", "pyelk", "pyowl_core"}
    source = (PACKAGE / file).read_text(encoding="utf-8")
    assert not {entry.module.split(".")[0] for entry in imports(source, file)} & libraries


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("errors.py", "from ontoeval.model.arrays import freeze"),
        ("model/arrays.py", "from ontoeval.load.ontologies.facts import Facts"),
        ("model/arrays.py", "from ontoeval import load"),
        ("model/arrays.py", "from ontoeval import Ontology"),
        ("model/arrays.py", "import ontoeval"),
        ("model/arrays.py", "from ..load import facts"),
        ("model/arrays.py", "from .. import load"),
        ("model/arrays.py", "def f():\n    import ontoeval.load"),
        ("model/arrays.py", "import pyoxigraph"),
        ("model/arrays.py", "def f():\n    import rdflib"),
        ("model/arrays.py", "if TYPE_CHECKING:\n    import networkx"),
        ("model/ontology.py", "import networkx"),
        ("model/ontology.py", "class A:\n    from networkx import DiGraph"),
        ("load/ontologies/facts.py", "from ontoeval.cli import main"),
        ("load/ontologies/facts.py", "import ontoeval.tables"),
        ("load/ontologies/rdf.py", "import rdflib"),
        ("load/ontologies/owl.py", "def f():\n    from rdflib.namespace import OWL"),
        ("load/ontologies/owlxml.py", "import pyhornedowl"),
        ("load/ontologies/owlxml.py", "def f():\n    import owlready2"),
        ("load/ontologies/reason.py", "try:\n    import owlready2\nexcept ImportError:\n    pass"),
        ("load/ontologies/edge_table.py", "def f():\n    import pandas"),
        ("load/ontologies/edge_table.py", "def f():\n    return importlib.import_module('rdflib')"),
        ("load/ontologies/edge_table.py", "def f(name):\n    return __import__(name)"),
        ("tables.py", "from ontoeval.errors import OntoevalError"),
        ("tables.py", "import rich"),
        ("cli/options.py", "from rich.console import Console"),
        ("load/ontologies/rdf.py", "def f():\n    import click"),
        ("tasks/comparison.py", "from ontoeval.results import Score"),
        ("results.py", "from ontoeval.measures import parse"),
        ("measures/comparison/lexical.py", "from ontoeval.load import load_ontology"),
        ("results.py", "import pandas as pd"),
        ("report/figures/correlation.py", "from matplotlib.figure import Figure"),
        ("analysis/human_agreement.py", "def f():\n    import matplotlib"),
        ("measures/comparison/_label_similarity.py", "from rapidfuzz.distance import Levenshtein"),
    ],
)
def test_what_the_rule_forbids_is_noticed(file: str, source: str) -> None:
    assert len(forbidden(source, file)) == 1


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("model/arrays.py", "import numpy as np\nimport json\nfrom ontoeval.errors import OntoevalError"),
        ("model/ontology.py", "def f():\n    import networkx as nx"),
        ("model/ontology.py", "if TYPE_CHECKING:\n    import networkx as nx"),
        (
            "load/ontologies/rdf.py",
            "import pyoxigraph as ox\nfrom ontoeval.model.ontology import Ontology\nfrom . import terms",
        ),
        ("load/ontologies/rdf.py", "class A:\n    def f(self):\n        import rdflib"),
        ("cli/options.py", "import click\nfrom ontoeval import errors, load\ndef f():\n    import rich"),
        ("__init__.py", "from ontoeval.load import load_ontology"),
    ],
)
def test_what_the_rule_allows_is_let_through(file: str, source: str) -> None:
    assert forbidden(source, file) == []


def modules_after(code: str) -> set[str]:
    command = [sys.executable, "-c", f"{code}\nimport sys\nprint(*sys.modules)"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    return {name.split(".")[0] for name in done.stdout.split("\n")[-2].split()}


HEAVY = {
    "apted",
    "rapidfuzz",
    "pandas",
    "pyarrow",
    "rdflib",
    "owlready2",
    "pyhornedowl",
    "pyelk",
    "networkx",
    "lxml",
    "matplotlib",
}


def test_import_ontoeval_imports_nothing_heavy() -> None:
    assert not modules_after("import ontoeval") & (HEAVY | {"click", "rich"})


def test_help_starts_at_once() -> None:
    code = "from ontoeval.cli import main\nmain(['describe', '--help'], standalone_mode=False)"
    assert not modules_after(code) & (HEAVY | {"rich"})


def test_loading_a_turtle_file_needs_pyoxigraph_alone() -> None:
    subclass = "http://www.w3.org/2000/01/rdf-schema#subClassOf"
    code = f"import ontoeval\nontoeval.load_ontology(b'<http://ex.org/a> <{subclass}> <http://ex.org/b> .').describe()"
    loaded = modules_after(code)
    assert "pyoxigraph" in loaded
    assert not loaded & (HEAVY | {"click", "rich"})
