"""Patterns of the parts of a message: additions, statements, corrections and reasons.

The patterns of whole commands and questions are in rules.py.
"""

import re

from todo_tui.domain.dates.terms import WEEKDAYS
from todo_tui.domain.text import ends_in_abbreviation
from todo_tui.providers.offline.change_phrases import LENGTH, in_figures
from todo_tui.providers.offline.pattern import lines, regex
from todo_tui.providers.offline.words import MARK, NUMBERS

# New tasks, and what is none.
_OPENINGS = r"""
(?P<urgent2>(add |create )(high|medium|low|top)[ -]priority)(?= ?:)
(add|create|insert|enter|jot down|write down|put down|log|save|make|set|set up)
    ( (to|on|onto) ((my|the|our) )?(to-?do |task )?(list|to-?dos|tasks) ?(?=:)
    |( (?P<count>both|\d+|two|three|four|five|some|these|the following)( new)?( TASK)? ?(?=:))
    |( (a|an|another|one more|the|these|this|my|some))?( new)?
    ( (?P<level>high|medium|low|top|urgent|important)([ -]priority)?)?
    ( (?P<rule>daily|weekly|monthly|yearly))?( new)? TASK( for me)?
    ( (for|due)( on| by)? (?P<day>[\w ]{1,20}?))?
    (,| ?(?=:)| (to|that says|called|named|saying|for|of)))
(add|create) ((a|an|another) )?new (task|to-?do|item|reminder)
(add|create|insert|jot down|write down|put down)( (a|an)(?= \w+ (task|reminder)\b))?
(new|another)( (task|to-?do|item|reminder))( to)?
(add |make )?(a|another|one) (separate|second|different|further)
    [ ](one|task|to-?do|item|reminder)( to| for)?
(new( (?!(due|start|title|date|name|tag|priority|project)\b)[\w'-]+)?|to-?do|note|another( one)?
    |one more)(?=( ?:| [–-]) )
((add|put|create|i need) )?(an? |one )(new )?TASK
    ( for me| please| without( an?)?( due)? date)+(?= ?:)
put(?= ?:)
to-?do(?= \w+ \w)
make a note( to (myself|self))? to
note to (self|myself|me)( to| that i (need|have|should|must) to)?(?=( ?[:,]| [–-]) )
(?P<urgent>urgent|important|(high|medium|low|top)[ -]prio(rity)?)(?= ?:)
((i|we) )?(must not|mustn't|can't|cannot|shouldn't|should not) forget( to| about)?
((i|we) )?(must|need to|have to|should|ought to) remember( to| about)?
((i|we) )?(should|would|'d) like to be reminded (to|about|of)
(please )?(remind|remember|ping|nudge) me( (again|later))?( (?P<when>.+?))??
    ,? (to|about|that i( (need|have|should|must|ought)( to)?)?|that|of)
don't let me forget( about)?(?= )
(remember|don't forget|do not forget|don't let me forget|make sure (i|we)( remember)?
    )( to|:)
(to-?do|task|todo item|reminder)(?= ?:)
"""
EXPLICIT = regex(
    rf"({'|'.join(lines(_OPENINGS))})( please| pls)?( ?[:,] ?| [–-] | )(?P<text>.+)", re.DOTALL
)
_PARENTS = rf"""
ADD (?P<text>.+?),? as (an? |new )*SUBTASK (of|to|under|for) (?P<parent>.+)
ADD (an? |the |these |this |some |new |two |three |four |five |\d+ )*SUBTASK (called |named )?
    (to|for|under|of) (?P<parent>[^:]+): ?(?P<text>.+)
ADD (an? |new )*SUBTASK:? (called |named )?(?P<text>{MARK}) (to|for|under|of) (?P<parent>.+)
ADD (an? |the |these |this |some |new |two |three |four |five |\d+ )*SUBTASK:? (called |named )?
    (?P<text>.+) (to|for|under|of) (?P<parent>.+)
ADD (an? )?SUBTASK: ?(?P<text>.+)(?P<parent>)
(add|create|insert) (?P<text>.+) (under|underneath|beneath) (?P<parent>.+)
(add|create|insert) (?!(a |the )?dependency)(?P<text>.+) to (?P<parent>#\d+)
(under|below|to) (?P<parent>[^,:]+(?=[,:])|#\d+)[,:]? ?(please )?add (?P<text>.+)
(break|split|divide)( up| down)? (?P<parent>.+?)( up| down)?( into:?|:)( (\w+ )?SUBTASK:)?
    [ ](?P<text>.+)
give (?P<parent>.+?) (an? |the |these |two |three |four |five |\d+ )*SUBTASK: ?(?P<text>.+)
new SUBTASK (for|of|to|under) (?P<parent>[^:]+): ?(?P<text>.+)
(?P<parent>.+) has (two|three|four|five|\d+|these|the following) SUBTASK: ?(?P<text>.+)
"""
UNDER = tuple(regex(pattern, re.DOTALL) for pattern in lines(_PARENTS))
LIST_JOINT = regex(r"\s*([,;]\s*(and\s+)?|\s+and\s+)")
APP_WORDS = regex(
    r"\b(filters?|views?|trash|screen|theme|settings?|sub-?tasks?|tasks?|to-?dos|tags?|projects?"
    r"|undo|redo|app)\b|\b(the|my) list\b"
)
TAKES = regex(
    r",? ((it|that|which|this) )?(takes?|will take|should take)( me)?"
    r"( (about|around|roughly|maybe|only|just))? (?P<time>AMOUNT)(?=$|[ ,.;])"
)
"""How long a new task takes."""
LASTS = regex(
    r"(,\s*(about |around |roughly |~)?(?P<length>AMOUNT)(?=$|,|\s+[#@!])"
    r"| for (about |around )?(?P<time>AMOUNT)(?=$|,|\s+[#@!]))"
)
"""How long a new task takes: behind a comma, or where a time of day is said before it."""
BEFORE_TAKES = regex(
    r"\s*,\s*(?=((it|that|which|this) )?(takes?|will take|should take)\b|missed ones too\b)"
)
"""What stands before a part of the task before it."""
WITH_SUBTASKS = regex(
    r"(?P<add>.+?),? with (the |these |its )?"
    r"((two|three|four|five|\d+) )?(SUBTASK|(?<=the )tasks|(?<=ese )tasks)( of)?:? (?P<items>.+)",
    re.DOTALL,
)
PARENT = regex(
    r"(create|add|start|make|set up|new)( an?)?( new)? (?P<kind>project|TASK)( called| named)?:?"
    r" #?(?P<name>\S.*)"
)
"""The parent of new subtasks: `create a project wedding with subtasks …`."""
SUBTASKS = regex(r"\b(sub-? ?tasks|steps)\b")
_OF_GROUP = r"( (in|for|from|of) (the )?(?!(it|them|these|this|those|that)\b)[#@]?[\w.-]+)?"
LISTS = regex(
    r"(((the|my|our|all|any|open) )*([#@]?[\w.-]+ ){0,2}"
    rf"(tasks|things|jobs|stuff|to-?dos|items|chores|errands){_OF_GROUP}"
    rf"|(everything|anything|all){_OF_GROUP}|[#@][\w.-]+)( (that|which) (is|are))?"
    r"( (due|planned|scheduled)( on| in| by| for)?| on| in| for)? (?P<days>[^:]+)"
)
"""Tasks with days, and no verb: `work tasks due next week` is a list of them."""
EMPTY_PROJECT = regex(
    r"(create|make|start|set up|open|begin)( me)?( an?| the)?( new)? project\b(?!.*:).*"
    r"|add an?( new)? project (called|named) .*"
)
"""An order for a project alone, which has no tasks yet."""
REFUSES = regex(
    r"((please|pls|just|so|and|oh) )*(?P<denial>do not|don't|never|stop|not"
    r"|(i|we)('m|'re| am| are)(n't| not)) (?!(forget|let|miss|worry|sure|yet|later)\b)[a-z]+\b"
    r"(?!.*\b(until|till|but|instead|rather)\b)[^,;.]+[.!]*"
)
"""Beginning of a message that says what is not to be done: `don't walk the dog on friday`."""
NUMBERED = re.compile(r"1[.)] .+ 2[.)] ")
NUMBER = re.compile(r"\s+(?=\d[.)] )")
"""What stands before each item of a list in one line."""
TO_PROJECT = regex(
    r"((add|put|create|make)( (these|the following|this|an?|one|new|a new)( new)?( TASK)?)?"
    r" (to|in|into|for|under)|(?P<new>new|create|start|add)( a)?( new)? project)"
    r"( (the|my|called|named|for))*,? #?(?P<name>[^\W\d][\w.-]*)( project| list| folder)?"
    r"(:| with( (the|these))?( TASK:?)?(?= .+(,| and ))) ?(?P<text>.+)",
    re.DOTALL,
)
LACKING = regex(r"((a|an|another|one|some) )?(new )?TASK|something|one")
IN_NAME = regex(r"(add|put|create|new task) (?P<text>.+?) (to|in|into|under) (?P<name>.+)")
TO_TAG = regex(
    r" (to|in|into|on|onto|under|for) ((the|my|our) )?(project )?(?P<tag>[#@][^\W\d][\w.-]*)"
    r"( (project|list|folder)\b)?"
)
"""A project or tag and what stands around it: it belongs to the tasks before it without that."""
PUT = regex(r"^(put|throw|set|stick|chuck|pop|bung|whack|jot|slap|fit) ")
ON_LIST = regex(
    r"(put|throw|get|add|set|stick|chuck|pop|bung|whack|jot|slap|fit) (?P<text>.+?)"
    r" ((down|in)(?= (for|on) )"
    r"|((on|onto|to|in) ((my|the|our) )?(to-?do |task |shopping |grocery )?(list|to-?dos|tasks))"
    r"|((in|on|onto|down) )?(there|here)"
    r"( please)?)(?P<when>.*)"
)
OBLIGATION = regex(
    r"((i|we)('ve|'d| have| had| also| still| really| do| just| am| 'm|'m| are|'re)* (need|have"
    r"|has|got|ought|want|plan|supposed|going|better|must|should|mustn't forget|can't forget"
    r"|shouldn't forget|gotta|wanna)( got)?( really| also| still| probably)?( to)?"
    r"|(i|we)'ve to|(got|need|have|ought) to|must|should|gotta|can't forget to)"
    r"( really| also| still| probably)? (?P<verb>[a-z]+)(?P<text>\b.*)",
    re.DOTALL,
)
HAVING_DONE = re.compile(
    r" (?:to )?(?:(?:a|the) )?(?:\w+(?:ed|en)|paid|bought|done|gone|told|said|sent|made|known|"
    r"been|got|left|put|met|read|had|kept|brought|thought|caught|taught)\b"
)
MUST_BE = regex(
    r"(?!(i|we|you|he|she|it|they|this|that|there)\b)(?P<text>.+ (has to|have to|needs?( to)?"
    r"|ought to|must|should)( be)? (?P<verb>\w+)\b.*)"
)
UNREAL = regex(r"\b((should|could|would|must|might)( have|'ve)|i|we)\b")
HEADING = regex(
    r"(?P<verb>(to )?(buy|get|order|pick up|pack|call|email|bring|fetch|do|clean|fix|read|book"
    r"|pay|send)|shopping|groceries|to-?dos?|tasks?|errands"
    r"|(\w+ ){0,2}things?( (to|i (need|have|want) to) (add|do|buy|get|remember|sort))?"
    r"|([\w'-]+ ){0,2}list)(?P<when> [^:]{0,30})?: ?(?P<text>.+)",
    re.DOTALL,
)
SUBJECT = regex(
    r"(i|we|you|he|she|it|they|this|that|there|these|those|everybody|everyone|nobody|somebody|what"
    r"|who|today|tomorrow|yesterday|tonight)('\w+)?\b(?! (and|or)\b)"
)
STATES = regex(
    r"\b(is|are|was|were|isn't|aren't|wasn't|weren't|has been|have been|feels?|felt|looks?|seems?"
    r"|sounds?)\b(?! (\w+ing|on|at|due|booked|scheduled|planned|set|happening|arriving|from|in"
    r"|this|next|every|back)\b)"
)
FELT = regex(
    r"\b(was|were|wasn't|weren't|feels?|felt|looks?|seems?|sounds?|hate|love|like|hope|wish|think)\b"
)
QUOTES = regex(r"\b(says|reckons|thinks|claims|tells (me|us))\b")
"""Behind it stands what somebody else says, which may be no task."""
VAGUE = regex(r"\b(this|next|last) (month|year|season|spring|summer|autumn|fall|winter)\b")
"""A time that no appointment has."""
POINTS = regex(
    r"\b(it|them|those|these|(the (first|second|third|fourth|fifth|last|other|next)|that"
    r"|this) one)\b"
)
"""Words for tasks of earlier messages: they make no title of a new one."""
_SMALL = r"(the|an?|my|our|your|and|or|to|of|for|with|at|from|that|is|are|was|i'm|this)"
GARBLED = regex(
    r"(of|me|u|you|that|and|or|is|are|was|instead|one|all|then|with|out|up|on|in|at|by|from|about"
    r"|under|for|to|than|as"
    r"|next|overdue|everything|nothing|something|anything|see (you|i)|hate|love|like|hope|wish"
    rf"|think|know|feel)\b.*|.*(?<!\w){_SMALL}|.*\bw/|.*\b(the|an?|my|our) {_SMALL}\b.*"
    r"|.*\b(add|delete|remove|rename|reschedule|undo|remind|complete|please|i'm|i'll|i've"
    r"|let's)\b.*|(lol|haha|hm+|wow|ugh|hey|well|oh|yay|meh|omg|ok|thanks|sorry|hello|hi|bye|yes"
    r"|no|maybe)|[^\"]*\"[^\"]*|\w+ (that|this|it|them)( (in|on|at|to|for|by|out|off))?"
)
"""Titles that nobody writes: cut short, of several requests, or no words for a task."""
IS_ON = regex(r"(?P<what>.+?) (is|are)( (now|due|happening))* (?P<when>.+)")
TO_ME = regex(r"\b(me|you|your|yourself|us)\b")
WITH_NOTES = regex(
    r"((\s*[,;(-]\s*|\s+)(with|and)\s*(an? |the )?(notes?|comment)( that says| saying| that|:)"
    r"|\s*[,;(-]\s*notes?:)\s*(?P<note>.+)$",
    re.DOTALL,
)
NOTES_FOLLOW = regex(r"notes?:")
"""What begins the notes of the task before it."""
AS_IT_IS = regex(rf"^(?P<mark>{MARK}),? (as (it )?is|literally|verbatim|as written|exactly)$")
DAY_FIRST = regex(r"((for|on) )?(?P<day>[\w ]{2,24}?) to (?P<rest>[a-z]+ .+)")
_SOME_DAY = r"(today|tomorrow|tonight|WEEKDAY|mon|tues?|wed|thur?s?|fri|sat|sun)"
_MINUTES = "|".join(("fifteen", "thirty", "forty-five", "forty five", "ten", "twenty", "fifty"))
_IN_FIGURES = {
    "fifteen": 15, "thirty": 30, "forty-five": 45, "forty five": 45, "ten": 10, "twenty": 20,
    "fifty": 50,
}  # fmt: skip
_SPOKEN = regex(
    rf"\b(?P<hour>{'|'.join(list(NUMBERS)[:12])}) (?P<minutes>{_MINUTES})\b(?! \w+teen)"
)
_TIMES_IN_ORDER = (
    (re.compile(r"(?<=\d)-?ish\b"), ""),
    (
        regex(
            rf"^(?P<days>{_SOME_DAY} ?(-|–|to) ?{_SOME_DAY}),? (?P<rest>.+?)"
            r",? (?P<time>(at )?(\d{1,2}[.:]\d\d|\d{1,2} ?[ap]m))$"
        ),
        r"\g<rest> \g<days> \g<time>",
    ),
    (
        regex(rf"\b(after|around|before) (?=\d{{1,2}}([.:]\d\d)?( (on )?{_SOME_DAY}\b|$))"),
        "at ",
    ),
    (regex(rf"\b(?P<day>{_SOME_DAY}) (?=(1[0-2]|[1-9])$)"), r"\g<day> at "),
    (regex(r"\b(?P<part>in) (?=(morning|afternoon|evening)\b)"), r"\g<part> the "),
    (regex(r"\bon the (?P<day>\d{1,2})$"), r"on the \g<day>."),
    (regex(r"\bhalf (?P<hour>1[0-2]|[1-9])\b"), r"half past \g<hour>"),
    (regex(r"\bweek ?e?nd\b"), "weekend"),
    (regex(r"\b(?P<nth>first|second|third|last) weekend (?=(in|of)\b)"), r"\g<nth> saturday "),
    (regex(rf"\b(?P<day>{_SOME_DAY}) am$"), r"\g<day> morning"),
    (regex(rf"\b(?P<day>{_SOME_DAY}) pm$"), r"\g<day> afternoon"),
    (regex(r"^(?P<time>noon|midday|0\d{3}|\d{1,2}[.:]\d\d) (?P<rest>(?![ap]\.?m\b)\S.*)$"),
     r"\g<rest> at \g<time>"),
)  # fmt: skip


def _figures(match: re.Match[str]) -> str:
    """Return `6:30` of `six thirty`."""
    return f"{NUMBERS[match['hour'].lower()]}:{_IN_FIGURES[match['minutes'].lower()]}"


def in_order(text: str) -> str:
    """Return a new task with its time as the grammar of dates has it: `at 7` of `friday 7`."""
    text = in_figures(_SPOKEN.sub(_figures, text))
    for pattern, plain in _TIMES_IN_ORDER:
        text = pattern.sub(plain, text)
    return text


_BEFORE_DAYS = ("every", "each", "this", "next", "last", "between", "the", *WEEKDAYS)
TWO_DAYS = regex(
    rf"(?<=\w ){''.join(rf'(?<!{word} )' for word in _BEFORE_DAYS)}\b(on )?"
    rf"(?P<one>{_SOME_DAY}) (and|&) (on )?(?P<two>{_SOME_DAY})$"
)
"""Two days without a time, which are no date of the grammar; the gate asks if they repeat."""
FROM_NOW_ON = regex(r"\b(from now on|(every time )?from (here|then) on|for good|permanently)\b")
"""What makes a new date of a recurring task its rule."""
FROM_TIME = regex(
    rf"\b(?P<day>{_SOME_DAY}) from (?=\d{{1,2}}([.:]\d\d|( ?[ap]m))(?! ?(to|until|till|-|–)))"
)
UM = regex(r",? \b(uh+m*|um+|erm+|er)\b,?(?= \w)")
RELATIVE = regex(rf",? which (is|falls|will be)( on)? (?=(the )?\d|{_SOME_DAY}\b|the \w+ of\b)")
"""What leads to the date of what was said before."""
TASK_NUMBER = re.compile(r"(?<![\w&])#\d")
"""The number of a task: a title that has one is a command that was not understood."""
TAG_NAMED = regex(r"(with )?(the )?(tag|label):? @?(?P<name>[\w-]+)")
ATTRIBUTE = regex(
    r"(\s*[,;(]\s*(and )?|\s+-\s+|\s+(and )?)(?P<change>((with )?no|without( a)?) (due )?"
    r"(date|deadline)|(with |at |as |of )?(an? |the )?"
    r"(top|high|medium|low|highest|lowest)[ -]priority|(it's |it is |that's |this is |is )?"
    r"(really |very |super )?(urgent|important|critical)(?=\)?$)|(with )?"
    r"(the )?priority:? (high|medium|low)|-? ?(top|high|medium|low) prio|asap|as soon as possible"
    r"|((tagged|labell?ed)( as| with)?|(with )?(the )?(tags?|labels?)):? @?[\w-]+"
    r"((,? (and|&) |, ?)(?!urgent|important|critical|asap)@?[\w-]+)*"
    r"|(in|to|into|under|for|with)? ?(the |my |our |a )?(project|folder) [^\W\d][\w.-]*"
    r"|((in|to|into|under)|(?<=[,;] )for) (the |my |our |a )?(?!to-?do\b|task\b)[^\W\d][\w.-]*"
    r" (project|folder|list)|(?<=[,;] )(high|medium|low))\)?$"
)
# Sentences, clauses, corrections and reasons.
SENTENCE_END = re.compile(
    r"(?<=[^\s\d.])(?<!\bevery)(?<!\beach)[.!?]+(?=\s+\S)|\s*[;\n]+\s*|(?<=\d)[.!?]\s+(?=[A-Z])"
    r"|(?<=\d)[.!]+\s+(?=(?:oops|sorry|no|wait|actually|hmm|scratch)\b)"
)
JOINT = regex(
    r"\s*(,|–|—| - |\.{2,})?\s*(?<![\w'])(and then|and also|and|then|but|also|plus)\s+|\s*,\s*"
    r"|\s+[-–—]\s+|\s*\.{2,}\s*"
)
CORRECTION = regex(
    r"([,;.!–—-]+|\s)\s*((OOPS|but|hang on|wait)[,. ]+)*"
    r"((no|wait|hang on|hold on),? TAKEN_BACK|(?!(wait|h\w+ on)\b)TAKEN_BACK|make (that|it))"
    r"([,. –—-]+|$)(INSTEAD[,. ]+)*"
    r"|[,;.!–—-]+\s*(?=not \w+$)"
    r"|[,;.!–—-]+\s*(wait[,.!–—-]+|(er+m?|uh|um|hm+)\b[,.!–—-]*)\s*(INSTEAD[,. ]+)*"
)
REASON = regex(
    r"(because|'?cause|cos|since|as|so( that)?|given that|seeing that|in case|that's why"
    r"|otherwise)\b.+|(i|we|he|she|it|they|this|that|there|you|(my|the|our|his|her) [\w' -]{1,40}?"
    r"|[\w']{2,20})('s|'re|'m|'ve|'ll|'d| (is|are|was|were|has|have|had|will|can|can't|won't|isn't"
    r"|aren't|wasn't|hasn't|haven't|does|doesn't|do|don't|did|didn't|needs?|wants?|said|says|called|likes?|hates?"
    r"|thinks?|got|came|comes|closes?|opens?))\b.*|(he|she|they|it|you) \w+\b.*"
)
QUESTION = regex(
    r"(what|which|who|whom|whose|why|how|when|where|is|are|am|was|were|did(?! (it|that|this|the"
    r"|my|our|both|all|some|them)\b(?! get))|does|has|do (i|we|you|they)|have (i|we|you)"
    r"|can (i|we|you)|could (i|we)|may i|should|shall|will|would (i|it|you)|what's|who's|how's"
    r"|when's|where's|isn't|aren't|any|anything)\b"
)
ASKS_LAST = regex(
    r"(and |so )?((what|which) (day|time|date|one|project|priority|tags?)"
    r"|when('s| (is|was|are|were|do|does|did))|(what|where)('s| is| was)"
    r"|how (much|many|long|often|urgent|far))\b.*"
)
"""A question behind what it is about: `the jab, which day was it`."""
OF_THEM = regex(r"\b(ones )?of (them|those|these)\b")
ANY = regex(r"any(thing)?\b")
"""What begins a question, or the name of a set."""
CUT_SHORT = regex(r"(^|\s)(not|the|an?|and|my|or|to|of|for|with|which)$|\sthat$|^(and|or|of|to)\s")
PROJECT = re.compile(r"#?[^\W\d][\w.-]*")
SCHEDULE = regex(r"(schedule|book in|pencil in) (an? |some )?(?P<text>.+)")
LEADING = regex(
    r"^(((no,? wait|wait|whoops|oops|hmm+|hold on|hang on|sorry|actually|ok|so|well|and|also"
    r"|but)[,.! ]+)|no[,.!] *)+(?=\S)|^(and|also) "
)
NEVER_REPORTS = regex(
    r"(show|list|find|search|display|remember|imagine|pretend|suppose|let's say)\b"
)
ONLY_LENGTH = regex(LENGTH)
SHIFT = regex(rf"{LENGTH} (later|earlier)")
POSTPONING = regex(r"\b(postpone|delay|defer|put off|push (.* )?back)\b")
SIGNED_UP = regex(r"\bsigned up (for|to) ")
CONTRACTED = regex(
    r"(?P<what>(^(it|that|this|those|these|they)|\bone(?='s))|\w(?='s (done|finished|off|cancelled"
    r"|sorted)\b))'(s|re) "
)
NO_RULE = regex(
    r"\b(once|twice|thrice|(\d+|two|three|four|five|six|several|a few) times) (a|per|each"
    r"|every) (week|month|year|fortnight)\b"
)
"""A frequency without days."""
BARE_MARK = regex(
    r"[,;.!–—-]?\s*(no|make (it|that))\s+|\s+(actually|rather|nope|sorry|correction"
    r"|(?P<wait>wait))\s+"
)
"""A mark of a correction that is one only before a date."""
NOT_THIS = regex(r"not (the )?(?P<what>.+)")
CORRECTED_DAY = regex(
    r"not \w|(on |at |for |make it )?(\d|mon|tue|wed|thu|fri|sat|sun|today|tomorrow|tonight|next"
    r"|in |the \w+ one)"
)
RETRACTS = regex(
    r"((OOPS|no)[,. ]+)*(scratch that|strike that|no,? wait|wait,? no|forget that"
    r"|correction|or rather)[,.!: –—-]+((just|please|instead) )*(?P<rest>.+)"
)
"""What takes back the sentence before it, and says it anew."""
RESTATES = regex(r"((OOPS|TAKEN_BACK|make (it|that))[,.! ]+)+(?P<rest>.+)")
"""What corrects the sentence before it where the rest is a value."""
OTHER_DEED = regex(r"(?P<verb>[a-z]+) (him|her|it|them)\b.*")
DONE_ALONE = regex(r"(DONE)( (now|already|too))*")
HEDGED = regex(
    r"(^|(i|we|i'm|we're|i'?ve|we'?ve|is|are|it's) )(\w+ly )?(almost|nearly|not quite|half|halfway"
    r"|partly|partially|mostly) (done|through|there|complete|\w+ed|\w+ing)\b"
)
"""How somebody says that a thing is not done yet."""
OWN = regex(r"(i|we|got|need|have|ought|must|should)\b")
DID_IT = regex(
    r"(i |we )?(did|got|had|made) (it|that|them)\b .+|(took|went|cost|was|were|felt|turned out"
    r"|came out) .+"
)
LINKED = regex(r"\b(and|also|then|plus)\b")
MEANT = regex(r",? (i mean|i meant|rather|instead|actually|sorry)$")
ALL_IN_PROJECT = regex(
    r"\b(everything|all|anything|every|each)( (of|the|my|TASK|stuff|ones))*"
    r"( (in|with|of|from|for|under))? #(?P<name>[^\W\d][\w.-]*)(?= \S)"
)
"""A set before a change: of `postpone all #bills by a week` nothing goes to another project."""
LEFT_OUT = regex(
    r"(?P<all>.+?),? (except( for)?|apart from|aside from|other than|but not|not)"
    r" (?P<x>(the |my )?.+)"
)
"""A command with an exception behind it."""
SHIFTING = regex(
    r"\b((day|week) (after|before)|(next|following) day"
    r"|MOVE|later|earlier|sooner|back|forward|by|more|another|extra|off|wait|in|till|until)\b"
)
"""What makes a length of time the shift of a date."""
SAYS_SO = regex(
    r"\b(will|would|won't|can't|cannot|couldn't|doesn't|don't|is|are|was|were|isn't|aren't"
    r"|(has|have|'s) been|only|from now on"
    r"|any ?more|no longer|instead)\b|'ll\b"
)
"""What makes a statement of a title."""
SEARCHES = regex(r"(SHOW|find|search|count|filter|sort|order by|group|look (up|for))\b(?! back)")
CALL = regex(r"(call|print|copy|start|begin|check)\b")
"""Verbs of commands that tasks begin with as a rule where no command is read."""
EXCLAIMS = regex(
    r"((oh|ugh|wow|man|gosh)[, ]+)?(what an? \w+( \w+)?|ugh|wow|oh (no|dear|well))[.!,]*"
)
MARVELS = regex(r"(\w{1,5}[,!]* )?(what|such) an? \w+")
"""What somebody exclaims, which is no task."""
NOTHING = regex(r"\b(nothing|never|neither|nor)\b")
SHOWS = regex(r"(SHOW|(newest|oldest|latest|last|first|next) (TASK))\b")
# What continues or corrects the turn before.
POINTING = regex(
    r"(it|that|this|them|those|these|both|all (of )?(them|those|these)|that one|this one)"
)
IN_PROJECT = regex(r"(in|into|to|under|for) (the |my )?#?(?P<name>[^\W\d][\w.-]*)")
DOUBLE = regex(r"(drop|clear|throw out|put|bring|pull|carry|set|check|close|finish|start|check)\b")
"""Verbs of commands that tasks begin with as often."""
CONTINUED = regex(
    r"((and|also|plus)\b[, ]*(also )?(?P<what>.+?)( too| as well| also)?"
    r"|(the )?(same|ditto|likewise)( again| thing| goes)? (for|with) (?P<same>.+?))"
)
_OOPS = r"((OOPS|TAKEN_BACK)[,.! ]+)*"
MEANT_OTHERS = regex(
    rf"{_OOPS}((?P<surely>i (mean|meant)|(wrong (one|task)[,. ]+(sorry[,. ]+)?)?(i )?meant)"
    r"|(?P<was>(that|it) (was|should be|should have been))|no|nope|not (that|this)( one)?)"
    r"[,. ]+(?P<what>[^.!]+)([.!]+ .*(\b(not|leave|keep|still|stays)\b|n't).*)?"
)
MEANT_BESIDE = regex(
    r"( (that |which )?(i|we) (\w+ed|paid|did|bought|sent|wanted|had)( \w+)?)?(,? (and )?not .*)?$"
)
"""What is said of the task that was meant, and which one was not."""
SPARES = regex(
    rf"{_OOPS}((and|but)[, ]+)?(except( for)?|not|apart from|all but|bar|leave|keep|minus)"
    r" (the |my )?(?P<what>[^.,;!]+?)( (either|yet|though|tho|alone|out|out of it|open"
    r"|(as|where) (it|they) (was|were|is|are)))*"
    r"([.,;!]+ ?(leave|keep|that|those|it|they|i|he|she|we|because|cos)\b.*)?"
)
"""What the turn before should have spared."""
STAYS = regex(
    rf"{_OOPS}((and|but)[, ]+)?(only )?(the |my )?(?P<what>[^.,;!]+?)"
    r" (can |should |must |has to |is to )?(stays?|remains?|is (ok|okay|fine|good))\b( [^.,;!]*)?"
    r"([.,;!]+ ?(?P<why>.*))?"
)
"""What the turn before should have left as it was: `the report can stay on friday`."""
ONLY = regex(
    rf"{_OOPS}((and|but)[, ]+)?(just|only) (the |my )?(?P<what>[^.,;!]+?)([.,;!]+ ?(?P<why>.*))?"
)
"""The only one that the turn before should have changed."""
PART = regex(
    r"[.,;!?]+\s+|\s+[-–—]+\s+|\s*\n\s*"
    r"|(?<!\bdo)\s+(so )?"
    r"(?=(just |please |do )?(put|bring|get) (it|that|this|them|her|him)( one)? back\b)"
)
UNDO = regex(r"undo\b")
UNDO_OF = regex(
    r"(undo|revert|take back|reverse) (((what|everything|all)( that)? (you|i|we)( have|'ve)?"
    r"( just)? (did|done|changed)|((the|my|your) )?((last|latest|previous) )?(changes?|edits?))"
    r" (with|to|of|on|for|in|about) (the |my )?(?P<what>.+)"
    r"|(?!((the|my) )?(last|latest|previous|two|three|four|five|\d+)\b)(the |my )?(?P<task>.+?)"
    r" (changes?|edits?|update))"
)
"""An order to take back what was done to one task."""
BOTH_BACK = regex(
    r"(?P<verb>undo|revert|take back|redo) (both|the two|all two)"
    r"( of (them|those|these)| (changes|messages|things))?"
)
"""An order to take back, or to do again, two changes or one of two tasks."""
UNDOES = regex(
    rf"({_OOPS}((please|pls|just|do) )*((undo|revert|take back)( undo| it| that| this)*"
    r"|(belay|disregard|forget|ignore|scrap|scratch|strike) (it|that|this)"
    r"|(leave|put|keep|bring|set|move|change|have) (it|that|this|them|those|him|her)( back)?( to)?"
    r" (where|when|as|how|what|the way) (it|that|they|she|he|we|i)"
    r" (was|were|had (it|them)|had been)"
    r"( before)?)|((OOPS|TAKEN_BACK)[,.! ]+)+(never ?mind|forget (it|that)))"
    r"( please| pls| again| then)*[,.! ]*"
    r"(?P<why>((lol|haha|mum|dad|i|he|she|we|they|sorry|because|cos)\b.*)?)"
)
"""A clause that takes back what was done last, whatever is said around it."""
NUMBER_ALONE = regex(
    rf"{_OOPS}(better )?((it's|its|it is|that's|make (it|that)|(it )?(should|was)"
    r" (be|say|supposed to be)|i (mean|meant)) )?[£$€]?(?P<number>\d+(\.\d+)?)"
    r" ?(quid|pounds?|euros?|dollars?|bucks)?"
    r"(,? (actually|sorry|instead|now|not [£$€]?\d+))*"
)
DEFINITE = regex(r"(the|my|our) ")
"""What a title begins with that is a task on the list."""
NOT_OLD = regex(
    rf"{_OOPS}((it's|its|it is|that's|make (it|that)|(it )?(should|was) (be|say)|i (mean|meant)) )?"
    r"(?P<new>[^,.;!]+?),? (and )?not (the |a )?(?P<old>[^,.;!]+)"
    rf"|{_OOPS}not (the |a )?(?P<old2>[^,.;!]+?),? (but )?(?P<new2>[^,.;!]+)"
    rf"|{_OOPS}(i|you|it|that) (wrote|said|put|typed|says|meant)( down)? (the )?"
    r"(?P<old3>[^,.;!]+?),?"
    r" (but |and )?(it|that|i) (should|was meant to|meant to|is meant to|has to|must)"
    r" (be|say|read|have said|have been|write|put|type)( the)? (?P<new3>[^,.;!]+)"
)
"""What takes the place of words of a title: `30 bags, not 20`."""
SWAPPED = regex(r"swap (them|those|these|the two|both)( (round|over|around|about|please))*")
PUTS_DOWN = regex(
    r"(put|add|stick|pop|pencil|book|slot|schedule|set|remind|(a|another|one) "
    r"(separate|second|new|different|further|extra)|another)\b"
)
"""What begins an order for a new task."""
DAY_BESIDE = regex(r",? (on |for )?the day (?P<side>before|after)$")
FOLLOWS = regex(
    r"(?P<what>.+?) (after|once|when) (?P<other>.+?)(( is| are| has been)( done| finished)| first)?"
    r"|(?P<what2>.+?) needs? (?P<other2>.+?)( to be)?( done| finished)? first"
)
"""A new task that waits for another one."""
BEFORE_DAYS = regex(r"^(on|for|in|by|due|at|during) ")
OTHER_DAYS = regex(
    r"(and|what about|how about|and what about)( (on|for|in|during))? (the (?P<unit>day|week"
    r"|month) (?P<side>before|after)( that)?|(?P<days>.+))"
)
"""What asks the last question again for other days."""
THERE = regex(r",? ((?P<there>there)|then|(on )?that day)\b(?=$|[,.;:]),?")
"""Words for a day that was asked about."""
SAME_DAY = regex(
    r",? ?((on|at|for) )?the same (day|date|time|deadline)( (as (that|it|those)|too|as well))*$"
    r"|,? same (day|date|time)( too)?$|,? (straight|right) after(wards)?( that)?(?=$|, ?at\b)"
)
NO_DATE = re.compile("no |[-@#!~]|after|under|cancelled|skip|todo|doing|starts")
"""Change words that set no date."""
THE_OTHER = regex(
    r"(the |that |those )?(other( (?P<count>one|two|three|four)| task)?|(?P<all>other(s| ones"
    r"| tasks)|rest( of (them|those|these))?))( instead)?"
)
ANOTHER = regex(
    r"(and |add |also |make )*(another( one)?|one more|(the )?same( again| thing)*)"
    r"( task)?( (like|as) (it|that|this)( one)?)?( again)?( for| on)?( (?P<change>.+))?"
)
"""What asks for a second task like the last one."""
OBJECTS = regex(
    r"\b(TAKEN_BACK|oops|whoops|not|\w+n't|never|wrong|meant|instead|leave|stays?|still|(belay"
    r"|cancel|disregard|drop|forget|ignore|scrap|scratch|skip|strike) (it|that|this|them))\b"
)
"""Words of a message that may object to what the turn before did."""
NOT_DONE = regex(
    rf"{_OOPS}((i|we) (haven't|have not|didn't|did not)( (actually|really|even|yet|do|done|finish"
    r"|it|that|so|either))*|not (yet|really|quite|done|\w{3,}ed)( yet)?"
    r"|(it|that|this)( isn't|'?s not| is not)( (done|finished|complete))?( yet)?"
    r"|(just |please )*(put|set|change|mark|make) (it|that|this|them|those|both)( back)? (to|as) "
    r"(not done|undone|open|to-?do|incomplete|unfinished)( again| please)*"
    r"|(just |please |do )*(put|bring|get|stick) (it|that|this|them|those|these|her|him|both)"
    r"( one)? back( on( (my|the) list)?| again| please)*"
    r"|(re-?open|restore|undelete|un-?tick) (it|that|this|them|those|her|him)( one)?( again)?)"
)
"""What takes back a completion or a deletion."""
EXCLAIMED = regex(rf"{_OOPS}")
DO_NOT = regex(rf"{_OOPS}(don't|do not)( (do|delete|cancel) (it|that))?[,. ]+(just )?(?P<what>.+)")
GIVE_ME = regex(r"(please )?(give me|let me have|i need)( it| that)? (?=(till|until|to)\b)")
"""What asks for another date of the task last spoken of."""
OTHERS_DO = regex(r"((because|cos|as|since) )?(he|she|they)\b")
"""What others do, which tells why and sets no value: `…, he's shut mondays`."""
CLOCK_ALONE = regex(r"(at )?(?P<hour>1?\d|2[0-3])[.:]?(?P<minute>[0-5]\d)")
BOTH = regex(r"(and )?both\b")
PUT_BACK = regex(r"\b(put|bring|get|stick) (it|that|this|them|those|these|both)( one)? back\b")
NOT_SO = regex(
    r"(?P<what>[^.,;!]+?) (((is|are|was|were) not|isn't|aren't|wasn't|weren't) (DONE|\w+ed)"
    r"|(still )?needs? (doing|to be done)|not yet)( (yet|after all|though|actually))*"
)
"""What denies that a task is done."""
I_MEANT = regex(r"^((i|it|that) )?(meant|was|is|'s|should be)( only| just)? (the )?|^(just|only) ")
NOTED = regex(
    r"((can|could|would|will) (you|u) )?(please )?"
    r"(put|stick|add|chuck|pop|pencil|jot|bung|write|note|get|slot) (it|that|this|them)"
    r"( (in|down|on|there|for))*( (the|my) (to-?do )?(list|diary|calendar))?( for| on| at)?"
    r"( me)?( before i forget( (it|again))?)?( (please|hon|love|mate|dear|thanks|ta))*"
)
"""An order to note down what was said before."""
KEPT_AS_NOTE = regex(
    r"((and|so|can you|could you|please|just) )*"
    r"((write|note|jot|put|keep|save|pop|stick|pencil|scribble) (it|that|this)"
    r"( (down|in|on|to|with|for|as|there|somewhere|it|me|the|a|its|notes?|task))*"
    r"|(please )?note)( (please|hon|love|mate|dear|thanks|ta|ok))*"
)
"""An order to keep what was said before with the task spoken of."""
NAME = regex(r"[^\W\d_][\w-]*")
REQUESTS = regex(r"(^|.*[,;.] ?|.* )(can|could|would|will) (you|u)\b.*\?")
"""A question that asks for something to be done."""
REOPENS = regex(
    r"\b(re-?open|un-?tick|un-?check|restore|undelete|bring (it|that|them|this) back)\b"
)
"""What brings back a task that is done or deleted."""
ASKS_FOR = regex(
    r"(can|could|may|might) (i|we) (please )?"
    r"(have|get|move|push|shift|change|put|make|do|bump|add|swap)\b"
)
"""A request that has the form of a question."""
HESITATION = regex(r"[,;. –—-]+(OOPS|TAKEN_BACK)[,. ]*$")
"""What stands before a correction and says nothing more."""
ON_WEEKDAY = regex(
    r"(on )?(the )?(?P<day>WEEKDAY|mon|tues?|wed|thur?s?|fri|sat|sun)"
    r"(,? (and )?(not|instead of|rather than) (on )?(the )?(?P<was>WEEKDAY))?"
)
ABOUT_APP = regex(
    r"(how (do|can|could|would|should|i can|to)|(can|could|may) (i|you|we)|are you able"
    r"|is (it possible|there (a|any) way)|do you (understand|know|support|have|do|speak|read|get)"
    r"|what (can|else|do) you|what (kinds?|sorts?) of|where (can|do) i|does (it|this|the app)"
    r"|will you|(can|could|may) ye"
    r"|(if|when) (i|you) .+\b(is|are|can|could|will|do|does|how|what)\b)\b"
)
"""Questions that may be about the app."""
WHAT_IT_CAN = regex(r"what (else )?(can|do) you\b.* do\b.*")
IS_BETTER = regex(
    r"('s| is| would be| will be| works| suits me)( (much|a bit|far))? (better|best|good|fine"
    r"|easier)$"
)
"""What says that a value is to be taken."""
BE_IT = regex(
    r"^((it's|its|it is|that's|this is|it should be|it was|still|make (it|that|them)"
    r"|set (it|them)( to)?|(all|both)( of (it|them))?( is| are)?"
    r"|they're|they are)( still)? )(?=\S)"
)
ALL_OF_THEM = regex(r"(all|both|they're|they are)\b")
TAG_IT = regex(r"tag (it|them|that)( with| as)? ")
VALUE_JOINT = re.compile(r"[.,;!]+\s+|\s+(?:and|&|n|\+|plus)\s+")
ADDS_TO = regex(r"(and|also|plus|same for|ditto) (?!then\b)")
CORRECTING = regex(r"((INSTEAD|wait|oops)[,. ]+)+")
BETTER = regex(
    r"((INSTEAD|OOPS|or|so|then|better|please|just|not (possible|then)|(that )?won't work"
    r"|can't do (that|it)|doesn't work)[,.! –-]+)+"
)
"""What stands before the value of a correction."""
TELLS_WHY = regex(
    r"( (then|instead|please|is|would be|works|suits|me|better|fine|best|will do)\b)*"
    r"((,|(,)? (?P<because>because|cos|cuz|'cause|cause|as|since)\b) .+)"
)
"""What stands behind the value of a correction, and why it is made."""
MISTAKEN = regex(r"((OOPS|wait|hang on|hold on)[,.! ]+)*(oops|no+|nope|nah|sorry|i meant?|wrong)\b")
"""What says that the turn before was mistaken."""


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, lines too."""
    parts: list[str] = []
    start = 0
    for end in SENTENCE_END.finditer(text):
        if ends_in_abbreviation(text, end.start() + 1):
            continue
        parts.append(text[start : end.end()].strip())
        start = end.end()
    parts.append(text[start:].strip())
    return [part for part in parts if part.strip(" .;\n")]
