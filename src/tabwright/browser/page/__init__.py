"""One page: its frames, scripts, navigation, dialogs, console, and the watchdog for hangs."""
