"""What guards say of a plan, by numbers that need no platform."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from lmssync.errors import Forbidden
from lmssync.learners.events import Audience
from lmssync.planning.plan import (
    GuardContext,
    GuardVerdict,
    Plan,
    judge_plan,
    refuse_forbidden,
    stopping_verdicts,
)
from lmssync.resource import Address
from lmssync.settings import Guards
from lmssync.state import Store
from lmssync.support.checked_documents import make_unchecked
from tests.making import course, license_

from .planning import numbered, planned

LIVE = {"status": "published", "enrollmentStartDate": "2027-01-31"}
LATER = LIVE | {"enrollmentStartDate": "2027-02-28"}
NIGHT = {"begin": "20:00", "end": "06:00", "timeZone": "Europe/Berlin"}
NOON = datetime(2027, 1, 5, 12, 0, tzinfo=UTC)


def said(made: Plan, store: Store, guards: dict[str, Any], **more: Any) -> list[GuardVerdict]:
    """The verdicts about a plan by these guards alone."""
    off = {"manyChanges": {"severity": "off"}, "published": "off", "permanentLoss": "off"}

    def form(address: Address) -> Any:
        record = store.find_record(address)
        return record.form if record else None

    by = GuardContext(
        make_unchecked(Guards, off | guards), "test", False, len(store.fingerprints()), form, **more
    )
    return judge_plan(made, by)


def with_audience(made: Plan, *sizes: int | None) -> Plan:
    """The plan with so many learners inside what each change is about."""
    pairs = zip(made.changes, sizes, strict=True)
    audiences = [(one, None if size is None else Audience(size)) for one, size in pairs]
    changes = [
        one._replace(consequence=one.consequence._replace(audience=audience))
        for one, audience in audiences
        if one.consequence
    ]
    return replace(made, changes=changes)


@pytest.fixture
def later(store: Store) -> Plan:
    """Two published courses close their doors for a month more."""
    return planned(
        store,
        [course("a", **LATER), course("b", **LATER)],
        [course("a", **LIVE), course("b", **LIVE)],
    )


@pytest.mark.parametrize(("most", "guards"), [(99, ["learners"]), (100, [])])
def test_learners_are_counted_and_not_rows(store: Store, later: Plan, most: int, guards: list[str]):
    """Two changes touch a hundred people: the brake is about these."""
    verdicts = said(with_audience(later, 60, 40), store, {"learners": {"most": most}})
    assert guards == [one.guard for one in stopping_verdicts(verdicts)]


def test_unknown_learners_are_said_to_be_unknown(store: Store, later: Plan):
    """Without an index nothing is blocked; the plan says how to get one."""
    (verdict,) = said(with_audience(later, None, 40), store, {"learners": {"most": 99}})
    assert ("warning", True) == (verdict.severity, "`lmssync events pull`" in verdict.message)


def test_words_touch_nobody(store: Store):
    """A better title is for as many learners as there are."""
    made = planned(store, [course("a", **LIVE, isbn="1")], [course("a", **LIVE)])
    assert [] == said(with_audience(made, 5000), store, {"learners": {"most": 1}})


@pytest.mark.parametrize(
    ("hour", "stopped"), [(4, []), (5, ["quietHours"]), (12, ["quietHours"]), (19, [])]
)
def test_quiet_hours_are_in_their_time_zone(
    store: Store, later: Plan, hour: int, stopped: list[str]
):
    """From 20:00 to 06:00 in Berlin is from 19:00 to 05:00 UTC in winter."""
    now = NOON.replace(hour=hour)
    verdicts = said(later, store, {"quietHours": NIGHT}, now=now)
    assert stopped == [one.guard for one in stopping_verdicts(verdicts)]


def test_a_plan_only_tells_its_quiet_hours(store: Store, later: Plan):
    """A plan is not applied yet, so it is warned and not stopped."""
    (verdict,) = said(later, store, {"quietHours": NIGHT})
    assert "warning" == verdict.severity
    assert verdict.message.endswith("in their quiet hours, 20:00 to 06:00 (Europe/Berlin)")


def test_quiet_hours_are_learned(store: Store, later: Plan):
    """The eight hours in a row in which learners did least; over midnight as well."""
    hours = [1 if hour in {22, 23, 0, 1, 2, 3, 4, 5} else 50 for hour in range(24)]
    (verdict,) = said(later, store, {"quietHours": {}}, now=NOON, hours=hours)
    assert "22:00 to 06:00 (UTC, by what learners do)" in verdict.message
    assert [] == said(later, store, {"quietHours": {}}, now=NOON.replace(hour=2), hours=hours)


def test_quiet_hours_that_nobody_knows_stop_nothing(store: Store, later: Plan):
    """Where they are to be learned and no events were pulled, the plan says so."""
    (verdict,) = said(later, store, {"quietHours": {}}, now=NOON)
    assert ("warning", "") == (verdict.severity, verdict.allow)


def test_a_loss_is_named(store: Store):
    """What a flag takes away from others for good stands in the verdict."""
    made = planned(store, [license_(replaceCourseIds=True)])
    (verdict,) = said(made, store, {"permanentLoss": "error"})
    assert ("permanentLoss", "--allow license.staff") == (verdict.guard, verdict.allow)
    assert "takes away every other course assignment of the client" in verdict.message


def test_a_refusal_names_every_option(store: Store):
    """All that stops a plan is told at once."""
    made = planned(store, numbered(10, **LATER), numbered(10, **LIVE))
    verdicts = said(made, store, {"published": "error", "manyChanges": {"severity": "error"}})
    with pytest.raises(Forbidden) as refused:
        refuse_forbidden(verdicts)
    assert refused.value.hint.endswith("--allow course.c009 --allow manyChanges")
    assert "(course.c004) and 5 more [published]" in refused.value.message
