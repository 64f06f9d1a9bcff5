"""Messages that go on from the turn before: corrections, offers, both undone, notes."""

# ruff: noqa: F811  # the fixture is imported, and named as a parameter

from __future__ import annotations

import pytest

from tests.providers.offline.test_taking_back import said, store, told  # noqa: F401
from todo_tui.store.store import Store


async def test_both_changes_are_taken_back_and_done_again(store: Store) -> None:
    _, conversation = await said(store, "move milk to friday")
    await said(store, "move the dentist to monday", conversation)
    _, _, writes = await told(store, "undo both", conversation)
    assert (writes, [task for task in store.tasks.list().tasks if task.due]) == (
        ["undo", "undo"],
        [],
    )
    _, _, writes = await told(store, "redo both of them", conversation)
    assert writes == ["redo", "redo"]
    await said(store, "move gym and milk to tuesday", conversation)
    _, _, writes = await told(store, "undo both", conversation)
    assert writes == ["undo"], "two tasks of one message are one change"


@pytest.mark.parametrize(
    ("message", "reply"),
    [
        ("undo what you did two messages ago", "/undo"),
        ("undo the change before that", "/undo"),
        ("what did I say about the dentist?", "not through what was said"),
        ("find what I told you about milk", "not through what was said"),
    ],
)
async def test_what_it_cannot_do_is_told_with_the_way_to_do_it(
    store: Store, message: str, reply: str
) -> None:
    _, conversation = await said(store, "move milk to friday")
    answer, _, writes = await told(store, message, conversation)
    assert (reply in answer, writes) == (True, [])


@pytest.mark.parametrize(
    ("message", "due"),
    [
        ("no, squash saturday at 11", ["2026-11-19T19:00", "2026-11-21T11:00"]),
        ("yes, but squash is on monday", ["2026-11-19T19:00", "2026-11-23"]),
        ("dinner with sam tomorrow 7pm, squash friday", []),
    ],
)
async def test_one_of_two_that_are_offered_gets_another_value(
    store: Store, message: str, due: list[str]
) -> None:
    asked, conversation = await said(store, "dinner with sam tomorrow 7pm, squash friday")
    assert "[yes/no]" in asked
    await said(store, message, conversation)
    tasks = store.tasks.list().tasks
    assert sorted(task.due.iso() for task in tasks if task.due) == due


@pytest.mark.parametrize(
    ("message", "due"),
    [
        ("no thursday, they are booked", "2026-11-19"),
        ("ugh no, saturday, I have to work friday", "2026-11-21"),
        ("or no, one day later, on friday I am in Utrecht", "2026-11-21"),
        ("actually make it saturday because they're closed friday", "2026-11-21"),
        ("saturday, buy flour", "2026-11-20"),
    ],
)
async def test_a_correction_may_tell_why(store: Store, message: str, due: str) -> None:
    _, conversation = await said(store, "move milk to friday")
    await said(store, message, conversation)
    moved = store.tasks.get(1).due
    assert moved is not None
    assert moved.iso() == due


@pytest.mark.parametrize(
    ("first", "message", "title"),
    [
        ("add buy 20 bags of glue", "30 bags, not 20", "Buy 30 bags of glue"),
        ("add ring Hannah", "it's Anna not Hannah", "Ring Anna"),
        ("add ring Hannah's mum", "I wrote Hannah but it should say Anna", "Ring Anna's mum"),
        ("add meet Greg at Kroger", "sorry, not Kroger, Publix", "Meet Greg at Publix"),
        ("add pick up Dora from work", "from the gym, not work", "Pick up Dora from the gym"),
        ("add call Uncle Bert", "it should say Kurt, I wrote Bert", "Call Uncle Kurt"),
        ("add ask Finn about it", "it ain't Finn I want, it's his mate Joe", "Ask Joe about it"),
        ("add ring Bill", "change Bill to Will", "Ring Will"),
        ("add email Jon the plan", "it's spelt John", "Email John the plan"),
        ("add buy sugar", "brown sugar that is, 2 kilos", "Buy brown sugar, 2 kilos"),
        ("add order 12 chairs", "make that folding chairs", "Order 12 folding chairs"),
        ("add brunch with Ada", "and write also Bo, he comes too", "Brunch with Ada and Bo"),
        ("add cards for Ada", "for Ada and Bo", "Cards for Ada and Bo"),
        ("add buy ham", "sorry, I meant cheese", "Buy cheese"),
        ("add box of tins", "change the name to old tins", "Old tins"),
        # What is only told, or may be another task, changes no title.
        ("add meet Greg at Kroger", "not Kroger, they're shut", "Meet Greg at Kroger"),
        ("add ring the bank about loans", "meant to say cards", "Ring the bank about loans"),
        ("add cut the red wire", "blue wire, sorry", "Cut the red wire"),
    ],
)
async def test_words_of_a_title_are_corrected(
    store: Store, first: str, message: str, title: str
) -> None:
    _, conversation = await said(store, first)
    await said(store, message, conversation)
    assert store.tasks.get(6).title == title


async def test_one_of_a_set_stays_as_it_was(store: Store) -> None:
    _, conversation = await said(store, "move milk and the dentist to friday")
    await said(store, "ah no, the dentist can stay", conversation)
    assert [task.title for task in store.tasks.list().tasks if task.due] == ["milk"]


@pytest.mark.parametrize(
    ("message", "field", "value"),
    [
        ("put the dentist down for a week on sunday", "due", "2026-11-29"),
        ("pop the dentist in for friday at 3pm", "due", "2026-11-20T15:00"),
        ("change the dentist to 3:30 same day", "due", "2026-11-18T15:30"),
        ("add the link https://dentist.example to the dentist", "notes", "https://dentist.example"),
        ("write in the notes: bring the card", "notes", "bring the card"),
    ],
)
async def test_what_is_on_the_list_is_not_added_again(
    store: Store, message: str, field: str, value: str
) -> None:
    _, conversation = await said(store, "move the dentist to today")
    await said(store, message, conversation)
    task = store.tasks.get(2)
    told = task.due.iso() if field == "due" and task.due else task.notes
    assert (told or " ".join(each.text for each in task.annotations)) == value
    assert store.tasks.counts().open == 5
