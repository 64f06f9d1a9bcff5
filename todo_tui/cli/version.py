"""Installed version."""

from __future__ import annotations

import tomllib
from importlib import metadata
from pathlib import Path


def version() -> str:
    """The installed version; in a source tree that is not installed, the tree's."""
    try:
        return metadata.version("todo-tui")
    except metadata.PackageNotFoundError:
        project = Path(__file__).parents[2] / "pyproject.toml"
        try:
            declared = tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"]
        except (OSError, ValueError, KeyError):
            return "unknown"
        return str(declared)
