"""The page of one session: what a learner reads before enrolling, and what stands inside."""

from typing import Any

from lmssync.vocabulary.enums import OpenType, SessionStatus

from ..data.courses import children
from ..data.ids import Level
from ..handlers.criteria_read import view
from ..handlers.groups import sessions_of
from ..platform import Platform
from . import wording
from .buttons import buttons
from .facts import facts
from .markup import Html, el
from .parts import art, chips, page, ribbon, status_badge
from .shelf import SEEN, tag_labels, tags_of
from .topic import topic

Doc = dict[str, Any]


def course_page(platform: Platform, course: Doc, *, follow: bool) -> Html:
    """Words and outline on the left, the card with the buttons on the right."""
    group = platform.courses.group_by_id(course["courseGroupId"]) or {"title": course["title"]}
    words = el(
        "div",
        el("h1", group["title"], " ", status_badge(course["status"])),
        el("p", group.get("description") or "", class_="about whole"),
        chips(tags_of(group, tag_labels(platform))),
        _sessions(platform, group, course),
        _outline(platform, course),
        _completion(course),
        _search_preview(group),
    )
    card = el(
        "div",
        art(group["title"], group.get("contentType"), ribbon(group.get("ribbon"))),
        buttons(platform, course),
        facts(platform, group, course),
        class_="card",
    )
    content = el(
        "article",
        el("p", el("a", "Catalog", href="/"), " / ", group["title"], class_="crumbs"),
        None if course["status"] in SEEN else _banner(course),
        el("div", words, card, class_="hero"),
    )
    return page(platform, str(group["title"]), content, follow=follow)


def _banner(course: Doc) -> Html:
    status = SessionStatus(course["status"])
    when = wording.day(course.get("futurePublishDate"))
    told = f"Learners see it from {when} on." if when else "Learners do not see this page."
    return el("p", el("b", wording.STATUSES[status]), ". ", told, class_="banner")


def _sessions(platform: Platform, group: Doc, course: Doc) -> Html | None:
    sessions = sessions_of(platform, group) if "id" in group else []
    if len(sessions) < 2:  # noqa: PLR2004 - one is this one
        return None
    links = [
        el(
            "a",
            session["title"],
            href=f"/catalog/{session['id']}",
            class_="chip chosen" if session["id"] == course["id"] else "chip",
        )
        for session in sessions
    ]
    return el("nav", *links, aria_label="Sessions")


def _outline(platform: Platform, course: Doc) -> Html:
    sections = [_section(platform, section) for section in course["sections"]]
    return el("section", el("h2", "What is inside"), *sections or [el("p", "Nothing yet.")])


def _section(platform: Platform, section: Doc) -> Html:
    release = section.get("releaseDate")
    closed = release and not wording.is_past(release, platform.clock.now())
    when = el("span", f"opens {wording.day(release)}", class_="badge pending") if closed else None
    return el(
        "section",
        el("h3", section["title"], " ", when),
        *(_lesson(lesson) for lesson in section["lessons"]),
        class_="part",
    )


def _lesson(lesson: Doc) -> Html:
    open_type = lesson["openType"]
    is_open = open_type != OpenType.STUDENTS_ONLY
    return el(
        "div",
        el(
            "h4",
            lesson["title"],
            " ",
            el(
                "span",
                wording.OPEN_TYPES[OpenType(open_type)],
                class_="badge open" if is_open else "badge",
            ),
        ),
        *(topic(one) for one in lesson["topics"]),
        class_="lesson",
    )


def _completion(course: Doc) -> Html | None:
    if not course["criteria"]:
        return None
    titles = {doc["id"]: doc["title"] for _, doc in children(course, Level.TOPIC)}
    rules = [_rule(view(one, course=course["id"]), titles) for one in course["criteria"]]
    return el("section", el("h2", "Complete when"), el("ul", *rules))


def _rule(criterion: Doc, titles: dict[str, str]) -> Html:
    about = criterion.get("videoTopicId") or criterion.get(criterion["type"])
    title = titles.get(about) if isinstance(about, str) else None
    return el("li", criterion["description"], el("b", f": {title}") if title else None)


def _search_preview(group: Doc) -> Html | None:
    """As a search engine would list it, where somebody wrote for one."""
    if not group.get("metaTitle") and not group.get("metaDescription"):
        return None
    return el(
        "section",
        el("h2", "Found by a search engine"),
        el(
            "div",
            el("b", group.get("metaTitle") or group["title"]),
            el("p", group.get("metaDescription") or group.get("description") or ""),
            class_="found",
        ),
    )
