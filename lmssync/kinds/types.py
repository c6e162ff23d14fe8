"""Types of fields that several kinds share, each with the rule of the specification it keeps."""

import re
from typing import Annotated, Any, NamedTuple, TypeVar

from pydantic import AfterValidator, Field, GetCoreSchemaHandler
from pydantic_core import core_schema

from ..address import KEY, KEY_MOST
from ..texts import DATE, Role, clean, date, language, mistake, shown, url, visible
from ..vocabulary.rules import derive_slug
from .references import UUID

PART_ID = KEY
_SLUG = re.compile(r"\w[\w.-]*")
_VIDEO_ID = r"^[A-Za-z0-9]+([_-]+[A-Za-z0-9]+)*$"

E = TypeVar("E")


class NeverNull(NamedTuple):
    """A mark of a field that may be left out and not be null: it always has a value (O2)."""

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        found = handler(source)
        assert found["type"] == "nullable"
        inner: core_schema.CoreSchema = found["schema"]
        return inner


class Shown(NamedTuple):
    """A mark of a field: what editors and `explain` show of it, beside what stands beneath it."""

    examples: tuple[Any, ...] = ()
    default: Any = None
    """What the platform takes where the field is left out, if the specification says it."""
    wire: str = ""
    """The specification's name of the field, where it is another."""


def _uuid(text: str) -> str:
    if not UUID.fullmatch(text):
        said = f"is `{shown(text)}`, which is not a uuid"
        raise mistake("uuid", said, "copy the id from the platform")
    return text


def _video_id(text: str) -> str:
    if not re.fullmatch(_VIDEO_ID[1:-1], text):
        said = f"is `{shown(text)}`, which is not the id of a video"
        hint = "copy the id from the platform: it has only letters and digits"
        if "://" in text:
            hint += "; an address goes under `videoUrl`"
        raise mistake("video-id", said, hint)
    return text


def _slug(text: str) -> str:
    if not _SLUG.fullmatch(text):
        near = derive_slug(text)
        raise mistake(
            "slug",
            f"is `{shown(text)}`, which is not a slug",
            f"did you mean `{near}`?" if near else "copy the slug from the platform",
        )
    return text


Text = Annotated[str, AfterValidator(clean), Role.TEXT]
Html = Annotated[Text, Role.HTML]
Markdown = Annotated[Text, Role.MARKDOWN]
MetaText = Annotated[Text, Role.META]
Isbn = Annotated[Text, Role.ISBN]
Line = Annotated[Text, Role.LINE]
"""One line, which may be empty."""
Title = Annotated[
    str,
    AfterValidator(visible),
    Field(
        json_schema_extra={
            "minLength": 1,
            "pattern": r"\S",
            "patternErrorMessage": "Write something that a learner can read.",
        }
    ),
    Role.LINE,
]
Date = Annotated[
    str,
    AfterValidator(date),
    Field(
        json_schema_extra={
            "pattern": DATE.pattern.replace(r"\d", "[0-9]"),
            "patternErrorMessage": "Write a date as 2027-01-31 or 2027-01-31T09:00:00Z.",
        }
    ),
    Shown(("2027-01-31", "2027-01-31T09:00:00Z")),
    Role.DATE,
]
Uuid = Annotated[
    str,
    AfterValidator(_uuid),
    Field(
        json_schema_extra={
            "pattern": UUID.pattern,
            "patternErrorMessage": "Not a uuid: copy the id from the platform.",
        }
    ),
    Shown(("7d1c0000-0000-4000-8000-000000000102",)),
]
VideoId = Annotated[
    str,
    AfterValidator(_video_id),
    Field(
        json_schema_extra={
            "pattern": _VIDEO_ID,
            "patternErrorMessage": "Not the id of a video: copy it from the platform.",
        }
    ),
    Shown(("k3v9q2m7xw",)),
]
"""The specification says *ID* where it says *uuid* elsewhere: a short text (O49)."""
Url = Annotated[
    str,
    AfterValidator(url),
    Field(
        json_schema_extra={
            "pattern": r"^[Hh][Tt][Tt][Pp][Ss]?://[^\s/]\S*$",
            "patternErrorMessage": "Not an http or https address.",
        }
    ),
    Shown(("https://media.example.com/safety/tour",)),
    Role.LINK,
]
ImageUrl = Annotated[Url, Role.IMAGE]
PosterUrl = Annotated[Url, Role.POSTER]
PackageUrl = Annotated[Url, Role.PACKAGE]
PdfUrl = Annotated[Url, Role.PDF]
VideoUrl = Annotated[Url, Role.VIDEO]
LanguageTag = Annotated[
    str,
    AfterValidator(language),
    Field(json_schema_extra={"pattern": r"^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$"}),
    Shown(("de", "en-GB")),
]
Slug = Annotated[str, AfterValidator(_slug), Field(json_schema_extra={"pattern": r"^\S+$"})]
_NAMES: dict[str, Any] = {
    "patternErrorMessage": "Use letters, digits, and single hyphens, dots or underscores."
}
Key = Annotated[str, Field(pattern=KEY, max_length=KEY_MOST, json_schema_extra=_NAMES)]
PartId = Annotated[str, Field(pattern=PART_ID, max_length=KEY_MOST, json_schema_extra=_NAMES)]
Positive = Annotated[int, Field(ge=1)]
Natural = Annotated[int, Field(ge=0)]
Choice = Annotated[E, Field(strict=False)]
"""A word of an enum: strict models would ask for the enum itself."""
Switch = Annotated[bool | None, NeverNull()]
"""True, false, or left out."""
FreeForm = dict[Slug, Text | list[Text] | None]
"""customFields: slug to string, strings or null (spec 2.2)."""
