"""What is computed around scores: explanations, tests, agreement, confusion, values of pairs. No code here."""
