"""Snitch as people read it: buttons with names, challenges told, nothing that tells of a hand."""

from __future__ import annotations

import random

from domain import table
from domain.games.snitch import SNITCH
from domain.games.snitch.state import Challenged, ChallengeWon, Discarded, TopTaken, Yielded
from domain.scene import Choice
from service.text import board, history, language
from service.text.words import words
from tests.domain.play import started
from tests.domain.snitch.positions import row

TEXTS = language("en")
NAMES = ["Ann", "Bob", "Cat"]


def _said(event: object) -> str | None:
    return history.line(TEXTS, SNITCH, event, NAMES)


def test_a_button_of_a_challenge_names_whom_it_challenges() -> None:
    assert board.button(TEXTS, "snitch", Choice("challenge 1 KH", "challenge", "KH", "1"), NAMES) == "K♥ → Bob"
    assert board.button(TEXTS, "snitch", Choice("set 9D 2S", "set", "9D 2S"), NAMES) == "Set 9♦ 2♠"
    assert board.button(TEXTS, "snitch", Choice("yield", "yield"), NAMES) == "Give the set up"


def test_a_challenge_is_told_with_both_names_and_all_cards() -> None:
    assert _said(Challenged(0, 1, row("KS")[0])) == "Ann challenged Bob with K♠"
    assert _said(ChallengeWon(0, 1, row("KC KD KS"), 1, 0)) == "Ann took the set from Bob: K♣ K♦ K♠"
    assert _said(ChallengeWon(1, 1, row("KC KD KS KH"), 1, 1)) == "Bob kept the set: K♣ K♦ K♠ K♥"
    assert _said(Yielded(1, True)) == "Bob gave the set up (by the clock)"
    assert _said(TopTaken(0, row("9H")[0], (7, 20), 1)) == "Ann laid a set with the top of the pile: 9♠ 9♥"
    assert _said(Discarded(2, row("TC")[0], 1)) == "Cat discarded 10♣"


def test_every_code_of_a_scene_and_every_word_of_the_notation_is_in_words() -> None:
    known = words("snitch")
    sitting = started("snitch", "words", seats=4)
    rng = random.Random(1)
    kinds, zones, facts, prompts = set(), set(), set(), set()
    while sitting.state.phase == "playing":
        shown = SNITCH.scene(table.observe(sitting.state, sitting.asked()).set)
        kinds |= {choice.kind for choice in shown.choices}
        zones |= {zone.name for zone in shown.zones}
        facts |= {fact.name for seat in shown.seats for fact in seat}
        prompts.add(shown.prompt)
        sitting.any_move(rng)
    assert kinds <= set(known.choices)
    assert zones - {"hand"} <= set(known.zones)
    assert facts <= set(known.seat_facts)
    assert prompts == set(known.prompts)
    assert set(known.commands) == set(SNITCH.examples) == set(known.choices)
