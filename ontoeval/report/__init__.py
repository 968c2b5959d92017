"""Results for people: text, tables and figures."""
