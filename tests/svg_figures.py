"""What an SVG figure shows, read back from the file: points, texts, and the lines of its axes."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path

SVG = "{http://www.w3.org/2000/svg}"
AXIS = "#cfccc5"  # the colour of the lines of axes


@dataclass(frozen=True)
class Text:
    x: float
    y: float
    size: float
    anchor: str
    text: str
    bold: bool
    turned: bool


@dataclass(frozen=True)
class Dot:
    x: float
    y: float
    description: str


class SvgFigure:
    def __init__(self, source: Path | str) -> None:
        self.source = source.read_text(encoding="utf-8") if isinstance(source, Path) else source
        self.root = ET.fromstring(self.source)
        _, _, self.width, self.height = map(float, self.root.attrib["viewBox"].split())

    @property
    def title(self) -> str:
        return self.root.findtext(f"{SVG}title") or ""

    @property
    def description(self) -> str:
        return self.root.findtext(f"{SVG}desc") or ""

    def groups(self) -> list[str]:
        return [group.attrib["id"] for group in self.root.iter(f"{SVG}g") if "id" in group.attrib]

    def group(self, name: str) -> ET.Element:
        return next(group for group in self.root.iter(f"{SVG}g") if group.get("id") == name)

    def texts(self, group: str | None = None) -> list[Text]:
        found = []
        for element in (self.root if group is None else self.group(group)).iter(f"{SVG}text"):
            at = element.attrib
            found.append(
                Text(float(at["x"]), float(at["y"]), float(at["font-size"]), at.get("text-anchor", "start"),
                     element.text or "", "font-weight" in at, "transform" in at)
            )  # fmt: skip
        return found

    def words(self, group: str | None = None) -> list[str]:
        return [text.text for text in self.texts(group)]

    def dots(self, group: str) -> list[Dot]:
        return [
            Dot(float(circle.attrib["cx"]), float(circle.attrib["cy"]), circle.findtext(f"{SVG}title") or "")
            for circle in self.group(group).iter(f"{SVG}circle")
        ]

    def paths(self, group: str, **attributes: str) -> list[list[tuple[float, float]]]:
        """The points of paths that have these attributes."""
        found = []
        for path in self.group(group).iter(f"{SVG}path"):
            if all(path.get(name.replace("_", "-")) == value for name, value in attributes.items()):
                numbers = [float(number) for number in re.findall(r"-?[\d.]+", path.attrib["d"])]
                found.append(list(zip(numbers[::2], numbers[1::2], strict=True)))
        return found

    def horizontal(self, group: str) -> tuple[float, float]:
        """Left and right end of the horizontal axis, by its line."""
        line = next(p for p in self.paths(group, stroke=AXIS, stroke_width="0.8") if p[0][1] == p[1][1])
        return line[0][0], line[1][0]

    def vertical(self, group: str) -> tuple[float, float]:
        """Lower and upper end of the vertical axis, by its line."""
        line = next(p for p in self.paths(group, stroke=AXIS, stroke_width="0.8") if p[0][0] == p[1][0])
        return line[0][1], line[1][1]
