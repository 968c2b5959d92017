"""`__version__`: the version of the installed package."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("ontoeval-toolkit")
except PackageNotFoundError:  # run from a folder
    __version__ = "unknown"
