"""The grammar of what the assistant cannot do, each with what does it instead."""

from __future__ import annotations

from todo_tui.providers.offline.intents import Incomplete
from todo_tui.providers.offline.pattern import Build, Rule
from todo_tui.providers.offline.wording import EXPORT, IMPORT

_DATA = (
    r"(?:(?:all )?(?:of )?(?:LIST|my (?:open |done )?tasks|everything|my data|the data|tasks|all))"
)


def _told(text: str) -> Build:
    return lambda slots: Incomplete(text, "", slots.get("ref") or "")


_EXPORT = _told(EXPORT)
_IMPORT = _told(IMPORT)
_VIEWS = _told(
    "Your saved views are in the list's menu: press w there. In the shell, `todo-tui views` lists "
    "them. Say “show view …” with a name, and I put that one on."
)
_STATISTICS = _told(
    "`todo-tui stats` in the shell shows what was done day by day, your streak and how much was on "
    "time; in the app press F4. I can count: “how many tasks did I complete "
    "this week?”."
)

LIMITS = (
    Rule(
        rf"(?:export|back ?up|download|print(?: out)?) {_DATA}(?: (?:to|as|into|in) .+)?",
        _EXPORT,
    ),
    Rule(r"(?:export|back ?up)", _EXPORT),
    Rule(
        r"import (?:(?:my|the|some|all) )*(?:tasks|lists?|to-?dos|data|files?|calendar|.+"
        r"\.(?:csv|json|ics|txt|md))(?: .+)?",
        _IMPORT,
    ),
    Rule(r"import(?: (?:it|them))? from .+", _IMPORT, strong=False),
    Rule(
        r"(?:what|which|show|list|show me|see|what are)(?: (?:the|my|all))* (?:saved )?(?:views"
        r"|filters|saved searches)(?: (?:do i have|are there|exist|are saved|have i saved|i have"
        r"|i saved|there are))?",
        _VIEWS,
    ),
    Rule(
        r"(?:show|see|what are|what is|what's|open|view|how (?:is|are))(?: me)? (?:my |the )?"
        r"(?:statistics|stats|streak|productivity|progress chart|heat ?map)",
        _STATISTICS,
    ),
    Rule(
        r"how (?:productive|efficient) (?:was|am|have|were) (?:i|we)(?: been)?(?: .+)?",
        _STATISTICS,
    ),
    Rule(
        r"(?:duplicate|clone|make a (?:copy|duplicate) of"
        r"|copy(?= (?:the |my |#|it$|this |that |task ))) {ref}(?: (?:to|for|on|into) .+)?",
        _told(
            "I cannot copy a task, so nothing was changed. Say “add …” with its words, or repeat "
            "it: “make it repeat every week”."
        ),
        strong=False,
    ),
    Rule(
        r"archive {ref}",
        _told(
            "There is no archive. “Mark it as done” keeps a task among the done ones, “delete it” "
            "puts it into the trash; nothing was changed."
        ),
        strong=False,
    ),
    Rule(
        r"(?:undo|revert|take back) (?:everything|all(?: of it)?)(?: (?:that )?i (?:did|changed"
        r"|have done))(?: (?:today|this morning|since .+|so far))?",
        _told(
            "I take back up to five changes at once: say “undo 5 times”, and again. In the list, "
            "u goes back one by one. Nothing was changed."
        ),
        strong=False,
    ),
    Rule(
        r"what (?:did (?:i|you) just do|can i undo|was (?:the|my) last change|did i (?:do|change)"
        r" last|have i just done)",
        _told(
            "“Undo that” takes back the last change and says what it was; “redo” does it again. "
            "What happened to one task is among its details: press v on it in the list."
        ),
    ),
    Rule(
        r"(?:set|start|add|create|run)(?: me)?(?: up)? (?:a |an |the |my |another )?(?:\d+ ?\w+ )?"
        r"(?:timer|alarm|stopwatch|countdown)(?: .+)?",
        _told(
            "I keep no timers. “Remind me in 10 minutes to …” adds a task, and the app tells you "
            "when it is due; nothing was changed."
        ),
    ),
    Rule(
        r"remind me (?:an? |one |half an? |\d+ )?(?:minutes?|mins?|hours?|days?|weeks?) (?:before"
        r"|ahead of|prior to) {ref}",
        _told(
            "A reminder comes when its task is due, not before. Say “move … to friday 9:50”, or "
            "add a task of its own for that time; nothing was changed."
        ),
    ),
    Rule(
        r"(?:add|create|make|start|new)(?: an?)?(?: new)? (?:project|category|folder)(?: called"
        r"| named|:)? (?P<name>[^ ]+)",
        _told(
            "A project is there as soon as a task is in it: say “add … #name”, or “put … in "
            "project …”."
        ),
    ),
)
