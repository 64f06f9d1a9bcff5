"""The MCP server: requests of the protocol, old and new era, answered by an AgentSession."""

from __future__ import annotations

from collections.abc import Awaitable
from functools import partial
from typing import Any
from urllib.parse import quote, unquote, urlsplit

import anyio
import mcp.types as t
from mcp import MCPError
from mcp.server import Server
from mcp.server.context import ServerRequestContext
from mcp.server.stdio import stdio_server

from todo_tui.agent.approver import ApprovalAnswer, ApprovalQuestion
from todo_tui.domain.errors import NobodyToAsk, TodoError
from todo_tui.mcp_server import content
from todo_tui.mcp_server.session import UNNAMED_AGENT, AgentSession, Ask, Result
from todo_tui.tools.base import Tool, ToolResponse

_MODERN = "2026-07-28"
"""First version of the protocol without requests from the server to the client."""
_APPROVE = "approve"
_FOR_SESSION = "allow_for_session"
_HINTS = {
    "add_task": (False, False),
    "complete_task": (False, True),
    "reopen_task": (False, True),
    "delete_task": (True, True),
}
"""Whether a tool that writes is destructive, and idempotent; others are destructive."""
_Context = ServerRequestContext[Any, Any]


class _AnswerNeeded(Exception):
    """The client must retry the call with its user's answer."""

    def __init__(self, result: t.InputRequiredResult) -> None:
        self.result = result


def serve(session: AgentSession, version: str) -> None:
    """Serve one client over standard input and output until the input ends."""
    anyio.run(_serve, build_server(session, version))


async def _serve(server: Server) -> None:
    async with stdio_server() as (reader, writer):
        await server.run(reader, writer, server.create_initialization_options())


class RequestHandlers:
    """Handlers of the protocol's requests for one session."""

    def __init__(self, session: AgentSession) -> None:
        self._session = session
        self._store, self._read = session.store, session.read

    async def list_tools(
        self, _: _Context, __: t.PaginatedRequestParams | None
    ) -> t.ListToolsResult:
        """List the tools of the role."""
        return t.ListToolsResult(
            tools=[_tool(each) for each in await self._read(self._session.tools)]
        )

    async def call_tool(
        self, context: _Context, params: t.CallToolRequestParams
    ) -> t.CallToolResult | t.InputRequiredResult:
        """Run a tool, or have the client ask its user first."""
        ask = _asking(context, params)
        try:
            response = await self._session.call(
                _agent(context), params.name, params.arguments or {}, ask
            )
        except _AnswerNeeded as needed:
            return needed.result
        return _tool_result(response)

    async def list_resources(
        self, _: _Context, __: t.PaginatedRequestParams | None
    ) -> t.ListResourcesResult:
        """List the views."""
        views = await self._read(partial(content.view_names, self._store))
        resources = [
            t.Resource(uri=f"todo://view/{quote(name)}", name=name, description=text)
            for name, text in views.items()
        ]
        return t.ListResourcesResult(resources=resources)

    async def list_templates(
        self, _: _Context, __: t.PaginatedRequestParams | None
    ) -> t.ListResourceTemplatesResult:
        """List the kinds of resources."""
        templates = [
            t.ResourceTemplate(uri_template=each.uri, name=each.kind, description=each.about)
            for each in content.TEMPLATES
        ]
        return t.ListResourceTemplatesResult(resource_templates=templates)

    async def read_resource(
        self, context: _Context, params: t.ReadResourceRequestParams
    ) -> t.ReadResourceResult:
        """Return a resource as Markdown and as JSON."""
        kind, argument = _split_uri(str(params.uri))
        make = partial(content.read_resource, self._store, kind, argument, agent=_agent(context))
        text = await _or_error(self._read(make))
        if text.has_foreign_text:
            self._session.note_foreign_text()
        texts = (("text/markdown", text.markdown), ("application/json", text.json))
        return t.ReadResourceResult(
            contents=[
                t.TextResourceContents(uri=params.uri, mime_type=type_, text=each)
                for type_, each in texts
            ]
        )

    async def list_prompts(
        self, _: _Context, __: t.PaginatedRequestParams | None
    ) -> t.ListPromptsResult:
        """List the prompts."""
        task = t.PromptArgument(name="task", description="Id of the task", required=True)
        prompts = [
            t.Prompt(
                name=row.name, description=row.about, arguments=[task] if row.needs_task else []
            )
            for row in content.PROMPTS
        ]
        return t.ListPromptsResult(prompts=prompts)

    async def get_prompt(self, _: _Context, params: t.GetPromptRequestParams) -> t.GetPromptResult:
        """Return the text of a prompt."""
        make = partial(content.prompt_text, params.name, params.arguments or {})
        text = t.TextContent(type="text", text=await _or_error(self._read(make)))
        return t.GetPromptResult(messages=[t.PromptMessage(role="user", content=text)])

    async def complete(self, _: _Context, params: t.CompleteRequestParams) -> t.CompleteResult:
        """Complete an argument of a resource or prompt."""
        kind = params.argument.name
        if isinstance(params.ref, t.ResourceTemplateReference):
            kind = _split_uri(params.ref.uri)[0]
        values = await self._read(
            lambda: [*content.complete(self._store, kind, params.argument.value)]
        )
        return t.CompleteResult(completion=t.Completion(values=values))


def build_server(session: AgentSession, version: str) -> Server:
    """Build the server of a session."""
    handlers = RequestHandlers(session)
    return Server(
        "todo-tui",
        version=version,
        title="To-do list",
        instructions=content.INSTRUCTIONS,
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        on_list_resources=handlers.list_resources,
        on_list_resource_templates=handlers.list_templates,
        on_read_resource=handlers.read_resource,
        on_list_prompts=handlers.list_prompts,
        on_get_prompt=handlers.get_prompt,
        on_completion=handlers.complete,
    )


def _tool(tool: Tool) -> t.Tool:
    destructive, idempotent = _HINTS.get(tool.name, (True, False))
    return t.Tool(
        name=tool.name,
        description=tool.spec.description,
        input_schema=dict(tool.spec.parameters),
        annotations=t.ToolAnnotations(
            read_only_hint=tool.reads_only,
            destructive_hint=destructive and not tool.reads_only,
            idempotent_hint=idempotent or tool.reads_only,
            open_world_hint=False,
        ),
    )


def _tool_result(response: ToolResponse) -> t.CallToolResult:
    return t.CallToolResult(
        content=[t.TextContent(type="text", text=response.text())],
        structured_content=response.to_json(),
        is_error=response.failed,
    )


def _agent(context: _Context) -> str:
    params = context.session.client_params
    return params.client_info.name if params is not None else UNNAMED_AGENT


def _asking(context: _Context, params: t.CallToolRequestParams) -> Ask | None:
    """Return a function that asks the user through the client; None if it cannot."""
    capabilities = context.session.client_capabilities
    elicitation = None if capabilities is None else capabilities.elicitation
    # One that names no mode has forms, the only one that there was at first.
    if elicitation is None or (elicitation.form is None and elicitation.url is not None):
        return None

    async def ask(question: ApprovalQuestion, affected: str) -> ApprovalAnswer:
        form = _form(question)
        if context.protocol_version < _MODERN:
            try:
                result = await context.session.elicit_form(
                    message=form.message,
                    requested_schema=form.requested_schema,
                    related_request_id=context.request_id,
                )
            except MCPError as error:
                raise NobodyToAsk from error
            return _answer(result)
        given = (params.input_responses or {}).get(_APPROVE)
        # The tasks may have changed since the question: then it is another one.
        if isinstance(given, t.ElicitResult) and params.request_state == affected:
            return _answer(given)
        raise _AnswerNeeded(
            t.InputRequiredResult(
                input_requests={_APPROVE: t.ElicitRequest(params=form)}, request_state=affected
            )
        )

    return ask


def _form(question: ApprovalQuestion) -> t.ElicitRequestFormParams:
    properties: dict[str, Any] = {_APPROVE: {"type": "boolean", "title": "Approve"}}
    if question.allowable:
        properties[_FOR_SESSION] = {
            "type": "boolean",
            "title": "Do not ask again in this session",
            "default": False,
        }
    return t.ElicitRequestFormParams(
        message="\n".join((question.words, *question.details)),
        requested_schema={"type": "object", "properties": properties, "required": [_APPROVE]},
    )


def _answer(result: t.ElicitResult) -> ApprovalAnswer:
    given = (result.content or {}) if result.action == "accept" else {}
    return ApprovalAnswer(
        given.get(_APPROVE) is True, for_conversation=given.get(_FOR_SESSION) is True
    )


def _split_uri(uri: str) -> tuple[str, str]:
    parts = urlsplit(uri)
    if parts.scheme != "todo":
        raise MCPError(t.INVALID_PARAMS, f"There is no resource {uri[:80]}.")
    return parts.netloc, unquote(parts.path.removeprefix("/"))


async def _or_error(reading: Awaitable[Result]) -> Result:
    try:
        return await reading
    except TodoError as error:
        raise MCPError(t.INVALID_PARAMS, error.text) from error
