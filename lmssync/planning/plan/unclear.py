"""Why nothing can be done to a resource before somebody looks: open calls, deletions, conflicts."""

import re
from typing import Any

from ..diff import Change, Difference, Drift, FieldChange, Resolution
from .plan import PlannedChange
from .plan_context import PlanState

_LONGEST = 100
"""Characters of a value that a reason shows."""
RESOLVE = "an earlier apply left it open: run `lmssync apply` again, or `lmssync resolve {address}`"
_LEFT_OPEN = RESOLVE.partition(":")[0]
MISSING = (
    "{what} is no longer on the platform: `--recreate {address}` creates {it} again, "
    "or take {it} out of the catalog"
)
MOVED_MISSING = "{was} is no longer on the platform: remove `moved` to create it as something new"


def why_unclear(state: PlanState, change: Change) -> str:
    """The reason; empty if everything is clear."""
    if change.move_conflict or (change.difference is Difference.SAME and not change.missing):
        return change.move_conflict
    if change.address in state.waiting:
        return RESOLVE.format(address=change.address)
    if change.missing:
        text = MOVED_MISSING if change.was else MISSING
        return text.format(was=change.was, what="it", address=change.address, it="it")
    gone = _gone_parts(change) if change.address not in state.recreate else []
    if gone:
        what = " and ".join(f"`{path}`" for path in gone)
        return MISSING.format(
            what=what, address=change.address, it="it" if len(gone) == 1 else "them"
        )
    if change.unclear and change.address not in state.allowed:
        return _maybe_there(change)
    return "" if change.blocked_fields else describe_conflicts(change)


def is_left_open(planned: PlannedChange) -> bool:
    """True for what waits because the outcome of an earlier call is not known."""
    return any(reason.startswith(_LEFT_OPEN) for reason in planned.reasons)


def _gone_parts(change: Change) -> list[str]:
    """Parts that somebody has deleted by hand, and that the change would touch."""
    touched = [_part_of(field) for field in change.fields]
    return [path for path in change.gone if any(_concerns_part(part, path) for part in touched)]


def _part_of(field: FieldChange) -> tuple[str, str]:
    """The path of the part that a field stands in, and the field: `a/b` and `title`."""
    names = re.findall(r"\[([^\]]*)\]", field.path)
    return "/".join(names), field.path.rpartition(".")[2]


def _concerns_part(part: tuple[str, str], gone: str) -> bool:
    """True for a change to a part, to something in it, or to its place among its siblings."""
    path, field = part
    inside = path == gone or path.startswith(f"{gone}/")
    return inside or (field == "order" and path == gone.rpartition("/")[0])


def _maybe_there(change: Change) -> str:
    """What to do if a look cannot tell whether it would be created a second time."""
    if change.recorded is not None:
        return f"{change.unclear}: delete or retitle the others in the authoring interface"
    return (
        f"it may be on the platform already: {change.unclear}; "
        f"`lmssync adopt {change.address}=ID` takes it over, "
        f"`--allow {change.address}` creates another"
    )


def describe_conflicts(change: Change) -> str:
    """What was changed on both sides, what waits with it, and the two ways out."""
    conflicts = change.conflicts
    if not conflicts:
        return ""
    differing = "; ".join(map(_describe_difference, conflicts))
    whose = str(change.address)
    if len(conflicts) == 1:
        whose = f"{change.address}:{conflicts[0].path}"
    return (
        f"changed on the platform and in git: {differing}; "
        f"`--keep git {whose}` sends the value from git, "
        f"`--keep platform {whose}` leaves what is there{_describe_waiting(change)}"
    )


def _describe_waiting(change: Change) -> str:
    """What waits along with the conflicts, and that the rest does not."""
    paths = [one.path for one in change.drift if one.decision is Resolution.WAITING]
    wait = f", and {', '.join(paths)} {'waits' if len(paths) == 1 else 'wait'} with it"
    return f"{wait * bool(paths)}; the other changes do not wait" if change.blocked_fields else ""


def _describe_difference(one: Drift) -> str:
    if one.noticed_at:
        return f"{one.path} may have been changed there by hand, and no route shows its value"
    if one.places:
        return f"{one.path}: {one.describe_places()}"
    live, recorded = map(_short_value, (one.live, one.recorded))
    return f"{one.path} is {live} there and was {recorded} when it was last applied"


def _short_value(value: Any) -> str:
    """A value on a short line, a body by its text."""
    if value is None:
        return "not set"
    text = repr(value.get("$markdown", value) if isinstance(value, dict) else value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
