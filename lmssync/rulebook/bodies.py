"""Rules about bodies of prose and the files that they are kept in."""

from ..problems import Severity
from .rule import Rule

TITLE = "Bodies"

RULES = (
    Rule(
        "one-body",
        "A body is written in two ways.",
        "Keep one of `body`, `markdown`, `bodyFile`.",
    ),
    Rule(
        "file-missing",
        "The file does not exist.",
        "Check the path; the hint may guess.",
    ),
    Rule(
        "file-outside",
        "The file lies outside the catalog, or is a link to one that does, or to a hidden one.",
        "Put the file itself into the catalog.",
    ),
    Rule(
        "file-ending",
        "The file is neither Markdown nor HTML by its name.",
        "Name it `.md` or `.html`.",
    ),
    Rule(
        "file-size",
        "The file is too large.",
        "Split the page.",
    ),
    Rule(
        "language-twice",
        "A page has one language twice.",
        "Keep one of them.",
    ),
    Rule(
        "front-matter",
        "A Markdown text begins with front matter, which learners would read.",
        "Delete it: titles and settings stand in the manifest.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "html-script",
        "A `<script>` stands in a body.",
        "Delete it; a third party's widget is a topic of type embed.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "html-handler",
        "An attribute such as `onclick` runs a script.",
        "Delete it.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "html-link-runs",
        "A link runs what is in it (`javascript:`, `data:`).",
        "Link to a page by its address.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "html-plugin",
        "An `<object>`, `<embed>` or `<applet>` needs a plugin.",
        "Link to the file, or use a topic type that shows it.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "html-insecure",
        "A picture, frame or script is loaded without https, which browsers block.",
        "Write https.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "html-frame-title",
        "An `<iframe>` has no `title`, so a screen reader has nothing to say of it.",
        "Add one.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "html-image-alt",
        "An `<img>` has no `alt`.",
        'Say what it shows, or `alt=""` where it only decorates.',
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "html-unbalanced",
        "An element is not closed, or closed and never opened.",
        "Write the tag that is missing, or delete the other.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "html-unknown",
        "A tag is no element of HTML, so nobody sees it.",
        "Write `&lt;` where a `<` is meant.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "empty-link",
        "A link leads nowhere, or has no words to click on.",
        "Write what is missing.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "relative-link",
        "A link or picture is relative: on the platform nothing stands beside the page.",
        "Write the whole address of a place that learners can reach. No route takes a file: upload "
        "it in the admin interface, or put it on a web server.",
        severity=Severity.WARNING,
        fixed=False,
    ),
)
