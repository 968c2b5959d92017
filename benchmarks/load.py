"""Loading speed and memory of ontoeval beside other libraries, on the same files in one run.

    python benchmarks/load.py --data ../shared/data            # real files (pip install -e '.[bench]')
    python benchmarks/load.py --data ../shared/data --quick    # the small ones only
    python benchmarks/load.py --synthetic 1000000              # load and close a generated hierarchy

Each figure is the CPU time (user + system) and peak memory of a child process that does nothing else, the least of
`--repeat` runs; imports are measured once, empty, and taken off. Compressed files are unpacked first, for all alike.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import platform
import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

FILES = {  # name -> (file below the data folder, peers)
    "Gene Ontology 2017, RDF/XML": ("go2017/go.owl.gz", ["oxigraph", "owlready2", "rdflib"]),
    "Gene Ontology 2022, Turtle": ("go2022/go-2022-07-01.ttl.gz", ["oxigraph", "rdflib"]),
    "ChEBI, Turtle": ("chebi/chebi-2026-05-01.ttl.gz", ["oxigraph", "rdflib"]),
    "NCBI Taxonomy, Turtle": ("ncbitaxon/ncbitaxon-2026-05-13.ttl.gz", ["oxigraph"]),
    "Mondo, Turtle": ("mondo/mondo-2026-05-05.ttl.gz", ["oxigraph", "rdflib"]),
    "EuroVoc, SKOS Turtle": ("eurovoc-lite/eurovoc-lite-skos.ttl.gz", ["oxigraph", "rdflib"]),
    "GEMET, SKOS RDF/XML": ("gemet/gemet-de.rdf.gz", ["oxigraph", "owlready2", "rdflib"]),
    "AGROVOC, SKOS RDF/XML": ("agrovoc-fr/agrovoc_fr.rdf.gz", ["oxigraph", "owlready2", "rdflib"]),
    "UAT, SKOS RDF/XML": ("uat/UAT.rdf.gz", ["oxigraph", "owlready2", "rdflib"]),
    "Gene Ontology 2019, OBO": ("go2019/GeneOntology_2019.01.29.obo.gz", ["goatools", "pronto"]),
    "Human Phenotype Ontology, OBO": ("hpo/hp.obo.gz", ["goatools", "pronto"]),
}
QUICK = (
    "Mondo, Turtle",
    "EuroVoc, SKOS Turtle",
    "GEMET, SKOS RDF/XML",
    "UAT, SKOS RDF/XML",
    "Human Phenotype Ontology, OBO",
)
RDF_FORMAT = {".owl": "RDF_XML", ".rdf": "RDF_XML", ".ttl": "TURTLE"}


def load_ontoeval(path: str) -> None:
    import ontoeval

    if path:
        ontoeval.load_ontology(path)


def load_closed(path: str) -> None:
    import ontoeval

    if path:
        ancestors = ontoeval.load_ontology(path).hierarchy.closure.ancestors
        print(ancestors.nnz)


def load_oxigraph(path: str) -> None:
    import pyoxigraph

    if path:
        with open(path, "rb") as stream:
            for _ in pyoxigraph.parse(stream, format=getattr(pyoxigraph.RdfFormat, RDF_FORMAT[Path(path).suffix])):
                pass


def load_rdflib(path: str) -> None:
    import rdflib

    if path:
        rdflib.Graph().parse(path, format="xml" if RDF_FORMAT[Path(path).suffix] == "RDF_XML" else "turtle")


def load_owlready2(path: str) -> None:
    import owlready2

    if path:
        world = owlready2.World()
        ontology = world.get_ontology("file://" + path).load(only_local=True)
        for concept in ontology.classes():
            concept.is_a  # noqa: B018 - the hierarchy is made on access


def load_goatools(path: str) -> None:
    from goatools.obo_parser import GODag

    if path:
        GODag(path, prt=None)


def load_pronto(path: str) -> None:
    import warnings

    import pronto

    warnings.simplefilter("ignore")
    if path:
        pronto.Ontology(path)


LOADERS = {name.removeprefix("load_"): loader for name, loader in list(globals().items()) if name.startswith("load_")}


def child(loader: str, path: str) -> None:
    """Run one loader and say what it cost."""
    LOADERS[loader](path)
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(json.dumps({"cpu": used.ru_utime + used.ru_stime, "mb": used.ru_maxrss / 1024}))


def measured(loader: str, path: str, repeat: int) -> tuple[float, float] | None:
    """CPU seconds and peak MB of a loader on a file, without its imports; None if it fails."""
    best: tuple[float, float] | None = None
    empty = min(_run(loader, "")[0] for _ in range(repeat))
    for _ in range(repeat):
        try:
            cpu, memory = _run(loader, path)
        except subprocess.CalledProcessError:
            return None
        if best is None or cpu - empty < best[0]:
            best = (cpu - empty, memory)
    return best


def _run(loader: str, path: str) -> tuple[float, float]:
    done = subprocess.run(
        [sys.executable, __file__, "--child", loader, path], check=True, capture_output=True, text=True
    )
    last = json.loads(done.stdout.splitlines()[-1])
    return last["cpu"], last["mb"]


def unpacked(path: Path, folder: Path) -> str:
    target = folder / path.name.removesuffix(".gz")
    with gzip.open(path) as source, target.open("wb") as sink:
        while chunk := source.read(1 << 20):
            sink.write(chunk)
    return str(target)


def synthetic(count: int, folder: Path, parents: int = 2, branching: int = 3) -> str:
    """N-Triples of a hierarchy with `parents` parents per concept, about log_branching(count) levels deep."""
    pick = random.Random(1)
    target = folder / f"synthetic-{count}.nt"
    with target.open("w") as sink:
        for concept in range(1, count):
            above = concept // branching
            for parent in {above, *(max(0, above - pick.randrange(branching)) for _ in range(parents - 1))}:
                sink.write(
                    f"<http://example.org/{concept}> <http://www.w3.org/2000/01/rdf-schema#subClassOf> "
                    f"<http://example.org/{parent}> .\n"
                )
    return str(target)


def table(data: Path, names: list[str], repeat: int) -> None:
    print("| file | loader | CPU s | peak MB | ontoeval is |")
    print("| --- | --- | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            file, peers = FILES[name]
            if not (data / file).is_file():
                print(f"| {name} | skipped: no such file | | | |")
                continue
            path = unpacked(data / file, Path(folder))
            own = measured("ontoeval", path, repeat)
            assert own is not None, name
            print(f"| {name} | **ontoeval** | {own[0]:.2f} | {own[1]:.0f} | |", flush=True)
            for peer in peers:
                other = measured(peer, path, 1 if peer == "rdflib" else repeat)
                if other is None:
                    print(f"| | {LABELS[peer]} | refused the file | | |", flush=True)
                    continue
                ratio = other[0] / own[0]
                words = f"{ratio:.1f} x faster" if ratio >= 1 else f"{1 / ratio:.2f} x its time"
                print(f"| | {LABELS[peer]} | {other[0]:.2f} | {other[1]:.0f} | {words} |", flush=True)
            Path(path).unlink()


LABELS = {
    "oxigraph": "pyoxigraph, iterating only",
    "rdflib": "rdflib",
    "owlready2": "owlready2",
    "goatools": "goatools",
    "pronto": "pronto",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", help="files whose name contains this")
    parser.add_argument("--synthetic", type=int, metavar="CONCEPTS")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--child", nargs=2, metavar=("LOADER", "PATH"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(*options.child)
        return
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    print(f"{os.cpu_count()} cores, {memory:.0f} GiB, Python {platform.python_version()}\n")
    if options.synthetic:
        with tempfile.TemporaryDirectory() as folder:
            path = synthetic(options.synthetic, Path(folder))
            for loader in ("ontoeval", "closed"):
                cost = measured(loader, path, 1)
                assert cost is not None
                print(f"{options.synthetic:,} concepts, {loader}: {cost[0]:.1f} CPU s, {cost[1]:.0f} MB", flush=True)
        return
    names = [n for n in (QUICK if options.quick else FILES) if not options.only or options.only in n]
    table(options.data, names, options.repeat)


if __name__ == "__main__":
    main()
