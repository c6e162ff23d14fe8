"""`lmssync sandbox learners`: sends an order to a running sandbox."""

import re

import click

from ..visible import visible
from .options import as_json
from .order import order
from .printing import echo


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
    answer = order(base_url, {"n": n, "seed": seed, "days": days})
    if json_:
        echo(answer)
        return
    for kind, count in answer["made"].items():
        click.echo(f"{count:>8}  {visible(_words(kind))}")
    if "enrollments" not in answer["made"]:
        click.echo(
            "nobody is enrolled: there is no published course, or no license leads to one", err=True
        )


def _words(kind: str) -> str:
    """`quizAttempts` as people write it."""
    return re.sub("[A-Z]", lambda letter: f" {letter[0].lower()}", kind)
