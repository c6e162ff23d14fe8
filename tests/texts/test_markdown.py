"""Markdown to HTML."""

from pathlib import Path

import pytest

from lmssync.texts.values.markdown_text import render_markdown

CATALOG = Path(__file__).parents[2] / "examples" / "catalog"


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("", ""),
        ("# A", "<h1>A</h1>\n"),
        ("a\nb", "<p>a\nb</p>\n"),
        ("*a* **b**", "<p><em>a</em> <strong>b</strong></p>\n"),
        ("- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n"),
        ("a & b < c", "<p>a &amp; b &lt; c</p>\n"),
        ("[a](https://x)", '<p><a href="https://x">a</a></p>\n'),
        ("<iframe src='x'></iframe>", "<iframe src='x'></iframe>"),
        (
            "| a |\n|---|\n| b |",
            (
                "<table><thead><tr><th>a</th></tr></thead><tbody>\n"
                "<tr><td>b</td></tr>\n</tbody></table>\n"
            ),
        ),
        ('"a" -- b...', '<p>"a" -- b...</p>\n'),
    ],
)
def test_markdown_becomes_html(text: str, html: str):
    """CommonMark with tables; raw HTML is kept and nothing is made pretty."""
    assert html == render_markdown(text)


@pytest.mark.parametrize("file", sorted(CATALOG.rglob("*.md")), ids=lambda file: file.stem)
def test_rendering_twice_gives_the_same_bytes(file: Path):
    """A body that has not changed is never sent as changed."""
    text = file.read_text("utf-8")
    assert render_markdown(text).encode() == render_markdown(text).encode()


def within(mark: str, depth: int) -> str:
    """A text inside so many quotes or lists."""
    return mark * depth + "deep"


@pytest.mark.parametrize(
    ("text", "html"),
    [
        pytest.param(
            "> ```\n    > a\n",
            "<blockquote>\n<pre><code></code></pre>\n</blockquote>\n"
            "<pre><code>&gt; a\n</code></pre>\n",
            id="a quote ends at a mark four columns in, and code is no paragraph to go on with",
        ),
        pytest.param(
            "> a\n    > b\n",
            "<blockquote>\n<p>a\n&gt; b</p>\n</blockquote>\n",
            id="in a paragraph, such a mark is text",
        ),
        pytest.param(
            "- a |\n---\n",
            "<ul>\n<li>a |</li>\n</ul>\n<hr />\n",
            id="the mark of a list is no cell of a table",
        ),
        pytest.param(
            "> [a]: /u\n[a]\n",
            '<blockquote>\n<p><a href="/u">a</a></p>\n</blockquote>\n',
            id="a line after the definition of a link goes on with its quote",
        ),
        pytest.param(
            "|a\u202f|\n|-|\n",
            "<table><thead><tr><th>a\u202f</th></tr></thead><tbody>\n</tbody></table>\n",
            id="a narrow blank that never breaks is part of its cell",
        ),
    ],
)
def test_what_other_renderers_read_otherwise(text: str, html: str):
    """CommonMark's reference implementation, or GitHub's where there is a table, reads it so."""
    assert html == render_markdown(text)


@pytest.mark.parametrize("mark", ["> ", "- ", "1. "])
def test_nothing_is_too_deep_to_be_rendered(mark: str):
    """Some renderers leave out what stands in more than twenty quotes or lists."""
    assert "deep" in render_markdown(within(mark, 60))


@pytest.mark.parametrize(
    ("tabbed", "spaced"),
    [
        ("> a\n\t> b\n", "> a\n    > b\n"),
        ("> ```\n\t> b\n", "> ```\n    > b\n"),
        ("- > a\n\t\t> b\n", "- > a\n        > b\n"),
        ("- a\n\n\t> b\n", "- a\n\n    > b\n"),
    ],
)
def test_a_tab_is_as_wide_before_the_mark_of_a_quote_as_anywhere(tabbed: str, spaced: str):
    """It goes to the next fourth column, where `>` may be too far in to mark a quote."""
    assert render_markdown(spaced) == render_markdown(tabbed)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("é\n\n```\n\t> a\n```\n\n> b\n\t> c\n", "<code>\t&gt; a\n</code>"),
        ("<pre>\n\t> a\n</pre>\n", "<pre>\n\t> a\n</pre>"),
        ("\t\ta\n\t\t> b\n", "<code>\ta\n\t&gt; b\n</code>"),
    ],
)
def test_tabs_in_code_and_html_stay(text: str, kept: str):
    """There they are part of what learners copy."""
    assert kept in render_markdown(text)
