"""owl:imports from local files: given ones, a folder, or the catalogue that Protégé writes. Never from the network."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

from ontoeval.errors import LoadError
from ontoeval.load.formats import SUFFIXES
from ontoeval.load.input import open_input
from ontoeval.load.safety import check_xml

CATALOG = "catalog-v001.xml"


class Library:
    """Where imported ontologies may be found: IRI -> file."""

    def __init__(self, places: Iterable[str | Path]) -> None:
        self.files: list[Path] = []  # read in any case
        self._by_iri: dict[str, Path] = {}
        self._folders: list[Path] = []
        for place in map(Path, places):
            if place.is_dir():
                self._folders.append(place)
                if (place / CATALOG).is_file():
                    self._by_iri |= _catalogue(place / CATALOG)
            elif place.name.startswith("catalog") and place.suffix == ".xml":
                self._by_iri |= _catalogue(place)
            else:
                self.files.append(place)

    def find(self, iri: str) -> Path | None:
        """The local file of an imported ontology, by catalogue, then by a file of its name in a folder."""
        found = self._by_iri.get(iri)
        if found is not None:
            if not found.is_file():
                raise LoadError(
                    f"the catalogue names it for {iri!r}, but there is no such file. Correct the catalogue.",
                    path=str(found),
                )
            return found
        for folder in self._folders:
            for path in sorted(folder.iterdir()):
                if path.is_file() and _named_after(path, iri):
                    return path
        return None


def answers(path: Path, own: Iterable[str], iri: str) -> bool:
    """True if a file that calls itself `own` (ontology and version IRIs) is what `iri` imports."""
    return iri.rstrip("#/") in {name.rstrip("#/") for name in own} or _named_after(path, iri)


def _named_after(path: Path, iri: str) -> bool:
    last = unquote(urlsplit(iri.rstrip("#/")).path.rsplit("/", 1)[-1]).lower()
    name = path.name.lower()
    for packed in (".gz", ".bz2", ".xz", ".zip"):
        name = name.removesuffix(packed)
    stem, suffix = Path(name).stem, Path(name).suffix
    return bool(last) and (name == last or (stem in (last, Path(last).stem) and suffix in SUFFIXES))


def _catalogue(path: Path) -> dict[str, Path]:
    source = open_input(path)
    check_xml(source)
    try:
        with source.open() as stream:
            root = ElementTree.fromstring(stream.read())
    except ElementTree.ParseError as error:
        raise LoadError(f"not a readable XML catalogue: {error}. Correct it.", path=str(path)) from None
    found = {}
    for entry in root.iter():
        name, address = entry.get("name"), entry.get("uri")
        if entry.tag.rpartition("}")[2] == "uri" and name and address and "://" not in address.removeprefix("file://"):
            found[name] = path.parent / unquote(address.removeprefix("file:").removeprefix("//"))
    return found
