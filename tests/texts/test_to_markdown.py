"""HTML as Markdown: what it looks like, and that it always renders to the same HTML."""

import pytest
from hypothesis import given, strategies as st

from lmssync.texts.html_layout import show_same_page
from lmssync.texts.html_to_markdown import html_to_markdown
from lmssync.texts.values import render_markdown

TABLE = """<table><thead><tr><th>a</th><th>b</th></tr></thead>
<tbody><tr><td>1|2</td><td>3</td></tr></tbody></table>"""
READS_WELL = (
    ("<p>Close the <strong>guard</strong>.</p>", "Close the **guard**.\n"),
    ("<h2>One</h2>\n<p>Two.</p>", "## One\n\nTwo.\n"),
    ("<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>", "- a\n  - b\n- c\n"),
    ('<ol start="3"><li><p>a</p></li><li><p>b</p></li></ol>', "3. a\n\n4. b\n"),
    ('<pre><code class="language-py">x = 1\n</code></pre>', "```py\nx = 1\n```\n"),
    ("<blockquote><p>a</p><p>b</p></blockquote>", "> a\n>\n> b\n"),
    ('<p><a href="https://example.com" title="t">x</a></p>', '[x](https://example.com "t")\n'),
    ('<p><img src="a.png" alt="A guard"></p>', "![A guard](a.png)\n"),
    ("<p>1. no list, a_b and *stars*</p>", "1\\. no list, a_b and \\*stars\\*\n"),
    ("<p>H<sub>2</sub>O</p>", "H<sub>2</sub>O\n"),
    (
        TABLE,
        "| a | b |\n| --- | --- |\n| 1\\|2 | 3 |\n",
    ),
)
STAYS_HTML = (
    "loose text",
    '<div class="box">Hi.</div>',
    '<p dir="ltr">Hi.</p>',
    "<p>Hi.</p><script>x()</script>",
    "<p>Hi.<!-- a -- comment --></p>",
    "<p>never closed",
    "<![word[a]]>",
    "<p>a</p>loose<p>b</p>",
)


@pytest.mark.parametrize(("html", "markdown"), READS_WELL)
def test_it_reads_as_a_person_would_write_it(html: str, markdown: str):
    """And rendering it gives the HTML again."""
    assert markdown == html_to_markdown(html)
    assert show_same_page(html, render_markdown(markdown))


@pytest.mark.parametrize("html", STAYS_HTML)
def test_what_markdown_cannot_say_stays_html(html: str):
    """There is no Markdown for it, or nearly all of it would be HTML."""
    assert None is html_to_markdown(html)


def test_a_box_among_paragraphs_stays_html_in_the_markdown():
    """Most of the text is Markdown, so one element may stay as it is."""
    html = '<p>a</p>\n<p>b</p>\n<div class="box">c</div>\n'
    assert 'a\n\nb\n\n<div class="box">c</div>\n' == html_to_markdown(html)


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        (
            '<div class="a"><div><p>b</p></div>\n<p>c</p></div>',
            '<div class="a">\n\n<div>\n\nb\n\n</div>\n\nc\n\n</div>\n',
        ),
        ("<!-- a\n\nb -->\n<p>c<!-- d --></p>", "<!-- a\n\nb -->\n\nc<!-- d -->\n"),
        (
            "<p>a</p><ul><li>b</li><li><p>c</p></li></ul>",
            "a\n\n<ul><li>b</li><li><p>c</p></li></ul>\n",
        ),
        ("<p>a</p><pre><code></code></pre>", "a\n\n```\n```\n"),
    ],
)
def test_what_has_no_mark_stays_html_around_the_markdown(html: str, markdown: str):
    """Boxes and comments keep their tags; a block whose marks would say something else stays."""
    assert markdown == html_to_markdown(html)
    assert show_same_page(html, render_markdown(markdown))


def test_a_comment_whose_end_is_unsure_makes_no_markdown():
    """Versions of Python do not agree with browsers on where it ends."""
    assert [None] * 3 == [
        html_to_markdown(f"<p>a</p><!-- b {end}<p>c</p>") for end in ("-- >", "--!>", "<!-->")
    ]


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ("<p>a  b</p>", "<p>a\nb</p>\n", True),
        ("<p>a</p> <p>b</p>", "<p>a</p><p>b</p>", True),
        ("<p>a <b>b</b></p>", "<p>a<b>b</b></p>", False),
        ("<pre>a  b</pre>", "<pre>a b</pre>", False),
        ("<b>a</b>", "<strong>a</strong>", False),
        ('<a href="x" title="y">a</a>', "<a title='y' href=x>a</a>", True),
        ("<p>a&nbsp;b</p>", "<p>a b</p>", False),
        ("<p>a<br>b</p>", "<p>a<br />\nb</p>", True),
        ("<p>&ldquo;a&rdquo; &#38; b</p>", "<p>“a” &amp; b</p>", True),
        ("<video controls></video>", '<video controls=""></video>', True),
        ('<p style="white-space: pre">a  b</p>', '<p style="white-space: pre">a b</p>', False),
        ("<p>a<!-- b -->", "<p>a<!-- b -->", True),
        ("<p>a <!-- b --> c</p>", "<p>a<!-- b --> c</p>", False),
        ("<p>a</p> <!-- b --><p>c</p>", "<p>a</p><!-- b -->\n<p>c</p>", True),
        ("<![word[a]]>", "<p>a</p>", False),
    ],
)
def test_what_counts_as_the_show_same_page(one: str, other: str, equal: bool):
    """Blanks count where a browser shows them; elements and attributes always do."""
    assert equal is show_same_page(one, other)


TEXT = st.text("ab *_`[]()<>&!#|-+.1\\~=\n\u00a0é", max_size=12).map(
    lambda text: text.replace("&", "&amp;").replace("<", "&lt;")
)
INLINE = st.recursive(
    TEXT,
    lambda inner: (
        st.builds(
            "<{0}>{1}</{0}>".format, st.sampled_from(["em", "strong", "code", "b", "sub"]), inner
        )
        | st.builds('<a href="{}">{}</a>'.format, st.sampled_from(["x", "a b", "(", "#y"]), inner)
        | st.builds("{}{}".format, inner, inner)
    ),
    max_leaves=5,
)
BLOCK = st.recursive(
    st.builds("<{0}>{1}</{0}>".format, st.sampled_from(["p", "h2", "p", "pre"]), INLINE),
    lambda inner: (
        st.builds("<blockquote>{}</blockquote>".format, inner)
        | st.builds("<{0}><li>{1}</li><li>{2}</li></{0}>".format, st.just("ul"), INLINE, inner)
        | st.builds("{}\n{}".format, inner, inner)
    ),
    max_leaves=5,
)


@given(BLOCK)
def test_any_markdown_renders_to_its_html(html: str):
    """Whatever the HTML is, what comes of it is proven."""
    markdown = html_to_markdown(html)
    assert markdown is None or show_same_page(html, render_markdown(markdown))


def test_code_with_line_ends_of_windows_is_code():
    """A browser makes one kind of all ends of lines, also where blanks count."""
    html = "<p>Run:</p>\r\n<pre><code>one\r\ntwo\r\n</code></pre>\r\n"
    assert html_to_markdown(html) == "Run:\n\n```\none\ntwo\n```\n"
