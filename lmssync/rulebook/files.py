"""Rules about files, whatever they contain."""

from ..problems import Rule, Severity

TITLE = "Files"

RULES = (
    Rule(
        "file-name",
        "The name of a manifest holds bytes that are not UTF-8, or control characters.",
        "Rename the file.",
    ),
    Rule(
        "unreadable",
        "The file exists but cannot be read.",
        "Check its permissions, or where it leads if it is a link.",
    ),
    Rule(
        "folder-link",
        "A folder is a link, so nothing in it is read.",
        "If there are manifests in it, replace the link with the folder itself.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "folder-in-git",
        "Git tracks files in `.lmssync/`, which is for the cache and the state of one machine.",
        "`git rm -r --cached .lmssync`, and add `.lmssync/` to .gitignore.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "too-large",
        "The file is larger than a manifest may be.",
        "Keep long bodies in files of their own (`bodyFile`), or split the manifest into several "
        "files.",
    ),
    Rule(
        "not-utf-8",
        "The file is not UTF-8.",
        "Save it as UTF-8.",
    ),
    Rule(
        "control-character",
        "A text or a file contains an invisible control character.",
        "Delete it.",
    ),
    Rule(
        "yaml-syntax",
        "The file is not YAML 1.2.",
        "Look at the line and at the one above it. Indent with spaces, never tabs.",
    ),
    Rule(
        "duplicate-key",
        "One mapping has the same key twice, and YAML would drop one of them.",
        "Keep one.",
    ),
    Rule(
        "too-deep",
        "The document is nested too deeply, or contains itself through an alias.",
        "Write it out without the alias.",
    ),
    Rule(
        "endless",
        "The aliases or merge keys of the file expand to too many values.",
        "Look for an anchor (`&`) whose value contains an alias (`*`) of itself or of others.",
    ),
    Rule(
        "number-size",
        "A number is too large to be sent.",
        "Put it in quotes if it is text.",
    ),
    Rule(
        "half-character",
        "An escape in a text stands for only half a character.",
        "Write the character itself.",
    ),
    Rule(
        "not-a-manifest",
        "The document is a list or a single value.",
        "Start it with `resource:` and `key:`.",
    ),
    Rule(
        "more-mistakes",
        "A document has so many mistakes that not all of them are listed.",
        "Correct those that are listed, and check again.",
    ),
    Rule(
        "literal-secret",
        "The project file contains an API key, or something else in the place of the variable "
        "that holds it.",
        "Write `apiKey: {env: LMSSYNC_API_KEY}`; the name must begin with LMSSYNC_. If this was a "
        "real key, have it revoked: it stays in the git history.",
    ),
    Rule(
        "byte-order-mark",
        "The file begins with a byte order mark, which is invisible.",
        "Save it as UTF-8 without one.",
    ),
)
