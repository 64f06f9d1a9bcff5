"""Rules for undo, help, small talk, views, and requests that are declined."""

from __future__ import annotations

from todo_tui.providers.offline.intents import (
    Act,
    Ask,
    Deed,
    Help,
    Incomplete,
    Intent,
    RestoreLast,
    Shape,
    StepBack,
    Talk,
)
from todo_tui.providers.offline.replies import EXPORT, IMPORT
from todo_tui.providers.offline.rules.pattern import Build, Rule, Slots, ask

_DATA = (
    r"(?:(?:all )?(?:of )?(?:LIST|my (?:open |done )?tasks|everything|my data|the data|tasks|all))"
)
_COUNTS = {"twice": 2, "two": 2, "three": 3, "four": 4, "five": 5, "both": 2, "2x": 2, "3x": 3}
_MOST_STEPS = 5
_THAT = (
    r"(?:that|it|this|them|those|everything|all|all that|all of that|all of it|the whole thing"
    r"|what (?:you|i) (?:just )?did|my mistake|your (?:last )?(?:change|action))"
)
_LAST = (
    r"(?:(?:the|my|your|that) )?(?:last|previous|latest|most recent|prior)? ?(?:\d+ |two |three "
    r"|four |five |few )?(?:thing|change|changes|action|actions|edit|edits|one|step|steps"
    r"|command|operation|deletion|delete|completion|addition|update|move|message|request|things"
    r"|turn)s?(?: (?:i|you) (?:just )?(?:did|made|said))?"
)
_RAW_START = (
    r"(?:sort|group|view|has|under|parent|status|due|done|start|created|updated|completed|priority"
    r"|project|tag)(?:\.\w+)?(?::|[<>]=?)(?=[^\s/])"
)
"""How a line begins that is a filter and nothing else: `sort:urgency`, `due<friday`."""
_ARRANGE = r"(?P<verb>sort|order|arrange|rank|group|organi[sz]e)"


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


def _steps(*, redo: bool = False) -> Build:
    def build(slots: Slots) -> Intent:
        words = (slots.get("n") or slots.get("m") or "").casefold().split()
        number = next((_COUNTS.get(word, 0) or _digits(word) for word in words), 1) or 1
        return StepBack(min(number, _MOST_STEPS), redo)

    return build


def _digits(word: str) -> int:
    return int(word) if word.isdecimal() and len(word) < 4 else 0


def _talk(kind: str) -> Build:
    return lambda _: Talk(kind)


STEPPING = (
    Rule(r"(?:go|step) back (?:a|one|1) steps?", _steps()),
    Rule(r"(?:go|step) back (?P<n>two|three|four|five|\d+) steps", _steps()),
    Rule(
        r"(?:undo|go back|step back) (?P<n>twice|both|\d+ times|two times|three times"
        r"|\d+ steps|two steps|three steps)",
        _steps(),
    ),
    Rule(
        r"(?:undo|revert) (?:(?:the|my) )?(?:last|previous|latest) (?P<m>\d+|two|three|four"
        r"|five)(?: (?:things|changes|actions|edits|steps|commands))?",
        _steps(),
    ),
    Rule(
        rf"(?:undo|revert|reverse|roll back|rollback|take back|unwind)(?: (?:{_THAT}"
        rf"|{_LAST}))?(?: (?:please|again|once more|now))?",
        _steps(),
    ),
    Rule(
        rf"(?:take|put|bring|change|roll|set|turn|get) {_THAT} back(?: (?:again|how it was"
        rf"|the way it was|as it was|to how it was|on (?:my|the) list|as they were"
        rf"|the way they were))?",
        _steps(),
    ),
    Rule(
        r"(?:(?:never ?mind|no|oops|wait|actually|sorry|whoops|hmm|wrong|nope|hang on|hold on"
        r"|oh no|mistake|my bad)[,.! ]+)+(?:that was (?:wrong"
        r"|a mistake)[,.! ]+)?(?:i didn't mean (?:that|to)[,.! ]*)?(?:undo|revert|take|put"
        r"|bring)(?: (?:it|that|them|this|those))?(?: back)?(?: again| please)?",
        _steps(),
    ),
    Rule(
        r"(?:wrong|that was (?:wrong|a mistake|an accident|not right)|i didn't mean (?:that"
        r"|to(?: do that)?)|that's (?:wrong|not (?:right|what i (?:meant|wanted)))|wrong one"
        r"|not that one)[,.! ]*(?:undo(?: (?:it|that))?)?",
        _steps(),
    ),
    Rule(
        r"restore (?:it|that|them|those)|undelete (?:it|that|them|those)?|bring (?:it|that"
        r"|them|those) back|un-?do it|ctrl[+ -]?z|u",
        _steps(),
    ),
    Rule(
        rf"(?:redo|re-do|undo (?:the|that|your|my) (?:last )?undo|undo the undo|reapply"
        rf"|repeat the undone)(?: (?:{_THAT}|{_LAST}))?(?: (?:please|again))?",
        _steps(redo=True),
    ),
    Rule(r"redo (?P<n>twice|both|\d+ times|two times|three times)", _steps(redo=True)),
    Rule(r"(?:do|apply|make) (?:it|that|them) (?:again|after all|anyway)", _steps(redo=True)),
)

HELPING = (
    Rule(
        r"(?:\?+|help(?: me| please| menu| page)?|commands?|manual|instructions|usage"
        r"|examples?|tutorial|guide|-h|--help|/help|man)",
        lambda _: Help(),
    ),
    Rule(
        r"(?:what|which)(?: (?:else|all|things|sort of things|kind of things|commands?"
        r"|stuff))? (?:can|could|do|are|should) (?:you|i|we|this(?: app)?|it"
        r"|todo-tui)(?: (?:actually|even))?(?: able to)? ?(?:do|help(?: me)?(?: with)?|say"
        r"|type|ask(?: you)?|understand|know|tell you|use|offer|support|handle)?(?: here"
        r"| for me| with this| about)?",
        lambda _: Help(),
    ),
    Rule(
        r"(?:how|what) (?:does|do) (?:this|it|you|that|the app|todo-tui|this app|this thing"
        r"|the assistant) (?:work|do)",
        lambda _: Help(),
    ),
    Rule(
        r"how (?:do|can|could|should|would|to|does one|am i supposed to|might)\b ?(?:i|you|we"
        r"|one)? ?(?P<topic>.+)",
        lambda slots: Help(slots["topic"]),
    ),
    Rule(
        r"(?:can|could|is it possible to|am i able to|may) ?(?:i|one|we) ?(?P<topic>(?:add"
        r"|delete|remove|rename|change|undo|tag|complete|filter|search|repeat|sort|set|use"
        r"|connect|switch|import|export|move|edit|reopen|mark|reschedule) ?.*)",
        lambda slots: Help(slots["topic"]),
    ),
    Rule(
        r"(?:what(?:'s| is)|explain|tell me about|show me)(?: me)? (?:how to|the way to"
        r"|how (?:i|you) (?:can|could)?) (?P<topic>.+)",
        lambda slots: Help(slots["topic"]),
    ),
    Rule(
        r"(?:help(?: me)? (?:with|to|understand|on)|teach me(?: to| how to)?|show me how to"
        r"|tell me how to|explain how to|i (?:need|want) help(?: with)?) ?(?P<topic>.*)",
        lambda slots: Help(slots["topic"]),
    ),
    Rule(r"i (?:need|want|could use|would like)(?: some)? help", lambda _: Help()),
    Rule(
        r"who are you|what are you|what is this|what's this|what is todo-tui"
        r"|what's your name|are you (?:an? )?(?:ai|bot|robot|human|real|model|llm|chatgpt"
        r"|person|machine).*|which model(?: are you| is this)?|what model are you.*",
        _talk("who"),
    ),
    Rule(
        r"(?:how (?:do|can) i )?(?:connect|use|switch to|set up|change to|change"
        r"|switch)(?: to)? (?:a |an |another |the |my )?(?:different |other |better "
        r"|real )?(?:models?|llms?|providers?|groq|gemini|ollama|openai|gpt|claude"
        r"|ai)(?: model)?",
        _talk("model"),
    ),
)

TALKING = (
    Rule(
        r"(?:hi|hello|hey|hiya|howdy|yo|hola|greetings|good (?:morning|afternoon|evening"
        r"|day)|morning|evening|sup|what's up|whats up|hallo|moin|heya|hi there|hello there"
        r"|hey there)(?: (?:there|you|again|assistant|everyone|friend|all|buddy))*",
        _talk("hello"),
    ),
    Rule(
        r"(?:(?:hi|hello|hey)[, ]+)?(?:how are you|how's it going|how is it going"
        r"|how are things|how do you do|how have you been|are you (?:ok|okay|there|well"
        r"|alright)|you (?:ok|there|good))(?: (?:doing|today|feeling|now|going))*",
        _talk("how"),
    ),
    Rule(
        r"(?:ok |okay |great |perfect |cool |no |nice |yes |awesome |alright "
        r"|wonderful )*[,.! ]*(?:thanks|thank you|thx|ty|cheers|much appreciated"
        r"|thank you (?:so|very) much|thanks (?:a lot|so much|a bunch|a million)|many thanks"
        r"|appreciate it|i appreciate it|tysm)(?: (?:for (?:that|your help|the help"
        r"|everything|helping)|a lot|again|so much|very much|man|mate|buddy|assistant"
        r"|you))*(?:[,.! ]+(?:bye|goodbye|that's (?:all|it|great|perfect)|great|perfect"
        r"|have a (?:nice|good) (?:day|one)))?",
        _talk("thanks"),
    ),
    Rule(
        r"(?:bye|goodbye|good bye|see you|see ya|cya|later|good night|night|goodnight"
        r"|have a (?:nice|good|great) (?:day|evening|one|weekend|night)"
        r"|talk (?:to you )?later|until (?:later|tomorrow|next time)|see you (?:later"
        r"|tomorrow|soon)|i(?:'m| am) off|gotta go|i (?:have|need|got"
        r"|must) (?:to )?go(?: now)?|bye bye|ciao|quit|exit)",
        _talk("bye"),
    ),
    Rule(
        r"(?:ok|okay|k|cool|great|nice|perfect|good|awesome|super|excellent|wonderful|fine"
        r"|alright|all right|got it|understood|i see|sweet|lovely|good (?:job|work|bot)"
        r"|well done|nice (?:work|one|job)|you(?:'re| are) (?:great|awesome|the best|good"
        r"|amazing|helpful)|that's (?:great|good|nice|perfect|all|it|fine|cool)|sounds good"
        r"|yay|yes|yeah|yep|sure|no worries|i love you|right|interesting|wow|hooray|haha+"
        r"|lol)(?:[,.! ]+(?:that's (?:all|it|great)|thanks))?",
        _talk("fine"),
    ),
    Rule(
        r"(?:no|nope|nah|cancel|never ?mind|nothing|forget (?:it|that)|stop|not now"
        r"|no thanks|no thank you|nothing else|that's all|that is all|i'm good"
        r"|wait|hold on|hang on|one (?:moment|second|sec|minute)|not yet|don't remind me"
        r"|leave it|skip it|skip|abort|don't|no need|none|neither)",
        _talk("nothing"),
    ),
    Rule(
        r"(?:sorry|my bad|i'm sorry|apologies|oops|whoops|oh|oh no|hmm+|ugh|argh|damn|meh|uh|um)",
        _talk("sorry"),
    ),
    Rule(r"(?:tell me a joke|joke|make me laugh|say something funny|another joke)", _talk("joke")),
    Rule(
        r"(?:(?:i'm|i am|we're|we are) )?(?:all )?(?:done|finished) (?:for (?:today|now|the day"
        r"|the week)|with work|here)",
        _talk("feeling"),
    ),
    Rule(
        r"(?:i'm|i am|we're|i feel|i'm feeling|i am feeling) (?:so |very |really |a bit "
        r"|pretty |just )*(?:tired|stressed|overwhelmed|exhausted|sad|bored|happy|busy|sick"
        r"|sleepy|back|here|ready|fine|good|great|ok|okay|late|hungry|lost|stuck|behind"
        r"|worried|anxious|excited)(?: (?:today|now|for (?:today|now|the day)|again"
        r"|of work))*",
        _talk("feeling"),
    ),
)


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
