"""What a clone of a client has, and what it has not (spec 4, clone rules 4 and 5)."""

import copy
import uuid
from typing import Any

from ..data.blanks import BLOCKS, COPIED, DESIGN, LAYOUTS, NOT_COPIED
from ..documents import Doc
from ..platform import Platform

_OF_LICENSE = ("id", "clientId", "createdAt", "updatedAt", *DESIGN)
"""What each copied license has of its own; everything else is copied, seatsLimit and sku too:
the ones that rule 5 names are the client's."""


def copy_client(platform: Platform, source: Doc, *, name: str, slug: str) -> Doc:
    """Keep a new client like `source`; its document.

    No user is copied, so that nobody holds the new licenses: their seats in use, which are
    counted and never stored, begin at none.
    """
    stamp = platform.clock.stamp()
    dates = {"createdAt": stamp, "updatedAt": stamp}
    fields = {field: copy.deepcopy(source.get(field, COPIED[field])) for field in COPIED}
    begun = copy.deepcopy(NOT_COPIED)
    client = platform.objects.add(
        "clients", {"name": name, "slug": slug, "generated": True, **fields, **begun, **dates}
    )
    new_ids = _copy_licenses(platform, source["id"], client["id"], dates=dates)
    client["primaryLicenseId"] = new_ids.get(source.get("primaryLicenseId") or "")
    client |= design_of(source, owner=client["id"])
    platform.objects.save("clients", client)
    return client


def _copy_licenses(
    platform: Platform, source_id: str, client_id: str, *, dates: Doc
) -> dict[str, str]:
    """New licenses with their parent links; the new ids by the old. A parent elsewhere stays."""
    copies, new_ids = [], {}
    for license_ in platform.objects.owned("licenses", source_id):
        fields = {name: value for name, value in license_.items() if name not in _OF_LICENSE}
        made = platform.objects.add("licenses", {"clientId": client_id, **fields, **dates})
        new_ids[license_["id"]] = made["id"]
        copies.append(made | design_of(license_, owner=made["id"]))
    for made in copies:
        parent = made.get("parentLicenseId")
        platform.objects.save("licenses", made | {"parentLicenseId": new_ids.get(parent, parent)})
    return new_ids


def design_of(source: Doc, *, owner: str) -> Doc:
    """Blocks as they are, layouts with widgets of their own, a new hash where there was one."""
    design = {name: copy.deepcopy(source.get(name)) for name in BLOCKS}
    design |= {name: _with_new_widgets(source.get(name), owner=owner) for name in LAYOUTS}
    had_hash = source.get("appearanceHash") is not None
    return {**design, "appearanceHash": _made_for(owner, "appearance") if had_hash else None}


def _with_new_widgets(layout: Any, *, owner: str) -> Any:
    """The layout with a new id for every object that stands in a list called `widgets`."""
    if isinstance(layout, list):
        return [_with_new_widgets(item, owner=owner) for item in layout]
    if not isinstance(layout, dict):
        return layout
    fresh = {name: _with_new_widgets(value, owner=owner) for name, value in layout.items()}
    for widget in fresh.get("widgets") or ():
        if isinstance(widget, dict) and "id" in widget:
            widget["id"] = _made_for(owner, str(widget["id"]))
    return fresh


def _made_for(owner: str, what: str) -> str:
    """An id of its own for each owner, the same in every run."""
    return str(uuid.uuid5(uuid.UUID(owner), what))
