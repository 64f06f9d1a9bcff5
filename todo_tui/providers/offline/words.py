"""Tokens, stems, verb forms, quoted text and polite phrases of a message."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from todo_tui.providers.offline.pattern import regex

_IRREGULAR = """
be was were been; become became; begin began begun; bend bent; bet; bind bound; bite bit bitten;
blow blew blown; break broke broken; bring brought; build built; burn burnt; buy bought; catch
caught; choose chose chosen; come came; cost; creep crept; cut; deal dealt; dig dug; do did done;
draw drew drawn; drink drank drunk; drive drove driven; eat ate eaten; fall fell fallen; feed fed;
feel felt; fight fought; find found; fit; fly flew flown; forget forgot forgotten; freeze froze
frozen; get got gotten; give gave given; go went gone; grind ground; grow grew grown; hang hung;
have had has; hear heard; hide hid hidden; hit; hold held; hurt; keep kept; know knew known; lay
laid; lead led; learn learnt; leave left; lend lent; let; lie lain; light lit; lose lost; make
made; mean meant; meet met; pay paid payed; put; quit; read; rebuild rebuilt; redo redid redone;
repay repaid;
reset; resend resent; rewrite rewrote rewritten; ride rode ridden; ring rang rung; rise
rose risen; run ran; say said; see saw seen; seek sought; sell sold; send sent; set; sew sewed
sewn; shake shook shaken; shine shone; shoot shot; show showed shown; shut; sing sang sung; sit
sat; sleep slept; speak spoke spoken; spend spent; spin spun; split; spread; stand stood; steal
stole stolen; stick stuck; sweep swept; swim swam swum; take took taken; teach taught; tear tore
torn; tell told; think thought; throw threw thrown; understand understood; undo undid undone; wake
woke woken; wear wore worn; weave wove woven; win won; wind wound; withdraw withdrew withdrawn;
write wrote written
"""
_REGULAR = """
accept activate adjust agree analyse analyze annotate announce answer apologise apologize apply
appoint approve archive arrange ask assemble assign attach attend audit avoid back backup bake
balance bathe bleach blog boil book borrow brainstorm brief browse brush budget calculate call
cancel capture carry change charge chase chat check claim clean clear click climb close collect
compare compile complete compose confirm connect contact continue convert cook copy correct count
cover create cycle dance decide declutter decorate defrost delegate delete deliver deploy deposit
describe design develop dial discuss dispute donate download draft dress drill drop dry dust edit
email empty enable end enrol enroll ensure enter escalate estimate evaluate examine exchange
exercise explain explore export extend fax fetch file fill film finalise finalize finish fix fold
follow forward frame fry fulfil fuel gather gift google grab greet grill guess hand handle harvest
help hire hoover host hug identify implement import improve include inform insert inspect install
insure interview introduce invest investigate invite invoice iron jog join juggle jump kick label
launch like list listen load lock log look mail maintain manage mark measure mend merge message
migrate milk monitor mop move mow nap negotiate note notify nudge offer open order organise
organize pack paint park pass patch peel phone photograph pick pitch plan plant play plug polish
post postpone practice practise pray prepare present press print process program promise proofread
propose protect prune publish pull purchase push query question queue rake raise reach rebook
receive recharge recommend reconcile record recycle redeem refactor refill refund refuel register
rehearse release remind remove rename renew rent repair replace reply report repot request rescan
research reschedule reserve resize resolve respond rest restart restock restore retire return
review rinse roast sail save scan schedule scrub search secure separate serve service settle share
sharpen shave ship shop shovel shower sign simplify sketch skim skip smoke snooze soak solve sort
stack start stock stop store straighten stretch study submit subscribe summarise summarize supply
support surprise survey swap switch sync talk tape task test text thank tidy tie track trade train
transfer translate transport trash travel treat trim try tune turn type unclog unload unpack
unsubscribe update upgrade upload use vacuum validate verify visit volunteer vote wait walk want
warm wash watch water wax weed weigh whisk wipe wire work wrap xerox yank zip
"""
_SYNONYMS = """
buy get purchase grab fetch pick order collect
call phone ring dial contact
email mail message write
text message
send post mail email ship submit file hand turn deliver forward
write draft compose
fix repair mend
book reserve schedule arrange
make prepare cook bake
meet see visit
visit go see attend
pay settle transfer
clean tidy wash scrub wipe
hoover vacuum
trim cut mow
read review study
review check proofread
drop deliver bring take return
update edit change
talk speak call tell ask
fill complete
organise organize sort tidy
finalise finalize finish
"""
_NOUN_LIKE = frozenset(
    "back bet book brief brush charge claim cost cover cycle dance deal design dress drill dust "
    "end fit fuel frame gift hand help host hug iron jump kick label light lie like list log look "
    "milk nap note offer order paint park patch peel plant plan play plug polish post present "
    "program promise query question queue record release rent report request rest service share "
    "shop shower stock store supply support survey swap tape task test text thank track trade "
    "train trash treat trim try type use visit vote wait walk water weed wire work wrap "
    "blog budget file film fold ground hit land load lock mail message mop process pitch".split()
)
"""Verbs that are nouns as often: by themselves they do not make a word list a deed."""
GENERIC_DEEDS = frozenset("do finish complete handle accomplish tackle manage end".split())
"""Verbs by which any task can be reported as done."""
UNFINISHING_DEEDS = frozenset(
    "break cancel change close cut delay drop lock lose move open pause postpone rename reopen "
    "reschedule"
    " restart restore skip stop".split()
)
"""Verbs that complete a task only where its title has them: `I moved the dentist` does not."""
_UNDOUBLED = frozenset(
    "answer deliver enter gather offer order open listen water cover visit edit audit exit budget "
    "deposit benefit monitor harvest inherit remember consider discover question season "
    "straighten sharpen transfer_ google email mail interview inform".split()
)
_MEANINGS: dict[str, frozenset[str]] = {}
_OPENING = re.compile(
    r"""(?:
      (?:(?:hey|hi|hello|hiya|yo)(?:\ there|\ you|\ again)?|ok|okay|k|so|well|now|then|also|and|but
        |alright|all\ right|oh|ah|right|great|cool|nice|perfect|super|awesome|thanks|thank\ you|thx
        |yes|yeah|yep|sure|um|uh|hmm+|oops|sorry|please|pls|plz|kindly|finally|lastly|additionally
        |by\ the\ way|btw|and\ then|and\ also|after\ that|plus|good\ (?:morning|afternoon|evening)
        |while\ you're\ at\ it|in\ addition|actually)
        \b(?![-'’])\ ?[,.!:;–—-]*\s+
    | (?:first|next|second|third)\ (?=(?:add|complete|mark|delete|move|remind|create|rename|tag
        |show|list|remove|finish|undo)\b)
    | (?:next|first|again|assistant|todo-tui|second|third|today)[,:]\s+
    | (?:can|could|would|will|can't|couldn't|won't)\ (?:you|u|ya|we)
        (?:\ (?:please|pls|kindly|maybe|perhaps|just|also|quickly|now))*\s+
    | (?:i\ would|i'd|i\ 'd)\ (?:really\ )?(?:like|love)\ (?:for\ )?you\ to\s+
    | i\ (?:want|need)\ you\ to\s+
    | i\ was\ (?:thinking,\s+|(?:wondering|hoping)\ (?:if\ )?(?=you\b))
    | (?:(?:i\ would|i'd)\ (?:really\ )?(?:like|love)|i\ want)\ to\ (?=(?:add|create|see|view
        |move|reschedule|postpone|rename|tag)\b)
    | (?:can|could|may)\ i\ (?:please\ )?(?=(?:see|view|get)\b)
    | (?:please|pls|plz)[ ,]+
    | (?:just|quickly|simply|kindly)\ (?!now\b)
    | (?:go\ ahead\ and|be\ so\ kind\ (?:as\ )?to|make\ sure\ (?:to|you)|feel\ free\ to
        |you\ (?:can|could|may|should)(?:\ now)?)\s+
    | (?:let's|lets|let\ us)\s+
    | (?:remind\ me|tell\ me|show\ me|let\ me\ know|i\ (?:want|need|would\ like)\ to\ know
        |i'd\ like\ to\ know|do\ you\ know|any\ idea)\ (?:of\ )?
        (?=(?:what|what's|when|which|where|how\ (?:many|much|often)|if|whether)\b)
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_CLOSING = re.compile(
    r"""(?:
      (?<!\ba)[ ,.!;–—-]+(?:
        please|pls|plz|thanks(?:\ (?:a\ lot|so\ much|in\ advance|again))?
      | thank\ you(?:\ (?:very\ much|so\ much))?|thx
      | for\ me|if\ you\ (?:can|could|would|please|don't\ mind)|right\ away
      | if\ (?:that's\ |it's\ )?(?:possible|okay|ok)
      | too|as\ well|also|instead|then|would\ you|will\ you|finally|at\ last|btw|by\ the\ way)
    | ,\ *(?:ok|okay|will\ you|would\ you|could\ you|can\ you|cheers|then|my\ friend|mate|now|right)
    )(?:\s*[^\w\s"'`)\]]+)*$""",
    re.IGNORECASE | re.VERBOSE,
)
_STOPS = re.compile(r"(?<=[^\s!])[.!…]+$|\s*\?+[?!.]*$|\s+[.,;:]+$|[,;]$")
_SPELLINGS = tuple(
    (regex(pattern), plain)
    for pattern, plain in (
        (r"\bdont\b", "don't"),
        (r"\bdidnt\b", "didn't"),
        (r"\bdoesnt\b", "doesn't"),
        (r"\bhavent\b", "haven't"),
        (r"\bhasnt\b", "hasn't"),
        (r"\bisnt\b", "isn't"),
        (r"\barent\b", "aren't"),
        (r"\bwasnt\b", "wasn't"),
        (r"\bwont\b", "won't"),
        (r"\bcant\b", "can't"),
        (r"\bcouldnt\b", "couldn't"),
        (r"\bshouldnt\b", "shouldn't"),
        (r"\bwouldnt\b", "wouldn't"),
        (r"\bmustnt\b", "mustn't"),
        (r"\bneednt\b", "needn't"),
        (r"\bwhats\b", "what's"),
        (r"\bwheres\b", "where's"),
        (r"\bhows\b", "how's"),
        (r"\btheres\b", "there's"),
        (r"\btodays\b", "today's"),
        (r"\btomorrows\b", "tomorrow's"),
        (r"^(?:ad|addd|aad) (?=\w)", "add "),
        (r"\bw/? (?=(?:the|my|our|this|that)\b)", "with "),
        (r"^ill (?=[a-z]+ )", "I'll "),
        (r"^id (?=(?:like|love|prefer)\b)", "I'd "),
        (r"\b2day\b", "today"),
        (r"\br (?=(?:all )?(?:done|finished|complete)\b)", "are "),
        (r"\bgimme\b", "give me"),
        (r"\blemme\b", "let me"),
        (r"\bwhens\b", "when's"),
        (r"\bthats\b", "that's"),
        (r"\bim\b", "I'm"),
        (r"\bive\b", "I've"),
        (r"\bgotta\b", "have to"),
        (r"\bwanna\b", "want to"),
        (r"\bgonna\b", "going to"),
    )
)
_HEAD = 24
_ORNAMENTS = frozenset({"So", "Sk", "Cf"})
"""Unicode's categories of emoji, their colours and their joiner."""
_EMOJI_STYLE = "\ufe0f"
_MIND = regex(r"(would|do) you mind (?P<doing>\w+ing)\b(?P<what>.*)", re.DOTALL)
_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "«": '"', "»": '"'})
_ACCENTS = frozenset(map(chr, range(0x300, 0x370)))
"""Marks on letters of Latin, Greek and Cyrillic; those of other scripts make other letters."""
ARTICLES = frozenset("the a an my our your his her their its some any".split())
"""Words before a noun that never tell two tasks apart."""
LINKS = frozenset(
    "to of for on at in with about from by and or regarding re into as is are was were "
    "i me we us you it that this".split()
)
"""Words that join others; a title is found without them."""
GENERIC = frozenset(
    "task tasks todo todos to-do item items entry entries reminder reminders thing things "
    "one ones job jobs stuff chore chores".split()
)
"""Words for a task as such: `the milk task`."""
KINDS = frozenset("appointment meeting visit errand call payment bill trip session booking".split())
"""Words that say what sort of thing a task is, when its title may not."""
_QUOTED = re.compile(
    r"(?<![\w\"])\"([^\"\n]+)\"(?!\w)|`([^`\n]+)`|(?<![\w'])'([^'\n]+(?:'\w[^'\n]*)*)'(?![\w'])"
)
_FIRST_MARK = 0x12000
"""Cuneiform: letters, so that patterns see words, and of no list that is written today."""
_MARKS = 0x390
MARK = f"[{chr(_FIRST_MARK)}-{chr(_FIRST_MARK + _MARKS - 1)}]"
"""The pattern of one quoted part, hidden."""
_MARK = re.compile(MARK)


def _forms() -> dict[str, str]:
    bases: dict[str, str] = {}
    for entry in _IRREGULAR.replace("\n", " ").split(";"):
        base, *others = entry.split()
        for form in (base, base + "s", *others):
            bases.setdefault(form, base)
        bases.setdefault(_present(base), base)
    for base in _REGULAR.split():
        for form in (base, base + "s", base + "es", _past(base), _present(base)):
            bases.setdefault(form, base)
        if base.endswith("y"):
            bases.setdefault(base[:-1] + "ies", base)
    for form in ("goes", "does"):
        bases[form] = form[:2]
    return bases


def _past(base: str) -> str:
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ied"
    return _doubled(base) + "ed"


def _present(base: str) -> str:
    if base.endswith("ie"):
        return base[:-2] + "ying"
    if base.endswith("e") and not base.endswith(("ee", "oe", "ye")) and len(base) > 2:
        return base[:-1] + "ing"
    return _doubled(base) + "ing"


def _doubled(base: str) -> str:
    """The base with its last consonant doubled where spelling asks for it: plan, mop."""
    short = len(base) >= 3 and base[-1] not in "aeiouwxy" and base[-2] in "aeiou"
    if not short or base[-3] in "aeiou" or base in _UNDOUBLED:
        return base
    last_syllable = sum(letter in "aeiou" for letter in base) == 1
    stressed = base in (
        "submit",
        "transfer",
        "unplug",
        "unzip",
        "begin",
        "forget",
        "reset",
        "refer",
    )
    return base + base[-1] if last_syllable or stressed else base


_BASE_OF = _forms()
_BASES = frozenset(_BASE_OF.values())
_PAST_FORMS = frozenset(
    [
        form
        for entry in _IRREGULAR.replace("\n", " ").split(";")
        for form in (entry.split()[1:] or entry.split()[:1])
    ]
    + [_past(base) for base in _REGULAR.split()]
    + ["learned", "burned", "cancelled", "travelled", "labelled", "enrolled", "dealed"]
)


for _line in _SYNONYMS.strip().splitlines():
    _group = frozenset(_line.split())
    for _verb in _group:
        _MEANINGS[_verb] = _MEANINGS.get(_verb, frozenset()) | _group


def base_form(word: str) -> str:
    """The base of a verb's form, as `buy` of `bought`; any other word as it stands."""
    if word in _BASE_OF:
        return _BASE_OF[word]
    for ending in ("led", "ling"):
        if word.endswith("l" + ending) and word.removesuffix(ending) in _BASES:
            return word.removesuffix(ending)
    return word


def is_verb(word: str) -> bool:
    """Return True if the word is the base of a verb people write tasks with."""
    return word in _BASES and _BASE_OF.get(word) == word


def surely_verb(word: str) -> bool:
    """Return True if it is a verb that hardly stands for a thing: `call`, but not `milk`."""
    return is_verb(word) and word not in _NOUN_LIKE


def is_past(word: str) -> bool:
    """Return True if the word is a past form, of a verb known or regular enough to see it."""
    return word in _PAST_FORMS or (word.endswith("lled") and base_form(word) != word)


def same_deed(one: str, other: str) -> bool:
    """Return True if two base forms can report one deed: `get` and `buy`."""
    return one == other or other in _MEANINGS.get(one, ())


def peeled(clause: str) -> str:
    """The clause without greetings, please and thanks; of nothing but those, its last words."""
    text = without_stop(clause)
    while text:
        shorter = _CLOSING.sub("", text).strip()
        if shorter == text or not shorter:
            break
        text = without_stop(shorter)
    while not _MIND.fullmatch(text) and (match := _OPENING.match(text)):
        rest = text[match.end() :].strip()
        if not rest:
            break
        text = rest
    if minding := _MIND.fullmatch(text):
        return _base_of(minding[1].lower()) + minding[2]
    return text


def _base_of(doing: str) -> str:
    base = base_form(doing)
    return base if base != doing else doing.removesuffix("ing")


def without_ornament(text: str) -> str:
    """The text without the emoji and signs at its end: `mark milk done ✅`."""
    bare = text.rstrip()
    while bare and (_is_ornament(bare[-1]) or bare[-1].isspace()):
        bare = bare[:-1]
    return bare or text


def _is_ornament(sign: str) -> bool:
    return not sign.isascii() and (sign == _EMOJI_STYLE or unicodedata.category(sign) in _ORNAMENTS)


def without_stop(text: str) -> str:
    """The text without the punctuation that ends a sentence; `!!` stays, as a priority."""
    text = text.strip()
    return _STOPS.sub("", text).strip() or text


def respelled(clause: str) -> str:
    """Contractions at the beginning with their apostrophes: `dont delete` is `don't delete`."""
    head, tail = clause[:_HEAD], clause[_HEAD:]
    cut = len(head) if not tail else head.rfind(" ") + 1
    head, tail = clause[:cut], clause[cut:]
    for pattern, plain in _SPELLINGS:
        head = pattern.sub(plain, head)
    return head + tail


def straightened(text: str) -> str:
    """Typographic quotes made plain and text normalised, its case kept."""
    return unicodedata.normalize("NFC", text).translate(_QUOTES)


def folded(text: str) -> str:
    """Text as it is compared: plain quotes, one case, single spaces."""
    return " ".join(straightened(text).casefold().split())


def unaccented(text: str) -> str:
    """Text without accents, as people type it: `cafe` for `café`."""
    if text.isascii():
        return text
    parts = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", "".join(c for c in parts if c not in _ACCENTS))


def tokens(text: str) -> tuple[str, ...]:
    """The words of a text in their order, folded, without accents and possessive endings."""
    return tuple(word.removesuffix("'s") for word in _TOKEN.findall(unaccented(folded(text))))


def stem(word: str) -> str:
    """What the forms of a word have in common: bought, buys and buying are buy."""
    base = base_form(word)
    return _without_plural(base)


def content(text: str) -> tuple[str, ...]:
    """The stems that carry meaning, in order; all of them where none does."""
    words = tokens(text)
    kept = [word for word in words if word not in ARTICLES and word not in LINKS]
    return tuple(stem(word) for word in kept or words)


def distance(one: str, other: str) -> int:
    """Edits between two words: insert, delete, replace, or swap two neighbours."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, left in enumerate(one, start=1):
        before, last, row = row, before, [i]
        for j, right in enumerate(other, start=1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (left != right))
            if i > 1 and j > 1 and left == other[j - 2] and one[i - 2] == right:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
    return row[-1]


def alike(one: str, other: str) -> bool:
    """Return True if two words are the same but for a typo or a cut end.

    Short words must be equal; a word of four or five letters may have one slip,
    a longer one two. Numbers never stand for each other.
    """
    if one == other:
        return True
    shorter, longer = sorted((one, other), key=len)
    if len(shorter) < 4 or any(letter.isdigit() for letter in one + other):
        return False
    if longer.startswith(shorter) and len(longer) - len(shorter) <= 5:
        return True
    slips = 1 if len(longer) < 7 else 2
    if len(longer) - len(shorter) > slips:
        return False
    found = distance(one, other)
    return found <= slips and (found < 2 or one[0] == other[0])


def _without_plural(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ches", "shes", "xes", "sses", "zes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


@dataclass(frozen=True, slots=True)
class Quoted:
    """A text whose quoted parts are single marks, and what the marks stand for."""

    text: str
    parts: tuple[str, ...]

    def shown(self, text: str) -> str:
        """The text with its marks opened, the quotes gone."""
        return _MARK.sub(lambda mark: self._part(mark[0]), text)

    def kept(self, text: str) -> str:
        """The text with its marks opened, in double quotes."""
        return _MARK.sub(lambda mark: _in_quotes(self._part(mark[0])), text)

    def _part(self, mark: str) -> str:
        at = ord(mark) - _FIRST_MARK
        return self.parts[at] if at < len(self.parts) else ""


def hide_quoted(text: str) -> Quoted:
    """Put a mark of Unicode's cuneiform block in place of each quoted part."""
    parts: list[str] = []

    def hide(match: re.Match[str]) -> str:
        words = (match[1] or match[2] or match[3]).strip()
        if not words or len(parts) >= _MARKS:
            return match[0]
        parts.append(words)
        return chr(_FIRST_MARK + len(parts) - 1)

    return Quoted(_QUOTED.sub(hide, _MARK.sub("", straightened(text))), tuple(parts))


def is_mark(text: str) -> bool:
    """Return True if the text is one quoted part and nothing else."""
    return _MARK.fullmatch(text.strip()) is not None


def _in_quotes(words: str) -> str:
    return f"`{words}`" if '"' in words else f'"{words}"'


_COMMANDS = (
    "complete delete remove rename reopen reschedule postpone remind finish cancel change "
    "finished completed search create untag restore annotate prioritize prioritise uncheck undo "
    "redo move mark list show find remember schedule reminder done clear erase snooze repeat "
    "raise lower tomorrow what's overdue"
).split()
_ALONE = ("undo", "redo", "list", "help", "tomorrow", "next", "today")
"""Words that are a message by themselves."""
_SHORTEST = 4
_NO_SLIPS = frozenset("last lost most more love live lunch change note none notes mother".split())
"""Words one letter away from a command."""


def respell_command(text: str) -> str | None:
    """The text with its first word replaced by the one command that it nearly is.

    None where it is a word in its own right, or near to none or to several.
    """
    word, _, rest = text.partition(" ")
    given = word.casefold().strip(",:")
    if len(given) < _SHORTEST or not given.isalpha() or given in _COMMANDS or given in _NO_SLIPS:
        return None
    if is_verb(given) or base_form(given) != given:
        return None
    near = [
        command
        for command in (_COMMANDS if rest else _ALONE)
        if abs(len(command) - len(given)) <= 2
        and command[0] == given[0]
        and distance(given, command) <= (1 if len(command) < 6 else 2)
    ]
    best = sorted(near, key=lambda command: distance(given, command))
    if not best or (len(best) > 1 and distance(given, best[0]) == distance(given, best[1])):
        return None
    return f"{best[0]} {rest}".strip()
