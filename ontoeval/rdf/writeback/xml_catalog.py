"""`with_entry`: text of Protégé's catalog-v001.xml with an entry for the judged file (read: ontologies/imports.py)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote
from xml.dom import minidom
from xml.parsers import expat

from ontoeval.errors import LoadError, OntoevalError
from ontoeval.load.input import open_input
from ontoeval.load.safety import check_xml

_ENTRY = "ontoeval"  # id of the entries that ontoeval writes


def with_entry(path: Path, iri: str, file: Path) -> str | None:
    """The catalogue with an entry for the file; None if it has that already."""
    address = quote(Path(os.path.relpath(file.resolve(), path.parent.resolve())).as_posix())
    if not path.exists():
        document = minidom.parseString(  # noqa: S318
            '<catalog prefer="public" xmlns="urn:oasis:names:tc:entity:xmlns:xml:catalog">\n</catalog>'
        )
    else:
        source = open_input(path)
        check_xml(source)
        try:
            with source.open() as stream:
                document = minidom.parseString(stream.read())  # noqa: S318
        except expat.ExpatError as error:
            raise LoadError(f"not a valid XML catalog: {error}", advice="Correct it.", path=str(path)) from None
    root: Any = document.documentElement
    for entry in [*root.getElementsByTagName("*")]:
        if entry.tagName.rpartition(":")[2] == "uri" and entry.getAttribute("name") == iri:
            listed = path.parent / unquote(entry.getAttribute("uri").removeprefix("file:").removeprefix("//"))
            if listed.exists() and listed.resolve() == file.resolve():
                return None
            if listed.exists() and entry.getAttribute("id") != _ENTRY:
                raise OntoevalError(
                    f"the catalog maps {iri} to {listed}, not to {file}",
                    place=str(path),
                    advice="Write the overlay to another directory, or correct the catalog.",
                )
            entry.setAttribute("id", _ENTRY)  # its file is gone, or ontoeval wrote it
            entry.setAttribute("uri", address)
            return _xml_text(document)
    prefix = root.tagName.rpartition(":")[0]
    entry = document.createElement(f"{prefix}:uri" if prefix else "uri")
    for name, value in (("id", _ENTRY), ("name", iri), ("uri", address)):
        entry.setAttribute(name, value)
    # before everything else: Protégé rewrites its own group of entries
    for added in (document.createTextNode("\n    "), entry):
        root.insertBefore(added, root.firstChild if added is not entry else root.childNodes[1])
    return _xml_text(document)


def _xml_text(document: minidom.Document) -> str:
    return document.toxml(encoding="UTF-8").decode("utf-8") + "\n"
