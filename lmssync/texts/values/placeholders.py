"""Finds texts that stand for what is still to be written, as `lmssync new` leaves them."""

import re
from collections.abc import Iterator

from ...problems import Finding, warning_rule
from ...resource import Path
from .characters import path_name
from .refusal import show_text

PLACEHOLDER = warning_rule(
    "placeholder",
    "A text is still to be written, as `lmssync new` leaves it: it begins with `TODO:`, or is "
    "a name, an e-mail address or a host that begins with `TODO`.",
    "Replace it. With `rules: {placeholder: error}`, nothing can be applied until then.",
    wrong='description: "TODO: what it is about"',
    right="description: How to use a guard",
)

MARK = "TODO"
KEY_MARK = "KEY-OF-"
"""How a key begins that is still to be chosen, as in `course: KEY-OF-THE-COURSE`."""
_PLACEHOLDER = re.compile(rf"(?:https?://)?{MARK}[-:.@]")
"""`TODO: what it is about`, `TODO-SLUG`, `TODO@example.com`, `https://TODO.example.com`. In some
languages the letters are a word: without what follows them they mean nothing here."""


def of_text(path: Path, text: str, name: str = "") -> Iterator[Finding]:
    """Reports a text that is still a placeholder."""
    if _PLACEHOLDER.match(text):
        message = (
            f"`{name or path_name(path)}` is still the placeholder `{show_text(text.strip())}`"
        )
        yield PLACEHOLDER.at(path, message, "replace it, or delete the field if it is optional")
