"""The files of fixtures/formats: one small ontology, `tiny`, in every format."""

from __future__ import annotations

from pathlib import Path

from ontoeval.load.formats import FORMATS, suffixes

FOLDER = Path(__file__).resolve().parents[1] / "fixtures" / "formats"
EDGES_ALONE = ("tsv", "pairs")  # no label, no instance
WITHOUT_IRIS = ("wordnet",)
_OTHER_NAMES = {"data.noun": "wordnet"}  # which WordNet itself calls so


def format_of(name: str) -> str:
    """The format that the name of a file says: `tiny.obograph.json` by a word, `tiny.ttl` by its suffix."""
    ending = name.partition(".")[2]
    word = ending.partition(".")[0]
    format = word if word in FORMATS else _OTHER_NAMES.get(ending, suffixes().get(Path(name).suffix))
    assert format, f"fixtures/formats/{name}: name it tiny.SUFFIX or tiny.FORMAT.SUFFIX, so that its format is known"
    return format


FILES = {path.name: format_of(path.name) for path in sorted(FOLDER.glob("tiny*"))}
RDF_OR_OWL = [name for name, format in FILES.items() if FORMATS[format].rdf is not None]
COMPLETE = [name for name, format in FILES.items() if format not in (*EDGES_ALONE, *WITHOUT_IRIS)]
