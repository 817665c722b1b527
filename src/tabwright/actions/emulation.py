"""Emulating a screen, device, location, time zone, language or network."""

from typing import Literal

from pydantic import Field

from tabwright.action import Args, Effect, action
from tabwright.browser.network.throttle import preset
from tabwright.browser.tab import Tab
from tabwright.errors import InvalidArgs
from tabwright.results import Done
from tabwright.sessions.session import Session


class Emulate(Args):
    """Arguments of `emulate`. Only what is given changes."""

    device: str | None = Field(
        None, min_length=1, max_length=100, description="A device by name, such as iPhone 16."
    )
    width: int | None = Field(None, ge=1, le=10_000, description="Width of the viewport in CSS pixels.")
    height: int | None = Field(None, ge=1, le=10_000, description="Height of the viewport in CSS pixels.")
    scale: float | None = Field(
        None, ge=0.1, le=10, description="Device pixels per CSS pixel; with width and height."
    )
    mobile: bool | None = Field(None, description="Use mobile layout; with width and height.")
    latitude: float | None = Field(None, ge=-90, le=90, description="Of the location.")
    longitude: float | None = Field(None, ge=-180, le=180, description="Of the location.")
    accuracy: float | None = Field(
        None, ge=0, le=10_000_000, description="Accuracy of the location in metres."
    )
    timezone: str | None = Field(
        None, min_length=1, max_length=100, description="Time zone, such as Europe/Paris."
    )
    locale: str | None = Field(None, min_length=1, max_length=50, description="Language, such as fr-FR.")
    user_agent: str | None = Field(None, min_length=1, max_length=1_000, description="User agent string.")
    colour_scheme: Literal["light", "dark"] | None = Field(None, description="Preferred colour scheme.")
    reduced_motion: bool | None = Field(None, description="Prefer reduced motion.")
    touch: bool | None = Field(None, description="Whether there is a touch screen.")
    network: str | None = Field(
        None, min_length=1, max_length=20, description="Speed: slow-3g, 3g, 4g, dsl or none."
    )
    cpu_slowdown: float | None = Field(None, ge=1, le=100, description="Factor by which the CPU is slower.")


class SetPermission(Args):
    """Arguments of `set_permission`."""

    names: list[str] = Field(
        min_length=1, max_length=50, description="Permissions: geolocation, notifications, camera …"
    )
    grant: bool = Field(True, description="Grant them; false denies.")
    origin: str | None = Field(None, min_length=1, max_length=2_000, description="Only for this origin.")


@action(Effect.ACT, does=("configure",), group="Emulation", observed=False, idempotent=True)
async def emulate(tab: Tab, args: Emulate) -> Done:
    """Emulate a device, screen, location, time zone, language, colour scheme or network."""
    await _set_screen(tab, args)
    await _set_location(tab, args)
    if args.colour_scheme or args.reduced_motion is not None:
        motion: Literal["reduce", "no-preference"] | None = None
        if args.reduced_motion is not None:
            motion = "reduce" if args.reduced_motion else "no-preference"
        await tab.emulation.set_media(colour_scheme=args.colour_scheme, motion=motion)
    if args.network is not None:
        await tab.throttle.set(preset(args.network))
    if args.cpu_slowdown is not None:
        await tab.emulation.throttle_cpu(args.cpu_slowdown)
    given = ", ".join(args.model_dump(exclude_none=True)) or "nothing"
    return Done(deed="Emulating", target=given)


@action(Effect.ACT, does=("configure",), group="Emulation", observed=False, idempotent=True)
async def reset_emulation(tab: Tab, args: Args) -> Done:
    """Stop all emulation in the tab."""
    await tab.emulation.reset()
    await tab.throttle.set(preset("none"))
    return Done(deed="Stopped", target="all emulation")


@action(Effect.ACT, does=("configure",), group="Emulation", idempotent=True)
async def set_permission(session: Session, args: SetPermission) -> Done:
    """Grant or deny permissions to sites."""
    permissions = session.context.permissions
    change = permissions.grant if args.grant else permissions.deny
    await change(*args.names, origin=args.origin)
    return Done(deed="Granted" if args.grant else "Denied", target=", ".join(args.names))


async def _set_screen(tab: Tab, args: Emulate) -> None:
    if args.device is not None:
        await tab.emulation.set_device(args.device)
    screen = (args.width, args.height, args.scale, args.mobile)
    if (args.width is None) != (args.height is None) or (args.width is None and screen != (None,) * 4):
        raise InvalidArgs("width and height belong together.", hint="Give both.")
    if args.width is not None and args.height is not None:
        await tab.emulation.set_viewport(
            args.width, args.height, scale=args.scale or 1.0, mobile=bool(args.mobile)
        )
    if args.touch is not None:
        await tab.emulation.set_touch(args.touch)


async def _set_location(tab: Tab, args: Emulate) -> None:
    incomplete = args.latitude is None and args.accuracy is not None
    if incomplete or (args.latitude is None) != (args.longitude is None):
        raise InvalidArgs("latitude and longitude belong together.", hint="Give both.")
    if args.latitude is not None and args.longitude is not None:
        accuracy = 10.0 if args.accuracy is None else args.accuracy
        await tab.emulation.set_geolocation(args.latitude, args.longitude, accuracy=accuracy)
    if args.timezone is not None:
        await tab.emulation.set_timezone(args.timezone)
    if args.locale is not None:
        await tab.emulation.set_locale(args.locale)
    if args.user_agent is not None:
        await tab.emulation.set_user_agent(args.user_agent)
