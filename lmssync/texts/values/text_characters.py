"""Characters that are forbidden or usually slips, and texts that are still to be written."""

import re
import unicodedata
from collections.abc import Iterator, Set

from ...problems import Finding, Rule, warning_rule
from ...resource import Path, Place
from ...support.invisible_characters import BLANK_GLYPHS, IGNORABLE
from .text_roles import refusal_error, show_text

BLANK = Rule(
    "blank",
    "A text that people read is blank.",
    "Write some text.",
    wrong='title: " "',
    right="title: Safety",
)
ONE_LINE = Rule(
    "one-line",
    "A text of one line, such as a title, contains a line break or a tab.",
    "Put it on one line; `>-` after the key joins lines.",
    fixed=False,
    wrong='title: "Safety\\nat work"',
    right="title: Safety at work",
)
EDGE_BLANK = warning_rule(
    "edge-blank",
    "A text of one line begins or ends with a space.",
    "Delete it.",
    wrong='title: "Safety "',
    right="title: Safety",
)
INVISIBLE_CHARACTER = warning_rule(
    "invisible-character",
    "A text contains an invisible character, such as a zero width space.",
    "Delete it. Characters that a script or an emoji needs are not reported.",
)
BIDI_CONTROL = warning_rule(
    "bidi-control",
    "A text contains a character that changes the direction of the text after it.",
    "Delete it.",
)
BROKEN_CHARACTER = warning_rule(
    "broken-character",
    "A text contains a character that was lost when it was copied: U+FFFD, or one for private use.",
    "Write the correct one.",
)
NOT_NFC = warning_rule(
    "not-nfc",
    "A text spells a letter and its accent as two characters (it is not in NFC).",
    "Type it again. It is sent as it is; searches compare what was typed.",
)
CONTROL_CHARACTER = Rule(
    "control-character",
    "A text or a file contains an invisible control character.",
    "Delete it.",
    wrong='title: "Safety\\a"',
    right="title: Safety",
)
PLACEHOLDER = warning_rule(
    "placeholder",
    "A text is still to be written, as `lmssync new` leaves it: it begins with `TODO:`, or is "
    "a name, an e-mail address or a host that begins with `TODO`.",
    "Replace it. With `rules: {placeholder: error}`, nothing can be applied until then.",
    wrong='description: "TODO: what it is about"',
    right="description: How to use a guard",
)


CONTROL = "\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x84\\x86-\\x9f\\ufffe\\uffff"
"""What no text may hold, for a character class: tab and the line ends are none of them."""
_CONTROL = re.compile(f"[{CONTROL}]")
_BIDI = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_BLANK = re.compile(f"[\\s{IGNORABLE}{BLANK_GLYPHS}]*")
_ODD = re.compile(
    f"[{IGNORABLE}{BLANK_GLYPHS}\ufffc\ufffd\ue000-\uf8ff](?<![\ufe00-\ufe0f\U000e0100-\U000e01ef])"
)
"""Without the selectors of a variant, which belong to the picture or letter before them."""
_TYPESETTING = frozenset("\u00ad\u034f\u200b\u2060")
"""Where a long text may break, or may not: of use in prose, a slip in a title."""
_MONGOLIAN = frozenset("\u180b\u180c\u180d\u180f")
_JOINERS = frozenset("\u200c\u200d")
_DIRECTIONS = frozenset("\u061c\u200e\u200f")
# Hebrew to the end of Arabic Extended-A, then the presentation forms of both. Exact enough to
# decide whether a text may need marks of direction.
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_WITHOUT_BLANKS = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
"""Scripts that set no blanks between words and mark them with U+200B."""
_FLAG = "\U0001f3f4"
_TAGS = frozenset(chr(point) for point in range(0xE0020, 0xE0080))
"""Characters that follow a black flag and turn it into the flag of a region."""
_LINE_ENDS = re.compile("[\t\n\r\x85\u2028\u2029]")
_SHOWN = 12


def check_clean(text: str) -> str:
    """Returns `text` if it has no control character."""
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    if wrong := find_control(text):
        raise refusal_error(CONTROL_CHARACTER, *wrong)
    return text


def check_control(path: Path, text: str, file: str) -> Iterator[Finding]:
    """Reports the first control character of the file of a body."""
    wrong, first = find_control(text), _CONTROL.search(text)
    if wrong and first:
        place = place_in_body(text, first.start(), file)
        yield CONTROL_CHARACTER.at(path, f"the text {wrong[0]}", wrong[1], place)


def find_control(text: str) -> tuple[str, str] | None:
    """The message about the first control character of a text, and what to do."""
    first = _CONTROL.search(text)
    if not first:
        return None
    return (
        f"contains the control character U+{ord(first[0]):04X}{point_to(text, first.start())}",
        "delete it: it is invisible and the platform may refuse or show it",
    )


def check_visible(text: str) -> str:
    """`text`, if it is clean and has something that can be seen."""
    if text.isascii() and text.isprintable() and text.strip():
        return text
    if _BLANK.fullmatch(check_clean(text)):
        raise refusal_error(BLANK, "is blank", "write something that a learner can read")
    return text


def point_to(text: str, at: int) -> str:
    """Words that point to a character which cannot be seen."""
    # A caret or a column would point between two visible characters, so the words before the place
    # are quoted. `chr(10)`, since an f-string of Python 3.11 takes no backslash.
    before = text[:at]
    if "\n" in before.strip():
        return f" in line {before.count(chr(10)) + 1}"
    shown = before[-_SHOWN:].strip()
    return f" after `{shown}`" if shown.isprintable() and shown else ""


def place_in_body(text: str, at: int, file: str) -> Place | None:
    """The place of a character of a body in its file; None where the manifest itself has the
    text."""
    if not file:
        return None
    return Place(file, text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at))


def check_line(path: Path, text: str) -> Iterator[Finding]:
    if broken := _LINE_ENDS.search(text):
        yield _several_lines(path, text, broken)
    elif text.strip() != text:
        message = f"`{path_name(path)}` {'begins' if text[0].isspace() else 'ends'} with a space"
        hint = "delete it: it is invisible, and searches without it do not find the text"
        yield EDGE_BLANK.at(path, message, hint)
    yield from find_odd_characters(path, text)
    yield from check_composition(path, text)


def _several_lines(path: Path, text: str, broken: re.Match[str]) -> Finding:
    place = point_to(text, broken.start())
    if broken[0] == "\t":
        wrong, hint = f"contains a tab{place}", "write a space instead"
    elif not text[broken.start() :].strip():
        wrong, hint = "ends with a line break", "put it on the line of its key, or write `>-` there"
    else:
        wrong = f"goes over several lines{place}"
        hint = "put it on one line, or write `>-` after its key"
    return ONE_LINE.at(path, f"`{path_name(path)}` {wrong}", hint)


def find_odd_characters(
    path: Path, text: str, fine: Set[str] = frozenset(), file: str = ""
) -> Iterator[Finding]:
    """Characters that are usually there by accident; each rule reports once. `file` is the file of
    a body."""
    if text.isascii() or not _ODD.search(text):
        return
    reported: set[Rule] = set()
    fine = fine | _of_script(text)
    for match in _ODD.finditer(text):
        rule, character, at = _rule_for(match[0]), match[0], match.start()
        if rule in reported or character in fine or _is_joiner(text, at):
            continue
        reported.add(rule)
        harm, hint = _SLIPS[rule]
        point = f"U+{ord(character):04X} ({_name_character(character)}){point_to(text, at)}"
        holder = "the text" if file else f"`{path_name(path)}`"
        message = f"{holder} holds {point}{harm}"
        yield rule.at(path, message, hint, place_in_body(text, at, file))


def check_invisible(path: Path, text: str, file: str = "") -> Iterator[Finding]:
    """Characters that are usually there by accident in a text that a reader may see typeset."""
    return find_odd_characters(path, text, _TYPESETTING, file)


def _rule_for(character: str) -> Rule:
    if character in _BIDI:
        return BIDI_CONTROL
    if "\ufff9" <= character <= "\ufffd" or "\ue000" <= character <= "\uf8ff":
        return BROKEN_CHARACTER
    return INVISIBLE_CHARACTER


_SLIPS = {
    BIDI_CONTROL: (
        ": the text after it may be shown in another order",
        "delete it; in a body, set `dir` on an element",
    ),
    BROKEN_CHARACTER: (
        ": readers see a box or a question mark",
        "write the character that was meant: it was lost when the text was copied",
    ),
    INVISIBLE_CHARACTER: (
        ", which is invisible",
        "delete it: searches without it do not find the text",
    ),
}


def _name_character(character: str) -> str:
    private = "\ue000" <= character <= "\uf8ff"
    return unicodedata.name(character, "private use" if private else "unnamed").lower()


def _of_script(text: str) -> Set[str]:
    """The invisible characters that the scripts and flags of a text need."""
    needed: Set[str] = frozenset()
    if _RIGHT_TO_LEFT.search(text):
        needed |= _DIRECTIONS
    if "\u200b" in text and _WITHOUT_BLANKS.search(text):
        needed |= {"\u200b"}
    return needed | _TAGS if _FLAG in text else needed


def _is_joiner(text: str, at: int) -> bool:
    """True for what joins letters, or pictures, or keeps letters apart that would be joined."""
    if text[at] in _MONGOLIAN:  # they choose the shape of the letter before them
        return "\u1820" <= text[at - 1 : at] <= "\u18aa"
    if text[at] not in _JOINERS:
        return False
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    return _is_joined(before) and (_is_joined(after) or text[at] == "\u200c")


def _is_joined(character: str) -> bool:
    """True for letters of scripts that join, for pictures and for what follows a picture."""
    return character >= "\u0600" and not ("\u2000" <= character <= "\u206f")


def check_composition(path: Path, text: str) -> Iterator[Finding]:
    """Letters and their accents as two characters, as file names of some systems have them."""
    if text.isascii() or unicodedata.is_normalized("NFC", text):
        return
    composed = unicodedata.normalize("NFC", text)
    at = next((n for n, (a, b) in enumerate(zip(text, composed, strict=False)) if a != b), 0)
    yield NOT_NFC.at(
        path,
        f"`{path_name(path)}` spells `{composed[at]}` as two characters or an outdated one",
        "type it again: it is sent as it is, and a search for the usual spelling does not find it",
    )


def path_name(path: Path) -> str:
    return next((step for step in reversed(path) if isinstance(step, str)), "text")


MARK = "TODO"
KEY_MARK = "KEY-OF-"
"""How a key begins that is still to be chosen, as in `course: KEY-OF-THE-COURSE`."""
_PLACEHOLDER = re.compile(rf"(?:https?://)?{MARK}[-:.@]")
"""`TODO: what it is about`, `TODO-SLUG`, `TODO@example.com`, `https://TODO.example.com`. In some
languages the letters are a word: without what follows them they mean nothing here."""


def find_placeholder(path: Path, text: str, file: str = "") -> Iterator[Finding]:
    if _PLACEHOLDER.match(text):
        holder = "the text" if file else f"`{path_name(path)}`"
        message = f"{holder} is still the placeholder `{show_text(text.strip())}`"
        hint = "replace it, or delete the field if it is optional"
        yield PLACEHOLDER.at(path, message, hint, place_in_body(text, 0, file))
