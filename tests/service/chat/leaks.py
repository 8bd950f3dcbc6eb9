"""A watch over a game of Call Break: who could see a card that is still in another's hand."""

from __future__ import annotations

import re
from collections.abc import Sequence

from domain import cards
from domain.table import Table
from service.sandbox.people import Person
from service.sandbox.state import Sight
from service.sandbox.world import World
from service.text import language, languages
from service.text.cards import FACES, LETTERS
from service.text.cards import card as shown

_LETTERS = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}
_SHOWN = re.compile(rf"(10|[{FACES}])([♠♥♦♣])")
_RANKS = {"10": "T", **{one: rank for letters in LETTERS.values() for rank, one in letters.items()}}
_NOTATION = re.compile(r"(?<![A-Za-z0-9])([2-9TJQKA][SHDC])(?![A-Za-z0-9])")
_EXAMPLE = re.compile(r"/play QS|\bQS, 10♥|“[^”]*”")


def held(state: Table, owners: Sequence[str]) -> dict[str, set[str]]:
    """The cards in each owner's hand now, in notation."""
    return {
        owner: {cards.name(card) for card in state.rules.observe(state.set, seat).hand or ()}
        for seat, owner in enumerate(seat.owner for seat in state.seats)
        if owner in owners
    }


def named(text: str) -> set[str]:
    """The cards that a text names, in notation; what callback data and links say too."""
    plain = _EXAMPLE.sub("", text)
    shown = {_RANKS.get(rank, rank) + _LETTERS[suit] for rank, suit in _SHOWN.findall(plain)}
    return shown | set(_NOTATION.findall(plain.replace("_", " ").replace("-", " ").replace(":", " ")))


def leaks(sights: Sequence[Sight], hands: dict[int, set[str]]) -> list[str]:
    """What somebody could see of a card that another (by his user id) holds to this moment."""
    return [
        f"{sight.user_id} saw {card}: {sight.text!r}"
        for sight in sights
        for user, cards_of in hands.items()
        if user != sight.user_id
        for card in sorted(named(sight.text) & cards_of)
    ]


def hands_of(state: Table, people: Sequence[Person], actors: Sequence[str]) -> dict[int, set[str]]:
    """The hands by user id; `actors` are those of the people, in their order."""
    by_actor = held(state, actors)
    return {person.id: by_actor[actor] for person, actor in zip(people, actors, strict=True)}


def assert_tight(world: World, hands: dict[int, set[str]]) -> None:
    """Nobody has seen what others hold; and the watch is awake: one sight more that names such a card is found."""
    found = leaks([sight for sight in world.sights if sight.user_id != world.bot.id], hands)
    assert found == [], found[:3]
    owner, other = list(hands)[:2]
    card = min(hands[owner])
    in_words = [f"You hold {shown(language(code), card)}" for code in languages()]
    for text in (*in_words, f"m:abc-1:7:play {card}", f"abc-1_7_play-{card}"):
        assert len(leaks([Sight(other, 1, "message", text)], hands)) == 1
