"""page: the catalog as learners would see it, and the newest requests on a page of their own.

Plain HTML for a person's browser, without a script and without a byte from elsewhere; no part of
the platform.
"""
