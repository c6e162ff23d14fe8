"""What a person does where no route changes a field, worded with both values."""

from collections.abc import Callable, Mapping

from .authoring import Json
from .calls import FormChange, ManualStep, UpdatePlan


def by_hand(steps: Mapping[str, str]) -> Callable[[FormChange], UpdatePlan]:
    """The `update` of a kind that no route changes: each field that differs is such a step."""

    def update(change: FormChange) -> UpdatePlan:
        before, after = change.before, change.after
        changed = [name for name in steps if name in after and before.get(name) != after[name]]
        texts = (word_change(steps[name], before.get(name), after[name]) for name in changed)
        return UpdatePlan(manual=list(map(ManualStep, changed, texts)))

    return update


def word_change(text: str, old: Json, new: Json) -> str:
    """A text with `{old}`, `{new}` or `{change}` in it, which has both: ` from OLD to NEW`."""
    return text.format(old=_plain_value(old), new=_plain_value(new), change=_from_to(old, new))


def _from_to(old: Json, new: Json) -> str:
    gained, lost = _items_without(new, old), _items_without(old, new)
    if isinstance(old, list) and isinstance(new, list) and (gained or lost):
        ways = (("add", gained), ("take away", lost))
        return ": " + "; ".join(f"{way} {_quote_value(items)}" for way, items in ways if items)
    return (
        f" to {_quote_value(new)}"
        if old is None
        else f" from {_quote_value(old)} to {_quote_value(new)}"
    )


def _items_without(items: Json, others: Json) -> list[Json]:
    both = isinstance(items, list) and isinstance(others, list)
    return [item for item in items if item not in others] if both else []


def _quote_value(value: Json) -> str:
    if isinstance(value, list) and value:
        return ", ".join(map(_quote_value, value))
    return "nothing" if value in (None, [], {}) else f"`{_plain_value(value)}`"


def _plain_value(value: Json) -> str:
    """As a manifest would say it, on one line; a node by the address that it names."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        if "$ref" in value:
            return str(value["$ref"])
        return ", ".join(f"{name}: {_plain_value(held)}" for name, held in value.items())
    return ", ".join(map(_plain_value, value)) if isinstance(value, list) else str(value)
