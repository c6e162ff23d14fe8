"""yaml: bytes to plain values and back, exactly, and where each value stands.

Nothing here knows what a manifest is. A fast reader takes what it reads as the slow one does;
everything else, and every mistake, is left to the slow one.
"""

from ..files import NOT_UTF_8 as NOT_UTF_8
from . import write as write
from .block_places import BlockPlaces as BlockPlaces
from .loading import is_quick as is_quick, load_yaml as load_yaml
from .marks import (
    Places as Places,
    find_marks as find_marks,
    find_scalars as find_scalars,
    map_values as map_values,
)
from .mistake import TOO_DEEP as TOO_DEEP, TOO_LARGE as TOO_LARGE, YamlMistake as YamlMistake
from .tokens import (
    Scan as Scan,
    Strange as Strange,
    Token as Token,
    list_scanners as list_scanners,
)
