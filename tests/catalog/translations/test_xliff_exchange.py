"""Translations go out as XLIFF 2 and come back into manifests."""

from collections.abc import Callable
from pathlib import Path

import pytest
from translate.storage.xliff2 import Xliff2File

from lmssync.catalog.catalog_validation import load_readable_part
from lmssync.catalog.manifests.catalog import Catalog
from lmssync.catalog.translations.passage_comparison import TranslatedPassage
from lmssync.catalog.translations.translation_ledger import Ledgers
from lmssync.catalog.translations.xliff_exchange import (
    Imported,
    compare_language,
    import_targets,
    read_xliff,
    write_xliff,
)
from lmssync.errors import LmssyncError
from lmssync.problems import Problem
from tests import making

from .test_ledger import COURSE, accept, behind, edit

Translate = Callable[[str], str | None]
"""The translation of a source, or nothing."""


def passages(root: Path, language: str) -> list[TranslatedPassage]:
    resources = making.loaded(root).resources.values()
    return compare_language(resources, language, Ledgers(root))


def reread(root: Path) -> tuple[Catalog, list[Problem]]:
    return load_readable_part(root, None, {})


def translate(raw: bytes, by: Translate) -> bytes:
    """What the program of a translator makes of a file."""
    store = Xliff2File.parsestring(raw)
    for unit in store.units:
        if text := by(unit.source):
            unit.target = text
            unit.marktranslated()
    return bytes(store)


def send_and_return(root: Path, language: str, by: Translate) -> Imported:
    raw = translate(write_xliff(passages(root, language), "en", language), by)
    found, targets = read_xliff(raw, "file.xlf")
    return import_targets(lambda: reread(root), found, targets)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """An article in two languages, whose German was accepted."""
    making.write(tmp_path, law=COURSE)
    accept(tmp_path)
    return tmp_path


def test_a_file_has_each_passage_with_its_state(root: Path):
    """What is up to date is final, and what is stale has to be translated."""
    edit(root, ("Two.", "Twice."))
    store = Xliff2File.parsestring(write_xliff(passages(root, "de"), "en", "de"))
    assert ("en", "de") == (store.getsourcelanguage(), store.gettargetlanguage())
    assert [
        ("The law", "Das Gesetz", "final"),
        ("One.", "Eins.", "final"),
        ("Twice.", "Zwei.", "initial"),
        ("Three.", "Drei.", "final"),
    ] == [(one.source, one.target, one.xmlelement.get("state")) for one in store.units]


def test_a_passage_goes_into_the_manifest(root: Path):
    """The others stay as they were written."""
    edit(root, ("Two.", "Twice."))
    done = send_and_return(root, "de", {"Twice.": "Zweimal."}.get)
    assert ["law.yaml"] == done.files
    assert (
        COURSE.replace("Two.", "Twice.").replace("Zwei.", "Zweimal.")
        == (root / "law.yaml").read_text()
    )


def test_a_body_in_a_file_is_written_there(root: Path):
    """Where the other translations of the page are."""
    making.put(root, "law.de.md", "Eins.\n\nZwei.\n\nDrei.\n")
    text = COURSE[: COURSE.rindex("markdown")] + "bodyFile: law.de.md\n"
    making.put(root, "law.yaml", text)
    done = send_and_return(root, "de", {"Two.": "Zweitens."}.get)
    assert ["law.de.md"] == done.files
    assert "Eins.\n\nZweitens.\n\nDrei.\n" == (root / "law.de.md").read_text()


@pytest.mark.parametrize("other", ["source", "page"])
def test_a_file_that_something_else_uses_is_not_written(root: Path, other: str):
    """The body of the source, or of another page, would change with it."""
    making.put(root, "law.de.md", "Eins.\n\nZwei.\n\nDrei.\n")
    text = COURSE[: COURSE.rindex("markdown")] + "bodyFile: law.de.md\n"
    if other == "source":
        text = text.replace(
            "markdown: |\n    One.\n\n    Two.\n\n    Three.\n", "bodyFile: law.de.md\n"
        )
    else:
        making.put(root, "act.yaml", text.replace("key: law", "key: act").replace("Two.", "2."))
    making.put(root, "law.yaml", text)
    done = send_and_return(root, "de", {"Two.": "Zweitens.", "Zwei.": "Zweitens."}.get)
    why = "law.de.md is also the body of another page or language"
    assert ([], {why}) == (done.files, {why for _, why in done.left})


def test_the_lines_of_a_title_are_joined(root: Path):
    """A title has one line."""
    send_and_return(root, "de", {"The law": "Das\n Recht"}.get)
    assert "title: Das Recht\n" in (root / "law.yaml").read_text()


def test_a_page_that_would_be_invalid_is_left_out(root: Path):
    """The other pages are written."""
    making.put(root, "act.yaml", COURSE.replace("key: law", "key: act").replace("The law", "Act"))
    making.put(root, "lmssync.yaml", f"{making.PROJECT}rules: {{invisible-character: error}}\n")
    done = send_and_return(root, "de", {"The law": "Neu", "Act": "\u200b"}.get)
    assert ["law.yaml"] == done.files
    ((page, why),) = done.left
    assert "course.act" == str(page.page.resource.address)
    assert why.startswith("the catalog would have an error: ")


def test_a_new_language_is_added_once_it_is_whole(root: Path):
    """Until then the page is named, with what is missing."""
    done = send_and_return(root, "fr", {"One.": "Un."}.get)
    assert ([], {"2 of 3 passages of its text are not translated"}) == (
        done.files,
        {why for _, why in done.left},
    )
    done = send_and_return(root, "fr", lambda source: f"fr {source}")
    assert ["law.yaml"] == done.files
    page = passages(root, "fr")[0].page
    assert "fr One.\n\nfr Two.\n\nfr Three.\n" == page.languages["fr"].body[0]
    assert ["de", "fr"] == list(page.languages)


def test_a_source_that_changed_meanwhile_is_left_out(root: Path):
    """Its translation was made from another text."""
    raw = translate(write_xliff(passages(root, "de"), "en", "de"), lambda text: f"neu {text}")
    edit(root, ("Two.", "Twice."))
    _, targets = read_xliff(raw, "file.xlf")
    done = import_targets(lambda: reread(root), "de", targets)
    assert 1 == done.unknown
    assert "neu One.\n\n        Zwei.\n\n        neu Three." in (root / "law.yaml").read_text()
    assert ["stale"] == [state for state, *_ in behind(root) if state == "stale"]


def test_a_body_with_other_passages_is_built_like_its_source(tmp_path: Path):
    """The translator has joined two paragraphs before; now each is translated by itself."""
    making.write(tmp_path, law=COURSE.replace("Eins.\n\n        Zwei.", "Eins. Zwei."))
    send_and_return(tmp_path, "de", {"One.": "I", "Two.": "II", "Three.": "III"}.get)
    assert "I\n\nII\n\nIII\n" == passages(tmp_path, "de")[0].page.languages["de"].body[0]


def test_a_body_keeps_its_translations_beside_added_and_removed_passages(root: Path):
    """Two and Three were translated already, at other positions."""
    edit(root, ("    One.\n\n", ""), ("    Three.\n", "    Three.\n\n    Four.\n"))
    send_and_return(root, "de", {"Four.": "Vier."}.get)
    text = passages(root, "de")[0].page.languages["de"].body[0]
    assert ["Zwei.", "Drei.", "Vier."] == text.split()


def test_a_manifest_of_a_template_is_named(tmp_path: Path):
    """Nobody knows where in the template a text comes from."""
    making.put(tmp_path, "law.yaml.j2", COURSE)
    making.put(tmp_path, "lmssync.yaml", making.PROJECT)
    done = send_and_return(tmp_path, "de", {"Two.": "Zweitens."}.get)
    assert ["it comes from law.yaml.j2"] == [why for _, why in done.left]


@pytest.mark.parametrize("text", ["Zwei.\n\nUnd drei.", "[Zwei](https://a.example).", "Zwei<b>."])
def test_other_markup_than_that_of_the_source_is_left_out(root: Path, text: str):
    """A passage that was split in two, or has a link or a tag more, is not written."""
    edit(root, ("Two.", "Twice."))
    done = send_and_return(root, "de", {"Twice.": text}.get)
    assert ([], 1) == (done.files, len(done.left))
    assert "has too many of" in done.left[0][1]


def test_a_unit_of_several_segments_is_one_passage(root: Path):
    """With what is between them; the segments may have ids of their own."""
    edit(root, ("Two.", "Twice. Thrice."))
    raw = write_xliff(passages(root, "de"), "en", "de").replace(
        b"<source>Twice. Thrice.</source>\n        <target>Zwei.</target>",
        b"<source>Twice.</source><target>Doppelt.</target></segment><ignorable><source> </source>"
        b"</ignorable><segment id='s2'><source>Thrice.</source><target>Dreifach.</target>",
    )
    _, targets = read_xliff(raw, "file.xlf")
    assert "Doppelt. Dreifach." in {target.text for target in targets.values()}


def test_two_translations_of_a_unit_are_refused(root: Path):
    """Nobody knows which one is meant."""
    raw = write_xliff(passages(root, "de"), "en", "de")
    unit = raw[raw.index(b"<unit") : raw.index(b"</unit>") + len(b"</unit>")]
    double = raw.replace(unit, unit + unit.replace(b"<target>", b"<target>Doch "), 1)
    with pytest.raises(LmssyncError, match="has two translations of the unit"):
        read_xliff(double, "file.xlf")


def test_the_language_of_a_page_is_no_translation_of_it(tmp_path: Path):
    """An export into German that says it is in English changes nothing."""
    making.write(
        tmp_path, law=COURSE.replace("articleVariant:\n", "articleVariant:\n  language: en\n")
    )
    done = send_and_return(tmp_path, "en", {"Two.": "Zwei."}.get)
    assert ["`en` is the language of the page itself"] == [why for _, why in done.left]


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "is not a file of XLIFF 2"),
        (b"<a/>", "is not a file of XLIFF 2"),
        (b"<xliff version='1.2' xmlns='urn:oasis:names:tc:xliff:document:1.2'/>", "XLIFF 1"),
        (
            b"<xliff version='2.0' xmlns='urn:oasis:names:tc:xliff:document:2.0' srcLang='en'/>",
            "does not say into which language it is",
        ),
    ],
)
def test_what_is_no_xliff_is_refused(raw: bytes, said: str):
    """With the name of the file."""
    with pytest.raises(LmssyncError, match=rf"^file\.xlf .*{said}"):
        read_xliff(raw, "file.xlf")
