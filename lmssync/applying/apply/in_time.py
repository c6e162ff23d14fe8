"""Says before anything is sent whether a plan can be carried out by a time, and refuses if not."""

from datetime import UTC, datetime

from ...errors import Forbidden
from ...planning.plan import Plan, plan_budget
from .session import ApplySession


def refuse_late(session: ApplySession, plan: Plan, finish_by: datetime | None) -> None:
    """Raises `Forbidden` if even the shortest forecast ends too late; notes what is to be expected.

    How long a request takes is measured by those that this run has sent.
    """
    if finish_by is None or not plan.steps:
        return
    low, high = plan_budget(plan).seconds(session.writer.latency, session.writer.connections)
    left = (finish_by - datetime.now(UTC)).total_seconds()
    until = f"{finish_by.astimezone():%Y-%m-%d %H:%M}"
    there = f"there are {_spell_seconds(left)} until {until}"
    if low > left:
        raise Forbidden(
            f"nothing was sent: the plan takes at least {_spell_seconds(low)}, and {there}",
            "begin earlier, give it more time, or limit the plan with --target",
        )
    can = "may end later" if high > left else "will be in time"
    session.note(
        f"the plan takes {_spell_seconds(low)} to {_spell_seconds(high)}, and {there}: it {can}"
    )


def _spell_seconds(seconds: float) -> str:
    """`40 s`, `12 min`, `3.5 h`; nothing is left of what is over."""
    if seconds < 90:  # noqa: PLR2004 - where people start to count in minutes
        return f"{max(0.0, seconds):.0f} s"
    minutes = seconds / 60
    return f"{minutes:.0f} min" if minutes < 90 else f"{minutes / 60:.1f} h"  # noqa: PLR2004
