"""cache: remembers what came of each file, and how a whole validation ended."""
