"""Templates of strangers: each is told in words, at its own cost and nobody else's."""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lmssync.catalog.manifests.templates.template_rendering import ProcessLimits, Renderer
from lmssync.catalog.manifests.yaml import YamlMistake
from lmssync.errors import LmssyncError
from tests import making

from .hostile_templates import HOSTILE, ODD

VARIABLES = {"environment": "test", "vars": {"price": 500, "sites": ["a", "b"]}}
PROJECT = """\
version: 1
environments:
  test: {baseUrl: 'http://127.0.0.1:1', vars: {price: 500, sites: [a, b]}}
"""
SMALL = ProcessLimits(seconds=1, memory=160 * 1024 * 1024)
LATE = "takes longer than"
PATIENT = SMALL._replace(seconds=30, patience=300)
"""For what fails by itself, on however slow a machine."""
ENDLESS = HOSTILE[LATE][0].encode()
BIG = "too much memory"
KEPT = {BIG} if sys.platform == "darwin" else set()
"""What the system does not keep to."""
FIRST = [(said, texts[0]) for said, texts in HOSTILE.items() if said not in KEPT]
REST = [(said, text) for said, texts in HOSTILE.items() for text in texts[1:] if said not in KEPT]
QUICK = [texts[-1] for said, texts in HOSTILE.items() if said not in {LATE, BIG}]
"""One of each that does not come to a limit: the tests of single templates have these."""
on_linux = pytest.mark.skipif(not Path("/proc/self").exists(), reason="it is seen in /proc")


@pytest.fixture(scope="module")
def renderer() -> Iterator[Renderer]:
    yield from ended(Renderer(SMALL))


@pytest.fixture(scope="module")
def patient() -> Iterator[Renderer]:
    yield from ended(Renderer(PATIENT))


def ended(made: Renderer) -> Iterator[Renderer]:
    yield made
    for process in made._processes.values():
        process.end()


def child(renderer: Renderer) -> int:
    """The id of the process that renders."""
    return renderer._processes[os.getpid()]._child.pid


def mistake(renderer: Renderer, template: bytes) -> YamlMistake:
    with pytest.raises(YamlMistake) as caught:
        renderer.render_template(template, VARIABLES)
    return caught.value


@pytest.mark.parametrize(
    ("said", "template"),
    [*FIRST, *(pytest.param(*pair, marks=pytest.mark.slow) for pair in REST)],
    ids=lambda text: text[:60],
)
def test_it_is_told_in_words(renderer: Renderer, patient: Renderer, said: str, template: str):
    """In one line of no great length, and the next template is rendered as if nothing had been."""
    renderer = renderer if said == LATE else patient
    message = mistake(renderer, template.encode()).message
    assert said in message
    assert (True, True) == (message.isprintable(), len(message) < 400)
    assert b"500" == renderer.render_template(b"{{ vars.price }}", VARIABLES)


@pytest.mark.parametrize(
    "templates", [ODD[::6], pytest.param([*ODD, *QUICK], marks=pytest.mark.slow)]
)
def test_a_catalog_of_them_is_invalid(tmp_path: Path, templates: list[str]):
    """Each problem stands in its file, on a line that the file has."""
    making.put(tmp_path, "lmssync.yaml", PROJECT)
    for n, template in enumerate(templates):
        making.put(tmp_path, f"t{n}.yaml.j2", template)
    told = {p.where.file: p.where.line for p in making.problems(tmp_path)}
    lines = {f"t{n}.yaml.j2": text.count("\n") + 1 for n, text in enumerate(templates)}
    assert lines.keys() == told.keys()
    assert all(1 <= line <= lines[file] for file, line in told.items())


def test_lines_that_cannot_be_told(tmp_path: Path):
    """A template that goes another way once its lines are numbered: its mistakes stand on top."""
    making.put(tmp_path, "lmssync.yaml", PROJECT)
    told = (
        "{% set x %}\n{% endset %}\n{% if x|length > 1 %}{{ 1 / 0 }}{% endif %}\nresource: what\n"
    )
    making.put(tmp_path, "a.yaml.j2", told)
    assert {("unknown-resource", 1)} == {(p.code, p.where.line) for p in making.problems(tmp_path)}


def test_one_process_for_many(renderer: Renderer):
    """A catalog of a thousand templates begins no thousand processes."""
    before = [renderer.render_template(b"a", VARIABLES), child(renderer)]
    mistake(renderer, b"{{ 1 / 0 }}")
    assert before == [renderer.render_template(b"a", VARIABLES), child(renderer)]


@pytest.mark.slow
def test_another_after_one_at_its_limits(renderer: Renderer):
    """What a template has left in the memory is no other template's."""
    renderer.render_template(b"a", VARIABLES)
    before = child(renderer)
    mistake(renderer, ENDLESS)
    renderer.render_template(b"a", VARIABLES)
    assert before != child(renderer)


def test_another_where_somebody_has_killed_it(renderer: Renderer):
    """That is no mistake of the next template."""
    renderer.render_template(b"a", VARIABLES)
    os.kill(child(renderer), signal.SIGKILL)
    renderer._processes[os.getpid()]._child.wait()
    assert b"a" == renderer.render_template(b"a", VARIABLES)


@pytest.mark.slow
def test_a_step_that_nothing_interrupts():
    """Two values compared for ever, in one step of Python: the system ends the process."""
    impatient = Renderer(ProcessLimits(seconds=1))
    assert (
        "takes longer than 1 seconds"
        in mistake(impatient, HOSTILE["takes longer than"][-1].encode()).message
    )
    assert -signal.SIGXCPU == impatient._processes[os.getpid()]._child.returncode


def test_no_waiting_without_end():
    """For a process that is stopped, or gets no processor."""
    impatient = Renderer(ProcessLimits(seconds=60))
    impatient.render_template(b"a", VARIABLES)  # how long a start takes is up to the machine
    process = impatient._processes[os.getpid()]
    process._limits = process._limits._replace(patience=1.0)
    assert "takes longer than 1 seconds" in mistake(impatient, ENDLESS).message


@on_linux
def test_it_knows_no_secret(monkeypatch: pytest.MonkeyPatch):
    """Neither our variables nor our open files."""
    monkeypatch.setenv("LMSSYNC_API_KEY", "secret")
    renderer = Renderer(ProcessLimits())
    renderer.render_template(b"a", VARIABLES)
    process = Path(f"/proc/{child(renderer)}")
    names = {line.partition("=")[0] for line in (process / "environ").read_text().split("\0")}
    assert names <= {"", "LD_LIBRARY_PATH", "LC_CTYPE"}
    assert {"0", "1", "2"} == {entry.name for entry in (process / "fd").iterdir()}
    renderer._processes[os.getpid()].end()


@on_linux
def test_its_limits(renderer: Renderer):
    """Memory, and neither files nor processes, whatever a hole in the sandbox would allow."""
    renderer.render_template(b"a", VARIABLES)
    limits = Path(f"/proc/{child(renderer)}/limits").read_text().splitlines()
    said = {line[:25].strip(): line[25:].split()[0] for line in limits}
    assert (str(SMALL.memory), "0", "0") == (
        said["Max address space"],
        said["Max file size"],
        said["Max processes"],
    )


def test_without_a_process(monkeypatch: pytest.MonkeyPatch):
    """Where none can be started nothing is rendered, and nobody's template is to blame."""
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(LmssyncError, match="no process can be started for them"):
        Renderer(ProcessLimits()).render_template(b"a", VARIABLES)


def test_a_process_that_cannot_begin(monkeypatch: pytest.MonkeyPatch):
    """Its last words are passed on."""
    monkeypatch.setattr(
        "lmssync.catalog.manifests.templates.template_rendering._PACKAGES", ("lmssync",)
    )
    with pytest.raises(LmssyncError, match="ModuleNotFoundError: No module named 'jinja2'"):
        Renderer(ProcessLimits()).render_template(b"a", VARIABLES)


def test_a_fork_has_its_own(patient: Renderer):
    """Two who ask the same process would get each other's answers."""
    patient.render_template(b"a", VARIABLES)
    ours = child(patient)
    back, forth = os.pipe()
    fork = os.fork()
    if not fork:
        try:
            patient.render_template(b"b", VARIABLES)
            os.write(forth, str(child(patient)).encode())
        finally:
            os._exit(0)  # a fork that goes on would run the other tests a second time
    os.close(forth)
    theirs = os.read(back, 20)
    os.waitpid(fork, 0)
    assert theirs not in {b"", str(ours).encode()}
