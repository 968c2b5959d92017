"""The nouns: frozen, array-backed, without any RDF library."""
