"""Reads YAML 1.2 with ruamel.yaml: exact values, exact messages, exact places.

Dates stay the text that the author wrote: the rules say whether such a date exists.
"""

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.constructor import DuplicateKeyError, SafeConstructor
from ruamel.yaml.error import MarkedYAMLError, YAMLError, YAMLWarning
from ruamel.yaml.nodes import ScalarNode
from ruamel.yaml.reader import Reader as Slow, ReaderError
from ruamel.yaml.resolver import VersionedResolver

from ....texts.values import CONTROL_CHARACTER
from ..catalog_files import MERGED, NOT_UTF_8, SAVE_AS_UTF_8, VALUES, describe_undecodable
from .yaml_mistakes import (
    BYTE_ORDER_MARK,
    DUPLICATE_KEY,
    ENDLESS,
    HALF_CHARACTER,
    NUMBER_SIZE,
    TOO_DEEP,
    YAML_SYNTAX,
    YamlMistake,
    find_cause,
    in_our_words,
    too_many,
)

_SHORT = 8
"""Characters that are passed as fast one by one."""
_ONE_BY_ONE = ("\n", "\r", "\ufeff")
"""What begins a line, or has no column of its own."""


class FastReader(Slow):
    """Counts lines and columns as the other, and passes the text within a line in one step."""

    def forward(self, length: int = 1) -> None:
        """Passes so many characters of the text."""
        end = self.pointer + length
        if length < _SHORT or end + 1 >= len(self.buffer):
            super().forward(length)
            return
        passed = self.buffer[self.pointer : end]
        if any(char in passed for char in _ONE_BY_ONE):
            super().forward(length)
            return
        # What `super().forward` does for each character, done once for all of them.
        self.pointer = end
        self.index += length
        self.column += length


def make_parser() -> YAML:
    """Returns the parser of ruamel.yaml for YAML 1.2."""
    yaml = YAML(typ="safe", pure=True)
    yaml.version = (1, 2)
    yaml.Reader = FastReader
    return yaml


@contextmanager
def silence_warnings() -> Iterator[None]:
    """Silences the warnings of what YAML allows: an anchor used twice, numbers of YAML 1.1."""
    with warnings.catch_warnings(action="ignore", category=YAMLWarning):
        yield


_HALF = re.compile("[\ud800-\udfff]")
_SLIPS = (
    YAMLError,
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    AssertionError,
    ArithmeticError,
)
_BYTE_ORDER_MARK = "\ufeff"
_NUMBER_MOST = 2**63 - 1
_DIGITS_MOST = 70
"""The most characters of a number that fits, in whatever base."""


class JsonConstructor(SafeConstructor):
    """Makes values that JSON can hold; timestamps stay text."""

    merged = 0

    def flatten_mapping(self, node: Any) -> None:
        """Puts in what merge keys stand for; refuses those that stand for each other's."""
        super().flatten_mapping(node)
        # A merge key that names a mapping with merge keys doubles at each step: thirty short lines
        # could become a thousand million keys.
        self.merged += len(getattr(node, "merge", None) or ())
        if self.merged > MERGED:
            message = f"the merge keys (`<<`) of the file expand to more than {MERGED:,} keys"
            hint = "look for mappings that merge (`<<`) others which do the same"
            raise YamlMistake(ENDLESS, message, hint, _spot_of_mark(node.start_mark))


class Nodes(VersionedResolver):
    """Is asked about each node before it is made, and counts them: they take much room."""

    made = 0

    def descend_resolver(self, current_node: Any, current_index: Any) -> None:
        self.made += 1
        if self.made > VALUES:
            raise too_many()
        super().descend_resolver(current_node, current_index)


def _construct_number(values: SafeConstructor, node: ScalarNode) -> int:
    number = values.construct_yaml_int(node) if len(node.value) <= _DIGITS_MOST else None
    if number is None or abs(number) > _NUMBER_MOST:
        message = f"the number has {len(node.value)} digits: it is too large to be sent"
        raise YamlMistake(NUMBER_SIZE, message, at=_spot_of_mark(node.start_mark))
    return int(number)


def _construct_string(values: SafeConstructor, node: ScalarNode) -> str:
    text = str(values.construct_yaml_str(node))
    if _HALF.search(text):
        message = "the text contains half a character (an escape between \\ud800 and \\udfff)"
        raise YamlMistake(HALF_CHARACTER, message, at=_spot_of_mark(node.start_mark))
    return text


JsonConstructor.add_constructor("tag:yaml.org,2002:timestamp", lambda _self, node: node.value)
JsonConstructor.add_constructor("tag:yaml.org,2002:int", _construct_number)
JsonConstructor.add_constructor("tag:yaml.org,2002:str", _construct_string)
for _kind in ("binary", "omap", "pairs", "set"):  # no JSON can hold what they make
    del JsonConstructor.yaml_constructors[f"tag:yaml.org,2002:{_kind}"]


def _make_yaml() -> YAML:
    yaml = make_parser()
    yaml.Resolver = Nodes
    yaml.Constructor = JsonConstructor
    return yaml


def load_exactly(data: bytes) -> list[Any]:
    """Returns the documents of a file; raises `YamlMistake`."""
    try:
        with silence_warnings():
            return list(_make_yaml().load_all(_decode_yaml(data)))
    except DuplicateKeyError as error:
        raise _duplicate_mistake(error, data) from None
    except MarkedYAMLError as error:
        raise _syntax_mistake(error, data) from None
    except ReaderError as error:
        raise _control_mistake(error, data) from None
    except RecursionError:
        raise YamlMistake(TOO_DEEP, "the file is nested too deeply to be a manifest", "") from None
    except _SLIPS as error:
        # The parser's own slips on input that no author writes: still an answer, never a trace.
        raise YamlMistake(YAML_SYNTAX, *in_our_words(str(error))) from None


def _decode_yaml(data: bytes) -> str:
    # UTF-16 has a zero byte in each ASCII letter. The parser would complain of a control character,
    # which would help nobody.
    if b"\0" in data[:2]:
        raise YamlMistake(NOT_UTF_8, "the file is UTF-16", SAVE_AS_UTF_8)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        message, spot = describe_undecodable(error)
        raise YamlMistake(NOT_UTF_8, message, SAVE_AS_UTF_8, spot) from None
    if text.startswith(_BYTE_ORDER_MARK):
        message = "the file begins with a byte order mark (U+FEFF), which is invisible"
        hint = "save it as UTF-8 without one: other programs read it as part of the first key"
        raise YamlMistake(BYTE_ORDER_MARK, message, hint)
    return text


def _control_mistake(error: ReaderError, data: bytes) -> YamlMistake:
    character = error.character
    code = ord(character) if isinstance(character, str) else int(character)
    before = data.decode("utf-8", "replace")[: error.position]
    message = f"the file contains the character U+{code:04X}, which YAML forbids"
    spot = (before.count("\n") + 1, len(before) - before.rfind("\n"))
    return YamlMistake(
        CONTROL_CHARACTER, message, "delete it: it is invisible in most editors", spot
    )


def _duplicate_mistake(error: DuplicateKeyError, data: bytes) -> YamlMistake:
    """A key that repeats the first key of an item probably begins the next item without a dash."""
    quoted = str(error.problem).split('"')
    key = quoted[1] if len(quoted) > 1 else "?"
    line, column = _spot_of_mark(error.context_mark)
    begun = _read_lines(data)[line - 1]
    hint = "keep one of them: YAML would silently drop the other"
    is_first = begun[column - 1 :].startswith(f"{key}:")
    if is_first and begun[: column - 1].rstrip().endswith("-"):
        message = f"the key `{key}` is given twice in one item, which begins on line {line}"
        hint = f"write `- {key}:` if another item of the list begins here; otherwise {hint}"
    else:
        message = f"the key `{key}` is given twice in one mapping, which begins on line {line}"
        if key == "resource" and column == 1:
            hint = f"write `---` above it if another document begins here; otherwise {hint}"
        elif is_first and column > 1:
            hint = f"write `- {key}:` at both if these are items of a list; otherwise {hint}"
    return YamlMistake(DUPLICATE_KEY, message, hint, _spot_of_mark(error.problem_mark))


def _syntax_mistake(error: MarkedYAMLError, data: bytes) -> YamlMistake:
    words = " ".join(part for part in (error.context, error.problem) if part)
    noticed = _spot_of_mark(error.problem_mark or error.context_mark)
    begun = _spot_of_mark(error.context_mark) if error.context_mark else None
    return YamlMistake(YAML_SYNTAX, *find_cause(words, _read_lines(data), noticed, begun))


def _read_lines(data: bytes) -> list[str]:
    return re.split("\r\n|[\n\r\x85\u2028\u2029]", _decode_yaml(data))


def _spot_of_mark(mark: Any) -> tuple[int, int]:
    """The place of a mark of the parser; the beginning, if there is none."""
    return (mark.line + 1, mark.column + 1) if mark else (1, 1)


def parser_events(data: bytes) -> list[Any]:
    """Returns the events of the parser; none where the file is no YAML."""
    try:
        with silence_warnings():
            return list(_make_yaml().parse(_decode_yaml(data)))
    except (*_SLIPS, YamlMistake, RecursionError):
        return []
