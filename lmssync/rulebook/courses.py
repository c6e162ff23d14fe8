"""Rules about a course and what stands in it."""

from ..problems import Severity
from .rule import Rule

TITLE = "Courses"

RULES = (
    Rule(
        "field-of-kind",
        "The field belongs to another kind of course.",
        "See the [kinds of course](manifests.md#kinds-of-course).",
        source="spec 2.2",
    ),
    Rule(
        "field-of-type",
        "The field belongs to another type of topic, or the type is filled by a person.",
        "See the [topic types](manifests.md#topic-types).",
        source="spec 2.2",
    ),
    Rule(
        "no-content",
        "The course has nothing in it; the platform accepts that and learners find nothing.",
        "Add the field that the message names.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "no-video",
        "A video names no video.",
        "Add `videoUrl` or `videoAsset`.",
        source="spec 2.2",
    ),
    Rule(
        "one-video",
        "A video has both `videoUrl` and `videoAsset`.",
        "Keep `videoAsset` for one in the library, `videoUrl` for another.",
        source="spec 2.2",
    ),
    Rule(
        "asset-type-with-url",
        "`assetType` is given with `videoUrl`.",
        "Delete it: it belongs to `videoAsset`.",
        source="spec 2.2",
    ),
    Rule(
        "publish-twice",
        "`futurePublishDate` and `status: published` are both given.",
        "Leave `status` out.",
        source="spec 2.2",
    ),
    Rule(
        "window",
        "A period ends before it begins.",
        "Correct one of the two dates.",
        fixed=False,
    ),
    Rule(
        "id-twice",
        "Two neighbours have the same `id`.",
        "Change one of them.",
    ),
)
