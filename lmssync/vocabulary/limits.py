"""The platform's figures: sizes of fields and requests, throttle tiers (spec 8)."""

from enum import StrEnum
from typing import NamedTuple

DESCRIPTION = 5_000
TAGS = 10
META_TITLE = 200
META_DESCRIPTION = 500
PRICE_IN_CENTS = 99_999_999
THUMBNAIL, DETAIL_IMAGE = (800, 385), (800, 450)
"""Pixels that are recommended for `asset` and `detailAsset` (spec 2.2)."""
PERCENT_LEAST, PERCENT_MOST = 1, 100
SKU = 36
"""O18."""
SLUG = 255
PATH_LABEL = 2_000
"""Counted after sanitising (spec 2.6)."""
PATH_LABEL_RAW = 20_000
"""Of a label with its markup, before it is parsed."""
PATH_TARGET_URL = 2_048
PATH_TARGET_TITLE = 255
ASSET_SEARCH = 500
ASSET_PAGE_DEFAULT, ASSET_PAGE_MOST = 50, 200
COURSES_PER_CREATE = 100
ENTRIES_PER_UPDATE = 100
"""Entries of all five lists together (O5)."""
USERS_PER_SUBLICENSE = 5_000
EVENTS_PER_ANSWER = 100
"""O40."""
REFS = 10
"""`ref1` to `ref10` of licenses and users (spec 2.4, 2.5)."""


class LimitScope(StrEnum):
    """The requests that one counter counts."""

    COMPANY = "company"
    REQUEST_IP = "request IP"
    INSTANCE = "instance"


class Window(NamedTuple):
    """A fixed window: at most `requests` in `seconds`, `increased` where the account flag is on."""

    requests: int
    seconds: int
    increased: int | None = None
    scope: LimitScope = LimitScope.COMPANY


class Tier(StrEnum):
    """Throttle tiers (spec 8); each has counters of its own."""

    USER = "userAPI"
    EVENT = "eventAPI"
    MEETING = "meetingAPI"
    SSO = "ssoAPI"
    REDEMPTION_CODES = "redemptionCodes"
    PUBLIC_CERTIFICATE = "publicCertificate"
    CERTIFICATE_SHARE_TOKEN = "certificateShareToken"  # noqa: S105 - a tier, not a token

    @property
    def window(self) -> Window:
        return TIERS[self]


TIERS: dict[Tier, Window] = {
    Tier.USER: Window(20, 60, increased=250),
    Tier.EVENT: Window(60, 60, increased=200),
    Tier.MEETING: Window(40, 60, increased=500),
    Tier.SSO: Window(500, 60, increased=1_000),
    Tier.REDEMPTION_CODES: Window(30, 300, scope=LimitScope.REQUEST_IP),
    Tier.PUBLIC_CERTIFICATE: Window(30, 300, scope=LimitScope.REQUEST_IP),
    Tier.CERTIFICATE_SHARE_TOKEN: Window(10, 300, scope=LimitScope.REQUEST_IP),
}


class AccountFigures(NamedTuple):
    """The account-wide statement whose combination with the tiers is not shown (spec 8)."""

    per_minute: int
    per_hour: int
    connections: int


STANDARD = AccountFigures(60, 1_000, 5)
ENTERPRISE = AccountFigures(300, 10_000, 20)
