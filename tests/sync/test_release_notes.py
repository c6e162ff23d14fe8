"""Release notes from two states: what learners, customers and a team read."""

from contextlib import closing
from pathlib import Path

import pytest

from lmssync.kind import Ids
from lmssync.resource import Address, Form, pack_form
from lmssync.state import Record, open_store
from tests.served_catalog import Workspace

STATE = "sqlite:///.lmssync/state.db"
PROJECT = """\
version: 1
currency: EUR
state: sqlite:///.lmssync/state.db
environments: {sandbox: {baseUrl: "https://example.com", apiKey: {env: LMSSYNC_API_KEY}}}
"""
PAGE = {"id": "hello", "title": "Hello", "type": "text", "body": {"$markdown": "Old"}}
LESSON = {"id": "one", "title": "One", "openType": "open", "topics": [PAGE]}
SECTION = {"id": "start", "title": "Start", "lessons": [LESSON]}
COURSE: Form = {
    "kind": "courseGroup",
    "title": "Fire *safety*",
    "status": "published",
    "priceInCents": 2_900,
    "sections": [SECTION],
}
RULE: Form = {
    "course": {"$ref": "course.fire", "id": "course"},
    "type": "coursePercentViewed",
    "percent": 80,
}
LICENSE: Form = {
    "client": {"$ref": "client.acme", "id": "id"},
    "name": "Acme, all",
    "courses": [{"$ref": "course.fire", "id": "course"}],
    "learningPaths": [],
    "courseTags": [],
    "seatsLimit": 40,
}


class States:
    """A catalog whose recorded states are written one after the other."""

    def __init__(self, work: Workspace) -> None:
        self.work = work

    def record(self, **forms: Form) -> None:
        """The next state: each form with the address `kind__key`."""
        records = [
            Record.from_form(Address(*name.split("__")), Ids({"id": name}, {}), pack_form(form))
            for name, form in forms.items()
        ]
        with closing(open_store(STATE, self.work.root, "sandbox")) as store, store.hold_state():
            store.claim_instance("sandbox", "https://example.com")
            store.put_records(records, reason="test")

    def notes(self, *arguments: str, span: str = "1..2") -> str:
        done = self.work.run("notes", span, *arguments)
        assert (0, "") == (done.code, done.err)
        return done.out


@pytest.fixture
def states(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> States:
    (tmp_path / "lmssync.yaml").write_text(PROJECT)
    monkeypatch.chdir(tmp_path)
    return States(Workspace(tmp_path, {}, capfd))


def lines(notes: str) -> list[str]:
    """What notes say, without their heading and without empty lines."""
    return [line for line in notes.splitlines()[1:] if line]


def test_a_changed_price_is_what_it_costs(states: States) -> None:
    """With the currency of the project file, and under the title of the course."""
    states.record(course__fire=COURSE)
    states.record(course__fire={**COURSE, "priceInCents": 3_400})

    assert [
        "## Fire &#42;safety&#42;",
        "### What it costs",
        "- Price: 34.00 EUR (before: 29.00 EUR).",
    ] == lines(states.notes())


def test_pages_are_named_by_their_titles(states: States) -> None:
    """One that is new, and one whose text was revised, each with its lesson."""
    page = {**PAGE, "body": {"$markdown": "New"}}
    lesson = {**LESSON, "topics": [page, {**PAGE, "id": "more", "title": "More"}]}
    states.record(course__fire=COURSE)
    states.record(course__fire={**COURSE, "sections": [{**SECTION, "lessons": [lesson]}]})

    assert ["- “Hello” in “One” was revised.", "- New page in “One”: “More”."] == lines(
        states.notes()
    )[2:]


def test_a_new_condition_is_what_learners_have_to_do(states: States) -> None:
    """A criterion is on the page of its course, in the words of the language."""
    states.record(course__fire=COURSE)
    states.record(criterion__fire=RULE)

    assert "- New condition for completion: view 80 % of the course." in states.notes()
    german = states.notes("--language", "de")
    assert "- Neue Bedingung für den Abschluss: 80 % des Kurses ansehen." in german


def test_drafts_are_not_mentioned(states: States) -> None:
    """Neither a new one, nor what has changed in one, nor its criteria."""
    draft = {**COURSE, "status": "draft"}
    states.record(course__fire=draft)
    states.record(course__fire={**draft, "priceInCents": 1}, criterion__fire=RULE)

    assert ["Nothing has changed that concerns you."] == lines(states.notes("--audience", "team"))


def test_what_was_prepared_as_a_draft_is_new_when_it_opens(states: States) -> None:
    """A criterion that was made before is on the page of the course."""
    states.record(course__fire={**COURSE, "status": "draft"}, criterion__fire=RULE)
    states.record(course__fire=COURSE)

    notes = states.notes()
    assert "## Fire &#42;safety&#42; (new)" in notes
    assert "view 80 % of the course" in notes


def test_a_course_opens_at_its_date(states: States) -> None:
    """Before that it is not mentioned, although its manifest was applied."""
    later = {**COURSE, "status": "draft", "futurePublishDate": "2099-01-31"}
    states.record(course__fire=later)

    assert "Nothing has changed" in states.notes(span="..1")
    assert "This course is new." in states.notes(span="1..2099-02-01")


def test_a_section_is_not_mentioned_before_it_opens(states: States) -> None:
    """Learners do not see it until then."""
    later = {**SECTION, "id": "more", "title": "Secret", "releaseDate": "2099-01-31"}
    states.record(course__fire=COURSE)
    states.record(course__fire={**COURSE, "sections": [SECTION, later]})

    assert "Secret" not in states.notes("--audience", "team")
    assert "- New section: “Secret”." in states.notes(span="1..2099-02-01")


def test_notes_say_that_a_course_is_not_offered_any_more(states: States) -> None:
    """Nothing else of it matters to learners any more."""
    states.record(course__fire=COURSE)
    states.record(course__fire={**COURSE, "status": "draft", "priceInCents": 1})

    assert ["- This course is not offered any more."] == lines(states.notes())[2:]


def test_licenses_are_for_customers(states: States) -> None:
    """What a license gained is called by its title; learners have no page about it."""
    states.record(course__fire=COURSE, license__acme={**LICENSE, "courses": []})
    states.record(license__acme={**LICENSE, "seatsLimit": 60})

    customers = states.notes("--audience", "customers")
    assert "- Courses, added: Fire &#42;safety&#42;." in customers
    assert "- Seats: 60 (before: 40)." in customers
    assert "Nothing has changed" in states.notes()


def test_customers_do_not_see_revised_texts(states: States) -> None:
    """They read what they get and what it costs."""
    lesson = {**LESSON, "topics": [{**PAGE, "body": {"$markdown": "New"}}]}
    states.record(course__fire=COURSE)
    states.record(course__fire={**COURSE, "sections": [{**SECTION, "lessons": [lesson]}]})

    assert "Nothing has changed" in states.notes("--audience", "customers")


def test_only_a_team_sees_fields_without_a_word(states: States) -> None:
    """A number for the warehouse concerns nobody else."""
    states.record(course__fire=COURSE)
    states.record(course__fire={**COURSE, "sku": "F2"})

    assert "Nothing has changed" in states.notes()
    assert "- sku: F2." in states.notes("--audience", "team")


def test_no_title_of_a_draft_is_in_a_list(states: States) -> None:
    """A license that opens a draft as well names only the course that is open."""
    draft = {**COURSE, "title": "Secret", "status": "draft"}
    node = {"$ref": "course.draft", "id": "course"}
    states.record(course__fire=COURSE, course__draft=draft)
    states.record(license__acme={**LICENSE, "courses": [*LICENSE["courses"], node]})

    for form in ("markdown", "html", "json"):
        notes = states.notes("--audience", "customers", "--format", form)
        assert "safety" in notes
        assert "Secret" not in notes


def test_what_closes_has_the_title_that_learners_know(states: States) -> None:
    """Not the one that it got as a draft."""
    states.record(course__fire=COURSE)
    states.record(course__fire={**COURSE, "status": "draft", "title": "Secret"})

    assert "## Fire &#42;safety&#42;" in states.notes()
    assert "Secret" not in states.notes("--json")


def test_another_key_is_nothing_new(states: States) -> None:
    """A course that moved is known by its id, and what refers to it as well."""
    states.record(course__fire=COURSE, criterion__fire=RULE)
    moves = {Address("course", "fire"): Address("course", "flames")}
    with closing(open_store(STATE, states.work.root, "sandbox")) as store, store.hold_state():
        store.move_records(moves, because={})

    assert "Nothing has changed" in states.notes("--audience", "team")


def test_a_session_of_a_draft_is_not_mentioned(states: States) -> None:
    """Nobody can reach it before its course is published."""
    session = {**COURSE, "title": "Autumn", "course": RULE["course"]}
    states.record(course__fire={**COURSE, "status": "draft"}, session__autumn=session)
    assert "Nothing has changed" in states.notes(span="..1")

    states.record(course__fire=COURSE)
    notes = states.notes()
    assert "## Autumn · Fire &#42;safety&#42; (new)" in notes
    assert "- This session is new." in notes


def test_a_list_that_lost_its_people_is_not_mentioned(states: States) -> None:
    """Nor how many they were."""
    people = {"licenses": [{"$ref": "license.acme", "id": "id"}], "users": ["p1:abc"]}
    states.record(license__acme=LICENSE, assignment__staff=people)
    states.record(assignment__staff={**people, "users": []})

    assert "Nothing has changed" in states.notes("--audience", "team")


def test_the_same_moments_give_the_same_bytes(states: States) -> None:
    """Whatever has happened since."""
    states.record(course__fire=COURSE)
    states.record(course__fire={**COURSE, "title": "Fire"}, criterion__fire=RULE)
    first = [states.notes("--format", form) for form in ("markdown", "html", "json")]
    states.record(course__fire={**COURSE, "title": "Later"})

    assert first == [states.notes("--format", form) for form in ("markdown", "html", "json")]


def test_a_description_is_one_line(states: States) -> None:
    """Whatever lines it has, and marks at the beginning of these."""
    states.record(course__fire={**COURSE, "description": "For all\n\n# who work 火 here"})

    assert "For all # who work 火 here" in lines(states.notes(span="..1"))


def test_html_shows_titles_as_text(states: States) -> None:
    """A title that looks like markup does nothing."""
    states.record(course__fire={**COURSE, "title": "<script>alert(1)</script>"})

    page = states.notes("--format", "html", span="..1")
    assert "&lt;script&gt;" in page
    assert "<script" not in page


def test_a_team_brings_its_own_words_and_page(states: States) -> None:
    """What its files leave out is taken from those of lmssync."""
    states.work.write(
        "notes/fr.toml", '[headings]\ncosts = "Le prix"\n[fields]\npriceInCents = "Prix"\n'
    )
    states.work.write(
        "notes/page.md.jinja", "{% for page in pages %}{{ page.sections }}{% endfor %}"
    )
    states.record(course__fire=COURSE)
    states.record(course__fire={**COURSE, "priceInCents": 3_400})

    notes = states.notes("--language", "fr", "--templates", "notes")
    assert "Le prix" in notes
    assert "Prix: 34.00 EUR" in notes


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("en.toml", "[sentences\n", "en.toml: "),
        ("en.toml", '[sentences]\nfield = "{color}"\n', "{color}"),
        ("en.toml", 'months = ["January"]\n', "`months` is not written as in lmssync's own files"),
        ("page.md.jinja", "{% for %}", "page.md.jinja: "),
        ("page.md.jinja", "{{ 1 / 0 }}", "page.md.jinja: "),
    ],
)
def test_a_wrong_file_of_a_team_is_named(
    states: States, file: str, text: str, message: str
) -> None:
    """With what is wrong in it; nothing is written."""
    states.work.write(f"notes/{file}", text)
    states.record(course__fire=COURSE)
    states.record(course__fire={**COURSE, "priceInCents": 3_400})

    done = states.work.run("notes", "1..2", "--templates", "notes")
    assert (64, "") == (done.code, done.out)
    assert message in done.err


@pytest.mark.parametrize(
    ("span", "message"),
    [
        ("1", "`1` does not name two moments"),
        ("2..1", "`2..1` ends before it begins"),
        ("1..x", "`x` is neither a time nor a serial"),
        ("1..99", "there is no state of serial 99"),
    ],
)
def test_a_span_that_names_no_two_moments_is_refused(
    states: States, span: str, message: str
) -> None:
    """In words, with what to write."""
    states.record(course__fire=COURSE)
    states.record(course__fire={**COURSE, "title": "Fire"})

    done = states.work.run("notes", span)
    assert 64 == done.code
    assert message in done.err


def test_notes_need_a_state(states: States) -> None:
    """That is no empty page: nothing has been applied yet."""
    done = states.work.run("notes", "..")
    assert (64, "") == (done.code, done.out)
    assert "there is no state yet" in done.err


def test_an_unknown_language_is_refused(states: States) -> None:
    """With the languages that there are."""
    states.record(course__fire=COURSE)

    done = states.work.run("notes", "..1", "--language", "xx")
    assert 64 == done.code
    assert "choose one of de, en" in done.err
