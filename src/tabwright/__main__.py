"""`tabwright`: choose the door. Nothing heavy is imported before it is known which."""

import sys


def main() -> int:
    """Run the command line and return the exit code."""
    command, *rest = sys.argv[1:] or ["help"]
    if command == "mcp" and "--embedded" not in rest:
        from tabwright.doors.pump import main as pump

        return pump({})
    from tabwright import app

    if command == "mcp":
        app.embedded()
    elif command == "hub":
        app.hub(int(rest[rest.index("--ready-fd") + 1]) if "--ready-fd" in rest else None)
    return 0


if __name__ == "__main__":
    sys.exit(main())
