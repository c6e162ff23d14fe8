"""Puts into words for an author what the models refuse."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice
from operator import itemgetter
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from ...kind import Spec
from ...problems import Finding, Rule
from ...resource import Path
from ...support.annotations import leaf_types, leaves_of
from ...support.rulebook import LENGTH, RANGE, TYPE, VALUE
from ...texts.values import show_text
from .catalog_files import MISTAKES
from .model_fields import declared_at, field_at, fields_at, guess_field, guess_word, model_at
from .yaml import QUOTE

_YES = frozenset({"true", "yes", "on", "y", "1"})
_NO = frozenset({"false", "no", "off", "n", "0"})
_GROUPED = re.compile(r"[-+]?\d{1,3}(?:[ ,_'.]\d{3})+|[-+]?\d+", re.ASCII)
_DECIMAL = re.compile(r"\D{0,3}(\d+)[.,](\d\d)\D{0,4}", re.ASCII)
_BETWEEN = re.compile(r"[ ,_'.+]")
_AMOUNT_MOST = 10**7
_FIELD_NAME = re.compile(r"[A-Za-z]{1,40}", re.ASCII)
_SHARE = re.compile(r"(\d+) ?%", re.ASCII)
_SHOWN = 60


def of_type(wanted: str, name: str, value: Any, fields: Sequence[str]) -> str:
    """Says what to write where `wanted` belongs; `fields` are those of the mapping that does."""
    if value is None:
        quoted = ", in quotes if it begins with `#`" if wanted == "text" else ""
        whole = f"write it after `{name}:`{quoted}, or delete the line"
        return whole if len(name) <= _SHOWN else ""
    some = f": {', '.join(fields)}" if fields else ", one `name: value` per line"
    match wanted:
        case "true or false":
            return _flag_remedy(value)
        case "a whole number":
            return _whole_number_remedy(name, value)
        case "a list":
            return _list_remedy(name, value)
        case "a mapping":
            return f"write its fields below it, indented{some}"
    return _text_remedy(name, wanted, value) if "text" in wanted.split() else ""


def quoting_remedy(value: Any) -> str:
    """The remedy for a text that YAML takes for something else."""
    spelled = str(value).lower() if isinstance(value, bool) else str(value)
    what = "boolean" if isinstance(value, bool) else "number"
    return f'{QUOTE}"{spelled}"): YAML reads it as the {what} {spelled}'


def _text_remedy(name: str, wanted: str, value: Any) -> str:
    if isinstance(value, (bool, int, float)):
        return quoting_remedy(value)
    if isinstance(value, dict):
        if len(value) == 1 and isinstance(named := next(iter(value.values())), str):
            if name in {"body", "markdown"} and named.endswith((".md", ".html")):
                return f"write `bodyFile: {named}` in its place, if the text is in that file"
            return f"write `{named}` alone, if that is what is meant"
        return "put it in quotes, if it is text: `{` and `: ` make a mapping"
    return "put it in quotes, if it is text: `[` and `- ` make a list" if wanted == "text" else ""


def _flag_remedy(value: Any) -> str:
    written = str(value).strip().lower()
    meant = "true" if written in _YES else "false" if written in _NO else ""
    if meant == written and isinstance(value, str):
        return f"write {meant}, without quotes"
    if meant and isinstance(value, str):
        return f"write {meant}: YAML 1.2 reads {written} as text"
    return f"write {meant or 'true or false'}"


def _whole_number_remedy(name: str, value: Any) -> str:
    if isinstance(value, float):
        return _rounding_remedy(name, value)
    if not isinstance(value, str) or len(value) > _SHOWN:
        return "write one number"
    written = value.strip()
    if name.endswith("InCents") and (amount := _DECIMAL.fullmatch(written)):
        return f"write {int(amount[1] + amount[2])}, if it is an amount: it is counted in cents"
    if _GROUPED.fullmatch(written):
        return f"write {int(_BETWEEN.sub('', written))}, without quotes"
    share = _SHARE.fullmatch(written)
    return f"write {int(share[1])}" if share else "write a number in digits"


def _rounding_remedy(name: str, value: float) -> str:
    if name.endswith("InCents") and 0 <= value < _AMOUNT_MOST:
        return f"write {round(value * 100)}, if it is an amount: it is counted in cents"
    return f"write {int(value)}" if value.is_integer() else "round it"


def _list_remedy(name: str, value: Any) -> str:
    if isinstance(value, dict):
        first = str(next(iter(value), ""))  # it may be a person: only the name of a field is shown
        shown = first if _FIELD_NAME.fullmatch(first) else "name"
        return f"begin each item with a dash: `- {shown}: ...`"
    plain = isinstance(value, str) and len(value) <= _SHOWN and value.isprintable()
    if plain and value.startswith("-"):
        return f"write a blank after the dash: `- {value[1:].lstrip()}`"
    item = value if plain and value.strip() else "..."
    return f"write `{name}: [{item}]`, or one item per line after a dash"


def hide_personal_values(
    findings: Iterable[Finding], model: type[BaseModel], value: Any
) -> Iterator[Finding]:
    """Findings about a value, without the value if it stands in a model about a person."""
    for finding in findings:
        holder = model_at(model, finding.path[:-1])
        if holder and issubclass(holder, Spec) and holder.personal:
            hint = "put it in quotes" if finding.hint.startswith(QUOTE) else finding.hint
            message = finding.message
            for quoted in ("`{}`", "the number {}"):
                message = message.replace(quoted.format(show_text(str(value))), quoted.format("…"))
            yield finding._replace(message=message, hint=hint)
        else:
            yield finding


MISSING_FIELD = Rule(
    "missing-field",
    "A required field is missing.",
    "Add it.",
    within="a file",
    wrong="key: acme",
    right="resource: client\nkey: acme\ncloneOf: golden\nname: Acme",
)
UNKNOWN_FIELD = Rule(
    "unknown-field",
    "There is no such field here.",
    "Use the field that the hint names, or delete it.",
    wrong="titel: Safety",
    right="title: Safety",
)
UNKNOWN_RESOURCE = Rule(
    "unknown-resource",
    "`resource:` does not name a resource kind.",
    "Use one of the kinds that the hint lists.",
    within="a file",
    wrong="resource: curse",
    right="resource: course",
)
MORE_MISTAKES = Rule(
    "more-mistakes",
    "A document has so many mistakes that not all of them are listed.",
    "Correct those that are listed, and check again.",
)

_SPELLINGS = {
    "begin": 'write a time of day, such as "20:00"',
    "end": 'write a time of day, such as "06:00"',
    "baseUrl": "write it with its scheme: https://learning.example.com",
    "licenseMarker": "name one of ref1 to ref10",
    "verify": "write minute, all, needed, or a share from 0% to 100%",
    "currency": "write its code of three capital letters, such as EUR",
}
"""How a field with a pattern of its own is written; the others are keys and ids."""
_ODD_CHARACTERS = "which has characters that are not allowed there"
_WANTED = {
    "string_type": "text",
    "int_type": "a whole number",
    "bool_type": "true or false",
    "list_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
    "float_type": "a number",
}
_WORDS_MOST = 6
"""The most words that are listed if a field is missing."""


def word_validation_error(
    error: ValidationError, model: type[BaseModel], data: Any
) -> Iterator[Finding]:
    """One finding for each mistake, with the path of its value.

    If there are very many, the first are reported, with a note that there are more.
    """
    mistakes = _word_details(error, model, data)
    yield from islice(mistakes, MISTAKES)
    if error.error_count() > MISTAKES and next(mistakes, None):
        text = f"there are more than {MISTAKES:,} mistakes in this document"
        yield MORE_MISTAKES.at((), text)


def _word_details(error: ValidationError, model: type[BaseModel], data: Any) -> Iterator[Finding]:
    details = [
        (_path_of_detail(detail, data), detail) for detail in error.errors(include_url=False)
    ]
    # As texts: a path has keys and positions, which cannot be compared with each other.
    details.sort(key=lambda pair: [str(step) for step in pair[0]])
    above = {path[:length] for path, _ in details for length in range(len(path))}
    for path, group in groupby(details, key=itemgetter(0)):
        branches = [detail for _, detail in group]
        mistakes = _of_one(branches, model, path, inside=path in above)
        yield from hide_personal_values(mistakes, model, branches[0]["input"])


def _of_one(
    branches: list[ErrorDetails], model: type[BaseModel], path: Path, *, inside: bool
) -> Iterator[Finding]:
    """The finding about one value; `inside`: something in it is wrong as well."""
    fits = [detail for detail in branches if detail["type"] not in _WANTED]
    if fits:
        # A branch of a union that the value is of the type for says what is wrong with it.
        yield from dict.fromkeys(_word_detail(detail, model, path) for detail in fits)
    elif not inside:
        # Branches that fit better say what is wrong further inside.
        wanted = dict.fromkeys(_WANTED[detail["type"]] for detail in branches)
        yield _wrong_type(model, path, " or ".join(wanted), branches[0]["input"])


def refused_paths(error: ValidationError, data: Any) -> list[Path]:
    """Where the values stand that were refused; keys that are no text stand nowhere."""
    refused = (one for one in error.errors(include_url=False) if one["type"] != "invalid_key")
    return [path for one in refused if (path := _path_of_detail(one, data))]


def _path_of_detail(detail: ErrorDetails, data: Any) -> Path:
    """Where it is, without the names of union branches, which are not in the document."""
    path: list[str | int] = []
    here, loc = data, detail["loc"]
    for number, step in enumerate(loc, 1):
        try:
            here = here[step]
        except (KeyError, IndexError, TypeError):
            # Only the last step of a missing field is not in the document. Any other step that
            # leads nowhere is the name of a branch of a union.
            if number == len(loc) and detail["type"] == "missing":
                path.append(step)
            continue
        path.append(step)
    return tuple(path)


def _word_detail(detail: ErrorDetails, model: type[BaseModel], path: Path) -> Finding:
    kind, value = detail["type"], detail["input"]
    context: Mapping[str, Any] = detail.get("ctx", {})
    if kind == "missing":
        return MISSING_FIELD.at(
            path[:-1], f"`{_innermost_name(path)}` is missing", _what_to_add(model, path)
        )
    if kind == "extra_forbidden":
        hint = guess_field(model, path[:-1], str(path[-1]), value)
        return UNKNOWN_FIELD.at(path, f"there is no field `{_cut_value(path[-1])}` here", hint)
    if kind == "invalid_key":
        text = f"a key is {kind_of(value)}; names of fields must be text"
        return UNKNOWN_FIELD.at(path, text, quoting_remedy(value))
    if kind == "lmssync":
        return _own_refusal(path, detail["loc"], value, context)
    if kind in {"greater_than_equal", "less_than_equal"}:
        return _out_of_range(model, path, value)
    return _size_or_value(kind, model, path, value, context)


def _own_refusal(path: Path, loc: Path, value: Any, context: Mapping[str, Any]) -> Finding:
    """What a type of our own says; a long value is cut in it."""
    # An empty value would be found between any two letters.
    text = str(context["said"]).replace(str(value), _cut_value(value)) if value else context["said"]
    about = "the key" if "[key]" in loc else f"`{_cut_value(_innermost_name(path))}`"
    rule: Rule = context["rule"]
    return rule.at(path, f"{about} {text}", context["hint"])


def _innermost_name(path: Path) -> str:
    """The innermost name on the way: what stands in a list has the name of the list."""
    return next((step for step in reversed(path) if isinstance(step, str)), "document")


def _what_to_add(model: type[BaseModel], path: Path) -> str:
    """What to add where a field is missing; its words, where they are few."""
    declared = fields_at(model, path[:-1]).get(str(path[-1]))
    inside = leaf_types(declared.annotation) if declared else ()
    words = [word for leaf in inside for word in leaf.allowed_words]
    some = f": {', '.join(words[:-1])} or {words[-1]}" if 1 < len(words) <= _WORDS_MOST else ""
    return f"add `{path[-1]}`{some}"


def _wrong_type(model: type[BaseModel], path: Path, wanted: str, value: Any) -> Finding:
    field, name = field_at(model, path), _innermost_name(path)
    hint = of_type(wanted, name, value, sorted(fields_at(model, path)))
    given = kind_of(value) if path else sort_of(value)
    message = f"`{_cut_value(name)}` is {given}; it must be {wanted}"
    return TYPE.rule_of_field(field).at(path, message, hint)


def kind_of(value: Any) -> str:
    """Names the type of a value as a message does."""
    if value is None:
        return "empty"
    if isinstance(value, bool):
        return f"the boolean {str(value).lower()}"
    if isinstance(value, (int, float)):
        return f"the number {value}"
    if isinstance(value, str):
        return f"the text {_short_value(value)}"
    return "a list" if isinstance(value, (list, tuple)) else "a mapping"


def sort_of(value: Any) -> str:
    """Describes a value without quoting it, since the file may be anything."""
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, (int, float)):
        return "a number"
    return "a text" if isinstance(value, str) else kind_of(value)


def _out_of_range(model: type[BaseModel], path: Path, value: Any) -> Finding:
    name, declared = declared_at(model, path)
    marks = [mark for leaf in leaves_of(declared) for mark in leaf.marks] if declared else []
    least = next((mark.ge for mark in marks if hasattr(mark, "ge")), None)
    most = next((mark.le for mark in marks if hasattr(mark, "le")), None)
    allowed = f"{least} to {most}" if most is not None else f"{least} or more"
    return RANGE.rule_of_field(name).at(
        path, f"{name} is {value}; the platform allows {allowed}", ""
    )


def _size_or_value(
    kind: str, model: type[BaseModel], path: Path, value: Any, context: Mapping[str, Any]
) -> Finding:
    field, name = field_at(model, path), _cut_value(_innermost_name(path))
    if kind in {"string_too_long", "too_long"}:
        unit = "characters" if isinstance(value, str) else "items"
        most = context["max_length"]
        text = f"`{name}` has {len(value)} {unit}; the platform allows {most}"
        return LENGTH.rule_of_field(field).at(path, text)
    if kind == "string_pattern_mismatch":
        own = "which is not written as it must be"
        odd = f"is {_short_value(value)}, {own if field in _SPELLINGS else _ODD_CHARACTERS}"
        text = f"`{name}` {odd if value else 'is empty'}"
        hint = _SPELLINGS.get(field, "use letters, digits, and single hyphens, dots or underscores")
        return VALUE.rule_of_field(field).at(path, text, hint)
    if kind in {"enum", "literal_error"}:
        given = (
            kind_of(value) if isinstance(value, (list, dict, type(None))) else _short_value(value)
        )
        allowed = [word.strip("'") for word in re.split(r", | or ", str(context["expected"]))]
        text = f"`{name}` is {given}, which is not one of the allowed words"
        return VALUE.rule_of_field(field).at(path, text, guess_word(value, allowed))
    text = f"`{name}` is {kind_of(value)}, which does not belong here"
    return VALUE.rule_of_field(field).at(path, text, "")


def _short_value(value: Any) -> str:
    return f"`{_cut_value(value)}`"


def _cut_value(value: Any) -> str:
    return show_text(str(value))
