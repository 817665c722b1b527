"""The tests that end in a refusal in the user's own Chrome."""

from tabwright.browser.user_chrome.limits import REFUSED

LIMITED = {
    "test_files_are_uploaded_and_downloaded": REFUSED["Browser.setDownloadBehavior"],
    "test_a_button_that_asks_for_files_gets_them": REFUSED["Page.setInterceptFileChooserDialog"],
    "test_a_download_is_complete_when_it_is_reported": REFUSED["Browser.setDownloadBehavior"],
    "test_cookies_are_read_and_changed": REFUSED["Storage.getCookies"],
    "test_clearing_a_site_deletes_its_cookies_too": REFUSED["Storage.getCookies"],
    "test_a_saved_state_can_be_loaded_in_another_session": REFUSED["Storage.setCookies"],
    "test_emulation_is_seen_by_the_page_until_reset": REFUSED["Browser.setPermission"],
    "test_a_trace_covers_this_page_and_no_other_session": REFUSED["Tracing.start"],
}
