"""Hands whose owners say which melds they have (CH-62, `declare=manual`)."""

from __future__ import annotations

from typing import Any

import pytest

from domain import cards, record
from domain.audit import audit_record
from domain.audit_history import Commit, audit_history
from domain.commands import Leave
from domain.game import Rejected, SetEnded
from domain.games.chinchon import CHINCHON, rules
from domain.games.chinchon.events import CardLaid, CutMade, HandsOpened, HandsShown, MeldsShown
from domain.games.chinchon.moves import LAYS, notation, read
from domain.games.chinchon.scene import scene
from domain.games.chinchon.state import Set, evolve, to_show
from domain.games.chinchon.view import observe
from tests.domain.chinchon.positions import COMPLETE, LOOSE, round_of
from tests.domain.play import Sitting, started

CUTTER = "4H 5H 6H 9S 9D 9C KD"  # two melds, the king is loose
TWO = "2S 3S 4S 7H 7D 7C QS"  # two melds, the queen is loose
BEST = "meld 4H5H6H 9S9D9C"


def _cut(*hands: str, closing: str = "JC", **values: Any) -> Set:
    """Seat 0 has cut with `closing`; nobody has shown anything."""
    mode = {"declare": "manual", "enforcement": "honour", **values}
    first, *others = hands
    state = round_of(f"{first} {closing}", *others, drew="stock", drawn=closing, **mode)
    return _made(state, 0, f"cut {closing}")[0]


def _made(state: Set, seat: int, move: str) -> tuple[Set, tuple[Any, ...]]:
    facts = rules.decide(state, seat, read(move))
    for fact in facts:
        if type(fact) in CHINCHON.events:
            state = evolve(state, fact)
    return state, facts


def _scores(*moves: tuple[int, str], hands: tuple[str, ...] = (CUTTER, TWO), **values: Any) -> Any:
    """What the round scores with these showings."""
    state = _cut(*hands, **values)
    facts: tuple[Any, ...] = ()
    for seat, move in moves:
        state, facts = _made(state, seat, move)
    assert isinstance(facts[-1], SetEnded)
    assert isinstance(facts[-2], HandsOpened)
    return facts[-1].scores


def _refused(state: Set, seat: int, move: str) -> str:
    with pytest.raises(Rejected) as refusal:
        rules.decide(state, seat, read(move))
    assert refusal.value.clause == "CH-62"
    return refusal.value.code


def test_at_the_cut_all_hands_are_opened_and_everybody_is_asked() -> None:
    state = round_of(f"{CUTTER} JC", TWO, drew="stock", drawn="JC", declare="manual")
    state, facts = _made(state, 0, "cut JC")
    assert [type(fact) for fact in facts] == [CutMade, HandsShown]
    (ask,) = rules.to_act(state)
    assert (ask.seats, ask.seconds) == ((0, 1), 86400)
    for looks in (0, 1, None):
        opened = [zone for zone in scene(observe(state, looks)).zones if zone.name == "opened"]
        assert [{placed.card for placed in zone.cards} for zone in opened] == [set(CUTTER.split()), set(TWO.split())]
    with pytest.raises(Rejected):
        rules.decide(state, 1, read("draw stock"))


def test_they_show_in_any_order_and_the_round_ends_with_the_last() -> None:
    state = _cut(CUTTER, TWO)
    state, facts = _made(state, 1, "meld 2S3S4S 7H7D7C")
    assert [type(fact) for fact in facts] == [MeldsShown]
    assert to_show(state) == (0,)
    assert _refused(state, 1, "meld none") == "nothing_to_show"
    state, facts = _made(state, 0, BEST)
    assert facts[-1] == SetEnded("cut", (10, 10))
    assert state.opened is not None
    assert rules.to_act(state) == ()
    assert CHINCHON.breaches(state) == ()


def test_what_is_shown_counts_where_it_is_true() -> None:
    """Whoever overlooks a meld pays for its cards."""
    assert _scores((0, BEST), (1, "meld 2S3S4S")) == (10, 7 + 7 + 7 + 10)
    assert _scores((0, BEST), (1, "meld none")) == (10, 2 + 3 + 4 + 21 + 10)


def test_the_cutter_chooses_among_the_cuts_he_has() -> None:
    hands = ("4H 5H 6H 7H 7S 7D 9C", LOOSE)
    assert _scores((0, "meld 4H5H6H 7H7S7D"), (1, "meld none"), hands=hands) == (9, 50)
    hands = ("2H 3H 4H 5H 5S 5D 5C", LOOSE)  # complete: 234 and 5555
    assert _scores((0, "meld 2H3H4H5H 5S5D5C"), (1, "meld none"), hands=hands) == (-10, 50)


def test_a_cutter_who_shows_less_than_a_cut_gets_the_best_of_his_hand() -> None:
    state = _cut(CUTTER, LOOSE)
    state, (shown,) = _made(state, 0, "meld 4H5H6H")
    assert shown.wrong == "no_cut"
    _, facts = _made(state, 1, "meld none")
    assert facts[-1].scores == (10, 50)


@pytest.mark.parametrize("shown", ["meld none", "meld 2H3H4H", "meld 2H3H4H5H", "meld 3H4H5H 9S9H9D"])
def test_a_complete_hand_is_complete_whatever_is_shown(shown: str) -> None:
    """CH-51: it costs just the 20 due, and no fine."""
    hands = ("TS JS QS 6S 6D 6C KD", COMPLETE)
    assert _scores((0, "meld TSJSQS 6S6D6C"), (1, shown), hands=hands) == (10, 20)


def test_a_chinchon_of_another_costs_fifty_however_it_is_shown() -> None:
    hands = (CUTTER, "2C 3C 4C 5C 6C 7C 8C")
    for shown in ("meld 2C3C4C5C6C7C8C", "meld 2C3C4C5C 6C7C8C", "meld none", "meld 2C3C4C"):
        assert _scores((0, BEST), (1, shown), hands=hands) == (10, 50)


@pytest.mark.parametrize(
    ("shown", "wrong"),
    [
        ("meld 2S3S4S 7H7DQS", "not_a_meld"),
        ("meld 2S3S", "not_a_meld"),
        ("meld 2S3S4S 7H7D7C QS", "not_a_meld"),
        ("meld 2S3S4S 2S3S4S", "card_in_two_melds"),
        ("meld 2S3S4S 4S7H7D", "card_in_two_melds"),
        ("meld 7H7D7C7C", "card_in_two_melds"),
    ],
)
def test_a_wrong_meld_is_put_right_and_costs_ten(shown: str, wrong: str) -> None:
    state = _cut(CUTTER, TWO)
    state, (told,) = _made(state, 1, shown)
    assert told.wrong == wrong
    state, facts = _made(state, 0, BEST)
    assert facts[-1].scores == (10, 10 + 10)
    (breach,) = CHINCHON.breaches(state)
    assert (breach.seat, breach.what, breach.move, breach.settled) == (1, wrong, shown, True)
    assert cards.name(breach.card) in shown


def test_a_wrong_meld_costs_the_cutter_ten_too_and_a_complete_hand_twenty_and_ten() -> None:
    assert _scores((1, "meld none"), (0, "meld 4H5H6H 9S9DKD"), hands=(CUTTER, LOOSE)) == (10 + 10, 50)
    hands = ("TS JS QS 6S 6D 6C KD", COMPLETE)
    assert _scores((0, "meld TSJSQS 6S6D6C"), (1, "meld 2H3H5H"), hands=hands) == (10, 20 + 10)


def test_a_strict_table_refuses_a_wrong_meld() -> None:
    state = _cut(CUTTER, TWO, enforcement="strict")
    assert _refused(state, 1, "meld 2S3S4S 7H7DQS") == "not_a_meld"
    assert _refused(state, 1, "meld 2S3S4S 4S7H7D") == "card_in_two_melds"
    assert _made(state, 1, "meld 2S3S4S")[1][0].wrong == ""


@pytest.mark.parametrize("mode", ["strict", "honour"])
def test_nobody_shows_a_card_that_he_has_not(mode: str) -> None:
    state = _cut(CUTTER, TWO, enforcement=mode)
    assert _refused(state, 1, BEST) == "not_your_card"
    assert _refused(state, 1, "lay KD") == "not_your_card"


def test_melds_are_shown_after_a_cut_and_only_with_this_option() -> None:
    state = round_of(f"{CUTTER} JC", TWO, drew="stock", drawn="JC", declare="manual")
    for seat in (0, 1):
        for move in ("meld none", BEST, "lay 4H", "lay next", "lay back"):
            assert _refused(state, seat, move) == "nothing_to_show"
    auto = round_of(f"{CUTTER} JC", TWO, drew="stock", drawn="JC")
    _, facts = _made(auto, 0, "cut JC")
    assert facts[-1] == SetEnded("cut", (10, 10))


def test_an_invalid_cut_ends_the_round_before_anybody_shows() -> None:
    state = round_of(f"{LOOSE} JC", TWO, drew="stock", drawn="JC", declare="manual", enforcement="honour")
    _, facts = _made(state, 0, "cut JC")
    assert facts[-1] == SetEnded("invalid_cut", (50, 0))


def test_a_chinchon_wins_at_once_or_leaves_only_the_others_to_show() -> None:
    state = round_of("2C 3C 4C 5C 6C 7C 8C KD", TWO, drew="stock", drawn="KD", declare="manual")
    assert _made(state, 0, "cut KD")[1][-1] == SetEnded("chinchon")
    hands = ("2C 3C 4C 5C 6C 7C 8C", TWO.replace("7C", "7S"))
    state = _cut(*hands, chinchon_pays="-25")
    assert to_show(state) == (1,)
    _, facts = _made(state, 1, "meld 2S3S4S 7H7D7S")
    assert facts[-1] == SetEnded("chinchon", (-25, 10))


def test_loose_cards_are_laid_off_on_what_the_cutter_showed() -> None:
    """CH-35: the queen of the other fits the cutter's run."""
    hands = ("9S TS JS 6S 6D 6C KD", "2S 3S 4S 7H 7D 7C QS")
    both = ((0, "meld 9STSJS 6S6D6C"), (1, "meld 2S3S4S 7H7D7C"))
    assert _scores(*both, hands=hands, laying_off=True) == (10, 0)
    assert _scores(*both, hands=hands) == (10, 10)


def test_the_clock_and_the_computer_player_show_what_costs_least() -> None:
    for seat, due in ((0, (10, 50)), (1, (10, 10))):
        other = {0: LOOSE, 1: TWO}[seat]
        state = _cut(CUTTER, other)
        move = CHINCHON.timeout(state, seat)
        assert CHINCHON.player("steady", observe(state, seat)) == move
        state, _ = _made(state, seat, notation(move))
        rest = BEST if seat == 1 else "meld none"
        _, facts = _made(state, 1 - seat, rest)
        assert facts[-1].scores == due


# Laying out, card by card


def test_melds_are_put_together_with_buttons() -> None:
    state = _cut(CUTTER, TWO)
    assert _kinds(state, 0) == {"lay", "meld_none"}
    for move in ("lay 4H", "lay 5H", "lay 6H"):
        state, _ = _made(state, 0, move)
    assert _kinds(state, 0) == {"lay", "lay_next", "lay_back", "meld"}
    assert _refused(state, 0, "lay 5H") == "already_laid"
    for move in ("lay next", "lay 9S", "lay 9D", "lay 9C"):
        state, _ = _made(state, 0, move)
    (done,) = [choice.move for choice in scene(observe(state, 0)).choices if choice.kind == "meld"]
    assert done == BEST
    assert _refused(state, 0, "lay next") == "nothing_laid", "seven cards hold no third"
    opened = next(zone for zone in scene(observe(state, 1)).zones if zone.name == "opened" and zone.owner == 0)
    assert [placed.card for placed in opened.cards] == ["4H", "5H", "6H", "9S", "9D", "9C", "KD"]
    assert opened.groups == (0, 3, 6)
    state, _ = _made(state, 0, done)
    assert _kinds(state, 0) == set()
    assert scene(observe(state, 0)).seats[0][0].name == "showed"


def test_what_was_laid_out_can_be_taken_back_and_counts_for_nothing() -> None:
    state = _cut(CUTTER, TWO)
    assert _refused(state, 0, "lay back") == "nothing_laid"
    assert _refused(state, 0, "lay next") == "nothing_laid"
    state, _ = _made(state, 0, "lay KD")
    again, _ = _made(state, 0, "lay back")
    assert observe(again, 0) == observe(_cut(CUTTER, TWO), 0)
    state, _ = _made(state, 0, BEST)
    _, facts = _made(state, 1, "meld 2S3S4S 7H7D7C")
    assert facts[-1].scores == (10, 10)


def test_the_buttons_hint_at_nothing() -> None:
    """The same buttons for every card, whether it fits or not."""
    for other in (TWO, LOOSE):
        state = _cut(CUTTER, other)
        choices = scene(observe(state, 1)).choices
        assert {choice.value for choice in choices if choice.kind == "lay"} == set(other.split())
        assert {choice.note for choice in choices} == {""}
        state, _ = _made(state, 1, f"lay {other.split()[0]}")
        values = [choice.value for choice in scene(observe(state, 1)).choices if choice.kind == "lay"]
        assert set(values) == set(other.split()[1:])


def _kinds(state: Set, seat: int) -> set[str]:
    return {choice.kind for choice in scene(observe(state, seat)).choices}


# Absence


def _at_a_table(word: str, persons: int = 3) -> Sitting:
    """A table at which hands are shown."""
    sitting = started("chinchon", word, persons=persons, seats=3, declare="manual", cut_rule="threshold", cut_max="20")
    sitting.steady(lambda state: bool(to_show(state.set)))
    return sitting


def test_whoever_does_not_answer_is_shown_by_the_clock() -> None:
    sitting = _at_a_table("clock")
    asked = to_show(sitting.state.set)
    assert len(asked) == 3
    sitting.move(read("meld none"), asked[0])
    events = sitting.expire()
    shown = [event for event in events if type(event) is MeldsShown]
    assert [(event.seat, event.auto) for event in shown] == [(seat, True) for seat in asked[1:]]
    assert any(type(event) is SetEnded for event in events)


def test_whoever_leaves_before_he_has_shown_is_gone_when_the_round_ends() -> None:
    sitting = _at_a_table("leaver")
    first, second, third = to_show(sitting.state.set)
    sitting.do(sitting.state.seats[second].owner, Leave(), second)
    for seat in (first, third):
        if seat in to_show(sitting.state.set):
            sitting.move(read("meld none"), seat)
    if to_show(sitting.state.set):
        sitting.expire()
    assert sitting.state.sets == 2
    assert second not in sitting.state.set.playing
    document = record.record(sitting.events)
    assert {"left": second} in document["sets"][0]["moves"]
    assert audit_record(record.write(document)) is None


def test_what_was_laid_out_stands_in_no_record_and_is_judged_in_a_history() -> None:
    sitting = _at_a_table("laid")
    seat = to_show(sitting.state.set)[0]
    card = dict(sitting.state.set.shown)[seat][0]
    sitting.move(LAYS[card], seat)
    sitting.steady()
    document = record.record(sitting.events)
    assert not [line for line in document["sets"][0]["moves"] if "lay" in line]
    commits = [Commit(one.time, one.actor, one.events) for one in sitting.commits]
    assert audit_history(commits) is None
    at = next(at for at, one in enumerate(commits) if any(type(event) is CardLaid for event in one.events))
    foreign = next(other for other in range(52) if other not in dict(_hands(commits, at))[seat])
    forged = Commit(commits[at].time, commits[at].actor, (CardLaid(seat, foreign), *commits[at].events[1:]))
    found = audit_history([*commits[:at], forged, *commits[at + 1 :]])
    assert found is not None
    assert (found.code, found.version) == ("not_your_card", at + 1)


def _hands(commits: list[Commit], at: int) -> Any:
    """The hands that were shown before a commit."""
    events = [event for one in commits[:at] for event in one.events]
    return next(event for event in reversed(events) if type(event) is HandsShown).hands
