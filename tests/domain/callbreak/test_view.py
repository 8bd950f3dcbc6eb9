"""Section 6: who sees what; states that fit an observation; what is shown of one."""

from __future__ import annotations

import random

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from domain import cards, table
from domain.cards import SUIT_MASK, card_of
from domain.games.callbreak import offences, rules, view
from domain.games.callbreak.state import Set
from domain.shuffle import NO_MOVES, Seeded
from tests.domain.callbreak.positions import called, dealt, hand
from tests.domain.play import Sitting, started


@st.composite
def tables(draw: st.DrawFn) -> Sitting:
    """A table somewhere in its first sets, under all rules of play."""
    sitting = started(
        word=str(draw(st.integers(0, 10**6))),
        trump_mode=draw(st.sampled_from(["fixed", "last_card"])),
        must_trump=draw(st.sampled_from(["always", "if_beats", "never"])),
        must_beat=draw(st.sampled_from(["true", "false"])),
        min_total_calls="0",
    )
    rng = random.Random(draw(st.integers(0, 10**6)))
    for _ in range(draw(st.integers(0, 60))):
        sitting.any_move(rng)
    return sitting


def _initial(state: Set) -> list[int]:
    """The hands as they were dealt, of a state with all its plays."""
    assert state.hands is not None
    hands = list(state.hands)
    for play in offences.plays(state):
        hands[play.seat] |= 1 << play.card
    return hands


@settings(max_examples=60, deadline=None)
@given(sitting=tables(), choice=st.integers(0, 10**6))
def test_a_guess_deals_the_whole_pack_and_every_play_was_legal(sitting: Sitting, choice: int) -> None:
    state: Set = sitting.state.set
    for seat in (0, 1, 2, 3, None):
        seen = view.observe(state, seat)
        other = view.guess(seen, Seeded(str(choice).encode(), NO_MOVES))
        hands = _initial(other)
        assert [held.bit_count() for held in hands] == [13] * 4
        assert hands[0] | hands[1] | hands[2] | hands[3] == cards.mask(cards.PACK)
        assert view.observe(other, seat) == seen
        if state.shown >= 0:
            assert hands[state.dealer] >> state.shown & 1
        for _, player, card, led, top in offences.plays(seen):
            assert rules.legal_hand(hands[player], led, top, seen.trump, seen.options) >> card & 1
            hands[player] &= ~(1 << card)


@settings(max_examples=40, deadline=None)
@given(sitting=tables(), choice=st.integers(0, 10**6))
def test_a_guess_is_no_hand_that_forbids_the_set_if_it_can_be_helped(sitting: Sitting, choice: int) -> None:
    seen = view.observe(sitting.state.set, 0)
    other = view.guess(seen, Seeded(str(choice).encode(), NO_MOVES))
    assert not rules.redeal_reasons(_initial(other), seen.dealer, seen.trump, seen.options)


def test_guesses_differ_in_what_is_unknown() -> None:
    seen = view.observe(dealt(), 1)
    guesses = {view.guess(seen, Seeded(bytes([number]), NO_MOVES)).hands for number in range(10)}
    assert len(guesses) == 10
    assert {hands[1] for hands in guesses if hands} == {cards.mask(seen.hand or ())}


def test_who_did_not_follow_is_not_given_the_suit() -> None:
    for word in map(str, range(20)):
        sitting = started(word=word, min_total_calls="0")
        rng = random.Random(1)
        sitting.random(rng, lambda state: len(state.set.tricks) == 5)
        seen = view.observe(sitting.state.set, 0)
        other = view.guess(seen, Seeded(b"any", NO_MOVES))
        assert other.hands is not None
        for _, seat, card, led, _ in offences.plays(seen):
            if led >= 0 and card // 13 != led // 13 and seat != 0:
                assert not other.hands[seat] & SUIT_MASK[led // 13]


def test_a_seat_sees_its_own_hand_and_the_others_counts() -> None:
    state, _ = called(dealt(dealer=0), 3, 3, 3, 3)
    for seat in range(4):
        seen = view.observe(state, seat)
        assert state.hands is not None
        assert seen.hand == cards.cards(state.hands[seat])
        assert seen.counts == (13, 13, 13, 13)


def test_a_spectator_sees_no_hand_and_no_hints() -> None:
    seen = view.observe(dealt(), None)
    assert (seen.hand, seen.legal) == (None, ())


def test_hints_are_for_the_player_to_act_alone() -> None:
    state, _ = called(dealt(dealer=0), 3, 3, 3, 3)
    assert [bool(view.observe(state, seat).legal) for seat in range(4)] == [False, True, False, False]


def test_the_dealers_cards_are_shown_to_all_after_low_calls_and_no_others() -> None:
    state, _ = called(dealt(dealer=2), 1, 1, 1, 1)
    assert state.hands is not None
    for seat in (0, 3, None):
        assert view.observe(state, seat).opened == ((2, cards.cards(state.hands[2])),)


def test_old_tricks_may_be_read_again_by_all() -> None:
    sitting = started(persons=0, min_total_calls="0").steady(lambda state: len(state.set.tricks) == 6)
    for seat in (0, None):
        assert view.observe(sitting.state.set, seat).tricks == sitting.state.set.tricks


def test_a_hand_is_sorted_by_suits_of_alternating_colours_high_cards_first() -> None:
    row, groups = view.suited(cards.cards(hand("2S AS KH 3C TC 9D AD")))
    assert [cards.name(card) for card in row] == ["AS", "2S", "KH", "TC", "3C", "AD", "9D"]
    assert groups == (0, 2, 3, 5)


def test_a_hand_without_a_suit_has_no_gap_for_it() -> None:
    assert view.suited(cards.cards(hand("KH 3C"))) == ((card_of("KH"), card_of("3C")), (0, 1))
    assert view.suited(()) == ((), ())


def test_the_scene_has_the_trick_the_hand_and_the_choices_of_the_player_to_act() -> None:
    sitting = started(persons=0, min_total_calls="0").steady(
        lambda state: len(state.set.tricks) == 2 and len(state.set.trick) == 2
    )
    state = sitting.state.set
    scene = view.scene(view.observe(state, state.turn))
    zones = {zone.name: zone for zone in scene.zones}
    assert list(zones) == ["trick", "last_trick", "hand"]
    assert [placed.card for placed in zones["trick"].cards] == [cards.name(card) for card in state.trick]
    assert [placed.by for placed in zones["trick"].cards] == [state.leader, (state.leader + 1) % 4]
    assert zones["last_trick"].owner == state.tricks[-1].winner
    playable = [placed.card for placed in zones["hand"].cards if placed.playable]
    assert [choice.move for choice in scene.choices] == [f"play {card}" for card in playable]
    assert playable
    assert scene.prompt == "play"
    facts = {fact.name: fact.value for fact in scene.facts}
    assert facts == {"trump": "S", "trick_number": 3, "dealer": state.dealer}


def test_the_scene_of_the_calls_offers_numbers() -> None:
    scene = view.scene(view.observe(dealt(dealer=0, max_call=3, min_total_calls=0), 1))
    assert [(choice.move, choice.kind, choice.value) for choice in scene.choices] == [
        ("call 1", "number", "1"),
        ("call 2", "number", "2"),
        ("call 3", "number", "3"),
    ]
    assert scene.prompt == "calls"


def test_the_scene_shows_the_trump_card_with_its_holder() -> None:
    sitting = started(trump_mode="last_card")
    scene = view.scene(view.observe(sitting.state.set, None))
    zone = next(zone for zone in scene.zones if zone.name == "trump_card")
    assert [placed.card for placed in zone.cards] == [cards.name(sitting.state.set.shown)]
    assert zone.owner == sitting.state.set.dealer


def test_the_view_of_a_table_tells_who_is_waited_for_and_until_when() -> None:
    sitting = started(dealer=0)
    seen = table.observe(sitting.state, None)
    assert seen.waiting == (sitting.asked(),)
    assert seen.due == sitting.time + 86_400_000
    assert seen.commitment == sitting.events[0].commitment.hex()
    assert seen.set is not None
    assert msgspec.json.encode(seen.set)
