"""The console that coloured output goes through."""

from rich.console import Console


def open_console(no_color: bool, *, stderr: bool = False) -> Console:
    """Open a console that prints text as it is, without markup and highlighting."""
    return Console(stderr=stderr, no_color=no_color, highlight=False, markup=False, emoji=False)
