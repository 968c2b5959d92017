"""The public face: exported names, the version, `python -m ontoeval`, and what starting costs."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version

import pytest

import ontoeval


@pytest.mark.parametrize("name", ontoeval.__all__)
def test_every_public_name_is_imported_from_its_module(name: str) -> None:
    assert getattr(ontoeval, name) is not None
    assert name in dir(ontoeval)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'ontoeval' has no attribute 'compar'"):
        ontoeval.compar  # type: ignore[attr-defined]  # noqa: B018


def test_the_version_is_that_of_the_package() -> None:
    assert ontoeval.__version__ == version("ontoeval-toolkit")


def test_the_package_runs_as_a_module() -> None:
    shown = subprocess.run([sys.executable, "-m", "ontoeval", "--version"], capture_output=True, text=True, check=True)
    assert shown.stdout == f"ontoeval, version {ontoeval.__version__}\n"
