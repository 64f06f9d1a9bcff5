"""The grammar of the list beside the chat, and of the trash."""

from __future__ import annotations

from todo_tui.providers.offline.builders import ask
from todo_tui.providers.offline.intents import (
    Act,
    Ask,
    Deed,
    Incomplete,
    Intent,
    RestoreLast,
    Shape,
)
from todo_tui.providers.offline.pattern import Build, Rule, Slots

_RAW_START = (
    r"(?:sort|group|view|has|under|parent|status|due|done|start|created|updated|completed|priority"
    r"|project|tag)(?:\.\w+)?(?::|[<>]=?)(?=[^\s/])"
)
"""How a line begins that is a filter and nothing else: `sort:urgency`, `due<friday`."""


def _from_trash(slots: Slots) -> Intent | None:
    return Act(Deed.REOPEN, slots["ref"], "trash")


RESTORING = (
    Rule(
        r"(?:restore|recover|bring back|undelete|un-delete|get back|put back|take back|reopen"
        r"|retrieve) (?:the |my )?(?:(?:last|latest|most recently|previously|newest|just|recently"
        r"|most recent) )+(?:deleted|trashed|removed)(?: (?:task|one|item|thing|to-?do))?"
        r"(?: (?:from|out of) the trash)?",
        lambda _: RestoreLast(),
    ),
    Rule(
        r"(?:restore|recover|bring back|undelete|un-delete|get back|put back|retrieve) (?:the )?"
        r"(?:task |one |thing |what |whatever )?(?:that )?(?:i|you|we) (?:just |last |recently )*"
        r"(?:deleted|removed|trashed)(?: last| just now)?",
        lambda _: RestoreLast(),
    ),
    Rule(
        r"(?:restore|recover|undelete) (?:the )?last(?: one| task| deletion)?(?: (?:from|in|out of)"
        r" the trash)?",
        lambda _: RestoreLast(),
    ),
    Rule(
        r"(?:restore|recover|bring back|undelete|un-delete|get back|put back|reopen|rescue|retrieve"
        r"|take out|take|get|pull|fetch|move|bring|put) (?!back\b"
        r"|out\b){ref} (?:back )?(?:out of|out"
        r" from|from|that (?:is|are) in) (?:the |my )?(?:trash|bin|trash can)(?: (?:again|back"
        r"|to (?:my|the) list))?",
        _from_trash,
    ),
    Rule(r"(?:undelete|un-delete) {ref}", _from_trash),
    Rule(
        r"(?:undo|revert|take back) (?:the |my )?(?:deletion|deleting|removal|removing) of {ref}",
        _from_trash,
    ),
    Rule(
        r"(?:restore|recover) (?P<ref>everything|all|all (?:of )?(?:it|them|tasks|the tasks))",
        _from_trash,
    ),
)


def _saved(slots: Slots) -> Intent:
    name = slots["name"].strip().strip("\"'“”")
    named = f'view:"{name}"' if " " in name else f"view:{name}"
    return Ask(Shape.LIST, "", raw=named, show=True)


SHOWING_VIEWS = (
    Rule(
        r"(?:find|search for|look for|look up)(?: me)? (?:all )?(?:the |my )?{strict}",
        ask(Shape.LIST, "strict"),
    ),
    Rule(
        r"(?:show|open|use|apply|switch to|go to|display|see|list|bring up"
        r"|load)(?: me)? (?:the |my )?"
        r"(?:saved )?view (?:called |named )?(?P<name>.+)",
        _saved,
    ),
    Rule(
        r"(?:show|open|use|apply|switch to|go to|display|bring up|load|list|see)(?: me)?"
        r" (?:the |my )?(?:saved )?"
        r"(?P<name>[^ ]+(?: [^ ]+)?) view",
        _saved,
    ),
    Rule(
        r"(?:show me|show|display|list|see|view|give me) (?:only|just|nothing but) {loose}"
        r"(?: in LIST)?",
        ask(Shape.LIST, "loose", beside=True),
    ),
    Rule(
        r"(?:only|just) (?:show|display|list|give)(?: me)? {loose}(?: in LIST)?",
        ask(Shape.LIST, "loose", beside=True),
    ),
    Rule(
        r"(?:filter|narrow|limit|restrict|reduce)(?: LIST| it| tasks| down| this)*"
        r"(?: (?:by|for|to|on|down to|with)):? (?:only |just |show )?{loose}",
        ask(Shape.LIST, "loose", beside=True),
    ),
    Rule(
        r"filter(?: LIST| tasks)?:? {strict}",
        ask(Shape.LIST, "strict", beside=True),
    ),
    Rule(
        r"(?:show|display|put|open|bring up|filter)(?: me)? {loose} (?:in|on|into) (?:the|my)"
        r" (?:task |to-?do )?(?:list|pane|screen|view|left|right|side)(?: pane| side)?",
        ask(Shape.LIST, "loose", beside=True),
    ),
)


_ARRANGE = r"(?P<verb>sort|order|arrange|rank|group|organi[sz]e)"


def _arranged(*, show: bool) -> Build:
    def build(slots: Slots) -> Intent:
        verb = slots["verb"].casefold()
        done = "grouped" if verb == "group" or verb.startswith("organi") else "sorted"
        return Ask(Shape.LIST, f"{slots['what'] or 'tasks'} {done} by {slots['by']}", show=show)

    return build


ARRANGING = (
    Rule(
        rf"{_ARRANGE}(?: (?P<what>.+?))? by (?P<by>.+?) (?:in|on) (?:the|my) (?:task |to-?do )?"
        r"(?:list|pane|view|screen|left|right)",
        _arranged(show=True),
    ),
    Rule(
        rf"{_ARRANGE} (?P<what>(?:my |the |all |all my )?(?:[\w.]+ ){{0,3}}(?:tasks|to-?dos|items)"
        r"(?: (?:in|of|for) [\w.]+)?) by (?P<by>.+)",
        _arranged(show=False),
    ),
    Rule(
        rf"filter(?: LIST| tasks)?(?: by| for| with| to)?:? (?P<raw>{_RAW_START}.*)",
        lambda slots: Ask(Shape.LIST, "", raw=slots["raw"], show=True),
    ),
    Rule(rf"(?P<raw>{_RAW_START}.*)", lambda slots: Ask(Shape.LIST, "", raw=slots["raw"])),
)

UNFILTERING = (
    Rule(
        r"(?:clear|remove|reset|drop|delete|turn off|take off|undo) (?:the |my |this )?filters?"
        r"(?: (?:in|of|from|on) LIST)?|(?:reset|restore) (?:the |my )?(?:list|view|filters?"
        r"|sorting|order)|(?:show|list) (?:me )?(?:everything|all|all tasks"
        r"|the whole list|all my tasks) (?:again|in LIST)",
        lambda _: Ask(Shape.LIST, "", show=True),
    ),
)

SAVING = (
    Rule(
        r"(?:save|keep|store|remember|bookmark) (?:(?:this|that|the|my|current|present|last|same"
        r"|shown) )+(?:as (?:a |my )?(?:saved )?)?(?:filters?|views?|search|query)"
        r"(?: (?:as|under|called|named|with|by|for|to) .+)?",
        lambda _: Incomplete(
            "I cannot save a filter, so nothing was saved. Press Ctrl+S in the list or its filter "
            "box while the filter is on, or use `todo-tui views save` in the shell.",
            "",
        ),
    ),
)

PURGING = (
    Rule(
        r"(?:empty|purge|clear|clean(?: out)?|wipe|delete|erase|flush|take out)(?: everything in"
        r"| all in| out)? (?:the |my )?(?:trash|bin|trash can|recycle bin|wastebasket|deleted"
        r" tasks)(?: (?:for good|for ever|forever|permanently|completely))?",
        lambda _: Incomplete(
            "I can put tasks into the trash and take them out again, but what is in it I cannot "
            "erase. In the list, open the trash view ([ and ]) and press P on a task; in the "
            "shell, `todo-tui purge --all` erases all of it for good.",
            "",
        ),
    ),
    Rule(
        r"(?:purge|permanently (?:delete|remove|erase)|erase (?=.* for (?:good|ever))) {ref}"
        r"(?: for good| forever| for ever| permanently)?",
        lambda _: Incomplete(
            "I delete into the trash only, from where it can come back. To erase a task for good, "
            "press P on it in the trash view, or say `todo-tui purge` with its number in the "
            "shell.",
            "",
        ),
    ),
)
