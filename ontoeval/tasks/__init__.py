"""What a measure is computed on."""
