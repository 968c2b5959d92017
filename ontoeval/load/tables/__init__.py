"""Tables about concepts in: ratings, counts, scores."""
