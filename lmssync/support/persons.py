"""Persons in forms and messages are codes there: identifiers stay in the lists.

Forms and calls have a third node, `{"$person": "9f2c61aa0d3e4b17"}`: an identifier of
somebody, put in its place when it is sent. The code is a keyed hash; see `state/people_codes.py`.
"""

import re
from collections.abc import Callable, Container, Iterator, Mapping
from typing import Any

NODE = "$person"
DIGITS = 16
"""Digits of a code: among a million people, two share one with a chance of 1 in 30 million."""
_CODE = rf"[0-9a-f]{{{DIGITS}}}(?:-[0-9a-f]{{4}})?"
RUN = re.compile(rf"person {_CODE}(?:, person {_CODE})*")
"""Persons in a message, one after the other, as `spell_person` writes them."""
_SHORTEST = 4
"""An identifier of fewer letters is not looked for in sentences: it may be any number or word."""
_ADDRESS = re.compile(r"[^\s@\"'`,;:()<>\[\]{}]+@[^\s@\"'`,;:()<>\[\]{}]*[^\s@\"'`,;:()<>\[\]{}.]")
_WORD_WITH_AT = re.compile(r"(?<![\w.+-])[\w.+-]++@[\w.-]+")
_LIST_OF_PEOPLE = re.compile(
    rb"^[\s{,\[-]*[\"']?(?:users|email|externalCustomerId)[\"']?\s*:", re.MULTILINE
)
"""The start of a line in a file that lists people."""
_VALUE = re.compile(r"(?!-\s)[^\s,:{}\[\]\"']++(?!\s*:(?:\s|$))")
"""A word of a line of YAML that is not the name of a field."""
_MASK = "•"
_USER = re.compile(r"\buser ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b", re.IGNORECASE)

Swap = Callable[[Any], Any]
"""Replaces an identifier by its node, or a node by its identifier."""


def person_node(code: str) -> dict[str, str]:
    """The node that replaces an identifier."""
    return {NODE: code}


def code_in(value: Any) -> str | None:
    """The code of a node; nothing for any other value."""
    return value[NODE] if isinstance(value, Mapping) and NODE in value else None


def bare_code(code: str) -> str:
    """The code without regard to capitals: the platform's labels have none."""
    return code.partition("-")[0]


def codes_in(value: Any) -> Iterator[str]:
    """The code of every node inside a value."""
    if isinstance(value, Mapping):
        code = code_in(value)
        if code is not None:
            yield code
            return
        value = value.values()
    elif not isinstance(value, (list, tuple)):
        return
    for item in value:
        yield from codes_in(item)


def spell_person(code: str) -> str:
    """A person in a message: a stage puts file and line in its place where they are known."""
    return f"person {code}"


def scrub_people(text: str, known: Mapping[str, str], hide: Callable[[str], str]) -> str:
    """A message of the platform's without identifiers: codes for those in `known`, which has them
    in small letters, and for whatever else looks like an e-mail address or the id of a user."""
    # The longest first: `ann` must not be replaced inside `ann@example.com`.
    for identifier in sorted((one for one in known if one in text.lower()), key=len, reverse=True):
        if len(identifier) >= _SHORTEST:
            alone = rf"(?<![\w.@+-]){re.escape(identifier)}(?![\w@+-]|\.\w)"
            text = re.sub(alone, spell_person(known[identifier]), text, flags=re.IGNORECASE)
    text = _USER.sub(lambda found: spell_person(hide(found[1].lower())), text)
    return _ADDRESS.sub(lambda found: spell_person(hide(found[0].lower())), text)


def lists_people(data: bytes) -> bool:
    """True for a file of YAML that seems to list people, whether or not it can be read."""
    return _LIST_OF_PEOPLE.search(data) is not None


def hide_addresses(line: str) -> str:
    """The line with a dot for each character of an e-mail address: columns stay what they are."""
    return _WORD_WITH_AT.sub(_mask_match, line) if "@" in line else line


def hide_values(line: str, least: int, shown: Container[str] = ()) -> str:
    """A line of YAML with a dot for each character of its values, but for words of fewer than
    `least` characters, which can be no secret, and those that are `shown` beside it anyway."""

    def hide_word(one: re.Match[str]) -> str:
        return one[0] if len(one[0]) < least or one[0] in shown else _mask_match(one)

    return _VALUE.sub(hide_word, line)


def _mask_match(match: re.Match[str]) -> str:
    return _MASK * len(match[0])
