"""Similarity of concepts: `relate` two or many, `relate_all`, `nearest`, `correlate` with the ratings of people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, overload

import numpy as np

from ontoeval.analysis import relate as analysis
from ontoeval.analysis.human_agreement import ROUNDS, HumanAgreement, RatedRows, agree
from ontoeval.analysis.matrix import Matrix
from ontoeval.analysis.name_lists import concept_or_individual
from ontoeval.analysis.pair_lookup import PairLookup, Senses
from ontoeval.errors import ParameterError, UnknownConceptError
from ontoeval.evaluation import Measures
from ontoeval.load.tables.rated_pairs import PairTable
from ontoeval.measures import Measure
from ontoeval.measures.concepts.pair_scores import PairScores
from ontoeval.model.arrays import FloatArray
from ontoeval.model.ontology import Ontology, Source
from ontoeval.results import NamedScore
from ontoeval.tables import Table
from ontoeval.tasks.concept_pairs import Concepts, with_named_individuals
from ontoeval.verbs.sources import as_ontology


@overload
def relate(ontology: object, left: str, right: str, measure: str | Measure = "BDM") -> float: ...  # type: ignore[overload-overlap]  # a text is a sequence
@overload
def relate(ontology: object, left: Concepts, right: Concepts, measure: str | Measure = "BDM") -> FloatArray: ...
def relate(ontology: object, left: Concepts, right: Concepts, measure: str | Measure = "BDM") -> float | FloatArray:
    """Compute the similarity of two concepts, or of many pairs of concepts.

    Parameters
    ----------
    ontology : Ontology, path, bytes, stream, graph or data frame
        Anything that `load_ontology` reads.
    left, right : str, or sequences of the same length
        Concepts or individuals by IRI, CURIE, name or label. If several concepts have a name, the best
        pair counts; so too for a tuple of IRIs. An array of whole numbers holds ids from ``ontology.hierarchy.ids``.
    measure : str or Measure, default="BDM"
        A measure between concepts, such as ``"Lin"``, ``"WP"`` or ``"Rada(scale=distance)"``.

    Returns
    -------
    float or ndarray
        A number for two strings, an array for sequences; infinite or nan where the measure is.

    Raises
    ------
    UnknownConceptError
        If the ontology has no concept of a name.

    Notes
    -----
    Where a measure is not symmetric the left concept is the one that is judged: for LA the prediction is on the left.

    Examples
    --------
    >>> import ontoeval as oe
    >>> links = [("cat", "mammal"), ("dog", "mammal"), ("hen", "animal"), ("mammal", "animal")]
    >>> animals = oe.Ontology.from_edges(links)
    >>> oe.relate(animals, "cat", "hen", "WP")  # 2 · 1 / (3 + 2)
    0.4
    >>> oe.relate(animals, ["cat", "cat"], ["mammal", "hen"], "WP")
    array([0.8, 0.4])
    """
    source = as_ontology(ontology)
    if isinstance(left, str) and isinstance(right, str):
        return float(_values(source, [left], [right], measure)[0])
    return _values(source, left, right, measure)


def _values(ontology: Ontology, left: Concepts, right: Concepts, measure: str | Measure) -> FloatArray:
    """By IRI or id, as most callers have them; else by what the names mean."""
    left, right = _list_of(left), _list_of(right)
    try:
        return analysis.relate(ontology, left, right, measure)
    except UnknownConceptError:
        sides = [side if isinstance(side, list) else [None] for side in (left, right)]
        names = [name for side in sides for name in side]
        if not all(isinstance(name, str) for name in names) or all(name in ontology.hierarchy for name in names):
            raise  # ids, lists of senses, or the root that was added on loading
    table = PairTable(tuple(map(str, left)), tuple(map(str, right)), None, (1,) * len(left), Source())
    lookup = PairLookup(ontology, table)
    lookup.refuse_unknown()
    return PairScores.of(lookup.task(named=False), analysis.concept_measure(measure)).values


def _list_of(side: Any) -> Any:
    return side if isinstance(side, str | np.ndarray) or not isinstance(side, Iterable) else list(side)


def relate_all(
    ontology: object, concepts: Sequence[str] | np.ndarray[Any, Any] | None = None, measure: str | Measure = "BDM"
) -> Matrix:
    """Compute the similarities of all pairs of some concepts.

    Parameters
    ----------
    ontology : Ontology, path, bytes, stream, graph or data frame
        Anything that `load_ontology` reads.
    concepts : sequence of str, optional
        Concepts or individuals by IRI, CURIE, name or label, each of which means one; without it all concepts, if
        their matrix fits into 2 GB.
    measure : str or Measure, default="BDM"
        A measure between concepts.

    Returns
    -------
    Matrix
        Rows left, columns right. ``numpy.asarray(matrix)`` has the values, ``matrix.to_frame()`` the labels, too.

    See Also
    --------
    write_matrix : Writes the values of many concepts to a file without holding them in memory.

    Examples
    --------
    >>> import ontoeval as oe
    >>> animals = oe.Ontology.from_edges([("cat", "mammal"), ("dog", "mammal"), ("mammal", "animal")])
    >>> matrix = oe.relate_all(animals, ["cat", "dog", "mammal"], "WP")
    >>> matrix
    <Matrix of WP: 3 concepts>
    >>> matrix.values.round(2)
    array([[1.  , 0.67, 0.8 ],
           [0.67, 1.  , 0.8 ],
           [0.8 , 0.8 , 1.  ]])
    """
    source, chosen = as_ontology(ontology), analysis.concept_measure(measure)
    known: Sequence[str] | np.ndarray[Any, Any] | None = concepts
    if isinstance(concepts, str):
        raise ParameterError("concepts is a text, not a list", advice="Use e.g. ['cat', 'dog'].", parameter="concepts")
    if concepts is not None and not isinstance(concepts, np.ndarray):
        known = [concept_or_individual(source, name) for name in concepts]
        source = with_named_individuals(source, known)
    return Matrix.of(source, known, chosen)


def nearest(ontology: object, concept: str, measure: str | Measure = "BDM", *, top: int = 10) -> Table[NamedScore]:
    """List the concepts most similar to a concept.

    Parameters
    ----------
    ontology : Ontology, path, bytes, stream, graph or data frame
        Anything that `load_ontology` reads.
    concept : str
        An IRI, CURIE, name or label. For an individual, the nearest individuals are listed.
    measure : str or Measure, default="BDM"
        A measure between concepts; of a distance the least is the best.
    top : int, default=10
        How many, at most.

    Returns
    -------
    Table of NamedScore
        Rows with ``iri``, ``label`` and ``value``, the best first, ties by IRI; not the concept itself.

    Examples
    --------
    >>> import ontoeval as oe
    >>> links = [("cat", "mammal"), ("dog", "mammal"), ("hen", "animal"), ("mammal", "animal")]
    >>> animals = oe.Ontology.from_edges(links)
    >>> table = oe.nearest(animals, "cat", "WP", top=2)
    >>> [(row.label, round(row.value, 2)) for row in table]
    [('mammal', 0.8), ('dog', 0.67)]
    """
    source = as_ontology(ontology)
    iri = concept_or_individual(source, concept)
    rows = analysis.nearest(source, iri, measure, top, term=concept)
    title = f"Nearest to {concept} by {analysis.concept_measure(measure)}"
    return Table(rows, NamedScore, title=title, only_programs=["iri"])


def correlate(
    ontology: object,
    pairs: RatedRows | object,
    measures: Measures | None = None,
    *,
    senses: Senses = "max",
    confidence: float | None = 0.95,
    rounds: int = ROUNDS,
    seed: int = 0,
) -> HumanAgreement:
    """Correlate similarity measures with the ratings of people.

    Parameters
    ----------
    ontology : Ontology, path, bytes, stream, graph or data frame
        Anything that `load_ontology` reads.
    pairs : path, or rows (left, right, rating)
        Pairs of words, which are looked up as labels, with their ratings.
    measures : str, Measure or list of them, optional
        Measures between concepts; by default the usual ones, Rada as a distance.
    senses : {"max", "first"}, default="max"
        Of words with several senses: the best pair, or the first sense of each.
    confidence : float or None, default=0.95
        The level of percentile bootstrap intervals over the pairs; None: no intervals.
    rounds : int, default=2000
        Number of bootstrap samples for the intervals.
    seed : int, default=0
        Of the random numbers.

    Returns
    -------
    HumanAgreement
        ``agreement["Lin"].spearman.value`` is a coefficient; ``agreement.to_frame()`` has them all.

    Notes
    -----
    Pearson's r, Spearman's rho and Kendall's tau-b. Distances count as -d. Pairs with an unknown word are left out, and
    for each measure those whose value is infinite or undefined.

    Examples
    --------
    >>> import ontoeval as oe
    >>> links = [("cat", "mammal"), ("dog", "mammal"), ("hen", "animal"), ("mammal", "animal")]
    >>> animals = oe.Ontology.from_edges(links)
    >>> ratings = [("cat", "dog", 3.0), ("cat", "hen", 1.0), ("cat", "mammal", 3.5)]
    >>> agreement = oe.correlate(animals, ratings, "WP", confidence=None)
    >>> agreement["WP"].spearman.value
    1.0
    """
    return agree(as_ontology(ontology), pairs, measures, senses=senses, confidence=confidence, rounds=rounds, seed=seed)
