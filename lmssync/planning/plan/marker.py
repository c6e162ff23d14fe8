"""The mark that identifies a resource when the answer to its create was lost."""

import hashlib
import re
from collections.abc import Callable

from ...kinds import KINDS
from ...resource import Address, Resource
from ...settings import Platform
from ...state import Store
from ...vocabulary.limits import SKU

_DIGITS = 10
NONE = "none"


def derive_marker(address: Address, left: int = 0) -> str:
    """Makes a mark that never changes for an address and is short enough for a sku (O18).

    People can read it, since a person may have to look for it in the admin interface. A resource
    that moves away keeps its mark: `left` counts the moves, so that the next one gets another mark.
    """
    whose = f"{address} {left}" if left else str(address)
    digest = hashlib.sha256(whose.encode()).hexdigest()[:_DIGITS]
    readable = re.sub(r"[^a-z0-9]+", "-", address.key.lower()).strip("-")
    return f"ls-{readable[: SKU - _DIGITS - 4].strip('-')}-{digest}"


def mark_of_author(resource: Resource, platform: Platform) -> str | None:
    """The mark that a manifest sets itself, which is the only mark on what was made by hand."""
    field = _marker_field(resource, platform)
    return f"{field}={resource.facts[field]}" if field and resource.facts.get(field) else None


def choose_markers(platform: Platform, store: Store) -> Callable[[Resource], str | None]:
    """Says which mark something new will carry."""
    left = store.count_moves_away()

    def mark(resource: Resource) -> str | None:
        return marker_of(resource, platform, left.get(resource.address, 0))

    return mark


def marker_of(resource: Resource, platform: Platform, left: int = 0) -> str | None:
    """The author's own mark, else a derived one where the project file names a field for it.

    Written `field=value`, as the kind's create and match understand it.
    """
    field = _marker_field(resource, platform)
    if not field or field == NONE:
        return None
    return f"{field}={resource.facts.get(field) or derive_marker(resource.address, left)}"


def _marker_field(resource: Resource, platform: Platform) -> str | None:
    setting = KINDS[resource.address.kind].calls.marker_setting
    return getattr(platform, setting) if setting else None
