"""Types of fields that several kinds share, each with the rule of the specification it keeps."""

import re
from collections.abc import Callable
from typing import Annotated, Any, NamedTuple, TypeVar

from pydantic import AfterValidator, Field, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import core_schema

from ..problems import Rule
from ..resource import KEY, KEY_MOST
from ..texts.values import (
    DATE,
    ReadAs,
    Role,
    check_clean,
    check_date_text,
    check_language,
    check_url_text,
    check_visible,
    refusal_error,
    show_text,
)
from ..vocabulary.normalisers import derive_slug
from .reference_fields import UUID

NOT_A_UUID = Rule(
    "uuid",
    "The value is not a uuid.",
    "Copy the id from the platform.",
    wrong="prerequisiteLearningPaths: [onboarding]",
    right="prerequisiteLearningPaths: [7d1c0000-0000-4000-8000-000000000102]",
)
NOT_A_VIDEO_ID = Rule(
    "video-id",
    "The value is not the id of a video: such an id has only letters and digits.",
    "Copy the id from the platform; an address goes under `videoUrl`.",
    source="O49",
    within="a course of kind video",
    wrong="videoAsset: https://media.example.com/a.mp4",
    right="videoAsset: k3v9q2m7xw",
)
NOT_A_SLUG = Rule(
    "slug",
    "The value is not a slug: it has a space, or a character that is not allowed in an address.",
    "Copy the slug from the platform; a label is not a slug.",
    source="spec 2.2",
    wrong="ribbon: New courses",
    right="ribbon: new-courses",
)


PART_ID = KEY
_VIDEO_ID = r"^[A-Za-z0-9]+([_-]+[A-Za-z0-9]+)*$"

E = TypeVar("E")


class NeverNull(NamedTuple):
    """A mark of a field that may be left out and not be null: it always has a value (O2)."""

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        nullable = handler(source)
        assert nullable["type"] == "nullable"
        inner: core_schema.CoreSchema = nullable["schema"]
        return inner


class Shown(NamedTuple):
    """A mark of a field or type: what its JSON Schema says beside what pydantic knows itself.

    The mark of a field counts more than those of the types in it. Names that begin with `x-` are
    ours: `explain` and the reference read them, editors pass over them.
    """

    examples: tuple[Any, ...] = ()
    default: Any = None
    """What the platform takes where the field is left out, if the specification says it."""
    wire: str = ""
    """The specification's name of the field, where it is another."""
    type: str = ""
    """What people call the type."""
    rule: str = ""
    """The rule by which a validator refuses the text; `pattern` comes as near to it as can be."""
    pattern: str = ""
    message: str = ""
    """What an editor says of a text that the pattern refuses."""

    def __get_pydantic_json_schema__(
        self, source: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        words = {
            "examples": list(self.examples),
            "pattern": self.pattern,
            "patternErrorMessage": self.message,
            "x-api-name": self.wire,
            "x-type": self.type,
            "x-rule": self.rule,
        }
        default = {} if self.default is None else {"default": self.default}
        return handler(source) | {key: value for key, value in words.items() if value} | default


def _of_form(
    pattern: str, rule: Rule, what: str, hint: Callable[[str], str | None] = lambda _text: None
) -> AfterValidator:
    """Refuses a text that is not `what`; `hint` says of one what to do instead."""

    def check_form(text: str) -> str:
        if not re.fullmatch(pattern, text):
            raise refusal_error(rule, f"is `{show_text(text)}`, which is not {what}", hint(text))
        return text

    return AfterValidator(check_form)


def _video_hint(text: str) -> str:
    hint = "copy the id from the platform: it has only letters and digits"
    return f"{hint}; an address goes under `videoUrl`" if "://" in text else hint


def _slug_hint(text: str) -> str:
    near = derive_slug(text)
    return f"did you mean `{near}`?" if near else "copy the slug from the platform"


Text = Annotated[str, ReadAs(Role.TEXT, check_clean)]
Html = Annotated[str, ReadAs(Role.HTML, check_clean)]
Markdown = Annotated[str, ReadAs(Role.MARKDOWN, check_clean)]
MetaText = Annotated[str, ReadAs(Role.META, check_clean)]
Isbn = Annotated[str, ReadAs(Role.ISBN, check_clean)]
Line = Annotated[str, ReadAs(Role.LINE, check_clean)]
"""One line, which may be empty."""
Title = Annotated[
    str,
    ReadAs(Role.LINE, check_visible),
    Field(json_schema_extra={"minLength": 1}),
    Shown(
        type="text, not blank",
        rule="blank",
        pattern=r"\S",
        message="Write something that a learner can read.",
    ),
]
Date = Annotated[
    str,
    ReadAs(Role.DATE, check_date_text),
    Shown(
        ("2027-01-31", "2027-01-31T09:00:00Z"),
        type="date",
        rule="date",
        pattern=DATE.pattern.replace(r"\d", "[0-9]"),
        message="Write a date as 2027-01-31 or 2027-01-31T09:00:00Z.",
    ),
]
Uuid = Annotated[
    str,
    _of_form(UUID.pattern, NOT_A_UUID, "a uuid"),
    Shown(
        ("7d1c0000-0000-4000-8000-000000000102",),
        type="uuid",
        rule="uuid",
        pattern=UUID.pattern,
        message="Not a uuid: copy the id from the platform.",
    ),
]
VideoId = Annotated[
    str,
    _of_form(_VIDEO_ID, NOT_A_VIDEO_ID, "the id of a video", _video_hint),
    Shown(
        ("k3v9q2m7xw",),
        type="id of a video",
        rule="video-id",
        pattern=_VIDEO_ID,
        message="Not the id of a video: copy it from the platform.",
    ),
]
"""The specification says *ID* where it says *uuid* elsewhere: a short text (O49)."""
Url = Annotated[
    str,
    ReadAs(Role.LINK, check_url_text),
    Shown(
        ("https://media.example.com/safety/tour",),
        type="http or https address",
        rule="url",
        pattern=r"^[Hh][Tt][Tt][Pp][Ss]?://[^\s/]\S*$",
        message="Not an http or https address.",
    ),
]
ImageUrl = Annotated[Url, ReadAs(Role.IMAGE, check_url_text)]
PosterUrl = Annotated[Url, ReadAs(Role.POSTER, check_url_text)]
PackageUrl = Annotated[Url, ReadAs(Role.PACKAGE, check_url_text)]
PdfUrl = Annotated[Url, ReadAs(Role.PDF, check_url_text)]
VideoUrl = Annotated[Url, ReadAs(Role.VIDEO, check_url_text)]
LanguageTag = Annotated[
    str,
    AfterValidator(check_language),
    Shown(
        ("de", "en-GB"),
        type="language tag",
        rule="language-tag",
        pattern=r"^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$",
    ),
]
Slug = Annotated[
    str,
    _of_form(r"\w[\w.-]*", NOT_A_SLUG, "a slug", _slug_hint),
    Shown(type="slug", rule="slug", pattern=r"^\S+$"),
]
_SPELLING = "Use letters, digits, and single hyphens, dots or underscores."
Key = Annotated[str, Field(pattern=KEY, max_length=KEY_MOST), Shown(type="key", message=_SPELLING)]
PartId = Annotated[
    str, Field(pattern=PART_ID, max_length=KEY_MOST), Shown(type="id", message=_SPELLING)
]
Positive = Annotated[int, Field(ge=1)]
Natural = Annotated[int, Field(ge=0)]
Choice = Annotated[E, Field(strict=False)]
"""A word of an enum: strict models would ask for the enum itself."""
Switch = Annotated[bool | None, NeverNull()]
"""True, false, or left out."""
FREE_FORM = "mapping of slug to text, a list of texts, or null"
FreeForm = dict[Slug, Text | list[Text] | None]
"""customFields: slug to string, strings or null (spec 2.2)."""
