"""What an author may write about who holds which licenses (spec 2.7)."""

import re
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator

from ...kind import Spec
from ...problems import Rule
from ...texts.values import refusal_error
from ..managed import Managed
from ..types import NeverNull, Shown, Text, Title, Uuid

NOT_AN_EMAIL = Rule(
    "email",
    "The text is not an e-mail address.",
    "Write it as ann@example.com. Other names go under `externalCustomerId`.",
    fixed=False,
    within="a license assignment",
    wrong="users: [{email: ann}]",
    right="users: [{email: ann@example.com}]",
)
OPTION_NOT_BOOLEAN = Rule(
    "option-not-boolean",
    "An enrollment option is a text or a number. The platform would treat any text that is "
    'not empty as true, even `"false"`.',
    "Write true or false without quotes.",
    source="spec 4",
    within="a license assignment",
    wrong='users: [{email: ann@example.com}]\nenrollmentOptions: {preserveProgress: "false"}',
    right="users: [{email: ann@example.com}]\nenrollmentOptions: {preserveProgress: true}",
)

EMAIL = re.compile(r"^[^\s@]+@[^\s@]+$")


def _check_email(text: str) -> str:
    if not EMAIL.fullmatch(text):
        raise refusal_error(
            NOT_AN_EMAIL,
            f"is `{text}`, which is not an e-mail address",
            "write it as ann@example.com; other names go under `externalCustomerId`",
        )
    return text


def _check_boolean(value: Any) -> Any:
    """The platform takes any text that is not empty as true, `"false"` too (sublicense rule 5)."""
    if value is None or isinstance(value, bool):
        return value
    kind = f'the text "{value}"' if isinstance(value, str) else f"`{value}`"
    raise refusal_error(
        OPTION_NOT_BOOLEAN,
        f"is {kind}; it must be true or false, since it decides about people's progress, "
        "and the platform would treat any text as true",
        "write true or false, without quotes",
    )


Email = Annotated[
    Text,
    AfterValidator(_check_email),
    Shown(("ann@example.com",), rule="email", pattern=EMAIL.pattern),
]
Decision = Annotated[Annotated[bool, BeforeValidator(_check_boolean)] | None, NeverNull()]


class Person(Spec):
    """One person, by one identifier or several; the platform uses the first that it knows."""

    personal = True
    id: Uuid | None = None
    """Uuid of the user."""
    email: Email | None = None
    """E-mail address; capitals do not matter."""
    externalCustomerId: Annotated[Title | None, Shown(("EXT-424",))] = None
    """Id in another system."""


class EnrollmentOptions(Spec):
    """What happens to enrollments of people who lose a license and have no other access."""

    preserveEnrollments: Annotated[Decision, Shown((True,), default=True)] = None
    """True: they become direct enrollments. False: access is lost."""
    preserveProgress: Annotated[Decision, Shown((True,), default=True)] = None
    """False: progress, attempts and submissions are permanently deleted; only with
    `preserveEnrollments: false`."""


class LicenseAssignmentSpec(Managed):
    """Some licenses, and the people who should hold all of them."""

    licenses: Annotated[list[Title], Shown((["acme-all"],), wire="licenseIds")]
    """Keys or uuids of licenses, all of the client that the people belong to."""
    users: list[Person] | None = None
    """The people."""
    usersFile: Annotated[Title | None, Shown(("staff.csv",))] = None
    """Instead of `users`: a CSV file with columns among `id`, `email`, `externalCustomerId`."""
    enrollmentOptions: EnrollmentOptions | None = None
    """Needed before anybody can lose a license."""
