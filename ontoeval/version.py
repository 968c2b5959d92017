"""`__version__` of the installed package, else "unknown" (the number itself: pyproject.toml)."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("ontoeval-toolkit")
except PackageNotFoundError:  # run from a folder
    __version__ = "unknown"
