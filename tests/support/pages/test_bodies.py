"""Bodies of authors on a page: what is left of them."""

from html.parser import HTMLParser

import pytest
from hypothesis import given, strategies as st

from lmssync.support.pages import sanitise_body
from lmssync.texts.values import render_markdown

from .vectors import VECTORS

PIECES = st.sampled_from(
    [
        *VECTORS,
        *("<svg>", "</svg>", "<math>", "<mtext>", "<iframe>", "</iframe>", "<video>", "</video>"),
        *("<table>", "<td>", "<!--", "-->", "<title>", "</title>", "<p", ' title="', "'>", "<a"),
    ]
)
QUIET = {"a", "audio", "b", "blockquote", "img", "li", "p", "q", "video"}
QUIET |= {"table", "tbody", "td", "tr"}


class Elements(HTMLParser):
    """The elements of a text, and their attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.addresses: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        named = [value or "" for name, value in attrs if name not in {"title", "alt"}]
        self.addresses += [value for value in named if "127.0.0.1" in value]


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ("<p onclick=x()>a<script>b</script></p>", "<p>a</p>"),
        ('<a href="https://x.example">a</a>', "<a>a</a>"),
        ('<img src="https://x.example/a.png" alt="A ladder">', '<img alt="A ladder">'),
        (
            '<iframe src="//x.example" width="9"></iframe><b>c</b>',
            '<video width="9"></video><b>c</b>',
        ),
        ('<video src="//x.example" controls>a</video>', '<video controls="">a</video>'),
        ('<img src="data:image/svg+xml,x">', "<img>"),
        ('<img src="data:image/png;base64,AAAA">', '<img src="data:image/png;base64,AAAA">'),
        ('<form action="//x.example"><input>d</form>', "d"),
        ('<p style="color:red;position:fixed">a</p>', '<p style="color:red">a</p>'),
        ('<p style="color:red;width:url(//x.example)">a</p>', "<p>a</p>"),
    ],
)
def test_bodies_load_run_and_lead_nowhere(body: str, shown: str):
    """Of a body, what a browser would connect to, follow or run is left out."""
    assert shown == sanitise_body(body)


def test_a_report_keeps_no_styles_of_elements():
    assert "<p>a</p>" == sanitise_body('<p style="color:red">a</p>', keeps_styles=False)


@pytest.mark.parametrize("body", VECTORS)
def test_only_listed_elements_are_left(body: str):
    """Whatever a body is made of, no element of it names an address."""
    left = Elements(sanitise_body(body))
    assert left.tags <= QUIET
    assert [] == left.addresses


@given(st.lists(PIECES, max_size=6))
def test_no_mixture_leaves_an_address(pieces: list[str]):
    """Sanitised once or twice, a text has no other elements than before, and no address."""
    once = sanitise_body("".join(pieces))
    left, again = Elements(once), Elements(sanitise_body(once))
    assert [] == left.addresses
    assert not {"link", "meta", "base", "script", "style", "object", "embed"} & left.tags
    assert again.tags <= left.tags


@pytest.mark.parametrize("html", [render_markdown(">" * 40_000), "<p><b></p>" * 4_000])
def test_a_body_too_large_for_a_parser_is_shown_as_it_is_written(html: str):
    """No tree is built of what would grow, or nest without end."""
    assert sanitise_body(html).startswith("<pre>&")
