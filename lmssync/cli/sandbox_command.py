"""`lmssync sandbox`."""

import json
import re
import sys
from collections.abc import Mapping
from http.client import HTTPException
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack
from urllib import error as failures, request

import click

from ..errors import LmssyncError, PlatformError, Unreachable, WrongUse
from ..resource import PROJECT_FILE
from ..support.installation import require_extra
from ..support.invisible_characters import escape_invisible
from . import options
from .chosen_workspace import choose_workspace, parse_typed_address, require_record
from .command_help import EXITS, PLATFORM_EXITS, documented_group
from .exits import print_warning
from .terminal_output import print_view

if TYPE_CHECKING:
    from ..sandbox import Ready


@documented_group(
    "sandbox",
    examples=(("lmssync sandbox serve", "serve a platform at http://127.0.0.1:8800"),),
)
def command() -> None:
    """Run the whole platform on your own machine, for trials and rehearsals."""


@command.command(
    "serve",
    exits=EXITS,
    examples=(
        ("lmssync sandbox serve", "serve a platform at http://127.0.0.1:8800"),
        ("lmssync sandbox serve --data .sandbox", "serve one that keeps its data in a folder"),
    ),
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to serve on.")
@options.port_option(8800, "Port to serve on")
@click.option(
    "--data",
    type=options.FOLDER,
    metavar="DIR",
    help="Folder for the data; without it, the data is lost when the sandbox stops.",
)
@click.option(
    "--profile",
    type=click.Choice(["core", "extended"]),
    default="core",
    show_default=True,
    help="Routes to serve: those of the specification, or more.",
)
@click.option(
    "--seed",
    type=options.EXISTING_FILE,
    help="JSON file of objects to begin with; default: a demo company.",
)
def serve(
    *,
    host: str,
    port: int,
    data: Path | None,
    profile: Literal["core", "extended"],
    seed: Path | None,
) -> None:
    """Serve the whole platform on this machine, until Ctrl-C.

    Prints one line of JSON, with the address and the key, when it is ready.
    """
    ensure_sandbox_installed()
    from .. import sandbox

    try:
        sandbox.serve_sandbox(host, port, data, profile, seed, _print_ready, warn=print_warning)
    except sandbox.SandboxError as error:
        raise LmssyncError(str(error)) from None


def ensure_sandbox_installed() -> None:
    """Raises `WrongUse`, with the command to install them, where packages of the sandbox lack."""
    with require_extra("sandbox", "the sandbox needs packages that are not installed ({})"):
        from .. import sandbox  # noqa: F401 - only its imports matter


def _print_ready(where: "Ready") -> None:
    """One JSON line for programs, and at a terminal a few lines on how to use it."""
    click.echo(json.dumps(where))
    if sys.stderr.isatty():
        click.echo(f"Its catalog, in a browser: {where['baseUrl']}", err=True)
        click.echo(f"In another terminal: export LMSSYNC_API_KEY={where['apiKey']}", err=True)
        click.echo("Ctrl-C ends it.", err=True)


BASE_URL = "http://127.0.0.1:8800"
"""Where `sandbox serve` serves, unless it is given another port."""
_ORDER = "/_sandbox/learners"
_SECONDS = 120
_MOST = 1024 * 1024
"""Most bytes read of an answer: a sandbox sends fewer, another server might never end."""
_FOREIGN = (HTTPException, ValueError, LookupError, TypeError, AttributeError, RecursionError)
"""Errors from reading the answer of a server that is not a sandbox."""


@command.command(
    "learners",
    exits=PLATFORM_EXITS,
    examples=(
        ("lmssync sandbox learners --n 500", "add 500 learners"),
        ("lmssync sandbox learners course.safety-101", "add 100 learners of one course"),
        ("lmssync sandbox learners license.staff --n 20", "add 20 people who have a license"),
    ),
)
@click.argument("addresses", nargs=-1, metavar="[ADDRESS]...")
@options.where
@options.number_option("--n", 100, "N", (1, 10_000), "How many learners to add.")
@options.number_option(
    "--seed", 1, "NUMBER", (0, None), "Number that decides which learners are made."
)
@options.number_option("--days", 90, "DAYS", (1, 3650), "How many days back their history goes.")
@click.option(
    "--base-url",
    metavar="URL",
    help=f"Where the sandbox is; default: as the environment says, else {BASE_URL}.",
)
@options.as_json
def fill_learners(
    *,
    addresses: tuple[str, ...],
    n: int,
    seed: int,
    days: int,
    base_url: str | None,
    json_: bool,
    **given: Unpack[options.WhereOptions],
) -> None:
    """Fill a running sandbox with learners who enroll, learn, fail, pass and finish.

    With ADDRESS, each of them learns in that course (course.KEY), has that license (license.KEY) or
    belongs to that client. On one day, equal seeds make equal learners.
    """
    url = base_url or _sandbox_url(**given)
    ids = _recorded_ids(addresses, **given) if addresses else {}
    answer = _order_learners(url, {"n": n, "seed": seed, "days": days, "ids": [*ids]}, ids)
    if json_:
        print_view(answer)
        return
    for kind, count in answer["made"].items():
        words = re.sub("[A-Z]", lambda letter: f" {letter[0].lower()}", kind)  # quiz attempts
        click.echo(f"{count:>8}  {escape_invisible(words)}")
    if "enrollments" not in answer["made"]:
        click.echo(
            "nobody is enrolled: there is no published course, or no license leads to one", err=True
        )
    else:
        # Events from before the last pull are not read unless somebody asks for them.
        pull = "`lmssync events pull --since DAYS`".replace("DAYS", f"{days + 1}d")
        click.echo(f"Next: {pull} counts them, from the first day of their history.", err=True)


def _sandbox_url(**given: Unpack[options.WhereOptions]) -> str:
    """The address of the environment; raises `WrongUse` for one that is not on this machine."""
    if not (given["root"] / PROJECT_FILE).exists():
        return BASE_URL
    place = choose_workspace(**given)
    site = place.environment.site
    if not site.is_loopback:
        raise WrongUse(
            f"the environment {place.name} is at {site.name}, which is not on this machine",
            "choose the environment of a sandbox with --environment, or give its address with "
            "--base-url",
        )
    return site.url


def _recorded_ids(
    addresses: tuple[str, ...], **given: Unpack[options.WhereOptions]
) -> dict[str, str]:
    """The addresses by their ids on the platform; raises `WrongUse` for what is not recorded."""
    from ..kinds import KINDS
    from ..platform.live import allow_pairing

    place = choose_workspace(**given)
    with place.store(read_only=True) as store, place.open_reader() as reader:
        allow_pairing(store, reader, place.platform.routes)
        records = [require_record(store, parse_typed_address(word)) for word in addresses]
        return {
            record.ids.own[KINDS[record.address.kind].reads.id_name]: str(record.address)
            for record in records
        }


def _order_learners(base_url: str, body: dict[str, Any], ids: Mapping[str, str]) -> Any:
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
            raise PlatformError(f"{base_url}: {_refusal_words(refusal, ids)}") from None
    except (OSError, *_FOREIGN) as failure:
        raise Unreachable(
            f"{base_url}: no sandbox answers there ({getattr(failure, 'reason', failure)})",
            "start one with: lmssync sandbox serve",
        ) from None


def _refusal_words(refusal: failures.HTTPError, ids: Mapping[str, str]) -> str:
    """The sandbox's own words, with addresses in place of ids, or the bare status of another
    server."""
    try:
        words = "; ".join(json.loads(refusal.read(_MOST))["errors"])
    except (OSError, *_FOREIGN):
        return f"HTTP {refusal.code}; that is not a sandbox"
    for id_, address in ids.items():
        words = words.replace(f'"{id_}"', f"{address} ({id_})")
    return words
