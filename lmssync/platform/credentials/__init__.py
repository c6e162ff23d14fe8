"""credentials: which key goes to which host. No other room reads a key.

A pull request can change `lmssync.yaml`, and a pipeline plans it beside its secrets. So the
catalog only names a variable and an address. Whether the key belongs to the address is decided
outside the catalog: by the environment of the run, or by a file of the person who runs it.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ...errors import WrongUse
from ...resource import PROJECT_FILE
from ...settings import BASE_URL, Environment, OAuth
from ...support.hosts import Site, parse_site
from ...support.redaction import register_secret
from ...support.secret_sources import SecretSource
from ..client import OAuthClient
from .key_hosts import VARIABLE, read_bindings
from .sources import FoundSecret, of_catalog

if TYPE_CHECKING:
    from .key_hosts import OwnKey


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
        own = self._own_key()
        own_found = own.find_own_secret(self.site, self.env, self.root) if own else None
        if own_found is None and not (known or own or self._is_unset(source)):
            raise self._withheld_error(source)
        found = own_found or self._of_catalog(source)
        if not found.value:
            raise self.unset_error(found, wanted)
        return found

    def unset_error(self, found: FoundSecret, wanted: Wanted) -> WrongUse:
        """The error for a variable that is not set."""
        if self.site.is_loopback:
            hint = f"export {found.where}={wanted.of_sandbox}"
        else:
            hint = f"`export` it with {wanted.what}, or set LMSSYNC_API_KEY"
        return WrongUse(f"the environment variable {found.where} is not set", hint)

    def require_known(self, source: SecretSource) -> None:
        """Raises `WrongUse` unless the host may get what the secret brings."""
        if not self._knows_host(source) and self._own_key() is None:
            raise self._withheld_error(source)

    def _own_key(self) -> "OwnKey | None":
        """The entry for the host in the person's own file."""
        from .key_hosts import own_key  # few runs ask for it

        return own_key(self.site, self.env, self.root)

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
