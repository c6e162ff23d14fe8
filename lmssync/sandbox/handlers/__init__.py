"""handlers: the routes of the platform, one module for what belongs together.

A handler reads a call, checks it, changes the platform's documents and returns an answer. It
knows nothing of keys, throttling or envelopes; `route_bindings` says which route it serves.
"""
