"""demo: the company that a sandbox holds where no seed is given.

A seed like any other, with fixed ids; `learners` and `courses` are what happens in it on demand.
"""

from .company import company

__all__ = ["company"]
