"""Rules about references between resources."""

from ..problems import Rule, Severity

TITLE = "References and names"

RULES = (
    Rule(
        "topic-outside",
        "A criterion names a topic by path in a course that is not in the catalog.",
        "Name the topic by its uuid.",
    ),
    Rule(
        "named-twice",
        "A list names the same thing twice.",
        "Delete one of the two.",
        severity=Severity.WARNING,
        fixed=False,
    ),
)
