"""Lines of names in TOML: the same names as the parser's, each on a line that holds it."""

from __future__ import annotations

import tomllib

from hypothesis import given, settings
from hypothesis import strategies as st

from todo_tui.config.file import TomlPath, find_line_numbers

_bare = st.from_regex(r"[A-Za-z0-9_-]{1,6}", fullmatch=True)
_any_text = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=8)


def _basic(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


_scalars = st.one_of(
    st.sampled_from(
        ["1", "-2.5e3", "true", "1979-05-27 07:32:00", "0x1f", "inf", "07:32:00", "'# a = 1 ]'"]
    ),
    _any_text.map(_basic),
    _any_text.filter(lambda text: "'" not in text).map(lambda text: f"'{text}'"),
    st.lists(st.sampled_from(["a = 1", "[b]", "# c", '"', "\\\\", "]"]), max_size=3).map(
        lambda lines: '"""' + "\n".join(lines).replace('"', '\\"') + '"""'
    ),
    st.just("'''\nx = 1\n[y]\n'''"),
)
_gaps = st.sampled_from(["", " ", "\n", " # a = 1 ]\n", "\n\n  "])


@st.composite
def _arrays(draw: st.DrawFn, items: st.SearchStrategy[str]) -> str:
    parts = [f"{draw(_gaps)}{item}{draw(_gaps)}" for item in draw(st.lists(items, max_size=3))]
    comma = draw(st.sampled_from(["", ","])) if parts else ""
    return f"[{','.join(parts)}{comma}{draw(_gaps)}]"


@st.composite
def _inline_tables(draw: st.DrawFn, items: st.SearchStrategy[str]) -> str:
    names = draw(st.lists(_keys, max_size=3, unique_by=lambda key: key[0]))
    return "{" + ", ".join(f"{text} = {draw(items)}" for _, text in names) + "}"


_keys = st.one_of(
    _bare.map(lambda name: (name, name)),
    _any_text.map(lambda name: (name, _basic(name))),
    _bare.map(lambda name: (name, f"'{name}'")),
)
_values = st.recursive(_scalars, lambda items: _arrays(items) | _inline_tables(items), max_leaves=6)


@st.composite
def documents(draw: st.DrawFn) -> str:
    """A valid TOML text."""
    lines: list[str] = []
    tables = draw(st.lists(_keys, max_size=3, unique_by=lambda key: key[0]))
    for _, header in [("", ""), *tables]:
        if header:
            lines.append(draw(st.sampled_from([f"[{header}]", f" [ {header} ] # x"])))
        for name, text in draw(st.lists(_keys, max_size=3, unique_by=lambda key: key[0])):
            if not header and any(name == other for other, _ in tables):
                continue
            dotted = draw(st.sampled_from([text, f"{text} . sub", f"\t{text}"]))
            lines.append(f"{dotted} = {draw(_values)}{draw(st.sampled_from(['', ' # y = 2']))}")
        lines.append(draw(st.sampled_from(["", "# z = 3", "   "])))
    return draw(st.sampled_from(["\n", "\r\n"])).join(lines)


def _paths(value: object, path: TomlPath = ()) -> set[TomlPath]:
    """The path of every name and list item in a parsed document."""
    found = {path} if path else set()
    if isinstance(value, dict):
        for name, each in value.items():
            found |= _paths(each, (*path, name))
    elif isinstance(value, list):
        for at, each in enumerate(value):
            found |= _paths(each, (*path, at))
    return found


@settings(max_examples=100, deadline=None)
@given(documents())
def test_every_name_of_a_document_is_found_where_it_stands(text: str) -> None:
    table = tomllib.loads(text)
    found = find_line_numbers(text)
    assert set(found) == _paths(table)
    lines = text.replace("\r\n", "\n").split("\n")
    for path, line in found.items():
        name = path[-1]
        # What follows a list on several lines, in a list or inline table, stands further down.
        here = lines[line - 1 : line if "{" not in text else None]
        if isinstance(name, str) and not any(isinstance(each, int) for each in path):
            assert any(name in each or _basic(name)[1:-1] in each for each in here)


@settings(max_examples=100, deadline=None)
@given(documents(), st.text("abc=[]{}\"'#.,\n 1\\", max_size=30), st.integers(0, 200))
def test_line_numbers_of_a_text_with_anything_put_in_are_found(
    text: str, rubbish: str, at: int
) -> None:
    find_line_numbers(text[:at] + rubbish + text[at:])
