"""The card in the corner that reminds of tasks until somebody says what becomes of them."""

from __future__ import annotations

from datetime import datetime
from enum import Enum, auto
from pathlib import Path
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from todo_tui.domain.reminders import Reminder, Snooze
from todo_tui.tui.action_keys import KeyNames, bind
from todo_tui.tui.key_names import key_name
from todo_tui.tui.theme import MUTED
from todo_tui.tui.widgets.cell_text import clip, steady

_SHOWN = 4
_WIDTH = 54
_TOP = 2
_KEYS = (
    ("reminder.ten_minutes", "10 min"),
    ("reminder.hour", "1 hour"),
    ("reminder.tomorrow", "tomorrow"),
    ("reminder.show", "show"),
    ("reminder.dismiss", "seen"),
)


class Seen(Enum):
    """What a person does with a reminder, but for putting it off."""

    SHOW = auto()
    DISMISS = auto()


class ReminderCard(Static, can_focus=True):
    """Takes no key until it is asked for; several reminders share it."""

    DEFAULT_CSS = Path(__file__).with_suffix(".tcss").read_text(encoding="utf-8")
    BINDING_GROUP_TITLE = "A reminder"
    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("reminder.ten_minutes", "answer('10 min')", "10 min"),
        bind("reminder.hour", "answer('1 hour')", "1 hour"),
        bind("reminder.tomorrow", "answer('tomorrow')", "tomorrow"),
        bind("reminder.show", "show", "show"),
        bind("reminder.dismiss", "dismiss", "seen"),
    ]

    class Answered(Message):
        """The person has said what becomes of these reminders."""

        def __init__(self, reminders: tuple[Reminder, ...], answer: Snooze | Seen) -> None:
            super().__init__()
            self.reminders = reminders
            self.answer = answer

        @property
        def shows(self) -> bool:
            """Whether the task is to be gone to."""
            return self.answer is Seen.SHOW

    def __init__(self, keys: KeyNames) -> None:
        super().__init__(markup=False)
        self._keys = keys
        self._reminders: tuple[Reminder, ...] = ()
        self._now = datetime.min
        self._missed = False

    @property
    def is_open(self) -> bool:
        """Whether it reminds of something."""
        return bool(self._reminders)

    def remind(self, reminders: tuple[Reminder, ...], now: datetime, *, missed: bool) -> None:
        """Remind of these as well; `now` is local, `missed`: they came while nobody was here."""
        known = {each.task.id: each for each in (*self._reminders, *reminders)}
        self._reminders = tuple(known.values())
        self._now = now
        self._missed = missed
        self.add_class("-open")
        self._draw()

    def forget(self, task_ids: frozenset[int]) -> None:
        """These tasks need no attention any more."""
        left = tuple(each for each in self._reminders if each.task.id not in task_ids)
        if left != self._reminders:
            self._reminders = left
            if left:
                self._draw()
            else:
                self.remove_class("-open")

    def action_answer(self, snooze: str) -> None:
        """Put all of it off."""
        self._answer(Snooze(snooze))

    def action_show(self) -> None:
        """Go to the task."""
        self._answer(Seen.SHOW)

    def action_dismiss(self) -> None:
        """It has been seen."""
        self._answer(Seen.DISMISS)

    def on_mount(self) -> None:
        """Stay in the corner, whatever size the screen gets."""
        self.screen.screen_layout_refresh_signal.subscribe(self, self._place)
        self._place()

    def _place(self, _screen: object = None) -> None:
        right = self.screen.size.width - self.outer_size.width - 1
        self.styles.offset = (max(right, 0), _TOP)

    def on_focus(self) -> None:
        """Its own keys work now."""
        self._draw(has_keys=True)

    def on_blur(self) -> None:
        """They work no more."""
        self._draw(has_keys=False)

    def on_click(self, event: events.Click) -> None:
        """A first click asks for its keys, another one shows the task."""
        event.stop()
        if event.chain > 1:
            self.action_show()

    def _answer(self, answer: Snooze | Seen) -> None:
        reminders, self._reminders = self._reminders, ()
        self.remove_class("-open")
        self.post_message(self.Answered(reminders, answer))

    def _draw(self, *, has_keys: bool | None = None) -> None:
        lines = [Content.styled(self._headline, "bold $text-warning")]
        for reminder in self._reminders[:_SHOWN]:
            title = clip(steady(reminder.title), _WIDTH)
            lines.append(Content.styled(title, "bold"))
            lines.append(Content.styled(f"  {reminder.words(self._now)}", MUTED))
        more = len(self._reminders) - _SHOWN
        if more > 0:
            lines.append(Content.styled(f"and {more} more", MUTED))
        keys = self._key_words(self.has_focus if has_keys is None else has_keys)
        pieces = [Content.assemble((key, "bold $text-accent"), f" {what}") for key, what in keys]
        self.update(Content("\n").join([*lines, Content("  ").join(pieces)]))

    def _key_words(self, has_keys: bool) -> list[tuple[str, str]]:
        """The keys that answer, or those that lead to them."""
        if has_keys:
            return [(self._keys.first(name), word) for name, word in _KEYS]
        ways = " or ".join(map(key_name, self._keys.keys("list.snooze")))
        return [(ways, "snooze, or show the task")]

    @property
    def _headline(self) -> str:
        count = len(self._reminders)
        if self._missed:
            return "While you were away" if count == 1 else f"{count} while you were away"
        return "Reminder" if count == 1 else f"{count} reminders"
