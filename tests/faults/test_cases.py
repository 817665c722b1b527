"""The catalogue of faults: each is met by tests that exist, or is openly not ours yet."""

import ast
import json
from pathlib import Path

TESTS = Path(__file__).parents[1]

HERE, HUB, KILLED = (
    f"faults/{name}.py" for name in ("test_hostile_pages", "test_hub_ends", "test_browser_killed")
)
MET = {
    "F01": (KILLED, "test_a_browser_killed_in_the_middle_of_a_call_costs_that_call_and_nothing_more"),
    "F02": (HERE, "test_a_crash_is_told_to_the_call_under_way_and_to_the_next"),
    "F03": (HERE, "test_a_script_without_end_is_stopped"),
    "F04": (HERE, "test_a_script_without_end_is_stopped"),
    "F05": (HERE, "test_a_script_without_end_is_stopped"),
    "F06": (HERE, "test_a_page_that_takes_all_memory_loses_its_process"),
    "F07": (HERE, "test_a_page_that_takes_all_memory_loses_its_process"),
    "F08": (HERE, "test_alerts_without_end_are_a_page_that_can_be_left"),
    "F09": (HERE, "test_alerts_without_end_are_a_page_that_can_be_left"),
    "F10": (HERE, "test_printing_and_leaving_hold_nobody_up"),
    "F11": (HERE, "test_printing_and_leaving_hold_nobody_up"),
    "F12": (HERE, "test_a_server_that_says_nothing_is_told_in_time"),
    "F13": (
        "browser/test_bad_input.py",
        "test_a_response_that_never_ends_is_bounded_and_says_how_far_it_got",
    ),
    "F14": (HERE, "test_going_in_circles_is_told"),
    "F15": (HERE, "test_going_in_circles_is_told"),
    "F16": (HERE, "test_a_page_that_takes_all_memory_loses_its_process"),
    "F17": ("browser/page/test_hang_watchdog.py", "test_a_page_at_long_work_without_script_is_given_time"),
    "F18": (HERE, "test_a_thousand_windows_are_one"),
    "F19": (HERE, "test_a_flood_of_files_is_ten"),
    "F20": (HERE, "test_a_file_without_end_is_stopped_at_what_a_session_may_take"),
    "F21": (HERE, "test_a_page_that_takes_all_memory_loses_its_process"),
    "F22": (HUB, "test_a_hub_that_ends_in_the_middle_of_work_leaves_nothing_and_loses_nothing"),
    "F23": (HUB, "test_a_hub_that_ends_in_the_middle_of_work_leaves_nothing_and_loses_nothing"),
    "F24": (HUB, "test_a_full_disk_stops_no_work_and_sessions_are_kept_once_there_is_room"),
    "F25": (HUB, "test_a_client_that_drops_its_http_connection_frees_its_session"),
    "F26": (
        "doors/test_sessions_last.py",
        "test_agents_share_what_is_shared_without_meeting_inside_an_action_and_nothing_else",
    ),
    "F27": (HERE, "test_a_console_flood_and_a_huge_result_are_bounded"),
    "F28": (HERE, "test_a_console_flood_and_a_huge_result_are_bounded"),
    "F29": (
        "browser/test_attach.py",
        "test_an_answer_of_many_megabytes_ends_nothing_on_the_same_socket",
    ),
    "F32": ("faults/test_clock.py", "test_a_clock_that_jumps_a_day_ends_no_wait_and_no_session"),
    "F34": (HUB, "test_a_hub_that_may_open_no_more_files_keeps_what_it_has"),
    "F35": (
        "browser/process/test_launch.py",
        "test_a_program_that_is_not_a_browser_is_reported_with_its_last_output",
    ),
    "F36": ("doors/mcp/test_stdio_proxy.py", "test_prints_do_not_get_among_the_messages"),
    "F37": ("doors/mcp/test_door.py", "test_a_bad_line_is_answered_and_the_next_one_served"),
}
NOT_MET = {
    "F30": "a grid of browsers on several computers is not part of this; there are no nodes to lose",
    "F31": "there is no hub of such a grid; the end of the hub of one user is F22 and F23",
    "F33": "sessions are kept in a file of the user's own, which F24 covers; there is no shared registry",
}


def test_every_fault_of_the_catalogue_is_met_or_openly_not() -> None:
    cases = json.loads((TESTS / "cases" / "faults.json").read_text())
    assert sorted([*MET, *NOT_MET]) == [case["id"] for case in cases]


def test_every_fault_is_met_by_a_test_that_exists() -> None:
    missing = [name for name, (path, test) in MET.items() if test not in functions(TESTS / path)]
    assert missing == []


def functions(path: Path) -> set[str]:
    tree = ast.parse(path.read_text())
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
