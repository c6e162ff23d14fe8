"""Templates: strict, sandboxed, bounded, and their problems stand in the template."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from lmssync.catalog.manifests.templates import render_child as jinja
from lmssync.catalog.manifests.templates.template_rendering import lines, render
from lmssync.catalog.manifests.yaml import YamlMistake
from tests import making

VARIABLES = {"environment": "test", "vars": {"price": 500, "sites": ["a", "b"]}}
PROJECT = """\
version: 1
environments:
  test: {baseUrl: 'http://127.0.0.1:1', vars: {price: 500}}
  live: {baseUrl: 'http://127.0.0.1:2', vars: {price: 900}}
"""
COURSE = """\
resource: course
key: a
kind: video
title: A
{% if environment == "live" %}
status: published
{% endif %}
priceInCents: {{ vars.price }}
videoUrl: https://media.example.com/{{ environment }}.mp4
"""


def test_variables_are_put_in():
    """`vars` and `environment`, and nothing else."""
    assert b"test costs 500" == render(b"{{ environment }} costs {{ vars.price }}", VARIABLES)


@pytest.mark.parametrize(
    ("template", "code", "line"),
    [
        ("a: 1\nb: {{ vars.prise }}", "template-variable", 2),
        ("a: {{ nothing }}", "template-variable", 1),
        ("a: 1\n\nb: {% if x", "template-syntax", 3),
        ("\na: {{ 1 / 0 }}", "template-render", 2),
        ("a: {{ vars.price + 'x' }}", "template-render", 1),
        ("{% include 'other' %}", "template-render", 1),
        ("{{ ''.__class__.__mro__ }}", "template-render", 1),
        ("{{ 'x' * 999999999 }}", "template-render", 1),
        ("{% for i in range(99999) %}{{ 'x' * 999 }}{% endfor %}", "template-render", 1),
        ("{{ 9 ** 9 ** 9 }}", "template-render", 1),
        (
            "{% for a in range(99999) %}\n{% for b in range(99999) %}{% endfor %}{% endfor %}",
            "template-render",
            2,
        ),
    ],
)
def test_what_a_template_may_not(template: str, code: str, line: int):
    """Each is a mistake with its line in the template, and never a hang or a full memory."""
    with pytest.raises(YamlMistake) as caught:
        render(template.encode(), VARIABLES)
    assert (code, line) == (caught.value.rule.id, caught.value.line)


def test_a_misspelt_variable_is_guessed():
    """The hint names what there is."""
    with pytest.raises(YamlMistake) as caught:
        render(b"{{ vars.prise }}", VARIABLES)
    assert "did you mean `price`?" == caught.value.hint


def test_a_template_that_is_not_utf8():
    """Bytes of another encoding are refused before anything is rendered."""
    with pytest.raises(YamlMistake, match="not UTF-8"):
        render(b"a: \xff", VARIABLES)


def test_lines_are_those_of_the_template():
    """Loops, conditions and values of several lines included."""
    template = b"a\n{% for s in vars.sites %}\n- {{ s }}\n{% endfor %}\nz\n"
    outcome = render(template, VARIABLES).decode().split("\n")
    found = dict(zip(outcome, lines(template, VARIABLES), strict=True))
    assert (1, 3, 3, 5) == (found["a"], found["- a"], found["- b"], found["z"])


def test_each_environment_has_its_own(tmp_path: Path):
    """The same template is another resource elsewhere."""
    making.put(tmp_path, "lmssync.yaml", PROJECT)
    making.put(tmp_path, "a.yaml.j2", COURSE)
    forms = [making.only(making.loaded(tmp_path, name)).form for name in ("test", "live")]
    assert [500, 900] == [form["priceInCents"] for form in forms]
    assert ["status" in form for form in forms] == [False, True]


def test_a_mistake_in_what_was_rendered_stands_in_the_template(tmp_path: Path):
    """After a line that the condition left out, places are still right."""
    making.put(tmp_path, "lmssync.yaml", PROJECT)
    making.put(tmp_path, "a.yaml.j2", COURSE.replace("videoUrl: https", "videoUrl: ftp"))
    found = {(p.code, p.where.line) for p in making.problems(tmp_path)}
    assert {("url", 9), ("price-without-purchase", 8)} == found


def test_broken_yaml_in_what_was_rendered(tmp_path: Path):
    """So are those of the YAML itself."""
    making.put(tmp_path, "lmssync.yaml", PROJECT)
    making.put(tmp_path, "a.yaml.j2", COURSE + "title: again\n")
    assert {("duplicate-key", 10)} == {(p.code, p.where.line) for p in making.problems(tmp_path)}


def test_a_plain_manifest_is_never_rendered(tmp_path: Path):
    """A lesson may hold braces."""
    making.write(
        tmp_path,
        a="resource: course\nkey: a\nkind: video\ntitle: 'A {{ b }}'\n"
        "videoUrl: https://media.example.com/a.mp4\n",
    )
    assert "A {{ b }}" == making.only(making.loaded(tmp_path)).form["title"]


def test_macros_without_end():
    """A macro that calls itself is a mistake of the template."""
    with pytest.raises(YamlMistake) as caught:
        render(b"a: 1\n{% macro m() %}{{ m() }}{% endmacro %}\n{{ m() }}", VARIABLES)
    assert "template-render" == caught.value.rule.id


@pytest.mark.parametrize("template", [b"{{ vars.sites | random }}", b"{{ lipsum() }}"])
def test_nothing_is_left_to_chance(template: bytes):
    """What would answer differently each time is not there."""
    with pytest.raises(YamlMistake):
        render(template, VARIABLES)


OBJECTS = """joiner() cycler(1) cycler(1).next namespace(a=1) range range(3) dict
[1,2]|map('string')
[1]|batch(1) [1]|slice(1) [1]|select [1,2]|reverse {'a':1}|items 'a'.upper [1].index {'a':1}.items
{'b':1,'a':2} {'a':1}.keys() 1.0.hex self self.b m vars vars.items 'abc'|attr('upper') [joiner()]
['b','a','c','b']|unique|list 'a,b'.split(',')"""
WAYS = (
    *("{{ %s }}", "{{ (%s)|string|upper }}", "{{ '%%s' %% [%s] }}", "{{ '{0!r}'.format(%s) }}"),
    *("{{ (%s) ~ 1 }}", "{{ [%s]|join }}", "{{ '{a}'.format(a=%s) }}", "{{ [%s]|pprint }}"),
)
RENDERING = """
import sys
from lmssync.catalog.manifests.templates import render_child as jinja
for source in sys.stdin.read().split("\\0"):
    try:
        template = jinja.compile_template(source)
        sys.stdout.buffer.write(jinja.render_text(template, {"vars": {"z": 1, "a": [2]}}))
    except Exception as error:
        print(type(error).__name__, error, flush=True)
"""


@pytest.mark.slow
def test_a_template_is_the_same_text_in_every_process():
    """No address in memory, no order of a set: rendered with other seeds of the hash."""
    before = "{% block b %}{% endblock %}{% macro m() %}{% endmacro %}"
    sources = "\0".join(before + way % one for one in OBJECTS.split() for way in WAYS)
    texts = {
        subprocess.run(
            [sys.executable, "-c", RENDERING],
            input=sources,
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert 1 == len(texts)
    assert "<joiner>" in texts.pop()


def test_what_is_gone_through_once_can_be_gone_through_again():
    """Filters give lists, so that a text of one is that of its items."""
    source = "{% set a = [1, 2]|map('string') %}{{ a|join }}{{ a|join }}{{ a }}"
    assert "1212['1', '2']" == jinja.render_text(jinja.compile_template(source), {}).decode()
