"""CB-15 and CB-16: deals that may not be played."""

from __future__ import annotations

import dataclasses
from typing import Any

import msgspec
import pytest

from domain import cards, table
from domain.cards import card_of
from domain.commands import Start
from domain.decide import decide
from domain.events import Dealt, RowWritten, SeedRevealed, Started
from domain.game import SetEnded
from domain.games.callbreak import rules
from domain.games.callbreak.events import DealVoided
from domain.shuffle import NO_MOVES, Seeded
from tests.domain.callbreak.positions import chosen, hand
from tests.domain.play import PERSONS, Sitting, lobby, started

ACES = hand("AS AH AD AC 2S 4H 5H 6D 7D 8C 9C TC JC")
NO_TRUMP = hand("QH JH TD 2H 3H 7H 8H 2D 3D 4D 2C 3C 4C")
NO_COURT = hand("JS 4S 5S 3H 7H 9H TH 5D 8D 9D 5C 6C 7C")
NEITHER = hand("2H 3H 4H 5H 6H 7H 8H 2D 3D 4D 2C 3C 4C")
FINE = hand("KS KH 6S 7S 9H TH 5D 8D 9D 5C 6C 7C QC")
S = cards.SUITS.index("S")


def _reasons(*hands: int, dealer: int = 0, **values: Any) -> list[tuple[int, str]]:
    return list(rules.redeal_reasons(hands, dealer, S, chosen(**values)))


def test_cb_15_four_aces_forbid_the_set() -> None:
    assert _reasons(FINE, ACES, FINE, FINE) == [(1, "four_aces")]


def test_cb_15_three_aces_do_not() -> None:
    assert _reasons(FINE, ACES & ~hand("AC"), FINE, FINE) == []


def test_cb_15_a_hand_without_trump_forbids_the_set() -> None:
    assert _reasons(FINE, FINE, FINE, NO_TRUMP) == [(3, "no_trump")]


def test_cb_15_one_trump_is_enough() -> None:
    assert _reasons(FINE, FINE, FINE, NO_TRUMP | hand("2S")) == []


def test_cb_15_a_hand_without_ace_king_or_queen_forbids_the_set_and_a_jack_does_not_save_it() -> None:
    assert _reasons(NO_COURT, FINE, FINE, FINE) == [(0, "no_court")]


@pytest.mark.parametrize("court", ["AH", "KC", "QD"])
def test_cb_15_one_ace_king_or_queen_is_enough(court: str) -> None:
    assert _reasons(NO_COURT | hand(court), FINE, FINE, FINE) == []


def test_cb_15_the_jack_counts_with_court_ranks_akqj() -> None:
    assert _reasons(NO_COURT, FINE, FINE, FINE, court_ranks="AKQJ") == []


def test_cb_15_all_reasons_are_named_from_the_dealers_right_and_in_order_within_a_seat() -> None:
    found = _reasons(ACES & ~hand("2S AS") | hand("AS"), NEITHER, FINE, NO_COURT, dealer=1)
    assert found == [(3, "no_court"), (0, "four_aces"), (1, "no_trump"), (1, "no_court")]


def test_cb_15_only_the_reasons_of_the_option_count() -> None:
    assert _reasons(ACES, NEITHER, FINE, FINE, redeal=()) == []
    assert _reasons(ACES, NEITHER, FINE, FINE, redeal=("no_trump",)) == [(1, "no_trump")]


def test_cb_15_another_suit_may_be_trump() -> None:
    assert list(rules.redeal_reasons((FINE, FINE, FINE, NO_TRUMP), 0, cards.SUITS.index("H"), chosen())) == []


def _redealt(**texts: Any) -> Sitting:
    """A table whose first deal was forbidden."""
    for word in map(str, range(300)):
        sitting = started(word=word, dealer=0, **texts)
        if any(isinstance(event, DealVoided) for event in sitting.events):
            return sitting
    raise AssertionError("no redeal among three hundred deals")


def test_cb_15_the_reasons_and_the_hands_concerned_are_shown_and_nothing_else() -> None:
    sitting = _redealt()
    opened = sitting.events[0]
    hands = _hands(sitting, sitting.seeds[opened.commitment], dealer=0, deal=1)
    void = next(event for event in sitting.events if isinstance(event, DealVoided))
    assert void.reasons == rules.redeal_reasons(hands, 0, S, sitting.state.options)
    assert void.hands == tuple((seat, cards.cards(hands[seat])) for seat in dict(void.reasons))
    assert len(void.hands) < 4


def _hands(sitting: Sitting, seed: bytes, *, dealer: int, deal: int) -> tuple[int, ...]:
    pack = Seeded(seed, NO_MOVES).order(f"deal:{deal}", cards.PACK)
    return tuple(cards.mask(pack[(seat - dealer - 1) % 4 :: 4]) for seat in range(4))


def test_cb_15_the_next_dealer_deals_again_from_the_same_seed_under_the_next_label() -> None:
    sitting = _redealt()
    start = sitting.commits[-1].events
    assert [type(event) for event in start[:5]] == [Started, Dealt, DealVoided, SetEnded, Dealt]
    assert start[3] == SetEnded("redeal", void=True)
    assert start[4] == Dealt(1, 2)
    assert start[1].deal == 1
    last = [event for event in start if isinstance(event, Dealt)][-1]
    seed = sitting.seeds[sitting.events[0].commitment]
    assert sitting.state.set.hands == _hands(sitting, seed, dealer=last.dealer, deal=last.deal)
    assert sitting.state.set.turn == (last.dealer + 1) % 4


def test_cb_41_a_redeal_writes_no_row_and_reveals_no_seed() -> None:
    sitting = _redealt()
    assert not [event for event in sitting.events if isinstance(event, RowWritten | SeedRevealed)]
    assert sitting.state.rows == ()
    assert sitting.state.totals == (0, 0, 0, 0)
    assert sitting.state.scored == 0
    assert sitting.state.sets > 1


def test_cb_15_a_redeal_counts_as_a_set_of_its_own_in_the_rows() -> None:
    sitting = _redealt(max_sets="1", tie="shared")
    redeals = len([event for event in sitting.events if isinstance(event, DealVoided)])
    sitting.steady(lambda state: bool(state.rows))
    assert sitting.state.rows[0].set >= redeals


def test_cb_15_no_call_is_asked_for_in_a_forbidden_set() -> None:
    state = None
    sitting = _redealt()
    for event in sitting.events:
        state = table.fold(sitting.name, state, [event], sitting.unseal)
        if isinstance(event, DealVoided):
            assert state is not None
            assert rules.to_act(state.set) == ()
            assert not any(rules.legal(state.set, seat) for seat in range(4))
            return


def test_cb_15_in_last_card_mode_the_dealer_always_has_a_trump() -> None:
    for word in map(str, range(100)):
        for event in started(word=word, trump_mode="last_card").commits[-1].events:
            if isinstance(event, Dealt):
                dealer = event.dealer
            if isinstance(event, DealVoided):
                assert (dealer, "no_trump") not in event.reasons


def test_cb_15_about_13_of_100_deals_are_forbidden() -> None:
    found = 0
    for number in range(4000):
        pack = Seeded(number.to_bytes(4, "big"), NO_MOVES).order("deal:1", cards.PACK)
        hands = tuple(cards.mask(pack[seat::4]) for seat in range(4))
        found += bool(rules.redeal_reasons(hands, 3, S, chosen()))
    assert 0.115 < found / 4000 < 0.145


def test_cb_16_after_a_hundred_forbidden_deals_in_a_row_the_engine_gives_up() -> None:
    sitting = lobby()
    never = dataclasses.replace(sitting.state.rules, opening=lambda state: (SetEnded("redeal", void=True),))
    state = msgspec.structs.replace(sitting.state, rules=never)
    with pytest.raises(AssertionError, match="hundred"):
        decide(state, sitting.command(PERSONS[0], Start()))


def test_cb_16_ninety_nine_forbidden_deals_in_a_row_are_followed_by_another() -> None:
    sitting = lobby()
    deals = iter(range(1000))
    seldom = dataclasses.replace(
        sitting.state.rules, opening=lambda state: (SetEnded("redeal", void=True),) if next(deals) < 99 else ()
    )
    state = msgspec.structs.replace(sitting.state, rules=seldom)
    events = decide(state, sitting.command(PERSONS[0], Start(2)))
    assert [event for event in events if isinstance(event, Dealt)][-1] == Dealt((2 + 99) % 4, 100)


def test_the_hands_of_these_tests_have_thirteen_cards() -> None:
    assert ACES.bit_count() == NO_TRUMP.bit_count() == NO_COURT.bit_count() == NEITHER.bit_count() == 13
    assert FINE >> card_of("QC") & 1
