"""What happens in a round of Chinchón, as a stream holds it for ever."""

from __future__ import annotations

from typing import Literal

import msgspec

Seated = tuple[int, tuple[int, ...]]
"""A seat and cards of its own."""
Groups = tuple[tuple[int, ...], ...]
"""Cards in groups, as somebody lays them out."""
Wrong = Literal["", "not_a_meld", "card_in_two_melds", "complete", "no_cut"]
"""What is wrong with a hand as it is shown: a group that is no meld, a card in two of them; or, though all of it is
true, that nothing in the hand is loose (CH-51), or that the cutter shows less than a cut needs."""


class TurnedUp(msgspec.Struct, frozen=True, tag="chinchon.turned_up", omit_defaults=True):
    """The top card of the stock was turned up and starts the discard pile (CH-13)."""

    card: int


class DrewStock(msgspec.Struct, frozen=True, tag="chinchon.drew_stock", omit_defaults=True):
    """A seat drew the top card of the stock, unseen by the others (CH-21); `auto`: the clock drew for it (CH-70).

    `card`: what it drew where its hand lies open for everybody (CH-61), -1 where it does not."""

    seat: int
    auto: bool = False
    card: int = -1


class DrewPile(msgspec.Struct, frozen=True, tag="chinchon.drew_pile", omit_defaults=True):
    """A seat took the top card of the discard pile, as everybody saw (CH-21)."""

    seat: int
    card: int
    auto: bool = False


class Discarded(msgspec.Struct, frozen=True, tag="chinchon.discarded", omit_defaults=True):
    """A seat shed a card, and its turn ended (CH-22); `auto`: the clock did (CH-70)."""

    seat: int
    card: int
    auto: bool = False


class Reshuffled(msgspec.Struct, frozen=True, tag="chinchon.reshuffled", omit_defaults=True):
    """The stock had run out, and `count` cards of the discard pile became the new one (CH-25)."""

    count: int


class CutMade(msgspec.Struct, frozen=True, tag="chinchon.cut_made", omit_defaults=True):
    """A seat cut with the seven cards it kept; `card` is the closing card (CH-24, CH-41)."""

    seat: int
    card: int
    auto: bool = False


class CutFailed(msgspec.Struct, frozen=True, tag="chinchon.cut_failed", omit_defaults=True):
    """A seat cut with cards that do not allow it, and the round goes on (CH-61, `invalid_cut=play_on`): `card` lies on
    the pile, and the seven others, `cards`, lie open until the round ends."""

    seat: int
    card: int
    cards: tuple[int, ...]


class HandsShown(msgspec.Struct, frozen=True, tag="chinchon.hands_shown", omit_defaults=True):
    """After a cut all hands were opened, and now each player says which melds he has (CH-62)."""

    hands: tuple[Seated, ...]


class CardLaid(msgspec.Struct, frozen=True, tag="chinchon.card_laid", omit_defaults=True):
    """A seat put a card to the meld that it is laying out; nothing counts before it has shown all of them."""

    seat: int
    card: int


class MeldLaid(msgspec.Struct, frozen=True, tag="chinchon.meld_laid", omit_defaults=True):
    """A seat goes on to its next meld."""

    seat: int


class LaidBack(msgspec.Struct, frozen=True, tag="chinchon.laid_back", omit_defaults=True):
    """A seat took back what it had laid out."""

    seat: int


class MeldsShown(msgspec.Struct, frozen=True, tag="chinchon.melds_shown", omit_defaults=True):
    """A seat showed its melds (CH-62), and what is wrong with them."""

    seat: int
    groups: Groups
    wrong: Wrong = ""
    auto: bool = False


class HandsOpened(msgspec.Struct, frozen=True, tag="chinchon.hands_opened", omit_defaults=True):
    """After a cut all hands were opened, with the melds that count and what was laid off on the cutter's (CH-50)."""

    hands: tuple[Seated, ...]
    melds: tuple[tuple[int, tuple[tuple[int, ...], ...]], ...]
    laid_off: tuple[Seated, ...] = ()


class SeatGone(msgspec.Struct, frozen=True, tag="chinchon.seat_gone", omit_defaults=True):
    """The clock plays a seat until the round ends: its owner has left or was late too often (CH-71)."""

    seat: int


class SeatBack(msgspec.Struct, frozen=True, tag="chinchon.seat_back", omit_defaults=True):
    """A seat's owner is back before the round has ended (CH-71)."""

    seat: int


Laying = CardLaid | MeldLaid | LaidBack
Rare = (
    TurnedUp | Reshuffled | CutMade | CutFailed | HandsShown | Laying | MeldsShown | HandsOpened | SeatGone | SeatBack
)
Event = DrewStock | DrewPile | Discarded | Rare
EVENTS: tuple[type, ...] = Event.__args__
