"""CommonMark with tables to HTML: the same text gives the same bytes, every time."""

import pyromark


def render(text: str) -> str:
    """`text` as HTML; raw HTML in it is kept, since authors embed players and forms."""
    return pyromark.html(text, options=pyromark.Options.ENABLE_TABLES)
