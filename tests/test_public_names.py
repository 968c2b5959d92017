"""The public face: exported names, the version, `python -m ontoeval`, and what starting costs."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version

import click
import pytest
from click.testing import CliRunner

import ontoeval
from ontoeval.cli import main


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


def test_the_help_imports_neither_numpy_nor_rdflib() -> None:
    code = "import sys\nfrom ontoeval.cli import main\nmain(['--help'], standalone_mode=False)\nprint(*sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = set(shown.stdout.splitlines()[-1].split())
    assert "click" in modules
    assert not modules & {"numpy", "rdflib", "scipy", "pyoxigraph", "rich"}


@pytest.mark.skipif(not hasattr(click.exceptions, "NoSuchCommand"), reason="click suggests nothing before 8.4")
def test_a_misspelt_command_gets_a_suggestion() -> None:
    assert "No such command 'descibe'. Did you mean 'describe'?" in CliRunner().invoke(main, ["descibe"]).stderr


@pytest.mark.parametrize("name", main.list_commands(click.Context(main)))
def test_the_list_of_commands_says_what_each_command_says_of_itself(name: str) -> None:
    command = main.get_command(click.Context(main), name)
    assert command is not None
    assert command.name == name
    wide = main.make_context("ontoeval", [name], terminal_width=400, max_content_width=400)
    shown = main.get_help(wide)
    assert f"  {name:<11}  {command.get_short_help_str(380)}\n" in shown + "\n"
