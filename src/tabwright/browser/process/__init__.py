"""The browser process: finding, installing, launching and limiting it, and its user data folder.

A browser that needs neither a window nor a profile is Chromium's headless shell, where it is installed
(setting `headless_shell`). It loads the same pages over the same protocol without Chrome's own windows and
menus, so a context with a page takes half the time and CPU. It has no PDF viewer, no extensions, and denies
notifications. It would open any number of popups; `browser.page.popup_blocker` allows one per user action,
as Chrome does.

Without a browser, the system's package manager installs one; otherwise Chrome for Testing is downloaded
over https into the state folder. `memory_limit` kills pages that use too much memory: Chrome itself limits
only the script heap.
"""
