"""What people delete or change on the platform: told, decided, and never a dead end."""

import pytest

from tests.served_catalog import Platform, Workspace

from .test_absence import CRITERION, PATH

PARTIAL = 7


def reason(work: Workspace) -> str:
    return str([change["reasons"] for change in work.plan()["changes"]])


def test_a_page_that_somebody_deleted_is_made_again_on_demand(
    work: Workspace, platform: Platform
) -> None:
    """A change of a deleted page is blocked until a person decides."""
    work.course("a")
    work.apply()
    platform.delete("topics", title="Check")
    work.course("a", edit=("title: Check", "title: Exam"))

    assert PARTIAL == work.apply().code
    assert "--recreate course.a" in reason(work)
    assert 0 == work.apply("--recreate", "course.a").code
    assert ["Hello", "Exam"] == platform.topics("Title of a")
    assert [] == work.plan()["changes"]


def test_a_page_that_is_gone_from_both_sides_is_done_with(
    work: Workspace, platform: Platform
) -> None:
    """A page deleted in the catalog and by hand needs no further step."""
    work.course("a")
    work.apply()
    platform.delete("topics", title="Check")
    work.course("a", edit=("          - {id: check, title: Check, type: quiz}\n", ""))

    assert 0 == work.apply().code
    assert [] == work.plan()["changes"]


def test_a_rule_that_somebody_deleted_is_made_again_on_demand(
    work: Workspace, platform: Platform
) -> None:
    """A deleted rule is created again when asked for."""
    work.course("a", CRITERION)
    work.apply()
    platform.delete("completionCriteria", type="coursePercentViewed")
    work.course("a", CRITERION.replace("80", "90"))

    assert PARTIAL == work.apply().code
    assert 0 == work.apply("--recreate", "criterion.a.m").code
    assert [90] == [one["coursePercentViewed"] for one in platform.dump("completionCriteria")]
    assert [] == work.plan()["changes"]


@pytest.mark.parametrize("saved", [False, True], ids=["at once", "saved"])
def test_a_course_that_somebody_deleted_is_made_again_with_all_of_it(
    work: Workspace, platform: Platform, saved: bool
) -> None:
    """A recreated course gets its rules and purchase paths again."""
    work.course("a", "sku: SAF-1\n" + CRITERION + PATH)
    work.apply()
    platform.delete("courses", sku="SAF-1")
    work.course("a", "sku: SAF-2\ndescription: New\n" + CRITERION + PATH)

    assert PARTIAL == work.apply().code
    if saved:
        work.run("plan", "--recreate", "course.a", "--out", "p.json")
        assert 0 == work.run("apply", "p.json").code
    else:
        assert 0 == work.apply("--recreate", "course.a").code
    assert [] == work.plan()["changes"]
    live = [course["id"] for course in platform.dump("courses") if course["status"] != "deleted"]
    assert live == [path["courseId"] for path in platform.dump("purchasePaths")[-1:]]


@pytest.mark.parametrize("what", ["course.a", "course.a:title"])
def test_a_conflict_is_decided_for_git(work: Workspace, platform: Platform, what: str) -> None:
    """A field that changed on both sides is blocked until a person decides."""
    work.course("a")
    work.apply()
    platform.change({"courses": [{"id": platform.dump("courses")[0]["id"], "title": "By hand"}]})
    work.course("a", edit=("Title of KEY", "From git"))

    assert PARTIAL == work.apply().code
    assert "--keep git course.a" in reason(work)
    assert 0 == work.apply("--keep", "git", what).code
    assert "From git" == platform.dump("courses")[0]["title"]
    assert [] == work.plan()["changes"]


def test_a_conflict_that_was_decided_stays_decided_in_a_saved_plan(
    work: Workspace, platform: Platform
) -> None:
    """A saved plan keeps the decision about a conflict."""
    work.course("a")
    work.apply()
    platform.change({"courses": [{"id": platform.dump("courses")[0]["id"], "title": "By hand"}]})
    work.course("a", edit=("Title of KEY", "From git"))

    assert 0 == work.run("plan", "--keep", "git", "course.a", "--out", "p.json").code
    assert 0 == work.run("apply", "p.json").code
    assert "From git" == platform.dump("courses")[0]["title"]


def test_a_word_about_nothing_is_refused(work: Workspace) -> None:
    """An option that matches nothing is refused, since it may be a typo."""
    work.course("a")

    done = work.run("plan", "--recreate", "course.b")
    assert 64 == done.code
    assert "`--recreate course.b` names nothing" in done.err
