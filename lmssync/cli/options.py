"""Options that several commands share."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import takewhile
from pathlib import Path
from typing import Any, TypedDict

import click
from click.core import ParameterSource

from ..errors import WrongUse
from ..resource import KEY_MOST, PROJECT_FILE, SHORT_ID
from ..settings import SLICE
from ..support.invisible_characters import escape_invisible
from .typed_moments import parse_seconds

FILE = click.Path(path_type=Path, dir_okay=False)
EXISTING_FILE = click.Path(path_type=Path, dir_okay=False, exists=True)
FOLDER = click.Path(path_type=Path, file_okay=False)
Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


CA_BUNDLE = "LMSSYNC_CA_BUNDLE"


@contextmanager
def _set_variable(name: str, value: str) -> Iterator[None]:
    """The variable has the value until the run ends: another one may begin in this process."""
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before


def _set_variable_from_option(variable: str) -> Callable[..., None]:
    """What sets the variable to the value of an option, if that is given."""

    def set_value(ctx: click.Context, _option: click.Parameter, value: str | None) -> None:
        if value is not None:
            ctx.with_resource(_set_variable(variable, value))

    return set_value


def ca_bundle_option(*, hidden: bool = False) -> Decorator:
    """The option; hidden where it may stand as well, but the help of `lmssync` shows it."""
    return click.option(
        "--ca-bundle",
        metavar="FILE",
        type=click.Path(exists=True, dir_okay=False),
        callback=_set_variable_from_option(CA_BUNDLE),
        expose_value=False,
        hidden=hidden,
        help=f"Trust these certificate authorities as well (PEM); default: {CA_BUNDLE}.",
    )


slice_option = click.option(
    "--slice",
    metavar="NAME",
    callback=_set_variable_from_option(SLICE),
    expose_value=False,
    help=f"Slice of lmssync.yaml whose state the run is about; default: {SLICE}.",
)


class WhereOptions(TypedDict):
    """What the options of `where` bring."""

    root: Path
    environment: str | None


class Decided(WhereOptions, total=False):
    """The options of `where` and of `decisions`."""

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
    release: str | None
    base: str | None
    finish_by: str | None
    lock_timeout: float


def find_option_before(name: str) -> Any:
    """An option given before the command: `lmssync -C DIR plan` is `lmssync plan -C DIR`."""
    context = click.get_current_context().parent
    while context and context.params.get(name) is None:
        context = context.parent
    return context.params[name] if context else None


def find_catalog() -> Path:
    """The catalog that this folder is in: the next folder with a project file, here or above.

    As git does, it looks no further than the top of the repository, and only into folders of the
    person who runs it: a file that somebody else has put above must not decide what is done.
    """
    if os.path.lexists(PROJECT_FILE):
        return Path()
    with suppress(OSError):  # nothing is above a folder that is gone or cannot be read
        return find_catalog_around(Path.cwd()) or Path()
    return Path()


def find_catalog_around(folder: Path) -> Path | None:
    """The catalog that a folder of a repository is in; raises `OSError`."""
    around = (one for one in _own_folders(folder) if os.path.lexists(one / PROJECT_FILE))
    return next(around, None)


def _own_folders(here: Path) -> Iterator[Path]:
    """A folder and those above it, up to the top of the repository, while one person owns them."""
    from ..support.git_repository import find_repository

    repository = find_repository(here)
    inside = [one for one in (here, *here.parents) if repository and one.is_relative_to(repository)]
    return takewhile(
        (lambda folder: not hasattr(os, "getuid") or folder.stat().st_uid == os.getuid()), inside
    )


def _is_found(root: Path) -> bool:
    """True for a catalog that nobody has named and that is in a folder above this one."""
    source = click.get_current_context().get_parameter_source("root")
    is_given = source != ParameterSource.DEFAULT or find_option_before("root")
    return not is_given and root.is_absolute()


def name_from_root(root: Path, name: str) -> str:
    """The name of a new file as the catalog has it, of one that a person names from here."""
    if not _is_found(root) or Path(name).is_absolute():
        return name
    return Path(os.path.relpath(name, root)).as_posix()


def _check_root(_ctx: click.Context, _option: click.Parameter, root: Path) -> Path:
    """A folder that can be opened, or does not exist yet. One that was found above is named."""
    if _is_found(root):
        shown = escape_invisible(os.path.relpath(root))
        click.echo(f"The catalog is in {shown}: files in it are named from there.", err=True)
    try:
        root.stat()
    except (FileNotFoundError, NotADirectoryError):
        return root
    except OSError as error:
        raise WrongUse(
            f"{root} cannot be opened: {error.strerror}", "name the root of a catalog with -C DIR"
        ) from None
    return root


def combine_options(*options: Decorator) -> Decorator:
    """Several options as one decorator, in the order of the help."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


lock_timeout = click.option(
    "--lock-timeout",
    default="0",
    metavar="DURATION",
    callback=parse_seconds,
    help="Wait this long (90s, 15m) while another run has locked the state; default: do not wait.",
)
catalog = click.option(
    "-C",
    "--catalog",
    "root",
    type=FOLDER,
    metavar="DIR",
    default=lambda: find_option_before("root") or find_catalog(),
    callback=_check_root,
    help="Folder of the catalog, with lmssync.yaml in it; default: this folder, or the nearest "
    "one above it in the repository.",
)
_whole = (
    catalog,
    click.option(
        "-e",
        "--environment",
        metavar="ENV",
        default=lambda: find_option_before("environment"),
        help="Environment of lmssync.yaml; default: LMSSYNC_ENV, else the default of "
        "lmssync.yaml, else the only one.",
    ),
    ca_bundle_option(hidden=True),
)
where_whole = combine_options(*_whole)
"""The catalog and the environment, for a command that needs no state."""
where = combine_options(*_whole[:2], slice_option, *_whole[2:])
writes = combine_options(where, lock_timeout)
"""The same for a command that writes the state."""
as_json = click.option("--json", "json_", is_flag=True, help="Print JSON.")
progress = click.option(
    "--progress",
    type=click.Choice(["auto", "plain", "json"]),
    default="auto",
    show_default=True,
    help="How to show progress on stderr: a bar on a terminal (auto), a line for each step "
    "(plain), or a line of JSON for each step (json).",
)


def number_option(
    name: str, default: int, metavar: str, bounds: tuple[int, int | None], text: str
) -> Decorator:
    """An option that takes a whole number between two others."""
    kind = click.IntRange(*bounds)
    return click.option(
        name, type=kind, default=default, show_default=True, metavar=metavar, help=text
    )


def port_option(default: int, text: str) -> Decorator:
    """`--port` of a command that serves something."""
    return number_option("--port", default, "PORT", (0, 65_535), f"{text}; 0 takes a free one.")


def list_option(text: str) -> Decorator:
    """`--from`: a file that names what the command is about."""
    return click.option("--from", "listed", type=EXISTING_FILE, metavar="FILE", help=text)


budget = click.option(
    "--budget",
    type=click.IntRange(min=1),
    metavar="CALLS",
    help="Make at most this many calls to the platform.",
)
summary = click.option(
    "--summary", type=FILE, help="Write the report to this file; default: GITHUB_STEP_SUMMARY."
)
full = click.option(
    "--full",
    is_flag=True,
    help="Show whole values and lists, and how to undo the plan, how many calls it takes "
    "and its digest.",
)
decisions = combine_options(
    click.option(
        "--new-state",
        is_flag=True,
        help="Go on although the state is new, or older than the platform; what exists there is "
        "taken over.",
    ),
    click.option(
        "--recreate",
        multiple=True,
        metavar="ADDRESS",
        help="Create this resource again if somebody has deleted it on the platform.",
    ),
    click.option(
        "--keep",
        multiple=True,
        type=(click.Choice(["git", "platform"]), str),
        metavar="git|platform ADDRESS[:FIELD]",
        help="Decide about fields that people changed on the platform: send the value from git, "
        "or leave theirs.",
    ),
    click.option(
        "--allow",
        multiple=True,
        metavar="ADDRESS",
        help="Release what the plan blocks at this address. The plan shows what to write here: "
        "an address, the name of a guard, or environment.NAME.",
    ),
)
"""With these people decide what would block a plan."""

release = click.option(
    "--release",
    metavar="NAME",
    help="Plan what the release NAME in releases/ changes: all of it, or nothing.",
)
limits = combine_options(
    click.option(
        "--target",
        multiple=True,
        metavar="ADDRESS",
        help="Plan only this address, which may be a pattern (`course.safety-*`), and what it "
        "needs.",
    ),
    click.option(
        "--exclude",
        multiple=True,
        metavar="ADDRESS",
        help="Plan everything except this address, which may be a pattern.",
    ),
    click.option(
        "--changed-since",
        "since",
        metavar="REV",
        help="Plan only resources whose files changed since REV, and what they need.",
    ),
    release,
)
"""With these people plan a part of the catalog."""


base = click.option(
    "--base",
    metavar="REV",
    help="Use the guards, rules, policies and approvers of REV as well, and show which of them "
    "this catalog lowers.",
)
"""With this a pull request cannot switch off what stops it."""


def refresh_option(*levels: str) -> Decorator:
    """`--refresh`: what of the recorded resources is read for a plan."""
    return click.option(
        "--refresh",
        type=click.Choice(levels),
        default="changed",
        show_default=True,
        help="Which recorded resources to read from the platform: all, or those that git "
        "has changed" + (", or none." if "none" in levels else "."),
    )


offline = click.option(
    "--offline",
    is_flag=True,
    help="Compare with the state only; needs no key and does not ask the platform.",
)


_ID_OPTIONS = (
    ("--ids", KEY_MOST, "Add the id that each section, lesson and topic gets from its title."),
    ("--short-ids", SHORT_ID, f"Add ids of at most {SHORT_ID} characters."),
)
ids = combine_options(
    *(
        click.option(name, "longest_id", flag_value=longest, type=int, default=0, help=text)
        for name, longest, text in _ID_OPTIONS
    )
)
"""The longest id that parts get: 0 for none."""


_JSON_GIVEN = f"{__name__}.json"


def format_options(
    choice: "click.Choice[str]", default: str = "text", text: str = "Output format."
) -> Decorator:
    """`--format`, and `--json` as its short form: the command gets the format, as `form`."""
    return combine_options(
        click.option(
            "--format",
            "form",
            type=choice,
            default=default,
            show_default=default != "text",
            callback=_choose_format,
            help=text,
        ),
        click.option(
            "--json",
            is_flag=True,
            is_eager=True,  # the format is chosen after it
            expose_value=False,
            callback=lambda ctx, _, given: ctx.meta.update({_JSON_GIVEN: bool(given)}),
            help="Short for --format json.",
        ),
    )


def _choose_format(ctx: click.Context, option: click.Parameter, form: str) -> str:
    """The format that the two options give; raises `WrongUse` where they give two."""
    if not ctx.meta[_JSON_GIVEN]:
        return form
    typed = ctx.get_parameter_source(str(option.name)) is ParameterSource.COMMANDLINE
    if typed and form != "json":
        raise WrongUse(f"--json and --format {form} contradict each other", "give one of them")
    return "json"
