"""How much a catalog may hold: far more than real ones do, and little enough to be read in time.

What is larger is refused in words. A file of a stranger must not keep a machine busy.
"""

MANIFEST_BYTES = 64 * 1024 * 1024
"""Of any file of YAML."""
BODY_BYTES = 8 * 1024 * 1024
"""Of a body or a table in a file of its own."""
FORMAT_BYTES = 8 * 1024 * 1024
"""Of a file that `fmt` puts in order although only ruamel.yaml reads it, as one with tabs: it takes
a second or two for each million."""
VALUES = 1_000_000
"""Of a file, once its aliases are written out."""
MERGED = 200_000
"""Keys that the merge keys (`<<`) of a file stand for."""
MISTAKES = 500
"""Told of one document: each takes a search for what was meant."""
FOLDERS = 100
"""So many folders may stand inside each other."""
