"""Settings (F11): every setting by group with its explanation, changed in place in config.toml."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from rich.cells import cell_len
from textual import events, on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, OptionList

from todo_tui.config.config_file_edit import write_setting
from todo_tui.config.explain import SettingRow, list_setting_rows
from todo_tui.config.kinds import SECRET
from todo_tui.config.load import Configuration
from todo_tui.config.provider_row import Wire
from todo_tui.config.resolver import SourceKind
from todo_tui.config.settings import PROVIDER_SETTINGS, SETTINGS
from todo_tui.domain.errors import TodoError
from todo_tui.domain.text import join_words, plain_line
from todo_tui.providers.registry import PROVIDERS
from todo_tui.tui.actions.action import ActionHost
from todo_tui.tui.actions.hints import format_hint
from todo_tui.tui.actions.keymap import check_shortcuts, read_keymap, reset_together
from todo_tui.tui.actions.keys import write_keys
from todo_tui.tui.actions.registry import ACTIONS, section_of
from todo_tui.tui.actions.screens import SETTINGS_SCREEN
from todo_tui.tui.fuzzy_search import contains_words, match_score
from todo_tui.tui.screens.choice_menu import ChoiceMenu, MenuChoice
from todo_tui.tui.screens.theme_menu import ThemeMenu
from todo_tui.tui.theme import FAINT, MUTED, theme_name, theme_names
from todo_tui.tui.widgets.dialog import Dialog
from todo_tui.tui.widgets.line_input import LineInput
from todo_tui.tui.widgets.row_list import RowList
from todo_tui.tui.widgets.text import StableStatic, clip, column_width, display_line, pad_or_clip

_LONGEST_LABEL, _SHORTEST_VALUE = 30, 14
_BESIDE = 8
"""Cells of the blanks around label and value, and of a scroll bar."""
_GROUPS = {"": "General", "dates": "Dates", "roles": "Models of roles"}
"""Headings of tables whose names do not say enough."""
_SHORTCUTS = "Shortcuts"
_KEYS_ABOUT = "Keys of this action; separate several with commas: space,ctrl+d."
_NEXT_START = "Takes effect at the next start."


@dataclass(frozen=True, slots=True)
class SettingItem:
    """One line of the screen."""

    name: str
    group: str
    label: str
    about: str
    value: str
    """Effective value as it would be typed; empty: none."""
    origin: str
    choices: tuple[str, ...] = ()
    """All valid values; empty: any text that fits."""

    @property
    def searched(self) -> str:
        """The text that a search looks in."""
        return f"{self.name} {self.label} {self.group} {self.about} {self.value}"


def list_items(configuration: Configuration) -> Iterator[SettingItem]:
    """Yield all settings that the file can have, then the keys of actions."""
    rows = {row.name: row for row in list_setting_rows(configuration)}
    named = [(setting, setting.table) for setting in SETTINGS if setting.in_file]
    named += [
        (setting._replace(table=f"providers.{row.id}"), f"Provider {row.label}")
        for row in (*PROVIDERS, *configuration.settings.custom_providers)
        if row.wire is not Wire.OFFLINE
        for setting in PROVIDER_SETTINGS
        if setting.kind is not SECRET
    ]
    for setting, table in named:
        group = _GROUPS.get(table, table[:1].upper() + table[1:])
        yield SettingItem(
            setting.name,
            "API keys" if setting.table == "keys" else group,
            setting.key,
            setting.about,
            *_shown(rows.get(setting.name)),
            setting.kind.choices,
        )
    chosen = read_keymap(configuration.settings).keys
    for action in ACTIONS.values():
        keys, name = chosen.get(action.id, action.keys), f"keys.{action.id}"
        origin = _shown(rows.get(name))[1] if action.id in chosen else ""
        group = f"{_SHORTCUTS}: {section_of(action)}"
        yield SettingItem(name, group, action.label, _KEYS_ABOUT, write_keys(keys), origin)


def _rank(item: SettingItem, typed: str) -> tuple[bool, bool, float, bool]:
    """Return a key that sorts matches by name first; of actions those for tasks, bare keys last."""
    action = ACTIONS.get(item.name.removeprefix("keys."))
    is_bare_key = action is not None and not action.in_palette
    score = match_score(typed, f"{item.name} {item.label}")
    return not score, is_bare_key, -score, action is not None and action.place != "list"


def _shown(row: SettingRow | None) -> tuple[str, str]:
    """Return the value as it would be typed, and where it comes from if something sets it."""
    if row is None or row.value is None:
        return "", ""
    is_set = row.source.kind not in (SourceKind.DEFAULT, SourceKind.MACHINE)
    return row.text, row.origin if is_set else ""


class SettingsScreen(ActionHost, Dialog[None]):
    """Lists the settings that `read` returns and writes each change to the file.

    `read` reads the configuration again; it blocks.
    """

    DEFAULT_CSS = Path(__file__).with_suffix(".tcss").read_text(encoding="utf-8")
    AUTO_FOCUS = "#settings-search"
    ACTIONS = SETTINGS_SCREEN

    @dataclass
    class KeysChanged(Message):
        """Posted when the file gives actions other keys."""

        keymap: Mapping[str, str]

    def __init__(self, read: Callable[[], Configuration], find: str = "") -> None:
        super().__init__()
        self._read = read
        self._configuration: Configuration | None = None
        self._items: tuple[SettingItem, ...] = ()
        self._edited: SettingItem | None = None
        self._note = ("", Content(""))
        """Text below the list, and the setting that something happened to; empty: none."""
        self._search = LineInput(placeholder="Find a setting or key", id="settings-search")
        self._search.put(find)
        self._value = LineInput(id="settings-value")
        self._list: RowList[SettingItem] = RowList()
        self._list.can_focus = False
        self._about = StableStatic()

    def compose(self) -> ComposeResult:
        """Lay out search, list, explanation and the input of a value."""
        with Vertical(id="settings") as box:
            box.border_title = "Settings"
            yield self._search
            yield self._list
            yield self._about
            yield self._value

    def on_mount(self) -> None:
        """Read the settings."""
        self._value.display = False
        self._load()

    @work(group="settings", exclusive=True)
    async def _load(self) -> None:
        self._show(await asyncio.to_thread(self._read))

    def _show(self, configuration: Configuration) -> None:
        self._configuration = configuration
        self._items = tuple(list_items(configuration))
        self._fill(self._list.item)

    # The list

    @on(Input.Changed, "#settings-search")
    def _filter(self, event: Input.Changed) -> None:
        event.stop()
        self._fill(None if self._search.value.strip() else self._list.item)

    @on(events.Resize)
    def _draw_again(self) -> None:
        self._fill(self._list.item)

    def _fill(self, highlighted: SettingItem | None) -> None:
        typed = self._search.value.strip()
        rows = list[tuple[SettingItem | None, Content]]()
        for group, items in groupby(self._matching(typed), key=lambda item: item.group):
            rows.append((None, Content.styled(group, "bold")))
            rows += [(item, self._line(item)) for item in items]
        same = (item for item in self._items if highlighted and item.name == highlighted.name)
        is_known = self._configuration is not None
        self._list.fill(
            rows, next(same, None), note="No such setting." if is_known and not rows else ""
        )
        self._explain()

    def _matching(self, typed: str) -> Sequence[SettingItem]:
        """Return the settings with all typed words, best first, those of a group together."""
        if not typed:
            return self._items
        found = [each for each in self._items if contains_words(typed, each.searched)]
        found.sort(key=lambda item: _rank(item, typed))
        groups = [*dict.fromkeys(item.group for item in found)]
        return sorted(found, key=lambda item: groups.index(item.group))

    def _line(self, item: SettingItem) -> Content:
        room, origin = self._value_room(item)
        value = pad_or_clip(display_line(item.value) or "–", room)
        label = column_width((each.label for each in self._items), _LONGEST_LABEL)
        return Content.assemble(
            "  ",
            pad_or_clip(item.label, label),
            (f"  {value}", "bold" if item.origin else MUTED),
            (origin, FAINT),
        )

    def _value_room(self, item: SettingItem) -> tuple[int, str]:
        """Return the cells of a value, and its source behind it if that fits."""
        width = self._list.scrollable_content_region.width or _LONGEST_LABEL * 2
        label = column_width((each.label for each in self._items), _LONGEST_LABEL)
        room, origin = width - label - _BESIDE, f"  {display_line(item.origin)}"
        if not item.origin or room - cell_len(origin) < _SHORTEST_VALUE:
            return room, ""
        return room - cell_len(origin), origin

    def _explanation(self, item: SettingItem) -> Content:
        """Return the explanation of a setting, with the value that the list cuts."""
        value, about = display_line(item.value), Content.styled(item.about, MUTED)
        if cell_len(value) <= self._value_room(item)[0]:
            return about
        return about + Content.assemble(("\nNow: ", MUTED), value)

    @on(OptionList.OptionHighlighted)
    def _explain(self) -> None:
        item = self._list.item
        if item is None or self._note[0] != item.name:
            self._note = ("", Content("") if item is None else self._explanation(item))
        self._about.put(self._note[1])
        self.query_one("#settings").border_subtitle = format_hint(
            self.app,
            "Enter save · {settings.close} cancel"
            if self._edited is not None
            else "Enter change · {settings.reset} default · {settings.close} close",
        )

    def _say(self, item: SettingItem, text: str, style: str = "$text-success") -> None:
        """Show what happened to a setting until the highlight leaves it."""
        self._note = (item.name, Content.styled(plain_line(text), style))
        self._explain()

    def action_move(self, steps: int) -> None:
        """Move the highlight, also while a name is being typed."""
        if self._edited is None:
            self._list.move(steps)

    def action_page(self, pages: int) -> None:
        """Move the highlight by pages."""
        if self._edited is None:
            move = self._list.action_page_down if pages > 0 else self._list.action_page_up
            move()

    # Changes

    @on(Input.Submitted)
    def _enter(self, event: Input.Submitted) -> None:
        event.stop()
        if self._edited is not None:
            self._write(self._edited, self._value.value)
        else:
            self._change()

    @on(OptionList.OptionSelected)
    def _change(self) -> None:
        item = self._list.item
        if item is None:
            return
        if item.name == "theme":
            self._choose(item, ThemeMenu(self.app), theme_names())
        elif item.choices == ("true", "false"):
            self._write(item, "false" if item.value == "true" else "true")
        elif item.choices:
            current = item.choices.index(item.value) if item.value in item.choices else None
            menu = ChoiceMenu(item.label, [MenuChoice(each) for each in item.choices], current)
            self._choose(item, menu, item.choices)
        else:
            self._edited = item
            self._value.placeholder = f"New value of {item.label}"
            self._value.put(item.value)
            self._value.display = True
            self._value.focus()
            # What is typed replaces it.
            self._value.select_all()
            self._explain()

    def _choose(self, item: SettingItem, menu: ChoiceMenu, values: Sequence[str]) -> None:
        def write(place: int | None) -> None:
            if place is not None:
                self._write(item, values[place])

        self.app.push_screen(menu, write)

    def action_reset(self) -> None:
        """Remove the setting from the file, so that its default applies."""
        item = self._list.item
        if item is not None and self._edited is None:
            self._write(item, None)

    @work(group="settings-write")
    async def _write(self, item: SettingItem, value: str | None) -> None:
        configuration = self._configuration
        if configuration is None:
            return
        if value == item.value:
            self._leave_value()
            return
        settings, names = configuration.settings, [item.name]
        is_shortcut = item.group.startswith(_SHORTCUTS)
        try:
            if is_shortcut:
                name = item.name.removeprefix("keys.")
                actions = (name,) if value is not None else reset_together(settings, name)
                check_shortcuts(settings, dict.fromkeys(actions, value))
                names = [f"keys.{each}" for each in actions]
            for each in names:
                await asyncio.to_thread(write_setting, settings.config, each, value)
        except TodoError as error:
            self._say(item, error.text, "$text-error")
            return
        self._leave_value()
        configuration = await asyncio.to_thread(self._read)
        self._show(configuration)
        if is_shortcut:
            self.post_message(self.KeysChanged(read_keymap(configuration.settings).keys))
        elif item.name == "theme":
            self.app.theme = theme_name(value or "")
        kept = clip(display_line(value or "default"), _LONGEST_LABEL)
        source = configuration.sources.get(item.name)
        labels = [each.label for each in self._items if each.name in names[1:]]
        label = join_words([item.label, *labels], "and")
        note = f"{label}: {kept}. {'' if is_shortcut or item.name == 'theme' else _NEXT_START}"
        if source is not None and source.override:
            note = f"Saved, but {source.override}."
        self._say(item, note)

    def _leave_value(self) -> None:
        self._edited = None
        self._note = ("", Content(""))
        self._value.display = False
        self._search.focus()
        self._explain()

    def action_close(self) -> None:
        """Leave the input of a value, or close."""
        if self._edited is not None:
            self._leave_value()
        else:
            self.dismiss(None)
