"""Path lengths over links of any property, by plain loops from the specification; random links and weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import inf

from hypothesis import strategies as st
from strategies import WEIGHTS, Bytes

SKOS, OWL = "http://www.w3.org/2004/02/skos/core#", "http://www.w3.org/2002/07/owl#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
PART_OF = "http://ex.org/partOf"
# The specification's list, with namespaces, and the two that are read by an option.
KIND = {
    SKOS + "broader": "hierarchical", SKOS + "narrower": "hierarchical", SKOS + "broadMatch": "hierarchical",
    SKOS + "narrowMatch": "hierarchical", SKOS + "broaderTransitive": "hierarchical",
    SKOS + "narrowerTransitive": "hierarchical", RDFS + "subClassOf": "hierarchical", SKOS + "related": "related",
    SKOS + "relatedMatch": "related", SKOS + "exactMatch": "synonym", SKOS + "closeMatch": "synonym",
    OWL + "equivalentClass": "synonym", OWL + "sameAs": "synonym",
}  # fmt: skip
DEFAULT = {"hierarchical": 1.0, "related": 1.0, "synonym": 0.0}
EQUIVALENT = OWL + "equivalentClass"
NAMES = [f"http://ex.org/{name}" for name in "abcdefgh"]
Link = tuple[str, str, str]  # the second is broader; the property by its IRI, or a kind
Case = tuple[list[Link], dict[str, float], str]  # links, weights by IRI or kind, root


def random_links(properties: Sequence[str]) -> st.SearchStrategy[Case]:
    """Links of these properties, several between many pairs, and weights of some kinds and properties."""

    def make(drawn: bytes) -> Case:
        take = Bytes(drawn)
        pool = NAMES[: 2 + take.number(len(NAMES) - 2)]
        links = [(take.choice(pool), take.choice(pool), take.choice(properties)) for _ in range(1 + take.number(25))]
        weighable = [*DEFAULT, *KIND, *([PART_OF] if any(name == PART_OF for _, _, name in links) else [])]
        weights = {take.choice(weighable): take.choice(WEIGHTS) for _ in range(take.number(8))}
        for name in [name for name in weights if "narrower" in name]:  # one with broader
            weights[name.replace("narrower", "broader")] = weights[name]
        return links, weights, take.choice(["auto", "new", "none"])

    return st.binary(max_size=120).map(make)


def kind_of(name: str) -> str:
    return name if name in DEFAULT else KIND.get(name, "hierarchical")


def weight_of(name: str, weights: Mapping[str, float]) -> float:
    """Property before kind before the defaults; narrower has the weight of broader."""
    usual = {**DEFAULT, **weights}
    return usual.get(name.replace("narrower", "broader"), usual[kind_of(name)])


def every_length(
    links: Sequence[Link], weights: Mapping[str, float], root: str, *, related: bool
) -> dict[tuple[str, str], float]:
    """The lengths of all pairs: links both ways, the lightest of several, tops below an added root.

    An equivalence is a synonym link and a subclass link each way; a weight of its property is that of all three.
    """
    names = {name for link in links for name in link[:2]}
    length = {(a, b): 0.0 if a == b else inf for a, b in product({*names, "(root)"}, repeat=2)}
    above = {name: {name} for name in names}

    def lay(a: str, b: str, weight: float) -> None:
        length[a, b] = length[b, a] = min(length[a, b], weight)

    for a, b, name in links:
        if kind_of(name) != "related" or related:
            lay(a, b, weight_of(name, weights))
        if name == EQUIVALENT and name not in weights:
            lay(a, b, weight_of("hierarchical", weights))
        if kind_of(name) == "hierarchical" or name == EQUIVALENT:
            above[a].add(b)
        if name == EQUIVALENT:
            above[b].add(a)
    for _ in names:
        above = {a: {c for b in above[a] for c in above[b]} for a in names}
    tops = [a for a in names if all(a in above[b] for b in above[a])]
    if root == "new" or (root == "auto" and len(tops) > 1):
        for name in tops:
            lay(name, "(root)", weight_of("hierarchical", weights))
    for middle, a, b in product(sorted({*names, "(root)"}), repeat=3):  # Floyd and Warshall
        length[a, b] = min(length[a, b], length[a, middle] + length[middle, b])
    return {(a, b): length[a, b] for a, b in product(sorted(names), repeat=2)}
