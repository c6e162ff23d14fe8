"""The pages: the catalog as learners would see it, and the newest requests (spec 2)."""

import re
from html.parser import HTMLParser

import pytest

NASTY = "<script>alert(1)</script>\"'&"
UNKNOWN = "00000000-0000-4000-8000-000000000000"


class Seen(HTMLParser):
    """The text that a reader sees, the elements, and the bodies in frames."""

    def __init__(self, html):
        super().__init__()
        self.text, self.elements, self.frames = "", [], []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag == "iframe":
            self.frames.append(dict(attrs))

    def handle_data(self, data):
        self.text += data

    def links(self):
        return [attrs.get("href") for tag, attrs in self.elements if tag == "a"]


def seen(platform, path="/"):
    response = platform.http.get(path)
    assert 200 == response.status_code
    return Seen(response.text)


def page_of(platform, course):
    return seen(platform, f"/catalog/{course}")


def path_of(platform, course, **fields):
    body = {
        "label": "Elsewhere",
        "targetType": "external_url",
        "targetUrl": "https://shop.example.com/x",
        "targetUrlTitle": "Shop",
        **fields,
    }
    return platform.call("path.create", body, contentId=course)


def test_tile_shows_what_learners_see(platform):
    """A tile shows ribbon, tags, price, seats, authors and source (spec 2.2)."""
    course = platform.course(
        title="Ladders",
        ribbon="new",
        tagIds=[platform.tag("Safety")],
        priceInCents=123_450,
        enrollmentLimit=12,
        authors=["Ada"],
        source="Site team",
        status="published",
    )
    page = seen(platform)
    for words in ("Ladders", "new", "Safety", "1,234.50", "12 seats", "Ada", "Site team"):
        assert words in page.text
    assert f"/catalog/{course}" in page.links()


def test_tile_of_what_learners_do_not_see(platform):
    """A tile of an unpublished session is dimmed and says so (O38)."""
    platform.course(title="Later", futurePublishDate="2099-01-01")
    page = seen(platform)
    assert "Scheduled" in page.text
    assert ("a", "tile unseen") in [(tag, attrs.get("class")) for tag, attrs in page.elements]


def test_tiles_by_tag(platform):
    """The page has a link for each used tag (spec 2.2)."""
    platform.course(title="With it", tagIds=[platform.tag("Safety")])
    platform.course(title="Without it")
    page = seen(platform, "/?tag=Safety")
    assert "With it" in page.text
    assert "Without it" not in page.text
    assert "/?tag=Safety" in page.links()


def test_outline_of_a_course(platform):
    """Sections with release dates, lessons with open levels, topics with their kinds (spec 2.2)."""
    topics = [
        {"title": "Read", "type": "text", "body": "<p>x</p>"},
        {"title": "Ask", "type": "quiz"},
    ]
    lesson = {"title": "Lesson one", "openType": "open", "topics": topics}
    section = {"title": "Part one", "releaseDate": "2099-02-01", "lessons": [lesson]}
    page = page_of(platform, platform.course(sections=[section]))
    words = ("Part one", "opens 1 February 2099", "Lesson one", "Open to everyone", "empty shell")
    for told in words:
        assert told in page.text


def test_filled_shell_is_told(platform, tree):
    """A shell is shown as filled once a person filled it (spec 2.2)."""
    course = platform.course(sections=tree({"type": "quiz"}))
    (topic,) = platform.dump("topics")[-1:]
    order = {"list": "topics", "id": topic["id"], "set": {"filled": True}}
    platform.control("edit", order)
    text = page_of(platform, course).text
    assert "filled" in text
    assert "empty shell" not in text


def test_bodies_stand_in_frames_that_can_do_nothing(platform, tree):
    """No script, no form, no link out of it: `sandbox` allows nothing (spec 2.2)."""
    course = platform.course(sections=tree({"type": "text", "body": f"{NASTY}<b>Hi</b>"}))
    (frame,) = page_of(platform, course).frames
    assert "" == frame["sandbox"]
    assert frame["srcdoc"].endswith("<b>Hi</b>")
    assert "script" not in frame["srcdoc"]


def test_everything_is_escaped(platform, tree):
    """Markup in texts of authors is escaped (spec 2.2)."""
    tag = platform.tag("Safety")
    platform.control("edit", {"list": "tags", "id": tag, "set": {"label": NASTY}})
    course = platform.course(
        title=NASTY,
        description=NASTY,
        authors=[NASTY],
        source=NASTY,
        sku="<b>1</b>",
        isbn=NASTY,
        tagIds=[tag],
        customFields={"owner": NASTY},
        metaTitle="m",
        sections=tree({"type": "text", "title": NASTY, "caption": NASTY, "body": "b"}),
    )
    for path in ("/", f"/catalog/{course}"):
        page = seen(platform, path)
        assert NASTY in page.text
        assert "script" not in {tag for tag, _ in page.elements}


def test_buttons_are_as_sanitised(platform):
    """The label keeps its allowed tags and nothing else (spec 2.6)."""
    course = platform.course(status="published", priceInCents=100, purchasable=True)
    path_of(platform, course, label="<b>Bold</b><script>x</script><img src=x>")
    html = platform.http.get(f"/catalog/{course}").text
    assert '<div class="button"><b>Bold</b>x</div>' in html
    assert "Buy for 1.00" in html


def test_a_seeded_button_runs_no_script(platform):
    """An address that no route would take is told and not linked (spec 2.6)."""
    course = platform.course(title="Seeded")
    path = {"courseId": course, "label": "x", "targetType": "external_url"}
    dump = platform.control("dump")
    paths = [{**path, "targetUrl": "javascript:alert(1)", "targetUrlTitle": NASTY}]
    platform.control("reset", {"seed": {**dump, "purchasePaths": paths}})
    page = page_of(platform, course)
    assert f"leads to {NASTY}, which is not a web address" in page.text
    assert not [link for link in page.links() if link.startswith("javascript:")]


def test_a_seed_of_the_least_has_pages(platform):
    """A title and a group are all that a seeded course must have (spec 2.2)."""
    group, course = UNKNOWN.replace("8000", "8001"), UNKNOWN.replace("8000", "8002")
    groups = [{"id": group, "title": "Least"}]
    courses = [{"id": course, "title": "Least", "courseGroupId": group}]
    platform.control("reset", {"seed": {"courseGroups": groups, "courses": courses}})
    assert "Least" in seen(platform).text
    assert "Enroll" in page_of(platform, course).text


def test_primary_button_can_be_hidden(platform):
    """Any path of the course can hide the primary button (spec 2.6 path)."""
    course = platform.course(status="published", priceInCents=100, purchasable=True)
    path_of(platform, course, hidePrimaryCta=True)
    text = page_of(platform, course).text
    assert "Elsewhere" in text
    assert "Buy for" not in text


def test_buttons_in_their_order(platform):
    """Buttons are ordered by displayOrder and then by age (spec 4)."""
    course = platform.course()
    for order, label in ((2, "third"), (0, "first"), (0, "second")):
        path_of(platform, course, displayOrder=order, label=label)
    text = page_of(platform, course).text
    assert ["first", "second", "third"] == re.findall("first|second|third", text)


def test_completion_names_its_topics(platform, tree):
    """The sentence of the criterion and the topic that it is about (O25)."""
    course = platform.course(sections=tree({"type": "quiz", "title": "Final check"}))
    topic = platform.read(course)["sections"][0]["lessons"][0]["topics"][0]["id"]
    entry = {"courseId": course, "type": "courseAssessmentPassed", "courseAssessmentPassed": topic}
    platform.call("criteria.update", {"criteria": [entry]})
    assert "Pass an assessment: Final check" in page_of(platform, course).text


def test_sessions_of_a_group_lead_to_each_other(platform):
    """A group with two sessions shows both (spec 2.1)."""
    course = platform.course()
    group = platform.read(course)["courseGroupId"]
    platform.update(courses=[{"courseGroupId": group, "title": "Spring"}])
    second = platform.call("group.courses", id=group).json()["courses"][1]["id"]
    assert f"/catalog/{second}" in page_of(platform, course).links()


@pytest.mark.parametrize("kind", ["article", "video", "microCourse", "shareableContentObject"])
def test_every_kind_has_a_page(platform, kind):
    """Also a demo course, and one that a person deleted (spec 2.2)."""
    course = platform.course(kind=kind, title="Any kind")
    platform.control("edit", {"list": "courses", "id": course, "delete": True})
    assert "Deleted" in page_of(platform, course).text


def test_requests_have_a_page(platform):
    """Newest first, like ones in one line, without what may hold a key (spec 5)."""
    platform.call("tag.list")
    for _ in range(3):
        platform.call("ping", query={"secretKey": platform.key})
    page = seen(platform, "/requests")
    assert re.search("ping \u00d73.*tag.list", page.text, re.DOTALL)
    assert platform.key not in page.text


def test_learners_see_no_requests(platform):
    """The catalog and its courses hold none of them, and a way to their page (spec 1)."""
    course = platform.course()
    for path in ("/", f"/catalog/{course}"):
        page = seen(platform, path)
        assert "course.create" not in page.text
        assert "/requests" in page.links()


def test_page_can_follow(platform):
    """It loads itself again where that was asked for, and without a script (spec 1)."""
    refreshing = [
        any(attrs.get("http-equiv") == "refresh" for _, attrs in seen(platform, path).elements)
        for path in ("/", "/?follow=1", "/requests", "/requests?follow=1")
    ]
    assert [False, True, False, True] == refreshing


def test_page_loads_nothing_from_elsewhere(platform):
    """Neither pictures nor styles nor scripts; the browser is told so too (spec 5)."""
    course = platform.course(asset="https://x.example/a.png")
    response = platform.http.get(f"/catalog/{course}")
    page = Seen(response.text)
    assert not {"script", "img"} & {tag for tag, _ in page.elements}
    assert "default-src 'none'" in response.headers["content-security-policy"]


@pytest.mark.parametrize("id_", [UNKNOWN, "x", "%00", "..%2f"])
def test_unknown_course_is_404(platform, id_):
    """The page of an unknown course is a 404 with a link back or a message (spec 7)."""
    assert 404 == platform.http.get(f"/catalog/{id_}").status_code


def test_pages_of_other_sites_learn_nothing(platform):
    """Requests of other sites and other methods are refused (spec 5)."""
    other = platform.http.get("/", headers={"Origin": "https://evil.example"})
    assert (403, 405) == (other.status_code, platform.http.post("/").status_code)


def test_empty_catalog_says_what_to_do(platform):
    """An empty catalog shows what to do (spec 1)."""
    platform.control("reset", {"seed": {"company": "Empty & Co"}})
    page = seen(platform)
    assert "lmssync apply" in page.text
    assert "Empty & Co" in page.text
