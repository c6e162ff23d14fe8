"""Spans for OpenTelemetry: one for each stage and each request, where somebody collects them.

A span holds the template of a route, a status, how often it was tried. It never holds an id, a
name, a body, a key, or the words of an error.
"""

import atexit
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Span, Tracer

_ASKED_BY = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
_API = "opentelemetry.trace"
_PATIENCE = 2.0
"""Seconds that the end of a run waits for the collector to take what is left."""
Note = Callable[[int | None, str], None]
"""Takes the status of an answer, if there was one, and its fate."""


@contextmanager
def trace_stage(name: str) -> Iterator[None]:
    """A span around a stage; also to be used as a decorator."""
    tracer = _find_tracer()
    if tracer is None:
        yield
        return
    with _open_span(tracer, name):
        yield


@contextmanager
def trace_call(method: str, template: str, attempt: int) -> Iterator[Note]:
    """A span around one request, which gets its outcome by the function that is given."""
    tracer = _find_tracer()
    if tracer is None:
        yield lambda _status, _fate: None  # nobody collects it
        return
    about: dict[str, str | int] = {"http.request.method": method, "url.template": template}
    if attempt > 1:
        about["http.request.resend_count"] = attempt - 1
    with _open_span(tracer, f"{method} {template}", about, sends=True) as opened:

        def note(status: int | None, fate: str) -> None:
            opened.set_attribute("lmssync.fate", fate)
            if status is not None:
                opened.set_attribute("http.response.status_code", status)

        yield note


@contextmanager
def _open_span(
    tracer: "Tracer", name: str, about: dict[str, str | int] | None = None, *, sends: bool = False
) -> "Iterator[Span]":
    """A span that says of an exception only what type it has: its words may name somebody."""
    from opentelemetry.trace import SpanKind, StatusCode

    kind = SpanKind.CLIENT if sends else SpanKind.INTERNAL
    with tracer.start_as_current_span(
        name, kind=kind, attributes=about, record_exception=False, set_status_on_exception=False
    ) as opened:
        try:
            yield opened
        except Exception as error:
            opened.set_attribute("error.type", type(error).__name__)
            opened.set_status(StatusCode.ERROR)
            raise


def _find_tracer() -> "Tracer | None":
    """The tracer; None where nobody collects spans: neither this run nor a program around it."""
    if _API not in sys.modules and not _begins_to_collect():
        return None
    api: Any = sys.modules[_API]
    tracer: Tracer = api.get_tracer("lmssync")
    return tracer


@cache
def _begins_to_collect() -> bool:
    """Begins to collect if the usual variables say where to, and the extra `otel` is installed."""
    asked = any(os.environ.get(name) for name in _ASKED_BY)
    unwanted = os.environ.get("OTEL_TRACES_EXPORTER", "otlp") != "otlp"
    if not asked or unwanted or os.environ.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return False
    try:
        _begin_tracing()
    except ImportError:  # without the extra there is nothing to collect with
        return False
    return True


def _begin_tracing() -> None:
    import logging

    from opentelemetry import trace
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    if "service.name=" not in os.environ.get("OTEL_RESOURCE_ATTRIBUTES", ""):
        os.environ.setdefault("OTEL_SERVICE_NAME", "lmssync")
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)
    _shut_down_at_exit(provider)
    # A collector that does not answer is no reason for a trace of Python on the terminal.
    logging.getLogger("opentelemetry").addHandler(logging.NullHandler())


def _shut_down_at_exit(provider: "TracerProvider") -> None:
    """A shutdown takes several timeouts of a collector that does not answer, and knows no limit of
    its own. Its thread begins now: none can be started while Python ends."""
    ending, ended = threading.Event(), threading.Event()

    def shut_down() -> None:
        ending.wait()
        provider.shutdown()
        ended.set()

    def wait() -> None:
        ending.set()
        ended.wait(_PATIENCE)

    threading.Thread(target=shut_down, daemon=True, name="lmssync-spans").start()
    atexit.register(wait)
