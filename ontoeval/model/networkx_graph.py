"""Ontologies as networkx graphs: `to_networkx`, `networkx_parts` of a graph (the ontology of them: ontology.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ontoeval.errors import ParameterError
from ontoeval.model.hierarchy import Edge
from ontoeval.model.lexicon import name_as_label

if TYPE_CHECKING:
    import networkx as nx

    from ontoeval.model.ontology import Ontology


def to_networkx(ontology: Ontology) -> nx.MultiDiGraph[str]:
    """The concepts and edges of the file; see `Ontology.to_networkx`."""
    import networkx as nx

    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    hierarchy = ontology.hierarchy
    iris = hierarchy.iris
    for concept in range(int(hierarchy.root_added), len(iris)):
        graph.add_node(iris[concept], label=ontology.label_of(concept))
    for kind, adjacency in (
        ("hierarchical", hierarchy.parents),
        ("related", hierarchy.related),
        ("synonym", hierarchy.synonyms),
    ):
        rows = np.flatnonzero(hierarchy.given) if kind == "hierarchical" else np.arange(len(adjacency))
        tails, heads, weights = adjacency.tails[rows], adjacency.indices[rows], adjacency.weights[rows]
        for tail, head, weight in zip(tails.tolist(), heads.tolist(), weights.tolist(), strict=True):
            graph.add_edge(iris[tail], iris[head], key=kind, kind=kind, weight=weight)
    for concept in hierarchy.self_edges.tolist():
        graph.add_edge(iris[concept], iris[concept], key="hierarchical", kind="hierarchical")
    return graph


def networkx_parts(graph: nx.DiGraph[Any]) -> tuple[dict[str, list[Edge]], dict[str, str]]:
    """The edges of a networkx graph by kind, and the labels of its nodes."""
    if not graph.is_directed():
        raise ParameterError(
            "an undirected graph does not say which concept is the parent", advice="Use a networkx.DiGraph."
        )
    pairs: dict[str, list[Edge]] = {"hierarchical": [], "related": [], "synonym": []}
    for tail, head, data in graph.edges(data=True):
        kind = data.get("kind", "hierarchical")
        if kind not in pairs:
            raise ParameterError(
                f"the link {tail} -> {head} has the unknown kind {kind!r}", advice=f"Use one of: {', '.join(pairs)}."
            )
        weight = data.get("weight")
        pairs[kind].append((str(tail), str(head)) if weight is None else (str(tail), str(head), weight))
    nodes = ((str(node), data.get("label", data.get("name"))) for node, data in graph.nodes(data=True))
    return pairs, {node: str(label) for node, label in nodes if label is not None and str(label) != name_as_label(node)}
