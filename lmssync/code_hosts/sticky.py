"""Keeps one text with a marker up to date, whatever other runs and people do meanwhile.

Each try begins with a look at what is there. So a text that somebody deletes is written again, and
a write without an answer is not repeated blindly. If two runs have both begun one, the oldest
stays: whoever sees a second one ends it.
"""

from enum import StrEnum
from urllib.parse import quote

from ..errors import CodeHostFailed
from .thread import Post, Thread
from .wire import Unsure

_TRIES = 4
_GONE = frozenset({404, 410})


class Kept(StrEnum):
    """What was done about a text."""

    CREATED = "created"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    ENDED = "ended"
    """It was closed or deleted."""
    NONE = "none"
    """There is none, and none was wanted."""


def marker(what: str, environment: str, folder: str = "") -> str:
    """The first line of a text, which no reader sees; `folder` is that of the catalog."""
    names = (("environment", environment), ("catalog", folder))
    told = "".join(f" {name}={quote(value, safe='')}" for name, value in names if value)
    return f"<!-- lmssync:{what}{told.replace('--', '%2D%2D')} -->"


def keep(thread: Thread, mark: str, text: str | None, *, begin: bool = True) -> Kept:
    """Makes the text the one that is shown; None ends it. Raises `CodeHostFailed`.

    Without `begin` it is changed where it exists, and not begun where it does not.
    """
    for left in reversed(range(_TRIES)):
        try:
            return _kept(thread, mark, text, begin=begin)
        except Unsure as unsure:
            if not left:
                raise unsure.failed from None
        except CodeHostFailed as failed:
            if not left or failed.status not in _GONE:
                raise
    raise AssertionError


def _kept(thread: Thread, mark: str, text: str | None, *, begin: bool) -> Kept:
    ours = thread.marked_posts(mark)
    if text is None:
        _end(thread, ours)
        return Kept.ENDED if ours else Kept.NONE
    whole = f"{mark}\n{text}"
    if not ours and not begin:
        return Kept.NONE
    done = Kept.UNCHANGED
    if not ours:
        thread.begin(whole)
        done, ours = Kept.CREATED, thread.marked_posts(mark)
    _end(thread, ours[1:])
    if ours and ours[0].text.strip() != whole.strip():
        thread.change(ours[0].number, whole)
        return Kept.UPDATED
    return done


def _end(thread: Thread, posts: list[Post]) -> None:
    """Ends them; what another run has ended already is done."""
    for post in posts:
        try:
            thread.end(post.number)
        except CodeHostFailed as failed:
            if failed.status not in _GONE:
                raise
