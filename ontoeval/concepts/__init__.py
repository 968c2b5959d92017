"""What the measures between concepts share: ancestors, paths, information content."""
