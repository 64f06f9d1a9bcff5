"""Rules of questions about tasks and about the app, and of small talk."""

from todo_tui.providers.offline.help import APP
from todo_tui.providers.offline.language.pattern import Slots
from todo_tui.providers.offline.language.words import NUMBERS, word_table
from todo_tui.providers.offline.reading.rule import rules_of
from todo_tui.providers.offline.requests import (
    Ask,
    Aspect,
    FixedAnswer,
    Request,
)

_APP = "|".join(APP)


def _outlook(slots: Slots) -> Request:
    about = slots["about"].lower()
    return Ask(Aspect.LIST, {"day": "today", "list": ""}.get(about, f"this {about}"))


def _ranked(slots: Slots) -> Request:
    count, about = slots.get("count", "one").lower(), slots["about"].lower()
    most = NUMBERS.get(count) or int(count)
    return Ask(Aspect.LIST, about, rank=slots.get("rank", "next").lower(), most=most)


def _at_end(slots: Slots) -> Request:
    return Ask(Aspect.ONE, "the last" if slots["place"].lower() in _AT_END else "the first")


_RANKS = sorted(word_table("ranks").keys() - {"longest"}, key=len, reverse=True)
_RANK = rf"(?P<rank>{'|'.join(_RANKS)})"
_COUNT = rf"(?P<count>\d+|{'|'.join(NUMBERS)})"
_RANKED = (
    r"(?P<about>([#@]?[\w-]+ ){0,2}(tasks?|to-?dos?|items?|deadlines?|chores?|things?(?= due"
    r"| to do|$))( (in|for|of|at|with|without|tagged|due|that|which|on|under|left|to do)\b.*)?)"
)
_AT_END = ("last", "latest", "final")
_ONE = Ask(Aspect.ONE, "{tasks}")
TALK = (
    *rules_of(FixedAnswer("hello"),
            r"(hi|hello|hey|hiya|howdy|yo|good (morning|afternoon|evening|day)|greetings)"
            r"( there| again| everyone)?"),
    *rules_of(FixedAnswer("thanks"),
            r"(and )?(the )?same (here|to you)|happy (WEEKDAY|weekend|new year|holidays?)"
            r"|(and |also )?(thanks|thank you|thx|ty|cheers|great|perfect|awesome|nice|cool"
            r"|wonderful|good job|well done|nice one|brilliant|excellent|lovely)"
            r"( (a lot|so much|very much|again|for .+))?"),
    *rules_of(FixedAnswer("day done"),
            r"((i'm|i am|we're) )?(all )?(done|finished) for (today|the day|tonight|now)"
            r"|that's it for today|calling it a day"),
    *rules_of(FixedAnswer("no question"),
            r"(yes|yep|yeah|yup|sure|do it|go ahead)( please)?"
            r"|(accept|approve|confirm|take|go with)( the| this| that)? (plan|it|that)( please)?"),
    *rules_of(FixedAnswer("bye"), r"(bye|goodbye|good ?night|see you( \w+)?|later|cya)"),
    *rules_of(FixedAnswer("fine"),
            r"(ok|okay|k|fine|alright|all right|got it|i see|good)"
            r"|((no|nope),? )?((it|that)('s| is) )?(all )?(good|fine|ok|okay|correct|right)"
            r"( then| thanks)?"),
    *rules_of(FixedAnswer("nothing"),
            r"(no|nope|nah|never ?mind|forget it|nothing|cancel that|leave it|not now|stop"
            r"|((hold|hang) on|wait)( (a|one|just a) (sec|second|minute|moment|bit))?"
            r"|(one|just a|wait a) (sec|second|minute|moment))"),
    *rules_of(FixedAnswer("help"),
            r"(help|\?|commands|usage|what can (you|i) (do|say|ask)|how does this work"
            r"|how do (you|i) (work|use (this|you)))( me)?( please)?"),
    *rules_of(FixedAnswer("help", "{topic}"), r"""
        (is there (a|any) way|is it possible|can one) (to|for me to|that i) (?P<topic>.+)
        (how (do|can|would|could) (i|you|we)|how to) (?P<topic>(add|creat|delet|remov|renam|mov
            |reschedul|postpon|complet|finish|tick|undo|redo|tag|prioriti|repeat|filter|search|find
            |sort|export|import|link|block|skip|cancel|restor|reopen|set|chang|mark)\w*.*
            |(make|get|see|view|have|turn|use|share|print|sync|back|do|put|give)\b.*
            \b(tasks?|repeat(s|ing)?|lists?|something|it|trash|deleted|recurring|reminders?|colou?rs?)\b.*)
        (?P<topic>(empty|clear|purge|erase) (the |my )?(trash|bin)( for good| permanently)?)
        (?P<topic>(export|import|back ?up) (all )?(of )?(my |the |our )?(tasks|to-?dos|list
            |todo list|to-?do list|everything)( (to|as|in|into|from) .*)?)
    """),
    *rules_of(FixedAnswer("help", "{topic}"), rf"""
        (open|show|display|go to|take me to|switch to|bring up|turn on|turn off|enable|use|see|view
            |where( is| are|'s)|what are)( me| to)?( the| my| all| a| of)* (?P<topic>{_APP})
            ( screen| page| view| please| now)*
        (change|set|adjust|edit|customi[sz]e)( the| my)*
            [ ](?P<topic>theme|colou?rs?( scheme)?|settings|(keyboard )?shortcuts|key ?bindings
            |model|provider)
        (delete|remove|clear|start|begin|rename)( the| this| my| a| all)*
            [ ](?P<topic>(new |old )?(conversation|chat)s?( history)?)
        (use|switch to|change to|connect( me)? to|try) (?P<topic>(gpt|claude|gemini|groq|ollama
            |openai|anthropic|llama|mistral|qwen)[\w.:-]*)( please| now| instead)*
        (?P<topic>quit|exit|{_APP})( (the|this) app| todo-tui)?( please| now)?
    """),
    *rules_of(FixedAnswer("said"), r"""
        (what|when|where) (did|have) (i|we|you) (say|said|write|written|tell you|told you|mention
            |mentioned|talk|talked|ask|asked|discuss)( to you)?( (about|of|regarding|on|for))? .+
        (did|have) (i|we|you) (say|said|mention|mentioned|tell you|told you|talk|talked|discuss
            |discussed) .+
        (find|search|show)( me)?( for)? (what|where) (i|we|you) (said|wrote|told you|mentioned
            |talked|asked)( to you)?( (about|of|regarding|on))? .+
        (find|search|look through) (the |my |our )?(conversations?|chats?|messages)( for| about)? .+
    """),
    *rules_of(FixedAnswer("reminders"),
            r"(remind|ping|nudge|alert) me (\d+|an?|one|two|five|ten|half an) (minutes?|mins?"
            r"|hours?|days?|weeks?) (before|earlier|ahead|in advance).*"),
    *rules_of(FixedAnswer("reminders"),
            r"(can|could|will|do|does|would) (you|it|this|the app|todo-tui) (also )?(ping|remind"
            r"|notify|alert|text|email|message|call|nudge|buzz) me\b"
            r".*\b(when|before|if|phone|mobile|email)\b.*"),
    *rules_of(FixedAnswer("who"), r"""
        (who|what) are you|what('s| is) your name|are you (an? )?(ai|bot|robot|human|model|llm)
    """),
    *rules_of(FixedAnswer("time"),
            r"(what('s| is) the )?(current )?(time|date|day)( (is it|today|now|is today))*"
            r"|what (time|day|date) is (it|today)( now| today)?"),
)  # fmt: skip
_OF_THEM = r"((of|in|on|from) (them|those|these|the list|that list)|on there)"
_PLACE = r"(?P<place>first|next|soonest|earliest|last|latest|final)"
QUESTIONS = (
    *rules_of(FixedAnswer("did"), r"""
        what ((did|have) you( just)?|(did|have) (i|we) just) (do|done|change|changed|edit|edited)
            ( just now| now| there| last| right now)*
        what (is|was|were|are) (the|my|your) (last|latest) (changes?|action|edit|step)
            ( (you|i) (did|made))?
        what (just )?(happened|changed)( just now| there)?
    """),
    *rules_of(_at_end, rf"""
        (which|what)('s| is| are)?( (one|task|ones|of them))*( {_OF_THEM})?
            ( is| comes| are| will be| should be| should come)?( up| due| on)*( the)?( very)?
            [ ]{_PLACE}( one| task| up| due| on)* {_OF_THEM}
        (which|what)( one| task)? {_OF_THEM}( is| comes| are| should be| should come)?
            ( up| due| on)*( the)?( very)? {_PLACE}( one| task| up| due| on)*
        which one( is| comes)?( up| due| on)*( the)?( very)? (?P<place>last|final)( one| up| due)*
    """),
    *rules_of(Ask(Aspect.ONE, "{pointed}"), r"""
        (what|which) (day|date|time)('s| is| was| are| were) {pointed}
            ( on| at| due| for| again| planned| scheduled| happening)*
        (is|are|was) {pointed} (still |already |really |marked )*(urgent|important|overdue|late|open
            |done|finished|complete|completed|repeating|recurring|(high|low|medium)( priority)?
            |in [#\w.-]+)
        (does|do) {pointed} (repeat|recur|have an? (FIELD))
        how long (does|do|will|should) {pointed} take
        (what|which) (FIELD) ((is|was|are|does|do) )?{pointed}( in| under| of| have)*
        how (many (days|weeks|hours)|long|soon|far( off| away)?)( left)?( from now)?
            ('s| is| are| do (i|we) have)?( until| till| to| for| before)? {pointed}
            ( away| off| from now| left| due)*
    """),
    *rules_of(Ask(Aspect.NEXT), r"next( task)?"),
    *rules_of(_ranked, rf"""
        ((what|which|when)('s| is| are|)|show( me)?|list|give me|tell me)?( ?(the|my|our))*
            [ ]?(very )?{_RANK}( {_COUNT})? {_RANKED}
        (show|list|give)( me)? {_COUNT} {_RANKED}
        (which|what)( of (my|the))? {_RANKED}( is| are| comes?| come)( the| my| due)* {_RANK}
        (which|what)( of (my|the))? {_RANKED}( have i had| has been on (my|the) list
            | have i put off| has been (open|waiting|there))( for)?( the)* (?P<rank>longest)
    """),
    *rules_of(Ask(Aspect.NEXT), r"""
        (what|where|which( task| one)?)( should| do| can| could| must)? (i|we) (do|start|work on
            |tackle|begin|focus on)( with)?( next| first| now| today)+
        (what|where)( should| do| can| could| must) (i|we) (start|work on|tackle|begin|focus on)
            ( with)?
        what now
        which( task| one)?( is| comes| should be)? (first|next)|what needs (my|our) attention
            |(i'm|im|i am) bored(, what .+)?
        what('s| is) (next|up next|first|most (urgent|important)|the (next|most (urgent|important))
            ( task| thing)?)( on (my|the) (list|agenda))?
        (suggest|pick|choose) (a task|something|one)( for me)?
    """),
    *rules_of(Ask(Aspect.NEXT, "{about}"), r"""
        what('s| is)?( should| do| can| could| must)?( i| we)?( do| start| work on| tackle)?
            [ ](next|first) (for|about|on|in|with) {about}
    """),
    *rules_of(_ONE, r"""
        (what|which|when)( (FIELD)s?)? (is|are|does|do|has|have) {tasks}( have| got| in| on| under)+
        ((what|when)('s| is| are) )?(the |my )?(FIELD)s? (of|for) {tasks}
        ((how (many|much) )?(days|time)|how long)( left| is left)? (until|till|for) {tasks}
            ( (is|are))?( due)?
    """),
    *rules_of(_ONE, r"how much (is|are|was|were|does|do|did) {tasks}( cost| come to| for)*"),
    *rules_of(Ask(Aspect.GROUPS, "{about}"),
            r"((list|show|what are|which|what|how many)( me)?( all)?( my| the)? )?"
            r"(?P<about>projects|lists|tags|labels)"
            r"( do i have| do i use| am i using| are there| exist| are in use)?"),
    *rules_of(Ask(Aspect.COUNT, "{about}"),
            r"(how (many|much)( of)?|count|(the )?number of) {about}"),
    *rules_of(_outlook,
            r"((how does|what does|how's|what's) )?my (?P<about>day|week|month|weekend|list)"
            r"( look( like)?| going to be)?"),
    *rules_of(Ask(Aspect.LIST, "{days}"), r"""
        how('s| is| are| does) (my |the )?{days}( look| looking| shaping up| shape up)*
        (is|are|am i|are we) {days} (free|busy|full|packed)
        am i (doing|seeing|up to) (anything|something)( on)? {days}
        (who|what) (am|are) (i|we) (doing|up to|on|meeting|seeing|visiting)( on| at| for)? {days}
        how (busy|full|packed|free|bad) (is|am i|are we|will i be|does)( on| for| my)? {days}
            ( look)?
    """),
    *rules_of(Ask(Aspect.LIST, "{about}"), r"""
        where (are|is|did|have|do (i|we) (see|find))( all)? ((of )?(my|the|our) )?(?P<about>(done
            |completed|finished|deleted|trashed|overdue|cancelled|hidden)( tasks| to-?dos| ones)?)
            ( go| gone)?
    """),
    *rules_of(Ask(Aspect.LIST, "overdue"), r"""
        (have|did|am) (i|we) (forget|forgotten|forgetting|miss|missed|missing)
            [ ](any ?thing|something)( today)?
        (am i|is there)? ?(any ?thing|something|what|what else)( that)? ?(am i|i'm|i am|i've
            |i have|did i|have i) (forgetting|missing|forgotten|forget|missed)
    """),
    *rules_of(Ask(Aspect.ONE, "the first"),
            r"why (that|this|it)( one| task)?( first| of all)?|why"),
    *rules_of(Ask(Aspect.LIST, "{about}"), r"""
        (?P<about>(what|which)( all| tasks| ones)? (did|have) (i|we) .+)
        (give (me|us) )?((a |the )?(summary|recap|overview) of|summari[sz]e|recap)
            [ ](?P<about>(what|everything|all|the tasks|all tasks)( that)? (i|we)\b.+)
        (is|are) (?P<about>(anything|something|any( of my)?( tasks?)?) (overdue|late|due)\b.*)
    """),
    *rules_of(Ask(Aspect.LIST, "done {days}"),
            r"(give (me|us) )?(a |the |my )?(summary|recap)( of| for)? {days}"),
    *rules_of(_ONE, r"""
        when('s| is| are| do i (have|need) to( finish| do)?| must i| should i| did i| was| were)
            [ ]{tasks}( due| planned| scheduled| happening| on| next| again| supposed to be)*
        (show me )?what (is |are )?block(s|ing) {tasks}
        what('s| is) blocking {tasks}
        what (does|do|is|are) {tasks} (wait(ing)?|depend(ing)?) (for|on)
    """),
    *rules_of(Ask(Aspect.LIST, "blocked tasks"), r"""
        (what|which tasks?) (is |are )?(wait(s|ing)?|depend(s|ing)?) (for|on) (something|anything
            |(another|other) tasks?)
    """),
    *rules_of(Ask(Aspect.BLOCKED, "{tasks}"), r"""
        (what|which tasks?) (is |are )?(wait(s|ing)?|depend(s|ing)?) (for|on) {tasks}
        what (does|do) {tasks} block
        (is|are) (anything|something|any tasks?) (blocked by|waiting for) {tasks}
    """),
    *rules_of(Ask(Aspect.BELOW, "{tasks}"), r"""
        (what|which tasks?)('s| is| are) (under|below|inside|part of) {tasks}
    """),
    *rules_of(Ask(Aspect.ONE, "it"), r"""
        (what|which)('s| is| are| was| does) (its|the) (FIELD)( say)?
        (what|which) project
        (done|finished)
        ((at|on) )?(what|which) (time|day|date)( (is|was|are) (it|that|they)( on| at| due)*)?
        when( (is|was) (it|that)( due)?)?
    """),
    *rules_of(_ONE, r"""
        when (is|are|does|do) (the )?next {tasks}( after (today|that))?( due)?
        (what are )?(the )?next (two |three |\d )?dates (of|for) {tasks}
        what('s| is) (?P<tasks>task (number )?\w+|number \w+)
        (tell me (more )?about|details of|details on|open|what about) {tasks}
        (show|info|details|detail|view|open) (?P<tasks>\d+)
        (?P<tasks>#\d+)
        (what is|what's|show|show me|info|view) (?P<tasks>#\d+|task \d+|it|that one|this one)
        {tasks} (done|finished|complete)
    """),
    *rules_of(Ask(Aspect.LIST, "{about}"), r"""
        (only )?(find|search( for)?|look (up|for)|show|list|give (me|us)|display|see|view
            |tell (me|us)|read out)( me| us)?( only)? {about}
        (filter( by)?:? )?(?P<about>(due|start|project|tag|priority|sort|group|done|created|updated
            |under|has|title)(\.[a-z]+)?:\S.*)
        filter( ((my|the) )?(list|tasks))? (by|for|to) {about}
        (?P<about>(sort|order|group|organi[sz]e)( (my|the|all)? ?(tasks|list|to-?dos
            |everything))? by .+)
        (?P<about>(what|which|do (i|we) have|have (i|we)|is there|are there|any|anything|something
            |got (?=(any|some|much|more|stuff|things|tasks|plans))|tasks
            |everything|all|did (i|we)|am i)\b.+)
    """),
    *rules_of(Ask(Aspect.LIST, "mentioning {about}"), r"(search( for)?|look up) {about}"),
    *rules_of(Ask(Aspect.LIST),
            r"(list|ls|show|tasks|todos?|my list|agenda|show me|what's up|what's on|everything"
            r"|what('s)? remain(s|ing))"),
    *rules_of(Ask(Aspect.LIST, "{group} tasks"), r"((my|the|our|all) )*{group} (tasks|to-?dos)"),
    *rules_of(Ask(Aspect.LIST, "this {about}"), r"(?P<about>week|month)"),
    *rules_of(Ask(Aspect.LIST, "{description}"), r"{description}"),
)  # fmt: skip
