"""documents: a file of the catalog as documents, and where in the file each value stands."""
