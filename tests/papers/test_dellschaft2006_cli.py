"""Tables 2 to 7 of Dellschaft & Staab 2006 through the command line, to the printed digit."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from helpers import printed

SC = "LP LR TP_sc TR_sc TF_sc TFprime_sc"
CSC = "LP LR TP_csc TR_csc TF_csc TFprime_csc"


def run(fixtures: Path, learned: Sequence[str], gold: str, *arguments: str) -> str:
    folder = fixtures / "dellschaft2006"
    files = [folder / f"{name}.ttl" for name in learned]
    return printed("compare", *files, "--gold", folder / f"{gold}.ttl", *arguments)


def percent(fixtures: Path, learned: Sequence[str], gold: str, measures: str) -> dict[str, list[str]]:
    """File -> the scores in percent with two digits, as the paper prints them."""
    found = json.loads(run(fixtures, learned, gold, "-m", measures.replace(" ", ","), "--json"))["results"]
    names = [Path(entry["learned"]).stem for entry in found]
    return {
        name: [f"{100 * entry['scores'][measure]:.2f}" for measure in measures.split()]
        for name, entry in zip(names, found, strict=True)
    }


def explained(fixtures: Path, concepts: str) -> dict[str, dict[str, Any]]:
    arguments = [word for concept in concepts.split() for word in ("--explain", concept)]
    (found,) = json.loads(run(fixtures, ["oc1"], "or1", "-m", "LP", *arguments, "--json"))["results"]
    return dict(zip(concepts.split(), found["explain"], strict=True))


def labels(entries: Sequence[dict[str, Any]], *, common: bool = False) -> set[str]:
    return {entry["label"] for entry in entries if entry["common"] or not common}


# concept: in the learned ontology OC1, in the reference OR1; None where a side does not have it
TABLE_2 = {
    "root": ("root auto van coupé bike BMX", "root car van coupé bike"),
    "auto": ("root auto van coupé", None),
    "car": (None, "root car van coupé"),
    "van": ("root auto van", "root car van"),
    "coupé": ("root auto coupé", "root car coupé"),
    "bike": ("root bike BMX", "root bike"),
    "BMX": ("root bike BMX", None),
}
TABLE_3 = {
    "root": ("van coupé bike", "van coupé bike"),
    "auto": ("root van coupé", None),
    "car": (None, "root van coupé"),
    "van": ("root", "root"),
    "coupé": ("root", "root"),
    "bike": ("root", "root"),
    "BMX": ("root bike", None),
}


def words(text: str | None) -> set[str]:
    return set() if text is None else set(text.split())


def test_table_2_semantic_cotopies_by_explain(fixtures: Path) -> None:
    for concept, found in explained(fixtures, " ".join(TABLE_2)).items():
        learned, gold = TABLE_2[concept]
        assert (found["learned"] is None, found["gold"] is None) == (learned is None, gold is None)
        both = labels(found["both"])
        ours, theirs = both | labels(found["only_learned"]), both | labels(found["only_gold"])
        # the concept itself is in its cotopy, and not shown
        assert ours == words(learned) - {concept}, concept
        assert theirs == words(gold) - {concept}, concept


def test_table_3_common_semantic_cotopies_by_explain(fixtures: Path) -> None:
    for concept, found in explained(fixtures, " ".join(TABLE_3)).items():
        learned, gold = TABLE_3[concept]
        both = labels(found["both"], common=True)
        assert both | labels(found["only_learned"], common=True) == words(learned), concept
        assert both | labels(found["only_gold"], common=True) == words(gold), concept


def test_tables_2_and_3_give_the_local_values_of_explain(fixtures: Path) -> None:
    found = explained(fixtures, "root van coupé bike")
    for concept, entry in found.items():
        for kind, rows in (("sc", TABLE_2), ("csc", TABLE_3)):
            ours, theirs = map(words, rows[concept])
            shared = len(ours & theirs)
            assert entry["values"][f"TP_{kind}"] == pytest.approx(shared / len(ours), abs=1e-12)
            assert entry["values"][f"TR_{kind}"] == pytest.approx(shared / len(theirs), abs=1e-12)


def test_tables_2_and_3_lexical_precision_and_recall(fixtures: Path) -> None:
    assert percent(fixtures, ["oc1"], "or1", "LP LR") == {"oc1": ["66.67", "80.00"]}


def test_table_4_semantic_cotopy_with_lexical_errors(fixtures: Path) -> None:
    assert percent(fixtures, ["oc2", "oc3"], "or2", SC) == {
        "oc2": ["100.00", "57.14", "100.00", "51.02", "67.57", "61.92"],
        "oc3": ["71.43", "71.43", "54.25", "54.25", "54.25", "61.67"],
    }


def test_table_5_common_semantic_cotopy_with_lexical_errors(fixtures: Path) -> None:
    assert percent(fixtures, ["oc2", "oc3"], "or2", CSC) == {
        "oc2": ["100.00", "57.14", "100.00", "100.00", "100.00", "72.73"],
        "oc3": ["71.43", "71.43", "100.00", "100.00", "100.00", "83.33"],
    }


def test_table_6_semantic_cotopy_with_errors_in_the_hierarchy(fixtures: Path) -> None:
    assert percent(fixtures, ["oc4", "oc5"], "or2", SC) == {
        "oc4": ["100.00", "100.00", "66.67", "66.67", "66.67", "80.00"],
        "oc5": ["100.00", "100.00", "83.33", "83.33", "83.33", "90.91"],
    }


def test_table_7_common_semantic_cotopy_with_errors_in_the_hierarchy(fixtures: Path) -> None:
    found = percent(fixtures, ["oc4", "oc5"], "or2", CSC)
    assert found["oc4"] == ["100.00", "100.00", "52.38", "52.38", "52.38", "68.75"]
    assert found["oc5"][:-1] == ["100.00", "100.00", "76.19", "76.19", "76.19"]


def test_table_7_the_last_cell_is_a_misprint(fixtures: Path) -> None:
    """84.49 is printed; with LR = 1 and TF = 16/21 (76.19, as printed) TF' is 2 (16/21) / (1 + 16/21) = 32/37."""
    last = percent(fixtures, ["oc5"], "or2", CSC)["oc5"][-1]
    assert last == f"{100 * 32 / 37:.2f}" == "86.49"
    assert last != "84.49"


def test_tables_5_and_7_are_what_the_terminal_shows(fixtures: Path) -> None:
    shown = run(fixtures, ["oc2", "oc3", "oc4", "oc5"], "or2", "-m", CSC.replace(" ", ","), "--digits", "4")
    lines = [line.split() for line in shown.splitlines() if line.strip().startswith("oc")][:4]
    assert [[cell.rstrip("*") for cell in line[:7]] for line in lines] == [
        ["oc2", "1.0000", "0.5714", "1.0000", "1.0000", "1.0000", "0.7273"],
        ["oc3", "0.7143", "0.7143", "1.0000", "1.0000", "1.0000", "0.8333"],
        ["oc4", "1.0000", "1.0000", "0.5238", "0.5238", "0.5238", "0.6875"],
        ["oc5", "1.0000", "1.0000", "0.7619", "0.7619", "0.7619", "0.8649"],
    ]
