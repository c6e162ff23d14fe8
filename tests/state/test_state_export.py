"""A state goes to another place and back, and the plan stays empty."""

import stat

from tests.kinds.test_assignments_applied import CHLOE, GITA, assign
from tests.kinds.test_course_updates import LICENSE
from tests.planning.test_moved_resources import SHORT
from tests.served_catalog import Platform, Workspace

USAGE = 64


def away(work: Workspace) -> None:
    """Takes the state away, with all that lies beside it."""
    for file in (work.root / ".lmssync").glob("state.db*"):
        file.unlink()


def applied(work: Workspace) -> None:
    work.course("a", SHORT)
    work.write("l.yaml", LICENSE)
    done = work.apply()
    assert 0 == done.code, done.err


def test_the_plan_after_an_import_is_empty(work: Workspace, platform: Platform) -> None:
    """A state that was exported, lost and imported is the same, and nothing is made twice."""
    applied(work)
    assert 0 == work.run("state", "export", "state.json").code
    away(work)

    done = work.run("state", "import", "state.json")

    assert "5 resources recorded, as of serial " in done.out
    assert [] == work.plan()["changes"]
    work.course("a", SHORT, edit=("Title of KEY", "Another title"))
    assert 0 == work.apply().code
    assert ["Another title"] == platform.titles()


def test_two_exports_are_equal(work: Workspace) -> None:
    """The same state is the same text: a second time, after an import, and on standard output."""
    applied(work)
    work.run("state", "export", "one.json")
    work.run("state", "export", "two.json")
    away(work)
    work.run("state", "import", "one.json")
    work.run("state", "export", "three.json")

    one, two, three = ((work.root / f"{n}.json").read_bytes() for n in ("one", "two", "three"))

    assert one == two == three
    assert one.decode() == work.run("state", "export").out


def test_an_export_is_for_its_owner(work: Workspace) -> None:
    """Others cannot read the file."""
    applied(work)
    work.run("state", "export", "state.json")
    assert 0 == stat.S_IMODE((work.root / "state.json").stat().st_mode) & 0o077


def test_an_existing_state_is_not_replaced_unasked(work: Workspace) -> None:
    """Only `--force` goes back to an earlier export, and plans then want to hear `--new-state`."""
    applied(work)
    work.run("state", "export", "state.json")
    work.course("b")
    work.apply()

    assert USAGE == work.run("state", "import", "state.json").code
    done = work.run("state", "import", "state.json", "--force")

    assert (0, True) == (done.code, "the replaced state was newer" in done.err)
    assert "the state is older than the one that was here before" in work.run("plan").err
    assert 5 == len(work.run("state", "list", "--json").json["resources"])


def test_another_state_is_never_replaced(work: Workspace) -> None:
    """A state that has nothing to do with the export is refused, whatever was said."""
    applied(work)
    work.run("state", "export", "state.json")
    away(work)
    work.write("l.yaml", "resource: license\n")
    (work.root / "l.yaml").unlink()
    work.apply("--new-state")

    done = work.run("state", "import", "state.json", "--force")

    assert (USAGE, True) == (done.code, "another state here" in done.err), done.err


def test_a_state_that_is_gone_is_remembered(work: Workspace) -> None:
    """Where another state was, an import is refused without `--force`."""
    applied(work)
    work.run("state", "export", "state.json")
    (work.root / ".lmssync/state.db.serial").write_text(
        '{"lineage": "other", "serial": 7}', "utf-8"
    )
    for file in (".lmssync/state.db", ".lmssync/state.db-wal", ".lmssync/state.db-shm"):
        (work.root / file).unlink(missing_ok=True)

    assert USAGE == work.run("state", "import", "state.json").code
    assert 0 == work.run("state", "import", "state.json", "--force").code
    assert [] == work.plan()["changes"]


def test_an_open_call_is_not_lost(work: Workspace, platform: Platform) -> None:
    """A call that waits goes along; an export from before it does not take its place."""
    applied(work)
    work.run("state", "export", "before.json")
    work.course("b")
    platform.fault("drop-after", "course.create")
    work.apply()
    work.run("state", "export", "after.json")

    done = work.run("state", "import", "before.json", "--force")
    assert (USAGE, True) == (done.code, "a call for course.b waits" in done.err)
    away(work)
    work.run("state", "import", "after.json")

    assert ["course.b"] == [c["address"] for c in work.plan()["changes"]]
    assert {"blocked": 1} == {
        k: v for k, v in work.plan()["summary"].items() if v and k != "unchanged"
    }


def test_the_state_of_another_environment(work: Workspace) -> None:
    """Ids of one platform mean nothing on another."""
    applied(work)
    work.run("state", "export", "state.json")
    away(work)
    work.write(
        "lmssync.yaml", 'version: 1\nenvironments: {live: {baseUrl: "http://127.0.0.1:1"}}\n'
    )

    done = work.run("state", "import", "state.json")

    assert (USAGE, True) == (done.code, "the environment `sandbox`" in done.err)


def test_people_are_codes_and_the_key_stays_apart(work: Workspace) -> None:
    """Nobody can be named or checked with the export; with the key the plan is empty again."""
    assign(work, CHLOE, GITA)
    assert 0 == work.apply().code
    done = work.run("state", "export", "state.json", "--people-key", "people.key")
    assert 0 == done.code
    key = (work.root / "people.key").read_text("utf-8")
    text = (work.root / "state.json").read_text("utf-8")
    assert "@" not in text
    assert key.split('"key":"')[1][:64] not in text
    away(work)

    refused = work.run("state", "import", "state.json")
    assert (USAGE, True) == (refused.code, "--people-key KEYFILE" in refused.err)
    assert 0 == work.run("state", "import", "state.json", "--people-key", "people.key").code
    assert [] == work.plan()["changes"]


def test_a_wrong_key(work: Workspace) -> None:
    """A file that is not a key is refused."""
    applied(work)
    work.run("state", "export", "state.json")
    done = work.run("state", "import", "state.json", "--people-key", "state.json")
    assert (USAGE, True) == (done.code, "is not a people key" in done.err)


def test_where_there_is_no_state(work: Workspace) -> None:
    """There is nothing to export before the first apply."""
    assert USAGE == work.run("state", "export").code


def test_the_history_goes_on(work: Workspace) -> None:
    """The import is told in the history of the state that it was put into."""
    applied(work)
    work.run("state", "export", "state.json")
    work.run("state", "import", "state.json", "--force")
    assert "restored" in work.run("state", "history").out.splitlines()[-1]
