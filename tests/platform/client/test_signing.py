"""Signed `jwt` parameters, checked by the served sandbox, which reads them with code of its own."""

from typing import Any

from lmssync.platform.client import DeliveryStatus, Outcome, Writer
from lmssync.platform.client.platform_writer import LIFETIME
from lmssync.support import redaction
from tests.served_catalog import Platform

from .answering import Answering, Said

ROUTE = "activity.assignment"
NOBODY = "00000000-0000-4000-8000-000000000000"


def sent(platform: Platform, key: str, claims: Any) -> Outcome:
    with Writer(platform.base_url, key) as writer:
        writer.ping_platform()
        return writer.send_write(ROUTE, {}, claims, signed=True)


def test_a_signed_activity_is_read(platform: Platform):
    """The platform takes the attributes from the jwt: it refuses this one for what it says."""
    claims = {"status": "completed", "assignmentId": NOBODY, "learnerId": NOBODY}

    outcome = sent(platform, platform.key, claims)

    assert (DeliveryStatus.REJECTED, 400) == (outcome.fate, outcome.status)
    assert f'assignmentId: "{NOBODY}" is not an assignment' in outcome.message
    assert "" == platform.requests(route=ROUTE)[-1]["body"]


def test_a_signature_ends_by_the_clock_of_the_platform(platform: Platform):
    """A token that is made hours behind the platform's clock is still in time there."""
    platform.order("clock", {"advanceSeconds": 10 * LIFETIME})
    assert 400 == sent(platform, platform.key, {}).status


def test_a_signed_token_is_a_secret(server: Answering, client: Writer):
    """It opens the platform for minutes, so a message that quotes the address is kept without
    it; the token is forgotten then, since a run may sign thousands."""
    server.answer = lambda asked: Said({"errors": [f"cannot take {asked.path}"]}, 400)

    outcome = client.send_write(ROUTE, {}, {"grade": 1}, signed=True)

    token = server.asked[0].path.partition("jwt=")[2]
    assert "cannot take /incoming/v2/assignmentExternalActivity?jwt=***" == outcome.message
    assert token == redaction.redact_secrets(token)
