"""`lmssync demo`."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from ..errors import LmssyncError, WrongUse
from . import options
from .command_help import EXITS, DocumentedCommand

MARK = ".lmssync-demo"
"""Marks a folder as an earlier demo, which may be replaced."""
EDITED = "safety/fire-safety/course.yaml"
_PRICE = re.compile(r"^priceInCents: (\d+)", re.MULTILINE)


@click.command(
    "demo",
    cls=DocumentedCommand,
    exits=EXITS,
    examples=(("lmssync demo", "watch the example catalog being applied to a sandbox"),),
)
@click.option(
    "--dir",
    "folder",
    type=options.FOLDER,
    default=Path("lmssync-demo"),
    show_default=True,
    help="Folder for the catalog and the sandbox's data; an earlier demo in it is replaced.",
)
def command(*, folder: Path) -> None:
    """Watch everything work: a sandbox, the example catalog, validate, plan, apply, edit, plan."""
    folder = folder.absolute()
    _lay_out_catalog(folder)
    catalog = folder / "catalog"
    with _serve_sandbox(folder / "platform") as where:
        env = {"LMSSYNC_BASE_URL": where["baseUrl"], "LMSSYNC_API_KEY": where["apiKey"]}
        _print_remark(f"The platform is up at {where['baseUrl']}.")
        _print_remark("First the catalog is checked, which needs no platform.")
        _run_command(catalog, env, "validate")
        _print_remark("Then it is compared with the platform. Everything is new.")
        _run_command(catalog, env, "plan")
        _print_remark("Now it is applied: all courses that depend on nothing go in one call.")
        _run_command(catalog, env, "apply", "--yes", quiet=True)
        _print_remark(
            "A second plan has nothing to send: it only lists what a person still has to do."
        )
        _run_command(catalog, env, "plan")
        _print_remark(f"An author edits {EDITED}: {_raise_price(catalog / EDITED)}.")
        _run_command(catalog, env, "plan")
    _print_next_steps(folder, where)


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


def _run_command(catalog: Path, env: dict[str, str], *args: str, quiet: bool = False) -> None:
    """Runs a command as a user would, and stops the demo if it fails."""
    click.echo(click.style(f"$ lmssync {' '.join(args)}", bold=True))
    done = subprocess.run(
        _spell_program(*args),
        cwd=catalog,
        env=os.environ | env,
        stdout=subprocess.PIPE if quiet else None,
        encoding="utf-8",
        check=False,
    )
    if quiet and done.stdout:
        click.echo(done.stdout.splitlines()[-1])
    if done.returncode:
        raise LmssyncError(f"`lmssync {' '.join(args)}` ended with {done.returncode}")


def _raise_price(file: Path) -> str:
    """Raises a price, and says how."""
    text = file.read_text("utf-8")
    price = _PRICE.search(text)
    if price is None:
        raise LmssyncError(f"{file} has no price to edit")
    raised = int(price[1]) + 500
    file.write_text(_PRICE.sub(f"priceInCents: {raised}", text, count=1), "utf-8")
    return f"the price goes from {price[1]} to {raised} cents"


def _print_remark(text: str) -> None:
    sys.stdout.flush()
    click.echo(f"\n{click.style('#', dim=True)} {text}")


def _print_next_steps(folder: Path, where: dict[str, str]) -> None:
    program = "lmssync" if shutil.which("lmssync") else sys.argv[0]
    _print_remark("Where to look next:")
    click.echo(f"""
  {folder}/catalog/README.md
      the catalog: change something in it and plan again
  {program} sandbox serve --data {folder}/platform
      the platform with what was just applied, at http://127.0.0.1:8800
  export LMSSYNC_API_KEY={where["apiKey"]}; {program} -C {folder}/catalog plan
      the plan that is waiting; `apply` asks before it does anything
  {program} --help
""")
