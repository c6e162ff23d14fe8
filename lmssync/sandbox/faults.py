"""Faults on order: which request fails, and how; `dispatch` lets it happen."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random
from typing import Any


class Action(StrEnum):
    """What goes wrong."""

    DROP_BEFORE = "drop-before"
    """The connection is reset before any work is done."""
    DROP_AFTER = "drop-after"
    """The connection is reset after the work is committed, before a byte of the answer."""
    CUT = "cut"
    """The work is committed; the answer ends in its middle."""
    STATUS = "status"
    """`status` (500, 502, 503, 504), `when` it is decided: before or after the work."""
    THROTTLE = "throttle"
    """429 with `retryAfter` seconds, nothing done."""
    DELAY = "delay"
    """`seconds` of real time, before or after the work (`when`); then the true answer."""
    GARBAGE = "garbage"
    """The work is committed; the answer is 200 with a body that is not JSON."""
    ANSWER = "answer"
    """The answer is `status` with any JSON `body`, empty without one; `when` as for `status`."""


@dataclass
class Fault:
    """One order; all parts of the match that are given must hold."""

    number: int
    action: Action
    route: str | None = None
    method: str | None = None
    path: re.Pattern[str] | None = None
    nth: int = 1
    """The first matching request that fails, counted from 1."""
    probability: float = 1.0
    times: int | None = 1
    """How often it happens; None: without end."""
    status: int = 500
    body: Any = None
    before: bool = True
    seconds: float = 1.0
    retry_after: int = 1
    seen: int = 0
    happened: int = 0
    wire: dict[str, Any] = field(default_factory=dict)

    def matches(self, route: str, *, method: str, path: str) -> bool:
        return (
            (self.route is None or self.route == route)
            and (self.method is None or self.method == method)
            and (self.path is None or self.path.search(path) is not None)
        )

    def as_wire(self) -> dict[str, Any]:
        return {"id": self.number, **self.wire, "seen": self.seen, "happened": self.happened}


class Faults:
    """The orders in force; the random numbers repeat from `reset` on."""

    def __init__(self) -> None:
        self.clear()

    def clear(self, seed: int = 0) -> None:
        self.orders: list[Fault] = []
        self._random = Random(seed)  # noqa: S311 - it must repeat, not surprise

    def order(self, wire: Mapping[str, Any]) -> Fault:
        """Put an order in force; raises ValueError that says what is allowed."""
        fault = fault_of(wire, number=len(self.orders) + 1)
        self.orders.append(fault)
        return fault

    def pick(self, route: str, *, method: str, path: str) -> Fault | None:
        """The fault that this request meets, if any."""
        picked = None
        for fault in self.orders:
            if not fault.matches(route, method=method, path=path):
                continue
            fault.seen += 1
            spent = fault.times is not None and fault.happened >= fault.times
            if picked or spent or fault.seen < fault.nth:
                continue
            if fault.probability >= 1 or self._random.random() < fault.probability:
                fault.happened += 1
                picked = fault
        return picked


_FIELDS = frozenset(
    {"action", "route", "method", "path", "nth", "probability", "times", "status", "when"}
    | {"seconds", "retryAfter", "body"}
)
_STATUSES = (500, 502, 503, 504)
_ANSWERED = range(200, 600)


def fault_of(wire: Mapping[str, Any], *, number: int) -> Fault:
    """An order as the control plane takes it; raises ValueError."""
    unknown = sorted(set(wire) - _FIELDS)
    if unknown:
        raise ValueError(f"{unknown[0]}: not a field of a fault; there are {sorted(_FIELDS)}")
    actions = ", ".join(Action)
    if wire.get("action") not in list(Action):
        raise ValueError(f"action: {wire.get('action')!r} is not allowed; it is one of {actions}")
    _check_status(wire)
    if wire.get("when", "before") not in ("before", "after"):
        raise ValueError(f"when: {wire['when']!r} is not allowed; it is before or after")
    _check_numbers(wire)
    return Fault(
        number=number,
        action=Action(wire["action"]),
        route=wire.get("route"),
        method=wire.get("method"),
        path=_pattern(wire.get("path")),
        nth=wire.get("nth", 1),
        probability=wire.get("probability", 1.0),
        times=wire.get("times", None if "probability" in wire else 1),
        status=wire.get("status", 200 if wire["action"] == Action.ANSWER else 500),
        body=b"null" if "body" in wire and wire["body"] is None else wire.get("body"),
        before=wire.get("when", "before") == "before",
        seconds=wire.get("seconds", 1.0),
        retry_after=wire.get("retryAfter", 1),
        wire=dict(wire),
    )


def _check_status(wire: Mapping[str, Any]) -> None:
    """Any final status can be answered; a failure of the server is one of four."""
    answers = wire["action"] == Action.ANSWER
    status = wire.get("status", 500)
    if status not in (_ANSWERED if answers else _STATUSES):
        allowed = "from 200 to 599" if answers else f"one of {_STATUSES}"
        raise ValueError(f"status: {status!r} is not allowed; it is {allowed}")
    if "body" in wire and not answers:
        raise ValueError(f"body: it goes with the action {Action.ANSWER} only")


def _check_numbers(wire: Mapping[str, Any]) -> None:
    for name, least, most in (
        ("nth", 1, 1e9),
        ("probability", 0, 1),
        ("times", 1, 1e9),
        ("seconds", 0, 600),
        ("retryAfter", 0, 86_400),
    ):
        value = wire.get(name)
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ValueError(f"{name}: {value!r} is not a number")  # noqa: TRY004 - one kind
        if not least <= value <= most:
            raise ValueError(f"{name}: {value!r} is not allowed; it is from {least} to {most:g}")


def _pattern(text: Any) -> re.Pattern[str] | None:
    if text is None:
        return None
    try:
        return re.compile(text)
    except (re.error, TypeError) as error:
        raise ValueError(f"path: {text!r} is not a regular expression ({error})") from None
