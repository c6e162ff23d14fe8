"""How to write what was meant, where a value is of the wrong type."""

import re
from collections.abc import Sequence
from typing import Any

_YES = frozenset({"true", "yes", "on", "y", "1"})
_NO = frozenset({"false", "no", "off", "n", "0"})
_GROUPED = re.compile(r"[-+]?\d{1,3}(?:[ ,_'.]\d{3})+|[-+]?\d+", re.ASCII)
_DECIMAL = re.compile(r"\D{0,3}(\d+)[.,](\d\d)\D{0,4}", re.ASCII)
_BETWEEN = re.compile(r"[ ,_'.+]")
_AMOUNT_MOST = 10**7
_SHARE = re.compile(r"(\d+) ?%", re.ASCII)
_SHOWN = 60
QUOTE = "put it in quotes ("
"""How the remedies begin that show a value: `places` puts in what stands in the file."""


def of_type(wanted: str, name: str, value: Any, fields: Sequence[str]) -> str:
    """What to write where `wanted` belongs; `fields` are those of the mapping that does."""
    if value is None:
        return f"write it after `{name}:`, or delete the line" if len(name) <= _SHOWN else ""
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
    return _text_remedy(wanted, value) if "text" in wanted.split() else ""


def quoting_remedy(value: Any) -> str:
    """The remedy for a text that YAML takes for something else."""
    spelled = str(value).lower() if isinstance(value, bool) else str(value)
    what = "boolean" if isinstance(value, bool) else "number"
    return f'{QUOTE}"{spelled}"): YAML reads it as the {what} {spelled}'


def _text_remedy(wanted: str, value: Any) -> str:
    if isinstance(value, (bool, int, float)):
        return quoting_remedy(value)
    if isinstance(value, dict):
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
    plain = isinstance(value, str) and len(value) <= _SHOWN and value.isprintable()
    item = value if plain and value.strip() else "..."
    return f"write `{name}: [{item}]`, or one item per line after a dash"
