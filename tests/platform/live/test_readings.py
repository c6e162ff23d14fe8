"""What readings show of a served platform: everything they can, in few calls, and nothing wrong."""

from collections import Counter

import pytest

from lmssync.kind import Ids
from lmssync.kinds import KINDS
from lmssync.kinds.course.course_form import MAIN
from lmssync.platform.live import LiveState, later_records
from lmssync.platform.live.readable_fields import is_declared, leaf_paths
from lmssync.resource import Address

from .conftest import Seen

core = pytest.mark.parametrize("profile", ["core"], indirect=True)
extended = pytest.mark.parametrize("profile", ["extended"], indirect=True)
TAGS = "tags: [Safety]\ndescription: Ours\n"


def test_after_an_apply_nothing_differs(seen: Seen) -> None:
    """No field of the example catalog reads otherwise than it was sent, and nothing is noticed."""
    seen.apply_examples()
    found = seen.look()
    different = {str(a): one.form for a, one in found.items() if one.form != seen.records[a].form}
    assert {} == different
    assert set() == {path for one in found.values() for path in one.noticed}


@extended
@pytest.mark.parametrize("form", [pytest.param("flat", marks=pytest.mark.slow), "nested"])
def test_an_extended_instance_shows_every_field(seen: Seen, form: str) -> None:
    """Everything is proven but a clone's source and a variant's title (O20, O26 to O28)."""
    seen.platform.order("switches", {"fullContent": form})
    seen.apply_examples()
    found = seen.look()
    unread = {
        (address.kind, path)
        for address, one in found.items()
        for path in leaf_paths(seen.records[address].form)
        if path not in one.proven
    }
    assert {("client", "cloneOf"), ("course", "articleVariant.title")} == unread
    assert {"assignment"} == {address.kind for address in seen.records.keys() - found.keys()}


def test_what_is_planned_is_read_in_the_fewest_calls(seen: Seen) -> None:
    """A core instance is asked once a course; an extended one for all groups and tags at once."""
    for key in "abc":
        seen.work.course(key, TAGS)
    seen.work.apply()
    for key in "abc":
        seen.work.course(key, TAGS.replace("Ours", "New"))
    before = seen.asked()
    seen.work.plan()
    after = {name: n - before.get(name, 0) for name, n in seen.asked().items()}
    least = {"course.full": 3, "group.list": 1, "content.search": 1}
    expected = {"course.read": 3} if seen.profile == "core" else least
    assert expected == {name: number for name, number in after.items() if number}


def look_and_count(seen: Seen) -> tuple[dict[Address, LiveState], Counter[str]]:
    """What a look shows, and the calls that it makes."""
    before = Counter(seen.asked(names=True))
    found = seen.look()
    return found, Counter(seen.asked(names=True)) - before


def test_records_one_by_one_take_as_many_calls(seen: Seen, monkeypatch: pytest.MonkeyPatch) -> None:
    """However few records are asked about together, each list is read once, and nothing is lost."""
    seen.apply_examples()
    together = look_and_count(seen)
    monkeypatch.setattr(later_records, "TOGETHER", 1)
    assert together == look_and_count(seen)


@extended
def test_a_plan_of_everything_reads_each_list_once(
    seen: Seen, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What git has changed and everything else share the lists, however few are in memory."""
    for key in "abc":
        seen.work.course(key, TAGS)
    seen.work.apply()
    seen.work.course("b", TAGS.replace("Ours", "New"))
    monkeypatch.setattr(later_records, "TOGETHER", 1)
    before = Counter(seen.asked())
    changes = seen.work.plan("--refresh", "all")["changes"]
    assert ["course.b"] == [one["address"] for one in changes]
    made = Counter(seen.asked()) - before
    assert {"course.full": 3, "group.list": 1, "content.search": 1} == made


@extended
def test_one_course_is_asked_for_alone(seen: Seen) -> None:
    """The list of all groups is not walked for one of them."""
    seen.work.course("a", "description: Ours\n")
    seen.work.apply()
    _, found = seen.one("course.a")
    assert ("course.full", "group.read") == found.readings


@extended
def test_a_capability_that_is_missing_is_not_asked_for(seen: Seen) -> None:
    """A switch under `platform.capabilities` counts more than the profile."""
    seen.work.course("a", TAGS)
    seen.work.apply()
    _, found = seen.one("course.a", capabilities={"content.search": False, "course.full": False})
    assert ("group.read", "course.read") == found.readings
    assert "tags" not in found.proven
    assert "description" in found.proven


@core
def test_a_capability_can_be_there_in_the_core_profile(seen: Seen) -> None:
    """One route that an instance has besides is named alone."""
    seen.work.course("a", TAGS)
    seen.project(capabilities="{content.saerch: true}")
    assert "did you mean `content.search`" in seen.work.run("plan").err


@extended
def test_tags_that_somebody_has_set_are_shown_by_their_labels(seen: Seen) -> None:
    """A label says more than an id, and stands in a manifest as it is."""
    seen.work.course("a", TAGS)
    seen.work.apply()
    record, _ = seen.one("course.a")
    ids = {tag["label"]: tag["id"] for tag in seen.platform.dump("tags")}
    tags = [ids["Onboarding"], ids["Safety"]]
    seen.edit("courseGroups", record.ids.own["courseGroup"], tagIds=tags)
    shown = seen.one("course.a")[1].form["tags"]
    assert ["tag.Onboarding", "tag.Safety"] == [tag["$ref"] for tag in shown]


@core
def test_a_profile_that_promises_too_much_deletes_nothing(seen: Seen) -> None:
    """A 404 of a further route is no deleted course: the plain read decides."""
    seen.work.course("a")
    seen.work.apply()
    record, found = seen.one("course.a", capabilities={"course.full": True})
    assert (True, record.form) == (found.present, found.form)
    assert ("course.read",) == found.readings


@extended
def test_a_price_that_somebody_has_changed_is_not_overwritten(seen: Seen) -> None:
    """A saved plan is refused once a field that it changes was changed by hand."""
    seen.work.course("a", "priceInCents: 1000\n")
    seen.work.apply()
    record, _ = seen.one("course.a")
    seen.work.course("a", "priceInCents: 2000\n")
    assert seen.work.run("plan", "--out", "p.json").code == 0
    seen.edit("courses", record.ids.own["course"], priceInCents=1500)
    stale = seen.work.run("apply", "p.json")
    assert "changed on the platform since the plan was made: course.a" in stale.err


@extended
def test_a_search_that_is_behind_proves_nothing(seen: Seen) -> None:
    """An item older than the last change of its course says nothing about its tags (O27)."""
    seen.work.course("a", TAGS)
    seen.work.apply()
    seen.platform.order("switches", {"searchLagSeconds": 60})
    record, before = seen.one("course.a")
    seen.edit("courseGroups", record.ids.own["courseGroup"], tagIds=[])
    _, after = seen.one("course.a")
    assert ("tags" in before.proven, "tags" in after.proven) == (True, False)


@core
def test_a_page_that_somebody_changed_later_is_noticed(seen: Seen) -> None:
    """Its body cannot be read, but the read says when it was changed (O24)."""
    seen.work.course("a")
    seen.work.apply()
    record, before = seen.one("course.a")
    seen.platform.order("clock", {"advanceSeconds": 60})
    seen.edit("topics", record.ids.parts["start/one/hello"], body="By hand")
    _, after = seen.one("course.a")
    hello = "sections[start].lessons[one].topics[hello]"
    assert (set(), {hello}) == (before.noticed, after.noticed)


def test_a_client_with_another_slug_is_found(seen: Seen) -> None:
    """A client that the search for its slug does not show is looked for among all."""
    seen.work.write("x.yaml", "resource: client\nkey: x\ncloneOf: golden\nname: X\n")
    seen.work.apply()
    record, _ = seen.one("client.x")
    seen.edit("clients", record.ids.own["id"], slug="other")
    assert "other" == seen.one("client.x")[1].form["slug"]


def test_what_was_deleted_is_gone(seen: Seen) -> None:
    """A course that somebody deleted is not present (O38)."""
    seen.work.course("a", TAGS)
    seen.work.apply()
    record, _ = seen.one("course.a")
    order = {"list": "courses", "id": record.ids.own["course"], "delete": True}
    seen.platform.order("edit", order)
    assert not seen.one("course.a")[1].present


@extended
def test_a_license_that_was_deleted_is_gone(seen: Seen) -> None:
    """The list of a client's licenses is exact (O33)."""
    seen.work.course("a")
    license_ = "{resource: license, key: b, client: acme, name: B, courses: [a], "
    seen.work.write("b.yaml", license_ + "learningPaths: [], courseTags: []}\n")
    seen.work.apply()
    record, before = seen.one("license.b")
    seen.platform.order("edit", {"list": "licenses", "id": record.ids.own["id"], "delete": True})
    assert (True, False) == (before.present, seen.one("license.b")[1].present)


@extended
def test_the_title_of_the_item_is_read_beside_that_of_the_session(seen: Seen) -> None:
    """A course has its title twice, and people see that of the catalog item."""
    seen.work.course("a")
    seen.work.apply()
    record, _ = seen.one("course.a")
    seen.edit("courseGroups", record.ids.own["courseGroup"], title="By hand")
    assert "By hand" == seen.one("course.a")[1].form["title"]


def test_the_title_of_a_topic_is_not_that_of_its_variant() -> None:
    """An instance may name the topic of an article after the course: no read compares the two."""
    topic = {"id": "t", "title": "Course", "type": "article", "body": "<p>B</p>"}
    section = {
        "id": "s",
        "title": "Main",
        "lessons": [{"id": "l", "title": "L", "topics": [topic]}],
    }
    live = {"id": "c", "courseGroupId": "g", "title": "Course", "sections": [section]}
    form = {"kind": "article", "title": "Course", "articleVariant": {"title": "Variant"}}
    ids = Ids({"course": "c"}, {MAIN: "t"})
    by_id = next(one for one in KINDS["course"].reads.readings if one.route == "course.read")
    shown = by_id.shows(form, ids, live)
    assert shown is not None
    assert "title" not in shown["articleVariant"]
    assert not is_declared(by_id.proves, "articleVariant.title")
