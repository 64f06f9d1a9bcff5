"""Proposals of agents: made from a tool call, shown as a question, accepted as one batch."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from todo_tui.agent.approval_question import ProposedCall, build_question
from todo_tui.agent.approver import ApprovalQuestion
from todo_tui.domain.errors import Conflict, TodoError
from todo_tui.domain.messages import ToolCall
from todo_tui.domain.task import Actor, JsonValue
from todo_tui.store.proposals import Proposal, ProposalState
from todo_tui.store.store import Store
from todo_tui.tools.base import Tool, ToolContext, ToolPreview, TurnBatch
from todo_tui.tools.registry import TOOLS

_TOOLS = {tool.name: tool for tool in TOOLS}


class AcceptedProposal(NamedTuple):
    """Effect of an accepted proposal."""

    batch: str
    summaries: tuple[str, ...]
    """Plain lines, one for each call."""


def propose(
    store: Store, agent: str, tool: Tool, arguments: Mapping[str, JsonValue], preview: ToolPreview
) -> int:
    """Store a call as a proposal and return its id; a filter becomes the tasks it found. Blocks."""
    if arguments.get("filter"):
        kept = {name: value for name, value in arguments.items() if name != "filter"}
        arguments = {**kept, "task_ids": list(preview.ids)}
    expected = store.proposals.last_operations(_uuids(store, preview))
    return store.proposals.add(agent, [(tool.name, arguments)], expected)


def _uuids(store: Store, preview: ToolPreview) -> list[str]:
    return [task.uuid for task in store.tasks.rows(sorted({*preview.ids, *preview.changed}))]


def made_at(store: Store, proposal: Proposal) -> datetime:
    """Return the naive local time of a proposal, from which its date words count."""
    return proposal.created_at.astimezone(ZoneInfo(store.clock.zone)).replace(tzinfo=None)


def describe(store: Store, proposal: Proposal) -> ApprovalQuestion:
    """Return the question about a proposal, with the rows that would change. Blocks."""
    try:
        calls = _proposed_calls(store, proposal)
    except _Outdated as outdated:
        return ApprovalQuestion("Make a change?", (outdated.message,))
    return build_question(calls, store, made_at(store, proposal))


def title(proposal: Proposal, question: ApprovalQuestion) -> str:
    """Return one line such as `claude-code proposes: delete 2 tasks`."""
    words = question.words.removesuffix("?")
    return f"{proposal.agent} proposes: {words[:1].lower()}{words[1:]}"


def _proposed_calls(store: Store, proposal: Proposal) -> list[ProposedCall]:
    """Read the calls.

    Raises:
        _Outdated: Another version of todo-tui wrote them.
    """
    calls = []
    for number, (name, given) in enumerate(proposal.calls):
        text = json.dumps(given)
        try:
            tool = _TOOLS[name]
            arguments = tool.read(text)
        except (KeyError, TodoError) as error:
            raise _Outdated("another version of todo-tui wrote it.") from error
        try:
            preview = tool.preview(store, "", arguments, made_at(store, proposal))
        except TodoError:
            preview = ToolPreview()
        call = ToolCall(f"proposal-{proposal.id}-{number}", name, text)
        calls.append(ProposedCall(call, tool, arguments, preview))
    return calls


def accept(store: Store, number: int) -> AcceptedProposal:
    """Make the proposed change as one batch of its agent. Blocks.

    Raises:
        NotFound: There is no such proposal.
        Conflict: It does not wait any more, or the tasks changed since; nothing was changed.
    """
    try:
        with store.transaction():
            return _apply(store, store.proposals.get(number))
    except _Outdated as outdated:
        store.proposals.decide(number, ProposalState.OUTDATED)
        raise Conflict(
            f"Proposal {number} is outdated: {outdated.message} Nothing was changed."
        ) from outdated


class _Outdated(TodoError):
    """The tasks changed since the proposal."""


def _apply(store: Store, proposal: Proposal) -> AcceptedProposal:
    if proposal.state is not ProposalState.WAITING:
        raise Conflict(f"Proposal {proposal.id} is {proposal.state} already.")
    calls = _proposed_calls(store, proposal)
    uuids = {uuid for call in calls for uuid in _uuids(store, call.preview)}
    if store.proposals.last_operations([*uuids]) != proposal.expected:
        raise _Outdated("the tasks changed since.")
    batch = TurnBatch(lambda: store.new_change_context(Actor.MCP, agent=proposal.agent))
    context = ToolContext(store, batch, agent=proposal.agent, asked_at=made_at(store, proposal))
    responses = [call.tool.run(call.call.arguments, context) for call in calls]
    for response in responses:
        if response.error is not None:
            raise _Outdated(response.error.text)
    own = batch.shared().batch
    store.proposals.decide(proposal.id, ProposalState.ACCEPTED, own)
    return AcceptedProposal(own, tuple(response.summary for response in responses))


def drop(store: Store, number: int) -> None:
    """Refuse a proposal. Blocks.

    Raises:
        NotFound: There is no such proposal.
        Conflict: It does not wait any more.
    """
    store.proposals.get(number)
    store.proposals.decide(number, ProposalState.DROPPED)


def proposal_json(store: Store, proposal: Proposal) -> dict[str, JsonValue]:
    """Return the JSON form of a proposal, with what it would change while it waits. Blocks."""
    data: dict[str, JsonValue] = {
        "id": proposal.id,
        "agent": proposal.agent,
        "state": proposal.state.value,
        "created_at": proposal.created_at.isoformat(timespec="milliseconds"),
        "decided_at": (
            proposal.decided_at.isoformat(timespec="milliseconds") if proposal.decided_at else None
        ),
        "calls": [{"name": name, "arguments": dict(given)} for name, given in proposal.calls],
        "batch": proposal.batch,
    }
    if proposal.state is ProposalState.WAITING:
        question = describe(store, proposal)
        data |= {"question": question.words, "changes": list(question.details)}
    return data
