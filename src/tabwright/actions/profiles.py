"""Profiles: browser identities that keep cookies, storage and logins, and the browsers they run in."""

from datetime import UTC, datetime
from pathlib import Path
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
    str, Field(max_length=1_000, description="Folder of its browser's files; one is made when left out.")
]
Proxy = Annotated[
    str,
    Field(
        max_length=2_000,
        description="Proxy, such as http://user:password@host:3128 or socks5://host:1080; "
        "that of the settings when left out.",
    ),
]
Language = Annotated[str, Field(max_length=20, description="Language that pages see, such as pt-BR.")]
Zone = Annotated[str, Field(max_length=100, description="Time zone that pages see, such as Europe/Paris.")]
Headless = Annotated[bool, Field(description="Run without a window.")]
Tags = Annotated[list[str], Field(max_length=100, description="Words to find it by.")]
MoreArgs = Annotated[
    list[str], Field(max_length=100, description="More arguments of its browser, such as --mute-audio.")
]


class ProfileShown(Result):
    """One profile."""

    id: str = Field(description="Its id, and the name of its session.")
    name: str = Field(description="Its name.")
    description: str = Field(description="What it is for.")
    user_data_dir: str = Field(description="Folder of its browser's files.")
    proxy_server: str = Field(description="Its proxy, with the password masked.")
    lang: str = Field(description="Language that pages see; empty for that of the settings.")
    timezone: str = Field(description="Time zone that pages see; empty for that of the settings.")
    headless: bool = Field(description="Whether its browser runs without a window.")
    tags: list[str] = Field(description="Words to find it by.")
    custom_args: list[str] = Field(description="More arguments of its browser.")
    running: bool = Field(description="Whether its browser runs now.")

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
        told = "; ".join(filter(None, facts))
        return f"{self.id}{' (running)' if self.running else ''}: {self.name}; {told}"


class ProfileList(Result):
    """Profiles."""

    profiles: list[ProfileShown] = Field(description="The profiles, in the order of the file.")
    more: int = Field(0, description="How many there are beyond these.")
    damaged: list[str] = Field([], description="Which others in the file cannot be used, and why.")

    def __str__(self) -> str:
        more = [f"and {self.more} more: list them with an offset"] if self.more else []
        return "\n".join([*map(str, self.profiles), *more, *self.damaged]) or "There are no profiles."


class ListProfiles(Args):
    """Arguments of `list_profiles`."""

    tag: str = Field("", max_length=100, description="Only those with this tag.")
    limit: int = Field(50, ge=1, le=1_000, description="How many at most.")
    offset: int = Field(0, ge=0, description="How many to pass over first.")


class OneProfile(Args):
    """Arguments that name a profile."""

    id: ProfileId


class CreateProfile(Args):
    """Arguments of `create_profile`."""

    name: Name
    id: str = Field("", max_length=64, description="Its id; made of the name when left out.")
    description: Description = ""
    user_data_dir: Folder = ""
    proxy_server: Proxy = ""
    lang: Language = ""
    timezone: Zone = ""
    headless: Headless = True
    tags: Tags = Field([])
    custom_args: MoreArgs = Field([])


class UpdateProfile(Args):
    """Arguments of `update_profile`: what is left out stays as it is."""

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
    force: bool = Field(False, description="End its browser first, if it runs.")
    delete_folder: bool = Field(False, description="Delete its browser's files, too, with all logins.")


class Deleted(Result):
    """What was deleted."""

    id: str = Field(description="Id of the profile that is gone.")
    folder: str = Field(description="Its folder.")
    folder_deleted: bool = Field(description="Whether the folder is gone, too.")

    def __str__(self) -> str:
        return f"Deleted profile {self.id}. {self.folder} {'is gone' if self.folder_deleted else 'stays'}."


class ProfileOf(Args):
    """Arguments that name the profile of a browser."""

    profile_id: ProfileId


class RunningBrowser(Result):
    """The browser of a profile."""

    profile_id: str = Field(description="Id of its profile, and the name of its session.")
    name: str = Field(description="Name of its profile.")
    pid: int = Field(description="Number of its process.")
    since: str = Field(description="When it was started.")
    tabs: int = Field(description="How many tabs are open in it.")

    def __str__(self) -> str:
        tabs = format_count(self.tabs, "tab")
        return f"{self.profile_id}: {self.name}; process {self.pid}; since {self.since}; {tabs}"


class LaunchedBrowser(RunningBrowser):
    """The browser of a profile that was to be started."""

    started: bool = Field(description="Whether it did not run yet when it was asked for.")
    note: str = Field("", description="What came back from before, if anything did.")

    def __str__(self) -> str:
        told = "Started" if self.started else "Runs already"
        return "\n".join(filter(None, [f"{told}: {super().__str__()}", self.note]))


class RunningList(Result):
    """The browsers of profiles that run."""

    browsers: list[RunningBrowser] = Field(description="The browsers, oldest first.")

    def __str__(self) -> str:
        return "\n".join(map(str, self.browsers)) or "No profile's browser runs."


class Killed(Result):
    """A browser that was ended."""

    profile_id: str = Field(description="Id of its profile.")
    pid: int = Field(description="Number of the process that is gone.")

    def __str__(self) -> str:
        return f"Ended the browser of profile {self.profile_id}, process {self.pid}; its files are written."


@action(Effect.READ, group="Profiles", scope="admin")
async def list_profiles(caller: Caller, args: ListProfiles) -> ProfileList:
    """List the profiles: browser identities with cookies, storage and logins of their own."""
    profiles = _profiles(caller)
    found = [one for one in profiles.file.all() if not args.tag or args.tag in one.tags]
    part = found[args.offset : args.offset + args.limit]
    more = max(0, len(found) - args.offset - len(part))
    shown = [_shown(profiles, one) for one in part]
    return ProfileList(profiles=shown, more=more, damaged=profiles.file.damaged())


@action(Effect.READ, group="Profiles", scope="admin")
async def get_profile(caller: Caller, args: OneProfile) -> ProfileShown:
    """Tell the settings of a profile."""
    profiles = _profiles(caller)
    return _shown(profiles, profiles.file.get(args.id))


@action(Effect.ACT, group="Profiles", scope="admin")
async def create_profile(caller: Caller, args: CreateProfile) -> ProfileShown:
    """Create a profile; any call with its id as the session then works in its own browser."""
    profiles, values = _profiles(caller), _values(args)
    if args.user_data_dir:
        values["user_data_dir"] = _folder(caller, args.user_data_dir)
    return _shown(profiles, await anyio.to_thread.run_sync(profiles.file.create, values))


@action(Effect.ACT, group="Profiles", scope="admin", idempotent=True)
async def update_profile(caller: Caller, args: UpdateProfile) -> ProfileShown:
    """Change what is given of a profile; a browser that runs has it from its next start."""
    profiles, values = _profiles(caller), _values(args)
    del values["id"]
    if args.user_data_dir and args.user_data_dir == str(profiles.file.folder(profiles.file.get(args.id))):
        del values["user_data_dir"]
    elif args.user_data_dir:
        values["user_data_dir"] = _folder(caller, args.user_data_dir)
    return _shown(profiles, await anyio.to_thread.run_sync(profiles.file.update, args.id, values))


@action(Effect.DESTROY, group="Profiles", scope="admin")
async def delete_profile(caller: Caller, args: DeleteProfile) -> Deleted:
    """Delete a profile; its folder stays unless told otherwise."""
    profiles = _profiles(caller)
    profile = profiles.file.get(args.id)
    folder = str(profiles.file.folder(profile))
    if args.delete_folder and not profiles.file.is_made_here(profile):
        raise InvalidArgs(f"{folder} was not made here.", hint="Leave out delete_folder; delete it by hand.")
    if profiles.running(args.id) is not None:
        if not args.force:
            raise Blocked(f"The browser of profile {args.id} runs.", hint="Kill it first, or use force.")
        await caller.sessions.close(caller.owner, args.id, graceful=False, trusted=True)
    await anyio.to_thread.run_sync(profiles.file.delete, args.id)
    await caller.sessions.forget_profile(args.id)
    if args.delete_folder:
        await profiles.remove_folder(profile)
    return Deleted(id=args.id, folder=folder, folder_deleted=args.delete_folder)


@action(Effect.ACT, group="Profiles", scope="admin", idempotent=True, patient=True)
async def launch_browser(caller: Caller, args: ProfileOf) -> LaunchedBrowser:
    """Start the browser of a profile, or find the one that runs; its tabs are back where they were."""
    profiles = _profiles(caller)
    before = profiles.running(args.profile_id)
    session = await caller.sessions.launch(caller.owner, args.profile_id)
    running = profiles.running(args.profile_id)
    if running is None:
        raise Blocked(
            f"The browser of profile {args.profile_id} was ended meanwhile.", hint="Launch it again."
        )
    started = before is None or before.browser is not running.browser
    return LaunchedBrowser(**_facts(running), started=started, note=session.told())


@action(Effect.DESTROY, group="Profiles", scope="admin")
async def kill_browser(caller: Caller, args: ProfileOf) -> Killed:
    """End the browser of a profile at once, whatever it is at; cookies, storage and logins stay."""
    running = _profiles(caller).running(args.profile_id)
    if running is None:
        _profiles(caller).file.get(args.profile_id)
        raise NotFound(f"The browser of profile {args.profile_id} does not run.", hint="Nothing is to end.")
    await caller.sessions.close(caller.owner, args.profile_id, graceful=False, trusted=True)
    return Killed(profile_id=args.profile_id, pid=running.browser.pid or 0)


@action(Effect.READ, group="Profiles", scope="admin")
async def get_running_browsers(caller: Caller, args: Args) -> RunningList:
    """List the browsers of profiles that run."""
    profiles = _profiles(caller)
    return RunningList(browsers=[RunningBrowser(**_facts(one)) for one in profiles])


def _profiles(caller: Caller) -> Profiles:
    if caller.sessions.profiles is None:
        raise NotFound("There are no profiles here.", hint="Use a hub that has a home.")
    return caller.sessions.profiles


def _values(args: Args) -> dict[str, Any]:
    return {name: getattr(args, name) for name in type(args).model_fields if name in args.model_fields_set}


def _folder(caller: Caller, given: str) -> str:
    """Refuse a folder with files in it that the caller may not use: another browser's logins, say."""
    path = Path(given).expanduser()
    if path.is_absolute() and path.exists() and (not path.is_dir() or any(path.iterdir())):
        return caller.folder(str(path))
    return str(path)


def _shown(profiles: Profiles, profile: Profile) -> ProfileShown:
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
