"""Videos on sites with a player of their own: the platform fetches files, not their pages."""

import re
from html import escape

from ..vocabulary.enums import TopicType
from .outline import Body, Topic

_PLAYERS = (
    (
        re.compile(
            r"https?://(?:www\.|m\.)?(?:youtube(?:-nocookie)?\.com/(?:watch\?(?:.*&)?v=|embed/|v/)"
            r"|youtu\.be/)([\w-]{6,20})"
        ),
        "https://www.youtube.com/embed/{}",
    ),
    (
        re.compile(r"https?://(?:www\.|player\.)?vimeo\.com/(?:video/)?(\d+)"),
        "https://player.vimeo.com/video/{}",
    ),
)


def player(address: str, title: str) -> str:
    """The HTML that shows such a video; empty if the address is of another kind."""
    for pattern, template in _PLAYERS:
        if match := pattern.match(address.strip()):
            source = escape(template.format(match[1]))
            return f'<iframe title="{escape(title)}" src="{source}" allowfullscreen></iframe>\n'
    return ""


def link_topic(url: str, title: str, place: str) -> Topic:
    """A page that leads elsewhere; a video of a site with a player is shown in that."""
    if embedded := player(url, title):
        return Topic(title, TopicType.EMBED, place, body=Body(embedded, place))
    html = f'<p><a href="{escape(url)}">{escape(title, quote=False)}</a></p>\n'
    return Topic(title, TopicType.TEXT, place, body=Body(html, place))
