"""What `state list` says of the state, for people and for programs."""

from tests.served_catalog import Platform, Workspace

USAGE = 64


def forgotten(work: Workspace) -> None:
    """Courses `a` and `ab` are managed, and `c` has left the catalog."""
    for key in ("a", "ab", "c"):
        work.course(key)
    work.apply()
    (work.root / "c.yaml").unlink()
    work.apply()


def test_what_was_forgotten_is_listed(work: Workspace, platform: Platform) -> None:
    """What has left the catalog is listed with its ids, in text and in JSON."""
    forgotten(work)
    (course,) = [one["id"] for one in platform.dump("courses") if one["sku"].startswith("ls-c-")]

    listed = work.run("state", "list", "--json").json

    assert ["course.a", "course.ab"] == [one["address"] for one in listed["resources"]]
    assert [("course.c", course)] == [
        (one["address"], one["ids"]["course"]) for one in listed["forgotten"]
    ]
    assert "2 resources recorded, 1 forgotten.\n" in work.run("state", "list").out


def test_open_calls_are_listed_in_json(work: Workspace, platform: Platform) -> None:
    """A call with an unknown outcome is listed with its resources and the marks they carry."""
    work.course("a")
    platform.fault("drop-before", "course.create")
    work.apply()

    (call,) = work.run("state", "list", "--json").json["calls"]

    assert ("course.create", "unknown") == (call["route"], call["status"])
    (resource,) = call["resources"]
    assert ("course.a", True) == (resource["address"], resource["mark"].startswith("sku=ls-a-"))


def test_a_pattern_limits_the_list(work: Workspace) -> None:
    """Only what a pattern names is listed, whether it is managed or forgotten."""
    forgotten(work)

    assert 2 == len(work.run("state", "list", "course.a*").out.splitlines()[:-1])
    listed = work.run("state", "list", "course.[ac]", "--json").json
    assert ["course.a"] == [one["address"] for one in listed["resources"]]
    assert ["course.c"] == [one["address"] for one in listed["forgotten"]]


def test_a_pattern_without_a_match_is_wrong_use(work: Workspace) -> None:
    """A pattern that names nothing is refused, with an address that is nearly the same."""
    forgotten(work)

    done = work.run("state", "list", "course.aa")

    assert USAGE == done.code
    assert "nothing is recorded for course.aa" in done.err
    assert "did you mean `course.a`" in done.err
