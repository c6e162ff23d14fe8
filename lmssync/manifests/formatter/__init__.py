"""formatter: the canonical form of manifests: order of keys, indentation, ends of lines.

It knows YAML as text: comments and scalars are moved, never written anew.
"""

from .canonical import Unproven as Unproven, formatted as formatted, same as same
from .choose import ChosenFile as ChosenFile, catalog as catalog, named as named
from .cursor import comments as comments
from .line_ends import unified as unified
from .looks import FormatResult as FormatResult, look_at as look_at, looks as looks
from .order import MappingShape as MappingShape, of_document as of_document
