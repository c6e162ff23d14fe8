"""Types of fields that several kinds share, each with the rule of the specification it keeps."""

import re
from datetime import datetime
from typing import Annotated, TypeVar

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from .refers import is_uuid

KEY = r"^[A-Za-z0-9]+([._-][A-Za-z0-9]+)*$"
PART_ID = r"^[A-Za-z0-9]+([._-][A-Za-z0-9]+)*$"
_DATE = re.compile(
    r"^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:?\d\d)?)?$", re.ASCII
)

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")

E = TypeVar("E")


def mistake(code: str, message: str, hint: str = "") -> PydanticCustomError:
    """An error with a rule id of its own; the message goes on from the name of the field."""
    escaped = message.replace("{", "{{").replace("}", "}}")
    return PydanticCustomError("lmssync", escaped, {"code": code, "hint": hint})


def _clean(text: str) -> str:
    found = _CONTROL.search(text)
    if found:
        raise mistake(
            "control-character",
            f"holds the control character U+{ord(found[0]):04X}",
            "delete it: it is invisible and the platform may refuse or show it",
        )
    return text


def _not_blank(text: str) -> str:
    if not text.strip():
        raise mistake("blank", "is blank", "write something that a learner can read")
    return text


def _date(text: str) -> str:
    """A date that exists, as ISO 8601 (spec 4)."""
    try:
        if not _DATE.match(text):
            raise ValueError(text)
        datetime.fromisoformat(text)
    except ValueError:
        raise mistake(
            "date",
            f"is `{text}`, which is not a date that exists",
            "write 2027-01-31 or 2027-01-31T09:00:00Z",
        ) from None
    return text


def _uuid(text: str) -> str:
    if not is_uuid(text):
        raise mistake("uuid", f"is `{text}`, which is not a uuid", "copy the id from the platform")
    return text


def _url(text: str) -> str:
    if not re.match(r"^https?://[^\s/]+", text, re.IGNORECASE):
        raise mistake("url", f"is `{text}`, which is not an http or https address")
    return text


Text = Annotated[str, AfterValidator(_clean)]
Title = Annotated[str, AfterValidator(_clean), AfterValidator(_not_blank)]
Date = Annotated[str, AfterValidator(_date), Field(json_schema_extra={"format": "date-time"})]
Uuid = Annotated[str, AfterValidator(_uuid), Field(json_schema_extra={"format": "uuid"})]
Url = Annotated[str, AfterValidator(_url), Field(json_schema_extra={"format": "uri"})]
Key = Annotated[str, Field(pattern=KEY, max_length=200)]
PartId = Annotated[str, Field(pattern=PART_ID, max_length=200)]
Positive = Annotated[int, Field(ge=1)]
Natural = Annotated[int, Field(ge=0)]
Choice = Annotated[E, Field(strict=False)]
"""A word of an enum: strict models would ask for the enum itself."""
FreeForm = dict[str, str | list[str] | None]
"""customFields: slug to string, strings or null (spec 2.2)."""
