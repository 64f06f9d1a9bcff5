"""Inspector: the requests and responses of a turn's model calls, as sent and received."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import OptionList, TextArea
from textual.widgets.option_list import Option

from todo_tui.domain.messages import Exchange
from todo_tui.domain.metrics_text import format_milliseconds
from todo_tui.domain.text import format_dollars, plain_line, plain_text
from todo_tui.store.conversations.records import ModelCall
from todo_tui.tui.actions.action import ActionHost
from todo_tui.tui.actions.hints import format_hint
from todo_tui.tui.actions.screens import INSPECTOR
from todo_tui.tui.clipboard import copy_to_clipboard
from todo_tui.tui.theme import MUTED
from todo_tui.tui.widgets.dialog import Dialog

_MAX_SHOWN = 200_000
_NOT_SENT = "The built-in assistant sends no requests."
_NOT_RECORDED = (
    "Requests and responses are kept until the app closes; this message is older.\n"
    "Its model calls are listed above. Answer it again to see them: /again"
)
_NO_CALLS = "No model calls for this message."


class _Entry(NamedTuple):
    """A model call, and one of its exchanges where several requests were sent."""

    call: ModelCall
    exchange: Exchange | None


class InspectorScreen(ActionHost, Dialog[None]):
    """Lists model calls; shows the request or the response of the highlighted one.

    `is_recorded` is False for calls of an earlier session, of which only the totals are stored.
    """

    DEFAULT_CSS = Path(__file__).with_suffix(".tcss").read_text(encoding="utf-8")
    AUTO_FOCUS = "TextArea"
    ACTIONS = INSPECTOR

    def __init__(
        self,
        calls: Sequence[ModelCall],
        model_label: Callable[[str, str], str],
        *,
        is_recorded: bool,
    ) -> None:
        super().__init__()
        self._entries = [
            _Entry(call, exchange) for call in calls for exchange in call.exchanges or (None,)
        ]
        self._model_label = model_label
        self._is_recorded = is_recorded
        self._shows_response = False
        self._list = OptionList()
        self._text = TextArea(read_only=True, soft_wrap=True, show_cursor=False)

    def compose(self) -> ComposeResult:
        """Lay out the calls above the text of one."""
        with Vertical(id="inspector") as box:
            box.border_title = "Model calls"
            yield self._list
            yield self._text

    def on_mount(self) -> None:
        """List the calls; a failed one shows what the server said."""
        self._list.add_options([Option(self._line(each)) for each in self._entries])
        self._list.display = bool(self._entries)
        if self._entries:
            failed = [at for at, each in enumerate(self._entries) if each.call.error]
            self._list.highlighted = failed[-1] if failed else len(self._entries) - 1
            self._shows_response = bool(failed)
        self._show()

    def _name_keys(self) -> None:
        keys = ["{inspector.close} close"]
        if len(self._entries) > 1:
            keys.insert(0, "{inspector.before} {inspector.after} other call")
        if self._exchange is not None:
            part = "request" if self._shows_response else "response"
            keys = ["↑ ↓ scroll", f"{{inspector.part}} {part}", "{inspector.copy} copy", *keys]
        box = self.query_one("#inspector")
        box.border_subtitle = format_hint(self.app, " · ".join(keys))

    def _line(self, entry: _Entry) -> Content:
        call, exchange = entry
        label = plain_line(self._model_label(call.provider, call.model))
        is_good = call.status == "finished"
        mark, style = ("✓", "$success") if is_good else ("✗", "$text-error")
        status = f"HTTP {exchange.status}" if exchange and exchange.status else ""
        tokens = f"{call.usage.input_tokens:,} in, {call.usage.output_tokens:,} out"
        facts = [status, format_milliseconds(call.milliseconds)]
        facts += [tokens] if call.usage.input_tokens else []
        facts += [format_dollars(call.cost_usd)] if call.cost_usd else []
        facts += [] if is_good else [plain_line(call.error or call.status)]
        words = " · ".join(filter(None, facts))
        return Content.assemble((f" {mark} ", style), (f"{label}  ", "bold"), (words, MUTED))

    @on(OptionList.OptionHighlighted)
    def _show(self) -> None:
        text = plain_text(self._shown())
        if len(text) > _MAX_SHOWN:
            text = f"{text[:_MAX_SHOWN]}\n… {len(text) - _MAX_SHOWN:,} more characters"
        self._text.load_text(text)
        part = "Response" if self._shows_response else "Request"
        self._text.border_title = part if self._exchange else None
        self._name_keys()
        if self._shows_response:
            self._text.scroll_home(animate=False)
        else:
            self.call_after_refresh(self._go_to_last_message)

    def _go_to_last_message(self) -> None:
        """Scroll to the newest message of the user: system prompt and tools are long."""
        lines = self._text.text.split("\n")
        said = [at for at, line in enumerate(lines) if '"role": "user"' in line]
        if said:
            place = self._text.wrapped_document.location_to_offset((said[-1], 0))
            self._text.scroll_to(y=place.y - 1, animate=False)
            if self._text.scroll_offset.y:
                self._text.border_title = "Request · your message · ↑ what comes before it"

    def action_step(self, step: int) -> None:
        """Show the call before or after the shown one."""
        if self._list.highlighted is not None:
            place = self._list.highlighted + step
            self._list.highlighted = min(max(place, 0), len(self._entries) - 1)

    def action_scroll(self, lines: int) -> None:
        """Scroll the text: its hidden cursor would move first."""
        self._text.scroll_relative(y=lines, animate=False)

    def action_jump(self, end: bool) -> None:
        """Scroll to the beginning or the end."""
        if end:
            self._text.scroll_end(animate=False)
        else:
            self._text.scroll_home(animate=False)

    @property
    def _exchange(self) -> Exchange | None:
        place = self._list.highlighted
        return self._entries[place].exchange if place is not None and self._entries else None

    def _shown(self) -> str:
        exchange = self._exchange
        if exchange is None:
            if not self._entries:
                return _NO_CALLS
            return _NOT_SENT if self._is_recorded else _NOT_RECORDED
        if not self._shows_response:
            head = [exchange.url, *_header_lines(exchange.request_headers)]
            return "\n".join([*head, "", _indented(exchange.request)])
        if exchange.status is None:
            return "No response."
        head = [f"HTTP {exchange.status}", *_header_lines(exchange.response_headers)]
        return "\n".join([*head, "", _indented(exchange.response)])

    def action_part(self) -> None:
        """Show the response in place of the request, or the request again."""
        self._shows_response = not self._shows_response
        self._show()

    def action_copy(self) -> None:
        """Copy the shown request or response as it was sent, without its headers."""
        exchange = self._exchange
        if exchange is None:
            self.app.bell()
            return
        if self._shows_response:
            copy_to_clipboard(self.app, exchange.response, "response")
        else:
            copy_to_clipboard(self.app, exchange.request, "request")


def _header_lines(headers: Mapping[str, str]) -> list[str]:
    return [f"{name}: {value}" for name, value in headers.items()]


def _indented(body: str) -> str:
    """Return a JSON body on several lines; any other text as it is."""
    try:
        return json.dumps(json.loads(body), indent=2, ensure_ascii=False)
    except (ValueError, RecursionError):
        return body
