"""`lmssync notify`."""

from typing import Unpack

import click

from ..errors import WrongUse
from ..problems import suggest_near
from ..resource import PROJECT_FILE
from . import options
from .chosen_workspace import choose_workspace
from .command_help import PROJECT_EXITS, documented_command
from .exits import Exit


@documented_command(
    "notify",
    exits=PROJECT_EXITS,
    exit_meanings={Exit.ERROR: "a message was not sent"},
    examples=(
        ("lmssync notify", "send a test message to everybody whom runs tell something"),
        ("lmssync notify chat", "send it to one target of `notify:`"),
    ),
)
@click.argument("names", nargs=-1, metavar="[TARGET]...")
@options.where
def command(*, names: tuple[str, ...], **given: Unpack[options.WhereOptions]) -> int:
    """Send a test message to the targets of `notify:` in lmssync.yaml.

    Runs of `apply`, `drift` and `watch` tell them what they did and found.
    """
    from .run_news import find_source, list_targets, tell_targets

    place = choose_workspace(**given)
    targets = list_targets(place)
    for name in names:
        if name not in targets:
            hint = suggest_near(name, targets) or f"there are: {', '.join(targets) or 'none'}"
            raise WrongUse(f"`notify:` has no `{name}` for {place.name}", hint)
    if not targets:
        raise WrongUse(
            f"`notify:` of {PROJECT_FILE} has nothing for {place.name}",
            "write `notify: {chat: {webhook: {env: LMSSYNC_NOTIFY_CHAT}}}` there",
        )
    # About one occasion each, so that each gets one message.
    tried = {name: targets[name].with_values({"about": ["applied"]}) for name in names or targets}
    title = f"A test of lmssync for {place.label}: nothing has happened"
    message = find_source(place).compose_message("applied", title, [])
    if not tell_targets(place, {"applied": message}, tried, is_test=True):
        return Exit.ERROR
    click.echo(f"sent to {', '.join(tried)}")
    return Exit.DONE
