"""formatter: the canonical form of manifests: order of keys, indentation, ends of lines.

It knows YAML as text: comments and scalars are moved, never rewritten.
"""

from .canonical_form import (
    Unproven as Unproven,
    format_manifest as format_manifest,
    same_values as same_values,
)
from .file_choice import (
    ChosenFile as ChosenFile,
    choose_catalog_files as choose_catalog_files,
    choose_named_files as choose_named_files,
)
from .format_files import (
    FormatResult as FormatResult,
    list_renamed_parts as list_renamed_parts,
    look_at as look_at,
    look_at_files as look_at_files,
)
from .line_ends import unify_line_ends as unify_line_ends
from .token_cursor import sorted_comments as sorted_comments
from .yaml_order import MappingShape as MappingShape, of_document as of_document
