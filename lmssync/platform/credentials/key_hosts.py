"""Which key goes to which host: as `LMSSYNC_KEY_HOSTS` names them, and as the file
`lmssync/credentials.yaml` in a person's folder of settings does.
"""

import os
import re
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from ...catalog.manifests.yaml import YamlMistake, load_yaml
from ...errors import WrongUse
from ...support.checked_documents import check_document
from ...support.declared_values import FieldRules
from ...support.git_repository import find_repository
from ...support.hosts import NoHost, Site, parse_site
from ...support.operating_system import HAS_OWNERS, is_ours, open_flags, others_may_open
from ...support.secret_sources import KeyVariable, SettingsModel
from .sources import (
    FoundSecret,
    of_command,
    read_keyring_entry,
    read_secret_file,
    read_variable,
    require_header_value,
)

VARIABLE = "LMSSYNC_KEY_HOSTS"
_ENTRY = re.compile(r"((?P<key>[A-Za-z_][A-Za-z0-9_]*)=)?(?P<where>.+)")
_PORT = re.compile(r".*:[0-9]+")


class Binding(NamedTuple):
    """A host that a key may be sent to."""

    host: str
    port: int
    scheme: str = ""
    """Empty: whatever the address says. A host without a port is https at its usual one."""
    key: str = ""
    """The variable of the only key that may be sent there; empty: every key."""

    def fits_site(self, site: Site, key: str) -> bool:
        return (
            (self.host, self.port) == (site.host, site.port)
            and self.scheme in {"", site.scheme}
            and self.key in {"", key}
        )


def read_bindings(env: Mapping[str, str]) -> Iterator[Binding]:
    """The hosts in the variable; raises `WrongUse` for an entry that names no host."""
    for entry in re.split(r"[\s,]+", env.get(VARIABLE, "").strip(" \t\r\n,")):
        if entry:
            yield _parse_binding(entry)


def _parse_binding(entry: str) -> Binding:
    match = _ENTRY.fullmatch(entry)
    try:
        return bind_host(match["where"], match["key"] or "") if match else bind_host("")
    except NoHost as wrong:
        shown = f" `{entry}`" if "@" not in entry else ""
        raise WrongUse(
            f"{VARIABLE} has an entry{shown} that {wrong}",
            f"write hosts with a space between them: {VARIABLE}='learning.example.com "
            "staging.example.com:8443'",
        ) from None


def bind_host(where: str, key: str = "") -> Binding:
    """The binding to `host`, `host:port` or a whole address; raises `NoHost`."""
    whole = "://" in where
    there = parse_site(where if whole else f"https://{where}")
    open_scheme = not whole and _PORT.fullmatch(where)
    return Binding(there.host, there.port, "" if open_scheme else there.scheme, key)


_SIZE_MOST = 1024 * 1024


_Text = Annotated[str, FieldRules(min_length=1)]


class OwnKey(SettingsModel):
    """The key of one host: the key itself, or where it is found; if several say it, the first."""

    key: _Text | None = None
    file: _Text | None = None
    keyring: Annotated[str, FieldRules(pattern=r"^[^/]+/.+$")] | None = None
    command: Annotated[list[str], FieldRules(min_length=1)] | None = None
    env: KeyVariable | None = None

    def find_own_secret(self, site: Site, env: Mapping[str, str], root: Path) -> FoundSecret | None:
        """The secret; nothing where the entry only says that the host is known."""
        if self.key:
            return require_header_value(FoundSecret(f"your file for {site.name}", self.key))
        if self.file:
            file = os.path.expanduser(self.file)  # noqa: PTH111 - raises where there is no home
            return read_secret_file(Path(file), f"your file for {site.name}")
        if self.keyring:
            return read_keyring_entry(self.keyring)
        if self.command:
            return of_command(self.command, env, root)
        return read_variable(self.env, env) if self.env else None


class Credentials(SettingsModel):
    """The content of the file."""

    hosts: dict[str, OwnKey]


def own_key(site: Site, env: Mapping[str, str], root: Path) -> OwnKey | None:
    """A host's entry in the person's file; raises `WrongUse` for a file that cannot be trusted.

    A file that lies in the catalog, or in its repository, is not the person's.
    """
    file = _own_file_path(env)
    if file is None or file.resolve().is_relative_to(find_repository(root) or root.resolve()):
        return None
    raw = _read_own_file(file)
    for where, own in _check_own_file(file, raw).hosts.items() if raw is not None else ():
        try:
            if bind_host(where).fits_site(site, ""):
                return own
        except NoHost as wrong:
            raise WrongUse(f"{file} has a host that {wrong}", _FORM) from None
    return None


_FORM = "write below `hosts:` lines such as `learning.example.com: {env: LMSSYNC_API_KEY}`"


def _own_file_path(env: Mapping[str, str]) -> Path | None:
    given, home = Path(env.get("XDG_CONFIG_HOME", "")), Path(env.get("HOME", "")) / ".config"
    if not HAS_OWNERS:  # Windows
        home = Path(env.get("APPDATA", ""))
    folder = given if given.is_absolute() else home
    return folder / "lmssync" / "credentials.yaml" if folder.is_absolute() else None


def _read_own_file(file: Path) -> bytes | None:
    """The bytes of the file, if there is one; raises `WrongUse` if others could have written it."""
    try:
        # O_NONBLOCK: a pipe in the place of the file would otherwise wait here for a writer. Who
        # owns it and who may open it is asked of what is open, not of the path: another file could
        # be put there in between.
        number = os.open(file, os.O_RDONLY | open_flags("O_NONBLOCK", "O_BINARY"))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise WrongUse(f"{file} cannot be read: {error.strerror}") from None
    with os.fdopen(number, "rb") as opened:
        status = os.fstat(number)
        if not stat.S_ISREG(status.st_mode):
            raise WrongUse(f"{file} is not a file", _FORM)
        if not is_ours(status):
            raise WrongUse(
                f"{file} belongs to another user, so its keys are not used", "create your own"
            )
        if others_may_open(status):
            raise WrongUse(f"other users can open {file}, which contains keys", f"chmod 600 {file}")
        return opened.read(_SIZE_MOST)


def _check_own_file(file: Path, raw: bytes) -> Credentials:
    """The parsed file. Messages never quote it, because it contains keys."""
    try:
        data: Any = (load_yaml(raw) or [None])[0]
    except YamlMistake as bad:
        raise WrongUse(f"{file} is not YAML: line {bad.line}", _FORM) from None
    checked = check_document(Credentials, data)
    if isinstance(checked, Credentials):
        return checked
    where = ".".join(map(str, checked.errors()[0]["loc"])) or "the document"
    raise WrongUse(f"{file} does not have the right form: see {where}", _FORM)
