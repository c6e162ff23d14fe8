"""operations: what is done to learners by a list, each row once: forgiving, recording.

It knows the rules of the rows, their routes and the journal; it knows no catalog and no kind. Its
modules are imported one by one: a catalog is checked without those that need the network.
"""
