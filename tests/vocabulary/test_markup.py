"""What is measured of HTML before a parser reads it."""

import random
import re
from collections.abc import Iterator

import nh3
import pytest

from lmssync.vocabulary import markup
from lmssync.vocabulary.markup import MarkupSize, measure_markup, read_references

NAMES = """
    a b i em font nobr p div span li ul dd dt h1 h2 pre table tr td th tbody caption colgroup select
    option button object marquee template form svg math g path foreignObject ruby rb own-x br img
    script style title textarea noscript iframe
"""
TEXT_ALONE = {"script", "style", "title", "textarea", "noscript", "iframe"}
REPEATED = 60


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("no markup, 1 < 2", MarkupSize()),
        ("<p>a<p>b<p>c", MarkupSize(1)),
        ("<ul><li>a<li>b</ul><br>", MarkupSize(2)),
        ("<p><b>a</p><p>c</b></p>", MarkupSize(2, copied=15)),
        ('<a href="x>y" title=b>c</a>', MarkupSize(1, copied=22, attributes=2)),
        ("<table><tr><td>1<td>2<tr><td>3</table>", MarkupSize(3)),
        ("<!-- <b><b><b> --><i>a</i>", MarkupSize(1, copied=3)),
    ],
)
def test_it_measures_as_a_parser_would(text: str, size: MarkupSize):
    """Ends that may be left out are found, and comments do not count."""
    assert size == measure_markup(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<div>" * 501, "inside each other"),
        ("<b " + "a " * 251 + ">", "attributes"),
        ("".join(f"<b a={n}>" for n in range(400)) + "<p>x" * 3_000, "each block"),
        ("<div><object></div>" * 501, "inside each other"),
        ("<a-b><form><p></form><a-b>" * 501, "inside each other"),
        ("<h1><p></h2><a-b>" * 501, "inside each other"),
        ("<b a={}><script><!--<script></script></b>--></script>" * 501, "each block"),
    ],
)
def test_it_says_what_is_too_much(text: str, words: str):
    """Deep, crowded and unclosed elements are found, also where an end closes nothing."""
    assert words in measure_markup(text).excess


def test_a_reference_may_be_long():
    """A number of any length is read, and one beyond the last character as a lost one."""
    assert "A\ufffd&" == read_references(f"&#{'0' * 9_000}65;&#{'9' * 9_000};&amp;")


def test_a_parser_finds_no_more_than_is_measured(monkeypatch: pytest.MonkeyPatch):
    """For tags in any order, what a parser makes is bounded by what was measured."""
    assert [] == list(undercounted(monkeypatch, seed=1, rounds=300))


@pytest.mark.parametrize(
    "seed",
    [
        pytest.param(2, marks=pytest.mark.slow),
        *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(3, 7)),
    ],
)
def test_a_parser_finds_no_more_in_many_texts(monkeypatch: pytest.MonkeyPatch, seed: int):
    """As above, for many more texts."""
    assert [] == list(undercounted(monkeypatch, seed, rounds=3_000))


def undercounted(monkeypatch: pytest.MonkeyPatch, seed: int, rounds: int) -> Iterator[str]:
    """Texts of which a parser makes much more than was measured."""
    monkeypatch.setattr(markup, "DEPTH_MOST", 10**9)
    monkeypatch.setattr(markup, "COPIED_MOST", 10**12)
    chance = random.Random(seed)
    for _ in range(rounds):
        text = soup(chance)
        size = measure_markup(text)
        parsed = nh3.clean(
            text,
            tags={name.lower() for name in NAMES.split()} - TEXT_ALONE,
            clean_content_tags=set(),
            attributes={"*": {"a"}},
            link_rel=None,
        )
        deep = depth_of(parsed) > 3 * size.depth + 10
        if deep or len(parsed) > 5 * (len(text) + size.copied) + 100:
            yield text


def soup(chance: random.Random) -> str:
    """Tags in no order, many times, so that what is left open adds up."""
    names = chance.sample(NAMES.split(), chance.randint(1, 5))
    forms = (
        ["<{}>"] * 9 + ["<{} a=%d>", "<{}/>"] + ["</{}>"] * 7 + ["<!--", "-->", "<![CDATA[", "x"]
    )
    unit = [chance.choice(forms).format(chance.choice(names)) for _ in range(chance.randint(1, 8))]
    first = [chance.choice(["<{}>", "</{}>"]).format(chance.choice(names)) for _ in range(3)]
    repeated = (tag.replace("%d", str(n)) for n in range(REPEATED) for tag in unit)
    return "".join([*first, *repeated])


def depth_of(html: str) -> int:
    """How deep the elements of a serialised tree are."""
    depth = deepest = 0
    for end, name in re.findall(r"<(/?)([a-z0-9-]+)", html):
        depth += 0 if name in ("br", "img") else -1 if end else 1
        deepest = max(deepest, depth)
    return deepest
