"""How long runs of the tests wait for an answer."""

PATIENCE = 60
"""Seconds that an answer may take on however slow a machine."""
