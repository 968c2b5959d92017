"""A drawing as PDF or PNG by matplotlib, which only puts the shapes in their places; equal figures have equal bytes."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ontoeval.errors import MissingInputError, printable
from ontoeval.report.figures.drawing import Circles, Drawing, Outline, Shape, Words
from ontoeval.report.figures.marks import GROUND, Stroke

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.transforms import Transform

_DPI = 300
_METADATA: dict[str, dict[str, Any]] = {
    "pdf": {"Creator": "ontoeval", "Producer": None, "CreationDate": None},
    "png": {"Software": "ontoeval"},
}
_SETTINGS: dict[Any, Any] = {"font.family": "DejaVu Sans", "pdf.fonttype": 42}  # text stays text
_ANCHORS = {"start": "left", "middle": "center", "end": "right"}


def check_matplotlib() -> None:
    """MissingInputError without matplotlib."""
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError:
        advice = "Run `pip install 'ontoeval-toolkit[plot]'`, or write .svg, which needs nothing."
        raise MissingInputError("a figure as .pdf or .png needs matplotlib", advice=advice) from None


def write_drawing(drawing: Drawing, path: Path, kind: str) -> None:
    """Draw with our settings, whatever the user's are."""
    import matplotlib as mpl

    with mpl.rc_context(), warnings.catch_warnings():
        mpl.rcdefaults()
        mpl.rcParams.update(_SETTINGS)
        warnings.filterwarnings("ignore", message="Glyph .* missing")  # a missing letter becomes a box
        metadata = {**_METADATA[kind], **({"Title": printable(drawing.title)} if kind == "pdf" else {})}
        matplotlib_figure(drawing).savefig(path, format=kind, metadata=metadata, dpi=_DPI, facecolor=GROUND)


def matplotlib_figure(drawing: Drawing) -> Figure:
    """The shapes as artists of a figure without axes."""
    from matplotlib.figure import Figure
    from matplotlib.transforms import Affine2D

    figure = Figure(figsize=(drawing.width / 72, drawing.height / 72))
    page = Affine2D().scale(1 / 72, -1 / 72).translate(0, drawing.height / 72) + figure.dpi_scale_trans
    for shape in (shape for group in drawing.groups for shape in group.shapes):
        _add(figure, page, shape)
    return figure


def _add(figure: Figure, page: Transform, shape: Shape) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Polygon

    match shape:
        case Outline() if shape.closed:
            edge: dict[str, Any] = {"edgecolor": "none"} if shape.stroke is None else _line(shape.stroke, "edgecolor")
            style = {**edge, "facecolor": shape.fill, "alpha": shape.opacity, "transform": page}
            figure.add_artist(Polygon(shape.points, closed=True, **style))
        case Outline() if shape.stroke is not None:
            x, y = zip(*shape.points, strict=True)
            style = {**_line(shape.stroke, "color"), "alpha": shape.opacity, "transform": page}
            figure.add_artist(Line2D(x, y, solid_capstyle="butt", dash_capstyle="butt", **style))
        case Circles() if shape.centres:
            x, y = zip(*shape.centres, strict=True)
            circles = Line2D(
                x, y, linestyle="none", marker="o", markersize=2 * shape.radius, markerfacecolor=shape.fill,
                markeredgecolor=shape.stroke.colour, markeredgewidth=shape.stroke.width, alpha=shape.opacity,
                transform=page,
            )  # fmt: skip
            figure.add_artist(circles)
        case Words():
            figure.text(
                *shape.at, printable(shape.text), fontsize=shape.size, color=shape.colour, transform=page,
                ha="center" if shape.upwards else _ANCHORS[shape.anchor], va="baseline", parse_math=False,
                fontweight="bold" if shape.bold else "normal", rotation=90 if shape.upwards else 0,
                rotation_mode="anchor",
            )  # fmt: skip


def _line(stroke: Stroke, colour: str) -> dict[str, Any]:
    style = (0, tuple(length / stroke.width for length in stroke.dash)) if stroke.dash else "-"
    return {colour: stroke.colour, "linewidth": stroke.width, "linestyle": style}
