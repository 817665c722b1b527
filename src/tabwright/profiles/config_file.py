"""The profiles in the settings file: read when it has changed, written atomically, one writer at a time."""

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from tabwright.errors import Blocked, Denied, InvalidArgs, NotFound
from tabwright.private_files import one_writer, write_private
from tabwright.profiles.caller_limits import CallerLimits
from tabwright.profiles.profile import Profile, id_for
from tabwright.profiles.toml_edit import ProfilesText
from tabwright.proxy_url import has_masked_password
from tabwright.text import cut

_MAX_PROFILES = 1_000
_MAX_MESSAGE = 500
# Profiles that an error names.
_MAX_NAMED = 20

Values = Mapping[str, Any]


class ProfileFile:
    """The `[[profiles]]` tables of a file; `folders` has the folders of profiles that name none.

    Callers may use the proxies that match one of `proxies`.
    """

    def __init__(self, file: Path, folders: Path, proxies: Sequence[str] = ()) -> None:
        self._file = file
        self._folders = folders
        self._limits = CallerLimits(folders, proxies)
        self._seen: tuple[int, int, int] | None = None
        self._tables: list[dict[str, Any]] = []

    def __contains__(self, profile_id: object) -> bool:
        try:
            return any(table.get("id") == profile_id for table in self._read())
        except Denied:
            return False  # reported when a profile is used

    def all(self) -> list[Profile]:
        """Return all valid profiles.

        Raises:
            Denied: the file cannot be read.
        """
        return [one for one in self._each() if isinstance(one, Profile)]

    def damaged(self) -> list[str]:
        """Return a message for each invalid profile."""
        return [cut(one.message, _MAX_MESSAGE) for one in self._each() if isinstance(one, InvalidArgs)]

    def get(self, profile_id: str) -> Profile:
        """Return one profile.

        Raises:
            NotFound: there is no such profile.
            InvalidArgs: it is invalid.
        """
        return self._profile(self._read()[self._number(profile_id, self._read())])

    def unknown(self, profile_id: str) -> NotFound:
        """Return the error for an id that names no profile, with the nearest one."""
        return _unknown(profile_id, self._read())

    def folder(self, profile: Profile) -> Path:
        """Return the folder of a profile."""
        return self._folder_of(profile.user_data_dir, profile.id)

    def _folder_of(self, named: str, profile_id: str) -> Path:
        """Return the folder that a profile names, anchored at the settings file, or its own."""
        return self._file.parent / Path(named).expanduser() if named else self._folders / profile_id

    def is_our_folder(self, profile: Profile) -> bool:
        """Whether its folder is one that we created."""
        return self.folder(profile).resolve() == (self._folders / profile.id).resolve()

    def create(self, values: Values) -> Profile:
        """Add a profile; without an id, it gets one derived from its name.

        Raises:
            Denied: only the user may set one of the values, in the file.
        """

        def change(text: ProfilesText) -> str:
            taken = {str(table.get("id")) for table in text.tables}
            given = values.get("id") or id_for(str(values.get("name", "")), taken)
            if given in taken:
                raise InvalidArgs(f"The profile {given} already exists.", hint="Choose another id.")
            if len(taken) >= _MAX_PROFILES:
                raise Blocked(
                    f"There are {_MAX_PROFILES} profiles, which is the maximum.", hint="Delete one first."
                )
            table = {"id": given, **{key: value for key, value in values.items() if key != "id"}}
            self._check(Profile.read(table), text.tables)
            self._limits.check(values)
            created.append(given)
            return text.add({key: value for key, value in table.items() if value not in ("", [])})

        created: list[str] = []
        self._change(change)
        return self.get(created[0])

    def update(self, profile_id: str, values: Values) -> Profile:
        """Change some values of a profile; a proxy with a masked password stays as it is.

        Raises:
            Denied: only the user may set one of the new values, in the file.
        """

        def change(text: ProfilesText) -> str:
            number = self._number(profile_id, text.tables)
            table = text.tables[number]
            given = {key: value for key, value in values.items() if table.get(key) != value}
            if has_masked_password(proxy := str(given.get("proxy_server", ""))):
                if proxy != self._profile(table).shown_proxy:
                    raise InvalidArgs(
                        "The password of the new proxy is missing.", hint="Give proxy_server with it."
                    )
                del given["proxy_server"]
            others = [other for other in text.tables if other is not table]
            self._check(Profile.read({**table, **given}), others)
            self._limits.check(given)
            return text.change(
                number, {key: None if value in ("", []) else value for key, value in given.items()}
            )

        self._change(change)
        return self.get(profile_id)

    def delete(self, profile_id: str) -> None:
        """Remove a profile from the file; its folder stays."""
        self._change(lambda text: text.remove(self._number(profile_id, text.tables)))

    def _check(self, profile: Profile, others: list[dict[str, Any]]) -> None:
        """Refuse the folder of another profile."""
        wanted = self.folder(profile).resolve()
        for table in others:
            other = self._folder_of(str(table.get("user_data_dir") or ""), str(table.get("id")))
            if other.resolve() == wanted:
                raise InvalidArgs(
                    f"The profile {table.get('id')} already uses the folder {wanted}.",
                    hint="Choose another folder.",
                )

    def _number(self, profile_id: str, tables: list[dict[str, Any]]) -> int:
        for number, table in enumerate(tables):
            if table.get("id") == profile_id:
                return number
        raise _unknown(profile_id, tables)

    def _each(self) -> Iterator[Profile | InvalidArgs]:
        for table in self._read():
            try:
                yield self._profile(table)
            except InvalidArgs as error:
                yield error

    def _profile(self, table: dict[str, Any]) -> Profile:
        try:
            return Profile.read(table)
        except InvalidArgs as error:
            named = cut(repr(table.get("id")), 100)
            message = f"The profile {named} in {self._file} is invalid: {error.message}"
            raise InvalidArgs(message, hint="Correct it there, or with update_profile.") from None

    def _read(self) -> list[dict[str, Any]]:
        """Return the tables; the file is read again when it has changed."""
        try:
            facts = self._file.stat()
        except OSError:
            return []
        now = (facts.st_mtime_ns, facts.st_size, facts.st_ino)
        if now != self._seen:
            self._tables = self._text().tables
            self._seen = now
        return self._tables

    def _text(self) -> ProfilesText:
        try:
            return ProfilesText(self._file.read_bytes().decode())
        except FileNotFoundError:
            return ProfilesText("")
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
            raise Denied(f"{self._file} cannot be read: {error}.", hint="Mend it.") from error

    def _change(self, change: Callable[[ProfilesText], str]) -> None:
        """Write the file anew, while nobody else does."""
        file = self._file.resolve()  # a link to it stays one
        try:
            with one_writer(file):
                for half in file.parent.glob(f".{file.name}.*.part"):  # of a writer that was killed
                    half.unlink(missing_ok=True)
                write_private(file, change(self._text()).encode())
        except OSError as error:
            raise Denied(f"{file} cannot be written: {error.strerror}.", hint="Mend that first.") from error


def _unknown(profile_id: str, tables: Sequence[Mapping[str, Any]]) -> NotFound:
    """Return the error for an id that names no profile: it may be misspelt, or be a profile's name."""
    ids = [str(table.get("id")) for table in tables]
    meant = {str(table.get("name", "")).casefold(): str(table.get("id")) for table in tables}
    meant |= {known: known for known in ids}
    near = get_close_matches(profile_id.casefold(), meant, n=1)
    if near:
        others = f"did you mean {meant[near[0]]}?"
    else:
        others = f"there are: {', '.join(ids[:_MAX_NAMED]) or 'none'}."
    return NotFound(f"There is no profile {profile_id}; {others}", hint="List the profiles, then choose one.")
