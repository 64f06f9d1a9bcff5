"""Light and dark theme, and the named text colours."""

from __future__ import annotations

from textual.theme import Theme

MUTED = "$foreground 62%"
"""Style of secondary text."""

FAINT = "$foreground 42%"
"""Style of tertiary text."""

DARK = Theme(
    name="todo-dark",
    dark=True,
    primary="#7AA9F7",
    secondary="#5B6B8C",
    accent="#7AA9F7",
    success="#7FC98B",
    warning="#E3B85E",
    error="#EF7A7A",
    foreground="#D9DCE3",
    background="#14161C",
    surface="#191C23",
    panel="#1F232C",
    variables={
        "border": "#7AA9F7",
        "border-blurred": "#343A47",
        "input-selection-background": "#7AA9F7 35%",
        "screen-selection-background": "#7AA9F7 35%",
        "footer-background": "#14161C",
        "scrollbar": "#2A2F3A",
        "scrollbar-hover": "#3A4150",
        "scrollbar-active": "#7AA9F7",
        "scrollbar-background": "#14161C",
        "scrollbar-background-hover": "#14161C",
        "scrollbar-background-active": "#14161C",
        "scrollbar-corner-color": "#14161C",
    },
)

LIGHT = Theme(
    name="todo-light",
    dark=False,
    primary="#0F5FC2",
    secondary="#8A96AB",
    accent="#0F5FC2",
    success="#1C7C3A",
    warning="#8F5F00",
    error="#BF2F38",
    foreground="#22262E",
    background="#FAFAF8",
    surface="#F3F3F0",
    panel="#EAEAE6",
    variables={
        "border": "#0F5FC2",
        "border-blurred": "#C9CBD0",
        "input-selection-background": "#0F5FC2 25%",
        "screen-selection-background": "#0F5FC2 25%",
        "footer-background": "#FAFAF8",
        "scrollbar": "#D6D7D9",
        "scrollbar-hover": "#BDBFC4",
        "scrollbar-active": "#0F5FC2",
        "scrollbar-background": "#FAFAF8",
        "scrollbar-background-hover": "#FAFAF8",
        "scrollbar-background-active": "#FAFAF8",
        "scrollbar-corner-color": "#FAFAF8",
    },
)

THEMES = {"dark": DARK, "light": LIGHT}
"""Themes by the name used in settings and store."""


def theme_name(word: str) -> str:
    """Return Textual's name of the theme for `light`, `dark` or a theme name."""
    theme = THEMES.get(word)
    return theme.name if theme else word or DARK.name
