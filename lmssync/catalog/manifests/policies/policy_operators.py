"""The operators of conditions: what each is for, when it holds, and its words.

An operator *asks* for something or *bans* something. An absent value never meets a request and
never breaks a ban, so operators here never see an absent value.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache
from operator import contains, eq, ge, le
from typing import Any, NamedTuple

from pydantic_core import SchemaError, SchemaValidator, core_schema

from ....texts import values as texts
from ....texts.values import date_exists
from ....vocabulary.iso_dates import parse_last_moment, parse_moment

_LISTED = 6


class PolicyMistake(Exception):
    """A mistake in a part of a policy, and the remedy."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message, self.hint = message, hint


def cut_to_line(value: Any) -> str:
    """On one line, of no more than 60 characters."""
    return texts.show_text(str(value).lower() if isinstance(value, bool) else str(value))


def show_value(value: Any) -> str:
    """A value in backticks; of a list the first few items."""
    if isinstance(value, list):
        return ", ".join(show_value(item) for item in value[:_LISTED])
    return "a mapping" if isinstance(value, dict) else f"`{cut_to_line(value)}`"


def any_of(words: list[str]) -> str:
    """Several words as alternatives: `a, b or c`."""
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def count_of(number: int, noun: str) -> str:
    """A number with its noun: `1 item`, `12 characters`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


SEARCHED = 100_000
"""How many characters of a text are searched."""
PATTERN = 1_000
"""How many characters a regular expression may have."""
PATTERN_SIZE = 5_000_000
"""About how many bytes a compiled regular expression may take: 140 times `\\w`."""
PATTERNS_SIZE = 100_000_000
"""The same for all regular expressions of a catalog together."""
_PATTERN_LEAST, _LITERAL, _FOLDED = 50_000, 600, 4_500
_SMALL_CLASS, _LARGE = 4_500, 35_000
"""Measured: what one expression, a character, one in any case, `\\d` and `\\w` take."""
# A class by name (`\p{Lu}`), another escape, a repetition, a class in brackets, or any character.
_PATTERN_PIECE = re.compile(
    r"\\[pP](?:\{[^}]*\}|.)|\\.|\{[0-9, ]*\}|\[\^?\]?(?:\\.|\[[^\]]*\]|[^\\\]])*\]?|.", re.DOTALL
)
_REPEAT = re.compile(r"\{ *([0-9]*) *,? *([0-9]*) *\}")
_LARGE_CLASS = re.compile(r"\\[wWpP](?:\{[^}]*\}|.)?|\[\[", re.DOTALL)
_FLAGS = re.compile(r"\(\?([a-zA-Z]*)")
_ANY = frozenset({"text", "date", "number", "boolean", "mapping", "list"})
_PLAIN = frozenset({"text", "number", "boolean"})
_SIZED = frozenset({"text", "list"})
_TEXT, _NUMBER, _DATE = frozenset({"text"}), frozenset({"number"}), frozenset({"date"})
_AT_LEAST = ("has at least {}", "have at least {}")
_AT_MOST = ("has at most {}", "have at most {}")


class Operator(NamedTuple):
    """The declaration of one operator."""

    fits: frozenset[str]
    """The kinds of values that it is for."""
    takes: str
    """The kind of its operand, by the name of its check in `policy_documents`."""
    holds: Callable[[Any, Any], bool]
    """Value and operand, both there."""
    says: str
    """Its words about a value: `is {}`."""
    must: str
    """Its words after `must`."""
    asks: bool = True
    whole: bool = False
    """True if it is about a list, where there is one, and not about each item."""
    measure: Callable[[Any], str] | None = None
    """What the value has, where the value itself is not worth showing."""


def describe_size(value: Any) -> str:
    """The size of a value with its noun: `12 characters`, `1 item`."""
    return count_of(len(value), "character" if isinstance(value, str) else "item")


def quote_words(value: str) -> str:
    return count_of(len(value.split()), "word")


def compile_pattern(pattern: str) -> SchemaValidator:
    """A regular expression that is searched in linear time, whatever it is; raises `SchemaError`.

    The `re` of the standard library can take years over a bad one, and nothing can stop it.
    """
    return SchemaValidator(core_schema.str_schema(pattern=pattern))


_compiled = cache(compile_pattern)


def measure_pattern(pattern: str) -> int:
    """About how many bytes a regular expression takes once it is compiled, rather more than less.

    The characters that a class has, such as the 140,000 of `\\w`, are written out for each
    repetition. A pattern with blanks and comments in it (`x`) is taken to repeat as a whole.
    """
    flags = "".join(_FLAGS.findall(pattern))
    literal = _FOLDED if "i" in flags else _LITERAL
    open_groups, last = [0], 0
    factor = 1
    for piece in _PATTERN_PIECE.findall(pattern):
        if repeat := _REPEAT.fullmatch(piece):
            # Nine digits are more than any expression may repeat; some thousand of them are more
            # than `int` takes.
            times = max(1, *(int(number[:9] or 0) for number in repeat.groups("")))
            open_groups[-1] += last * (times - 1)
            last, factor = last * times, factor * times
        elif piece == "(":
            open_groups.append(0)
        elif piece == ")":
            last = open_groups.pop()
            # After a `)` too many: such a pattern is refused when it is compiled.
            open_groups = open_groups or [0]
            open_groups[-1] += last
        elif not piece.isspace():
            last = _piece_size(piece, literal)
            open_groups[-1] += last
    size = sum(open_groups)
    return _PATTERN_LEAST + (size * factor if "x" in flags else size)


def _piece_size(piece: str, literal: int) -> int:
    if piece.startswith("["):
        is_large = not piece.isascii() or _LARGE_CLASS.search(piece)
        return _LARGE if is_large else max(_SMALL_CLASS, literal)
    if _LARGE_CLASS.fullmatch(piece):
        return _LARGE
    return _SMALL_CLASS if piece.startswith("\\") else literal


class PatternBudget:
    """The memory that the regular expressions of one catalog take together; each is compiled
    once."""

    def __init__(self) -> None:
        _compiled.cache_clear()  # what an earlier reading of a catalog needed
        self._patterns: set[str] = set()
        self._size = 0

    def has_room(self, pattern: str) -> bool:
        """Counts a pattern; false once all of them together are too large."""
        if pattern not in self._patterns:
            self._patterns.add(pattern)
            self._size += measure_pattern(pattern)
        return self._size <= PATTERNS_SIZE


def pattern_error(error: SchemaError) -> str:
    """Why a regular expression is not valid, on one line."""
    return str(error).strip().rpartition("\n")[2].removeprefix("error: ").strip().rstrip(".")


def matches_pattern(value: Any, pattern: str) -> bool:
    """True if the expression matches somewhere in the text."""
    return isinstance(value, str) and _compiled(pattern).isinstance_python(value[:SEARCHED])


def _is_before(value: Any, date: Any) -> bool:
    return _are_dates(value, date) and parse_last_moment(value) < parse_moment(date)


def _is_after(value: Any, date: Any) -> bool:
    return _are_dates(value, date) and parse_moment(value) > parse_last_moment(date)


def _are_dates(*values: Any) -> bool:
    return all(isinstance(value, str) and date_exists(value) for value in values)


def _opposite_of(operator: Operator, says: str) -> Operator:
    """The operator that bans the values that `operator` asks for."""
    return operator._replace(
        holds=lambda value, operand: not operator.holds(value, operand),
        says=says,
        must=f"not {operator.must}",
        asks=False,
    )


_IS = Operator(_PLAIN, "value", eq, "is {}", "be {}")
_ONE_OF = Operator(_PLAIN, "values", lambda v, o: v in o, "is {}", "be {}")
_MATCHES = Operator(_TEXT, "pattern", matches_pattern, "matches {}", "match {}")
_CONTAINS = Operator(_SIZED, "piece", contains, "contains {}", "contain {}", whole=True)

OPERATORS: Mapping[str, Operator] = {
    "present": Operator(_ANY, "flag", lambda _v, _o: True, "is present", "be present"),
    "absent": Operator(
        _ANY, "", lambda _v, _o: False, "is left out", "be left out", asks=False, whole=True
    ),
    "is": _IS,
    "not": _opposite_of(_IS, "is not {}"),
    "oneOf": _ONE_OF,
    "noneOf": _opposite_of(_ONE_OF, "is not {}"),
    "matches": _MATCHES,
    "notMatches": _opposite_of(_MATCHES, "does not match {}"),
    "contains": _CONTAINS,
    "notContains": _opposite_of(_CONTAINS, "does not contain {}"),
    "min": Operator(_NUMBER, "number", ge, "is at least {}", "be at least {}"),
    "max": Operator(_NUMBER, "number", le, "is at most {}", "be at most {}", asks=False),
    "minLength": Operator(
        _SIZED, "count", lambda v, o: len(v) >= o, *_AT_LEAST, whole=True, measure=describe_size
    ),
    "maxLength": Operator(
        _SIZED,
        "count",
        lambda v, o: len(v) <= o,
        *_AT_MOST,
        asks=False,
        whole=True,
        measure=describe_size,
    ),
    "minWords": Operator(
        _TEXT, "count", lambda v, o: len(v.split()) >= o, *_AT_LEAST, measure=quote_words
    ),
    "maxWords": Operator(
        _TEXT, "count", lambda v, o: len(v.split()) <= o, *_AT_MOST, asks=False, measure=quote_words
    ),
    "before": Operator(_DATE, "date", _is_before, "is before {}", "be before {}"),
    "after": Operator(_DATE, "date", _is_after, "is after {}", "be after {}"),
}
"""By the word in the policy; `absent` is how `present: false` is kept."""

PAIRS = (("min", "max"), ("minLength", "maxLength"), ("minWords", "maxWords"))
"""Operators between which there must be room."""
