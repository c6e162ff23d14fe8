"""Rules about texts: invisible characters, and what the platform changes."""

from ..problems import Rule, Severity

TITLE = "Texts"

RULES = (
    Rule(
        "placeholder",
        "A text is still to be written, as `lmssync new` leaves it: it begins with `TODO:`, or is "
        "a name, an e-mail address or a host that begins with `TODO`.",
        "Replace it. With `rules: {placeholder: error}`, nothing can be applied until then.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "one-line",
        "A text of one line, such as a title, contains a line break or a tab.",
        "Put it on one line; `>-` after the key joins lines.",
        fixed=False,
    ),
    Rule(
        "edge-blank",
        "A text of one line begins or ends with a space.",
        "Delete it.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "invisible-character",
        "A text contains an invisible character, such as a zero width space.",
        "Delete it. Characters that a script or an emoji needs are not reported.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "bidi-control",
        "A text contains a character that changes the direction of the text after it.",
        "Delete it.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "broken-character",
        "A text contains a character that was lost when it was copied: U+FFFD, or one for private "
        "use.",
        "Write the correct one.",
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
        "A text for search engines has markup, which the platform removes.",
        "Write it without markup. The limits count the text as written.",
        severity=Severity.WARNING,
        fixed=False,
        source="spec 2.2",
    ),
)
