"""Profiles in the settings file: which values are valid, and what a change leaves untouched."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tabwright.errors import Denied, InvalidArgs, NotFound
from tabwright.profiles.caller_limits import CallerLimits
from tabwright.profiles.config_file import ProfileFile
from tabwright.profiles.profile import Profile
from tabwright.profiles.toml_edit import ProfilesText

WRITTEN = '''# My settings.
headless = true   # no window

# About the shop:
[[profiles]]
id = "shop"   # never change
name = "Shop"
# where we are
lang = "fr"
colour = "green"
tags = [
  "eu",  # first
  "vat",
]

# About sessions, not about the shop.
[sessions]
max_concurrent = 3

# Another one:
[[profiles]]
id = "bank"
note = """
[[profiles]]
# no comment"""

[profiles.mine]
deep = {a = 1}
# the end
'''


@pytest.fixture
def file(tmp_path: Path) -> ProfileFile:
    (tmp_path / "tabwright.toml").write_text(WRITTEN)
    return ProfileFile(tmp_path / "tabwright.toml", tmp_path / "profiles", ["*"])


def text(tmp_path: Path) -> str:
    return (tmp_path / "tabwright.toml").read_text()


def test_a_change_touches_only_its_own_lines(file: ProfileFile, tmp_path: Path) -> None:
    changed = file.update("shop", {"lang": "pt-BR", "headless": False, "tags": ["eu"]})
    assert (changed.lang, changed.headless, changed.tags) == ("pt-BR", False, ("eu",))
    expected = WRITTEN.replace('lang = "fr"', 'lang = "pt-BR"').replace(
        'tags = [\n  "eu",  # first\n  "vat",\n]\n', 'tags = ["eu"]\nheadless = false\n'
    )
    assert text(tmp_path) == expected
    assert (tmp_path / "tabwright.toml").stat().st_mode & 0o777 == 0o600


def test_an_emptied_value_is_removed_and_the_others_stay(file: ProfileFile, tmp_path: Path) -> None:
    file.update("shop", {"lang": "", "name": "Shop"})
    assert text(tmp_path) == WRITTEN.replace('lang = "fr"\n', "")
    assert file.get("shop") == Profile(id="shop", name="Shop", tags=("eu", "vat"))


def test_deleting_a_profile_leaves_the_comments_around_it(file: ProfileFile, tmp_path: Path) -> None:
    file.delete("bank")
    start, end = WRITTEN.index('[[profiles]]\nid = "bank"'), WRITTEN.index("# the end")
    assert text(tmp_path) == WRITTEN[:start] + "\n" + WRITTEN[end:]
    file.delete("shop")
    assert tomllib.loads(text(tmp_path)) == {"headless": True, "sessions": {"max_concurrent": 3}}
    for comment in ("# My", "# no window", "# About the shop:", "# About sessions", "# Another", "# the end"):
        assert comment in text(tmp_path)


def test_ids_are_derived_from_names_and_unique(file: ProfileFile) -> None:
    names = ["Ünïted Státes!", "united states", "日本", "default", "Auto-Haus", "shop"]
    made = [file.create({"name": name}).id for name in names]
    assert made == ["united-states", "united-states-2", "profile", "default-2", "p2-auto-haus", "shop-2"]
    assert [profile.id for profile in file.all()] == ["shop", "bank", *made]
    with pytest.raises(InvalidArgs, match="The profile shop already exists"):
        file.create({"name": "Shop", "id": "shop"})
    with pytest.raises(NotFound, match="There is no profile none; there are: shop, bank, united-states"):
        file.get("none")


@pytest.mark.parametrize(
    ("values", "fault"),
    [
        ({"timezone": "Mars/Olympus"}, "timezone: unknown time zone 'Mars/Olympus'; use one such as Europe/Paris."),
        ({"timezone": "../etc/passwd"}, "timezone: unknown time zone '../etc/passwd'; use one such as Europe/Paris."),
        ({"lang": "french!"}, "lang: unknown language 'french!'; use one such as fr or pt-BR."),
        ({"proxy_server": "ftp://u:secret@h"}, "proxy_server: it is not the URL of a proxy."),
        ({"proxy_server": "http://u:•••@h"}, "The password of the new proxy is missing."),
        ({"custom_args": ["--remote-debugging-port=1"]}, "custom_args: --remote-debugging-port is not allowed here."),
        ({"custom_args": ["--no-proxy-server"]}, "custom_args: --no-proxy-server is not allowed here."),
        ({"custom_args": ["rm"]}, "custom_args: 'rm' is not a browser argument."),
        ({"name": ""}, "name: String should have at least 1 character."),
    ],
)  # fmt: skip
def test_an_invalid_value_is_refused_and_nothing_is_written(
    file: ProfileFile, tmp_path: Path, values: dict[str, Any], fault: str
) -> None:
    with pytest.raises(InvalidArgs) as refused:
        file.update("shop", values)
    assert refused.value.message == fault
    assert text(tmp_path) == WRITTEN


def test_folders_in_the_file_begin_at_the_home_folder_or_at_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    (tmp_path / "tabwright.toml").write_text(
        "".join(
            f'[[profiles]]\nid = "{name}"\nuser_data_dir = "{folder}"\n'
            for name, folder in (("a", "chrome/a"), ("b", "~/b"), ("c", "/srv/c"))
        )
    )
    file = ProfileFile(tmp_path / "tabwright.toml", tmp_path / "profiles")
    assert [file.folder(profile) for profile in file.all()] == [
        tmp_path / "chrome/a",
        Path("/home/ada/b"),
        Path("/srv/c"),
    ]
    with pytest.raises(Denied, match="chrome/d is not in"):
        file.create({"name": "Other", "user_data_dir": "chrome/d"})


@pytest.mark.parametrize("bad", ["UPPER", "-a", "a b", "", "default", "auto-1", "x" * 65, "ä"])
def test_an_invalid_id_is_refused(bad: str) -> None:
    with pytest.raises(InvalidArgs):
        Profile.read({"id": bad, "name": "A"})


def test_two_profiles_never_share_a_folder(file: ProfileFile, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "profiles")
    for folder in (
        tmp_path / "profiles" / "shop",
        tmp_path / "link" / "shop",
        tmp_path / "a" / ".." / "profiles/shop",
    ):
        with pytest.raises(InvalidArgs, match="The profile shop already uses the folder"):
            file.create({"name": "Other", "user_data_dir": str(folder)})
    own = file.create({"name": "Own", "user_data_dir": str(tmp_path / "profiles" / "mine")})
    assert (file.folder(own), file.is_our_folder(own)) == (tmp_path / "profiles" / "mine", False)
    assert file.is_our_folder(file.get("shop"))


@pytest.mark.parametrize(
    "args",
    [
        ["--mute-audio", "--window-size=800,600", "--window-position=0,0", "--start-maximized"],
        ["--force-device-scale-factor=1.5", "--touch-events=enabled", "--font-render-hinting=none"],
    ],
)
def test_a_caller_may_set_harmless_browser_arguments(file: ProfileFile, args: list[str]) -> None:
    assert file.create({"name": "A", "custom_args": args}).custom_args == tuple(args)


DANGEROUS = [
    "--js-flags=--logfile=/home/me/.profile", "--ssl-key-log-file=/tmp/keys", "--disk-cache-dir=/etc",
    "--disable-extensions-except=/tmp/ext", "--LOAD-EXTENSION=/tmp/ext", "--enable-logging", "--v=1",
    "--disable-web-security", "--no-sandbox", "--single-process", "--unsafely-treat-insecure-origin-as-secure=http://a",
    "--window-size=1,2 --load-extension=/x", "--mute-audio=1", "--window-size", "--mute-audio\n--no-sandbox",
    "--touch-events=enabled,--x", "--force-device-scale-factor=1e9", "--autoplay-policy=",
]  # fmt: skip


@pytest.mark.parametrize("arg", DANGEROUS)
def test_a_caller_may_not_set_other_browser_arguments(file: ProfileFile, tmp_path: Path, arg: str) -> None:
    with pytest.raises((Denied, InvalidArgs)):
        file.create({"name": "A", "custom_args": [arg]})
    with pytest.raises((Denied, InvalidArgs)):
        file.update("shop", {"custom_args": ["--mute-audio", arg]})
    assert text(tmp_path) == WRITTEN


HARMLESS = re.compile(
    r"--(mute-audio|hide-scrollbars|start-(fullscreen|maximized)|force-dark-mode|disable-notifications"
    r"|disable-smooth-scrolling|force-prefers-reduced-motion|use-fake-device-for-media-stream"
    r"|window-(size|position)=\d+,\d+|touch-events=(en|dis)abled|font-render-hinting=[a-z]+"
    r"|force-device-scale-factor=[\d.]+|autoplay-policy=[a-z-]+)"
)
SWITCHES = st.one_of(
    st.from_regex(r"--[a-z-]{1,30}(=[ -~]{0,20})?", fullmatch=True),
    st.from_regex(r"--(mute-audio|window-size|touch-events|autoplay-policy)[ -~]{0,20}", fullmatch=True),
)


@settings(max_examples=500, deadline=None)
@given(switch=SWITCHES)
def test_no_generated_argument_but_a_harmless_one_passes(switch: str) -> None:
    try:
        CallerLimits(Path("/profiles")).check({"custom_args": [switch]})
    except Denied:
        return
    assert HARMLESS.fullmatch(switch)


@pytest.mark.parametrize(
    "folder",
    ["/etc", "{home}", "{home}/profiles", "{home}/profiles/../other", "{home}/link/x", "~/.config/chromium"],
)
def test_the_folder_of_a_callers_profile_lies_among_the_profiles(
    file: ProfileFile, tmp_path: Path, folder: str
) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "outside")
    with pytest.raises(Denied, match="is not in "):
        file.create({"name": "A", "user_data_dir": folder.format(home=tmp_path)})


def test_a_caller_may_use_only_a_proxy_that_the_user_allowed(tmp_path: Path) -> None:
    file = ProfileFile(
        tmp_path / "tabwright.toml", tmp_path / "profiles", ["proxy.example:3128", "*.corp:8080"]
    )
    for proxy in ("http://me:secret@proxy.example:3128", "socks5://a.corp:8080", "http://PROXY.example:3128"):
        assert file.create({"name": "A", "proxy_server": proxy}).proxy_server == proxy
    for proxy in (
        "http://proxy.example:3129",
        "http://proxy.example:3128@evil.example",
        "http://evil.example:8080",
    ):
        with pytest.raises(Denied) as refused:
            file.create({"name": "B", "proxy_server": proxy})
        assert "is not in security.allowed_proxies." in refused.value.message
        assert "secret" not in str(refused.value)


def test_what_the_user_wrote_into_the_file_is_used_and_stays(tmp_path: Path) -> None:
    path = tmp_path / "tabwright.toml"
    path.write_text(
        '[[profiles]]\nid = "own"\ncustom_args = ["--no-pings"]\nproxy_server = "http://p.example:1"\n'
        'user_data_dir = "/srv/chrome"\n'
    )
    file = ProfileFile(path, tmp_path / "profiles")
    own = file.update("own", {"lang": "fr", "custom_args": ["--no-pings"], "user_data_dir": "/srv/chrome"})
    assert (own.lang, own.custom_args, file.folder(own)) == ("fr", ("--no-pings",), Path("/srv/chrome"))
    with pytest.raises(Denied, match="Callers may not set --no-pings"):
        file.update("own", {"custom_args": ["--no-pings", "--mute-audio"]})


def test_a_password_is_masked_and_a_masked_one_changes_nothing(file: ProfileFile, tmp_path: Path) -> None:
    file.update("shop", {"proxy_server": "http://me:p%40ss@proxy.example:3128"})
    assert file.get("shop").shown_proxy == "http://me:•••@proxy.example:3128"
    file.update("shop", {"proxy_server": "http://me:•••@proxy.example:3128", "lang": "de"})
    assert file.get("shop").proxy_server == "http://me:p%40ss@proxy.example:3128"
    with pytest.raises(InvalidArgs, match="The password of the new proxy is missing"):
        file.update("shop", {"proxy_server": "http://me:•••@evil.example:3128"})


def test_an_invalid_file_is_reported_and_not_changed(file: ProfileFile, tmp_path: Path) -> None:
    path = tmp_path / "tabwright.toml"
    path.write_text('[[profiles]]\nid = "good"\n[[profiles]]\nid = "bad"\nheadless = "maybe"\n')
    assert file.get("good").name == "good"
    assert "bad" in file
    with pytest.raises(InvalidArgs, match=r"The profile 'bad' in .*tabwright.toml is invalid: headless: "):
        file.get("bad")
    assert file.update("bad", {"headless": True}).headless
    for broken, kind in (("[[profiles]\n", Denied), ('profiles = [{id = "a"}]\n', InvalidArgs)):
        path.write_text(broken)
        with pytest.raises(kind):
            file.create({"name": "New"})
        assert path.read_text() == broken


def test_a_link_to_the_file_stays_and_leftover_files_are_deleted(tmp_path: Path) -> None:
    (tmp_path / "dotfiles").mkdir()
    (tmp_path / "tabwright.toml").symlink_to(tmp_path / "dotfiles" / "tw.toml")
    (tmp_path / "dotfiles" / ".tw.toml.12ab.part").write_text("half")
    file = ProfileFile(tmp_path / "tabwright.toml", tmp_path / "profiles")
    file.create({"name": "A"})
    assert (tmp_path / "tabwright.toml").is_symlink()
    assert sorted(path.name for path in (tmp_path / "dotfiles").iterdir()) == [".tw.toml.lock", "tw.toml"]


WORDS = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=20)
NAMES = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=20)
VALUES = st.fixed_dictionaries(
    {},
    optional={
        "name": NAMES,
        "description": WORDS,
        "lang": st.sampled_from(["", "fr", "pt-BR"]),
        "headless": st.booleans(),
        "tags": st.lists(WORDS, max_size=3),
        "custom_args": st.lists(st.just("--mute-audio"), max_size=2),
    },
)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("create"), st.just(0), VALUES),
        st.tuples(st.just("update"), st.integers(0, 4), VALUES),
        st.tuples(st.just("delete"), st.integers(0, 4), st.just({})),
    ),
    max_size=8,
)
# Plain comments, comments that look like TOML, and tables that are not ours.
FOREIGN = st.lists(
    st.sampled_from([
        "# plain\n", "\n", "# [[profiles]]\n", '[a."b.c"]\nx = [1, # one\n  2]\n', "[[list]]\ny = '''\n[[profiles]]\n'''\n",
        '[[profiles]]\nid = "p1"\nname = "One"\nkept = { z = "# no" }  # yes\n', '[[profiles]]\nid="p2"\n# inside\nname="Two"\n',
        '[[ "profiles" ]]\nid = "p3"\n[profiles.sub]\nq = 1 # sub\n', "[list2]\r\nw = 1\r\n",
    ]),
    max_size=9,
    unique=True,
)  # fmt: skip


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pieces=FOREIGN, steps=STEPS)
def test_comments_and_foreign_tables_survive_every_change(
    tmp_path: Path, pieces: list[str], steps: list[tuple[str, int, dict[str, Any]]]
) -> None:
    path = tmp_path / "tabwright.toml"
    path.write_bytes("".join(pieces).encode())
    file = ProfileFile(path, tmp_path / "profiles")
    known = [str(table["id"]) for table in ProfilesText(path.read_bytes().decode()).tables]
    model: dict[str, dict[str, Any]] = {one: {} for one in known}
    for change, which, values in steps:
        if change == "create":
            made = file.create({"name": "New", **values}).id
            known.append(made)
            model[made] = {"name": "New", **values}
        elif known and change == "update":
            file.update(known[which % len(known)], values)
            model[known[which % len(known)]] |= values
        elif known:
            file.delete(gone := known.pop(which % len(known)))
            del model[gone]
    now = path.read_bytes().decode()
    outside = [
        piece for piece in pieces if "profiles" not in piece.partition("\n")[0].replace("# [[profiles]]", "")
    ]
    for piece in outside:
        assert piece in now
    assert [profile.id for profile in file.all()] == known
    for one, values in model.items():
        profile = file.get(one).model_dump()
        assert {
            key: list(profile[key]) if isinstance(value, list) else profile[key]
            for key, value in values.items()
        } == values
    left = {one for one in ("p1", "p2", "p3") if one in known}
    assert ('kept = { z = "# no" }  # yes' in now) == ("p1" in left)
    assert ("# inside" in now) == ("p2" in left)
    assert ("q = 1 # sub" in now) == ("p3" in left)
