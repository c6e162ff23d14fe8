"""A plan forecasts the calls that an apply then sends."""

import re
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lmssync.vocabulary.routes import ROUTES
from tests.kinds.test_clients_applied import CLIENT
from tests.served_catalog import COURSE, PROJECT, Platform, Workspace

EXAMPLE = Path(__file__).parents[3] / "examples" / "catalog"
RULES = "completionCriteria: [{id: m, type: coursePercentViewed, percent: 80}]\n"
MORE = "          - {id: more, title: More, type: survey}\n"
SECTION = """\
  - id: extra
    title: Extra
    lessons:
      - {id: one, title: One, openType: open, topics: [{id: t, title: T, type: survey}]}
"""

LICENSE = """\
resource: license
key: KEY
client: acme
name: Staff
courses: []
learningPaths: []
courseTags: [Safety]
seatsLimit: 5
"""
PEOPLE = """\
resource: licenseAssignment
key: staff
licenses: [KEY]
users: [{email: chloe.dubois@brightwater.example}]
"""
Make = Callable[[Workspace], None]


def example(work: Workspace) -> None:
    ignored = shutil.ignore_patterns(".lmssync")
    shutil.copytree(EXAMPLE, work.root, dirs_exist_ok=True, ignore=ignored)


def applied(*more: str) -> Make:
    """Courses that are on the platform, the first with these lines added to its manifest."""

    def make(work: Workspace) -> None:
        work.course("a", "tags: [Safety]\n")
        work.course("b")
        assert 0 == work.apply().code
        work.course("a", "tags: [Safety]\n" if not more else "".join(more))

    return make


def titled(work: Workspace) -> None:
    applied()(work)
    work.course("a", edit=("Title of KEY", "Another title"))


def with_path(work: Workspace) -> None:
    applied()(work)
    target = "{url: 'https://shop.example.com', title: Shop}"
    work.course("b", f"purchasePaths: [{{id: p, label: Buy, target: {target}}}]\n")


def reordered(work: Workspace) -> None:
    applied()(work)
    hello, check = COURSE.splitlines(keepends=True)[-2:]
    work.course("a", "tags: [Safety]\n", edit=(hello + check, check + hello))


def of_a_client(work: Workspace) -> None:
    """A clone, which a job makes, with a license and somebody who holds it."""
    applied()(work)
    work.write("client.yaml", CLIENT)
    work.write("license.yaml", LICENSE.replace("client: acme", "client: river"))
    work.write("people.yaml", PEOPLE)


SCENARIOS: dict[str, Make] = {
    "the first apply of the example": example,
    "nothing changed": applied(),
    "an edited title": titled,
    "a new topic": applied(MORE),
    "a new section": applied(SECTION),
    "a new criterion": applied(RULES),
    "a new criterion of a new topic": applied(
        MORE, "completionCriteria: [{id: m, type: courseTopicViewed, topic: start/one/more}]\n"
    ),
    "a new purchase path": with_path,
    "topics in another order": reordered,
    "a new client with a license": of_a_client,
}
EVERY = pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=list(SCENARIOS))


def sent(platform: Platform, before: int) -> Counter[str]:
    return Counter(request["route"] for request in platform.requests()[before:])


def split(calls: Counter[str]) -> tuple[Counter[str], Counter[str]]:
    """The number of writes and of reads."""
    reads = Counter({route: n for route, n in calls.items() if ROUTES[route].reads})
    return calls - reads, reads


def check(forecast: dict[str, Any], writes: Counter[str], reads: Counter[str]) -> None:
    low, high = forecast["reads"]
    assert forecast["writes"] == writes.total()
    assert low <= reads.total() <= high
    assert not [route for route, n in (writes + reads).items() if n > forecast["byRoute"][route]]


def told(calls: dict[str, Any]) -> dict[str, int]:
    """What an apply says that its plan took, all of it within what it says that it forecast."""
    spent: dict[str, int] = calls.get("spent", {}).get("byRoute", {})
    ranges = calls.get("forecast", {}).get("byRoute", {})
    assert not [name for name, n in spent.items() if not ranges[name][0] <= n <= ranges[name][1]]
    return spent


@EVERY
def test_an_apply_sends_what_was_forecast(
    work: Workspace, platform: Platform, scenario: Make
) -> None:
    """The forecast of writes is exact, and reads are in its range, apart from those of planning.

    The report ends with both, by route, and says what the platform has seen.
    """
    scenario(work)
    start = len(platform.requests())
    forecast = work.plan()["calls"]
    planned = sent(platform, start)
    assert dict(planned) == forecast["planningByRoute"]

    start = len(platform.requests())
    done = work.apply("--json")

    fact = sent(platform, start) - planned
    assert (0, dict(fact)) == (done.code, told(done.json["calls"]))
    check(forecast, *split(fact))


@EVERY
def test_a_saved_plan_sends_what_was_forecast(
    work: Workspace, platform: Platform, scenario: Make
) -> None:
    """A saved plan is not planned again; the checks before its start are in the forecast."""
    scenario(work)
    work.run("plan", "--out", "p.json")
    forecast = work.run("show", "--json", "p.json").json["calls"]

    start = len(platform.requests())
    assert 0 == work.run("apply", "p.json").code

    check(forecast, *split(sent(platform, start)))


@EVERY
def test_a_plan_shows_a_narrow_range_of_calls(work: Workspace, scenario: Make) -> None:
    """The most calls that a plan shows are at most three times the fewest, without reads of jobs.

    Most of the difference are reads that can be made later, and reads that lag.
    """
    scenario(work)

    plan = work.run("plan", "--full").out
    shown = re.search(r"Calls: (\d+) writes? .*and (?:(up|\d+) to )?(\d+) reads?;", plan)

    if shown:
        writes, high = int(shown[1]), int(shown[3])
        fewest, most = writes + int((shown[2] or shown[3]).replace("up", "0")), writes + high
        assert most <= 3 * fewest


def test_an_apply_counts_the_reads_of_jobs_apart(work: Workspace) -> None:
    """How often a job is read depends on the platform: the forecast says so, and the receipt."""
    of_a_client(work)

    done = work.apply("--full").out

    assert "Jobs are also read while they run; how often depends on the platform." in done
    assert re.search(r"took \d+ calls \(\d+ of them reads of jobs\) in", done)


@pytest.mark.parametrize("saved", [False, True], ids=["at once", "saved"])
def test_further_writes_are_forecast(work: Workspace, instance: Platform, saved: bool) -> None:
    """Updates of licenses and releases of courses, with what is read to compare them."""
    for status, seats in ("draft", "5"), ("published", "6"):
        for key in ("a", "b"):
            work.course(key, f"status: {status}\n")
            work.write(f"l-{key}.yaml", LICENSE.replace("KEY", key).replace("5", seats))
        if status == "draft":
            assert 0 == work.apply().code
    start = len(instance.requests())
    forecast = work.plan("--out", "p.json")["calls"]
    planned = sent(instance, start)

    start = len(instance.requests())
    assert 0 == work.run("apply", *(["p.json"] if saved else ["--yes"])).code

    writes, reads = split(sent(instance, start) - (Counter() if saved else planned))
    check(forecast, writes, reads)
    assert {"license.update": 2, "content.release": 2} == writes


def test_nothing_to_do_asks_nothing(work: Workspace) -> None:
    """A plan with nothing to do says that the platform was not asked."""
    applied()(work)

    assert (0, 0) == (work.plan()["calls"]["planning"], work.plan()["calls"]["total"])
    assert "2 resources are as last applied; the platform was not asked." in work.run("plan").out


def test_what_is_asked_about_an_open_call_was_asked(work: Workspace, platform: Platform) -> None:
    """An apply that has found out what a lost call did does not say that nothing was asked."""
    work.course("a")
    work.apply()
    work.course("a", edit=("Title of", "About"))
    platform.fault("drop-after", "course.update")
    assert 4 == work.apply().code

    done = work.apply()

    assert (0, True) == (done.code, "No changes: 1 resource" in done.out)
    assert "was not asked" not in done.out


def test_a_read_that_is_repeated_was_wanted_once(work: Workspace, platform: Platform) -> None:
    """A repeated read counts once, or a plan would have another digest after each failure."""
    work.course("a")
    platform.fault("status", "ping", status=503, times=1)

    assert 1 == work.plan()["calls"]["planning"]
    assert 2 == len(platform.requests(route="ping"))


@pytest.mark.parametrize(("verify", "reads"), [("needed", 1), ("50%", 3), ("all", 5)])
def test_what_is_read_later_is_not_among_the_fewest(
    work: Workspace, platform: Platform, verify: str, reads: int
) -> None:
    """The fewest reads of a plan are those that `platform.verify` asks for, and it keeps them."""
    platform.order("switches", {"idOrder": "request"})
    work.write("lmssync.yaml", PROJECT.replace("{license", f"{{verify: {verify}, license"))
    for key in "abcde":
        work.course(key)

    forecast = work.plan("--out", "p.json")["calls"]
    done = work.run("apply", "p.json", "--json").json

    spent = done["calls"]["spent"]["byRoute"]
    assert (reads, reads) == (forecast["reads"][0], spent["course.read"])
    assert forecast == work.run("show", "--json", "p.json").json["calls"]
