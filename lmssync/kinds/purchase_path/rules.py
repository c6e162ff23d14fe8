"""What must hold in one purchase path (spec 2.6, 4)."""

from collections.abc import Iterator

from ...problems import Finding, Rule
from ...support.rulebook import LENGTH
from ...texts.values import HTML_SIZE
from ...vocabulary import limits
from ...vocabulary.rules import label_excess, sanitize_label
from .combinations import URL_OR_ITEM
from .spec import PurchasePathSpec

LABEL_EMPTY = Rule(
    "label-empty",
    "Nothing is left of a label once the platform has cleaned it.",
    "Write text. Of the tags around it, only a, b, strong, i, em, u, br, p and span are kept.",
    source="spec 7",
    within="a purchase path",
    wrong='label: "<img>"',
    right="label: Buy at <b>our partner</b>",
)
ONE_TARGET = Rule(
    "one-target",
    "A purchase path leads nowhere, or to two places.",
    "Keep one of `item` and `url`.",
    source="spec 4",
    within="a purchase path",
    wrong="target: {}",
    right="target: {item: safety-track}",
)
TARGET_TITLE = Rule(
    "target-title",
    "A `url` has no `title`, or an `item` has one.",
    "Add it, or delete it.",
    source="spec 4",
    within="a purchase path",
    wrong="target: {url: https://shop.example.com}",
    right="target: {url: https://shop.example.com, title: Partner shop}",
)


def check_path_label(path: PurchasePathSpec) -> Iterator[Finding]:
    """Counts and checks the label as the platform keeps it (spec 2.6, 7)."""
    if excess := label_excess(path.label):
        hint = "write a short text with few tags, and close each of them"
        rule = LENGTH.of("label") if len(path.label) > limits.PATH_LABEL_RAW else HTML_SIZE
        yield rule.at(("label",), f"the label {excess}", hint)
        return
    kept = sanitize_label(path.label)
    if not kept.strip():
        message = "nothing is left of the label once the platform has cleaned it"
        hint = "write text; only a, b, strong, i, em, u, br, p and span are kept around it"
        yield LABEL_EMPTY.at(("label",), message, hint)
    if len(kept) > limits.PATH_LABEL:
        yield LENGTH.of("label").at(
            ("label",),
            f"the label has {len(kept)} characters after cleaning; "
            f"the platform allows {limits.PATH_LABEL}",
            "",
        )


def check_path_target(path: PurchasePathSpec) -> Iterator[Finding]:
    """Exactly one target, and a title for an address only (spec 4)."""
    where = path.target
    if len(URL_OR_ITEM.given_fields(where)) != 1:
        hint = "write `target: {item: KEY}` or `target: {url: ..., title: ...}`"
        yield ONE_TARGET.at(("target",), "a target is either `item` or `url`", hint)
    elif where.url is not None and not where.title:
        yield TARGET_TITLE.at(("target",), "a `url` needs a `title`", "add `title`")
    elif where.item is not None and where.title is not None:
        yield TARGET_TITLE.at(("target", "title"), "`title` goes with `url` only", "delete it")
