"""Brings the entries of mappings into their order."""

from . import anchors
from .anchors import Names
from .nodes import Block
from .order import Shape
from .regroup import regroup


def arrange(block: Block, shape: Shape | None, names: Names, *, is_root: bool = False) -> None:
    """Sorts a block and those within it; where an alias would lose its anchor, nothing moves."""
    for entry in block.entries:
        if isinstance(entry.value, Block):
            below = shape.within(entry.name) if shape and block.is_mapping else shape
            arrange(entry.value, below, names)
    if shape is None or not block.is_mapping:
        return
    order = sorted(block.entries, key=lambda entry: shape.rank(entry.name))
    if order != block.entries and not anchors.forbid(names, order):
        regroup(block, order, is_root=is_root)
