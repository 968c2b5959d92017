"""`ImportLocations`: local file of an imported IRI, by catalogue or folder, never fetched (read: load/pipeline.py)."""

from __future__ import annotations

import filecmp
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

from ontoeval.errors import LoadError, listed
from ontoeval.load.formats import suffixes
from ontoeval.load.input import open_input, unpacked_name
from ontoeval.load.safety import check_xml

CATALOG = "catalog-v001.xml"


class ImportLocations:
    """Where imported ontologies may be found: IRI -> file.

    Two folders may have different files of one name, such as the modules of two releases: that beside the importing
    file goes before others, and a choice that nothing decides is noted.
    """

    def __init__(self, places: Iterable[str | Path], importing: Path | None = None) -> None:
        self.files: list[Path] = []  # always read
        self.notes: dict[str, str] = {}  # by IRI
        self._catalogues: list[dict[str, Path]] = []  # the last one goes first
        self._folders: list[Path] = []
        self._importing = importing
        self._beside = None if importing is None else importing.resolve().parent
        for place in map(Path, places):
            if place.is_dir():
                self._folders.append(place)
                if (place / CATALOG).is_file():
                    self._catalogues.insert(0, _catalogue(place / CATALOG))
            elif place.name.startswith("catalog") and place.suffix == ".xml":
                self._catalogues.insert(0, _catalogue(place))
            else:
                self.files.append(place)

    def find(self, iri: str) -> Path | None:
        """The local file of an imported ontology, by catalogue, then by a file of its name in a folder."""
        files = [catalogue[iri] for catalogue in self._catalogues if iri in catalogue]
        if not files:
            paths = (path for folder in self._folders for path in sorted(folder.iterdir()))
            files = [path for path in paths if path.is_file() and _is_named_after(path, iri)]
        if not files:
            return None
        meant = [file for file in files if self._is_beside(file) or file.resolve().as_uri() == iri]
        file = (meant or files)[0]
        if not file.is_file():
            raise LoadError(
                f"no such file, but the XML catalog lists it for {iri!r}",
                advice="Correct the catalog.",
                path=str(file),
            )
        others = [] if meant else _unlike(file, files[1:])
        if others:
            self.notes[iri] = f"import {iri}: {file} is read, not {listed(others)} ({{imports}})"
        return file

    def offer(self, iri: str) -> Path | None:
        """A file beside the importing one that may be what an import means, though nothing says to read it.

        That of the catalogue there, else one that is named after the import; of several such files none.
        """
        if self._importing is None:
            return None
        folder = self._importing.parent
        catalogue = folder / CATALOG
        if catalogue.is_file():
            with suppress(LoadError):
                meant = _catalogue(catalogue).get(iri)
                if meant is not None and meant.is_file():
                    return meant
        files = [path for path in sorted(folder.iterdir()) if path.is_file() and _is_named_after(path, iri)]
        others = [path for path in files if not path.samefile(self._importing)]
        return others[0] if len(others) == 1 else None

    def _is_beside(self, file: Path) -> bool:
        return self._beside is not None and file.resolve().parent == self._beside


def doubtful_imports(read: Mapping[Path, Collection[str]], imported: Iterable[str]) -> Iterator[str]:
    """Notes on imported IRIs of which several different files were read, or one that has the name alone.

    read: a file -> its ontology and version IRIs.
    """
    for iri in sorted(imported):
        files = [path for path, names in read.items() if provides(path, names, iri)]
        others = _unlike(files[0], files[1:]) if files else []
        if others:
            every_file = listed([str(files[0]), *others])
            yield f"import {iri}: several files are read for it: {every_file} ({{imports}})"
        elif files and read[files[0]] and not _is_called(read[files[0]], iri):
            own = listed(sorted(read[files[0]]))
            yield f"import {iri}: {files[0]} is read for it, but its own IRI is {own} ({{imports}})"


def _unlike(file: Path, others: Sequence[Path]) -> list[str]:
    """Those of the other files that have other bytes."""
    return [str(path) for path in others if path.is_file() and not filecmp.cmp(file, path, shallow=False)]


def provides(path: Path, names: Iterable[str], iri: str) -> bool:
    """True if a file with these ontology and version IRIs is what `iri` imports."""
    return _is_called(names, iri) or _is_named_after(path, iri)


def _is_called(names: Iterable[str], iri: str) -> bool:
    return iri.rstrip("#/") in {name.rstrip("#/") for name in names}


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
