"""Answers at Browsion's routes in its own form, for clients that were written for it."""

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from tabwright.call import Answer, Call, map_sent_texts
from tabwright.dialects.alias import Alias
from tabwright.dialects.browsion.bare import BINARY, MEDIA_TYPE, bare_answer
from tabwright.doors.wire.http_json import Json, error_response
from tabwright.errors import TabwrightError
from tabwright.hygiene import escape_invisible, strip_invisible
from tabwright.runner import Runner


class BareReply:
    """Makes the response to one call."""

    def __init__(self, alias: Alias, call: Call, runner: Runner, media_type: str | None) -> None:
        self._alias = alias
        self._call = call
        self._runner = runner
        self._media_type = media_type or "application/json"

    def __call__(self, outcome: Answer | TabwrightError) -> Response:
        """Return the response to an answer or an error."""
        if isinstance(outcome, TabwrightError):
            return bare_error(outcome)
        status, content = bare_answer(self._alias, self._call, outcome)
        if content is None:
            return Response(status_code=status)
        if self._alias.name not in BINARY:  # the tree of a page is not part of what the runner redacts
            content = self._runner.redact(content)
            content = content if outcome.result.exact else map_sent_texts(content, strip_invisible)
        return Json(content, status, media_type=self._media_type)


def accepts_bare(request: Request) -> bool:
    """Whether a request asks for Browsion's own form."""
    accepted = ",".join(request.headers.getlist("accept")).split(",")
    return any(kind.partition(";")[0].strip().lower() == MEDIA_TYPE for kind in accepted)


def bare_error(error: TabwrightError) -> Response:
    """Return an error as text."""
    answer = error_response(error)
    headers = {name: value for name, value in answer.headers.items() if name == "retry-after"}
    return PlainTextResponse(escape_invisible(str(error)), answer.status_code, headers)
