"""`todo-tui ask`: one turn from the shell, through the same loop as in the app."""

from __future__ import annotations

import asyncio
import gc
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, contextmanager, suppress
from dataclasses import replace

import click

from todo_tui.agent.handle import TurnHandle
from todo_tui.agent.loop import run_turn
from todo_tui.cli import wiring
from todo_tui.cli.approving import ShellApprover
from todo_tui.cli.files import read_text
from todo_tui.cli.logbook import open_log
from todo_tui.cli.options import TodoCommand, joined, json_option
from todo_tui.cli.output import complain, note, print_json
from todo_tui.cli.session import Session
from todo_tui.cli.turn_report import TurnReport
from todo_tui.domain.errors import (
    ProviderError,
    ProviderErrorKind,
    StoreError,
    TodoError,
    Unauthorized,
    kind_of,
)
from todo_tui.domain.events import (
    TurnCancelled,
    TurnEnd,
    TurnError,
    TurnEvent,
    TurnFailed,
    TurnFinished,
    TurnOutcome,
    outcome_to_json,
)
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import plain_line
from todo_tui.domain.usage import Usage
from todo_tui.providers.registry import Wire
from todo_tui.tui.provider_switch import ProviderSwitch

LONGEST_MESSAGE = 1024 * 1024
"""Bytes that are read from standard input."""

_ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
"""What a program is sent when the machine goes down, or its terminal is closed."""
_STATUS = {TurnFinished: 0, TurnFailed: 1, TurnCancelled: 130}


@click.command(
    "ask",
    cls=TodoCommand,
    context_settings={"ignore_unknown_options": True},
    short_help="Say what to do, and read the answer.",
)
@click.argument("text", nargs=-1, required=True)
@click.option("--continue", "goes_on", is_flag=True, help="Go on with the last conversation.")
@click.option("--yes", "agrees", is_flag=True, help="Approve all actions without asking.")
@json_option
@click.pass_obj
def ask(session: Session, text: tuple[str, ...], goes_on: bool, agrees: bool, as_json: bool) -> int:
    """Say what to do, and read the answer. `-` reads what to say from standard input.

    Without --provider your last choice in the app answers, at first the built-in
    assistant, which sends nothing anywhere. Changes to many tasks, and whatever else needs
    approval, are asked about on the terminal; --yes approves all of it.
    """
    words = read_text(None, largest=LONGEST_MESSAGE) if text == ("-",) else joined(text)
    if not words.strip():
        raise click.UsageError("Say what to do: todo-tui ask what is due this week")
    gc.enable()
    report = None if as_json else TurnReport(no_color=session.settings.no_color)
    switch = None
    try:
        switch, last = _prepared(session, goes_on=goes_on)
        ended = asyncio.run(_turn(switch, words, last, report, agrees=agrees))
    except TodoError as error:
        if as_json:
            print_json(_never_began(error, switch))
        raise
    if as_json:
        print_json(outcome_to_json(ended))
        if isinstance(ended, TurnFailed):
            complain(TodoError(ended.error.message, hint=ended.error.hint))
    return _STATUS[type(ended)]


def _prepared(session: Session, *, goes_on: bool) -> tuple[ProviderSwitch, str | None]:
    """Who answers, and the conversation that goes on, if one does.

    Raises:
        StoreError: the person's file cannot be used.
        ProviderError: a model is named whose provider is not known.
    """
    log_path = open_log(session)
    store = session.store
    workbench = wiring.workbench_of(session.settings, store, session.clock, log_path=log_path)
    switch = ProviderSwitch(workbench)
    model = session.settings.model
    if model and session.settings.provider is None and switch.option.row.wire is Wire.OFFLINE:
        # It has no models: its answer would pass for one of the model that was named.
        raise ProviderError(
            ProviderErrorKind.UNKNOWN_MODEL,
            f"It is not known which provider has the model “{plain_line(model)}”.",
            hint=f"Name it too: --model ID:{plain_line(model)}. `todo-tui providers` lists them.",
        )
    if switch.missed:
        note(f"{switch.missed} cannot be used now; the built-in assistant answers.")
    last = store.conversations.latest() if goes_on else None
    return switch, last.id if last else None


async def _turn(
    switch: ProviderSwitch,
    words: str,
    conversation_id: str | None,
    report: TurnReport | None,
    *,
    agrees: bool,
) -> TurnEnd:
    """Run the turn to its last event."""
    try:
        make_way = _nothing if report is None else report.close
        desk = replace(await switch.desk(), approver=ShellApprover(make_way, agrees=agrees))
        handle = TurnHandle()
        turn = run_turn(words, desk, conversation_id=conversation_id, handle=handle)
        with _stopped_by_signals(handle):
            async with aclosing(turn):
                return await _followed(turn, report)
    finally:
        if report is not None:
            report.close()
        await switch.aclose()


async def _followed(turn: AsyncIterator[TurnEvent], report: TurnReport | None) -> TurnEnd:
    """Show the events as they come; the last one."""
    async for event in turn:
        if report is not None:
            report.show(event)
        if isinstance(event, TurnFinished | TurnFailed | TurnCancelled):
            return event
    raise TodoError("The turn ended without an end.")


def _nothing() -> None:
    """Nothing moves on the screen."""


@contextmanager
def _stopped_by_signals(handle: TurnHandle) -> Iterator[None]:
    """The first signal stops the turn and keeps what was said and done, a second one breaks off.

    Ctrl+C is one; so is the end of the terminal or of the machine's day.
    """
    loop = asyncio.get_running_loop()
    # Who runs it with `nohup` wants no end with the terminal.
    ignored = {each for each in _ENDING if signal.getsignal(each) is signal.SIG_IGN}
    heeded = [signal.SIGINT, *(each for each in _ENDING if each not in ignored)]

    def let_go() -> None:
        for each in heeded:
            loop.remove_signal_handler(each)

    def stop(number: int) -> None:
        let_go()
        handle.stop(interrupted=number != signal.SIGINT)

    # Windows knows no signal handlers in the loop; there Ctrl+C breaks off.
    with suppress(NotImplementedError):
        for each in heeded:
            loop.add_signal_handler(each, stop, each)
    try:
        yield
    finally:
        with suppress(NotImplementedError):
            let_go()


def _never_began(error: TodoError, switch: ProviderSwitch | None) -> dict[str, JsonValue]:
    """The object of a turn for which store or provider could not be opened: nothing was sent."""
    match error:
        case ProviderError():
            kind = error.kind.value
        case Unauthorized():
            kind = ProviderErrorKind.AUTH.value
        case StoreError():
            kind = kind_of(error)
        case _:
            kind = "configuration"
    provider, model = (switch.choice.row_id, switch.model) if switch else ("", "")
    nothing = TurnOutcome("", (), provider, model, Usage(), None, 0, 0.0)
    return outcome_to_json(TurnFailed("", "", nothing, TurnError(kind, error.message, error.hint)))
