"""Place, Near and Preserved on real pairs of ontologies, which are not part of this repository."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers import data_folder, near
from twin_between import Between, harmonic
from twin_compare import Case

import ontoeval as oe
from ontoeval.analysis.explain import explain
from ontoeval.report.reasons import reasons_in_words

ALIGNMENTS = 21


def case_of(task: oe.Comparison) -> Case:
    """The comparison as the twin takes it."""
    sides = []
    for ontology in (task.learned, task.gold):
        hierarchy = ontology.hierarchy
        edges = [(hierarchy.iris[a], hierarchy.iris[b]) for a, b in zip(*hierarchy.stated_edges, strict=True)]
        concepts = list(hierarchy.iris[int(hierarchy.root_added) :])
        sides.append({"edges": edges, "concepts": concepts, "root": "auto"})
    pairs = {
        task.learned.hierarchy.iris[pair.learned]: task.gold.hierarchy.iris[pair.gold] for pair in task.matching.pairs
    }
    return Case(sides[0], sides[1], pairs)


def conference(folder: Path) -> list[oe.Comparison]:
    tasks = []
    for reference in sorted((folder / "alignments").glob("*.rdf")):
        learned, gold = (oe.load_ontology(folder / "ontologies" / f"{name}.owl") for name in reference.stem.split("-"))
        tasks.append(oe.Comparison(learned, gold, oe.match(learned, gold, by=[oe.load_mapping(reference)])))
    return tasks


def test_the_conference_ontologies_have_the_twins_values(shared_data: Path) -> None:
    tasks = conference(data_folder(shared_data, "oaei-conference"))
    assert len(tasks) == ALIGNMENTS
    for task in tasks:
        twin = Between(case_of(task), "WP")
        result = oe.evaluate(task, ["PlaceF(similarity=WP)", "Preserved(similarity=WP)", "PlaceF", "NearF", "LF"])
        assert result["PlaceF(similarity=WP)"].value == near(harmonic(*twin.place("common", "macro")))
        pairs = twin.pairs()
        assert result["Preserved(similarity=WP)"].value == near(1 - sum(abs(x - y) for x, y in pairs) / len(pairs))
        assert result["NearF"].value >= oe.evaluate(task, "NearF(similarity=Flat)")["NearF(similarity=Flat)"].value


def test_proton_moved_one_class(shared_data: Path) -> None:
    """ArtificialSatellite is below Satellite in 0.1 and below Facility in 0.2; both are places."""
    folder = data_folder(shared_data, "proton")
    learned, gold = (
        oe.load_ontology(
            folder / version / "protonu.owl",
            imports=[folder / version / "protons.owl", folder / version / "protont.owl"],
            lenient=True,
        )
        for version in ("v0.1", "v0.2")
    )
    task = oe.Comparison(learned, gold, oe.match(learned, gold, by="name"))
    twin = Between(case_of(task), "BDM")
    assert oe.evaluate(task, "PlaceP")["PlaceP"].value == near(twin.place("common", "macro")[0])
    (reason,) = explain(task, "Artificial Satellite", ["PlaceF"]).reasons
    assert (reason.learned, reason.gold) == ("Satellite", "Facility")
    assert 0 < reason.value < 1
    (sentence,) = reasons_in_words(explain(task, "Artificial Satellite", ["PlaceF"]), 3)
    assert sentence.startswith("Artificial Satellite is below Satellite; the gold standard has it below Facility: 0.")


@pytest.mark.parametrize("run", ["JUNLP", "NUIG-UNLP", "QASSIT", "TAXI", "USAAR"])
def test_texeval_runs_have_the_twins_place(shared_data: Path, run: str) -> None:
    folder = data_folder(shared_data, "texeval") / "2016"
    learned = oe.load_ontology(folder / "runs-EN" / f"environment_eurovoc.{run}.taxo")
    gold = oe.load_ontology(folder / "gold" / "environment_eurovoc.taxo")
    task = oe.Comparison(learned, gold, oe.match(learned, gold, normalize="case"))
    precision, recall = Between(case_of(task), "WP").place("common", "macro")
    result = oe.evaluate(task, ["PlaceP(similarity=WP)", "PlaceR(similarity=WP)"])
    assert [score.value for score in result.scores] == near([precision, recall])
