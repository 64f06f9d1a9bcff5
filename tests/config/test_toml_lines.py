"""Lines of names in TOML."""

from __future__ import annotations

from todo_tui.config.config_file import find_line_numbers

_DOCUMENT = """\
user = "anna"  # theme = "dark"
# theme = "dark"
fallback = [
  "gemini",
]
limits.retries = 3

[ providers . groq ]
  "api_key" = 'a = b'
[keys]
'list.tick' = "x"
[keys.app]
quit = "q"
"""


def test_every_table_and_name_is_found_on_its_line() -> None:
    assert find_line_numbers(_DOCUMENT) == {
        ("user",): 1,
        ("fallback",): 3,
        ("limits",): 6,
        ("limits", "retries"): 6,
        ("providers",): 8,
        ("providers", "groq"): 8,
        ("providers", "groq", "api_key"): 9,
        ("keys",): 10,
        ("keys", "list.tick"): 11,
        ("keys", "app"): 12,
        ("keys", "app", "quit"): 13,
    }


def test_text_that_is_no_toml_has_the_lines_that_can_be_read() -> None:
    assert find_line_numbers('= 1\n]]\n[a\nb = "\nc=') == {("b",): 4, ("c",): 5}
