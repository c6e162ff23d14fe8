"""Options that several commands share, and what they mean."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, Unpack

import click

from ..address import KEY_MOST, SHORT_ID
from ..errors import WrongUse

if TYPE_CHECKING:
    from ..address import Address
    from ..workspace import Workspace

F = TypeVar("F", bound=Callable[..., Any])


def catalog(function: F) -> F:
    """`-C DIR`: the root of the catalog."""
    return click.option(
        "-C",
        "--catalog",
        "root",
        type=click.Path(path_type=Path, file_okay=False),
        default=lambda: given("root") or Path(),
        callback=_root,
        help="Root of the catalog, where lmssync.yaml is; default: this folder.",
    )(function)


def _root(_ctx: click.Context, _option: click.Parameter, root: Path) -> Path:
    """A folder that can be opened, or does not exist yet."""
    try:
        root.stat()
    except (FileNotFoundError, NotADirectoryError):
        return root
    except OSError as error:
        raise WrongUse(
            f"{root} cannot be opened: {error.strerror}", "name the root of a catalog with -C DIR"
        ) from None
    return root


def environment(function: F) -> F:
    """`-e ENV`: the environment of lmssync.yaml."""
    return click.option(
        "-e",
        "--environment",
        default=lambda: given("environment"),
        help="Environment from lmssync.yaml; default: LMSSYNC_ENV, its default, or the only one.",
    )(function)


def given(name: str) -> Any:
    """An option given before the command: `lmssync -C DIR plan` is `lmssync plan -C DIR`."""
    return click.get_current_context().find_root().params.get(name)


def as_json(function: F) -> F:
    return click.option("--json", "json_", is_flag=True, help="Print JSON.")(function)


class Decided(TypedDict, total=False):
    """What the options of `decisions` bring."""

    allow: tuple[str, ...]
    keep: tuple[tuple[str, str], ...]
    recreate: tuple[str, ...]
    new_state: bool
    refresh: str


def decisions(function: F) -> F:
    """Options with which people decide what would block a plan."""
    for option in (
        click.option(
            "--allow",
            multiple=True,
            metavar="ADDRESS",
            help="Change it though it is protected, or create it though it may exist already.",
        ),
        click.option(
            "--keep",
            multiple=True,
            type=(click.Choice(["git", "platform"]), str),
            metavar="git|platform ADDRESS[:FIELD]",
            help="Send the value from git if people changed it on the platform, or leave theirs.",
        ),
        click.option(
            "--recreate",
            multiple=True,
            metavar="ADDRESS",
            help="Create it again if somebody has deleted it on the platform.",
        ),
        click.option(
            "--new-state",
            is_flag=True,
            help="The state is new, or older than the platform: take over what exists there.",
        ),
    ):
        function = option(function)
    return function


def refresh(*levels: str) -> Callable[[F], F]:
    """`--refresh`: what of the recorded resources is read for a plan."""
    return click.option(
        "--refresh",
        type=click.Choice(levels),
        default="changed",
        show_default=True,
        help="Which recorded resources to read: all of them, or those that git has changed"
        + (", or none." if "none" in levels else "."),
    )


def full(function: F) -> F:
    """`--full`: nothing of a plan is shortened."""
    return click.option("--full", is_flag=True, help="Show values and lists in full.")(function)


def ids(function: F) -> F:
    """The longest id that parts get: 0 for none."""
    both = (
        ("--ids", KEY_MOST, "Write out the ids that parts get from their titles."),
        ("--short-ids", SHORT_ID, f"Write out ids of at most {SHORT_ID} characters instead."),
    )
    for name, longest, told in reversed(both):
        option = click.option(
            name, "longest_id", flag_value=longest, type=int, default=0, help=told
        )
        function = option(function)
    return function


def refuse_decisions(**decided: Unpack[Decided]) -> None:
    """Raises `WrongUse` for decisions that were made when the plan was saved."""
    if decided["allow"] or decided["keep"] or decided["recreate"] or decided["refresh"] == "all":
        raise WrongUse(
            "a saved plan already says what is read, allowed, kept and created again",
            "plan again with these options",
        )


def place(root: Path, name: str | None, **decided: Unpack[Decided]) -> "Workspace":
    """The catalog and environment that the options name, and what they decide."""
    from ..decisions import Decisions, Refresh
    from ..workspace import workspace

    decisions = Decisions(
        allow=frozenset(map(address, decided.get("allow", ()))),
        **_sides(decided.get("keep", ())),
        recreate=frozenset(map(address, decided.get("recreate", ()))),
        new_state=decided.get("new_state", False),
        refresh=Refresh(decided.get("refresh", Refresh.CHANGED)),
    )
    return workspace(root.absolute(), name, os.environ)._replace(decided=decisions)


def _sides(kept: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """What git wins and what stays; raises `WrongUse` for what is to be both."""
    by_side: dict[str, set[str]] = {"git": set(), "platform": set()}
    for side, what in kept:
        address(what.partition(":")[0])
        by_side[side].add(what)
    both = sorted(by_side["git"] & by_side["platform"])
    if both:
        raise WrongUse(
            f"`--keep` says both git and platform for {both[0]}",
            f"name one field for one of them: `--keep platform {both[0].partition(':')[0]}:FIELD`",
        )
    return {"keep": tuple(sorted(by_side["git"])), "leave": tuple(sorted(by_side["platform"]))}


def asking(root: Path, name: str | None, **decided: Unpack[Decided]) -> "Workspace":
    """The same, for a command that asks the platform; warns where others could read the key."""
    found = place(root, name, **decided)
    site = found.environment.site
    if site.is_clear:
        click.echo(
            f"warning: {site.name} is reached over http, so others can read the key: "
            "use an https address",
            err=True,
        )
    return found


def address(text: str) -> "Address":
    """The address that somebody typed; raises `WrongUse` for what cannot be one."""
    from ..address import Address

    found = Address.parse(text)
    if not found.key:
        raise WrongUse(
            f"`{text}` is not an address", "an address is a kind and a key: course.safety-101"
        )
    return found


def echo_pieces(pieces: Iterable[bytes]) -> None:
    """Prints a JSON document piece by piece; no piece ends inside a string."""
    from ..visible import in_json

    for piece in pieces:
        click.echo(in_json(piece.decode()).encode(), nl=False)


def echo_json(document: Any) -> None:
    """Prints one JSON document."""
    import orjson

    from ..visible import in_json

    click.echo(in_json(orjson.dumps(document, option=orjson.OPT_INDENT_2).decode()))


def plan_secret() -> str:
    """The secret that saved plans are signed with; empty where there is none."""
    from .. import secrets
    from ..settings import PLAN_KEY

    found = os.environ.get(PLAN_KEY, "")
    if found:
        secrets.register(found)
    return found
