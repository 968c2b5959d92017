"""Calls of the public names with the types that mypy and pyright must see (`test_types.py`); nobody runs it."""

from __future__ import annotations

from typing import assert_type

import numpy as np
import numpy.typing as npt
import pandas as pd

import ontoeval as oe
from ontoeval.analysis.annotator_agreement import Agreement, AgreementRow
from ontoeval.analysis.confusion import ClassScore, Confusion
from ontoeval.analysis.error_table import ErrorRow
from ontoeval.analysis.explain import Explanation
from ontoeval.analysis.human_agreement import HumanAgreement
from ontoeval.analysis.matrix import Matrix
from ontoeval.load import LoadOptions
from ontoeval.matching.matching import MatchedPair
from ontoeval.measures import Measure
from ontoeval.model.lexicon import Label
from ontoeval.results import MeasureResult, NamedScore
from ontoeval.tables import Table

gold = oe.load_ontology("gold.ttl", language="en")
assert_type(gold, oe.Ontology)
assert_type(len(gold), int)
assert_type(list(gold), list[str])
assert_type("cat" in gold, bool)
assert_type(gold.find("cat"), tuple[str, ...])
assert_type(gold.parents("cat"), tuple[str, ...])
assert_type(gold.label("cat"), str)
assert_type(gold.labels("cat"), Table[Label])

result = oe.compare(
    "learned.owl", gold, ["TF_csc", "LF"], normalize="case", ignore_novel=True, load=LoadOptions(root="new")
)
assert_type(result, oe.EvaluationResult)
assert_type(result["TF_csc"], MeasureResult)
assert_type(result["TF_csc"].value, float)
assert_type([score.name for score in result], list[str])
assert_type(result.errors(), Table[ErrorRow])
assert_type(result.errors()[0].learned_parents, tuple[str, ...])
assert_type(result.explain("cat"), Explanation)
assert_type(result.with_intervals(level=0.9), oe.EvaluationResult)
assert_type(result.worst(5)[0].label, str)

judged = oe.compare_annotations("run/", "key/", gold, spans="lenient", load={"below": "Agent"})
assert_type(judged, oe.EvaluationResult)
assert_type(judged.confusions(20), Table[Confusion])
assert_type(judged.confusions()[0].count, int)
assert_type(judged.per_class(), Table[ClassScore])
assert_type(oe.compare_labels("mllm.tsv", "gold.tsv", limit=5), oe.EvaluationResult)
assert_type(oe.agreement({"anna": "a/", "bert": "b/"}), Agreement)
assert_type(oe.agreement(["a/", "b/"]).table, Table[AgreementRow])

matching = oe.match("learned.owl", gold, ["iri", "fuzzy:0.9"])
assert_type(matching, oe.Matching)
assert_type(matching.table, Table[MatchedPair])
task = oe.Comparison(oe.load_ontology("learned.owl"), gold, matching)
assert_type(oe.evaluate(task, oe.parse("TF_csc")), oe.EvaluationResult)
assert_type(oe.parse("TF_csc"), Measure)

assert_type(oe.relate(gold, "cat", "dog", "Lin"), float)
assert_type(oe.relate(gold, ["cat"], ["dog"]), npt.NDArray[np.float64])
assert_type(oe.relate_all(gold, ["cat", "dog"]), Matrix)
assert_type(oe.relate_all(gold).to_frame(), pd.DataFrame)
assert_type(oe.nearest(gold, "cat", top=3), Table[NamedScore])
assert_type(oe.nearest(gold, "cat")[0].value, float)
assert_type(oe.nearest(gold, "cat")[:2], Table[NamedScore])
assert_type(oe.correlate(gold, [("cat", "dog", 3.0)], confidence=None), HumanAgreement)

assert_type(oe.read_scores("scores.trig"), list[oe.EvaluationResult])
assert_type(oe.perturb(gold, "move-nodes", "10%"), oe.Ontology)
assert_type(oe.ResultTable([result]).render("latex"), str)
assert_type(oe.__version__, str)
