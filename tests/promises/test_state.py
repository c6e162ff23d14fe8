"""A state that is lost, old or another's makes nothing a second time."""

import os
import shutil

import pytest

from lmssync.sandbox import run_sandbox
from tests import forking
from tests.kinds.test_course_updates import LICENSE as OF_STAFF
from tests.patience import PROCESS_PATIENCE
from tests.served_catalog import Platform, Workspace, actions, counted

from .conftest import extended
from .test_absence import CRITERION, PATH, TOPIC

ERROR, PARTIAL, USAGE = 1, 7, 64
LICENSE = OF_STAFF.replace("courses: [a]", "courses: []").replace("Tags: []", "Tags: [Safety]")
MADE = ("courseGroups", "topics", "completionCriteria", "purchasePaths", "licenses", "clients")


def whole(work: Workspace) -> None:
    """A course with a rule and a path, and a license."""
    work.course("a", CRITERION + PATH)
    work.write("l.yaml", LICENSE)


def counts(platform: Platform) -> dict[str, int]:
    return {name: len(platform.dump(name)) for name in MADE}


def lose(work: Workspace) -> None:
    """On another machine there is no trace of the state."""
    shutil.rmtree(work.root / ".lmssync")


def course_of(platform: Platform) -> str:
    id_: str = platform.dump("courses")[0]["id"]
    return id_


def test_an_empty_state_makes_nothing_twice(work: Workspace, platform: Platform) -> None:
    """An empty state does not create a course that the platform already has."""
    whole(work)
    assert 0 == work.apply().code
    before = counts(platform)
    lose(work)

    done = work.apply()

    assert (ERROR, True) == (done.code, "--new-state" in done.err)
    assert before == counts(platform)


def test_a_state_that_is_deleted_is_missed(work: Workspace, platform: Platform) -> None:
    """A deleted state is noticed by the file beside it."""
    work.write("l.yaml", LICENSE)
    work.apply()
    before = counts(platform)
    (work.root / ".lmssync/state.db").unlink()

    done = work.apply()

    assert (ERROR, True) == (done.code, "not the state that was here before" in done.err)
    assert before == counts(platform)


def test_a_backup_that_was_put_back_is_noticed(work: Workspace, platform: Platform) -> None:
    """A restored backup without the newest license is noticed."""
    work.course("a")
    work.apply()
    shutil.copy(work.root / ".lmssync/state.db", work.root / "backup")
    work.write("l.yaml", LICENSE)
    work.apply()
    before = counts(platform)
    shutil.copy(work.root / "backup", work.root / ".lmssync/state.db")

    done = work.apply()

    assert (ERROR, True) == (done.code, "older than the one that was here" in done.err)
    assert before == counts(platform)


@pytest.mark.parametrize("first", [["apply", "--yes"], ["state", "forget", "course.a"]])
def test_a_refused_run_does_not_make_an_old_state_the_newest(
    work: Workspace, platform: Platform, first: list[str]
) -> None:
    """However often it is tried, an old state stays old until somebody accepts it."""
    work.course("a")
    work.apply()
    shutil.copy(work.root / ".lmssync/state.db", work.root / "backup")
    work.course("b")
    work.write("l.yaml", LICENSE)
    work.apply()
    before = counts(platform)
    shutil.copy(work.root / "backup", work.root / ".lmssync/state.db")
    work.run(*first)

    done = work.apply()

    assert (ERROR, True) == (done.code, "older than the one that was here" in done.err)
    assert before == counts(platform)


def test_a_deleted_state_is_missed_twice(work: Workspace, platform: Platform) -> None:
    """The empty state in its place is refused again and again."""
    work.write("l.yaml", LICENSE)
    work.apply()
    before = counts(platform)
    (work.root / ".lmssync/state.db").unlink()

    assert [ERROR, ERROR] == [work.apply().code, work.apply().code]
    assert before == counts(platform)


def test_an_old_state_takes_over_what_it_does_not_know(work: Workspace, platform: Platform) -> None:
    """An old state adopts unknown parts of its courses, and licenses by their mark."""
    work.course("a")
    work.apply()
    shutil.copy(work.root / ".lmssync/state.db", work.root / "backup")
    work.course("a", TOPIC + CRITERION + PATH)
    work.write("l.yaml", LICENSE)
    work.apply()
    before = counts(platform)
    shutil.copy(work.root / "backup", work.root / ".lmssync/state.db")

    done = work.apply("--new-state")

    assert 0 == done.code, done.out
    assert before == counts(platform)


def test_a_lost_state_is_rebuilt(
    work: Workspace, platform: Platform, request: pytest.FixtureRequest
) -> None:
    """A person adopts what reads do not find; then the plan is empty."""
    whole(work)
    work.apply()
    before, id_ = counts(platform), course_of(platform)
    license_ = next(one["id"] for one in platform.dump("licenses") if one["name"] == "Staff")
    lose(work)

    if not extended(request):
        found = work.run("adopt", f"course.a={id_}", f"license.staff={license_}", "--unverified")
        assert 0 == found.code, found.err
    assert 0 == work.apply("--new-state").code
    assert before == counts(platform)
    assert [] == work.plan()["changes"]


def test_a_plan_with_a_new_state_shows_what_is_taken_over(
    work: Workspace, platform: Platform, request: pytest.FixtureRequest
) -> None:
    """Rules and purchase paths of a course that is adopted are adopted in the plan as well."""
    work.course("a", CRITERION + PATH)
    work.apply()
    id_ = course_of(platform)
    lose(work)
    if not extended(request):
        assert 0 == work.run("adopt", f"course.a={id_}").code

    planned = counted(work.plan("--new-state"))

    done = work.run("apply", "--yes", "--json", "--new-state").json["summary"]
    assert (planned.get("create", 0), planned["adopt"]) == (done["created"], done["adopted"])


SOLD = "description: Ours\npriceInCents: 1000\npurchasable: true\ntags: [Safety]\n"


def test_what_is_as_git_wants_it_is_not_sent_again(
    work: Workspace, instance: Platform, request: pytest.FixtureRequest
) -> None:
    """A lost state is rebuilt from all that the routes show, and nothing is left to send."""
    if not extended(request):
        pytest.skip("a core instance shows no search for courses")
    work.course("a", SOLD)
    work.apply()
    lose(work)
    (change,) = work.plan("--new-state")["changes"]
    assert ("adopt", []) == (change["action"], change["fields"])


def test_what_people_changed_is_shown_when_a_state_is_lost(
    work: Workspace, instance: Platform, request: pytest.FixtureRequest
) -> None:
    """The plan shows the values on the platform, and guards judge these."""
    if not extended(request):
        pytest.skip("a core instance shows no search for courses")
    work.course("a", SOLD + "status: published\n")
    work.apply()
    lose(work)
    group = next(g["id"] for g in instance.dump("courseGroups") if g["title"] == "Title of a")
    legal = {"list": "courseGroups", "id": group, "set": {"description": "Of legal"}}
    instance.order("edit", legal)
    change, *_ = work.plan("--new-state")["changes"]
    assert [("description", "Of legal")] == [(f["path"], f["before"]) for f in change["fields"]]


def test_a_plan_says_what_it_could_not_look_up(
    work: Workspace, platform: Platform, request: pytest.FixtureRequest
) -> None:
    """A plan adopts a course by its mark, or says why it cannot and what an apply does."""
    work.course("a")
    work.apply()
    lose(work)

    shown = work.run("plan", "--new-state").out

    assert extended(request) == ("1 to adopt" in shown), shown
    assert extended(request) != ("shows whether its sku is taken" in shown), shown


def test_a_license_of_a_lost_state_is_taken_over_by_its_mark(
    work: Workspace, platform: Platform
) -> None:
    """The plan adopts the license that a list shows with its mark; nothing is made."""
    work.write("l.yaml", LICENSE)
    work.apply()
    before = counts(platform)
    lose(work)

    assert {"license.staff": "adopt"} == actions(work.plan("--new-state"))
    assert 0 == work.apply("--new-state").code
    assert before == counts(platform)


def test_a_license_that_is_taken_over_becomes_as_git_has_it(
    work: Workspace, platform: Platform, request: pytest.FixtureRequest
) -> None:
    """The list shows its fields: what git has changed since is sent, where a route can."""
    license_ = LICENSE + "seatsLimit: null\n"  # without it, a person sends the rest
    work.write("l.yaml", license_)
    work.apply()
    lose(work)
    work.write("l.yaml", license_ + "label: From git\n")

    (change,) = work.plan("--new-state")["changes"]

    work.apply("--new-state")
    label = next(one.get("label") for one in platform.dump("licenses") if one["name"] == "Staff")
    assert extended(request) == ("label" in [field["path"] for field in change["fields"]])
    assert extended(request) == (label == "From git")


def test_what_got_another_key_is_not_made_again(work: Workspace, platform: Platform) -> None:
    """A course keeps the marker of its first key, by which a new state cannot know it."""
    work.course("a")
    work.apply()
    work.course("a", "moved: [{from: course.a}]\n", edit=("key: KEY", "key: b"))
    assert 0 == work.apply().code
    before = counts(platform)
    lose(work)

    done = work.apply("--new-state")

    assert before == counts(platform)
    assert "what was made as course.a has another marker" in done.out


def test_two_checkouts_are_told_of_each_other(work: Workspace, platform: Platform) -> None:
    """An apply with a second, empty state is refused without `--new-state`."""
    work.write("c.yaml", "resource: client\nkey: new\ncloneOf: acme\nname: New\nslug: new\n")
    work.apply()
    before = counts(platform)
    lose(work)

    assert ERROR == work.apply().code
    assert 0 == work.apply("--new-state").code
    assert before == counts(platform)


def test_a_state_is_not_led_to_another_instance(
    work: Workspace, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A state is refused on another instance, even with LMSSYNC_BASE_URL."""
    work.course("a")
    work.apply()
    with run_sandbox() as other:
        monkeypatch.setenv("LMSSYNC_BASE_URL", other["baseUrl"])
        done = work.apply()
        elsewhere = Platform(other["baseUrl"], other["apiKey"])
        with elsewhere.http:
            assert (ERROR, []) == (done.code, elsewhere.dump("courseGroups"))
    assert "state rebind" in done.err


def test_an_instance_that_has_moved_is_told(
    work: Workspace, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A person confirms that a moved instance is the same."""
    work.course("a")
    work.apply()
    moved = platform.base_url.replace("127.0.0.1", "localhost")
    monkeypatch.setenv("LMSSYNC_BASE_URL", moved)

    assert ERROR == work.run("plan").code
    assert 0 == work.run("state", "rebind", moved).code
    assert [] == work.plan()["changes"]


def test_what_is_forgotten_is_not_made_again(work: Workspace, platform: Platform) -> None:
    """A forgotten resource keeps its ids, and the next apply manages it again."""
    whole(work)
    work.apply()
    before = counts(platform)
    for address in ("license.staff", "path.a.p", "criterion.a.m", "course.a"):
        assert 0 == work.run("state", "forget", address).code

    assert 0 == work.apply().code
    assert before == counts(platform)


def test_adopt_is_the_way_out_of_a_wrong_not_created(
    work: Workspace, platform: Platform, request: pytest.FixtureRequest
) -> None:
    """`adopt` corrects a wrong answer that a course was not created."""
    work.course("a")
    platform.order("faults", {"action": "drop-after", "route": "course.create"})
    work.apply()
    work.run("resolve", "course.a", "--not-created")
    if not extended(request):  # elsewhere the next plan finds it
        assert PARTIAL == work.apply().code

    assert 0 == work.run("adopt", f"course.a={course_of(platform)}").code
    assert 0 == work.apply().code
    assert ["Title of a"] == platform.titles()


def test_adopt_believes_nobody_in_silence(
    work: Workspace, platform: Platform, request: pytest.FixtureRequest
) -> None:
    """An unknown id is refused if a list can disprove it, else it causes a warning."""
    work.write("l.yaml", LICENSE)
    nobody = "7d1c0000-0000-4000-8000-000000000999"

    done = work.run("adopt", f"license.staff={nobody}")

    assert USAGE == done.code
    told = "shows nothing with the id" if extended(request) else "--unverified"
    assert told in done.err


def edit_by_hand(work: Workspace, platform: Platform) -> None:
    """A course whose description people have changed, and no state that knows it."""
    work.course("a", "description: From git\n")
    work.apply()
    group = platform.dump("courseGroups")[0]["id"]
    edit = {"list": "courseGroups", "id": group, "set": {"description": "By hand"}}
    platform.order("edit", edit)
    lose(work)


def test_adopt_plans_what_a_read_shows_to_differ(
    work: Workspace, platform: Platform, request: pytest.FixtureRequest
) -> None:
    """What no read shows is unverified: it is neither planned nor sent."""
    edit_by_hand(work, platform)

    assert 0 == work.run("adopt", f"course.a={course_of(platform)}").code

    fields = [one["path"] for change in work.plan()["changes"] for one in change["fields"]]
    assert (["description"] if extended(request) else []) == fields


def test_adopt_sends_what_no_read_shows_if_asked(work: Workspace, platform: Platform) -> None:
    """With `--send-unread`, the next apply sends what nobody could compare."""
    edit_by_hand(work, platform)

    adopted = work.run("adopt", "--send-unread", f"course.a={course_of(platform)}")

    assert (0, 0) == (adopted.code, work.apply().code)
    assert "From git" == platform.dump("courseGroups")[0]["description"]


def test_what_is_sent_unread_was_changed_by_nobody(
    work: Workspace, platform: Platform, request: pytest.FixtureRequest
) -> None:
    """The plan has the fields that no read shows, and no word of changes on the platform."""
    work.course("a", "description: From git\n")
    work.apply()
    lose(work)
    work.run("adopt", "--send-unread", f"course.a={course_of(platform)}")

    done = work.run("plan")

    assert "changed on the platform" not in done.out
    assert extended(request) == ("From git" not in done.out)


def test_an_edit_after_an_adoption_is_sent(work: Workspace, platform: Platform) -> None:
    """What was adopted unread changes like anything else, also if it is adopted once more."""
    edit_by_hand(work, platform)
    work.run("adopt", f"course.a={course_of(platform)}")
    work.course("a", "description: New in git\n")

    assert 0 == work.run("adopt", f"course.a={course_of(platform)}").code
    assert 0 == work.apply().code
    assert "New in git" == platform.dump("courseGroups")[0]["description"]


def test_the_share_of_what_was_adopted_unread_is_told(
    work: Workspace, platform: Platform, request: pytest.FixtureRequest
) -> None:
    """`adopt` says how many fields no route shows, and `status` counts them."""
    edit_by_hand(work, platform)

    done = work.run("adopt", f"course.a={course_of(platform)}")

    fields = work.run("status", "--json").json["truth"]
    told = f"no route of this instance shows {fields['unverifiable']} of {fields['fields']} fields"
    assert extended(request) == (fields["unverifiable"] == 0)
    assert extended(request) != (told in done.out)


@pytest.mark.slow
def test_a_state_is_not_forgotten_under_a_running_apply(
    work: Workspace, platform: Platform
) -> None:
    """A running apply holds the state."""
    work.course("a")
    work.apply()
    work.course("b")
    platform.hold("course.create")
    process = forking.start(["apply", "--yes"], root=work.root, env=os.environ | work.env)
    platform.wait_for("course.create", worked=False)

    assert 6 == work.run("state", "forget", "course.a").code
    platform.let_go()
    process.join(PROCESS_PATIENCE)
    assert 0 == process.exitcode
