"""formatter: the canonical form of manifests: order of keys, indentation, ends of lines.

It knows YAML as text: comments and scalars are moved, never rewritten.
"""

from .canonical_form import (
    FileTooLong as FileTooLong,
    Unproven as Unproven,
    format_manifest as format_manifest,
    same_values as same_values,
)
from .layout_parser import sorted_comments as sorted_comments
from .line_ends import unify_line_ends as unify_line_ends
from .part_ids import list_renamed_parts as list_renamed_parts, with_ids as with_ids
from .yaml_order import MappingShape as MappingShape, of_document as of_document
