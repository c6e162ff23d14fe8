"""Rules about a course and its content."""

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
        "The field belongs to another type of topic, or a person fills topics of this type in the "
        "authoring interface.",
        "See the [topic types](manifests.md#topic-types).",
        source="spec 2.2",
    ),
    Rule(
        "no-content",
        "The course has no content. The platform accepts that, but learners would find nothing.",
        "Add the field that the message names.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "no-video",
        "A video has neither `videoUrl` nor `videoAsset`.",
        "Add `videoUrl` or `videoAsset`.",
        source="spec 2.2",
    ),
    Rule(
        "one-video",
        "A video has both `videoUrl` and `videoAsset`.",
        "Keep `videoAsset` for a video in the library, `videoUrl` for any other.",
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
        "Two siblings have the same `id`.",
        "Change one of them.",
    ),
    Rule(
        "part-id",
        "A section, lesson or topic of a course that goes live has no `id`, so its title is its "
        "name. With another title it would become a new part, and what learners did in the old "
        "one would be lost.",
        "Run `lmssync fmt --ids`: it writes the ids that the parts have already; `--short-ids` "
        "writes shorter ones. After that a title may change.",
        severity=Severity.WARNING,
        fixed=False,
        source="O11",
    ),
    Rule(
        "title-twice",
        "Two siblings have the same title; only their order tells them apart on the platform.",
        "Change one of the two titles.",
        severity=Severity.WARNING,
        fixed=False,
        source="O18",
    ),
    Rule(
        "empty-part",
        "A section has no lessons, or a lesson no topics.",
        "Add some, or take the part out until there are some.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "text-of-video",
        "The text under the player of a video has a field besides its body. That field would be "
        "lost.",
        "Delete the field.",
        fixed=False,
        source="O20",
    ),
    Rule(
        "no-alt-text",
        "A picture of the course has no alternative text for people who cannot see it.",
        'Add it, or write `""` if the picture is only decoration.',
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "alt-text-alone",
        "An alternative text is given without its picture.",
        "Add the picture, or delete the text.",
        severity=Severity.WARNING,
        fixed=False,
        source="spec 2.2",
    ),
    Rule(
        "grace-without-end",
        "`gracePeriodEndDate` is given without the `courseEndDate` that it extends.",
        "Add `courseEndDate`, or delete `gracePeriodEndDate`.",
        severity=Severity.WARNING,
        fixed=False,
        source="spec 2.2",
    ),
    Rule(
        "enrollment-after-end",
        "People can enrol after the course has ended.",
        "End the enrollment with the course or before it.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "publish-after-end",
        "The course is published only after it has ended, or after enrollment has closed.",
        "Correct one of the two dates.",
        fixed=False,
    ),
    Rule(
        "release-after-end",
        "A section opens only after access to the course has ended.",
        "Release it earlier, or end the course later.",
        fixed=False,
        source="spec 2.2",
    ),
)
