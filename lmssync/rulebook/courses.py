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
    Rule(
        "part-id",
        "A section, lesson or topic of a course that goes live has no `id`. It is called after its "
        "title: under another one it would be a new part for ever, and what learners did in the "
        "old one would be lost.",
        "`lmssync fmt --ids` writes the ids by which all parts are known already; then a title may "
        "change.",
        severity=Severity.WARNING,
        fixed=False,
        source="O11",
    ),
    Rule(
        "title-twice",
        "Two neighbours have the same title; only their order tells them apart on the platform.",
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
        "The text under the player of a video has a field beside its body; it would be lost.",
        "Delete the field.",
        fixed=False,
        source="O20",
    ),
    Rule(
        "no-alt-text",
        "A picture of the course has no words for those who cannot see it.",
        'Add them, or write `""` for a picture that only adorns.',
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "alt-text-alone",
        "Words describe a picture that is not given.",
        "Add the picture, or delete the words.",
        severity=Severity.WARNING,
        fixed=False,
        source="spec 2.2",
    ),
    Rule(
        "grace-without-end",
        "`gracePeriodEndDate` extends access after an end that is not given.",
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
        "The course publishes itself when it is over, or when nobody can enrol any more.",
        "Correct one of the two dates.",
        fixed=False,
    ),
    Rule(
        "release-after-end",
        "A section opens when nobody has access to the course any more.",
        "Release it earlier, or end the course later.",
        fixed=False,
        source="spec 2.2",
    ),
)
