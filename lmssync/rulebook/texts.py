"""Rules about texts: what is in them that nobody sees, and what the platform makes of them."""

from ..problems import Severity
from .rule import Rule

TITLE = "Texts"

RULES = (
    Rule(
        "placeholder",
        "A text is still to be written, as `lmssync new` leaves it: it begins with `TODO:`, or is "
        "a name, an e-mail address or a host that begins with `TODO`.",
        "Write what is meant. `rules: {placeholder: error}` lets nothing be applied before.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "one-line",
        "A text of one line, such as a title, holds a line break or a tab.",
        "Put it on one line; `>-` after the key joins lines.",
        fixed=False,
    ),
    Rule(
        "edge-blank",
        "A text of one line begins or ends with a blank.",
        "Delete it.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "invisible-character",
        "A text holds a character that nobody sees, such as a zero width space.",
        "Delete it. Where a script or an emoji needs one, nothing is said.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "bidi-control",
        "A text holds a character that turns the order of what follows it.",
        "Delete it.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "broken-character",
        "A text holds a character that was lost when it was copied: U+FFFD, or one for "
        "private use.",
        "Write the one that was meant.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "not-nfc",
        "A text spells a letter and its accent as two characters (it is not in NFC).",
        "Type it again. It is sent as it is; searches compare what was typed.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "markup-stripped",
        "A text for search engines has markup, which the platform takes out.",
        "Write it without. The limits count what is written.",
        severity=Severity.WARNING,
        fixed=False,
        source="spec 2.2",
    ),
)
