"""Where the times of lists can be relied on, a look reads only what they show as moved."""

import sqlite3
from collections import Counter
from contextlib import closing
from typing import Any

import pytest

from lmssync.state import open_store
from tests.answer_proxy import answer_proxy
from tests.served_catalog import EXTENDED, Platform, Workspace

from .client.answering import Asked, Said

LATER = {"advanceSeconds": 3_600}
"""So long after a change, no read and no list is behind it."""
RELIABLE = EXTENDED.replace(
    "profile: extended", "profile: extended, capabilities: {content.times: true}"
)
OWN_READS = {"course.full", "course.read"}
HELLO, LESSON = "Hello", "One"
CHANGES: dict[str, Any] = {
    "title": ("courses", "Title of a", {"title": "By hand"}),
    "price": ("courses", "Title of a", {"priceInCents": 77}),
    "description": ("courseGroups", "Title of a", {"description": "By hand"}),
    "lesson": ("lessons", LESSON, {"title": "By hand"}),
    "access": ("lessons", LESSON, {"openType": "studentsOnly"}),
    "topic": ("topics", HELLO, {"title": "By hand"}),
    "body": ("topics", HELLO, {"body": "<p>By hand</p>"}),
    "order": ("topics", HELLO, {"position": 1}),
}


@pytest.fixture
def applied(work: Workspace, instance: Platform) -> Workspace:
    """Two courses that were applied, long ago, on an instance whose times move with all changes."""
    work.write("lmssync.yaml", RELIABLE)
    for key in ("a", "b"):
        work.course(key, "description: Of KEY\npriceInCents: 100\ntags: [Safety]\n")
    assert 0 == work.apply().code
    instance.order("clock", LATER)
    return work


def look(work: Workspace, *args: str) -> Any:
    """The look as JSON."""
    done = work.run("drift", "--json", *args)
    assert done.code == (2 if done.json["findings"] else 0), done.err
    return done.json


def reads(platform: Platform) -> Counter[str]:
    """The reads of single courses since they were last counted."""
    routes = Counter(request["route"] for request in platform.requests())
    platform.http.delete("/_sandbox/requests")
    return Counter({route: number for route, number in routes.items() if route in OWN_READS})


def edit(platform: Platform, list_: str, title: str, fields: Any) -> None:
    id_ = next(one["id"] for one in platform.dump(list_) if one["title"] == title)
    platform.order("edit", {"list": list_, "id": id_, "set": fields})


def test_what_was_just_made_is_not_read_by_itself(applied: Workspace, instance: Platform) -> None:
    """A list shows that nobody has changed a course since it was made: no read of it is needed."""
    reads(instance)
    summary = look(applied)["summary"]
    assert (0, 2, Counter()) == (summary["looked"], summary["unmoved"], reads(instance))


def test_a_state_that_was_imported_serves_as_well(applied: Workspace, instance: Platform) -> None:
    """The lists are compared with the ids of an imported state, and no course is read."""
    assert 0 == applied.run("state", "export", "state.json").code
    for file in (applied.root / ".lmssync").glob("state.db*"):
        file.unlink()
    assert 0 == applied.run("state", "import", "state.json").code
    reads(instance)
    assert (2, Counter()) == (look(applied)["summary"]["unmoved"], reads(instance))


@pytest.mark.parametrize("last", [slice(None), slice(None, None, -1)], ids=["order", "swapped"])
def test_what_a_look_pairs_it_reads_once(
    work: Workspace, instance: Platform, monkeypatch: pytest.MonkeyPatch, last: slice
) -> None:
    """The read that finds out whose an id is serves the comparison, and the next look reads no
    course: the list shows that nothing was changed since they were made."""

    def order_last(_asked: Asked, said: Said) -> Said:
        said.body["courseIds"][-2:] = said.body["courseIds"][-2:][last]
        return said

    instance.order("switches", {"idOrder": "request"})
    work.write("lmssync.yaml", RELIABLE.replace("profile:", "verify: needed, profile:"))
    for key in "abcdef":
        work.course(key)
    with answer_proxy(instance.base_url) as way:
        monkeypatch.setenv("LMSSYNC_BASE_URL", way.base_url)
        way.bend("course.create", order_last)
        assert 0 == work.apply().code
        assert 1 == reads(instance).total()
        assert (5, 5) == (look(work)["summary"]["looked"], reads(instance).total())
        instance.order("clock", {"advanceSeconds": 86_400})
        assert (6, Counter()) == (look(work)["summary"]["unmoved"], reads(instance))


def test_a_look_asks_each_list_once(applied: Workspace, instance: Platform) -> None:
    """What the lists have shown of times serves the comparison of what has moved as well."""
    edit(instance, *CHANGES["title"])
    reads(instance)
    look(applied)
    routes = Counter(request["route"] for request in instance.requests())
    assert (1, 1) == (routes["content.search"], routes["group.list"])


def test_the_text_tells_what_was_read(applied: Workspace) -> None:
    """People read how much was read, and how much a list shows to be unchanged."""
    said = applied.run("drift").out.splitlines()
    assert "No drift in 2 resources (0 read, 4 calls)." == said[0]
    assert said[1].startswith("Not read: 2 resources. Lists show no change there")
    assert "not read again, because lists show no change since" in said[2]


def test_the_truth_tells_what_was_taken_by_its_time(applied: Workspace) -> None:
    """Of the proven fields, those are counted that this look has not read again."""
    by_time, whole = look(applied)["truth"], look(applied, "--refresh", "all")["truth"]
    assert 0 < by_time["proven"] == by_time["unmoved"]
    assert 0 == whole["unmoved"] < whole["proven"]


@pytest.mark.parametrize("change", CHANGES)
def test_what_has_moved_is_read(applied: Workspace, instance: Platform, change: str) -> None:
    """A look that reads what has moved finds as much as one that reads everything, and so does
    the next one."""
    look(applied, "--refresh", "all")
    edit(instance, *CHANGES[change])
    reads(instance)
    found = look(applied)
    assert ({"course.full": 1}, ["course.a"]) == (
        reads(instance), [one["address"] for one in found["findings"]]
    )  # fmt: skip
    instance.order("clock", LATER)
    assert found["findings"] == look(applied)["findings"]
    assert found["findings"] == look(applied, "--refresh", "all")["findings"]


@pytest.mark.parametrize(("list_", "title"), [("topics", "Check"), ("courses", "Title of a")])
def test_what_was_deleted_is_found(
    applied: Workspace, instance: Platform, list_: str, title: str
) -> None:
    """A course that a list shows no more, or whose time has moved, is read by itself."""
    look(applied, "--refresh", "all")
    instance.delete(list_, title=title)
    (finding,) = look(applied)["findings"]
    assert ("course.a", True) == (finding["address"], finding["missing"] or bool(finding["gone"]))


def test_what_a_list_shows_is_compared(
    work: Workspace, instance: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tags stand in the list itself: they are compared though its time has not moved."""

    def without_tags(_asked: Asked, said: Said) -> Said:
        items = [{**item, "tags": []} for item in said.body["contentItems"]]
        return said._replace(body={**said.body, "contentItems": items})

    with answer_proxy(instance.base_url) as way:
        monkeypatch.setenv("LMSSYNC_BASE_URL", way.base_url)
        work.write("lmssync.yaml", RELIABLE)
        work.course("a", "tags: [Safety]\n")
        assert (0, 1) == (work.apply().code, look(work)["summary"]["unmoved"])
        way.bend("content.search", without_tags)
        (finding,) = look(work)["findings"]
    assert ["tags"] == [one["path"] for one in finding["fields"]]


@pytest.mark.parametrize("column", ["ids", "form"])
def test_a_damaged_record_is_no_record_that_has_not_moved(applied: Workspace, column: str) -> None:
    """The ids with which lists are asked are compared with their seal before an answer counts."""
    with closing(sqlite3.connect(applied.root / ".lmssync" / "state.db")) as db, db:
        (kept,) = db.execute(f"SELECT {column} FROM resource").fetchone()
        changed = kept.replace("-", "_") if isinstance(kept, str) else kept[:-1] + b"?"
        db.execute(f"UPDATE resource SET {column} = ? WHERE address = 'course.a'", [changed])
    done = applied.run("drift")
    assert (1, True) == (done.code, "a row of resource is not as it was written" in done.err)


def test_without_the_capability_everything_is_read(applied: Workspace, instance: Platform) -> None:
    """No profile says that times can be relied on."""
    applied.write("lmssync.yaml", EXTENDED)
    reads(instance)
    assert (2, {"course.full": 2}) == (look(applied)["summary"]["looked"], reads(instance))


def test_a_time_that_does_not_move_is_told(applied: Workspace, instance: Platform) -> None:
    """If something has changed while the list shows its old time, everything is read at once."""
    look(applied, "--refresh", "all")
    instance.order("switches", {"courseTimes": "own"})
    edit(instance, *CHANGES["lesson"])
    instance.order("clock", LATER)
    assert 0 == look(applied)["summary"]["looked"]

    _age_proof(applied, "course.a")
    found = look(applied)

    assert (2, ["course.a"]) == (found["summary"]["looked"], found["timesBehind"])
    assert (2, []) == (look(applied)["summary"]["looked"], found["left"])


def test_the_text_tells_of_a_time_that_does_not_move(
    applied: Workspace, instance: Platform
) -> None:
    """People read which resource has shown it, and what to take out of the project file."""
    look(applied, "--refresh", "all")
    instance.order("switches", {"courseTimes": "own"})
    edit(instance, *CHANGES["lesson"])
    said = applied.run("drift", "--refresh", "all").out
    assert "a list shows an old time for what has changed: course.a." in said
    assert "remove `content.times` from `platform.capabilities`" in said


def _age_proof(work: Workspace, address: str) -> None:
    """As if it had been read more than a week ago."""
    with closing(open_store("sqlite:///.lmssync/state.db", work.root, "sandbox")) as store:
        (proof,) = (one for one in store.find_proofs().values() if str(one.address) == address)
        with store.hold_state():
            store.keep_proofs([proof._replace(proved_at="2026-01-01T00:00:00Z")])


def test_an_update_is_read_once(applied: Workspace, instance: Platform) -> None:
    """What lmssync has changed itself is read by the next look, and not by the one after it."""
    look(applied, "--refresh", "all")
    applied.course("a", "description: New\npriceInCents: 100\ntags: [Safety]\n")
    assert 0 == applied.apply().code
    instance.order("clock", LATER)
    reads(instance)
    assert (1, {"course.full": 1}) == (look(applied)["summary"]["looked"], reads(instance))
    assert (0, {}) == (look(applied)["summary"]["looked"], reads(instance))


def test_a_change_that_was_seen_and_left_is_read_again(
    applied: Workspace, instance: Platform
) -> None:
    """An apply to a course that somebody has changed leaves the change, and no list hides it."""
    edit(instance, *CHANGES["price"])
    applied.course("a", "description: New\npriceInCents: 100\ntags: [Safety]\n")
    saved = str(applied.root / "saved.json")
    assert 0 == applied.run("plan", "--refresh", "none", "--out", saved).code
    assert 0 == applied.run("apply", saved).code
    instance.order("clock", LATER)
    (finding,) = look(applied)["findings"]
    assert ["priceInCents"] == [one["path"] for one in finding["fields"]]


def test_a_list_that_is_behind_hides_nothing_for_long(
    applied: Workspace, instance: Platform
) -> None:
    """A change that the search does not show yet is found once it does (O27)."""
    look(applied, "--refresh", "all")
    instance.order("switches", {"searchLagSeconds": 30})
    edit(instance, *CHANGES["lesson"])
    assert [] == look(applied)["findings"]
    instance.order("clock", LATER)
    assert 1 == len(look(applied)["findings"])


def test_a_budget_holds_with_lists(applied: Workspace, instance: Platform) -> None:
    """The lists are asked within half of the calls, or not at all."""
    look(applied, "--refresh", "all")
    for budget in (3, 8, 12):
        found = look(applied, "--budget", str(budget))
        assert budget >= found["calls"]
    assert (2, []) == (found["summary"]["unmoved"], found["left"])


def _check_times(work: Workspace) -> Any:
    """What `doctor --probe` says of the times of lists."""
    checks = work.run("doctor", "--probe", "--json").json["checks"]
    return next(one for one in checks if one["name"] == "times")


def test_the_doctor_sees_a_topic_that_changed_later(applied: Workspace, instance: Platform) -> None:
    """One topic that was changed later than the list says is enough: the capability is wrong."""
    fine = _check_times(applied)
    instance.order("switches", {"courseTimes": "own"})
    edit(instance, *CHANGES["body"])
    wrong = _check_times(applied)
    assert (True, False) == (fine["fine"], wrong["fine"])
    assert "shows an older time for course.a than that of a changed topic of it" in wrong["message"]


def test_the_doctor_proves_no_times(applied: Workspace) -> None:
    """Where nothing speaks against it, the doctor says what to try first, and switches nothing."""
    applied.write("lmssync.yaml", EXTENDED)
    found = _check_times(applied)
    assert "make the trial of docs/drift.md" in found["remedy"]
    assert "`platform: {capabilities: {content.times: true}}`" in found["remedy"]
    assert "content.times" not in applied.run("doctor", "--probe", "--json").json["lines"]


def test_the_lines_of_the_doctor_keep_the_times(applied: Workspace, instance: Platform) -> None:
    """A project file that relies on times still does so with these lines, unless they are wrong."""
    assert "content.times: true" in applied.run("doctor", "--probe", "--json").json["lines"]
    instance.order("switches", {"courseTimes": "own"})
    edit(instance, *CHANGES["body"])
    assert "content.times: true" not in applied.run("doctor", "--probe", "--json").json["lines"]
