"""`conversations`, and going on with one of them."""

from __future__ import annotations

import json
from typing import Any

from tests.cli.conftest import Shell
from tests.cli.terminal import at_a_terminal, on_terminal


def asked(shell: Shell, *words: str) -> dict[str, Any]:
    """Have the built-in assistant answer; the object that `ask --json` prints."""
    outcome: dict[str, Any] = json.loads(shell.done("ask", "--json", *words).out)
    return outcome


def test_conversations_are_listed_and_searched(shell: Shell) -> None:
    assert "No conversations" in shell.done("conversations", "list").err
    milk = asked(shell, "add buy milk")["conversation_id"]
    rent = asked(shell, "add pay the rent")["conversation_id"]
    titles, *lines = shell.done("conversations", "list").out.splitlines()
    assert titles.split()[:3] == ["ID", "Updated", "Title"]
    assert [line.split()[0] for line in lines] == [rent[:8], milk[:8]]
    assert "add pay the rent" in lines[0]
    (found,) = json.loads(shell.done("conversations", "list", "pay", "ren", "--json").out)
    assert (found["id"], found["title"], found["turns"]) == (rent, "add pay the rent", 1)
    assert "rent" in found["match"]["line"]
    assert "No conversation matches “cheese”." in shell.done("conversations", "list", "cheese").err


def test_a_narrow_terminal_shows_the_matching_line(shell: Shell) -> None:
    asked(shell, "add call Anna and buy milk")
    lines = on_terminal(80, "conversations", "list", "mil")
    assert "Match" in lines[0]
    assert "Added Buy milk" in " ".join(lines)
    missing = shell.fails("conversations", status=2).err
    assert "Missing command. Choose one of: list, show, rename" in missing


def test_a_conversation_is_shown_as_plain_text(shell: Shell) -> None:
    turn = asked(shell, "add \x1b[31mbuy milk")
    shown = shell.done("conversations", "show", turn["conversation_id"][:6]).out
    assert shown.splitlines()[0] == "add buy milk"
    assert "You · Wed 18 Nov 14:30\nadd buy milk\n" in shown
    assert "✓ Added buy milk" in shown
    assert "\x1b" not in shown


def test_a_conversation_is_renamed_and_deleted_for_good(shell: Shell) -> None:
    turn = asked(shell, "add Quittengelee")
    given = turn["conversation_id"]
    assert shell.done("conversations", "rename", given, "My", "plans").out == (
        "Renamed conversation to My plans\n"
    )
    refused = shell.fails("conversations", "delete", given)
    assert "--yes" in refused.err
    assert shell.done("conversations", "delete", given, "--yes").out == (
        "Permanently deleted My plans\n"
    )
    assert "no conversation matches" in shell.fails("conversations", "show", given).err.lower()
    assert shell.done("list").out


def test_deleting_asks_at_a_terminal(shell: Shell) -> None:
    child = at_a_terminal("conversations", "delete", asked(shell, "add a")["conversation_id"])
    child.expect("Permanently delete add a\\? This cannot be undone. \\[y/N\\]")
    child.sendline("n")
    child.expect("Nothing deleted.")


def test_a_conversation_is_exported(shell: Shell) -> None:
    turn = asked(shell, "add buy milk")
    given = turn["conversation_id"]
    asked(shell, "--conversation", given, "# not a heading")
    text = shell.done("conversations", "export", given).out
    assert text.startswith("# add buy milk\n\n## You · 2026-11-18 14:30\n\n> add buy milk\n\n## ")
    assert "\n- ✓ Added Buy milk" in text
    assert "\n> # not a heading\n" in text
    target = shell.folder / "talk.json"
    shell.done("conversations", "export", given, "--output", str(target))
    assert "exists" in shell.fails("conversations", "export", given, "--output", str(target)).err
    exported = json.loads(target.read_text("utf-8"))
    assert exported["title"] == "add buy milk"
    first, second = exported["turns"]
    assert first["trace"] == turn["trace"]
    assert (first["user"], second["user"]) == ("add buy milk", "# not a heading")
    assert (first["turn_id"], first["answer"]) == (turn["turn_id"], turn["answer"])


def test_days_of_an_old_conversation_are_dates(shell: Shell) -> None:
    """In the shell and in exports; the answer repeats none of its rows."""
    given = asked(shell, "add buy milk tomorrow 5pm")["conversation_id"]
    for words in ("move milk to today", "what is open?"):
        asked(shell, "--continue", words)
    assert "· tomorrow 17:00" in shell.done("conversations", "show", given).out
    shell.set(TODO_TUI_NOW="2026-11-21 14:30")
    for command in ("show", "export"):
        text = shell.done("conversations", command, given).out
        assert "✓ Added Buy milk · Thu 19 Nov 17:00" in text
        assert "✓ Moved Buy milk · Thu 19 Nov 17:00 → Wed 18 Nov" in text
        assert "Buy milk · Wed 18 Nov" in text.partition("what is open?")[2]
        assert text.count("tomorrow") == text.count("add buy milk tomorrow 5pm")
        assert "Say “undo”" not in text


def test_ask_goes_on_with_the_conversation_of_an_id(shell: Shell) -> None:
    first = asked(shell, "add buy milk")["conversation_id"]
    asked(shell, "add pay rent")
    assert asked(shell, "--conversation", first[:6], "what is due")["conversation_id"] == first
    assert "No conversation matches “zz”." in shell.fails("ask", "--conversation", "zz", "x").err
    shell.fails("ask", "--continue", "--conversation", first, "x", status=2)


def test_options_of_the_app_are_refused_where_they_make_no_sense(shell: Shell) -> None:
    shell.fails("--continue", "--conversation", "x", status=2)
    shell.fails("--demo", "--continue", status=2)
    shell.fails("--conversation", "x", "list", status=2)
