"""Compares texts as people see them, and shows differences that people could not see."""

import unicodedata

from ..visible import UNSEEN, spelled, visible


def alike(text: str) -> str:
    """The same for all texts that look the same."""
    return " ".join(unicodedata.normalize("NFC", visible(text)).split())


def exact(text: str) -> str:
    r"""The same for no two texts: odd blanks, blanks at an edge and accents are written out."""
    inner = text.strip(" ")
    before, _, after = text.partition(inner) if inner else (text, "", "")
    shown = "".join(spelled(c) if _is_odd(c) else c for c in inner.replace("\\", "\\\\"))
    return before.replace(" ", r"\x20") + shown + after.replace(" ", r"\x20")


def _is_odd(character: str) -> bool:
    odd_blank = character.isspace() and character != " "
    return odd_blank or bool(unicodedata.combining(character) or UNSEEN.match(character))
