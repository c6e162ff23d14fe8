"""What `lmssync validate --online` asks the platform, and how that is told."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from . import chosen_workspace as meanings

if TYPE_CHECKING:
    from ..errors import PlatformError
    from ..sync.online import Online


class Asked(NamedTuple):
    """What came of it; a failure is raised once everything else has been printed."""

    online: "Online"
    failure: "PlatformError | None" = None

    @property
    def document(self) -> dict[str, Any] | None:
        """For programs; nothing if the platform could not be asked."""
        if self.failure:
            return None
        _, asked, unchecked, calls = self.online
        return {"asked": asked, "calls": calls, "unchecked": dict(unchecked)}

    def report(self) -> None:
        """Says on stderr what was asked; raises `PlatformError` if that failed."""
        from ..report.value_words import count_noun, join_words

        if self.failure:
            raise self.failure
        _, asked, unchecked, calls = self.online
        number = "1 name or uuid" if asked == 1 else f"{asked:,} names and uuids"
        text = f"asked the platform about {number} in {count_noun(calls, 'call')}"
        click.echo(text if asked else "there is nothing to ask the platform about", err=True)
        if unchecked:
            names = [f"{noun} ({number:,})" for noun, number in sorted(unchecked.items())]
            why = "since this instance has no read that shows them, or too many would be needed"
            click.echo(f"note: not checked, {why}: {join_words(names)}", err=True)


def ask(root: Path, environment: str | None) -> Asked:
    """Asks the platform of one environment; raises `WrongUse` if it is not clear which one."""
    from ..catalog import checking
    from ..errors import PlatformError
    from ..sync.online import Online, check
    from .progress import Lines

    place = meanings.asking(root=root, environment=environment)
    name = place.name if place.name in place.project.environments else None
    catalog, _ = checking.readable(root, name, {})
    try:
        with place.reader() as reader:
            reader.pace.tell = Lines().note
            return Asked(check(catalog, reader, place.project.platform.routes))
    except PlatformError as error:
        return Asked(Online(), error)
