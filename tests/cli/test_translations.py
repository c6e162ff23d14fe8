"""`lmssync translations`: what a person sees, and what a pipeline fails for."""

import json
import sys
from pathlib import Path

import pytest

from tests import making
from tests.catalog.translations.test_ledger import COURSE

from .conftest import Run


@pytest.fixture
def root(tmp_path: Path, run: Run) -> Path:
    """An article in two languages, accepted and committed."""
    making.write(tmp_path, law=COURSE)
    assert 0 == run("translations", "accept", "*", "-C", tmp_path).code
    making.git(tmp_path, "init", "--quiet")
    making.commit(tmp_path)
    return tmp_path


def edit(root: Path, before: str, after: str) -> None:
    file = root / "law.yaml"
    file.write_text(file.read_text().replace(before, after))


def test_a_stale_passage_is_shown_in_both_languages(root: Path, run: Run):
    """With the share that is up to date."""
    edit(root, "Two.", "Twice.")
    out = run("translations", "-C", root).out
    assert "“The law” in de: 3 of 4 passages up to date (75 %), 1 stale  course.law\n" in out
    assert "  law.yaml:14: stale: passage 2 of page “The law” (main)\n" in out
    assert "      source: Twice.\n      de: Zwei.\n" in out


def test_a_change_fails_for_what_it_made_stale(root: Path, run: Run):
    """Nothing else: what was stale before is not its fault."""
    edit(root, "One.", "First.")
    making.commit(root)
    assert 0 == run("translations", "--since", "HEAD", "-C", root).code
    edit(root, "Two.", "Twice.")
    ran = run("translations", "--since", "HEAD", "-C", root)
    assert 3 == ran.code
    assert "“The law” in de: 1 passage made stale  course.law" in ran.out
    assert "First." not in ran.out


@pytest.mark.parametrize("wrong", ["title: [", "titel: x"])
def test_what_cannot_be_read_is_named(root: Path, run: Run, wrong: str):
    """With --since it ends with 3: nobody knows what the change has done."""
    edit(root, "title: The law\narticle", f"{wrong}\narticle")
    ran = run("translations", "--since", "HEAD", "-C", root)
    assert 3 == ran.code
    assert "translations of law.yaml cannot be judged" in ran.err
    assert "makes no translation stale" not in ran.out
    ran = run("translations", "-C", root)
    assert (0, "No translation of what can be read is to be shown.\n") == (ran.code, ran.out)


@pytest.mark.parametrize("way", ["key", "file"])
def test_lost_entries_of_a_ledger_fail_the_change(root: Path, run: Run, way: str):
    """The key is another one without `moved`, or the manifest has another name."""
    if way == "key":
        edit(root, "key: law", "key: act")
    else:
        (root / "law.yaml").rename(root / "act.yaml")
    ran = run("translations", "--since", "HEAD", "-C", root)
    assert 3 == ran.code
    assert "“The law” in de: 4 accepted passages lost  course." in ran.out
    assert "under `moved`" in ran.out


def test_a_manifest_that_moves_with_its_ledger_loses_nothing(root: Path, run: Run):
    """Nor does a key that `moved` explains."""
    edit(root, "key: law", "key: act\nmoved: [{from: course.law}]")
    (root / "law.yaml").rename(root / "act.yaml")
    (root / "law.translations.json").rename(root / "act.translations.json")
    assert 0 == run("translations", "--since", "HEAD", "-C", root).code


def test_programs_get_each_passage(root: Path, run: Run):
    """With the numbers of each course and language."""
    edit(root, "Two.", "Twice.")
    found = json.loads(run("translations", "--json", "-C", root).out)
    assert [3, 1, 0, 0] == [
        found["translations"][0][name] for name in ("upToDate", "stale", "neverAccepted", "missing")
    ]
    assert [("Twice.", "law.yaml", 14)] == [
        (one["source"], one["file"], one["line"]) for one in found["passages"]
    ]


def test_an_accept_says_what_stays_stale(root: Path, run: Run):
    """And which option takes it as it is."""
    edit(root, "Two.", "Twice.")
    out = run("translations", "accept", "course.law", "-C", root).out
    assert "Accepted: 0 passages." in out
    assert "Still stale: 1 passage whose translation is as it was." in out
    out = run("translations", "accept", "course.law", "--unedited", "-C", root).out
    assert "Accepted: 1 passage.\n  wrote law.translations.json\n" in out


def test_options_of_the_group_are_not_lost(root: Path, run: Run):
    """They belong behind the name of a command."""
    ran = run("translations", "--language", "de", "accept", "*", "-C", root)
    assert 64 == ran.code
    assert "--language is before `accept`" in ran.err


def test_an_accept_of_nothing_is_refused(root: Path, run: Run):
    """A language that no page has is a slip."""
    ran = run("translations", "accept", "*", "--language", "fr", "-C", root)
    assert 64 == ran.code


def test_a_file_goes_out_and_comes_back(root: Path, run: Run, tmp_path: Path):
    """What comes back is written and accepted."""
    edit(root, "Two.", "Twice.")
    file = tmp_path / "de.xlf"
    order = ("--language", "de", "--source-language", "en", "--out", file, "-C", root)
    assert f"wrote 4 passages to {file}\n" == run("translations", "export", *order).out
    file.write_text(file.read_text().replace("Zwei.", "Zweimal."))
    assert (
        "Imported: 4 passages in de.\n  wrote law.translations.json\n  wrote law.yaml\n"
        == run("translations", "import", file, "-C", root).out
    )
    assert 0 == run("translations", "--since", "HEAD", "-C", root).code
    assert "Nothing to translate" in run("translations", "export", *order).out


def test_a_passage_of_an_older_source_ends_with_7(root: Path, run: Run, tmp_path: Path):
    """The others are written."""
    file = tmp_path / "de.xlf"
    order = ("--language", "de", "--source-language", "en", "--all", "--out", file)
    run("translations", "export", *order, "-C", root)
    edit(root, "Two.", "Twice.")
    ran = run("translations", "import", file, "-C", root)
    assert 7 == ran.code
    assert "left out: 1 passage whose source has changed since the export" in ran.out


def test_an_export_needs_the_language_of_the_sources(root: Path, run: Run, tmp_path: Path):
    """Where no article names its own."""
    order = ("--language", "fr", "--out", tmp_path / "fr.xlf", "-C", root)
    ran = run("translations", "export", *order)
    assert 64 == ran.code
    assert "name it with `--source-language`" in ran.err


@pytest.mark.parametrize(
    ("tag", "said"),
    [
        ("", "not a language tag"),
        ("de fr", "not a language tag"),
        ("../x", "not a language tag"),
        ("EN", "the pages are in `en` already"),
    ],
)
def test_an_export_into_no_language_is_refused(
    root: Path, run: Run, tmp_path: Path, tag: str, said: str
):
    """A slip would be a language of every page, once it comes back."""
    order = ("--language", tag, "--source-language", "en", "--out", tmp_path / "x.xlf")
    ran = run("translations", "export", *order, "-C", root)
    assert 64 == ran.code
    assert said in ran.err


def test_an_export_overwrites_no_file_of_the_catalog(root: Path, run: Run):
    """But an export that was written before."""
    order = ("--language", "fr", "--source-language", "en", "-C", root, "--out")
    ran = run("translations", "export", *order, root / "law.yaml")
    assert 64 == ran.code
    assert "law.yaml is a file of the catalog" in ran.err
    assert COURSE == (root / "law.yaml").read_text()
    for _ in range(2):
        assert 0 == run("translations", "export", *order, root / "fr.xlf").code


def test_without_the_library_the_refusal_names_the_command(
    root: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """It adds the extra to this installation."""
    monkeypatch.setitem(sys.modules, "translate.storage", None)
    order = ("--language", "fr", "--source-language", "en", "--out", tmp_path / "fr.xlf")
    ran = run("translations", "export", *order, "-C", root)
    assert 64 == ran.code
    assert "[translations]'` installs them" in ran.err


def test_the_preview_marks_what_is_stale(root: Path, run: Run, tmp_path: Path):
    """Beside the language of the page, with both texts."""
    edit(root, "Two.", "Twice.")
    run("preview", "--out", tmp_path / "pages", "-C", root)
    page = (tmp_path / "pages/course-law.html").read_text()
    assert '<span class="badge draft">1 out of date</span>' in page
    assert '<b>Stale:</b> Twice.<br><span class="quiet">Zwei.</span>' in page


def test_the_preview_does_without_a_damaged_ledger(root: Path, run: Run, tmp_path: Path):
    """`validate` names it."""
    (root / "law.translations.json").write_text("{}")
    assert 0 == run("preview", "--out", tmp_path / "pages", "-C", root).code
