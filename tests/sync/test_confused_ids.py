"""An id of something else, and one that reads do not show yet, are told as what they are."""

from typing import Any

import pytest

from lmssync.applying.apply import platform_work
from tests.served_catalog import Done, Platform, Workspace

from .test_found_ids import DONE, ERROR, NOBODY, UNKNOWN, USAGE, lost, settle

GONE = {"errors": ["Course not found"]}
SESSION = "sessions: [{id: autumn, title: Autumn, sections: []}]\n"


def session(platform: Platform, title: str) -> Any:
    """A session on the platform, with the id of its course group."""
    return next(one for one in platform.dump("courses") if one["title"] == title)


def unmanaged(work: Workspace, platform: Platform) -> Any:
    """A course on the platform that the state does not have any more."""
    work.course("a")
    assert DONE == work.apply().code
    work.run("state", "forget", "--drop-ids", "course.a")
    return session(platform, "Title of a")


def adopt(work: Workspace, id_: str, address: str = "course.a") -> Done:
    return work.run("adopt", f"{address}={id_}")


def test_the_group_of_the_course_is_taken_and_told(work: Workspace, platform: Platform) -> None:
    """Some reads take the id of either: the course is adopted, and the other id named (O30)."""
    made = unmanaged(work, platform)

    done = adopt(work, made["courseGroupId"])

    told = f"{made['courseGroupId']} is the id of a course group; the id of its course is"
    assert (DONE, True) == (done.code, f"adopted; {told} {made['id']}" in done.out)
    ids = work.run("state", "show", "course.a").json["ids"]
    assert {"course": made["id"], "courseGroup": made["courseGroupId"]}.items() <= ids.items()


def test_the_group_is_read_where_the_course_is_not(work: Workspace, instance: Platform) -> None:
    """A read that takes no group's id shows nothing; the group itself names its course."""
    made = unmanaged(work, instance)
    instance.fault("answer", "course.read", status=404, body=GONE)

    done = adopt(work, made["courseGroupId"])

    assert (DONE, True) == (done.code, f"the id of its course is {made['id']}" in done.out)


@pytest.mark.parametrize("status", [200, 404])
def test_where_no_read_shows_the_group(work: Workspace, platform: Platform, status: int) -> None:
    """The message says which id is wanted; a refusal with the status 200 is none else (O29)."""
    made = unmanaged(work, platform)
    platform.fault("answer", "course.read", status=status, body=GONE)

    done = adopt(work, made["courseGroupId"])

    assert USAGE == done.code
    assert f"the platform has no course with the id {made['courseGroupId']}" in done.err
    assert "copy the id of the course, not that of its course group" in done.err


def test_the_group_of_another_course(work: Workspace, platform: Platform) -> None:
    """It is a group's id, and that of another course."""
    other = unmanaged(work, platform)
    work.course("b")
    done = adopt(work, other["courseGroupId"], "course.b")
    assert (ERROR, True) == (done.code, "is the id of a course group; the id of its" in done.err)
    assert f"is {other['id']}, which is not course.b: its mark, title or structure" in done.err


@pytest.mark.parametrize("managed", [True, False])
def test_the_group_in_the_place_of_a_session(
    work: Workspace, instance: Platform, managed: bool
) -> None:
    """A further session has an id of its own; that of the group is not taken for it."""
    work.course("a", SESSION)
    assert DONE == work.apply().code
    work.run("state", "forget", "--drop-ids", "session.a.autumn")
    group = session(instance, "Autumn")["courseGroupId"]
    if not managed:
        work.course("b")
        assert DONE == work.apply("--target", "course.b").code
        work.run("state", "forget", "--drop-ids", "course.b")
        group = session(instance, "Title of b")["courseGroupId"]

    done = adopt(work, group, "session.a.autumn")

    assert done.code in {ERROR, USAGE}
    what = (
        "of the course group of course.a" if managed else "of a course group; the id of its course"
    )
    assert f"{group} is the id {what}" in done.err


def test_the_id_of_a_group_for_a_lost_call(work: Workspace, platform: Platform) -> None:
    """`resolve --adopt` says the same."""
    work.course("a")
    platform.order("switches", {"skuOnRead": False})
    platform.fault("drop-after", "course.create")
    assert UNKNOWN == work.apply().code
    made = session(platform, "Title of a")

    done = work.run("resolve", "course.a", "--adopt", made["courseGroupId"])

    remark, found, advice = done.out.partition(f"the id of its course is {made['id']}; recorded")
    assert (DONE, True, True) == (done.code, bool(found), "`lmssync plan`" in advice)
    assert "`lmssync" not in remark


def test_an_id_that_a_list_does_not_show(work: Workspace, platform: Platform) -> None:
    """It is not there; nothing is said about marks and titles."""
    work.course(
        "a", "purchasePaths: [{id: p, label: B, target: {url: 'https://e.com', title: S}}]\n"
    )
    assert DONE == work.apply().code
    work.run("state", "forget", "--drop-ids", "path.a.p")

    done = adopt(work, NOBODY, "path.a.p")

    assert USAGE == done.code
    assert f"shows nothing with the id {NOBODY} where path.a.p would be" in done.err


@pytest.mark.parametrize("answer", ["resolve", "adopt"])
def test_a_list_that_is_behind_is_read_again(
    work: Workspace, instance: Platform, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    """What was sent just now may be missing in a list (O31): it is said, and looked for again."""
    ids = lost(work, instance)
    monkeypatch.setattr(platform_work, "MARGIN", 600.0)
    instance.fault("answer", "license.list", status=200, body={"licenses": []})

    code, said = settle(work, answer, ids["Staff"])

    assert (DONE, True) == (code, f"the platform does not show {ids['Staff']} yet: looking" in said)
