"""Measures of two hierarchies by the instances that both have: no code here."""
