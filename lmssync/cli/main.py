"""The command line: one lazy group, so that `--help` loads nothing that a command needs."""

import atexit
import gc
import importlib
import os
import sys
from typing import Any

import click

from .. import __version__
from ..support.tracing import trace_stage
from . import options
from .command_help import COMPLETE, DocumentedGroup
from .exits import Exit, end_with_code
from .interrupts import heed_sigterm
from .safe_output import guard_streams

_RARELY = (200_000, 50, 100)
"""A run creates many objects and hardly any reference cycles: collecting cycles after every 700
objects takes longer than loading a large catalog does."""
COMMANDS = {
    # Each name is that of a module beside this one: `plan_command` for `plan`.
    "init": "Lay out a new content repository.",
    "new": "Begin a manifest, or copy one.",
    "validate": "Check all manifests; needs no network.",
    "test": "Judge stories of learners: what they may do, and when a course is completed.",
    "fmt": "Put the fields of manifests into their usual order.",
    "outline": "List what is in the catalog, or show a course with its parts.",
    "graph": "Show what uses what in the catalog, down to body files.",
    "tags": "List the tags that the catalog uses.",
    "translations": "Show which passages are translated, and which are stale.",
    "preview": "Show the catalog in a browser, as learners will see it.",
    "language-server": "Help in an editor: problems, completion, renaming. The editor runs it.",
    "plan": "Show what would change on the platform.",
    "show": "Show a saved plan, or one resource.",
    "apply": "Make the platform match the catalog.",
    "ci": "Check and plan for a pull request, and comment on it.",
    "pull": "Write what people changed on the platform into the manifests.",
    "import": "Write manifests for what is on the platform or in files of other systems.",
    "drift": "Show what people have changed on the platform.",
    "watch": "Plan and look for drift again and again; apply if you allow it.",
    "diff-env": "Compare what is recorded for two environments.",
    "release": "Show releases, and take one back.",
    "notes": "Write release notes: what has changed between two moments.",
    "notify": "Send a test message to those whom runs tell what they did and found.",
    "status": "Show what is managed, what waits for a person, and how old the comparisons are.",
    "adopt": "Take over something that is on the platform already.",
    "resolve": "Decide about a call with an unknown outcome, or confirm a manual step.",
    "activity": "Record what learners did elsewhere: each row of a list once.",
    "attempts": "Forgive failed attempts at quizzes and tests.",
    "events": "Pull what learners do, and count it without names.",
    "state": "Show or change what lmssync has recorded.",
    "export": "Write what is recorded as manifests.",
    "jobs": "Show background jobs of the platform, and wait for their end.",
    "get": "List what is on the platform: tags, clients, users, courses, ...",
    "doctor": "Check that the project file, the key and the platform work together.",
    "schema": "Print or write the JSON Schemas of manifests.",
    "explain": "Explain a field, a rule or a kind of resource.",
    "sandbox": "Run the whole platform on your own machine.",
    "completion": "Print the script with which a shell completes commands and addresses.",
    "demo": "Watch lmssync work on the example catalog.",
}


class LazyGroup(DocumentedGroup):
    """Imports the module of a command when it is called: `plan_command` for `plan`."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module = importlib.import_module(f".{name.replace('-', '_')}_command", __package__)
        command: click.Command = module.command
        return _offer_words(command) if COMPLETE in os.environ else command

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _offer_words(command: click.Command) -> click.Command:
    """The command as a shell sees it, which asks what a word may become."""
    from .completion_command import with_completions

    return with_completions(command)


@click.group(
    cls=LazyGroup,
    exits=frozenset(Exit),
    examples=(
        ("lmssync init content", "start a catalog"),
        ("lmssync validate", "check it; needs no network"),
        ("lmssync plan", "show what would change on the platform"),
        ("lmssync apply", "show it, ask, and apply it"),
        ("lmssync apply --help", "the options, examples and exit codes of one command"),
    ),
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="lmssync")
@click.option("-C", "--catalog", "root", metavar="DIR", help="Folder of the catalog.")
@click.option("-e", "--environment", metavar="ENV", help="Environment of lmssync.yaml.")
@options.slice_option
@options.ca_bundle_option()
def cli(**_before: str | None) -> None:
    """Keep a learning catalog in git, and the platform in step with it.

    Only `apply`, `watch --apply`, `activity` and `attempts` change the platform. To see it work,
    run `lmssync demo`.
    """


def _leave_out_extras() -> None:
    """Pydantic looks for plugins in every package that is installed, whose code would have a say in
    what is valid, and httpx loads its own command line: a twentieth of a second in each run."""
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    # For Python a module that is None cannot be imported, and httpx does without this one.
    sys.modules["httpx._main"] = None  # type: ignore[assignment]


def main(args: list[str] | None = None) -> Any:
    """Entry point: runs a command and ends the process with the exit code of its outcome."""
    gc.set_threshold(*_RARELY)
    # Else Python looks for cycles in all that a run has made when the process ends anyway: a sixth
    # of the time of a plan in which nothing has changed.
    atexit.register(gc.freeze)
    _leave_out_extras()
    if COMPLETE in os.environ:
        _offer_words(cli)
    given = sys.argv[1:] if args is None else args
    command = next((word for word in given if word in COMMANDS), "")
    debug = bool(os.environ.get("LMSSYNC_DEBUG"))
    named = trace_stage(f"lmssync {command}".rstrip())
    with guard_streams(given), named, end_with_code(debug=debug), heed_sigterm():
        sys.exit(cli.main(args, prog_name="lmssync", standalone_mode=False) or 0)
