"""XML of strangers as trees: no entities, nothing fetched, names without their namespaces."""

from html.entities import html5
from typing import NoReturn
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from .sources import Files

_DEPTH_MOST = 100
_ELEMENTS_MOST = 1_000_000


class _Refused(Exception):
    """XML that is well-formed, and that we do not read."""


def read_xml_tree(files: Files, name: str) -> Element:
    """The root of a file of XML; raises `NotReadable` in words."""
    try:
        return _Reading().parse_root(files.read_content(name))
    except expat.ExpatError as error:
        message = f"is not XML: line {error.lineno}: {expat.ErrorString(error.code)}"
        raise files.file_error(name, message) from None
    except (_Refused, ValueError, LookupError) as error:
        raise files.file_error(name, f"is not read: {error}") from None


class _Reading:
    """One file being read."""

    def __init__(self) -> None:
        self._builder = TreeBuilder()
        self._depth = self._count = 0

    def parse_root(self, data: bytes) -> Element:
        parser = expat.ParserCreate(namespace_separator="}")
        parser.buffer_text = True
        parser.StartElementHandler = self._start_element
        parser.EndElementHandler = self._end_element
        parser.CharacterDataHandler = self._builder.data
        parser.EntityDeclHandler = _refuse_entity
        parser.SkippedEntityHandler = self._skip_entity
        parser.Parse(data, True)  # noqa: FBT003 - it takes no name
        return self._builder.close()

    def _start_element(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        self._count += 1
        if self._depth > _DEPTH_MOST:
            raise _Refused(f"its elements are more than {_DEPTH_MOST} deep")
        if self._count > _ELEMENTS_MOST:
            raise _Refused(f"it has more than {_ELEMENTS_MOST:,} elements")
        self._builder.start(
            _local_name(name), {_local_name(key): v for key, v in attributes.items()}
        )

    def _end_element(self, name: str) -> None:
        self._depth -= 1
        self._builder.end(_local_name(name))

    def _skip_entity(self, name: str, is_parameter: bool) -> None:  # noqa: FBT001 - called by expat
        """An entity of a document type that nobody fetches: HTML's are known all the same."""
        if is_parameter or f"{name};" not in html5:
            raise _Refused(f"it uses the entity &{name};")
        self._builder.data(html5[f"{name};"])


def _local_name(name: str) -> str:
    return name.rpartition("}")[2]


def _refuse_entity(*declared: object) -> NoReturn:
    raise _Refused(f"it declares the entity {declared[0]}, and entities may stand for anything")


def child_text(element: Element | None, path: str) -> str:
    """The text of an element below, on the way that `path` names; empty if there is none."""
    below = element.find(path) if element is not None else None
    return ("".join(below.itertext()) if below is not None else "").strip()
