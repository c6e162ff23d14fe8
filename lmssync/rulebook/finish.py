"""Rules about what learners can get through: content, order, prerequisites, completion."""

from ..problems import Severity
from .rule import Rule

TITLE = "Finishing a course"

RULES = (
    Rule(
        "hollow-topic",
        "A rule of completion of a published course is about a topic that is made empty, and "
        "nobody has attested that it was filled. Nobody could complete the course.",
        "Fill the topic in the authoring interface, then write `attested: {by: NAME, on: DATE}` "
        "at it. Until then keep the course a draft.",
        fixed=False,
        source="spec 2.2",
    ),
    Rule(
        "hollow-draft",
        "A rule of completion of a draft is about a topic that is made empty and that nobody has "
        "attested; it harms nobody yet.",
        "Apply the draft so that the topic is there, fill it, attest it, and publish then.",
        severity=Severity.WARNING,
        fixed=False,
        source="spec 2.2",
    ),
    Rule(
        "hollow-content",
        "A published course has pages that are made empty and that nobody has attested.",
        "Keep the course a draft until they are filled, then write `attested` at each.",
        severity=Severity.WARNING,
        fixed=False,
        source="spec 2.2",
    ),
    Rule(
        "attested-content",
        "A topic is attested although its content stands in the manifest, or needs none.",
        "Delete `attested`.",
        severity=Severity.WARNING,
        fixed=False,
        source="spec 2.2",
    ),
    Rule(
        "gate-shut",
        "Pages of a published course are taken in order, an empty shell is one of them, and the "
        "goal of a rule of completion lies behind it.",
        "Fill the shell and attest it, or write `forceLinearProgress: false`.",
        fixed=False,
        source="spec 2.2",
    ),
    Rule(
        "gate-draft",
        "Pages of a draft are taken in order, and an empty shell lies before the goal of a rule of "
        "completion; it harms nobody yet.",
        "Apply the draft, fill the shell, attest it, and publish then.",
        severity=Severity.WARNING,
        fixed=False,
        source="spec 2.2",
    ),
    Rule(
        "topic-late",
        "The topic of a rule of completion opens when nobody has access to the course any more.",
        "Release its section earlier, or end the course later.",
        fixed=False,
    ),
    Rule(
        "percent-late",
        "A rule of completion asks for more pages than open before access to the course ends.",
        "Ask for less, or release the sections earlier.",
        fixed=False,
    ),
    Rule(
        "criterion-fit",
        "A rule of completion is about an article, and the course has none.",
        "Take another rule, or add an article.",
        fixed=False,
        source="spec 2.3",
    ),
    Rule(
        "criterion-twice",
        "A course has two rules of completion of one type about the same thing; which of them "
        "holds is not known.",
        "Keep one of them.",
        fixed=False,
        source="spec 2.3",
    ),
    Rule(
        "prerequisite-draft",
        "A published course asks for another one first that is a draft, so nobody can take it.",
        "Publish the other one first, or keep both drafts.",
        fixed=False,
    ),
    Rule(
        "prerequisite-late",
        "A course asks for another one first that opens only when the course is over.",
        "Open the other one earlier, or end this one later.",
        fixed=False,
    ),
    Rule(
        "prerequisite-closed",
        "A course asks for another one first that is over before the course opens. Who has not "
        "completed it by then can never begin.",
        "End the other one later, if new learners are to join.",
        severity=Severity.WARNING,
        fixed=False,
    ),
)
