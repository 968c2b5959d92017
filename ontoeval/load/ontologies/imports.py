"""`read_imports`, `ImportLocations`: local files of imported IRIs, never fetched; `report_missing_imports`."""

from __future__ import annotations

import filecmp
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

from ontoeval.errors import LoadError, Message, listed, sentence
from ontoeval.load.formats import suffixes
from ontoeval.load.input import open_input, unpacked_name
from ontoeval.load.ontologies.facts import Facts
from ontoeval.load.safety import check_xml

CATALOG = "catalog-v001.xml"
# Vocabularies of metadata, which are imported for the sake of their properties: where their terms are, and the
# addresses, without "http://", from which they are imported.
_METADATA = {
    "purl.org/dc/": ("purl.org/dc/", "purl.org/dc", "dublincore.org/", "protege.stanford.edu/plugins/owl/dc/"),
    "www.w3.org/2004/02/skos/core": ("www.w3.org/2004/02/skos",),
    "www.w3.org/2008/05/skos-xl": ("www.w3.org/2008/05/skos",),
    "xmlns.com/foaf/": ("xmlns.com/foaf/",),
    "purl.org/vocab/vann/": ("purl.org/vocab/vann",),
    "www.w3.org/ns/prov": ("www.w3.org/ns/prov",),
    "www.w3.org/1999/02/22-rdf-syntax-ns": ("www.w3.org/1999/02/22-rdf-syntax-ns",),
    "www.w3.org/2000/01/rdf-schema": ("www.w3.org/2000/01/rdf-schema",),
    "www.w3.org/2002/07/owl": ("www.w3.org/2002/07/owl",),
    "schema.org": ("schema.org",),
    "purl.obolibrary.org/obo/omo": ("purl.obolibrary.org/obo/omo",),  # annotation properties of OBO
    "protege.stanford.edu/plugins/owl/protege": ("protege.stanford.edu/plugins/owl/protege",),
}


def read_imports(
    locations: ImportLocations,
    imports: Callable[[], tuple[Collection[str], Collection[str]]],
    read: Callable[[Path], set[str]],
) -> ImportsRead:
    """Read what is imported, and what that imports.

    imports: the IRIs that are imported by what was read so far, and those that it has itself. read: takes in a file,
    and gives the IRIs by which it can be imported.
    """
    pending = list(locations.files)
    files: dict[Path, set[str]] = {}  # each with its IRIs
    while True:
        for path in pending:
            if path.resolve() not in {known.resolve() for known in files}:
                files[path] = read(path)
        imported, own = imports()
        present = {name.rstrip("#/") for name in own}
        missing = {
            iri
            for iri in imported
            if iri.rstrip("#/") not in present and not any(provides(p, names, iri) for p, names in files.items())
        }
        paths = {iri: locations.find(iri) for iri in sorted(missing)}
        known = {path.resolve() for path in files}
        pending = [path for path in paths.values() if path is not None and path.resolve() not in known]
        if not pending:
            notes = [*locations.notes.values(), *doubtful_imports(files, imported)]
            unasked = [
                str(path)
                for path in locations.files
                if path in files and not any(provides(path, files[path], iri) for iri in imported)
            ]
            notes += [f"{path} is added, though nothing imports it ({{imports}})" for path in unasked]
            return ImportsRead([iri for iri, path in paths.items() if path is None], [*map(Message, notes)], unasked)


def report_missing_imports(facts: Facts, path: str) -> None:
    """Warn that links of imports are missing; of metadata without concepts here it is a note."""
    if not facts.imports:
        return
    names = list(facts.names)
    concepts = (names[concept] for concept in {*facts.concepts, *facts.children, *facts.parents})
    offers, metadata = missing_imports(facts.imports, concepts, path)
    if offers:
        one = len(offers) == 1
        problem = f"import{'s' * (not one)} not found: {listed(offers)}; {'its' if one else 'their'} links are missing"
        options = [f"{{imports={offer}}}" for offer in offers.values() if offer is not None] or ["{imports}"]
        facts.warnings.insert(0, sentence(problem, advice=f"Set {' '.join(options)}."))
    if metadata:
        problem = "imported metadata vocabularies are not read (none of their terms is a concept here)"
        facts.notes.append(f"{problem}: {listed(metadata)}")


def missing_imports(
    imports: Iterable[str], concepts: Iterable[str], path: str
) -> tuple[dict[str, Path | None], list[str]]:
    """Of unresolved imports those that may have concepts, each with a file that may be it, and mere metadata.

    concepts: names of the concepts, which may be those of a metadata vocabulary; path: the importing file.
    """
    vocabulary_of = {iri: _vocabulary(iri) for iri in sorted(set(imports))}
    named = [vocabulary for vocabulary in vocabulary_of.values() if vocabulary is not None]
    used = {name for concept in (concepts if named else ()) for name in named if _is_at(concept, (name,))}
    importing = Path(path)
    offers = {
        iri: offered_file(importing, iri) if importing.is_file() else None
        for iri, vocabulary in vocabulary_of.items()
        if vocabulary is None or vocabulary in used
    }
    return offers, [iri for iri in vocabulary_of if iri not in offers]


def note_useless_imports(facts: Facts, imports: Sequence[str | Path], format: str) -> None:
    """Say that a format imports nothing; LoadError if a file that was named does not exist."""
    for path in map(Path, imports):
        if not path.exists():
            raise LoadError("no such file", advice="Check the path.", path=str(path))
    if imports:
        facts.notes.append(Message(f"{format} has no imports; none is read ({{imports}})"))


def unimportable(path: str, format: str, allowed: str = "RDF or OWL") -> LoadError:
    """The error about an imported file of a format that has no triples."""
    return LoadError(f"an import must be {allowed}, not {format}", advice="Convert it.", path=path)


def _vocabulary(iri: str) -> str | None:
    """The metadata vocabulary that is imported by an IRI."""
    return next((name for name, addresses in _METADATA.items() if _is_at(iri, addresses)), None)


def _is_at(iri: str, addresses: tuple[str, ...]) -> bool:
    return iri.removeprefix("https://").removeprefix("http://").startswith(addresses)


class ImportsRead(NamedTuple):
    """What came of imports: those not found, notes, and the files that were added though nothing imports them."""

    missing: list[str]
    notes: list[Message]
    unasked: list[str]


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
            files.sort(key=lambda path: not _has_name_of(path, iri))
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

    def _is_beside(self, file: Path) -> bool:
        return self._beside is not None and file.resolve().parent == self._beside


def offered_file(importing: Path, iri: str) -> Path | None:
    """A file beside the importing one that may be what an import means, though nothing says to read it.

    That of the catalogue there, else one that is named after the import; of several such files none.
    """
    folder = importing.parent
    catalogue = folder / CATALOG
    if catalogue.is_file():
        with suppress(LoadError):
            meant = _catalogue(catalogue).get(iri)
            if meant is not None and meant.is_file():
                return meant
    files = [path for path in sorted(folder.iterdir()) if path.is_file() and _is_named_after(path, iri)]
    others = [path for path in files if not path.samefile(importing)]
    others = [path for path in others if _has_name_of(path, iri)] or others
    return others[0] if len(others) == 1 else None


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
            own = min((name for name in read[files[0]] if ":" in name), key=lambda name: (len(name), name))
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
    """True for `wine.ttl`, `wine.rdfxml.owl` and `wine` of the import `http://.../wine` or `http://.../wine.owl`."""
    last, name, known = _last_part(iri), Path(unpacked_name(path.name)), suffixes()
    if not last or name.name == last:
        return bool(last)
    while name.suffix in known:
        name = name.with_suffix("")
        if name.name in (last, Path(last).stem):
            return True
    return False


def _has_name_of(path: Path, iri: str) -> bool:
    """True for `wine.owl` alone of the import `http://.../wine.owl`."""
    return unpacked_name(path.name) == _last_part(iri)


def _last_part(iri: str) -> str:
    return unquote(urlsplit(iri.rstrip("#/")).path.rsplit("/", 1)[-1]).lower()


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
