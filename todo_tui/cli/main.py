"""Entry point of the script `todo-tui`."""

from todo_tui.cli.program import run


def main() -> int:
    """Run what the command line asks for; the exit status."""
    return run()
