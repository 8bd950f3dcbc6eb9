"""Section 6: who sees what; and what a scene shows."""

from __future__ import annotations

import msgspec
import pytest

from domain import cards
from domain.cards import card_of
from domain.game import Setup
from domain.games.chinchon import CHINCHON, rules
from domain.games.chinchon.moves import notation
from domain.games.chinchon.scene import scene
from domain.games.chinchon.state import Set
from domain.games.chinchon.view import Observation, guess, observe
from domain.scene import Fact, Scene, Zone
from domain.shuffle import NO_MOVES, Seeded
from tests.domain.chinchon.positions import COMPLETE, LOOSE, TWO_SETS, cut_by, hand, moved, round_of, row
from tests.domain.play import started

OTHER = "3S 5D 7C 9H JS AH 2C"


def _zones(shown: Scene, name: str) -> list[Zone]:
    return [zone for zone in shown.zones if zone.name == name]


def _names(zone: Zone) -> str:
    return " ".join(placed.card for placed in zone.cards)


def _mentions(seen: Observation, card: str) -> bool:
    """Whether a card's number stands anywhere where an observation holds cards."""
    number = card_of(card)
    fields = {name: getattr(seen, name) for name in ("pile", "known", "hand", "taken", "drawn", "closing", "opened")}
    return f"{number}" in msgspec.json.encode(fields).decode().replace("[", ",").replace("]", ",").split(",")


def test_a_card_drawn_from_the_stock_is_seen_by_the_actor_alone() -> None:
    state, _ = moved(round_of(LOOSE, OTHER), "draw stock")
    assert observe(state, 0).drawn == card_of("8C")
    assert _mentions(observe(state, 0), "8C")
    for other in (1, None):
        seen = observe(state, other)
        assert not _mentions(seen, "8C")
        assert (seen.drew, seen.drawn, seen.left, seen.counts) == ("stock", -1, 4, (8, 7))


def test_a_card_taken_from_the_pile_is_seen_by_all_and_stays_known() -> None:
    state, _ = moved(round_of(LOOSE, OTHER), "draw pile")
    for other in (0, 1, None):
        assert observe(state, other).taken == card_of("3D")
    state, _ = moved(state, "discard KC")
    assert observe(state, 1).known == ((0, row("3D")),)
    assert [_names(zone) for zone in _zones(scene(observe(state, 1)), "known")] == ["3D"]
    assert _zones(scene(observe(state, 0)), "known") == []
    state, _ = moved(state, "draw stock", "discard 3S", "draw stock", "discard 3D")
    assert observe(state, 1).known == ()


def test_the_pile_below_its_top_is_shown_unless_the_option_hides_it() -> None:
    state = round_of(LOOSE, OTHER, pile="AC 4H 3D")
    assert observe(state, 1).pile == row("AC 4H 3D")
    assert _names(_zones(scene(observe(state, 1)), "pile")[0]) == "3D 4H AC"
    hidden = round_of(LOOSE, OTHER, pile="AC 4H 3D", pile_history="top_only")
    assert observe(hidden, 1).pile == row("3D")
    assert observe(hidden, 1).piled == 3
    taken, _ = moved(hidden, "draw pile", "discard KC")
    assert observe(taken, 1).known == ()


def test_after_a_reshuffle_its_order_is_seen_by_nobody() -> None:
    state, _ = moved(
        round_of(LOOSE, OTHER, stock="8C", pile="AC 3D"), "draw stock", "discard KC", source=Seeded(b"x", bytes(32))
    )
    for seat in (0, 1, None):
        seen = observe(state, seat)
        assert (seen.left, seen.pile, seen.reshuffles) == (3, (), 1)
        assert not _mentions(seen, "AC")


def test_the_own_hand_is_laid_out_by_melds_with_the_loose_cards_last() -> None:
    seen = observe(round_of("KD 5D 8S 5H 8H 5S 8D", OTHER), 0)
    assert seen.hand == row("5S 5H 5D 8S 8H 8D KD")
    assert seen.groups == (0, 3, 6)
    assert seen.loose == 10
    zone = _zones(scene(seen), "hand")[0]
    assert zone.private
    assert zone.groups == (0, 3, 6)
    assert Fact("loose", 10, private=True) in scene(seen).facts


def test_only_the_owner_learns_with_which_cards_he_may_cut() -> None:
    state, _ = moved(round_of(f"{TWO_SETS} KD", OTHER, stock="2D"), "draw stock")
    assert dict(observe(state, 0).cuts) == {card_of("KD"): 2, card_of("2D"): 10}
    assert observe(state, 1).cuts == observe(state, None).cuts == ()
    choices = [choice for choice in scene(observe(state, 0)).choices if choice.kind == "cut"]
    assert {(choice.move, choice.value, choice.note) for choice in choices} == {
        ("cut KD", "KD", "2"),
        ("cut 2D", "2D", "10"),
    }
    assert scene(observe(state, 1)).choices == scene(observe(state, None)).choices == ()


def test_a_chinchon_is_noted_beside_its_choice() -> None:
    state, _ = moved(round_of("2C 3C 4C 5C 6C 7C 8C", OTHER, stock="KD"), "draw stock")
    notes = {choice.move: choice.note for choice in scene(observe(state, 0)).choices}
    assert notes["cut KD"] == "chinchon"


def test_the_choices_are_the_legal_moves_those_of_a_kind_together() -> None:
    state = round_of(COMPLETE, OTHER)
    drawing = scene(observe(state, 0))
    assert [(choice.kind, choice.value) for choice in drawing.choices] == [("draw_stock", ""), ("draw_pile", "3D")]
    assert drawing.prompt == "draw"
    state, _ = moved(state, "draw stock")
    shedding = scene(observe(state, 0))
    assert shedding.prompt == "discard"
    assert {choice.move for choice in shedding.choices} == {notation(move) for move in rules.legal(state, 0)}
    kinds = [choice.kind for choice in shedding.choices]
    assert kinds == sorted(kinds, key=("discard", "cut").index)
    playable = [placed.card for placed in _zones(shedding, "hand")[0].cards if placed.playable]
    assert set(playable) == {*COMPLETE.split(), "8C"}


def test_a_spectator_sees_what_happened_and_no_hand() -> None:
    state, _ = moved(round_of(LOOSE, OTHER), "draw pile")
    shown = scene(observe(state, None))
    assert _zones(shown, "hand") == []
    assert shown.seats[0] == (Fact("took", "3D"),)
    assert not [fact for fact in shown.facts if fact.private]
    drew, _ = moved(round_of(LOOSE, OTHER), "draw stock")
    assert scene(observe(drew, None)).seats[0] == (Fact("drew_stock", 1),)


def test_a_seat_that_is_out_is_said_to_be() -> None:
    shown = scene(observe(round_of(LOOSE, "", OTHER), None))
    assert shown.seats[1] == (Fact("out", 1),)


def test_at_the_cut_everybody_sees_all_hands_their_melds_and_the_closing_card() -> None:
    state, _ = cut_by("4H 5H 6H 9S 9C 9D KD", "7H 2S 3D 5C TC QC AS", laying_off=True)
    for seat in (0, 1, None):
        shown = scene(observe(state, seat))
        assert [_names(zone) for zone in _zones(shown, "opened")] == ["4H 5H 6H 9S 9D 9C KD", "AS 2S 3D 5C TC QC"]
        assert [_names(zone) for zone in _zones(shown, "laid_off")] == ["7H"]
        assert [_names(zone) for zone in _zones(shown, "closing")] == ["JC"]
        assert shown.prompt == ""
        assert shown.choices == ()
        assert _zones(shown, "hand") == []


@pytest.mark.parametrize("history", ["on", "top_only"])
def test_a_guess_puts_every_card_somewhere_once_and_known_ones_where_they_are(history: str) -> None:
    sitting = started("chinchon", "guess", seats=3, persons=0, pile_history=history, jokers="2")
    for number in range(60):
        sitting.steady_move()
        if sitting.state.phase != "playing":
            break
        state: Set = sitting.state.set
        for seat in (0, 1, 2, None):
            seen = observe(state, seat)
            other = guess(seen, Seeded(str(number).encode(), NO_MOVES))
            assert observe(other, seat) == seen
            assert other.hands is not None
            assert other.stock is not None
            every = [*other.stock, *other.pile, *(card for held in other.hands for card in cards.cards(held))]
            setup = Setup(state.options, state.seats, state.dealer, 1)
            assert sorted(every) == sorted(CHINCHON.packs(setup)["deal:1"])
            for owner, held in seen.known:
                assert not cards.mask(held) & ~other.hands[owner]


def test_no_event_of_a_draw_from_the_stock_names_the_card() -> None:
    state, facts = moved(round_of(LOOSE, OTHER), "draw stock")
    assert msgspec.json.encode(facts) == b'[{"type":"chinchon.drew_stock","seat":0}]'
    assert state.drawn == card_of("8C")
    assert hand("8C") & (state.hands or (0,))[0]
