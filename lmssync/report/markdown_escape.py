"""Foreign texts in Markdown that a code host renders: they are read, and do nothing.

A host turns more into links than Markdown does: `@name` calls somebody, `#1` names an issue, a bare
address is a link. A character without width, after what begins such a word, prevents that.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence

from ..support.invisible_characters import escape_invisible

_NOTHING = "&#8203;"
"""ZERO WIDTH SPACE: ends a word for a code host, and cannot be seen."""
_ACTIVE = re.compile(r"[\\`*_\[\]<>|~&$]")
"""What Markdown, HTML or a code host takes for more than a character, wherever it stands."""
_CALLS = re.compile(r"([@#!$~%&^:])(?=\S)")
"""Begins a name of a person, an issue, a label or a picture, or follows the scheme of a URL."""
_ADDRESS = re.compile(r"\bwww(?=\.)", re.IGNORECASE)
_ISSUE = re.compile(r"\b([A-Za-z]{2,10}-)(?=\d)")
"""`GH-12`, and what else a host may be told to take for an issue."""
_COMMIT = re.compile(r"\b(?=[a-f]*\d)[0-9a-f](?=[0-9a-f]{6,39}\b)")
_QUOTED = re.compile("&#96;((?:(?!&#96;).)+)&#96;")
"""What is between two backticks, once the text is escaped."""
_MARK = "\ue000"
"""Stands for `_NOTHING` while the text is made; `visible` leaves it, so it is taken out first."""
_FENCE = re.compile(r"`{3,}")


def escape_text(foreign: str) -> str:
    """A foreign text on one line that people read as it is, in Markdown, in a cell and in HTML."""
    line = _ISSUE.sub(rf"\1{_MARK}", _plain(foreign))
    return _spell_line(_COMMIT.sub(rf"\g<0>{_MARK}", line))


def shorten_escaped(foreign: str, most: int) -> str:
    """Return the escaped text, or as much of it as `most` characters hold and how much is left."""
    whole = escape_message(foreign)
    if len(whole) <= most:
        return whole
    fits = (
        bisect_right(range(most), most, key=lambda length: len(escape_text(foreign[:length]))) - 1
    )
    return f"{escape_message(foreign[:fits])}… ({len(foreign) - fits:,} more characters)"


def escape_message(foreign: str) -> str:
    """A message that people read as it is; what is between two of its backticks is code."""
    return _QUOTED.sub(r"<code>\1</code>", escape_text(foreign))


def escape_code(foreign: str) -> str:
    """A foreign text as code; not between backticks, which a text could close or leave.

    In code a host looks for addresses alone, so that an id can be copied as it is.
    """
    return f"<code>{_spell_line(_plain(foreign))}</code>"


def _plain(foreign: str) -> str:
    line = escape_invisible(foreign.replace(_MARK, "\ufffd"))
    return _ADDRESS.sub(rf"\g<0>{_MARK}", _CALLS.sub(rf"\1{_MARK}", line))


def _spell_line(line: str) -> str:
    entities = _ACTIVE.sub(lambda match: f"&#{ord(match[0])};", line)
    return entities.replace(_MARK, _NOTHING)


def fence_lines(lines: Sequence[str], language: str = "") -> list[str]:
    """Lines as they are, each of them `visible` already, between fences that none of them ends."""
    longest = max((len(run) for line in lines for run in _FENCE.findall(line)), default=2)
    marks = "`" * (longest + 1)
    return [f"{marks}{language}", *lines, marks]
