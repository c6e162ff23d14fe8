"""`lmssync resolve`."""

import shlex
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Unpack

import click

from ..errors import (
    InvalidCatalog,
    KeyRefused,
    LmssyncError,
    StateError,
    Stopped,
    Unreachable,
    WrongUse,
)
from ..resource import Address
from ..support.invisible_characters import escape_invisible
from . import options
from .chosen_workspace import choose_online_workspace, choose_workspace, parse_typed_address
from .command_help import PLATFORM_EXITS, documented_command
from .csv_lists import read_csv_rows
from .exits import Exit
from .safe_output import print_line
from .terminal_output import choose_text_style, print_view

if TYPE_CHECKING:
    from ..applying.apply import ApplySession
    from ..planning.workspace import Workspace
    from ..state import Store


RECORDED = "recorded; `lmssync plan` shows what is left to do"
NOTHING = "nothing was left to do by hand"
_USAGE = "`lmssync resolve --help` shows how it is used"
_WORDS = "`adopt ID`, `not-created` or `done`"


class PersonAnswer(NamedTuple):
    """What a person says about one resource."""

    address: "Address"
    adopt: str | None = None
    """It is there, under this id."""
    not_created: bool = False
    """It is not there; if neither is said, all of it was done."""
    unverified: bool = False
    """Its id is believed where no route can check it."""

    @property
    def says_done(self) -> bool:
        return self.adopt is None and not self.not_created


def read_answers(file: Path, *, unverified: bool) -> Iterator[PersonAnswer]:
    """An answer for each line of a CSV file; raises `WrongUse`."""
    for number, (address, *cells) in read_csv_rows(
        file, f"an address and an answer, which is {_WORDS}"
    ):
        word, _, id_ = " ".join(filter(None, cells)).partition(" ")
        # Only `adopt` has an id: another word with one, or `adopt` without, is a slip.
        if word not in {"adopt", "not-created", "done"} or bool(id_) != (word == "adopt"):
            raise WrongUse(
                f"{file}:{number}: `{' '.join(cells)}` is no answer", f"write {_WORDS} there"
            )
        yield PersonAnswer(
            parse_typed_address(address), id_ or None, word == "not-created", unverified
        )


def settle_together(
    place: "Workspace", given: Sequence[PersonAnswer]
) -> list[tuple["Address", str]]:
    """Settles one answer, or `--done` for several; returns what came of each. Raises at once."""
    from ..applying import pipeline
    from .progress import ProgressLines

    targets = [answer.address for answer in given]
    with place.existing_store() as store:
        # `--done` means two things: steps of a person, or a call that waits. Calls come first.
        if given[0].says_done and not store.unresolved_addresses().issuperset(targets):
            had = pipeline.confirm_manual(place, store, targets)
            return [(one, RECORDED if one in had else NOTHING) for one in targets]
        with ProgressLines() as progress, pipeline.open_session(place, store, progress) as session:
            return [(answer.address, settle_answer(session, answer)) for answer in given]


def settle_listed_answers(place: "Workspace", given: Sequence[PersonAnswer]) -> Exit:
    """Settles what can be settled, and says of each what came of it."""
    from ..applying import pipeline
    from .progress import ProgressLines

    with place.existing_store() as store:
        waiting = store.unresolved_addresses()
        by_hand = [one for one in given if one.says_done and one.address not in waiting]
        settled = [_print_settled(one, partial(_confirm_steps, place, store)) for one in by_hand]
        of_calls = [one for one in given if one not in by_hand]
        if of_calls:
            with (
                ProgressLines() as progress,
                pipeline.open_session(place, store, progress) as session,
            ):
                settled += [
                    _print_settled(one, partial(settle_answer, session)) for one in of_calls
                ]
    refused = settled.count(False)
    if refused:
        click.echo(f"{refused:,} of {len(given):,} were not resolved", err=True)
        return Exit.ERROR if refused == len(given) else Exit.PARTIAL
    return Exit.DONE


def _print_settled(answer: PersonAnswer, how: Callable[[PersonAnswer], str]) -> bool:
    """Prints what came of an answer; false if it was refused, which stops no other."""
    try:
        outcome = how(answer)
    # These would befall every further answer as well, so they end the run.
    except (InvalidCatalog, KeyRefused, StateError, Stopped, Unreachable):
        raise
    except LmssyncError as error:
        note = f"{answer.address}: not resolved: {error.message}; {error.hint}".rstrip("; ")
        print_line(note, err=True)
        return False
    print_line(f"{answer.address}: {outcome}")
    return True


def _confirm_steps(place: "Workspace", store: "Store", answer: PersonAnswer) -> str:
    from ..applying import pipeline

    return RECORDED if pipeline.confirm_manual(place, store, [answer.address]) else NOTHING


def settle_answer(session: "ApplySession", answer: PersonAnswer) -> str:
    """Settles a call as a person says; returns what came of it."""
    from ..applying import apply

    if answer.adopt is not None:
        remark = apply.adopt_outcome(
            session, answer.address, answer.adopt, unverified=answer.unverified
        )
        return "; ".join(filter(None, [remark, RECORDED]))
    if answer.not_created:
        apply.believe_not_created(session, answer.address)
    else:
        apply.believe_done(session, answer.address)
    return RECORDED


def show_undecided(
    named: Collection["Address"], *, json_: bool, **given: Unpack[options.WhereOptions]
) -> Exit:
    """Prints what waits, with the commands that answer; exit code 4 while anything does.

    Raises `WrongUse` if some resources are `named` and no call for them waits.
    """
    from ..applying.apply import list_undecided
    from ..report.decisions_report import undecided_json, undecided_text

    place = choose_workspace(**given)
    with place.store(read_only=True) as store:
        every = list_undecided(store, place.platform.routes)
        waiting = [one for one in every if not named or one.address in named]
        steps = len(store.open_steps())
    if named and not waiting:
        raise WrongUse("give one of --adopt ID, --not-created, --done", _USAGE)
    print_view(
        undecided_json(waiting, place.name)
        if json_
        else undecided_text(
            waiting,
            _repeated_options(**given),
            choose_text_style(sys.stdout),
            place.project.currency or "",
            steps=steps,
        )
    )
    return Exit.UNKNOWN if waiting else Exit.DONE


def _repeated_options(root: Path, environment: str | None, **_: object) -> str:
    """The options that the commands to copy need as well, because this one had them."""
    catalog = f" -C {shlex.quote(str(root))}" if root != Path() else ""
    return catalog + (f" -e {shlex.quote(environment)}" if environment else "")


@documented_command(
    "resolve",
    exits=PLATFORM_EXITS | {Exit.UNKNOWN, Exit.LOCKED, Exit.PARTIAL},
    exit_meanings={
        Exit.UNKNOWN: "something waits for a decision",
        Exit.PARTIAL: "some answers were recorded, others were refused",
    },
    examples=(
        ("lmssync resolve", "show what waits for a decision, and the answers to copy"),
        ("lmssync resolve course.safety-101 --done", "confirm that its manual steps are done"),
        ("lmssync resolve course.safety-101 --not-created", "say that it is not on the platform"),
        ("lmssync resolve --from answers.csv", "take the answers from a file"),
    ),
)
@click.argument("addresses", metavar="[ADDRESS]...", nargs=-1)
@options.writes
@click.option("--adopt", metavar="ID", help="It is there, under this id; lmssync reads it first.")
@click.option(
    "--unverified", is_flag=True, help="With --adopt: accept an id that no route can check."
)
@click.option("--not-created", is_flag=True, help="It is not there; the next plan creates it.")
@click.option("--done", is_flag=True, help="Somebody has done all its manual steps.")
@options.list_option(
    "CSV file with an address and an answer on each line: `adopt ID`, `not-created` or `done`."
)
@options.as_json
def command(
    *,
    addresses: tuple[str, ...],
    adopt: str | None,
    unverified: bool,
    not_created: bool,
    done: bool,
    listed: Path | None,
    json_: bool,
    **given: Unpack[options.WhereOptions],
) -> int:
    """Decide about a call with an unknown outcome, or confirm a manual step.

    Without an answer it lists what waits for a decision: what to search for in the admin interface,
    where to search, and the answers as commands to copy. --done takes several addresses, every
    other answer takes one.
    """
    said = (adopt is not None) + not_created + done
    if unverified and adopt is None and not listed:
        raise WrongUse("--unverified goes with --adopt ID or --from FILE", _USAGE)
    if listed and not (addresses or said or json_):
        answers = list(read_answers(listed, unverified=unverified))
        return settle_listed_answers(choose_online_workspace(**given), answers)
    named = dict.fromkeys(map(parse_typed_address, addresses))
    if not said and not listed:
        return show_undecided(named, json_=json_, **given)
    if listed or json_:
        option = "--from FILE" if listed else "--json"
        raise WrongUse(f"{option} is not for one answer", _USAGE)
    if not addresses:
        raise WrongUse("say which ADDRESS it is about", "`lmssync resolve` shows what waits")
    if said != 1:
        raise WrongUse("give one of --adopt ID, --not-created, --done", _USAGE)
    if len(addresses) > 1 and not done:
        raise WrongUse(
            "a call is resolved one address at a time", "only --done takes several addresses"
        )
    answers = [PersonAnswer(address, adopt, not_created, unverified) for address in named]
    for address, outcome in settle_together(choose_online_workspace(**given), answers):
        print_view(escape_invisible(f"{address}: {outcome}") + "\n")
    return Exit.DONE
