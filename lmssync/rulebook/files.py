"""Rules about files, before anything is known of what they hold."""

from ..problems import Severity
from .rule import Rule

TITLE = "Files"

RULES = (
    Rule(
        "file-name",
        "The name of a manifest holds bytes that are not UTF-8, or control characters.",
        "Rename the file.",
    ),
    Rule(
        "unreadable",
        "The file is there and cannot be read.",
        "Look at its permissions, or at the link it is.",
    ),
    Rule(
        "folder-link",
        "A folder is a link, so nothing in it is read.",
        "Put the folder itself in the place of the link, if manifests are in it.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "folder-in-git",
        "Git keeps files of `.lmssync/`, which is for what one machine remembers and records.",
        "`git rm -r --cached .lmssync`, and add `.lmssync/` to .gitignore.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "too-large",
        "The file is larger than a manifest may be.",
        "Keep long bodies in files of their own (`bodyFile`), or divide it into several files.",
    ),
    Rule(
        "not-utf-8",
        "The file is not UTF-8.",
        "Save it as UTF-8.",
    ),
    Rule(
        "control-character",
        "A text or a file holds an invisible control character.",
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
        "The document is nested too deeply, or holds itself through an alias.",
        "Write it out without the alias.",
    ),
    Rule(
        "endless",
        "Written out, the aliases or merge keys of the file stand for too many values.",
        "Look for an anchor (`&`) whose value holds an alias (`*`) of itself or of others.",
    ),
    Rule(
        "number-size",
        "A number is larger than any that can be sent.",
        "Put it in quotes if it is text.",
    ),
    Rule(
        "half-character",
        "A text holds half a character, by an escape.",
        "Write the character itself.",
    ),
    Rule(
        "not-a-manifest",
        "The document is a list or a single value.",
        "Start it with `resource:` and `key:`.",
    ),
    Rule(
        "more-mistakes",
        "A document has so many mistakes that not all of them are told.",
        "Mend those that are told, and look again.",
    ),
    Rule(
        "literal-secret",
        "The project file holds an API key, or something where its variable should be named.",
        "Write `apiKey: {env: LMSSYNC_API_KEY}`, a variable that begins with LMSSYNC_. If it was a "
        "real key, have it revoked: git never forgets.",
    ),
    Rule(
        "byte-order-mark",
        "The file begins with a byte order mark, which nobody sees.",
        "Save it as UTF-8 without one.",
    ),
)
