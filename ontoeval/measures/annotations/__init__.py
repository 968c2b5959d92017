"""Measures of annotated spans of texts, of the labels of documents and of ranked labels: no code here."""
