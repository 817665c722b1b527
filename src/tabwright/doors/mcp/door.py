"""The MCP door: tools, calls, resources, progress and logging on the official SDK's low-level server.

`results` renders what is sent, `tool_lists` knows which tools a client sees, `server` adapts the SDK.
"""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import anyio.abc
import mcp_types as types
from mcp import MCPError

from tabwright import errors
from tabwright.artifacts import ARTIFACTS
from tabwright.call import PreparedCall
from tabwright.dialects.agent_browser.dialect import AgentBrowser
from tabwright.dialects.dialect import Dialect, close_names
from tabwright.doors.mcp.framing import message_streams
from tabwright.doors.mcp.results import (
    INSTRUCTIONS,
    answer_result,
    describe_file,
    error_result,
    structured_result,
    texts_in,
)
from tabwright.doors.mcp.server import Context, McpServer, Notices
from tabwright.doors.mcp.tool_lists import ToolLists
from tabwright.home import client_environment
from tabwright.policy.callers.principal import Principal
from tabwright.runner import Runner
from tabwright.sessions.reconnect import Client
from tabwright.sessions.session import Session

# What a client chooses when it connects: the dialect, how tool names are written.
Options = Mapping[str, Any]
ChooseDialect = Callable[[Options], Dialect]
NO_OPTIONS: Options = MappingProxyType({})

TOO_MANY_CALLS = -32016
TOOL_NOT_FOUND = -32001

# For a client whose hub exited and which is now served by another one.
_RESTARTED = "[The hub was restarted: sessions without a name are closed, and their refs are gone.]"
# Pending calls of one client; further ones get an error.
_MAX_CALLS = 2_000


class McpDoor:
    """Serves MCP clients over one runner.

    Args:
        runner: runs the calls.
        dialect: the tools of clients that choose no dialect.
        choose: returns the dialect for a client's options; raises InvalidArgs for unknown ones.
        follow_user: whether the tab that the user brings to the front becomes the focused one.
    """

    def __init__(
        self,
        runner: Runner,
        dialect: Dialect,
        choose: ChooseDialect | None = None,
        *,
        follow_user: bool = False,
        manage: bool = False,
    ) -> None:
        self._runner = runner
        self._manage = manage
        self._follow_user = follow_user
        self._dialect = dialect
        self._choose = choose or (lambda _: dialect)

    async def serve(
        self,
        stream: anyio.abc.ByteStream,
        principal: Principal,
        received: bytes = b"",
        options: Options = NO_OPTIONS,
    ) -> None:
        """Serve one client over a byte stream until it disconnects.

        Args:
            stream: the connection.
            principal: the caller.
            received: bytes of it that were read already.
            options: what the client chose.
        """
        connection = secrets.token_hex(6)
        principal = replace(principal, connection=connection)
        dialect = self._choose(options)
        if not options.get("manage"):
            principal = self.limit(principal)
        if AgentBrowser.name in dialect.name.split(","):
            principal = principal.with_commands(client_environment(options.get("environment")))
        note = _RESTARTED if options.get("again") else ""
        process = options.get("process")
        process = process if isinstance(process, int) else 0

        def own_session(context: Context) -> str:
            client = describe_client(with_client_name(principal, context), context, process=process)
            return self._runner.sessions.connections.resume(client, connection)

        server = self.server(
            lambda context: with_client_name(principal, context), own_session, dialect, note=note
        )
        try:
            async with message_streams(stream, received) as (incoming, outgoing), server.lists.run():
                await server.run(incoming, outgoing, server.create_initialization_options())
        finally:
            with anyio.CancelScope(shield=True):
                await self._runner.sessions.connections.leave(connection)

    def limit(self, principal: Principal) -> Principal:
        """Return a client of this computer with the rights that the settings give to all of them."""
        return principal if self._manage else principal.without_manage()

    def server(
        self,
        principal_of: Callable[[Context], Principal],
        own_session: Callable[[Context], str | None] = lambda _: None,
        dialect: Dialect | None = None,
        *,
        note: str = "",
    ) -> McpServer:
        """Create an SDK server.

        Args:
            principal_of: returns the caller of a request.
            own_session: returns the session of a caller that names none.
            dialect: the tools; by default what the query of the request's URL chooses.
            note: put before the first answer to a call.
        """

        def find_session(context: Context) -> Session | None:
            return self._runner.sessions.find(principal_of(context).name, own_session(context))

        notices, default = Notices(), dialect or self._dialect
        choose = self._choose_by_query if dialect is None else lambda _: dialect
        lists = ToolLists(choose, find_session, follow_user=self._follow_user)
        calls = _Calls(self._runner, lists, principal_of, own_session, notices, note=note)
        schemas = {tool.name: tool.schema for tool in default.tools()}
        return McpServer(
            notices,
            lists,
            instructions=f"{default.instructions} {INSTRUCTIONS}",
            input_schema=schemas.get,
            on_list_tools=calls.list_tools,
            on_call_tool=calls.call,
            on_list_resources=calls.list_resources,
            on_read_resource=calls.read_resource,
        )

    def _choose_by_query(self, context: Context) -> Dialect:
        options = dict(context.request.query_params) if context.request is not None else {}
        try:
            return self._choose(options)
        except errors.InvalidArgs as error:
            raise MCPError(types.INVALID_PARAMS, str(error)) from None


class _Calls:
    """Answers the requests of one server's clients."""

    def __init__(
        self,
        runner: Runner,
        lists: ToolLists,
        principal_of: Callable[[Context], Principal],
        own_session: Callable[[Context], str | None],
        notices: Notices,
        *,
        note: str,
    ) -> None:
        self._note = note
        self._runner = runner
        self._lists = lists
        self._principal_of = principal_of
        self._own_session = own_session
        self._notices = notices
        self._pending = 0

    async def list_tools(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        """List the tools of the client."""
        return types.ListToolsResult(tools=await self._lists.tools(context))

    async def call(self, context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        """Run a tool. An unknown tool is a protocol error; wrong arguments and failures are results.

        In every protocol version a model sees results, and can correct its call; it may not see errors.
        """
        dialect = self._lists.dialect(context)
        try:
            prepared = self._prepare(context, dialect, params.name, params.arguments or {})
            if self._pending >= _MAX_CALLS:
                raise MCPError(TOO_MANY_CALLS, f"{_MAX_CALLS} calls are pending; wait for some to finish.")
            self._pending += 1
            try:
                async with self._lists.during_call(context):
                    answer = await self._runner.run(prepared)
            finally:
                self._pending -= 1
        except errors.TabwrightError as error:
            await self._notices.log(context, _log_level(error), f"{params.name}: {error}")
            render_error = dialect.error_renderer(params.name)
            if render_error is None:
                return error_result(error, self._take_note(), texts_in(params.arguments))
            return structured_result(render_error(error), is_error=True)
        await self._notices.log(context, "debug", f"{params.name}: done in session {answer.session}")
        if answer.artifacts:
            await self._notices.resources_changed(context)
        render = prepared.call.render
        if render is None:
            return answer_result(answer, self._take_note(), texts_in(params.arguments))
        return structured_result(render(answer.result), is_error=answer.result.failed)

    def _take_note(self) -> str:
        """Return the note for the client, the first time."""
        note, self._note = self._note, ""
        return note

    def _prepare(
        self, context: Context, dialect: Dialect, name: str, arguments: Mapping[str, Any]
    ) -> PreparedCall:
        """Translate a call of a tool and validate its arguments.

        Raises:
            MCPError: there is no such tool.
            InvalidArgs: an argument is wrong.
        """

        async def progress(step: float, message: str) -> None:
            await context.session.report_progress(step, None, message)

        call = dialect.request(name, arguments)
        if call is None:
            similar = ", ".join(close_names(name, dialect.tools()))
            hint = f"; similar: {similar}" if similar else ""
            raise MCPError(TOOL_NOT_FOUND, f"Unknown tool {name[:200]}{hint}.")
        return self._runner.prepare(
            replace(
                call,
                principal=self._principal_of(context),
                session=call.session or self._own_session(context),
                door="mcp",
                progress=progress,
            )
        )

    async def list_resources(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        """List the files that actions made."""
        files = self._runner.artifacts.of_owner(self._principal_of(context).name)
        return types.ListResourcesResult(resources=[describe_file(file) for file in files])

    async def read_resource(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        """Read one of them."""
        try:
            owner = self._principal_of(context).name
            file = self._runner.artifacts.get(params.uri.removeprefix(ARTIFACTS), owner)
        except errors.NotFound as error:
            raise MCPError(types.INVALID_PARAMS, str(error), {"uri": params.uri}) from None
        return types.ReadResourceResult(
            contents=[types.BlobResourceContents(uri=params.uri, mime_type=file.mime, blob=file.encoded)]
        )


def with_client_name(principal: Principal, context: Context) -> Principal:
    """Name a local caller after its client, so that each client owns its sessions."""
    client = context.session.client_params
    if client is None or not client.client_info.name or not principal.name.startswith("local:"):
        return principal
    return replace(principal, name=f"local:{client.client_info.name[:64]}")


def describe_client(principal: Principal, context: Context, address: str = "", process: int = 0) -> Client:
    """Return which client sent a request, as far as the connection shows it."""
    client = context.session.client_params
    name = f"{client.client_info.name[:64]} {client.client_info.version[:64]}" if client else ""
    return Client(principal.name, name, principal.folder, address, process)


def _log_level(error: errors.TabwrightError) -> types.LoggingLevel:
    """A tool's error is in its answer already; errors of ours and of the browser deserve a log line."""
    levels: dict[type[errors.TabwrightError], types.LoggingLevel] = {
        errors.Internal: "error",
        errors.BrowserGone: "warning",
    }
    return levels.get(error.kind, "info")
