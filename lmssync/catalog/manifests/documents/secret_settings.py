"""Where the project file says that secrets are: judged, and put into words that quote none."""

from collections.abc import Iterator

from ....problems import Finding, Rule
from ....resource import Path
from ....settings import Environment
from ....support import redaction
from ....support.hosts import NoHost, parse_site
from ....support.secret_sources import SecretSource

LITERAL_SECRET = Rule(
    "literal-secret",
    "The project file contains an API key, or something else in the place of the variable "
    "that holds it.",
    "Write `apiKey: {env: LMSSYNC_API_KEY}`; the name must begin with LMSSYNC_. If this was a "
    "real key, have it revoked: it stays in the git history.",
)
SECRET_SOURCE = Rule(
    "secret-source",
    "A secret of the project file has no source, or several.",
    "Name one: `{env: LMSSYNC_NAME}`, `{keyring: lmssync-name/user}` or `{command: [...]}`; "
    "and either `apiKey` or `oauth`.",
)
BASE_URL = Rule(
    "base-url",
    "An address has no host, or one that programs read in different ways, such as `127.1`.",
    "Write it as a browser shows it: `https://learning.example.com`.",
)
_SECRETS = {
    "apiKey": ("key", "LMSSYNC_API_KEY"),
    "clientId": ("id", "LMSSYNC_OAUTH_CLIENT_ID"),
    "clientSecret": ("secret", "LMSSYNC_OAUTH_CLIENT_SECRET"),
    "webhook": ("address", "LMSSYNC_NOTIFY_CHAT"),
    "server": ("address", "LMSSYNC_NOTIFY_MAIL_SERVER"),
    "sender": ("address", "LMSSYNC_NOTIFY_MAIL_FROM"),
    "to": ("address", "LMSSYNC_NOTIFY_MAIL_TO"),
    "user": ("name", "LMSSYNC_NOTIFY_MAIL_USER"),
    "password": ("password", "LMSSYNC_NOTIFY_MAIL_PASSWORD"),
}
"""The secrets of an environment and of a target: what each is called, and a variable for it."""
_OTHERS = "a catalog cannot read the others"
_WORDS = {
    "env-value": (
        f"`env` may only name a variable that begins with LMSSYNC_: {_OTHERS}",
        "put the key into one, such as LMSSYNC_API_KEY, and name that",
    ),
    "keyring-value": (
        f"`keyring` may only name an entry whose service begins with `lmssync`: {_OTHERS}",
        "write service and user, such as lmssync-production/ci",
    ),
    "command-value": ("`command` names no program", "write `command: [PROGRAM, ARGUMENT]`"),
    "key-prefix-value": (
        "`keyPrefix` is one or two words of letters, each with `-`, `_`, `.` or `~` behind it",
        "write what all keys begin with, such as `production-`; if this is a key, have it revoked",
    ),
    "token-url-value": (
        "`tokenUrl` is no address",
        "write a path of the instance, such as /oauth/token, or a whole address",
    ),
    "scopes-value": ("`scopes` has one that is no word of OAuth", "write one scope per item"),
}
"""The words in place of a message that quotes a value: it may be a secret."""
_NOTIFY_WORDS = {
    "env-value": (
        f"`env` of `notify` may only name a variable that begins with LMSSYNC_NOTIFY_: {_OTHERS}",
        "put the address into one, such as LMSSYNC_NOTIFY_CHAT, and name that",
    ),
    "keyring-value": (
        f"`keyring` of `notify` may only name an entry of a service `lmssync-notify...`: {_OTHERS}",
        "write service and user, such as lmssync-notify/chat",
    ),
}
_FILES = "only a variable may name a file: export LMSSYNC_API_KEY_FILE=/run/secrets/key"


def source_findings(path: Path, environment: Environment) -> Iterator[Finding]:
    """Each secret has one source, and where tokens come from is an address."""
    secret_sources = {(*path, "apiKey"): environment.apiKey}
    if (oauth := environment.oauth) is not None:
        if "apiKey" in environment.given_names:
            yield SECRET_SOURCE.at((*path, "apiKey"), "there are both `apiKey` and `oauth`")
        below = (*path, "oauth")
        secret_sources |= {
            (*below, "clientId"): oauth.clientId,
            (*below, "clientSecret"): oauth.clientSecret,
        }
        whole = "://" in oauth.tokenUrl
        address = oauth.tokenUrl if whole else f"https://host{oauth.tokenUrl}"
        yield from address_findings((*below, "tokenUrl"), address)
    for where, source in secret_sources.items():
        yield from one_source_findings(where, source)


def one_source_findings(where: Path, source: SecretSource) -> Iterator[Finding]:
    """Yields a finding for a secret that has no source, or several."""
    if len(source.given_sources) != 1:
        given = " and ".join(f"`{name}`" for name in source.given_sources) or "no source"
        yield SECRET_SOURCE.at(where, f"`{where[-1]}` has {given}")


def address_findings(path: Path, address: str) -> Iterator[Finding]:
    """Keys are bound to hosts, so an address must have one that everybody reads alike."""
    name = path[-1]
    try:
        parse_site(address)
    except NoHost as wrong:
        if "@" in address:
            message = f"`{name}` contains a user or a password, which stays in the git history"
            hint = "write the address alone; if this was a real password, have it changed"
            yield LITERAL_SECRET.at(path, message, hint)
        else:
            hint = "write it as a browser shows it: https://learning.example.com"
            yield BASE_URL.at(path, f"`{name}` {wrong}", hint)


def reword_secret_finding(finding: Finding) -> Finding:
    """Messages about secrets have their own words: what is in git stays there."""
    name, above = str(finding.path[-1]) if finding.path else "", finding.path[-2:-1]
    words = _WORDS | _NOTIFY_WORDS if finding.path[:1] == ("notify",) else _WORDS
    if finding.code in words:
        message, hint = words[finding.code]
        return finding._replace(message=message, hint=hint)
    if name == "file" and above and above[0] in _SECRETS:
        return finding._replace(hint=_FILES)
    if name not in _SECRETS:
        return finding._replace(message=redaction.without_user(finding.message))
    what, example = _SECRETS[name]
    return LITERAL_SECRET.at(
        finding.path,
        f"`{name}` names the environment variable that holds the {what}; "
        f"the {what} is never written here",
        f"write `{name}: {{env: {example}}}`; if this was a real {what}, have it revoked",
    )
