"""Renders `*.yaml.j2`: strict and sandboxed Jinja2 with the variables of the environment.

A template may come from a stranger's pull request: it is rendered in a process of its own, one
for all of them, which has limits of memory and time and nothing to tell. A second rendering,
made only for files with problems, tells which line of the template each line comes from.
"""

import json
import marshal
import os
import re
import signal
import subprocess
import sys
from array import array
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from multiprocessing.util import Finalize
from pathlib import Path
from threading import Lock, Timer
from typing import Any, NamedTuple

from ....errors import LmssyncError
from ....problems import Rule, suggest_near
from ..catalog_files import SAVE_AS_UTF_8, describe_undecodable
from ..yaml import NOT_UTF_8, YamlMistake
from .template_mistakes import ANSWER, LINES, OUTPUT_LIMIT, READY, REQUEST, SPENT, TEXT

_BEGIN = (
    "import sys; sys.path += sys.argv[3:]; "
    f"from {__package__}.render_child import run_child; "
    "run_child(int(sys.argv[1]), int(sys.argv[2]))"
)
_LIBRARIES = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT")
"""All that it gets of our environment: where this Python, or Windows, may have its libraries."""
_PACKAGES = ("lmssync", "jinja2", "markupsafe")
_ANSWER_LIMIT = 4 * (OUTPUT_LIMIT + 1)
_PART = 1024 * 1024
_FAREWELL = 5.0
"""Seconds until a process that no longer answers is ended."""


class ProcessLimits(NamedTuple):
    """The limits of one template."""

    seconds: int = 5
    """Of a processor's time."""
    memory: int = 512 * 1024 * 1024
    """Bytes of all that the process is, where the system keeps to that (macOS does not)."""
    patience: float = 60.0
    """Seconds on the clock: many more, for a machine that has other things to do."""


class Silent(Exception):
    """The process gave no answer; the message says why."""


class Process:
    """A process that renders one template after another. Raises LmssyncError if it cannot start."""

    def __init__(self, limits: ProcessLimits) -> None:
        self._limits, self._late = limits, False
        try:
            self._child = _begin_process(limits)
        except OSError as error:
            raise _cannot_start(error.strerror or str(error)) from None
        self.end = Finalize(self, _end_process, (self._child,), exitpriority=10)
        try:
            with self._end_when_late():
                self._read_exactly(len(READY))
        except Silent as silent:
            raise _cannot_start(str(silent)) from None

    def is_gone(self) -> bool:
        """Whether somebody else has ended the process."""
        return self._child.poll() is not None

    def ask_process(self, request: bytes) -> tuple[int, bytes]:
        """The kind of an answer, and the answer; raises Silent, and then the process has ended."""
        with self._end_when_late():
            self._write_request(request)
            kind, size = ANSWER.unpack(self._read_exactly(ANSWER.size))
            if size > _ANSWER_LIMIT:
                self.end()
                raise Silent("its process returned no valid answer")
            return kind, self._read_exactly(size)

    @contextmanager
    def _end_when_late(self) -> Iterator[None]:
        """Ends the process when its time is over; a reader of its output sees that end.

        Nothing else waits for a pipe on every system.
        """
        timer = Timer(self._limits.patience, self._give_up)
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()

    def _give_up(self) -> None:
        self._late = True
        self._child.kill()

    def _write_request(self, request: bytes) -> None:
        assert self._child.stdin
        try:
            self._child.stdin.write(request)
            self._child.stdin.flush()
        except OSError:  # a broken pipe, which has another number on Windows
            raise Silent(self._describe_end()) from None

    def _read_exactly(self, size: int) -> bytes:
        assert self._child.stdout
        source = self._child.stdout.fileno()
        answer = bytearray()
        while len(answer) < size:
            part = os.read(source, min(size - len(answer), _PART))
            if not part:
                raise Silent(self._describe_end())
            answer += part
        return bytes(answer)

    def _describe_end(self) -> str:
        """Why it has ended; after a failed start its last words are about that."""
        try:
            status = self._child.wait(_FAREWELL)
        except subprocess.TimeoutExpired:
            self._child.kill()
            status = self._child.wait()
        assert self._child.stderr
        words = self._child.stderr.read().decode("utf-8", "replace").splitlines()
        self.end()
        if self._late:
            return f"it takes longer than {self._limits.patience:g} seconds"
        if hasattr(signal, "SIGXCPU") and status == -signal.SIGXCPU:
            return f"it takes longer than {self._limits.seconds} seconds"
        end = f"signal {-status}" if status < 0 else f"status {status}"
        return f"its process crashed ({words[-1] if words else end})"


def _begin_process(limits: ProcessLimits) -> "subprocess.Popen[bytes]":
    """Neither the variables of our environment nor our open files go along: they may be secret."""
    # `-I` ignores PYTHONPATH and the folder we are in, `-S` leaves out site-packages with their
    # start-up code: nothing that a catalog brings along is imported.
    code = [sys.executable, "-I", "-S", "-c", _BEGIN, str(limits.seconds), str(limits.memory)]
    return subprocess.Popen(
        [*code, *_package_folders()],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd="/",
        env={name: os.environ[name] for name in _LIBRARIES if name in os.environ},
    )


def _package_folders() -> list[str]:
    """Where the packages are that it imports: `-S` leaves it the standard library alone."""
    specs = (find_spec(name) for name in _PACKAGES)
    return list({str(Path(spec.origin).parents[1]): None for spec in specs if spec and spec.origin})


def _cannot_start(reason: str) -> LmssyncError:
    return LmssyncError(
        f"templates cannot be rendered: no process can be started for them ({reason})",
        "a template may come from a stranger, so it is rendered in a process that has limits;"
        " allow lmssync to start one",
    )


def _end_process(child: "subprocess.Popen[bytes]") -> None:
    child.kill()
    child.wait()
    for pipe in (child.stdin, child.stdout, child.stderr):
        if pipe:
            with suppress(OSError):  # over what it had not read yet
                pipe.close()


TEMPLATE_SYNTAX = Rule(
    "template-syntax",
    "A `*.yaml.j2` file is not a valid Jinja2 template.",
    "Close what is open, and put text that contains `{{` or `{%` into `{% raw %}`.",
)
TEMPLATE_VARIABLE = Rule(
    "template-variable",
    "A template uses a variable that the environment does not have.",
    "Correct its name, or add it under `vars:` of every environment.",
)
TEMPLATE_RENDER = Rule(
    "template-render",
    "A template cannot be rendered: it does something that templates may not do, an "
    "expression fails, or it needs too much memory or time.",
    "Check the expression in the line that the problem names.",
)

_RULES = {rule.id: rule for rule in (TEMPLATE_SYNTAX, TEMPLATE_VARIABLE, TEMPLATE_RENDER)}
_QUOTED = re.compile(r"'([^']+)'")
_NOT_CLOSED = (
    "look for a `{{`, `{%` or `{#` that is not closed; text that contains them belongs in "
    "`{% raw %}`"
)


class Renderer:
    """Asks a process that is begun with the first template, and anew after one went too far."""

    def __init__(self, limits: ProcessLimits) -> None:
        self._limits, self._turn = limits, Lock()
        self._processes: dict[int, Process] = {}
        """By the id of the process that began it: a fork must not share that of its parent."""

    def render_template(self, data: bytes, variables: Mapping[str, Any]) -> bytes:
        """The YAML that a template stands for; raises `YamlMistake`, and `LmssyncError` where no
        process can be started."""
        return self._ask_process(TEXT, data, variables)

    def template_lines(self, data: bytes, variables: Mapping[str, Any]) -> "array[int]":
        """For each line of the outcome the line of the template that it comes from, both from 1.

        Raises the same.
        """
        numbers = array("I")
        numbers.frombytes(self._ask_process(LINES, data, variables))
        return numbers

    def _ask_process(self, wanted: int, data: bytes, variables: Mapping[str, Any]) -> bytes:
        try:
            data.decode()
        except UnicodeDecodeError as error:
            message, spot = describe_undecodable(error)
            raise YamlMistake(NOT_UTF_8, message, SAVE_AS_UTF_8, spot) from None
        # Marshal keeps keys that are numbers, which JSON makes texts of. Only our own process reads
        # it.
        given = marshal.dumps(dict(variables))
        request = REQUEST.pack(wanted, len(data), len(given)) + data + given
        with self._turn:
            kind, answer = self._answer_of_process(request)
        if kind == wanted:
            return answer
        raise _yaml_mistake(json.loads(answer), variables)

    def _answer_of_process(self, request: bytes) -> tuple[int, bytes]:
        own = os.getpid()
        process = self._processes.get(own)
        if process is None or process.is_gone():
            process = self._processes[own] = Process(self._limits)
        try:
            kind, answer = process.ask_process(request)
        except Silent as silent:
            text = f"the template cannot be rendered: {silent}"
            raise YamlMistake(TEMPLATE_RENDER, text, "") from None
        if kind == SPENT:
            process.end()
        return kind, answer


def _yaml_mistake(answer: Mapping[str, Any], variables: Mapping[str, Any]) -> YamlMistake:
    """The mistake that the process reports, with the remedy."""
    rule, message, hint = _RULES[answer["code"]], answer["message"], ""
    if rule is TEMPLATE_SYNTAX:
        hint = _NOT_CLOSED
    elif rule is TEMPLATE_VARIABLE:
        hint = _known_variables(message, variables)
    return YamlMistake(rule, message, hint, (answer["line"], 1))


def _known_variables(message: str, variables: Mapping[str, Any]) -> str:
    quoted = _QUOTED.findall(message)
    known = sorted({*variables, *variables.get("vars", {})})
    guess = suggest_near(quoted[-1] if quoted else "", known)
    return guess or f"known: {', '.join(known)}; add it under `vars:` of the environment"


_RENDERER = Renderer(ProcessLimits())
render, lines = _RENDERER.render_template, _RENDERER.template_lines
"""The renderer of this program: one process for all templates of a run."""
