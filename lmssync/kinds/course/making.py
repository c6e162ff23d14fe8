"""The call that makes a course, described as a value (spec 2.2, 4)."""

from ...address import Address
from ...resource import Form
from ..call_part import CallPart
from ..refers import rewire
from .form import REFERS
from .twins import first_ones
from .wire import CREATE, plain

STRUCTURE = ("sections", "topics", "articleVariant")


def create(address: Address, form: Form, marker: str | None) -> CallPart:
    """One entry of `courseAttributes`; the marker, `sku=...`, goes in where the author set none.

    Parts that must wait for their twins are left to `update`.
    """
    after = first_ones(form)
    entry = {key: value for key, value in rewire(REFERS, after).items() if value is not None}
    entry |= {key: plain(entry[key]) for key in STRUCTURE if key in entry}
    if marker:
        field, _, value = marker.partition("=")
        entry.setdefault(field, value)
    body = {"courseAttributes": [entry]}
    part_of_it = None if after == form else after
    return CallPart.of(address, CREATE, body, part_of_it, adds=True, repeatable=False)
