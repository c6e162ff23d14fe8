"""YAML 1.2 by one regular expression: values from the lines that most manifests consist of.

A line is a key, an item of a list, or an item that begins with a key; its value is beside it or in
a block below. Whatever else is in a file, and every mistake, raises `UnsupportedSyntax`: texts that
go on in the next line, anchors, tags, `? `, `- - `. So does what ruamel.yaml might read otherwise.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

import orjson

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
# At most 18 digits: more may not fit into the 63 bits of a number that can be sent, and the exact
# reader has the words for that. `007` is no number of YAML 1.2 but of 1.1, so it is left to the
# exact reader as well.
_INT = re.compile(r"^-?(0|[1-9][0-9]{0,17})$")
_NUMBER_OR_OTHER = re.compile(r"^([-+]?[0-9.][0-9_.eExXobBaA-fF+:-]*|[-+.].*|<<|=)$")
_UUID = re.compile(r"^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$")
_DATE = re.compile(r"^([0-9]{4}-[0-9]{2}-[0-9]{2}([Tt ].*)?|[0-9]{1,2}(:[0-9]{2}){1,2})$")
"""Dates and times, which YAML 1.1 took for something else."""
DEPTH = 64
"""How deep a manifest may be nested; deeper ones are left to the parser that counts."""


class UnsupportedSyntax(Exception):
    """Another reader has to read the file."""


def parse_plain(text: str) -> Any:
    """Returns the value of text without quotes; raises `UnsupportedSyntax` for most numbers."""
    if text in WORDS:
        return WORDS[text]
    if _INT.match(text):
        return int(text)
    if _DATE.match(text) or _UUID.match(text):
        return text
    if _NUMBER_OR_OTHER.match(text):
        raise UnsupportedSyntax
    return text


_MOST = 20
"""Collections that may be on one line."""
_WORD = r"""(?:[^\s,\[\]{}'"\\:]|:(?![\s,\[\]{}'":]))+"""
# Every repetition is possessive or in an atomic group (`++`, `*+`, `(?>...)`): what has been
# matched is never tried another way. So a line that a stranger wrote takes time in proportion to
# its length, and no more.
_PIECE = re.compile(
    rf"""
    \ *+
    (?: ([^\W\d][\w.-]{{0,99}}+) :\ ++              # key
    | ( (?=[^\W_]) {_WORD} (?:\ ++{_WORD})*         # scalar
      | '[^']*+ (?>(?: '' [^']*+ )*)'
      | "[^"\\]*+ (?>(?: \\["\\/bfnrt] [^"\\]*+ )*)"
      ) (?= \ *+ [,\]}}] )
    | ([\[\]{{}},] | .++)                           # a mark, or what is not read here
    )
    """,
    re.VERBOSE,
)
_END = ("", "", "")


def _unquote_single(text: str) -> str:
    return text[1:-1].replace("''", "'")


def _unquote_double(text: str) -> str:
    value: str = orjson.loads(text) if "\\" in text else text[1:-1]
    return value


def _parse_word(text: str) -> Any:
    text = text.rstrip(" ")
    return WORDS.get(text, text)


def _parse_number(text: str) -> Any:
    return parse_plain(text.rstrip(" "))


def _parse_flow(text: str) -> Any:
    if text.count("[") + text.count("{") > _MOST:
        raise UnsupportedSyntax
    pieces = iter(_PIECE.findall(text))
    value = _parse_collection(pieces, next(pieces)[2])
    if any(pieces):
        raise UnsupportedSyntax
    return value


def _parse_collection(pieces: Iterator[tuple[str, str, str]], opening: str) -> Any:
    """What stands behind a bracket, with the other one."""
    made: Any = [] if opening == "[" else {}
    closing = "]" if opening == "[" else "}"
    key, scalar, mark = next(pieces, _END)
    if mark == closing:
        return made
    while True:
        name = key
        if opening == "{":
            if not name or name in made or name in WORDS:
                raise UnsupportedSyntax
            key, scalar, mark = next(pieces, _END)
        if key:
            raise UnsupportedSyntax  # a pair in a list
        value = _parse_collection(pieces, mark) if mark in ("[", "{") else _parse_scalar(scalar)
        if opening == "{":
            made[name] = value
        else:
            made.append(value)
        mark = next(pieces, _END)[2]
        if mark == closing:
            return made
        if mark != ",":
            raise UnsupportedSyntax
        key, scalar, mark = next(pieces, _END)


def _parse_scalar(text: str) -> Any:
    if not text:
        raise UnsupportedSyntax
    read = READ.get(text[0])
    return read(text) if read else text


READ: dict[str, Callable[[str], Any]] = {
    **dict.fromkeys("0123456789+-.<", _parse_number),
    **dict.fromkeys("~tTfFnN", _parse_word),
    **dict.fromkeys("[{", _parse_flow),
    "'": _unquote_single,
    '"': _unquote_double,
}
"""How a value is read, by the character that it begins with; any other is a text as it stands."""


# All but tab, line feed and carriage return.
_CONTROL = bytes([*range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20), 0x7F])
_WIDE = "\u2028\u2029\ufeff\ufffe\uffff"
_C1 = re.compile(rb"\xc2[\x80-\x9f]")
"""With those above: what YAML forbids, what is invisible, and what one parser takes for the end of
a line."""
_Open = tuple[Any, int, str]
"""A collection, the column of its entries, and a dash if it is a list."""
_LINES = 50_000
"""The lines of a file are taken all at once, so they must not be too many."""

# One match is one line, or a block of text with its header. `findall` gives all lines in one call.
# The last alternative takes the whole rest, so that nothing is skipped unseen.
_ENTRY = re.compile(
    r"""
    (\ *+) (?:(-\ )|)                               # margin, dash
    (?>([^\W\d][A-Za-z0-9_.\w-]{0,99}+) : (?:\ ++|(?=\n))|)  # key
    (?:
      (                                             # value: a text without quotes, to the end,
        [^\x00-\x20\x7f?:,\[\]{}\#&*!|>'"%@`=-] [^\n\t:\#]*+
        (?>(?=[:\#]) (?: (?: :(?=[^\ \n]) | (?<!\ )\# ) [^\n\t:\#]*+ )* |)
      | -[0-9]++                                    # a number,
      | '[^'\n\t]*+ (?>(?: '' [^'\n\t]*+ )*)'          # a text in quotes,
      | "[^"\\\n\t]*+ (?>(?: \\(?:["\\/bfnrt]|u(?![dD][89a-fA-F])[0-9a-fA-F]{4}) [^"\\\n\t]*+ )*)"
      | [\[{] (?: [^\n\t\#] | (?<=\w)\# ){0,999} [\]}]  # a collection on one line,
      | (?(3)|(?:(?<![^\n])|(?=\#)))                # none after a key, and in an empty line
      )
      \ *+ (?:\n | (?<![^\ \n]) \#[^\n]*+ \n)
    | (?(3)|(?!)) ([|>]) (?:(2)|) ([-+]?+) (?:\ ++\#[^\n]*+|)  # a block: style, step, chomping,
      (?= \n++ ( \1 (?(2)\ \ ) (?(6)\ \ |\ ++(?=[^\ \n\t])) ) )  # how each of its lines begins,
      ( \n (?>(?: \8[^\n]*+\n | \n )+) )               # and the lines
    )
    | (---\n | (?>(?s:.)+))                            # another document, or what is not read here
    """,
    re.VERBOSE,
)
_FOLDED = re.compile(r"\n(\n*)")
_UNFOLDED = frozenset(("", " ", "\t", "\n"))


def load_by_lines(data: bytes) -> list[Any]:
    """Returns the documents of a file; raises `UnsupportedSyntax` for all that is not read here."""
    # After this only a lone carriage return is left, which ends a line to one parser and not to the
    # other.
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n")
    if not data.endswith(b"\n") or b"\r" in data or _is_long(data):
        raise UnsupportedSyntax
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise UnsupportedSyntax from error
    if len(data.translate(None, _CONTROL)) != len(data) or _is_odd(data, text):
        raise UnsupportedSyntax
    return _read_documents(text.removeprefix("---\n"))


def _is_long(data: bytes) -> bool:
    return len(data) > _LINES and data.count(b"\n") > _LINES


def _is_odd(data: bytes, text: str) -> bool:
    """True if the text has a character that this reader leaves to the others."""
    # Several quick searches: a single expression takes twenty times as long.
    if data.isascii():
        return False
    return any(char in text for char in _WIDE) or _C1.search(data) is not None


def _read_documents(text: str) -> list[Any]:  # noqa: C901, PLR0912 - one loop over the lines
    """Reads line by line; a stack of open collections in place of recursion."""
    documents: list[Any] = []
    stack: list[_Open] = []
    holder: Any = None
    column, listed = -1, ""  # where the entries of the holder begin; a dash if it is a list
    waiting: str | None = None  # a key without a value, which may stand in the lines below
    for margin, dash, key, beside, style, _, chomping, begin, below, other in _ENTRY.findall(text):
        at = len(margin)
        if not (key or dash):
            if other == "---\n" and holder is not None:
                stack, holder, column, listed, waiting = [], None, -1, "", None
            elif beside or other:
                raise UnsupportedSyntax
            continue
        # Nearly every line is this case, so it is asked first.
        if at == column and dash == listed:
            pass  # the collection goes on
        elif at > column or (at == column and dash):
            inner = _begin_collection(documents, holder, waiting, at, dash)
            stack.append((holder, column, listed))
            holder, column, listed = inner, at, dash
        else:
            holder, column, listed = stack.pop()
            if column != at or dash != listed:  # more than one collection ends
                holder, column, listed = _end_collections(stack, (holder, column, listed), at, dash)
        waiting = None
        if beside:
            value = READ[beside[0]](beside) if beside[0] in READ else beside.rstrip(" ")
        elif style:
            value = _block_text(style, chomping, below.replace(f"\n{begin}", "\n")[1:])
        elif key:
            value, waiting = None, key
        else:
            raise UnsupportedSyntax
        if dash:
            if not key:
                holder.append(value)
                continue
            stack.append((holder, column, listed))
            holder.append({})
            holder, column, listed = holder[-1], at + len(dash), ""
        # Duplicates, and keys such as `true` and `null`, which are no texts: the exact reader says
        # what is wrong with them.
        if key in holder or key in WORDS or len(stack) > DEPTH:
            raise UnsupportedSyntax
        holder[key] = value
    if holder is None:
        raise UnsupportedSyntax
    return documents


def _begin_collection(
    documents: list[Any], holder: Any, waiting: str | None, at: int, dash: str
) -> Any:
    """The collection that begins below a key that waits for its value, or with a document."""
    begun: Any = [] if dash else {}
    if waiting is not None:
        holder[waiting] = begun
    elif holder is None and not at:
        documents.append(begun)
    else:
        raise UnsupportedSyntax
    return begun


def _end_collections(stack: list[_Open], current: _Open, at: int, dash: str) -> _Open:
    """The collection around the current one that goes on here."""
    while current[1] > at:
        current = stack.pop()
    _, column, listed = current
    if column == at and listed and not dash:  # a list that is not indented below its key
        current = stack.pop()
        _, column, listed = current
    if column != at or listed != dash:
        raise UnsupportedSyntax
    return current


def _block_text(style: str, chomping: str, text: str) -> str:
    """The text of a block whose lines have lost their margin."""
    kept = text.rstrip("\n")
    if not kept:
        raise UnsupportedSyntax  # blanks only: is the last line one?
    if chomping == "+" and style == "|":
        return text
    if style == ">":
        if kept[:1] in _UNFOLDED or "\n " in kept or "\n\t" in kept:
            raise UnsupportedSyntax  # what stands further in is not folded
        ends = text[len(kept) :]
        kept = _FOLDED.sub(lambda match: match[1] or " ", kept)
        if chomping == "+":
            return kept + ends
    # `-` strips every line end, no sign keeps one; `+` has returned above.
    return kept if chomping else kept + "\n"
