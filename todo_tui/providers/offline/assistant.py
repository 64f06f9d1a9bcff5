"""Built-in assistant: a provider that answers by rules, through the same agent loop as a model.

A message goes through these folders; each imports only from those before it.

language/ is what a message is made of: `pattern` (the language of patterns), `words` and
words.toml, `phrases` (patterns that several modules look for), `change_phrases` (fields and
dates), `clauses` (words, values and clauses), `filters` and `reference_words` (words for tasks).

reading/ makes requests (requests.py) of it. `corrections` puts values right that were corrected in
the same breath, and `told_days` days that are told by others. `reader` reads by `command_rules` and
`question_rules`, with `additions`, `items` and `drafts` for new tasks and `done_statements` for
what was done. Where no rule reads a message whole, `meaning` puts together what its clauses say of
the tasks that they mention, by `statements` and `sets`. `title_matching` and `reference_resolver`
find the tasks of words, `adjustments` adjusts a request to its tasks, and `write_gate` tells which
requests people seldom mean. `dump` reads many lines.

follow_ups/ goes on from the turn before (dialogue.py, and record.py of what it did):
`continuations`, `amendments`, `reversals`.

answering/ answers: `answers` on tasks, `day_plans`, `document_answers` with `quotations` and
`answer_kinds`. Sentences are in replies.py and `change_replies`, those about the app in help.py.

deciding/ chooses: `message_reading` (all that reads one text), `preparation` (finds the tasks of
all requests), `choice` (the candidates of a message in their order, and the one choice among
them), `offers` (questions). executor.py carries out what was chosen, by tool calls.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field

from todo_tui.domain.knowledge.evidence import RETRIEVAL_TOOL
from todo_tui.domain.messages import (
    Completed,
    Decider,
    Message,
    Request,
    Role,
    StopReason,
    StreamEvent,
    Text,
    TextDelta,
    ToolCall,
    ToolCallStarted,
    ToolMode,
)
from todo_tui.domain.task_index import NoTasks, TaskIndex
from todo_tui.domain.when import NewId, random_id
from todo_tui.providers.offline import replies
from todo_tui.providers.offline.dialogue import read_dialogue
from todo_tui.providers.offline.executor import Executor
from todo_tui.providers.offline.tool_results import Call, CallRounds, outcome_of

MODEL = "rules"
LONGEST_MESSAGE = 2_000
"""Characters of a message that is read; a longer one is declined as a whole, and unread."""
_CHUNK = re.compile(r"\S+\s*(?:\S+\s*){0,2}|\s+")


@dataclass(slots=True)
class _Work:
    """A message that is being answered: its plan, and the calls whose results it waits for."""

    executor: Executor
    plan: CallRounds[None]
    calls: tuple[Call, ...] = ()
    messages: tuple[Message, ...] = ()
    """The request that led to the calls."""

    def advance(self, message: Message, results: Message) -> None:
        """Go on with the results of the calls to the next ones, if any."""
        given = {result.call_id: result for result in results.tool_results}
        outcomes = tuple(
            outcome_of(given[call.id]) for call in message.tool_calls if call.id in given
        )
        if len(outcomes) != len(self.calls):
            self.stop()
            return
        try:
            self.calls = self.plan.send(outcomes)
        except StopIteration:
            self.calls = ()

    def stop(self) -> None:
        """Make no more calls, and say so."""
        self.executor.reply.say(replies.STOPPED)
        self.calls = ()


@dataclass(slots=True)
class BuiltInAssistant:
    """Understands plain English about to-dos; works offline and sends nothing anywhere.

    `tasks` is read to find the tasks that a message means; the calls are those that change them,
    or that an answer rests on. A request that was answered with calls is kept until their results
    come.
    """

    tasks: TaskIndex = field(default_factory=NoTasks)
    new_id: NewId = random_id
    id: str = "offline"
    model: str = MODEL
    local: bool = True
    _waiting: _Work | None = field(default=None, init=False, repr=False, compare=False)

    async def stream(self, request: Request) -> AsyncIterator[StreamEvent]:
        """Answer with words or with tool calls; never fails."""
        # The index reads a file.
        work = await asyncio.to_thread(self._work_on, request)
        reply, calls = work.executor.reply, work.calls
        if calls and _may_call(request, calls):
            work.messages, self._waiting = tuple(request.messages), work
            parts = tuple(
                ToolCall(f"call_{self.new_id()[:24]}", call.name, call.text()) for call in calls
            )
            for part in parts:
                yield ToolCallStarted(part.name)
            by_person = reply.is_approved or all(call.ordered for call in calls)
            decider = Decider.PERSON if by_person else Decider.RULES
            yield Completed(self._message(parts), StopReason.TOOL_CALLS, decided_by=decider)
            return
        if calls:
            reply.say(replies.STOPPED)
        if not reply.paragraphs:
            reply.say(replies.DECLINED)
        texts = reply.parts()
        for text in texts:
            for chunk in chunks(text.text):
                yield TextDelta(chunk, text.restates_steps)
        message = self._message(texts)
        yield Completed(message, StopReason.END, decided_by=Decider.RULES, asks=reply.asks)

    def _work_on(self, request: Request) -> _Work:
        """Return the work that waits for the last messages, gone on with them; else a new one."""
        work, self._waiting = self._waiting, None
        if work is None or tuple(request.messages[:-2]) != work.messages:
            return self._begin(request)
        work.advance(*request.messages[-2:])
        return work

    def _begin(self, request: Request) -> _Work:
        dialogue = read_dialogue(request.messages)
        has_documents = any(tool.name == RETRIEVAL_TOOL for tool in request.tools)
        executor = Executor(dialogue, self.tasks, has_documents=has_documents)
        work = _Work(executor, executor.respond())
        if (length := len(dialogue.text)) > LONGEST_MESSAGE:
            executor.reply.say(replies.TOO_LONG.format(length=length, longest=LONGEST_MESSAGE))
        elif request.messages and request.messages[-1].role is Role.TOOL:
            # Another provider began this turn: what it did is not done again.
            work.stop()
        else:
            work.calls = next(work.plan, ())
        return work

    async def aclose(self) -> None:
        """There is nothing to close."""

    def _message(self, parts: tuple[Text, ...] | tuple[ToolCall, ...]) -> Message:
        return Message(Role.ASSISTANT, parts, origin=f"{self.id}:{self.model}")


def chunks(text: str) -> Iterator[str]:
    """A text in pieces of up to three words; joined, they are the text."""
    yield from _CHUNK.findall(text)


def _may_call(request: Request, calls: Sequence[Call]) -> bool:
    offered = {tool.name for tool in request.tools}
    return request.tool_choice is not ToolMode.NONE and all(call.name in offered for call in calls)
