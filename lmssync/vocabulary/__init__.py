"""vocabulary: the platform's own words, as data and pure rules.

Everything here restates the specification: enums, limits, error envelopes, the route
table and the normalisers. It imports nothing of ours, so that the client and the sandbox
can both rest on it without knowing each other.
"""
