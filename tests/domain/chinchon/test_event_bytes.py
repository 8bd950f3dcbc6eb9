"""The stored form of every event of Chinchón, byte for byte: what is in a stream stays readable for ever."""

from __future__ import annotations

from typing import Any

import pytest

from domain import events
from domain.games.chinchon import CHINCHON
from domain.games.chinchon.events import (
    CardLaid,
    CutFailed,
    CutMade,
    Discarded,
    DrewPile,
    DrewStock,
    HandsOpened,
    HandsShown,
    LaidBack,
    MeldLaid,
    MeldsShown,
    Reshuffled,
    SeatBack,
    SeatGone,
    TurnedUp,
)

PINNED: tuple[tuple[Any, str], ...] = (
    (TurnedUp(3), '{"type":"chinchon.turned_up","card":3}'),
    (DrewStock(0), '{"type":"chinchon.drew_stock","seat":0}'),
    (DrewStock(1, True), '{"type":"chinchon.drew_stock","seat":1,"auto":true}'),
    (DrewStock(1, False, 7), '{"type":"chinchon.drew_stock","seat":1,"card":7}'),
    (DrewPile(2, 51), '{"type":"chinchon.drew_pile","seat":2,"card":51}'),
    (DrewPile(2, 51, True), '{"type":"chinchon.drew_pile","seat":2,"card":51,"auto":true}'),
    (Discarded(3, 52), '{"type":"chinchon.discarded","seat":3,"card":52}'),
    (Discarded(3, 0, True), '{"type":"chinchon.discarded","seat":3,"card":0,"auto":true}'),
    (Reshuffled(38), '{"type":"chinchon.reshuffled","count":38}'),
    (CutMade(1, 14), '{"type":"chinchon.cut_made","seat":1,"card":14}'),
    (CutMade(1, 14, True), '{"type":"chinchon.cut_made","seat":1,"card":14,"auto":true}'),
    (CutFailed(1, 14, (1, 2)), '{"type":"chinchon.cut_failed","seat":1,"card":14,"cards":[1,2]}'),
    (HandsShown(((0, (1, 2)), (2, (3,)))), '{"type":"chinchon.hands_shown","hands":[[0,[1,2]],[2,[3]]]}'),
    (CardLaid(1, 14), '{"type":"chinchon.card_laid","seat":1,"card":14}'),
    (MeldLaid(1), '{"type":"chinchon.meld_laid","seat":1}'),
    (LaidBack(1), '{"type":"chinchon.laid_back","seat":1}'),
    (MeldsShown(1, ((1, 2, 3),)), '{"type":"chinchon.melds_shown","seat":1,"groups":[[1,2,3]]}'),
    (
        MeldsShown(1, (), "complete", True),
        '{"type":"chinchon.melds_shown","seat":1,"groups":[],"wrong":"complete","auto":true}',
    ),
    (
        HandsOpened(((0, (1, 2, 3)), (2, (4, 5))), ((0, ((1, 2, 3),)), (2, ())), ((2, (4,)),)),
        '{"type":"chinchon.hands_opened","hands":[[0,[1,2,3]],[2,[4,5]]],"melds":[[0,[[1,2,3]]],[2,[]]],"laid_off":[[2,[4]]]}',
    ),
    (
        HandsOpened(((0, (1,)),), ((0, ()),)),
        '{"type":"chinchon.hands_opened","hands":[[0,[1]]],"melds":[[0,[]]]}',
    ),
    (SeatGone(0), '{"type":"chinchon.seat_gone","seat":0}'),
    (SeatBack(2), '{"type":"chinchon.seat_back","seat":2}'),
)


@pytest.mark.parametrize(("event", "stored"), PINNED, ids=lambda value: type(value).__name__)
def test_an_event_is_stored_and_read_as_it_always_was(event: Any, stored: str) -> None:
    assert events.encode([event]) == f"[{stored}]".encode()
    assert events.decode(f"[{stored}]".encode()) == (event,)


def test_every_event_is_pinned() -> None:
    assert {type(event) for event, _ in PINNED} == set(CHINCHON.events)
