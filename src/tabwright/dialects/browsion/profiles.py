"""Browsion's tools for profiles, tabs and frames."""

from typing import Annotated

from pydantic import Field

from tabwright.dialects.alias import Alias, Param
from tabwright.dialects.browsion.params import timeout_ms

_Line = Annotated[str, Field(max_length=1_000)]
_ID = Param("id", text="Id of the profile")
_PROFILE_ID = Param("profile_id", text="Id of the profile")
_TAB = Param("target_id", "id", "Id of the tab: t2")
_PROFILE = (
    Param("user_data_dir", text="Folder of its browser; created if omitted", default=None),
    Param("proxy_server", text="http://user:password@host:port, or socks5://…", default=None),
    Param("timezone", text="For example America/Los_Angeles", default=None),
    Param("headless", default=None),
)
PROFILES = (
    Alias(
        "list_profiles",
        "list_profiles",
        "List the profiles: browser identities that keep cookies, logins and storage.",
        session=None,
        route="GET /api/profiles",
    ),
    Alias(
        "get_profile",
        "get_profile",
        "Show one profile.",
        (_ID,),
        session=None,
        route="GET /api/profiles/{id}",
    ),
    Alias(
        "create_profile",
        "create_profile",
        "Create a profile. launch_browser starts it; its id is the profile_id of the other tools.",
        (
            *_PROFILE,
            Param("name"),
            Param("id", text="From the name if omitted", default=None),
            Param("lang", default="en-US"),
            Param("tags", type=list[_Line]),
            Param("custom_args", text="More arguments for Chrome", type=list[_Line]),
            Param("description"),
        ),
        session=None,
        route="POST /api/profiles",
    ),
    Alias(
        "update_profile",
        "update_profile",
        "Change a profile; only what is given changes, from its next launch on.",
        (
            *_PROFILE,
            _ID,
            Param("name", default=None),
            Param("lang", default=None),
            Param("tags", default=None, type=list[_Line]),
            Param("custom_args", default=None, type=list[_Line]),
            Param("description", default=None),
        ),
        session=None,
        route="PUT /api/profiles/{id}",
    ),
    Alias(
        "delete_profile",
        "delete_profile",
        "Delete a profile.",
        (_ID, Param("force", text="Also if its browser runs, which is stopped")),
        session=None,
        route="DELETE /api/profiles/{id}",
    ),
    Alias(
        "launch_browser",
        "launch_browser",
        "Start the browser of a profile, if it is not running.",
        (_PROFILE_ID,),
        route="POST /api/launch/{id}",
    ),
    Alias(
        "kill_browser",
        "kill_browser",
        "Stop the browser of a profile; its data stays.",
        (_PROFILE_ID,),
        route="POST /api/kill/{id}",
    ),
    Alias(
        "get_running_browsers",
        "get_running_browsers",
        "List the profiles with a running browser.",
        session=None,
        route="GET /api/running",
    ),
)
TABS = (
    Alias("list_tabs", "list_tabs", "List the tabs. Other tools work in the current one.", route="GET tabs"),
    Alias(
        "new_tab",
        "new_tab",
        "Open a tab and make it the current one.",
        (Param("url"),),
        route="POST tabs/new",
    ),
    Alias(
        "switch_tab",
        "switch_tab",
        "Make a tab the current one. Each keeps its refs, console and network log.",
        (_TAB,),
        route="POST tabs/switch",
    ),
    Alias("close_tab", "close_tab", "Close a tab.", (_TAB,), route="POST tabs/close"),
    Alias(
        "wait_for_new_tab",
        "wait_for_tab",
        "Wait for a tab that the page opens: call it together with the click, or after it; then switch_tab.",
        (timeout_ms(5_000),),
        route="POST wait_for_new_tab, POST tabs/wait_new",
    ),
)
FRAMES = (
    Alias(
        "get_frames",
        "list_frames",
        "List the frames of the page, and the one that selectors, page state and scripts work in.",
        route="GET frames",
    ),
    Alias(
        "switch_frame",
        "switch_frame",
        "Work in one frame: selectors, page state and scripts, until main_frame or the next page.",
        (Param("frame_id", "frame", "Id of get_frames (f2), or its name"),),
        route="POST frames/switch, POST switch_frame",
    ),
    Alias(
        "main_frame", "main_frame", "Work in the whole page again.", route="POST frames/main, POST main_frame"
    ),
)
