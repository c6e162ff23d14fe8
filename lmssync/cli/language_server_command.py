"""`lmssync language-server`."""

import sys

from ..errors import WrongUse
from ..support.installation import require_extra
from .command_help import EXITS, documented_command


@documented_command(
    "language-server",
    exits=EXITS,
    examples=(("lmssync language-server", "what an editor runs; its settings name this command"),),
)
def command() -> None:
    """Help an author in their editor, which runs this and talks to it by standard input and output.

    Shows the problems that `validate` finds, while one types and before anything is saved. It reads
    the catalog around each open file, and changes no file itself. It needs the packages of the
    extra `editor`.

    For the settings of some editors see docs/editors.md.
    """
    with require_extra("editor", "the language server needs packages that are not installed ({})"):
        from .editor.language_server import serve_editor
    if sys.stdin.isatty():
        raise WrongUse(
            "an editor runs this command, and talks to it; nothing can be typed here",
            "name it in the settings of your editor: docs/editors.md has them for some",
        )
    serve_editor()
