"""`python -m todo_tui` is `todo-tui`."""

import sys

from todo_tui.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
