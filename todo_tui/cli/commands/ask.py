"""`todo-tui ask`: one turn in the shell, its events printed, approvals asked on the terminal."""

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
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, assert_never

import click
from rich.status import Status
from rich.text import Text

from todo_tui.agent.approver import ApprovalAnswer, ApprovalQuestion
from todo_tui.agent.cancellation import TurnHandle
from todo_tui.agent.loop import run_turn
from todo_tui.cli.base import TodoCommand
from todo_tui.cli.files import read_text
from todo_tui.cli.logbook import open_log
from todo_tui.cli.options import TEXT, continue_option, conversation_option, json_option
from todo_tui.cli.output.messages import discard_typed_input, print_error, print_json, print_note
from todo_tui.cli.output.tables import open_console
from todo_tui.cli.services import build_app_services
from todo_tui.cli.session import CliSession
from todo_tui.domain import errors, events
from todo_tui.domain.knowledge.evidence import cited_evidence
from todo_tui.domain.messages import TextDelta, ThinkingDelta, Usage
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import format_dollars, plain_line
from todo_tui.providers.registry import Wire
from todo_tui.tui.models.switch import ProviderSwitch

if TYPE_CHECKING:
    from todo_tui.cli.output.markdown import StreamedMarkdown

_LONGEST_ANSWER = 1024
_SIGNS = {
    events.StepStatus.SUCCESS: ("✓", "green"),
    events.StepStatus.ERROR: ("✗", "red"),
    events.StepStatus.INTERRUPTED: ("–", "yellow"),
}
LONGEST_MESSAGE = 1024 * 1024
"""Bytes that are read from standard input."""
_ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
"""What a program is sent when the machine goes down, or its terminal is closed."""
_STATUS = {events.TurnFinished: 0, events.TurnFailed: 1, events.TurnCancelled: 130}


@dataclass(frozen=True, slots=True)
class ShellApprover:
    """Asks on the terminal, if there is one.

    `agrees`: the person has said yes to everything beforehand, which is none to sending
    messages to another host. What the printer has moving on the screen is stopped before
    anything is written.
    """

    printer: TurnPrinter | None
    agrees: bool

    async def decide(self, question: ApprovalQuestion) -> ApprovalAnswer:
        """Show what would happen and wait for the answer; all but a yes is no.

        Other words than an answer are the reason of a denial.

        Raises:
            NobodyToAsk: there is no terminal.
        """
        # What happened before is on its way to the screen, and belongs above the question.
        await asyncio.sleep(0)
        if self.printer is not None:
            self.printer.close()
        if self.agrees and not question.host:
            print_note(f"{question.words} Approved by --yes.")
            return ApprovalAnswer(True)
        terminal = _open_terminal()
        if terminal is None:
            # A turn that may send nothing ends in words of its own that say what to do.
            if not question.host:
                print_note(f"{question.words} Not a terminal: approve with --yes.")
            raise errors.NobodyToAsk
        typed, shown = terminal
        discard_typed_input(typed)
        lines = [question.words, *(f"  {each}" for each in question.details)]
        gap = "\n" if question.details else " "
        _write_to(shown, "\n".join(map(plain_line, lines)) + gap + _choices(question))
        line = b""
        try:
            line = await _typed_line(typed)
        finally:
            if not line.endswith(b"\n"):
                _write_to(shown, "\n")
        return _read_answer(line.decode("utf-8", "replace").strip(), question)


def _choices(question: ApprovalQuestion) -> str:
    """Return the prompt; of calls it names the answers of the app's card."""
    if not question.call_id:
        return "[y/N] "
    # One command is one turn, so that is as long as what is allowed holds.
    longer = "for this whole message [a], " if question.allowable else ""
    return f"Allow once [y], {longer}deny [N], or deny and say why: "


def _read_answer(typed: str, question: ApprovalQuestion) -> ApprovalAnswer:
    word = typed.lower()
    if word in ("y", "yes"):
        return ApprovalAnswer(True)
    if word in ("a", "all") and question.allowable:
        return ApprovalAnswer(True, for_conversation=True)
    is_reason = question.call_id and len(word) > 1 and word != "no"
    return ApprovalAnswer(False, reason=typed if is_reason else "")


def _open_terminal() -> tuple[int, int] | None:
    """Descriptors for reading and writing, also where the message came through a pipe.

    They stay open: a thread may be reading to the end of the program.
    """
    if sys.stdin.isatty() and sys.stderr.isatty():
        return sys.stdin.fileno(), sys.stderr.fileno()
    try:
        opened = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY)
    except (OSError, AttributeError):  # Windows knows neither
        return None
    typed = sys.stdin.fileno() if sys.stdin.isatty() else opened
    return typed, sys.stderr.fileno() if sys.stderr.isatty() else opened


def _write_to(descriptor: int, text: str) -> None:
    sys.stderr.flush()
    with suppress(OSError):
        os.write(descriptor, text.encode(sys.stderr.encoding or "utf-8", "backslashreplace"))


async def _typed_line(descriptor: int) -> bytes:
    """The next line; what there is of it where the terminal is closed.

    It is read by a thread that nothing waits for: the read of a terminal cannot be
    called off, and Ctrl+C has to end the turn at once.
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
    """Shows the events of one turn.

    On a terminal the answer streams; in a pipe it is printed once it is whole, so
    that words of a call that had to be repeated are not in it. Everything else
    goes to standard error.
    """

    def __init__(self, *, no_color: bool) -> None:
        self._console = open_console(no_color, stderr=True)
        self._status: Status | None = None
        self._answer: StreamedMarkdown | None = None
        if sys.stdout.isatty():
            from todo_tui.cli.output.markdown import StreamedMarkdown  # 50 ms: not for a pipe

            self._answer = StreamedMarkdown(open_console(no_color))

    def show(self, event: events.TurnEvent) -> None:
        """Show one event, if there is anything to see of it."""
        match event:
            case events.TurnStarted() | ThinkingDelta():
                self._wait("Thinking…")
            case TextDelta(text=text):
                if self._answer is not None and text:
                    self._stop_status()
                    self._answer.feed(text)
            case events.ToolStarted(label=label):
                self._wait(label)
            case events.ToolFinished(step=step):
                sign, color = _SIGNS[step.status]
                took = (f"  {step.milliseconds:.0f} ms", "dim")
                self._print(Text.assemble((f"{sign} ", color), plain_line(step.summary), took))
            case events.TurnFinished() | events.TurnFailed() | events.TurnCancelled():
                self._end(event)
            case events.ApprovalAsked() | events.UsageReported():
                # Whoever decides asks, with what else there is to say of it.
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
                # In a pipe nothing was said yet.
                if self._answer is not None:
                    self._remark("The answer above is incomplete. New answer:")
            case _:
                assert_never(event)

    def close(self) -> None:
        """Leave the terminal as it was."""
        self._stop_status()
        if self._answer is not None:
            self._answer.finish()

    def _stop_status(self) -> None:
        if self._status is not None:
            self._status.stop()
            self._status = None

    def _end(self, ended: events.TurnEnd) -> None:
        self.close()
        if self._answer is None and ended.outcome.answer:
            from todo_tui.cli.output.markdown_text import markdown_to_text  # 30 ms: only for a pipe

            sys.stdout.write(f"{markdown_to_text(ended.outcome.answer)}\n")
            sys.stdout.flush()
        self._show_sources(ended.outcome)
        if isinstance(ended, events.TurnFailed):
            print_error(errors.TodoError(ended.error.message, hint=ended.error.hint))
        elif isinstance(ended, events.TurnCancelled):
            print_note(
                "Stopped. Partial answer and changes were kept. Undo them with `todo-tui undo`."
            )

    def _show_sources(self, outcome: events.TurnOutcome) -> None:
        """Print the passages that the answer cites, and a warning if it is hardly theirs."""
        evidence = [each for step in outcome.trace for each in step.evidence]
        if sources := cited_evidence(outcome.answer, evidence):
            lines = [f"[{each.number}] {each.place}\n" for each in sources]
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
        shown = Text(plain_line(label), style="dim") if isinstance(label, str) else label
        if self._status is not None:
            self._status.update(shown)
        elif self._console.is_terminal:
            self.close()
            self._status = self._console.status(shown)
            self._status.start()


class _Countdown:
    def __init__(self, seconds: float) -> None:
        self._ends = time.monotonic() + seconds

    def __rich__(self) -> Text:
        left = max(0, math.ceil(self._ends - time.monotonic()))
        return Text(f"Retrying in {left} s · Ctrl+C stops", style="dim")


@click.command("ask", cls=TodoCommand, free_words=True)
@click.argument("text", nargs=-1, type=TEXT, required=True)
@continue_option("Continue the last conversation.")
@conversation_option("Continue this conversation; list ids with `todo-tui conversations list`.")
@click.option("--yes", "agrees", is_flag=True, help="Approve all actions without asking.")
@json_option
@click.pass_obj
def ask(
    session: CliSession,
    text: tuple[str, ...],
    continues: bool,
    conversation: str | None,
    agrees: bool,
    as_json: bool,
) -> int:
    """Send one message to the assistant. `-` reads the message from standard input.

    Without --provider, the provider last chosen in the app answers (default: the built-in
    assistant, which works offline). Risky changes, such as changing many tasks, need approval
    on the terminal; --yes approves all.
    """
    words = read_text(None, largest=LONGEST_MESSAGE) if text == ("-",) else " ".join(text)
    if not words.strip():
        raise click.UsageError("Message missing. Example: todo-tui ask what is due this week")
    if continues and conversation is not None:
        raise click.UsageError("--continue cannot be combined with --conversation.")
    report = None if as_json else TurnPrinter(no_color=session.settings.no_color)
    switch = None
    try:
        switch = _prepare_switch(session)
        continued = None
        if conversation is not None:
            continued = session.store.conversations.find(conversation)
        elif continues:
            continued = session.store.conversations.latest()
        approver = ShellApprover(report, agrees)
        ended = asyncio.run(_turn(switch, words, continued.id if continued else None, approver))
    except errors.TodoError as error:
        if as_json:
            print_json(_failed_before_start(error, switch))
        raise
    if as_json:
        print_json(events.outcome_to_json(ended))
        if isinstance(ended, events.TurnFailed):
            print_error(errors.TodoError(ended.error.message, hint=ended.error.hint))
    return _STATUS[type(ended)]


def _prepare_switch(session: CliSession) -> ProviderSwitch:
    log_path = open_log(session)
    switch = ProviderSwitch(
        build_app_services(
            session.settings,
            session.store,
            session.clock,
            log_path=log_path,
            telemetry=session.telemetry,
        )
    )
    model = session.settings.model
    if model and session.settings.provider is None and switch.option.row.wire is Wire.OFFLINE:
        # It has no models: its answer would pass for one of the model that was named.
        raise errors.ProviderError(
            errors.ProviderErrorKind.UNKNOWN_MODEL,
            f"No known provider has the model “{plain_line(model)}”.",
            hint=f"Specify the provider: --model ID:{plain_line(model)}."
            " List providers with `todo-tui providers`.",
        )
    if switch.missed:
        print_note(f"{switch.missed} is not available; using the built-in assistant.")
    return switch


async def _turn(
    switch: ProviderSwitch, words: str, conversation_id: str | None, approver: ShellApprover
) -> events.TurnEnd:
    report = approver.printer
    try:
        config = replace(await switch.run_config(), approver=approver)
        handle = TurnHandle()
        turn = run_turn(words, config, conversation_id=conversation_id, handle=handle)
        with _stopped_by_signals(handle):
            async with aclosing(turn):
                async for event in turn:
                    if report is not None:
                        report.show(event)
                    if isinstance(event, events.TurnEnd):
                        return event
        raise errors.TodoError("The response ended unexpectedly.")
    finally:
        if report is not None:
            report.close()
        await switch.aclose()


@contextmanager
def _stopped_by_signals(handle: TurnHandle) -> Iterator[None]:
    """The first signal stops the turn and keeps what was said and done, a second one breaks off.

    Ctrl+C is one; so is the end of the terminal or of the machine's day.
    """
    loop = asyncio.get_running_loop()
    # Who runs it with `nohup` wants no end with the terminal.
    ending = (each for each in _ENDING if signal.getsignal(each) is not signal.SIG_IGN)
    heeded = [signal.SIGINT, *ending]

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


def _failed_before_start(
    error: errors.TodoError, switch: ProviderSwitch | None
) -> dict[str, JsonValue]:
    kind = "configuration"
    if isinstance(error, errors.ProviderError):
        kind = error.kind.value
    elif isinstance(error, errors.Unauthorized):
        kind = errors.ProviderErrorKind.AUTH.value
    elif isinstance(error, errors.StoreError):
        kind = errors.error_kind(error)
    provider, model = (switch.choice.row_id, switch.model) if switch else ("", "")
    nothing = events.TurnOutcome("", (), provider, model, Usage(), None, 0, 0.0)
    return events.outcome_to_json(
        events.TurnFailed("", "", nothing, events.TurnError(kind, error.message, error.hint))
    )
