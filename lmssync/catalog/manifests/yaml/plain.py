"""What a text without quotes stands for, as far as the quick readers know it."""

import re
from typing import Any

WORDS = {
    "": None,
    "~": None,
    "null": None,
    "Null": None,
    "NULL": None,
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}
_INT = re.compile(r"^-?(0|[1-9][0-9]{0,17})$")
_NUMBER_OR_OTHER = re.compile(r"^([-+]?[0-9.][0-9_.eExXobBaA-fF+:-]*|[-+.].*|<<|=)$")
_UUID = re.compile(r"^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$")
_DATE = re.compile(r"^([0-9]{4}-[0-9]{2}-[0-9]{2}([Tt ].*)?|[0-9]{1,2}(:[0-9]{2}){1,2})$")
"""And a time: what YAML 1.1 took for something else."""
DEPTH = 64
"""How deep a manifest may be nested; deeper ones are left to the parser that counts."""


class Exotic(Exception):
    """The file must be read the slow way."""


def parse_plain(text: str) -> Any:
    """What text without quotes stands for; raises `Exotic` for most numbers."""
    if text in WORDS:
        return WORDS[text]
    if _INT.match(text):
        return int(text)
    if _DATE.match(text) or _UUID.match(text):
        return text
    if _NUMBER_OR_OTHER.match(text):
        raise Exotic
    return text
