"""limiting: which changes of a catalog a plan is about, where somebody wants only some of them.

It asks the catalog, the state and git; the platform is not asked.
"""

from .choosing import limited as limited, widened as widened
