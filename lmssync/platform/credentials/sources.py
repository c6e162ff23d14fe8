"""Secrets read from where they are: variables, files, the keyring, programs."""

import os
import shlex
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, NamedTuple

from ...errors import WrongUse
from ...settings import OF_FILE, PLAN_KEY
from ...support import redaction
from ...support.invisible_characters import escape_invisible
from ...support.operating_system import find_in_path, start_process
from ...support.secret_sources import SecretSource

VARIABLE = "LMSSYNC_KEY_COMMANDS"
SECONDS = 60.0
"""Enough for somebody who has to unlock something."""
BYTES_MOST = 64 * 1024
_PIECE = 65_536
_COMPLAINT_MOST = 300


def is_command_allowed(command: Sequence[str], env: Mapping[str, str]) -> bool:
    """Whether the variables of the run name the very command; raises `WrongUse`."""
    try:
        lines = [shlex.split(line) for line in env.get(VARIABLE, "").splitlines()]
    except ValueError as error:
        raise WrongUse(
            f"{VARIABLE} cannot be read: {error}", "write one command per line, as for a shell"
        ) from None
    return list(command) in lines


def run_secret_command(
    command: Sequence[str], env: Mapping[str, str], root: Path, *, seconds: float = SECONDS
) -> str:
    """The one line that a command prints; raises `WrongUse`. No shell reads the command."""
    name, program = command[0], _find_program(command[0], env, root)
    code, out, error = _run_to_end([program, *command[1:]], env, seconds)
    for line in out.splitlines():
        redaction.register_secret(line)  # the complaint may quote it
    if code != 0:
        why = _last_line(error) or f"it ended with {code}"
        raise WrongUse(f"`{name}` prints no key: {why}", f"run it yourself: {shlex.join(command)}")
    if len(out) > BYTES_MOST or len(out.splitlines()) != 1 or not out.strip():
        raise WrongUse(
            f"`{name}` prints no key: what it prints is not one line",
            f"run it yourself: {shlex.join(command)}",
        )
    return out.rstrip("\r\n")


def _find_program(name: str, env: Mapping[str, str], root: Path) -> str:
    """The program by its whole path. One in the catalog may be a stranger's."""
    found = (
        None
        if "\0" in name
        else next(filter(None, map(shutil.which, _candidate_programs(name, env))), None)
    )
    if found is None:
        raise WrongUse(
            f"there is no program `{name}`", "name one that is in PATH, or write its whole path"
        )
    if Path(found).resolve().is_relative_to(root.resolve()):
        raise WrongUse(
            f"the program `{name}` is in the catalog, which may come from a stranger",
            "keep programs that print keys outside of it",
        )
    return found


def _candidate_programs(name: str, env: Mapping[str, str]) -> Iterator[str]:
    if Path(name).is_absolute():
        yield name
    elif Path(name).name == name:
        yield from find_in_path(name, env.get("PATH", os.defpath))


def _run_to_end(
    command: Sequence[str], env: Mapping[str, str], seconds: float
) -> tuple[int, str, str]:
    """The exit code and the beginnings of both outputs; ends what takes too long."""
    from concurrent.futures import ThreadPoolExecutor  # few runs ask a program

    try:
        with (
            # Both outputs are read at once: a program that has filled one pipe waits until somebody
            # empties it, and would never end the other one.
            ThreadPoolExecutor(2) as pool,
            start_process(command, env, folder=Path(os.sep), seconds=seconds) as process,
        ):
            outputs = pool.map(_read_beginning, (process.stdout, process.stderr))
            out, complaint = (text.decode("utf-8", "replace") for text in outputs)
            process.wait()
    except (OSError, ValueError) as error:  # an argument may hold a NUL
        return 1, "", getattr(error, "strerror", None) or str(error)
    # A negative code is the signal that ended it: ours when the time was up, or somebody else's.
    late = f"it took longer than {seconds:g} s, or was ended"
    return process.returncode, out, late if process.returncode < 0 else complaint


def _read_beginning(stream: IO[bytes] | None) -> bytes:
    """The bytes of an output that are read; the rest is thrown away, so that its writer can go
    on."""
    assert stream is not None
    kept = stream.read(BYTES_MOST + 1)
    while stream.read(_PIECE):
        pass
    return kept


def _last_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return escape_invisible(redaction.redact_secrets(lines[-1][:_COMPLAINT_MOST])) if lines else ""


_FILE_MOST = 64 * 1024


class FoundSecret(NamedTuple):
    """A secret, and where it was found."""

    where: str
    """In words; it quotes nothing of the secret."""
    value: str
    """Empty where a variable is not set."""


def read_variable(name: str, env: Mapping[str, str]) -> FoundSecret:
    """The value of a variable, or the content of the file that the variable `NAME_FILE` names."""
    if name == PLAN_KEY:
        raise WrongUse(
            f"`apiKey` names {PLAN_KEY}, which signs plans and is sent to nobody",
            "name the variable with the API key",
        )
    if not env.get(name) and (file := env.get(f"{name}{OF_FILE}")):
        return read_secret_file(Path(file), f"{name}{OF_FILE}")
    return require_header_value(FoundSecret(name, env.get(name, "")))


def read_secret_file(file: Path, named_by: str) -> FoundSecret:
    """The one line of a file."""
    try:
        with file.open("rb") as opened:
            raw = opened.read(_FILE_MOST)
    except (OSError, ValueError) as error:  # its name may hold a NUL
        why = getattr(error, "strerror", None) or str(error)
        raise WrongUse(
            f"{named_by} names {file}, which cannot be read: {why}",
            "name a file that contains the key and nothing else",
        ) from None
    found = require_header_value(
        # Latin-1, which takes every byte: one beyond ASCII is refused below, without being quoted.
        FoundSecret(f"{file}, which {named_by} names,", raw.decode("latin-1").rstrip("\r\n"))
    )
    if not found.value:
        raise WrongUse(f"{file}, which {named_by} names, is empty", "write the key into it")
    return found


def read_keyring_entry(name: str) -> FoundSecret:
    """An entry of the system's keyring, `service/user`."""
    try:
        import keyring
    except ImportError:
        from ...support.installation import spell_extra_install

        raise WrongUse(
            f"`keyring: {name}` needs a package that is not installed",
            f"`{spell_extra_install('keyring')}` installs it",
        ) from None
    service, _, user = name.partition("/")
    try:
        value = keyring.get_password(service, user)
    except Exception as error:  # noqa: BLE001 - each system has errors of its own
        why = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise WrongUse(
            f"the keyring cannot be read: {why}", "unlock it, or take the key from a variable"
        ) from None
    if not value:
        raise WrongUse(
            f"the keyring has no entry `{name}`", f"keyring set {service} {user}, then the key"
        )
    return require_header_value(FoundSecret(f"the keyring entry {name}", value))


def of_catalog(source: SecretSource, env: Mapping[str, str], root: Path) -> FoundSecret:
    """The secret that `lmssync.yaml` names. A stranger may have written it, so it starts no program
    that nothing outside of it names."""
    if source.keyring:
        return read_keyring_entry(source.keyring)
    if source.command:
        if not is_command_allowed(source.command, env):
            raise _not_allowed(source.command)
        return of_command(source.command, env, root)
    return read_variable(source.env or "", env)


def of_command(command: list[str], env: Mapping[str, str], root: Path) -> FoundSecret:
    return require_header_value(
        FoundSecret(f"the command `{command[0]}`", run_secret_command(command, env, root))
    )


def require_header_value(found: FoundSecret) -> FoundSecret:
    """The secret, if a header can contain it."""
    if not (found.value.isascii() and found.value.isprintable()):
        raise WrongUse(
            f"the key of {found.where} contains a line break or a character that no key has",
            "copy the key again; a key is one line of plain characters",
        )
    return found


def _not_allowed(command: list[str]) -> WrongUse:
    import shlex

    line = shlex.join(command)
    return WrongUse(
        f"only lmssync.yaml says that `{line}` prints the key, so it was not run",
        "a pull request can change lmssync.yaml; if the command is right: "
        f"export {VARIABLE}={shlex.quote(line)}",
    )
