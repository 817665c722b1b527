"""The SDK's low-level server as we use it: its capabilities, its notifications, and how it reports errors."""

import logging
import secrets
import warnings
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, get_args

import mcp_types as types
from mcp import MCPError
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.models import InitializationOptions
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourcesListChanged
from mcp.shared.exceptions import MCPDeprecationWarning
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from pydantic import ValidationError

from tabwright import __version__
from tabwright.schema import faults

if TYPE_CHECKING:
    from tabwright.doors.mcp.tool_lists import ToolLists

log = logging.getLogger(__name__)

Context = ServerRequestContext[Any, Any]
InputSchema = Callable[[str], Mapping[str, Any] | None]

NOT_INITIALIZED = -32000
NOT_INITIALIZED_TEXT = "The connection is not initialized: send initialize first."

_LEVELS: tuple[types.LoggingLevel, ...] = get_args(types.LoggingLevel)
_DEFAULT_LEVEL: types.LoggingLevel = "warning"
_MAX_STORED_LEVELS = 1_000


class McpServer(Server[Any]):
    """A server whose lists may change, and which keeps exceptions to itself.

    Args:
        notices: what is sent to clients without a request.
        lists: the tool lists of its clients.
        input_schema: returns the schema of a tool's arguments.
        handlers: as the SDK names them.
    """

    def __init__(
        self, notices: "Notices", lists: "ToolLists", *, input_schema: InputSchema, **handlers: Any
    ) -> None:
        super().__init__(
            "tabwright",
            version=__version__,
            on_subscriptions_listen=ListenHandler(notices.bus),
            **handlers,
        )
        self.add_request_handler("logging/setLevel", types.SetLevelRequestParams, notices.set_level)
        self.middleware.append(_hide_exceptions)
        self.lists = lists
        # Not passed as an argument, which the SDK takes since 2.3; older versions list all tools instead.
        self.get_tool_input_schema = input_schema

    def create_initialization_options(
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: dict[str, dict[str, Any]] | None = None,
        extensions: dict[str, dict[str, Any]] | None = None,
    ) -> InitializationOptions:
        options = notification_options or NotificationOptions(tools_changed=True, resources_changed=True)
        return super().create_initialization_options(options, experimental_capabilities, extensions)


class Notices:
    """Notifications to clients: changed resources, and log messages from the level that each wants."""

    def __init__(self) -> None:
        self.bus = InMemorySubscriptionBus()
        self._levels: OrderedDict[str, types.LoggingLevel] = OrderedDict()

    async def resources_changed(self, context: Context) -> None:
        """Announce new resources: up to 2025-11-25 on the connection, later to subscribers."""
        await context.session.send_resource_list_changed()
        await self.bus.publish(ResourcesListChanged())

    async def set_level(self, context: Context, params: types.SetLevelRequestParams) -> types.EmptyResult:
        """Store the lowest level of log messages that a client wants."""
        self._levels[connection_of(context)] = params.level
        while len(self._levels) > _MAX_STORED_LEVELS:
            self._levels.popitem(last=False)
        return types.EmptyResult()

    async def log(self, context: Context, level: types.LoggingLevel, text: str) -> None:
        """Send a log message. Since 2026-07-28 the SDK filters by the level that the request itself names."""
        wanted = self._levels.get(connection_of(context), _DEFAULT_LEVEL)
        filtered_here = context.protocol_version in HANDSHAKE_PROTOCOL_VERSIONS
        if filtered_here and _LEVELS.index(level) < _LEVELS.index(wanted):
            return
        with warnings.catch_warnings():
            # Deprecated, but the versions that have it still expect it.
            warnings.simplefilter("ignore", MCPDeprecationWarning)
            sending = context.session.send_log_message(level, text, "tabwright", context.request_id)
        await sending


def connection_of(context: Context) -> str:
    """Identify the connection: over HTTP by its MCP session; each byte stream has its own server."""
    return context.request.headers.get("mcp-session-id", "") if context.request is not None else ""


async def _hide_exceptions(ctx: Context, call_next: CallNext) -> HandlerResult:
    """Name the wrong field, which the SDK does not; hide other exceptions' texts, which it would send."""
    try:
        return await call_next(ctx)
    except MCPError as error:
        # To a client that sent no initialize, the SDK answers without a message.
        if error.code == types.INVALID_PARAMS and error.data == "" and ctx.session.client_params is None:
            raise MCPError(NOT_INITIALIZED, NOT_INITIALIZED_TEXT) from None
        raise
    except ValidationError as error:
        raise MCPError(types.INVALID_PARAMS, f"{faults(error)}.") from None
    except Exception as error:
        log_id = secrets.token_hex(4)
        log.exception("%s failed, log id %s", ctx.method, log_id)
        raise MCPError(types.INTERNAL_ERROR, f"Internal error in {ctx.method} (log id {log_id}).") from error
