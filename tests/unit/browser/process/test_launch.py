"""The command line of a browser."""

import os
from pathlib import Path

import pytest

from tabwright.browser.process.launch import LaunchOptions, command_line, needs_sandbox_off, program
from tabwright.errors import InvalidArgs


def line(**options: object) -> list[str]:
    return command_line(Path("/bin/chrome"), Path("/profile"), LaunchOptions(**options))  # type: ignore[arg-type]


def test_a_browser_runs_on_a_pipe_with_its_own_profile() -> None:
    assert line()[:3] == ["/bin/chrome", "--remote-debugging-pipe", "--user-data-dir=/profile"]


def test_a_browser_has_no_window_unless_asked_for() -> None:
    assert "--headless=new" in line()
    assert not any(argument.startswith("--headless") for argument in line(headless=False))


def test_a_headless_shell_keeps_sites_apart_as_chrome_does() -> None:
    shell = command_line(Path("/bin/chrome-headless-shell"), Path("/profile"), LaunchOptions())
    assert "--site-per-process" in shell
    assert "--headless=new" not in shell


@pytest.mark.parametrize(
    ("options", "taken"),
    [
        ({}, "chrome-headless-shell"),
        ({"shell": False}, "chromium"),
        ({"headless": False}, "chromium"),
        ({"profile": Path("/profile")}, "chromium"),
        ({"executable": Path("brave")}, "brave"),
    ],
)
def test_the_headless_shell_is_taken_where_it_does_what_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: dict[str, object], taken: str
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in ("chrome-headless-shell", "chromium", "brave"):
        (tmp_path / name).write_text("#!/bin/sh")
        (tmp_path / name).chmod(0o755)
    assert program(LaunchOptions(**options)) == tmp_path / taken  # type: ignore[arg-type]


def test_popups_stay_blocked_and_the_web_stays_as_secure_as_it_is() -> None:
    weakening = ("--disable-popup-blocking", "--disable-web-security", "--ignore-certificate-errors")
    assert not set(weakening) & set(line())


@pytest.mark.parametrize(
    ("user", "marker", "off"),
    [
        (1000, "", False),
        (0, "", True),
        (1000, ".dockerenv", True),
        (1000, "run/.containerenv", True),
        (1000, "dev/termination-log", True),
        (1000, "var/run/secrets/kubernetes.io", True),
        (1000, "var/run/secrets/other", False),
    ],
)
def test_the_sandbox_is_off_only_for_root_and_in_containers(
    tmp_path: Path, user: int, marker: str, off: bool
) -> None:
    (tmp_path / marker).mkdir(parents=True, exist_ok=True)
    assert needs_sandbox_off(tmp_path, user) is off


def test_a_browser_is_told_to_do_without_its_sandbox_where_it_cannot_run() -> None:
    assert ("--no-sandbox" in line()) is (os.geteuid() == 0 or needs_sandbox_off(Path("/"), 1000))


def test_proxy_language_and_more_arguments_are_passed_on() -> None:
    arguments = line(
        proxy="http://127.0.0.1:3128",
        proxy_bypass="<-loopback>",
        language="pt-BR",
        args=("--window-size=8,6",),
    )
    assert arguments[-5:] == [
        "--proxy-server=http://127.0.0.1:3128",
        "--proxy-bypass-list=<-loopback>",
        "--lang=pt-BR",
        "--accept-lang=pt-BR,pt",
        "--window-size=8,6",
    ]


def test_features_that_are_switched_on_make_one_list_because_chrome_takes_the_last() -> None:
    on = "--enable-features="
    assert [arg for arg in line(args=(f"{on}A,B", f"{on}C")) if arg.startswith(on)] == [f"{on}WebMCP,A,B,C"]
    assert [arg for arg in line(webmcp=False) if arg.startswith(on)] == []


@pytest.mark.parametrize("argument", ["http://example.com/", "-x", "", "--a\0b", "window-size=1,1"])
def test_what_is_no_browser_argument_is_refused(argument: str) -> None:
    with pytest.raises(InvalidArgs) as refused:
        line(args=(argument,))
    assert refused.value.message == f"{argument!r} is not a browser argument."


@pytest.mark.parametrize(
    "argument",
    [
        "--renderer-cmd-prefix=xterm",
        "--utility-cmd-prefix=xterm",
        "--gpu-launcher=xterm",
        "--ppapi-plugin-launcher=xterm",
        "--browser-subprocess-path=/bin/sh",
        "--RENDERER-CMD-PREFIX=xterm",
        "--remote-debugging-port=9222",
        "--remote-debugging-pipe",
        "--user-data-dir=/elsewhere",
    ],
)
def test_arguments_that_run_programs_or_take_the_browser_from_us_are_refused(argument: str) -> None:
    with pytest.raises(InvalidArgs) as refused:
        line(args=(argument,))
    assert refused.value.message == f"{argument.partition('=')[0]} cannot be given here."
