"""The approvals that a plan needs, as text and JSON."""

from collections.abc import Iterator, Sequence
from typing import Any

from ..planning.approvals import FILE, Required
from ..support.visible import escape_invisible
from .words import count_noun, join_words

FORMAT = "lmssync.approvals/1"
_NAMES = 5
"""Addresses that a line names."""


def approvals_text(needed: Sequence[Required], environment: str) -> str:
    """A line for each approval, the missing ones first."""
    missing = [one for one in needed if not one.given]
    given = [one for one in needed if one.given]
    lines = [line for one in (*missing, *given) for line in _lines(one)]
    if not needed:
        return escape_invisible(f"No approval is needed for {environment}.") + "\n"
    number = count_noun(len(needed), "approval")
    state = f"{len(missing):,} of {number} missing" if missing else f"{number} given"
    return "\n".join([*lines, escape_invisible(f"Approvals for {environment}: {state}.")]) + "\n"


def _lines(one: Required) -> Iterator[str]:
    teams = " or ".join(one.rule.teams)
    if one.given:
        yield escape_invisible(f"given    by {join_words(list(one.given))}")
    else:
        yield escape_invisible(f"missing  {teams} ({FILE}:{one.rule.line})")
    for address, effects in one.changes[:_NAMES]:
        yield escape_invisible(f"    {address}  {', '.join(effects)}")
    if len(one.changes) > _NAMES:
        yield f"    and {len(one.changes) - _NAMES:,} more"


def approvals_json(needed: Sequence[Required], environment: str) -> dict[str, Any]:
    """The same for programs."""
    return {
        "format": FORMAT,
        "environment": environment,
        "summary": {"required": len(needed), "missing": sum(not one.given for one in needed)},
        "required": [
            {
                "line": one.rule.line,
                "teams": list(one.rule.teams),
                "givenBy": list(one.given),
                "changes": [
                    {"address": str(address), "effects": list(effects)}
                    for address, effects in one.changes
                ],
            }
            for one in needed
        ],
    }
