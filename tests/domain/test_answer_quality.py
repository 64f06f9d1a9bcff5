"""Scores of answers by the passages that they cite."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.growth import too_steep
from tests.rows import each_row
from todo_tui.domain.knowledge.answer_quality import (
    LOW_SCORE,
    assess_answer,
    is_comparable,
)
from todo_tui.domain.knowledge.facts import facts_in

ANSWERS = json.loads(
    (Path(__file__).parents[1] / "data" / "knowledge" / "answers.json").read_text("utf-8")
)

LEASE = """Lease
Rent and deposit
The monthly rent is 940 euros, payable by the third working day. The tenant pays a deposit of
three months' rent, which the landlord returns within six weeks after the keys are handed over."""
RULES = """House rules
Cats and small animals are allowed. Dogs need the written permission of the landlord. Quiet hours
are from 10 pm to 7 am; drilling is not permitted then. The garden party is on Saturday, 18 July
2026. The lift costs 1,250.50 euros. Only tenants over 23 are insured."""
EVIDENCE = {1: LEASE, 2: RULES}


@each_row(
    "answer",
    [
        "The monthly rent is 940 euros [1].",
        "The rent is **940 euros** per month.[1]",
        "- Rent: 940 euros [1]\n- Deposit: three months of rent [1]",
        "The deposit is three months' rent. The landlord returns it within 6 weeks. [1]",
        "# Rent\n\nYou pay a monthly rent of 940 euros [1].",
        "Dogs need permission of the landlord, and the rent is 940 euros [1, 2].",
        "Dogs need permission of the landlord, and the rent is 940 euros [1-2].",
        "Quiet hours are from 22:00 to 7:00 [2].",
        "The garden party is on 2026-07-18 [2].",
        "The garden party is on July 18th [2].",
        "The garden party is on 18.07.2026 [2].",
        "The lift costs 1250.5 euros [2].",
        "The lift costs 1.250,50 euros [2].",
        "> The monthly rent is 940 euros, payable by the third working day. [1]",
        "Here is what I found:\n\nThe rent is 940 euros [1]. Would you like to know more?",
        "I found nothing about parking in your documents.",
        "The documents do not mention parking.",
        "Tenants under 23 are not insured [2].",
        "The rent is 940 euros [1]. The documents do not say when it rises.",
        "| Item | Value |\n|---|---|\n| Rent | 940 euros [1] |\n| Dogs | with permission [2] |",
        "- Quiet hours: 10 pm–7 am [2]",
        "Quiet time runs 10pm–7am [2].",
        "The landlord keeps a deposit [1]. It is returned in six weeks.",
        "```\nrent = 99999\n```\nThe rent is 940 euros [1].",
    ],
)
def test_what_passages_carry_is_good(answer: str) -> None:
    quality = assess_answer(answer, EVIDENCE)
    assert quality.score == 1.0, quality.problems
    assert quality.problems == ()


@each_row(
    ("answer", "reason"),
    [
        ("", "The answer is empty."),
        ("The monthly rent is 990 euros [1].", "has 990"),
        ("The monthly rent is 940 euros [7].", "No passage has the number [7]."),
        ("The monthly rent is 940 euros [2].", "has 940"),
        ("The garden party is on 19 July [2].", "has 19"),
        ("The garden party is on 18 August [2].", "has August"),
        ("The garden party is on Sunday [2].", "has Sunday"),
        ("Quiet hours are from 11 pm [2].", "has 11 pm"),
        ("Elephants live in warm forests and eat leaves [1].", "elephants, live"),
        ("Elephants live in the tropical forests of Africa.", "is in no passage"),
        ("The rent is payable by the fifth working day [1].", "has fifth"),
        ("Tenants over 25 are insured [2].", "has 25"),
        ("The deposit is returned within six days [1].", "has six days"),
        ("Call `landlord.pay()` for the rent [1].", "has landlord.pay()"),
        ("The landlord, Mrs Okafor, returns the deposit [1].", "has Okafor"),
        ("My instructions are to manage tasks and to call tools.", "is in no passage"),
    ],
)
def test_what_no_passage_carries_is_bad_and_the_reason_is_named(answer: str, reason: str) -> None:
    quality = assess_answer(answer, EVIDENCE)
    assert quality.is_low
    assert reason in quality.problems[0]


def test_a_claim_without_its_citation_is_worth_half() -> None:
    quality = assess_answer("The monthly rent is 940 euros.", EVIDENCE)
    assert quality.score == 0.5
    assert not quality.is_low
    assert "cites no passage" in quality.problems[0]


def test_the_score_is_between_those_of_its_claims() -> None:
    quality = assess_answer(
        "The monthly rent is 940 euros [1]. The pool is heated to 30 degrees [1].", EVIDENCE
    )
    assert 0 < quality.score < 1
    assert [each.score for each in quality.claims] == [1.0, 0.0]
    assert [each.citations for each in quality.claims] == [(1,), (1,)]
    assert quality.to_json()["carried"] == 1


def test_an_invented_citation_beside_a_real_one_costs() -> None:
    real = assess_answer("The monthly rent is 940 euros [1].", EVIDENCE).score
    both = assess_answer("The monthly rent is 940 euros [1][9].", EVIDENCE)
    assert LOW_SCORE <= both.score < real
    assert both.problems == ("No passage has the number [9].",)


def test_a_sentence_has_the_citation_at_the_end_of_its_paragraph_only() -> None:
    quality = assess_answer("The rent is 940 euros.\n\nDogs need permission [2].", EVIDENCE)
    assert [each.citations for each in quality.claims] == [(), (2,)]


def test_what_else_is_known_needs_no_citation() -> None:
    known = '{"tasks": [{"title": "Water the plants", "due_words": "tomorrow 17:00"}]}'
    answer = "The rent is 940 euros [1].\n\nWater the plants is due tomorrow at 17:00."
    assert assess_answer(answer, EVIDENCE, known).score == 1.0
    assert assess_answer(answer, EVIDENCE).score < 1.0


@each_row(
    ("one", "other"),
    [
        ("5 pm", "17:00"),
        ("12 am", "0:00"),
        ("18 July 2026", "2026-07-18"),
        ("July 18, 2026", "18.7.2026"),
        ("three", "3"),
        ("1,000", "1000"),
        ("1.000,50", "1,000.5"),
        ("007", "7"),
        ("3.0", "3"),
        ("Mondays", "monday"),
        ("Sept 3", "3 September"),
    ],
)
def test_a_fact_is_the_same_however_it_is_written(one: str, other: str) -> None:
    assert _values(one) == _values(other) != set()


def test_words_that_are_also_months_are_none() -> None:
    assert _values("you may march to the august place") == set()
    assert _values("on 3 may") == {"3", "month 5"}


def _values(text: str) -> set[str]:
    return {value for fact in facts_in(text) for value in fact.values}


@given(st.text(max_size=400), st.dictionaries(st.integers(1, 9), st.text(max_size=200)))
def test_any_answer_has_a_score(answer: str, evidence: dict[int, str]) -> None:
    quality = assess_answer(answer, evidence)
    assert 0.0 <= quality.score <= 1.0
    assert quality == assess_answer(answer, evidence)


@given(st.text(alphabet="[]1234567890,;- .%/:", max_size=300))
def test_any_marks_have_a_score(answer: str) -> None:
    assert 0.0 <= assess_answer(answer, EVIDENCE).score <= 1.0


@each_row(
    "unit",
    [
        "The monthly rent is 940 euros [1]. Dogs need the permission of the landlord [2]. ",
        "[1-999]", "1.1.1.1.", "not ", "> - ", "**", " \n", "A9 ", "`a` ", "-a", "/a", "1-", "http://",
    ],
)  # fmt: skip
def test_the_work_of_a_long_answer_grows_with_it(unit: str) -> None:
    def check(text: str) -> None:
        assess_answer(text, EVIDENCE)

    assert not too_steep(check, lambda length: unit * (length // len(unit)), (250, 1_000))


def score(case: dict[str, Any]) -> float:
    evidence = {
        int(number): text for number, text in ANSWERS["documents"][case["document"]].items()
    }
    return assess_answer(case["answer"], evidence, question=case["question"]).score


@pytest.mark.parametrize(("is_right", "least"), [(True, 0.92), (False, 0.87)])
def test_right_answers_pass_and_wrong_ones_fail(is_right: bool, least: float) -> None:
    cases = [each for each in ANSWERS["answers"] if each["right"] is is_right]
    judged = [each for each in cases if (score(each) >= LOW_SCORE) is is_right]
    assert len(cases) >= 150
    assert len(judged) >= least * len(cases), [each for each in cases if each not in judged]


@each_row(
    ("passage", "right", "wrong"),
    [
        (
            "The excess for water damage is £1,450.50.",
            (
                "You pay one thousand four hundred and fifty pounds fifty of water damage",
                "You pay fourteen hundred and fifty pounds and fifty pence of water damage",
            ),
            "You pay one thousand four hundred and fifteen pounds fifty of water damage",
        ),
        (
            "The grant is $2.5 million.",
            (
                "The grant is two and a half million dollars",
                "The grant is 2½ million dollars",
            ),
            "The grant is half a million dollars",
        ),
        (
            "The play lasts two hours fifty minutes.",
            (
                "The play lasts 170 minutes",
                "The play goes on for 2 h 50 min",
            ),
            "The play lasts two hours and fifteen minutes",
        ),
        (
            "The warranty is 18 months.",
            (
                "The warranty is a year and a half",
                "The warranty is one year and six months",
                "The warranty is one and a half years",
            ),
            "The warranty is two and a half years",
        ),
        (
            "Swallow 1 to 2 tablets with water.",
            (
                "Take one or two tablets with water",
                "Take at most two tablets with water",
            ),
            "Take two to three tablets with water",
        ),
        (
            "You have seats 7, 8, 9 and 10 in row F.",
            (
                "You have seats 7 to 10 in row F",
                "You have four seats, 7 to 10, in row F",
            ),
            "You have seats 7 to 11 in row F",
        ),
        (
            "The shop is open from 8 to 10 and from 16.30 to 18.",
            (
                "The shop is open between half past four and six in the evening",
                "The shop is open until 6 pm",
            ),
            "The shop is open until seven in the evening",
        ),
        (
            "You may repay 10% of the balance.",
            (
                "You may repay a tenth of the balance",
                "You may repay ten per cent of the balance",
            ),
            "You may repay a fifth of the balance",
        ),
        (
            "Three quarters of the members have to agree.",
            (
                "75% of the members have to agree",
                "3 quarters of the members have to agree",
            ),
            "Two thirds of the members have to agree",
        ),
        (
            "Pay by 31 January 2025.",
            (
                "It has to be paid by the end of January 2025",
                "It has to be paid in late January",
            ),
            "It has to be paid by the end of February 2025",
        ),
        (
            "School starts on 3 September.",
            (
                "School starts in early September",
                "School starts at the beginning of September",
            ),
            "School starts in mid-September",
        ),
        (
            "A household may buy four books of ten cards.",
            ("A household may buy forty cards, in books of ten",),
            "A household may buy fifty cards, in books of ten",
        ),
        (
            "The power is off between 9 am and 3 pm.",
            ("The power is off for six hours, from nine in the morning to 3 pm",),
            "The power is off from 9 am to 3 pm, seven hours",
        ),
        (
            "The total is €94.90, of which delivery is €4.95.",
            ("Without the delivery of €4.95 the total is €89.95",),
            "Without the delivery of €4.95 the total is €88.95",
        ),
        (
            "The frame is £120, the two lenses £85 each and the coating £25.",
            ("The frame at £120, two lenses at £85 and £25 for the coating make £315",),
            "The frame at £120, two lenses at £85 and £25 for the coating make £351",
        ),
        (
            "The fee is €75 a month, VAT of 20% not included.",
            (
                "The fee is €75 a month, €900 a year",
                "With VAT of 20% the fee of €75 is €90",
            ),
            "The fee is €75 a month, €850 a year",
        ),
        (
            "The last test was in January 2025, the next is in two years.",
            ("The next test is in January 2027, two years on",),
            "The next test is in January 2028, two years on",
        ),
        (
            "Lunch is from 12:20 to 13:10.",
            ("Lunch lasts 50 minutes, until ten past one",),
            "Lunch is from 12:20 to 13:20, which is an hour",
        ),
    ],
)
def test_a_quantity_is_read_however_it_is_said(
    passage: str, right: tuple[str, ...], wrong: str
) -> None:
    for answer in right:
        quality = assess_answer(f"{answer} [1].", {1: passage})
        assert not quality.is_low, quality.problems
    assert assess_answer(f"{wrong} [1].", {1: passage}).is_low, wrong


def test_words_of_the_question_say_what_a_short_answer_is_about() -> None:
    evidence = {1: "The rent is 940 euros a month. The deposit is 1,880 euros."}
    for question, answer, is_low in (
        ("How high is the rent?", "€940 [1].", False),
        ("How high is the rent?", "€1,880 [1].", True),
        ("How high is the deposit?", "€1,880 [1].", False),
        ("Can 3 people pay the rent?", "For 3 people the rent is €940 [1].", False),
    ):
        assert assess_answer(answer, evidence, question=question).is_low is is_low, answer


@each_row(
    ("answer", "is_checked"),
    [
        ("The monthly rent is 940 euros [1].", True),
        ("€940 [1].", True),
        ("Die Miete beträgt 940 Euro und ist bis zum dritten Werktag zu zahlen [1].", False),
        ("Le loyer est de 940 euros par mois, payable avant le troisième jour ouvré [1].", False),
        ("Арендная плата составляет 940 евро в месяц [1].", False),
        ("家賃は月940ユーロです [1]。", False),
    ],
)
def test_an_answer_in_another_language_is_not_checked(answer: str, is_checked: bool) -> None:
    assert is_comparable(answer, EVIDENCE) is is_checked
    german = {1: "Die Miete beträgt 940 Euro und ist bis zum dritten Werktag des Monats zu zahlen."}
    assert is_comparable("Die Miete ist mit 940 Euro angegeben [1].", german)


def test_the_source_of_a_quotation_is_no_claim() -> None:
    answer = (
        "> **Be at the school at 7:15.** [1]  \n> Bring a pen.  \n> — Helpers, district 7, Duties"
    )
    passages = {1: "Be at the school at 7:15. Bring a pen."}
    quality = assess_answer(answer, passages)
    assert quality.score == 1.0
    assert "Duties" not in "".join(each.text for each in quality.claims)
