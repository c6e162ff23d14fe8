"""`validate --online`: whether what manifests name is on the platform, by reads alone."""

from typing import Any

import pytest

from tests.kinds.test_course_updates import LICENSE
from tests.served_catalog import EXTENDED, PROJECT, Platform, Workspace

INVALID, UNREACHABLE, USAGE = 3, 8, 64
NOWHERE = "00000000-0000-4000-8000-000000000000"
SHOP = """\
resource: purchasePath
key: shop
course: COURSE
label: Buy
target: {item: ITEM}
"""


def problems(work: Workspace, *args: str) -> list[Any]:
    """The errors, by the JSON of a run."""
    done = work.run("validate", "--online", "--json", *args)
    assert done.code in {0, INVALID}, done.err
    return [one for one in done.json["problems"] if one["severity"] == "error"]


def routes(platform: Platform) -> list[str]:
    return [request["route"] for request in platform.requests()]


def of(platform: Platform, list_: str) -> str:
    """The id of something on the platform."""
    one = platform.dump(list_)[0]
    return str(one["id"])


def course(work: Workspace, platform: Platform) -> Any:
    """A course on the platform that the catalog does not have; the log of requests is empty."""
    work.course("made")
    assert 0 == work.apply().code
    (work.root / "made.yaml").unlink()
    made = next(one for one in platform.dump("courses") if one.get("title") == "Title of made")
    platform.http.delete("/_sandbox/requests").raise_for_status()
    return made


def path(platform: Platform) -> str:
    """The id of a learning path; it has to come first, since everything else is new as well."""
    seed = platform.http.get("/_sandbox/dump").json()
    platform.order("reset", {"seed": seed | {"learningPaths": [{"title": "P", "sku": "P-1"}]}})
    return of(platform, "learningPaths")


def license_(work: Workspace, *edits: tuple[str, str]) -> None:
    text = LICENSE.replace("courses: [a]", "courses: []")
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    work.write("l.yaml", text)


def test_a_name_that_is_not_there(work: Workspace, platform: Platform) -> None:
    """The problem stands where the name does, and names what is near."""
    slug = platform.dump("clients")[0]["slug"]
    license_(work, ("client: acme", f"client: {slug}x"))

    done = work.run("validate", "--online")

    assert INVALID == done.code
    assert (
        f"l.yaml:3:1: error[unknown-name] license.staff: there is no client `{slug}x`" in done.out
    )
    assert f"did you mean `{slug}`?" in done.out


def test_what_is_there_is_valid(work: Workspace, platform: Platform) -> None:
    """It says how much was asked, in how many calls."""
    license_(work)

    done = work.run("validate", "--online")

    assert (0, True) == (done.code, done.out.endswith("Valid: 1 resource in 1 file.\n"))
    assert "asked the platform about 1 name or uuid in 2 calls\n" == done.err
    assert ["ping", "client.list"] == routes(platform)


def test_without_the_option_nothing_is_asked(work: Workspace, platform: Platform) -> None:
    """A validation is offline, also after one that was not: nothing of that was kept."""
    license_(work, ("client: acme", "client: nobody"))
    assert INVALID == work.run("validate", "--online").code
    before = len(platform.requests())

    assert 0 == work.run("validate").code
    assert before == len(platform.requests())
    assert INVALID == work.run("validate", "--online").code


def test_nothing_is_asked_where_nothing_is_named(work: Workspace, platform: Platform) -> None:
    """A catalog whose names are all its own needs no call."""
    work.course("a")

    done = work.run("validate", "--online")

    assert (0, "there is nothing to ask the platform about\n") == (done.code, done.err)
    assert [] == platform.requests()


def test_a_course_by_its_uuid(work: Workspace, platform: Platform) -> None:
    """One read for each uuid, however often it is named; one that is not there is a problem."""
    there = course(work, platform)["id"]
    license_(work, ("courses: []", f"courses: [{there}, {NOWHERE}]"))
    work.write("m.yaml", LICENSE.replace("staff", "more").replace("[a]", f"[{there}]"))

    (problem,) = problems(work)

    assert ("unknown-id", "courses[1]") == (problem["code"], problem["path"])
    assert f"there is no course `{NOWHERE}` on the platform" == problem["message"]
    assert ["client.list", "course.read", "course.read", "ping"] == sorted(routes(platform))


@pytest.mark.parametrize("number", [1, 2, 5])
def test_names_take_few_calls(work: Workspace, platform: Platform, number: int) -> None:
    """Many clients are one list; a single one is a question for its slug."""
    for n in range(number):
        slug = platform.dump("clients")[0]["slug"] if n else "acme"
        edits = ("key: staff", f"key: l{n}"), ("client: acme", f"client: {slug}")
        text = LICENSE.replace("[a]", "[]")
        for old, new in edits:
            text = text.replace(old, new)
        work.write(f"l{n}.yaml", text)
    before = len(platform.requests())

    assert [] == problems(work)
    assert ["ping", "client.list"] == routes(platform)[before:]


def test_uuids_of_tags_and_clients(work: Workspace, platform: Platform) -> None:
    """Lists show them; a uuid with a slip names the one that is near."""
    client, tag = of(platform, "clients"), of(platform, "tags")
    slip = tag[:-1] + ("0" if tag[-1] != "0" else "1")
    license_(work, ("client: acme", f"client: {client}"), ("Tags: []", f"Tags: [{tag}, {slip}]"))

    (problem,) = problems(work)

    assert ("courseTags[1]", f"did you mean `{tag}`?") == (problem["path"], problem["hint"])
    assert ["client.list", "ping", "tag.list"] == sorted(routes(platform))


def test_what_no_route_shows_is_said(work: Workspace, platform: Platform) -> None:
    """In the core profile nobody can tell whether a learning path or a course group is there."""
    license_(work, ("learningPaths: []", f"learningPaths: [{NOWHERE}]"))
    work.course("a", f"relatedCourses: [{NOWHERE}]\n")

    done = work.run("validate", "--online")

    assert 0 == done.code
    note = "or too many calls would be needed: course group (1) and learning path (1)\n"
    assert note in done.err
    online = work.run("validate", "--online", "--json").json["summary"]["online"]
    assert {"course group": 1, "learning path": 1} == online["unchecked"]


def test_a_search_finds_many(work: Workspace, instance: Platform) -> None:
    """Courses, paths and items of the catalog are one search; what it does not show is read."""
    leads_to, there = path(instance), course(work, instance)["id"]
    license_(
        work,
        ("courses: []", f"courses: [{there}]"),
        ("learningPaths: []", f"learningPaths: [{leads_to}]"),
    )
    work.write("p.yaml", SHOP.replace("COURSE", there).replace("ITEM", leads_to))

    assert [] == problems(work)
    assert ["client.list", "content.search", "ping"] == sorted(routes(instance))


def test_a_path_that_is_not_there(work: Workspace, instance: Platform) -> None:
    """What is there as something else is no learning path."""
    there = course(work, instance)["id"]
    license_(work, ("learningPaths: []", f"learningPaths: [{there}, {NOWHERE}]"))

    first, second = problems(work)

    assert first["hint"].startswith("the platform has it as the id of a ")
    assert f"there is no learning path `{NOWHERE}` on the platform" == second["message"]


def test_ids_that_people_confuse(work: Workspace, instance: Platform) -> None:
    """The id of a group in the place of a course, and the reverse: the right one is named (O30)."""
    there = course(work, instance)
    license_(work, ("courses: []", f"courses: [{there['courseGroupId']}]"))
    work.course("a", f"relatedCourses: [{there['id']}]\n")

    hints = {problem["address"]: problem["hint"] for problem in problems(work)}

    group = f"it is the id of a course; the id of its course group is `{there['courseGroupId']}`"
    session = f"it is the id of a course group; the id of its course is `{there['id']}`"
    assert {"course.a": group, "license.staff": session} == hints


def test_a_group_in_the_place_of_a_course(work: Workspace, platform: Platform) -> None:
    """The read of a course takes the id of its group as well; it is no id of a course (O30)."""
    there = course(work, platform)
    license_(work, ("courses: []", f"courses: [{there['courseGroupId']}]"))

    (problem,) = problems(work)

    assert problem["hint"].endswith(f"the id of its course is `{there['id']}`")


def test_a_course_that_was_deleted(work: Workspace, platform: Platform) -> None:
    """A read may still show it; learners cannot have it (O38)."""
    there = course(work, platform)["id"]
    platform.order("edit", {"list": "courses", "id": there, "delete": True})
    license_(work, ("courses: []", f"courses: [{there}]"))

    assert ["unknown-id"] == [problem["code"] for problem in problems(work)]


def test_a_mistake_hides_nothing(work: Workspace, platform: Platform) -> None:
    """What is wrong offline is shown together with what the platform does not have."""
    license_(work, ("client: acme", "client: nobody"))
    work.course("a", "priceInCents: cheap\n")

    codes = {problem["code"] for problem in problems(work)}

    assert {"unknown-name", "price-in-cents-type"} == codes


def test_a_platform_that_does_not_answer(work: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was found offline is printed all the same; the exit code says what failed."""
    monkeypatch.setenv("LMSSYNC_BASE_URL", "http://127.0.0.1:1")
    license_(work)

    done = work.run("validate", "--online")

    assert UNREACHABLE == done.code
    assert "Valid: 1 resource" in done.out


def test_one_environment_is_asked(work: Workspace, platform: Platform) -> None:
    """Where there are several, somebody says which one; offline all are checked."""
    environments = '  other: {baseUrl: "http://127.0.0.1:1"}\nplatform:'
    work.write("lmssync.yaml", PROJECT.replace("platform:", environments))
    license_(work)

    assert USAGE == work.run("validate", "--online").code
    assert 0 == work.run("validate", "--online", "-e", "sandbox").code


def test_nothing_is_written(work: Workspace, instance: Platform) -> None:
    """Every request is a read."""
    license_(work, ("courses: []", f"courses: [{NOWHERE}]"), ("Tags: []", "Tags: [Nothing]"))

    assert 2 == len(problems(work))
    assert {"GET"} == {request["method"] for request in instance.requests()}


def test_watching_asks_nobody(work: Workspace) -> None:
    """A run that checks after each change must not ask the platform each time."""
    done = work.run("validate", "--online", "--watch")
    assert (USAGE, True) == (done.code, "leave out --online" in done.err)


def test_a_capability_that_is_missing(work: Workspace, instance: Platform) -> None:
    """Without content search each course is read by itself."""
    without = "profile: extended, capabilities: {content.search: false}"
    work.write("lmssync.yaml", EXTENDED.replace("profile: extended", without))
    there = course(work, instance)["id"]
    license_(work, ("courses: []", f"courses: [{there}]"))

    assert [] == problems(work)
    assert ["client.list", "course.read", "ping"] == sorted(routes(instance))


def test_everything_that_was_not_checked_is_counted(work: Workspace) -> None:
    """Ribbons, content types and custom fields are told with their numbers, each once."""
    more = "ribbon: new\ncontentType: Course\ncustomFields: {a: x, b: y}\n"
    for key in ("a", "b"):
        work.course(key, more)
    unchecked = work.run("validate", "--online", "--json").json["summary"]["online"]["unchecked"]
    assert {"ribbon": 1, "content type": 1, "custom field": 2} == unchecked
    note = "would be needed: content type (1), custom field (2) and ribbon (1)\n"
    assert note in work.run("validate", "--online").err


def test_people_that_were_not_checked_are_counted(work: Workspace) -> None:
    """Nobody of a list is looked up, and the number of people is told."""
    people = "users: [{email: a@example.com}, {email: b@example.com}]\n"
    work.write("l.yaml", LICENSE)
    work.write("p.yaml", f"resource: licenseAssignment\nkey: p\nlicenses: [staff]\n{people}")
    done = work.run("validate", "--online", "--json")
    assert 2 == done.json["summary"]["online"]["unchecked"]["person"], done.err
