"""What is odd about the texts of a manifest, and what is not."""

from itertools import product
from typing import Any

import pytest
from hypothesis import given, strategies as st

from lmssync.kinds import KINDS
from lmssync.kinds.course.course_manifest import Topic
from lmssync.problems import Finding
from lmssync.resource import Path
from lmssync.texts.values import Noticed, Role, check_visible
from lmssync.texts.values.text_checks import CHECKS, body_file, judge_texts
from tests import making
from tests.making import course, license_, micro, path, topic

TURNED = "the text after it may be shown in another order"


def looked(data: dict[str, Any]) -> list[Finding]:
    """What is found in a document that its model accepts; its validators have noticed it before."""
    spec = next(kind.spec for kind in KINDS.values() if kind.resource == data["resource"])
    noticed = Noticed()
    read = spec.model_validate(data, context=noticed)
    findings = list(judge_texts(read))
    assert findings == list(judge_texts(read, noticed))
    return findings


def test_nothing_is_noticed_in_plain_texts():
    """Nobody has to look for what is odd in a document without anything odd."""
    data = micro("a", topic(markdown="Größe, *here* and [there](https://example.com).\n"))
    noticed = Noticed()
    KINDS["course"].spec.model_validate(
        data | {"asset": "https://a.example/a.png"}, context=noticed
    )
    assert not noticed.odd


def test_what_the_quick_look_lets_pass_is_never_odd():
    """No check would report such a letter, alone or beside another one."""
    plain, check = CHECKS[Role.LINE]
    letters = [chr(code) for code in range(0x21, 0x3000) if plain(chr(code))]
    assert {"a", "ä", "ž", "„"} < {*letters}
    assert letters == [check_visible(letter) for letter in letters]
    assert [] == list(check((), "".join(map("".join, product(letters, repeat=2))), None))


def of_title(text: str) -> list[str]:
    return [finding.code for finding in looked(course(title=text))]


@pytest.mark.parametrize(
    "text",
    [
        "Safety 101",
        "Größe, façade, 漢字, 🎓",
        "Sécurité\u00a0: le guide",
        "\u0645\u06cc\u200c\u062e\u0648\u0631",
        "क्\u200dष",
        "👩\u200d🚀 crew",
        "❤\ufe0f",
        "שלום\u200f 12",
        "ภาษา\u200bไทย",
        "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "a",
    ],
)
def test_titles_without_a_doubt(text: str):
    """What a script, a flag or a family of emoji needs may be there."""
    assert [] == of_title(text)


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"description": "TODO: what it is about"}, ("description",)),
        ({"tags": ["Safety", "TODO-LABEL"]}, ("tags", 1)),
        ({"asset": "https://TODO.example.com/a.png"}, ("asset",)),
        ({"metaTitle": "TODO: ä <b>"}, ("metaTitle",)),
        ({"sections": [making.section("s", making.lesson("l", topic(body="TODO: <p>")))]},
         ("sections", 0, "lessons", 0, "topics", 0, "body")),
    ],
)  # fmt: skip
def test_what_is_still_to_be_written(fields: dict[str, Any], path: Path):
    """A placeholder is told where it stands, and nothing else is said of it."""
    assert [("placeholder", path)] == [(f.code, f.path) for f in looked(course(**fields))]


@pytest.mark.parametrize("text", ["TODO EL MUNDO", "TODO", "A TODO: list", "todo: later", "TODOS:"])
def test_what_is_no_placeholder(text: str):
    """In Spanish the letters are a word; inside a text they may be what it is about."""
    assert [] == looked(course(description=text))


def test_a_file_that_is_still_to_be_written():
    """The whole body may stand elsewhere."""
    found = body_file(("bodyFile",), "a.md", "TODO: the page\n", {}, markdown=True)
    assert ["placeholder"] == [finding.code for finding in found]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (" Safety", "edge-blank"),
        ("Safety ", "edge-blank"),
        ("Safety\u00a0", "edge-blank"),
        ("Saf\u200bety", "invisible-character"),
        ("Saf\u00adety", "invisible-character"),
        ("Saf\u2060ety", "invisible-character"),
        ("\ufeffSafety", "invisible-character"),
        ("Saf\u200dety", "invisible-character"),
        ("Saf\u200fety", "invisible-character"),
        ("Saf\u3164ety", "invisible-character"),
        ("Saf\U000e0061ety", "invisible-character"),
        ("Saf\u202eety", "bidi-control"),
        ("Saf\u2066ety", "bidi-control"),
        ("Saf\ufffdety", "broken-character"),
        ("\uf0b7 Safety", "broken-character"),
        ("Cafe\u0301", "not-nfc"),
        ("5 \u212b", "not-nfc"),
        ("Safety\n", "one-line"),
        ("Safety\n101", "one-line"),
        ("Safety\t101", "one-line"),
        ("Safety\u2028101", "one-line"),
        ("Safety\r", "one-line"),
    ],
)
def test_titles_with_a_doubt(text: str, code: str):
    """Each slip has a rule of its own."""
    assert [code] == of_title(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "Stop \u200bhere",
            "`title` holds U+200B (zero width space) after `Stop`, which is invisible",
        ),
        ("\ufeffStop", "`title` holds U+FEFF (zero width no-break space), which is invisible"),
        (
            "Stop\u202e",
            f"`title` holds U+202E (right-to-left override) after `Stop`: {TURNED}",
        ),
        ("Cafe\u0301", "`title` spells `é` as two characters or an outdated one"),
        ("Stop\n", "`title` ends with a line break"),
        ("Stop\nhere", "`title` goes over several lines after `Stop`"),
        ("a\tb", "`title` contains a tab after `a`"),
    ],
)
def test_what_cannot_be_seen_is_named(text: str, message: str):
    """By its number, its name, and the words before it."""
    assert message == looked(course(title=text))[0].message


def test_a_line_of_several_is_an_error_and_the_rest_are_not():
    """A title with a line break breaks pages; a blank at its end breaks searches."""
    severities = [looked(course(title=text))[0].severity for text in ("a\nb", "a ")]
    assert ["error", "warning"] == severities


@pytest.mark.parametrize(
    "text", ["one\n\ntwo\t\r\n", " edges ", "co\u00adop", "a\u200bb", "a\u2028b\x85", "Cafe\u0301"]
)
def test_bodies_without_a_doubt(text: str):
    """Prose has lines, and places where it may break."""
    assert [] == looked(micro("a", topic(markdown=text)))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a\ufeffb", "invisible-character"),
        ("a\u202eb", "bidi-control"),
        ("a\ufffdb", "broken-character"),
    ],
)
@pytest.mark.parametrize("way", ["body", "markdown"])
def test_bodies_with_a_doubt(way: str, text: str, code: str):
    """A byte order mark inside a text is a rest of another file."""
    assert [code] == [finding.code for finding in looked(micro("a", topic(**{way: text})))]


@pytest.mark.parametrize(
    ("data", "where"),
    [
        (course(tags=["a", "b "]), ("tags", 1)),
        (course(authors=["b "]), ("authors", 0)),
        (course(customFields={"x": ["a", "\ufeffb"]}), ("customFields", "x", 1)),
        (course(customFields={"x": "\ufeffb"}), ("customFields", "x")),
        (course(sku="b "), ("sku",)),
        (course(moved=[{"from": "course.b "}]), ("moved", 0, "from")),
        (course(lifecycle={"ignore": ["ribbon "]}), ("lifecycle", "ignore", 0)),
        (
            course(sections=[making.section("s", making.lesson("l", topic(title="b ")))]),
            ("sections", 0, "lessons", 0, "topics", 0, "title"),
        ),
        (
            micro("a", topic(type="article", languages=[{"language": "de", "label": "b "}])),
            ("topics", 0, "languages", 0, "label"),
        ),
        (license_(ref3="b "), ("ref3",)),
        (path(target={"url": "https://a.example", "title": "b "}), ("target", "title")),
    ],
)
def test_every_text_is_looked_at(data: dict[str, Any], where: tuple[Any, ...]):
    """However deep it stands, by the names that its author wrote."""
    assert [where] == [finding.path for finding in looked(data)]


@pytest.mark.parametrize("text", ["Safety & more", "1 < 2 > 1", "a <3 b", "  x "])
def test_texts_for_search_engines_without_markup(text: str):
    """A sign that is no tag stays what it is."""
    assert [] == looked(course(metaTitle=text, metaDescription=text))


@pytest.mark.parametrize(
    ("text", "kept"), [("<b>A</b> b", "A b"), ("A &amp; b", "A & b"), ("A<!-- x -->", "A")]
)
def test_texts_for_search_engines_with_markup(text: str, kept: str):
    """The platform takes it out (spec 2.2), so the author reads what is left."""
    (found,) = looked(course(metaTitle=text))
    said = f"the platform removes the markup from `metaTitle`, which leaves `{kept}`"
    assert ("markup-stripped", said) == (found.code, found.message)


def test_the_length_of_what_is_written_counts():
    """Markup that would be stripped does not make room: what is written must fit."""
    assert ["meta-title-length"] == making.codes(course(metaTitle=f"<b>{'x' * 194}</b>"))


@pytest.mark.parametrize(
    "isbn", ["9783161484100", "978-3-16-148410-0", "0-306-40615-2", "316148410X", "ISBN 0306406152"]
)
def test_isbns(isbn: str):
    """Of ten digits or thirteen, with or without hyphens."""
    assert [] == looked(course(isbn=isbn))


@pytest.mark.parametrize("isbn", ["9783161484101", "0306406153", "316148410x1", "12", "", "book"])
def test_what_is_no_isbn(isbn: str):
    """A digit too many, too few, or another."""
    assert ["isbn"] == [finding.code for finding in looked(course(isbn=isbn))]


def test_a_course_that_is_related_to_itself():
    """It would be shown beside itself; another course may be named."""
    assert ["related-to-itself"] == making.codes(course("a", relatedCourses=["b", "a"]))
    assert [] == making.codes(course("a", relatedCourses=["b"]))


def test_findings_come_in_one_order():
    """Whatever order the fields of a model have in memory."""
    data = course(title="a ", sku="b ", authors=["c ", "d "])
    assert [("authors", 0), ("authors", 1), ("sku",), ("title",)] == [f.path for f in looked(data)]


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("a.md", "x\n\nö <b>y", "a.md:3:3: `<b>` is never closed"),
        ("a.html", "<b>y", "a.html:1:1: `<b>` is never closed"),
        ("a.md", "x\ny [a](b.md)", "a.md:2:5: `b.md` is relative"),
        ("a.md", "---\na: b\n---\nx", "a.md:1:1: the text begins with front matter"),
        ("a.md", "x\x07", "a.md:1:2: the text contains the control character U+0007 after `x`"),
        ("a.md", "x\ny\ufeff", "a.md:2:2: the text holds U+FEFF"),
        ("a.md", "TODO: x", "a.md:1:1: the text is still the placeholder `TODO: x`"),
        ("a.html", "<b>" * 3_000, "a.html:1:1: the HTML of the text "),
    ],
)
def test_files_of_bodies(name: str, text: str, place: str):
    """What is wrong with the file of a body has its place in that file."""
    (found,) = body_file(("bodyFile",), name, text, {}, markdown=name.endswith(".md"))
    assert f"{found.place}: {found.message}".startswith(place)


def test_scripts_are_at_home_in_an_embed():
    """A topic of that type is there to bring in a third party's widget."""
    script = "<script src='https://a.example/w.js'></script>"
    of = {type_: looked(micro("a", topic(type=type_, body=script))) for type_ in ("text", "embed")}
    assert (1, 0) == (len(of["text"]), len(of["embed"]))


@given(st.text(), st.text(), st.text())
def test_any_texts_get_an_answer(title: str, body: str, markdown: str):
    """Findings with words, whatever is written, and the texts stay what they are."""
    page = Topic.model_construct(title=title, type="text", body=body, markdown=markdown)
    assert all(finding.message for finding in judge_texts(page))
    assert (title, body, markdown) == (page.title, page.body, page.markdown)
