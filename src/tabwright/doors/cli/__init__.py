"""The command line: one command for every action, agent-browser's verbs, and the program's own commands.

A command is a process, so most of its cost is start-up. It reads `commands.json` (written by `make gen`),
asks the hub over its socket in one JSON line, and imports neither pydantic nor anyio; a test checks that.
argparse costs 2 ms, where click costs 40. Completion scripts are static, so pressing Tab starts nothing.
Exit codes: 1 no hub, 2 to 10 the nine error classes in their order, 130 interrupted.
"""
