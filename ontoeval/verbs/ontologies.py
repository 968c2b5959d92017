"""`compare` a learned ontology with a gold standard, `match` their concepts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ontoeval.errors import warn
from ontoeval.evaluation import Measures, evaluate, named_measures, needs_relations
from ontoeval.load.mappings.matching_steps import matching_steps
from ontoeval.load.options import LEARNED_ONLY
from ontoeval.matching import matcher
from ontoeval.matching.matcher import By
from ontoeval.matching.matching import Matching
from ontoeval.matching.suggestions import match_warnings
from ontoeval.model.ontology import Ontology
from ontoeval.results import EvaluationResult
from ontoeval.tasks.comparison import Comparison
from ontoeval.verbs.sources import Load, as_ontology, as_side, entries_of, refuse_unused, worded_for


def compare(
    learned: object,
    gold: object,
    measures: Measures | None = None,
    *,
    match: By | Sequence[By] = "iri,label",
    normalize: str | Sequence[str] | None = None,
    language: str | Sequence[str] | None = None,
    ignore_novel: bool = False,
    name: str | None = None,
    load: Load | None = None,
) -> EvaluationResult:
    """Score a learned ontology against a gold standard.

    Parameters
    ----------
    learned, gold : Ontology, path, bytes, stream, graph or data frame
        What is scored, and what is right. Anything that `load_ontology` reads.
    measures : str, Measure or list of them, optional
        Names such as ``"TF_csc"`` or ``"LF,EdgeF"``, or that of a set: ``"core"`` (the default), ``"classic"``,
        ``"between"``, ``"all"``. `all_measures` lists them.
    match : str, Alignment, function or list of them, default="iri,label"
        The steps by which concepts are paired, as in `match`; a step may be the path of a mapping.
    normalize : str or list of str, optional
        What to ignore when labels are compared: ``"case"``, ``"separators"``, ..., or ``"all"``.
    language : str or list of str, optional
        Compare labels of these languages alone; with one language other labels are not read either.
    ignore_novel : bool, default=False
        Leave out learned concepts that the gold standard does not have; paths through them become edges.
    name : str, optional
        What the learned ontology is called in tables and stores; by default the name of its file.
    load : dict or LoadOptions, optional
        How files are read, e.g. ``{"below": "GO:0008150"}``. ``min_confidence``, ``merge_labels`` and ``instances``
        are for the learned side; use `load_ontology` to set them for the gold standard.

    Returns
    -------
    EvaluationResult
        ``result["TF_csc"].value`` is a score, ``result.save("scores.json")`` writes them, ``result.explain(concept)``,
        ``result.worst()`` and ``result.errors()`` say why.

    Raises
    ------
    OntoevalError
        If a file cannot be read, or a measure needs what the ontologies do not have.

    See Also
    --------
    match : The pairs of concepts alone.
    ResultTable : Several results side by side.

    Examples
    --------
    >>> import ontoeval as oe
    >>> gold = oe.Ontology.from_edges([("cat", "mammal"), ("dog", "mammal"), ("mammal", "animal")])
    >>> learned = oe.Ontology.from_edges([("cat", "mammal"), ("dog", "animal"), ("mammal", "animal")])
    >>> result = oe.compare(learned, gold, name="mine")
    >>> result
    <EvaluationResult mine: LF 1.000, EdgeF 0.667, TF_csc 0.884, TF_sc 0.921>
    >>> round(result["EdgeF"].value, 3)
    0.667
    """
    refuse_unused(load, learned, gold)
    entries = named_measures(entries_of(measures), Comparison)
    languages = (language,) if isinstance(language, str) else tuple(language or ())
    changes: dict[str, Any] = {}
    if needs_relations(entries):
        changes["other_relations"] = True
    if len(languages) == 1:
        changes["language"] = languages[0]
    with worded_for(by="match"):
        judged = as_side(learned, gold, load, **changes)
        right = as_side(gold, learned, load, **changes, **dict.fromkeys(LEARNED_ONLY))
        task = Comparison(judged, right, _pair_concepts(judged, right, match, normalize, languages or None))
        if ignore_novel:
            task = task.covered()
            warn(task.none_left_out)
        return evaluate(task, entries, system=name)


def match(
    learned: object,
    gold: object,
    by: By | Sequence[By] = "iri,label",
    *,
    normalize: str | Sequence[str] | None = None,
    language: str | Sequence[str] | None = None,
) -> Matching:
    """Pair the concepts of two ontologies, one to one.

    Parameters
    ----------
    learned, gold : Ontology, path, bytes, stream, graph or data frame
        Anything that `load_ontology` reads.
    by : str, Alignment, function or list of them, default="iri,label"
        Steps, each for the concepts that the steps before it left over: ``"iri"`` (equal IRIs), ``"label"`` (any
        label), ``"preferred"`` (preferred labels only), ``"name"`` (the last part of the IRI), ``"fuzzy:0.9"`` (labels
        that differ in at most a tenth of their letters), ``"instances"`` or ``"instances:0.5"`` (shared instances), the
        path of a mapping, an `Alignment` from `load_mapping`, or a function of the two ontologies that gives
        (learned IRI, gold IRI[, score]).
    normalize : str or list of str, optional
        What to ignore when texts are compared: ``"case"``, ``"nfkc"``, ``"separators"``, ``"camel"``, ``"stem"``,
        ``"squeeze"``, or ``"all"`` of them but the last two.
    language : str or list of str, optional
        Compare labels of these languages alone; without it language tags do not count.

    Returns
    -------
    Matching
        ``matching.table`` has a row for each pair; ``Comparison(learned, gold, matching)`` can be evaluated.

    Notes
    -----
    Two roots that were added on loading are the same. Where candidates compete the higher score wins, then the same
    text before one that is equal only after `normalize`, then the more preferred label, then the lower IRI.

    Examples
    --------
    >>> import ontoeval as oe
    >>> learned = oe.Ontology.from_edges([("Cat", "animal"), ("dog", "animal")])
    >>> gold = oe.Ontology.from_edges([("cat", "animal"), ("hen", "animal")])
    >>> matching = oe.match(learned, gold, normalize="case")
    >>> matching
    <Matching by iri,label: 2 pairs, 0 ambiguous>
    >>> [(pair.learned, pair.gold, pair.by) for pair in matching.table]
    [('Cat', 'cat', 'label'), ('animal', 'animal', 'iri')]
    """
    sides = as_ontology(learned), as_ontology(gold)
    matching = _pair_concepts(*sides, by, normalize, language)
    warn(match_warnings(*sides, matching))
    return matching


def _pair_concepts(
    learned: Ontology,
    gold: Ontology,
    by: By | Sequence[By],
    normalize: str | Sequence[str] | None,
    language: str | Sequence[str] | None,
) -> Matching:
    steps = matching_steps(by) if isinstance(by, str) else by
    return matcher.match(learned, gold, steps, normalize=normalize, language=language)
