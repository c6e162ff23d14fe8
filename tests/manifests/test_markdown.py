"""Markdown to HTML."""

from pathlib import Path

import pytest

from lmssync.manifests.markdown import render

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
    assert html == render(text)


@pytest.mark.parametrize("file", sorted(CATALOG.rglob("*.md")), ids=lambda file: file.stem)
def test_rendering_twice_gives_the_same_bytes(file: Path):
    """A body that has not changed is never sent as changed."""
    text = file.read_text("utf-8")
    assert render(text).encode() == render(text).encode()
