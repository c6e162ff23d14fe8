"""`resolve` shows what waits for a decision, and takes many answers from a file."""

import pytest

from tests.kinds.test_assignments_applied import CHLOE, assign
from tests.kinds.test_course_updates import LICENSE
from tests.served_catalog import Platform, Workspace

DONE, ERROR, UNKNOWN, PARTIAL, USAGE = 0, 1, 4, 7, 64
RULES = "completionCriteria: [{id: m, type: coursePercentViewed, percent: 80}]\n"


def lost(work: Workspace, platform: Platform, *keys: str) -> dict[str, str]:
    """Courses whose create was answered and never heard; their ids by key."""
    for key in keys:
        work.course(key)
    platform.fault("drop-after", "course.create")
    assert UNKNOWN == work.apply().code
    return {course["sku"].split("-")[1]: course["id"] for course in platform.dump("courses")}


def test_nothing_waits(work: Workspace) -> None:
    """Where nothing waits, the screen says so and the run ends with 0."""
    work.course("a")
    work.apply()

    done = work.run("resolve")

    assert (DONE, "Nothing waits for a decision.\n") == (done.code, done.out)


def test_open_manual_steps_are_counted(work: Workspace) -> None:
    """They are no calls, so `status` lists them."""
    work.write("c.yaml", "{resource: client, key: new, cloneOf: golden, name: New}\n")
    work.apply()
    assert "1 manual step is open: `lmssync status` says more.\n" in work.run("resolve").out


def test_what_to_search_for_and_where(work: Workspace, platform: Platform) -> None:
    """The screen shows title, mark and list, and the answers as commands; it ends with 4."""
    lost(work, platform, "a")
    (course,) = platform.dump("courses")

    done = work.run("resolve")

    assert UNKNOWN == done.code
    lines = {" ".join(line.split()) for line in done.out.splitlines()}
    assert {
        "? course.a “Title of a”",
        f"search for the sku {course['sku']}",
        "in the list of all content, in the admin interface",
        "it is there lmssync resolve course.a --adopt ID",
        "it is not there lmssync resolve course.a --not-created",
    } <= lines


def test_what_no_read_shows_is_never_left_to_the_next_apply(
    work: Workspace, platform: Platform
) -> None:
    """On core a course is not shown without its id: apply, plan and `resolve` ask for a person."""
    work.course("a")
    platform.fault("drop-after", "course.create")

    said = [work.apply(), work.apply(), work.run("plan"), work.run("resolve")]

    assert [] == [done.out for done in said if "run `lmssync apply` again" in done.out]
    assert ["resolve course.a" in done.out for done in said] == [True] * 4
    assert "`lmssync apply` cannot settle it" in said[-1].out
    assert "`lmssync resolve` says what to do" in work.run("status").out


def test_what_a_list_shows_is_found_by_the_next_apply(work: Workspace, instance: Platform) -> None:
    """Where courses are listed by sku, the advice is to apply again, and that settles it."""
    work.course("a")
    instance.fault("drop-after", "course.create")

    first, listed = work.apply(), work.run("resolve")

    assert (UNKNOWN, True) == (first.code, "run `lmssync apply` again" in first.out)
    assert "Run `lmssync apply` first" in listed.out
    assert DONE == work.apply().code


def test_an_apply_that_has_looked_does_not_advise_another(
    work: Workspace, instance: Platform
) -> None:
    """A create that was never done is in no list, which proves nothing: then only people know."""
    work.course("a")
    instance.fault("drop-before", "course.create")

    first, second = work.apply(), work.apply()

    assert ["run `lmssync apply` again" in one.out for one in (first, second)] == [True, False]
    assert (UNKNOWN, True) == (second.code, "`lmssync resolve course.a` says" in second.out)


def test_nothing_is_asked(work: Workspace, platform: Platform) -> None:
    """The screen comes from the state: the platform gets no request."""
    lost(work, platform, "a")
    before = len(platform.requests())
    work.run("resolve")
    assert before == len(platform.requests())


def test_one_address_shows_its_own(work: Workspace, platform: Platform) -> None:
    """With an address and no answer, the screen is about that one; others are wrong use."""
    lost(work, platform, "a", "b")

    done = work.run("resolve", "course.b")

    assert (UNKNOWN, True, False) == (done.code, "course.b" in done.out, "course.a" in done.out)
    assert USAGE == work.run("resolve", "course.c").code


def test_the_commands_have_the_same_options(work: Workspace, platform: Platform) -> None:
    """Who names a catalog and an environment gets commands that name them too."""
    lost(work, platform, "a")
    done = work.run("resolve", "-C", ".", "-e", "sandbox")
    assert "lmssync resolve -e sandbox course.a --adopt ID" in done.out


@pytest.mark.parametrize(
    ("route", "address", "place", "more"),
    [
        ("criteria.update", "criterion.a.m", "the completion criteria of course `a`", ""),
        ("license.create", "license.staff", "the licenses of client `acme`", " --unverified"),
    ],
)
def test_every_kind_has_its_list(
    work: Workspace, platform: Platform, route: str, address: str, place: str, more: str
) -> None:
    """What belongs to something else is looked for there; what no route shows is believed."""
    work.course("a", RULES)
    work.write("l.yaml", LICENSE)
    platform.fault("drop-after", route)
    work.apply()

    (one,) = work.run("resolve", "--json").json["undecided"]

    assert (address, place) == (one["address"], one["place"])
    assert [
        f"lmssync resolve {address} --adopt ID{more}",
        f"lmssync resolve {address} --not-created",
    ] == (one["answers"])


def test_what_has_no_id_was_done_or_not(work: Workspace, platform: Platform) -> None:
    """For an assignment, which has no id, the answer is `--done`."""
    assign(work, CHLOE)
    platform.fault("drop-after", "sublicense.assign")
    work.apply()

    (one,) = work.run("resolve", "--json").json["undecided"]

    assert "lmssync resolve assignment.staff --done" == one["answers"][0]
    assert "it was done " in work.run("resolve").out


def test_a_part_of_something_known_shows_its_id(work: Workspace, platform: Platform) -> None:
    """Where a page was added to a course, the course is found by the id that is recorded."""
    work.course("a")
    work.apply()
    id_ = work.run("state", "show", "course.a").json["ids"]["course"]
    work.course("a", "          - {id: more, title: More, type: survey}\n")
    platform.fault("drop-after", "course.update")
    work.apply()

    (one,) = work.run("resolve", "--json").json["undecided"]

    assert (id_, f"lmssync resolve course.a --adopt {id_}") == (one["id"], one["answers"][0])


def test_a_lost_update_says_what_to_compare(work: Workspace, platform: Platform) -> None:
    """A person needs the values before the call and those that it sent."""
    work.course("a")
    work.apply()
    work.course("a", "priceInCents: 500\n")
    platform.fault("drop-after", "course.update")
    assert UNKNOWN == work.apply().code

    lines = [" ".join(line.split()) for line in work.run("resolve").out.splitlines()]

    assert ["the call changes price: (not set) → 5.00"] == [one for one in lines if "price" in one]


def test_answers_from_a_file(work: Workspace, platform: Platform) -> None:
    """Each line settles one resource: adopted, or not created."""
    ids = lost(work, platform, "a", "b")
    work.write(
        "answers.csv", f"address,answer\ncourse.a,adopt {ids['a']}\ncourse.b,adopt,{ids['b']}\n"
    )

    done = work.run("resolve", "--from", "answers.csv")

    assert DONE == done.code, done.err
    assert [] == work.plan()["changes"]


def test_what_was_not_created_and_what_was_done(work: Workspace, platform: Platform) -> None:
    """The other two words settle calls as the options do, and steps for people as well."""
    work.course("a")
    assign(work, CHLOE)
    platform.fault("drop-before", "course.create")
    platform.fault("drop-after", "sublicense.assign")
    work.apply()
    work.write("answers.csv", "course.a,not-created\nassignment.staff,done\n")

    assert DONE == work.run("resolve", "--from", "answers.csv").code
    assert 1 == work.plan()["summary"]["create"]
    assert DONE == work.run("resolve").code


def test_a_refused_line_stops_no_other(work: Workspace, platform: Platform) -> None:
    """What is refused is said, the rest is settled, and the run ends with 7."""
    ids = lost(work, platform, "a", "b")
    work.write(
        "answers.csv", f"course.a,adopt {ids['b']}\ncourse.b,adopt {ids['b']}\nlicense.x,done\n"
    )

    done = work.run("resolve", "--from", "answers.csv")

    assert (PARTIAL, True) == (done.code, "2 of 3 were not resolved" in done.err)
    assert "course.a: not resolved: " in done.err
    assert "course.b: recorded" in done.out


def test_nothing_settled_is_an_error(work: Workspace, platform: Platform) -> None:
    """If every line is refused, the run ends with 1."""
    lost(work, platform, "a")
    work.write("answers.csv", "license.x,done\n")
    assert ERROR == work.run("resolve", "--from", "answers.csv").code


@pytest.mark.parametrize(
    "line", ["course.a", "course.a,adopt", "course.a,done X", "course.a,yes", "a,done"]
)
def test_a_line_that_is_no_answer(work: Workspace, line: str) -> None:
    """A line without one of the three answers is wrong use, before anything is settled."""
    work.write("answers.csv", f"{line}\n")
    assert USAGE == work.run("resolve", "--from", "answers.csv").code


@pytest.mark.parametrize(
    "args",
    [
        ["--done"],
        ["--from", "answers.csv", "--done"],
        ["course.a", "--not-created", "--unverified"],
        ["--from", "answers.csv", "course.a"],
        ["course.a", "--json", "--done"],
    ],
)
def test_options_that_do_not_go_together(work: Workspace, args: list[str]) -> None:
    """The screen, the file and the answer of one are three uses, and do not mix."""
    work.write("answers.csv", "course.a,done\n")
    assert USAGE == work.run("resolve", *args).code
