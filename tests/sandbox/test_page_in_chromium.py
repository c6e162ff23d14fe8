"""The pages in a real browser, on a telephone and on a desk: nothing breaks for anybody."""

from itertools import pairwise, product

import pytest

from . import chromium

pytestmark = chromium.MARKS
LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"
VARIANT = {"language": "de", "label": "Deutsch", "body": "<p>Text</p>"}
TOPICS = [
    {"title": "Read", "type": "text", "body": "<h1>Text</h1>", "caption": "A caption"},
    {"title": "Ask", "type": "quiz"},
    {"title": LONG, "type": "article", "body": "<p>Text</p>", "languages": [VARIANT]},
    {"title": "Later", "type": "slideshow"},
]


def furnished(platform):
    """The pages to look at, of a catalog with something of everything."""
    platform.control("school", {})
    lesson = {"title": "Lesson", "openType": "open", "topics": TOPICS}
    sections = [{"title": "Part", "releaseDate": "2099-02-01", "lessons": [lesson]}]
    whole = platform.course(
        title="Ladders and scaffolds: working safely at height",
        description="How to choose a ladder. " * 20,
        sections=sections,
        ribbon="mandatory",
        tagIds=[platform.tag("Safety"), platform.tag("First aid")],
        priceInCents=123_450,
        purchasable=True,
        authors=["Ada Lovelace"],
        metaTitle="Ladders",
        status="published",
    )
    path = {"label": "<b>Buy</b> elsewhere", "targetType": "external_url"}
    address = {"targetUrl": "https://shop.example/x", "targetUrlTitle": "Shop"}
    platform.call("path.create", {**path, **address}, contentId=whole)
    criterion = {"courseId": whole, "type": "coursePercentViewed", "coursePercentViewed": 90}
    platform.call("criteria.update", {"criteria": [criterion]})
    draft = platform.course(title=LONG, kind="article")
    for action in ("status", "throttle"):
        platform.control("faults", {"action": action, "route": "ping"})
        platform.call("ping")
    platform.http.get(f"/{LONG}")
    return {
        "catalog": "/",
        "course": f"/catalog/{whole}",
        "draft": f"/catalog/{draft}",
        "unknown": "/catalog/x",
        "requests": "/requests",
    }


@pytest.fixture(scope="session")
def seen(served):
    """What was found of each page in each window."""
    served.control("reset", {})
    served.key = served.ready["apiKey"]
    pages = furnished(served)
    looks = [(page, *window) for page, window in product(pages, chromium.WINDOWS)]
    orders = [{"path": pages[page], "width": width, "scheme": s} for page, width, s in looks]
    return dict(zip(looks, chromium.look(served.ready["baseUrl"], orders), strict=True))


def test_axe_finds_nothing(seen):
    """Contrast, headings, landmarks, names: with every topic opened (WCAG, as axe-core has it)."""
    wrong = {look: one["violations"] for look, one in seen.items() if one["violations"]}
    assert {} == wrong


def test_no_page_is_wider_than_the_window(seen):
    """No page or header is wider than the window, however long its words are."""
    wide = {look: one for look, one in seen.items() if one["overflow"] > 0 or one["clipped"]}
    assert {} == wide


def test_headings_go_down_step_by_step(seen):
    """A page starts with one h1 and skips no level of headings."""
    for look, one in seen.items():
        levels = [int(name[1]) for name in one["headings"]]
        assert (1, 1) == (levels[0], levels.count(1)), look
        steps = pairwise(levels)
        assert all(below <= above + 1 for above, below in steps), look


def test_the_header_is_low_on_a_telephone(seen):
    """The header takes at most three lines on a telephone."""
    heights = {look: one["header"] for look, one in seen.items()}
    assert {} == {look: height for look, height in heights.items() if height > 130}
