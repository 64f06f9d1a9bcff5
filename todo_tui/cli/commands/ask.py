"""`todo-tui ask`: run one turn, print its events, ask for approvals on the terminal."""

from __future__ import annotations

import asyncio
import math
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import aclosing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, assert_never

import click
from rich.status import Status
from rich.text import Text

from todo_tui.agent.approver import ApprovalAnswer, ApprovalQuestion, read_typed_answer
from todo_tui.agent.cancellation import TurnHandle
from todo_tui.agent.loop import run_turn
from todo_tui.agent.run_config import RunConfig
from todo_tui.cli.base import TodoCommand
from todo_tui.cli.files import read_text
from todo_tui.cli.log_file import open_log
from todo_tui.cli.options import TEXT, continue_option, conversation_option, json_option
from todo_tui.cli.output.console import open_console
from todo_tui.cli.output.messages import discard_typed_input, print_error, print_json, print_note
from todo_tui.cli.wiring.clients import ProviderClients, open_vector_index
from todo_tui.cli.wiring.providers import (
    choose_first_model,
    find_provider_row,
    list_provider_options,
    provider_settings,
)
from todo_tui.cli.wiring.run_config import build_run_config
from todo_tui.cli.wiring.session import CliSession
from todo_tui.config.settings import ModelName
from todo_tui.domain import errors, events
from todo_tui.domain.messages import TextDelta, ThinkingDelta
from todo_tui.domain.metrics_text import SLOW_MS, format_milliseconds
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import format_dollars, plain_line
from todo_tui.providers.registry import Wire

if TYPE_CHECKING:
    from todo_tui.cli.output.streamed_markdown import StreamedMarkdown

_LONGEST_ANSWER = 1024
_MAX_YES = 3
"""Questions of the built-in assistant about one message that --yes answers."""
_SIGNS = {
    events.StepStatus.SUCCESS: ("✓", "green"),
    events.StepStatus.ERROR: ("✗", "red"),
    events.StepStatus.INTERRUPTED: ("–", "yellow"),
}
LONGEST_MESSAGE = 1024 * 1024
"""Bytes that are read from standard input."""
_END_SIGNALS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
"""Signals that a program gets when the machine goes down or its terminal is closed."""
_STATUS = {events.TurnFinished: 0, events.TurnFailed: 1, events.TurnCancelled: 130}


@dataclass(slots=True)
class ShellApprover:
    """Asks on the terminal, if there is one.

    `approves_all` answers every question but consent to another host. The printer, if any, is
    closed before a question is written.
    """

    printer: TurnPrinter | None
    approves_all: bool
    has_refused: bool = field(default=False, init=False)
    """True if there was no terminal to ask on."""

    async def decide(self, question: ApprovalQuestion) -> ApprovalAnswer:
        """Show the question and return the answer; all but a yes is a denial.

        Any other text is the reason of a denial.

        Raises:
            NobodyToAsk: there is no terminal.
        """
        # Earlier events still have to be printed, above the question.
        await asyncio.sleep(0)
        if self.printer is not None:
            self.printer.close()
        if self.approves_all and not question.host:
            print_note(f"{question.words} Approved by --yes.")
            return ApprovalAnswer(True)
        terminal = _open_terminal()
        if terminal is None:
            # A turn without consent to its host ends with a message that says what to do.
            if not question.host:
                print_note(f"{question.words} Not a terminal: approve with --yes.")
            self.has_refused = True
            raise errors.NobodyToAsk
        input_fd, output_fd = terminal
        discard_typed_input(input_fd)
        lines = [question.words, *(f"  {detail}" for detail in question.details)]
        gap = "\n" if question.details else " "
        _write_to(output_fd, "\n".join(map(plain_line, lines)) + gap + _format_choices(question))
        line = b""
        try:
            line = await _read_line(input_fd)
        finally:
            if not line.endswith(b"\n"):
                _write_to(output_fd, "\n")
        return _parse_answer(line.decode("utf-8", "replace").strip(), question)


def _format_choices(question: ApprovalQuestion) -> str:
    """Return the prompt; for a tool call it names the answers of the app's card."""
    if not question.call_id:
        return "[y/N] "
    # One command is one turn: permission for the conversation ends with it.
    longer = "for this whole message [a], " if question.allowable else ""
    return f"Allow once [y], {longer}deny [N], or deny and say why: "


def _parse_answer(text: str, question: ApprovalQuestion) -> ApprovalAnswer:
    is_yes = read_typed_answer(text)
    if is_yes:
        return ApprovalAnswer(True)
    if text.lower() in ("a", "all") and question.allowable:
        return ApprovalAnswer(True, for_conversation=True)
    is_reason = question.call_id and len(text) > 1 and is_yes is None
    return ApprovalAnswer(False, reason=text if is_reason else "")


def _open_terminal() -> tuple[int, int] | None:
    """Return descriptors to read and write, also if the message came through a pipe.

    They stay open: a thread may read until the program ends.
    """
    if sys.stdin.isatty() and sys.stderr.isatty():
        return sys.stdin.fileno(), sys.stderr.fileno()
    try:
        terminal = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY)
    except (OSError, AttributeError):  # Windows knows neither
        return None
    input_fd = sys.stdin.fileno() if sys.stdin.isatty() else terminal
    return input_fd, sys.stderr.fileno() if sys.stderr.isatty() else terminal


def _write_to(descriptor: int, text: str) -> None:
    sys.stderr.flush()
    with suppress(OSError):
        os.write(descriptor, text.encode(sys.stderr.encoding or "utf-8", "backslashreplace"))


async def _read_line(descriptor: int) -> bytes:
    """Return the next line, or its beginning if the terminal is closed.

    A thread reads it that nothing waits for: a read of a terminal cannot be cancelled, and
    Ctrl+C has to end the turn at once.
    """
    loop = asyncio.get_running_loop()
    arrived: asyncio.Future[bytes] = loop.create_future()

    def deliver(line: bytes) -> None:
        if not arrived.done():
            arrived.set_result(line)

    def read() -> None:
        line = b""
        with suppress(OSError):
            while not line.endswith(b"\n") and len(line) < _LONGEST_ANSWER:
                piece = os.read(descriptor, _LONGEST_ANSWER)
                if not piece:
                    break
                line += piece
        with suppress(RuntimeError):  # the turn was stopped, and its loop is closed
            loop.call_soon_threadsafe(deliver, line)

    threading.Thread(target=read, daemon=True).start()
    return await arrived


class TurnPrinter:
    """Prints the events of one turn.

    On a terminal the answer streams. In a pipe it is printed when it is complete, without the
    text of a model call that was repeated. Everything else goes to standard error.
    """

    def __init__(self) -> None:
        self._console = open_console(stderr=True)
        self._status: Status | None = None
        self._answer: StreamedMarkdown | None = None
        self._only_failed = sys.stderr.isatty()
        """True if what restates the steps is an error that stands above it."""
        if sys.stdout.isatty():
            # 50 ms: not for a pipe.
            from todo_tui.cli.output.streamed_markdown import StreamedMarkdown

            self._answer = StreamedMarkdown(open_console())

    def show(self, event: events.TurnEvent) -> None:
        """Show one event, if it is visible."""
        match event:
            case events.TurnStarted() | ThinkingDelta():
                self._wait("Thinking…")
            case TextDelta(text=text, restates_steps=restates_steps):
                is_told = restates_steps and self._only_failed
                if self._answer is not None and text and not is_told:
                    self._stop_status()
                    self._answer.feed(text)
            case events.ToolStarted(label=label):
                self._wait(label)
            case events.ToolFinished(step=step):
                sign, color = _SIGNS[step.status]
                self._only_failed = (
                    self._only_failed and step.status is not events.StepStatus.SUCCESS
                )
                is_slow = step.milliseconds >= SLOW_MS
                took = f"  {format_milliseconds(step.milliseconds)}" if is_slow else ""
                summary = plain_line(step.summary)
                self._print(Text.assemble((f"{sign} ", color), summary, (took, "dim")))
            case events.TurnFinished() | events.TurnFailed() | events.TurnCancelled():
                self._end(event)
            case events.ApprovalAsked() | events.UsageReported():
                # The approver shows them.
                pass
            case _:
                self._show_remark(event)

    def _show_remark(
        self,
        event: events.Retrying
        | events.FailedOver
        | events.HistoryTruncated
        | events.BudgetWarning
        | events.CallRestarted,
    ) -> None:
        match event:
            case events.Retrying(seconds=seconds, attempt=attempt, attempts=attempts):
                again = f"Retrying in {seconds:.0f} s ({attempt} of {attempts})."
                self._remark(f"{event.reason} {again}")
                self._wait(_Countdown(seconds))
            case events.FailedOver(step=step) | events.HistoryTruncated(step=step):
                self._remark(step.summary)
            case events.BudgetWarning(spent_usd=spent, budget_usd=budget):
                costs = f"{format_dollars(spent)} of {format_dollars(budget)}"
                self._remark(f"Today's turns have cost {costs}.")
            case events.CallRestarted():
                # In a pipe nothing was printed yet.
                if self._answer is not None:
                    self._remark("The answer above is incomplete. New answer:")
            case _:
                assert_never(event)

    def close(self) -> None:
        """Restore the terminal."""
        self._stop_status()
        if self._answer is not None:
            self._answer.finish()

    def _stop_status(self) -> None:
        if self._status is not None:
            self._status.stop()
            self._status = None

    def _end(self, end: events.TurnEnd) -> None:
        self.close()
        if self._answer is None and end.outcome.answer:
            from todo_tui.cli.output.markdown_text import markdown_to_text  # 30 ms: only for a pipe

            sys.stdout.write(f"{markdown_to_text(end.outcome.answer)}\n")
            sys.stdout.flush()
        self._show_sources(end.outcome)
        if isinstance(end, events.TurnFailed):
            print_error(errors.TodoError(end.error.message, hint=end.error.hint))
        elif isinstance(end, events.TurnCancelled):
            has_changes = bool(end.outcome.kept_batches)
            kept = events.describe_kept(end.outcome.answer, has_changes=has_changes)
            undo = " Undo the changes with `todo-tui undo`." if has_changes else ""
            print_note(f"Stopped.{kept}{undo}")

    def _show_sources(self, outcome: events.TurnOutcome) -> None:
        """Print the passages that the answer cites, and a warning if they support it poorly."""
        if outcome.sources:
            lines = [f"[{source.number}] {source.place}\n" for source in outcome.sources]
            sys.stdout.write("\n" + "".join(lines))
            sys.stdout.flush()
        quality = outcome.quality
        if quality is not None and quality.is_low:
            self._remark(f"Check the facts ({quality.score:.2f}). {quality.problems[0]}")

    def _remark(self, sentence: str) -> None:
        self._print(Text(plain_line(sentence), style="yellow"))

    def _print(self, line: Text) -> None:
        self.close()
        self._console.print(line, soft_wrap=True)

    def _wait(self, label: str | _Countdown) -> None:
        text = Text(plain_line(label), style="dim") if isinstance(label, str) else label
        if self._status is not None:
            self._status.update(text)
        elif self._console.is_terminal:
            self.close()
            self._status = self._console.status(text)
            self._status.start()


class _Countdown:
    def __init__(self, seconds: float) -> None:
        self._ends = time.monotonic() + seconds

    def __rich__(self) -> Text:
        seconds = max(0, math.ceil(self._ends - time.monotonic()))
        return Text(f"Retrying in {seconds} s · Ctrl+C stops", style="dim")


@click.command("ask", cls=TodoCommand, writes_elsewhere=True, free_words=True)
@click.argument("text", nargs=-1, type=TEXT, required=True)
@continue_option("Continue the newest conversation of shell and app.")
@conversation_option("Continue this conversation; list ids with `todo-tui conversations list`.")
@click.option("--yes", "approves_all", is_flag=True, help="Approve all actions without asking.")
@json_option
@click.pass_obj
def ask(
    session: CliSession,
    text: tuple[str, ...],
    continues: bool,
    conversation: str | None,
    approves_all: bool,
    as_json: bool,
) -> int:
    """Send one message to the assistant. `-` reads the message from standard input.

    The message starts a new conversation, unless --continue or --conversation names one. The
    app opens the newest conversation, so that it shows what you asked here last.

    Without --provider, the provider last chosen in the app answers (default: the built-in
    assistant, which works offline). Risky changes, such as changing many tasks, need approval
    on the terminal; --yes approves all, and answers yes to the built-in assistant's questions about
    changes. --dry-run lets it work on a copy of your database.
    """
    session.uses_copy = session.is_dry_run
    message = read_text(None, largest=LONGEST_MESSAGE) if text == ("-",) else " ".join(text).strip()
    if not message.strip():
        raise click.UsageError("Message missing. Example: todo-tui ask what is due this week")
    if continues and conversation is not None:
        raise click.UsageError("--continue cannot be combined with --conversation.")
    printer = None if as_json else TurnPrinter()
    model = None
    try:
        model = _choose_model(session)
        previous = None
        if conversation is not None:
            previous = session.store.conversations.find(conversation)
        elif continues:
            previous = session.store.conversations.latest()
        approver = ShellApprover(printer, approves_all)
        config = replace(_open_model(session, model), approver=approver)
        end = asyncio.run(_run_turns(config, message, previous.id if previous else None, approver))
    except errors.TodoError as error:
        if as_json:
            print_json(_error_json(error, model))
        raise
    if end.outcome.asks and not as_json:
        print_note("Answer with `todo-tui ask --continue yes`, or ask with --yes.")
    if as_json:
        print_json(events.outcome_to_json(end))
        if isinstance(end, events.TurnFailed):
            print_error(errors.TodoError(end.error.message, hint=end.error.hint))
    return _STATUS[type(end)] or int(approver.has_refused)


def _choose_model(session: CliSession) -> ModelName:
    """Return the provider that answers, and its model; empty if the server decides."""
    open_log(session)
    settings = session.settings
    options = list_provider_options(settings)
    (row_id, model), missed, _ = choose_first_model(settings, options, session.store.app_state)
    row = find_provider_row(settings, row_id)
    if settings.model and settings.provider is None and row.wire is Wire.OFFLINE:
        # The built-in assistant has no models: its answer would pass for one of that model.
        raise errors.ProviderError(
            errors.ProviderErrorKind.UNKNOWN_MODEL,
            f"No known provider has the model “{plain_line(model)}”.",
            hint=f"Specify the provider: --model ID:{plain_line(model)}."
            " List providers with `todo-tui providers`.",
        )
    if missed:
        print_note(f"{missed} is not available; using the built-in assistant.")
    return ModelName(row_id, provider_settings(settings, row_id, model).model)


def _open_model(session: CliSession, model: ModelName) -> RunConfig:
    """Return the configuration of the turn. Blocks."""
    settings, store = session.settings, session.store
    provider = ProviderClients.with_consents(settings, store).open(*model)
    vectors = open_vector_index(settings, store)
    return build_run_config(settings, store, provider, session.telemetry, vectors)


async def _run_turns(
    config: RunConfig, message: str, conversation_id: str | None, approver: ShellApprover
) -> events.TurnEnd:
    """Run the turn of the message; with --yes, too, those that answer questions of its answer."""
    printer = approver.printer
    try:
        end = await _run_turn(config, message, conversation_id, printer)
        for _ in range(_MAX_YES):
            if not (approver.approves_all and end.outcome.asks):
                break
            print_note("Answered “yes” because of --yes.")
            end = await _run_turn(config, "yes", end.conversation_id, printer)
        return end
    finally:
        if printer is not None:
            printer.close()
        await config.provider.aclose()


async def _run_turn(
    config: RunConfig, message: str, conversation_id: str | None, printer: TurnPrinter | None
) -> events.TurnEnd:
    handle = TurnHandle()
    turn = run_turn(message, config, conversation_id=conversation_id, handle=handle)
    with _stopped_by_signals(handle):
        async with aclosing(turn):
            async for event in turn:
                if printer is not None:
                    printer.show(event)
                if isinstance(event, events.TurnEnd):
                    return event
    raise errors.TodoError("The response ended unexpectedly.")


@contextmanager
def _stopped_by_signals(handle: TurnHandle) -> Iterator[None]:
    """Stop the turn at the first signal and keep what it did; a second one ends the program.

    Signals are Ctrl+C, and the end of the terminal or of the machine.
    """
    loop = asyncio.get_running_loop()
    # `nohup` ignores the end of the terminal, and so does the turn.
    ends = (number for number in _END_SIGNALS if signal.getsignal(number) is not signal.SIG_IGN)
    signals = [signal.SIGINT, *ends]

    def remove_handlers() -> None:
        for number in signals:
            loop.remove_signal_handler(number)

    def stop(number: int) -> None:
        remove_handlers()
        handle.stop(interrupted=number != signal.SIGINT)

    # On Windows loops have no signal handlers; there Ctrl+C ends the program.
    with suppress(NotImplementedError):
        for number in signals:
            loop.add_signal_handler(number, stop, number)
    try:
        yield
    finally:
        with suppress(NotImplementedError):
            remove_handlers()


def _error_json(error: errors.TodoError, model: ModelName | None) -> dict[str, JsonValue]:
    kind = "configuration"
    if isinstance(error, errors.ProviderError):
        kind = error.kind.value
    elif isinstance(error, errors.Unauthorized):
        kind = errors.ProviderErrorKind.AUTH.value
    elif isinstance(error, errors.StoreError):
        kind = errors.error_kind(error)
    provider, name = ("", "") if model is None else model
    outcome = events.TurnOutcome(provider=provider, model=name)
    return events.outcome_to_json(
        events.TurnFailed("", "", outcome, events.TurnError(kind, error.message, error.hint))
    )
