"""Rules about bodies of prose and the files that they are kept in."""

from .rule import Rule

TITLE = "Bodies"

RULES = (
    Rule(
        "one-body",
        "A body is written in two ways.",
        "Keep one of `body`, `markdown`, `bodyFile`.",
    ),
    Rule(
        "body-file",
        "The `bodyFile` does not exist.",
        "Check the path; the hint may guess.",
    ),
    Rule(
        "body-file-outside",
        "The `bodyFile` lies outside the catalog.",
        "Move it into the catalog.",
    ),
    Rule(
        "body-file-ending",
        "The `bodyFile` is neither Markdown nor HTML by its name.",
        "Name it `.md` or `.html`.",
    ),
    Rule(
        "body-file-size",
        "The `bodyFile` is too large.",
        "Split the page.",
    ),
    Rule(
        "language-twice",
        "A page has one language twice.",
        "Keep one of them.",
    ),
)
