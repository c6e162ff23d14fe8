"""What `notify:` of the project file may say: whom runs tell what they did and found.

A catalog may come from a stranger, so no address is written there. Each is found where secrets
are, under a name that is meant for messages only: no other secret of a run can be sent by one.
"""

import re
from collections.abc import Callable
from typing import Annotated, Any, Literal

from .declared_values import FieldRules
from .secret_sources import SecretSource, SettingsModel

Occasion = Literal["applied", "blocked", "drift", "overdueSteps", "unknownCalls"]
OCCASIONS: tuple[Occasion, ...] = ("applied", "blocked", "drift", "overdueSteps", "unknownCalls")
PLACEHOLDERS = ("title", "text", "environment", "occasion")
_PLACEHOLDER = re.compile(r"\{([A-Za-z]+)\}")


class NotifySource(SecretSource):
    """Where an address or a password for messages is found: one of these. It is never written
    here."""

    env: (
        Annotated[
            str,
            FieldRules(pattern=r"^LMSSYNC_NOTIFY_[A-Za-z0-9_]+$", examples=["LMSSYNC_NOTIFY_CHAT"]),
        ]
        | None
    ) = None
    """Name of the environment variable that holds it; it begins with LMSSYNC_NOTIFY_. A variable of
    the same name with `_FILE` at its end may name a file that does."""
    keyring: (
        Annotated[
            str,
            FieldRules(
                pattern=r"^lmssync-notify[A-Za-z0-9._-]*/[^\s/]+$", examples=["lmssync-notify/chat"]
            ),
        ]
        | None
    ) = None
    """Service and user of an entry of the system's keyring; the service begins with
    `lmssync-notify`."""


class MailTarget(SettingsModel):
    """Mail by SMTP, encrypted, except to this very machine."""

    server: NotifySource = NotifySource(env="LMSSYNC_NOTIFY_MAIL_SERVER")
    """Where to find the server: `smtps://mail.example.com`, or `smtp://mail.example.com`, where the
    connection is encrypted by STARTTLS before anything is sent."""
    sender: NotifySource = NotifySource(env="LMSSYNC_NOTIFY_MAIL_FROM")
    """Where to find the address of the sender."""
    to: NotifySource = NotifySource(env="LMSSYNC_NOTIFY_MAIL_TO")
    """Where to find the addresses of those who get it, with a comma between two."""
    user: NotifySource = NotifySource(env="LMSSYNC_NOTIFY_MAIL_USER")
    """Where to find the user of the server; without one nobody logs in."""
    password: NotifySource = NotifySource(env="LMSSYNC_NOTIFY_MAIL_PASSWORD")
    """Where to find the password of the user."""


class NotifyTarget(SettingsModel):
    """One way to people: `webhook`, `mail` or `issue`."""

    webhook: NotifySource | None = None
    """Where to find the address to which a message is posted as JSON, as chat tools give it out;
    everybody who knows it can write there, so it is a secret."""
    mail: MailTarget | None = None
    """Mail by SMTP; `{}` takes all settings from variables that begin with LMSSYNC_NOTIFY_MAIL_."""
    issue: bool = False
    """One issue an occasion on the code host that runs the job: changed by later runs, and closed
    when nothing is left."""
    about: Annotated[list[Occasion], FieldRules(min_length=1)] = [*OCCASIONS]
    """What a message is sent about: an apply has changed something, or something of it is blocked;
    drift was found; a step for a person is open for longer than `stepDays` of the project; nobody
    knows what a call has done."""
    environments: list[str] = []
    """The environments that it is about; all if none is named."""
    body: dict[str, Any] = {"text": "{title}\n{text}"}
    """What is posted to a webhook: in its texts `{title}`, `{text}`, `{environment}` and
    `{occasion}` are replaced."""

    @property
    def placeholders(self) -> list[str]:
        """The names in braces in the texts of the body."""
        return _PLACEHOLDER.findall(str(self.body))

    def fill_body(self, find_value: Callable[[str], str]) -> Any:
        """The body of a message, with values in the place of the names in braces."""
        return _fill_texts(self.body, find_value)


def _fill_texts(node: Any, find_value: Callable[[str], str]) -> Any:
    if isinstance(node, str):
        # One pass: a title that looks like a placeholder is not replaced again.
        return _PLACEHOLDER.sub(lambda found: find_value(found[1]), node)
    if isinstance(node, dict):
        return {key: _fill_texts(value, find_value) for key, value in node.items()}
    return [_fill_texts(value, find_value) for value in node] if isinstance(node, list) else node
