"""What Canvas kept from learners: modules, pages and assignments that were not published."""

import posixpath
import re
from collections.abc import Iterator

from .course_outline import Loss
from .imscc_resources import (
    ASSIGNMENT_SETTINGS,
    CartridgeContext,
    ImsResource,
    is_page,
    try_reading_xml,
)
from .source_texts import child_text

_MODULES = "course_settings/module_meta.xml"
_UNPUBLISHED = "unpublished"
_META = re.compile(r"(?is)<meta\b[^>]*>")
_STATE = re.compile(r"""(?i)\bname\s*=\s*["']?workflow_state\b""")
_HIDDEN = re.compile(rf"""(?i)\bcontent\s*=\s*["']?{_UNPUBLISHED}\b""")


class CartridgeVisibility:
    """What of one cartridge was hidden; each item is noted once."""

    def __init__(self, reading: CartridgeContext, root: str) -> None:
        self._reading = reading
        self._modules = posixpath.join(root, _MODULES)
        self._items = set(self._list_hidden_items())
        self._noted: set[str] = set()

    def note_hidden_item(self, key: str, title: str, resource: ImsResource | None = None) -> None:
        """Notes an item of the organization that was hidden, by itself or with its resource."""
        place = self._modules if key and key in self._items else ""
        if resource is not None and not place:
            place = self._find_hidden_file(resource)
            key = place
        if place and key not in self._noted:
            self._noted.add(key)
            message = f"“{title}” was hidden, and learners would see it"
            self._reading.course.note_loss(place, message, Loss.CHANGED)

    def _list_hidden_items(self) -> Iterator[str]:
        """The ids of the modules that are unpublished, and of the items in modules."""
        known = self._modules in self._reading.files
        root = try_reading_xml(self._reading, self._modules) if known else None
        for part in () if root is None else root.iter():
            # Both have the state as a child; what holds them has none.
            if child_text(part, "workflow_state") == _UNPUBLISHED:
                yield part.get("identifier", "")

    def _find_hidden_file(self, resource: ImsResource) -> str:
        """The file of a resource that says that it was not published; empty if none does."""
        place = resource.main_file
        if is_page(place) and place in self._reading.files and self._is_hidden_page(place):
            return place
        named = (file for file in resource.files if file.endswith(ASSIGNMENT_SETTINGS))
        return next((file for file in named if self._is_hidden_assignment(file)), "")

    def _is_hidden_page(self, name: str) -> bool:
        metas = _META.findall(self._reading.files.read_text(name))
        return any(_STATE.search(meta) and _HIDDEN.search(meta) for meta in metas)

    def _is_hidden_assignment(self, name: str) -> bool:
        known = name in self._reading.files
        settings = try_reading_xml(self._reading, name) if known else None
        return child_text(settings, "workflow_state") == _UNPUBLISHED
