"""Makes foreign texts safe for a line that people and programs read."""

import re

IGNORABLE = (
    r"\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    r"\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U00013430-\U0001343f"
    r"\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""What has the property Default_Ignorable_Code_Point, and format characters (Cf), but for those
that enclose or precede a number and are seen, such as U+0600. For a character class."""
BLANK_GLYPHS = r"\u2800\U0001d159"
"""Signs of which nothing is drawn: the empty Braille pattern and the empty head of a note."""
UNSEEN = re.compile(
    rf"[\x00-\x1f\x7f-\x9f{IGNORABLE}{BLANK_GLYPHS}\u2028\u2029\ufffe\uffff\ud800-\udfff]"
)
"""Controls, other ends of lines, turns of direction, what has no width or no ink, and what neither
UTF-8 nor XML can hold."""
_JOINED = (
    "(?<=[\u0600-\u1fff\u2070-\ud7ff\uf900-\U0001ffff])[\u200c\u200d\ufe0e\ufe0f]"
    "|(?<=[\u1820-\u18aa])[\u180b-\u180d\u180f]"
)
"""Part of a picture, or of a word in a script that joins its letters: not in hiding. It is slow to
compile, which is left to the first text that needs it."""

_HIDDEN = re.compile(rf"(?![\n\r\t]){UNSEEN.pattern}")
"""Without what lays a document out: within its texts, JSON has that escaped already."""
_COMMAND = re.compile(r"##(?=\w*\[)")
"""How commands to some build servers start, anywhere on a line."""


def escape_invisible(text: str, but: str = "") -> str:
    r"""The text on one line, with what cannot be seen or sent written out: `\n`, `\x1b`.

    A name of a file may hold bytes that are no UTF-8, a value that an author wrote and a message
    of the platform may hold anything: a terminal, a log and a parser must not be led by it. What is
    in `but` is left.
    """
    if "##" in text:
        text = _COMMAND.sub(r"#\\x23", text)
    # Nearly every text ends here.
    if text.isascii() and text.isprintable():
        return text
    joined = {match.start() for match in re.finditer(_JOINED, text)}

    def spell_match(match: re.Match[str]) -> str:
        seen = match.start() in joined or match[0] in but
        return match[0] if seen else spell_character(match[0])

    return UNSEEN.sub(spell_match, text)


def in_json(text: str) -> str:
    """JSON for a program, with what cannot be seen in it written as JSON may be."""
    if "##" in text:
        text = _COMMAND.sub(r"#\\u0023", text)
    return text if text.isascii() and "\x7f" not in text else _HIDDEN.sub(_escape_match, text)


def _escape_match(match: re.Match[str]) -> str:
    import json  # hardly any text holds one

    return json.dumps(match[0])[1:-1]


def spell_character(character: str) -> str:
    return character.encode("unicode_escape").decode()
