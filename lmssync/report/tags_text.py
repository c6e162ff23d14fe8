"""The tags of a catalog, and what uses them."""

from collections.abc import Mapping, Sequence
from typing import Any

from ..resource import Address
from ..support.visible import escape_invisible
from . import words

Used = Mapping[str, Sequence[Address]]
"""Addresses by the label of a tag, in the order in which they are shown."""


def tags_text(used: Used, *, whole: bool) -> str:
    """One line per tag with the number of its users; `whole` lists them."""
    if whole:
        return "".join(
            f"{escape_invisible(str(address))}\n" for users in used.values() for address in users
        )
    if not used:
        return "The catalog uses no tags.\n"
    width = max(len(escape_invisible(label)) for label in used)
    lines = [
        f"{escape_invisible(label):<{width}}  {words.count_noun(len(users), 'resource')}"
        for label, users in used.items()
    ]
    return "\n".join(lines) + "\n"


def tags_json(used: Used) -> dict[str, Any]:
    return {
        "format": "lmssync.tags/1",
        "tags": [
            {"label": label, "resources": list(map(str, users))} for label, users in used.items()
        ],
    }
