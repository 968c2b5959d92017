"""Layouts TSV and CSV: joins the cells of each row (texts of cells, missing values, TABs in cells: table.py)."""

from __future__ import annotations

import csv
import io

from ontoeval.tables.text_table import TextTable


def tsv_text(table: TextTable) -> str:
    return "".join("\t".join(line) + "\n" for line in table.exact_texts)


def csv_text(table: TextTable) -> str:
    target = io.StringIO()
    csv.writer(target, lineterminator="\n").writerows(table.exact_texts)
    return target.getvalue()
