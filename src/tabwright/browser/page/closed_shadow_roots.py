"""Closed shadow roots: scripts cannot see them, but the DOM domain can. Found ones are given to our world."""

import asyncio
from typing import TYPE_CHECKING, Any

from tabwright.browser.page.frame import Handle
from tabwright.browser.page.isolated_world import CALL
from tabwright.cdp import CdpError

if TYPE_CHECKING:
    from tabwright.browser.page.frame import Frame


async def register_closed_roots(frame: "Frame") -> int:
    """Look for closed roots in the elements that the last walk marked; return how many were found."""
    hosts = await _possible_hosts(frame)
    described = await asyncio.gather(
        *(frame.session.start("DOM.describeNode", objectId=host, depth=1, pierce=True) for host in hosts),
        return_exceptions=True,
    )
    found = 0
    for host, answer in zip(hosts, described, strict=True):
        if isinstance(answer, CdpError):
            continue  # the host was removed meanwhile
        if isinstance(answer, BaseException):
            raise answer
        if (root := _closed_root(answer)) is not None:
            await _register(frame, host, root)
            found += 1
    return found


async def _possible_hosts(frame: "Frame") -> list[str]:
    answer = await frame.ask(
        "Runtime.callFunctionOn",
        functionDeclaration=CALL,
        executionContextId=await frame.world(),
        arguments=[{"value": "examineSuspects"}],
    )
    listed = await frame.ask(
        "Runtime.getProperties", objectId=answer["result"]["objectId"], ownProperties=True
    )
    return [
        each["value"]["objectId"]
        for each in listed["result"]
        if each["enumerable"] and "objectId" in each.get("value", {})
    ]


def _closed_root(described: dict[str, Any]) -> int | None:
    for root in described["node"].get("shadowRoots", ()):
        if root["shadowRootType"] == "closed":
            return int(root["backendNodeId"])
    return None


async def _register(frame: "Frame", host: str, root: int) -> None:
    resolved = await frame.ask("DOM.resolveNode", backendNodeId=root, executionContextId=await frame.world())
    await frame.call("registerRoot", Handle(host), Handle(resolved["object"]["objectId"]))
