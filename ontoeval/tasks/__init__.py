"""Tasks: the inputs that a measure is computed on, and the arrays that several measures share; never scores."""
