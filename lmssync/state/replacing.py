"""Decides whether an exported state may take the place of what is there."""

from ..errors import WrongUse
from .codes import digest_of_key
from .export_format import Export
from .sqlite import Store


def replace_state(
    store: Store, export: Export, environment: str, *, key: str | None, force: bool
) -> bool:
    """Makes the state what the export says; raises `WrongUse` where something would be lost.

    `key` is the key of its people, where this state does not have it. False if the state that was
    here had come further. The state must be locked.
    """
    if export.environment not in {None, environment}:
        raise WrongUse(
            f"this is the state of the environment `{export.environment}`, but this run is for "
            f"`{environment}`",
            f"choose it with -e {export.environment}",
        )
    if not store.is_empty or any(True for _ in store.list_rows()):
        _refuse_losses(store, export, force=force)
    elif store.replaces_another(export.lineage) and not force:
        raise WrongUse(
            "the state that was here before is another one, and it is gone",
            "restore that one if you have it; to go on with the one in the file, use `--force`",
        )
    _check_key(store, export, key)
    return store.restore_export(export, key)


def _refuse_losses(store: Store, export: Export, *, force: bool) -> None:
    if store.lineage != export.lineage:
        raise WrongUse(
            "there is another state here: it was not made from this one, and would be lost",
            "move its file away, or name another place with `state` in lmssync.yaml",
        )
    if not force:
        raise WrongUse(
            f"there is a state here already, of serial {store.serial}",
            f"`--force` puts the one in the file, of serial {export.serial}, in its place",
        )
    theirs = {part.address for call in export.calls for part in call.parts}
    lost = sorted({*map(str, store.unresolved_addresses())} - theirs)
    if lost:
        raise WrongUse(
            f"a call for {lost[0]} waits for a decision, and the file does not know of it",
            f"run `lmssync apply` to look for it, or `lmssync resolve {lost[0]}`",
        )


def _check_key(store: Store, export: Export, key: str | None) -> None:
    """Codes of people can be compared only with those of the same key."""
    if export.peopleKey is None:
        return
    ours = store.codes.key_digest if key is None else digest_of_key(key)
    if ours != export.peopleKey:
        raise WrongUse(
            "the state holds people as codes, and the key of these codes is "
            + ("not the one in this file" if key else "not in an exported state"),
            "where it was exported: `lmssync state export FILE --people-key KEYFILE`; then import "
            "it with the same options",
        )
