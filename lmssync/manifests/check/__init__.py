"""check: a document becomes resources, or problems."""
