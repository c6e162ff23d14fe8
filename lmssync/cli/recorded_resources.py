"""What patterns on the command line name in a state."""

from collections.abc import Collection, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from ..errors import WrongUse

if TYPE_CHECKING:
    from ..report.state_report import StateListing
    from ..resource import Address
    from ..state import Record, Store


def matches(address: "Address", patterns: Sequence[str]) -> bool:
    """True for one that a pattern names; without patterns, for all."""
    return not patterns or any(fnmatchcase(str(address), pattern) for pattern in patterns)


def refuse_unmatched(patterns: Sequence[str], known: Collection["Address"]) -> None:
    """Raises `WrongUse` for a pattern that names nothing that is `known` to the state."""
    from ..problems import suggest_near

    for pattern in patterns:
        if not any(matches(address, [pattern]) for address in known):
            hint = suggest_near(pattern, map(str, known)) or "`lmssync state list` shows what is"
            raise WrongUse(f"nothing is recorded for {pattern}", hint)


def require_record(store: "Store", address: "Address") -> "Record":
    """What is recorded for an address; where that is nothing, a `WrongUse` says what to do."""
    from ..problems import suggest_near

    if record := store.find_record(address):
        return record
    near = suggest_near(str(address), map(str, store.fingerprints()))
    remedies = ["`lmssync state list` shows what is recorded"]
    if "/" not in address.key:  # a part is no resource of its own
        remedies = [
            "`lmssync apply` makes what the catalog has",
            f"`lmssync adopt {address}=ID` takes over what is on the platform",
            *remedies,
        ]
    hint = f"{near}{near and ' '}{', '.join(remedies)}"
    raise WrongUse(f"nothing is recorded for {address}", hint)


def list_state(store: "Store", patterns: Sequence[str]) -> "StateListing":
    """What a list shows of a state; raises `WrongUse` for a pattern that matches nothing."""
    from ..report.state_report import StateListing

    refuse_unmatched(
        patterns,
        [*store.fingerprints(), *store.forgotten_addresses(), *store.unresolved_addresses()],
    )
    return StateListing(
        [record for record in store.list_records() if matches(record.address, patterns)],
        [
            record
            for record in store.list_records(forgotten=True)
            if matches(record.address, patterns)
        ],
        [step for step in store.open_steps() if matches(step.address, patterns)],
        [
            call
            for call in store.open_calls()
            if not patterns or any(matches(part.address, patterns) for part in call.parts)
        ],
    )
