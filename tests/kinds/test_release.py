"""A course is published, or taken back to draft, by a call where the instance has one (O39)."""

import pytest

from tests.planning.test_changes_by_people import planned
from tests.served_catalog import Platform, Workspace


@pytest.fixture
def draft(work: Workspace, instance: Platform) -> Workspace:
    """A draft of a course on an extended instance."""
    work.course("a", "status: draft\n")
    assert 0 == work.apply().code
    return work


def status(platform: Platform) -> str:
    (found,) = {c["status"] for c in platform.dump("courses") if c.get("title", "").endswith(" a")}
    return str(found)


def test_a_draft_is_published_by_a_call(draft: Workspace, instance: Platform) -> None:
    """The plan says that learners will see it; the release comes after every other change."""
    draft.course("a", "status: published\ndescription: New\n")

    change = planned(draft)

    assert ("update", "access", []) == (change["action"], change["effect"], change["manual"])
    assert "learners see the course once it is published" in change["reasons"]
    assert 0 == draft.apply().code
    sent = [request["route"] for request in instance.requests(method="PUT")]
    assert (["course.update", "content.release"], "published") == (sent, status(instance))
    assert [] == draft.plan()["changes"]


def test_a_course_is_hidden_on_demand_only(work: Workspace, instance: Platform) -> None:
    """Taking a course back to draft needs `--allow`, and comes before every other change."""
    work.course("a", "status: published\n")
    work.apply()
    work.course("a", "status: draft\ndescription: New\n")
    assert "`--allow course.a`" in planned(work)["manual"][0]["text"]

    assert 0 == work.apply("--allow", "course.a").code

    sent = [request["route"] for request in instance.requests(method="PUT")]
    assert (["content.release", "course.update"], "draft") == (sent, status(instance))
    assert [] == work.plan()["changes"]


def test_hiding_without_leave_is_confirmed_as_ever(work: Workspace, instance: Platform) -> None:
    """The step for a person is confirmed with `--done`, whatever `--allow` could do."""
    work.course("a", "status: published\n")
    work.apply()
    work.course("a", "status: draft\n")
    work.apply()
    assert 0 == work.run("resolve", "course.a", "--done").code


def test_a_course_that_waits_for_its_date_is_left(work: Workspace, instance: Platform) -> None:
    """What a release would make of a date is not known: a person publishes what is pending."""
    work.course("a", 'futurePublishDate: "2090-01-01"\n')
    work.apply()
    work.course("a", "status: published\nfuturePublishDate: null\n")
    assert "status" in [step["field"] for step in planned(work)["manual"]]


def test_the_core_profile_has_no_release(work: Workspace, platform: Platform) -> None:
    """Without the route the status is a step for a person."""
    work.course("a", "status: draft\n")
    work.apply()
    work.course("a", "status: published\n")
    assert "manual" == planned(work)["action"]


def test_a_saved_plan_publishes(draft: Workspace, instance: Platform) -> None:
    """A saved plan has the release as it was shown."""
    draft.course("a", "status: published\n")
    assert 0 == draft.run("plan", "--out", "p.json").code
    done = draft.run("apply", "p.json")
    assert (0, "published") == (done.code, status(instance)), done.err
