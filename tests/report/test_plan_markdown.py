"""A plan in Markdown, as a code host renders it."""

import re
from contextlib import closing
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given, strategies as st

from lmssync.planning.plan import Action, GuardVerdict, Plan, PlannedChange, plan_digest
from lmssync.problems import Severity
from lmssync.report.changes.plan_markdown import (
    MOST,
    build_report_marker,
    plan_markdown,
    share_room,
)
from lmssync.report.markdown_escape import escape_text, fence_lines, shorten_escaped
from lmssync.state import Store, open_store
from tests import making
from tests.making import course, topic
from tests.planning.plan.planning import planned

cmarkgfm = pytest.importorskip("cmarkgfm", reason="no renderer of GitHub's Markdown: `make test`")
NASTY = (
    "`x` ``` </details> <script>alert(1)</script> | a | **b** @octocat #12 owner/repo#3 "
    "https://evil.example www.evil.example me@evil.example [l](http://x) ![p](http://x) "
    "GH-7 :tada: $x$ &lt; 0123456789abcdef \\"
)
of_many = pytest.mark.xdist_group("a long plan in Markdown")
CALLS = re.compile(r"@\w|#\d|GH-\d|:\w+:|\$\w")
"""What a code host turns into more after it has rendered the Markdown."""


class _Page(HTMLParser):
    """What is on a page: its elements, and its text outside of code."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.open: list[str] = []
        self.text = self.shown = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.elements.append(tag)
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        self.shown += data
        if not {"code", "pre"} & {*self.open}:
            self.text += data


def rendered(markdown: str) -> _Page:
    """As GitHub does it, with its extensions and raw HTML, of which it removes little."""
    options = cmarkgfm.cmark.Options.CMARK_OPT_UNSAFE
    return _Page(cmarkgfm.github_flavored_markdown_to_html(markdown, options))


def titled(store: Store, title: str) -> Plan:
    """A plan in which an author's text stands wherever one can."""
    before = making.micro("b", topic(title="Old", markdown="one\ntwo"))
    after = making.micro("b", topic(title=title, markdown=f"one\ntwo\n{title}"), title=title)
    return planned(store, [after, course("new", title=title, tags=[title])], [before])


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    """400 changes, each with a text that differs."""
    old = [making.micro(f"c{n}", topic(markdown=f"line {n}\n" * 10)) for n in range(400)]
    new = [making.micro(f"c{n}", topic(markdown=f"word {n}\n" * 10)) for n in range(400)]
    folder = tmp_path_factory.mktemp("many")
    with closing(open_store("sqlite:///state.db", folder, "sandbox")) as store:
        return planned(store, new, old)


@pytest.fixture(scope="module")
def new(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    """One course that is to be created."""
    with closing(open_store("sqlite:///state.db", tmp_path_factory.mktemp("new"), "test")) as store:
        return planned(store, [course("new")])


def test_a_report_begins_with_its_marker(store: Store):
    """The first line names the environment, in a comment that nobody sees."""
    text = plan_markdown(titled(store, "New"))
    assert build_report_marker("test") == text.splitlines()[0]
    assert "lmssync:plan" not in rendered(text).shown


def test_a_marker_cannot_be_left():
    """No name of an environment ends the comment."""
    assert "<!-- lmssync:plan a--%3E%20b -->" == build_report_marker("a--> b")


def test_a_text_of_an_author_stays_text(store: Store):
    """What an author writes makes no element, calls nobody and links to nothing."""
    plain, nasty = (rendered(plan_markdown(titled(store, title))) for title in ("New", NASTY))
    assert {*plain.elements} == {*nasty.elements}
    assert [] == CALLS.findall(nasty.text)


@given(st.text(max_size=200))
def test_no_text_makes_an_element(foreign: str):
    """Any text is one paragraph in bold, with its characters, and calls nobody."""
    page = rendered(f"<p><b>{escape_text(foreign)}</b></p>\n\n- a {escape_text(foreign)}\n")
    assert ["p", "b", "ul", "li"] == page.elements
    assert [] == CALLS.findall(page.text)


@given(st.lists(st.sampled_from(["`" * n for n in range(6)] + ["~~~", "", " x"]), max_size=8))
def test_no_line_ends_a_fence(lines: list[str]):
    """Lines of a difference stay inside their fence, whatever they begin with."""
    page = rendered("\n".join([*fence_lines(lines), "", "after"]))
    assert ["pre", "code", "p"] == page.elements


@of_many
def test_every_change_is_folded(many: Plan):
    """A plan that is too long for a comment keeps to its size, and says what is left out."""
    text = plan_markdown(many)
    assert MOST >= len(text)
    assert "are left out: `lmssync show FILE` shows a saved plan." in text
    assert text.count("<details>") == text.count("</details>") > 10


@of_many
def test_what_has_no_line_is_named_and_counted(many: Plan):
    """Every change of a long plan is a line, a name or one of a number."""
    shown = rendered(plan_markdown(many)).shown
    lines = shown.count("update")
    listed = re.search(r"Not listed above: (\d+) changes: .* and (\d+) more", shown)
    assert listed
    assert 400 == shown.count("editorial: text of page “Hello”") + int(listed[1])
    assert lines > 100


def blocked(planned: PlannedChange, reason: str) -> PlannedChange:
    return planned._replace(action=Action.BLOCKED, reasons=(reason,))


def test_a_long_line_leaves_room_for_the_others(store: Store):
    """A reason of 100,000 characters is cut and says so; the change below it has its line."""
    made = planned(store, [course("a", title="First"), course("b", title="Second")])
    first, second = made.changes
    text = plan_markdown(replace(made, changes=[blocked(first, "x" * 100_000), second]))
    assert MOST >= len(text)
    assert "more characters)" in text
    assert "Second" in text


def test_each_section_has_its_share(many: Plan, store: Store):
    """400 changes that are blocked, each for a long reason, leave the price that changes."""
    flood = [blocked(one, f"{number} why " * 100) for number, one in enumerate(many.changes)]
    price = planned(store, [course("p", priceInCents=9)], [course("p", priceInCents=5)])
    text = plan_markdown(replace(price, changes=[*flood, *price.changes]))
    assert "What customers will notice (1)" in text
    assert "course.p" in text


@given(
    st.lists(st.sampled_from(["m" * 5_000, "<|@`" * 300, "one word", "é" * 70_000]), max_size=60),
    st.sampled_from(Severity),
)
def test_no_flood_hides_the_change_or_the_digest(new: Plan, texts: list[str], severity: Severity):
    """Whatever guards say, the comment is short enough, and names the change, digest and commit."""
    verdicts = [GuardVerdict("g", severity, (), text) for text in texts]
    flooded = replace(new, guards=verdicts, commit="c0ffee" * 6)
    text = plan_markdown(flooded)
    assert MOST >= len(text)
    assert all(word in text for word in ("course.new", plan_digest(flooded), "c0ffeec0ffee"))


@given(st.lists(st.integers(0, 9_999), max_size=7), st.integers(0, 20_000))
def test_shares_fill_the_room(wanted: list[int], room: int):
    """Nobody gets more than it needs, and no room is left while somebody needs it."""
    shares = share_room(wanted, room)
    assert all(share <= need for share, need in zip(shares, wanted, strict=True))
    assert min(sum(wanted), room) == sum(shares)


@given(st.text(max_size=300), st.integers(40, 200))
def test_a_text_that_is_cut_says_how_much_is_left(foreign: str, most: int):
    """It is the whole text, or not longer than it may be, with a number behind it."""
    shown, _, rest = shorten_escaped(foreign, most).partition("… (")
    assert escape_text(foreign) == shown if not rest else len(shown) <= most


def test_equal_changes_are_one_line(store: Store):
    """Ten courses with the same change are shown as one, with their addresses."""
    old, new = ([course(f"c{n}", tags=tags) for n in range(12)] for tags in (["A"], ["A", "B"]))
    shown = rendered(plan_markdown(planned(store, new, old))).shown
    assert "update 12 courses · editorial: tags: + B" in shown
    assert "course.c0, course.c1" in shown


def test_twelve_courses_are_read_in_a_minute(store: Store):
    """Of twelve changed courses, less than 300 words are not folded."""
    changes = ({"title": "New title"}, {"priceInCents": 900}, {"tags": ["Safety"]})
    fields = {"title": "Old title", "priceInCents": 500, "tags": []}
    old = [course(f"c{n}", **fields) for n in range(12)]
    new = [course(f"c{n}", **{**fields, **changes[n % 3], "sku": f"s{n}"}) for n in range(12)]
    text = plan_markdown(planned(store, new, old))
    unfolded = re.sub(r"(?s)</summary>.*?</details>", "", text)
    assert 300 > len(rendered(unfolded).shown.split())
