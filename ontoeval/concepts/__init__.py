"""What the measures between concepts share: pairs of concepts, ancestors, path lengths, information content."""
