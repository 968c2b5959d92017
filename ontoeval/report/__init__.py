"""Results for people: the tables, remarks and JSON documents that commands print, and figures."""
