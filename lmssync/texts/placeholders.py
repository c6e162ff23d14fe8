"""Texts that stand for what is still to be written, as `lmssync new` leaves them behind."""

import re
from collections.abc import Iterator

from ..problems import Finding, Severity
from ..source import Path
from .characters import path_name
from .refusal import shown

MARK = "TODO"
KEY_MARK = "KEY-OF-"
"""How a key begins that is still to be chosen, as in `course: KEY-OF-THE-COURSE`."""
_PLACEHOLDER = re.compile(rf"(?:https?://)?{MARK}[-:.@]")
"""`TODO: what it is about`, `TODO-SLUG`, `TODO@example.com`, `https://TODO.example.com`. In some
languages the letters are a word: without what follows them they mean nothing here."""


def none_in(text: str) -> bool:
    """A quick look: false where a closer one is needed."""
    return text[:4] != MARK


def of_text(path: Path, text: str, name: str = "") -> Iterator[Finding]:
    """Reports a text that is still a placeholder."""
    if _PLACEHOLDER.match(text):
        yield Finding(
            "placeholder",
            path,
            f"`{name or path_name(path)}` is still the placeholder `{shown(text.strip())}`",
            "replace it, or delete the field if it is optional",
            Severity.WARNING,
        )
