"""Keeps one text with a marker up to date among the comments of a pull request, or among issues.

Each try begins with a look at what is there. So a text that somebody deletes is written again, and
a write without an answer is not repeated blindly. If two runs have both begun one, the oldest
stays: whoever sees a second one ends it.
"""

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import quote

from ..errors import CodeHostFailed
from .host_requests import CiJob, CodeHostWire, Unsure, repository_of

Entry = Mapping[str, Any]


class Shape(NamedTuple):
    """How a code host names the parts of a comment or an issue."""

    listed: str
    """Path of the list, to which new ones are sent."""
    one: str
    """Path of one, with `{}` for its number."""
    edit: str
    """The method that changes one: PATCH or PUT."""
    number: str
    """The field with its number."""
    text: str
    """The field with its text."""
    author: str
    """The field with who wrote it."""
    query: Mapping[str, str] = {}
    begin: Mapping[str, Any] = {}
    """What a new one has besides its text."""
    close: Mapping[str, Any] | None = None
    """What closes one; None: it is deleted."""
    counts: Callable[[Entry], bool] = lambda _entry: True
    """False for an entry of the list that is something else."""


class Post(NamedTuple):
    """One text, and who wrote it."""

    number: int
    text: str
    author: Entry


class Thread:
    """Reads, writes and changes texts of one shape. Every method raises `CodeHostFailed`."""

    def __init__(self, wire: CodeHostWire, shape: Shape, is_ours: Callable[[Entry], bool]) -> None:
        self._wire, self._shape, self._is_ours = wire, shape, is_ours

    def marked_posts(self, mark: str) -> list[Post]:
        """Ours that begin with a marker, oldest first. Anybody can copy a marker, so the author
        counts as well."""
        marked = [post for post in self._list_posts() if post.text.startswith(mark)]
        ours = [post for post in marked if self._is_ours(post.author)]
        return sorted(ours, key=lambda post: post.number)

    def begin_post(self, text: str) -> None:
        """Raises `Unsure` as well."""
        body = {self._shape.text: text, **self._shape.begin}
        self._wire.ask("POST", self._shape.listed, body=body)

    def change(self, number: int, text: str) -> None:
        """Raises `Unsure` as well."""
        body = {self._shape.text: text}
        self._wire.ask(self._shape.edit, self._shape.one.format(number), body=body)

    def end(self, number: int) -> None:
        """Deletes or closes it. Raises `Unsure` as well."""
        path = self._shape.one.format(number)
        if self._shape.close is None:
            self._wire.ask("DELETE", path)
        else:
            self._wire.ask(self._shape.edit, path, body=dict(self._shape.close))

    def _list_posts(self) -> Iterator[Post]:
        shape = self._shape
        for entry in self._wire.pages(shape.listed, shape.query):
            if shape.counts(entry):
                yield _read_post(entry, shape, self._wire.name)


def _read_post(entry: Entry, shape: Shape, name: str) -> Post:
    number, text, author = (entry.get(f) for f in (shape.number, shape.text, shape.author))
    if not isinstance(number, int):
        raise CodeHostFailed(f"{name} answered {shape.listed} with an entry without a number")
    lines = text.replace("\r\n", "\n") if isinstance(text, str) else ""
    return Post(number, lines, author if isinstance(author, dict) else {})


_TRIES = 4
_GONE = frozenset({404, 410})


class Kept(StrEnum):
    """What has become of a marked post."""

    CREATED = "created"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    ENDED = "ended"
    """It was closed or deleted."""
    NONE = "none"
    """There is none, and none was wanted."""


def spell_marker(what: str, environment: str, folder: str = "", owner: str = "") -> str:
    """The first line of a text, which no reader sees; `folder` is that of the catalog."""
    names = (("environment", environment), ("catalog", folder), ("owner", owner))
    attributes = "".join(f" {name}={quote(value, safe='')}" for name, value in names if value)
    return f"<!-- lmssync:{what}{attributes.replace('--', '%2D%2D')} -->"


def keep_text(thread: Thread, mark: str, text: str | None, *, begin: bool = True) -> Kept:
    """Makes the text the one that is shown; None ends it. Raises `CodeHostFailed`.

    Without `begin` it is changed where it exists, and not begun where it does not.
    """
    for left in reversed(range(_TRIES)):
        try:
            return _try_to_keep(thread, mark, text, begin=begin)
        except Unsure as unsure:
            if not left:
                raise unsure.failed from None
        except CodeHostFailed as failed:
            # What is gone was deleted by somebody between our look and our write.
            if not left or failed.status not in _GONE:
                raise
    raise AssertionError  # the last try returns or raises


def _try_to_keep(thread: Thread, mark: str, text: str | None, *, begin: bool) -> Kept:
    ours = thread.marked_posts(mark)
    if text is None:
        _end_posts(thread, ours)
        return Kept.ENDED if ours else Kept.NONE
    whole = f"{mark}\n{text}"
    if not ours and not begin:
        return Kept.NONE
    done = Kept.UNCHANGED
    if not ours:
        thread.begin_post(whole)
        done, ours = Kept.CREATED, thread.marked_posts(mark)
    _end_posts(thread, ours[1:])
    if ours and ours[0].text.strip() != whole.strip():
        thread.change(ours[0].number, whole)
        return Kept.UPDATED
    return done


def _end_posts(thread: Thread, posts: list[Post]) -> None:
    """Ends them; what another run has ended already is done."""
    for post in posts:
        try:
            thread.end(post.number)
        except CodeHostFailed as failed:
            if failed.status not in _GONE:
                raise


DRIFT, STEPS, NEWS = "lmssync-drift", "lmssync-steps", "lmssync"
"""The labels of issues: about drift, steps for people, and what else a run has found."""


def open_comments(job: CiJob, wire: CodeHostWire) -> Thread:
    """The comments of the pull request of a job; raises `CodeHostFailed`."""
    where = repository_of(job)
    if job.host == "github":
        listed, one = f"/repos/{where}/issues/{job.number}/comments", "/issues/comments/{}"
        shape = Shape(listed, f"/repos/{where}{one}", "PATCH", "id", "body", "user")
    else:
        listed = f"/projects/{where}/merge_requests/{job.number}/notes"
        shape = Shape(listed, listed + "/{}", "PUT", "id", "body", "author")
        oldest_first = {"order_by": "created_at", "sort": "asc"}
        # GitLab lists what it notes itself as well: `added 1 commit`.
        shape = shape._replace(query=oldest_first, counts=lambda entry: not entry.get("system"))
    return Thread(wire, shape, _is_ours(job, wire))


def open_issues(job: CiJob, wire: CodeHostWire, title: str, label: str) -> Thread:
    """The open issues of a repository with a label; raises `CodeHostFailed`."""
    where = repository_of(job)
    if job.host == "github":
        listed = f"/repos/{where}/issues"
        shape = Shape(listed, listed + "/{}", "PATCH", "number", "body", "user")
        query, begin = {"state": "open"}, {"title": title, "labels": [label]}
        close = {"state": "closed"}
    else:
        listed = f"/projects/{where}/issues"
        shape = Shape(listed, listed + "/{}", "PUT", "iid", "description", "author")
        query, begin = {"state": "opened", "scope": "all"}, {"title": title, "labels": label}
        close = {"state_event": "close"}
    query = {**query, "labels": label}
    whole = shape._replace(query=query, begin=begin, close=close)
    # GitHub lists pull requests as well.
    issues = whole._replace(counts=lambda entry: "pull_request" not in entry)
    return Thread(wire, issues, _is_ours(job, wire))


def _is_ours(job: CiJob, wire: CodeHostWire) -> Callable[[Entry], bool]:
    @cache
    def us() -> Entry:
        """Who the token belongs to; nothing where that cannot be asked."""
        try:
            return wire.read_object("/user")
        except CodeHostFailed as failed:
            if failed.status == _NOT_FOUND:
                return {"id": None}  # no such question there: the marker has to do
            if job.host == "github" and failed.status in _REFUSED:
                return {}  # the token of a job: what it writes is by a bot
            raise

    def is_ours(author: Entry) -> bool:
        if "id" not in us():
            return bool(author.get("type", "Bot") == "Bot")
        return us()["id"] in {None, author.get("id")}

    return is_ours


_REFUSED, _NOT_FOUND = frozenset({401, 403}), 404
