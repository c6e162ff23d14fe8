"""The endpoint of the control plane and its table of commands: loopback peers only, no key.

Errors are answered as `{errors}`.
"""

import sqlite3
from collections.abc import Callable, Iterable, Mapping

from starlette.types import Receive, Scope, Send

from ..data.durable_store import SeedRefused
from ..http_messages import (
    Answer,
    Gone,
    Query,
    Refusal,
    bad_request,
    headers_of,
    json_object,
    query_of,
    read_body,
    send_answer,
)
from ..request_gateway import require_neighbour
from ..running_sandbox import Sandbox
from ..sandbox_documents import Doc
from ..value_checks import InvalidValue
from . import content_edits, control_commands, learner_commands

Command = Callable[[Sandbox, Doc, Query], Answer]
COMMANDS: Mapping[str, Mapping[str, Command]] = {
    "reset": {"POST": control_commands.run_reset},
    "dump": {"GET": control_commands.show_dump},
    "requests": {"GET": control_commands.list_requests, "DELETE": control_commands.forget_requests},
    "clock": {"GET": control_commands.show_clock, "POST": control_commands.advance_clock},
    "faults": {
        "GET": control_commands.show_faults,
        "POST": control_commands.add_faults,
        "DELETE": control_commands.forget_faults,
    },
    "keys": {"GET": control_commands.show_keys, "POST": control_commands.change_keys},
    "features": {"GET": control_commands.show_features, "POST": control_commands.set_features},
    "edit": {"GET": content_edits.show_trash, "POST": content_edits.apply_edit},
    "switches": {"GET": control_commands.show_switches, "POST": control_commands.set_switches},
    "limits": {"GET": control_commands.show_limits, "POST": control_commands.set_limits},
    "attempts": {"POST": learner_commands.make_attempts},
    "school": {"POST": learner_commands.open_school},
    "events": {"POST": learner_commands.report_events},
    "learners": {"POST": learner_commands.make_learners},
    "steps": {"POST": learner_commands.take_step},
    "notifications": {
        "GET": learner_commands.show_notifications,
        "POST": learner_commands.register_notification,
        "DELETE": learner_commands.forget_notifications,
    },
    "openapi.json": {"GET": control_commands.describe_routes},
}

QUERIES: Mapping[str, tuple[str, ...]] = {
    "requests": ("route", "method", "status", "path", "since", "limit", "body"),
    "dump": ("only",),
}
"""The query parameters of each command."""

AFTER_JOBS = {"reset", "dump", "clock", "edit", "attempts", "school", "events", "learners", "steps"}
"""Commands about what the platform keeps: they wait until every job that is due has ended, so that
no answer and no dump shows a half-done job."""

PREFIX = "/_sandbox"
_FOR_NO_PAGE = (
    ("X-Content-Type-Options", "nosniff"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cache-Control", "no-store"),
)


class Control:
    """One endpoint for all of `/_sandbox/{name}`."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            answer = await self._answer_command(scope, receive)
        except Gone:
            return
        except Refusal as refusal:
            await self.refuse_request(refusal, scope, send)
        # A full disk, for one: a client sees that nothing was kept, as with the routes of the
        # platform.
        except sqlite3.Error as error:
            unwritten = Refusal(503, f"The sandbox cannot write its data: {error}")
            await self.refuse_request(unwritten, scope, send)
        except (ValueError, InvalidValue, SeedRefused) as error:
            await self.refuse_request(bad_request(str(error)), scope, send)
        else:
            await _send_answer(answer, send)

    async def refuse_request(self, refusal: Refusal, _scope: Scope, send: Send) -> None:
        """Answer with an error of the control plane."""
        body = {"errors": list(refusal.errors)}
        await _send_answer(Answer(body, refusal.status, refusal.headers), send)

    async def _answer_command(self, scope: Scope, receive: Receive) -> Answer:
        # Before the name: who may not ask learns nothing of which commands there are.
        require_neighbour(scope)
        name, known = scope["path_params"]["name"], ", ".join(COMMANDS)
        commands = COMMANDS.get(name)
        if commands is None:
            raise Refusal(404, f"{scope['path'][:200]}: no such path; the paths are {known}")
        command = commands.get(scope["method"])
        if command is None:
            allow = ", ".join(commands)
            raise Refusal(405, f"Only {allow} is allowed here", headers=(("Allow", allow),))
        query = query_of(scope)
        _require_known(query, QUERIES.get(name, ()))
        headers = headers_of(scope)
        body = json_object(await read_body(headers, receive), headers)
        waits = name in AFTER_JOBS
        if waits:
            await self._sandbox.worker.settle_due_jobs()
        # What is due by the clock has happened before a command looks or changes.
        self._sandbox.platform.catch_up(reading=False)
        answer = command(self._sandbox, body, query)
        if waits:
            await self._sandbox.worker.settle_due_jobs()
        await self._sandbox.platform.store.wait_until_durable()
        return answer


def _require_known(query: Iterable[str], known: tuple[str, ...]) -> None:
    for name in query:
        if name not in known:
            there = f"the parameters are {', '.join(known)}" if known else "this order takes none"
            raise InvalidValue(f"{name[:60]}: no such parameter; {there}")


async def _send_answer(answer: Answer, send: Send) -> None:
    await send_answer(answer._replace(headers=(*answer.headers, *_FOR_NO_PAGE)), send)
