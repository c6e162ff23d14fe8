"""yaml: bytes to plain values and back, exactly, and where each value stands.

Nothing here knows what a manifest is. Three readers share the work: one takes the files that
consist of plain lines, libyaml most others, and ruamel.yaml the rest and every mistake.
"""

from ..catalog_files import NOT_UTF_8 as NOT_UTF_8
from .value_places import (
    QUOTE as QUOTE,
    BlockPlaces as BlockPlaces,
    Places as Places,
    Scan as Scan,
    Strange as Strange,
    Token as Token,
    find_marks as find_marks,
    find_scalars as find_scalars,
    list_scanners as list_scanners,
    map_values as map_values,
)
from .yaml_loading import is_quick as is_quick, load_yaml as load_yaml, read_yaml as read_yaml
from .yaml_mistakes import TOO_DEEP as TOO_DEEP, TOO_LARGE as TOO_LARGE, YamlMistake as YamlMistake
from .yaml_writer import (
    STEP as STEP,
    write_flow as write_flow,
    write_items as write_items,
    write_stream as write_stream,
    write_yaml_below as write_yaml_below,
    write_yaml_document as write_yaml_document,
)
