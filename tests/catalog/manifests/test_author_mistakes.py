"""What authors get wrong most often, and what they see: the place, the cause and the remedy."""

from pathlib import Path

import pytest

from tests import making

COURSE = """\
resource: course
key: fire
kind: courseGroup
title: Fire safety
sku: FS-1
status: draft
tags: [Safety]
priceInCents: 4900
sections:
  - id: start
    title: Start
    lessons:
      - id: why
        title: Why it burns
        openType: open
        topics:
          - id: hello
            title: Hello
            type: text
            markdown: Hello.
"""
NEXT_TOPIC = "            id: bye\n            title: Bye\n            type: text\n"
SECOND_DOCUMENT = "resource: course\nkey: b\nkind: courseGroup\ntitle: B\n"

MISTAKES = {
    "a tab": ("    title: Start", "\ttitle: Start", "11:1", "a tab", "indent with spaces"),
    "a missing dash": ("  - id: start", "    id: start", "9:1", "must be a list", "`- id: ...`"),
    "a second item without a dash": (
        "markdown: Hello.\n",
        f"markdown: Hello.\n{NEXT_TOPIC}",
        "21:13",
        "the key `id` is given twice in one item",
        "write `- id:` if another item",
    ),
    "no blank after a dash": ("- id: start", "-id: start", "10:3", "after the dash", "write one"),
    "no blank after the dash of a text": ("[Safety]", "\n  -Safety", "7:1", "a list", "`- Safety`"),
    "no blank after a colon": ("sku: ", "sku:", "5:4", "no blank after the colon", "a blank there"),
    "an unclosed quote": (": Hello", ': "Hello', "18:20", "opened here but never", "close it"),
    "a quote that a later one closes": (
        "title: Fire safety\nsku: FS-1",
        'title: "Fire safety\nsku: "FS-1"',
        "4:8",
        "a quote is opened here but not closed, so that the next quote, on line 5, seems to",
        "close it where the text ends",
    ),
    "a quote that one far below closes": (
        "title: Fire safety",
        "title: 'Fire safety\nauthors: [Ana]\nmetaTitle: 'Fire'",
        "4:8",
        "the next quote, on line 6, seems to close it",
        "close it where the text ends",
    ),
    "an apostrophe": (": Fire", ": 'Don't burn'", "4:13", "follows a closing quote", "write ''"),
    "lessons in the column of the dash": (
        "    lessons:",
        "  lessons:",
        "12:3",
        "a line among the items of a list is not an item",
        "indent it like the keys of the item above it",
    ),
    "lessons at the margin": (
        "    lessons:",
        "lessons:",
        "12:1",
        "there is no field `lessons` here",
        "`lessons` belongs in `sections[]`",
    ),
    "lessons too far in": (
        "    lessons:",
        "      lessons:",
        "12:7",
        "the line is indented further than the key that it belongs next to",
        "start it in the same column",
    ),
    "a capital": ("resource:", "Resource:", "1:1", "`resource` is missing", "in small letters"),
    "a word in place of a kind": (": course\n", ": curse\n", "1:1", "`curse`", "`course`?"),
    "a comma after a quoted line": ("FS-1", '"FS-1",', "5:12", "a `,` where", "delete it"),
    "a day that does not exist": (
        "status: draft",
        "publishDate: 2027-02-30",
        "6:1",
        "which does not exist: February 2027 has 28 days",
        "such as 2027-02-28",
    ),
    "a colon in a title": ("Fire safety", "Fire: a", "4:12", "a second `: `", "text in quotes"),
    "a number sign": ("Fire safety", "#1 Fire", "4:1", "`title` is empty", "begins with `#`"),
    "a star": ("Fire safety", "*new*", "4:8", "`*new*` refers to", "in quotes"),
    "a misspelled word": ("draft", "drft", "6:1", "is `drft`", "did you mean `draft`?"),
    "a missing file": ("markdown: Hello.", "bodyFile: helo.md", "20:13", "no file", "`hello.md`?"),
    "a key twice": ("sku: FS-1", "title: Fire", "5:1", "`title` is given twice", "keep one"),
    "two documents in one": (
        "sections:",
        f"{SECOND_DOCUMENT}sections:",
        "9:1",
        "the key `resource` is given twice",
        "write `---` above it",
    ),
    "a price with a comma": ("4900", "49,00", "8:1", "is the text `49,00`", "write 4900"),
    "a price with a sign": ("4900", "49.00 €", "8:1", "is the text `49.00 €`", "write 4900"),
    "a list as a text": ("[Safety]", "Safety, Fire", "7:1", "be a list", "`tags: [Safety, Fire]`"),
    "an unclosed bracket": ("[Safety]", "[Safety", "7:7", "a `[` is not closed", "with `]`"),
    "a number as a title": ("Fire safety", "2027", "4:1", "is the number 2027", '("2027")'),
    "a path of Windows": (": Hello.", r': "a\hello"', "20:26", r"`\h` means nothing", "quotes"),
    "a no-break space": (": Fire", ":\u00a0Fire", "4:7", "a no-break space", "a plain space"),
    "a full-width colon": ("title: Fire", "title\uff1aFire", "4:6", "full-width", "plain colon"),
    "an unfinished merge": ("sku: FS-1", "<<<<<<< HEAD", "5:1", "unfinished merge", "keep one"),
}


@pytest.mark.parametrize(
    ("before", "after", "place", "cause", "remedy"), MISTAKES.values(), ids=list(MISTAKES)
)
def test_a_mistake_is_shown_where_it_was_made(
    tmp_path: Path, before: str, after: str, place: str, cause: str, remedy: str
):
    """One problem has the place, what is wrong there, and what to write."""
    assert before in COURSE
    making.put(tmp_path, "hello.md", "Hello.")
    root = making.write(tmp_path, fire=COURSE.replace(before, after, 1))
    found = {str(one.where): (one.message, one.hint) for one in making.problems(root)}
    message, hint = found.get(f"fire.yaml:{place}", (str(found), ""))
    assert cause in message
    assert remedy in hint


def test_the_encoding_of_windows_is_shown_at_its_letter(tmp_path: Path):
    """The column is that of the first letter that is not UTF-8, and the letter is named."""
    making.put(tmp_path, "lmssync.yaml", making.PROJECT)
    making.put(tmp_path, "fire.yaml", "key: a\ntitle: Notausgänge".encode("cp1252"))
    (found,) = making.problems(tmp_path)
    assert ("fire.yaml:2:15", "save the file as UTF-8") == (str(found.where), found.hint)
    assert "byte 0xe4 is not UTF-8; in the encoding of Windows it is `ä`" == found.message


def test_the_course_itself_is_valid(tmp_path: Path):
    """Each mistake of the table is the only one."""
    assert [] == making.problems(making.write(tmp_path, fire=COURSE))
