"""Texts of others, made fit for a line that people and programs read."""

import re

_UNSEEN = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffe\uffff\ud800-\udfff]"
)
"""Controls, other ends of lines, turns of direction, and what neither UTF-8 nor XML can hold."""


def visible(text: str) -> str:
    r"""The text on one line, with what cannot be seen or sent written out: `\n`, `\x1b`.

    A name of a file may hold bytes that are no UTF-8, a value that an author wrote and a message
    of the platform may hold anything: a terminal, a log and a parser must not be led by it.
    """
    if text.isascii() and text.isprintable():
        return text
    return _UNSEEN.sub(lambda found: found[0].encode("unicode_escape").decode(), text)
