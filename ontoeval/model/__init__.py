"""Frozen, array-backed values (ontology, hierarchy, labels, instances, corpus) and what follows from them alone."""
