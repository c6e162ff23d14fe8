"""sync: what the catalog and the world outside tell each other, beside a plan and its apply.

Imports from the platform and from other systems, values that people changed, drift, comparisons,
and the rounds of a watch. Nothing here creates anything on the platform.
"""
