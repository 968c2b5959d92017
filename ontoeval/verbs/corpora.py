"""Annotated texts and labelled documents: `compare_annotations`, `compare_labels`, `agreement` of annotators."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

from ontoeval.analysis.annotator_agreement import Agreement, annotator_agreement
from ontoeval.errors import MissingInputError, ParameterError
from ontoeval.evaluation import (
    Measures,
    NamedMeasure,
    are_runs,
    evaluate,
    measures_with,
    scores_rankings,
    usual_ranking_measures,
    with_ranking_set,
)
from ontoeval.measures import Measure, parse
from ontoeval.measures.annotations.span_pairing import Match
from ontoeval.measures.similarity_parameter import check_similarity
from ontoeval.model.corpus import Corpus
from ontoeval.model.ontology import Ontology
from ontoeval.results import EvaluationResult
from ontoeval.tables import file_names
from ontoeval.tasks.extraction import By, Extraction, Ties, Unknown
from ontoeval.verbs.sources import Load, as_corpus, as_ontology, entries_of, refuse_unused, worded_for

_BDM = "BDM"  # the default similarity


def compare_annotations(
    response: object,
    gold: object,
    ontology: object = None,
    measures: Measures | None = None,
    *,
    spans: Match = "strict",
    by: By = "class",
    kb: str | None = None,
    similarity: str | Measure = _BDM,
    unknown: Unknown = "keep",
    name: str | None = None,
    load: Load | None = None,
) -> EvaluationResult:
    """Score annotations of texts against a gold standard.

    Parameters
    ----------
    response, gold : Corpus, path, bytes or stream
        What is scored, and what is right: a file or folder in any format that `load_corpus` reads.
    ontology : Ontology, path, bytes, stream, graph or data frame, optional
        Whose classes the annotations have, so that near misses count. Without it classes are compared as strings.
    measures : str, Measure or list of them, optional
        By default the set ``"core"``: F, and with an ontology AF, each with precision and recall.
    spans : {"strict", "lenient"}, default="strict"
        Whether two spans must be identical, or only overlap.
    by : {"class", "instance"}, default="class"
        What is compared: the classes of annotations, or the annotated individuals.
    kb : str, optional
        With ``by="instance"``: individuals whose IRIs do not start with this are one unknown entity.
    similarity : str or Measure, default="BDM"
        The similarity of classes by which near misses count.
    unknown : {"keep", "drop", "error"}, default="keep"
        Whether annotations with classes that the ontology does not have are wrong, left out on both sides, or refused.
    name : str, optional
        What the response is called in tables and stores; by default the name of its file.
    load : dict or LoadOptions, optional
        How the ontology is read. Corpora with options of their own are read by `load_corpus`.

    Returns
    -------
    EvaluationResult
        ``result["F"].value`` is a score; ``result.confusions(20)`` and ``result.per_class()`` say what was confused.

    Examples
    --------
    >>> import ontoeval as oe
    >>> places = oe.Ontology.from_edges([("City", "Place"), ("Country", "Place")])
    >>> gold = oe.Corpus.from_spans({"doc": [(0, 6, "City"), (10, 16, "Country")]})
    >>> response = oe.Corpus.from_spans({"doc": [(0, 6, "City"), (10, 16, "Place")]})
    >>> result = oe.compare_annotations(response, gold, places, ["F", "AF"], similarity="WP")
    >>> [round(score.value, 3) for score in result]
    [0.5, 0.833]
    """
    if kb is not None and by != "instance":
        raise ParameterError("individuals of a knowledge base are not compared by class", advice="Set {by=instance}.",
                             parameter="kb")  # fmt: skip
    refuse_unused(load, ontology)
    parameters: dict[str, Any] = {} if spans == "strict" else {"spans": spans}
    source = _ontology(ontology, load, similarity, unknown, parameters)
    judged, right = (as_corpus(side, load, labels=False) for side in (response, gold))
    task = Extraction(judged, right, source, by=by, unknown=unknown, kb=kb)
    task.check()
    return evaluate(task, measures_with(task, entries_of(measures), parameters), system=name)


def compare_labels(
    predicted: object,
    gold: object,
    ontology: object = None,
    measures: Measures | None = None,
    *,
    limit: int | None = None,
    min_score: float | None = None,
    ties: Ties = "label",
    similarity: str | Measure = _BDM,
    unknown: Unknown = "keep",
    name: str | None = None,
    load: Load | None = None,
) -> EvaluationResult:
    """Score labels or rankings of documents against a gold standard.

    Parameters
    ----------
    predicted, gold : Corpus, path, bytes or stream
        What is scored, and what is right: a file or folder in any format that `load_corpus` reads.
    ontology : Ontology, path, bytes, stream, graph or data frame, optional
        Whose concepts the labels are, so that near misses count. Without it labels are compared as strings.
    measures : str, Measure or list of them, optional
        By default the set ``"core"``; for runs of TREC, or if it is named, the set ``"ranking"``.
    limit : int, optional
        Score at most this many labels of each document, the best first; for rankings the depth.
    min_score : float, optional
        Leave out labels with a lower score.
    ties : {"label", "trec_eval"}, default="label"
        The order of labels with equal scores, for rankings: by label, or as trec_eval has it.
    similarity : str or Measure, default="BDM"
        The similarity of concepts by which near misses count; by default SetP, SetR and SetF use LC.
    unknown : {"keep", "drop", "error"}, default="keep"
        Whether labels that the ontology does not have are wrong, left out on both sides, or refused.
    name : str, optional
        What the predictions are called in tables and stores; by default the name of their file.
    load : dict or LoadOptions, optional
        How the ontology is read. Corpora with options of their own are read by `load_corpus`.

    Returns
    -------
    EvaluationResult

    Examples
    --------
    >>> import ontoeval as oe
    >>> gold = oe.Corpus.from_labels({"a.txt": ["cats", "dogs"], "b.txt": ["hens"]})
    >>> predicted = oe.Corpus.from_labels({"a.txt": [("cats", 0.9), ("hens", 0.2)], "b.txt": [("hens", 0.7)]})
    >>> result = oe.compare_labels(predicted, gold, min_score=0.5)
    >>> [(score.name, round(score.value, 3)) for score in result][:3]
    [('LabelP', 1.0), ('LabelR', 0.75), ('LabelF', 0.833)]
    """
    refuse_unused(load, ontology)
    usual = usual_ranking_measures(near=ontology is not None)
    entries = _with_ranking_set(entries_of(measures), usual)
    if ties not in get_args(Ties):
        raise ParameterError(
            f"unknown value ties={ties!r}", advice=f"Use one of: {', '.join(get_args(Ties))}.", parameter="ties"
        )
    parameters: dict[str, Any] = {} if ties == "label" else {"ties": ties}
    source = _ontology(ontology, load, similarity, unknown, parameters)
    sides = [as_corpus(side, load, labels=True) for side in (predicted, gold)]
    is_ranking = are_runs(sides[:1]) if entries is None else all(map(_scores_rankings, entries))
    if is_ranking and limit is not None:
        parameters["depth"] = limit
    cut = {"limit": None if is_ranking else limit, "threshold": min_score}
    settings = {key: value for key, value in cut.items() if value is not None}
    with worded_for(threshold="min_score"):
        task = Extraction(sides[0].cut(**settings), sides[1], source, unknown=unknown)  # type: ignore[arg-type]
    task.check()
    result = evaluate(task, measures_with(task, entries, parameters, usual if is_ranking else None), system=name)
    return replace(result, settings={**result.settings, **settings})


def agreement(
    annotators: Mapping[str, object] | Iterable[object],
    ontology: object = None,
    *,
    spans: Match = "strict",
    similarity: str | Measure = _BDM,
    load: Load | None = None,
) -> Agreement:
    """Measure the agreement between annotators of the same texts.

    Parameters
    ----------
    annotators : dict, or list of Corpus, path, bytes or stream
        The annotations of two or more annotators; the keys of a dict are their names, else their files are.
    ontology : Ontology, path, bytes, stream, graph or data frame, optional
        Whose classes the annotations have, so that near misses count. Without it classes are compared as strings.
    spans : {"strict", "lenient"}, default="strict"
        Whether two spans must be identical, or only overlap.
    similarity : str or Measure, default="BDM"
        The similarity of classes, if there is an ontology.
    load : dict or LoadOptions, optional
        How the ontology is read.

    Returns
    -------
    Agreement
        F, kappa, pi and alpha of each pair of annotators in ``agreement.table``, and ``agreement.alpha`` of all.

    Examples
    --------
    >>> import ontoeval as oe
    >>> anna = oe.Corpus.from_spans({"doc": [(0, 6, "City"), (10, 16, "Country")]})
    >>> bert = oe.Corpus.from_spans({"doc": [(0, 6, "City"), (10, 16, "City")]})
    >>> agreement = oe.agreement({"Anna": anna, "Bert": bert})
    >>> agreement
    <Agreement of Anna, Bert: alpha 0.000>
    >>> agreement.table[0].F
    0.5
    """
    refuse_unused(load, ontology)
    source = _ontology(ontology, load, similarity, "keep", {})
    corpora = _named_corpora(annotators, load)
    if len(corpora) < 2:
        raise MissingInputError(
            "agreement needs at least two annotators", advice="Use a corpus for each.", parameter="annotators"
        )
    return annotator_agreement(corpora, source, None if source is None else similarity, match=spans)


def _named_corpora(annotators: Mapping[str, object] | Iterable[object], load: Load | None) -> dict[str, Corpus]:
    if isinstance(annotators, Mapping):
        return {name: as_corpus(source, load, labels=False) for name, source in annotators.items()}
    corpora = [as_corpus(source, load, labels=False) for source in annotators]
    named: dict[str, Corpus] = {}
    for name, corpus in zip(file_names([corpus.source.path for corpus in corpora]), corpora, strict=True):
        unique, number = name, 1
        while unique in named:  # the same file twice, or corpora made in memory
            number += 1
            unique = f"{name} {number}"
        named[unique] = corpus
    return named


def _ontology(
    ontology: object, load: Load | None, similarity: str | Measure, unknown: Unknown, parameters: dict[str, Any]
) -> Ontology | None:
    """The ontology, if there is one; what needs one is checked, and the similarity becomes a parameter of measures."""
    measure = parse(similarity) if isinstance(similarity, str) else similarity
    check_similarity({"similarity": measure})
    is_default = str(measure) == _BDM
    for parameter, needs in (("similarity", not is_default), ("unknown", unknown in ("drop", "error"))):
        if ontology is None and needs:
            raise MissingInputError(f"{parameter} needs an ontology", advice="Set {ontology}.", parameter=parameter)
    if not is_default:
        parameters["similarity"] = measure
    if ontology is None:
        return None
    with worded_for():
        return as_ontology(ontology, load)


def _with_ranking_set(entries: list[Any] | None, usual: Sequence[NamedMeasure]) -> list[Any] | None:
    """The measures as they were given; in place of the set of rankings its measures."""
    if entries is None:
        return None
    return [
        one for entry in entries for one in (with_ranking_set([entry], usual) if isinstance(entry, str) else [entry])
    ]


def _scores_rankings(entry: Any) -> bool:
    return scores_rankings(str(entry[1] if isinstance(entry, tuple) else entry))
