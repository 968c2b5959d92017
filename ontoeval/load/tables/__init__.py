"""Readers of plain tables: rated pairs, corpus counts, BDM scores of GATE."""
