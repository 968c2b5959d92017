"""The runs submitted to SemEval-2016 Task 13 (TExEval-2) through the command line.

The structure columns of the paper are in tests/load/test_shared_data.py.
"""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from helpers import printed_json

SYSTEMS = {
    "environment_eurovoc": ("JUNLP", "NUIG-UNLP", "QASSIT", "TAXI", "USAAR"),
    "food": ("JUNLP", "TAXI", "USAAR"),
}
OFFICIAL = "CFM(weights=tool, floating=ignored, self_edges=inner)"


@cache
def compared(folder: Path, domain: str) -> dict[str, dict[str, Any]]:
    """System -> its result."""
    runs = [folder / "runs-EN" / f"{domain}.{system}.taxo" for system in SYSTEMS[domain]]
    gold = folder / "gold" / f"{domain}.taxo"
    measures = f"EdgeP,EdgeR,EdgeF,{OFFICIAL}"
    found = printed_json("compare", *runs, "--gold", gold, "--match", "iri", "-m", measures, remarks=True)["results"]
    assert [entry["learned"] for entry in found] == [str(run) for run in runs]
    return dict(zip(SYSTEMS[domain], found, strict=True))


def pairs(path: Path) -> set[tuple[str, str]]:
    """The distinct pairs of term and hypernym: exact strings without outer blanks, self-pairs left out."""
    found = set()
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip():
            _, term, hypernym = line.split("\t")[:3]
            found.add((term.strip(), hypernym.strip()))
    return {(term, hypernym) for term, hypernym in found if term != hypernym}


@pytest.mark.parametrize("domain", SYSTEMS)
def test_the_edge_measures_are_those_of_sets_of_pairs(shared_data: Path, domain: str) -> None:
    folder = shared_data / "texeval" / "2016"
    gold = pairs(folder / "gold" / f"{domain}.taxo")
    for system, found in compared(folder, domain).items():
        learned = pairs(folder / "runs-EN" / f"{domain}.{system}.taxo")
        both = len(learned & gold)
        assert both > 0
        counts = {"common_edges": both, "learned_edges": len(learned), "gold_edges": len(gold)}
        assert found["counts"]["EdgeF"] == counts, system
        assert found["scores"]["EdgeP"] == pytest.approx(both / len(learned), abs=1e-12), system
        assert found["scores"]["EdgeR"] == pytest.approx(both / len(gold), abs=1e-12), system
        assert found["scores"]["EdgeF"] == pytest.approx(2 * both / (len(learned) + len(gold)), abs=1e-12), system


@pytest.mark.parametrize("domain", SYSTEMS)
def test_the_cumulative_measure_is_that_of_the_official_tool(shared_data: Path, domain: str) -> None:
    folder = shared_data / "texeval" / "2016"
    for system, found in compared(folder, domain).items():
        lines = (folder / "official-jar-output" / f"{domain}.{system}.txt").read_text().splitlines()
        (printed,) = (line.split("\t")[1] for line in lines if line.startswith("Cumulative Measure"))
        assert found["scores"][OFFICIAL] == pytest.approx(float(printed), abs=1e-9), system


def test_the_cumulative_measure_is_that_of_the_paper_but_for_one_cell(shared_data: Path) -> None:
    folder = shared_data / "texeval" / "2016"
    with (folder / "published.tsv").open(encoding="utf-8") as stream:
        rows = [row for row in csv.DictReader(stream, delimiter="\t") if row["system"] in SYSTEMS[row["domain"]]]
    assert len(rows) == 8
    differing = [
        (row["domain"], row["system"], row["cumulative F&M (Table 3)"])
        for row in rows
        if f"{compared(folder, row['domain'])[row['system']]['scores'][OFFICIAL]:.4f}"
        != row["cumulative F&M (Table 3)"]
    ]
    assert differing == [("environment_eurovoc", "USAAR", "0.0007")]  # the official tool itself prints 0.0


def test_added_roots_are_no_edges(shared_data: Path) -> None:
    """NUIG-UNLP has 58 parts and gets a root above them; its given edges alone count."""
    folder = shared_data / "texeval" / "2016"
    found = compared(folder, "environment_eurovoc")["NUIG-UNLP"]
    learned = pairs(folder / "runs-EN" / "environment_eurovoc.NUIG-UNLP.taxo")
    assert found["counts"]["EdgeF"]["learned_edges"] == len(learned)
    terms = {term for pair in learned for term in pair}
    assert found["matching"]["learned"] == len(terms) + 1
