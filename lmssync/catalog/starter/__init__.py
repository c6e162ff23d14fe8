"""starter: the files of a new catalog, and of each new manifest; plain text with `@NAMES@` in it.

`dot-` at the start of a name stands for the dot, so that nothing here is hidden.
"""
