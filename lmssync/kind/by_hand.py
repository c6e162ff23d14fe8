"""What a person does where no route changes a field, worded with both values."""

from collections.abc import Callable, Mapping

from .authoring import Json
from .calls import FormChange, ManualStep, UpdatePlan


def by_hand(steps: Mapping[str, str]) -> Callable[[FormChange], UpdatePlan]:
    """The `update` of a kind that no route changes: each field that differs is such a step."""

    def update(change: FormChange) -> UpdatePlan:
        before, after = change.before, change.after
        changed = [name for name in steps if name in after and before.get(name) != after[name]]
        texts = (worded(steps[name], before.get(name), after[name]) for name in changed)
        return UpdatePlan(manual=list(map(ManualStep, changed, texts)))

    return update


def worded(text: str, old: Json, new: Json) -> str:
    """A text with `{old}`, `{new}` or `{change}` in it, which has both: ` from OLD to NEW`."""
    return text.format(old=_plain(old), new=_plain(new), change=_change(old, new))


def _change(old: Json, new: Json) -> str:
    gained, lost = _without(new, old), _without(old, new)
    if isinstance(old, list) and isinstance(new, list) and (gained or lost):
        ways = (("add", gained), ("take away", lost))
        return ": " + "; ".join(f"{way} {_quoted(items)}" for way, items in ways if items)
    return f" to {_quoted(new)}" if old is None else f" from {_quoted(old)} to {_quoted(new)}"


def _without(items: Json, others: Json) -> list[Json]:
    both = isinstance(items, list) and isinstance(others, list)
    return [item for item in items if item not in others] if both else []


def _quoted(value: Json) -> str:
    if isinstance(value, list) and value:
        return ", ".join(map(_quoted, value))
    return "nothing" if value in (None, [], {}) else f"`{_plain(value)}`"


def _plain(value: Json) -> str:
    """As a manifest would say it, on one line; a node by the address that it names."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        if "$ref" in value:
            return str(value["$ref"])
        return ", ".join(f"{name}: {_plain(held)}" for name, held in value.items())
    return ", ".join(map(_plain, value)) if isinstance(value, list) else str(value)
