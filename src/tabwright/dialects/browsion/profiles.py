"""Browsion's tools for profiles and their browsers."""

from typing import Annotated

from pydantic import Field

from tabwright.action import Effect
from tabwright.dialects.browsion.call import Renamed, Tools

Id = Annotated[str, Field(min_length=1, max_length=64, description="Id of the profile")]
Text = Annotated[str | None, Field(max_length=1_000)]
Texts = list[Annotated[str, Field(max_length=1_000)]]


class ListProfiles(Renamed):
    """List the profiles: browser identities that keep cookies, logins and storage."""

    effect, action = Effect.READ, "list_profiles"


class GetProfile(Renamed):
    """Show one profile."""

    effect, action = Effect.READ, "get_profile"
    id: Id


class Described(Renamed):
    """What a profile consists of."""

    user_data_dir: Text = Field(None, description="Folder of its browser; one of ours if omitted")
    proxy_server: Text = Field(None, description="http://user:password@host:port, or socks5://…")
    timezone: Text = Field(None, description="Such as America/Los_Angeles")
    headless: bool | None = None


class CreateProfile(Described):
    """Make a profile. launch_browser starts it; its id is the profile_id of the other tools."""

    action = "create_profile"
    name: str = Field(min_length=1, max_length=100)
    lang: str = Field("en-US", min_length=2, max_length=20)
    tags: Texts = Field([], max_length=50)
    custom_args: Texts = Field([], max_length=50, description="More arguments for Chrome")
    description: str = Field("", max_length=1_000)


class UpdateProfile(Described):
    """Change a profile; only what is given changes, from its next launch on."""

    action = "update_profile"
    id: Id
    name: str | None = Field(None, min_length=1, max_length=100)
    lang: str | None = Field(None, min_length=2, max_length=20)
    tags: Texts | None = Field(None, max_length=50)
    custom_args: Texts | None = Field(None, max_length=50)
    description: Text = None


class DeleteProfile(Renamed):
    """Delete a profile that does not run."""

    effect, action = Effect.DESTROY, "delete_profile"
    id: Id


class LaunchBrowser(Renamed):
    """Start the browser of a profile, or find it running."""

    action = "launch_browser"
    profile_id: Id


class KillBrowser(Renamed):
    """End the browser of a profile; what it keeps stays."""

    effect, action = Effect.DESTROY, "kill_browser"
    profile_id: Id


class GetRunningBrowsers(Renamed):
    """List the profiles whose browsers run."""

    effect, action = Effect.READ, "get_running_browsers"


TOOLS: Tools = {
    "list_profiles": ListProfiles,
    "get_profile": GetProfile,
    "create_profile": CreateProfile,
    "update_profile": UpdateProfile,
    "delete_profile": DeleteProfile,
    "launch_browser": LaunchBrowser,
    "kill_browser": KillBrowser,
    "get_running_browsers": GetRunningBrowsers,
}
