"""A client of the SDK's version 1, run with that alone on its path: old era, with elicitation.

Prints one JSON object. Arguments: the command of the server.
"""

import asyncio
import json
import sys
from typing import Any

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import ElicitResult, Implementation


async def answer(context: Any, params: Any) -> ElicitResult:  # noqa: ANN401
    return ElicitResult(action="accept", content={"approve": True})


async def main() -> None:
    command, *arguments = sys.argv[1:]
    parameters = StdioServerParameters(command=command, args=arguments)
    async with (
        stdio_client(parameters) as (reader, writer),
        ClientSession(
            reader,
            writer,
            elicitation_callback=answer,
            client_info=Implementation(name="old", version="1"),
        ) as session,
    ):
        await session.initialize()
        tools = (await session.list_tools()).tools
        for number in range(6):
            await session.call_tool("add_task", {"title": f"task {number}"})
        deleted = await session.call_tool("delete_task", {"filter": "all"})
        view = await session.read_resource("todo://view/trash")
        found = {
            "tools": [tool.name for tool in tools],
            "deleted": json.loads(deleted.content[0].text),  # type: ignore[union-attr]
            "is_error": deleted.isError,  # type: ignore[attr-defined]
            "trash": view.contents[0].text,  # type: ignore[union-attr]
        }
    print(json.dumps(found))


if __name__ == "__main__":
    asyncio.run(main())
