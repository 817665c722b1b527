"""Completion scripts: each shell can read its own, and bash completes as expected."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tabwright.doors.cli.completion import script

CHECKS = {"bash": ["bash", "-n"], "zsh": ["zsh", "-n"], "fish": ["fish", "--no-execute"]}


@pytest.mark.parametrize("shell", CHECKS)
def test_the_shell_can_read_its_script(shell: str, tmp_path: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    file = tmp_path / "tabwright.completion"
    file.write_text(script(shell))
    done = subprocess.run([*CHECKS[shell], str(file)], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("tabwright clic", ["click", "click-at"]),
        ("tabwright click @e1 --b", ["--button"]),
        ("tabwright click @e1 --button ", ["left", "right", "middle"]),
        ("tabwright click @e1 --button m", ["middle"]),
        ("tabwright new_tab --s", ["--session"]),
        ("tabwright fill @e1 x --no-c", ["--no-clear"]),
        ("tabwright hub s", ["status", "stop"]),
        ("tabwright completion ", ["bash", "zsh", "fish"]),
        ("tabwright hub --r", []),
        ("tabwright snapshot --output pa", ["page.txt"]),
        ("tabwright upload @e1 pa", ["page.txt"]),
        ("tabwright upload @e1 --ti", ["--timeout"]),
        ("tabwright screenshot pa", ["page.txt"]),
        ("tabwright state load pa", ["page.txt"]),
        ("tabwright state l", ["load"]),
        ("tabwright load-state pa", ["page.txt"]),
        ("tabwright profile import pa", ["page.txt"]),
        ("tabwright profile import x --passphrase-file pa", ["page.txt"]),
        ("tabwright click pa", []),
        ("tabwright set-cookie a b --path pa", []),
        ("tabwright config --scope ", ["user", "project"]),
        ("tabwright config cur", ["cursor"]),
        ("tabwright nothing-like-it --", []),
    ],
)
def test_bash_completes(line: str, offered: list[str], tmp_path: Path) -> None:
    (tmp_path / "page.txt").touch()
    words = line.split(" ")
    request = f"""
{script("bash")}
COMP_WORDS=({" ".join(repr(word) for word in words)})
COMP_CWORD={len(words) - 1}
_tabwright
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    done = subprocess.run(
        ["bash", "-c", request], check=True, capture_output=True, text=True, cwd=tmp_path, timeout=30
    )
    assert done.stdout.split() == offered


def test_zsh_and_fish_offer_the_same_commands_flags_and_values() -> None:
    zsh, fish = script("zsh"), script("fish")
    assert "'list-tabs:List the tabs.'" in zsh
    assert "*:file:_files" in zsh.partition("        upload)\n")[2].partition(";;")[0]
    assert "-n '__fish_seen_subcommand_from upload' -F\n" in fish
    assert "'--button[Which mouse button]:button:(left right middle)'" in zsh
    assert "-n __fish_use_subcommand -a list-tabs -d 'List the tabs.'" in fish
    assert (
        "-n '__fish_seen_subcommand_from click' -l button -x -a 'left right middle' -d 'Which mouse button'"
        in fish
    )
