"""Which models are ready and how to get there, in sentences."""

from __future__ import annotations

from todo_tui.domain.errors import ConfigError
from todo_tui.domain.text import plain_line
from todo_tui.providers.endpoint import read_endpoint
from todo_tui.tui.provider_switch import ProviderSwitch
from todo_tui.tui.widgets.status_line import ModelFacts
from todo_tui.tui.workbench import ProviderOption


def model_facts(switch: ProviderSwitch, *, demo: bool) -> ModelFacts:
    """Which model answers, for the status line; the built-in one has no name of its own."""
    known = switch.readiness(switch.option)
    return ModelFacts(
        provider=switch.option.row.label,
        model=switch.model if switch.option.host else "",
        others_ready=switch.others_ready,
        demo=demo,
        lacks=known.state.value if known is not None and not known.ready else "",
    )


def destination(option: ProviderOption) -> str:
    """Where messages go: nowhere, to a server in the house, or further."""
    host = plain_line(option.host)
    if option.costs:
        return f"Messages are sent to {host}."
    if not host or all(map(_is_loopback, host.split(" or "))):
        return "Nothing leaves this machine."
    return f"Messages are sent to {host}, in your own network."


def _is_loopback(address: str) -> bool:
    try:
        return read_endpoint(f"http://{address}", "").is_loopback
    except ConfigError:
        return False


def model_lines(switch: ProviderSwitch) -> tuple[str, ...]:
    """For an empty conversation: what is ready and its key, else how to connect a model."""
    ready = [
        f"{option.row.label} is ready: Alt+{number} takes you there."
        for number, option in enumerate(switch.options, start=1)
        if option is not switch.option and option.host and switch.is_ready(option)
    ]
    if ready:
        return tuple(ready)
    # Two providers may share a key.
    keys = dict.fromkeys(
        option.row.key_variable for option in switch.options if option.row.needs_key
    )
    if not keys or switch.option.host:
        return ()
    return (
        f"A model understands more: set {' or '.join(keys)}, or run one on this machine."
        " F2 shows how.",
    )
