"""Profiles: browser identities with their own cookies, storage and logins, and their browsers."""

from datetime import UTC, datetime
from typing import Annotated, Any

import anyio
from pydantic import Field

from tabwright.action import Args, Caller, Effect, Result, action
from tabwright.errors import Blocked, InvalidArgs, NotFound
from tabwright.profiles.browsers import Profiles, Running
from tabwright.profiles.profile import Profile
from tabwright.text import format_count

ProfileId = Annotated[
    str, Field(min_length=1, max_length=64, description="Id of the profile; sessions of that name use it.")
]
Name = Annotated[str, Field(max_length=100, description="Name of the profile.")]
Description = Annotated[str, Field(max_length=2_000, description="What it is for.")]
Folder = Annotated[
    str, Field(max_length=1_000, description="Folder of its browser's files; default: a new one.")
]
Proxy = Annotated[
    str,
    Field(
        max_length=2_000,
        description="Proxy, such as http://user:password@host:3128 or socks5://host:1080; "
        "default: that of the settings.",
    ),
]
Language = Annotated[str, Field(max_length=20, description="Language that pages see, such as pt-BR.")]
Zone = Annotated[str, Field(max_length=100, description="Time zone that pages see, such as Europe/Paris.")]
Headless = Annotated[bool, Field(description="Run without a window.")]
Tags = Annotated[list[str], Field(max_length=100, description="Tags to find it by.")]
MoreArgs = Annotated[
    list[str], Field(max_length=100, description="More browser arguments, such as --mute-audio.")
]


class ProfileShown(Result):
    """One profile."""

    id: str = Field(description="Its id, and the name of its session.")
    name: str = Field(description="Its name.")
    description: str = Field(description="What it is for.")
    user_data_dir: str = Field(description="Folder of its browser's files.")
    proxy_server: str = Field(description="Its proxy, with the password masked.")
    lang: str = Field(description="Language that pages see; empty: that of the settings.")
    timezone: str = Field(description="Time zone that pages see; empty: that of the settings.")
    headless: bool = Field(description="Whether its browser has no window.")
    tags: list[str] = Field(description="Tags to find it by.")
    custom_args: list[str] = Field(description="More browser arguments.")
    running: bool = Field(description="Whether its browser is running.")

    def __str__(self) -> str:
        facts = [
            self.description,
            *([] if self.headless else ["with a window"]),
            self.lang,
            self.timezone,
            f"proxy {self.proxy_server}" if self.proxy_server else "",
            " ".join(f"#{tag}" for tag in self.tags),
            " ".join(self.custom_args),
            self.user_data_dir,
        ]
        text = "; ".join(filter(None, facts))
        return f"{self.id}{' (running)' if self.running else ''}: {self.name}; {text}"


class ProfileList(Result):
    """Profiles."""

    profiles: list[ProfileShown] = Field(description="The profiles, in the order of the file.")
    more: int = Field(0, description="Number of further profiles.")
    damaged: list[str] = Field([], description="Invalid profiles in the file, and why.")

    def __str__(self) -> str:
        more = [f"and {self.more} more: list them with an offset"] if self.more else []
        return "\n".join([*map(str, self.profiles), *more, *self.damaged]) or "There are no profiles."


class ListProfiles(Args):
    """Arguments of `list_profiles`."""

    tag: str = Field("", max_length=100, description="Only those with this tag.")
    limit: int = Field(50, ge=1, le=1_000, description="Maximum number.")
    offset: int = Field(0, ge=0, description="Number to skip.")


class OneProfile(Args):
    """Arguments that name a profile."""

    id: ProfileId


class CreateProfile(Args):
    """Arguments of `create_profile`."""

    name: Name
    id: str = Field("", max_length=64, description="Its id; default: from the name.")
    description: Description = ""
    user_data_dir: Folder = ""
    proxy_server: Proxy = ""
    lang: Language = ""
    timezone: Zone = ""
    headless: Headless = True
    tags: Tags = Field([])
    custom_args: MoreArgs = Field([])


class UpdateProfile(Args):
    """Arguments of `update_profile`: what is left out does not change."""

    id: ProfileId
    name: Name = ""
    description: Description = ""
    user_data_dir: Folder = ""
    proxy_server: Proxy = ""
    lang: Language = ""
    timezone: Zone = ""
    headless: Headless = True
    tags: Tags = Field([])
    custom_args: MoreArgs = Field([])


class DeleteProfile(Args):
    """Arguments of `delete_profile`."""

    id: ProfileId
    force: bool = Field(False, description="Kill its browser first, if running.")
    delete_folder: bool = Field(False, description="Delete its browser's files too, with all logins.")


class Deleted(Result):
    """A deleted profile."""

    id: str = Field(description="Id of the deleted profile.")
    folder: str = Field(description="Its folder.")
    folder_deleted: bool = Field(description="Whether the folder was deleted too.")

    def __str__(self) -> str:
        outcome = "was deleted" if self.folder_deleted else "was kept"
        return f"Deleted profile {self.id}. {self.folder} {outcome}."


class ProfileOf(Args):
    """Arguments that name the profile of a browser."""

    profile_id: ProfileId


class RunningBrowser(Result):
    """The browser of a profile."""

    profile_id: str = Field(description="Id of its profile, and the name of its session.")
    name: str = Field(description="Name of its profile.")
    pid: int = Field(description="Its process id.")
    since: str = Field(description="When it was started.")
    tabs: int = Field(description="Number of open tabs.")

    def __str__(self) -> str:
        tabs = format_count(self.tabs, "tab")
        return f"{self.profile_id}: {self.name}; process {self.pid}; since {self.since}; {tabs}"


class LaunchedBrowser(RunningBrowser):
    """The browser of a profile, after a request to start it."""

    started: bool = Field(description="Whether this call started it.")
    note: str = Field("", description="What was restored, if anything.")

    def __str__(self) -> str:
        text = "Started" if self.started else "Already running"
        return "\n".join(filter(None, [f"{text}: {super().__str__()}", self.note]))


class RunningList(Result):
    """The running browsers of profiles."""

    browsers: list[RunningBrowser] = Field(description="The browsers, oldest first.")

    def __str__(self) -> str:
        return "\n".join(map(str, self.browsers)) or "No profile's browser is running."


class Killed(Result):
    """A browser that was killed."""

    profile_id: str = Field(description="Id of its profile.")
    pid: int = Field(description="Process id of the killed browser.")

    def __str__(self) -> str:
        return f"Killed the browser of profile {self.profile_id}, process {self.pid}; its files are saved."


@action(Effect.READ, does=("look",), group="Profiles", scope="admin")
async def list_profiles(caller: Caller, args: ListProfiles) -> ProfileList:
    """List the profiles: browser identities with their own cookies, storage and logins."""
    profiles = _profiles(caller)
    found = [one for one in profiles.file.all() if not args.tag or args.tag in one.tags]
    part = found[args.offset : args.offset + args.limit]
    more = max(0, len(found) - args.offset - len(part))
    shown = [_describe(profiles, one) for one in part]
    return ProfileList(profiles=shown, more=more, damaged=profiles.file.damaged())


@action(Effect.READ, does=("look",), group="Profiles", scope="admin")
async def get_profile(caller: Caller, args: OneProfile) -> ProfileShown:
    """Show the settings of a profile."""
    profiles = _profiles(caller)
    return _describe(profiles, profiles.file.get(args.id))


@action(Effect.ACT, does=("manage",), group="Profiles", scope="manage")
async def create_profile(caller: Caller, args: CreateProfile) -> ProfileShown:
    """Create a profile; calls with its id as the session then use its own browser."""
    profiles = _profiles(caller)
    return _describe(profiles, await anyio.to_thread.run_sync(profiles.file.create, _values(args)))


@action(Effect.ACT, does=("manage",), group="Profiles", scope="manage", idempotent=True)
async def update_profile(caller: Caller, args: UpdateProfile) -> ProfileShown:
    """Change given settings of a profile; a running browser gets them at its next start."""
    profiles, values = _profiles(caller), _values(args)
    del values["id"]
    if args.user_data_dir and args.user_data_dir == str(profiles.file.folder(profiles.file.get(args.id))):
        del values["user_data_dir"]
    return _describe(profiles, await anyio.to_thread.run_sync(profiles.file.update, args.id, values))


@action(Effect.DESTROY, does=("manage",), group="Profiles", scope="manage")
async def delete_profile(caller: Caller, args: DeleteProfile) -> Deleted:
    """Delete a profile, and with delete_folder its folder."""
    profiles = _profiles(caller)
    profile = profiles.file.get(args.id)
    folder = str(profiles.file.folder(profile))
    if args.delete_folder and not profiles.file.is_our_folder(profile):
        raise InvalidArgs(
            f"{folder} was not created by Tabwright.", hint="Leave out delete_folder; delete it by hand."
        )
    if profiles.running(args.id) is not None:
        if not args.force:
            raise Blocked(
                f"The browser of profile {args.id} is running.", hint="Kill it first, or use force."
            )
        await caller.sessions.close(caller.owner, args.id, graceful=False, trusted=True)
    await anyio.to_thread.run_sync(profiles.file.delete, args.id)
    await caller.sessions.forget_profile(args.id)
    if args.delete_folder:
        await profiles.remove_folder(profile)
    return Deleted(id=args.id, folder=folder, folder_deleted=args.delete_folder)


@action(Effect.ACT, does=("configure",), group="Profiles", scope="admin", idempotent=True, patient=True)
async def launch_browser(caller: Caller, args: ProfileOf) -> LaunchedBrowser:
    """Start the browser of a profile and restore its tabs, unless it is running already."""
    profiles = _profiles(caller)
    before = profiles.running(args.profile_id)
    session = await caller.sessions.launch(caller.owner, args.profile_id)
    running = profiles.running(args.profile_id)
    if running is None:
        raise Blocked(
            f"The browser of profile {args.profile_id} was stopped meanwhile.", hint="Launch it again."
        )
    started = before is None or before.browser is not running.browser
    return LaunchedBrowser(**_facts(running), started=started, note=session.take_note())


@action(Effect.DESTROY, does=("close",), group="Profiles", scope="admin")
async def kill_browser(caller: Caller, args: ProfileOf) -> Killed:
    """Kill the browser of a profile at once; cookies, storage and logins are kept."""
    running = _profiles(caller).running(args.profile_id)
    if running is None:
        _profiles(caller).file.get(args.profile_id)
        raise NotFound(
            f"The browser of profile {args.profile_id} is not running.", hint="There is nothing to kill."
        )
    await caller.sessions.close(caller.owner, args.profile_id, graceful=False, trusted=True)
    return Killed(profile_id=args.profile_id, pid=running.browser.pid or 0)


@action(Effect.READ, does=("look",), group="Profiles", scope="admin")
async def get_running_browsers(caller: Caller, args: Args) -> RunningList:
    """List the running browsers of profiles."""
    profiles = _profiles(caller)
    return RunningList(browsers=[RunningBrowser(**_facts(one)) for one in profiles])


def _profiles(caller: Caller) -> Profiles:
    if caller.sessions.profiles is None:
        raise NotFound("Profiles are not available.", hint="Use a hub with a state folder.")
    return caller.sessions.profiles


def _values(args: Args) -> dict[str, Any]:
    return {name: getattr(args, name) for name in type(args).model_fields if name in args.model_fields_set}


def _describe(profiles: Profiles, profile: Profile) -> ProfileShown:
    values = {
        **profile.model_dump(),
        "proxy_server": profile.shown_proxy,
        "user_data_dir": str(profiles.file.folder(profile)),
    }
    return ProfileShown(**values, running=profiles.running(profile.id) is not None)


def _facts(running: Running) -> dict[str, Any]:
    since = datetime.fromtimestamp(running.since, UTC).isoformat(timespec="seconds")
    return {
        "profile_id": running.profile_id,
        "name": running.name,
        "pid": running.browser.pid or 0,
        "since": since,
        "tabs": len(running.browser.default_context.tabs),
    }
