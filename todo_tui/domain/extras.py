"""Extras: optional packages, and the command that installs them beside this program."""

import shlex
import sys
from importlib.util import find_spec


def install_command(extra: str) -> str:
    """Return the shell command that adds an extra to the Python that runs this program.

    A bare `pip` may be that of another one. Environments of uv have no pip.
    """
    python = shlex.quote(sys.executable)
    has_pip = find_spec("pip") is not None
    install = f"{python} -m pip install" if has_pip else f"uv pip install --python {python}"
    return f"{install} 'todo-tui[{extra}]'"
