"""Whatever a template does, it becomes text or is told in words, and the next one is rendered."""

import os
import re
import sys
from collections.abc import Iterator
from random import Random

import pytest
from jinja2.filters import FILTERS
from jinja2.tests import TESTS

from lmssync.catalog.manifests.templates.template_rendering import ProcessLimits, Renderer
from lmssync.catalog.manifests.yaml import YamlMistake
from tests.catalog.manifests.hostile_templates import HOSTILE, ODD

from .whole import changed, validate

TEMPLATES = int(os.environ.get("FUZZ_TEMPLATES", "200"))
VARIABLES = {"environment": "e", "vars": {"price": 5, "sites": ["a", "b"], "deep": {"x": [{}]}}}
SMALL = ProcessLimits(seconds=1, memory=192 * 1024 * 1024)
_NAMES = (
    *(
        "vars",
        "environment",
        "vars.price",
        "vars.sites",
        "vars.deep.x",
        "none",
        "self",
        "loop",
        "x",
    ),
    *(
        "caller",
        "varargs",
        "range",
        "dict",
        "lipsum",
        "cycler",
        "joiner",
        "namespace",
        "super",
        "_",
    ),
    *("__builtins__", "''.__class__", "vars.items", "m", "x.append", "x.format", "''.join"),
    *(
        "0",
        "1",
        "-1",
        "9**9",
        "1e400",
        "''",
        "'a'*9",
        "'\\n::set-output'",
        "[]",
        "{}",
        "()",
        "True",
    ),
)
_VALUES = (
    *("(E + E)", "(E - E)", "(E * E)", "(E ** E)", "(E // E)", "(E % E)", "(E ~ E)", "(E < E)"),
    *("E|F", "E|F(E)", "E|F(E, E)", "(E is T)", "(E is T(E))", "E[E]", "E[E:E]", "N(E)", "N(E, E)"),
    *("{E: [E, E]}", "(E if E else E)", "(E in E)", "(not E)", "E.x", "E.__class__", "N(**E)"),
)
_STATEMENTS = (
    *("{{ E }}\n", "a: {{ E }}\nS", "{% raw %}S{% endraw %}", "{% set x = E %}S", "{{ E }}SS"),
    *("{% for x in E %}S{% endfor %}", "{% if E %}S{% else %}\n{% endif %}", "{% include E %}S"),
    *("{% for x in E recursive %}{{ loop(x) }}S{% endfor %}", "{% call E %}S{% endcall %}"),
    *("{% macro m(x) %}S{{ m(x) }}{% endmacro %}{{ m(E) }}", "{% filter F %}S{% endfilter %}"),
)
"""E is a value, F a filter, T a test, N a name, S a statement."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "darwin", reason="it does not keep to a limit of memory"),
]


def template(random: Random, depth: int = 0) -> str:
    """Statements around values, of any sense or none."""
    text = random.choice(_STATEMENTS) if depth < 4 else "{{ E }}"
    return re.sub(r"[EFTNS](?![a-z])", lambda found: _made(found[0], random, depth + 1), text)


def _made(letter: str, random: Random, depth: int) -> str:
    if letter == "S":
        return template(random, depth)
    if letter != "E":
        return random.choice({"F": sorted(FILTERS), "T": sorted(TESTS), "N": _NAMES}[letter])
    if depth > 5 or random.random() < 0.4:
        return random.choice(_NAMES)
    text = random.choice(_VALUES)
    return re.sub(r"\b[EFTN]\b", lambda found: _made(found[0], random, depth + 1), text)


@pytest.fixture(scope="module")
def renderer() -> Iterator[Renderer]:
    made = Renderer(SMALL)
    yield made
    for process in made._processes.values():
        process.end()


def check(renderer: Renderer, data: bytes) -> None:
    """It is told on a line of no great length, if it is not rendered."""
    for ask in (renderer.render_template, renderer.template_lines):
        said = ""
        try:
            ask(data, VARIABLES)
        except YamlMistake as bad:
            said = bad.message
        assert said.isprintable(), data
        assert len(said) < 400, data
    assert b"5" == renderer.render_template(b"{{ vars.price }}", VARIABLES), data


def test_any_template_is_answered(renderer: Renderer):
    """Made of everything that there is in the language."""
    random = Random(0)
    for _ in range(TEMPLATES):
        check(renderer, template(random).encode())


def test_slips_in_templates_are_answered(renderer: Renderer):
    """Hostile and odd templates with bytes lost, moved and put in."""
    random = Random(0)
    texts = [*ODD, *(text for group in HOSTILE.values() for text in group if len(text) < 2_000)]
    for _ in range(TEMPLATES // 2):
        check(renderer, changed(random.choice(texts).encode(), random))


def test_catalogs_of_them_are_answered():
    """With the file and the line, by the command itself."""
    random = Random(7)
    for _ in range(TEMPLATES // 10):
        assert validate(a__yaml__j2=template(random).encode()) in {0, 3}
