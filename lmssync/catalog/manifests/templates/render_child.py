"""Renders templates for the process that started this one, until that closes the pipe."""

import json
import marshal
import os
import signal
import sys
from contextlib import suppress
from importlib.util import find_spec
from typing import Any

from . import jinja_limits as jinja, template_mistakes as mistakes
from .template_mistakes import ANSWER, LINES, MISTAKE, READY, REQUEST, SPENT, TEXT, read_exactly

if sys.platform != "win32" and find_spec("resource"):
    from .by_system import limit_time, shut_in
else:
    from .by_thread import limit_time, shut_in


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
        template = jinja.compile_template(source, numbered=wanted == LINES)
        in_words = mistakes.of_rendering
        if wanted == LINES:
            last = source.count("\n") + 1
            return LINES, jinja.template_lines(template, variables, last).tobytes()
        return TEXT, jinja.render_text(template, variables)
    except Exception as error:  # noqa: BLE001 - whatever a template brings about is its author's
        return _encode_mistake(error, in_words(error))


def _encode_mistake(error: Exception, mistake: mistakes.TemplateMistake) -> tuple[int, bytes]:
    kind = SPENT if isinstance(error, mistakes.RenderTimeout | MemoryError) else MISTAKE
    return kind, json.dumps(mistake).encode()
