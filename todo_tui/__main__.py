"""`python -m todo_tui` is `todo-tui`."""

from __future__ import annotations

import sys

from todo_tui.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
