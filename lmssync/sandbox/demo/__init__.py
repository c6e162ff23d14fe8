"""demo: the company that a sandbox holds where no seed is given.

A seed like any other, with fixed ids; what happens in it on demand is made by `open_school`.
"""

from .company import demo_company as demo_company
from .learners import open_school as open_school
