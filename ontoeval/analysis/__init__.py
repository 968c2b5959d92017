"""What scores mean: explanations, tests, agreement, confusion."""
