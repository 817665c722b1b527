"""What the official MCP suite requires of a server, on our own server and HTTP door.

The suite calls tools, prompts and resources of set names; `fixture.json` says what each of them is. Nothing
here is part of the product: it replaces the catalogue; everything below it is what the product runs.
"""

import json
import re
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from string import Template
from typing import Any

import mcp_types as types
from mcp import MCPError
from mcp.server.subscriptions import PromptsListChanged, ToolsListChanged
from mcp.shared.message import ServerMessageMetadata

from tabwright.app import http_door, running
from tabwright.dialects.dialect import Dialect
from tabwright.dialects.plain import Plain
from tabwright.doors.mcp.door import McpDoor
from tabwright.doors.mcp.lazy import LazyMcp
from tabwright.doors.mcp.server import Context, McpServer, Notices
from tabwright.doors.mcp.tool_lists import ToolLists
from tabwright.home import Home
from tabwright.policy.callers.principal import Principal
from tabwright.settings import Settings

Json = dict[str, Any]

_CAPABILITY = {
    "elicitation/create": "elicitation",
    "sampling/createMessage": "sampling",
    "roots/list": "roots",
}


@asynccontextmanager
async def serve_fixture(folder: Path) -> AsyncIterator[str]:
    """Serve the fixture while the block runs, which gets the address of the endpoint."""
    async with running(Settings()) as runner:
        door = FixtureDoor(runner, Plain(runner.catalog))
        async with http_door(runner, LazyMcp(lambda: door), Home(folder, folder)) as url:
            yield f"{url}/mcp"


class FixtureDoor(McpDoor):
    """Our MCP door with the tools of the suite instead of the catalogue."""

    def server(
        self,
        principal_of: Callable[[Context], Principal],
        own_session: Callable[[Context], str | None] = lambda _: None,
        dialect: Dialect | None = None,
        *,
        note: str = "",
    ) -> McpServer:
        notices = Notices()
        fixture = Fixture(notices)
        return McpServer(
            notices,
            ToolLists(lambda _: Plain(self._runner.catalog), lambda _: None),
            input_schema=fixture.schema,
            on_list_tools=fixture.list_tools,
            on_call_tool=fixture.call_tool,
            on_list_prompts=fixture.list_prompts,
            on_get_prompt=fixture.get_prompt,
            on_list_resources=fixture.list_resources,
            on_list_resource_templates=fixture.list_templates,
            on_read_resource=fixture.read_resource,
            on_subscribe_resource=_nothing,
            on_unsubscribe_resource=_nothing,
            on_completion=_no_completion,
        )


class Fixture:
    """The suite's tools, prompts and resources."""

    def __init__(self, notices: Notices) -> None:
        content = json.loads(Path(__file__).with_suffix(".json").read_text())
        self._content: Json = _substitute(content, content["files"])
        self._notices = notices

    def schema(self, tool: str) -> Json | None:
        found: Json | None = self._content["tools"].get(tool, {}).get("schema")
        return found

    async def list_tools(self, _: Context, __: object) -> types.ListToolsResult:
        tools = [_tool(name, kind) for name, kind in self._content["tools"].items()]
        return types.ListToolsResult.model_validate({"tools": tools})

    async def call_tool(
        self, context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        tool = self._content["tools"].get(params.name)
        if tool is None:
            raise MCPError(-32001, f"Unknown tool {params.name}.")
        if "rounds" in tool:
            return self._ask_in_rounds(context, tool, params) or _text("state-ok")
        if "needs" in tool:
            raise _missing(tool["needs"])
        if "request" in tool:
            return await _ask_client(context, _substitute(tool["request"], params.arguments or {}))
        await self._report(context, tool)
        if "result" in tool:
            return types.CallToolResult.model_validate(tool["result"])
        return _text(f"{params.name} is done.")

    async def list_prompts(self, _: Context, __: object) -> types.ListPromptsResult:
        prompts = [_prompt(name, kind) for name, kind in self._content["prompts"].items()]
        return types.ListPromptsResult.model_validate({"prompts": prompts})

    async def get_prompt(
        self, context: Context, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult | types.InputRequiredResult:
        prompt = self._content["prompts"][params.name]
        if "rounds" in prompt and (question := self._ask_in_rounds(context, prompt, params)):
            return question
        messages = _substitute(prompt["messages"], params.arguments or {})
        return types.GetPromptResult.model_validate({"messages": messages})

    async def list_resources(self, _: Context, __: object) -> types.ListResourcesResult:
        resources = [
            {"uri": uri, "name": uri, "description": "Of the fixture.", "mimeType": kind["mimeType"]}
            for uri, kind in self._content["resources"].items()
        ]
        return types.ListResourcesResult.model_validate({"resources": resources})

    async def list_templates(self, _: Context, __: object) -> types.ListResourceTemplatesResult:
        template = {"uriTemplate": "test://template/{id}/data", "name": "template", "description": "By id."}
        return types.ListResourceTemplatesResult.model_validate({"resourceTemplates": [template]})

    async def read_resource(
        self, _: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        found = self._content["resources"].get(params.uri)
        if by_id := re.fullmatch(r"test://template/(\w+)/data", params.uri):
            found = _substitute(self._content["template"], {"id": by_id[1]})
        if found is None:
            raise MCPError(types.INVALID_PARAMS, "Unknown resource.", {"uri": params.uri})
        return types.ReadResourceResult.model_validate({"contents": [{"uri": params.uri, **found}]})

    async def _report(self, context: Context, tool: Json) -> None:
        """Send the log messages, progress and changes of a tool."""
        for line in tool.get("logs", []):
            await self._notices.log(context, "info", line)
        for step in tool.get("progress", []):
            await context.session.report_progress(step, 100)
        if "changes" in tool:
            event = ToolsListChanged() if tool["changes"] == "tools" else PromptsListChanged()
            await self._notices.bus.publish(event)

    def _ask_in_rounds(
        self, context: Context, kind: Json, params: types.CallToolRequestParams | types.GetPromptRequestParams
    ) -> types.InputRequiredResult | None:
        """Return the next questions to the client; None when all are answered."""
        rounds: list[Json] = kind["rounds"]
        now = _round(rounds, params.request_state)
        if set(rounds[now]["ask"]) <= set(params.input_responses or {}):
            now += 1
        if now == len(rounds):
            return None
        questions = {key: self._content["questions"][key] for key in rounds[now]["ask"]}
        if kind.get("only_declared"):
            questions = {key: ask for key, ask in questions.items() if _declared(context, ask["method"])}
        return types.InputRequiredResult.model_validate(
            {"inputRequests": questions, "requestState": rounds[now].get("state")}
        )


def _round(rounds: list[Json], state: str | None) -> int:
    """Return the round that a state belongs to; refuse an unknown state."""
    if state is None:
        return 0
    for index, step in enumerate(rounds):
        if step.get("state") == state:
            return index
    raise MCPError(types.INVALID_PARAMS, "requestState: not one of ours.")


def _declared(context: Context, method: str) -> bool:
    capabilities = context.session.client_capabilities
    return capabilities is not None and getattr(capabilities, _CAPABILITY[method]) is not None


async def _ask_client(context: Context, request: Json) -> types.CallToolResult:
    """Ask the client in the middle of a call, as versions up to 2025-11-25 do."""
    if not _declared(context, request["method"]):
        raise _missing(_CAPABILITY[request["method"]])
    metadata = ServerMessageMetadata(related_request_id=context.request_id)
    if request["method"] == "elicitation/create":
        elicit = types.ElicitRequest.model_validate(request, by_name=False)
        answer: types.Result = await context.session.send_request(
            elicit, types.ElicitResult, metadata=metadata
        )
    else:
        sample = types.CreateMessageRequest.model_validate(request, by_name=False)
        answer = await context.session.send_request(sample, types.CreateMessageResult, metadata=metadata)
    return _text(answer.model_dump_json(by_alias=True))


def _missing(capability: str) -> MCPError:
    return MCPError(
        types.MISSING_REQUIRED_CLIENT_CAPABILITY,
        f"The client must declare {capability}.",
        {"requiredCapabilities": {capability: {}}},
    )


def _tool(name: str, kind: Json) -> Json:
    return {
        "name": name,
        "description": "Of the fixture.",
        "inputSchema": kind.get("schema", {"type": "object"}),
    }


def _prompt(name: str, kind: Json) -> Json:
    arguments = [
        {"name": argument, "description": "Some text.", "required": True}
        for argument in kind.get("arguments", [])
    ]
    return {"name": name, "description": "Of the fixture.", "arguments": arguments}


def _text(text: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(text=text)])


def _substitute(value: Any, names: Mapping[str, Any]) -> Any:
    """Replace $name by its value at every depth."""
    if isinstance(value, str):
        return Template(value).safe_substitute(names)
    if isinstance(value, list):
        return [_substitute(one, names) for one in value]
    return {key: _substitute(one, names) for key, one in value.items()} if isinstance(value, dict) else value


async def _nothing(_: Context, __: object) -> types.EmptyResult:
    return types.EmptyResult()


async def _no_completion(_: Context, __: object) -> types.CompleteResult:
    return types.CompleteResult(completion=types.Completion(values=[], total=0, has_more=False))
