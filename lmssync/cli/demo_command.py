"""`lmssync demo`."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import click

from ..errors import LmssyncError, WrongUse
from . import options
from .command_help import EXITS, documented_command
from .sandbox_command import ensure_sandbox_installed

MARK = ".lmssync-demo"
"""Marks a folder as an earlier demo, which may be replaced."""
BY_HAND = "client.riverside"
EDITED = "safety/fire-safety/course.yaml"
_PRICE = re.compile(r"^priceInCents: (\d+)", re.MULTILINE)


@documented_command(
    "demo",
    exits=EXITS,
    examples=(("lmssync demo", "watch the example catalog being applied to a sandbox"),),
)
@click.option(
    "--dir",
    "folder",
    type=options.FOLDER,
    metavar="DIR",
    default=Path("lmssync-demo"),
    show_default=True,
    help="Folder for the catalog and the data of the sandbox; an earlier demo in it is replaced.",
)
def command(*, folder: Path) -> None:
    """Watch everything work: a sandbox, the example catalog, validate, plan, apply, an edit,
    plan again.
    """
    ensure_sandbox_installed()
    folder = folder.absolute()
    _lay_out_catalog(folder)
    with _serve_sandbox(folder / "platform") as where:
        _show_steps(DemoSteps(folder, where))
    _print_next_steps(folder, where)


class DemoSteps:
    """The steps of a demo, with a number for each, and the folder that gets all they print."""

    def __init__(self, folder: Path, where: Mapping[str, str]) -> None:
        self._folder = folder
        self._catalog = folder / "catalog"
        self._env = {"LMSSYNC_BASE_URL": where["baseUrl"], "LMSSYNC_API_KEY": where["apiKey"]}
        self._number = 0

    def say(self, remark: str) -> None:
        """Begins the next step with a sentence."""
        self._number += 1
        click.echo(f"\n{click.style(f'{self._number}.', bold=True)} {remark}")

    def run(self, *args: str, show_last: int = 0, report: str | None = None) -> None:
        """Runs a command as a user would, and shows what it prints, or its last lines.

        With `report`, everything goes into `report.txt` in the demo's folder, and the command
        writes `report.html` there. Stops the demo if the command fails.
        """
        click.echo("   " + click.style(f"$ lmssync {' '.join(args)}", bold=True))
        page = self._folder / f"{report}.html"
        output = self._run_quietly(*args, *(["--report", str(page)] if report else []))
        lines = output.splitlines()[-show_last:]
        click.echo("\n".join(f"   {line}".rstrip() for line in lines))
        if report:
            file = self._folder / f"{report}.txt"
            file.write_text(output, "utf-8")
            click.echo(f"   All of it: {file}\n   As a page: {page}")

    def raise_price(self) -> str:
        """Edits a manifest as its author would, and returns the sentence about it."""
        file = self._catalog / EDITED
        text = file.read_text("utf-8")
        price = _PRICE.search(text)
        if price is None:
            raise LmssyncError(f"{file} has no price to edit")
        raised = int(price[1]) + 500
        file.write_text(_PRICE.sub(f"priceInCents: {raised}", text, count=1), "utf-8")
        return f"An author raises a price by 5.00, in {EDITED}."

    def _run_quietly(self, *args: str) -> str:
        """The output of a command; at a terminal, its progress is shown as it goes."""
        sys.stdout.flush()
        done = subprocess.run(
            _spell_program(*args),
            cwd=self._catalog,
            env=os.environ | self._env,
            stdout=subprocess.PIPE,
            stderr=None if sys.stderr.isatty() else subprocess.PIPE,
            encoding="utf-8",
            check=False,
        )
        if done.returncode:
            click.echo(done.stdout + (done.stderr or ""), nl=False)
            raise LmssyncError(f"`lmssync {' '.join(args)}` ended with {done.returncode}")
        return done.stdout


def _show_steps(steps: DemoSteps) -> None:
    """Every step, in the order in which a team meets them."""
    steps.say("A platform has started on this machine. It has tags and clients, and no course yet.")
    steps.say("The catalog is checked. This needs no platform, and would show each mistake.")
    steps.run("validate")
    steps.say("The catalog is compared with the platform. Everything in it is new there.")
    steps.run("plan", report="first-plan", show_last=3)
    steps.say("The plan is applied. Courses that need nothing of each other go in one call.")
    steps.run("apply", "--yes", report="receipt", show_last=1)
    steps.say("No call can do the step by hand. A person does it on the platform, and confirms it.")
    steps.run("resolve", BY_HAND, "--done")
    steps.say("The next plan is empty: nothing is made twice.")
    steps.run("plan")
    steps.say(f"{steps.raise_price()} The plan shows what that changes.")
    steps.run("plan")


def _lay_out_catalog(folder: Path) -> None:
    """A fresh copy of the example catalog; refuses a folder that holds anything else."""
    if folder.exists() and any(folder.iterdir()) and not (folder / MARK).exists():
        raise WrongUse(
            f"{folder} is not empty and is not an earlier demo", "choose another folder with --dir"
        )
    shutil.rmtree(folder, ignore_errors=True)
    try:
        folder.mkdir(parents=True)
        (folder / MARK).touch()
        ignored = shutil.ignore_patterns(".lmssync")
        shutil.copytree(_find_example(), folder / "catalog", ignore=ignored)
    except OSError as error:
        raise LmssyncError(f"{folder} cannot be made: {error.strerror or error}") from None


def _find_example() -> Path:
    """The example catalog: inside an installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parents[1]
    inside = package / "examples" / "catalog"
    return inside if inside.is_dir() else package.parent / "examples" / "catalog"


@contextmanager
def _serve_sandbox(data: Path) -> Iterator[dict[str, str]]:
    """A sandbox on a free port, for as long as the demo lasts."""
    command = _spell_program("sandbox", "serve", "--port", "0", "--data", str(data))
    with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8") as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            if not line:
                raise LmssyncError("the sandbox did not start", "its message is above")
            yield json.loads(line)
        finally:
            process.terminate()
            process.wait()


def _spell_program(*args: str) -> list[str]:
    return [sys.executable, "-m", "lmssync", *args]


def _print_next_steps(folder: Path, where: Mapping[str, str]) -> None:
    program = _spell_own_command()
    platform, catalog = (shlex.quote(str(folder / name)) for name in ("platform", "catalog"))
    click.echo(f"""
Go on from here. The platform, which a browser can show as well, in one terminal:

   {program} sandbox serve --data {platform}

The catalog in another. Change something in it, plan and apply:

   cd {catalog}
   export LMSSYNC_API_KEY={where["apiKey"]}
   {program} plan""")


def _spell_own_command() -> str:
    """How this program is called from any folder."""
    if shutil.which("lmssync"):
        return "lmssync"
    own = Path(sys.argv[0]).absolute()
    return f"{sys.executable} -m lmssync" if own.suffix == ".py" else str(own)
