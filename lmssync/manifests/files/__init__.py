"""files: the files of a catalog: which there are, what they were, how much they may hold.

It knows nothing of what stands in them.
"""
