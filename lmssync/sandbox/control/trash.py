"""What a person deleted in the admin interface, kept so that it can be restored."""

from ..checks import Wrong
from ..sandbox_documents import Doc
from ..sandbox_platform import Platform


def put_in_trash(
    platform: Platform, list_: str, doc: Doc, *, parent: str | None = None, index: int = 0
) -> None:
    """Keep `doc`; `parent` and `index` say where it stood in a tree."""
    place = {"list": list_, "parentId": parent, "index": index, "doc": doc}
    platform.objects.add_object("trash", {"id": _trash_id(list_, doc["id"]), **place})


def take_from_trash(platform: Platform, list_: str, id_: str) -> Doc:
    """Take the entry out of the trash. Raises Wrong if there is none."""
    entry = platform.objects.get_object("trash", _trash_id(list_, id_))
    if entry is None:
        raise Wrong(f'nothing with the id "{id_[:100]}" was deleted from {list_}', "id")
    platform.objects.remove_object("trash", entry["id"])
    return entry


def _trash_id(list_: str, id_: str) -> str:
    return f"{list_}/{id_}".lower()
