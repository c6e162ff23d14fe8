"""CommonMark with tables to HTML: the same text gives the same bytes, every time."""

import re
from bisect import bisect_right

_TABBED = re.compile(rb"^ {0,3}\t[ \t]*(?=>)", re.MULTILINE)
"""The start of a line that is too far in to be one of a quote, and that begins with a tab."""
_AS_IT_IS = ("CodeBlock", "HtmlBlock")


def render(text: str) -> str:
    """`text` as HTML; raw HTML in it is kept, since authors embed players and forms."""
    import pyromark  # a compiled library: only what is sent is rendered

    return pyromark.html(_untabbed(text), options=pyromark.Options.ENABLE_TABLES)


def _untabbed(text: str) -> str:
    r"""The same text, with spaces for tabs where the renderer takes `\t>` for the mark of a quote.

    Four columns in, `>` marks no quote, written with a tab as with spaces (CommonMark 0.31.2,
    2.2 and 5.1). Code and HTML keep their tabs: there they are part of the text.
    """
    if "\t" not in text or not _TABBED.search(raw := text.encode("utf-8", "surrogatepass")):
        return text
    kept = _as_it_is(text)
    starts = [start for start, _ in kept]

    def spaced(found: re.Match[bytes]) -> bytes:
        before = bisect_right(starts, found.start()) - 1
        inside = before >= 0 and found.end() < kept[before][1]
        return found[0] if inside else found[0].expandtabs(4)

    return _TABBED.sub(spaced, raw).decode("utf-8", "surrogatepass")


def _as_it_is(text: str) -> list[tuple[int, int]]:
    """Where code and HTML stand, in bytes; not in quotes, where a line begins with their marks."""
    import pyromark

    found: list[tuple[int, int]] = []
    quotes = 0
    for event, place in pyromark.events_with_range(text, options=pyromark.Options.ENABLE_TABLES):
        start, end = (_name(event, side) for side in ("Start", "End"))
        quotes += (start == "BlockQuote") - (end == "BlockQuote")
        if start in _AS_IT_IS and not quotes:
            found.append((place["start"], place["end"]))
    return found


def _name(event: object, side: str) -> str:
    """`CodeBlock`, of `{"Start": {"CodeBlock": ...}}` or of `{"Start": "CodeBlock"}`."""
    tag = event.get(side, "") if isinstance(event, dict) else ""
    return str(next(iter(tag))) if isinstance(tag, dict) else str(tag)
