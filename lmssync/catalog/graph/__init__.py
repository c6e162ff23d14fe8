"""graph: what refers to what in a catalog, and the order that follows from it.

It sees references and facts, and asks the kinds what they mean; it does not know the kinds itself.
"""

from .creation_order import depth_levels as depth_levels
from .lifecycle_checks import identity_fields as identity_fields
from .reference_checks import (
    judge_catalog as judge_catalog,
    settle_references_inside as settle_references_inside,
)
