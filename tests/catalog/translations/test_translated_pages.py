"""Where the passages of a body are."""

import pytest

from lmssync.catalog.translations.translated_pages import split_body

MARKDOWN = """\
# Ärger

Two lines
of one paragraph.

1. First
2. Second
   - with a list

   and a paragraph

> A quote

| a | b |
|---|---|
| c | d |

```py
x

y
```

<div>HTML</div>
"""


def pieces(text: str, *, is_markdown: bool) -> list[str]:
    return [text[one.start : one.end] for one in split_body(text, is_markdown=is_markdown)]


def test_blocks_of_markdown():
    """Headings, paragraphs, items, quotes, tables, code and HTML are passages."""
    assert [
        "# Ärger",
        "Two lines\nof one paragraph.",
        "1. First",
        "2. Second\n   - with a list\n\n   and a paragraph",
        "> A quote",
        "| a | b |\n|---|---|\n| c | d |",
        "```py\nx\n\ny\n```",
        "<div>HTML</div>",
    ] == pieces(MARKDOWN, is_markdown=True)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>One <b>two</b></p><p>Three</p>", ["<p>One <b>two</b></p>", "<p>Three</p>"]),
        (
            "<ul><li>a</li>\n<li>b<ul><li>c</li></ul></li></ul>",
            ["<li>a</li>", "<li>b<ul><li>c</li></ul></li>"],
        ),
        ("<div><h2>A</h2> loose <i>text</i></div>", ["<h2>A</h2>", "loose <i>text</i>"]),
        ("a<br>b<hr>c", ["a<br>b", "c"]),
        ("no tags", ["no tags"]),
        ("<p>open<p>ends", ["<p>open<p>ends"]),
        ("", []),
    ],
)
def test_blocks_of_html(html: str, expected: list[str]):
    """Elements that hold text are passages; lists and divisions are around them."""
    assert expected == pieces(html, is_markdown=False)
