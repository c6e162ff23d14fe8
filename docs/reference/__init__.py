"""reference: the parts of the documents that are made from the code, so that they cannot lag."""
