"""The routes of the Browsion tools: which address and method mean which call."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from pydantic import Field

from tabwright.dialects.browsion import navigation as moving
from tabwright.dialects.browsion import pointer_keys as acting
from tabwright.dialects.browsion import profiles, reading, tabs
from tabwright.dialects.browsion import storage_network as keeping
from tabwright.dialects.browsion.call import InBrowser, Renamed
from tabwright.schema import Schema, schema_of

_OF_BROWSER = MappingProxyType({"id": "profile_id"})


class AnswerDialog(InBrowser):
    """Answer the alert, confirm or prompt that is open."""

    action, words = "answer_dialog", {"prompt_text": "text"}
    accept: bool = Field(description="Press OK; false presses Cancel")
    prompt_text: str | None = Field(None, max_length=10_000)


class Pause(InBrowser):
    """Do nothing for a while."""

    action = "pause"
    ms: float = Field(gt=0, le=30_000)

    def arguments(self) -> dict[str, Any]:
        return {"seconds": self.ms / 1000}


@dataclass(frozen=True)
class Endpoint:
    """An address with a method, and the call that it means; parts of the address are fields of the call."""

    method: str
    path: str
    call: type[Renamed]
    parts: Mapping[str, str] = field(default_factory=lambda: _OF_BROWSER)

    @property
    def in_query(self) -> bool:
        """Whether arguments come in the query rather than in the body."""
        return self.method in ("GET", "DELETE")

    @property
    def schema(self) -> Schema:
        """The arguments that are not part of the address."""
        schema = schema_of(self.call)
        taken = set(self.parts.values())
        schema["properties"] = {
            name: shape for name, shape in schema["properties"].items() if name not in taken
        }
        required = [name for name in schema.pop("required", ()) if name not in taken]
        return {**schema, "required": required} if required else schema


def _browser(method: str, path: str, call: type[Renamed], **parts: str) -> Endpoint:
    return Endpoint(method, f"/api/browser/{{id}}/{path}", call, {**_OF_BROWSER, **parts})


_NONE: Mapping[str, str] = MappingProxyType({})
_OF_PROFILE = MappingProxyType({"id": "id"})

ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint("GET", "/api/profiles", profiles.ListProfiles, _NONE),
    Endpoint("POST", "/api/profiles", profiles.CreateProfile, _NONE),
    Endpoint("GET", "/api/profiles/{id}", profiles.GetProfile, _OF_PROFILE),
    Endpoint("PUT", "/api/profiles/{id}", profiles.UpdateProfile, _OF_PROFILE),
    Endpoint("DELETE", "/api/profiles/{id}", profiles.DeleteProfile, _OF_PROFILE),
    Endpoint("POST", "/api/launch/{id}", profiles.LaunchBrowser),
    Endpoint("POST", "/api/kill/{id}", profiles.KillBrowser),
    Endpoint("GET", "/api/running", profiles.GetRunningBrowsers, _NONE),
    _browser("POST", "navigate", moving.Navigate),
    _browser("POST", "navigate_wait", moving.Navigate),
    _browser("GET", "url", moving.GetCurrentUrl),
    _browser("GET", "title", moving.GetPageTitle),
    _browser("POST", "back", moving.GoBack),
    _browser("POST", "forward", moving.GoForward),
    _browser("POST", "reload", moving.Reload),
    _browser("POST", "wait_for_navigation", moving.WaitForNavigation),
    _browser("POST", "wait_for_url", moving.WaitForUrl),
    _browser("POST", "click", acting.Click),
    _browser("POST", "hover", acting.Hover),
    _browser("POST", "double_click", acting.DoubleClick),
    _browser("POST", "right_click", acting.RightClick),
    _browser("POST", "click_at", acting.ClickAt),
    _browser("POST", "drag", acting.Drag),
    _browser("POST", "type", acting.TypeText),
    _browser("POST", "slow_type", acting.SlowType),
    _browser("POST", "press_key", acting.PressKey),
    _browser("POST", "select", acting.SelectOption),
    _browser("POST", "upload", acting.UploadFile),
    _browser("POST", "scroll", moving.Scroll),
    _browser("POST", "scroll_element", moving.ScrollElement),
    _browser("POST", "scroll_into_view", moving.ScrollIntoView),
    _browser("POST", "wait_for", moving.WaitForElement),
    _browser("POST", "wait_for_text", moving.WaitForText),
    _browser("POST", "wait", Pause),
    _browser("GET", "screenshot", reading.Screenshot),
    _browser("POST", "screenshot_element", reading.ScreenshotElement),
    _browser("GET", "page_state", reading.GetPageState),
    _browser("GET", "ax_tree", reading.GetAxTree),
    _browser("GET", "dom_context", reading.GetDomContext),
    _browser("POST", "extract", reading.ExtractData),
    _browser("GET", "page_text", reading.GetPageText),
    _browser("POST", "click_ref", acting.ClickRef),
    _browser("POST", "type_ref", acting.TypeRef),
    _browser("POST", "focus_ref", acting.FocusRef),
    _browser("POST", "evaluate", reading.EvaluateJs),
    _browser("GET", "tabs", tabs.ListTabs),
    _browser("POST", "tabs/new", tabs.NewTab),
    _browser("POST", "tabs/switch", tabs.SwitchTab),
    _browser("POST", "tabs/close", tabs.CloseTab),
    _browser("POST", "wait_for_new_tab", tabs.WaitForNewTab),
    _browser("GET", "cookies", keeping.GetCookies),
    _browser("POST", "cookies/set", keeping.SetCookie),
    _browser("POST", "cookies/clear", keeping.DeleteCookies),
    _browser("POST", "console/enable", keeping.EnableConsoleCapture),
    _browser("GET", "console", keeping.GetConsoleLogs),
    _browser("POST", "console/clear", keeping.ClearConsole),
    _browser("GET", "network_log", keeping.GetNetworkLog),
    _browser("POST", "network_log/clear", keeping.ClearNetworkLog),
    _browser("POST", "intercept/block", keeping.BlockUrl),
    _browser("POST", "intercept/mock", keeping.MockUrl),
    _browser("POST", "intercept/clear", keeping.ClearIntercepts),
    _browser("POST", "dialog", AnswerDialog),
    _browser("POST", "emulate", tabs.Emulate),
    _browser("GET", "storage/{type}", keeping.GetStorage, type="storage_type"),
    _browser("POST", "storage/{type}", keeping.SetStorage, type="storage_type"),
    _browser("DELETE", "storage/{type}", keeping.ClearStorage, type="storage_type"),
    _browser("POST", "tap", acting.Tap),
    _browser("POST", "swipe", acting.Swipe),
    _browser("GET", "pdf", reading.PrintToPdf),
    _browser("GET", "frames", tabs.GetFrames),
    _browser("POST", "frames/switch", tabs.SwitchFrame),
    _browser("POST", "frames/main", tabs.MainFrame),
)
