"""`lmssync sandbox learners`: sends an order to a running sandbox."""

import json
import re
from http.client import HTTPException
from typing import Any
from urllib import error as failures, request

import click

from ..errors import PlatformError, Unreachable, WrongUse
from ..visible import escape_invisible
from .options import as_json
from .printing import echo

_ORDER = "/_sandbox/learners"
_SECONDS = 120
_MOST = 1024 * 1024
"""Most bytes read of an answer: a sandbox sends fewer, another server might never end."""
_FOREIGN = (HTTPException, ValueError, LookupError, TypeError, AttributeError, RecursionError)
"""Errors from reading the answer of a server that is not a sandbox."""


@click.command("learners")
@click.option("--n", default=100, show_default=True, type=click.IntRange(1, 10_000))
@click.option("--seed", default=1, show_default=True, type=click.IntRange(0))
@click.option(
    "--days",
    default=90,
    show_default=True,
    type=click.IntRange(1, 3650),
    help="How far back their history goes.",
)
@click.option("--base-url", default="http://127.0.0.1:8800", show_default=True)
@as_json
def command(*, n: int, seed: int, days: int, base_url: str, json_: bool) -> None:
    """Fill a running sandbox with N learners who enroll, learn, fail, pass and finish.

    On one day, the same seed makes the same learners on the same sandbox.
    """
    answer = _order(base_url, {"n": n, "seed": seed, "days": days})
    if json_:
        echo(answer)
        return
    for kind, count in answer["made"].items():
        click.echo(f"{count:>8}  {escape_invisible(_words(kind))}")
    if "enrollments" not in answer["made"]:
        click.echo(
            "nobody is enrolled: there is no published course, or no license leads to one", err=True
        )


def _words(kind: str) -> str:
    """`quizAttempts` as people write it."""
    return re.sub("[A-Z]", lambda letter: f" {letter[0].lower()}", kind)


def _order(base_url: str, body: dict[str, Any]) -> Any:
    """What the sandbox made; raises WrongUse, Unreachable or PlatformError."""
    if not base_url.startswith(("http://", "https://")):
        raise WrongUse(f"--base-url: {base_url!r} is not an http address")
    asked = request.Request(  # noqa: S310 - the scheme is checked above
        base_url.rstrip("/") + _ORDER,
        json.dumps(body).encode(),
        {"Content-Type": "application/json"},
    )
    try:
        with request.urlopen(asked, timeout=_SECONDS) as response:  # noqa: S310 - the same
            answer = json.loads(response.read(_MOST))
        return answer | {"made": {kind: int(count) for kind, count in answer["made"].items()}}
    except failures.HTTPError as refusal:
        with refusal:
            raise PlatformError(f"{base_url}: {_refusal_words(refusal)}") from None
    except (OSError, *_FOREIGN) as failure:
        raise Unreachable(
            f"{base_url}: no sandbox answers there ({getattr(failure, 'reason', failure)})",
            "start one with: lmssync sandbox serve",
        ) from None


def _refusal_words(refusal: failures.HTTPError) -> str:
    """The sandbox's own words, or the bare status of another server."""
    try:
        return "; ".join(json.loads(refusal.read(_MOST))["errors"])
    except (OSError, *_FOREIGN):
        return f"HTTP {refusal.code}; that is not a sandbox"
