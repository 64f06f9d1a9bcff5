"""The grammar of everything around the list: undo, help, greetings, thanks."""

from __future__ import annotations

from todo_tui.providers.offline.intents import Help, Intent, StepBack, Talk
from todo_tui.providers.offline.pattern import Build, Rule, Slots

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
