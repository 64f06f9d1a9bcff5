"""Verbs of everyday tasks: their past forms, and which of them mean the same deed."""

from __future__ import annotations

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


_UNDOUBLED = frozenset(
    "answer deliver enter gather offer order open listen water cover visit edit audit exit budget "
    "deposit benefit monitor harvest inherit remember consider discover question season "
    "straighten sharpen transfer_ google email mail interview inform".split()
)


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
_MEANINGS: dict[str, frozenset[str]] = {}
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
    """Whether the word is the base of a verb people write tasks with."""
    return word in _BASES and _BASE_OF.get(word) == word


def surely_verb(word: str) -> bool:
    """Whether it is a verb that hardly stands for a thing: `call`, but not `milk`."""
    return is_verb(word) and word not in _NOUN_LIKE


def is_past(word: str) -> bool:
    """Whether the word is a past form, of a verb known or regular enough to see it."""
    return word in _PAST_FORMS or (word.endswith("lled") and base_form(word) != word)


def same_deed(one: str, other: str) -> bool:
    """Whether two base forms can report one deed: `get` and `buy`."""
    return one == other or other in _MEANINGS.get(one, ())
