"""The console that coloured output goes through; `config/color.py` reads NO_COLOR."""

from rich.console import Console


def open_console(no_color: bool, *, stderr: bool = False) -> Console:
    """Open a console that prints text as it is, without markup and highlighting.

    Into a file or a pipe rich writes no colours.
    """
    return Console(stderr=stderr, no_color=no_color, highlight=False, markup=False, emoji=False)
