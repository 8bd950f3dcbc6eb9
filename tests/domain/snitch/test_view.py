"""SN-65: who sees what; and what a scene shows."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from domain.games.snitch import SNITCH, rules
from domain.games.snitch.moves import notation
from domain.games.snitch.pack import PACK
from domain.games.snitch.state import evolve
from domain.games.snitch.view import guess, observe, scene, unseen
from domain.scene import Fact, Scene, Zone
from domain.shuffle import NO_MOVES, Seeded
from tests.domain.play import started
from tests.domain.snitch.positions import LOOSE, moved, round_of, row

STACKS = {0: ["AS AH"], 1: ["7S 7H", "KC KD"]}


def _zones(shown: Scene, name: str) -> list[Zone]:
    return [zone for zone in shown.zones if zone.name == name]


def _names(zone: Zone) -> str:
    return " ".join(placed.card for placed in zone.cards)


def test_sn_65_top_sets_are_shown_and_of_what_lies_beneath_the_number() -> None:
    for seat in (None, 0, 1, 2):
        shown = scene(observe(round_of("9D KS 2S", "4S 8H JD", LOOSE, stacks=STACKS), seat))
        assert [(zone.owner, _names(zone)) for zone in _zones(shown, "set")] == [(0, "AS AH"), (1, "KC KD")]
        assert shown.seats[1] == (Fact("cards", 3), Fact("beneath", 1))
        assert shown.seats[0] == shown.seats[2] == (Fact("cards", 3),)
        every = msgspec.json.encode(shown)
        assert b"7S" not in every
        assert b"7H" not in every


def test_sn_65_points_are_shown_only_by_the_option_or_at_the_end() -> None:
    closed = round_of("9D", "", "", stock="", stacks=STACKS)
    assert not [fact for facts in scene(observe(closed, 1)).seats for fact in facts if fact.name == "points"]
    opened = round_of("9D", "", "", stock="", stacks=STACKS, open_points=True)
    assert [facts[-1] for facts in scene(observe(opened, 1)).seats] == [
        *(Fact("points", 30), Fact("points", 30), Fact("points", 0))
    ]
    over, _ = moved(closed, "discard 9D")
    shown = scene(observe(over, None))
    assert [facts[-1] for facts in shown.seats] == [Fact("points", 30), Fact("points", 30), Fact("points", 0)]
    assert [(zone.owner, _names(zone), zone.groups) for zone in _zones(shown, "sets")] == [
        (0, "AS AH", (0,)),
        (1, "7S 7H KC KD", (0, 2)),
    ]
    assert (shown.prompt, shown.choices) == ("", ())


def test_sn_65_only_the_top_discard_lies_open() -> None:
    shown = scene(observe(round_of("9D KS 2S", "4S 8H JD", LOOSE, pile="3S 9S"), None))
    assert [_names(zone) for zone in _zones(shown, "pile")] == ["9S"]
    assert _zones(scene(observe(round_of("9D KS 2S", "4S 8H JD", LOOSE, pile=""), None)), "pile") == []


def test_sn_65_a_hand_and_what_it_draws_are_its_owners() -> None:
    state, _ = moved(round_of("9D KS 2S", "4S 8H JD", LOOSE), "discard 9D")
    assert _names(_zones(scene(observe(state, 0)), "hand")[0]) == "5C KS 2S"
    for seat in (1, 2, None):
        seen = observe(state, seat)
        assert row("5C")[0] not in (*(seen.hand or ()), *seen.discards, *seen.laid, *seen.removed)
        assert b"5C" not in msgspec.json.encode(SNITCH.scene(seen))


def test_a_hand_is_shown_by_rank_with_the_wild_cards_last() -> None:
    shown = scene(observe(round_of("X1 3C 2H", "4S 8H JD", LOOSE), 0))
    (hand,) = _zones(shown, "hand")
    assert _names(hand) == "3C 2H X1"
    assert hand.private


def test_the_choices_are_the_legal_moves_those_of_a_kind_together() -> None:
    state = round_of("9D KS 2S", "4S 8H JD", LOOSE, stacks=STACKS)
    shown = scene(observe(state, 0))
    assert sorted(choice.move for choice in shown.choices) == sorted(map(notation, rules.legal(state, 0)))
    assert [choice.value for choice in shown.choices if choice.kind == "discard"] == ["9D", "KS", "2S"]
    assert shown.prompt == "turn"
    found = {choice.move: (choice.kind, choice.value, choice.note) for choice in shown.choices}
    assert found["discard KS"] == ("discard", "KS", "")
    assert found["set 9D 2S"] == ("set", "9D 2S", "")
    assert found["take 9D"] == ("take", "9D 9S", "")
    assert found["challenge 1 KS"] == ("challenge", "KS", "1")
    kinds = list(dict.fromkeys(choice.kind for choice in shown.choices))
    assert [choice.kind for choice in shown.choices] == sorted((c.kind for c in shown.choices), key=kinds.index)


@pytest.mark.parametrize("hand", ["KH 2H 7D", "3S 4S 5S"])
def test_sn_71_a_defender_always_has_the_choice_to_give_up(hand: str) -> None:
    state, _ = moved(round_of("KS 2S X1", hand, LOOSE, stacks=STACKS), "challenge 1 KS")
    own = scene(observe(state, 1))
    assert own.prompt == "defend"
    assert own.choices[-1].kind == "yield"
    for seat in (0, 2, None):
        assert scene(observe(state, seat)).choices == ()
        assert Fact("challenged", 1) in scene(observe(state, seat)).facts
    state, _ = moved(round_of("KS 3D 4D", "KH 2H 7D", LOOSE, stacks=STACKS), "challenge 1 KS", "defend KH")
    assert [choice.kind for choice in scene(observe(state, 0)).choices] == ["stop"]
    assert scene(observe(state, 0)).prompt == "press"


def test_who_has_left_is_said_to_be_out_and_sees_no_hand() -> None:
    state = round_of("9D KS 2S", "4S 8H JD", LOOSE, stacks=STACKS)
    for fact in rules.gone(state, 1, "left"):
        state = evolve(state, fact)
    shown = scene(observe(state, 1))
    assert shown.seats[1] == (Fact("out", 1),)
    assert _zones(shown, "hand") == []


def test_a_guess_puts_every_card_somewhere_once_and_known_ones_where_they_are() -> None:
    sitting = started("snitch", "guess", seats=5, persons=0)
    for number in range(90):
        if sitting.state.phase != "playing":
            break
        state = sitting.state.set
        for seat in (0, 3, None):
            seen = observe(state, seat)
            other = guess(seen, Seeded(str(number).encode(), NO_MOVES))
            assert observe(other, seat) == seen
            assert other.hands is not None
            assert other.stock is not None
            assert tuple(map(len, other.hands)) == other.counts
            lying = [card for stack in other.stacks for laid in stack for card in laid]
            held = [card for hand in other.hands for card in hand]
            every = Counter([*other.stock, *held, *lying, *other.discards, *other.laid, *other.removed])
            assert every == Counter(PACK)
            assert len(unseen(seen)) == len(other.stock) + sum(other.counts) - len(seen.hand or ())
        sitting.steady_move()


def test_no_event_names_a_card_that_was_drawn() -> None:
    state = round_of("9D KS 2S", "4S 8H JD", LOOSE, stacks=STACKS)
    _, facts = moved(state, "set 9D 2S")
    assert msgspec.json.encode(facts) == b'[{"type":"snitch.set_laid","seat":0,"cards":[33,0],"drew":2}]'
