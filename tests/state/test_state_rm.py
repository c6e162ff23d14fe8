"""`state rm` forgets several resources at once, all of them or none."""

from tests.planning.test_moved_resources import SHORT
from tests.served_catalog import Platform, Workspace

USAGE = 64
CRITERIA = ("criterion.a.most", "criterion.a.pass")


def three(work: Workspace) -> None:
    for key in ("a", "ab", "c"):
        work.course(key)
    work.apply()


def managed(work: Workspace) -> list[str]:
    listed = work.run("state", "list", "--json").json
    return [one["address"] for one in listed["resources"]]


def test_a_pattern_names_several(work: Workspace) -> None:
    """Everything that a pattern names is no longer managed; the ids are kept."""
    three(work)

    done = work.run("state", "rm", "course.a*")

    assert (0, ["course.c"]) == (done.code, managed(work))
    assert "course.ab is no longer managed; its ids are kept\n" in done.out
    assert 2 == work.plan()["summary"]["adopt"]


def test_a_dry_run_changes_nothing(work: Workspace) -> None:
    """`--dry-run` says the same and leaves the state as it is."""
    three(work)

    done = work.run("state", "rm", "course.a*", "--dry-run")

    assert "course.ab would no longer be managed; its ids are kept\n" in done.out
    assert "nothing was changed" in done.err
    assert ["course.a", "course.ab", "course.c"] == managed(work)


def test_all_or_nothing(work: Workspace) -> None:
    """One name that is not recorded is enough to forget nothing."""
    three(work)

    assert USAGE == work.run("state", "rm", "course.a", "course.x").code
    assert ["course.a", "course.ab", "course.c"] == managed(work)


def test_with_dropped_ids_it_is_made_again(work: Workspace) -> None:
    """With `--drop-ids` lmssync knows nothing of it, and says which id it had."""
    work.write("lmssync.yaml", "version: 1\nplatform: {marker: none}\n")
    three(work)
    id_ = work.run("state", "show", "course.a").json["ids"]["course"]

    done = work.run("state", "rm", "--drop-ids", "course.a", "course.ab")

    assert f"course.a is no longer managed; on the platform its id is {id_}" in done.out
    assert "`lmssync adopt ADDRESS=ID`" in done.out
    assert 2 == work.plan()["summary"]["create"]


def test_what_was_forgotten_can_still_lose_its_ids(work: Workspace) -> None:
    """A second `state rm` of the same is refused, unless it drops the ids."""
    three(work)
    work.run("state", "rm", "course.a")

    assert USAGE == work.run("state", "rm", "course.a").code
    assert 0 == work.run("state", "rm", "course.a", "--drop-ids").code


def test_what_is_inside_goes_first_or_with_it(work: Workspace) -> None:
    """The ids of a course are dropped together with its criteria, not before them."""
    work.course("a", SHORT)
    work.apply()

    done = work.run("state", "rm", "--drop-ids", "course.a", "path.*")

    assert USAGE == done.code
    assert f"`lmssync state rm --drop-ids {' '.join(CRITERIA)}`" in done.err
    assert 0 == work.run("state", "rm", "--drop-ids", "course.a", "path.*", "criterion.a.*").code
    assert [] == managed(work)


def test_a_call_that_waits_comes_first(work: Workspace, platform: Platform) -> None:
    """Nothing is forgotten while a call for one of them waits for a decision."""
    three(work)
    work.course("a", edit=("Title of KEY", "Another title"))
    platform.fault("drop-before", "course.update", nth=1)
    work.apply()

    done = work.run("state", "rm", "course.*")

    assert (USAGE, True) == (done.code, "a call for course.a waits" in done.err), done.err
    assert 3 == len(managed(work))


def test_the_history_says_what_was_done(work: Workspace) -> None:
    """The journal tells it with its reason."""
    three(work)
    work.run("state", "rm", "course.a")
    assert "course.a: state rm" in work.run("state", "history").out
