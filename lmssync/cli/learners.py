"""`lmssync sandbox learners`: an order to a sandbox that runs."""

import json
import re
from http.client import HTTPException
from typing import Any
from urllib import error as failures
from urllib import request

import click

from ..errors import PlatformError, Unreachable, WrongUse
from ..visible import visible
from .exits import Exit
from .options import as_json, echo_json

ORDER = "/_sandbox/learners"
SECONDS = 120
_MOST = 1024 * 1024
"""Bytes of an answer: a sandbox says less, and something else may never end."""


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
def command(*, n: int, seed: int, days: int, base_url: str, json_: bool) -> int:
    """Fill a running sandbox with N learners who enroll, learn, fail, pass and finish.

    The same seed on the same sandbox makes the same learners all day long.
    """
    answer = order(base_url, {"n": n, "seed": seed, "days": days})
    if json_:
        echo_json(answer)
        return Exit.DONE
    for kind, count in answer["made"].items():
        click.echo(f"{count:>8}  {visible(_words(kind))}")
    if "enrollments" not in answer["made"]:
        click.echo("nobody is enrolled: no published course, no license leads to one", err=True)
    return Exit.DONE


def order(base_url: str, body: dict[str, Any]) -> Any:
    """What the sandbox made; raises WrongUse, Unreachable or PlatformError."""
    if not base_url.startswith(("http://", "https://")):
        raise WrongUse(f"--base-url: {base_url!r} is no http address")
    asked = request.Request(  # noqa: S310 - the scheme is checked above
        base_url.rstrip("/") + ORDER,
        json.dumps(body).encode(),
        {"Content-Type": "application/json"},
    )
    try:
        with request.urlopen(asked, timeout=SECONDS) as response:  # noqa: S310 - the same
            return _counted(json.loads(response.read(_MOST)))
    except failures.HTTPError as refusal:
        with refusal:
            raise PlatformError(f"{base_url}: {_refused(refusal)}") from None
    except (OSError, ValueError, HTTPException, RecursionError) as failure:
        raise Unreachable(
            f"{base_url}: no sandbox answers ({getattr(failure, 'reason', failure)})",
            "start one with: lmssync sandbox serve",
        ) from None


def _counted(answer: Any) -> Any:
    """The answer, if it counts what was made; raises ValueError for one of something else."""
    made = answer.get("made") if isinstance(answer, dict) else None
    if not isinstance(made, dict) or not all(type(count) is int for count in made.values()):
        raise ValueError("its answer does not count what was made")
    return answer


def _refused(refusal: failures.HTTPError) -> str:
    """The sandbox's own words, or the bare status of something that is no sandbox."""
    try:
        return "; ".join(json.loads(refusal.read(_MOST))["errors"])
    except (OSError, ValueError, KeyError, TypeError, HTTPException, RecursionError):
        return f"HTTP {refusal.code}; that is no sandbox"


def _words(kind: str) -> str:
    """`quizAttempts` as people write it."""
    return re.sub("[A-Z]", lambda letter: f" {letter[0].lower()}", kind)
