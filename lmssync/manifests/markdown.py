"""CommonMark with tables to HTML: the same text gives the same bytes, every time."""

from functools import cache
from typing import Any


@cache
def _renderer() -> Any:
    from cmarkgfm import cmark  # a compiled library: only what is sent is rendered

    return cmark


def render(text: str) -> str:
    """`text` as HTML; raw HTML in it is kept, since authors embed players and forms."""
    cmark = _renderer()
    html: str = cmark.markdown_to_html_with_extensions(
        text, options=cmark.Options.CMARK_OPT_UNSAFE, extensions=["table"]
    )
    return html
