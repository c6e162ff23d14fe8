"""Commands of `lmssync state` that change what is recorded, or carry it to another place."""

import os
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from ..errors import WrongUse
from ..settings import PEOPLE_KEY, SLICE, STATE_KEY
from ..support.hosts import NoHost, parse_site
from ..support.invisible_characters import escape_invisible
from . import options
from .chosen_workspace import (
    choose_workspace,
    matches_patterns,
    parse_typed_address,
    refuse_unmatched,
    require_state,
)
from .command_help import PROJECT_EXITS, documented_command
from .exits import Exit, print_warning
from .safe_output import print_line
from .terminal_output import print_view, write_output_file

if TYPE_CHECKING:
    from ..sync.record_edits import Forgotten


@documented_command(
    "mv",
    exits=PROJECT_EXITS | {Exit.LOCKED},
    examples=(("lmssync state mv course.safety course.safety-101", "rename what is recorded"),),
)
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@options.writes
def mv(*, old: str, new: str, **given: Unpack[options.WhereOptions]) -> None:
    """Rename what is recorded as OLD to NEW, with its ids and everything inside it.

    This is for repairs: write `moved` into a manifest that gets another key, so that reviewers see
    it. What refers to OLD refers to NEW afterwards. The platform is not asked.
    """
    from ..sync import record_edits as repairs

    place = choose_workspace(**given)
    before, after = (parse_typed_address(old), parse_typed_address(new))
    with place.existing_store() as store, store.hold_state():
        pairs = repairs.move_record(store, before, after)
    for was, now in pairs.items():
        click.echo(f"{was} is now {now}")


@documented_command(
    "forget",
    exits=PROJECT_EXITS | {Exit.LOCKED},
    examples=(("lmssync state forget course.safety-101", "stop managing a course"),),
)
@click.argument("address")
@options.writes
@click.option("--drop-ids", is_flag=True, help="Delete its ids from the state as well.")
def forget(*, address: str, drop_ids: bool, **given: Unpack[options.WhereOptions]) -> None:
    """Stop managing ADDRESS; the platform keeps it.

    Its ids stay in the state. So it is managed again, and not created a second time, if it is still
    in the catalog or comes back. With --drop-ids it would be created a second time.
    """
    from ..sync import record_edits as repairs

    place = choose_workspace(**given)
    target = parse_typed_address(address)
    with place.existing_store() as store, store.hold_state():
        left = repairs.forget_records(store, [target], drop_ids=drop_ids, reason="state forget")
    _print_forgotten(left, drop_ids=drop_ids)


@documented_command(
    "rm",
    exits=PROJECT_EXITS | {Exit.LOCKED},
    examples=(
        ("lmssync state rm 'course.old-*'", "stop managing some courses"),
        ("lmssync state rm 'course.old-*' --dry-run", "show which ones"),
    ),
)
@click.argument("addresses", metavar="ADDRESS...", nargs=-1, required=True)
@options.writes
@click.option(
    "--drop-ids", is_flag=True, help="Delete the ids from the state as well, as terraform does."
)
@click.option("--dry-run", is_flag=True, help="Show what would be forgotten, and change nothing.")
def rm(
    *,
    addresses: tuple[str, ...],
    drop_ids: bool,
    dry_run: bool,
    **given: Unpack[options.WhereOptions],
) -> None:
    """Stop managing each ADDRESS, which may be a pattern (`course.old-*`); the platform keeps it.

    Does what `state forget` does, for several resources: all of them or none. The ids stay, so the
    next apply manages again what is still in the catalog. With --drop-ids the next apply creates a
    second one of what is still in the catalog, since nothing is deleted on the platform.
    """
    from ..sync import record_edits as repairs

    opened = choose_workspace(**given).existing_store(read_only=dry_run)
    with opened as store, nullcontext() if dry_run else store.hold_state():
        # Of what was forgotten only the ids can still be dropped.
        forgotten = store.forgotten_addresses() if drop_ids else ()
        known = sorted({*store.fingerprints(), *forgotten})
        refuse_unmatched(addresses, known)
        targets = [address for address in known if matches_patterns(address, addresses)]
        left = repairs.forget_records(
            store, targets, drop_ids=drop_ids, reason="state rm", dry_run=dry_run
        )
    _print_forgotten(left, drop_ids=drop_ids, dry_run=dry_run)
    if dry_run:
        click.echo("nothing was changed", err=True)


def _print_forgotten(left: "Forgotten", *, drop_ids: bool, dry_run: bool = False) -> None:
    verb = "would no longer be" if dry_run else "is no longer"
    for record in left.records:
        ids = escape_invisible(", ".join(record.known_ids.own.values()))
        kept = f"on the platform its id is {ids}" if drop_ids else "its ids are kept"
        click.echo(f"{record.address} {verb} managed; {kept}")
    for step in left.steps:
        about = f"{step.address}, " if len(left.records) > 1 else ""
        note = f"this manual step is no longer open: {about}{step.manual.text}"
        print_line(note)
    # Its manifest may be in another slice by now, which takes it over.
    part = " --slice NAME" if os.environ.get(SLICE) else ""
    if drop_ids and len(left.records) == 1:
        adopt = f"`lmssync adopt {escape_invisible(left.adopted_by)}{part}`"
        print_view(f"if the catalog still has it, it is created again: {adopt}\n")
    elif drop_ids:
        click.echo(f"what the catalog still has is created again: `lmssync adopt ADDRESS=ID{part}`")


@documented_command(
    "move",
    exits=PROJECT_EXITS | {Exit.LOCKED},
    examples=(
        ("lmssync state move git:origin#lmssync/{environment}", "share the state with the team"),
    ),
)
@click.argument("url", metavar="URL")
@options.writes
def move(*, url: str, **given: Unpack[options.WhereOptions]) -> None:
    """Move the state with its whole log to URL, where there must be none yet.

    The old place keeps a note, and refuses to be written from then on. URL is written as in `state`
    of lmssync.yaml; `{environment}` stands for the name of the environment.
    """
    from ..state import move_state

    place = choose_workspace(**given)
    with place.existing_store() as store, store.hold_state():
        count = move_state(store, url, place.root, place.name, place.env)
        has_people = bool(store.codes.known_forms()) or any(True for _ in store.list_rows())
    moved = "1 entry is" if count == 1 else f"{count:,} entries are"
    print_line(f"{moved} now at {url}")
    print_line(f"write `state: {url}` in lmssync.yaml, or export LMSSYNC_STATE={url}")
    if has_people:
        click.echo(
            "the state contains people as codes: first write the key of the codes into a file with "
            "`lmssync state key FILE`, and put it into LMSSYNC_PEOPLE_KEY"
        )


@documented_command(
    "key",
    exits=PROJECT_EXITS,
    examples=(("lmssync state key people.key", "write the key to a file"),),
)
@click.argument("file", metavar="FILE", type=options.FILE)
@options.where
def key(*, file: Path, **given: Unpack[options.WhereOptions]) -> None:
    """Write the key of the codes for people to FILE, which only you can read.

    A state that a team shares does not contain this key. People who plan license assignments set
    LMSSYNC_PEOPLE_KEY to the name of this file, or to the key itself. If a shared state has no key
    yet, a new one is made.
    """
    from ..state import make_key, write_key

    place = choose_workspace(**given)
    with place.store(read_only=True) as store:
        if not (store.lineage or store.shared):
            raise WrongUse("there is no state yet", "`lmssync apply` makes one")
        is_new = store.shared is not None and not store.shared.key
        make_key(store.codes, file) if is_new else write_key(store.codes, file)
    print_line(f"{file}: keep it secret, and set {PEOPLE_KEY} to it or to the key in it")


@documented_command(
    "encryption-key",
    exits=PROJECT_EXITS,
    examples=(("lmssync state encryption-key state.key", "write a new key to a file"),),
)
@click.argument("file", metavar="FILE", type=options.FILE)
def encryption_key(*, file: Path) -> None:
    """Write a new key to FILE, with which a shared state is encrypted.

    Only you can read FILE. Everybody who works with the state sets LMSSYNC_STATE_KEY to the key in
    it, or to the name of the file. Nobody can read the state without its key.
    """
    from ..state import make_state_key
    from ..support.installation import require_extra

    if os.path.lexists(file):
        raise WrongUse(f"{file} exists already", "name a new file: a lost key opens nothing")
    missing = "an encrypted state needs cryptography, which is not installed"
    with require_extra("encryption", missing, installs="installs it"):
        key = make_state_key()
    write_output_file(file, [f"{key}\n".encode()])
    print_line(f"{file}: keep it secret, and set {STATE_KEY} to it or to the key in it")


@documented_command(
    "export",
    exits=PROJECT_EXITS,
    examples=(
        ("lmssync state export state.json", "write everything that is recorded to a file"),
        ("lmssync state export > state.json", "print it, and let the shell write the file"),
    ),
)
@click.argument("file", metavar="[FILE]", required=False, type=click.Path(path_type=Path))
@options.where
@click.option(
    "--people-key",
    type=options.FILE,
    metavar="KEYFILE",
    help="Write the key of the codes for people, which is a secret, to this file.",
)
def export(
    *, file: Path | None, people_key: Path | None, **given: Unpack[options.WhereOptions]
) -> None:
    """Write the whole state as one JSON document, to FILE or to standard output.

    It is sorted, so equal states give equal files. It contains no secret, names nobody, and leaves
    out the history.
    """
    from ..report.value_words import count_noun
    from ..state import export_state, write_key

    place = choose_workspace(**given)
    with place.store(read_only=True) as store:
        require_state(store)
        document = export_state(store)
        if people_key:
            write_key(store.codes, people_key)
    if document.peopleKey and not people_key:
        note = "note: it contains people as codes; to import it elsewhere, also use --people-key"
        click.echo(note, err=True)
    if file is None:
        print_view(document.to_plain())
        return
    write_output_file(file, [document.to_bytes()])
    count = count_noun(len(document.resources), "resource")
    print_line(f"{file}: {count}, serial {document.serial}")


@documented_command(
    "import",
    exits=PROJECT_EXITS | {Exit.LOCKED},
    examples=(
        ("lmssync state import state.json", "restore the state from a file"),
        ("lmssync state import state.json --force", "replace the state by an earlier one"),
    ),
)
@click.argument("file", metavar="FILE", type=options.FILE)
@options.writes
@click.option("--force", is_flag=True, help="Replace the state that is there.")
@click.option(
    "--people-key",
    type=options.FILE,
    metavar="KEYFILE",
    help="File with the key of the codes for people, as `state export` has written it.",
)
def import_(
    *, file: Path, force: bool, people_key: Path | None, **given: Unpack[options.WhereOptions]
) -> None:
    """Restore a state from FILE, which `state export` has written.

    Takes all of it or nothing. A state that is there already is replaced only with --force, and
    only by an export of itself: an earlier one, or a later one of a copy of it.
    """
    from ..report.value_words import count_noun
    from ..state import read_export, read_key, replace_state

    document = read_export(file)
    key = read_key(people_key) if people_key else None
    place = choose_workspace(**given)
    with place.store() as store, store.hold_state():
        newest = replace_state(store, document, place.name, key=key, force=force)
    count = count_noun(len(document.resources), "resource")
    click.echo(f"{count} recorded, as of serial {document.serial}")
    if not newest:
        why = "the replaced state was newer, so what was made since is not recorded"
        print_warning(f"{why}: go on with `lmssync plan --new-state`")


@documented_command(
    "rebind",
    exits=PROJECT_EXITS | {Exit.LOCKED},
    examples=(
        ("lmssync state rebind https://new.example.com", "record the new address of the platform"),
    ),
)
@click.argument("base_url", metavar="BASE_URL")
@options.writes
def rebind(*, base_url: str, **given: Unpack[options.WhereOptions]) -> None:
    """Record that the platform of this state has moved to BASE_URL.

    The ids in the state must be those of that instance; lmssync does not check this.
    """
    from ..state import instance_of

    try:
        parse_site(base_url)
    except NoHost as wrong:
        shown = f"`{base_url}` " if "@" not in base_url else "the address "
        raise WrongUse(f"{shown}{wrong}", "write it as in lmssync.yaml") from None
    place = choose_workspace(**given)
    with place.existing_store() as store, store.hold_state():
        before = store.instance
        store.rebind_instance(instance_of(base_url))
    note = f"the state now belongs to the instance at {base_url}; before: {before or 'none'}"
    print_line(note)
