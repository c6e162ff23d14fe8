"""What requests to the host of an environment are sent with, or why there is nothing."""

from collections.abc import Mapping
from pathlib import Path

from ..client import OAuthClient
from ..errors import WrongUse
from ..settings import Environment, OAuth
from .prefixes import Prefixes
from .secret import HostSecrets
from .sources import of_catalog


def credential(
    environment: Environment, prefixes: Prefixes, *, env: Mapping[str, str], root: Path
) -> str | OAuthClient:
    """The API key for `environment`, or the client that gets its tokens; raises `WrongUse`."""
    there = HostSecrets(environment.site, env, root)
    if environment.oauth is None:
        found = there.secret(environment.apiKey, "the API key of the platform")
        prefixes.require(found)
        return found.value
    client = _client(environment, environment.oauth, there)
    return client._replace(prefix=environment.keyPrefix or "")


def _client(environment: Environment, oauth: OAuth, there: HostSecrets) -> OAuthClient:
    """The token that a secret brings goes to the platform, so both hosts must be known."""
    tokens = there._replace(site=environment.token_site or environment.site)
    secret = tokens.secret(oauth.clientSecret, "the secret of the OAuth client")
    there.require_known(oauth.clientSecret)
    id_ = of_catalog(oauth.clientId, env=there.env, root=there.root)
    if not id_.value:
        raise WrongUse(
            f"the environment variable {id_.where} is not set",
            "it holds the id of the OAuth client: `export` it, or set LMSSYNC_API_KEY",
        )
    return OAuthClient(tokens.site.url, id_.value, secret.value, tuple(oauth.scopes))
