"""Readers of plain tables: rated pairs, corpus counts, lists of names, BDM scores of GATE."""
