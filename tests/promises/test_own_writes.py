"""What lmssync itself has written is never told as somebody's edit, and edits are noticed.

Texts cannot be read on every instance: all that shows a change of them is its time (O24).
"""

from typing import Any

import orjson
import pytest

from tests.answer_proxy import AnswerProxy, answer_proxy
from tests.platform.client.answering import Asked, Said
from tests.served_catalog import Platform, Workspace, kill_apply

PARTIAL, UNKNOWN = 7, 4
LATER = {"advanceSeconds": 300}
TEXT, OLD = ("Good morning", "Good evening"), "description: Old\n"
TOPIC = "          - {id: more, title: More, type: survey}\n"


@pytest.fixture
def applied(work: Workspace, platform: Platform, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """A course that was applied a while ago."""
    monkeypatch.setitem(work.env, "LMSSYNC_BASE_URL", platform.base_url)
    monkeypatch.setenv("LMSSYNC_BASE_URL", platform.base_url)
    apply_course(work, platform)
    return work


def apply_course(work: Workspace, platform: Platform) -> None:
    work.course("a", OLD)
    assert 0 == work.apply().code
    platform.order("clock", LATER)


def lose(work: Workspace, platform: Platform, fault: str) -> None:
    """Changes a text and the description, in a call whose answer is lost."""
    work.course("a", "description: New\n", edit=TEXT)
    if fault == "kill":
        kill_apply(work, platform, "course.update")
    else:
        platform.fault(fault, "course.update")
        assert UNKNOWN == work.apply().code
    platform.order("clock", LATER)


def shown(platform: Platform) -> tuple[str, str]:
    """The text and the description that are on the platform."""
    (body,) = [one["body"] for one in platform.dump("topics") if "Good " in str(one.get("body"))]
    groups = platform.dump("courseGroups")
    (group,) = [one for one in groups if one["title"] == "Title of a"]
    return body.removeprefix("<p>").removesuffix("</p>\n"), group["description"]


def changes(work: Workspace) -> list[Any]:
    changes: list[Any] = work.plan("--refresh", "all")["changes"]
    return changes


@pytest.mark.parametrize("fault", ["drop-after", "drop-before", "kill"])
@pytest.mark.parametrize("text", ["Good evening", "Good night", "Good morning"])
def test_a_lost_change_of_a_text_is_no_edit(
    applied: Workspace, platform: Platform, fault: str, text: str
) -> None:
    """The next run sends what git says by then: the same, something else, or what was before."""
    lose(applied, platform, fault)
    applied.course("a", OLD, edit=("Good morning", text))

    assert 0 == applied.run("drift").code
    assert 0 == applied.apply().code
    assert (text, "Old") == shown(platform)
    assert [] == changes(applied)


def test_a_change_that_a_person_calls_not_done_is_no_edit(
    applied: Workspace, platform: Platform
) -> None:
    """Whatever a person says of a lost call, the next run sends it again."""
    lose(applied, platform, "drop-after")

    assert 0 == applied.run("resolve", "course.a", "--not-created").code
    assert 0 == applied.apply().code
    assert [] == changes(applied)


@pytest.mark.parametrize("more", ["", TOPIC], ids=["alone", "beside a new part"])
@pytest.mark.parametrize("status", [200, 400])
def test_what_a_refused_call_has_done_is_no_edit(
    work: Workspace, platform: Platform, monkeypatch: pytest.MonkeyPatch, more: str, status: int
) -> None:
    """An instance may refuse one field and do the rest of the call (O29)."""
    with answer_proxy(platform.base_url) as way:
        monkeypatch.setenv("LMSSYNC_BASE_URL", way.base_url)
        apply_course(work, platform)
        work.course("a", more + "description: New\n", edit=TEXT)
        way.answer_by(lambda asked: refuse_description(way, asked, status))
        for _ in range(3):
            done = work.apply()
            assert done.code in {PARTIAL, UNKNOWN}
            assert "not this description" in done.out
            platform.order("clock", LATER)
        way.straighten()
        assert 0 == work.apply().code
        assert ("Good evening", "New") == shown(platform)
        assert [] == changes(work)


def refuse_description(way: AnswerProxy, asked: Asked, status: int) -> Said:
    """Does what an update asks for, but for the fields of the group, and refuses it."""
    if asked.method != "PUT":
        return way.pass_on(asked)
    body = orjson.loads(asked.body)
    body["courseAttributes"]["courseGroups"] = []
    said = way.pass_on(asked._replace(body=orjson.dumps(body)))
    return said._replace(body={"errors": ["not this description"]}, status=status)


@pytest.mark.parametrize("title", ["From git", "From git again"])
def test_an_edit_after_a_lost_call_is_noticed(
    applied: Workspace, platform: Platform, title: str
) -> None:
    """A value that is neither recorded nor sent is somebody's: nothing is sent over it."""
    applied.course("a", edit=("Title of KEY", "From git"))
    platform.fault("drop-after", "course.update")
    assert UNKNOWN == applied.apply().code
    ids = [one["id"] for one in platform.dump("courses") if one.get("title") == "From git"]
    platform.order("edit", {"list": "courses", "id": ids[0], "set": {"title": "By hand"}})
    applied.course("a", edit=("Title of KEY", title))

    said = applied.apply().out + applied.run("drift").out
    assert "By hand" in said
    assert "By hand" in [one.get("title") for one in platform.dump("courses")]


def test_an_edit_of_another_page_is_noticed(applied: Workspace, platform: Platform) -> None:
    """A lost call explains what it has touched, and no other part."""
    applied.course("a", TOPIC.replace("survey", "text, markdown: Mine") + OLD)
    assert 0 == applied.apply().code
    platform.order("clock", LATER)
    applied.course("a", TOPIC.replace("survey", "text, markdown: Mine") + OLD, edit=TEXT)
    platform.fault("drop-after", "course.update")
    assert UNKNOWN == applied.apply().code
    (page,) = [one["id"] for one in platform.dump("topics") if one.get("title") == "More"]
    platform.order("edit", {"list": "topics", "id": page, "set": {"body": "<p>By hand</p>"}})

    assert 0 == applied.apply().code
    assert 2 == applied.run("drift").code
