"""Options that several commands share, and what they mean."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import click

from ..address import KEY_MOST, SHORT_ID
from ..errors import WrongUse

if TYPE_CHECKING:
    from ..address import Address
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
    target: tuple[str, ...]
    exclude: tuple[str, ...]
    since: str | None
    finish_by: str | None


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
)
as_json = click.option("--json", "json_", is_flag=True, help="Print JSON.")
PLAN_FORMATS = ("text", "json", "markdown", "html")
plan_format = together(
    click.option(
        "--format", "form", type=click.Choice(PLAN_FORMATS), default="text", help="Output format."
    ),
    click.option("--json", "json_", is_flag=True, help="The same as --format json."),
)
"""In which form a plan is printed."""
_FORMS = {".txt": "text", ".json": "json", ".md": "markdown", ".html": "html"}


def form_of(file: Path) -> str:
    """The form of a report, by the name of its file."""
    return _FORMS[file.suffix.lower()]


def _reports(
    _ctx: click.Context, _option: click.Parameter, files: tuple[Path, ...]
) -> tuple[Path, ...]:
    """Files whose form is known, in folders that are there: checked before anything is done."""
    for file in files:
        if file.suffix.lower() not in _FORMS:
            raise WrongUse(
                f"the name {file.name} does not say which form the report is to have",
                f"end it with one of {', '.join(_FORMS)}",
            )
        if not file.parent.is_dir():
            raise WrongUse(f"there is no folder {file.parent} for the report", "make it first")
    return files


def refuse_overwriting(plan: Path | None, reports: Iterable[Path]) -> None:
    """Raises `WrongUse` where a report would take the place of a saved plan."""
    if plan and any(file.absolute() == plan.absolute() for file in reports):
        raise WrongUse(
            f"{plan} cannot hold both the saved plan and a report", "give them different names"
        )


report = click.option(
    "--report",
    "reports",
    multiple=True,
    type=click.Path(path_type=Path, dir_okay=False),
    callback=_reports,
    help="Also write a report to this file; its form is that of the name: "
    + ", ".join(f"*{suffix}" for suffix in _FORMS)
    + ".",
)
RECEIPT_FORMS = {".csv": "csv", ".json": "json"}
"""Of receipts, by the ending of the file."""


def _receipts(
    _ctx: click.Context, _option: click.Parameter, files: tuple[Path, ...]
) -> tuple[Path, ...]:
    """Files that can be written: checked before anything is sent."""
    for file in files:
        if file.suffix.lower() not in RECEIPT_FORMS:
            raise WrongUse(
                f"the name {file.name} does not say which form the receipt is to have",
                f"end it with one of {', '.join(RECEIPT_FORMS)}",
            )
        if not file.parent.is_dir():
            raise WrongUse(f"there is no folder {file.parent} for the receipt", "make it first")
    return files


def receipt(name: str, help_: str) -> Decorator:
    """An option for files that say what became of each row of a list."""
    kind = click.Path(path_type=Path, dir_okay=False)
    return click.option(
        name, "receipts", multiple=True, type=kind, callback=_receipts, metavar="FILE", help=help_
    )


reports = together(
    report,
    receipt(
        "--receipt",
        "Write what became of each person in license assignments to this file, *.csv or *.json. It "
        "names people.",
    ),
)
"""What an apply writes about itself."""
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
    from ..plan import AT_APPLY

    return allow in AT_APPLY or allow.startswith(_ENVIRONMENT)


_ENVIRONMENT = "environment."


def _allowed(names: Iterable[str], environment: str) -> dict[str, Any]:
    """What `--allow` names: resources; guards over a plan, and the environment of the run."""
    from ..plan import OF_PLAN
    from ..problems import near

    lifted = {name for name in names if name in OF_PLAN or name.startswith(_ENVIRONMENT)}
    others = {name for name in lifted if name.startswith(_ENVIRONMENT)} - {
        f"{_ENVIRONMENT}{environment}"
    }
    if others:
        raise WrongUse(
            f"`--allow {min(others)}` names another environment: this run is for {environment}",
            f"choose it with -e {min(others).removeprefix(_ENVIRONMENT)}",
        )
    for name in names:
        if "." not in name and name not in OF_PLAN:
            hint = near(name, OF_PLAN) or f"there are: {', '.join(sorted(OF_PLAN))}"
            raise WrongUse(f"--allow: `{name}` is not an address, nor a guard over a plan", hint)
    resources = frozenset(address(name) for name in names if name not in lifted)
    return {"allow": resources, "lifted": frozenset(lifted)}


def place(**given: Unpack[Decided]) -> "Workspace":
    """The catalog and environment that the options name, and what they decide."""
    from ..decisions import Decisions, Limits, Refresh
    from ..workspace import workspace
    from .finishing import moment

    chosen = workspace(given["root"].absolute(), given["environment"], os.environ)
    decided = Decisions(
        **_allowed(given.get("allow", ()), chosen.name),
        **_sides(given.get("keep", ())),
        recreate=frozenset(map(address, given.get("recreate", ()))),
        new_state=given.get("new_state", False),
        refresh=Refresh(given.get("refresh", Refresh.CHANGED)),
        finish_by=moment(given.get("finish_by")),
        limits=Limits(given.get("target", ()), given.get("exclude", ()), given.get("since") or ""),
    )
    return chosen._replace(decided=decided)


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
    if site.is_clear:
        click.echo(
            f"warning: {site.name} is reached over http, so others can read the key: "
            "use an https address",
            err=True,
        )
    return chosen


def address(text: str) -> "Address":
    """The address that somebody typed; raises `WrongUse` for what cannot be one."""
    from ..address import Address

    parsed = Address.parse(text)
    if not parsed.key:
        raise WrongUse(
            f"`{text}` is not an address", "an address is a kind and a key: course.safety-101"
        )
    return parsed


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
