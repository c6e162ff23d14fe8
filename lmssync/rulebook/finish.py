"""Rules about whether learners can finish a course: content, order, prerequisites, completion."""

from ..problems import Rule, Severity

TITLE = "Finishing a course"

RULES = (
    Rule(
        "hollow-topic",
        "A rule of completion of a published course needs a topic that is created empty and is "
        "not attested as filled. No learner could complete the course.",
        "Fill the topic in the authoring interface, then add `attested: {by: NAME, on: DATE}` to "
        "it. Until then keep the course a draft.",
        fixed=False,
        source="spec 2.2",
    ),
    Rule(
        "hollow-draft",
        "A rule of completion of a draft needs a topic that is created empty and is not attested "
        "as filled. This does no harm while the course is a draft.",
        "Apply the draft so that the topic exists, fill it, attest it, then publish.",
        severity=Severity.WARNING,
        fixed=False,
        source="spec 2.2",
    ),
    Rule(
        "hollow-content",
        "A published course has pages that are created empty and are not attested as filled.",
        "Keep the course a draft until they are filled, then add `attested` to each.",
        severity=Severity.WARNING,
        fixed=False,
        source="spec 2.2",
    ),
    Rule(
        "attested-content",
        "A topic is attested although its content is in the manifest, or it needs none.",
        "Delete `attested`.",
        severity=Severity.WARNING,
        fixed=False,
        source="spec 2.2",
    ),
    Rule(
        "gate-shut",
        "Pages of a published course are taken in order, and an empty shell comes before what a "
        "rule of completion asks for.",
        "Fill the shell and attest it, or write `forceLinearProgress: false`.",
        fixed=False,
        source="spec 2.2",
    ),
    Rule(
        "gate-draft",
        "Pages of a draft are taken in order, and an empty shell comes before what a rule of "
        "completion asks for. This does no harm while the course is a draft.",
        "Apply the draft, fill the shell, attest it, then publish.",
        severity=Severity.WARNING,
        fixed=False,
        source="spec 2.2",
    ),
    Rule(
        "topic-late",
        "The topic of a rule of completion opens only after access to the course has ended.",
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
        "A rule of completion is about an article, but the course has none.",
        "Use another rule, or add an article.",
        fixed=False,
        source="spec 2.3",
    ),
    Rule(
        "criterion-twice",
        "A course has two rules of completion of one type about the same thing. It is not known "
        "which of them applies.",
        "Keep one of them.",
        fixed=False,
        source="spec 2.3",
    ),
    Rule(
        "prerequisite-draft",
        "A published course has a prerequisite that is a draft, so nobody can take the course.",
        "Publish the prerequisite first, or keep both as drafts.",
        fixed=False,
    ),
    Rule(
        "prerequisite-late",
        "A course has a prerequisite that opens only after the course has ended.",
        "Open the prerequisite earlier, or end the course later.",
        fixed=False,
    ),
    Rule(
        "prerequisite-closed",
        "A course has a prerequisite that ends before the course opens. Learners who have not "
        "completed it by then can never start.",
        "End the prerequisite later if new learners should be able to join.",
        severity=Severity.WARNING,
        fixed=False,
    ),
)
