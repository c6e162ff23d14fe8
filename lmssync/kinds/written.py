"""Values of the platform as an author would write them."""

from collections.abc import Mapping
from typing import Any

_MIDNIGHT = "T00:00:00.000Z"


def as_written_date(moment: str) -> str:
    """A moment without what says nothing: a day for its midnight, no thousandths of none."""
    return (
        moment.removesuffix(_MIDNIGHT)
        if moment.endswith(_MIDNIGHT)
        else moment.replace(".000Z", "Z")
    )


def drop_unset_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that have a value: neither null nor empty."""
    return {name: value for name, value in fields.items() if value not in (None, "", [], {})}
