"""Entry point of the script `todo-tui`."""

import gc


def main() -> int:
    """Run what the command line asks for; the exit status."""
    # Starting up makes no garbage, and looking for it, now and at the exit, is a tenth of
    # what a quick command costs. What runs for long switches the collector on again.
    gc.disable()
    from todo_tui.cli.program import run

    try:
        return run()
    finally:
        gc.freeze()
