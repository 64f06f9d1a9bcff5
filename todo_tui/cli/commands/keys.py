"""`todo-tui keys`: stores, lists and removes API keys."""

import sys
from collections.abc import Mapping
from typing import NamedTuple

import click

from todo_tui.cli.base import TodoCommand, TodoGroup
from todo_tui.cli.completers import complete_providers
from todo_tui.cli.options import json_option
from todo_tui.cli.output.messages import print_error, print_json, print_note, print_result
from todo_tui.cli.output.tables import TableCell, TableColumn, print_columns
from todo_tui.cli.wiring.providers import add_key_from_keyring, all_provider_rows, uses_keyring
from todo_tui.cli.wiring.session import CliSession
from todo_tui.config.key_file import KeyFile
from todo_tui.config.keyring import KEYRING_NAME
from todo_tui.config.resolver import Source
from todo_tui.config.settings import KeyStore, Settings
from todo_tui.domain.errors import ConfigError, NotFound, TodoError, Unauthorized
from todo_tui.domain.secret import Secret
from todo_tui.providers.registry import ProviderRow

_LONGEST_KEY = 20_000
"""Bytes; what goes into a header has to be shorter still."""
_COLUMNS = (
    TableColumn("ID", whole=True),
    TableColumn("Provider", whole=True, shown_from=60),
    TableColumn("Key from"),
    TableColumn("Setup", style="dim"),
)


class KeyOrigin(NamedTuple):
    """Origin of a provider's key, as in JSON; `key_source` is None if there is no key."""

    id: str
    label: str
    needs_key: bool
    key_variable: str | None
    key_source: str | None
    kind: str | None
    """`variable`, `key file`, `file` (the configuration), `command` or `keyring`."""
    remark: str | None
    """What to do, or what is wrong."""


def _key_origins(session: CliSession) -> list[KeyOrigin]:
    """List the keys of all providers that take one, then stored keys of unknown providers.

    The keyring is asked for those that need a key and have none elsewhere.
    """
    rows = all_provider_rows(session.settings)
    sources = session.read_configuration().sources
    origins = [_origin(session.settings, row, sources) for row in rows if row.base_url]
    path = session.machine.paths.keys
    for provider_id in KeyFile(path).read().keys:
        if all(provider_id != row.id for row in rows):
            note = f"no such provider: todo-tui keys remove {provider_id}"
            origins.append(KeyOrigin(provider_id, "–", False, None, str(path), "key file", note))
    return origins


def _origin(settings: Settings, row: ProviderRow, sources: Mapping[str, Source]) -> KeyOrigin:
    source, kind, note = None, None, ""
    try:
        source = add_key_from_keyring(settings, row, settings.providers[row.id]).key_source
    except Unauthorized as error:
        note = error.text
    if source is not None:
        place = sources.get(f"providers.{row.id}.api_key")
        kind = place.kind.value if place else "keyring" if source == KEYRING_NAME else "command"
    elif not row.needs_key:
        note = note or "not required"
    elif not note:
        kept = settings.keys.store is not KeyStore.ENVIRONMENT
        note = f"set {row.key_variable}{f', or: todo-tui keys set {row.id}' if kept else ''}"
    variable = row.key_variable or None
    return KeyOrigin(row.id, row.label, row.needs_key, variable, source, kind, note or None)


class KeyCommand(TodoCommand):
    """A command among whose words a key may stand by mistake: no word is ever repeated."""

    allow_extra_args = True

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words; one too many is taken for a key."""
        try:
            rest = super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            meant = f" Did you mean {error.possibilities[0]}?" if error.possibilities else ""
            raise click.UsageError(f"Unknown option.{meant}", ctx) from error
        if ctx.args and not isinstance(self, click.Group) and not ctx.resilient_parsing:
            raise click.UsageError(
                "API keys cannot be passed as arguments: the shell's history keeps them. Run the "
                "command without the key and replace a key that you typed here.",
                ctx,
            )
        return rest

    def invoke(self, ctx: click.Context) -> object:
        """Note mistakes under `[keys]` first: a mistyped `store` is one."""
        session = ctx.find_object(CliSession)
        # A group has not parsed the options of its command yet.
        if session is not None and not isinstance(self, click.Group) and session.settings.shortcuts:
            from todo_tui.tui.actions.keymap import read_keymap  # 150 ms: few have other keys

            known = session.settings.problems
            for problem in read_keymap(session.settings).problems:
                if problem not in known:
                    print_note(f"{problem.message} {problem.hint}")
        return super().invoke(ctx)


class KeyGroup(KeyCommand, TodoGroup):
    """The commands for keys, under the same rule."""

    command_class = KeyCommand
    repeats_words = False


@click.group("keys", cls=KeyGroup, no_args_is_help=False)
def keys() -> None:
    """Manage API keys of providers. Keys are never shown."""


@keys.command("set", writes_elsewhere=True, short_help="Save an API key.")
@click.argument("provider_id", metavar="ID", shell_complete=complete_providers)
@click.option("--keyring", "in_keyring", is_flag=True, help="Save the key in the system keyring.")
@click.pass_obj
def set_key(session: CliSession, provider_id: str, in_keyring: bool) -> None:
    """Save the API key of a provider, from a prompt or standard input.

    The key is saved in a file that only you can read, or with --keyring in the system
    keyring.
    """
    row = _row(session, provider_id)
    store = _store(session, row, in_keyring=in_keyring)
    key = _typed_key(row)
    file = KeyFile(session.machine.paths.keys)
    keyring = session.settings.keyring
    if store is KeyStore.KEYRING and keyring is not None:
        place = KEYRING_NAME
        if not session.is_dry_run:
            keyring.keep(row.id, key)
            # An older key in the file would win over it.
            file.remove(row.id)
    else:
        place = str(file.path)
        if not session.is_dry_run:
            file.keep(row.id, key)
    print_result(f"Saved the key of {row.label} in {place}.")
    source = _source_elsewhere(session, row)
    if source is not None and source != place:
        print_note(f"The key from {source} is used instead.")


@keys.command("list", short_help="Show the source of each key.")
@json_option
@click.pass_obj
def list_keys(session: CliSession, as_json: bool) -> None:
    """Show the source of each API key, never the key."""
    origins = _key_origins(session)
    if as_json:
        print_json([each._asdict() for each in origins])
        return
    rows = []
    for each in origins:
        label = TableCell(each.label, "bold" if each.key_source else "")
        rows.append((each.id, label, each.key_source or "–", each.remark or ""))
    print_columns(_COLUMNS, rows)


@keys.command("remove", writes_elsewhere=True, short_help="Delete a saved API key.")
@click.argument("provider_id", metavar="ID", shell_complete=complete_providers)
@click.pass_obj
def remove(session: CliSession, provider_id: str) -> None:
    """Delete a provider's API key from the key file and the system keyring."""
    file = KeyFile(session.machine.paths.keys)
    labels = {row.id: row.label for row in all_provider_rows(session.settings)}
    dry_run = session.is_dry_run
    removed = provider_id in file.read().keys if dry_run else file.remove(provider_id)
    if removed:
        print_result(f"Deleted the key of {labels.get(provider_id, provider_id)} from {file.path}.")
    if removed and provider_id not in labels:
        return
    row = _row(session, provider_id)
    keyring = session.settings.keyring if uses_keyring(row) else None
    try:
        if keyring is not None and (
            keyring.find(row.id) is not None if dry_run else keyring.remove(row.id)
        ):
            print_result(f"Deleted the key of {row.label} from {KEYRING_NAME}.")
            removed = True
    except TodoError as error:
        if not removed:
            raise
        print_error(error)
    source = _source_elsewhere(session, row)
    if dry_run and source == str(file.path):
        source = None
    if not removed:
        hint = f"The key comes from {source}; remove it there." if source else None
        raise NotFound(f"No saved key for {row.label}.", hint=hint)
    if source:
        print_note(f"{row.label} still has a key: the one from {source}.")


def _row(session: CliSession, provider_id: str) -> ProviderRow:
    # What was typed in place of an id is not repeated: it may be a key.
    rows = [row for row in all_provider_rows(session.settings) if row.base_url]
    for row in rows:
        if row.id == provider_id.lower():
            return row
    known = ", ".join(row.id for row in rows)
    raise NotFound("No provider of that name uses a key.", hint=f"Known: {known}.")


def _store(session: CliSession, row: ProviderRow, *, in_keyring: bool) -> KeyStore:
    store = session.settings.keys.store
    if store is KeyStore.ENVIRONMENT:
        raise TodoError(
            "The configuration allows keys only from environment variables.",
            hint=f"Set {row.key_variable}, or change `store` under [keys].",
        )
    if in_keyring and not uses_keyring(row):
        raise TodoError(
            f"{row.label} needs no key.",
            hint="Leave out --keyring, or set `needs_key = true` if it is your own.",
        )
    if not uses_keyring(row):
        return KeyStore.FILE
    return KeyStore.KEYRING if in_keyring else store


def _typed_key(row: ProviderRow) -> Secret:
    if sys.stdin.isatty():
        return Secret(click.prompt(f"Key of {row.label} (not shown)", hide_input=True, err=True))
    data = sys.stdin.buffer.read(_LONGEST_KEY + 1)
    hint = "Pass only the key"
    if len(data) > _LONGEST_KEY:
        raise ConfigError("The key is too long.", hint=f"{hint}.")
    if not data.strip():
        hint += f", or run it in a terminal: todo-tui keys set {row.id}"
        raise ConfigError("No key received on standard input.", hint=hint)
    return Secret(data.decode("utf-8-sig", "replace"))


def _source_elsewhere(session: CliSession, row: ProviderRow) -> str | None:
    """Return where a key is found now, other than in the keyring."""
    return session.read_configuration().settings.providers[row.id].key_source
