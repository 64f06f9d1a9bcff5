"""Tables that follow from the code; `python -m tests.readme_tables` writes them."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from pathlib import Path

from tests.scenario_files import run
from todo_tui.config.declaration import Setting
from todo_tui.config.explain import format_value
from todo_tui.config.kinds import format_toml
from todo_tui.config.settings import (
    CUSTOM_PROVIDER_SETTINGS,
    PROVIDER_SETTINGS,
    SETTINGS,
)
from todo_tui.evaluation.runner import Verdict
from todo_tui.evaluation.scenarios import read_shipped_scenarios
from todo_tui.providers.registry import PROVIDERS, ProviderRow
from todo_tui.tui.actions.hints import KeyNames
from todo_tui.tui.screens.help import keys_by_place

_ROOT = Path(__file__).resolve().parents[1]
README = _ROOT / "README.md"
KEYS = _ROOT / "docs/keys.md"
BENCHMARKS = _ROOT / "docs/benchmarks.md"
SETTINGS_PAGE = _ROOT / "docs/settings.md"
_POLL_SECONDS = 0.02
_FIRST_KEYS = (
    "Tab",
    "a",
    "Space",
    "s",
    "E",
    "d Del",
    "u",
    "/",
    "F2",
    "F1 ?",
)
"""The ten of the README; each is the first of its name in the table of all."""
_FIGURES = (
    "first frame, 1,000 tasks, CPU",
    "`todo-tui add`, CPU",
    "`list`, 10,000 tasks, beside Taskwarrior, CPU",
    "key to paint, move, 1,000 tasks beside 100, 95th percentile, CPU",
    "resident memory, 100,000 tasks",
)
"""The five rows of the benchmarks that the README shows."""


def keys_table() -> str:
    """Every key, by the place where it works."""
    lines = ["| where | key | does |", "|---|---|---|"]
    for place, keys in keys_by_place(KeyNames({})).items():
        lines += [f"| {place} | {_cell(key)} | {_cell(does)} |" for key, does in keys]
    return "\n".join(lines)


def first_keys_table(keys: str) -> str:
    """The first keys to learn, out of the table of all."""
    rows = [line.split(" | ", 2) for line in keys.splitlines()[2:]]
    found = {key: f"| {key} | {does}" for _, key, does in reversed(rows)}
    return "\n".join(["| key | does |", "|---|---|", *(found[key] for key in _FIRST_KEYS)])


def figures_table(benchmarks: str) -> str:
    """The figures that matter most, out of the table of all."""
    head, rule, *rows = benchmarks.splitlines()
    found = {row.split(" | ")[0].removeprefix("| "): row for row in rows}
    return "\n".join([head, rule, *(found[name] for name in _FIGURES)])


def providers_table() -> str:
    """The rows of the provider registry, in the order of their shortcuts."""
    lines = ["| command | id | model | what it takes |", "|---|---|---|---|"]
    lines += [_provider(number, row) for number, row in enumerate(PROVIDERS, start=1)]
    return "\n".join(lines)


async def evaluation_table() -> str:
    """The verdicts on the built-in assistant."""
    scenarios = read_shipped_scenarios()
    verdicts = {each.id: (await run(each)).verdict for each in scenarios}
    blind = {each.id for each in scenarios if each.blind}
    parts = {
        f"all {len(scenarios)}": verdicts.keys(),
        f"{len(blind)} written before its rules were read": blind,
    }
    lines = ["| scenarios | right | safe | harmful |", "|---|---|---|---|"]
    for title, ids in parts.items():
        counts = Counter(verdicts[each] for each in ids)
        right = f"{counts[Verdict.RIGHT]} ({counts[Verdict.RIGHT] / len(ids):.0%})"
        lines.append(f"| {title} | {right} | {counts[Verdict.SAFE]} | {counts[Verdict.HARMFUL]} |")
    return "\n".join(lines)


def settings_table() -> str:
    """Return the settings, in the order of the template of config.toml."""
    lines = ["| in `config.toml` | variable | option | what | default |", "|---|---|---|---|---|"]
    for setting in SETTINGS:
        if setting.in_file or setting.variable:
            name = f"`[{setting.table}]` `{setting.key}`" if setting.table else f"`{setting.key}`"
            cells = (
                name if setting.in_file else "",
                _code(setting.variable),
                _code(setting.flag),
                setting.about,
                _code(_default(setting)),
            )
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def provider_settings_table() -> str:
    """Return the settings of each provider, then those of one that is not built in."""
    lines = ["| setting | variable | description |", "|---|---|---|"]
    for setting in (*PROVIDER_SETTINGS, *CUSTOM_PROVIDER_SETTINGS):
        custom = " Only for custom providers." * (setting in CUSTOM_PROVIDER_SETTINGS)
        lines.append(f"| `{setting.key}` | {_code(setting.variable)} | {setting.about}{custom} |")
    return "\n".join(lines)


def _default(setting: Setting) -> str:
    if setting.from_machine or setting.default in (None, "", ()):
        return ""
    return format_toml(format_value(setting, setting.default)).strip('"')


def _code(text: str) -> str:
    return f"`{text}`" if text else ""


def _provider(number: int, row: ProviderRow) -> str:
    model = f"`{row.default_model}`" if row.default_model else "first listed model"
    return f"| `/model {number}` | `{row.id}` {row.label} | {model} | {row.setup} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def block(document: Path, name: str) -> str:
    """What stands in the document between the marks of that name."""
    found = re.search(
        f"<!-- {name}:begin -->\n(.*?)\n?<!-- {name}:end -->",
        document.read_text("utf-8"),
        re.DOTALL,
    )
    assert found is not None, f"{document.name} has no block {name!r}"
    return found.group(1)


def write_block(document: Path, name: str, text: str) -> None:
    """Replace what stands between the marks of that name."""
    begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
    head, _, rest = document.read_text("utf-8").partition(begin)
    _, _, tail = rest.partition(end)
    document.write_text(f"{head}{begin}\n{text}\n{end}{tail}", "utf-8")


def main() -> None:
    """Write the tables into the documents."""
    keys = keys_table()
    write_block(KEYS, "keys", keys)
    write_block(README, "keys", first_keys_table(keys))
    write_block(README, "providers", providers_table())
    write_block(README, "evaluation", asyncio.run(evaluation_table()))
    write_block(SETTINGS_PAGE, "settings", settings_table())
    write_block(SETTINGS_PAGE, "provider-settings", provider_settings_table())
    write_block(README, "figures", figures_table(block(BENCHMARKS, "benchmarks")))


if __name__ == "__main__":
    main()
