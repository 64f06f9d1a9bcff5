"""A question of the task pane: one sentence, and the keys that answer it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Answer:
    """A key, what it is called in the sentence, and what it does."""

    key: str
    word: str
    act: Callable[[], None]


@dataclass(frozen=True, slots=True)
class Question:
    """Something is to be done and the person decides how; any other key leaves it undone.

    `about` is the task that the cursor is put on, so that it is seen what is asked about.
    """

    words: str
    answers: tuple[Answer, ...]
    about: int | None = None

    @property
    def sentence(self) -> str:
        """`Trip has 3 open subtasks: close them too (y) · leave them (l) · Esc`."""
        ways = " · ".join(f"{answer.word} ({answer.key})" for answer in self.answers)
        return f"{self.words}: {ways} · Esc"

    def answer_to(self, key: str) -> Answer | None:
        """What a key means; None: it is no answer."""
        return next((answer for answer in self.answers if answer.key == key), None)
