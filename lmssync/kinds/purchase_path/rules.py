"""What must hold in one purchase path (spec 2.6, 4)."""

from collections.abc import Iterator

from ...problems import Finding
from ...vocabulary import limits
from ...vocabulary.rules import sanitize_label
from .spec import PurchasePathSpec


def label(path: PurchasePathSpec) -> Iterator[Finding]:
    """Counted, and looked at, as the platform keeps it (spec 2.6, 7)."""
    kept = sanitize_label(path.label)
    if not kept.strip():
        yield Finding(
            "label-empty",
            ("label",),
            "nothing is left of the label once the platform has cleaned it",
            "write text; only a, b, strong, i, em, u, br, p and span are kept around it",
        )
    if len(kept) > limits.PATH_LABEL:
        yield Finding(
            "label-length",
            ("label",),
            f"the label has {len(kept)} characters after cleaning; "
            f"the platform allows {limits.PATH_LABEL}",
        )


def target(path: PurchasePathSpec) -> Iterator[Finding]:
    """Exactly one target, and a title for an address only (spec 4)."""
    where = path.target
    if (where.item is None) == (where.url is None):
        yield Finding(
            "one-target",
            ("target",),
            "a target is either `item` or `url`",
            "write `target: {item: KEY}` or `target: {url: ..., title: ...}`",
        )
    elif where.url is not None and not where.title:
        yield Finding("target-title", ("target",), "a `url` needs a `title`", "add `title`")
    elif where.item is not None and where.title is not None:
        yield Finding(
            "target-title", ("target", "title"), "`title` goes with `url` only", "delete it"
        )
