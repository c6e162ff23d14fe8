"""Bodies of authors as HTML that loads nothing, runs nothing and leads nowhere."""

import re
from collections.abc import Mapping, Set
from html import escape

from ...texts import render_markdown
from ...vocabulary.markup import measure_markup

_ATTRIBUTES: Mapping[str, Set[str]] = {
    "a": {"title"},
    "img": {"alt", "src", "title"},
    "ol": {"start"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
}
_PICTURE = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+")
_PARSED_MOST = 1_000_000
"""Characters of a body that are parsed."""


def sanitised(text: str, *, is_markdown: bool) -> str:
    """A body as learners read it, without what a browser would fetch, follow or run.

    One that is too large to be parsed stands there as it was written.
    """
    import nh3  # a compiled library that few runs need

    html = render_markdown(text) if is_markdown else text
    if len(html) > _PARSED_MOST or measure_markup(html).excess:
        return f"<pre>{escape(text)}</pre>"
    return nh3.clean(
        html,
        attributes={tag: set(names) for tag, names in _ATTRIBUTES.items()},
        attribute_filter=_kept,
        url_schemes={"data"},
        link_rel=None,
    )


def _kept(_tag: str, name: str, value: str) -> str | None:
    """A picture only if it is in the text itself: the others show their description."""
    return None if name == "src" and not _PICTURE.fullmatch(value) else value
