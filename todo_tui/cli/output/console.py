"""The console that coloured output goes through."""

from rich.console import Console


def open_console(*, stderr: bool = False) -> Console:
    """Open a console that prints text as it is, without markup and highlighting.

    Rich writes no colours into a file or a pipe, nor where `NO_COLOR` is set.
    """
    return Console(stderr=stderr, highlight=False, markup=False, emoji=False)
