"""Rules about `moved` and `lifecycle`."""

from .rule import Rule

TITLE = "Moves and lifecycle"

RULES = (
    Rule(
        "moved-kind",
        "`moved` names something that no resource of this kind can have been.",
        "Write the old address: the kind and the old key, `course.safety`.",
    ),
    Rule(
        "moved-present",
        "`moved` names an address that the catalog still has.",
        "Delete the entry, or the manifest with the old key.",
    ),
    Rule(
        "moved-twice",
        "Two resources say that they were the same one before.",
        "Delete the entry of the one that was not.",
    ),
    Rule(
        "ignore-field",
        "`lifecycle.ignore` names something that is no field of this kind.",
        "Name fields as they stand at the top of the manifest.",
    ),
    Rule(
        "ignore-identity",
        "`lifecycle.ignore` names a field that says what the resource is: its kind or type, its "
        "key, the course that it belongs to.",
        "Take it from the list.",
    ),
)
