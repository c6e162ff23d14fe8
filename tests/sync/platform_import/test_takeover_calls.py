"""How many calls it takes to take over what is on the platform: an import, and an adoption."""

import csv
from collections import Counter

import pytest

from lmssync.kinds import KINDS
from tests.served_catalog import Platform, Workspace

MORE = """\
completionCriteria:
  - {id: half, type: coursePercentViewed, percent: 50}
  - {id: seen, type: courseTopicViewed, topic: start/one/hello}
purchasePaths:
  - {id: buy, label: Buy, target: {url: "https://shop.example.com/a", title: Shop}}
"""
PRICED = "priceInCents: 100\nstatus: published\n"


def routes_asked(platform: Platform) -> Counter[str]:
    """The requests since this was last asked, by route."""
    asked = Counter(request["route"] for request in platform.requests())
    platform.http.delete("/_sandbox/requests")
    return asked


@pytest.fixture
def made(work: Workspace, instance: Platform) -> Platform:
    """An instance with two courses: one has two criteria and a purchase path."""
    work.course("a", MORE)
    work.course("b")
    done = work.apply()
    assert 0 == done.code, done.err
    routes_asked(instance)
    return instance


def write_found_ids(work: Workspace) -> list[str]:
    """A file with the address and the id of all that is recorded, the courses last."""
    rows = work.run("state", "list", "--json").json["resources"]
    pairs = [(row["address"], next(iter(row["ids"].values()))) for row in reversed(rows)]
    with (work.root / "found.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(pairs)
    return [address for address, _ in pairs]


def forget_state(work: Workspace) -> None:
    for file in (work.root / ".lmssync").iterdir():
        file.unlink()


def test_an_adoption_reads_nothing_twice(work: Workspace, made: Platform) -> None:
    """One read of a course shows its bodies; where it has criteria, another one shows these. Its
    purchase paths and all catalog items have lists of their own."""
    write_found_ids(work)
    forget_state(work)
    routes_asked(made)

    done = work.run("adopt", "--from", "found.csv", "--new-state")

    assert 0 == done.code, done.err
    asked = {"course.full": 2, "course.read": 1, "path.list": 1, "group.list": 1}
    assert asked == routes_asked(made)


def test_what_leads_to_a_course_is_adopted_after_it(work: Workspace, platform: Platform) -> None:
    """A purchase path is recognised by its target, which the same file may name later."""
    target = "purchasePaths: [{id: other, label: Other, target: {item: b}}]\n"
    work.course("a", PRICED + target)
    work.course("b", PRICED + target.replace("item: b", "item: a"))
    assert 0 == work.apply().code
    write_found_ids(work)
    forget_state(work)

    done = work.run("adopt", "--from", "found.csv", "--new-state")

    assert (0, 4) == (done.code, done.out.count(": adopted\n"))


def test_what_the_whole_course_does_not_show_is_read_apart(
    work: Workspace, instance: Platform
) -> None:
    """An instance whose read of bodies has no `status` is asked for it by the other read, once."""
    work.course("a", "status: draft\n")
    work.apply()
    write_found_ids(work)
    forget_state(work)
    (made,) = (one["id"] for one in instance.dump("courses") if one["title"] == "Title of a")
    headers = {"Authorization": f"Bearer {instance.key}"}
    whole = instance.http.get(f"/incoming/v2/fullContent/courses/{made}", headers=headers).json()
    del whole["status"]
    instance.fault("answer", "course.full", status=200, body=whole)
    routes_asked(instance)

    done = work.run("adopt", "--from", "found.csv", "--new-state")

    assert 0 == done.code, done.err
    assert {"course.full": 1, "course.read": 1, "group.read": 1} == routes_asked(instance)


def test_what_is_inside_a_course_may_be_named_before_it(work: Workspace, made: Platform) -> None:
    """All is taken over, and told in the order of the file."""
    addresses = write_found_ids(work)
    forget_state(work)

    done = work.run("adopt", "--from", "found.csv", "--new-state")

    told = [line.split(": ")[0] for line in done.out.splitlines() if line.endswith(": adopted")]
    assert addresses == told


def test_an_import_asks_nothing_twice(work: Workspace, made: Platform) -> None:
    """Three reads a course: its bodies, its criteria, its purchase paths. Each list once."""
    forget_state(work)
    for file in work.root.glob("*.yaml"):
        if file.name != "lmssync.yaml":
            file.unlink()
    groups = len(made.dump("courseGroups"))
    clients = len(made.dump("clients"))
    routes_asked(made)

    done = work.run("import", "--all", "--dry-run")

    assert 0 == done.code, done.err
    of_courses = dict.fromkeys(("course.full", "criteria.list", "path.list"), groups)
    lists = ("ping", "group.list", "content.search", "tag.list", "location.list", "client.list")
    wanted = of_courses | dict.fromkeys(lists, 1) | {"license.list": clients}
    assert wanted == routes_asked(made)


@pytest.mark.parametrize(
    "group",
    [{"courseCount": 2, "displayCourseId": "x"}, {"displayCourseId": "x"}, {"courseCount": 1}],
)
def test_a_group_is_asked_for_its_sessions_unless_it_shows_the_only_one(
    group: dict[str, object],
) -> None:
    """Without a count, or without the course that is displayed, the list alone tells (O46)."""
    imports = KINDS["session"].imports
    assert imports

    assert imports.may_have(group)
    assert not imports.may_have({"courseCount": 1, "displayCourseId": "x"})
