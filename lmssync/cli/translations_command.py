"""`lmssync translations`."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from ..errors import WrongUse
from ..problems import only_errors
from ..report.value_words import count_noun
from ..support.safe_files import read_named
from . import options
from .chosen_workspace import choose_resources
from .command_help import PROJECT_EXITS, documented_group
from .exits import Exit
from .safe_output import print_line
from .terminal_output import print_view, terminal_width, write_output_file

if TYPE_CHECKING:
    from ..catalog.manifests.catalog import Catalog
    from ..catalog.translations.passage_comparison import TranslatedPassage

_XLIFF = (".xlf", ".xliff")
_XLIFF_BYTES = 64 * 1024 * 1024
_LANGUAGE = click.option("--language", metavar="TAG", help="Only this language, such as `de`.")


@documented_group(
    "translations",
    exits=PROJECT_EXITS,
    exit_meanings={Exit.INVALID: "with --since: the change made a translation stale"},
    examples=(
        ("lmssync translations", "show what is translated, and what is stale"),
        ("lmssync translations --since origin/main", "fail if this change made something stale"),
    ),
    invoke_without_command=True,
)
@options.where_whole
@_LANGUAGE
@click.option(
    "--since",
    metavar="REV",
    help="Only what has become stale since this revision of git; then exit with 3.",
)
@options.as_json
@click.pass_context
def command(
    ctx: click.Context,
    *,
    language: str | None,
    since: str | None,
    json_: bool,
    **given: Unpack[options.WhereOptions],
) -> int:
    """Show which passages of which course are translated, and which are stale.

    A passage is a paragraph, a heading, an item of a list, a table or a title. It is stale if its
    source has changed since its translation was accepted. Needs no network.
    """
    # click runs the group before its command: options of the group would be lost silently.
    if ctx.invoked_subcommand:
        _refuse_before(ctx)
        return Exit.DONE

    from ..catalog.catalog_validation import load_readable_part
    from ..catalog.translations.passage_comparison import list_worsened
    from ..planning.base_revision import open_revision
    from ..report.translations_report import translations_json, translations_text

    catalog, unread = _read_catalog(**given)
    passages = _compare_catalog(catalog, language)
    if since is not None:
        # All files, since bodies and ledgers are beside the manifests.
        with open_revision(given["root"].absolute(), since) as folder:
            then, _ = load_readable_part(folder, given["environment"], os.environ)
            passages = list_worsened(_compare_catalog(then, language), passages)
    open_ = [one for one in passages if one.is_behind or json_]
    places = catalog.find_places(dict(one.row for one in open_))
    if json_:
        print_view(translations_json(passages, places, unread))
    else:
        width = terminal_width(sys.stdout)
        print_view(
            translations_text(passages, places, since=since or "", width=width, is_whole=not unread)
        )
    return Exit.INVALID if since is not None and (passages or unread) else Exit.DONE


def _refuse_before(ctx: click.Context) -> None:
    """Raises `WrongUse` for options of the group: its commands have their own."""
    for name in ("language", "since", "json_"):
        if ctx.params[name]:
            raise WrongUse(
                f"--{name.rstrip('_')} is before `{ctx.invoked_subcommand}`",
                "write options behind the name of the command",
            )


def _compare_catalog(catalog: "Catalog", language: str | None) -> "list[TranslatedPassage]":
    from ..catalog.translations.passage_comparison import compare_pages
    from ..catalog.translations.translation_ledger import Ledgers

    passages = compare_pages(catalog.resources.values(), Ledgers(catalog.root))
    return [one for one in passages if language in (None, one.language)]


def _read_catalog(root: Path, environment: str | None) -> "tuple[Catalog, list[str]]":
    """What can be read of the catalog, and the files of what cannot, which are named on stderr."""
    from ..catalog.catalog_validation import load_readable_part
    from ..catalog.manifests.catalog_files import walk_catalog

    catalog, problems = load_readable_part(root.absolute(), environment, os.environ)
    manifests = {*walk_catalog(catalog.root).manifests()}
    unread = {
        error.origin.file
        for error in only_errors(problems)
        if error.address in catalog.refused
        or (error.address is None and error.origin.file in manifests)
    }
    for name in sorted(unread):
        text = f"warning: translations of {name} cannot be judged: `lmssync validate` shows why"
        print_line(text, err=True)
    return catalog, sorted(unread)


@command.command(
    "accept",
    exits=PROJECT_EXITS,
    examples=(
        ("lmssync translations accept course.fire-safety", "accept what was translated again"),
        ("lmssync translations accept '*' --language de", "accept all German translations"),
    ),
)
@click.argument("addresses", nargs=-1, required=True, metavar="ADDRESS...")
@options.where_whole
@_LANGUAGE
@click.option("--page", metavar="PATH", help="Only this page, such as `start/welcome/hello`.")
@click.option(
    "--unedited", is_flag=True, help="Also stale passages whose translation is right as it is."
)
def accept(
    *,
    addresses: tuple[str, ...],
    language: str | None,
    page: str | None,
    unedited: bool,
    **given: Unpack[options.WhereOptions],
) -> None:
    """Say that translations are right: write down the passages that they were made from.

    The hashes of both texts go into a file beside the manifest, which belongs into git. A stale
    passage whose translation has not changed stays stale. ADDRESS may be a pattern.
    """
    from ..catalog.translations.passage_comparison import accept_passages, compare_pages
    from ..catalog.translations.translation_ledger import Ledgers
    from ..report.translations_report import accepted_text

    catalog, _ = _read_catalog(**given)
    resources = [catalog.resources[one] for one in choose_resources(catalog, addresses)]
    ledgers = Ledgers(catalog.root)
    passages = [
        one
        for one in compare_pages(resources, ledgers)
        if language in (None, one.language) and page in (None, one.page.part)
    ]
    if not passages:
        raise WrongUse(
            "no page of these has a further language that fits",
            "`lmssync translations` lists what is translated",
        )
    left = accept_passages(passages, ledgers, unedited=unedited)
    places = catalog.find_places(dict(one.row for one in left))
    print_view(accepted_text(passages, left, ledgers.write_files(), places))


@command.command(
    "export",
    exits=PROJECT_EXITS,
    examples=(
        (
            "lmssync translations export --language de --out de.xlf",
            "write what has to be translated",
        ),
    ),
)
@click.argument("addresses", nargs=-1, metavar="[ADDRESS]...")
@options.where_whole
@click.option("--language", metavar="TAG", required=True, help="Language to translate into.")
@click.option("--out", type=options.FILE, required=True, help="File of XLIFF 2 to write.")
@click.option(
    "--source-language", "source", metavar="TAG", help="Language of the sources; articles name it."
)
@click.option("--all", "whole", is_flag=True, help="Also pages that are up to date.")
def export(
    *,
    addresses: tuple[str, ...],
    language: str,
    out: Path,
    source: str | None,
    whole: bool,
    **given: Unpack[options.WhereOptions],
) -> None:
    """Write pages with something to translate into a file of XLIFF 2.

    The programs of translators read it. Each passage comes with its translation and its state.
    """
    from ..catalog.translations.passage_comparison import PassageState
    from ..catalog.translations.translation_ledger import Ledgers
    from ..catalog.translations.xliff_exchange import compare_language, name_chosen, write_xliff

    _require_tag("--language", language)
    catalog, unread = _read_catalog(**given)
    _require_replaceable(out, catalog.root)
    named = choose_resources(catalog, addresses) if addresses else catalog.resources
    resources = [catalog.resources[one] for one in named]
    passages = compare_language(resources, language, Ledgers(catalog.root))
    due = {name_chosen(one)[:2] for one in passages if one.state is not PassageState.CURRENT}
    chosen = [one for one in passages if whole or name_chosen(one)[:2] in due]
    if not chosen:
        what = "all that can be read is" if unread else "all passages are"
        click.echo(f"Nothing to translate into {language}: {what} up to date.")
        return
    sources = {source} if source else {one.page.language for one in chosen} - {""}
    if len(sources) != 1:
        raise WrongUse(
            "the pages do not say in which language they are, or name several",
            "name it with `--source-language`",
        )
    (source,) = sources
    _require_tag("--source-language", source)
    if source.lower() == language.lower():
        raise WrongUse(
            f"the pages are in `{source}` already", "name another language with `--language`"
        )
    write_output_file(out, [write_xliff(chosen, source, language)], private=False)
    print_line(f"wrote {count_noun(len(chosen), 'passage')} to {out}")


def _require_tag(option: str, text: str) -> None:
    """Raises `WrongUse` for what is no tag of a language."""
    from ..texts.values import check_language

    try:
        check_language(text)
    except ValueError:
        raise WrongUse(
            f"`{option}` is `{text}`, which is not a language tag (BCP 47)",
            "write one such as `de` or `en-GB`",
        ) from None


def _require_replaceable(out: Path, root: Path) -> None:
    """Raises `WrongUse` for a file of the catalog that an export would overwrite."""
    inside = out.resolve().is_relative_to(root.resolve())
    if inside and out.exists() and out.suffix.lower() not in _XLIFF:
        raise WrongUse(
            f"{out} is a file of the catalog",
            f"name another file, or one that ends with {' or '.join(_XLIFF)}",
        )


@command.command(
    "import",
    exits=PROJECT_EXITS | {Exit.PARTIAL},
    exit_meanings={Exit.PARTIAL: "some pages or passages of the file were left out"},
    examples=(("lmssync translations import de.xlf", "write translations into the manifests"),),
)
@click.argument("file", type=options.EXISTING_FILE, metavar="FILE")
@options.where_whole
def import_file(*, file: Path, **given: Unpack[options.WhereOptions]) -> int:
    """Write the translations of a file of XLIFF 2 into the catalog, and accept them.

    A passage whose source has changed since the export is left out. A page gets a new language once
    all of its passages are translated.
    """
    from ..catalog.catalog_validation import load_readable_part
    from ..catalog.translations.passage_comparison import accept_passages
    from ..catalog.translations.translation_ledger import Ledgers
    from ..catalog.translations.xliff_exchange import (
        compare_language,
        import_targets,
        name_chosen,
        read_xliff,
    )
    from ..report.translations_report import imported_text

    try:
        raw = read_named(file, _XLIFF_BYTES)
    except OSError as error:
        raise WrongUse(f"{file} cannot be read: {error.strerror}") from None
    language, targets = read_xliff(raw, str(file))
    root, environment = given["root"].absolute(), given["environment"]
    _read_catalog(**given)  # warns of what cannot be read
    done = import_targets(
        lambda: load_readable_part(root, environment, os.environ), language, targets
    )
    # What is accepted is what the files of the catalog say by now.
    pages, ledgers = {one[:2] for one in done.taken}, Ledgers(root)
    after = compare_language(done.catalog.resources.values(), language, ledgers)
    written = [one for one in after if name_chosen(one)[:2] in pages]
    accept_passages(
        written, ledgers, unedited=True, chooses=lambda one: name_chosen(one) in done.taken
    )
    print_view(imported_text(done, ledgers.write_files()))
    return Exit.PARTIAL if done.left or done.unknown else Exit.DONE
