"""Switches: settings for what the specification does not show, so that each choice can be tried."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args, get_origin, get_type_hints

from lmssync.vocabulary.enums import EventKind, FurtherEventKind
from lmssync.vocabulary.routes import ROUTES

from .value_checks import quote_value

_SHOWN = 60


@dataclass(frozen=True)
class Switches:
    """One field a switch, with the value that a new sandbox starts with."""

    idOrder: Literal["request", "reversed", "shuffled"] = "request"  # noqa: N815 - wire names
    """Order of the ids that course create returns (O16)."""
    batchAtomic: bool = True  # noqa: N815
    """False: entries before the first bad one of a refused create or update stay (O16)."""
    positions: Literal["followed", "ignored"] = "followed"
    """Whether the `position` of a section, lesson or topic moves it (O7)."""
    childrenLimit: Literal["off", "25"] = "off"  # noqa: N815
    """How many sections a course, lessons a section and topics a lesson may have."""
    skuOnRead: bool = True  # noqa: N815
    """False: the read of a course does not show its sku (O22)."""
    readLagSeconds: float = 0.0  # noqa: N815
    """Seconds until a read sees a write (O31)."""
    searchLagSeconds: float = 0.0  # noqa: N815
    """Seconds until content search finds a write (O27)."""
    searchBySku: bool = True  # noqa: N815
    """False: content search does not support `sku:`, which is not evidenced (O48)."""
    sourceRefused: bool = False  # noqa: N815
    """Course create refuses `source` (O21)."""
    customFields: Literal["replace", "merge"] = "replace"  # noqa: N815
    """What an update does to the custom fields it does not name (O13)."""
    listEnvelope: Literal["key", "bare", "data"] = "key"  # noqa: N815
    """Where v2 lists are in their answers (O44)."""
    pageSize: int = 50  # noqa: N815
    """Items of a page by cursor on routes without `perPage`."""
    assetTags: Literal["any", "all"] = "any"  # noqa: N815
    """Whether an asset must have any or all of several `tagIds`."""
    missingUser: Literal["notFound", "errors"] = "notFound"  # noqa: N815
    """The answer for a missing user: 404, or 200 with `errors` (O35)."""
    cloneStatus: Literal["200", "202"] = "200"  # noqa: N815
    """The status of an accepted clone."""
    createStatus: Literal["200", "201"] = "200"  # noqa: N815
    """The status of course create and license create, which spec 4 does not say."""
    unknownFields: Literal["refuse", "ignore"] = "refuse"  # noqa: N815
    """What happens to fields of a course entry that are unknown or not of its kind."""
    statusOnUpdate: bool = False  # noqa: N815
    """True: course update takes `status` of a session (O39: not evidenced)."""
    userTierOnReads: bool = False  # noqa: N815
    """True: user reads count against the user tier (O36)."""
    accountFigures: Literal["off", "standard", "enterprise"] = "off"  # noqa: N815
    """The account-wide figures of spec 8, whose combination with the tiers is not shown."""
    eventsWithoutId: tuple[str, ...] = (  # noqa: N815
        "learningPathEnrollment",
        "assignmentSubmission",
        "courseView",
    )
    """Event feeds whose events have no `id`: it is not known which these are (O40, O53)."""
    pushBeyondLoopback: bool = False  # noqa: N815
    """True: notifications may be pushed to other machines."""
    oauthEnabled: bool = True  # noqa: N815
    """False: the account team has not enabled OAuth (spec 5)."""
    emptyUnauthorized: tuple[str, ...] = ()  # noqa: N815
    """Names of routes that answer 401 with an empty body (spec 5)."""
    fullContent: Literal["flat", "nested"] = "flat"  # noqa: N815
    """How the read of a whole course says where a body is (O28)."""
    seatsOnUpdate: Literal["replace", "keep"] = "replace"  # noqa: N815
    """A license update without seatsLimit: unlimited (O32), or as it was."""
    carelessClients: Literal["refused", "taken"] = "refused"  # noqa: N815
    """Taken: `cursor=undefined` is a first page, an empty `body` of a topic that holds none is
    passed over, and a topic without a type is a text (O56)."""
    courseTimes: Literal["whole", "own"] = "whole"  # noqa: N815
    """Whether a change of a part changes the `updatedAt` of its course, which is not evidenced."""
    jobSeconds: float = 0.8  # noqa: N815
    """Seconds from the acceptance of a background job to its end."""


_HINTS = get_type_hints(Switches)
_MOST = {float: 1e9, int: 100_000}
"""Of numbers: thirty years, after which a job still ends on a date; and a page that can be sent."""
_NAMES: Mapping[str, Collection[str]] = {
    "eventsWithoutId": [kind.value for kind in (*EventKind, *FurtherEventKind)],
    "emptyUnauthorized": ROUTES,
}
"""The names that a list of a switch may hold."""


def change_switches(switches: Switches, wanted: Mapping[str, Any]) -> Switches:
    """`switches` with the wanted ones set; raises ValueError that says what is allowed."""
    for name, value in wanted.items():
        if name not in _HINTS:
            known = ", ".join(sorted(_HINTS))
            raise ValueError(f"{name[:_SHOWN]}: no such switch; the switches are {known}")
        if not _fits_switch(name, value):
            raise ValueError(
                f"{name}: {quote_value(value)} is not allowed; {_describe_allowed(name)}"
            )
    values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in wanted.items()}
    return replace(switches, **values)


def restore_switches(kept: Mapping[str, Any]) -> Switches:
    """The switches of a data folder, without what an older sandbox took and this one does not."""
    return change_switches(
        Switches(), {n: v for n, v in kept.items() if n in _HINTS and _fits_switch(n, v)}
    )


def _fits_switch(name: str, value: Any) -> bool:
    hint = _HINTS[name]
    if get_origin(hint) is Literal:
        return value in get_args(hint)
    if get_origin(hint) is tuple:
        known = _NAMES[name]
        return isinstance(value, list | tuple) and all(
            isinstance(item, str) and item in known for item in value
        )
    if hint is bool or isinstance(value, bool):
        return hint is bool and isinstance(value, bool)
    least, kinds = (1, int) if hint is int else (0, int | float)
    return isinstance(value, kinds) and least <= value <= _MOST[hint]


def _describe_allowed(name: str) -> str:
    hint = _HINTS[name]
    if get_origin(hint) is Literal:
        return "it must be one of " + ", ".join(get_args(hint))
    words = {
        float: f"it must be a number from 0 to {_MOST[float]:,.0f}",
        int: f"it must be a whole number from 1 to {_MOST[int]:,}",
        bool: "it must be true or false",
    }
    return words.get(hint) or "it must be a list of " + ", ".join(_NAMES[name])
