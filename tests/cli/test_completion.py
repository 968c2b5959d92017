"""What TAB offers, and that the file behind it is what the library has."""

from __future__ import annotations

import subprocess
import sys

from click.shell_completion import ShellComplete

from ontoeval.cli import main
from ontoeval.cli.completion import names
from ontoeval.cli.steps.completion_file import document


def offered(*words: str) -> list[str]:
    completion = ShellComplete(main, {}, "ontoeval", "_ONTOEVAL_COMPLETE")
    *arguments, incomplete = words
    return [item.value for item in completion.get_completions(list(arguments), incomplete)]


def test_the_file_has_what_the_library_has() -> None:
    assert names() == document()


def test_commands_options_choices_and_measures_are_completed() -> None:
    assert offered("comp") == ["compare"]
    assert offered("annotations", "--gold-s") == ["--gold-set"]
    assert offered("annotations", "a", "--spans", "l") == ["lenient"]
    assert "TF_csc" in offered("compare", "a", "-m", "TF")
    assert "LF,TF_csc" in offered("compare", "a", "-m", "LF,TF")
    assert "between" in offered("compare", "a", "-m", "b")


def test_queries_are_completed_with_their_parameters() -> None:
    assert "trend" in offered("query", "scores", "tr")
    assert "measure=" in offered("query", "scores", "trend", "-p", "me")


def test_completion_imports_nothing_heavy() -> None:
    code = (
        "import os, sys\n"
        "os.environ.update(COMP_WORDS='ontoeval compare a -m TF', COMP_CWORD='4', _ONTOEVAL_COMPLETE='bash_complete')\n"
        "from ontoeval.cli import main\n"
        "try:\n    main.main([], prog_name='ontoeval')\nexcept SystemExit:\n    pass\n"
        "print(*sys.modules)"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "plain,TF_csc" in shown
    assert not set(shown.splitlines()[-1].split()) & {"numpy", "rdflib", "pyoxigraph", "scipy"}
