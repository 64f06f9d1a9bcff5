"""What the package imports is declared, and what is declared is imported."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from importlib.metadata import files, packages_distributions
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = {
    name: requirements
    for name, requirements in PROJECT["optional-dependencies"].items()
    if name not in ("all", "dev")
}
NAMED_OTHERWISE = {"httpx"}
"""A name in a table."""
LOOKED_FOR = {"socksio", "pip"}
"""What httpx needs for a SOCKS proxy, and what installs extras; used or named where found."""


def imported_modules(folder: Path) -> Iterator[str]:
    """Yield every module that is imported, by a statement or by a name in quotes."""
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Import():
                    yield from (each.name for each in node.names)
                case ast.ImportFrom(module=str(module), level=0):
                    yield module
                case ast.Call(
                    func=ast.Name(id=called) | ast.Attribute(attr=called),
                    args=[ast.Constant(value=str(name)), *_],
                ) if called in ("import_module", "find_spec"):
                    yield name


def distributions(modules: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield each foreign module with its distribution."""
    owners = packages_distributions()
    for module in set(modules):
        top, path = module.partition(".")[0], module.replace(".", "/")
        if top in sys.stdlib_module_names or top == "todo_tui":
            continue
        candidates = set(owners.get(top, [top]))
        for name in candidates:
            # Several distributions share the name of a namespace, such as `google`.
            holds = {f"{path}.py", f"{path}/__init__.py"}
            if len(candidates) == 1 or holds & {str(each) for each in files(name) or ()}:
                yield module, normal(name)


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def names_of(requirements: Iterable[str]) -> set[str]:
    names = (re.match(r"[A-Za-z0-9._-]+", each) for each in requirements)
    return {normal(name[0]) for name in names if name is not None}


def test_imports_and_dependencies_are_the_same() -> None:
    imported = dict(distributions(imported_modules(ROOT / "todo_tui")))
    extras = (each for requirements in EXTRAS.values() for each in requirements)
    declared = names_of([*PROJECT["dependencies"], *extras])
    undeclared = {
        module: name for module, name in imported.items() if name not in declared | LOOKED_FOR
    }
    assert undeclared == {}
    assert declared - set(imported.values()) == NAMED_OTHERWISE


def test_the_tests_install_whatever_an_extra_has() -> None:
    for requirements in EXTRAS.values():
        assert set(requirements) <= set(PROJECT["optional-dependencies"]["dev"])
