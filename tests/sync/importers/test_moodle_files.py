"""Which file of a Moodle backup a text shows: names alone do not say it."""

from pathlib import Path

from . import sources
from .conftest import Bring
from .test_quiz_questions import questions_below

BANK = """<question_bank_entry id="70"><question id="700"><qtype>{}</qtype>{}</question>
</question_bank_entry>"""
SLOT = "<question_instance><questionid>700</questionid></question_instance>"
PICTURE = '&lt;img src="@@PLUGINFILE@@/a.png" alt="A"&gt;'


def make_files(*rows: tuple[str, str, int]) -> sources.Contents:
    """The files `a.png` of a component, an area and an item, each with a digest of its number."""
    listed = "".join(
        f"<file><contenthash>f{number}</contenthash><contextid>92</contextid>"
        f"<component>{component}</component><filearea>{area}</filearea><itemid>{item}</itemid>"
        "<filepath>/</filepath><filename>a.png</filename></file>"
        for number, (component, area, item) in enumerate(rows)
    )
    bytes_ = {f"files/f{number}/f{number}": f"picture {number}" for number in range(len(rows))}
    return {"files.xml": f"<files>{listed}</files>", **bytes_}


def import_quiz(root: Path, bring: Bring, question: str, files: sources.Contents) -> str:
    """The text for the questions of a quiz with this one question."""
    quiz = sources.activity(3, "quiz", "Check", SLOT)
    contents = {**sources.MOODLE, **quiz, **files, "questions.xml": question}
    bring("moodle", sources.tar_gz(root / "a.mbz", contents))
    (text,) = questions_below(root).values()
    return text


def test_chapters_show_their_own_pictures(tmp_path: Path, bring: Bring):
    """Although those of two chapters have the same name."""
    chapters = "".join(
        f'<chapter id="{id_}"><title>C{id_}</title><content>{PICTURE}</content></chapter>'
        for id_ in (1, 2)
    )
    files = make_files(("mod_book", "chapter", 2), ("mod_book", "chapter", 1))
    book = sources.activity(2, "book", "Handbook", f"<chapters>{chapters}</chapters>")
    where = sources.tar_gz(tmp_path / "a.mbz", {**sources.MOODLE, **book, **files})
    (course,) = bring("moodle", where)
    wanted = [("files/f1/f1", "assets/a.png"), ("files/f0/f0", "assets/a-2.png")]
    assert wanted == [(one.source, one.file) for one in course.copies]


def test_answers_and_feedback_show_their_own_pictures(tmp_path: Path, bring: Bring):
    """Their files belong to the answer, and not to the question."""
    answer = f"<answertext>{PICTURE}</answertext><feedback>{PICTURE}</feedback>"
    answers = f'<answer id="8">{answer}</answer><answer id="9">{answer}</answer>'
    areas = (("answer", 8), ("answer", 9), ("answerfeedback", 8), ("answerfeedback", 9))
    files = make_files(*(("question", *area) for area in areas))
    text = import_quiz(tmp_path, bring, BANK.format("multichoice", answers), files)
    assert [1, 1, 1, 1] == [text.count(f"/a{number}.png") for number in ("", "-2", "-3", "-4")]


def test_pieces_on_a_picture_are_shown_with_it(tmp_path: Path, bring: Bring):
    """No text of the question names these files."""
    drag = '<questiontext>Drag</questiontext><drag id="9"><no>1</no></drag>'
    component = "qtype_ddimageortext"
    files = make_files((component, "bgimage", 700), (component, "dragimage", 9))
    text = import_quiz(tmp_path, bring, BANK.format("ddimageortext", drag), files)
    assert "Drag\n\n![a.png](../../../assets/a.png)" in text
    assert "- piece 1 ![a.png](../../../assets/a-2.png)" in text
