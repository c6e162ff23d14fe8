"""Markup of bodies: what is told, and what is left alone."""

import pytest
from hypothesis import given, strategies as st

from lmssync.problems import Severity
from lmssync.texts.values import body_markup
from lmssync.texts.values.html_elements import REMEDY
from lmssync.texts.values.markdown_text import parse_markdown


def html(text: str) -> list[str]:
    return sorted(finding.code for finding in body_markup.check_html(("body",), text))


def markdown(text: str) -> list[str]:
    return sorted(finding.code for finding in body_markup.check_markdown(("markdown",), text))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "plain",
        "<p>one</p>\n<p>two</p>",
        "<p>one<p>two",
        "<ul><li>a<li>b</ul>",
        "<table><tr><td>a<td>b<tr><td>c</table>",
        "<br><hr/><img src='https://a.example/a.png' alt=''>",
        "<P CLASS=x>A</p>",
        "1 < 2, 3 > 2, <3, a<",
        "<!-- <b> <script> -->",
        "<a href='https://a.example'>a</a>",
        "<a href='http://a.example'>a</a>",
        "<a href='mailto:a@a.example'>a</a>",
        "<a href='/learn'>a</a>",
        "<a href='#top'>a</a>",
        "<a name='top'></a>",
        "<a href='{{ link }}'>a</a>",
        "<a href='//a.example'>a</a>",
        "<a href='https://a.example' aria-label='a'></a>",
        "<a href='https://a.example'><img src='https://a.example/a.png' alt='a'></a>",
        "<img src='data:image/png;base64,xx' alt='a'>",
        "<iframe title='a' src='https://a.example'></iframe>",
        "<my-player on='x'></my-player>",
        "<svg viewBox='0 0 1 1'><path d='M0 0'/><g><circle/></g></svg>",
        "<style>a > b {}</style>",
        "<textarea><b></textarea>",
        "<p title='a > b'>a</p>",
        "<details><summary>a</summary>b</details>",
        "</your>",
    ],
)
def test_html_without_a_doubt(text: str):
    """What browsers understand needs no word, however it is written."""
    assert [] == html(text)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("<script>alert(1)</script>", ["html-script"]),
        ("<SCRIPT SRC=//x></SCRIPT>", ["html-script"]),
        ("<p onclick='x'>a</p>", ["html-handler"]),
        ("<svg/onload=x></svg>", ["html-handler"]),
        ("<img src='https://a.example/a' alt='' OnError=x>", ["html-handler"]),
        ("<a href='javascript:x'>a</a>", ["html-link-runs"]),
        ("<a href=' JAVA\tscript:x'>a</a>", ["html-link-runs"]),
        ("<a href='jav&#x61;script:x'>a</a>", ["html-link-runs"]),
        ("<a href='vbscript:x'>a</a>", ["html-link-runs"]),
        ("<a href='data:text/html,x'>a</a>", ["html-link-runs"]),
        ("<iframe title='a' src='data:text/html,x'></iframe>", ["html-link-runs"]),
        ("<form action='javascript:x'></form>", ["html-link-runs"]),
        ("<object></object>", ["html-plugin"]),
        ("<embed>", ["html-plugin"]),
        ("<applet></applet>", ["html-plugin"]),
        ("<img src='http://a.example/a' alt='a'>", ["html-insecure"]),
        ("<video src='http://a.example/a'></video>", ["html-insecure"]),
        ("<iframe src='https://a.example'></iframe>", ["html-frame-title"]),
        ("<iframe title=' ' src='https://a.example'></iframe>", ["html-frame-title"]),
        ("<img src='https://a.example/a.png'>", ["html-image-alt"]),
        ("<b>a", ["html-unbalanced"]),
        ("a</b>", ["html-unbalanced"]),
        ("<b><i>a</b></i>", ["html-unbalanced"]),
        ("<div/>a", ["html-unbalanced"]),
        ("<div>", ["html-unbalanced"]),
        ("<svg><g></svg><b>", ["html-unbalanced"]),
        ("<!-- open", ["html-unbalanced"]),
        ('<a href="x>y</a>', ["html-unbalanced"]),
        ("<p", ["html-unbalanced"]),
        ("type <your name> here", ["html-unknown"]),
        ("<a href=''>a</a>", ["empty-link"]),
        ("<a href='#'>a</a>", ["empty-link"]),
        ("<a href='https://a.example'> </a>", ["empty-link"]),
        ("<a href='../a.md'>a</a>", ["relative-link"]),
        ("<img src='images/a.png' alt='a'>", ["relative-link"]),
        ("<a href='www.example.com'>a</a>", ["relative-link"]),
        ("<a href='file:///a'>a</a>", ["relative-link"]),
        ("<a href='C:\\a'>a</a>", ["relative-link"]),
    ],
)
def test_html_with_a_doubt(text: str, codes: list[str]):
    """Each thing has a rule of its own, so that a team may grade it."""
    assert codes == html(text)


@pytest.mark.parametrize(
    "text",
    [
        "plain **bold** [1] and a - b",
        "[a](https://a.example) and ![a](https://a.example/a.png)",
        "[![a](https://a.example/a.png)](https://a.example)",
        "[a](#top) [b](/learn) [c](<https://a.example/a b>)",
        "[a]: https://a.example\n",
        "<https://a.example> and <a@a.example>",
        "`<script>` and ``[a](b.md) ` <b>``",
        "```html\n<script>\n[a](b.md)\n```\n",
        "~~~\n<b>\n~~~\ntext",
        "```\n<b> to the end",
        "text\n\n    <b>\n    [a](b.md)\n\ntext",
        "\\<b> and \\[a](b.md)",
        "<div>\n\n**a**\n\n</div>",
        "---\n\ntext\n\n---\n",
        "a\n---\nb: c\n---\n",
        "- a\n\n      [b](c.md) <b>\n",
        "<!-- [a](b.md)\n[c]: d.md -->",
        "<div>\n[a](b.md)\n</div>",
        '[a](https://a.example "as in [b](c.md)")',
        "[a\\](b.md)",
        "[a](b c.md)",
        "a\n[b]: c.md",
        "![a][b]\n\n[b]: data:image/png;base64,xx",
        "<a href='https://a.example'>`a`</a>",
        "**<your_name>**",
    ],
)
def test_markdown_without_a_doubt(text: str):
    """Code holds neither tags nor links, and what only looks like a link is text."""
    assert [] == markdown(text)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("[a](../b.md)", ["relative-link"]),
        ("![](images/a.png)", ["relative-link"]),
        ("[a](<b c.md>)", ["relative-link"]),
        ("[a]: b.md", ["relative-link"]),
        ("[a](C:\\a.png)", ["relative-link"]),
        ("[a]()", ["empty-link"]),
        ("[a](javascript:x)", ["html-link-runs"]),
        ("![a](http://a.example/a.png)", ["html-insecure"]),
        ("<script>x</script>", ["html-script"]),
        ("- item\n\n    <b>of the item\n", ["html-unbalanced"]),
        ("`open <b> and [a](b.md)", ["html-unbalanced", "relative-link"]),
        ("press <Enter>", ["html-unknown"]),
        ("- a\n\n  [b]: c.md\n", ["relative-link"]),
        ("```\r\na\r\n```\r\n[a](b.md)", ["relative-link"]),
        ("<div>\n`<b>`\n</div>", ["html-unbalanced"]),
        ("<javascript:x>", ["html-link-runs"]),
        ("<file:///a.pdf>", ["relative-link"]),
        ("![a][b]\n\n[b]: http://a.example/a.png", ["html-insecure"]),
        ("---\ntitle: a\n---\ntext", ["front-matter"]),
        ("---\r\ntitle: a\r\ntags:\r\n  - b\r\n---\r\n", ["front-matter"]),
    ],
)
def test_markdown_with_a_doubt(text: str, codes: list[str]):
    """Its own links, and the HTML that authors put in it."""
    assert codes == markdown(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[a](notes_(old).md)", "`notes_(old).md` is"),
        ("[a](notes\\(old.md)", "`notes(old.md` is"),
        ("[a [b](c.md)](d.md)", "`c.md` is"),
        ("é\n\n**ü** [ä](ö.md)", "line 3: `ö.md` is"),
        ("é ü\n\n> <b\n>  title='a'>\n> <a href='ä.md'>a</a></b>", "line 5: `ä.md` is"),
        ("[a\nb](c.md)", "line 2: `c.md` is"),
        ("[a](b.md\n'c')", "line 1: `b.md` is"),
        ("[a]: b.md\n\n[c](d.md)\n\n[a]: e.md", "line 1: `b.md` is"),
    ],
)
def test_a_link_of_markdown_is_named_as_it_stands(text: str, said: str):
    """By its whole target, and by the line where the target begins."""
    (found,) = body_markup.check_markdown((), text)
    assert said == found.message[: len(said)]


def test_a_picture_in_a_link_comes_first():
    """The target of the link stands behind it."""
    (found,) = body_markup.check_markdown((), "[![a](b.png)](c.md)")
    assert ("`b.png`", "(and 1 more)") == (found.message[:7], found.message[-12:])


def test_they_are_all_warnings():
    """The platform takes any HTML."""
    text = "<script></script><b onclick=x><a href=a><img>"
    assert {Severity.WARNING} == {found.severity for found in body_markup.check_html((), text)}


def test_a_rule_speaks_once_a_text():
    """Of the first place where it is broken, and says how many more there are."""
    (found,) = body_markup.check_html(("body",), "<p>a</p>\n<b>\n<i>\n<u>\n")
    assert "line 2: `<b>` is never closed (and 2 more)" == found.message


@pytest.mark.parametrize(
    ("target", "hint"),
    [
        ("a@a.example", "write mailto:a@a.example"),
        ("www.a.example/x", "write https://www.a.example/x"),
        ("docs.example.com/x", "write https://docs.example.com/x"),
        ("images/a.png", REMEDY),
        ("C:/a.pdf", REMEDY),
        ("file:///home/ana/a.docx", REMEDY),
        ("docs.example.com/a.png", "write https://docs.example.com/a.png"),
        ("a.md", "write a full address (https://...) that learners can reach"),
    ],
)
def test_relative_links_have_a_remedy(target: str, hint: str):
    """What was probably meant is written out."""
    (found,) = body_markup.check_markdown((), f"[a]({target})")
    assert hint == found.hint


def test_long_addresses_are_cut():
    """A message stays on a line."""
    (found,) = body_markup.check_markdown((), f"[a]({'x' * 10_000})")
    assert len(found.message) < 150


_PIECES = st.sampled_from(
    [
        "<",
        ">",
        "</",
        "<!--",
        "-->",
        "<b>",
        "</b>",
        "<a href='",
        "'",
        '"',
        "=",
        "script",
        "<svg>",
        "[",
        "](",
        ")",
        "]:",
        "`",
        "```\n",
        "\n\n    ",
        "- ",
        "---\n",
        "a: b\n",
        "\\",
        "é",
        " ",
        "x",
    ]
)


@given(st.lists(_PIECES, max_size=30).map("".join))
def test_any_text_gets_an_answer(text: str):
    """Nothing that looks like markup is too broken to be looked at."""
    found = [*body_markup.check_html((), text), *body_markup.check_markdown((), text)]
    assert all(finding.message and finding.hint for finding in found)


@given(st.lists(_PIECES | st.sampled_from(["> ", "<b>é", "\t", "\r\n"]), max_size=30).map("".join))
def test_html_in_markdown_stays_where_it_is(text: str):
    """Everything else is a blank, and each character is at its place."""
    assert all(
        found in {" ", there} for found, there in zip(parse_markdown(text).html, text, strict=False)
    )


@pytest.mark.parametrize(
    "text",
    [
        "<",
        "<a ",
        "<!--",
        "<b>",
        "</b>",
        '<a "',
        "<script>",
        "[",
        "](",
        "`",
        "``` \n",
        "[x]:",
        "![a",
    ],
)
def test_endless_texts_get_an_answer(text: str):
    """A hundred thousand of a kind are no more than one is."""
    assert len(html(text * 100_000) + markdown(text * 100_000)) < 10


@pytest.mark.parametrize(
    "text",
    [
        "::: note\nClose it.\n:::",
        ":::tip Title\nClose it.\n:::",
        "> ::: {.box}\n> Close it.",
        "# Guards {#guards}",
        "[here]{.mark} it is",
        "![A guard](https://a.example/a.png){width=50%}",
        "`code`{.py}",
        "Close it.\n{: .note }",
        "{{#include a.md}}",
        "é {{ site.title }}",
        "{% if a %}b{% endif %}",
        "{{< youtube a >}}",
        "import Tabs from '@theme/Tabs';\n\nClose it.",
        "Hi.\n\nexport const a = 1",
        "!!! note\n    Close it.",
        '??? tip "Title"\n    Close it.',
        "> [!NOTE]\n> Close it.",
        "Close it.[^1]\n\n[^1]: The guard.",
        'See:\n\n=== "Linux"\n\n    Close it.',
        "===! 'Windows'",
        '--8<-- "guards.md"',
        "> -8<-\n> a.md\n> -8<-",
        "See [[The guards]].",
        "See [[guards|the guards]] and [[Straße#Tür]].",
        "![[guard.png]]",
        "# Guards {/* #guards */}",
    ],
)
def test_a_mark_of_another_dialect_is_named(text: str):
    """Learners would read it."""
    assert {"markdown-dialect"} == set(markdown(text))


@pytest.mark.parametrize(
    "text",
    [
        "```\n::: note\n{{ a }}\n```",
        "    ::: note\n",
        "é `{{ a }}` and ``{% b %}``",
        "- a\n\n  ```liquid\n  {% b %}\n  ```",
        "\\{\\{ a }}",
        "$\\frac{{a}}{{b}}$ and $$\\sum_{{i}}$$",
        "\\\\( x_{{i}} \\\\)",
        "The set {a, b}, {1}, {x=1} and {.} or {#1}",
        "A ratio of 3:::4",
        "We import it from Spain.",
        "import duties from 'China' are higher",
        "export const rules, as the law says",
        "Wow!!! note that",
        "A [^a-z] class, [!] and a list:\n\n- [ ] one",
        "<pre>\n::: a\n</pre>",
        "<code>{{ a }}</code>",
        "A title\n===\n\na === 'b' and \\=== \"c\"",
        "The matrix [[1, 2], [3, 4]] has [[1]] and [[a, b]]",
        "[[here]](https://a.example) and [[1]](https://a.example)",
        "See [[RFC 9110]].\n\n[rfc 9110]: https://a.example",
        "`[[nodiscard]]` and if [[ -f file ]]; then",
        "$[[x]]$ and \\[[x]]",
        "a -8<- b",
    ],
)
def test_what_only_looks_like_a_dialect_is_no_mark(text: str):
    """Code, mathematics and prose with braces."""
    assert "markdown-dialect" not in markdown(text)


def test_the_first_mark_of_a_dialect_has_its_line_and_a_remedy():
    """The others are counted."""
    (found,) = body_markup.check_markdown((), "é\n\n::: note\nClose it.\n:::\n")
    said = "line 3: `:::` is a box of pandoc or Docusaurus: learners would read it (and 1 more)"
    assert (said, "write a quote (`>`) or a bold word in its place") == (found.message, found.hint)
