"""Spans for OpenTelemetry: one for each stage and each request, and nothing of anybody in them."""

import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from lmssync import PlatformError, open_catalog
from tests.patience import read_outputs

pytest.importorskip("opentelemetry.sdk.trace", reason="the extra `otel` is not installed")


@pytest.fixture(scope="module")
def _exporter() -> Iterator[Any]:
    """A program around lmssync that collects spans in memory; a process can have one such."""
    from opentelemetry import trace
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    trace.set_tracer_provider(provider)
    yield exporter
    provider.shutdown()


@pytest.fixture
def spans(_exporter: Any) -> Any:
    """Gives the spans that have ended since the test began."""
    _exporter.clear()
    return _exporter.get_finished_spans


def test_an_apply_has_a_span_for_each_stage(work, platform, spans):
    """All of them belong to that of the command."""
    work.course("a")
    assert 0 == work.apply().code
    root = next(span for span in spans() if span.name == "lmssync apply")
    assert {"load", "plan", "recover", "apply"} <= {span.name for span in spans()}
    assert {root.context.trace_id} == {span.context.trace_id for span in spans()}


def test_a_request_has_a_span(work, platform, spans):
    """With the template of its route, its status and its fate, below its stage."""
    work.course("a")
    assert 0 == work.apply().code
    stage = next(span for span in spans() if span.name == "apply")
    made = next(span for span in spans() if span.name.startswith("POST "))
    assert stage.context.span_id == made.parent.span_id
    assert {
        "http.request.method": "POST",
        "url.template": "/incoming/v2/content/course/create",
        "http.response.status_code": 200,
        "lmssync.fate": "acknowledged",
    } == dict(made.attributes)


def test_a_request_that_is_repeated(work, platform, spans):
    """Each try has a span of its own that says how many were before."""
    work.course("a")
    platform.fault("status", "ping", status=500, times=1)
    open_catalog(work.root).plan()
    tries = [s.attributes for s in spans() if s.name.endswith("/ping")]
    again = [one.get("http.request.resend_count", 0) for one in tries]
    assert [0, 1] == again[:2]


def test_nothing_of_anybody_is_in_a_span(work, platform, spans):
    """No id, key, title, or address, though all of them were sent."""
    work.course("secret-key", edit=("Good morning", "Dear Alice"))
    assert 0 == work.apply().code
    (course,) = [one["id"] for one in platform.dump("courseGroups") if "secret-key" in one["title"]]
    told = "".join(span.to_json() for span in spans())
    assert spans()
    assert [] == [w for w in ("secret-key", "Alice", course, platform.key) if w in told]


def test_an_error_is_told_by_its_type(work, spans):
    """Its words stay out, since they may name somebody."""
    env = {"LMSSYNC_BASE_URL": "http://127.0.0.1:1", "LMSSYNC_API_KEY": "key-of-nobody"}
    work.course("a")
    with pytest.raises(PlatformError):
        open_catalog(work.root, env=env).plan()
    stage = next(span for span in spans() if span.name == "plan")
    assert {"error.type": "Unreachable"} == dict(stage.attributes)
    assert () == stage.events


@contextmanager
def collector() -> Iterator[tuple[str, list[bytes]]]:
    """Its address, and what it gets."""
    bodies: list[bytes] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None: ...  # noqa: A002

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", bodies
        finally:
            server.shutdown()


@pytest.mark.slow
def test_the_usual_variables(work, platform):
    """A run of its own sends its spans to the collector that they name, and prints nothing else."""
    work.course("a")
    with collector() as (address, bodies):
        work.env |= {
            "OTEL_EXPORTER_OTLP_ENDPOINT": address,
            "OTEL_EXPORTER_OTLP_COMPRESSION": "none",
        }
        run = work.start("plan")
        shown = read_outputs(run)[0].decode()
    assert (0, True) == (run.returncode, "1 to create" in shown)
    assert b"/incoming/v2/ping" in b"".join(bodies)


@pytest.mark.slow
def test_a_collector_that_is_not_there(work, platform):
    """The run does what it does anyway, without a word about it."""
    work.course("a")
    work.env |= {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1"}
    run = work.start("plan")
    shown = read_outputs(run)[0].decode()
    assert (0, False) == (run.returncode, "Traceback" in shown)


@pytest.mark.slow
def test_a_collector_that_never_answers(work, platform):
    """The run ends without it, however long one request to it may take."""
    work.course("a")
    with socket.create_server(("127.0.0.1", 0)) as listening:
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        work.env |= {"OTEL_EXPORTER_OTLP_ENDPOINT": address, "OTEL_EXPORTER_OTLP_TIMEOUT": "600"}
        run = work.start("plan")
        run.communicate(timeout=300)
    assert 0 == run.returncode


def test_without_them_nothing_is_imported(work):
    """A run that nobody traces does not load the packages."""
    code = (
        "import sys\nfrom lmssync.cli.main import main\n"
        "try:\n    main(['validate'])\nexcept SystemExit:\n    pass\n"
        "sys.exit('opentelemetry' in ' '.join(sys.modules))"
    )
    work.course("a")

    assert 0 == subprocess.run([sys.executable, "-c", code], cwd=work.root, check=False).returncode
