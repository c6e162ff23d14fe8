"""A plan as JSON: what `plan --json` and `show --json` print, and what a saved plan holds.

A plan may hold thousands of calls, so their parts are made one after the other: a generator
stands where JSON has a list. A saved plan has no `fields` of what is new: its calls hold them.
The digest is the SHA-256 of the saved plan without `digest` and `signature`, spelled with sorted
keys and no blanks, in UTF-8.
"""

import hashlib
from collections.abc import Iterator
from functools import lru_cache
from types import GeneratorType
from typing import Any

import orjson

from ...resource import canonical_text
from . import codec, codecs, signing
from .budget import plan_budget
from .contents import fields
from .plan import Plan, PlannedChange, Step

FORMAT = "lmssync.plan/1"
Lazy = dict[str, Any]
"""A document in which generators stand for lists."""


@lru_cache(maxsize=1)
def digest(plan: Plan) -> str:
    """Computes the digest, which covers every word and every call of the plan."""
    hashed = hashlib.sha256()
    for piece in _spelled(_saved(plan)):
        hashed.update(piece)
    return hashed.hexdigest()


def digest_of(data: dict[str, Any]) -> str:
    """The digest that a document should carry."""
    rest = {key: value for key, value in data.items() if key not in signing.SIGNED}
    return hashlib.sha256(canonical_text(rest)).hexdigest()


def _spelled(value: Any) -> Iterator[bytes]:
    """The one spelling of a document, a piece at a time."""
    if isinstance(value, GeneratorType):
        yield b"["
        for number, item in enumerate(value):
            yield b"," if number else b""
            yield from _spelled(item)
        yield b"]"
    elif isinstance(value, dict) and GeneratorType in map(type, value.values()):
        yield b"{"
        for number, key in enumerate(sorted(value)):
            yield (b"," if number else b"") + orjson.dumps(key) + b":"
            yield from _spelled(value[key])
        yield b"}"
    else:
        yield canonical_text(value)


def printed(plan: Plan, *, calls: bool = False) -> Iterator[bytes]:
    """The document as text, a piece at a time: a line a part, the rest indented."""
    return _text(_whole(plan, calls=calls) | {"digest": digest(plan)})


def filed(plan: Plan, secret: str = "") -> Iterator[bytes]:
    """What a saved plan holds, in the same form; signed where there is a secret."""
    named = digest(plan)
    signed = {"signature": signing.sign_digest(named, secret)} if secret else {}
    return _text(_saved(plan) | {"digest": named} | signed)


def _saved(plan: Plan) -> Lazy:
    changes = (_change(planned) for planned in plan.changes)
    return _whole(plan, calls=True) | {"changes": changes}


def _text(whole: Lazy) -> Iterator[bytes]:
    for number, (key, value) in enumerate(whole.items()):
        yield (b",\n  " if number else b"{\n  ") + orjson.dumps(key) + b": "
        if key == "steps":
            yield from _listed(b"".join(_step_lines(step)) for step in value)
        elif isinstance(value, GeneratorType):
            yield from _listed(_indented(item, 4) for item in value)
        else:
            yield _indented(value, 2)
    yield b"\n}\n"


def _step_lines(step: Lazy) -> Iterator[bytes]:
    parts = step.pop("shares")
    yield orjson.dumps(step).removesuffix(b"}") + b',"shares":['
    for number, part in enumerate(parts):
        yield (b",\n      " if number else b"\n      ") + orjson.dumps(part)
    yield b"]}"


def _listed(items: Iterator[bytes]) -> Iterator[bytes]:
    yield b"["
    for number, item in enumerate(items):
        yield (b",\n    " if number else b"\n    ") + item
    yield b"]"


def _indented(value: Any, depth: int) -> bytes:
    text = orjson.dumps(value, option=orjson.OPT_INDENT_2)
    return text.replace(b"\n", b"\n" + b" " * depth)


def _whole(plan: Plan, *, calls: bool) -> Lazy:
    """The document without its digest."""
    whole: Lazy = {
        "format": FORMAT,
        **codecs.write_fields(codec.HEAD, plan),
        "summary": plan.summary,
        "manualSteps": plan.by_hand,
        "undo": plan.undo,
        "versions": plan.versions,
        "changes": (
            _change(planned._replace(fields=fields(plan, planned))) for planned in plan.changes
        ),
        "calls": plan_budget(plan).document(),
        **codecs.write_fields(codec.GUARDS | codec.TRUTH | codec.DECISIONS, plan),
    }
    if calls:
        whole["steps"] = (_step(step) for step in plan.steps)
        whole |= codecs.write_fields(codec.RECORDS, plan)
    return whole


def _change(planned: PlannedChange) -> dict[str, Any]:
    return codecs.write_fields(codec.CHANGE, planned)


def _step(step: Step) -> Lazy:
    return {
        "slot": step.phase,
        "route": step.route,
        "params": step.params,
        "shares": (codecs.write_fields(codec.PART, part) for part in step.parts),
    }
