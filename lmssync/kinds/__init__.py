"""kinds: the kinds of resources that are kept in sync, one package each, declarations only.

A kind says what an author may write, how that is read back and which calls change it, all as
values. It performs nothing: the stages do that, and they never ask for a kind's name.
"""

from ..kind import Kind as Kind
from . import (
    client,
    completion_criterion,
    course,
    license,  # noqa: A004 - the kind is called so
    license_assignment,
    purchase_path,
)

KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        course.KIND,
        completion_criterion.KIND,
        client.KIND,
        license.KIND,
        license_assignment.KIND,
        purchase_path.KIND,
    )
}
"""By first word of the address, in the order in which people read a plan."""

BY_RESOURCE: dict[str, Kind] = {kind.resource: kind for kind in KINDS.values()}
"""By the word that stands under `resource:`."""
