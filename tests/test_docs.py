"""Screens of docs/rdf.md and of the README are those of today; `RENEW_DOCS=1 pytest tests/test_docs.py` renews them."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pytest
from helpers import run

ROOT = Path(__file__).resolve().parents[1]
SCREEN = re.compile(r"^\$ ontoeval (query [^\n]*)\n(.*?)(?=```)", re.DOTALL | re.MULTILINE)
TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d")
SHOWN = "2026-11-16 11:32"
SET_UP = {
    "docs/rdf.md": (
        "compare fixtures/dellschaft2006/oc?.ttl --gold fixtures/dellschaft2006/or2.ttl -m classic --store scores",
        "store import scores fixtures/dellschaft2006/or2.ttl",
        "annotations fixtures/annotations/near fixtures/annotations/far --gold fixtures/annotations/key "
        "--ontology fixtures/annotations/news.ttl --store news --store-level annotations",
        "compare fixtures/relations/learned.ttl --gold fixtures/relations/gold.ttl -m RelP,RelR,RelF --store parts",
    ),
    "README.md": ("compare fixtures/dellschaft2006/oc?.ttl --gold fixtures/dellschaft2006/or2.ttl --store scores",),
}


@pytest.mark.parametrize("page", SET_UP)
def test_screens_of_queries_are_those_of_today(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "fixtures").symlink_to(ROOT / "fixtures")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    for command in SET_UP[page]:
        words = [word for text in shlex.split(command) for word in (sorted(map(str, Path().glob(text))) or [text])]
        assert run(*words).exit_code == 0, command
    text = (ROOT / page).read_text(encoding="utf-8")
    screens = [(match[1], TIME.sub(SHOWN, run(*shlex.split(match[1])).stdout)) for match in SCREEN.finditer(text)]
    assert screens
    if os.environ.get("RENEW_DOCS"):
        fresh = iter(screens)
        text = SCREEN.sub(lambda match: "$ ontoeval {}\n{}".format(*next(fresh)), text)
        (ROOT / page).write_text(text, encoding="utf-8")
    for (command, screen), shown in zip(screens, SCREEN.findall(text), strict=True):
        assert screen == shown[1], command
