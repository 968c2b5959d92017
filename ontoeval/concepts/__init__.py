"""What the measures between concepts share: pairs, ancestors, path lengths, information content. No code here."""
