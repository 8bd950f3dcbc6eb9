"""Section 8: the example of the source, replayed; what its pictures would say is chosen so that it can be played."""

from __future__ import annotations

import msgspec

from domain import cards
from domain.game import SetEnded, Setup
from domain.games.chitchat import rules, sequence, view
from domain.games.chitchat.moves import read
from domain.games.chitchat.options import Options
from domain.games.chitchat.pack import PACK
from domain.games.chitchat.state import PointMade, Set, evolve, start
from domain.shuffle import Given
from tests.domain.chitchat.positions import after, at, hand, listed, shown

RICHARD, KAREN = 0, 1
RICHARDS = "2H 3H 3D 4H 5H 6H"  # six cards, no spade, no red ace, no 2D (three of them are ours)
KARENS = "3S AS 6D 6H 2H 5S"


def _dealt() -> Set:
    """The deal of the example: Karen deals, 2S is turned, Richard will draw 2D first."""
    richards, karens = (list(map(cards.card_of, text.split())) for text in (RICHARDS, KARENS))
    dealt = [card for pair in zip(richards, karens, strict=True) for card in pair]
    pile = [cards.card_of(name) for name in ("2S", "2D", "4D")]
    rest = list(PACK)
    for card in (*dealt, *pile):
        rest.remove(card)
    kings = tuple(cards.card_of(name) for name in ("KS", "KH", "KD"))
    pack = (*dealt, *pile, *rest)
    state = start(Setup(Options(), 2, KAREN, 1), Given({"deal:1": pack, "pets:1": kings}))
    return evolve(state, rules.opening(state)[0])


def test_the_first_three_turns() -> None:
    state = _dealt()
    assert state.turn == RICHARD
    assert listed(state)[0] == "talk 2H"
    assert all(move.startswith(("talk 2", "change")) for move in listed(state))  # "only small talk with 2H, or change"

    state = after(state, "talk 2H")
    assert cards.card_of("2D") in (state.hands or ((), ()))[RICHARD]
    state = after(state, "argue 3S")
    assert shown(state.seq) == "2S 2H0 3S1^"

    assert not any(move.startswith("argue") for move in listed(state))  # "no spades with which to block"
    assert {"talk 3H", "talk 3D", "change 2D 3D"} <= set(listed(state))
    state = after(state, "change 2D 3D")
    assert shown(state.seq) == "2D0 3D0^"
    assert state.counts == (5, 6)
    assert sorted(cards.name(card) for card in state.discards) == ["2H", "2S", "3S"]


def test_even_the_ace_would_have_stepped_after_small_talk() -> None:
    assert shown(after(_dealt(), "talk 2H", "argue AS").seq) == "2S 2H0 AS1^"


def test_the_point_in_hearts() -> None:
    """From the change to hearts on: who laid the two cards that made hearts the topic is not told."""
    state = at("3H0 4H1", "2H 6H 5H 5S", "5H 6H AH AD", turn=KAREN, pets="KS KH KD")
    for move, threat in (
        ("argue 2H", None),  # Karen continues the argument
        ("argue 5H", None),  # Richard blocks
        ("talk 5S", None),
        ("argue 6H", RICHARD),
        ("argue 6H", None),  # Karen has the other six
        ("talk AD", None),
        ("argue 5H", KAREN),
    ):
        state = after(state, move)
        assert sequence.threat(state.seq) == threat, move
    assert view.observe(state, None).beat == 5

    out = [cards.name(laid.card) for laid in state.seq]
    assert out.count("6H") == 2
    assert out.count("5H") == 2  # nothing that blocks is left
    state = msgspec.structs.replace(state, hands=(hand("2D 3D AH"), (state.hands or ((), ()))[KAREN]))
    facts = rules.decide(state, RICHARD, read("argue AH"))
    assert facts[0] == PointMade(KAREN, cards.card_of("6H"))
    assert not any(isinstance(fact, SetEnded) for fact in facts)  # one point more in hearts will win
    state = after(state, "argue AH")
    assert shown(state.seq) == "5H1 AH0"
    assert state.points == ((), (cards.card_of("6H"),))


def test_richard_could_have_threatened_with_the_ace() -> None:
    state = at("4H1^ 2H1 5H0^ 5S1", "6H AH", turn=RICHARD)
    for move in ("argue 6H", "argue AH"):
        assert sequence.threat(after(state, move).seq) == RICHARD
