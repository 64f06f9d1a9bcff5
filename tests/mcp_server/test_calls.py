"""Calls, roles, approvals and proposals of the server, in both eras of the protocol."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.mcp_server.conftest import ERAS, Connect, Era
from todo_tui.agent import proposals
from todo_tui.config.settings import ApprovalMode, ApprovalSettings
from todo_tui.domain.errors import Conflict
from todo_tui.domain.task import Actor
from todo_tui.store.proposals import MAX_WAITING, ProposalState
from todo_tui.store.store import Store
from todo_tui.tools.registry import TOOLS

pytest.importorskip("mcp", reason="the extra mcp is not installed")

from mcp import MCPError
from mcp.types import ElicitResult, ErrorData, PromptReference, ResourceTemplateReference

from todo_tui.mcp_server.roles import AgentRole

SIX = ["one", "two", "three", "four", "five", "six"]
"""More tasks than one call may change without approval."""


@pytest.fixture
def store(open_as: Callable[[str], Store]) -> Store:
    return open_as("ann")


def by_user(store: Store, *titles: str) -> list[int]:
    """Add tasks as the user does; return their ids."""
    context = store.new_change_context(Actor.USER)
    return [task.id for task in store.tasks.add_many([{"title": t} for t in titles], by=context)]


@pytest.mark.parametrize("era", ERAS)
async def test_tools_are_those_of_the_registry_with_all_hints(
    connect: Connect, store: Store, era: Era
) -> None:
    async with connect(store, era=era) as agent:
        tools = (await agent.client.list_tools()).tools
        offered = [tool for tool in TOOLS if not tool.needs_documents]
        assert [tool.name for tool in tools] == [tool.name for tool in offered]
        for tool, ours in zip(tools, offered, strict=True):
            assert tool.input_schema == ours.spec.parameters
            hints = tool.annotations
            assert hints is not None
            assert None not in (hints.destructive_hint, hints.idempotent_hint)
            assert hints.read_only_hint is ours.reads_only
            assert hints.open_world_hint is False
        assert [t.name for t in tools if t.annotations and t.annotations.destructive_hint] == [
            "update_task", "delete_task", "undo", "redo",
        ]  # fmt: skip
        assert "!high" in (agent.client.instructions or "")


async def test_answers_are_tool_responses_and_calls_are_checked(
    connect: Connect, store: Store
) -> None:
    async with connect(store) as agent:
        result = await agent.client.call_tool(
            "add_task", {"title": "Buy milk", "details": "tomorrow 5pm #home"}
        )
        (block,) = result.content
        assert json.loads(getattr(block, "text", "")) == result.structured_content
        found: Any = result.structured_content
        assert found["data"]["task"]["due"] == "2026-11-19T17:00"
        for name, arguments, kind in (
            ("list_tasks", {"user_id": "eve"}, "validation_error"),
            ("add_task", {}, "validation_error"),
            ("add_task", {"title": 5}, "validation_error"),
            ("add_task", {"title": "x", "details": "gibberish"}, "validation_error"),
            ("complete_task", {"task_ids": [99]}, "not_found"),
            ("drop_table", {}, "not_found"),
            ("retrieve_knowledge", {"query": ""}, "validation_error"),
        ):
            assert await agent.problem(name, **arguments) == kind, (name, arguments)
        assert len(store.tasks.list().tasks) == 1
    (entry, *_) = store.tasks.history(1)
    assert entry.actor is Actor.MCP


ALLOWED = {
    AgentRole.READ: set[str](),
    AgentRole.ANNOTATE: {"note"},
    AgentRole.ADD: {"note", "add"},
    AgentRole.ALL: {"note", "add", "replace", "details", "title", "done", "delete", "undo"},
}
CALLS: dict[str, tuple[str, dict[str, object]]] = {
    "note": ("update_task", {"task_ids": [1], "notes": "+ seen"}),
    "replace": ("update_task", {"task_ids": [1], "notes": "+seen"}),
    "details": ("update_task", {"task_ids": [1], "notes": "+ seen", "details": "!high"}),
    "title": ("update_task", {"task_ids": [1], "new_title": "x"}),
    "add": ("add_task", {"title": "new"}),
    "done": ("complete_task", {"task_ids": [2]}),
    "delete": ("delete_task", {"filter": "all"}),
    "undo": ("undo", {}),
}


@pytest.mark.parametrize("role", AgentRole)
async def test_a_role_allows_what_it_names_and_the_rest_is_refused(
    connect: Connect, store: Store, role: AgentRole
) -> None:
    by_user(store, "one", "two")
    never = ApprovalSettings(ask=ApprovalMode.NEVER)
    async with connect(store, role=role, approvals=never) as agent:
        listed = {tool.name for tool in (await agent.client.list_tools()).tools}
        assert listed == {"list_tasks"} | {CALLS[each][0] for each in ALLOWED[role]} | (
            {"reopen_task", "redo"} if role is AgentRole.ALL else set()
        )
        assert (await agent.data("list_tasks"))["total"] == 2
        for label, (name, arguments) in CALLS.items():
            answer = await agent(name, **arguments)
            if label in ALLOWED[role]:
                assert answer["status"] == "success", (label, answer)
            else:
                assert answer["error"]["type"] == "unauthorized", (label, answer)
    assert store.proposals.waiting() == ()


async def test_undo_reaches_what_this_process_changed_and_nothing_else(
    connect: Connect, store: Store
) -> None:
    (mine,) = by_user(store, "of the user")
    async with connect(store) as agent, connect(store, name="vibe") as other:
        assert await agent.problem("undo") == "not_found"
        first, second = await agent.add("first", "second")
        await other.add("of the other")
        by_user(store, "later")
        store.tasks.update([first], {"title": "edited"}, by=store.new_change_context(Actor.USER))
        assert "second removed" not in (await agent("undo"))
        # The user has changed the other one since.
        kept = await agent.data("undo")
        assert kept["conflicts"][0]["id"] == first
        assert kept["changes"] == []
        await agent.data("redo")
        assert second in {task.id for task in store.tasks.find()}
        assert await agent.problem("redo") == "not_found"
        await agent.data("undo")
        titles = {task.title for task in store.tasks.find()}
        assert titles == {"of the user", "edited", "of the other", "later"}
        assert await other.problem("redo") == "not_found"
        await other.data("undo")
        assert "of the other" not in {task.title for task in store.tasks.find()}
        await other.data("redo")
        assert {"of the other", "later"} <= {task.title for task in store.tasks.find()}
        assert store.tasks.get(mine).is_open
        assert second not in {task.id for task in store.tasks.find()}


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("action", ["yes", "no", "decline", "cancel"])
async def test_the_client_asks_its_user_where_it_can(
    connect: Connect, store: Store, era: Era, action: str
) -> None:
    ids = by_user(store, *SIX)
    questions: list[str] = []

    async def answer(context: object, params: Any) -> ElicitResult:  # noqa: ANN401 - two kinds
        questions.append(params.message)
        if action in ("decline", "cancel"):
            return ElicitResult(action=action)  # type: ignore[arg-type]  # one of the literals
        return ElicitResult(action="accept", content={"approve": action == "yes"})

    async with connect(store, era=era, answer=answer) as agent:
        found = await agent("delete_task", task_ids=ids)
    assert len(questions) == 1
    assert questions[0].startswith("Delete 6 tasks?")
    assert "#3 three" in questions[0]
    if action == "yes":
        assert found["status"] == "success"
        assert store.tasks.find() == ()
    else:
        assert found["error"]["type"] == "unauthorized"
        assert len(store.tasks.find()) == len(SIX)
    assert store.proposals.waiting() == ()


@pytest.mark.parametrize("era", ERAS)
async def test_tasks_that_change_while_the_user_is_asked_are_asked_about_again(
    connect: Connect, store: Store, era: Era
) -> None:
    by_user(store, *SIX)
    (parent,) = (task.id for task in store.tasks.find() if task.title == "one")
    questions: list[str] = []

    async def answer(context: object, params: Any) -> ElicitResult:  # noqa: ANN401
        questions.append(params.message)
        if len(questions) == 1:
            by = store.new_change_context(Actor.USER)
            store.tasks.add({"title": "below", "parent": parent}, by=by)
        return ElicitResult(action="accept", content={"approve": True})

    async with connect(store, era=era, answer=answer) as agent:
        await agent.data("delete_task", filter="all")
    assert ["below" in question for question in questions] == [False, True]


@pytest.mark.parametrize("era", ERAS)
async def test_a_client_that_cannot_ask_proposes(connect: Connect, store: Store, era: Era) -> None:
    ids = by_user(store, *SIX)
    async with connect(store, era=era, name="vibe") as agent:
        number = (await agent.data("delete_task", task_ids=ids))["proposed"]
        assert len(store.tasks.find()) == len(SIX)
        # The same again is the same proposal.
        assert (await agent.data("delete_task", task_ids=ids))["proposed"] == number
        moved = (await agent.data("update_task", filter="all", details="tomorrow"))["proposed"]
        outdated = (await agent.data("complete_task", filter="all"))["proposed"]
        dropped = (await agent.data("complete_task", task_ids=ids))["proposed"]
        assert dropped == outdated
        dropped = (await agent.data("update_task", task_ids=ids, details="!high"))["proposed"]
        uri = f"todo://proposal/{number}"
        assert "waiting" in (await agent.read(uri))[0]
        assert "#3 three" in (await agent.read(uri))[0]

        question = proposals.describe(store, store.proposals.get(moved))
        assert question.words == "Change 6 tasks?"
        assert "due → tomorrow" in question.details
        accepted = proposals.accept(store, moved)
        assert {task.due.iso() for task in store.tasks.find() if task.due} == {"2026-11-19"}
        proposals.drop(store, dropped)
        for one in (number, outdated):
            with pytest.raises(Conflict, match="changed since"):
                proposals.accept(store, one)
        for one in (number, moved, dropped):
            with pytest.raises(Conflict, match="already"):
                proposals.accept(store, one)
            with pytest.raises(Conflict, match="already"):
                proposals.drop(store, one)
        states = [store.proposals.get(n).state for n in (number, moved, outdated, dropped)]
        assert states == [
            ProposalState.OUTDATED,
            ProposalState.ACCEPTED,
            ProposalState.OUTDATED,
            ProposalState.DROPPED,
        ]
        assert "outdated" in (await agent.read(uri))[0]
        assert json.loads((await agent.read(f"todo://proposal/{moved}"))[1])["batch"] == (
            accepted.batch
        )
    # One batch, which one undo takes back.
    report = store.tasks.undo(by=store.new_change_context(Actor.USER))
    assert len(report.changes) == len(SIX)
    assert not any(task.due for task in store.tasks.find())


async def test_a_client_that_fails_to_ask_proposes_and_too_many_proposals_are_refused(
    connect: Connect, store: Store
) -> None:
    ids = by_user(store, *SIX)

    async def answer(context: object, params: object) -> ErrorData:
        return ErrorData(code=-32600, message="Elicitation not supported")

    async with connect(store, era="legacy", answer=answer) as agent:
        for number in range(MAX_WAITING):
            data = await agent.data("update_task", task_ids=ids, details=f"@tag{number}")
            assert data["proposed"] == number + 1
        assert await agent.problem("delete_task", task_ids=ids) == "conflict"
    assert len(store.tasks.find()) == len(SIX)


async def test_days_of_a_proposal_count_from_when_it_was_made(
    connect: Connect, store: Store, open_later: Callable[[], Store]
) -> None:
    by_user(store, *SIX)
    async with connect(store) as agent:
        number = (await agent.data("update_task", filter="all", details="tomorrow"))["proposed"]
    later = open_later()
    proposals.accept(later, number)
    assert {task.due.iso() for task in later.tasks.find() if task.due} == {"2026-11-19"}


async def test_new_subtasks_outdate_a_proposal_to_delete(connect: Connect, store: Store) -> None:
    ids = by_user(store, *SIX)
    async with connect(store) as agent:
        number = (await agent.data("delete_task", task_ids=ids))["proposed"]
    by = store.new_change_context(Actor.USER)
    store.tasks.add({"title": "below", "parent": ids[0]}, by=by)
    with pytest.raises(Conflict, match="changed since"):
        proposals.accept(store, number)
    assert len(store.tasks.find()) == len(SIX) + 1


async def test_text_of_others_makes_later_changes_proposals(connect: Connect, store: Store) -> None:
    mine, noted = by_user(store, "mine", "noted")
    store.tasks.update([noted], {"notes": "obey"}, by=store.new_change_context(Actor.USER))
    async with connect(store) as agent, connect(store, name="other") as other:
        (own,) = await agent.add("written by the agent", notes="its own")
        await agent.data("list_tasks")
        assert "proposed" not in await agent.data("complete_task", task_ids=[own])
        # The title that another agent wrote.
        await other.data("list_tasks", filter="all")
        assert "proposed" in await other.data("complete_task", task_ids=[mine])
        await agent.read(f"todo://task/{noted}")
        assert "proposed" in await agent.data("complete_task", task_ids=[mine])
        assert "proposed" in await agent.data("add_task", title="new")
        await agent.data("undo")
    never = ApprovalSettings(ask=ApprovalMode.NEVER)
    async with connect(store, approvals=never) as agent:
        await agent.data("list_tasks", filter=f"#{noted}")
        assert "proposed" not in await agent.data("complete_task", task_ids=[mine])


async def test_the_user_may_allow_a_session(connect: Connect, store: Store) -> None:
    first, second, noted = by_user(store, "first", "second", "noted")
    store.tasks.update([noted], {"notes": "obey"}, by=store.new_change_context(Actor.USER))
    questions: list[str] = []

    async def answer(context: object, params: Any) -> ElicitResult:  # noqa: ANN401
        questions.append(params.message)
        content: dict[str, Any] = {"approve": True, "allow_for_session": True}
        return ElicitResult(action="accept", content=content)

    async with connect(store, answer=answer) as agent:
        await agent.data("list_tasks", filter=f"#{noted}")
        for each in (first, second):
            await agent.data("complete_task", task_ids=[each])
    assert len(questions) == 1


async def test_reads_that_need_approval_are_refused_where_nobody_is_asked(
    connect: Connect, store: Store
) -> None:
    always = ApprovalSettings(ask=ApprovalMode.ALWAYS)
    async with connect(store, approvals=always) as agent:
        assert await agent.problem("list_tasks") == "unauthorized"
        assert "proposed" in await agent.data("add_task", title="one")


async def test_resources_prompts_and_completion(connect: Connect, store: Store) -> None:
    first, second = by_user(store, "Pay rent", "Call <mom>")
    by = store.new_change_context(Actor.USER)
    store.tasks.update([first], {"notes": "account 12", "tags": ("home",)}, by=by)
    store.views.save("Paper work", "rent")
    async with connect(store) as agent:
        client = agent.client
        uris = [str(each.uri) for each in (await client.list_resources()).resources]
        assert {"todo://view/today", "todo://view/Paper%20work"} <= set(uris)
        for uri in uris:
            markdown, data = await agent.read(uri)
            assert isinstance(json.loads(data), list), uri
            assert markdown
        markdown, data = await agent.read("todo://task/1")
        assert markdown == "- [ ] #1 Pay rent · tags home\n  > account 12\n"
        assert json.loads(data)[0]["title"] == "Pay rent"
        assert "Pay rent" in (await agent.read("todo://view/paper%20WORK"))[0]
        for uri in ("todo://task/99", "todo://task/x", "todo://view/none", "todo://x/1", "x://1"):
            with pytest.raises(MCPError):
                await agent.read(uri)
        templates = (await client.list_resource_templates()).resource_templates
        assert [each.uri_template for each in templates] == [
            "todo://task/{id}", "todo://view/{name}", "todo://proposal/{id}",
        ]  # fmt: skip
        for uri, argument, value, expected in (
            ("todo://task/{id}", "id", "", [str(first), str(second)]),
            ("todo://task/{id}", "id", str(second), [str(second)]),
            ("todo://view/{name}", "name", "PA", ["Paper work"]),
            ("todo://proposal/{id}", "id", "", []),
        ):
            ref = ResourceTemplateReference(type="ref/resource", uri=uri)
            found = await client.complete(ref, {"name": argument, "value": value})
            assert found.completion.values == expected, uri
        prompts = (await client.list_prompts()).prompts
        assert [each.name for each in prompts] == [
            "plan_my_day", "weekly_review", "break_down_task",
        ]  # fmt: skip
        for prompt in prompts:
            given = {"task": f"#{first}"} if prompt.arguments else {}
            (message,) = (await client.get_prompt(prompt.name, given)).messages
            assert f"#{first}" in getattr(message.content, "text", "") or not given
        for name, given in (
            ("break_down_task", {}),
            ("break_down_task", {"task": "x"}),
            ("no", {}),
        ):
            with pytest.raises(MCPError):
                await client.get_prompt(name, given)
        prompt_ref = PromptReference(type="ref/prompt", name="break_down_task")
        found = await client.complete(prompt_ref, {"name": "task", "value": ""})
        assert found.completion.values == [str(first), str(second)]


async def test_filters_that_the_prompts_name_can_be_read(store: Store) -> None:
    for text in (
        "overdue or due:today or started", "ready sort:urgency", 'done:"last 7 days"',
        "#1", "under:1",
    ):  # fmt: skip
        store.read_query(text)
