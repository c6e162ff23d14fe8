"""Options that several commands share, and what they mean."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import click

from ..address import KEY_MOST, SHORT_ID
from ..errors import WrongUse
from . import ca_bundle
from .holding import lock_timeout, tell

if TYPE_CHECKING:
    from ..address import Address
    from ..decisions import Refresh
    from ..workspace import Workspace

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


class WhereOptions(TypedDict):
    """What the options of `where` bring."""

    root: Path
    environment: str | None


class Decided(WhereOptions, total=False):
    """The same with those of `decisions`."""

    receipts: tuple[Path, ...]
    allow: tuple[str, ...]
    keep: tuple[tuple[str, str], ...]
    recreate: tuple[str, ...]
    new_state: bool
    refresh: str
    offline: bool
    target: tuple[str, ...]
    exclude: tuple[str, ...]
    since: str | None
    finish_by: str | None
    lock_timeout: float


def given(name: str) -> Any:
    """An option given before the command: `lmssync -C DIR plan` is `lmssync plan -C DIR`."""
    context = click.get_current_context().parent
    while context and context.params.get(name) is None:
        context = context.parent
    return context.params[name] if context else None


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


def together(*options: Decorator) -> Decorator:
    """Several options as one decorator, in the order of the help."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


catalog = click.option(
    "-C",
    "--catalog",
    "root",
    type=click.Path(path_type=Path, file_okay=False),
    default=lambda: given("root") or Path(),
    callback=_root,
    help="Root of the catalog, where lmssync.yaml is; default: this folder.",
)
where = together(
    catalog,
    click.option(
        "-e",
        "--environment",
        default=lambda: given("environment"),
        help="Environment from lmssync.yaml; default: LMSSYNC_ENV, its default, or the only one.",
    ),
    ca_bundle.option(hidden=True),
)
writes = together(where, lock_timeout)
"""The same for a command that writes the state."""
as_json = click.option("--json", "json_", is_flag=True, help="Print JSON.")
progress = click.option(
    "--progress",
    type=click.Choice(["auto", "plain", "json"]),
    default="auto",
    show_default=True,
    help="How to tell the progress on stderr: plain overwrites no line, json prints an event on "
    "each line.",
)
full = click.option("--full", is_flag=True, help="Show values and lists in full.")
decisions = together(
    click.option(
        "--new-state",
        is_flag=True,
        help="The state is new, or older than the platform: take over what exists there.",
    ),
    click.option(
        "--recreate",
        multiple=True,
        metavar="ADDRESS",
        help="Create it again if somebody has deleted it on the platform.",
    ),
    click.option(
        "--keep",
        multiple=True,
        type=(click.Choice(["git", "platform"]), str),
        metavar="git|platform ADDRESS[:FIELD]",
        help="Send the value from git if people changed it on the platform, or leave theirs.",
    ),
    click.option(
        "--allow",
        multiple=True,
        metavar="ADDRESS",
        help="Change it though it is protected or a guard stops it, create it though it may exist "
        "already, or do what takes something away from people: hide a course, replace what a "
        "client has. Also the name of a guard over the whole plan, or environment.NAME.",
    ),
)
"""With these people decide what would block a plan."""

limits = together(
    click.option(
        "--target",
        multiple=True,
        metavar="ADDRESS",
        help="Only this, with what it needs; may be a pattern (`course.safety-*`).",
    ),
    click.option(
        "--exclude",
        multiple=True,
        metavar="ADDRESS",
        help="All but this; may be a pattern.",
    ),
    click.option(
        "--changed-since",
        "since",
        metavar="REV",
        help="Only what its files have changed since REV, with what it needs.",
    ),
)
"""With these people plan a part of the catalog."""


def refresh(*levels: str) -> Decorator:
    """`--refresh`: what of the recorded resources is read for a plan."""
    return click.option(
        "--refresh",
        type=click.Choice(levels),
        default="changed",
        show_default=True,
        help="Which recorded resources to read: all of them, or those that git has changed"
        + (", or none." if "none" in levels else "."),
    )


offline = click.option(
    "--offline",
    is_flag=True,
    help="Compare with what is recorded, without a key and without asking the platform.",
)


ids = together(
    *(
        click.option(name, "longest_id", flag_value=longest, type=int, default=0, help=text)
        for name, longest, text in (
            ("--ids", KEY_MOST, "Write out the ids that parts get from their titles."),
            ("--short-ids", SHORT_ID, f"Write out ids of at most {SHORT_ID} characters instead."),
        )
    )
)
"""The longest id that parts get: 0 for none."""


def refuse_saving(out: Path | None, **given: Unpack[Decided]) -> None:
    """Raises `WrongUse` for a plan that could not be applied."""
    if out and given.get("offline"):
        raise WrongUse(
            "a plan that is made offline cannot be applied, so it cannot be saved",
            "leave out --offline, or --out",
        )


def refuse_decisions(**given: Unpack[Decided]) -> None:
    """Raises `WrongUse` for what was decided when the plan was saved."""
    if given["target"] or given["exclude"] or given["since"]:
        raise WrongUse(
            "a saved plan already says what it is limited to", "plan again with these options"
        )
    allow = [one for one in given["allow"] if not _asked_at_apply(one)]
    if allow or given["keep"] or given["recreate"] or given["refresh"] == "all":
        raise WrongUse(
            "a saved plan already says what is read, allowed, kept and created again",
            "plan again with these options",
        )


def _asked_at_apply(allow: str) -> bool:
    """True for a guard that asks when and how a plan is applied."""
    from ..deciding import ENVIRONMENT
    from ..plan import AT_APPLY

    return allow in AT_APPLY or allow.startswith(ENVIRONMENT)


def place(**given: Unpack[Decided]) -> "Workspace":
    """The catalog and environment that the options name, and what they decide."""
    from ..deciding import allowed
    from ..decisions import Decisions, Limits
    from ..workspace import workspace
    from .finishing import moment

    chosen = workspace(given["root"].absolute(), given["environment"], os.environ)
    decided = Decisions(
        **allowed(given.get("allow", ()), chosen.name),
        **_sides(given.get("keep", ())),
        recreate=frozenset(map(address, given.get("recreate", ()))),
        new_state=given.get("new_state", False),
        refresh=_refresh(**given),
        finish_by=moment(given.get("finish_by")),
        limits=Limits(given.get("target", ()), given.get("exclude", ()), given.get("since") or ""),
    )
    patience = given.get("lock_timeout", 0.0)
    return chosen._replace(decided=decided, tell=tell, patience=patience)


def _refresh(**given: Unpack[Decided]) -> "Refresh":
    """What is read for a plan; raises `WrongUse` where something else needs the platform."""
    from ..decisions import Refresh

    refresh = Refresh(given.get("refresh", Refresh.CHANGED))
    if not given.get("offline"):
        return refresh
    if refresh is Refresh.ALL or given.get("recreate"):
        raise WrongUse(
            "--offline asks nothing of the platform, which --refresh all and --recreate need",
            "leave out --offline, or these",
        )
    return Refresh.OFFLINE


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


def asking(**given: Unpack[Decided]) -> "Workspace":
    """The same, for a command that asks the platform; warns where others could read the key."""
    chosen = place(**given)
    site = chosen.environment.site
    if site.is_clear and not given.get("offline"):
        click.echo(
            f"warning: {site.name} is reached over http, so others can read the key: "
            "use an https address",
            err=True,
        )
    return chosen


def address(text: str) -> "Address":
    """The address that somebody typed; raises `WrongUse` for what cannot be one."""
    from .. import deciding

    return deciding.address(text)


def echo_pieces(pieces: Iterable[bytes]) -> None:
    """Prints a JSON document piece by piece; no piece ends inside a string."""
    from ..visible import in_json

    for piece in pieces:
        click.echo(in_json(piece.decode()).encode(), nl=False)


def echo(view: Any) -> None:
    """Prints a text as it is, and any other value as a JSON document."""
    click.echo(view if isinstance(view, str) else as_text(view), nl=False)


def as_text(document: Any) -> str:
    """A JSON document as it is printed."""
    import orjson

    from ..visible import in_json

    return in_json(orjson.dumps(document, option=orjson.OPT_INDENT_2).decode()) + "\n"


def plan_secret() -> str:
    """The secret that saved plans are signed with; empty where there is none."""
    from .. import secrets
    from ..settings import PLAN_KEY

    secret = os.environ.get(PLAN_KEY, "")
    if secret:
        secrets.register(secret)
    return secret
