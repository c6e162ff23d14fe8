"""formatter: the canonical form of manifests: order of keys, indentation, ends of lines.

It knows YAML as text: comments and scalars are moved, never written anew.
"""

from .canonical import Unproven as Unproven
from .canonical import formatted as formatted
from .canonical import same as same
from .choose import Target as Target
from .choose import catalog as catalog
from .choose import named as named
from .cursor import comments as comments
from .line_ends import unified as unified
from .looks import Look as Look
from .looks import look as look
from .looks import look_at as look_at
from .order import Shape as Shape
from .order import of_document as of_document
