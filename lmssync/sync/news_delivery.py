"""Sends messages about a run to chats, by mail and as issues: in a few seconds or not at all.

It gets texts that are ready, and knows neither plans nor states. Nothing here raises into a run: a
message that could not be sent is a value with the words for it.
"""

import re
import ssl
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from http import HTTPStatus
from threading import Thread
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from ..code_hosts import (
    NEWS,
    CiJob,
    connect_code_host,
    keep_text,
    open_issues,
    spell_marker,
)
from ..errors import LmssyncError
from ..platform.client import NoAnswer, OtherHost, find_trusted_context
from ..support.hosts import NoHost, Site, parse_site
from ..support.notification_settings import MailTarget, NotifySource, NotifyTarget, Occasion
from ..support.redaction import register_secret

if TYPE_CHECKING:
    import smtplib

_FINE, _SHORT = 300, 16
_LATER = frozenset({HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.REQUEST_TIMEOUT})
_QUERY = re.compile(r"[!-\"$-~]*")
_SMTP = re.compile(r"(smtps?)://([^/?#\s]+?)(:[0-9]{1,5})?/?", re.IGNORECASE)
_PORTS = {"smtps": ":465", "smtp": ":587"}
_MAIL_ADDRESS = re.compile(r"[^\s@<>,;:\"]+@[^\s@<>,;:\"]+")
SECONDS = 8.0
"""What a run waits for all of its messages together."""
_TRY = 3.0
"""What one try may take, so that a second one has time."""
_PAUSES = (0.5, 1.0)
"""Seconds before another try."""
_ISSUE_TITLES: Mapping[Occasion, str] = {
    "applied": "Last apply on {}",
    "blocked": "Blocked on {}",
    "drift": "Drift on {}",
    "overdueSteps": "Overdue steps for people on {}",
    "unknownCalls": "Calls without a known outcome on {}",
}


class Message(NamedTuple):
    """What people are to read about one run."""

    occasion: Occasion
    environment: str
    title: str
    """One line."""
    text: str
    """Plain lines."""
    markdown: str
    """The same for an issue, with foreign texts escaped."""


News = Mapping[Occasion, Message | None]
"""What a run has to say; None about an occasion that it has looked for and not found."""


class NotSent(LmssyncError):
    """A message was not sent, or nobody knows whether it was; the message says why."""

    def __init__(self, message: str, hint: str = "", *, repeat: bool = False) -> None:
        super().__init__(message, hint)
        self.repeat = repeat
        """Whether another try may end better."""


class MailWay(NamedTuple):
    """What sending mail takes."""

    server: str
    sender: str
    to: Sequence[str]
    user: str = ""
    password: str = ""


def post_webhook(address: str, body: Any, seconds: float) -> None:
    """Posts a body as JSON. A redirect is not followed: it would lead to a host that nobody has
    named."""
    site, path = _split_address(address)
    try:
        with OtherHost(site.url, {}, seconds) as host:
            answer = host.send("POST", path, body=body)
    except NoAnswer as broken:
        raise NotSent(f"{site.name} did not answer: {broken}", broken.hint, repeat=True) from None
    if answer.status < _FINE:
        return
    words, hint = f"{site.name} refused the message: HTTP {answer.status}", ""
    again = answer.status in _LATER or answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR
    if answer.status < HTTPStatus.BAD_REQUEST:
        words = f"{site.name} answered with a redirect (HTTP {answer.status}): it is not followed"
        hint = "take the address that it leads to, if that is the right one"
    elif not again:
        hint = "compare its address, and `body` of lmssync.yaml, with what it takes"
    raise NotSent(words, hint, repeat=again)


def _split_address(address: str) -> tuple[Site, str]:
    """The origin and the rest; parts of the rest are secrets from now on."""
    before, question, query = address.partition("?")
    try:
        site = parse_site(before)
        if not _QUERY.fullmatch(query):
            raise NoHost("has a character that no address has")
        if site.is_clear:
            raise NoHost("begins with http://, so others could read along")
    except NoHost as wrong:
        hint = "copy it again as the chat tool shows it"
        raise NotSent(f"the address of the webhook {wrong}", hint) from None
    path = urlsplit(before).path
    below = f"{path}{question}{query}"
    # A short path is a word that other texts have as well.
    for secret in (address, *[below] * (len(below) > _SHORT)):
        register_secret(secret)
    return site.origin, below


def send_mail(way: MailWay, message: Message, seconds: float) -> None:
    """Sends one mail to all who get it; after the text was handed over nothing is repeated."""
    import smtplib
    from email.message import EmailMessage
    from email.policy import SMTP as POLICY
    from email.utils import localtime, make_msgid

    scheme, site = _parse_server(way.server)
    for one in (way.sender, *way.to):
        if not _MAIL_ADDRESS.fullmatch(one):
            raise NotSent(
                f"`{one}` is no mail address", "write ana@example.com; a comma between two"
            )
    mail = EmailMessage(policy=POLICY)
    mail["Subject"], mail["From"], mail["To"] = message.title, way.sender, ", ".join(way.to)
    # With a name of its own: that of this machine is nobody's business, and asking may take long.
    mail["Date"], mail["Message-ID"] = localtime(), make_msgid(domain=way.sender.partition("@")[2])
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content(message.text, cte="quoted-printable")  # every server takes that
    handed_over = False
    try:
        server = _connect_mail_server(scheme, site, seconds)
        try:
            if way.user:
                server.login(way.user, way.password)
            handed_over = True
            refused = server.send_message(mail, way.sender, list(way.to))
        finally:
            server.close()  # without a QUIT: how that ends says nothing about the mail
    except (smtplib.SMTPException, OSError, ValueError) as error:
        raise _word_mail_error(error, site, repeat=not handed_over) from None
    if refused:
        raise NotSent(
            f"{site.host} takes no mail for {', '.join(refused)}; the others got it",
            "correct LMSSYNC_NOTIFY_MAIL_TO",
        )


def _parse_server(given: str) -> tuple[str, Site]:
    found = _SMTP.fullmatch(given)
    try:
        if found is None:
            raise NoHost("is not one of a mail server")
        scheme = found[1].lower()
        return scheme, parse_site(f"https://{found[2]}{found[3] or _PORTS[scheme]}")
    except NoHost as wrong:
        raise NotSent(
            f"the address of the mail server {wrong}", "write smtps://mail.example.com"
        ) from None


def _connect_mail_server(scheme: str, site: Site, seconds: float) -> "smtplib.SMTP":
    """A connection that others cannot read, unless it stays on this machine."""
    import smtplib

    # A name for this machine that is never looked up: that may take longer than the mail does.
    own = "[127.0.0.1]"
    trusted = find_trusted_context(site.url)
    if scheme == "smtps":
        return smtplib.SMTP_SSL(site.host, site.port, own, timeout=seconds, context=trusted)
    server = smtplib.SMTP(site.host, site.port, own, timeout=seconds)
    try:
        server.ehlo_or_helo_if_needed()
        if server.has_extn("starttls"):
            server.starttls(context=trusted)
        elif not site.is_loopback:
            raise NotSent(
                f"{site.host} offers no STARTTLS, so others could read the mail and the password",
                "write smtps://HOST, or name a server that encrypts",
            )
    except BaseException:
        server.close()
        raise
    return server


def _word_mail_error(error: Exception, site: Site, *, repeat: bool) -> NotSent:
    import smtplib

    words, hint = f"{site.name} did not take the mail", ""
    if isinstance(error, ssl.SSLCertVerificationError):
        words = f"the certificate of {site.name} is not trusted: {error.verify_message}"
        hint = "if it is signed by an authority of your own: export LMSSYNC_CA_BUNDLE=FILE"
        repeat = False
    elif isinstance(error, ssl.SSLError):
        words = f"{words}: {error.reason or 'the connection could not be encrypted'}"
        hint = "smtps:// encrypts from the first byte (465), smtp:// by STARTTLS (587)"
        repeat = False
    elif isinstance(error, smtplib.SMTPNotSupportedError | smtplib.SMTPAuthenticationError):
        words, repeat = f"{site.host} refused the user or the password", False
        hint = "correct LMSSYNC_NOTIFY_MAIL_USER and LMSSYNC_NOTIFY_MAIL_PASSWORD, or unset them"
    elif isinstance(error, smtplib.SMTPRecipientsRefused):
        words = f"{site.host} takes no mail for {', '.join(error.recipients)}"
    elif isinstance(error, smtplib.SMTPResponseException):
        words = f"{site.host} refused the mail: code {error.smtp_code}"
        repeat &= 400 <= error.smtp_code < 500  # noqa: PLR2004 - codes for later
    else:
        words = f"{words}: {getattr(error, 'strerror', None) or str(error) or type(error).__name__}"
    return NotSent(words, hint, repeat=repeat)


class Sending(NamedTuple):
    """Where the messages of a run come from."""

    environment: str
    folder: str
    """That of the catalog in its repository."""
    job: CiJob
    read_secret: Callable[[NotifySource], str]
    """Finds the value of a source, empty for a variable that is not set; raises `LmssyncError`."""
    is_test: bool = False
    """An issue is closed again as soon as it is there."""


def send_news(
    targets: Mapping[str, NotifyTarget], news: News, sending: Sending
) -> Iterator[tuple[str, LmssyncError]]:
    """Sends what each target is about; yields the names of those to which something was not sent,
    and why. Raises nothing.

    Each target has a thread of its own, which nobody waits for when the time is up: a name that is
    not found and a server that says nothing take as long as they like.
    """
    until = time.monotonic() + SECONDS
    failures: dict[str, LmssyncError] = {}
    running: dict[str, Thread] = {}

    def send_all(name: str, target: NotifyTarget, wanted: News) -> None:
        try:
            for send in _prepare_sends(target, wanted, sending):
                _try_to_send(send, until)
        except LmssyncError as failed:
            failures[name] = failed
        except Exception as error:  # noqa: BLE001 - a message must not end a run, whatever is wrong
            failures[name] = NotSent(f"a bug in lmssync: {type(error).__name__}")

    for name, target in targets.items():
        # Only an issue is closed: no message says that there is none.
        known = (about for about in target.about if about in news)
        if wanted := {about: news[about] for about in known if news[about] or target.issue}:
            # A daemon: the end of the run does not wait for it either.
            running[name] = Thread(target=send_all, args=(name, target, wanted), daemon=True)
            running[name].start()
    for name, thread in running.items():
        thread.join(max(0.0, until - time.monotonic()))
        if thread.is_alive():
            late = f"it took longer than {SECONDS:g} s, so nobody knows whether it was sent"
            yield name, NotSent(late, "`lmssync notify` tries the settings")
        elif name in failures:
            yield name, failures[name]


def _prepare_sends(
    target: NotifyTarget, wanted: News, sending: Sending
) -> Iterator[Callable[[float], None]]:
    """A function for each message, which takes the seconds that it may use."""
    if target.webhook:
        (address,) = _read_needed([target.webhook], sending)
        for message in filter(None, wanted.values()):
            yield partial(post_webhook, address, target.fill_body(message._asdict().__getitem__))
    if target.mail:
        way = _find_mail_way(target.mail, sending)
        for message in filter(None, wanted.values()):
            yield partial(send_mail, way, message)
    if target.issue:
        yield partial(_keep_issues, wanted, sending)


def _try_to_send(send: Callable[[float], None], until: float) -> None:
    """Sends one message; again after a pause if that may help and there is time. Raises `NotSent`
    and `CodeHostFailed`."""
    for pause in (*_PAUSES, None):
        try:
            return send(max(0.1, min(_TRY, until - time.monotonic())))
        except NotSent as failed:
            if not failed.repeat or pause is None or time.monotonic() + pause >= until:
                raise
            time.sleep(pause)
    raise AssertionError  # the last pause is none


def _read_needed(sources: Sequence[NotifySource], sending: Sending) -> list[str]:
    """The values of sources; raises `NotSent` with all variables that are not set."""
    values = [sending.read_secret(one) for one in sources]
    unset = [str(one.env) for one, value in zip(sources, values, strict=True) if not value]
    if unset:
        raise NotSent(
            f"{', '.join(unset)} {'is' if len(unset) == 1 else 'are'} not set",
            "export what docs/notifications.md says, or write `environments` without this one",
        )
    return values


def _find_mail_way(mail: MailTarget, sending: Sending) -> MailWay:
    user = sending.read_secret(mail.user)
    needed = [mail.server, mail.sender, mail.to, *[mail.password] * bool(user)]
    server, sender, to, *password = _read_needed(needed, sending)
    recipients = [one.strip() for one in to.split(",") if one.strip()]
    return MailWay(server, sender, recipients, user, *password)


def _keep_issues(wanted: News, sending: Sending, _seconds: float) -> None:
    with connect_code_host(sending.job, lambda _text: None) as wire:
        for occasion, message in wanted.items():
            name = "test" if sending.is_test else occasion
            title = "A test of lmssync on {}" if sending.is_test else _ISSUE_TITLES[occasion]
            mark = spell_marker(f"notify-{name}", sending.environment, sending.folder)
            thread = open_issues(sending.job, wire, title.format(sending.environment), NEWS)
            keep_text(thread, mark, message.markdown if message else None)
            if sending.is_test:
                keep_text(thread, mark, None)
