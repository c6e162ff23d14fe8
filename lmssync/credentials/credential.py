"""What requests to the host of an environment are sent with, or why there is nothing."""

from collections.abc import Mapping
from pathlib import Path

from ..client import OAuthClient
from ..errors import WrongUse
from ..settings import Environment, OAuth
from ..source import PROJECT_FILE
from .secret import HostSecrets, Wanted
from .sources import FoundSecret, of_catalog

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
