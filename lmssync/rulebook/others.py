"""Rules about criteria, licenses, clients, assignments and purchase paths."""

from ..problems import Rule, Severity

TITLE = "Criteria, licenses, clients, purchase paths"

RULES = (
    Rule(
        "criterion-needs",
        "The rule of completion needs a field that is missing.",
        "See the [rules of completion](manifests.md#rules-of-completion).",
        source="spec 2.3",
    ),
    Rule(
        "criterion-field",
        "The rule of completion has a field that belongs to another rule.",
        "Delete it.",
        source="spec 2.3",
    ),
    Rule(
        "license-replaces",
        "A `replace...` flag takes away other assignments of the client as well.",
        "Leave it out unless you intend that. They cannot be restored.",
        severity=Severity.WARNING,
        fixed=False,
        source="spec 4",
    ),
    Rule(
        "license-empty",
        "The license opens nothing.",
        "Name courses, learning paths or tags.",
        severity=Severity.WARNING,
        fixed=False,
    ),
    Rule(
        "label-empty",
        "Nothing is left of a label once the platform has cleaned it.",
        "Write text. Of the tags around it, only a, b, strong, i, em, u, br, p and span are kept.",
        source="spec 7",
    ),
    Rule(
        "one-target",
        "A purchase path leads nowhere, or to two places.",
        "Keep one of `item` and `url`.",
        source="spec 4",
    ),
    Rule(
        "target-title",
        "A `url` has no `title`, or an `item` has one.",
        "Add it, or delete it.",
        source="spec 4",
    ),
)
