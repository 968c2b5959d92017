"""`ImportLocations`: local file of an imported IRI, by catalogue or folder, never fetched (read: load/pipeline.py)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

from ontoeval.errors import LoadError
from ontoeval.load.formats import suffixes
from ontoeval.load.input import open_input, unpacked_name
from ontoeval.load.safety import check_xml

CATALOG = "catalog-v001.xml"


class ImportLocations:
    """Where imported ontologies may be found: IRI -> file."""

    def __init__(self, places: Iterable[str | Path]) -> None:
        self.files: list[Path] = []  # always read
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
        file = self._by_iri.get(iri)
        if file is not None:
            if not file.is_file():
                raise LoadError(
                    f"no such file, but the XML catalog lists it for {iri!r}",
                    advice="Correct the catalog.",
                    path=str(file),
                )
            return file
        for folder in self._folders:
            for path in sorted(folder.iterdir()):
                if path.is_file() and _is_named_after(path, iri):
                    return path
        return None


def provides(path: Path, names: Iterable[str], iri: str) -> bool:
    """True if a file with these ontology and version IRIs is what `iri` imports."""
    return iri.rstrip("#/") in {name.rstrip("#/") for name in names} or _is_named_after(path, iri)


def _is_named_after(path: Path, iri: str) -> bool:
    last = unquote(urlsplit(iri.rstrip("#/")).path.rsplit("/", 1)[-1]).lower()
    name = unpacked_name(path.name)
    stem, suffix = Path(name).stem, Path(name).suffix
    return bool(last) and (name == last or (stem in (last, Path(last).stem) and suffix in suffixes()))


def _catalogue(path: Path) -> dict[str, Path]:
    source = open_input(path)
    check_xml(source)
    try:
        with source.open() as stream:
            root = ElementTree.fromstring(stream.read())
    except ElementTree.ParseError as error:
        raise LoadError(f"not a valid XML catalog: {error}", advice="Correct it.", path=str(path)) from None
    files = {}
    for entry in root.iter():
        name, address = entry.get("name"), entry.get("uri")
        if entry.tag.rpartition("}")[2] == "uri" and name and address and "://" not in address.removeprefix("file://"):
            files[name] = path.parent / unquote(address.removeprefix("file:").removeprefix("//"))
    return files
