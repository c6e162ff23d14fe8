"""A file that cannot be read as YAML, before its meaning is known."""

from ....problems import Problem, Rule
from ....resource import Origin, Place
from ..files import VALUES

TOO_LARGE = Rule(
    "too-large",
    "The file is larger than a manifest may be.",
    "Keep long bodies in files of their own (`bodyFile`), or split the manifest into several "
    "files.",
)
BYTE_ORDER_MARK = Rule(
    "byte-order-mark",
    "The file begins with a byte order mark, which is invisible.",
    "Save it as UTF-8 without one.",
)
YAML_SYNTAX = Rule(
    "yaml-syntax",
    "The file is not YAML 1.2.",
    "Look at the line and at the one above it. Indent with spaces, never tabs.",
    within="a file",
    wrong="title: Safety: part 1",
    right='title: "Safety: part 1"',
)
DUPLICATE_KEY = Rule(
    "duplicate-key",
    "One mapping has the same key twice, and YAML would drop one of them.",
    "Keep one.",
    within="a file",
    wrong="title: A\ntitle: B",
    right="title: A",
)
TOO_DEEP = Rule(
    "too-deep",
    "The document is nested too deeply, or contains itself through an alias.",
    "Write it out without the alias.",
)
ENDLESS = Rule(
    "endless",
    "The aliases or merge keys of the file expand to too many values.",
    "Look for an anchor (`&`) whose value contains an alias (`*`) of itself or of others.",
)
NUMBER_SIZE = Rule(
    "number-size",
    "A number is too large to be sent.",
    "Put it in quotes if it is text.",
    within="a file",
    wrong="resource: course\npriceInCents: 99999999999999999999",
    right="resource: course\npriceInCents: 1900",
)
HALF_CHARACTER = Rule(
    "half-character",
    "An escape in a text stands for only half a character.",
    "Write the character itself.",
)


class YamlMistake(Exception):
    """What is wrong, and where; lines and columns count from 1."""

    def __init__(
        self, rule: Rule, message: str, hint: str | None = None, at: tuple[int, int] = (1, 1)
    ) -> None:
        super().__init__(message)
        self.rule, self.message = rule, message
        self.hint = rule.hint if hint is None else hint
        self.line, self.column = at

    def as_problem(self, file: str, at: tuple[int, int] | None = None) -> Problem:
        """The problem of a file; `at` is the line and column in it, where they are not these."""
        place = Place(file, *(at or (self.line, self.column)))
        return self.rule.problem(self.message, Origin(file), self.hint, place=place)


def too_many() -> YamlMistake:
    """A file with more values than are read."""
    return YamlMistake(
        TOO_LARGE, f"the file holds more than {VALUES:,} values", "split it into several files"
    )
