"""What safe reads show of a key, and of the limits that count its requests."""

from collections.abc import Iterator, Mapping
from typing import Any

from ..client import Reader
from ..errors import KeyRefused, PlatformError
from ..vocabulary.enums import EventKind
from ..vocabulary.routes import CORE_ROUTES, ROUTES
from .check import Check

_NOBODY = "00000000-0000-4000-8000-000000000000"
"""An id that nothing has: the answer is 404, or that the key may not ask."""
_GUARDED: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    "path.list": {"params": {"contentId": _NOBODY}},
    "asset.list": {"query": {"limit": 1}},
    "event.list": {"params": {"kind": EventKind.COURSE_ACTION.value}},
}
"""Reads that not every key may make (spec 4), or that a tier counts (spec 8)."""
_REMEDY = "give the role of the key what it needs, in the admin interface"


def permissions(reader: Reader) -> Check:
    """What the key may read; what it may write shows only when something is written."""
    refused = list(_refused(reader))
    told = {route.permission for name in _GUARDED if (route := ROUTES[name]).permission}
    needed = {ROUTES[name].permission for name in CORE_ROUTES} - {None} - told
    unknown = f"reads do not show whether it may {', '.join(sorted(map(str, needed)))}"
    if refused:
        return Check("permissions", f"the key may not {'; '.join(refused)}. {unknown}", _REMEDY)
    return Check("permissions", f"the key may make every read that needs a permission; {unknown}")


def _refused(reader: Reader) -> Iterator[str]:
    for name, asked in _GUARDED.items():
        try:
            reader.read(name, **asked)
        except KeyRefused as error:
            needs = f" (`{ROUTES[name].permission}`)" if ROUTES[name].permission else ""
            yield f"`{name}`{needs}: {error.message}"
        except PlatformError:
            continue  # it was let in: what is wrong with such a route, a capability says


def throttle(reader: Reader) -> Check:
    """What the answers have said of limits until now; most reads have none (spec 8)."""
    if not reader.standings:
        return Check("throttle", "no answer has said anything of limits")
    said, low = [], False
    for name, standing in sorted(reader.standings.items()):
        said.append(f"`{name}` {standing.remaining:,} of {standing.limit:,} left")
        low = low or not standing.remaining
    remedy = "others use this window too: runs wait, and take longer" if low else ""
    return Check("throttle", "; ".join(said) + " in this window", remedy)
