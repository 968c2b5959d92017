"""What the registry says of measures, against a table written from the papers and docs/measures.md.

The page docs/measures.md has names, ranges, symmetry and needs; it does not have numbers that are defaults, scales that
parameters change, the order of the default measures, and for which measures equal inputs have the best value.
"""

from __future__ import annotations

import inspect
import math

import pytest

from ontoeval.measures import all_measures, default_measures, measure_set, parse
from ontoeval.measures.annotations.ranking import precision_at_recall
from ontoeval.measures.registry import spelled
from ontoeval.tasks.comparison import Comparison
from ontoeval.tasks.concept_pairs import ConceptPairs
from ontoeval.tasks.extraction import Extraction

CONTENT = "ic=seco, smoothing=none, leaf_itself=false"
PATHS = "edges=similarity, paths=any, root_paths=true"
TAXONOMIC = "extract=csc, over=common, estimate=zero, average=macro"
RANKED = "credit=binary, similarity=BDM, depth=200, ties=label"

# the parameters that a name leaves open, with their defaults; other measures have none
PARAMETERS = {
    "Kappa Pi": "no_class=mismatch",
    "SM": "direction=learned",
    "NearP NearR NearF": "similarity=BDM",
    "CFM": "weights=tool, floating=attached, self_edges=ignored",
    "FuzzyP FuzzyR FuzzyF": "threshold=0.436, labels=sm",  # the threshold of Lo et al. 2024
    "ContinuousP ContinuousR ContinuousF": "labels=sm",
    "GraphP GraphR GraphF": "rounds=2, labels=letters",
    "PlaceP PlaceR PlaceF": "similarity=BDM, parents=common, average=macro",
    "Preserved": "similarity=BDM, by=difference, sample=1000000, seed=0",
    "Concepts Edges Leaves Loops AvgDepth MaxDepth AvgSub DevSub AvgSuper DevSuper Components": "side=learned",
    "TP TR TF TFprime TO": TAXONOMIC,
    "TP_csc TR_csc TF_csc TFprime_csc TO_csc": "estimate=zero, average=macro",
    "TP_sc TR_sc TF_sc TFprime_sc TO_sc": "average=macro",
    "TED": "normalized=false",
    "RelP RelR RelF": "over=common, kind=all, similarity=Flat",
    "H_s": "weight=w1, adjusted=false",
    "H_a": "weight=w1, detailed=learned, adjusted=false",
    "ITP ITR ITF": "adjusted=false",
    "OntoRand EOR": "delta=overlap, adjusted=false",
    "BDM": "msca=best",
    "LA": "root_prediction=0",
    "Rada": f"scale=similarity, {PATHS}",
    "LC": f"scale=unit, depth=shortest, unit=nodes, {PATHS}",
    "Resnik": f"scale=unit, {CONTENT}",
    "Lin simGIC": CONTENT,
    "JC": f"scale=similarity, {CONTENT}",
    "AP AR AF": "similarity=BDM, spans=strict, average=micro",
    "AP_LA AR_LA AF_LA P R F": "spans=strict, average=micro",
    "Credit Alpha": "similarity=BDM, spans=strict",
    "Alpha_Flat": "spans=strict",
    "SetRel SetP SetR SetF": "similarity=LC, pairing=best, average=macro",
    "LabelP LabelR LabelF": "credit=binary, similarity=BDM",
    "LabelP_high LabelR_high LabelF_high": "similarity=BDM",
    "hP hR hF": "root=out, average=macro",
    "SetGIC": f"{CONTENT}, average=macro",
    "APrec": RANKED,
    "RPrec": f"{RANKED}, recall_levels=0",
    "P_at": f"k=10, {RANKED}",
    "Pearson Spearman Kendall": "similarity=BDM",
}

# equal inputs need not have the best value: a count, or undefined where nothing differs
WITHOUT_IDENTITY = (
    "CFM Preserved Concepts Edges Leaves Loops AvgDepth MaxDepth AvgSub DevSub AvgSuper DevSuper Components "
    "RelP RelR RelF Resnik APrec RPrec P_at Pearson Spearman Kendall Kappa Pi Alpha Alpha_Flat"
)

INF = math.inf
UNIT = (0.0, 1.0), 1.0
ADJUSTED = (-INF, 1.0), 1.0
COEFFICIENT = (-1.0, 1.0), 1.0
DISTANCE = (0.0, INF), 0.0
SCALES = {
    "Rada": UNIT,
    "Rada(scale=distance)": DISTANCE,
    "LC": UNIT,
    "LC(scale=raw)": ((-INF, INF), INF),
    "Resnik": UNIT,
    "Resnik(scale=raw)": ((0.0, INF), INF),
    "JC": UNIT,
    "JC(scale=distance)": DISTANCE,
    "Preserved": UNIT,
    "Preserved(by=pearson)": COEFFICIENT,
    "Preserved(by=spearman)": COEFFICIENT,
    "TED": DISTANCE,
    "TED(normalized=true)": ((0.0, 1.0), 0.0),
    "Motif": ((0.0, 1.0), 0.0),
    "H_s": UNIT,
    "H_s(adjusted=true)": ADJUSTED,
    "H_a(adjusted=true)": ADJUSTED,
    "ITF(adjusted=true)": ADJUSTED,
    "EOR(adjusted=true)": ADJUSTED,
    "Alpha": ADJUSTED,
    "Alpha(similarity=LA)": ADJUSTED,
    "Alpha_Flat": COEFFICIENT,
    "Kappa": COEFFICIENT,
    "Pi": COEFFICIENT,
    "Pearson": COEFFICIENT,
    "Spearman": COEFFICIENT,
    "Kendall": COEFFICIENT,
    "MaxDepth": ((0.0, INF), None),
}

CLASSIC = {  # the default ones of release 0.2
    Comparison: "LP LR LF TP_csc TR_csc TF_csc TFprime_csc TP_sc TR_sc TF_sc TO_csc EdgeF",
    Extraction: "P R F AP_LA AR_LA AF_LA AP AR AF Kappa Pi Alpha_Flat "
    "LabelP LabelR LabelF LabelP_high LabelR_high LabelF_high SetRel SetP SetR SetF hF",
}
BY_DEFAULT = {
    Comparison: "LP LR LF EdgeP EdgeR EdgeF TP_csc TR_csc TF_csc TP_sc TR_sc TF_sc",
    ConceptPairs: "BDM LA Rada LC WP Resnik Lin JC",
    Extraction: "P R F AP AR AF LabelP LabelR LabelF hP hR hF SetP SetR SetF",
}


def test_parameters_have_the_defaults_of_the_table() -> None:
    found = {d.name: ", ".join(f"{p.name}={spelled(p.default)}" for p in d.open) for d in all_measures() if d.open}
    assert found == {name: parameters for names, parameters in PARAMETERS.items() for name in names.split()}


def test_precision_at_recall_has_the_defaults_of_average_precision() -> None:
    defaults = inspect.signature(precision_at_recall).parameters
    for name, value in parse("APrec").parameters.items():
        assert defaults[name].default == value


def test_equal_inputs_have_the_best_value_but_for_some_measures() -> None:
    assert {d.name for d in all_measures() if not d.identity} == set(WITHOUT_IDENTITY.split())


@pytest.mark.parametrize(("name", "scale"), SCALES.items())
def test_range_and_best_value_are_those_of_the_parameters(
    name: str, scale: tuple[tuple[float, float], float | None]
) -> None:
    assert (parse(name).range, parse(name).best) == scale


def test_all_other_measures_go_from_0_to_1() -> None:
    named = {parse(name).definition.function for name in SCALES}
    for definition in all_measures():
        if definition.function not in named and definition.best is not None:
            assert (definition.range, definition.best) == UNIT, definition.name


@pytest.mark.parametrize(("task", "names"), BY_DEFAULT.items())
def test_default_measures_come_in_their_order(task: type, names: str) -> None:
    assert [str(measure) for measure in default_measures(task)] == names.split()


@pytest.mark.parametrize(("task", "names"), CLASSIC.items())
def test_the_set_of_earlier_default_measures(task: type, names: str) -> None:
    assert [str(measure) for measure in measure_set("classic", task)] == names.split()


def test_the_set_between() -> None:
    between = [str(measure) for measure in measure_set("between", Comparison)]
    assert between == ["NearP", "NearR", "NearF", "PlaceP", "PlaceR", "PlaceF", "Preserved"]
    assert measure_set("unknown", Comparison) == ()
