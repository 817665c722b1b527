"""Profiles: named browser identities, each with a folder, a proxy, a language and a browser of its own."""
