"""Rules about references between resources."""

from ..problems import Rule

TITLE = "References and names"

RULES = (
    Rule(
        "topic-outside",
        "A criterion names a topic by path in a course that is not in the catalog.",
        "Name the topic by its uuid.",
    ),
)
