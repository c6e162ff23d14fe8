"""manifests: files become documents with places, documents become typed resources.

Nothing here knows the platform. YAML, Markdown and the words for authors live here and
nowhere else; a document is dropped as soon as its form has been packed.
"""

from .catalog import Catalog as Catalog
from .catalog import load as load
from .locate import locate as locate
from .project import project as project
