"""The examples in the documentation of every public name print what they show."""

from __future__ import annotations

import doctest
import sys
from pathlib import Path

import pytest

import ontoeval as oe
from ontoeval.measures.registry import REGISTRY
from ontoeval.tables.table import Table

ROOT = Path(__file__).resolve().parents[1]
FINDER = doctest.DocTestFinder(recurse=False, exclude_empty=False)


def example_of(name: str) -> doctest.DocTest:
    documented = sys.modules["ontoeval.version"] if name == "__version__" else getattr(oe, name)
    (test,) = FINDER.find(documented, name, module=False, globs={})
    return test


@pytest.mark.parametrize("name", oe.__all__)
def test_the_example_of_a_public_name(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "fixtures").symlink_to(ROOT / "fixtures")
    monkeypatch.chdir(tmp_path)
    oe.all_measures()  # all are known before the example of `measure` adds one
    known = dict(REGISTRY._definitions)
    test = example_of(name)
    assert test.examples, f"{name} has no example"
    said: list[str] = []
    try:
        failed = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=said.append).failed
    finally:
        REGISTRY._definitions.clear()
        REGISTRY._definitions.update(known)
    assert not failed, "".join(said)


def test_the_example_of_a_table() -> None:
    (test,) = FINDER.find(Table, "Table", module=False, globs={"Table": Table})
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0


@pytest.mark.parametrize("name", [name for name in oe.__all__ if name.startswith(("compare", "relate", "agree"))])
def test_verbs_are_documented_as_scikit_learn_does(name: str) -> None:
    text = getattr(oe, name).__doc__
    for heading in ("Parameters\n    ----------\n", "Returns\n    -------\n", "Examples\n    --------\n"):
        assert heading in text


def test_the_page_on_python_lists_the_documented_names() -> None:
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    names = page.split("`compare compare_annotations")[1].split("`")[0].split()
    assert sorted(["compare", "compare_annotations", *names]) == sorted(oe.__all__)
