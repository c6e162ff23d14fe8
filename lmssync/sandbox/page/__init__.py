"""page: the catalog as learners would see it, with the newest requests beside it.

Plain HTML for a person's browser, without a script and without a byte from elsewhere; no part of
the platform.
"""
