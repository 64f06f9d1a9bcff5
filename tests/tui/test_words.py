"""The words of the package: labels of actions, slash commands, help, and every other text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from textual.color import Color

import todo_tui
from tests.rows import each_row
from todo_tui.tui.actions.registry import SECTIONS, SLASH_COMMANDS, TABLES
from todo_tui.tui.theme import DARK, FAINT, LIGHT

LABELS = {
    **{row.id: row.label for table in TABLES for row in table},
    **{f"/{command.name}": command.summary for command in SLASH_COMMANDS.values()},
    **{section: section for section in SECTIONS},
}
ARCHAIC = re.compile(
    r"\b(shall|meanwhile|anew|afresh|cures?|so many|goes with|(comes?|repeats?|hidden) no more"
    r"|pass(es|ed) over|the person|nobody|somebody|is agreed to|what (was|is) (spent|done)"
    r"|stands alone|leads back|put off|thrown? away|left alone|was not understood"
    r"|I do not understand|whom|upon)\b",
    re.IGNORECASE,
)
TYPED = (
    "agent/system_prompt.py",
    "domain/dates/",
    "domain/knowledge/answer_quality.py",
    "domain/knowledge/content_words.py",
    "domain/knowledge/query_rules.py",
    "evaluation/scenarios.json",
    *(
        f"providers/offline/{name}"
        for name in (
            "follow_ups/amendments.py",
            "answering/answer_kinds.py",
            "follow_ups/continuations.py",
            "language/pattern.py",
            "reading/drafts.py",
            "language/phrases.py",
            "answering/quotations.py",
            "reading/done_statements.py",
            "reading/command_rules.py",
            "reading/question_rules.py",
            "language/words.toml",
        )
    ),
)
"""Modules of words that a person may type and of a prompt for a model; none is shown."""
SEARCH_WORDS = {
    "list.undo": "undo",
    "list.redo": "redo",
    "list.delete": "delete",
    "list.tick": "complete",
    "list.edit": "edit",
    "list.copy": "copy",
    "list.filter": "filter",
    "list.snooze": "snooze",
    "list.skip": "occurrence",
    "list.end_series": "recurrence",
    "list.purge": "permanently",
    "chat.stop": "stop",
    "chat.retry": "retry",
    "chat.undo_turn": "undo",
    "chat.new": "conversation",
    "chat.yes": "approve",
    "chat.no": "deny",
    "app.quit": "quit",
    "app.usage": "cost",
    "app.pick_model": "model",
}


def texts() -> Iterator[tuple[str, str]]:
    """Yield the texts of the package with their places: strings, without docstrings, and data."""
    root = Path(todo_tui.__path__[0])
    shown = [
        path
        for path in sorted(root.rglob("*.*"))
        if not path.relative_to(root).as_posix().startswith(TYPED)
    ]
    for path in shown:
        if path.suffix in (".json", ".toml", ".txt"):
            for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
                yield f"{path.name}:{number}", line
        if path.suffix != ".py":
            continue
        tree = ast.parse(path.read_text("utf-8"))
        alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            match node:
                case ast.Constant(value=str(text)) if id(node) not in alone:
                    yield f"{path.name}:{node.lineno}", text


def test_no_label_and_no_text_uses_archaic_words() -> None:
    found = [*LABELS.items(), *texts()]
    assert [each for each in found if ARCHAIC.search(each[1])] == []


def test_a_label_has_four_words_at_most_and_names_what_it_means() -> None:
    for whole in LABELS.values():
        label = re.sub(r" \(.*\)$", "", whole)
        words = [word for word in label.split() if word != "/"]
        assert 0 < len(words) <= 4, whole
        assert not {word.lower() for word in words} & {"it", "its", "what", "this", "who"}, whole
        assert label[0].isupper(), whole
        assert not label.endswith("."), whole


@each_row(("name", "word"), SEARCH_WORDS.items())
def test_a_label_has_the_word_that_people_search(name: str, word: str) -> None:
    assert word in LABELS[name].lower()


def test_every_action_with_alt_alone_has_a_slash_command() -> None:
    rows = [row for table in TABLES for row in table if row.keys]
    only_alt = [row for row in rows if all("alt+" in key for key in row.keys.split(","))]
    models = [row.id for row in only_alt if row.id.startswith("app.provider_")]
    assert [row.id for row in only_alt if row.slash is None] == models
    assert "N" in SLASH_COMMANDS["model"].slash.argument.split("|")
    assert {"undo", "approve", "deny", "snooze", "model"} <= SLASH_COMMANDS.keys()


def luminance(color: Color) -> float:
    """Return the relative luminance that WCAG 2 defines."""
    channels = (
        each / 12.92 if each <= 0.03928 else ((each + 0.055) / 1.055) ** 2.4
        for each in color.normalized
    )
    return sum(share * each for share, each in zip((0.2126, 0.7152, 0.0722), channels, strict=True))


def test_faint_text_can_be_read_on_every_background() -> None:
    share = float(FAINT.removeprefix("$foreground ").removesuffix("%")) / 100
    for theme in (DARK, LIGHT):
        primary = Color.parse(theme.primary)
        plain = [Color.parse(each) for each in (theme.background, theme.panel) if each]
        for background in (*plain, *(each.blend(primary, 0.15) for each in plain)):
            text = background.blend(Color.parse(theme.foreground or ""), share)
            low, high = sorted(map(luminance, (text, background)))
            assert (high + 0.05) / (low + 0.05) >= 4.5, (theme.name, background)
