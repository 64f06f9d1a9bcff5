"""Bell for a user who looks at another terminal window: a long answer has ended."""

from todo_tui.tui.background import BackgroundWidget
from todo_tui.tui.textual_fixes import write_to_terminal

LONG_ANSWER_SECONDS = 10.0
"""Seconds from which an answer is long enough that its user may have left the window."""
# The title is pushed and popped as in xterm's control sequences; a terminal without a stack of
# titles is left with the plain name.
_MARK = "\x1b[22;2t\x1b]2;● todo-tui · answer ready\x1b\\"
_UNMARK = "\x1b]2;todo-tui\x1b\\\x1b[23;2t"


class AnswerBell(BackgroundWidget):
    """Rings the bell and marks the terminal's title until its window has the focus again."""

    after_seconds = LONG_ANSWER_SECONDS
    is_marked = False
    """True while the title is marked."""

    def on_mount(self) -> None:
        """Follow the focus of the terminal's window."""
        self.watch(self.app, "app_focus", self._focus_changed, init=False)

    def _focus_changed(self, has_focus: bool) -> None:
        if has_focus:
            self.take_back()

    def ring(self, seconds: float) -> None:
        """Ring after an answer that took so long, unless the window has the focus."""
        if self.app.app_focus or seconds < self.after_seconds:
            return
        self.app.bell()
        if not self.is_marked:
            write_to_terminal(self.app, _MARK)
        self.is_marked = True

    def take_back(self) -> None:
        """Restore the title, if it is marked."""
        if self.is_marked:
            write_to_terminal(self.app, _UNMARK)
        self.is_marked = False
