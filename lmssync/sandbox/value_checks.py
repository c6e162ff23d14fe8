"""Checks of single values: a rule takes a value and returns it as the platform keeps it.

A rule raises `InvalidValue` with what is wrong and what is allowed; the callers add where it is.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, NamedTuple

import orjson

from lmssync.vocabulary.normalisers import is_web_address

from ..vocabulary.iso_dates import format_timestamp
from .sandbox_documents import Doc, seconds_of

Rule = Callable[[Any], Any]
Rules = Mapping[str, Rule]

INT_MOST = 2**31 - 1
_SHOWN = 60
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_VIDEO_ID = re.compile(r"[A-Za-z0-9]+(?:[_-]+[A-Za-z0-9]+)*")
_DATE = re.compile(
    r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?"
)


class InvalidValue(Exception):
    """What is wrong with a value, in the platform's words, and its path from the outside in."""

    def __init__(self, message: str, *path: str | int) -> None:
        super().__init__(message)
        self.message, self.path = message, path

    def __str__(self) -> str:
        """`courseAttributes[0].title: is empty`; the message alone where there is no path."""
        parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in self.path)
        place = "".join(parts).removeprefix(".")
        return f"{place}: {self.message}" if place else self.message


class Unplaced(InvalidValue):
    """Wrong in words of the platform that name no place (O14)."""

    def __str__(self) -> str:
        return self.message


class Words(NamedTuple):
    """How a part of the platform words what is wrong with a field, by its name."""

    unknown: str
    wrong: str
    missing: str
    as_sent: bool
    """Whether mistakes are listed in the order of the body; else in that of the rules."""


V2 = Words("{}: not a field here", "{}: {}", "{}: is required", as_sent=False)
V3 = Words("property {} should not exist", "{} {}", "{} is required", as_sent=True)


def collect_fields(
    given: Doc, rules: Rules, *, needed: Iterable[str] = (), words: Words = V3
) -> tuple[Doc, list[str]]:
    """The fields that are given, each through its rule, and everything that is wrong with them."""
    fields: Doc = {}
    errors: list[str] = []
    order = {name: index for index, name in enumerate(rules)}
    # Unknown fields have no place among the rules; they come first.
    for name in given if words.as_sent else sorted(given, key=lambda name: order.get(name, -1)):
        if name not in rules:
            errors.append(words.unknown.format(name[:_SHOWN]))
        elif given[name] is not None:
            try:
                fields[name] = rules[name](given[name])
            except InvalidValue as wrong:
                errors.append(words.wrong.format(name, wrong))
    errors += [words.missing.format(name) for name in needed if given.get(name) is None]
    return fields, errors


class error_path:  # noqa: N801 - reads as a word: `with error_path("id"):`
    """Inside the block a value that is refused gets these parts of its path."""

    __slots__ = ("_path",)

    def __init__(self, *path: str | int) -> None:
        self._path = path

    def __enter__(self) -> None:
        pass

    def __exit__(self, _type: object, error: BaseException | None, _trace: object) -> None:
        # The path grows from the inside out while the error passes each block.
        if isinstance(error, InvalidValue):
            error.path = self._path + error.path


def check_each(values: Iterable[Any], rule: Rule) -> list[Any]:
    """Every value through a rule; a value that is refused gets its index."""
    kept: list[Any] = []
    for value in values:
        try:
            kept.append(rule(value))
        except InvalidValue as wrong:
            # As many were kept as came before, so this is the index, without counting in the usual
            # case.
            wrong.path = (len(kept), *wrong.path)
            raise
    return kept


def quote_value(value: Any) -> str:
    """A value fit for a message: short, quoted; what is deep is only named."""
    if isinstance(value, str):
        return f'"{value}"' if len(value) <= _SHOWN else f'"{value[:_SHOWN]}…"'
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, list):
        return "a list"
    return "an object" if isinstance(value, dict) else str(value)


def check_fields(entry: Doc, rules: Rules, *, ignore: bool = False) -> Doc:
    """The fields of an entry, each through its rule; null stays None.

    A field without a rule is refused, or is left out where `ignore` is true.
    """
    kept: Doc = {}
    for name, value in entry.items():
        rule = rules.get(name)
        if rule is None:
            if ignore:
                continue
            known = ", ".join(rules) or "none"
            raise InvalidValue(f"not a field here; the fields are {known}", name[:_SHOWN])
        if value is None:
            kept[name] = None
            continue
        try:
            kept[name] = rule(value)
        except InvalidValue as wrong:
            raise InvalidValue(str(wrong), name) from None
    return kept


def new_fields(
    entry: Doc, rules: Rules, needed: Iterable[str] = (), *, ignore: bool = False
) -> Doc:
    """The checked fields of something new, which takes null for absent and needs some of them."""
    fields = drop_nulls(check_fields(entry, rules, ignore=ignore))
    if needed:
        require_fields(fields, needed)
    return fields


def body_fields(body: Doc, rules: Rules, needed: Iterable[str] = ()) -> Doc:
    """The checked fields of the body of a command, without those that are null."""
    with error_path("body"):
        return new_fields(body, rules, needed)


def check_document(value: Any) -> Doc:
    """A rule: an object in a body."""
    with error_path("it"):
        return json_object(value)


def check_changes(
    entry: Doc, rules: Rules, never_null: Iterable[str], *, ignore: bool = False
) -> Doc:
    """The checked fields of a change, where null clears a field unless it is `never_null`."""
    fields = check_fields(entry, rules, ignore=ignore)
    for name in never_null:
        if name in fields and fields[name] is None:
            raise InvalidValue("cannot be cleared", name)
    return fields


def require_references(fields: Doc, lookups: Mapping[str, Rule]) -> None:
    """Raise InvalidValue with the field whose value a lookup does not find."""
    for name, lookup in lookups.items():
        if fields.get(name) is not None:
            with error_path(name):
                lookup(fields[name])


def drop_nulls(fields: Doc) -> Doc:
    """The fields that are not null: a create takes null for absent."""
    # Most entries have none: no copy is made of these.
    if None not in fields.values():
        return fields
    return {name: value for name, value in fields.items() if value is not None}


def require_fields(fields: Mapping[str, Any], names: Iterable[str]) -> None:
    for name in names:
        if fields.get(name) is None:
            raise InvalidValue("is required", name)


def check_text(value: Any) -> str:
    if not isinstance(value, str):
        raise InvalidValue(f"is {quote_value(value)}; it must be text")
    return value


def check_title(value: Any) -> str:
    """Text that says something."""
    if not check_text(value).strip():
        raise InvalidValue("is empty; it needs some text")
    return str(value)


# Rules with limits are partials, so that the OpenAPI document can read the limits from them.


def text_up_to(most: int, *, least: int = 0) -> Rule:
    return partial(check_length, least=least, most=most)


def check_length(value: Any, *, least: int, most: int) -> str:
    length = len(check_text(value))
    if length > most:
        raise InvalidValue(f"has {length} characters; the most is {most}")
    if length < least:
        raise InvalidValue("is empty; leave it out if there is none")
    return str(value)


def check_flag(value: Any) -> bool:
    # By identity: 1 equals True in Python, and is no flag in JSON.
    if value is not True and value is not False:
        raise InvalidValue(f"is {quote_value(value)}; it must be true or false")
    return bool(value)


def whole_number_between(least: int, most: int = INT_MOST) -> Rule:
    return partial(check_whole_number, least=least, most=most)


def check_whole_number(value: Any, *, least: int, most: int) -> int:
    """A whole number; 5.0 is one in JSON."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        raise InvalidValue(f"is {quote_value(value)}; it must be a whole number")
    if not least <= value <= most:
        raise InvalidValue(f"is {value}; it must be from {least} to {most}")
    return value


def number_between(least: float, most: float) -> Rule:
    return partial(_check_range, least=least, most=most)


def check_number(value: Any) -> float:
    """Any number, for which the specification names no bounds; JSON has no infinite ones."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise InvalidValue(f"is {quote_value(value)}; it must be a number")
    return value


def _check_range(value: Any, *, least: float, most: float) -> float:
    number = check_number(value)
    if not least <= number <= most:
        raise InvalidValue(f"is {number}; it must be from {least:,} to {most:,}")
    return number


def check_date(value: Any) -> str:
    """An ISO 8601 day or moment; kept as a moment in UTC."""
    if isinstance(value, str) and _DATE.fullmatch(value):
        try:
            return format_timestamp(seconds_of(value))
        except (ValueError, OverflowError):
            pass  # the form is right and the day does not exist: said below
    raise InvalidValue(
        f"is {quote_value(value)}; it must be a date such as 2026-01-31 or 2026-01-31T12:00:00Z"
    )


def check_url(value: Any) -> str:
    if is_web_address(check_text(value)):
        return str(value)
    raise InvalidValue(f"is {quote_value(value)}; it must be an http or https address")


def check_uuid(value: Any) -> str:
    if isinstance(value, str) and _UUID.fullmatch(value):
        return value.lower()
    raise InvalidValue(f"is {quote_value(value)}; it must be a uuid")


def video_id(value: Any) -> str:
    """An *ID* of the specification that need not be a uuid (O49); in other letters another one."""
    if isinstance(value, str) and _VIDEO_ID.fullmatch(value):
        return value.lower() if _UUID.fullmatch(value) else value
    raise InvalidValue(f"is {quote_value(value)}; it must be the id of a video")


def check_list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise InvalidValue(f"is {quote_value(value)}; it must be a list")
    return value


def check_uuids(value: Any) -> list[str]:
    # Each once, in the order that was sent; case does not make a uuid another one.
    return list(dict.fromkeys(check_uuid(item) for item in check_list(value)))


def uuids_up_to(most: int) -> Rule:
    return partial(check_uuid_list, most=most)


def check_uuid_list(value: Any, *, most: int) -> list[str]:
    if len(check_list(value)) > most:
        raise InvalidValue(f"has {len(value)} items; the most is {most}")
    return check_uuids(value)


def one_of(values: Iterable[str]) -> Rule:
    return partial(check_choice, allowed={str(value): None for value in values})


def check_choice(value: Any, *, allowed: Mapping[str, None]) -> str:
    if not isinstance(value, str) or value not in allowed:
        raise InvalidValue(
            f"{quote_value(value)} is not accepted; it must be one of {', '.join(allowed)}"
        )
    return value


def check_names(value: Any) -> list[str]:
    """A list of texts of which none is blank (authors, spec 2.2)."""
    for item in check_list(value):
        if not check_text(item).strip():
            raise InvalidValue("contains an empty name; leave it out")
    return list(value)


def json_object(value: Any) -> Doc:
    if not isinstance(value, dict):
        raise InvalidValue(f"is {quote_value(value)}; it must be an object")
    return value


def check_json_text(value: Any) -> str:
    """The text of a JSON object."""
    try:
        json_object(orjson.loads(check_text(value)))
    except orjson.JSONDecodeError:
        raise InvalidValue(f"is {quote_value(value)}; it must be the JSON of an object") from None
    return str(value)


def custom_values(value: Any) -> Doc:
    """An object of slug to text, list of texts or null (spec 2.2)."""
    fields = json_object(value)
    for slug, given in fields.items():
        texts = given if isinstance(given, list) else [given]
        if given is not None and not all(isinstance(item, str) for item in texts):
            wrong = f"{quote_value(slug)} is {quote_value(given)}"
            raise InvalidValue(f"{wrong}; it must be text, a list of texts or null")
    return fields
