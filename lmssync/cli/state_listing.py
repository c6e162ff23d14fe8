"""What a list of a state shows."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .matching import matches, refuse_unmatched

if TYPE_CHECKING:
    from ..report.state_text import StateListing
    from ..state import Store


def listed(store: "Store", patterns: Sequence[str]) -> "StateListing":
    """What a list shows of a state; raises `WrongUse` for a pattern that matches nothing."""
    from ..report.state_text import StateListing

    refuse_unmatched(patterns, [*store.fingerprints(), *store.forgotten(), *store.waiting()])
    return StateListing(
        [record for record in store.records() if matches(record.address, patterns)],
        [record for record in store.records(forgotten=True) if matches(record.address, patterns)],
        [step for step in store.steps() if matches(step.address, patterns)],
        [
            call
            for call in store.open_calls()
            if not patterns or any(matches(part.address, patterns) for part in call.parts)
        ],
    )
