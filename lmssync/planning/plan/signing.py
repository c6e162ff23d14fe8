"""Signs saved plans, so that anyone with the secret can tell that its holder made the plan.

A digest says that a file was not damaged. Somebody who alters a file can write a digest that fits,
but no signature.
"""

import hmac
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...errors import WrongUse
from ...settings import PLAN_KEY

SIGNED = ("digest", "signature")
"""The keys in the file that the digest does not cover."""


def sign_digest(digest: str, secret: str) -> str:
    """HMAC-SHA-256 of the digest of a plan, in hexadecimal digits."""
    return hmac.digest(os.fsencode(secret), digest.encode(), "sha256").hex()


def check_signature(file: Path, data: Mapping[str, Any], secret: str) -> None:
    """Raises `WrongUse` for a plan that was not signed with the secret."""
    stated = data.get("signature")
    if stated is None:
        raise WrongUse(
            f"{file} is not signed, and {PLAN_KEY} asks for a signature",
            f"make it again with `plan --out`, where {PLAN_KEY} is set",
        )
    if not hmac.compare_digest(str(stated).encode(), sign_digest(data["digest"], secret).encode()):
        raise WrongUse(
            f"the signature of {file} does not match: it was altered, or has another secret",
            f"make it again with `plan --out`, with the {PLAN_KEY} that is set here",
        )
