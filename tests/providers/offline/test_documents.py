"""The built-in assistant quotes documents, and only where its grammar of tasks has no answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.agent.conftest import Harness
from tests.knowledge.relevance import questions, write_documents
from tests.knowledge.stored import add_document
from tests.rows import each_row
from tests.scenario_files import load
from todo_tui.domain.events import TurnOutcome
from todo_tui.domain.knowledge.evidence import cited_evidence
from todo_tui.domain.task import Actor, TaskFields
from todo_tui.knowledge.indexing import add_paths
from todo_tui.knowledge.reader import DocumentReader
from todo_tui.providers.offline.assistant import BuiltInAssistant
from todo_tui.store.store import Store

RENT = "The monthly rent is 940 euros, payable by the third working day."
PETS = "Cats are allowed. Dogs need the written permission of the landlord."
PRICES = {
    "Weddings": "A day costs 2400 euros. It covers ten hours and 400 edited pictures.",
    "Portraits": "A family portrait session costs 220 euros. Twelve edited pictures are included.",
    "Travel": "Travel within 50 km is free.",
}
TASKS = ("Buy milk", "Call mom", "Renew passport", "Water the plants", "Book the dentist")


@pytest.fixture
def harness(open_as: Callable[[str], Store]) -> Harness:
    store = open_as("ann")
    harness = Harness(store, changes={"provider": BuiltInAssistant(store.index)})
    for title in TASKS:
        fields: TaskFields = {"title": title}
        harness.store.tasks.add(fields, by=harness.store.new_change_context(Actor.USER))
    return harness


@pytest.fixture
def lease(harness: Harness) -> Harness:
    add_document(harness.store, "Lease", RENT, PETS, heading="House_rules")
    return harness


@pytest.fixture
def prices(harness: Harness) -> Harness:
    for heading, text in PRICES.items():
        add_document(harness.store, f"Prices {heading}", text, heading=heading)
    return harness


@pytest.fixture
def plain(harness: Harness, tmp_path: Path) -> Harness:
    """A lease, a manual and the minutes of a meeting."""
    write_documents(tmp_path, "plain")
    with DocumentReader() as reader:
        add_paths(harness.store.knowledge, [*tmp_path.glob("*.md")], reader)
    return harness


@pytest.fixture
def library(harness: Harness, tmp_path: Path) -> Harness:
    folder = tmp_path / "documents"
    folder.mkdir()
    write_documents(folder)
    with DocumentReader() as reader:
        add_paths(harness.store.knowledge, [folder], reader)
    return harness


async def said(harness: Harness, text: str) -> TurnOutcome:
    return (await harness.finished(text)).outcome


async def asked(harness: Harness, text: str) -> TurnOutcome:
    """Say it in a conversation of its own."""
    harness.conversation_id = None
    return await said(harness, text)


def retrieved(outcome: TurnOutcome) -> bool:
    return any(step.name == "retrieve_knowledge" for step in outcome.trace)


async def test_a_question_is_answered_by_a_quotation_with_its_document(lease: Harness) -> None:
    outcome = await said(lease, "how much is the monthly rent?")

    assert outcome.answer == f"> **{RENT}** [1]  \n> — Lease, House_rules"
    assert outcome.trace[-1].summary == "Retrieved 1 passage from 1 document"
    assert outcome.quality is not None
    assert outcome.quality.score == 1.0


@each_row(
    "text",
    [
        "monthly rent?",
        "search my documents for the monthly rent",
        "find the monthly rent in my files",
        "what do my notes say about the monthly rent",
        "tell me about the monthly rent",
        "explain the monthly rent please",
        "could you tell me how much the monthly rent is?",
        "hi, what's the monthly rent?",
        "so\nwhat is the monthly rent",
        "according to the lease, how much is the rent",
        "in which lease are dogs mentioned",
        "tell me about the lease",
    ],
)
async def test_a_question_may_be_asked_in_many_ways(lease: Harness, text: str) -> None:
    assert (await asked(lease, text)).answer.startswith("> **")


async def test_notes_of_tasks_are_quoted_too(lease: Harness) -> None:
    fields: TaskFields = {"title": "Plan party", "notes": "Fatima brings the marquee."}
    lease.store.tasks.add(fields, by=lease.store.new_change_context(Actor.USER))

    outcome = await said(lease, "who brings the marquee")

    assert outcome.answer == ("> **Fatima brings the marquee.** [1]  \n> — Notes of #6 Plan party")


async def test_an_answer_is_quoted_alone_or_after_the_sentence_that_it_refers_to(
    harness: Harness,
) -> None:
    text = (
        "# Oven\n\nThe hall is white. Mr Kolb services the oven. He comes every March."
        " The warranty of the oven ends on 14 June 2028. Descale the oven monthly."
    )
    add_document(harness.store, "House", text, heading="Oven")

    answer = (await said(harness, "when does the warranty of the oven end?")).answer
    assert answer == ("> **The warranty of the oven ends on 14 June 2028.** [1]  \n> — House, Oven")
    answer = (await said(harness, "when does Mr Kolb come?")).answer
    assert answer == (
        "> **Mr Kolb services the oven. He comes every March.** [1]  \n> — House, Oven"
    )


async def test_a_last_time_is_no_interval_and_a_rule_is_nothing_past(harness: Harness) -> None:
    last = (
        "## Service\n\nThe boiler must be serviced every 24 months by a technician of Warmtec."
        " The last service was on 14 March 2026."
    )
    add_document(harness.store, "Boiler", last, heading="Service")
    answer = (await said(harness, "when was the boiler last serviced?")).answer
    assert answer.startswith("> **The last service was on 14 March 2026.**")
    rule = (
        "# Oven service notes\n\nThe oven was installed in March 2019 by Kessler. It must be"
        " serviced once a year, before the end of October."
    )
    add_document(harness.store, "Oven", rule, heading="Oven service notes")
    answer = (await said(harness, "when must the oven be serviced?")).answer
    assert "before the end of October" in answer


async def test_markup_of_a_passage_is_text(lease: Harness) -> None:
    add_document(lease.store, "Sauna *hot*", "# Fees\n- [link](x)\n<b>towel</b> rental")

    outcome = await said(lease, "towel rental of the sauna?")

    assert outcome.answer == (
        "> **\\- \\[link\\](x) \\<b\\>towel\\</b\\> rental** [1]  \n> — Sauna \\*hot\\*"
    )


async def test_no_more_than_three_passages_are_quoted(harness: Harness) -> None:
    add_document(harness.store, "Bees", *(f"Colony {n} has honey in frame {n}." for n in range(9)))

    outcome = await said(harness, "which colony has honey")

    assert len(re.findall(r"^> .*\[\d\]", outcome.answer, re.MULTILINE)) == 3


async def answers(harness: Harness, texts: Sequence[str]) -> dict[str, str]:
    """Return the answer to each, in conversations of their own."""
    return {text: (await asked(harness, text)).answer for text in texts}


async def test_what_no_document_answers_is_declined_as_before(lease: Harness) -> None:
    texts = (
        "what is 17 * 940?",
        "tell me a joke",
        "do you like dogs?",
        "what a rent",
        "rent is too high",
        "blah rent monthly euros",
    )
    with_documents = await answers(lease, texts)
    lease.store.knowledge.remove([each.id for each in lease.store.knowledge.list()])

    assert [text for text in texts if with_documents[text].startswith("> **")] == []
    assert with_documents == await answers(lease, texts)


@each_row(
    "text", ["who is the king of spain?", "what is my shoe size?", "what is the wifi password?"]
)
async def test_a_question_of_which_no_passage_has_a_word_is_said_to_be_unanswered(
    lease: Harness, text: str
) -> None:
    outcome = await asked(lease, text)
    assert outcome.answer.startswith("Your documents do not seem to say this")


async def test_what_documents_do_not_say_is_told_with_the_nearest_sentence(lease: Harness) -> None:
    outcome = await said(lease, "how much is the written reference of my landlord?")

    nearest = PETS.removeprefix("Cats are allowed. ")
    assert outcome.answer == (
        "Your documents do not seem to say this; nearest, in **Lease, House_rules**:"
        f"\n\n> {nearest} [1]"
    )


@each_row(
    ("text", "sentence"),
    [
        ("how many edited pictures does a wedding include?", "It covers ten hours and 400"),
        ("are edited pictures included for weddings?", "It covers ten hours and 400"),
        ("how many edited pictures are included with a portrait?", "Twelve edited pictures"),
        ("how much does a family portrait cost?", "A family portrait session costs 220"),
        ("how expensive is a portrait session?", "A family portrait session costs 220"),
    ],
)
async def test_a_heading_tells_what_its_sentences_are_about(
    prices: Harness, text: str, sentence: str
) -> None:
    answer = (await asked(prices, text)).answer
    assert answer.startswith("> **")
    assert sentence in answer.splitlines()[0]


@each_row(
    ("text", "sentence"),
    [
        ("are cats allowed?", "Cats are allowed."),
        ("are dogs allowed?", "Dogs need the written consent of the landlord."),
        ("may I keep a dog?", "Dogs need the written consent of the landlord."),
        ("do I need permission for a dog?", "Dogs need the written consent of the landlord."),
        (
            "how long is the notice period for tenants?",
            "Tenants may give notice at any time with a notice period of three months.",
        ),
        (
            "when is the rent due?",
            "The monthly rent is 840 euros. It is due on the third working day of each month.",
        ),
        ("is electricity included?", "Heating is included, electricity is not."),
        ("who pays for small repairs?", "Tenants pay for small repairs up to 80 euros each."),
        ("how often do I have to descale the machine?", "Descale the machine every three months."),
        ("how long does the warranty last?", "The warranty lasts two years."),
        ("how long is the warranty of the pump?", "The pump is covered for five years."),
        ("can I use vinegar?", "Never use vinegar."),
        ("what pressure should it have?", "Keep the pressure between 1.2 and 1.8 bar."),
        ("who writes the texts?", "Ben writes the texts until 20 May."),
        ("how much does the designer get?", "Olga pays the designer 1,200 euros."),
        ("where is the summer party?", "The summer party is on 12 July in the park."),
        ("who pays the drinks at the party?", "Drinks are paid by the club."),
        ("may I keep a parrot?", ""),
        ("are hamsters allowed?", ""),
        ("is smoking allowed?", ""),
    ],
)
async def test_plain_questions_are_answered_by_the_sentence_about_their_subject(
    plain: Harness, text: str, sentence: str
) -> None:
    answer = (await asked(plain, text)).answer
    first, *others = answer.splitlines()
    if not sentence:
        assert answer == "Your documents do not seem to say this."
        return
    assert first == f"> **{sentence}** [1]  "
    assert len(others) == 1
    assert others[0].startswith("> — ")


@each_row(
    "text",
    ["what is the notice period for the landlord?", "how long is the landlord's notice period?"],
)
async def test_the_nearest_sentence_is_told_with_the_next_one(plain: Harness, text: str) -> None:
    answer = (await asked(plain, text)).answer
    assert answer.startswith("Your documents do not seem to say this; nearest, in **Lease")
    assert answer.endswith("three months. The landlord has to observe six months. [1]")


async def test_a_word_that_is_no_subject_finds_no_answer(plain: Harness) -> None:
    lease = plain.store.knowledge.find("lease.md")
    plain.store.knowledge.remove([lease.id])
    for text in ("may I keep a dog?", "are dogs allowed?"):
        assert "**" not in (await asked(plain, text)).answer, text


async def test_what_the_list_answers_is_the_same_with_documents(plain: Harness) -> None:
    texts = (
        "how much time do I need this week?",
        "which day next week is busiest?",
        "what's on friday morning?",
        "am I free on friday?",
        "when am I free next week?",
        "how many things are due this week?",
        "when do I write the report?",
        "what about the rent?",
        "when is the rent due?",
        "is the rent paid?",
        "can I delete milk?",
        "can I take back what I just did?",
        "who do I have to call?",
        "when do I work next week?",
    )
    for words in ("add pay rent tuesday", "add write report friday"):
        await said(plain, words)
    with_documents = await answers(plain, texts)
    plain.store.knowledge.remove([each.id for each in plain.store.knowledge.list()])

    assert with_documents == await answers(plain, texts)


async def test_a_fact_is_taken_from_documents_though_a_task_has_the_word(plain: Harness) -> None:
    for words in ("add pay rent tuesday", "add buy charcoal for the grill", "add plan the party"):
        await said(plain, words)
    for text, sentence in (
        ("how much is the rent?", "The monthly rent is 840 euros."),
        ("how many euros is the rent?", "The monthly rent is 840 euros."),
        ("who brings the grill?", "Hugo brings the grill."),
        ("where is the party?", "The summer party is on 12 July in the park."),
    ):
        answer = (await asked(plain, text)).answer
        assert answer.startswith(f"> **{sentence}** [1]"), text


@each_row(
    "text",
    [
        "what does a newborn session cost?",
        "how many edited pictures does a christening include?",
        "is travel within Italy free?",
        "how much is a studio portrait session?",
        "how much is a passport portrait session?",
    ],
)
async def test_a_thing_that_no_document_has_is_not_answered_by_another(
    prices: Harness, text: str
) -> None:
    answer = (await asked(prices, text)).answer
    assert answer.startswith("Your documents do not seem to say this; nearest, in **Prices")


HOUSE = (
    "# Keys and deposit\n\nThe deposit is 1880 euros. The landlord returns it within six weeks"
    " after the keys are handed over. Mr Okafor hands over the keys on the first day."
)
FLAT = (
    "Pets need the written consent of the landlord. Cats are allowed. The flat has three rooms."
    " The walls are white. The balcony faces south. Bicycles are kept in the cellar. Heating is"
    " included in the rent."
)
KELLER = (
    "Keller pays 0.18 francs per word for translation. Keller pays 95 francs per hour for"
    " interpreting. Invoices are paid within 30 days. The contact person is Ms. Andrea Brunner,"
    " extension 418. Call her before 5 p.m. on weekdays, e.g. on Monday."
)


@pytest.fixture
def home(harness: Harness) -> Harness:
    for title, text in (("House", HOUSE), ("Lease of the flat", FLAT), ("Keller", KELLER)):
        add_document(harness.store, title, text)
    for title in ("Ask the landlord about the deposit", "Proofread Keller contract"):
        fields: TaskFields = {"title": title}
        harness.store.tasks.add(fields, by=harness.store.new_change_context(Actor.USER))
    return harness


@each_row(
    "text",
    [
        "is smoking allowed in the flat?",
        "is smoking permitted?",
        "can I smoke in the flat?",
        "may I smoke on the balcony?",
        "am I allowed to smoke in the flat?",
        "can I sublet the flat?",
        "is cooking allowed in the flat?",
        "is grilling on the balcony allowed?",
        "is drilling in the walls allowed?",
        "can I paint the walls?",
        "is parking included in the rent?",
        "is water included in the rent?",
        "is washing allowed in the flat?",
        "may I dry laundry on the balcony?",
        "is playing the piano allowed in the flat?",
        "are parties allowed in the flat?",
        "does the flat have a garden?",
        "are dogs allowed in the flat?",
        "who pays the heating?",
    ],
)
async def test_what_is_asked_about_has_to_be_said_in_an_answer(home: Harness, text: str) -> None:
    assert (await asked(home, text)).answer.startswith("Your documents do not seem to say this")


@each_row(
    ("text", "sentence"),
    [
        ("how much is the deposit?", "The deposit is 1880 euros."),
        ("how much does Keller pay for interpreting?", "Keller pays 95 francs per hour"),
        ("how many days until Keller pays?", "Invoices are paid within 30 days."),
        ("who hands over the keys?", "Mr Okafor hands over the keys"),
        ("who is the contact person at Keller?", "The contact person is Ms. Andrea Brunner, ext"),
        ("who returns the deposit?", "The deposit is 1880 euros. The landlord returns it"),
        ("are cats allowed in the flat?", "Cats are allowed."),
        ("is heating included?", "Heating is included in the rent."),
        ("do I need consent for a cat?", "Cats are allowed."),
        ("does the flat have a balcony?", "The balcony faces south."),
    ],
)
async def test_the_sentence_that_says_what_is_asked_comes_first(
    home: Harness, text: str, sentence: str
) -> None:
    answer = (await asked(home, text)).answer
    assert f"> **{sentence}" in answer.split("  \n")[0]


@each_row(
    ("text", "task"),
    [
        ("who is Keller's lawyer?", "Proofread Keller contract"),
        ("where is the Keller contract?", "Proofread Keller contract"),
        ("who has the passport?", "Renew passport"),
        ("how much is the milk?", "Buy milk"),
    ],
)
async def test_a_fact_that_no_task_has_is_said_to_be_in_no_document(
    home: Harness, text: str, task: str
) -> None:
    answer = (await asked(home, text)).answer
    assert answer.startswith(f"Your documents do not seem to say this.\n\n**{task}** (#")


@each_row("text", ["when is my next class?", "when is the wedding?", "what is my tax number?"])
async def test_what_neither_documents_nor_tasks_have_is_said_of_both(
    home: Harness, text: str
) -> None:
    answer = (await asked(home, text)).answer
    assert answer == "Your documents do not seem to say this, and neither do your tasks."


FACTS = {
    "Flat agreement": (
        "The kitchen deep clean takes place on the first Saturday of each quarter. The recycling"
        " is taken down by Torben. Quiet hours begin at 22:30. Dogs need the consent of the"
        " landlord. The internet contract with Glasfix ends on 31 August 2027 and has a notice"
        " period of three months. The bins stand in the yard. The cellar is number 7."
    ),
    "Care insurance": (
        "Care level 3 has been approved since 1 September 2026. The stairlift subsidy covers at"
        " most 4,180 euros. The responsible clerk is Ms. Aydin."
    ),
    "Keller agreement": "Keller pays 0.18 francs per word. Invoices are paid within 30 days.",
    "Wedding venue": "The barn holds 120 guests. Music ends at 1 am.",
    "Rowing club": (
        "Philippa Stroud has been elected chair and thanks Desmond. Juniors train on Tuesdays at"
        " 5.30 pm. Each boat pays an entry fee of 36 pounds. The new roof cost 21,400 pounds, of"
        " which a county grant paid 9,000 pounds. Subscriptions are paid within six weeks of the"
        " end of the season. The season may be ended early with two months' notice."
    ),
}


@pytest.fixture
def facts(harness: Harness) -> Harness:
    for title, text in FACTS.items():
        add_document(harness.store, title, text)
    return harness


@each_row(
    "text",
    [
        "who cleans the kitchen?",
        "tell me who cleans the kitchen",
        "who is the landlord?",
        "who trains the juniors?",
        "who paid the new roof?",
        "how much is the internet contract?",
        "how much does the stairlift cost?",
        "how much is the cellar?",
        "how much is the boat?",
        "when does the care insurance end?",
        "when do quiet hours end?",
        "when does the season end?",
        "where do the juniors train?",
        "where is the yard?",
        "how long do the juniors train?",
        "when does the music start?",
    ],
)
async def test_a_sentence_that_does_not_say_what_kind_of_thing_is_asked_for_is_only_the_nearest(
    facts: Harness, text: str
) -> None:
    answer = (await asked(facts, text)).answer
    assert answer.startswith("Your documents do not seem to say this; nearest, in **")


@each_row(
    ("text", "sentence"),
    [
        ("who takes down the recycling?", "The recycling is taken down by Torben."),
        ("who is the clerk?", "The responsible clerk is Ms. Aydin."),
        ("who is the chair?", "Philippa Stroud has been elected chair and thanks Desmond."),
        ("how much is the stairlift subsidy?", "The stairlift subsidy covers at most 4,180 euros."),
        ("how much is the entry fee for a boat?", "Each boat pays an entry fee of 36 pounds."),
        ("how much did the new roof cost?", "The new roof cost 21,400 pounds, of which a county"),
        ("when does Keller pay?", "Invoices are paid within 30 days."),
        ("when does the internet contract end?", "The internet contract with Glasfix ends on 31"),
        ("when do quiet hours start?", "Quiet hours begin at 22:30."),
        ("how many guests fit in the barn?", "The barn holds 120 guests."),
        ("where are the bins?", "The bins stand in the yard."),
    ],
)
async def test_a_sentence_that_says_what_kind_of_thing_is_asked_for_is_the_answer(
    facts: Harness, text: str, sentence: str
) -> None:
    assert (await asked(facts, text)).answer.startswith(f"> **{sentence}")


@pytest.mark.parametrize(
    ("heading", "sentence", "question"),
    [
        (
            "Rent and deposit",
            "The garage costs 60 euros.",
            "how much is the deposit for the garage?",
        ),
        ("Lift", "A new cable costs 780 euros.", "how much does the lift cost?"),
        ("Weddings", "A day costs 2400 euros.", "what does a wedding cost?"),
    ],
)
async def test_a_price_is_not_that_of_the_heading_alone(
    harness: Harness, heading: str, sentence: str, question: str
) -> None:
    add_document(harness.store, "House", sentence, heading=heading)

    answer = (await said(harness, question)).answer
    assert answer.startswith(
        f"Your documents do not seem to say this; nearest, in **House, {heading}"
    )
    assert sentence in answer


async def test_a_task_with_few_of_the_words_asked_for_is_no_answer(harness: Harness) -> None:
    add_document(harness.store, "Server room lease", RENT)
    fields: TaskFields = {"title": "Migrate mail server"}
    harness.store.tasks.add(fields, by=harness.store.new_change_context(Actor.USER))

    answer = (await said(harness, "who is the landlord of the server room?")).answer
    assert answer.startswith("Your documents do not seem to say this; nearest, in **Server room")
    answer = (await said(harness, "where is the mail server hosted?")).answer
    assert "Migrate mail server" in answer


@each_row(
    ("text", "answer"),
    [
        ("how much is the deposit for the lens?",
         "Your documents do not seem to say this; nearest, in **Shoot**:\n\n> The deposit is 400"
         " francs and is paid back within 10 days. [1]"),
        ("what is the lens deposit?", "Your documents do not seem to say this; nearest, in **Sho…"),
        # The task has as many of the words.
        ("how much is the case of the lens?",
         "Your documents do not seem to say this.\n\nNo task has all of “case lens”…"),
        ("who is the planner?", "> **Planner: Elise Roth** […"),
        ("who is the reviewer?", "> **The reviewer is Tom Baker.** […"),
        ("where is the undo key?", "> **The undo key is on the left of the keyboard.** […"),
        ("what is the list price?", "> **The list price is 45 francs.** […"),
        ("when is the rent due?",
         "> **The rent is 940 euros. It is due on the first of the month.** […"),
        ("how big is the keyboard?",
         "Your documents do not seem to say this; nearest, in **Team**:\n\n> The undo key is on…"),
        ("what's on the list today?", "No tasks due today (Wed 18 Nov)."),
    ],
)  # fmt: skip
async def test_a_document_with_more_of_the_words_goes_before_a_task(
    harness: Harness, text: str, answer: str
) -> None:
    add_document(
        harness.store,
        "Shoot",
        "The lens RF 85mm F1.2 is rented from FotoVerleih Bern.\n"
        "The deposit is 400 francs and is paid back within 10 days.",
    )
    add_document(
        harness.store,
        "Team",
        "Planner: Elise Roth\nThe reviewer is Tom Baker.\nThe list price is 45 francs.\n"
        "The undo key is on the left of the keyboard. The rent is 940 euros. It is due on the first"
        " of the month.",
    )
    fields: TaskFields = {"title": "Fetch the hired lens"}
    harness.store.tasks.add(fields, by=harness.store.new_change_context(Actor.USER))

    quoted = (await said(harness, text)).answer
    assert (f"{quoted[: len(answer) - 1]}…" if answer.endswith("…") else quoted) == answer


async def test_help_says_whether_there_are_documents_to_answer_from(harness: Harness) -> None:
    text = (await said(harness, "what can you do?")).answer
    assert "only know about your to-do list" in text
    assert "/attach PATH" in text

    add_document(harness.store, "Lease", RENT)
    text = (await said(harness, "what can you do?")).answer
    assert "know about your to-do list and your documents" in text
    assert "only know" not in text


async def test_without_documents_no_tool_for_them_is_called(harness: Harness) -> None:
    outcome = await said(harness, "how much is the monthly rent?")
    assert not retrieved(outcome)


@each_row(
    "text",
    [
        "what is due this week?",
        "anything overdue?",
        "when is the dentist?",
        "what tasks do I have about the rent?",
        "which tasks mention the landlord?",
        "is there a task for the monthly rent?",
        "how many tasks are there",
        "what should I do next?",
        "what's on my list about dogs?",
    ],
)
async def test_questions_about_tasks_stay_questions_about_tasks(lease: Harness, text: str) -> None:
    assert not retrieved(await asked(lease, text))


@pytest.mark.parametrize(
    "text",
    [
        "delete the monthly rent task",
        "delete the monthly rent",
        "can you delete the monthly rent?",
        "could you please complete the landlord permission?",
        "move the rent to friday",
        "would you rename dogs to cats?",
        "add pay the monthly rent tomorrow",
        "remind me to pay the monthly rent",
        "undo",
        "when I get home, delete the dogs",
        "show the rent, then delete the dogs",
        "find dogs",
        "i paid the monthly rent",
    ],
)
async def test_commands_are_no_questions_to_documents(lease: Harness, text: str) -> None:
    assert not retrieved(await said(lease, text))


@each_row("name", ["scenarios.json", "wild_scenarios.json"])
async def test_no_command_of_the_scenarios_is_taken_for_a_question(
    library: Harness, name: str
) -> None:
    """Messages that changed tasks as they should; in a store without these tasks, most fail."""
    texts = [
        text
        for scenario in load(name)
        for text in scenario.say
        if not text.rstrip().endswith("?")
        and re.match(r"(add|delete|move|complete|mark|rename|cancel|i |remind)\b", text.lower())
    ]
    assert len(texts) > 20
    for text in texts[:30]:
        assert not retrieved(await asked(library, text)), text


async def test_a_yes_after_a_quotation_does_nothing(lease: Harness) -> None:
    await said(lease, "how much is the monthly rent?")
    before = lease.store.tasks.log_position()
    for text in ("yes", "delete it", "do that", "and the dogs?"):
        await said(lease, text)
    assert lease.store.tasks.log_position() == before


async def test_questions_of_the_test_set_are_answered_from_the_right_passage(
    library: Harness,
) -> None:
    """Those in other words than the document are answered by the passage as the nearest."""
    unsure = []
    for question in questions():
        outcome = await asked(library, question.text)
        assert outcome.quality is not None
        assert outcome.quality.score == 1.0, outcome.quality.problems
        cited = cited_evidence(outcome.answer, outcome.trace[-1].evidence)
        assert any(question.answer[:50] in each.text for each in cited), question.text
        if not outcome.answer.startswith("> **"):
            unsure.append(question.text)
    assert len(unsure) <= 18, unsure


@each_row("question", ["how much is the garage?", "where is the boiler?", "how far is the moon"])
async def test_a_question_that_no_document_answers_is_told_so(
    lease: Harness, question: str
) -> None:
    outcome = await asked(lease, question)

    assert outcome.answer == "Your documents do not seem to say this."
