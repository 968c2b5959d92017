"""Draw docs/terminal.svg, what a terminal shows of the main job: `python docs/terminal.py`, again after each change."""

from __future__ import annotations

import os
from pathlib import Path
from xml.sax.saxutils import escape

from click.testing import CliRunner

from ontoeval.cli import main

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "terminal.svg"
COMMAND = "ontoeval compare oc1.ttl oc4.ttl --gold or2.ttl --errors"
FOLDER = ROOT / "fixtures" / "dellschaft2006"
COLUMNS = 72
CHARACTER, LINE, MARGIN, SIZE = 8.4, 19, 20, 14  # pixels

# The fonts are those of the reader's system; textLength keeps the columns straight in any of them.
STYLE = """
  .page { fill: #f6f8fa; stroke: #d0d7de }
  text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1f2328 }
  .command { font-weight: bold }
  @media (prefers-color-scheme: dark) { .page { fill: #0d1117; stroke: #3d444d } text { fill: #e6edf3 } }
"""


def screen() -> str:
    """What the command prints."""
    before = Path.cwd()
    os.chdir(FOLDER)
    try:
        result = CliRunner().invoke(main, COMMAND.split()[1:], env={"COLUMNS": str(COLUMNS)})
    finally:
        os.chdir(before)
    if result.exit_code:
        raise SystemExit(result.stderr)
    return result.stdout


def svg(lines: list[str]) -> str:
    """Lines of a terminal as a picture; the first is the command."""
    width = 2 * MARGIN + COLUMNS * CHARACTER
    height = 2 * MARGIN + len(lines) * LINE - (LINE - SIZE)
    rows = [_row(number, line) for number, line in enumerate(lines) if line]
    size = f'viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" height="{height}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">'
    title = f"<title>{escape(lines[0])}</title>"
    page = f'<rect class="page" x="0.5" y="0.5" width="{width - 1:.0f}" height="{height - 1}" rx="8"/>'
    return "\n".join([head, title, f"<style>{STYLE}</style>", page, *rows, "</svg>"]) + "\n"


def _row(number: int, line: str) -> str:
    place = f'x="{MARGIN}" y="{MARGIN + SIZE - 3 + number * LINE}" textLength="{len(line) * CHARACTER:.1f}"'
    kind = 'class="command" ' if number == 0 else ""
    return f'<text {kind}{place} xml:space="preserve">{escape(line)}</text>'


def picture() -> str:
    """The whole file."""
    return svg([f"$ {COMMAND}", *screen().splitlines()])


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
