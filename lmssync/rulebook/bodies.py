"""Rules about bodies of prose and the files that hold them."""

from ..problems import Rule, Severity

TITLE = "Bodies"

RULES = (
    Rule(
        "front-matter",
        "A Markdown text begins with front matter, which learners would read.",
        "Delete it: titles and settings belong in the manifest.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "html-script",
        "A body contains a `<script>`.",
        "Delete it; for a third party's widget, use a topic of type embed.",
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
        "A link runs code (`javascript:`, `data:`).",
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
        "Use https.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "html-frame-title",
        "An `<iframe>` has no `title`, so a screen reader cannot announce it.",
        "Add one.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "html-image-alt",
        "An `<img>` has no `alt`.",
        'Describe the picture, or write `alt=""` if it is only decoration.',
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "html-unbalanced",
        "An element is never closed, or is closed without being opened.",
        "Add the missing tag, or delete the other one.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "html-unknown",
        "A tag is not an HTML element, so readers do not see it.",
        "Write `&lt;` where a `<` is meant.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "empty-link",
        "A link leads nowhere, or has no text to click on.",
        "Add what is missing.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "relative-link",
        "A link or picture has a relative address, but on the platform there are no files next to "
        "the page.",
        "Write a full address that learners can reach. No route takes a file: upload it in the "
        "admin interface, or put it on a web server.",
        severity=Severity.WARNING,
        fixed=False,
    ),
)
