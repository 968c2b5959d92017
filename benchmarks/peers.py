"""Other libraries' similarity measures behind one form, for benchmarks/relatedness.py.

Every peer gets the same graph (edges of child and parent numbers, the root is 0) and the same information content:
Seco's IC is, but for its scale, what a corpus gives that mentions every concept once, so peers that need annotations
get one gene per concept. The graph is dressed as a Gene Ontology (identifiers, one namespace) or a Human Phenotype
Ontology for peers that read nothing else. `open_NAME(task)` loads, unmeasured, and says what the peer can do.

    python benchmarks/peers.py NAME FOLDER FORMS SECONDS REPEAT      # what relatedness.py calls
"""

from __future__ import annotations

import importlib.metadata
import json
import math
import random
import resource
import shutil
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ontoeval.analysis.relate import relate_all

Pairwise = Callable[[list[int], list[int]], Any]
DEBIAN_WORDNET = Path("/usr/share/wordnet")


@dataclass
class Task:
    """What relatedness.py has put into a folder: edges.npy, concepts.npy, pairs.npy, anywhere.npy, check.npy."""

    folder: Path

    @cached_property
    def edges(self) -> list[tuple[int, int]]:
        return [(c, p) for c, p in np.load(self.folder / "edges.npy").tolist()]

    @cached_property
    def count(self) -> int:
        return 1 + max(c for c, _ in self.edges)

    @cached_property
    def parents(self) -> list[list[int]]:
        above: list[list[int]] = [[] for _ in range(self.count)]
        for child, parent in self.edges:
            above[child].append(parent)
        return above

    @cached_property
    def ancestors(self) -> list[set[int]]:
        """Itself included; parents have lower numbers than their children."""
        found: list[set[int]] = []
        for concept, above in enumerate(self.parents):
            found.append({concept}.union(*(found[p] for p in above)))
        return found

    @cached_property
    def below(self) -> list[int]:
        """How many concepts are below each, itself included."""
        counts = [0] * self.count
        for above in self.ancestors:
            for concept in above:
                counts[concept] += 1
        return counts

    @cached_property
    def concepts(self) -> list[int]:
        return [int(c) for c in np.load(self.folder / "concepts.npy")]

    def two(self, name: str) -> tuple[list[int], list[int]]:
        left, right = np.load(self.folder / f"{name}.npy").tolist()
        return left, right

    def obo(self, prefix: str, name: Callable[[int], str], namespace: bool) -> Path:
        """The graph as an OBO file."""
        path = self.folder / f"{prefix}.obo"
        with path.open("w") as sink:
            sink.write(f"format-version: 1.2\ndata-version: {prefix}/releases/2022-07-01\nontology: {prefix}\n\n")
            for concept, above in enumerate(self.parents):
                label = f"concept {concept}" if concept else "All"
                sink.write(f"[Term]\nid: {name(concept)}\nname: {label}\n")
                if namespace:
                    sink.write("namespace: biological_process\n")
                sink.writelines(f"is_a: {name(p)} ! concept {p}\n" for p in above)
                sink.write("\n")
        return path


@dataclass
class Peer:
    """`pairs` answer two equally long lists of concepts, `matrix` all pairs of a list (and how many those are)."""

    package: str
    pairs: dict[str, Pairwise] = field(default_factory=dict)
    matrix: dict[str, Callable[[list[int]], int]] = field(default_factory=dict)
    check: dict[str, Pairwise] = field(default_factory=dict)  # where `pairs` has no such measure
    resnik_unit: float = 1.0  # what 1 of the scaled Resnik is here
    fresh: Callable[[], None] | None = None  # forget everything computed, before each run


def go_name(concept: int) -> str:
    return f"GO:{1_000_000 + concept:07d}" if concept else "GO:0008150"


def different(concepts: Sequence[int]) -> int:
    """Different pairs of a list, a concept with itself included."""
    return len(concepts) * (len(concepts) + 1) // 2


def open_ontoeval(task: Task) -> Peer:
    import ontoeval as oe

    names = [f"http://example.org/concept/{c}" for c in range(task.count)]
    edges = [(names[c], names[p]) for c, p in task.edges]
    held: list[Any] = []  # the ontology, and the ids of the names: as for the others, names are looked up before

    def fresh() -> None:
        ontology = oe.Ontology.from_edges(edges)
        held[:] = [ontology, ontology.hierarchy.ids(names)]

    def pairwise(measure: str) -> Pairwise:
        return lambda left, right: oe.relate(held[0], held[1][left], held[1][right], measure)

    def matrix(measure: str) -> Callable[[list[int]], int]:
        def run(concepts: list[int]) -> int:
            found = relate_all(held[0], held[1][concepts], measure)
            assert found.shape == (len(concepts), len(concepts))
            return different(concepts)

        return run

    small = oe.Ontology.from_edges([("b", "a"), ("c", "a")])
    measures = {"Lin": "Lin", "Resnik": "Resnik", "Wu-Palmer": "WP"}
    for measure in measures.values():  # what is imported on first use
        relate_all(small, ["b", "c"], measure)
        oe.relate(small, ["b"], ["c"], measure)
    fresh()
    return Peer(
        "ontoeval-toolkit",
        pairs={name: pairwise(measure) for name, measure in measures.items()},
        matrix={name: matrix(measure) for name, measure in measures.items()},
        fresh=fresh,
    )


def open_ensmallen(task: Task) -> Peer:
    import pandas
    from ensmallen import Graph, models

    names = [str(c) for c in range(task.count)]
    graph = Graph.from_pd(
        directed=True,
        edges_df=pandas.DataFrame(
            {"subject": [names[p] for _, p in task.edges], "object": [names[c] for c, _ in task.edges]}
        ),
        nodes_df=pandas.DataFrame({"name": names}),
        node_name_column="name",
        edge_src_column="subject",
        edge_dst_column="object",
        name="hierarchy",
    )
    assert graph.get_node_names() == names
    model = models.DAGResnik(verbose=False)
    # its own counts add up paths instead of descendants; the argument is used as the information content as it is
    content = np.log(task.count) - np.log(np.array(task.below, dtype=np.float64))
    model.fit(graph, node_counts=None, node_frequencies=content.astype(np.float32))

    def matrix(concepts: list[int]) -> int:
        model.get_node_ids_and_similarity_from_node_ids(concepts, concepts, None)
        return different(concepts)  # all that were asked for: it leaves many out

    def check(left: list[int], right: list[int]) -> list[float]:
        some = sorted({*left, *right})
        pairs, values = model.get_node_ids_and_similarity_from_node_ids(some, some, None)
        found = {(min(a, b), max(a, b)): v for (a, b), v in zip(pairs.tolist(), values.tolist(), strict=True)}
        return [found.get((min(a, b), max(a, b)), math.nan) for a, b in zip(left, right, strict=True)]

    return Peer("ensmallen", matrix={"Resnik": matrix}, check={"Resnik": check}, resnik_unit=math.log(task.count))


def open_go3(task: Task) -> Peer:
    import go3

    names = [go_name(c) for c in range(task.count)]
    go3.load_go_terms(str(task.obo("go", go_name, namespace=True)))
    counter = go3.build_term_counter(
        [
            go3.GAFAnnotation(f"gene{c}", name, "IDA", aspect="P", db="X", qualifiers=["involved_in"])
            for c, name in enumerate(names)
        ]
    )

    def pairwise(method: str) -> Pairwise:
        return lambda left, right: go3.batch_similarity(
            [names[c] for c in left], [names[c] for c in right], method, counter
        )

    def matrix(method: str) -> Callable[[list[int]], int]:
        def run(concepts: list[int]) -> int:
            go3.term_similarity_matrix([names[c] for c in concepts], method, counter)
            return different(concepts)

        return run

    methods = {"Lin": "lin", "Resnik": "resnik"}
    return Peer(
        "go3",
        pairs={name: pairwise(method) for name, method in methods.items()},
        matrix={name: matrix(method) for name, method in methods.items()},
        resnik_unit=math.log(task.count),
    )


def open_hpo3(task: Task) -> Peer:
    from pyhpo import Ontology, helper

    def name(concept: int) -> str:
        return f"HP:{concept + 1:07d}"

    task.obo("hp", name, namespace=False)
    columns = "database_id disease_name qualifier hpo_id reference evidence onset frequency sex modifier aspect"
    (task.folder / "phenotype.hpoa").write_text(
        "#version: 2022-07-01\n"
        + "\t".join([*columns.split(), "biocuration"])
        + f"\nOMIM:1\tdisease\t\t{name(1)}\tPMID:1\tPCS\t\t1/2\t\t\tP\tHPO:x\n"
    )
    (task.folder / "phenotype_to_genes.txt").write_text(
        f"hpo_id\thpo_name\tncbi_gene_id\tgene_symbol\tdisease_id\n{name(1)}\tconcept 1\t1\tA\tOMIM:1\n"
    )
    (task.folder / "genes_to_phenotype.txt").write_text(
        f"ncbi_gene_id\tgene_symbol\thpo_id\thpo_name\tfrequency\tdisease_id\n1\tA\t{name(1)}\tconcept 1\t-\tOMIM:1\n"
    )
    Ontology(str(task.folder), True)
    assert len(Ontology) == task.count
    # set directly: it counts no more than 65,535 diseases
    whole = math.log(task.count)
    Ontology.set_custom_information_content([(c + 1, whole - math.log(n)) for c, n in enumerate(task.below)])
    terms = [Ontology.hpo(c + 1) for c in range(task.count)]

    def pairwise(method: str) -> Pairwise:
        return lambda left, right: helper.batch_similarity(
            [(terms[a], terms[b]) for a, b in zip(left, right, strict=True)], "custom", method
        )

    return Peer(
        "hpo3",
        pairs={"Lin": pairwise("lin"), "Resnik": pairwise("resnik")},
        resnik_unit=math.log(task.count),
    )


def open_semsimian(task: Task) -> Peer:
    from semsimian import Semsimian

    names = [str(c) for c in range(task.count)]
    # it closes nothing itself: it wants every ancestor, the concept included
    closed = [(names[c], "is_a", names[a]) for c, above in enumerate(task.ancestors) for a in above]
    graph = Semsimian(closed, ["is_a"])
    graph.resnik_similarity(names[1], names[2])

    # its all_by_all is slower: its answer holds a set and three scores for each pair
    def pairwise(left: list[int], right: list[int]) -> list[float]:
        return [graph.resnik_similarity(names[a], names[b])[1] for a, b in zip(left, right, strict=True)]

    return Peer("semsimian", {"Resnik": pairwise}, resnik_unit=math.log2(task.count))


def open_nxontology(task: Task) -> Peer:
    from nxontology import NXOntology

    graph: Any = NXOntology()
    graph.graph.add_edges_from((p, c) for c, p in task.edges)
    graph.freeze()

    def pairwise(measure: str) -> Pairwise:
        return lambda left, right: [
            getattr(graph.similarity(a, b, ic_metric="intrinsic_ic"), measure) for a, b in zip(left, right, strict=True)
        ]

    return Peer(
        "nxontology",
        {"Lin": pairwise("lin"), "Resnik": pairwise("resnik")},
        resnik_unit=math.log(task.count),
    )


def open_goatools(task: Task) -> Peer:
    from goatools.obo_parser import GODag
    from goatools.semantic import TermCounts, lin_sim, resnik_sim

    names = [go_name(c) for c in range(task.count)]
    graph = GODag(str(task.obo("go", go_name, namespace=True)), prt=None)
    counts = TermCounts(graph, {f"gene{c}": {name} for c, name in enumerate(names)})

    def pairwise(method: Callable[..., float]) -> Pairwise:
        return lambda left, right: [method(names[a], names[b], graph, counts) for a, b in zip(left, right, strict=True)]

    return Peer(
        "goatools",
        {"Lin": pairwise(lin_sim), "Resnik": pairwise(resnik_sim)},
        resnik_unit=math.log(task.count),
    )


def open_fastsemsim(task: Task) -> Peer:
    import fastsemsim
    from fastsemsim.ac.AnnotationCorpus import AnnotationCorpus
    from fastsemsim.semsim.LinSemSim import LinSemSim
    from fastsemsim.semsim.ResnikSemSim import ResnikSemSim
    from fastsemsim.semsim.SemSimUtils import SemSimUtils

    names = [go_name(c) for c in range(task.count)]
    with task.obo("go", go_name, namespace=True).open() as source:  # a path it opens in a mode Python no longer has
        graph = fastsemsim.load_ontology(source)
    corpus = AnnotationCorpus(graph)
    corpus._exclude_roots = False
    table = task.folder / "annotations.tsv"
    table.write_text("".join(f"gene{c}\t{name}\n" for c, name in enumerate(names)))
    corpus.parse(str(table), "plain", {"multiple": False, "term first": False, "separator": "\t"})
    useful = SemSimUtils(graph, corpus)
    useful.det_IC_table()

    def pairwise(method: Any) -> Pairwise:
        similarity = method(graph, corpus, useful).SemSim
        return lambda left, right: [similarity(names[a], names[b]) for a, b in zip(left, right, strict=True)]

    return Peer(
        "fastsemsim",
        {"Lin": pairwise(LinSemSim), "Resnik": pairwise(ResnikSemSim)},
        resnik_unit=math.log(task.count),
    )


def open_nltk(task: Task) -> Peer:
    offsets_file = task.folder / "offsets.npy"
    if not offsets_file.is_file():
        raise RuntimeError("reads WordNet only")
    if not (DEBIAN_WORDNET / "data.noun").is_file():
        raise RuntimeError(f"no WordNet database in {DEBIAN_WORDNET} (Debian: wordnet-base)")
    import nltk

    home = task.folder / "nltk_data"
    corpus = home / "corpora" / "wordnet"
    corpus.mkdir(parents=True, exist_ok=True)
    for file in DEBIAN_WORDNET.iterdir():
        if file.is_file():
            shutil.copyfile(file, corpus / file.name)  # links out of its folder are refused
    (corpus / "lexnames").write_text("".join(f"{i:02d}\tfile{i:02d}\t1\n" for i in range(45)))
    (corpus / "index.sense").write_text("")
    nltk.data.path[:] = [str(home)]
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

    reader = WordNetCorpusReader(str(corpus), None)
    offsets = np.load(offsets_file).tolist()
    synsets = [reader.synset_from_pos_and_offset("n", offset) for offset in offsets]
    content = {"n": {0: task.count, **dict(zip(offsets, task.below, strict=True))}}

    def pairwise(method: str, *more: Any) -> Pairwise:
        return lambda left, right: [
            getattr(synsets[a], method)(synsets[b], *more) for a, b in zip(left, right, strict=True)
        ]

    return Peer(
        "nltk",
        {
            "Lin": pairwise("lin_similarity", content),
            "Resnik": pairwise("res_similarity", content),
            "Wu-Palmer": pairwise("wup_similarity"),
        },
        resnik_unit=math.log(task.count),
    )


OPENERS = {name.removeprefix("open_"): opener for name, opener in list(globals().items()) if name.startswith("open_")}


def cpu() -> float:
    """CPU seconds of this process, all its threads included."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def timed_matrix(peer: Peer, measure: str, concepts: list[int]) -> dict[str, Any]:
    if peer.fresh:
        peer.fresh()
    start, clock = cpu(), time.perf_counter()
    pairs = peer.matrix[measure](concepts)
    took, wall = cpu() - start, time.perf_counter() - clock
    row = {"pairs": pairs, "cpu": took, "wall": wall, "sampled": pairs < different(concepts)}
    if peer.fresh:
        start = cpu()
        peer.matrix[measure](concepts)
        row["again"] = cpu() - start
    return row


def timed_pairs(peer: Peer, measure: str, left: list[int], right: list[int], seconds: float) -> dict[str, Any]:
    """All pairs if that is quick, else as many as the time allows, at least 2,000."""
    answer = peer.pairs[measure]
    if peer.fresh:  # what it builds first belongs to the whole list
        peer.fresh()
        start, clock = cpu(), time.perf_counter()
        answer(left, right)
        return {"pairs": len(left), "cpu": cpu() - start, "wall": time.perf_counter() - clock, "sampled": False}
    done, size, took, wall = 0, 2_000, 0.0, 0.0
    while done < len(left) and (done == 0 or took < seconds):
        part = slice(done, done + size)
        start, clock = cpu(), time.perf_counter()
        answer(left[part], right[part])
        took, wall = took + cpu() - start, wall + time.perf_counter() - clock
        done, size = min(len(left), done + size), min(4 * size, 250_000)
    return {"pairs": done, "cpu": took, "wall": wall, "sampled": done < len(left)}


def triangle(concepts: list[int]) -> tuple[list[int], list[int]]:
    """The different pairs of a matrix in random order, for peers that take lists only."""
    rows, columns = np.triu_indices(len(concepts))
    order = np.random.default_rng(1).permutation(len(rows))
    ids = np.array(concepts)
    return ids[rows[order]].tolist(), ids[columns[order]].tolist()


def measure_peer(name: str, folder: Path, forms: list[str], seconds: float, repeat: int) -> dict[str, Any]:
    warnings.simplefilter("ignore")
    random.seed(1)
    task = Task(folder)
    start = cpu()
    peer = OPENERS[name](task)
    rows: list[dict[str, Any]] = []
    result: dict[str, Any] = {
        "version": importlib.metadata.version(peer.package),
        "rows": rows,
        "loading": cpu() - start,
    }
    left, right = task.two("check")
    for measure in sorted({*peer.pairs, *peer.check}):
        unit = peer.resnik_unit if measure == "Resnik" else 1.0
        values = (peer.check.get(measure) or peer.pairs[measure])(left, right)
        found = np.array([math.nan if v is None else v for v in values], dtype=np.float64) / unit
        np.save(folder / f"values-{name}-{measure}.npy", found)
    for form in filter(None, forms):
        for measure in peer.pairs | peer.matrix if form == "matrix" else peer.pairs:
            if not peer.fresh and measure in peer.pairs:
                peer.pairs[measure](task.concepts, task.concepts)  # fills what it keeps per concept
            best: dict[str, Any] = {}
            for _ in range(repeat):
                if form != "matrix":
                    row = timed_pairs(peer, measure, *task.two(form), seconds)
                elif measure in peer.matrix:
                    row = timed_matrix(peer, measure, task.concepts)
                else:
                    row = timed_pairs(peer, measure, *triangle(task.concepts), seconds)
                best = min((row, best or row), key=lambda r: r["cpu"] / r["pairs"])
                if row["cpu"] > seconds:
                    break
            rows.append({"form": form, "measure": measure, **best})
    result["mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return result


def main() -> None:
    name, folder, forms, seconds, repeat = sys.argv[1:6]
    try:
        result = measure_peer(name, Path(folder), forms.split(","), float(seconds), int(repeat))
    except Exception as error:
        traceback.print_exc()
        kind = "" if type(error) is RuntimeError else f"{type(error).__name__}: "
        result = {"failed": f"{kind}{error}".splitlines()[0][:160]}
    print("\n" + json.dumps(result))


if __name__ == "__main__":
    main()
