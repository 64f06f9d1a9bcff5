"""Light and dark theme, the named text colours, signs of priorities."""

from textual.theme import BUILTIN_THEMES, Theme

from todo_tui.domain.task import Priority

MUTED = "$foreground 72%"
"""Style of secondary text."""
FAINT = "$foreground 63%"
"""Style of tertiary text, with a contrast of 4.5:1 on our backgrounds, selected or not."""
PRIORITY_SIGNS = {Priority.HIGH: "▲", Priority.MEDIUM: "△", Priority.LOW: "▽"}
"""Signs that differ without colour too, each one cell wide."""


def _variables(
    accent: str, selection: str, background: str, blurred: str, scrollbar: str, hover: str
) -> dict[str, str]:
    return {
        "border": accent,
        "border-blurred": blurred,
        "input-selection-background": selection,
        "screen-selection-background": selection,
        "footer-background": background,
        "text-disabled": "auto 60%",
        "scrollbar": scrollbar,
        "scrollbar-hover": hover,
        "scrollbar-active": accent,
        "scrollbar-background": background,
        "scrollbar-background-hover": background,
        "scrollbar-background-active": background,
        "scrollbar-corner-color": background,
    }


DARK = Theme(
    name="todo-dark",
    dark=True,
    primary="#7AA9F7",
    secondary="#5B6B8C",
    accent="#7AA9F7",
    success="#7FC98B",
    warning="#E3B85E",
    error="#EF7A7A",
    foreground="#E4E7ED",
    background="#14161C",
    surface="#191C23",
    panel="#1F232C",
    variables=_variables("#7AA9F7", "#7AA9F7 35%", "#14161C", "#343A47", "#2A2F3A", "#3A4150"),
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
    foreground="#11141A",
    background="#FAFAF8",
    surface="#F3F3F0",
    panel="#EAEAE6",
    variables=_variables("#0F5FC2", "#0F5FC2 25%", "#FAFAF8", "#C9CBD0", "#D6D7D9", "#BDBFC4"),
)
THEMES = {"dark": DARK, "light": LIGHT}
"""Themes by the name used in settings and store."""


def theme_names() -> list[str]:
    """Return the names of the themes as settings have them, those of this app first."""
    return [*THEMES, *sorted(BUILTIN_THEMES)]


def theme_name(word: str) -> str:
    """Return Textual's name of the theme for `light`, `dark` or a theme name."""
    theme = THEMES.get(word)
    return theme.name if theme else word or DARK.name
