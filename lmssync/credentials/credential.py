"""What requests to the host of an environment are sent with, or why there is nothing."""

from collections.abc import Mapping
from pathlib import Path

from ..client import OAuthClient
from ..settings import Environment, OAuth
from .prefixes import Prefixes
from .secret import HostSecrets, Wanted
from .sources import of_catalog

_KEY = Wanted(
    "the API key of the platform", "KEY; `lmssync sandbox serve` prints the key of a sandbox"
)
_SECRET = Wanted("the secret of the OAuth client", "sandbox-demo-secret, if this is a sandbox")
_ID = Wanted("the id of the OAuth client", "sandbox-demo-client, if this is a sandbox")


def credential(
    environment: Environment, prefixes: Prefixes, *, env: Mapping[str, str], root: Path
) -> str | OAuthClient:
    """The API key for `environment`, or the client that gets its tokens; raises `WrongUse`."""
    there = HostSecrets(environment.site, env, root)
    if environment.oauth is None:
        found = there.secret(environment.apiKey, _KEY)
        prefixes.require(found)
        return found.value
    client = _client(environment, environment.oauth, there)
    return client._replace(prefix=environment.keyPrefix or "")


def _client(environment: Environment, oauth: OAuth, there: HostSecrets) -> OAuthClient:
    """The token that a secret brings goes to the platform, so both hosts must be known."""
    tokens = there._replace(site=environment.token_site or environment.site)
    secret = tokens.secret(oauth.clientSecret, _SECRET)
    there.require_known(oauth.clientSecret)
    id_ = of_catalog(oauth.clientId, env=there.env, root=there.root)
    if not id_.value:
        raise tokens.unset(id_, _ID)
    return OAuthClient(tokens.site.url, id_.value, secret.value, tuple(oauth.scopes))
