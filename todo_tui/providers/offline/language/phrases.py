"""Patterns of the parts of a message that several modules look for.

The patterns of whole commands and questions are in `command_rules` and `question_rules` in
reading/; one that a single module uses stands there.
"""

import re

from todo_tui.domain.text import ends_in_abbreviation
from todo_tui.providers.offline.language.change_phrases import LENGTH, in_figures
from todo_tui.providers.offline.language.pattern import lines, regex
from todo_tui.providers.offline.language.words import NUMBERS, peeled

_OPENINGS = r"""
(?P<urgent2>(add |create )(high|medium|low|top)[ -]priority)(?= ?:)
(add|create|insert|enter|jot down|write down|put down|log|save|make|set|set up)( me(?= an?\b))?
    ( (to|on|onto) ((my|the|our) )?(to-?do |task )?(list|to-?dos|tasks) ?(?=:)
    |( (?P<count>both|\d+|two|three|four|five|some|these|the following)( new)?( TASK)? ?(?=:))
    |( (a|an|another|one more|the|these|this|my|some))?( new)?
    ( (?P<level>high|medium|low|top|urgent|important)([ -]priority)?)?
    ( (?P<rule>daily|weekly|monthly|yearly))?( new)? TASK( for me)?
    ( (for|due)( on| by)? (?P<day>[\w ]{1,20}?))?
    (,| ?(?=:)| (to|that says|called|named|saying|for|of)|(?= [\U00012000-\U00012400])))
((my|the) )?(shopping|grocery|packing) list(?= ?:)
(add|create|make) (a|another|one more) (TASK|one) (just )?(like|similar to|same as)( the| my)?
((add|book|schedule|make|put in|i need|we need) )?(another|one more|an extra|an additional)
    (?= \w)(?! (one|TASK|like|time|go|try|look|word|date|question|idea|problem|(minute|hour
    |day|week|month|year|bit|while)s?)\b| \d)
(add|create) ((a|an|another) )?new (task|to-?do|item|reminder)
(add|create|insert|jot down|write down|put down|(pencil|slot|stick) in|(pop|book) in(?= an?\b)
    )( (a|an)(?= \w+ (task|reminder)\b))?
(new|another)( (task|to-?do|item|reminder))( to)?
(add |make )?(a|another|one) (separate|second|different|further)
    [ ](one|task|to-?do|item|reminder)( to| for)?
(new( (?!(due|start|title|date|name|tag|priority|project)\b)[\w'-]+)?|to-?do|note|another( one)?
    |one more)(?=( please| pls)?( ?:| [–-]) )
((add|put|create|i need) )?(an? |one )(new )?TASK
    ( for me| please| without( an?)?( due)? date)+(?= ?:)
(put|enter|insert|log)(?= ?:)
((ok|okay|so|right) )?brain ?dump(?= ?:)
(new|next|another|one more) (one|thing|task|to-?do)(?= ?[,:–-])
to-?do(?= \w+ \w)
make a note( to (myself|self))? to
(make|take) a note(?= ?:)
note to (self|myself|me)( to| that i (need|have|should|must) to)?(?=( ?[:,]| [–-]) )
(?P<urgent>urgent|important|(high|medium|low|top)[ -]prio(rity)?)(?= ?:)
((i|we) )?(must not|mustn't|can't|cannot|shouldn't|should not) forget( to| about)?
((i|we) )?(must|need to|have to|should|ought to) remember( to| about)?
((i|we) )?(should|would|'d) like to be reminded (to|about|of)
(please )?((remind|remember|ping|nudge) me( (again|later))?
    |(((i|we)( would|'d|'ll|'d really)? (need|want|like|appreciate)|((i|we) )?could (do with|use)
    |(have|get|give|set|send|set up)( me)?) )?
    (a|another)( new)? (reminder|nudge)|(send|set up) reminders
    |(i|we)( would|'d|'ll)? (need|want|like) to be reminded)( (?P<when>.+?))??
    ,? (to|about|that i( (need|have|should|must|ought)( to)?)?|that|of)
don't let me forget( about)?(?= )
(remember|don't forget|do not forget|don't let me forget|make sure (i|we)( remember)?
    )( to|:)
(to-?do|task|todo item|reminder)(?= ?:| [–-] )
"""
EXPLICIT = regex(
    rf"({'|'.join(lines(_OPENINGS))})( please| pls)?( ?[:,] ?| [–-] | )(?P<text>.+)", re.DOTALL
)
WITH_SUBTASKS = regex(
    r"(?P<add>.+?),? with (the |these |its )?"
    r"((two|three|four|five|\d+) )?(SUBTASK|(?<=the )tasks|(?<=ese )tasks)( of)?:? (?P<items>.+)",
    re.DOTALL,
)
TO_PROJECT = regex(
    r"((add|put|create|make)( (these|the following|this|an?|one|new|a new)( new)?( TASK)?)?"
    r" (to|in|into|for|under)|for(?= [\w ]+:)|(?P<new>new|create|start|add)( a)?( new)? project)"
    r"( (the|my|called|named|for))*,? #?(?P<name>[^\W\d][\w.-]*)( project| list| folder)?"
    r"(:| with( (the|these))?( TASK:?)?(?= .+(,| and ))) ?(?P<text>.+)",
    re.DOTALL,
)
SUBJECT = regex(
    r"(i|we|you|he|she|it|they|this|that|there|these|those|everybody|everyone|nobody|somebody|what"
    r"|who|today|tomorrow|yesterday|tonight)('\w+)?\b(?! (and|or)\b)"
)
SOME_DAY = r"(today|tomorrow|tonight|WEEKDAY|mon|tues?|wed|thur?s?|fri|sat|sun)"
_MINUTES = "|".join(("fifteen", "thirty", "forty-five", "forty five", "ten", "twenty", "fifty"))
_IN_FIGURES = {
    "fifteen": 15, "thirty": 30, "forty-five": 45, "forty five": 45, "ten": 10, "twenty": 20,
    "fifty": 50,
}  # fmt: skip
_SPOKEN = regex(
    rf"\b(?P<hour>{'|'.join(list(NUMBERS)[:12])}) (?P<minutes>{_MINUTES})\b(?! \w+teen)"
)
_MONTH = r"(MONTH|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.?"
_DATE = (
    r"((the|this|next|coming|end of|beginning of) )*"
    rf"({SOME_DAY}|day after|christmas|new year|easter|week|month|year|weekend"
    rf"|\d{{1,2}}(st|nd|rd|th)|\d{{1,2}}[./]\d+\.?|\d{{1,2}}\.? (of )?{_MONTH}|{_MONTH} \d{{1,2}})"
    r"(?!\w)"
)
"""How a day begins; more may be said of it."""
PART_OF_DAY = (
    r"((some ?time )?(after|before) (the )?"
    r"(breakfast|lunch(time)?|dinner|supper|work|school|church)"
    r"|((at|around|over) )?(lunch|dinner|tea)-?time)\b"
)
PERSON = r"(dr|doctor|mr|mrs|ms|miss|prof|frau|herr)\.? \w+"
_LASTING = (
    r"every|each|\w+ly|from|hidden|waits?|starts?|stays?|keeps?|leaves?|sleeps?|open|closed"
    rf"|{SOME_DAY},? (until|till)"
)
"""Words of what goes on until a day."""
_TIMES_IN_ORDER = (
    (regex(r"(?<=\w),? \(?(at )?(the )?(very )?latest\)?$"), ""),
    (
        regex(
            r"(?<=\w)(,? (the )?(deadline|closing date|cut-?off)( is|:|'s)?( on| by)?"
            r"|,? ((at|by|until|till) )?(the )?latest( on| by)?|,? no later than|, needed( by)?"
            r"|[,–-] (i|we|they|he|she) (need|want)s? (it|them|this|that) (by|until|till|before)"
            r"|[,–-] (it|they|this|that)('s|'re| is| are) due( on| by)?"
            r"|[,–-] ((it|they|this|that) )?((has|have|needs?) to|must|should) (be )?\w+"
            rf" (by|until|till|before)) (?={_DATE})"
        ),
        " by ",
    ),
    (
        regex(rf"^(?!.*\b({_LASTING})\b)(?P<what>.*\w),? (until|till) (?={_DATE})"),
        r"\g<what> by ",
    ),
    (
        regex(rf"^(?P<what>\S.*?),? (?P<when>((on|at) )?{_DATE}.*), (?P<who>{PERSON})$"),
        r"\g<what>, \g<who> \g<when>",
    ),
    (
        regex(rf"\b(on )?(the )?(?P<part>morning|afternoon|evening) of (?P<day>{_DATE})"),
        r"\g<day> in the \g<part>",
    ),
    (
        regex(
            rf"\b(?P<time>at \d{{1,2}}) (?P<day>(on )?{_DATE})"
            r" (?P<part>in the (morning|afternoon|evening))$"
        ),
        r"\g<day> \g<time> \g<part>",
    ),
    (regex(rf",? some(where|when|time)( (in|on|around|over))? (?={_DATE})"), " "),
    (regex(r"\b(some ?time )?after lunch(time)?\b"), "in the afternoon"),
    (regex(rf"\b(?P<day>{_DATE}),? ((at|around|over) )?lunch-?time$"), r"\g<day> at 12:00"),
    (
        regex(rf"(?<=\w),? (?P<day>((on|for) )?{_DATE}),? (?P<part>{PART_OF_DAY})$"),
        r" \g<part> \g<day>",
    ),
    (regex(r"\bsat(?= ((at|from) )?(\d|noon|morning|afternoon|evening))"), "saturday"),
    (regex(r"\bsun(?= ((at|from) )?(\d|noon|morning|afternoon|evening))"), "sunday"),
    (re.compile(r"(?<=\d)-?ish\b"), ""),
    (regex(rf",? ?\b(at )?(?P<hour>{'|'.join(list(NUMBERS)[:12])})-?ish\b"), r" at \g<hour>"),
    (
        regex(
            rf"^(?P<days>{SOME_DAY} ?(-|–|to) ?{SOME_DAY}),? (?P<rest>.+?)"
            r",? (?P<time>(at )?(\d{1,2}[.:]\d\d|\d{1,2} ?[ap]m))$"
        ),
        r"\g<rest> \g<days> \g<time>",
    ),
    (
        regex(rf"\b(after|around|before) (?=\d{{1,2}}([.:]\d\d)?( (on )?{SOME_DAY}\b|$))"),
        "at ",
    ),
    (regex(rf"\b(?P<day>{SOME_DAY}) (?=(1[0-2]|[1-9])$)"), r"\g<day> at "),
    (regex(r"\b(?P<part>in) (?=(morning|afternoon|evening)\b)"), r"\g<part> the "),
    (regex(r"\bon the (?P<day>\d{1,2})$"), r"on the \g<day>."),
    (regex(r"\bhalf (?P<hour>1[0-2]|[1-9])\b"), r"half past \g<hour>"),
    (regex(r"\bweek ?e?nd\b"), "weekend"),
    (regex(r"\b(?P<nth>first|second|third|last) weekend (?=(in|of)\b)"), r"\g<nth> saturday "),
    (regex(rf"\b(?P<day>{SOME_DAY}) am$"), r"\g<day> morning"),
    (regex(rf"\b(?P<day>{SOME_DAY}) pm$"), r"\g<day> afternoon"),
    (regex(r"^(?P<time>noon|midday|0\d{3}|\d{1,2}[.:]\d\d) (?P<rest>(?![ap]\.?m\b)\S.*)$"),
     r"\g<rest> at \g<time>"),
)  # fmt: skip


HOURS = regex(
    rf"\b(?P<day>{_DATE}),? ((at|from|between) )?(?P<hour>\d{{1,2}})([.:](?P<minute>\d\d))?"
    r"( ?(?P<half>[ap]m))? ?(-|–|to|till?|until|and) ?(?P<end>\d{1,2})([.:](?P<stop>\d\d))?"
    r"( ?(?P<last>[ap]m))?(?=$|[,.;]| [#@!~])"
)
"""From when to when something takes place on a day."""


def _lasting(match: re.Match[str]) -> str:
    """Return `friday at 2pm ~120m` of `friday 2-4pm`."""
    hour, end = int(match["hour"]), int(match["end"])
    minutes = (end - hour) % 12 * 60 + int(match["stop"] or 0) - int(match["minute"] or 0)
    half = match["half"] or (match["last"] or "" if hour < end else "")
    clock = f"{hour}:{match['minute']}{half}" if match["minute"] else f"{hour}{half}"
    return f"{match['day']} at {clock} ~{minutes}m" if minutes > 0 else match[0]


def _figures(match: re.Match[str]) -> str:
    """Return `6:30` of `six thirty`."""
    return f"{NUMBERS[match['hour'].lower()]}:{_IN_FIGURES[match['minutes'].lower()]}"


def in_order(text: str) -> str:
    """Return a new task with its time as the grammar of dates has it: `at 7` of `friday 7`."""
    text = HOURS.sub(_lasting, in_figures(_SPOKEN.sub(_figures, text)))
    for pattern, plain in _TIMES_IN_ORDER:
        text = pattern.sub(plain, text)
    return text


SENTENCE_END = re.compile(
    r"(?<=[^\s\d.])(?<!\bevery)(?<!\beach)[.!?]+(?=\s+\S)|\s*[;\n]+\s*|(?<=\d)[.!?]\s+(?=[A-Z])"
    r"|(?<=#\d)[.!?]+\s+|(?<=#\d\d)[.!?]+\s+"
    r"|(?<=\d)[.!]+\s+(?=(?:oops|sorry|no|wait|actually|hmm|scratch)\b)"
)
CORRECTION = regex(
    r"([,;.!–—-]+|\s)\s*((OOPS|but|hang on|wait)[,. ]+)*"
    r"((no|wait|hang on|hold on),? TAKEN_BACK|(?!(wait|h\w+ on)\b)TAKEN_BACK|make (that|it))"
    r"([,. –—-]+|$)(INSTEAD[,. ]+)*"
    r"|[,;.!–—-]+\s*(?=not \w+$)"
    r"|[,;.!–—-]+\s*(wait[,.!–—-]+|(er+m?|uh|um|hm+)\b[,.!–—-]*)\s*(INSTEAD[,. ]+)*"
)
BARE_MARK = regex(
    r"[,;.!–—-]?\s*(no|make (it|that))\s+|\s+(actually|rather|nope|sorry|correction"
    r"|(?P<wait>wait))\s+"
)
"""A mark of a correction that is one only before a date."""
CORRECTED_DAY = regex(
    r"not \w|(on |at |for |make it )?(\d|mon|tue|wed|thu|fri|sat|sun|today|tomorrow|tonight|next"
    r"|in |the \w+ one)"
)
QUESTION = regex(
    r"(what|which|who|whom|whose|why|how|when|where|is|are|am|was|were|did(?! (it|that|this|the"
    r"|my|our|both|all|some|them)\b(?! get))|does|has|do (i|we|you|they)|have (i|we|you)"
    r"|can (i|we|you)|could (i|we)|may i|should|shall|will|would (i|it|you)|what's|who's|how's"
    r"|when's|where's|isn't|aren't|any|anything)\b"
)
LEADING = regex(
    r"^(((no,? wait|wait|whoops|oops|hmm+|hold on|hang on|sorry|actually|ok|so|well|and|also"
    r"|but)[,.! ]+)|no[,.!] *)+(?=\S)|^(and|also) "
)
SHIFT = regex(rf"{LENGTH} (later|earlier)")
FAILED = regex(r"\bbut\b(?P<rest>.*(n't|\b(not|no|nobody|never|without)\b).*)")
"""What says that a deed came to nothing: `…, but nobody answered`."""
POSTPONING = regex(r"\b(postpone|delay|defer|put off|push (.* )?back)\b")
FIELD_BACK = (
    r"(put|bring|change|set|move|turn|switch|have) (the |its |their |my )?(old )?"
    r"(?P<field>((?!tags|labels|notes)FIELD)s?|tags|labels|notes|title|name)"
    r"( (of|for|on) (it|that|them|those))? back( to (what|where|how|the way) (it|that|they)"
    r" (was|were)( before)?| again| as it was| now| please)*"
)
"""An order to take back what was done to a field."""
FIELD_NAMED = regex(
    r"^(set |change |make |put |update )?(its |the )?((?P<kept>project|tag|label|priority|estimate)"
    r"|(due )?date|deadline|due|time)( is| to| should be|:|=)+ (?=\S)"
)
"""What names the field of a value."""
LINKED = regex(r"\b(and|also|then|plus)\b")
SHIFTING = regex(
    r"\b((day|week) (after|before)|(next|following) day"
    r"|MOVE|later|earlier|sooner|back|forward|by|more|another|extra|off|wait|in|till|until)\b"
)
"""What makes a length of time the shift of a date."""
MARVELS = regex(r"(\w{1,5}[,!]* )?(what|such) an? \w+")
"""What somebody exclaims, which is no task."""
POINTING = regex(
    r"(it|that|this|them|those|these|both|all (of )?(them|those|these)|that one|this one)"
)
DOUBLE = regex(r"(drop|clear|throw out|put|bring|pull|carry|set|check|close|finish|start|check)\b")
"""Verbs of commands that tasks begin with as often."""
OOPS = r"((OOPS|TAKEN_BACK)[,.:! ]+)*"
PART = regex(
    r"[.,;!?]+\s+|\s+[-–—]+\s+|\s*\n\s*"
    r"|(?<!\bdo)\s+(so )?"
    r"(?=(just |please |do )?(put|bring|get) (it|that|this|them|her|him)( one)? back\b)"
)
THE_OTHER = regex(
    r"(the |that |those )?(other( (?P<count>one|two|three|four)| task)?|(?P<all>other(s| ones"
    r"| tasks)|rest( of (them|those|these))?))( instead)?"
)
EXCLAIMED = regex(rf"{OOPS}")
NOTED = regex(
    r"((can|could|would|will) (you|u) )?(please )?"
    r"(put|stick|add|chuck|pop|pencil|jot|bung|write|note|get|slot|whack|slap|shove|sling)"
    r" (it|that|this|them|me)"
    r"( (in|down|on|there|for))*( (the|my) (to-?do )?(list|diary|calendar))?( for| on| at)?"
    r"( me)?( before i forget( (it|again))?)?( (please|pls|hon|love|mate|dear|thanks|ta))*"
)
"""An order to note down what was said before."""
NAME = regex(r"[^\W\d_][\w-]*")
ABOUT_APP = regex(
    r"(how (do|can|could|would|should|i can|to)|(can|could|may) (i|you|we)|are you able"
    r"|is (it possible|there (a|any) way)|do you (understand|know|support|have|do|speak|read|get"
    r"|sync|work|run|use|save|store|send|remember)"
    r"|what (can|else|do) you|what (kinds?|sorts?) of|where (can|do) i|does (it|this|the app)"
    r"|will you|(can|could|may) ye"
    r"|(if|when) (i|you) .+\b(is|are|can|could|will|do|does|how|what)\b)\b"
)
"""Questions that may be about the app."""
BE_IT = regex(
    r"^((it's|its|it is|that's|this is|((it|that|this) )?(should|must|has to|needs to) be"
    r"( due)?( on| in)?|it was|still|make (it|that|them)|set (it|them)( to)?"
    r"|(all|both)( of (it|them))?( is| are)?|they're|they are)( still)? )(?=\S)"
)


def without_order(text: str) -> str:
    """Return a text without the order at its end to note down what it says."""
    told, _, order = text.rpartition(", ")
    is_order = NOTED.fullmatch(peeled(order)) and not order.casefold().startswith("get ")
    return told if told and is_order else text


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
