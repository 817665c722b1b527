"""The catalogue of faults: each has a test that exists, or a reason why it has none."""

import ast
import json
from pathlib import Path

TESTS = Path(__file__).parents[1]

HERE, HUB, KILLED = (
    f"faults/{name}.py" for name in ("test_hostile_pages", "test_hub_ends", "test_browser_killed")
)
TESTED = {
    "F01": (KILLED, "test_a_browser_killed_during_a_call_fails_only_that_call"),
    "F02": (HERE, "test_a_crash_fails_the_running_call_and_the_next"),
    "F03": (HERE, "test_an_endless_script_is_stopped"),
    "F04": (HERE, "test_an_endless_script_is_stopped"),
    "F05": (HERE, "test_an_endless_script_is_stopped"),
    "F06": (HERE, "test_a_page_that_uses_too_much_memory_loses_its_process"),
    "F07": (HERE, "test_a_page_that_uses_too_much_memory_loses_its_process"),
    "F08": (HERE, "test_a_page_with_endless_alerts_can_be_left"),
    "F09": (HERE, "test_a_page_with_endless_alerts_can_be_left"),
    "F10": (HERE, "test_print_and_beforeunload_dialogs_block_no_call"),
    "F11": (HERE, "test_print_and_beforeunload_dialogs_block_no_call"),
    "F12": (HERE, "test_a_silent_server_is_reported_in_time"),
    "F13": (
        "browser/test_bad_input.py",
        "test_an_endless_response_times_out_and_reports_its_progress",
    ),
    "F14": (HERE, "test_a_redirect_loop_is_reported"),
    "F15": (HERE, "test_a_redirect_loop_is_reported"),
    "F16": (HERE, "test_a_page_that_uses_too_much_memory_loses_its_process"),
    "F17": ("browser/page/test_hang_watchdog.py", "test_a_page_with_a_long_layout_is_given_time"),
    "F18": (HERE, "test_of_a_thousand_windows_one_opens"),
    "F19": (HERE, "test_a_flood_of_downloads_is_limited_to_ten"),
    "F20": (HERE, "test_an_endless_download_is_stopped_at_the_session_limit"),
    "F21": (HERE, "test_a_page_that_uses_too_much_memory_loses_its_process"),
    "F22": (HUB, "test_a_hub_killed_during_a_call_leaves_and_loses_nothing"),
    "F23": (HUB, "test_a_hub_killed_during_a_call_leaves_and_loses_nothing"),
    "F24": (HUB, "test_a_full_disk_stops_no_work_and_sessions_are_saved_later"),
    "F25": (HUB, "test_a_client_that_drops_its_http_connection_frees_its_session"),
    "F26": (
        "doors/test_sessions_last.py",
        "test_agents_share_only_shared_sessions_and_never_within_an_action",
    ),
    "F27": (HERE, "test_a_console_flood_and_a_huge_result_are_bounded"),
    "F28": (HERE, "test_a_console_flood_and_a_huge_result_are_bounded"),
    "F29": (
        "browser/test_attach.py",
        "test_a_huge_answer_does_not_disturb_the_same_socket",
    ),
    "F32": ("faults/test_clock.py", "test_a_clock_jump_of_a_day_ends_no_wait_and_no_session"),
    "F34": (HUB, "test_a_hub_without_file_descriptors_keeps_its_sessions"),
    "F35": (
        "browser/process/test_launch.py",
        "test_a_program_that_is_not_a_browser_is_reported_with_its_last_output",
    ),
    "F36": ("doors/mcp/test_stdio_proxy.py", "test_prints_do_not_get_into_the_protocol"),
    "F37": ("doors/mcp/test_door.py", "test_a_bad_line_gets_an_error_and_the_next_one_is_served"),
}
UNTESTED = {
    "F30": "there is no grid of browsers on several computers, so no node can be lost",
    "F31": "there is no hub of such a grid; F22 and F23 cover the hub of one user",
    "F33": "there is no shared registry; F24 covers the file in which sessions are saved",
}


def test_every_fault_of_the_catalogue_has_a_test_or_a_reason() -> None:
    cases = json.loads((TESTS / "cases" / "faults.json").read_text())
    assert sorted([*TESTED, *UNTESTED]) == [case["id"] for case in cases]


def test_every_test_in_the_fault_catalogue_exists() -> None:
    missing = [name for name, (path, test) in TESTED.items() if test not in functions(TESTS / path)]
    assert missing == []


def functions(path: Path) -> set[str]:
    tree = ast.parse(path.read_text())
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
