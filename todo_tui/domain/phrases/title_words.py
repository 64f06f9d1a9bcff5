"""Words of titles that tell whether a date word beside them is a date or part of a name."""

from __future__ import annotations

from itertools import zip_longest

from todo_tui.domain.phrases.terms import Part


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


NOT_BEFORE_A_DATE = _set(
    """
    to and or nor & + until till since after of than between through thru except excluding but
    not per about the a an my your his our their its every each for with without from versus vs
    v minus like called named titled as is are was were if before during within into onto next last
    previous coming other another due deadline starting \\
    """
)
"""After one of these, words that look like a date belong to it: the friday, next 3 days."""

NAMES_WITH_DAYS = _set(
    """
    black good cyber ash palm holy easter fat shrove maundy freaky super giving casual taco blue
    manic ruby bloody stormy gloomy lazy sunny high usa bowl whit
    """
)
"""With a weekday after it, or noon or today, each of these makes a name: black friday."""

NUMBERED = _set(
    """
    chapter chapters ch section sections sec page pages p part parts room rooms gate bus route
    line unit figure fig table item items step steps level lesson episode ep season volume vol
    no number nr version v release python build issue ticket task flat apt apartment floor suite
    psalm psalms john matthew mark luke romans isaiah genesis exodus acts james peter revelation
    score ratio size grade question exercise problem track lot bay terminal platform seat row order
    invoice hw homework assignment quiz lane exit day week round game set rep reps
    """
)
"""What a number after it counts: chapter 1/2, psalm 23:1."""

DATED_NAMES = _set("v version release build no nr number issue")
"""What has a whole date for its number."""

BEFORE_FEASTS = _set(
    """
    merry happy white father last first black blue secret family office celebrate plan organise
    organize prepare cancel host skip survive enjoy decorate shop love hate do have get a
    """
)
"""Before christmas or halloween: words that the feast belongs to."""

AT_ONCE = _set(
    """
    call buy pay email mail text message send ask tell order submit cancel confirm return remind
    ping check phone ring reply post book renew get turn
    """
)
"""Verbs of what is done at a point in time."""

LASTING = _set(
    """
    wait rest nap simmer boil soak chill hold cool piano guitar violin drums spanish french german
    english italian chinese japanese duolingo hour minutes for timer alarm
    """
)
"""What takes a while, beside the words below: wait 3 hours, piano 20 minutes."""

SPEAKS_TO = _set(
    """
    call phone ring email mail text message meet ask tell see visit pay with to for from and help
    thank remind invite ping join pick contact dm brief update congratulate interview drive greet
    """
)
"""Words that take a person, so that `tom` after one is a name."""

NOT_AFTER_A_DATE = _set(
    """
    and or nor & + / to till until through thru is isn't was wasn't will won't has had have are
    of not vs versus never 's 'd than before after as later earlier sooner ago old long in
    off
    """
)
"""Before one of these, a date at the beginning belongs to a sentence or a longer phrase."""

PARTS_OF_DAY = {
    **dict.fromkeys("breakfast wake alarm sunrise".split(), Part.MORNING),
    **dict.fromkeys(
        """
        dinner supper drinks movie cinema concert gig theatre theater opera musical ballet bedtime
        babysitter
        """.split(),
        Part.EVENING,
    ),
}
"""What happens in one part of the day: dinner at 8 is in the evening."""

AFTER_AN_EVENT = _set("with at in for up and & w")
"""After one of the words above these show that it is not part of another: dinner plates."""

GOES_ON_FROM_AN_AMOUNT = _set("no free without with at for on")
"""After an amount these say what lasts so long: 30 days no sugar."""

NOT_AFTER_SAT = _set("nav navs phone phones tv dish image images score scores prep exam test tutor")
"""After `sat` these are of satellites or exams."""

NOUNS = _set(
    """
    afternoon agenda album anniversary article attempt avenue avoidance backlog baking ball bag
    banner bar barbecue bash bbq bill bills birthday blog blues board books bootcamp bowl
    breakfast brunch budget bulletin camp cap card carnival cat celebration century chat checklist
    checkup child choir chore chores church city class classes close club coffee column concert
    conference cookbook cook-off course cream cup cups cycle dance date deadline deal deals debrief
    dessert diary digest dinner dinners dog dose dozen draft dress drink drinks drop edition
    episode essay evening event express exam farmers feeling festival film fish flight flights
    floor flower football forecast format fund fundraiser fun gallon game games gathering gift
    glasses goal goals grade group gym half hat holiday homework hour hours hymn idea ideas inch
    inches issue itinerary journal kg kids kitchen lb leftovers lesson lessons letter lights list
    liter litre logo lounge lunch lunches madness mass magazine mail marathon market mart mask
    match matinee meal meals meeting meetings memo menu menus mess mile miles mindset minutes
    mixer money morning motivation movie movies mug mugs nav news newsletter newspaper night
    nights notes novel numbers offer office oil opinion order outfit outing outlook oven page
    pancakes paper parade party pass payment payroll people pint picnic pizza place playlist poem
    podcast pool post poster posts potluck pound practice prayer prep presentation price print
    pub quiz rain ranking rate reading recap recipe recipes reflection rehearsal reminder rent
    retro retrospective review reviews ride roast roast round routine rundown sale sales salon
    salad samples schedule school screen season seminar sermon service session sets shift shopping
    show shower showers shows shuffle slides slot snack song songs soup special specials spray
    sprint staff stage standup stand-up start stats status step storm stories story street
    student summary supper swim sync table tacos tbsp team ticket tickets time tip tips to-do todo
    todos tone town tour traffic train training trip tsp tour upkeep vacation vibes video visit
    vitamin vitamins walk-through warranty weather wedding wine work workout workouts workshop
    release photo photos notice challenge warranty trial trip supply stay couple planner review
    worship yard year yoga report reports scrum invoice invoices timesheet timesheets log logs
    planner check-in check-ins 1:1 email stats newsletter tacos taco market demo demos huddle
    backlog planning grooming notes summary digest hike outing picnic rota roster rounds run
    walk trash recycling laundry cleaning groceries grocery dishes bin bins garbage numbers
    homework paper assignment essay deadline appointment appointments dentist doctor gym yoga
    pilates swimming football soccer tennis golf chess poker bingo trivia karaoke band choir
    """
)
"""Nouns that a day before them describes: monday meeting notes, sun cream, 1/2 cup."""

VERBS = _set(
    """
    add apply arrange ask assemble attend bake be become begin bring build buy cancel change
    choose clear collect compare complete confirm contact create cut deal decide defrost delete
    deliver deploy descale discuss do donate download drink drive drop eat edit empty ensure
    enter explain feed fetch figure file fill find finish fix fly fold follow forward get give go
    grab hang have hire hold hoover install interview invite join keep learn leave listen make
    measure meditate meet merge move mow organise organize pack pay pick play prepare
    proofread publish put read rebook record register remember remind remove renew rent repair
    replace reply request reschedule reserve resolve restart return rewrite ring scan schedule
    see sell send set settle shave sign sing sit sleep solve sort speak stop stretch submit
    sweep switch take talk teach tell thank throw tidy transfer translate treat trim try turn
    unpack upload vacuum verify visit wash watch wear weed win wipe wrap write
    """
)
"""Words that begin an order and seldom anything else."""

VERBS_OR_NOUNS = _set(
    """
    answer phone back book brush call chase check clean comb cook dance dinner draft dress dust
    email exercise fast hike hug iron jog lunch mail mop order paint plan plant plot polish post
    practice prep press process query ride run shop shower ski stroll study swim sync test text
    train update walk water work workout
    """
)
"""Orders when something follows that is no noun of the kind above: call mom, not call notes."""

MEASURES = _set("miles mile km k kg g lb lbs times x cups hours minutes days weeks people %")
"""After a number these say what it counts: march 3 miles."""

AFTER_A_NOUN = _set("of with for")
"""After a word that may be an order, these show that it is none: draft of the essay."""

OPENS_AN_OBJECT = _set("the a an my your our his her their all some every both each mom dad")
"""After an order these begin what is ordered: water the plants."""


NOUN_ENDINGS = (
    "ing", "tion", "sion", "ment", "ness", "ity", "ship", "ance", "ence", "ism", "ist", "ology",
)  # fmt: skip
VERBS_WITH_NOUN_ENDINGS = _set(
    """
    bring sing ring swing fling sting mention question auction caution comment document implement
    experiment supplement assist list enlist twist resist persist consist insist balance finance
    advance dance reference influence sentence ping
    """
)
VERBS_IN_S = _set("discuss process dress press focus address guess miss pass kiss toss cross")


def may_last(word: str) -> bool:
    """Whether an amount of time after a word may say how long it takes: sleep 8 hours."""
    known = word in LASTING or word in VERBS or word in VERBS_OR_NOUNS or word in NOUNS
    return known or word.endswith(NOUN_ENDINGS)


def part_spoken_of(title: str) -> Part | None:
    """The part of the day in which what a title names takes place, if there is one."""
    words = title.lower().split()
    parts = {
        PARTS_OF_DAY[word]
        for word, after in zip_longest(words, words[1:], fillvalue="at")
        if word in PARTS_OF_DAY and after in AFTER_AN_EVENT
    }
    return parts.pop() if len(parts) == 1 else None
