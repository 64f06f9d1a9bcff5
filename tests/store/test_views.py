"""Saved views: kept, found, renamed, put in order, and used in filters."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.store.opened import add, day, opened, titles, user_context
from tests.store.processes import start
from todo_tui.domain.errors import Conflict, NotFound, ValidationError
from todo_tui.domain.filters.lexer import FilterProblem
from todo_tui.domain.filters.terms import Grouping, SortField
from todo_tui.domain.filters.views import SavedView
from todo_tui.store.store import Store


def names(store: Store) -> list[str]:
    return [view.name for view in store.views.list()]


def test_a_view_is_kept_with_its_filter_and_key(path: Path) -> None:
    with opened(path) as store:
        saved = store.views.save("Calls", "@phone this week sort:due", key="C")
        assert saved == SavedView("Calls", "@phone this week sort:due", "c")
    with opened(path) as store:
        assert store.views.list() == (saved,)
        assert store.views.get("  cALLS ") == saved
    with opened(path, user="bob") as store:
        assert store.views.list() == ()


def test_saving_again_changes_the_filter_and_keeps_place_and_key(store: Store) -> None:
    store.views.save("Calls", "@phone", key="1")
    store.views.save("Work", "#work")
    store.views.save("CALLS", "@phone !high")
    assert store.views.list() == (
        SavedView("CALLS", "@phone !high", "1"),
        SavedView("Work", "#work", None),
    )


def test_a_key_goes_to_the_view_that_takes_it_last(store: Store) -> None:
    store.views.save("a", "today", key="1")
    store.views.save("b", "overdue", key="1")
    assert [view.key for view in store.views.list()] == [None, "1"]
    store.views.set_key("a", "1")
    assert [view.key for view in store.views.list()] == ["1", None]
    store.views.set_key("a", None)
    assert [view.key for view in store.views.list()] == [None, None]


def test_views_are_renamed_reordered_and_deleted(store: Store) -> None:
    for name in "abcd":
        store.views.save(name, "today")
    store.views.rename("b", "B two")
    store.views.rename("c", "C")
    assert names(store) == ["a", "B two", "C", "d"]
    store.views.reorder(["d", "b two", "d"])
    assert names(store) == ["d", "B two", "a", "C"]
    assert store.views.delete("A") == SavedView("a", "today")
    assert names(store) == ["d", "B two", "C"]
    store.views.save("e", "today")
    assert names(store)[-1] == "e"


@pytest.mark.parametrize("name", ["", "  ", "\x1b[31m", 'a"b', "a\\b", "x" * 61])
def test_a_name_that_cannot_be_typed_is_refused(store: Store, name: str) -> None:
    with pytest.raises(ValidationError) as caught:
        store.views.save(name, "today")
    assert caught.value.hint
    store.views.save("good", "today")
    with pytest.raises(ValidationError):
        store.views.rename("good", name)


@pytest.mark.parametrize("key", ["ab", "é", " ", "-", "\x1b"])
def test_a_key_that_is_no_digit_or_letter_is_refused(store: Store, key: str) -> None:
    with pytest.raises(ValidationError):
        store.views.save("a", "today", key=key)
    assert store.views.list() == ()


def test_a_filter_that_cannot_be_read_is_not_saved(store: Store) -> None:
    for text in ("due:fooday", "view:nobody", "(a", "view:me"):
        with pytest.raises(FilterProblem):
            store.views.save("me", text)
    assert store.views.list() == ()


def test_what_is_not_there_is_named_with_what_was_perhaps_meant(store: Store) -> None:
    with pytest.raises(NotFound) as caught:
        store.views.get("calls")
    assert caught.value.hint == "No views saved yet."
    store.views.save("Calls", "@phone")
    for act in (store.views.get, store.views.delete, lambda name: store.views.rename(name, "x")):
        with pytest.raises(NotFound) as caught:
            act("cals")
        assert caught.value.hint == "Did you mean Calls?"
    with pytest.raises(NotFound):
        store.views.reorder(["nobody"])


def test_a_view_is_not_renamed_over_another_one(store: Store) -> None:
    store.views.save("a", "today")
    store.views.save("b", "overdue")
    with pytest.raises(Conflict):
        store.views.rename("a", "B")
    assert names(store) == ["a", "b"]


def test_a_filter_can_mention_views_which_bring_their_order_along(store: Store) -> None:
    add(store, "late", due=day("2026-11-17"), tags=("home",))
    add(store, "today", due=day("2026-11-18"), tags=("home",))
    add(store, "elsewhere", due=day("2026-11-18"))
    store.tasks.complete([add(store, "done", tags=("home",)).id], by=user_context(store))
    store.views.save("at home", "@home sort:due- group:tag")
    store.views.save("mine", 'view:"at home" not overdue')
    store.views.save("all mine", 'view:"at home" all')

    def shown(text: str) -> list[str]:
        return [task.title for task in store.tasks.list(store.read_query(text)).tasks]

    assert shown('view:"at home"') == ["today", "late"]
    assert shown("view:mine") == ["today"]
    assert shown('view:"ALL MINE"') == ["today", "late", "done"]
    assert shown('view:"at home" sort:due') == ["late", "today"]
    assert shown("view:mine or elsewhere") == ["today", "elsewhere"]
    query = store.read_query("view:mine")
    assert (query.sort[0].field, query.group) == (SortField.DUE, Grouping.TAG)


def test_a_view_says_when_its_filter_can_be_read_no_more(store: Store) -> None:
    store.views.save("inner", "@home")
    outer = store.views.save("outer", "view:inner today")
    assert store.views.problem_of(outer) == ""
    store.views.rename("inner", "renamed")
    assert "is not a saved view" in store.views.problem_of(outer)
    with pytest.raises(FilterProblem) as caught:
        store.read_query("milk view:outer")
    assert (caught.value.word, caught.value.position) == ("view:outer", 5)
    assert "“view:inner” is not a saved view" in caught.value.message


def test_views_that_lead_in_a_circle_are_refused(store: Store) -> None:
    store.views.save("a", "today")
    store.views.save("b", "view:a")
    with pytest.raises(FilterProblem, match="refers to itself"):
        store.views.save("a", "view:b")
    assert titles(store) == []


def test_processes_that_save_views_at_once_lose_none(path: Path) -> None:
    opened(path).close()
    racing = [start("view", path, number) for number in range(4)]
    for process in racing:
        assert process.communicate(timeout=300)[0] == ""
    with opened(path) as store:
        assert sorted(names(store)) == [f"view {number}" for number in range(4)]
