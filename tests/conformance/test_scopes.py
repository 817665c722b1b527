"""The token scope of every action, and what it does, so that none changes by accident."""

from collections import defaultdict

from tabwright.action import Effect
from tabwright.actions import CATALOG

SCOPES = {
    "read": """
        assert_count assert_no_console_errors assert_request assert_text assert_url assert_value assert_visible
        compare console_messages count_elements extract extract_fields find find_actions get_attribute get_box
        get_cookies get_dom_context get_html get_page get_page_state get_request get_state get_storage get_styles
        get_text get_value list_databases list_downloads list_frames list_page_tools list_requests list_sessions
        list_tabs mark_page more pause pdf read read_clipboard read_database save_state screenshot snapshot wait_for wait_for_download
        wait_for_load wait_for_tab wait_for_text wait_for_url
    """,
    "act": """
        answer_dialog back batch block_requests call_page_tool check clear_console clear_requests clear_rules
        clear_site clear_storage click click_at close_session close_tab compare_urls connect_browser
        delete_cookies download drag
        drop_files drop_text emulate fill focus forward harvest hover insert_text key_down key_up load_state main_frame mock_requests
        mouse_down mouse_move mouse_up mouse_wheel navigate new_tab press reload reset_emulation save_downloads
        scroll scroll_by scroll_into_view select_option set_cookie set_credentials set_headers set_offline
        set_permission set_storage start_har start_trace stop_har stop_loading stop_trace swipe swipe_element
        switch_frame switch_tab tap type_text uncheck upload write_clipboard
    """,
    "evaluate": "evaluate wait_for_script",
    "admin": """
        get_profile get_running_browsers kill_browser launch_browser list_profiles run_agent_browser start_recording
        stop_recording
    """,
    "manage": "create_profile delete_profile install_browser update_profile",
}
# What every action does, for rules about it (`security.confirm`); the first is what it is for.
OPERATIONS = {
    ("look",): """
        assert_count assert_no_console_errors assert_text assert_url assert_value assert_visible
        compare console_messages count_elements extract extract_fields find find_actions get_attribute get_box
        get_dom_context get_html get_page get_page_state get_profile get_running_browsers get_state get_styles
        get_text get_value list_databases list_downloads list_frames list_page_tools list_profiles list_sessions
        list_tabs mark_page more pause pdf read screenshot snapshot wait_for wait_for_download wait_for_load wait_for_tab
        wait_for_text wait_for_url
    """,
    ("read_data",): """
        assert_request get_cookies get_request get_storage list_requests read_clipboard read_database save_state start_har start_trace stop_har
        stop_trace
    """,
    (
        "change_data",
    ): "clear_site clear_storage delete_cookies load_state set_cookie set_storage write_clipboard",
    ("point",): "focus harvest hover mouse_move mouse_wheel scroll scroll_by scroll_into_view",
    ("press",): """
        answer_dialog click click_at drag key_down key_up mouse_down mouse_up press swipe swipe_element tap
    """,
    ("press", "type"): "check drop_text uncheck",
    ("press", "type", "navigate"): "call_page_tool",
    ("type",): "fill insert_text select_option",
    ("type", "press"): "type_text",
    ("upload", "press"): "drop_files upload",
    ("download", "press"): "download",
    ("navigate",): "back forward navigate new_tab reload stop_loading",
    ("look", "navigate"): "compare_urls",
    ("run_script",): "evaluate wait_for_script",
    ("run_program",): "run_agent_browser",
    ("run_actions",): "batch",
    ("close",): "close_session close_tab kill_browser",
    ("manage",): "create_profile delete_profile install_browser update_profile",
    ("configure",): """
        block_requests clear_console clear_requests clear_rules connect_browser emulate launch_browser main_frame
        mock_requests reset_emulation save_downloads set_credentials set_headers set_offline set_permission
        start_recording stop_recording switch_frame switch_tab
    """,
}


def test_every_action_needs_the_scope_listed_here() -> None:
    needed = defaultdict(list)
    for action in CATALOG:
        needed[action.scope].append(action.name)
    assert {scope: sorted(names) for scope, names in needed.items()} == {
        scope: names.split() for scope, names in SCOPES.items()
    }


def test_every_action_declares_what_it_does() -> None:
    declared = defaultdict(list)
    for action in CATALOG:
        assert action.does, f"{action.name} must declare what it does: @action(…, does=…)."
        declared[action.does].append(action.name)
    assert {does: sorted(names) for does, names in declared.items()} == {
        does: names.split() for does, names in OPERATIONS.items()
    }


def test_only_actions_that_look_or_read_have_no_effect() -> None:
    reading = {action.name for action in CATALOG if action.effect is Effect.READ}
    harmless = {action.name for action in CATALOG if action.may_do <= {"look", "read_data"}}
    assert reading <= harmless
    assert harmless - reading == {"start_har", "stop_har", "start_trace", "stop_trace"}
