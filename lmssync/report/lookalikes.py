"""Texts that look the same: which they are, and how they differ, by the names of characters."""

import unicodedata
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from ..support.visible import UNSEEN, escape_invisible, spell_character

_CONTROLS = {"\t": "TAB", "\n": "LINE FEED", "\r": "CARRIAGE RETURN"}
"""Unicode gives controls no names."""
_NAMED = 4
"""How many differences are named."""
_LONG = 400
"""Characters beyond which the middle of two texts is not compared one by one."""


def text_as_seen(text: str) -> str:
    """The same for all texts that look the same."""
    return " ".join(unicodedata.normalize("NFC", escape_invisible(text)).split())


def text_exactly(text: str) -> str:
    r"""The same for no two texts: odd blanks, blanks at an edge and accents are written out."""
    inner = text.strip(" ")
    before, _, after = text.partition(inner) if inner else (text, "", "")
    shown = "".join(spell_character(c) if _is_odd(c) else c for c in inner.replace("\\", "\\\\"))
    return before.replace(" ", r"\x20") + shown + after.replace(" ", r"\x20")


def _is_odd(character: str) -> bool:
    odd_blank = character.isspace() and character != " "
    return odd_blank or bool(unicodedata.combining(character) or UNSEEN.match(character))


def name_differences(before: str, after: str) -> str:
    """`U+0020 SPACE → U+00A0 NO-BREAK SPACE`; empty for texts that look different."""
    if before == after or not (
        _seen_text(before) == _seen_text(after) or _look_alike(before, after)
    ):
        return ""
    start, (old, new) = differing_middle(before, after)
    named = list(dict.fromkeys(_differences(before[start:old], after[start:new])))
    more = f" and {len(named) - _NAMED:,} more" if len(named) > _NAMED else ""
    return ", ".join(named[:_NAMED]) + more


def _seen_text(text: str) -> str:
    """What people see of a text: blanks are one blank, accents are spelled one way."""
    return UNSEEN.sub("", " ".join(unicodedata.normalize("NFC", text).split()))


def _look_alike(before: str, after: str) -> bool:
    """True if each character is the same or looks like the other one, as hyphens do."""
    if len(before) != len(after):
        return False
    return all(_akin(a, b) for a, b in zip(before, after, strict=True) if a != b)


def _akin(one: str, other: str) -> bool:
    """A guess, since Python has no table of confusable characters; an extra note does no harm."""
    if one.isalpha() and other.isalpha():
        return one.isupper() == other.isupper() and _script(one) != _script(other)
    kinds = {unicodedata.category(one), unicodedata.category(other)}
    folded = {unicodedata.normalize("NFKC", c) for c in (one, other)}
    return len(folded) == 1 or kinds == {"Pd"}


def _script(letter: str) -> str:
    """`LATIN`, `CYRILLIC`: the first word of the name."""
    return unicodedata.name(letter, "").partition(" ")[0]


def _differences(before: str, after: str) -> Iterator[str]:
    if len(before) == len(after):
        pairs = zip(before, after, strict=True)
        yield from (f"{_names(a)} → {_names(b)}" for a, b in pairs if a != b)
        return
    if max(len(before), len(after)) > _LONG:
        yield f"{len(before):,} characters → {len(after):,}"
        return
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for kind, i, j, k, m in matcher.get_opcodes():
        if kind == "insert":
            yield f"{_names(after[k:m])} added"
        elif kind == "delete":
            yield f"{_names(before[i:j])} removed"
        elif kind == "replace":
            yield f"{_names(before[i:j])} → {_names(after[k:m])}"


def _names(text: str) -> str:
    """Each character by number and name."""
    named = ((ord(c), unicodedata.name(c, _CONTROLS.get(c, ""))) for c in text)
    return " + ".join(f"U+{number:04X} {name}".rstrip() for number, name in named)


def differing_middle(old: Sequence[str], new: Sequence[str]) -> tuple[int, tuple[int, int]]:
    """Where two begin to differ, and where each goes on as the other until the end."""
    least = min(len(old), len(new))
    start = next((n for n in range(least) if old[n] != new[n]), least)
    least -= start
    same = next((n for n in range(least) if old[-1 - n] != new[-1 - n]), least)
    return start, (len(old) - same, len(new) - same)
