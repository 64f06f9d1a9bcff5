"""Asides: small talk, help, and the questions by which the assistant makes sure."""

from __future__ import annotations

from collections.abc import Sequence

from todo_tui.providers.offline import wording
from todo_tui.providers.offline.dialogue import Question
from todo_tui.providers.offline.session import Session
from todo_tui.providers.offline.toolwork import Seen


def decline(session: Session) -> None:
    """Say that this is beyond the assistant, and what is not."""
    session.speech.say(wording.DECLINE)


def explain(session: Session, topic: str) -> None:
    """Say what can be done, or how to do what was asked about."""
    if not topic:
        session.speech.say(wording.HELP)
        return
    session.speech.say(wording.help_on(topic) or wording.DECLINE)


def doubt(session: Session, text: str, clause: str, tasks: Sequence[Seen], words: str) -> None:
    """Ask before something is done that was not quite said.

    A yes does `clause`, in which `words` then mean `tasks`.
    """
    session.speech.ask(text, Question("confirm", clause, words, tuple(tasks)), tasks)
