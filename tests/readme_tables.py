"""The README's tables that follow from the code; `python -m tests.readme_tables` writes them."""

from __future__ import annotations

import asyncio
import re
import tempfile
from pathlib import Path

from todo_tui.cli.services import build_app_services, build_clock, open_user_store
from todo_tui.config.load import Machine, load_settings
from todo_tui.config.settings import Flags
from todo_tui.domain.when import DateStyle
from todo_tui.providers.registry import PROVIDERS, ProviderRow
from todo_tui.tui.app import TodoApp
from todo_tui.tui.screens.help import keys_by_place

README = Path(__file__).resolve().parents[1] / "README.md"


async def keys_table() -> str:
    """Every key that explains itself, by the place where it works."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        machine = Machine("UTC", DateStyle(), home, home, home)
        settings = load_settings(Flags(), {}, PROVIDERS, machine)
        with open_user_store(settings, build_clock(settings)) as store:
            app = TodoApp(build_app_services(settings, store, build_clock(settings)))
            async with app.run_test():
                places = keys_by_place(
                    [*app.screen.walk_children(), app.screen, app], app.key_names
                )
    lines = ["| where | key | does |", "|---|---|---|"]
    for place, keys in places.items():
        lines += [f"| {place} | {_cell(key)} | {_cell(does)} |" for key, does in keys]
    return "\n".join(lines)


def providers_table() -> str:
    """The visible rows of the provider registry, in the order of their shortcuts."""
    lines = ["| key | id | model | what it takes |", "|---|---|---|---|"]
    visible = [row for row in PROVIDERS if not row.hidden]
    lines += [_provider(number, row) for number, row in enumerate(visible, start=1)]
    return "\n".join(lines)


def _provider(number: int, row: ProviderRow) -> str:
    model = f"`{row.default_model}`" if row.default_model else "the first that it lists"
    return f"| Alt+{number} | `{row.id}` {row.label} | {model} | {row.setup} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def block(readme: str, name: str) -> str:
    """What stands in the README between the marks of that name."""
    found = re.search(f"<!-- {name}:begin -->\n(.*?)\n?<!-- {name}:end -->", readme, re.DOTALL)
    assert found is not None, f"the README has no block {name!r}"
    return found.group(1)


def with_block(readme: str, name: str, text: str) -> str:
    """The README with that block replaced."""
    begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
    head, _, rest = readme.partition(begin)
    _, _, tail = rest.partition(end)
    return f"{head}{begin}\n{text}\n{end}{tail}"


def main() -> None:
    """Write the tables into the README."""
    readme = README.read_text("utf-8")
    readme = with_block(readme, "keys", asyncio.run(keys_table()))
    readme = with_block(readme, "providers", providers_table())
    README.write_text(readme, "utf-8")


if __name__ == "__main__":
    main()
