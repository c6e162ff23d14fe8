"""Tells the targets of `notify:` what a run did and found; a message that fails is a warning.

Nothing is sent in the job of a pull request: its catalog may be a stranger's, and so may the words
of a message be. Jobs that apply or look for drift run on what was merged.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

import click

from ..errors import LmssyncError
from ..support.invisible_characters import escape_invisible
from .exits import print_warning

if TYPE_CHECKING:
    from ..applying.apply import Report
    from ..planning.plan import Plan
    from ..planning.workspace import Workspace
    from ..report.news_messages import NewsSource
    from ..state import Store
    from ..support.notification_settings import NotifyTarget
    from ..sync.drift import DriftResult
    from ..sync.news_delivery import News


def list_targets(place: "Workspace") -> "dict[str, NotifyTarget]":
    """The targets that are about the environment of a run."""
    every = place.project.notify.items()
    return {
        name: one for name, one in every if not one.environments or place.name in one.environments
    }


def tell_targets(
    place: "Workspace",
    news: "News",
    targets: "Mapping[str, NotifyTarget] | None" = None,
    *,
    is_test: bool = False,
) -> bool:
    """Sends the news to each target that is about them, or to those that are given; warns of what
    was not sent, and returns whether all of it was."""
    targets = list_targets(place) if targets is None else targets
    if not targets or not news:
        return True
    from .. import code_hosts
    from ..platform import credentials
    from ..support.git_repository import folder_in_repository
    from ..sync.news_delivery import Sending, send_news

    job = code_hosts.find_ci_job(os.environ)
    # A stranger's catalog could write into a chat of the team, in words of its own.
    if job.number is not None:
        click.echo("note: in the job of a pull request nobody is notified", err=True)
        return not is_test
    read_secret = partial(credentials.find_message_secret, env=place.env, root=place.root)
    sending = Sending(place.label, folder_in_repository(place.root), job, read_secret, is_test)
    failures = list(send_news(targets, news, sending))
    for name, failed in failures:
        print_warning(f"{name} was not notified: {failed.message}", failed.hint)
    return not failures


def find_source(place: "Workspace") -> "NewsSource":
    """The run that messages are about."""
    from .. import code_hosts
    from ..report.news_messages import NewsSource

    page = escape_invisible(code_hosts.find_ci_job(os.environ).page)
    chosen = f"{place.name} --slice {place.slice}" if place.slice else place.name
    return NewsSource(place.label, page, chosen)


@contextmanager
def _warn_if_unread() -> Iterator[None]:
    """A state that cannot be read is a warning: how the run ends does not depend on messages."""
    try:
        yield
    except LmssyncError as failed:
        print_warning(f"nobody was notified: {failed.message}", failed.hint)


def collect_plan_news(
    place: "Workspace", made: "Plan | None", *, is_stopped: bool = False
) -> "News":
    """What is blocked, if somebody wants to hear of it. A plan that is about a part says nothing of
    what is blocked in the rest."""
    if made and list_targets(place):
        from ..report.news_messages import blocked_message

        blocked = blocked_message(find_source(place), made, is_stopped=is_stopped)
        if blocked or made.limits is None:
            return {"blocked": blocked}
    return {}


def collect_apply_news(
    place: "Workspace", report: "Report", made: "Plan | None", store: "Store"
) -> "News":
    """What an apply has to say, if somebody wants to hear of it; nothing about what somebody did
    not approve."""
    news: News = {}
    if list_targets(place) and not report.declined:
        from ..applying.apply import list_undecided
        from ..report.news_messages import applied_message, unknown_message

        with _warn_if_unread():
            source = find_source(place)
            unknown = unknown_message(source, list_undecided(store, place.platform.routes))
            news = {**collect_plan_news(place, made), "unknownCalls": unknown}
            if applied := applied_message(source, report, made):
                news["applied"] = applied
    return news


def collect_drift_news(place: "Workspace", look: "DriftResult") -> "News":
    """What a look for drift has to say, and which steps for people are overdue, if somebody wants
    to hear of it; a look at a part that finds nothing says nothing of drift."""
    news: News = {}
    if list_targets(place):
        from ..report.news_messages import drift_message, overdue_message

        with _warn_if_unread(), place.store(read_only=True) as store:
            source, steps = find_source(place), store.open_steps()
            days, now = place.project.stepDays, datetime.now(UTC)
            news = {"overdueSteps": overdue_message(source, steps, days, now)}
            if look.findings or look.is_whole:
                news["drift"] = drift_message(source, look)
    return news
