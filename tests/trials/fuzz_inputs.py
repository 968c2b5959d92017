"""What trials/fuzz.py begins with: small files of every kind that a command reads, and how each command is called.

`SEEDS`: kind -> files. `CALLS`: command -> arguments, in which {kind} is a file. Ontologies come from fixtures/ and the
shared data, where it is there; of the other kinds there is at least one file of each format about fixtures/formats.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from tiny_files import FOLDER as TINY

from ontoeval.load.corpora import FORMATS as CORPUS_FORMATS

FIXTURES = TINY.parent
SHARED = TINY.parents[2] / "shared" / "data"
LARGEST = 12_000  # bytes of a file
IRI = "https://example.org/tiny#"

Seed = Mapping[str, bytes]  # path -> content; a folder if a path has a slash: its first part is the argument


def _file(name: str, text: str | bytes) -> Seed:
    return {name: text if isinstance(text, bytes) else text.encode()}


def _files(folder: Path, *patterns: str) -> Iterator[Seed]:
    """A seed for each small file."""
    for path in sorted(path for pattern in patterns for path in folder.glob(pattern)):
        if path.is_file() and path.stat().st_size <= LARGEST and path.name not in ("README.md", "SOURCE.md"):
            yield {path.name: path.read_bytes()}


def _scores() -> Iterator[Seed]:
    """Stored scores, without the definitions of all measures, which are most of a file."""
    for path in sorted((FIXTURES / "scores").glob("*.trig")):
        head, _, rest = path.read_text(encoding="utf-8").partition("oe:catalogue {")
        yield _file(path.name, head + rest.partition("\n}\n")[2])


def _folder(folder: Path, most: int = 4) -> Seed:
    """A seed of a folder."""
    return {f"{folder.name}/{path.name}": path.read_bytes() for path in sorted(folder.iterdir())[:most]}


_NIF = f"""@prefix nif: <http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#> .
@prefix itsrdf: <http://www.w3.org/2005/11/its/rdf#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
<http://e/d#char=0,9> a nif:Context ; nif:isString "A car 😀 é" ;
  nif:beginIndex "0"^^xsd:int ; nif:endIndex "9"^^xsd:int .
<http://e/d#char=2,5> a nif:Phrase ; nif:referenceContext <http://e/d#char=0,9> ; nif:anchorOf "car" ;
  nif:beginIndex "2"^^xsd:int ; nif:endIndex "5"^^xsd:int ; itsrdf:taClassRef <{IRI}Car> ; itsrdf:taConfidence 0.5 .
"""
_KIM = f"""@prefix pkm: <http://proton.semanticweb.org/2006/05/protonkm#> . @prefix e: <http://e/> .
e:m a pkm:Mention ; pkm:hasStartOffset 3 ; pkm:hasEndOffset '6' ; pkm:occursIn e:doc ; pkm:refersInstance e:duck .
e:duck a <{IRI}Car> .
"""
_ANNOTATION = {
    "@context": "http://www.w3.org/ns/anno.jsonld",
    "id": "http://e/1",
    "type": "Annotation",
    "motivation": "classifying",
    "body": {"source": f"{IRI}Car", "purpose": "classifying"},
    "target": {"source": "http://e/d", "selector": {"type": "TextPositionSelector", "start": 2, "end": 5}},
}
_BDOC = {
    "annotation_sets": {
        "": {
            "name": "",
            "annotations": [
                {"type": "Mention", "start": 2, "end": 5, "id": 0, "features": {"class": f"{IRI}Car"}},
            ],
            "next_annid": 1,
        }
    },
    "text": "A car 😀 é",
    "features": {},
    "offset_type": "p",
    "name": "",
}
_SPANS = {"document": "d", "text": "A car", "annotations": [{"start": 2, "end": 5, "class": f"{IRI}Car", "score": 0.5}]}
_LABELS = {"document": "d", "labels": [{"class": "Car", "score": 0.5}, {"class": "Boat"}]}
_OAEI = f"""<?xml version="1.0" encoding="utf-8"?>
<rdf:RDF xmlns="http://knowledgeweb.semanticweb.org/heterogeneity/alignment" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<Alignment><xml>yes</xml><level>0</level><type>??</type><map><Cell><entity1 rdf:resource="{IRI}Car"/>
<entity2 rdf:resource="{IRI}Car"/><measure>1.0</measure><relation>=</relation></Cell></map></Alignment></rdf:RDF>
"""
_SSSOM = f"""#curie_map:
#  tiny: {IRI}
#mapping_set_id: http://e/set
subject_id\tpredicate_id\tobject_id\tmapping_justification\tconfidence
tiny:Car\tskos:exactMatch\ttiny:Car\tsemapv:LexicalMatching\t0.9
tiny:Boat\tskos:exactMatch\ttiny:Bicycle\tsemapv:LexicalMatching\t0.4
"""
_CATALOG = """<?xml version="1.0" encoding="UTF-8"?>
<catalog prefer="public" xmlns="urn:oasis:names:tc:entity:xmlns:xml:catalog">
<uri name="http://example.org/other" uri="tiny.ttl"/></catalog>
"""
_SHAPES = f"""@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
<{IRI}S> a sh:NodeShape ; sh:targetClass owl:Class ;
  sh:property [ sh:path rdfs:label ; sh:minCount 1 ; sh:message "no label" ] .
"""
_BDM = (
    "##The following are the BDM scores for each pair of concepts in the ontology named tiny.\n"
    "key=Car, response=Boat, bdm=0.6, msca=Vehicle, cp=1, dpk=2, dpr=2, n0=2.5, n1=3.0, n2=3.0, bran=1.2\n"
)

ONTOLOGIES = [
    *_files(TINY, "tiny*"),
    *_files(FIXTURES / "relations", "*.ttl"),
    *_files(FIXTURES / "dellschaft2006", "*.ttl"),
    *_files(FIXTURES / "shelves", "shelves.tsv", "clusters.tsv"),
    *_files(FIXTURES / "annotations", "*.ttl"),
]
SPANS: dict[str, list[Seed]] = {  # format -> files
    "gate": [_folder(FIXTURES / "annotations" / side) for side in ("key", "near", "far")],
    "bdoc": [
        _file("d.bdocjs", json.dumps(_BDOC)),
        _file(
            "d.bdocym",
            "annotation_sets:\n  '':\n    name: ''\n    annotations:\n    - {type: Mention, start: 2, "
            f"end: 5, id: 0, features: {{class: '{IRI}Car'}}}}"
            f"\ntext: A car\noffset_type: p\nname: ''\nfeatures: {{}}\n",
        ),
    ],
    "nif": [_file("nif.ttl", _NIF)],
    "web-annotation": [_file("anno.jsonld", json.dumps([_ANNOTATION], indent=1))],
    "kim-rdf": [_file("kim.ttl", _KIM)],
    "brat": [
        {
            "brat/d.ann": b"T1\tCar 2 5\tcar\nT2\tBoat 0 1;2 5\tA car\nN1\tReference T1 Wikidata:Q1\tcar\n",
            "brat/d.txt": b"A car on a boat\n",
        }
    ],
    "jsonl": [_file("spans.jsonl", f"{json.dumps(_SPANS)}\n{json.dumps({**_SPANS, 'document': 'e'})}\n")],
    "tsv": [
        _file(
            "spans.tsv", "document\tstart\tend\tconcept\tinstance\tscore\nd\t2\t5\tCar\t\t0.5\nd\t0\t1\tBoat\tduck\t\n"
        )
    ],
    "population": [_file("population.ttl", (TINY / "tiny.ttl").read_bytes())],
}
LABELS: dict[str, list[Seed]] = {
    "jsonl": [_file("labels.jsonl", f"{json.dumps(_LABELS)}\n")],
    "annif": [
        {"annif/d.tsv": f"<{IRI}Car>\tcar\n<{IRI}Boat>\tboat\t2.5\n".encode(), "annif/d.txt": b"A car\n"},
        _file("d.annif", f"<{IRI}Car>\tcar\t0.25\n<{IRI}Boat>\tboat\t0.5\n"),
        _file("d.key", "car\nboat\n"),
    ],
    "annif-short": [_file("short.tsv", f"A car\t<{IRI}Car> <{IRI}Boat>\nA boat\t<{IRI}Boat>\n")],
    "qrels": [_file("qrels.txt", "1 0 Car 1\n1 0 Boat 0\n2 0 Tandem 2\n")],
    "run": [_file("run.txt", "1 Q0 Car 1 2.5 tag\n1 Q0 Boat 2 -3 tag\n2 Q0 Car 1 1e-3 tag\n")],
    "hemkit": [_file("hemkit.txt", "1 2 3\n\n2 4\n")],
    "labels": [
        _file("labels.tsv", "subject\tdocument\tscore\nCar\td1\t0.5\nBoat\td1\t0.75\nCar\td2\t1\n"),
        _file("cafa.txt", "AUTHOR us\nMODEL 1\nKEYWORDS homolog.\nd1\tCar\t0.5\nEND\n"),
    ],
}
SEEDS: dict[str, list[Seed]] = {
    "ontology": ONTOLOGIES,
    "tiny": [*_files(TINY, "tiny*")],  # which match each other
    "owl": [*_files(TINY, "tiny.ttl", "tiny.rdf", "tiny.owx", "tiny.nt", "tiny.ofn")],
    "spans": [seed for seeds in SPANS.values() for seed in seeds],
    "labels": [seed for seeds in LABELS.values() for seed in seeds],
    "instances": [
        *_files(FIXTURES / "shelves", "*-books.tsv"),
        _file("instances.tsv", "instance\tconcept\tstrength\nduck\tCar\t0.5\nfrog\tBoat\t1\n"),
    ],
    "mapping": [
        _file("alignment.rdf", _OAEI),
        _file("map.sssom.tsv", _SSSOM),
        _file("map.tsv", f"{IRI}Car\t{IRI}Boat\t0.9\nBoat\tBoat\n"),
    ],
    "pairs": [
        _file("pairs.tsv", "Car\tBoat\nTandem\tBicycle\n"),
        _file("pairs.csv", "word1,word2\nCar,Boat\nTandem,Bicycle\n"),
    ],
    "ratings": [
        _file(
            "rated.tsv",
            "word1\tword2\trating\nCar\tBoat\t2.5\nTandem\tBicycle\t3,9\nCar\tTandem\t1\nVehicle\tBoat\t4\n",
        ),
        _file("rated.csv", "Car;Boat;2.5\nTandem;Bicycle;3.9\nCar;Tandem;1\n"),
    ],
    "names": [_file("names.txt", "# some\nCar\nBoat\nTandem\n")],
    "counts": [_file("counts.tsv", "concept\tcount\nCar\t12\nBoat\t3.5\nBicycle\t0\n")],
    "scores": [*_scores()],
    "query": [
        *_files(Path(__file__).parents[2] / "ontoeval/rdf/store/named_queries", "*.rq"),
        _file("q.rq", "SELECT ?run ?v { GRAPH ?run { ?run a oe:Evaluation } BIND(1/3 AS ?v) } ORDER BY ?run LIMIT 5\n"),
        _file("c.rq", "CONSTRUCT { ?s ?p ?o } WHERE { GRAPH ?g { ?s ?p ?o } } LIMIT 5\n"),
        _file("a.rq", "ASK { ?s ?p ?o }\n"),
    ],
    "settings": [
        _file(
            "s.toml",
            '[load]\nroot = "new"\nmax-size = "1G"\n[output]\ndigits = 2\n'
            '[compare]\nmatch = "label"\nmeasure = ["LF", "TF_csc"]\n',
        ),
    ],
    "catalog": [_file("catalog-v001.xml", _CATALOG)],
    "shapes": [_file("shapes.ttl", _SHAPES)],
    "bdm": [_file("bdm.txt", _BDM)],
}
_OF_SHARED = {
    "ontology": (
        "skos-skosmos-vocabs/*.ttl",
        "owl-misc/*",
        "proton-bdm/*.owl",
        "texeval/*/*.taxo",
        "cafa-idpo/*.obo",
        "ds2006-figures/*.tsv",
    ),
    "spans": (
        "web-annotation-samples/*correct/*.json",
        "gatenlp-formats/testdoc*",
        "nif-oke-gerbil/*.ttl",
        "gate-evaluation-sample/*/*.xml",
    ),
    "labels": (
        "annif-yso-archaeology/fulltext/*.tsv",
        "hemkit-example/*.txt",
        "cafa-idpo/*.tsv",
        "cafa-idpo/predictions/*",
    ),
    "mapping": ("oaei-conference/alignments/*.rdf",),
    "ratings": ("wordsim-wn30/*.txt",),
}


def with_shared_data(seeds: Mapping[str, list[Seed]]) -> dict[str, list[Seed]]:
    """Also the small files of the shared data, if it is on this machine."""
    return {kind: [*found, *_files(SHARED, *_OF_SHARED.get(kind, ()))] for kind, found in seeds.items()}


# Command -> calls; {kind} is a file of `SEEDS`, {name} a concept, {out:.x} a new file. The first files are damaged.
CALLS: dict[str, tuple[str, ...]] = {
    "compare": (
        "{tiny} --gold {tiny}",
        "{ontology} --gold {ontology}",
        "{tiny} {tiny} --gold {tiny} --match name",
        "{tiny} --gold {tiny} --match {mapping}",
        "{tiny} --gold {tiny} --match {mapping}:0.5,label",
        "{tiny} --instances {instances} --gold {tiny} --gold-instances {instances} -m H_s,ITP,EOR --match name",
        "{tiny} --gold {tiny} --config {settings}",
        "{ontology} --gold {ontology} -m classic,RelF,NearF,TED --match name",
        "{tiny} --gold {tiny} --worst --errors --explain {name}",
        "{owl} --gold {owl} --import {catalog}",
        "{ontology} --gold {ontology} -m RelP,RelR,RelF --per property",
        "{tiny} --gold {tiny} -o {out:.trig} -o {out:.svg} --local {out:.tsv}",
    ),
    "annotations": (
        "{spans} --gold {spans} --ontology {tiny}",
        "{spans} --gold {spans}",
        "{spans} {spans} --gold {spans} --ontology {tiny}",
        "{spans} --gold {spans} --ontology {tiny} --counts {counts} -m AF,AF_LA,Kappa,Alpha",
        "{spans} --gold {spans} --ontology {tiny} --per class --per document --confusion",
        "{spans} --gold {spans} --ontology {owl} --variant ptop:{owl}",
    ),
    "labels": (
        "{labels} --gold {labels} --ontology {tiny}",
        "{labels} --gold {labels}",
        "{labels} {labels} --gold {labels} -m ranking",
        "{labels} --gold {labels} --ontology {tiny} --per document --counts {counts}",
    ),
    "agreement": ("{spans} {spans} --ontology {tiny}", "{spans} {spans} {spans}"),
    "describe": (
        "{ontology}",
        "{ontology}",
        "{ontology} {ontology}",
        "{tiny} --instances {instances}",
        "{owl} --import {catalog}",
        "{ontology} --import {ontology}",
    ),
    "match": (
        "{ontology} --gold {ontology}",
        "{tiny} --gold {tiny} --match {mapping}",
        "{tiny} --gold {tiny} --reference {mapping}",
    ),
    "relate": (
        "{name} {name} --ontology {tiny}",
        "--pairs {pairs} --ontology {tiny}",
        "--concepts {names} --ontology {tiny}",
        "{name} {name} --ontology {tiny} --counts {counts} -m 'Lin(ic=corpus)' --explain",
        "{name} {name} --ontology {tiny} --with {tiny}",
        "--all --ontology {ontology} -o {out:.tsv}",
    ),
    "nearest": (
        "{name} --ontology {ontology}",
        "{name} --ontology {tiny} --counts {counts}",
        "{name} --ontology {tiny} --with {tiny}",
    ),
    "validate": (
        "{ontology} --engine native",
        "{scores} --engine native",
        "{spans} --shapes corpus --engine native",
        "{ontology}",
        "{scores}",
        "{owl} --shapes {shapes}",
    ),
    "measures": ("{name}", ""),
    "correlate": (
        "{ratings} --ontology {tiny} --rounds 20",
        "{ratings} --ontology {ontology} --no-intervals",
        "{ratings} --ontology {tiny} --counts {counts} --no-intervals",
    ),
    "sensitivity": (
        "{tiny} --runs 1 --points 2 --perturb move-nodes",
        "{tiny} --runs 1 --points 2 --perturb remove-concepts --instances {instances}",
    ),
    "perturb": (
        "{tiny} --cut-depth 1 -o {out:.ttl}",
        "{ontology} --move-nodes 10% -o {out:.owl}",
        "{tiny} --rename-concepts 2 -o {out:.nt}",
        "{tiny} --move-instances 1 --instances {instances} -o {out:.tsv} --instances-output {out:.books.tsv}",
    ),
    "query": (
        "{scores} trend -p measure=TF_csc",
        "{scores} {query}",
        "{scores} worst-concepts -p run=latest",
        "--list",
    ),
    "store list": ("{scores}", "{scores}", "store"),
    "store show": ("{scores}", "{scores} latest --worst"),
    "store delete": ("store latest --yes",),
    "store export": ("store {out:.trig}",),
    "store import": ("store {scores}", "store {ontology} --ontology"),
    "write-back": (
        "{owl} --gold {tiny} -o {out:.ttl}",
        "{owl} --gold {tiny} --merged -o {out:.owl}",
        "{owl} --clean -o {out:.ttl}",
    ),
    "schema": ("rdf",),
    "(read_bdm)": ("{bdm}",),  # of the library alone
}
RARE = {
    "query": 0.1,
    "sensitivity": 0.3,
    "store list": 0.1,
    "store show": 0.2,
    "store import": 0.1,
    "store delete": 0.05,
    "store export": 0.05,
    "schema": 0.02,
    "measures": 0.1,
    "(read_bdm)": 0.2,
}  # command -> how often it is called, others 1: it is slow, or there is little to go wrong
NAMES = (
    "Car",
    "Boat",
    "Vehicle",
    "tiny:Tandem",
    f"{IRI}Bicycle",
    "bicycle",
    "vélo",
    "duck",
    "no such",
    "",
    "Car\x1b[31m",
    "\u202ecar",
    "*",
    "{x}",
)


def check_formats() -> None:
    """Every format of corpora is there: a new one needs a file in `SPANS` or `LABELS`."""
    missing = CORPUS_FORMATS.keys() - SPANS.keys() - LABELS.keys()
    assert not missing, f"tests/trials/fuzz_inputs.py has no file in the format {', '.join(sorted(missing))}"
