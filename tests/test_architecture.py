"""The rules of the house: who may import whom, what is private, what a command may do, what the library may say."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import ontoeval

PACKAGE = Path(ontoeval.__file__).parent
FILES = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))

# A room imports from itself and from the rooms to its left.
LAYERS = (
    "version", "errors", "files", "tables", "model", "concepts", "matching", "edit", "tasks", "load", "results",
    "measures", "evaluation", "analysis", "verbs", "report", "rdf", "output", "batch", "cli", "__main__",
)  # fmt: skip
# Convenience methods of public types: one line that imports its function inside the method.
CONVENIENCE: dict[str, set[str]] = {
    "results/evaluation_result.py": {
        "__str__", "_repr_html_", "confusions", "errors", "explain", "per_class", "save", "with_intervals", "worst",
    },
    "results/result_table.py": {"group", "save", "test"},
    "analysis/explain.py": {"__str__"},
    "model/ontology.py": {"__str__", "_repr_html_", "save", "to_frame", "to_rdflib"},
}  # fmt: skip
# Outside libraries and the only places that may import them; True: inside functions alone, since they are heavy.
ANYWHERE = {"numpy", "scipy"}
BORDERS: dict[str, dict[str, bool]] = {
    "pyoxigraph": {"load/": False, "rdf/": False},
    "pyshacl": {"rdf/validate/": True},
    "httpx": {"rdf/store/endpoint.py": True},
    "rdflib": {"load/ontologies/rdf.py": True, "rdf/": True},
    "owlready2": {"load/ontologies/reason.py": True},
    "pyhornedowl": {"load/ontologies/owlxml.py": True, "load/ontologies/reason.py": True},
    "pyelk": {"load/ontologies/reason.py": True},
    "pyowl_core": {"load/ontologies/reason.py": True},
    "lxml": {"load/corpora/gate.py": True},
    "yaml": {"load/corpora/bdoc.py": True},
    "msgpack": {"load/corpora/bdoc.py": True},
    "networkx": {"model/networkx_graph.py": True},
    "rapidfuzz": {"matching/by_label_similarity.py": True, "measures/comparison/_label_similarity.py": True},
    "apted": {"measures/comparison/tree_edit.py": True},
    "snowballstemmer": {"matching/normalize.py": True},
    "pyarrow": {"analysis/write_matrix.py": True},
    "pandas": {"tables/": True, "analysis/groups.py": True},
    "matplotlib": {"report/figures/matplotlib.py": True},
    "click": {"cli/": False},
    "rich": {"cli/": True, "tables/": True},
}
# Files whose methods give objects of other libraries back, and name these in annotations.
FOR_USERS = {
    "pandas": {
        "analysis/annotator_agreement.py", "analysis/human_agreement.py", "analysis/matrix.py",
        "analysis/sensitivity.py", "matching/matching.py", "model/ontology.py", "rdf/ontology_writer.py",
        "rdf/store/queries.py", "results/evaluation_result.py", "results/result_table.py",
    },
    "networkx": {"model/ontology.py"},
    "rdflib": {"model/ontology.py"},
}  # fmt: skip
DYNAMIC = ("__import__", "import_module")
SCANS = {"__init__.py", "measures/__init__.py", "cli/help.py"}  # public names, measures and commands by name
OURS = re.compile(r"\b(Ontoeval|Load|EmptyFile|Hierarchy|Unknown\w+|Parameter|Store|Validation|MissingInput)Error\b")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
OTHER_PROGRAMS = {"load/ontologies/obograph.py": "robot convert --format json"}
PARTICIPLE = re.compile(r"_*(found|given|chosen|known|shown|written|told|made|taken|left|hung|[a-z]+[^e]ed)")
PLAIN = {"cached", "embed", "seed", "need", "speed", "feed", "listed", "spelled"}  # nouns, and verbs of `errors`


@dataclass(frozen=True)
class Import:
    module: str  # absolute
    line: int
    inside: str  # the function, "" outside: it runs only when that is called
    typing: bool  # under `if TYPE_CHECKING`, so that it never runs
    names: tuple[str, ...] = ()


def imports(source: str, file: str) -> Iterator[Import]:
    yield from _walk(ast.parse(source), ["ontoeval", *file.split("/")[:-1]], inside="", typing=False)


def _walk(node: ast.AST, package: list[str], *, inside: str, typing: bool) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            for alias in child.names:
                yield Import(alias.name, child.lineno, inside, typing)
        elif isinstance(child, ast.ImportFrom):
            base = package[: len(package) - child.level + 1] if child.level else []
            module = ".".join([*base, *([child.module] if child.module else [])])
            names = tuple(alias.name for alias in child.names)
            if module == "ontoeval":  # from ontoeval import errors
                for name in names:
                    yield Import(f"ontoeval.{name}", child.lineno, inside, typing)
            else:
                yield Import(module, child.lineno, inside, typing, names)
        elif isinstance(child, ast.Call) and ast.unparse(child.func).rpartition(".")[2] in DYNAMIC:
            first = child.args[0] if child.args else None
            name = first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else "?"
            yield Import(name, child.lineno, inside, typing)
            yield from _walk(child, package, inside=inside, typing=typing)
        else:
            function = inside
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                function = child.name
            elif isinstance(child, ast.Lambda):
                function = inside or "lambda"
            checking = isinstance(child, ast.If) and ast.unparse(child.test) in (
                "TYPE_CHECKING",
                "typing.TYPE_CHECKING",
            )
            yield from _walk(child, package, inside=function, typing=typing or checking)


def room_of(file: str) -> str:
    return file.split("/")[0].removesuffix(".py")


def forbidden_imports(source: str, file: str) -> list[str]:
    """Imports against the layers, beyond the borders of a library, or inside a function without need."""
    found = []
    for entry in imports(source, file):
        top, *rest = entry.module.split(".")
        if entry.module == "?" and file in SCANS:
            continue
        # what these methods give back is named in annotations
        convenience = entry.inside in CONVENIENCE.get(file, set()) or (entry.typing and file in CONVENIENCE)
        if top == "ontoeval":
            wrong = not _to_the_left(rest, file) or (bool(entry.inside) and not entry.typing)
            wrong = wrong and not convenience
        elif top in sys.stdlib_module_names or top in ANYWHERE:
            wrong = bool(entry.inside)
        else:
            wrong = _beyond_the_border(top, entry, file) and not (entry.typing and file in FOR_USERS.get(top, ()))
        if wrong:
            found.append(f"{file}:{entry.line} imports {entry.module}")
    return found


def _to_the_left(module: list[str], file: str) -> bool:
    room = room_of(file)
    if room == "cli" and not module:
        return True  # import ontoeval as oe
    return bool(module) and module[0] in LAYERS and room in LAYERS and LAYERS.index(module[0]) <= LAYERS.index(room)


def _beyond_the_border(top: str, entry: Import, file: str) -> bool:
    for place, only_inside in BORDERS.get(top, {}).items():
        if file == place or (place.endswith("/") and file.startswith(place)):
            return only_inside and not (entry.inside or entry.typing)
    return True


def private_imports(source: str, file: str) -> list[str]:
    """What begins with an underscore and belongs to another folder."""
    folder = ["ontoeval", *file.split("/")[:-1]]
    found = []
    for entry in imports(source, file):
        module = entry.module.split(".")
        if module[0] != "ontoeval":
            continue
        hidden = next((n for n, part in enumerate(module) if part.startswith("_") and not part.startswith("__")), None)
        if hidden is not None and module[:hidden] != folder:
            found.append(f"{file}:{entry.line} imports {entry.module}")
        elif module[:-1] != folder and module != folder:
            secret = [name for name in entry.names if name.startswith("_") and not name.startswith("__")]
            found += [f"{file}:{entry.line} imports {entry.module}.{name}" for name in secret]
    return found


def second_caches(source: str, file: str) -> list[str]:
    """Results kept beside an object in another way than `cached_property` and `Cached.cached`."""
    if file == "model/cache.py":
        return []
    found = []
    for node in ast.walk(ast.parse(source)):
        line = getattr(node, "lineno", 0)
        name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
        if name in ("WeakKeyDictionary", "WeakValueDictionary"):
            found.append(f"{file}:{line} {name}")
        if isinstance(node, ast.FunctionDef) and {a.arg for a in node.args.args} & {"self", "cls", "task", "ontology"}:
            decorators = [ast.unparse(d.func if isinstance(d, ast.Call) else d) for d in node.decorator_list]
            if {d.rpartition(".")[2] for d in decorators} & {"cache", "lru_cache"}:
                found.append(f"{file}:{line} {node.name} is kept for each of its arguments")
        if isinstance(node, ast.If) and isinstance(node.test, ast.Compare) and isinstance(node.test.ops[0], ast.NotIn):
            kept = ast.unparse(node.test.comparators[0])
            targets = [ast.unparse(t) for s in node.body if isinstance(s, ast.Assign) for t in s.targets]
            if kept.startswith("self.") and any(t.startswith(f"{kept}[") for t in targets):
                found.append(f"{file}:{line} {kept} is a cache of its own")
    return found


def _texts(source: str) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def spelled_options(source: str, file: str) -> list[str]:
    """Command-line options in texts of the library."""
    if file.startswith("cli/"):
        return []
    allowed = OTHER_PROGRAMS.get(file, "\0")
    return [
        f"{file}:{line} {option}"
        for line, text in _texts(source)
        for option in OPTION.findall(text.replace(allowed, ""))
    ]


def messages_read_back(source: str, file: str) -> list[str]:
    """Code that looks into the text of one of our errors."""
    found = []
    for handler in ast.walk(ast.parse(source)):
        if not isinstance(handler, ast.ExceptHandler) or handler.name is None or handler.type is None:
            continue
        if not OURS.search(ast.unparse(handler.type)):
            continue
        text = f"str({handler.name})"
        for node in ast.walk(handler):
            compared = isinstance(node, ast.Compare) and text in ast.unparse(node)
            cut = isinstance(node, ast.Attribute) and ast.unparse(node.value) == text
            if compared or cut or ast.unparse(node).startswith(f"{handler.name}.args"):
                found.append(f"{file}:{node.lineno} reads {text}")  # type: ignore[attr-defined]
    return found


def computing_commands(source: str, file: str) -> list[str]:
    """Arithmetic over scores, and results of their own, in commands."""
    if not file.startswith("cli/"):
        return []
    found = []
    for node in ast.walk(ast.parse(source)):
        line = getattr(node, "lineno", 0)
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else [node.module or ""]
            if {name.split(".")[0] for name in names} & {"numpy", "scipy", "statistics"}:
                found.append(f"{file}:{line} computes with {names}")
        if _is_arithmetic(node) and _NUMBERS & _names_in(node):
            found.append(f"{file}:{line} {ast.unparse(node)}")
        if isinstance(node, ast.ClassDef):
            decorators = [ast.unparse(d.func if isinstance(d, ast.Call) else d) for d in node.decorator_list]
            if "dataclass" in decorators or "NamedTuple" in map(ast.unparse, node.bases):
                found.append(f"{file}:{line} class {node.name}")
    return found


_NUMBERS = {"value", "values", "score", "scores", "precision", "recall", "result", "results"}


def _is_arithmetic(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        return ast.unparse(node.func).rpartition(".")[2] in ("sum", "fsum", "mean")
    if isinstance(node, ast.BinOp | ast.AugAssign):
        texts = any(
            isinstance(n, ast.JoinedStr | ast.List | ast.ListComp) or isinstance(getattr(n, "value", 0), str)
            for n in ast.walk(node)
        )
        return isinstance(node.op, ast.Sub | ast.Mult | ast.Div | ast.Pow) or (
            isinstance(node.op, ast.Add) and not texts
        )
    return False


def _names_in(node: ast.AST) -> set[str]:
    names = {n.attr for n in ast.walk(node) if isinstance(n, ast.Attribute)}
    return names | {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


def participles(source: str, file: str) -> list[str]:
    """Functions and classes whose name is a bare participle; of a constant it may be a term of RDF."""
    nodes = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    names = [(node.lineno, node.name) for node in nodes]
    return [
        f"{file}:{line} {name}"
        for line, name in names
        if PARTICIPLE.fullmatch(name.lower()) and name.lower().strip("_") not in PLAIN
    ]


RULES: dict[str, Callable[[str, str], list[str]]] = {
    rule.__name__: rule
    for rule in (
        forbidden_imports, private_imports, second_caches, spelled_options, messages_read_back, computing_commands,
        participles,
    )
}  # fmt: skip


def test_every_file_is_in_a_room() -> None:
    assert {room_of(file) for file in FILES} <= {*LAYERS, "__init__"}
    assert "model/ontology.py" in FILES


@pytest.mark.parametrize("rule", RULES)
def test_the_house_keeps_its_rules(rule: str) -> None:
    broken = [b for file in FILES for b in RULES[rule]((PACKAGE / file).read_text(encoding="utf-8"), file)]
    assert broken == []


def test_the_model_knows_no_rdf_library() -> None:
    """Not even for type annotations, but for that of `Ontology.to_rdflib`."""
    libraries = {"rdflib", "pyoxigraph", "owlready2", "pyhornedowl", "pyelk", "pyowl_core"}
    for file in FILES:
        if file.startswith("model/"):
            source = (PACKAGE / file).read_text(encoding="utf-8")
            known = {library for library, files in FOR_USERS.items() if file in files}
            assert not {entry.module.split(".")[0] for entry in imports(source, file)} & (libraries - known)


@pytest.mark.parametrize(
    ("rule", "file", "source"),
    [
        ("forbidden_imports", "errors.py", "from ontoeval.model.arrays import freeze"),
        ("forbidden_imports", "model/arrays.py", "from ontoeval.load.input import Input"),
        ("forbidden_imports", "model/arrays.py", "from ontoeval import load"),
        ("forbidden_imports", "model/arrays.py", "from ontoeval import Ontology"),
        ("forbidden_imports", "model/arrays.py", "import ontoeval"),
        ("forbidden_imports", "model/arrays.py", "from ..load import facts"),
        ("forbidden_imports", "model/arrays.py", "from .. import load"),
        ("forbidden_imports", "model/arrays.py", "def f():\n    import ontoeval.load"),
        ("forbidden_imports", "model/arrays.py", "import pyoxigraph"),
        ("forbidden_imports", "model/arrays.py", "def f():\n    import rdflib"),
        ("forbidden_imports", "model/arrays.py", "if TYPE_CHECKING:\n    import networkx"),
        ("forbidden_imports", "model/ontology.py", "import networkx"),
        ("forbidden_imports", "model/ontology.py", "class A:\n    from networkx import DiGraph"),
        ("forbidden_imports", "model/ontology.py", "def f():\n    from ontoeval.model.lexicon import Lexicon"),
        ("forbidden_imports", "model/ontology.py", "def f():\n    import json"),
        ("forbidden_imports", "matching/matcher.py", "from ontoeval.tasks.comparison import Comparison"),
        ("forbidden_imports", "load/terms.py", "from ontoeval.cli import main"),
        ("forbidden_imports", "load/terms.py", "import ontoeval.results"),
        ("forbidden_imports", "load/ontologies/rdf.py", "import rdflib"),
        ("forbidden_imports", "load/ontologies/owl.py", "def f():\n    from rdflib.namespace import OWL"),
        ("forbidden_imports", "load/ontologies/owlxml.py", "def f():\n    import owlready2"),
        ("forbidden_imports", "load/terms.py", "def f():\n    return importlib.import_module('rdflib')"),
        ("forbidden_imports", "load/terms.py", "def f(name):\n    return __import__(name)"),
        ("forbidden_imports", "tables/terminal.py", "import rich"),
        ("forbidden_imports", "load/terms.py", "def f():\n    import click"),
        ("forbidden_imports", "report/comparison.py", "import click"),
        ("forbidden_imports", "results/scores.py", "from ontoeval.measures import parse"),
        ("forbidden_imports", "measures/registry.py", "from ontoeval.analysis.relate import relate"),
        ("forbidden_imports", "report/figures/matplotlib.py", "from matplotlib.figure import Figure"),
        ("forbidden_imports", "report/figures/svg.py", "def f():\n    from matplotlib.figure import Figure"),
        ("private_imports", "analysis/relate.py", "from ontoeval.measures.concepts._bdm import balance"),
        ("private_imports", "analysis/relate.py", "from ontoeval.model.arrays import _secret"),
        ("private_imports", "measures/concepts/_bdm.py", "import ontoeval.measures.instances._triples"),
        ("second_caches", "measures/registry.py", "known = WeakKeyDictionary()"),
        ("second_caches", "model/closure.py", "class A:\n    @lru_cache(maxsize=2)\n    def f(self): ..."),
        ("second_caches", "model/closure.py", "if k not in self._kept:\n    self._kept[k] = make(k)"),
        ("spelled_options", "model/closure.py", "raise E('too deep', advice='Take a part with --below.')"),
        ("spelled_options", "model/closure.py", "def f():\n    '''As --json prints it.'''"),
        ("messages_read_back", "load/terms.py", "try: f()\nexcept LoadError as e:\n    if 'empty' in str(e): pass"),
        ("messages_read_back", "load/terms.py", "try: f()\nexcept LoadError as e:\n    str(e).removeprefix('x')"),
        ("computing_commands", "cli/compare.py", "print(a.value - b.value)"),
        ("computing_commands", "cli/compare.py", "print(a.value + b.value)"),
        ("computing_commands", "cli/compare.py", "total += a.value"),
        ("computing_commands", "cli/compare.py", "print(sum(scores))"),
        ("second_caches", "measures/registry.py", "known = weakref.WeakKeyDictionary()"),
        ("computing_commands", "cli/compare.py", "import numpy as np"),
        ("computing_commands", "cli/compare.py", "@dataclass\nclass Agreement: ..."),
        ("participles", "model/closure.py", "def found(): ..."),
        ("participles", "model/closure.py", "def _collected(): ..."),
    ],
)  # fmt: skip
def test_a_broken_rule_is_noticed(rule: str, file: str, source: str) -> None:
    assert RULES[rule](source, file)


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("model/arrays.py", "import numpy as np\nimport json\nfrom ontoeval.errors import OntoevalError"),
        ("model/networkx_graph.py", "def f():\n    import networkx as nx"),
        ("model/ontology.py", "if TYPE_CHECKING:\n    import networkx as nx"),
        ("load/ontologies/rdf.py", "import pyoxigraph as ox\nfrom ontoeval.model.ontology import Ontology"),
        ("load/ontologies/rdf.py", "class A:\n    def f(self):\n        import rdflib"),
        (
            "cli/options.py",
            "import click\nimport ontoeval as oe\nfrom ontoeval import errors\ndef f():\n    import rich",
        ),
        ("measures/concepts/distance.py", "from ontoeval.measures.concepts._bdm import balance"),
        ("measures/concepts/distance.py", "class A:\n    @cached_property\n    def f(self): ..."),
        ("cli/options.py", "raise E('--below is wrong')\nwidth = columns - 2"),
        ("load/terms.py", "try: f()\nexcept ValueError as e:\n    raise LoadError(str(e))"),
        ("model/closure.py", "def related_parts(): ...\nseed = 1"),
    ],
)
def test_what_the_rules_allow_is_let_through(file: str, source: str) -> None:
    assert [broken for rule in RULES.values() for broken in rule(source, file)] == []


def modules_after(code: str) -> set[str]:
    command = [sys.executable, "-c", f"{code}\nimport sys\nprint(*sys.modules)"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    return {name.split(".")[0] for name in done.stdout.split("\n")[-2].split()}


HEAVY = {
    "apted", "rapidfuzz", "pandas", "pyarrow", "rdflib", "owlready2", "pyhornedowl", "pyelk", "networkx", "lxml",
    "matplotlib",
}  # fmt: skip


def test_import_ontoeval_imports_nothing_heavy() -> None:
    assert not modules_after("import ontoeval") & (HEAVY | {"click", "rich", "numpy", "pyoxigraph"})


def test_the_help_of_a_command_imports_nothing_heavy() -> None:
    code = "from ontoeval.cli import main\nmain(['describe', '--help'], standalone_mode=False)"
    assert not modules_after(code) & (HEAVY | {"rich"})


def test_loading_a_turtle_file_needs_pyoxigraph_alone() -> None:
    subclass = "http://www.w3.org/2000/01/rdf-schema#subClassOf"
    code = f"import ontoeval\nontoeval.load_ontology(b'<http://ex.org/a> <{subclass}> <http://ex.org/b> .').describe()"
    loaded = modules_after(code)
    assert "pyoxigraph" in loaded
    assert not loaded & (HEAVY | {"click", "rich"})
