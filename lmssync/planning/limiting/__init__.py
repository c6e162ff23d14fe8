"""limiting: which changes of a catalog a plan is about, where somebody wants only some of them.

It asks the catalog, the state and git; the platform is not asked.
"""

from .choosing import limit_changes as limit_changes, widen_extent as widen_extent
