"""`__version__` of the installed package, else "unknown" (the number itself: pyproject.toml).

>>> import ontoeval as oe
>>> oe.__version__.count(".") > 0
True
"""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("ontoeval-toolkit")
except PackageNotFoundError:  # run from a folder
    __version__ = "unknown"
