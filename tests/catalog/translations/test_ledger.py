"""What the ledger knows of each passage of a translation."""

from pathlib import Path

import pytest

from lmssync.catalog.translations.passage_comparison import (
    PassageState,
    TranslatedPassage,
    accept_passages,
    compare_pages,
)
from lmssync.catalog.translations.translation_ledger import Ledgers
from lmssync.errors import LmssyncError
from tests import making

COURSE = """\
resource: course
key: law
kind: article
title: The law
articleVariant:
  title: The law
  markdown: |
    One.

    Two.

    Three.
  languages:
    - language: de
      title: Das Gesetz
      markdown: |
        Eins.

        Zwei.

        Drei.
"""


def compare(root: Path) -> list[TranslatedPassage]:
    return compare_pages(making.loaded(root).resources.values(), Ledgers(root))


def accept(root: Path, *, unedited: bool = False) -> list[TranslatedPassage]:
    ledgers = Ledgers(root)
    resources = making.loaded(root).resources.values()
    left = accept_passages(compare_pages(resources, ledgers), ledgers, unedited=unedited)
    ledgers.write_files()
    return left


def edit(root: Path, *changes: tuple[str, str]) -> None:
    text = (root / "law.yaml").read_text()
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    (root / "law.yaml").write_text(text)


def behind(root: Path) -> list[tuple[str, str, str]]:
    """What is not up to date: state, source, translation."""
    return [
        (one.state.value, one.source, one.translation)
        for one in compare(root)
        if one.state is not PassageState.CURRENT
    ]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """An article in two languages, whose German was accepted."""
    making.write(tmp_path, law=COURSE)
    accept(tmp_path)
    return tmp_path


def test_nothing_was_accepted_at_first(tmp_path: Path):
    """Each passage has its translation, and the ledger knows of none."""
    making.write(tmp_path, law=COURSE)
    assert {PassageState.UNACCEPTED} == {one.state for one in compare(tmp_path)}


def test_what_was_accepted_is_up_to_date(root: Path):
    """The ledger is beside the manifest; lines that break elsewhere change nothing."""
    assert (root / "law.translations.json").exists()
    edit(root, ("    Two.", "    Two.\n"))
    assert [] == behind(root)


def test_one_changed_paragraph_makes_one_passage_stale(root: Path):
    """Its German passage, and no other one."""
    edit(root, ("Two.", "Twice."))
    assert [("stale", "Twice.", "Zwei.")] == behind(root)


def test_an_added_paragraph_is_missing(root: Path):
    """The passages around it stay up to date."""
    edit(root, ("Two.", "Two.\n\n    Two and a half."))
    assert [("missing", "Two and a half.", "")] == behind(root)


def test_an_added_paragraph_with_its_translation_waits_to_be_accepted(root: Path):
    """Until then it was never accepted."""
    edit(root, ("Two.", "Two.\n\n    More."), ("Zwei.", "Zwei.\n\n        Mehr."))
    assert [("never accepted", "More.", "Mehr.")] == behind(root)
    accept(root)
    assert [] == behind(root)


def test_a_removed_paragraph_leaves_its_translation_stale(root: Path):
    """Until the translation is removed as well."""
    edit(root, ("    Two.\n\n", ""))
    assert [("stale", "", "Zwei.")] == behind(root)
    edit(root, ("        Zwei.\n\n", ""))
    assert [] == behind(root)


def test_an_accept_takes_what_was_translated_again(root: Path):
    """A stale passage whose translation is as it was stays stale, unless somebody says so."""
    edit(root, ("One.", "First."), ("Two.", "Second."), ("Eins.", "Erstens."))
    assert ["Second."] == [one.source for one in accept(root)]
    assert [("stale", "Second.", "Zwei.")] == behind(root)
    accept(root, unedited=True)
    assert [] == behind(root)


def test_a_better_translation_stays_up_to_date(root: Path):
    """Only the source decides."""
    edit(root, ("Zwei.", "Zum Zweiten."))
    assert [] == behind(root)


def test_a_title_is_a_passage(root: Path):
    """So are subtitle and copyright, where the source has them."""
    edit(root, ("  title: The law\n  markdown", "  title: All laws\n  markdown"))
    assert [("stale", "All laws", "Das Gesetz")] == behind(root)


def test_languages_with_other_passages_are_judged_as_a_whole(tmp_path: Path):
    """Where a translator has joined two paragraphs, no passage is shown, but each is judged."""
    making.write(tmp_path, law=COURSE.replace("Eins.\n\n        Zwei.", "Eins. Zwei."))
    accept(tmp_path)
    assert [] == behind(tmp_path)
    edit(tmp_path, ("Two.", "Twice."))
    assert [("stale", "Twice.", "")] == behind(tmp_path)
    edit(tmp_path, ("Eins. Zwei.", "Eins, zweimal."))
    assert [] == accept(tmp_path)
    assert [] == behind(tmp_path)


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"version": 2}', '{"version": 1, "a": {"b": 1}}']
)
def test_a_damaged_ledger_is_refused(root: Path, text: str):
    """The message names the file."""
    (root / "law.translations.json").write_text(text)
    with pytest.raises(LmssyncError, match=r"law\.translations\.json is not a ledger"):
        compare(root)


def test_a_damaged_ledger_is_a_warning_of_validate(root: Path):
    """Every other command that needs no ledger goes on."""
    (root / "law.translations.json").write_text("{}")
    (problem,) = making.problems(root)
    assert ("ledger-damaged", "law.translations.json") == (problem.code, problem.origin.file)


def test_a_course_with_another_key_keeps_its_ledger(root: Path):
    """By what the manifest says under `moved`."""
    edit(root, ("key: law\n", "key: act\nmoved: [{from: course.law}]\n"), ("Two.", "Twice."))
    assert [("stale", "Twice.", "Zwei.")] == behind(root)
    accept(root, unedited=True)
    assert "course.law" not in (root / "law.translations.json").read_text()
    assert [] == behind(root)


def test_a_text_of_passages_that_repeat_is_compared_at_once(tmp_path: Path):
    """Thousands of them, in another order."""
    text = "\n".join("    One.\n\n    Two.\n" for _ in range(1_200))
    making.write(tmp_path, law=COURSE.replace("    One.\n", f"{text}\n    One.\n"))
    accept(tmp_path)
    edit(tmp_path, ("    One.\n\n    Two.\n\n    One.", "    Three.\n\n    One."))
    assert behind(tmp_path)


def test_a_removed_and_an_added_paragraph_are_no_pair(root: Path):
    """Though both languages have three passages again; an accept does not pair them either."""
    edit(root, ("    One.\n\n", ""), ("    Three.\n", "    Three.\n\n    Four.\n"))
    expected = [("stale", "", "Eins."), ("missing", "Four.", "")]
    assert expected == behind(root)
    assert {"", "Four."} == {one.source for one in accept(root)}
    assert expected == behind(root)


def test_an_edited_translation_beside_an_added_paragraph_is_that_of_the_old_one(root: Path):
    """Only the added one is missing, also for an accept."""
    edit(root, ("    Two.\n", "    New.\n\n    Two.\n"), ("Zwei.", "Zum Zweiten."))
    assert [("missing", "New.", "")] == behind(root)
    accept(root)
    assert [("missing", "New.", "")] == behind(root)


def test_a_reordered_source_is_stale_until_the_translation_is_reordered(root: Path):
    """Each passage keeps its translation."""
    edit(root, ("One.\n\n    Two.", "Two.\n\n    One."))
    ((state, *texts),) = behind(root)
    assert "stale" == state
    assert texts in (["Two.", "Zwei."], ["One.", "Eins."])
    assert accept(root)
    edit(root, ("Eins.\n\n        Zwei.", "Zwei.\n\n        Eins."))
    assert [] == behind(root)


def test_a_reordered_source_can_be_accepted_as_it_is(root: Path):
    """Somebody says that the order of the translation is right."""
    edit(root, ("One.\n\n    Two.", "Two.\n\n    One."))
    accept(root, unedited=True)
    assert [] == behind(root)


def test_a_language_of_another_page_is_missing(tmp_path: Path):
    """A course has the languages of all its pages."""
    pages = [
        making.topic(
            "one", "article", markdown="A", languages=[{"language": "de", "markdown": "B"}]
        ),
        making.topic("two", "article", markdown="C"),
        making.topic("three", "text", markdown="D"),
    ]
    resource = making.resource(making.micro("desk", *pages))
    found = [
        (one.page.part, one.field, one.state.value)
        for one in compare_pages([resource], Ledgers(tmp_path))
    ]
    assert [
        ("one", "title", "missing"),
        ("one", "body", "never accepted"),
        ("two", "title", "missing"),
        ("two", "body", "missing"),
    ] == found
