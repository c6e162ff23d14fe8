"""Renders `*.yaml.j2`: strict and sandboxed Jinja2 with the variables of the environment.

Nothing is read from elsewhere (no includes), an unknown variable is a mistake, and what comes
out is bounded. A second rendering, made only for files with problems, tells which line of the
template each line of the outcome comes from.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from jinja2 import StrictUndefined, Template, TemplateError, TemplateSyntaxError, UndefinedError
from jinja2.exceptions import SecurityError
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream
from jinja2.sandbox import ImmutableSandboxedEnvironment

from ...problems import near
from ..limits import TEMPLATE_LETTERS
from ..yaml.mistake import YamlMistake

_REPEAT_LIMIT = 1_000_000
_START, _END = "\ue000", "\ue001"
_QUOTED = re.compile(r"'([^']+)'")
_MARK = re.compile(f"{_START}([0-9]+){_END}")


class Renderer(ImmutableSandboxedEnvironment):
    """Jinja2 as manifests get it."""

    intercepted_binops = frozenset({"*", "**"})

    def __init__(self, **options: Any) -> None:
        super().__init__(
            undefined=StrictUndefined, keep_trailing_newline=True, autoescape=False, **options
        )

        self.globals["range"] = _Range()
        # What answers differently each time: a plan would change with nothing changed.
        del self.globals["lipsum"], self.filters["random"]

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Refuses what would fill the memory before it could be counted."""
        sized = [value for value in (left, right) if hasattr(value, "__len__")]
        if operator == "**" or (sized and len(sized[0]) * _number(left, right) > _REPEAT_LIMIT):
            raise SecurityError(f"`{operator}` would make something very large")
        return super().call_binop(context, operator, left, right)


class _Range:
    """`range` for one rendering: loops within loops share what they may go through."""

    def __init__(self) -> None:
        self._left = _REPEAT_LIMIT

    def __call__(self, *bounds: int) -> range:
        found = range(*bounds)
        self._left -= len(found)
        if self._left < 0:
            raise SecurityError(f"its loops go through more than {_REPEAT_LIMIT:,} numbers")
        return found


def _number(left: Any, right: Any) -> int:
    return next((value for value in (left, right) if isinstance(value, int)), 1)


class _Lines(Extension):
    """Puts the number of its line before each line of text in a template."""

    def filter_stream(self, stream: TokenStream) -> Iterable[Token]:
        for token in stream:
            if token.type != "data":
                yield token
                continue
            lines = token.value.split("\n")
            told = [lines[0], *(_told(token.lineno + n, x) for n, x in enumerate(lines) if n)]
            yield Token(token.lineno, "data", "\n".join(told))


def _told(line: int, text: str) -> str:
    return f"{_START}{line}{_END}{text}"


def render(data: bytes, variables: Mapping[str, Any]) -> bytes:
    """The YAML that a template stands for; raises `YamlMistake`."""
    return "".join(_chunks(_template(data, Renderer()), variables)).encode("utf-8")


def lines(data: bytes, variables: Mapping[str, Any]) -> list[int]:
    """For each line of the outcome the line of the template that it comes from, both from 1."""
    text = "".join(_chunks(_template(data, Renderer(extensions=[_Lines])), variables))
    found: list[int] = []
    line = 1
    for outcome in text.split("\n"):
        mark = _MARK.search(outcome)
        line = int(mark[1]) if mark else line
        found.append(line)
    return found


def _template(data: bytes, renderer: Renderer) -> Template:
    try:
        return renderer.from_string(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise YamlMistake("not-utf-8", "the template is not UTF-8", "save it as UTF-8") from None
    except TemplateSyntaxError as error:
        raise YamlMistake(
            "template-syntax",
            f"not a template of Jinja2: {error.message}",
            "look for a `{{`, `{%` or `{#` that is not closed; text that holds them belongs into "
            "`{% raw %}`",
            line=error.lineno,
        ) from None


def _chunks(template: Template, variables: Mapping[str, Any]) -> Iterator[str]:
    size = 0
    try:
        for chunk in template.generate(variables):
            size += len(chunk)
            if size > TEMPLATE_LETTERS:
                raise SecurityError(f"it makes more than {TEMPLATE_LETTERS:,} characters")
            yield chunk
    except UndefinedError as error:
        raise _unknown(error, variables) from None
    except TemplateError as error:
        message = f"the template cannot be rendered: {error.message or error}"
        raise YamlMistake("template-render", message, line=_line(error)) from None
    except RecursionError as error:
        message = "the template cannot be rendered: its macros call each other without end"
        raise YamlMistake("template-render", message, line=_line(error)) from None
    except (ArithmeticError, LookupError, TypeError, ValueError, MemoryError) as error:
        # What an expression of the template does wrong: still the author's, with its line.
        message = f"the template cannot be rendered: {error}"
        raise YamlMistake("template-render", message, line=_line(error)) from None


def _unknown(error: UndefinedError, variables: Mapping[str, Any]) -> YamlMistake:
    message = str(error.message)
    quoted = _QUOTED.findall(message)
    known = sorted({*variables, *variables.get("vars", {})})
    return YamlMistake(
        "template-variable",
        f"the template asks for what is not there: {message}",
        near(quoted[-1] if quoted else "", known)
        or f"known: {', '.join(known)}; add it under `vars:` of the environment",
        line=_line(error),
    )


def _line(error: BaseException) -> int:
    """The line of the template that was at work: Jinja2 writes it into the traceback."""
    found = 1
    step = error.__traceback__
    while step:
        if step.tb_frame.f_code.co_filename == "<template>":
            found = step.tb_lineno
        step = step.tb_next
    return found
