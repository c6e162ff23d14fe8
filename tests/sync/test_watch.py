"""`lmssync watch`: rounds that plan, apply and look for drift, and the pages that tell of them."""

import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from lmssync.cli.watch_service import StatusBoard, WatchOrder, one_round
from lmssync.report.watch_report import render_metrics, watch_html
from lmssync.settings import DEFAULT_STATE
from lmssync.state import open_store
from lmssync.sync.watch_rounds import Ending, WatchOverview
from tests.docs import pages
from tests.patience import kill_if_failed, wait_for_exit
from tests.planning.test_guards import ERRORS, LATER, LIVE
from tests.sandbox import chromium
from tests.served_catalog import PROJECT, Platform, Workspace, wait_until

from .. import patient_http


class Service:
    """Rounds one after the other, as the service does them, without its pauses."""

    def __init__(self, root: Path, *, applies: bool) -> None:
        self.order = WatchOrder(
            {"root": root, "environment": None}, applies, 0.0, None, lambda: False
        )
        self.now = WatchOverview(900, applies, 0.0)

    def round(self) -> int:
        """The exit code of the next round."""
        one = one_round(self.order, self.now)
        self.now = self.now.after_round(one)
        return one.code

    @property
    def page(self) -> str:
        return watch_html(self.now)

    @property
    def samples(self) -> dict[str, float]:
        return samples(render_metrics(self.now))


def test_no_metric_names_an_environment_before_it_is_known() -> None:
    """The first round says which one it is."""
    assert 'environment=""' not in render_metrics(WatchOverview(900, applies=False, began=0.0))


def samples(text: str) -> dict[str, float]:
    """Each sample as a reader of the format has it, by its name and labels as they stand there."""
    return {
        sample.name.removeprefix("lmssync_") + labelled(sample.labels): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def labelled(labels: dict[str, str]) -> str:
    inner = ",".join(f'{name}="{value}"' for name, value in labels.items())
    return f"{{{inner}}}" if inner else ""


@pytest.fixture
def watching(work: Workspace) -> Service:
    """A service that plans only."""
    return Service(work.root, applies=False)


@pytest.fixture
def applying(work: Workspace) -> Service:
    """A service that applies."""
    return Service(work.root, applies=True)


def test_a_round_plans_and_sends_nothing(work: Workspace, platform: Platform, watching: Service):
    """Its numbers are those of `plan --json`; nothing was written on the platform."""
    work.course("a")
    assert 2 == watching.round()
    assert work.plan()["summary"]["create"] == watching.samples['plan_resources{action="create"}']
    assert {"GET"} == {request["method"] for request in platform.requests()}
    assert "1 to create" in watching.page


def test_a_round_applies(work: Workspace, platform: Platform, applying: Service):
    """It applies what is planned; the next round finds nothing to do."""
    work.course("a")
    assert [0, 0] == [applying.round(), applying.round()]
    assert "Title of a" in platform.titles()
    found = applying.samples
    assert (0, 1) == (found['plan_resources{action="create"}'], found["up"])
    assert 1 == found['managed_resources{kind="course"}']
    assert found["state_serial"] == work.run("status", "--json").json["serial"]


def test_calls_are_counted_by_route_and_status(work: Workspace, applying: Service):
    """They add up over rounds, reads and writes alike."""
    work.course("a")
    applying.round()
    before = applying.samples['calls_total{route="ping",status="200"}']
    applying.round()
    assert 1 == applying.samples['calls_total{route="course.create",status="200"}']
    assert before < applying.samples['calls_total{route="ping",status="200"}']


def test_a_guard_stops_a_round(work: Workspace, platform: Platform, applying: Service):
    """Nothing is sent, the page says which guard it is and what allows it, and rounds go on."""
    work.write("lmssync.yaml", PROJECT + ERRORS)
    work.course("a", LIVE)
    applying.round()
    work.course("a", LATER)
    before = [r for r in platform.requests() if r["method"] != "GET"]
    assert 3 == applying.round()
    assert before == [r for r in platform.requests() if r["method"] != "GET"]
    assert "--allow course.a" in applying.page
    assert (1, Ending.WELL) == (applying.samples["plan_stops"], applying.now.last.ending)


def test_an_invalid_catalog_is_told_until_it_is_mended(work: Workspace, watching: Service):
    """The round ends with 3, the page says where the first error is."""
    work.course("a", "titel: Another\n")
    assert 3 == watching.round()
    assert (0, 3) == (watching.samples["up"], watching.samples["last_round_exit_code"])
    assert "the catalog has 1 error, the first: a.yaml:" in watching.page
    work.course("a")
    assert 2 == watching.round()
    assert 1 == watching.samples["up"]


def test_a_platform_that_is_away_comes_back(
    work: Workspace, platform: Platform, applying: Service, monkeypatch: pytest.MonkeyPatch
):
    """Failures in a row make the pauses grow; one good round makes them as long as before."""
    work.course("a")
    monkeypatch.setenv("LMSSYNC_BASE_URL", "http://127.0.0.1:9")
    assert [8, 8, 8] == [applying.round() for _ in range(3)]
    assert (3, 3600) == (applying.now.failures, applying.now.seconds_to_next(0.5))
    monkeypatch.setenv("LMSSYNC_BASE_URL", platform.base_url)
    assert 0 == applying.round()
    assert (0, 900) == (applying.now.failures, applying.now.seconds_to_next(0.5))


def test_a_held_state_is_tried_again(work: Workspace, applying: Service):
    """The page says that another run holds the state; the next round applies."""
    work.course("a")
    with closing(open_store(DEFAULT_STATE, work.root, "sandbox")) as held, held.hold_state():
        assert 6 == applying.round()
        assert "the state is locked by" in applying.page
    assert 0 == applying.round()


def test_drift_is_counted_and_listed(work: Workspace, platform: Platform, applying: Service):
    """What somebody has changed on the platform is on the page and in the metrics."""
    work.course("a")
    applying.round()
    course = platform.dump("courses")[0]["id"]
    platform.change({"courses": [{"id": course, "title": "By hand"}]})
    applying.round()
    assert 1 == applying.samples["drift_resources"]
    assert "Changed on the platform" in applying.page


def test_no_sample_names_a_resource_or_a_secret(work: Workspace, platform: Platform):
    """Labels hold what there is little of: versions, kinds, routes, actions, numbers."""
    service = Service(work.root, applies=True)
    work.course("a")
    service.round()
    text = render_metrics(service.now)
    labels = set(re.findall(r'(\w+)="', text))
    assert {"version", "environment", "exit", "action", "kind", "route", "status"} >= labels
    assert not re.search(rf"course\.a|Title|{platform.key}", text)


def test_the_documents_name_every_metric(applying: Service):
    """The table has each family with its type, and no other."""
    rows = re.findall(r"^\| `(lmssync_\w+)` \| (\w+) \|", pages.text("docs/watch.md"), re.MULTILINE)
    applying.round()
    assert re.findall(r"# TYPE (\w+) (\w+)", render_metrics(applying.now)) == rows


def test_health_is_lost_after_three_intervals():
    """Counted from the last round that ended well, or from the start."""
    now = WatchOverview(900, applies=False, began=1000.0)
    assert [True, False] == [now.is_healthy(1000 + 2700), now.is_healthy(1000 + 2701)]
    assert now._replace(good=5000.0).is_healthy(7000)
    assert 503 == StatusBoard(now).page("healthz", {}).status


def test_pauses_differ_by_a_little():
    """Several services that start together do not ask at once for long."""
    now = WatchOverview(100, applies=False, began=0.0)
    assert [95, 100, 105] == [now.seconds_to_next(chance) for chance in (0, 0.5, 1)]


@pytest.mark.parametrize(
    ("code", "applies", "words"),
    [(2, (), "planned: 1 to create"), (0, ("--apply",), "applied: 1 created")],
)
def test_once_is_one_round(work: Workspace, code: int, applies: tuple[str, ...], words: str):
    """It serves nothing, says one line, and exits with the code of the round."""
    work.course("a")
    done = work.run("watch", "--once", *applies)
    assert (code, "") == (done.code, done.out)
    (line,) = done.err.splitlines()[-1:]
    assert words in line


def test_a_round_as_json(work: Workspace):
    """One document on one line of stdout."""
    work.course("a")
    done = work.run("watch", "--once", "--json")
    assert ("lmssync.watch/1", 2, 1) == (
        done.json["format"],
        done.json["exit"],
        done.json["planned"]["create"],
    )


def test_a_protected_environment_is_refused(work: Workspace):
    """Only saved plans are applied there, so `--apply` is wrong use; watching it is not."""
    work.write("lmssync.yaml", PROJECT.replace('1"}', '1", protected: true}'))
    done = work.run("watch", "--once", "--apply")
    assert 64 == done.code
    assert "sandbox is protected: only a saved plan is applied there" in done.err
    assert 0 == work.run("watch", "--once").code


@pytest.mark.parametrize(
    "wrong", [("--every", "soon"), ("--every", "0"), ("-e", "nowhere"), ("--port", "99999")]
)
def test_wrong_use_ends_it(work: Workspace, wrong: tuple[str, ...]):
    """What will not get better is no matter of a round."""
    assert 64 == work.run("watch", *wrong, *(() if "--port" in wrong else ("--port", "0"))).code


@pytest.mark.slow
@pytest.mark.skipif(not chromium.tools(), reason="no Chromium: `make browser`")
@pytest.mark.xdist_group("browser")
def test_axe_finds_nothing_on_the_page(work: Workspace, platform: Platform, applying: Service):
    """With a guard, a decision that waits, drift and an error: no violation, nothing too wide."""
    work.write("lmssync.yaml", PROJECT + ERRORS)
    work.course("a", LIVE + "lifecycle: {protect: true}\n")
    applying.round()
    platform.change({"courses": [{"id": platform.dump("courses")[0]["id"], "title": "By hand"}]})
    work.course("a", LATER + "lifecycle: {protect: true}\n")
    applying.round()
    for key in "bcdefghijkl":
        work.course(key, LIVE)
    applying.round()
    work.course("b", LATER)
    assert 3 == applying.round()
    assert "Waits for a decision" in applying.page
    (work.root / "page.html").write_text(applying.page)
    looks = [
        {"path": "page.html", "width": width, "scheme": scheme}
        for width, scheme in ((390, "light"), (1280, "light"), (1280, "dark"))
    ]
    for seen in chromium.look(f"{work.root.as_uri()}/", looks):
        assert ([], [], 0) == (seen["violations"], seen["clipped"], max(0, seen["overflow"]))


@pytest.fixture
def served(work: Workspace) -> Iterator[tuple[httpx.Client, "subprocess.Popen[bytes]"]]:
    """A service in a process of its own, and a client for its pages."""
    work.course("a")
    with work.start("watch", "--apply", "--port", "0") as process:
        assert process.stdout
        with kill_if_failed(process):
            url = process.stdout.readline().decode().split()[0]
            with patient_http.client(base_url=url) as client:
                yield client, process
        process.kill()


def test_a_service_serves_and_ends_cleanly(
    served: tuple[httpx.Client, "subprocess.Popen[bytes]"], work: Workspace, platform: Platform
):
    """Page, health and metrics are there; SIGHUP begins a round, and SIGTERM ends it with 0."""
    client, process = served
    name = 'rounds_total{exit="0"}'
    wait_until(lambda: samples(client.get("/metrics").text).get(name) == 1, "a round")
    assert "Title of a" in platform.titles()
    assert (200, 200, 404) == tuple(client.get(p).status_code for p in ("/", "/healthz", "/x"))
    process.send_signal(signal.SIGHUP)
    wait_until(lambda: samples(client.get("/metrics").text).get(name) == 2, "another round")
    process.terminate()
    assert 0 == wait_for_exit(process)
    assert 0 == work.run("state", "verify").code
