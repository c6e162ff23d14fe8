"""Where texts are kept: the comments of a pull request, and issues with a label of ours."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache

from ..errors import CodeHostFailed
from ..platform.client import OtherHost
from .job import TOKENS, CiJob, Host, repository
from .thread import Entry, Shape, Thread
from .wire import CodeHostWire, headers

_SECONDS = 20.0
NAMES: Mapping[Host, str] = {"github": "GitHub", "gitlab": "GitLab"}
DRIFT = "lmssync-drift"
"""The label of issues about drift."""


@contextmanager
def connect_code_host(job: CiJob, say: Callable[[str], None]) -> Iterator[CodeHostWire]:
    """The code host of a job; raises `CodeHostFailed` where there is no token for it.

    The token goes to no host but the one that the variables of the job name.
    """
    if job.host is None:
        raise CodeHostFailed(
            "no code host runs this: neither GITHUB_REPOSITORY nor CI_API_V4_URL is set"
        )
    if not job.token:
        raise CodeHostFailed(f"there is no token for {NAMES[job.host]}", _TOKEN_HINTS[job.host])
    there = job.site
    if there.is_clear:
        say(f"{there.name} is reached over http, so others can read the token")
    with OtherHost(there.url, headers(job.host, job.token), _SECONDS) as host:
        yield CodeHostWire(NAMES[job.host], host, say)


_TOKEN_HINTS: Mapping[Host, str] = {
    "github": f"set `env: {{{TOKENS['github']}: ${{{{ github.token }}}}}}` at the step",
    "gitlab": f"set {TOKENS['gitlab']} to an access token of the project with the scope `api`",
}


def comments(job: CiJob, wire: CodeHostWire) -> Thread:
    """The comments of the pull request of a job; raises `CodeHostFailed`."""
    where = repository(job)
    if job.host == "github":
        listed, one = f"/repos/{where}/issues/{job.number}/comments", "/issues/comments/{}"
        shape = Shape(listed, f"/repos/{where}{one}", "PATCH", "id", "body", "user")
    else:
        listed = f"/projects/{where}/merge_requests/{job.number}/notes"
        shape = Shape(listed, listed + "/{}", "PUT", "id", "body", "author", _OLDEST, counts=_said)
    return Thread(wire, shape, _is_ours(job, wire))


def issues(job: CiJob, wire: CodeHostWire, title: str, label: str) -> Thread:
    """The open issues of a repository with a label; raises `CodeHostFailed`."""
    where = repository(job)
    if job.host == "github":
        listed = f"/repos/{where}/issues"
        shape = Shape(listed, listed + "/{}", "PATCH", "number", "body", "user")
        query, begin = {"state": "open"}, {"title": title, "labels": [label]}
        close, counts = {"state": "closed"}, _is_issue
    else:
        listed = f"/projects/{where}/issues"
        shape = Shape(listed, listed + "/{}", "PUT", "iid", "description", "author")
        query, begin = {"state": "opened", "scope": "all"}, {"title": title, "labels": label}
        close, counts = {"state_event": "close"}, _is_issue
    query = {**query, "labels": label}
    whole = shape._replace(query=query, begin=begin, close=close, counts=counts)
    return Thread(wire, whole, _is_ours(job, wire))


_OLDEST = {"order_by": "created_at", "sort": "asc"}


def _said(entry: Entry) -> bool:
    """GitLab lists what it notes itself as well: `added 1 commit`."""
    return not entry.get("system")


def _is_issue(entry: Entry) -> bool:
    """GitHub lists pull requests as well."""
    return "pull_request" not in entry


def _is_ours(job: CiJob, wire: CodeHostWire) -> Callable[[Entry], bool]:
    @cache
    def us() -> Entry:
        """Who the token belongs to; nothing where that cannot be asked."""
        try:
            body = wire.ask("GET", "/user").body
        except CodeHostFailed as failed:
            if failed.status == _NOT_FOUND:
                return {"id": None}  # no such question there: the marker has to do
            if job.host == "github" and failed.status in _REFUSED:
                return {}  # the token of a job: what it writes is by a bot
            raise
        return body if isinstance(body, dict) else {}

    def is_ours(author: Entry) -> bool:
        if "id" not in us():
            return bool(author.get("type", "Bot") == "Bot")
        return us()["id"] in {None, author.get("id")}

    return is_ours


_REFUSED, _NOT_FOUND = frozenset({401, 403}), 404
