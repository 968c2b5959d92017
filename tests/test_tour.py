"""docs/tour.ipynb runs, and its outputs are those of today; `RENEW_DOCS=1 pytest -m slow tests/test_tour.py` renews."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
from pages import ROOT

NOTEBOOK = ROOT / "docs" / "tour.ipynb"
MIME = ("text/plain", "text/html", "text/latex", "image/svg+xml")


def executed(notebook: Any, folder: Path) -> Any:
    """The notebook after a run in a folder with the fixtures."""
    from nbclient import NotebookClient

    (folder / "fixtures").symlink_to(ROOT / "fixtures")
    resources = {"metadata": {"path": str(folder)}}
    found = NotebookClient(notebook, timeout=120, resources=resources, coalesce_streams=True).execute()
    for cell in found.cells:
        cell.metadata.pop("execution", None)  # times
    return found


def outputs(notebook: Any) -> list[tuple[str, list[Any]]]:
    """Source and outputs of each cell of code."""
    return [(cell.source, [shown(one) for one in cell.outputs]) for cell in notebook.cells if cell.cell_type == "code"]


def shown(output: Any) -> Any:
    """A text that is printed, or what is displayed by its type; an address in memory would differ each time."""
    if output.output_type == "stream":
        return output.name, output.text
    assert output.output_type in ("execute_result", "display_data"), output
    data = {kind: text for kind, text in output.data.items() if kind in MIME}
    assert not re.search(r" at 0x[0-9a-f]{6,}", str(data)), data
    return data


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the kernel's libraries
def test_the_tour_shows_what_it_gives_today(tmp_path: Path) -> None:
    import nbformat

    stored = nbformat.read(NOTEBOOK, as_version=4)
    fresh = executed(nbformat.read(NOTEBOOK, as_version=4), tmp_path)
    if os.environ.get("RENEW_DOCS"):
        nbformat.write(fresh, NOTEBOOK)
        return
    assert len(outputs(stored)) > 8
    for (source, before), (_, now) in zip(outputs(stored), outputs(fresh), strict=True):
        assert now == before, source
