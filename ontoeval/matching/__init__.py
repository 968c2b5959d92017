"""Which learned concept is which gold concept."""
