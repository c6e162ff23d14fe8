"""Renders templates for the process that started this one, until that closes the pipe.

Jinja2 as manifests get it is strict and sandboxed, and reads nothing from elsewhere. What comes
out is bounded, and so is what a loop may go through. Everything that these bounds cannot know
beforehand (a width, a product, a recursion) is left to the limits of the process.
"""

import json
import marshal
import os
import re
import signal
import sys
from array import array
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import wraps
from types import BuiltinMethodType
from typing import Any, cast

from jinja2 import BaseLoader, Environment, StrictUndefined, Template
from jinja2.exceptions import SecurityError
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream
from jinja2.runtime import LoopContext
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Cycler, Joiner

from . import template_mistakes as mistakes
from .render_limits import limit_time, shut_in
from .template_mistakes import (
    ANSWER,
    LINES,
    MISTAKE,
    OUTPUT_LIMIT,
    READY,
    REQUEST,
    SPENT,
    TEXT,
    read_exactly,
)

_REPEAT_LIMIT = 1_000_000
_START, _END = "\ue000", "\ue001"
_PLACE_IN_MEMORY: Any = object.__repr__
_MARK = re.compile(f"{_START}([0-9]{{1,9}}){_END}")


class TemplateEnvironment(ImmutableSandboxedEnvironment):
    """The environment of one rendering: it counts what the loops have used up."""

    # Jinja2 asks `call_binop` for these alone: `'a' * 10**9` would fill the memory in one step of
    # Python, where no limit of time is heard.
    intercepted_binops = frozenset({"*", "**"})

    def __init__(self, **options: Any) -> None:
        super().__init__(
            undefined=StrictUndefined,
            keep_trailing_newline=True,
            autoescape=False,
            loader=_Nowhere(),
            cache_size=0,
            **options,
        )
        # What answers differently each time: a plan would change with nothing changed.
        del self.globals["lipsum"], self.filters["random"]
        self.globals |= {"range": _Range(), "joiner": _Joiner, "cycler": _Cycler}
        self.filters = {name: _with_plain_result(filter_) for name, filter_ in self.filters.items()}

    def getattr(self, obj: Any, attribute: str) -> Any:
        return _as_plain(super().getattr(obj, attribute))

    def getitem(self, obj: Any, argument: Any) -> Any:
        return _as_plain(super().getitem(obj, argument))

    def call(self, context: Any, obj: Any, /, *args: Any, **named: Any) -> Any:
        """Calls what a template names; `_as_plain` keeps methods in a value of its own."""
        called = obj.called if isinstance(obj, _Callable) else obj
        return _as_plain(super().call(context, called, *args, **named))

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Refuses what would fill the memory before it could be counted."""
        sized = [value for value in (left, right) if hasattr(value, "__len__")]
        times = next((value for value in (left, right) if isinstance(value, int)), 1)
        if operator == "**" or (sized and len(sized[0]) * times > _REPEAT_LIMIT):
            raise SecurityError(f"`{operator}` would make something very large")
        return super().call_binop(context, operator, left, right)


class _Nowhere(BaseLoader):
    """A loader of templates that finds no file."""

    def get_source(self, environment: Environment, template: str) -> Any:  # noqa: ARG002
        raise SecurityError(f"it asks for `{template}`, but a template cannot read other files")


class _Range:
    """`range` for one rendering: loops within loops share what they may go through."""

    def __init__(self) -> None:
        self._left = _REPEAT_LIMIT

    def __call__(self, *bounds: int) -> range:
        numbers = range(*bounds)
        self._left -= len(numbers)
        if self._left < 0:
            raise SecurityError(f"its loops go through more than {_REPEAT_LIMIT:,} numbers")
        return numbers

    def __repr__(self) -> str:
        return "<range>"


class _Joiner(Joiner):
    def __repr__(self) -> str:
        return "<joiner>"


class _Cycler(Cycler):
    def __repr__(self) -> str:
        return "<cycler>"


class _Callable:
    """A method or a block: as a text it says its name, not where it is in memory."""

    def __init__(self, called: Any) -> None:
        self.called = called

    def __call__(self, *_args: Any, **_named: Any) -> Any:
        raise SecurityError(f"it hands on {self}, which can only be called where it is named")

    def __repr__(self) -> str:
        return f"<{getattr(self.called, '__name__', 'block')}>"


def _as_plain(value: Any) -> Any:
    """A value of which the text is the same in every process.

    Python writes where an object is in memory if its type has no better text: what is gone through
    once becomes a list, and what can be called gets a name.
    """
    if isinstance(value, BuiltinMethodType) or (
        callable(value) and type(value).__repr__ is _PLACE_IN_MEMORY
    ):
        return _Callable(value)
    is_spent_once = isinstance(value, Iterator) and not isinstance(value, LoopContext)
    return list(value) if is_spent_once else value


def _with_plain_result(filter_: Any) -> Any:
    @wraps(filter_)
    def filtered(*args: Any, **named: Any) -> Any:
        return _as_plain(filter_(*args, **named))

    return filtered


class _Lines(Extension):
    """Puts its line number before each line of text in a template."""

    def filter_stream(self, stream: TokenStream) -> Iterable[Token]:
        for token in stream:
            if token.type != "data":
                yield token
                continue
            first, *rest = token.value.split("\n")
            marked = (f"{_START}{n}{_END}{line}" for n, line in enumerate(rest, token.lineno + 1))
            yield Token(token.lineno, "data", "\n".join([first, *marked]))


def compile_template(source: str, *, numbered: bool = False) -> Template:
    """The template; `numbered` for `template_lines`."""
    return TemplateEnvironment(extensions=[_Lines] if numbered else ()).from_string(source)


def render_text(template: Template, variables: Mapping[str, Any]) -> bytes:
    return b"".join(_render_chunks(template, variables))


def _render_chunks(template: Template, variables: Mapping[str, Any]) -> Iterator[bytes]:
    size = 0
    chunks = cast("Generator[str, None, None]", template.generate(variables))
    for chunk in chunks:
        try:
            data = chunk.encode()
            size += len(data)
            if size > OUTPUT_LIMIT:
                raise SecurityError(f"it produces more than {OUTPUT_LIMIT:,} bytes")
        except (UnicodeEncodeError, SecurityError) as error:
            chunks.throw(error)  # raised again with the line that the template has come to
        else:
            yield data


def template_lines(template: Template, variables: Mapping[str, Any], last: int) -> "array[int]":
    """For each line of the outcome the line of the template that it comes from, both from 1.

    The template has `last` lines. The outcome is gone through as it comes and kept nowhere: with
    its marks it is several times as long as the text. Marks of the author's own lead to some line.
    """
    numbers = array("I")
    line, numbered = 1, False
    for chunk in template.generate(variables):
        for n, part in enumerate(chunk.split("\n")):
            if n:
                numbers.append(line)
                numbered = False
            # The first mark of a line counts: a macro may put several pieces of the template into
            # one line.
            mark = None if numbered else _MARK.search(part)
            if mark:
                line, numbered = max(1, min(int(mark[1]), last)), True
        if len(numbers) > OUTPUT_LIMIT:
            raise SecurityError(f"it produces more than {OUTPUT_LIMIT:,} lines")
    numbers.append(line)
    return numbers


def run_child(seconds: int, memory: int) -> None:
    """Answers requests; `seconds` of processor time for each, `memory` bytes for all that is."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever asks is interrupted, and ends this one
    with open(os.devnull, "wb") as nowhere:  # noqa: PTH123 - what was said was about the start
        os.dup2(nowhere.fileno(), sys.stderr.fileno())
    shut_in(memory)
    sys.stdout.buffer.write(READY)
    sys.stdout.buffer.flush()
    with suppress(EOFError, BrokenPipeError):
        while True:
            _answer_request(seconds)


def _answer_request(seconds: int) -> None:
    ask, give = sys.stdin.buffer, sys.stdout.buffer
    wanted, size, given = REQUEST.unpack(read_exactly(ask, REQUEST.size))
    source = read_exactly(ask, size).decode()
    variables = marshal.loads(read_exactly(ask, given))  # noqa: S302 - it comes from who started us
    try:
        with limit_time(seconds):
            kind, answer = _render_outcome(wanted, source, variables)
    except mistakes.RenderTimeout as error:
        kind, answer = _encode_mistake(error, mistakes.of_rendering(error))
    give.write(ANSWER.pack(kind, len(answer)) + answer)
    give.flush()


def _render_outcome(wanted: int, source: str, variables: dict[str, Any]) -> tuple[int, bytes]:
    in_words = mistakes.of_source
    try:
        template = compile_template(source, numbered=wanted == LINES)
        in_words = mistakes.of_rendering
        if wanted == LINES:
            last = source.count("\n") + 1
            return LINES, template_lines(template, variables, last).tobytes()
        return TEXT, render_text(template, variables)
    except Exception as error:  # noqa: BLE001 - whatever a template brings about is its author's
        return _encode_mistake(error, in_words(error))


def _encode_mistake(error: Exception, mistake: mistakes.TemplateMistake) -> tuple[int, bytes]:
    kind = SPENT if isinstance(error, mistakes.RenderTimeout | MemoryError) else MISTAKE
    return kind, json.dumps(mistake).encode()
