"""`state mv` does to one state what `moved` in a manifest does."""

import pytest

from tests.planning.test_moved_resources import SHORT, applied, rename
from tests.served_catalog import Platform, Workspace

USAGE = 64


def renamed(work: Workspace) -> None:
    """Course `a` is applied with short forms; then the catalog calls it `b`, without `moved`."""
    applied(work)
    rename(work)
    text = (work.root / "b.yaml").read_text("utf-8")
    work.write("b.yaml", text.replace("moved: [{from: course.a}]\n", ""))


def test_after_it_nothing_is_left_to_do(work: Workspace, platform: Platform) -> None:
    """The plan after the move is empty: the course, what is inside it, and who refers to it."""
    renamed(work)

    done = work.run("state", "mv", "course.a", "course.b")

    assert 0 == done.code, done.err
    assert {
        "course.a is now course.b",
        "criterion.a.most is now criterion.b.most",
        "criterion.a.pass is now criterion.b.pass",
        "path.a.shop is now path.b.shop",
    } == set(done.out.splitlines())
    assert [] == work.plan()["changes"]
    assert ["The course"] == platform.titles()


def test_nothing_is_sent(work: Workspace, platform: Platform) -> None:
    """The platform is not asked."""
    renamed(work)
    before = len(platform.requests())
    work.run("state", "mv", "course.a", "course.b")
    assert before == len(platform.requests())


def test_what_has_a_key_of_its_own_stays(work: Workspace) -> None:
    """A criterion with a manifest of its own keeps its address, and refers to the new one."""
    work.course("a")
    work.write("r.yaml", RULE.replace("COURSE", "a"))
    work.apply()

    done = work.run("state", "mv", "course.a", "course.b")

    assert "course.a is now course.b\n" == done.out
    form = work.run("state", "show", "criterion.own").json["form"]
    assert "course.b" == form["course"]["$ref"]


RULE = """\
resource: completionCriterion
key: own
course: COURSE
type: coursePercentViewed
percent: 5
"""


def test_what_was_forgotten_stays_so(work: Workspace) -> None:
    """A forgotten criterion inside the course moves along, and is not managed again."""
    applied(work)
    work.run("state", "forget", "criterion.a.most")

    work.run("state", "mv", "course.a", "course.b")

    listed = work.run("state", "list", "--json").json
    assert ["criterion.b.most"] == [one["address"] for one in listed["forgotten"]]


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("course.a", "course.other", "course.other is recorded already"),
        ("course.a", "course.c", "criterion.c.most is recorded already"),
        ("course.a", "criterion.a", "it cannot become criterion.a"),
        ("course.a", "course.a", "is its address already"),
        ("course.a", "course.-", "cannot be a key"),
        ("course.aa", "course.b", "nothing is recorded for course.aa"),
        ("course.a", "nonsense", "`nonsense` is not an address"),
    ],
)
def test_what_is_refused(work: Workspace, old: str, new: str, why: str) -> None:
    """A move that cannot be is refused, and changes nothing."""
    work.course("other")
    work.write("r.yaml", RULE.replace("COURSE", "other").replace("key: own", "key: c.most"))
    applied(work)
    before = work.run("state", "list").out

    done = work.run("state", "mv", old, new)

    assert (USAGE, True) == (done.code, why in done.err), done.err
    assert before == work.run("state", "list").out


@pytest.mark.parametrize("old", ["course.a", "criterion.a.most"])
def test_a_call_that_waits_comes_first(work: Workspace, platform: Platform, old: str) -> None:
    """What waits for a decision, or has something inside that does, is not moved."""
    route = "course.create" if old == "course.a" else "criteria.update"
    platform.fault("drop-before", route)
    work.course("a", SHORT)
    work.apply()

    done = work.run("state", "mv", "course.a", "course.b")

    assert (USAGE, True) == (done.code, f"a call for {old} waits" in done.err), done.err


def test_the_history_says_who_did_it(work: Workspace) -> None:
    """The journal tells the move and its reason."""
    work.course("a")
    work.apply()
    work.run("state", "mv", "course.a", "course.b")
    assert "course.a → course.b: state mv" in work.run("state", "history").out
