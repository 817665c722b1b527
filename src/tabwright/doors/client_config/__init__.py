"""How MCP clients use us: the configuration file of each client, and the entry to put there.

`clients` lists the clients, `entry` and `launch` are how they use us, `edit` changes their files, whose
formats are in `jsonc`, `toml_file` and `yaml_file`.
"""
