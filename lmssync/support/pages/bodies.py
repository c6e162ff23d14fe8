"""Bodies of authors as HTML that connects to nothing, runs nothing and leads nowhere.

A policy of a page does not keep a browser from everything: it opens a connection for a
`<link rel="preconnect">` and for the address of a frame before it refuses to load anything. So only
elements and attributes stay that are listed here, or in the library as those of plain texts.
"""

import re
from html import escape

from ...vocabulary.markup import measure_markup

_ATTRIBUTES = {
    "*": {"align", "class", "dir", "lang", "title"},
    "audio": {"controls"},
    "img": {"alt", "height", "src", "width"},
    "ol": {"start", "type"},
    "table": {"border"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
    "video": {"controls", "height", "width"},
}
"""None of them has an address but that of a picture, of which only one in the text itself stays."""
_STYLES = {
    *("background-color", "border", "border-collapse", "border-color", "border-radius"),
    *("border-style", "border-width", "clear", "color", "display", "float", "font-family"),
    *("font-size", "font-style", "font-weight", "height", "line-height", "margin"),
    *("margin-bottom", "margin-left", "margin-right", "margin-top", "max-width", "min-width"),
    *("padding", "padding-bottom", "padding-left", "padding-right", "padding-top", "text-align"),
    *("text-decoration", "text-indent", "text-transform", "vertical-align", "white-space", "width"),
}
"""Properties of elements that take no address."""
_FUNCTION = re.compile(r"(?<!rgb)(?<!rgba)(?<!hsl)(?<!hsla)(?<!calc)\(|\\")
"""A function in a style that is none of these, or a character written in another way."""
_EMPTY_BOXES = {"audio", "video"}
"""What is there to learners and loaded from elsewhere: a box of its size stands in its place."""
_FRAME = re.compile(r"<(/?)iframe\b", re.IGNORECASE)
"""A frame becomes a video, a box as well, whose inside is sanitised as everything else is."""
_PICTURE = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+")
_PARSED_MOST = 1_000_000
"""Characters of a body that are parsed."""


def sanitise_body(html: str, *, keeps_styles: bool = True) -> str:
    """Return a body as learners read it, without what a browser would connect to, follow or run.

    A body that is too large to be parsed is returned as text. `keeps_styles` keeps `style` of
    elements, for pages whose policy lets those count.
    """
    import nh3  # a compiled library that few runs need

    if len(html) > _PARSED_MOST or measure_markup(html).excess:
        return f"<pre>{escape(html)}</pre>"
    attributes = {tag: set(names) for tag, names in _ATTRIBUTES.items()}
    attributes["*"] |= {"style"} if keeps_styles else set()
    return nh3.clean(
        _FRAME.sub(r"<\1video", html),
        tags=nh3.ALLOWED_TAGS | _EMPTY_BOXES,
        attributes=attributes,
        attribute_filter=_keep_attribute,
        filter_style_properties=_STYLES,
        url_schemes={"data"},
        link_rel=None,
    )


def _keep_attribute(_tag: str, name: str, value: str) -> str | None:
    """A picture only if it is in the text itself: the others show their description."""
    if name == "style":
        return None if _FUNCTION.search(value) else value
    return None if name == "src" and not _PICTURE.fullmatch(value) else value
