"""Measures of annotated texts, document labels and rankings."""
