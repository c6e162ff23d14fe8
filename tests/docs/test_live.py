"""The page that lists what can be read back."""

from reference import live

from lmssync.kinds import BY_RESOURCE
from tests.platform.live.values_by_hand import FIELDS


def test_every_field_of_the_page_is_tried() -> None:
    """The tests change every field that the page lists by hand, or say why nobody can."""
    listed = {name: {label for label, _ in live.fields(BY_RESOURCE[name])} for name in BY_RESOURCE}
    assert listed == {name: set(fields) for name, fields in FIELDS.items()}
