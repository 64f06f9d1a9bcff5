"""The list of conversations, their search, and deleting them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from tests.store.opened import NOW, opened, user_context
from tests.store.test_branches import ask
from tests.store.test_conversations import answered, said
from tests.store.test_purge import RECIPE, everything, tell
from todo_tui.domain.errors import NotFound, ValidationError
from todo_tui.domain.events import StepStatus, TraceStep
from todo_tui.domain.messages import RESTATES_STEPS, Message, Role, Text, TurnStatus, Usage
from todo_tui.store.conversations.records import ModelCall
from todo_tui.store.store import Store


def found(store: Store, text: str) -> list[str]:
    return [match.line for match in store.conversations.search(text)]


def listed(store: Store) -> list[str]:
    return [entry.title for entry in store.conversations.list()]


def test_the_list_tells_last_words_model_turns_and_cost(store: Store) -> None:
    turn = ask(store, "one", None)
    ask(store, "two\n\nmore", turn.conversation_id)
    call = ModelCall("groq", "oss", Usage(10, 0, 3, 0), 0.5, 1.0)
    store.turns.append_round(turn.id, [], calls=[call])
    (entry,) = store.conversations.list()
    assert (entry.title, entry.last_words, entry.turns) == ("one", "A two more", 2)
    assert (entry.provider, entry.model) == ("scripted", "m")
    assert entry.usage == store.usage.conversation(entry.id)


def test_the_list_tells_the_last_words_of_the_branch_that_is_shown(store: Store) -> None:
    turn = ask(store, "one", None)
    second = ask(store, "two", turn.conversation_id)
    ask(store, "two again", turn.conversation_id, replaces=second.id)
    (entry,) = store.conversations.list()
    assert entry.last_words == "A two again"
    store.turns.select_branch(second.id)
    (entry,) = store.conversations.list()
    assert entry.last_words == "A two"


def test_pinned_conversations_come_first_and_pages_follow_each_other(store: Store) -> None:
    ids = [ask(store, str(number), None).conversation_id for number in range(5)]
    store.conversations.set_pinned(ids[1], True)
    assert listed(store) == ["1", "4", "3", "2", "0"]
    page = store.conversations.list(limit=2)
    following = store.conversations.list(limit=2, before=page[-1].id)
    assert [entry.title for entry in following] == ["3", "2"]
    latest = store.conversations.latest()
    assert latest is not None
    assert latest.title == "4"
    assert not store.conversations.set_pinned(ids[1], False).pinned


def test_a_search_shows_the_line_of_the_match_newest_conversation_first(store: Store) -> None:
    rent = ask(store, "What is the rent?", None)
    ask(store, "Crème brûlée", None)
    again = ask(store, "x\n- the RENTAL car\ny", None)
    matches = store.conversations.search("rent")
    assert [match.line for match in matches] == ["the RENTAL car", "A What is the rent?"]
    assert [match.turn_id for match in matches] == [again.id, rent.id]
    assert [match.line[slice(*match.span)] for match in matches] == ["RENT", "rent"]
    assert found(store, "creme BRUL") == ["A Crème brûlée"]
    assert found(store, "rent car") == []
    assert found(store, "the rental") == ["the RENTAL car"]


def test_a_search_finds_what_is_shown(store: Store) -> None:
    turn = store.turns.open(None, said("add milk"), provider="offline", model="rules")
    restated = Text("Added Milk (#1). Say undo to remove it.", {RESTATES_STEPS: True})
    reply = Message(Role.ASSISTANT, (restated, Text("\nToday is Friday.")), "offline:rules")
    step = TraceStep("1", "add_task", "Added Milk", "{}", "{}", StepStatus.SUCCESS, 1.0)
    store.turns.append_round(turn.id, [], steps=[step])
    store.turns.close(turn.id, TurnStatus.FINISHED, messages=[reply])
    for words, line in [
        ("friday", "Today is Friday."),
        ("added", "Added Milk"),
        ("milk", "Added Milk"),
        ("say undo", None),
        ("remove", None),
    ]:
        assert found(store, words) == ([line] if line else []), words
        turns = store.conversations.find_turns(turn.conversation_id, words)
        assert [each.line for each in turns] == ([line] if line else []), words


def test_a_long_line_is_cut_around_the_match(store: Store) -> None:
    ask(store, f"{'before ' * 50}needle{' after' * 50}", None)
    (match,) = store.conversations.search("needle")
    assert len(match.line) == 120
    assert match.line[slice(*match.span)] == "needle"
    assert (match.line[0], match.line[-1]) == ("…", "…")


def test_the_markdown_of_models_is_not_shown(store: Store) -> None:
    turn = ask(store, "*hi*", None)
    text = "# Rent\n\n- **Pay** the `rent` \\[soon\\], see [the lease](http://x.y) for snake_case"
    quoted = "> **\\- \\*\\*Quiet hours\\*\\*: after ten**"
    store.turns.append_round(turn.id, [answered(f"{text}\n\n{quoted}")])
    plain = "Pay the rent [soon], see the lease for snake_case"
    (entry,) = store.conversations.list()
    assert entry.last_words.startswith(f"Rent {plain}")
    (match,) = store.conversations.search("pay rent")
    assert (match.line, match.line[slice(*match.span)]) == (plain, "rent")
    (found,) = store.conversations.find_turns(turn.conversation_id, "quiet")
    assert (found.line, found.line[slice(*found.span)]) == ("Quiet hours: after ten", "Quiet")


def test_titles_are_searched_too(store: Store) -> None:
    turn = ask(store, "hello", None)
    store.conversations.rename(turn.conversation_id, "Élan vital")
    (match,) = store.conversations.search("elan v")
    assert (match.line, match.span, match.turn_id) == ("Élan vital", (5, 6), None)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "-",
        '"',
        "*",
        "( OR",
        "NEAR(a b)",
        "text:one",
        "\x00",
        "x" * 5000,
        "x " * 5000,
        "😀",
    ],
)
def test_no_text_breaks_the_search(store: Store, text: str) -> None:
    ask(store, "one", None)
    assert store.conversations.search(text) == ()


def test_signs_within_words_are_found_as_typed(store: Store) -> None:
    ask(store, "a to-do list, don't e-mail C++ 3.5", None)
    ask(store, "do it to them", None)
    for text in ("to-do", "don't e-m", "c++", "3.5", "-- list"):
        assert len(found(store, text)) == 1
    assert len(found(store, "to do")) == 2


def test_a_deleted_conversation_is_nowhere_until_it_is_restored(store: Store) -> None:
    turn = ask(store, "secret", None)
    other = ask(store, "other", None)
    conversations = store.conversations
    conversations.delete(turn.conversation_id)
    assert (listed(store), found(store, "secret")) == (["other"], [])
    for refused in (
        lambda: conversations.get(turn.conversation_id),
        lambda: conversations.find(turn.conversation_id),
        lambda: conversations.turns.list(turn.conversation_id),
        lambda: conversations.turns.model_history(turn.conversation_id),
        lambda: conversations.turns.branches(turn.id),
        lambda: conversations.delete(turn.conversation_id),
        lambda: store.usage.conversation(turn.conversation_id),
    ):
        with pytest.raises(NotFound):
            refused()
    assert conversations.restore(turn.conversation_id).title == "secret"
    assert listed(store) == ["other", "secret"]
    conversations.delete(other.conversation_id)
    latest = conversations.latest()
    assert latest is not None
    assert latest.title == "secret"


def test_a_turn_ends_in_a_conversation_that_was_deleted(store: Store) -> None:
    first = ask(store, "one", None)
    turn = store.turns.open(first.conversation_id, said("two"), provider="p", model="m")
    store.conversations.delete(first.conversation_id)
    store.turns.close(turn.id, TurnStatus.FINISHED)
    store.conversations.restore(first.conversation_id)
    assert store.turns.list(first.conversation_id)[-1].status is TurnStatus.FINISHED


def test_each_process_erases_what_it_deleted_and_what_is_a_day_old(path: Path) -> None:
    with opened(path, now=NOW - timedelta(hours=25)) as killed:
        turn = ask(killed, "Quittengelee", None)
        killed.conversations.delete(turn.conversation_id)
    with opened(path) as mine, opened(path) as other:
        kept = ask(mine, "Zwetschgenmus", None)
        gone = ask(other, "Rhabarber", None)
        mine.conversations.delete(kept.conversation_id)
        other.conversations.delete(gone.conversation_id)
        assert other.conversations.erase_deleted() == 1
        assert other.conversations.erase_deleted(closing=True) == 1
        assert other.conversations.erase_deleted(closing=True) == 0
        assert mine.conversations.restore(kept.conversation_id).title == "Zwetschgenmus"
        with pytest.raises(NotFound):
            other.conversations.restore(gone.conversation_id)
    data = everything(path).lower()
    assert b"quittengelee" not in data
    assert b"rhabarber" not in data
    assert b"zwetschgenmus" in data


@pytest.mark.parametrize("others", [0, 30])
def test_erased_words_are_in_no_byte_of_the_file(path: Path, others: int) -> None:
    # A title would be found where it is stored.
    words = ["rhabarberkompott", "quittengelee"]
    with opened(path) as store:
        for number in range(others):
            ask(store, f"neighbour {number}", None)
        turn = ask(store, "hello", None)
        ask(store, f"{words[0].title()} or {words[1]}?", turn.conversation_id)
        for number in range(others):
            ask(store, f"rhabarb {number}", None)
        assert len(found(store, "quitten")) == 1
        store.conversations.erase(turn.conversation_id)
        assert found(store, "quitten") == []
        data = everything(path).lower()
        assert not [word for word in words if word.encode() in data or word[8:].encode() in data]
        assert store.problems() == ()
    assert words[1].encode() not in everything(path).lower()


def test_a_purged_task_leaves_the_words_of_its_conversation_searchable(store: Store) -> None:
    tell(store, "bake it on friday")
    store.tasks.purge([1], by=user_context(store))
    assert RECIPE.casefold().encode() not in everything(store.path).lower()
    assert found(store, "frid") == ["bake it on friday"]
    assert found(store, RECIPE) == []


def test_an_id_may_be_shortened_as_long_as_it_is_the_only_one(path: Path) -> None:
    with opened(path) as store, opened(path, user="bob") as bob:
        one = ask(store, "one", None).conversation_id
        two = ask(store, "two", None).conversation_id
        assert store.conversations.find(one[:12]).id == one
        assert store.conversations.find(two).title == "two"
        for prefix in ("", "x", "%"):
            with pytest.raises(NotFound):
                store.conversations.find(prefix)
        with pytest.raises(NotFound):
            bob.conversations.find(one)
        with closing(sqlite3.connect(path)) as raw:
            raw.execute("UPDATE conversations SET id = 'same' || rowid")
            raw.commit()
        with pytest.raises(ValidationError, match="Several conversations"):
            store.conversations.find("same")


def test_what_others_wrote_is_not_found(path: Path) -> None:
    with opened(path) as ann, opened(path, user="bob") as bob:
        ask(ann, "rent", None)
        ask(bob, "rent", None)
        ask(bob, "rent again", None)
        assert len(found(ann, "rent")) == 1
