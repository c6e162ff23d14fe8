"""Runs tell people where they are what they did and found: by webhook, by mail, as an issue."""

import json
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, tzinfo
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from lmssync.cli import run_news
from lmssync.code_hosts import CiJob
from lmssync.errors import StateError
from lmssync.support.notification_settings import NotifySource, NotifyTarget
from lmssync.sync import news_delivery
from lmssync.sync.news_delivery import Message, Sending, send_news
from tests.code_hosts.double import Double, serving
from tests.platform.client.answering import Answering, Asked, Said, answering
from tests.served_catalog import PROJECT, Platform, Workspace
from tests.sync.news_delivery.mail_server import mail_server

CHAT = "notify: {chat: {webhook: {env: LMSSYNC_NOTIFY_CHAT}}}\n"
CHANGES, PARTIAL, INVALID = 2, 7, 3


@pytest.fixture
def chat(work: Workspace, monkeypatch: pytest.MonkeyPatch) -> Iterator[Answering]:
    """A chat tool, and a catalog that tells it everything."""
    with answering() as served:
        monkeypatch.setenv("LMSSYNC_NOTIFY_CHAT", f"{served.base_url}/hooks/a-long-secret")
        work.write("lmssync.yaml", PROJECT + CHAT)
        yield served


@pytest.fixture
def job(monkeypatch: pytest.MonkeyPatch) -> Iterator[Double]:
    """A job of GitHub that is for no pull request."""
    with serving("github") as double:
        for name, value in double.env(GITHUB_REF="refs/heads/main").items():
            monkeypatch.setenv(name, value)
        yield double


def texts(chat: Answering) -> list[str]:
    """What was posted, and nothing of it twice."""
    return [json.loads(asked.body)["text"] for asked in chat.asked]


def change_title(platform: Platform, title: str) -> None:
    """Somebody renames the course in the admin interface."""
    (course,) = [one["id"] for one in platform.dump("courses") if one["sku"].startswith("ls-")]
    platform.change({"courses": [{"id": course, "title": title}]})


def test_an_apply_says_what_it_has_done_and_a_second_one_nothing(work: Workspace, chat: Answering):
    """The message has counts, titles, addresses, and the command that shows more."""
    work.course("a")
    assert 0 == work.apply().code
    assert 0 == work.apply().code
    (text,) = texts(chat)
    assert text.splitlines() == [
        "Applied on sandbox: 1 created",
        "created: “Title of a” (course.a)",
        "",
        "`lmssync status -e sandbox` shows what is open.",
    ]


def test_drift_is_told_with_no_value_of_it(work: Workspace, platform: Platform, chat: Answering):
    """A value may be somebody's name: the command in the message shows it."""
    work.course("a")
    work.apply()
    change_title(platform, "By hand")
    assert CHANGES == work.run("drift").code
    assert texts(chat)[-1].startswith("Drift on sandbox: 1 resource\n")
    assert "“Title of a” (course.a): 1 difference" in texts(chat)[-1]
    assert "By hand" not in texts(chat)[-1]


def test_what_guards_stop_is_told(work: Workspace, chat: Answering):
    """Nothing was sent to the platform, and the message names the guard."""
    work.course("a", "status: published\npriceInCents: 100\n")
    work.apply()
    work.write("lmssync.yaml", f"{PROJECT}{CHAT}guards: {{published: error}}\n")
    work.course("a", "status: published\npriceInCents: 200\n")
    assert INVALID == work.apply().code
    assert texts(chat)[-1].startswith("Blocked on sandbox: ")


def test_a_call_without_an_outcome_is_told(work: Workspace, platform: Platform, chat: Answering):
    """The message says who has to decide what."""
    target = "{url: 'https://a.example.com', title: A}"
    work.course("a", f"purchasePaths: [{{id: p, label: Buy, target: {target}}}]")
    platform.fault("drop-after", "path.create")
    platform.fault("status", "path.list", status=500)
    assert 4 == work.apply().code
    assert any(one.startswith("Decide on sandbox: nobody knows") for one in texts(chat))


def test_ten_thousand_changes_are_one_short_message():
    """It names ten of them and counts the rest; titles are cut, and ring for nobody."""
    from lmssync.report.news_messages import NewsSource, name_in_message
    from lmssync.resource import Address

    title = "<!here> @all \x1b[31m\n" + "x" * 500
    lines = [name_in_message(Address("course", f"c{n}"), title) for n in range(10_000)]
    text = NewsSource("production").compose_message("applied", "T", lines).text
    assert ("and 9,990 more" in text, 13) == (True, len(text.splitlines()))
    assert max(map(len, text.splitlines())) <= 160
    assert not {"<", "@", "\x1b"} & {*text}


def hang(_asked: Asked) -> Said:
    time.sleep(0.6)
    return Said()


@pytest.mark.parametrize("answer", [lambda _: Said(status=500), hang], ids=["500", "hangs"])
def test_a_failure_is_a_warning_and_changes_nothing_else(
    work: Workspace,
    chat: Answering,
    answer: Callable[[Asked], Said],
    monkeypatch: pytest.MonkeyPatch,
):
    """The apply ends as it would have, and says who was not notified."""
    monkeypatch.setattr(news_delivery, "SECONDS", 0.2)
    chat.answer = answer
    work.course("a")
    done = work.apply()
    assert (0, True) == (done.code, "warning: chat was not notified: " in done.err)
    assert "a-long-secret" not in done.out + done.err


def test_nobody_waits_for_what_takes_longer(monkeypatch: pytest.MonkeyPatch):
    """A name that is looked up, or a program with a secret, may take as long as it likes."""
    monkeypatch.setattr(news_delivery, "SECONDS", 0.05)
    chat = NotifyTarget(webhook=NotifySource(env="LMSSYNC_NOTIFY_CHAT"))
    news = {"applied": Message("applied", "production", "T", "t", "")}
    ended = Event()
    sending = Sending("production", "", CiJob(None), lambda _source: str(ended.wait(5)))
    ((_, failure),) = send_news({"chat": chat}, news, sending)
    ended.set()
    assert "nobody knows whether it was sent" in failure.message


def test_a_server_that_is_busy_is_asked_again(
    work: Workspace, chat: Answering, monkeypatch: pytest.MonkeyPatch
):
    """One 503 costs a pause, and no warning."""
    monkeypatch.setattr(news_delivery, "_PAUSES", (0.01,))
    answers = iter([Said(status=503), Said()])
    chat.answer = lambda _asked: next(answers)
    work.course("a")
    assert "warning" not in work.apply().err
    assert 2 == len(chat.asked)


def test_a_target_without_its_variable_says_what_to_do(work: Workspace):
    """The warning names the variable, and the way to leave a target out."""
    work.write("lmssync.yaml", PROJECT + CHAT)
    work.course("a")
    done = work.apply()
    assert (0, True) == (done.code, "LMSSYNC_NOTIFY_CHAT is not set" in done.err)
    assert "or write `environments` without this one" in done.err


def test_a_body_of_ones_own_is_filled_in_and_nothing_else(work: Workspace, chat: Answering):
    """A title that looks like a placeholder, or like JSON, stays a title."""
    body = '{blocks: [{type: "{occasion}", say: "{title}|{text}"}], n: 1}'
    work.write("lmssync.yaml", PROJECT + CHAT.replace("}}}", f"}}, body: {body}}}}}"))
    work.course("a", edit=("Title of KEY", "'{environment} \"quoted\"'"))
    work.apply()
    sent: Any = json.loads(chat.asked[0].body)
    assert ("applied", 1) == (sent["blocks"][0]["type"], sent["n"])
    assert '“{environment} "quoted"”' in sent["blocks"][0]["say"]


def test_an_issue_is_kept_while_it_is_true(work: Workspace, platform: Platform, job: Double):
    """Drift opens it, a second look leaves it alone, and a clean look closes it."""
    notify = "notify: {team: {issue: true, about: [drift]}}\n"
    work.write("lmssync.yaml", PROJECT + notify)
    work.course("a")
    work.apply()
    change_title(platform, "By hand")
    for _ in range(2):
        work.run("drift")
    (issue,) = job.texts[job.issues]
    assert ("Drift on sandbox", "open") == (issue["title"], issue["state"])
    assert "“Title of a” (course.a): 1 difference" in issue["body"]
    assert ["POST"] == job.writes()
    change_title(platform, "Title of a")
    work.run("drift")
    assert "closed" == issue["state"]


def test_ci_drift_keeps_one_issue_and_not_two(work: Workspace, platform: Platform, job: Double):
    """Its own issue has the values; that of `notify` would be a second one."""
    work.write("lmssync.yaml", f"{PROJECT}notify: {{team: {{issue: true}}}}\n")
    work.course("a")
    work.apply()
    change_title(platform, "By hand")
    work.run("ci", "drift")
    assert ["Drift on sandbox"] == [
        one["title"] for one in job.texts[job.issues] if "Drift" in one["title"]
    ]


def test_settings_are_tried(
    work: Workspace, chat: Answering, job: Double, monkeypatch: pytest.MonkeyPatch
):
    """A newcomer sees what is missing, then sends a message to each target."""
    more = "  mail: {mail: {}, about: [blocked]}\n  team: {issue: true}\n"
    work.write(
        "lmssync.yaml", PROJECT + CHAT.replace("{chat", "\n  chat").replace("}}}", "}}") + more
    )
    missing = work.run("notify", "mail")
    assert (1, True) == (missing.code, "LMSSYNC_NOTIFY_MAIL_TO are not set" in missing.err)
    with mail_server() as server:
        monkeypatch.setenv("LMSSYNC_NOTIFY_MAIL_SERVER", f"smtp://127.0.0.1:{server.port}")
        monkeypatch.setenv("LMSSYNC_NOTIFY_MAIL_FROM", "bot@example.com")
        monkeypatch.setenv("LMSSYNC_NOTIFY_MAIL_TO", "ana@example.com, bo@example.com")
        done = work.run("notify")
    assert (0, "sent to chat, mail, team\n") == (done.code, done.out)
    assert b"To: ana@example.com, bo@example.com" in server.mails[0]
    assert ["closed"] == [one["state"] for one in job.texts[job.issues]]
    assert "A test of lmssync for sandbox" in texts(chat)[0]


def test_a_service_tells_the_same_once(work: Workspace, platform: Platform, chat: Answering):
    """Rounds that find what the round before has found say nothing; what is new is told."""
    from lmssync.cli.watch_service import WatchOrder, one_round
    from lmssync.sync.watch_rounds import WatchOverview

    work.course("a")
    order = WatchOrder({"root": work.root, "environment": None}, True, 0.0, None, lambda: False)
    overview = WatchOverview(60.0, True, time.time())
    for title in ("", "By hand", "By hand", "By hand again"):
        if title:
            change_title(platform, title)
        overview = overview.after_round(one_round(order, overview))
    assert ["Applied on", "Drift on s"] == [one[:10] for one in texts(chat)]


def test_the_story_of_the_page(work: Workspace, platform: Platform, chat: Answering):
    """What docs/notifications.md shows is what a chat gets."""
    page = (Path(__file__).parents[2] / "docs/notifications.md").read_text("utf-8")
    work.course("fire", edit=("Title of KEY", "Fire safety"))
    work.apply()
    change_title(platform, "Fire safety 2")
    work.run("drift")
    for text in texts(chat):
        assert text.replace("sandbox", "production") in page
    assert 2 == len(texts(chat))


def test_a_step_that_waits_too_long_is_told(
    work: Workspace, chat: Answering, monkeypatch: pytest.MonkeyPatch
):
    """Each look says how long it is open, and what is to be done."""
    path = "purchasePaths: [{id: shop, label: Buy <b>here</b>, target: {url: 'https://a.example', "
    work.course("a", path + "title: Shop}}]\n")
    work.apply()
    work.course("a")
    work.apply()
    monkeypatch.setattr(run_news, "datetime", Later)
    work.run("drift")
    text = texts(chat)[-1]
    assert "Overdue on sandbox: 1 step for people, open for 7 days or more" in text
    assert "path.a.shop: open for 8 days: delete the purchase path “Buy here”" in text


class Later(datetime):
    """The clock of eight days from now."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
        return datetime.now(tz) + timedelta(days=8, minutes=1)


def test_a_state_that_cannot_be_read_for_a_message_is_a_warning(
    work: Workspace, chat: Answering, monkeypatch: pytest.MonkeyPatch
):
    """The apply is done: it prints its report and ends with 0."""

    def fail(*_: object) -> None:
        raise StateError("the disk is full")

    monkeypatch.setattr("lmssync.applying.apply.list_undecided", fail)
    work.course("a")
    done = work.apply()
    assert (0, []) == (done.code, chat.asked)
    assert "Applied: 1 created" in done.out
    assert "warning: nobody was notified: the disk is full" in done.err
