"""A saved plan makes nothing twice, whatever has happened since."""

from tests.served_catalog import Platform, Workspace

from .test_absence import CRITERION, PATH

STALE = 5


def test_what_it_made_and_was_forgotten_is_not_made_again(
    work: Workspace, platform: Platform
) -> None:
    work.course("a")
    work.apply()
    work.course("a", CRITERION + PATH)
    work.run("plan", "--out", "p.json")
    work.run("apply", "p.json")
    work.run("state", "forget", "criterion.a.m")
    work.run("state", "forget", "path.a.p")

    assert STALE == work.run("apply", "p.json").code
    assert 1 == len(platform.dump("completionCriteria"))
    assert 1 == len(platform.dump("purchasePaths"))


def _takes_over(work: Workspace) -> None:
    """A saved plan that takes over the rule of course a."""
    work.course("a", CRITERION)
    work.apply()
    work.run("state", "forget", "criterion.a.m", "--drop-ids")
    work.run("plan", "--out", "p.json")


def test_what_was_deleted_since_is_not_taken_over(work: Workspace, platform: Platform) -> None:
    _takes_over(work)
    platform.delete("completionCriteria", type="coursePercentViewed")

    assert STALE == work.run("apply", "p.json").code


def test_what_another_address_has_taken_over_is_not_taken_over_twice(work: Workspace) -> None:
    _takes_over(work)
    work.course("a", CRITERION.replace("id: m", "id: z"))
    work.apply()

    assert STALE == work.run("apply", "p.json").code
