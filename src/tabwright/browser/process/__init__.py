"""The browser process: finding, installing, launching and limiting it, and its user data folder."""
