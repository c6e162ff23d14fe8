"""Topics for links and files. A video on a site is shown in the player of that site: the platform
fetches files, not pages."""

import posixpath
import re
from html import escape

from ...vocabulary.enums import TopicType
from .outline import Body, ContentRef, Topic

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
PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp")
_VIDEOS = (".mp4", ".webm", ".mov", ".m4v")


def make_player(address: str, title: str) -> str:
    """The HTML that shows such a video; empty if the address is of another kind."""
    for pattern, template in _PLAYERS:
        if match := pattern.match(address.strip()):
            source = escape(template.format(match[1]))
            return f'<iframe title="{escape(title)}" src="{source}" allowfullscreen></iframe>\n'
    return ""


def link_topic(url: str, title: str, place: str) -> Topic:
    """A page that leads elsewhere; a video of a site with a player is shown in that."""
    if embedded := make_player(url, title):
        return Topic(title, TopicType.EMBED, place, body=Body(embedded, place))
    return Topic(title, TopicType.TEXT, place, body=Body(make_link_paragraph(url, title), place))


def file_topic(file: ContentRef, title: str, place: str) -> Topic:
    """A file: shown where the platform can show it, else linked."""
    ending = posixpath.splitext(file.target)[1].lower()
    if ending == ".pdf":
        return Topic(title, TopicType.PDF_VIEWER, place, address=file)
    if ending in _VIDEOS:
        return Topic(title, TopicType.VIDEO, place, address=file)
    html = make_link_paragraph(file.target, title)
    if ending in PICTURES:
        html = f'<p><img src="{escape(file.target)}" alt="{escape(title)}"></p>\n'
    return Topic(title, TopicType.TEXT, place, body=Body(html, place, file.base))


def make_link_paragraph(address: str, text: str) -> str:
    """A paragraph with nothing but a link."""
    return f'<p><a href="{escape(address)}">{escape(text, quote=False)}</a></p>\n'
