"""A plan as JSON: what `plan --json` and `show --json` print, and what a saved plan contains.

A plan may hold thousands of calls, so their parts are made one after the other: a generator
takes the place of a list. A saved plan has no `fields` of what is new: its calls have them.
The digest is the SHA-256 of the saved plan without `digest` and `signature`, spelled with sorted
keys and no blanks, in UTF-8.
"""

import hashlib
import hmac
import os
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import GeneratorType
from typing import Any

import orjson

from ...errors import WrongUse
from ...resource import canonical_text
from ...settings import PLAN_KEY
from ...support import safe_files
from ...support.disk_buffer import DiskBuffer, load_kept_json
from . import plan_codec
from .budget import plan_budget
from .change_effects import fields_of_change
from .plan import Plan, PlannedChange, Step

SIGNED = ("digest", "signature")
"""The keys in the file that the digest does not cover."""


def sign_digest(digest: str, secret: str) -> str:
    """HMAC-SHA-256 of the digest of a plan, in hexadecimal digits."""
    return hmac.digest(os.fsencode(secret), digest.encode(), "sha256").hex()


def check_signature(file: Path, data: Mapping[str, Any], secret: str) -> None:
    """Raises `WrongUse` for a plan that was not signed with the secret."""
    stated = data.get("signature")
    if stated is None:
        raise WrongUse(
            f"{file} is not signed, and {PLAN_KEY} asks for a signature",
            f"make it again with `plan --out`, where {PLAN_KEY} is set",
        )
    # Compared in constant time: how long it takes must not show how much of a guess is right.
    if not hmac.compare_digest(str(stated).encode(), sign_digest(data["digest"], secret).encode()):
        raise WrongUse(
            f"the signature of {file} does not match: it was altered, or has another secret",
            f"make it again with `plan --out`, with the {PLAN_KEY} that is set here",
        )


FORMAT = "lmssync.plan/1"
Lazy = dict[str, Any]
"""A document in which generators stand for lists."""


@lru_cache(maxsize=1)
def plan_digest(plan: Plan) -> str:
    """Computes the digest, which covers every word and every call of the plan."""
    return digest_document(_saved(plan))


def digest_document(data: Mapping[str, Any]) -> str:
    """The digest that a document should carry."""
    hashed = hashlib.sha256()
    for piece in _spelled({key: value for key, value in data.items() if key not in SIGNED}):
        hashed.update(piece)
    return hashed.hexdigest()


PLAN_BYTES_MOST = 1024 * 1024 * 1024
"""Bytes of a saved plan without its changes and steps, and of each of these; also of all of it,
where somebody else has laid it out."""
_LISTS = {f'  "{name}": [\n'.encode(): name for name in ("changes", "steps")}
"""The lists that are kept as texts, by the line with which each begins."""


class _OtherLayout(Exception):
    """The lines of a document are not as a saved plan has them."""


def read_document(file: Path, spill: DiskBuffer) -> Any:
    """A saved plan whose changes and steps are kept as texts: parsed, those of all courses would
    fill the memory. Raises `ValueError` for what is not JSON, and `OSError`."""
    try:
        return _read_lines(safe_files.read_named_lines(file, PLAN_BYTES_MOST), spill)
    except (_OtherLayout, ValueError):
        data = orjson.loads(safe_files.read_named(file, PLAN_BYTES_MOST))
    for name in _LISTS.values() if isinstance(data, dict) else ():
        if isinstance(data.get(name), list):
            data[name] = [spill.keep_bytes(orjson.dumps(one)) for one in data[name]]
    return data


def _read_lines(lines: Iterator[bytes], spill: DiskBuffer) -> Any:
    # JSON has no new line within a text. A mark takes the place of each list: where it is found
    # says whether the list is one of the document itself.
    mark, name, size = secrets.token_hex(), "", 0
    lists, rest, item = dict[str, list[bytes | Callable[[], bytes]]](), list[bytes](), list[bytes]()
    for line in lines:
        if name and item and line.startswith((b'  "', b"    {")):
            is_last = line.startswith(b'  "')
            lists[name].append(spill.keep_bytes(_cut_item(item, b"],\n" if is_last else b",\n")))
            name, item, size = "" if is_last else name, [], 0
        if name:
            item.append(line)
        elif name := _LISTS.get(line, ""):
            rest.append(f'"{name}": "{mark}",'.encode())
            lists[name] = []
        else:
            rest.append(line)
        size += len(line)
        if size > PLAN_BYTES_MOST:
            raise safe_files.TooLarge(size, PLAN_BYTES_MOST)
    data = orjson.loads(b"".join(rest)) if len(lists) == len(_LISTS) else None
    if not isinstance(data, dict) or any(data.get(one) != mark for one in lists):
        raise _OtherLayout
    return data | lists


def _cut_item(item: Sequence[bytes], end: bytes) -> bytes:
    text = b"".join(item)
    if not (text.startswith(b"    {") and text.endswith(end)):
        raise _OtherLayout
    return text.removesuffix(end)


def parse_items(data: Mapping[str, Any], name: str) -> Iterator[Any]:
    """The changes or steps of such a document, one at a time."""
    for kept in plan_codec.require_type(list, data[name]):
        yield load_kept_json(kept)


def _spelled(value: Any) -> Iterator[bytes]:
    """The canonical spelling of a document, a piece at a time: the digest is computed of it."""
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


def spell_printed_plan(plan: Plan, *, calls: bool = False) -> Iterator[bytes]:
    """The document as text, a piece at a time: a line a part, the rest indented."""
    return _text(_whole(plan, calls=calls) | {"digest": plan_digest(plan)})


def spell_saved_plan(plan: Plan, secret: str = "") -> Iterator[bytes]:
    """The text of a saved plan, a piece at a time; it is signed where there is a secret."""
    named = plan_digest(plan)
    signed = {"signature": sign_digest(named, secret)} if secret else {}
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
        **plan_codec.write_fields(plan_codec.HEAD, plan),
        "summary": plan.summary,
        "manualSteps": plan.by_hand,
        "undo": plan.undo,
        "versions": plan.versions,
        "changes": (
            _change(planned._replace(fields=fields_of_change(plan, planned)))
            for planned in plan.changes
        ),
        "calls": plan_budget(plan).document(),
        **plan_codec.write_fields(
            plan_codec.GUARDS | plan_codec.TRUTH | plan_codec.DECISIONS, plan
        ),
    }
    if calls:
        whole["steps"] = (_step(step) for step in plan.steps)
        whole |= plan_codec.write_fields(plan_codec.RECORDS, plan)
    return whole


def _change(planned: PlannedChange) -> dict[str, Any]:
    return plan_codec.write_fields(plan_codec.CHANGE, planned)


def _step(step: Step) -> Lazy:
    return {
        "slot": step.phase,
        "route": step.route,
        "params": step.params,
        "shares": (plan_codec.write_fields(plan_codec.PART, part) for part in step.parts),
    }
