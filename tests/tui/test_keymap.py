"""Other keys than usual: every action can have them, and every hint then names them."""

from __future__ import annotations

import importlib
import pkgutil

from textual.binding import Binding
from textual.dom import DOMNode
from textual.widgets import TextArea

import todo_tui.tui
from tests.tui.conftest import AppOpener, AppSetup
from tests.tui.pane import add_titles
from todo_tui.domain.task import Status
from todo_tui.tui.actions.action import UNBOUND
from todo_tui.tui.actions.keys import TEXT_KEYS
from todo_tui.tui.actions.registry import ACTIONS


def _bindings() -> list[Binding]:
    """All bindings of all places of the app."""
    for module in pkgutil.walk_packages(todo_tui.tui.__path__, "todo_tui.tui."):
        importlib.import_module(module.name)
    kinds, ours = [DOMNode], []
    while kinds:
        kind = kinds.pop()
        kinds += kind.__subclasses__()
        if kind.__module__.startswith("todo_tui.tui."):
            ours += [
                each for each in kind.__dict__.get("BINDINGS", ()) if isinstance(each, Binding)
            ]
    return ours


def test_every_binding_is_an_action_of_the_table_and_every_action_has_its_keys() -> None:
    keys: dict[str, set[str]] = {}
    for binding in _bindings():
        assert binding.id is not None, f"{binding.key} ({binding.action}) has no name"
        assert binding.tooltip, f"{binding.id} does not explain itself"
        assert binding.id in ACTIONS, f"{binding.id} is not in the table"
        keys.setdefault(binding.id, set()).update(binding.key.split(","))
    assert keys == {
        name: set((action.keys or UNBOUND).split(",")) for name, action in ACTIONS.items()
    }


def test_the_keys_that_edit_in_the_message_box_are_those_of_the_box() -> None:
    theirs = {key for _, binding in TextArea()._bindings for key in binding.key.split(",")}
    assert theirs >= TEXT_KEYS


async def test_actions_have_their_new_keys_and_those_that_shared_the_usual_one_keep_it(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    one, two = add_titles(app_setup.store, "one", "two")
    app_setup.keymap = {
        # By default it has no key.
        "chat.attach": "alt+f",
        "list.tick": "x,f11",
        "chat.stop": "ctrl+l",
        "app.to_list": "insert",
        "write.send": "f7",
        "write.new_line": "enter",
    }
    async with open_app() as running:
        # Those that shared a key with a moved one keep it.
        await running.press("insert")
        assert not running.writes()
        await running.press("escape")
        assert running.writes()
        await running.press("tab")
        assert running.writes()

        # The new keys act, and no longer the usual one.
        await running.press("insert", "space")
        await running.settle()
        assert app_setup.store.tasks.get(one.id).status is Status.TODO
        await running.press("f11")
        await running.settle()
        assert app_setup.store.tasks.get(one.id).status is Status.DONE
        await running.press("down", "x")
        await running.settle()
        assert app_setup.store.tasks.get(two.id).status is Status.DONE
        await running.press("escape")

        # Also in the message box.
        await running.type("one\ntwo")
        assert running.composer.text == "one\ntwo"
        await running.press("f7")
        assert running.composer.text == ""
        await running.settle()
        await running.press("alt+f")
        assert running.composer.text == "/attach "
        await running.press("f1")
        assert "Alt+F" in running.shown()
        assert "nbound" not in running.shown()


async def test_an_action_that_lost_a_key_keeps_its_other_ones_and_shared_ones_stay(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    (one,) = add_titles(app_setup.store, "one")
    app_setup.keymap = {"list.tick": "d", "list.back": "backspace", "write.older": "ctrl+up"}
    async with open_app() as running:
        await running.press("tab", "d")
        await running.settle()
        assert app_setup.store.tasks.get(one.id).status is Status.DONE
        await running.press("delete")
        await running.settle()
        assert app_setup.store.tasks.get(one.id).deleted_at is not None
        # Tab leads back too, though another key was chosen for it.
        await running.press("tab")
        assert running.writes()

        # Arrows move in the text when older messages have another key.
        await running.send("first")
        await running.press("o", "n", "e", "ctrl+j", "t", "up")
        assert running.composer.cursor_location[0] == 0
        await running.press("ctrl+home", "ctrl+up")
        assert running.composer.text == "first"


async def test_the_list_its_boxes_and_what_opens_over_it_name_the_new_keys(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.keymap = {
        "list.add": "i",
        "list.back": "backspace",
        "list.views": "V",
        "box.leave": "ctrl+g",
        "views.close": "ctrl+g",
        "calendar.today": "n",
        "calendar.close": "ctrl+g",
        "app.help": "f11",
        "app.pick_model": "ctrl+b",
    }
    async with open_app() as running:
        assert "F11 help" in running.shown()
        assert "Ctrl+B model" in running.shown()
        await running.press("f11")
        await running.until(lambda: "Add task" in running.shown())
        line = next(line for line in running.shown().splitlines() if "Add task" in line)
        assert "i" in line.split()
        await running.press("escape")
        await running.press("tab")
        assert "press i." in running.shown()
        await running.press("slash")
        await running.type("nowhere")
        await running.settle()
        assert "Backspace clears the filter." in running.shown()
        await running.press("ctrl+s")
        await running.type("mine")
        await running.until(lambda: "V lists the view" in running.shown())
        await running.press("ctrl+g", "ctrl+g", "V")
        await running.until(lambda: "Ctrl+G close" in running.shown())
        await running.press("ctrl+g", "c")
        await running.until(lambda: "n today · Ctrl+G close" in running.shown())


async def test_a_mistake_in_the_configuration_is_reported_and_the_app_starts(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    others = (f"line {number}: `{number}` is none." for number in range(3, 40))
    app_setup.config_errors = ("config.toml: line 2: `list.tik` is not an action.", *others)
    async with open_app() as running:
        assert "`list.tik` is not an action." in running.shown().replace("\n", " ")
        assert "35 more. Run `todo-tui config check`" in running.shown()
        assert running.writes()
