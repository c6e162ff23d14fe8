"""A plan for people at a terminal."""

from collections.abc import Iterator

from ..diff import FieldChange
from ..plan import Action, Intention, Plan, budget
from . import words
from .ink import PLAIN, Colour, Ink

_SIGN = {
    Action.CREATE: ("+", Colour.GREEN),
    Action.UPDATE: ("~", Colour.YELLOW),
    Action.ADOPT: ("=", Colour.BLUE),
    Action.MOVE: (">", Colour.BLUE),
    Action.FORGET: ("-", Colour.DIM),
    Action.MANUAL: ("!", Colour.YELLOW),
    Action.BLOCKED: ("x", Colour.RED),
    Action.UNCHANGED: (" ", Colour.DIM),
}

_NAMES = 8
"""How many addresses a line names."""


def plan_text(plan: Plan, ink: Ink = PLAIN) -> str:
    """The whole plan: changes, what only people can do, the summary and what it costs."""
    if not plan.has_changes:
        told = [*_intentions(plan, ink), _nothing(plan)]
        told += [*_intentions(plan, ink, still_open=True), *_protections(plan), *_confirm(plan)]
        return "\n".join(told) + "\n"
    lines = [f"Plan for {plan.environment} ({plan.base_url})", ""]
    lines += [*_intentions(plan, ink), *_intentions(plan, ink, still_open=True)]
    lines += ["", ink(summary(plan), Colour.BOLD), *_protections(plan), *_confirm(plan)]
    if plan.steps:
        lines.append(_cost(plan))
    return "\n".join(lines) + "\n"


def summary(plan: Plan) -> str:
    """`Plan: 2 to create, 1 to update.`"""
    counts = plan.summary
    shown = [
        f"{counts[action]} {word}"
        for action, word in (
            (Action.CREATE, "to create"),
            (Action.UPDATE, "to update"),
            (Action.ADOPT, "to adopt"),
            (Action.MOVE, "to move"),
            (Action.FORGET, "to forget"),
            (Action.BLOCKED, "blocked"),
            (Action.UNCHANGED, "unchanged"),
        )
        if counts[action]
    ]
    if plan.by_hand:
        shown.insert(-1 if counts[Action.UNCHANGED] else len(shown), words.by_hand(plan.by_hand))
    return f"Plan: {', '.join(shown)}."


def _nothing(plan: Plan) -> str:
    same = plan.unchanged + sum(intention.still_open for intention in plan.intentions)
    return f"No changes: {words.counted(same, 'resource')} as the catalog wants them."


def _confirm(plan: Plan) -> Iterator[str]:
    """How people say that they have done what no call can do."""
    if plan.by_hand:
        yield "Once somebody has done a step by hand: `lmssync resolve ADDRESS --done`."


def _protections(plan: Plan) -> Iterator[str]:
    """What an apply will remember about guards; it changes nothing on the platform."""
    for wanted, told in ((True, "Protected from now on"), (False, "Not protected any more")):
        names = [str(address) for address, on in plan.protections.items() if on is wanted]
        if names:
            more = f" and {len(names) - _NAMES:,} more" if len(names) > _NAMES else ""
            yield f"{told}: {', '.join(names[:_NAMES])}{more}."


def _cost(plan: Plan) -> str:
    cost = budget(plan)
    routes = ", ".join(f"{n} {route}" for route, n in cost.by_route.items())
    low, high = (words.duration(minutes) for minutes in cost.minutes)
    time = low if low == high else f"{low} to {high}"
    return f"Calls: {cost.total} (least possible {cost.least}): {routes}; {time}."


def _intentions(plan: Plan, ink: Ink, *, still_open: bool = False) -> Iterator[str]:
    """What differs, or what is only open from before."""
    shown = [intention for intention in plan.intentions if intention.still_open is still_open]
    width = max((len(str(i.address)) for i in shown), default=0)
    for intention in shown:
        yield from _intention(intention, width, ink)


def _intention(intention: Intention, width: int, ink: Ink) -> Iterator[str]:
    sign, colour = _SIGN[intention.action]
    title = f"  {words.value(intention.title)}" if intention.title else ""
    head = f"  {sign} {intention.address!s:<{width}}  {intention.action:<7} {intention.effect:<10}"
    yield ink(head.rstrip() if not title else head, colour) + title
    if intention.action is not Action.CREATE:
        for reason in intention.reasons:
            yield f"      {reason}"
    for field in intention.fields:
        yield from _field(field, ink)
    for step in intention.manual:
        yield ink(f"      by hand, {step.field}: {step.text}", Colour.YELLOW)


def _field(field: FieldChange, ink: Ink) -> Iterator[str]:
    before, after = words.prose(field.before), words.prose(field.after)
    if before is None or after is None:
        yield f"      {field.path}: {words.value(field.before)} → {words.value(field.after)}"
        return
    yield f"      {field.path}:"
    for line in words.line_changes(before, after):
        colour = {"-": Colour.RED, "+": Colour.GREEN}.get(line[:1], Colour.DIM)
        yield "        " + ink(line, colour)
