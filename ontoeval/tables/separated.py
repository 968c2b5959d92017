"""The layouts TSV and CSV: full precision, a line for each row."""

from __future__ import annotations

import csv
import io

from ontoeval.tables.table import Table


def tsv_text(table: Table) -> str:
    return "".join("\t".join(line) + "\n" for line in table.exact_texts)


def csv_text(table: Table) -> str:
    target = io.StringIO()
    csv.writer(target, lineterminator="\n").writerows(table.exact_texts)
    return target.getvalue()
