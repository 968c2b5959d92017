"""Reader of Alignment XML (OAEI): cells; which relation words mean equivalence (IRIs: `SAME`, mapping_rows.py)."""

from __future__ import annotations

from dataclasses import dataclass, field
from xml.parsers import expat

from ontoeval.errors import LoadError
from ontoeval.load import terms
from ontoeval.load.input import Input
from ontoeval.load.mappings.mapping_rows import KINDS, SAME, Pairs, confidence
from ontoeval.load.safety import check_xml, not_well_formed, open_xml

ALIGNMENT = "http://knowledgeweb.semanticweb.org/heterogeneity/alignment"
_SAME_WORDS = {"=", "==", "≡", "equivalence", "equivalent", "equivrelation"}


def alignment_cells(source: Input, text: str) -> Pairs:
    """The cells of the Alignment format; read as XML, since not every such file is valid RDF/XML."""
    root, _ = check_xml(source)
    with open_xml(source) as stream:
        data = stream.read()
    # what declares entities was rewritten to one line: the lines after it have other numbers than in the file
    reader = _CellReader(source, text.count("\n") - data.count(b"\n"))
    reader.read(data)
    if not reader.is_alignment:
        raise LoadError(
            f"XML with the root element <{root.rpartition(' ')[2]}> has no <Alignment> in the namespace {ALIGNMENT}",
            advice=f"Use {KINDS}.",
            path=source.name,
            format="xml",
        )
    yield from reader.rows


@dataclass
class _Cell:
    """A cell of an alignment: two names, a measure and a relation."""

    line: int
    texts: dict[str, str] = field(default_factory=dict)
    compound: bool = False  # an end is an expression, not a name


class _CellReader:
    """Follows the elements of a file: which cell, and which part of it, the parser is in."""

    def __init__(self, source: Input, shift: int) -> None:
        self.source, self.shift = source, shift
        self.is_alignment = False
        self.rows: list[tuple[str, str, float] | None] = []
        self.cell: _Cell | None = None
        self.part = ""
        self.depth = 0  # below the part
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text

    def read(self, data: bytes) -> None:
        try:
            self.parser.Parse(data, True)
        except expat.ExpatError as error:
            error.lineno += self.shift
            raise not_well_formed(self.source.name, error) from None

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        element = _alignment_name(name)
        if self.part:
            self._inside(attributes)
        elif element == "Alignment":
            self.is_alignment = True
        elif element == "Cell":
            self.cell = _Cell(self.parser.CurrentLineNumber + self.shift)
            values = ((_alignment_name(key), value) for key, value in attributes.items())  # a short form of RDF/XML
            self.cell.texts = {key: value for key, value in values if key in ("measure", "relation")}
        elif self.cell and element in ("entity1", "entity2", "measure", "relation"):
            self.part = element
            self.cell.texts[element] = attributes.get(f"{terms.RDF} resource", "")

    def _inside(self, attributes: dict[str, str]) -> None:
        """An element where a name may stand: a class with its IRI, or an expression."""
        self.depth += 1
        if self.cell and self.depth == 1 and self.part.startswith("entity"):
            self.cell.texts[self.part] = attributes.get(f"{terms.RDF} about", "")
        if self.cell and (self.depth > 1 or not self.cell.texts[self.part]):
            self.cell.compound = True

    def _end(self, name: str) -> None:
        if self.depth:
            self.depth -= 1
        elif self.part:
            self.part = ""
        elif self.cell and _alignment_name(name) == "Cell":
            self.rows.append(self._row(self.cell))
            self.cell = None

    def _text(self, data: str) -> None:
        if self.cell and self.part and not self.depth:
            self.cell.texts[self.part] += data

    def _row(self, cell: _Cell) -> tuple[str, str, float] | None:
        score = confidence(cell.texts.get("measure", ""), "measure", self.source, "alignment", cell.line)
        left, right = (cell.texts.get(end, "").strip() for end in ("entity1", "entity2"))
        if cell.compound or not _is_equivalence(cell.texts.get("relation", "")):
            return None
        if not left or not right:
            raise LoadError(
                f"the cell has no {'entity1' if not left else 'entity2'}",
                advice="Add it, as rdf:resource.",
                path=self.source.name,
                format="alignment",
                line=cell.line,
            )
        return left, right, score


def _alignment_name(name: str) -> str:
    """The name of an element of the Alignment format, or nothing."""
    namespace, _, local = name.rpartition(" ")
    return local if namespace.removesuffix("#") == ALIGNMENT else ""


def _is_equivalence(relation: str) -> bool:
    """True for `=`, and for what tools write instead, the name of a Java class (with an address) among it."""
    word = relation.strip().strip('"')
    java = word.partition("@")[0].rpartition(".")[2]
    return not word or word in SAME or java.casefold() in _SAME_WORDS
