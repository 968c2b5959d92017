"""ontoeval: imports each public name when it is first used; which names are public is listed in `__init__.pyi`.

The package scores learned ontologies, annotations, classifications. `import ontoeval` costs next to nothing.
"""

import ast
from importlib import import_module
from pathlib import Path
from typing import Any


def _public_names() -> dict[str, str]:
    """Name -> module, as the stub imports them."""
    stub = ast.parse(Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    imports = [node for node in stub.body if isinstance(node, ast.ImportFrom) and node.module is not None]
    return {alias.name: str(node.module) for node in imports for alias in node.names}


_MODULES = _public_names()
__all__ = list(_MODULES)


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'ontoeval' has no attribute {name!r}")
    value = getattr(import_module(_MODULES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
