"""CB-20 to CB-22: calls."""

from __future__ import annotations

import pytest

from domain import cards
from domain.cards import card_of
from domain.events import Dealt, RowWritten, SeedRevealed
from domain.game import Rejected, SetEnded
from domain.games.callbreak import rules
from domain.games.callbreak.events import Called, DealerChecked
from domain.games.callbreak.moves import Call, PlayCard, notation
from tests.domain.callbreak.positions import called, dealt, refused
from tests.domain.play import started


@pytest.mark.parametrize("dealer", range(4))
def test_cb_20_the_seat_on_the_dealers_right_calls_first_and_the_dealer_last(dealer: int) -> None:
    state = dealt(dealer=dealer)
    order = []
    for number in (3, 2, 2, 2):
        order.append(state.turn)
        state, facts = called(state, number)
        assert facts == (Called(order[-1], number),)
    assert order == [(dealer + offset) % 4 for offset in (1, 2, 3, 4)]


def test_cb_20_nobody_calls_out_of_turn() -> None:
    state = dealt(dealer=0)
    for seat in (0, 2, 3):
        refusal = refused(state, seat, "call 4")
        assert (refusal.code, refusal.clause) == ("not_your_turn", "CB-20")


def test_cb_20_a_call_cannot_be_changed() -> None:
    """A move is taken back after something was drawn or revealed.

    Reports: terraforming-mars/terraforming-mars#5569, SWU-Petranaki/SWUOnline#304.
    """
    state, _ = called(dealt(dealer=0), 4)
    assert refused(state, 1, "call 5").code == "not_your_turn"
    state, _ = called(state, 3, 2, 2)
    refusal = refused(state, 1, "call 5")
    assert (refusal.code, refusal.clause) == ("calls_are_over", "CB-20")


def test_cb_20_no_card_is_played_before_all_have_called() -> None:
    state, _ = called(dealt(dealer=0), 4)
    refusal = refused(state, 2, "play TS")
    assert (refusal.code, refusal.clause) == ("calls_first", "CB-20")


def test_cb_20_calls_are_public_at_once() -> None:
    sitting = started(dealer=0)
    sitting.move(Call(4))
    caller = sitting.events[-2].seat
    for seat in (0, 1, 2, 3, None):
        assert sitting.state.rules.observe(sitting.state.set, seat).calls[caller] == 4


def test_cb_21_calls_go_from_one_to_thirteen() -> None:
    state = dealt()
    assert [notation(move) for move in rules.legal(state, 1)] == [f"call {number}" for number in range(1, 14)]


@pytest.mark.parametrize("number", [0, 14, 99])
def test_cb_21_a_call_out_of_range_is_refused_with_the_range(number: int) -> None:
    refusal = refused(dealt(), 1, f"call {number}")
    assert (refusal.code, refusal.clause) == ("call_out_of_range", "CB-21")
    assert refusal.values == {"low": 1, "high": 13}


def test_cb_21_the_options_narrow_the_range() -> None:
    state = dealt(min_call=2, max_call=8)
    assert [notation(move) for move in rules.legal(state, 1)] == [f"call {number}" for number in range(2, 9)]
    for number in (1, 9):
        assert refused(state, 1, f"call {number}").values == {"low": 2, "high": 8}


def test_cb_21_any_total_from_nine_up_is_allowed() -> None:
    _, facts = called(dealt(), 13, 13, 13, 13)
    assert facts == (Called(0, 13),)


def test_cb_22_a_total_below_nine_voids_the_set_and_shows_the_dealers_cards() -> None:
    state = dealt(dealer=2)
    assert state.hands is not None
    after, facts = called(state, 2, 2, 3, 1)
    assert facts == (Called(2, 1), DealerChecked(2, cards.cards(state.hands[2])), SetEnded("low_calls", void=True))
    assert rules.to_act(after) == ()
    assert after.opened == ((2, cards.cards(state.hands[2])),)


def test_cb_22_exactly_nine_is_played() -> None:
    state, facts = called(dealt(dealer=2), 2, 2, 3, 2)
    assert facts == (Called(2, 2),)
    assert state.turn == 3


@pytest.mark.parametrize(("least", "played"), [(0, True), (4, True), (5, False), (26, False)])
def test_cb_22_the_least_total_is_an_option(least: int, played: bool) -> None:
    _, facts = called(dealt(min_total_calls=least), 1, 1, 1, 1)
    assert (facts[-1] == SetEnded("low_calls", void=True)) != played


def test_cb_22_after_low_calls_the_next_dealer_deals_from_the_same_seed_and_no_row_is_written() -> None:
    sitting = started(dealer=1)
    deals, dealer = sitting.state.deals, sitting.state.dealer
    sitting.moves("call 1", "call 1", "call 1", "call 1")
    happened = sitting.commits[-1].events
    assert Dealt((dealer + 1) % 4, deals + 1) in happened
    assert not [event for event in sitting.events if isinstance(event, RowWritten | SeedRevealed)]
    assert sitting.state.totals == (0, 0, 0, 0)
    assert sitting.state.set.called == 0


def test_cb_22_the_calls_of_a_void_set_go_into_the_next_deal() -> None:
    """The digest of the public moves is part of the shuffle, so who does not know the seed cannot foresee the deal."""
    one, other = started(word="same", dealer=1), started(word="same", dealer=1)
    assert one.state.set.hands == other.state.set.hands
    one.moves("call 1", "call 1", "call 1", "call 1")
    other.moves("call 1", "call 1", "call 1", "call 2")
    assert one.state.set.hands != other.state.set.hands


def test_a_card_is_no_answer_to_a_call_that_is_not_in_turn() -> None:
    state = dealt(dealer=0)
    with pytest.raises(Rejected, match="not_your_turn"):
        rules.decide(state, 0, PlayCard(card_of("AS")))
