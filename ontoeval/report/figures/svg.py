"""A drawing as SVG: text stays text, the same figure has the same bytes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from ontoeval.errors import printable
from ontoeval.report.figures.drawing import Circles, Drawing, Outline, Shape, Words
from ontoeval.report.figures.layout import MM
from ontoeval.report.figures.marks import GROUND, Point, Stroke

_FONTS = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def svg_text(drawing: Drawing) -> str:
    """The file, one shape a line."""
    size = " ".join(f'{side}="{_number(length / MM)}mm"' for side, length in _sides(drawing))
    view = f"0 0 {_number(drawing.width)} {_number(drawing.height)}"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="{view}" role="img" font-family="{_FONTS}">',
        f"<title>{_text(drawing.title)}</title>",
        f"<desc>{_text(drawing.description)}</desc>",
        f'<rect width="100%" height="100%" fill="{GROUND}"/>',
    ]
    for group in drawing.groups:
        lines.append(f'<g id="{group.name}">')
        for shape in group.shapes:
            lines += _elements(shape)
        lines.append("</g>")
    return "\n".join([*lines, "</svg>", ""])


def _sides(drawing: Drawing) -> list[tuple[str, float]]:
    return [("width", drawing.width), ("height", drawing.height)]


def _elements(shape: Shape) -> Iterator[str]:
    match shape:
        case Outline():
            path = "M" + "L".join(map(_point, shape.points)) + "Z" * shape.closed
            style = f'fill="{shape.fill or "none"}"{_stroke(shape.stroke)}{_opacity(shape.opacity)}'
            yield f'<path d="{path}" {style}{_end_tag("path", shape.description)}'
        case Circles():
            yield f'<g fill="{shape.fill}"{_stroke(shape.stroke)}{_opacity(shape.opacity)}>'
            for number, centre in enumerate(shape.centres):
                description = shape.descriptions[number] if shape.descriptions else ""
                place = f'cx="{_number(centre[0])}" cy="{_number(centre[1])}" r="{_number(shape.radius)}"'
                yield f"<circle {place}{_end_tag('circle', description)}"
            yield "</g>"
        case Words():
            x, y = map(_number, shape.at)
            turned = f' transform="rotate(-90 {x} {y})"' if shape.upwards else ""
            anchor = "" if shape.anchor == "start" else f' text-anchor="{shape.anchor}"'
            weight = ' font-weight="600"' if shape.bold else ""
            style = f'font-size="{_number(shape.size)}" fill="{shape.colour}"{anchor}{weight}{turned}'
            yield f'<text x="{x}" y="{y}" {style}>{_text(shape.text)}</text>'


def _end_tag(element: str, description: str) -> str:
    """The end of an element, with a title if there is a description."""
    return f"><title>{_text(description)}</title></{element}>" if description else "/>"


def _stroke(stroke: Stroke | None) -> str:
    if stroke is None:
        return ""
    dash = f' stroke-dasharray="{" ".join(map(_number, stroke.dash))}"' if stroke.dash else ""
    return f' stroke="{stroke.colour}" stroke-width="{_number(stroke.width)}"{dash}'


def _opacity(opacity: float) -> str:
    return "" if opacity == 1 else f' opacity="{_number(opacity)}"'


def _point(point: Point) -> str:
    return f"{_number(point[0])} {_number(point[1])}"


def _number(value: float) -> str:
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")  # + 0.0: no minus before 0


def _text(text: str) -> str:
    """As XML can have it, and nobody's renderer obeys."""
    return escape(_NOT_XML.sub("\N{REPLACEMENT CHARACTER}", printable(text)))
