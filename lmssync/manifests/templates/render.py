"""Renders `*.yaml.j2`: strict and sandboxed Jinja2 with the variables of the environment.

A template may come from a stranger's pull request: it is rendered in a process of its own, one
for all of them, which has limits of memory and time and nothing to tell. A second rendering,
made only for files with problems, tells which line of the template each line comes from.
"""

import json
import marshal
import os
import re
from array import array
from collections.abc import Mapping
from threading import Lock
from typing import Any

from ...problems import Rule, near
from ..yaml import NOT_UTF_8, YamlMistake
from .process import Process, ProcessLimits, Silent
from .wire import LINES, REQUEST, SPENT, TEXT

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
        except UnicodeDecodeError:
            raise YamlMistake(NOT_UTF_8, "the template is not UTF-8") from None
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
    """What the process says is wrong, with the remedy."""
    rule, message, hint = _RULES[answer["code"]], answer["message"], ""
    if rule is TEMPLATE_SYNTAX:
        hint = _NOT_CLOSED
    elif rule is TEMPLATE_VARIABLE:
        hint = _known_variables(message, variables)
    return YamlMistake(rule, message, hint, (answer["line"], 1))


def _known_variables(message: str, variables: Mapping[str, Any]) -> str:
    quoted = _QUOTED.findall(message)
    known = sorted({*variables, *variables.get("vars", {})})
    guess = near(quoted[-1] if quoted else "", known)
    return guess or f"known: {', '.join(known)}; add it under `vars:` of the environment"


_RENDERER = Renderer(ProcessLimits())
render, lines = _RENDERER.render_template, _RENDERER.template_lines
"""Those of this program: one process for all templates of a run."""
