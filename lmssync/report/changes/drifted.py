"""What people have changed on the platform, a line for each field."""

from collections.abc import Iterable, Iterator

from ...diff import Drift, Resolution
from ...visible import visible
from ..ink import Ink
from .differences import pairs
from .prose import text_changes


def staying(drift: Iterable[Drift]) -> list[Drift]:
    """The fields that an apply leaves as the platform has them."""
    return [one for one in drift if one.decision.stays]


def shown(drift: Iterable[Drift]) -> Iterator[Drift]:
    """Those that a plan does not show as a change of its own."""
    return (one for one in drift if one.decision.stays or one.decision is Resolution.CONVERGED)


def drift_lines(one: Drift, ink: Ink, *, full: bool) -> Iterator[str]:
    """The recorded value and the live one; of a long text, the words that differ."""
    if one.noticed_at:
        when = f" at {one.noticed_at}" if one.noticed_at[:1].isdigit() else ""
        yield visible(f"{one.path}: its part was changed{when}; no route shows what it holds now")
        return
    for pair in pairs(one.path, one.recorded, one.live, full=full):
        if pair.prose is None:
            yield visible(f"{pair.path}: {pair.text(full=full)}")
            continue
        yield f"{visible(pair.path)}:"
        changed = text_changes(*pair.prose, ink, full=full)
        yield from (f"  {line}" for line in changed.lines)
        if changed.hidden:
            yield f"  … {changed.hidden:,} more lines"
