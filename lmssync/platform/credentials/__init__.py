"""credentials: which key goes to which host. No other room reads a key.

A pull request can change `lmssync.yaml`, and a pipeline plans it beside its secrets. So the
catalog only names a variable and an address. Whether the key belongs to the address is decided
outside the catalog: by the environment of the run, where `LMSSYNC_KEY_HOSTS` names hosts, or by the
file `lmssync/credentials.yaml` in the folder of settings of the person who runs it.
"""

import os
import re
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from ...catalog.manifests.yaml import YamlMistake, load_yaml
from ...errors import WrongUse
from ...resource import PROJECT_FILE
from ...settings import BASE_URL, Environment, OAuth
from ...support.checked_documents import check_document
from ...support.declared_values import FieldRules
from ...support.git_repository import find_repository
from ...support.hosts import NoHost, Site, parse_site
from ...support.operating_system import HAS_OWNERS, is_ours, open_flags, others_may_open
from ...support.redaction import register_secret
from ...support.secret_sources import KeyVariable, SecretSource, SettingsModel
from ..client import OAuthClient
from .sources import (
    FoundSecret,
    of_catalog,
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


class Wanted(NamedTuple):
    """A secret that a run needs, in words."""

    what: str
    of_sandbox: str
    """Its value where a sandbox answers."""


class HostSecrets(NamedTuple):
    """The secrets that a run may send to one host.

    A secret that the catalog names goes to this machine, to the host that LMSSYNC_BASE_URL names,
    and to those that LMSSYNC_KEY_HOSTS names. Else the person's own file decides.
    """

    site: Site
    env: Mapping[str, str]
    root: Path

    def find_secret(self, source: SecretSource, wanted: Wanted) -> FoundSecret:
        """A secret for the host; raises `WrongUse` if there is none, or none for this host.

        A variable goes before the person's own file, and that before everything else that the
        catalog names.
        """
        known = self._knows_host(source)
        if known and source.env and (found := self._of_catalog(source)).value:
            return found
        own = own_key(self.site, self.env, self.root)
        own_found = own.find_own_secret(self.site, self.env, self.root) if own else None
        if own_found is None and not (known or own or self._is_unset(source)):
            raise self._withheld_error(source)
        found = own_found or self._of_catalog(source)
        if not found.value:
            raise self.unset_error(found, wanted)
        return found

    def unset_error(self, found: FoundSecret, wanted: Wanted) -> WrongUse:
        if self.site.is_loopback:
            hint = f"export {found.where}={wanted.of_sandbox}"
        else:
            hint = f"`export` it with {wanted.what}, or set LMSSYNC_API_KEY"
        return WrongUse(f"the environment variable {found.where} is not set", hint)

    def require_known(self, source: SecretSource) -> None:
        """Raises `WrongUse` unless the host may get what the secret brings."""
        if not self._knows_host(source) and own_key(self.site, self.env, self.root) is None:
            raise self._withheld_error(source)

    def _of_catalog(self, source: SecretSource) -> FoundSecret:
        return of_catalog(source, self.env, self.root)

    def _is_unset(self, source: SecretSource) -> bool:
        return source.env is not None and not self._of_catalog(source).value

    def _knows_host(self, source: SecretSource) -> bool:
        """Whether the variables of the run say that the secret is for the host."""
        given = self.env.get(BASE_URL)
        if self.site.is_loopback or (given and parse_site(given).origin == self.site.origin):
            return True
        return any(
            binding.fits_site(self.site, source.env or "") for binding in read_bindings(self.env)
        )

    def _withheld_error(self, source: SecretSource) -> WrongUse:
        hosts = [*self.env.get(VARIABLE, "").replace(",", " ").split(), self.site.name]
        value = f"'{' '.join(hosts)}'" if len(hosts) > 1 else hosts[0]
        where = _name_source(source)
        return WrongUse(
            f"only lmssync.yaml says that the key in {where} is for {self.site.name}, "
            "so it was not sent",
            "a pull request can change lmssync.yaml; if the host is right: "
            f"export {VARIABLE}={value}",
        )


def _name_source(source: SecretSource) -> str:
    if source.keyring:
        return f"the keyring entry {source.keyring}"
    return f"the output of `{source.command[0]}`" if source.command else str(source.env)


_KEY = Wanted(
    "the API key of the platform", "KEY; `lmssync sandbox serve` prints the key of a sandbox"
)
_SECRET = Wanted("the secret of the OAuth client", "sandbox-demo-secret, if this is a sandbox")
_ID = Wanted("the id of the OAuth client", "sandbox-demo-client, if this is a sandbox")


def find_credential(
    environment: Environment, name: str, *, env: Mapping[str, str], root: Path
) -> str | OAuthClient:
    """The API key for an environment, or the client that gets its tokens; raises `WrongUse`.

    The catalog asks one question about the key: whether it begins with the words that its own
    environment says. What other environments say is never compared, nor is anything but whole
    words (`Environment.keyPrefix`): a stranger who may ask more can read the key out.
    """
    there = HostSecrets(environment.site, env, root)
    if environment.oauth is None:
        found = there.find_secret(environment.apiKey, _KEY)
        if not found.value.startswith(environment.keyPrefix or ""):
            raise _foreign_key(found, environment, name)
        return found.value
    client = _find_oauth_client(environment, environment.oauth, there)
    return client._replace(prefix=environment.keyPrefix or "")


def _foreign_key(found: FoundSecret, environment: Environment, name: str) -> WrongUse:
    """The error for a key of another environment; it quotes nothing of the key."""
    return WrongUse(
        f"the key of {found.where} does not begin with `{environment.keyPrefix}`; "
        f"this run is about `{name}`, so it was not sent",
        f"set the key of `{name}`; `keyPrefix` in {PROJECT_FILE} says how its keys begin",
    )


def _find_oauth_client(environment: Environment, oauth: OAuth, there: HostSecrets) -> OAuthClient:
    """The token that a secret brings goes to the platform, so both hosts must be known."""
    tokens = there._replace(site=environment.token_site or environment.site)
    secret = tokens.find_secret(oauth.clientSecret, _SECRET)
    there.require_known(oauth.clientSecret)
    id_ = of_catalog(oauth.clientId, env=there.env, root=there.root)
    if not id_.value:
        raise tokens.unset_error(id_, _ID)
    return OAuthClient(tokens.site.url, id_.value, secret.value, tuple(oauth.scopes))


def find_message_secret(source: SecretSource, env: Mapping[str, str], root: Path) -> str:
    """An address or a password for messages, which no output shows from now on; empty for a
    variable that is not set. Raises `WrongUse`."""
    value = of_catalog(source, env, root).value
    register_secret(value)
    return value
