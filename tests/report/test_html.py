"""Reports as a page: one file that loads nothing, whatever authors have written."""

import re
from html import unescape

import pytest

from lmssync.planning.plan import Plan
from lmssync.report.html_pages import plan_html
from lmssync.report.preview import Courses, Documents, PreviewSite
from lmssync.state import Store
from tests import making
from tests.making import course, criterion, lesson, license_, path, section, topic
from tests.planning.plan.planning import planned

TOPIC = re.compile(
    r'class="kind">[^<]*</span><span>(.*?)</span>(?:<span class="badge mark (\w+)">)?'
)
NASTY = """"><img src=x onerror=alert(1)></script><script>alert(2)</script>{{ 1 }}`'</iframe>"""


def text_of(plan: Plan) -> str:
    return b"".join(plan_html(plan)).decode()


@pytest.fixture
def nasty(store: Store) -> Plan:
    """A plan in which an author's text stands wherever one can."""
    return a_plan(store)


def a_plan(store: Store) -> Plan:
    """Something for each section, with texts of somebody who means ill."""
    old = [section("a", lesson("l", topic("t", markdown="one two three\nfour"), topic("u")))]
    new = [section("a", lesson("l", topic("t", markdown=f"one 2 three\nfour\n\n{NASTY}")))]
    return planned(
        store,
        [
            course("a", title=NASTY, description=NASTY * 3, sections=new, priceInCents=500),
            course(
                "new", title="New", sections=[section("s", lesson("l", topic("t", body=NASTY)))]
            ),
            license_(courses=["a"], name=NASTY),
            *(course(f"same-{n}", tags=["A", "B"]) for n in range(10)),
        ],
        [
            course("a", description="Before", sections=old, priceInCents=400),
            license_(courses=["a"]),
            *(course(f"same-{n}", tags=["A"]) for n in range(10)),
        ],
    )


def test_nothing_is_loaded(nasty: Plan):
    """No element names anything outside the file, and the policy forbids it."""
    text = unescape(text_of(nasty))
    assert "default-src 'none'; style-src 'sha256-" in text
    assert "unsafe" not in text
    assert {"data:,"} == {
        value
        for value in re.findall(r'\s(?:src|href|action)="([^"]*)"', text_of(nasty))
        if not value.startswith(("#", "data:image/png"))
    }


def test_texts_of_authors_stay_texts(nasty: Plan):
    """What an author writes makes no element: there is one script, and it is ours."""
    text = text_of(nasty)
    assert 1 == text.count("<script>")
    assert "&lt;script&gt;alert(2)" in text
    assert "<img" not in text


def test_equal_changes_are_one(nasty: Plan):
    """Ten equal changes are one line."""
    assert "<b>10 courses</b>" in text_of(nasty)


def headings_of(page: str) -> list[str]:
    """The headings of the sections, without their numbers."""
    return re.findall(r'<h2 id="[^"]*"[^>]*>([^<]*?) ?<', page)


def test_sections_come_in_the_order_in_which_people_ask(store: Store):
    """Learners, customers, steps for people, what left the catalog; the facts are last."""
    now = [course(title="New", priceInCents=500), path(label="Two")]
    was = [course(title="Old", priceInCents=400), path(label="One"), course("b")]
    assert [
        "What learners will notice",
        "What customers will notice",
        "What people must do by hand",
        "What is no longer managed",
        "Facts",
    ] == headings_of(text_of(planned(store, now, was)))


@pytest.mark.parametrize(("number", "is_short"), [(9, True), (10, True), (11, False)])
def test_ten_changes_are_unfolded_and_need_no_filter(store: Store, number: int, is_short: bool):
    """Of more, a reader looks for some by text, action or effect."""
    now, was = (
        [course(f"c{n}", title=f"{word} {n}") for n in range(number)] for word in ("New", "Old")
    )
    text = text_of(planned(store, now, was))
    assert (is_short, not is_short) == (" open data-action" in text, 'id="filter"' in text)


def test_a_course_is_shown_before_and_after(store: Store):
    """With the price and the criterion that change, as the preview shows a course."""
    now = [course(title="New", priceInCents=500), criterion(percent=80)]
    was = [course(title="Old", priceInCents=400), criterion(percent=60)]
    seen = text_of(planned(store, now, was)).partition("Before and after")[2].partition("Undo")[0]
    assert ["Old", "4.00", "View 60 % of the course"] == re.findall("<del>(.*?)</del>", seen)
    assert ["New", "5.00", "View 80 % of the course"] == re.findall("<ins>(.*?)</ins>", seen)


def topics_of(page: str) -> list[tuple[str, ...]]:
    """The topics in the outline of a course, each with its mark."""
    return TOPIC.findall(page)


def test_a_learner_sees_in_a_plan_what_the_preview_shows(store: Store):
    """A topic that was deleted, one that came and one that changed are each shown once, as the
    preview of the same catalog shows them."""
    old = [section("a", lesson("l", topic("t"), topic("u"), topic("v", title="Old")))]
    new = [section("a", lesson("l", topic("w"), topic("t"), topic("v", title="New")))]
    now, was = course("a", sections=new), course("a", sections=old)
    shown = topics_of(text_of(planned(store, [now], [was])))
    desired, recorded = (Documents({one.address: one}) for one in map(making.resource, (now, was)))
    site = PreviewSite({"company": "", "now": ""}, Courses(desired, recorded))
    assert {("U", "removed"), ("W", "new")} < {*shown}
    assert topics_of(site.page("course-a.html") or "") == shown


@pytest.mark.slow
def test_many_changes_stay_small(store: Store):
    """500 changes make a page of less than 2 MB."""
    old = [making.micro(f"c{n}", topic(markdown=f"line {n}\n" * 40)) for n in range(500)]
    new = [making.micro(f"c{n}", topic(markdown=f"line {n}\n" * 40 + "more")) for n in range(500)]
    assert 2_000_000 > len(text_of(planned(store, new, old)))
