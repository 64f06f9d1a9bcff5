"""`[keys]` of the configuration file: which actions there are, which keys, what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.config.home import Home
from tests.rows import each_row
from todo_tui.config.explain import list_setting_rows
from todo_tui.tui.actions.keymap import Keymap, can_clash, read_keymap
from todo_tui.tui.actions.keys import read_keys, types_text, write_keys
from todo_tui.tui.actions.registry import ACTIONS, PLACES


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """Return a machine without a configuration file."""
    return Home(tmp_path)


def keymap(home: Home, toml: str) -> Keymap:
    """Return the keymap of a configuration file."""
    return read_keymap(home.settings(None, toml))


@each_row(
    ("written", "meant"),
    [
        ("space,x", ["space", "x"]),
        ("Ctrl+T", ["ctrl+t"]),
        ("X", ["X"]),
        ("shift+x", ["X"]),
        ("?", ["question_mark"]),
        ("ctrl+/", ["ctrl+slash"]),
        ("Del, PgUp, Esc", ["delete", "pageup", "escape"]),
        ("Alt+↑", ["alt+up"]),
        ("shift+alt+F5", ["alt+shift+f5"]),
        (",", ["comma"]),
        ("comma", ["comma"]),
        ("+", ["plus"]),
        ("ctrl++", ["ctrl+plus"]),
        ("ö", ["ö"]),
    ],
)
def test_keys_can_be_written_as_people_name_them(written: str, meant: list[str]) -> None:
    assert read_keys(written) == (meant, "")


@each_row("written", ["", "x,,y", "hyper+x", "xx", "f99", "ctrl+", "\x1b", "+x"])
def test_what_is_no_key_is_found(written: str) -> None:
    assert read_keys(written)[1] or not read_keys(written)[0]


def test_the_usual_keys_are_written_as_the_file_may_have_them_and_do_not_clash() -> None:
    for action in filter(lambda action: action.keys, ACTIONS.values()):
        for written in (action.keys, write_keys(action.keys)):
            assert read_keys(written) == (action.keys.split(","), ""), action.id
        assert "bracket" not in write_keys(action.keys)
    lists = [action for action in ACTIONS.values() if action.place == "list"]
    keys = [key for action in lists for key in action.keys.split(",")]
    assert len(keys) == len(set(keys))


def test_actions_take_other_keys_with_their_names_in_quotes_or_not(home: Home) -> None:
    toml = '[keys]\nstore = "file"\n"list.tick" = "space,f7"\nlist.add = ["insert", "f6"]\n'
    found = keymap(home, toml)
    assert found.keys == {"list.tick": "space,f7", "list.add": "insert,f6"}
    assert found.problems == ()
    # Also those that have no key by default, which an empty text leaves as they are.
    found = keymap(home, '[keys]\n"chat.pin" = "alt+p"\n"chat.copy" = ""\n')
    assert found.keys == {"chat.pin": "alt+p"}
    assert found.problems == ()


def test_the_settings_that_hold_say_on_which_line_a_key_was_chosen(home: Home) -> None:
    toml = '[keys]\n"list.tick" = "f7"\nlist.add = "f8"\n'
    shown = {each.name: each for each in list_setting_rows(home.configuration(None, toml))}
    assert (shown["keys.list.tick"].value, shown["keys.list.tick"].origin) == ("f7", "line 2")
    assert shown["keys.list.add"].origin == "line 3"


def test_two_actions_can_swap_their_keys(home: Home) -> None:
    toml = '[keys]\n"list.tick" = "d"\n"list.delete" = "space"\n'
    found = keymap(home, toml)
    assert found.keys == {"list.tick": "d", "list.delete": "space"}
    assert found.problems == ()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('"list.tik" = "x"', "line 2: Unknown action `list.tik`. Did you mean `list.tick`?"),
        ('"tick" = "f6"', "Unknown action `tick`. Did you mean `list.tick`?"),
        ('"list.tick" = "spaec"', "line 2: `list.tick` has an unknown key: “spaec”."),
        ('"list.tick" = 5', "line 2: `list.tick` has an invalid value."),
        ('"list.tick" = ""', "line 2: `list.tick` has no key."),
        ('"list.tick" = "d"', "line 2: `list.tick` cannot use d: it is the key of `list.delete`"),
        ('"list.add" = "f1"', "line 2: `list.add` cannot use f1: it is the key of `app.help`"),
        ('"app.help" = "f6"', "line 2: `app.help` cannot use f6: text boxes need that key."),
        # What acts in a text box needs keys that the box does not need.
        (
            '"app.dump" = "alt+b"',
            "line 2: `app.dump` cannot use alt+b: terminals send Ctrl+Left for it.",
        ),
        ('"write.send" = "e"', "line 2: `write.send` cannot use e: text boxes need that key."),
        ('"write.new_line" = "space"', "`write.new_line` cannot use space: text boxes need"),
        ('"write.newer" = "ctrl+n,."', "`write.newer` cannot use full_stop: text boxes need"),
        ('"write.send" = "backspace"', "`write.send` cannot use backspace: text boxes need"),
        ('"box.complete" = "X"', "`box.complete` cannot use X: text boxes need that key."),
        ('"box.leave" = "ü"', "`box.leave` cannot use ü: text boxes need that key."),
        ('"editor.save" = "ctrl+k"', "`editor.save` cannot use ctrl+k: text boxes need"),
        ('"picker.test" = "a"', "`picker.test` cannot use a: text boxes need that key."),
        ('"settings.reset" = "delete"', "`settings.reset` cannot use delete: text boxes need"),
        ('"app.quit" = "q"', "`app.quit` cannot use q: text boxes need that key."),
        (
            '"list.add" = "f6"\n"list.filter" = "f6"',
            "line 3: `list.filter` cannot use f6: it is the key of `list.add`",
        ),
    ],
)
def test_a_mistake_is_reported_by_its_line_with_what_would_fit(
    home: Home, line: str, words: str
) -> None:
    found = keymap(home, f"[keys]\n{line}\n").problems
    assert words in "\n".join(f"{each.message} {each.hint}" for each in found)


def test_a_mistake_leaves_the_usual_key_and_what_is_right_beside_it(home: Home) -> None:
    found = keymap(home, '[keys]\n"list.tick" = "ddd"\n"list.add" = "insert"\n')
    assert found.keys == {"list.add": "insert"}
    assert len(found.problems) == 1


def test_what_is_given_another_actions_key_has_it_and_the_clash_is_reported(home: Home) -> None:
    found = keymap(home, '[keys]\n"list.tick" = "space,x"\n')
    assert found.keys == {"list.tick": "space,x"}
    (problem,) = found.problems
    assert "`list.tick` cannot use x: it is the key of `list.mark`" in problem.message


def test_of_two_that_are_given_one_key_the_first_has_it(home: Home) -> None:
    found = keymap(home, '[keys]\n"list.add" = "f6"\n"list.filter" = "f6"\n')
    assert found.keys == {"list.add": "f6"}


def test_keys_of_places_that_never_meet_may_be_the_same(home: Home) -> None:
    assert not can_clash("list", "queue")
    assert keymap(home, '[keys]\n"queue.first" = "a"\n').problems == ()


def test_keys_that_no_text_box_needs_are_taken(home: Home) -> None:
    for line in (
        '"write.send" = "ctrl+enter"', '"write.new_line" = "enter"\n"write.send" = "alt+enter"',
        '"write.older" = "ctrl+up"', '"box.leave" = "ctrl+b"', '"picker.test" = "f13,ctrl+e"',
        '"app.help" = "M"', '"app.conversations" = "ö"', '"list.tick" = "backspace"',
        '"list.add" = "+"', '"card.approve" = "j"', '"editor.open_link" = "space"',
    ):  # fmt: skip
        assert keymap(home, f"[keys]\n{line}\n").problems == (), line


def test_default_keys_leave_text_to_the_boxes() -> None:
    places = (action for action in ACTIONS.values() if PLACES[action.place].is_for_typing)
    texts = [row.id for row in places if any(map(types_text, row.keys.split(",")))]
    # A row of links has the focus for that.
    assert texts == ["editor.open_link"]
