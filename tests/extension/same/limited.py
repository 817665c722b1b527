"""The tests that end in a refusal when they are run in the person's own Chrome."""

from tabwright.browser.user_chrome.limits import REFUSED

LIMITED = {
    "test_files_go_up_and_come_down": REFUSED["Browser.setDownloadBehavior"],
    "test_a_button_that_asks_for_files_gets_them": REFUSED["Page.setInterceptFileChooserDialog"],
    "test_a_download_is_complete_when_it_is_told": REFUSED["Browser.setDownloadBehavior"],
    "test_cookies_are_read_and_changed": REFUSED["Storage.getCookies"],
    "test_all_of_a_site_is_deleted_with_its_cookies": REFUSED["Storage.getCookies"],
    "test_a_state_is_carried_to_another_session": REFUSED["Storage.setCookies"],
    "test_emulation_is_seen_by_the_page_until_reset": REFUSED["Browser.setPermission"],
    "test_a_trace_tells_of_this_page_and_of_no_other_session": REFUSED["Tracing.start"],
}
