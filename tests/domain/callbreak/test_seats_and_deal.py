"""CB-1 to CB-6 and CB-10 to CB-13: seats, the first dealer, the deal, trump."""

from __future__ import annotations

import pytest

from domain import cards, table
from domain.cards import card_of
from domain.commands import AddComputer, CutDeck, Join, Start
from domain.events import Dealt, DeckCut, Opened, RowWritten, SeedRevealed, Started
from domain.game import Rejected, Setup
from domain.games.callbreak import rules
from domain.games.callbreak.events import TrumpShown
from domain.games.callbreak.state import start
from domain.shuffle import NO_MOVES, Given, Seeded, commitment, digest_of
from tests.domain.callbreak.positions import PLAYABLE, allowed, called, chosen, dealt, pack_of
from tests.domain.play import PERSONS, lobby, started


@pytest.mark.parametrize("seats", [1, 2, 3])
def test_cb_1_a_game_of_fewer_than_four_cannot_start(seats: int) -> None:
    sitting = lobby(seats=seats)
    with pytest.raises(Rejected, match="need_4_players") as refusal:
        sitting.do(PERSONS[0], Start())
    assert refusal.value.values["seats"] == seats


def test_cb_1_a_fifth_player_finds_no_seat() -> None:
    sitting = lobby()
    with pytest.raises(Rejected, match="table_full"):
        sitting.do(PERSONS[4], Join())
    with pytest.raises(Rejected, match="table_full"):
        sitting.do(PERSONS[0], AddComputer())


def test_cb_2_calls_play_and_deal_go_to_the_seat_on_the_right() -> None:
    state = dealt(dealer=2)
    turns = []
    for _ in range(4):
        turns.append(state.turn)
        state, _facts = called(state, 3)
    assert turns == [3, 0, 1, 2]
    assert rules.next_dealer(3) == 0


def test_cb_3_the_pack_has_52_cards_and_the_ace_is_high() -> None:
    state = dealt()
    assert state.hands is not None
    everything = [card for held in state.hands for card in cards.cards(held)]
    assert sorted(everything) == list(range(52))
    assert [cards.name(card)[0] for card in range(13)] == list("23456789TJQKA")


def test_cb_5_the_host_may_name_the_first_dealer() -> None:
    sitting = started(dealer=3)
    assert Started("host", 3) in sitting.events
    assert sitting.state.dealer == 3 or any(isinstance(event, Dealt) and event.deal > 1 for event in sitting.events)


def test_cb_5_a_dealer_that_is_no_seat_is_refused() -> None:
    with pytest.raises(Rejected, match="no_such_seat"):
        lobby().do(PERSONS[0], Start(4))


def test_cb_5_otherwise_the_first_dealer_comes_from_the_seed() -> None:
    found = set()
    for word in map(str, range(12)):
        sitting = started(word=word)
        first = next(event for event in sitting.events if isinstance(event, Started))
        opened = sitting.events[0]
        assert isinstance(opened, Opened)
        seed = sitting.seeds[opened.commitment]
        assert first == Started("random", Seeded(seed, NO_MOVES).order("dealer", range(4))[0])
        found.add(first.dealer)
    assert found == {0, 1, 2, 3}


def test_cb_6_the_score_sheet_has_one_row_a_set_and_totals_are_its_sums() -> None:
    sitting = started(max_sets="3", tie="shared", persons=0).steady()
    rows = [event for event in sitting.events if isinstance(event, RowWritten)]
    assert len(rows) == 3
    assert [row.values for row in sitting.state.rows] == [row.values for row in rows]
    assert sitting.state.totals == tuple(sum(row.values[seat] or 0 for row in rows) for seat in range(4))


@pytest.mark.parametrize("dealer", range(4))
def test_cb_10_cards_go_round_one_at_a_time_and_the_last_to_the_dealer(dealer: int) -> None:
    pack = Seeded(b"any", NO_MOVES).order("deal:1", cards.PACK)
    state = start(Setup(chosen(), 4, dealer, 1), Given({"deal:1": pack}))
    assert state.hands is not None
    for index, card in enumerate(pack):
        assert state.hands[(dealer + 1 + index) % 4] >> card & 1
    assert state.hands[dealer] >> pack[-1] & 1


def test_cb_11_the_deal_follows_from_the_committed_seed_the_cuts_and_the_label() -> None:
    sitting = started(cuts={1: 17, 3: 0}, dealer=0)
    opened = sitting.events[0]
    assert isinstance(opened, Opened)
    seed = sitting.seeds[opened.commitment]
    assert commitment(seed) == opened.commitment
    assert [event for event in sitting.events if isinstance(event, DeckCut)] == [DeckCut(1, 17), DeckCut(3, 0)]
    digest = digest_of(digest_of(NO_MOVES, "1 cut_deck 17"), "3 cut_deck 0")
    deals = [event for event in sitting.events if isinstance(event, Dealt)]
    expected = start(Setup(sitting.state.options, 4, deals[-1].dealer, deals[-1].deal), Seeded(seed, digest))
    assert sitting.state.set.hands == expected.hands


def test_cb_11_a_cut_changes_the_deal() -> None:
    hands = {started(word="cut", cuts={0: number}, dealer=0).state.set.hands for number in range(5)}
    assert len(hands) == 5


@pytest.mark.parametrize("number", [-1, 52, 1000])
def test_cutting_takes_a_number_from_0_to_51(number: int) -> None:
    with pytest.raises(Rejected, match="cut_out_of_range"):
        lobby().do(PERSONS[0], CutDeck(number))


def test_a_player_cuts_once_and_only_before_the_first_deal() -> None:
    sitting = lobby()
    sitting.do(PERSONS[0], CutDeck(5))
    with pytest.raises(Rejected, match="already_cut"):
        sitting.do(PERSONS[0], CutDeck(6))
    sitting.do(PERSONS[0], Start())
    with pytest.raises(Rejected, match="already_started"):
        sitting.do(PERSONS[1], CutDeck(6))


def test_cb_11_each_scored_set_has_a_seed_of_its_own_committed_before_its_deal() -> None:
    sitting = started(persons=0, max_sets="3", tie="shared").steady()
    promised = [event.commitment for event in sitting.events if getattr(event, "commitment", b"")]
    revealed = [commitment(event.seed) for event in sitting.events if isinstance(event, SeedRevealed)]
    assert revealed == promised[:3]
    assert len(set(promised)) == len(promised)


def test_cb_12_spades_are_trump_unless_another_suit_is_chosen() -> None:
    assert cards.SUITS[dealt().trump] == "S"
    assert cards.SUITS[dealt(fixed_trump="H").trump] == "H"
    assert dealt().shown == -1


def test_cb_12_the_dealer_shows_the_last_card_which_makes_trump_and_stays_in_his_hand() -> None:
    pack = pack_of(PLAYABLE, 3)
    state = start(Setup(chosen(trump_mode="last_card"), 4, 3, 1), Given({"deal:1": pack}))
    assert rules.opening(state)[0] == TrumpShown(3, pack[-1])
    assert cards.name(pack[-1]) == "2C"
    assert cards.SUITS[state.trump] == "C"
    assert state.hands is not None
    assert state.hands[3] >> pack[-1] & 1


def test_cb_12_everybody_sees_the_shown_card_and_its_holder_before_the_calls() -> None:
    sitting = started(trump_mode="last_card")
    shown = [event for event in sitting.events if isinstance(event, TrumpShown)][-1]
    for seat in (0, 1, 2, 3, None):
        seen = table.observe(sitting.state, seat).set
        assert (seen.shown, seen.dealer, seen.called) == (shown.card, shown.seat, 0)
        assert seen.trump == cards.suit(shown.card)


def test_cb_12_trump_is_drawn_anew_with_every_redeal() -> None:
    for word in map(str, range(200)):
        sitting = started(word=word, trump_mode="last_card")
        shown = [event for event in sitting.events if isinstance(event, TrumpShown)]
        deals = [event for event in sitting.events if isinstance(event, Dealt)]
        assert len(shown) == len(deals)
        if len(deals) > 1:
            assert [event.seat for event in shown] == [event.dealer for event in deals]
            return
    raise AssertionError("no redeal among two hundred deals")


def test_cb_13_a_trump_beats_an_ace_of_another_suit_and_spades_may_be_plain() -> None:
    ace, two = card_of("AS"), card_of("2H")
    assert rules.trick_winner([(0, ace), (1, two)], cards.SUITS.index("H")) == 1
    assert rules.trick_winner([(0, two), (1, ace)], cards.SUITS.index("S")) == 1
    assert rules.trick_winner([(0, two), (1, ace)], cards.SUITS.index("D")) == 0
    assert allowed("AS 2H 5C", "KS", trump="H") == {"AS"}
