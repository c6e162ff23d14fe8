"""Rules about references between resources."""

from ..problems import Rule, Severity

TITLE = "References and names"

RULES = (
    Rule(
        "value-taken",
        "Two resources have the same value in a field that is unique on the platform.",
        "Give one of them another value.",
        source="O18",
    ),
    Rule(
        "unknown-reference",
        "The catalog has nothing with this key.",
        "Name a key of the catalog, or the uuid of something that is not in it.",
    ),
    Rule(
        "unknown-topic",
        "The course has no topic with this path.",
        "Use one that the hint lists.",
    ),
    Rule(
        "topic-outside",
        "A criterion names a topic by path in a course that is not in the catalog.",
        "Name the topic by its uuid.",
    ),
    Rule(
        "topic-fit",
        "The topic has a type that can never meet this rule.",
        "See the [rules of completion](manifests.md#rules-of-completion).",
    ),
    Rule(
        "reference-circle",
        "Resources need each other in a circle, so none can be created first.",
        "Remove one of the references. `relatedCourses` may form a circle.",
    ),
    Rule(
        "unknown-name",
        "The platform has no tag, client or location of this name. Found by `plan` and `apply`.",
        "Correct the name, or make it in the admin interface.",
    ),
    Rule(
        "ambiguous-name",
        "The platform has several of this name. Found by `plan` and `apply`.",
        "Give the uuid of the one that you mean.",
    ),
    Rule(
        "named-twice",
        "A list names the same thing twice.",
        "Delete one of the two.",
        severity=Severity.WARNING,
        fixed=False,
    ),
)
