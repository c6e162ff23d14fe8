"""Rules about `moved` and `lifecycle`."""

from ..problems import Rule

TITLE = "Moves and lifecycle"

RULES = (
    Rule(
        "moved-kind",
        "`moved` names something that cannot be an old address of a resource of this kind.",
        "Write the old address: the kind and the old key, `course.safety`.",
    ),
    Rule(
        "moved-present",
        "`moved` names an address that the catalog still has.",
        "Delete the entry, or the manifest with the old key.",
    ),
    Rule(
        "moved-twice",
        "Two resources have the same old address under `moved`.",
        "Delete the entry that is wrong.",
    ),
    Rule(
        "ignore-field",
        "`lifecycle.ignore` names something that is not a field of this kind.",
        "Use the names of fields at the top level of the manifest.",
    ),
    Rule(
        "ignore-identity",
        "`lifecycle.ignore` names a field that says what the resource is: its kind or type, its "
        "key, the course that it belongs to.",
        "Remove it from the list.",
    ),
)
