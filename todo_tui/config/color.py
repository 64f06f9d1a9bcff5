"""The one decision whether colour is used, for commands and app."""

from collections.abc import Mapping


def is_color_off(environ: Mapping[str, str]) -> bool:
    """Return True if `NO_COLOR` is set and not empty, as defined at https://no-color.org."""
    return bool(environ.get("NO_COLOR", "").strip())
