"""The token scope of every action, so that none changes by accident."""

from collections import defaultdict

from tabwright.actions import CATALOG

SCOPES = {
    "read": """
        console_messages count_elements extract extract_fields find find_actions get_attribute get_box
        get_cookies get_dom_context get_html get_page get_page_state get_request get_state get_storage get_styles
        get_text get_value list_databases list_downloads list_frames list_page_tools list_requests list_sessions
        list_tabs more pause pdf read read_database save_state screenshot snapshot wait_for wait_for_download
        wait_for_load wait_for_tab wait_for_text wait_for_url
    """,
    "act": """
        answer_dialog back batch block_requests call_page_tool check clear_console clear_requests clear_rules
        clear_site clear_storage click click_at close_session close_tab connect_browser delete_cookies download drag
        emulate fill focus forward harvest hover insert_text key_down key_up load_state main_frame mock_requests
        mouse_down mouse_move mouse_up mouse_wheel navigate new_tab press reload reset_emulation save_downloads
        scroll scroll_by scroll_into_view select_option set_cookie set_credentials set_headers set_offline
        set_permission set_storage start_har start_trace stop_har stop_loading stop_trace swipe swipe_element
        switch_frame switch_tab tap type_text uncheck upload
    """,
    "evaluate": "evaluate wait_for_script",
    "admin": """
        create_profile delete_profile get_profile get_running_browsers install_browser kill_browser launch_browser
        list_profiles run_agent_browser start_recording stop_recording update_profile
    """,
}


def test_every_action_needs_the_scope_listed_here() -> None:
    needed = defaultdict(list)
    for action in CATALOG:
        needed[action.scope].append(action.name)
    assert {scope: sorted(names) for scope, names in needed.items()} == {
        scope: names.split() for scope, names in SCOPES.items()
    }
