"""yaml: bytes to plain values and back, exactly, and where each value stands.

Nothing here knows what a manifest is. A fast reader takes what it reads as the slow one does;
everything else, and every mistake, is left to the slow one.
"""

from ..files import NOT_UTF_8 as NOT_UTF_8
from . import write as write
from .loading import load as load
from .marks import Places as Places
from .marks import map_values as map_values
from .marks import places as places
from .marks import scalars as scalars
from .mistake import TOO_DEEP as TOO_DEEP
from .mistake import TOO_LARGE as TOO_LARGE
from .mistake import YamlMistake as YamlMistake
from .mistake import too_many as too_many
from .tokens import Scan as Scan
from .tokens import Strange as Strange
from .tokens import Token as Token
from .tokens import is_quick as is_quick
from .tokens import scanners as scanners
