"""Secrets read from where they are: variables, files, the keyring, programs."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from ..errors import WrongUse
from ..settings import OF_FILE, PLAN_KEY, SecretSource
from . import commands

_FILE_MOST = 64 * 1024


class FoundSecret(NamedTuple):
    """A secret, and where it was found."""

    where: str
    """In words; it quotes nothing of the secret."""
    value: str
    """Empty where a variable is not set."""


def read_variable(name: str, env: Mapping[str, str]) -> FoundSecret:
    """What a variable holds, or the file that the variable `NAME_FILE` names."""
    if name == PLAN_KEY:
        raise WrongUse(
            f"`apiKey` names {PLAN_KEY}, which signs plans and is sent to nobody",
            "name the variable that holds the API key",
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
            "name a file that holds the key and nothing else",
        ) from None
    found = require_header_value(
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
        raise WrongUse(
            f"`keyring: {name}` needs a package that is not installed",
            "pip install 'lmssync[keyring]'",
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
    """What `lmssync.yaml` names. A stranger may have written it, so it starts no program that
    nothing outside of it names."""
    if source.keyring:
        return read_keyring_entry(source.keyring)
    if source.command:
        if not commands.is_command_allowed(source.command, env):
            raise _not_allowed(source.command)
        return of_command(source.command, env, root)
    return read_variable(source.env or "", env)


def of_command(command: list[str], env: Mapping[str, str], root: Path) -> FoundSecret:
    return require_header_value(
        FoundSecret(f"the command `{command[0]}`", commands.run_secret_command(command, env, root))
    )


def require_header_value(found: FoundSecret) -> FoundSecret:
    """It, if it can stand in a header."""
    if not (found.value.isascii() and found.value.isprintable()):
        raise WrongUse(
            f"the key of {found.where} holds a line break or a character that no key has",
            "copy the key again; a key is one line of plain characters",
        )
    return found


def _not_allowed(command: list[str]) -> WrongUse:
    import shlex

    line = shlex.join(command)
    return WrongUse(
        f"only lmssync.yaml says that `{line}` prints the key, so it was not run",
        "a pull request can change lmssync.yaml; if the command is right: "
        f"export {commands.VARIABLE}={shlex.quote(line)}",
    )
