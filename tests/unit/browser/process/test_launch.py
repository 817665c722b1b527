"""The command line of a browser."""

import os
from pathlib import Path

import pytest

from tabwright.browser.process.launch import LaunchOptions, choose_executable, command_line, needs_sandbox_off
from tabwright.browser.process.start_failure import start_failure
from tabwright.errors import InvalidArgs


def arguments(**options: object) -> list[str]:
    return command_line(Path("/bin/chrome"), Path("/profile"), LaunchOptions(**options))  # type: ignore[arg-type]


def test_a_browser_runs_on_a_pipe_with_its_own_folder() -> None:
    assert arguments()[:3] == ["/bin/chrome", "--remote-debugging-pipe", "--user-data-dir=/profile"]


def test_a_browser_has_no_window_by_default() -> None:
    assert "--headless=new" in arguments()
    assert not any(argument.startswith("--headless") for argument in arguments(headless=False))


def test_a_headless_shell_isolates_sites_as_chrome_does() -> None:
    shell = command_line(Path("/bin/chrome-headless-shell"), Path("/profile"), LaunchOptions())
    assert "--site-per-process" in shell
    assert "--headless=new" not in shell


@pytest.mark.parametrize(
    ("options", "chosen"),
    [
        ({}, "chrome-headless-shell"),
        ({"shell": False}, "chromium"),
        ({"headless": False}, "chromium"),
        ({"profile": Path("/profile")}, "chromium"),
        ({"executable": Path("brave")}, "brave"),
    ],
)
def test_the_headless_shell_is_used_where_it_is_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: dict[str, object], chosen: str
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in ("chrome-headless-shell", "chromium", "brave"):
        (tmp_path / name).write_text("#!/bin/sh")
        (tmp_path / name).chmod(0o755)
    assert choose_executable(LaunchOptions(**options)) == tmp_path / chosen  # type: ignore[arg-type]


def test_no_flag_weakens_the_security_of_pages() -> None:
    weakening = ("--disable-popup-blocking", "--disable-web-security", "--ignore-certificate-errors")
    assert not set(weakening) & set(arguments())


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
def test_the_sandbox_is_off_only_for_root_and_in_containers_that_forbid_it(
    tmp_path: Path, user: int, marker: str, off: bool
) -> None:
    (tmp_path / marker).mkdir(parents=True, exist_ok=True)
    assert needs_sandbox_off(tmp_path, user, lambda: False) is off
    assert needs_sandbox_off(tmp_path, user, lambda: True) is (user == 0)


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("[7:7] FATAL: No usable sandbox! If you are", "this system does not let it create its sandbox."),
        ("The SUID sandbox helper binary was found, but", "this system does not let it create its sandbox."),
        ("Missing X server", "Its last output: Missing X server"),
        ("", "Its last output: none"),
    ],
)
def test_why_a_browser_did_not_start_is_reported(output: str, message: str) -> None:
    assert start_failure(output).message.endswith(message)


def test_the_sandbox_is_switched_off_where_it_cannot_run() -> None:
    assert ("--no-sandbox" in arguments()) is (os.geteuid() == 0 or needs_sandbox_off(Path("/"), 1000))


def test_shared_memory_is_checked_on_linux_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "darwin")
    assert "--disable-dev-shm-usage" not in arguments()


def test_proxy_language_and_extra_arguments_are_passed_on() -> None:
    line = arguments(
        proxy="http://127.0.0.1:3128",
        proxy_bypass="<-loopback>",
        language="pt-BR",
        args=("--window-size=8,6",),
    )
    assert line[-5:] == [
        "--proxy-server=http://127.0.0.1:3128",
        "--proxy-bypass-list=<-loopback>",
        "--lang=pt-BR",
        "--accept-lang=pt-BR,pt",
        "--window-size=8,6",
    ]


def test_enabled_features_are_merged_because_chrome_uses_only_the_last_list() -> None:
    on = "--enable-features="
    assert [arg for arg in arguments(args=(f"{on}A,B", f"{on}C")) if arg.startswith(on)] == [
        f"{on}WebMCP,A,B,C"
    ]
    assert [arg for arg in arguments(webmcp=False) if arg.startswith(on)] == []


@pytest.mark.parametrize("argument", ["http://example.com/", "-x", "", "--a\0b", "window-size=1,1"])
def test_an_invalid_browser_argument_is_refused(argument: str) -> None:
    with pytest.raises(InvalidArgs) as refused:
        arguments(args=(argument,))
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
def test_arguments_that_run_programs_or_move_the_browser_are_refused(argument: str) -> None:
    with pytest.raises(InvalidArgs) as refused:
        arguments(args=(argument,))
    assert refused.value.message == f"{argument.partition('=')[0]} is not allowed here."
