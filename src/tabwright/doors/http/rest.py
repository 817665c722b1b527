"""The REST door: actions at /api/actions/<name>, Browsion's tools at their routes, files, health, metrics."""

import base64
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from functools import cached_property
from typing import Any

import anyio
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from tabwright import __version__
from tabwright.artifacts import Artifact
from tabwright.call import Answer, Call
from tabwright.dialects.alias_table import PictureLimits
from tabwright.dialects.browsion.bare import MEDIA_TYPE, NEEDS
from tabwright.dialects.browsion.dialect import Browsion
from tabwright.dialects.browsion.routes import NOT_OFFERED, Endpoint
from tabwright.dialects.dialect import CallOptions
from tabwright.doors.http.bare import BareReply, accepts_bare, bare_error
from tabwright.doors.http.openapi import OPTIONS, describe, document
from tabwright.doors.wire.http_json import Json, error_response, read_json_object
from tabwright.errors import InvalidArgs, NotFound, TabwrightError
from tabwright.runner import Runner
from tabwright.schema import Schema, validate

# Of base64, so a multiple of four.
_CHUNK = 1 << 16
# Nobody reads it.
_CLIENT_DISCONNECTED = 499
_METHODS = ("GET", "POST", "PUT", "DELETE")


class RestDoor:
    """Serves programs over HTTP."""

    def __init__(
        self, runner: Runner, pid: int, limits: PictureLimits | None = None, *, bare: bool = False
    ) -> None:
        """Serve programs.

        Args:
            runner: runs the calls.
            pid: the process of the hub.
            limits: size limits of screenshots.
            bare: whether Browsion's routes always answer as Browsion does.
        """
        self._runner = runner
        self._bare = bare
        self._pid = pid
        self._browsion = Browsion(runner.catalog, limits=limits)

    @property
    def routes(self) -> list[BaseRoute]:
        """The routes for the app."""
        return [
            Route("/api/health", self._health),
            Route("/api/actions", self._actions),
            Route("/api/actions/{name}", self._call, methods=["POST"]),
            Route("/api/files/{name}", self._file),
            Route("/api/openapi.json", self._openapi),
            Route("/metrics", self._metrics),
            *(
                Route(endpoint.path, self._route(endpoint), methods=[endpoint.method])
                for endpoint in self._endpoints
            ),
            *(
                Route(path, self._name_replacement(hint), methods=_METHODS)
                for path, hint in NOT_OFFERED.items()
            ),
        ]

    @cached_property
    def _endpoints(self) -> list[Endpoint]:
        return self._browsion.endpoints()

    @cached_property
    def _described_actions(self) -> list[Schema]:
        return [describe(action) for action in self._runner.catalog]

    @cached_property
    def _document(self) -> Schema:
        return document(self._runner.catalog, self._endpoints)

    async def _health(self, request: Request) -> Response:
        sessions, principal = self._runner.sessions, request.state.principal
        if principal is None:
            return Json({"status": "ok"})
        visible = sessions if "admin" in principal.scopes else sessions.visible_to(principal.name)
        return Json(
            {
                "status": "ok",
                "version": __version__,
                "pid": self._pid,
                "browser": sessions.browser_running,
                "sessions": len(tuple(visible)),
            }
        )

    async def _actions(self, request: Request) -> Response:
        return Json(self._described_actions)

    async def _openapi(self, request: Request) -> Response:
        return Json(self._document)

    async def _metrics(self, request: Request) -> Response:
        request.state.principal.require_scope("admin", "Reading the metrics")
        return Response(self._runner.metrics.text(), media_type=CONTENT_TYPE_LATEST)

    async def _call(self, request: Request) -> Response:
        name = request.path_params["name"]
        options = validate(CallOptions, request.query_params)
        self._runner.catalog[name]  # so that an unknown action is refused before its body is read
        call = Call(
            action=name,
            args=await read_json_object(request),
            principal=request.state.principal,
            door="rest",
            **options.model_dump(),
        )
        return await _run_while_connected(request, self._runner, call, _reply)

    def _route(self, endpoint: Endpoint) -> Callable[[Request], Awaitable[Response]]:
        async def respond(request: Request) -> Response:
            asked = accepts_bare(request)
            if not asked and not self._bare:
                call = await self._read_call(request, endpoint)
                return await _run_while_connected(request, self._runner, call, _reply)
            try:
                call = self._with_needs(await self._read_call(request, endpoint))
            except TabwrightError as error:
                return bare_error(error)
            reply = BareReply(endpoint.alias, call, self._runner, media_type=MEDIA_TYPE if asked else None)
            return await _run_while_connected(request, self._runner, call, reply)

        return respond

    def _name_replacement(self, hint: str) -> Callable[[Request], Awaitable[Response]]:
        async def respond(request: Request) -> Response:
            error = NotFound(f"Tabwright does not have {request.url.path}.", hint=hint)
            return bare_error(error) if self._bare or accepts_bare(request) else error_response(error)

        return respond

    async def _read_call(self, request: Request, endpoint: Endpoint) -> Call:
        args, given = await _read_arguments(request, endpoint)
        call = self._browsion.call(endpoint, args)
        options = {**validate(CallOptions, given).model_dump(), "session": call.session}
        return replace(call, principal=request.state.principal, door="rest", **options)

    def _with_needs(self, call: Call) -> Call:
        """Return a call whose result has all that Browsion answers."""
        return replace(call, args={**call.args, **NEEDS.get(call.action, {})})

    async def _file(self, request: Request) -> Response:
        file = self._runner.artifacts.get(request.path_params["name"], request.state.principal.name)
        # A file of a page must not run with our origin.
        headers = {
            "content-security-policy": "default-src 'none'; sandbox",
            "content-disposition": f'attachment; filename="{file.name}"',
        }
        headers["content-length"] = str(file.size)
        return StreamingResponse(_chunks(file), media_type=file.mime, headers=headers)


async def _chunks(file: Artifact) -> AsyncIterator[bytes]:
    """Decode as the client reads, so that a slow client costs one chunk of memory and not the whole file."""
    encoded = file.encoded
    for start in range(0, len(encoded), _CHUNK):
        yield base64.b64decode(encoded[start : start + _CHUNK])


async def _read_arguments(request: Request, endpoint: Endpoint) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the arguments of a call, and its options."""
    query: dict[str, Any] = dict(request.query_params)
    options = {name: query.pop(name) for name in OPTIONS if name in query}
    in_path = {endpoint.parts[part]: value for part, value in request.path_params.items()}
    # Arguments of DELETE may come in either place. What is null was left out.
    body = {} if request.method == "GET" else await read_json_object(request)
    args = {name: value for name, value in body.items() if value is not None and name not in endpoint.ignored}
    args |= query if endpoint.in_query else {}
    # A body may repeat what the path says, as one that was read before does.
    differing = {name for name, value in in_path.items() if args.get(name, value) != value}
    if unknown := (set() if endpoint.in_query else set(query)) | differing:
        raise InvalidArgs(f"{min(unknown)} is not allowed here.", hint="See /api/openapi.json.")
    return {**args, **in_path}, options


def _reply(outcome: Answer | TabwrightError) -> Response:
    return error_response(outcome) if isinstance(outcome, TabwrightError) else Json(outcome.as_json())


async def _run_while_connected(
    request: Request, runner: Runner, call: Call, reply: Callable[[Answer | TabwrightError], Response]
) -> Response:
    """Run a call; cancel it when the client disconnects."""
    response = Response(status_code=_CLIENT_DISCONNECTED)
    async with anyio.create_task_group() as group:
        group.start_soon(_cancel_on_disconnect, request, group.cancel_scope)
        try:
            response = reply(await runner.run(call))
        except TabwrightError as error:
            response = reply(error)
        group.cancel_scope.cancel()
    return response


async def _cancel_on_disconnect(request: Request, scope: anyio.CancelScope) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
    scope.cancel()
