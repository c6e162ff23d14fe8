"""Addresses in texts: which are found, and what stands in their place."""

import pytest

from lmssync.sync.importers.course_assets import replace_addresses
from lmssync.sync.importers.course_outline import Body, make_player


def hosted(text: str, *, markdown: bool) -> str:
    """The text with every relative address led elsewhere."""

    def to_host(address: str) -> str:
        return address if ":" in address else f"https://m.example.com/{address}"

    return replace_addresses(Body(text, "a.md", markdown=markdown), to_host).text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("![a](x.png)", "![a](https://m.example.com/x.png)"),
        ('[a](<b c.md> "t")', '[a](<https://m.example.com/b c.md> "t")'),
        ("[a][b]\n\n[b]: c.png\n", "[a][b]\n\n[b]: https://m.example.com/c.png\n"),
        (
            "[![a](x.png)](y.pdf)",
            "[![a](https://m.example.com/x.png)](https://m.example.com/y.pdf)",
        ),
        ('<img alt="" src="x.png">', '<img alt="" src="https://m.example.com/x.png">'),
        ("`![a](x.png)` <https://e.org>", "`![a](x.png)` <https://e.org>"),
        ('```\n<img src="x.png">\n```\n', '```\n<img src="x.png">\n```\n'),
    ],
)
def test_addresses_in_markdown(before: str, after: str):
    """Links, pictures, definitions and tags; nothing in code."""
    assert after == hosted(before, markdown=True)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<a title='>' href='x'>", "<a title='>' href=\"https://m.example.com/x\">"),
        ("<img src=x.png>", '<img src="https://m.example.com/x.png">'),
        ('<a href="?a=1&amp;b=2">', '<a href="https://m.example.com/?a=1&amp;b=2">'),
        ('<p class="src=x">src="x"</p>', '<p class="src=x">src="x"</p>'),
        (
            '<video poster="p.png" src="v.mp4">',
            '<video poster="https://m.example.com/p.png" src="https://m.example.com/v.mp4">',
        ),
    ],
)
def test_addresses_in_html(before: str, after: str):
    """However the attribute is quoted; the rest of the text stays letter by letter."""
    assert after == hosted(before, markdown=False)


@pytest.mark.parametrize(
    ("address", "source"),
    [
        ("https://www.youtube.com/watch?v=dQw4w9WgXcQ", "youtube.com/embed/dQw4w9WgXcQ"),
        ("https://www.youtube.com/watch?list=a&v=dQw4w9WgXcQ", "youtube.com/embed/dQw4w9WgXcQ"),
        ("https://youtu.be/dQw4w9WgXcQ?t=3", "youtube.com/embed/dQw4w9WgXcQ"),
        ("https://vimeo.com/123456", "player.vimeo.com/video/123456"),
        ("https://media.example.com/a.mp4", ""),
    ],
)
def test_videos_on_sites_with_a_player(address: str, source: str):
    """They are embedded: the platform fetches files, not pages."""
    shown = make_player(address, "T")
    assert f'src="https://{source}"' in shown.replace("www.", "") if source else "" == shown
