"""`drift` compares what is recorded with the platform; `status` says where things stand."""

import re
from typing import Any

import pytest

from tests.answer_proxy import AnswerProxy
from tests.planning.test_changes_by_people import LATER, TOPIC, edit
from tests.platform.client.answering import Said
from tests.platform.live.conftest import _sandboxes, platform, profile
from tests.served_catalog import PROJECT, Platform, Workspace

__all__ = ["_sandboxes", "platform", "profile"]  # fixtures
EXTENDED = PROJECT.replace("{licenseMarker", "{profile: extended, licenseMarker")


CORE = pytest.mark.parametrize("profile", ["core"], indirect=True)
"""For what is the same on both profiles."""


@pytest.fixture
def applied(work: Workspace, profile: str) -> Workspace:
    """A catalog of two courses that was applied, on an instance of either profile."""
    work.write("lmssync.yaml", EXTENDED if profile == "extended" else PROJECT)
    for key in ("a", "b"):
        work.course(key)
    assert 0 == work.apply().code
    return work


def drift(work: Workspace, *args: str) -> Any:
    """The look as JSON; it exits with 2 if it has findings."""
    done = work.run("drift", "--json", *args)
    assert done.code == (2 if done.json["findings"] else 0), done.err
    return done.json


def fields(look: Any) -> dict[str, list[str]]:
    return {one["address"]: [field["path"] for field in one["fields"]] for one in look["findings"]}


def test_no_drift_after_an_apply(applied: Workspace) -> None:
    """What was just applied is as it is recorded, on both profiles."""
    look = drift(applied)
    assert ([], 2) == (look["findings"], look["summary"]["looked"])


@CORE
def test_what_waits_to_be_deleted_was_not_moved(applied: Workspace) -> None:
    """A first topic that left the manifest stays where it stood, and no person did that (O11)."""
    applied.course("a", edit=("{id: hello,", "{id: new, title: New, type: quiz}  # {"))
    assert 0 == applied.apply().code
    assert [] == drift(applied)["findings"]


def test_an_edit_is_a_line(applied: Workspace, platform: Platform) -> None:
    """A field that somebody has changed is one line with both values; the exit code is 2."""
    for one in ("courses", "courseGroups"):
        edit(platform, one, "Title of a", title="By hand")

    done = applied.run("drift")

    assert 2 == done.code
    assert "“Title of a” (course.a) title: “Title of a” → “By hand”" == done.out.splitlines()[0]


def test_a_changed_body(applied: Workspace, platform: Platform) -> None:
    """A changed body is noticed in the core profile and read in the extended one."""
    platform.order("clock", LATER)
    edit(platform, "topics", "Hello", body="<p>By hand</p>")

    (finding,) = drift(applied)["findings"]

    (field,) = finding["fields"]
    assert f"{TOPIC}.body" == field["path"]
    assert (field.get("noticedAt") is None) is (field["live"] == "<p>By hand</p>")


def test_what_was_deleted(applied: Workspace, platform: Platform) -> None:
    """A course or a topic that somebody has deleted is told as such."""
    platform.delete("topics", title="Check")
    platform.delete("courses", title="Title of b")
    assert [
        "“Title of a” (course.a) page “Check” in “One”: was deleted on the platform",
        "“Title of b” (course.b) is not on the platform any more",
    ] == applied.run("drift").out.splitlines()[:2]


@CORE
def test_a_plan_says_of_what_something_was_deleted(applied: Workspace, platform: Platform) -> None:
    """A line about a deleted topic has the title of its course, as every other line."""
    platform.delete("topics", title="Hello")
    done = applied.run("plan", "--refresh", "all")
    assert "“Title of" in done.out.partition("deleted on the platform")[0]


@CORE
def test_only_what_was_asked_for(applied: Workspace, platform: Platform) -> None:
    """Patterns choose what is looked at."""
    edit(platform, "courses", "Title of a", title="By hand")
    assert (0, 1) == (
        len(drift(applied, "course.b")["findings"]),
        len(fields(drift(applied, "*.a"))),
    )


@CORE
def test_a_pattern_that_nothing_matches(applied: Workspace) -> None:
    """A pattern that matches nothing is wrong use, with a near miss."""
    done = applied.run("drift", "course.c")
    assert (64, True) == (done.code, "nothing is recorded that matches `course.c`" in done.err)


@CORE
def test_a_budget(work: Workspace, platform: Platform) -> None:
    """A look makes no more calls than it may, says what it has left, and begins with it next."""
    for number in range(6):
        work.course(f"c{number}")
    work.apply()
    before = len(platform.requests(method="GET"))

    first = drift(work, "--budget", "4")

    assert 4 >= len(platform.requests(method="GET")) - before
    assert first["summary"]["left"] == 6 - first["summary"]["looked"] > 0
    second = drift(work, "--budget", "4")
    assert not set(first["left"][: second["summary"]["looked"]]) & set(second["left"])


@CORE
def test_the_budget_is_told(work: Workspace) -> None:
    """People read what was not looked at, and why."""
    for number in range(3):
        work.course(f"c{number}")
    work.apply()
    assert "Not looked at, because the calls of --budget were used up: course.c" in (
        work.run("drift", "--budget", "2").out
    )


@CORE
def test_fields_left_to_others_are_no_drift(work: Workspace, platform: Platform) -> None:
    """A field under `lifecycle.ignore` is not compared."""
    work.course("a", "sku: S-1\nlifecycle: {ignore: [sku]}\n")
    work.apply()
    edit(platform, "courses", "Title of a", sku="S-2")
    assert [] == drift(work)["findings"]


@CORE
def test_drift_as_markdown(applied: Workspace, platform: Platform) -> None:
    """For a comment on a pull request there is a table, whose cells cannot break it."""
    edit(platform, "courses", "Title of a", title="By | hand")
    rows = applied.run("drift", "--format", "markdown").out.splitlines()
    assert "| “Title of a” (course.a) | title | “Title of a” → “By &#124; hand” |" in rows


def test_drift_is_proof(applied: Workspace) -> None:
    """What a look has proven stands in the state; the serial stays, so saved plans stay valid."""
    before = applied.run("status", "--json").json
    drift(applied)
    after = applied.run("status", "--json").json
    assert (before["serial"], 2, 0) == (
        after["serial"],
        after["proofs"]["current"],
        after["proofs"]["never"],
    )


@CORE
def test_an_empty_state_has_no_drift(work: Workspace, platform: Platform) -> None:
    """Where nothing is recorded, nothing is asked."""
    assert 0 == work.run("drift").code
    assert [] == platform.requests()


@CORE
def test_status_counts(applied: Workspace) -> None:
    """The status counts what is managed by kind, and what has left the catalog."""
    (applied.root / "b.yaml").unlink()
    applied.apply()

    now = applied.run("status", "--json").json

    assert {"total": 1, "byKind": {"course": 1}} == now["managed"]
    assert (["course.b"], None) == (now["forgotten"], now["unmanaged"])


@CORE
def test_status_names_what_is_open(work: Workspace) -> None:
    """Steps for people are listed with the time since when."""
    work.course("a", "status: draft\n")
    work.apply()
    work.course("a", "status: published\n")
    work.apply()

    done = work.run("status")

    assert "by hand     1 open step" in done.out
    step = "set the status in the admin interface from `draft` to `published`"
    assert f"! “Title of a” (course.a): {step}" in done.out


@CORE
def test_status_needs_no_network(applied: Workspace, platform: Platform) -> None:
    """The status comes from the state alone."""
    before = len(platform.requests())
    assert 0 == applied.run("status").code
    assert before == len(platform.requests())


READERS = (
    ("plan",),
    ("plan", "--refresh", "all"),
    ("plan", "--out", "p.json"),
    ("show", "p.json"),
    ("drift",),
    ("status",),
)


def test_readers_send_no_write(applied: Workspace, platform: Platform) -> None:
    """`plan`, `show`, `drift` and `status` send nothing but GET, whatever they find."""
    edit(platform, "courses", "Title of a", title="By hand")
    applied.course("a", edit=("Title of KEY", "From git"))
    applied.course("c")
    platform.http.delete("/_sandbox/requests").raise_for_status()
    for command in READERS:
        assert applied.run(*command).code in {0, 2}
    assert {"GET"} == {request["method"] for request in platform.requests()}


@pytest.mark.parametrize("profile", ["extended"], indirect=True)
def test_what_is_not_managed_is_listed(work: Workspace, platform: Platform) -> None:
    """The extended profile lists every course; those of the catalog are left out."""
    work.write("lmssync.yaml", EXTENDED)
    work.course("a")
    work.course("b")
    work.apply()
    (work.root / "b.yaml").unlink()
    work.apply()

    listed = work.run("drift", "--unmanaged", "--json").json["items"]

    titles = {item["title"]: item["forgotten"] for item in listed if item["kind"] == "course"}
    assert len(platform.dump("courseGroups")) - 1 == len(titles)
    assert ("course.b", False) == (titles["Title of b"], "Title of a" in titles)


INSIDE = """\
completionCriteria: [{id: most, type: coursePercentViewed, percent: 80}]
purchasePaths:
  - {id: shop, label: Buy, target: {url: "https://shop.example.com", title: Shop}}
sessions:
  - id: late
    title: Late
    sections: [{id: s, title: S, lessons: [{id: l, title: L, openType: open, topics: [TOPIC]}]}]
""".replace("TOPIC", "{id: t, title: T, type: quiz}")


def by_hand(platform: Platform, title: str) -> set[str]:
    """What somebody adds to a course: the ids of a criterion and of a purchase path."""
    course = next(one["id"] for one in platform.dump("courses") if one["title"] == title)
    to_shop = {
        "targetType": "external_url",
        "targetUrl": "https://x.example",
        "targetUrlTitle": "X",
    }
    added = {
        "completionCriteria": {
            "courseId": course,
            "type": "coursePercentViewed",
            "coursePercentViewed": 50,
        },
        "purchasePaths": {"courseId": course, "label": "Order <b>now</b>", **to_shop},
    }
    orders = [{"list": name, "add": fields} for name, fields in added.items()]
    return {platform.order("edit", order)["id"] for order in orders}


@pytest.mark.parametrize("profile", ["extended"], indirect=True)
def test_what_belongs_to_something_is_listed_with_it(work: Workspace, platform: Platform) -> None:
    """Licenses, criteria and purchase paths; those of a manifest are left out."""
    work.write("lmssync.yaml", EXTENDED)
    work.course("a", INSIDE)
    assert 0 == work.apply().code
    added = by_hand(platform, "Title of a")

    listed = work.run("drift", "--unmanaged", "--json").json["items"]

    assert added == {item["id"] for item in listed if item["owner"] == "course.a"}
    licenses = {item["id"] for item in listed if item["kind"] == "license"}
    assert {one["id"] for one in platform.dump("licenses")} == licenses
    assert {"client", "license", "criterion", "path"} == {item["kind"] for item in listed}
    for form in ("text", "markdown"):
        shown = work.run("drift", "--unmanaged", "--format", form).out
        assert all(item["id"] in shown for item in listed)
        assert "Order now (of course.a)" in shown


@pytest.mark.parametrize("profile", ["extended"], indirect=True)
def test_a_list_that_the_key_may_not_read_is_named(
    work: Workspace, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rest is listed all the same."""
    work.write("lmssync.yaml", EXTENDED)
    work.course("a")
    work.apply()
    key = platform.order("keys", {"permissions": ["courses.edit"]})["apiKey"]
    monkeypatch.setenv("LMSSYNC_API_KEY", key)
    done = work.run("drift", "--unmanaged")
    assert "The key may not list every purchase path, so unmanaged ones" in done.out
    assert (2, True) == (done.code, "\nlicense  " in done.out)


@pytest.mark.parametrize("profile", ["extended"], indirect=True)
def test_an_owner_that_is_just_deleted_hides_nothing(
    work: Workspace, platform: Platform, way: AnswerProxy
) -> None:
    """One list that is not there stops no other; where none is there, the instance lacks it."""
    work.write("lmssync.yaml", EXTENDED)
    for key in ("a", "b"):
        work.course(key)
    work.apply()
    kept = next(one["id"] for one in platform.dump("courses") if one["title"] == "Title of a")
    added = by_hand(platform, "Title of a")
    gone = Said({"errors": ["there is no such course"]}, 404)
    way.bend("path.list", lambda asked, said: said if kept in asked.path else gone)
    listed = work.run("drift", "--unmanaged", "--json").json
    assert added == {one["id"] for one in listed["items"] if one["owner"] == "course.a"}
    way.bend("path.list", lambda _asked, _said: gone)
    assert ["purchase path"] == work.run("drift", "--unmanaged", "--json").json["unlisted"]


@CORE
def test_what_no_route_lists_is_told(work: Workspace) -> None:
    """The core profile lists clients, and no route of it lists courses or what is inside them."""
    nouns = ["course", "session", "completion criterion", "license", "purchase path"]
    said = (
        f"This instance has no list of every {', '.join(nouns[:-1])} and {nouns[-1]}, so "
        "unmanaged ones were not looked for."
    )
    for form in ("text", "markdown"):
        done = work.run("drift", "--unmanaged", "--format", form)
        assert (2, 1) == (done.code, done.out.count(said))
    shown = work.run("drift", "--unmanaged", "--json").json
    assert (nouns, {"client"}) == (shown["unlisted"], {one["kind"] for one in shown["items"]})


@CORE
def test_what_is_not_managed_is_not_chosen(work: Workspace) -> None:
    """`--unmanaged` takes neither addresses nor a budget."""
    assert 64 == work.run("drift", "--unmanaged", "course.a").code


@CORE
def test_what_stops_a_look_is_told_with_what_it_found(
    applied: Workspace, platform: Platform
) -> None:
    """If the platform fails in the middle, the exit code says so, and nothing is called equal."""
    platform.order(
        "faults", {"action": "status", "status": 503, "route": "course.read", "times": 20}
    )

    done = applied.run("drift")

    assert 8 == done.code
    assert "Not looked at, because the look was stopped: course.a, course.b." in done.out


CHANGES = 2
HELLO = "sections[start].lessons[one].topics[hello].title"


def known_drift(work: Workspace, platform: Platform) -> None:
    """A topic of an applied course has another title by hand, and a look has found it."""
    work.course("a")
    assert 0 == work.apply().code
    topic = next(one["id"] for one in platform.dump("topics") if one["title"] == "Hello")
    platform.order("edit", {"list": "topics", "id": topic, "set": {"title": "By hand"}})
    assert CHANGES == work.run("drift").code


@CORE
@pytest.mark.parametrize(
    "command",
    [
        ("plan",),
        ("plan", "--format", "markdown"),
        ("status",),
        ("show", "course.a"),
        ("watch", "--once"),
    ],
    ids=" ".join,
)
def test_known_drift_is_shown(
    work: Workspace, platform: Platform, command: tuple[str, ...]
) -> None:
    """What the last look has found is shown with its place and the time of the look."""
    known_drift(work, platform)
    done = work.run(*command)
    said = re.sub("</?code>", "`", done.out + done.err)
    assert "title of page “Hello” in “One”" in said.partition("ut of sync")[2]
    assert re.search(r"seen on \d+ \w+ \d{4}, \d\d:", said)


@CORE
def test_known_drift_is_in_the_documents(work: Workspace, platform: Platform) -> None:
    """Programs get the address, the places and the time."""
    known_drift(work, platform)
    (found,) = work.plan()["knownDrift"]
    status = work.run("status", "--json").json["sync"]
    (same,) = status["findings"]
    assert (["course.a", [HELLO]], "out of sync") == (
        [found["address"], found["paths"]],
        status["status"],
    )
    assert found["foundAt"] == same["foundAt"]
    assert found["foundAt"] == work.run("show", "course.a", "--json").json["drift"]["foundAt"]


@CORE
@pytest.mark.parametrize("settled_by", ["apply", "pull", "drift"])
def test_known_drift_is_settled(work: Workspace, platform: Platform, settled_by: str) -> None:
    """It is shown until git or the platform has given way, or a look finds nothing any more."""
    known_drift(work, platform)
    if settled_by == "apply":
        assert 0 == work.apply("--refresh", "all", "--keep", "git", "course.a").code
    elif settled_by == "pull":
        assert 0 == work.run("pull", "course.a").code
    else:
        topic = next(one["id"] for one in platform.dump("topics") if one["title"] == "By hand")
        platform.order("edit", {"list": "topics", "id": topic, "set": {"title": "Hello"}})
        assert 0 == work.run("drift").code
    assert "knownDrift" not in work.plan()
    assert "in sync" == work.run("status", "--json").json["sync"]["status"]


@CORE
def test_what_was_never_compared_is_unknown(work: Workspace) -> None:
    """Without a look nobody knows whether the platform is as it is recorded."""
    assert "unknown" == work.run("status", "--json").json["sync"]["status"]


@CORE
def test_a_deletion_that_a_look_has_found_is_shown(work: Workspace, platform: Platform) -> None:
    """`show` says it, and nothing of the resource counts as proven any more."""
    work.course("a")
    work.apply()
    platform.delete("courses", title="Title of a")
    assert CHANGES == work.run("drift").code
    assert "not there any more" in work.run("show", "course.a").out
    assert 0 == work.run("status", "--json").json["truth"]["proven"]
