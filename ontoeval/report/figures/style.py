"""Shared by figures: svg or png (`check_plot`), matplotlib settings, `empty_figure`, `write_figure`, some colours."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ontoeval.errors import MissingInputError, ParameterError
from ontoeval.files import replacing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = ("svg", "png")
DPI = 150
POINT, LINE, WORD, FRAME = "#0072B2", "#555555", "#222222", "#999999"  # dark on white: readable in grey, too
_SETTINGS: dict[Any, Any] = {
    "svg.hashsalt": "ontoeval",  # else the ids differ from run to run
    "svg.fonttype": "none",  # text stays text
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.edgecolor": FRAME,
    "axes.linewidth": 0.8,
    "xtick.color": LINE,
    "ytick.color": LINE,
}


def check_plot(path: str | Path) -> str:
    """The format by the suffix; an error if it is not svg or png, or matplotlib is not installed."""
    kind = Path(path).suffix.lower().lstrip(".")
    if kind not in FORMATS:
        raise ParameterError(
            f"unknown suffix {Path(path).suffix!r}",
            place=str(path),
            advice="Use one of: .svg .png.",
            parameter="path",
        )
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError:
        raise MissingInputError(
            "a plot needs matplotlib", advice="Run `pip install 'ontoeval-toolkit[plot]'`."
        ) from None
    return kind


def write_figure(draw: Callable[[], Figure], path: str | Path, kind: str) -> None:
    """Draw with our settings, whatever the user's are, and replace the target when the file is complete."""
    import matplotlib as mpl

    with mpl.rc_context(), warnings.catch_warnings():
        mpl.rcdefaults()
        mpl.rcParams.update(_SETTINGS)
        warnings.filterwarnings("ignore", message="Glyph .* missing")  # a missing letter becomes a box
        figure = draw()
        metadata = {"Date": None, "Creator": "ontoeval"} if kind == "svg" else {"Software": "ontoeval"}
        with replacing(path) as place:
            figure.savefig(place, format=kind, metadata=metadata, dpi=DPI)


def empty_figure(across: int, down: int, width: float, height: float) -> tuple[Figure, list[Axes]]:
    """A figure in which texts can be measured, and its panels."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    engine = ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.12)
    figure = Figure(figsize=(across * width, down * height), dpi=DPI, layout=engine)
    FigureCanvasAgg(figure)
    figure.set_gid("figure")
    panels = list(figure.subplots(down, across, squeeze=False).ravel())
    return figure, panels


def remove_frame(panel: Axes) -> None:
    """Remove the frame above and to the right."""
    for side in ("top", "right"):
        panel.spines[side].set_visible(False)
