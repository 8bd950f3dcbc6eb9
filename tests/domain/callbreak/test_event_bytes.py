"""The stored form of every event of Call Break, byte for byte: what is in a stream stays readable for ever."""

from __future__ import annotations

from typing import Any

import pytest

from domain import events
from domain.games.callbreak import CALLBREAK
from domain.games.callbreak.state import Called, CardPlayed, DealerChecked, DealVoided, TrickTaken, TrumpShown

PINNED: tuple[tuple[Any, str], ...] = (
    (
        TrumpShown(3, 44),
        '{"type":"callbreak.trump_shown","seat":3,"card":44}',
    ),
    (
        DealVoided(((0, "no_trump"), (2, "no_court")), ((0, (13, 14)), (2, (0, 1)))),
        '{"type":"callbreak.deal_voided","reasons":[[0,"no_trump"],[2,"no_court"]],"hands":[[0,[13,14]],[2,[0,1]]]}',
    ),
    (
        Called(1, 4),
        '{"type":"callbreak.called","seat":1,"call":4}',
    ),
    (
        Called(1, 4, True),
        '{"type":"callbreak.called","seat":1,"call":4,"auto":true}',
    ),
    (
        DealerChecked(3, (0, 14, 51)),
        '{"type":"callbreak.dealer_checked","seat":3,"cards":[0,14,51]}',
    ),
    (
        CardPlayed(2, 0),
        '{"type":"callbreak.card_played","seat":2,"card":0}',
    ),
    (
        CardPlayed(2, 51, True),
        '{"type":"callbreak.card_played","seat":2,"card":51,"auto":true}',
    ),
    (
        TrickTaken(2, 13),
        '{"type":"callbreak.trick_taken","seat":2,"trick":13}',
    ),
)


@pytest.mark.parametrize(("event", "stored"), PINNED, ids=lambda value: type(value).__name__)
def test_an_event_is_stored_and_read_as_it_always_was(event: Any, stored: str) -> None:
    assert events.encode([event]) == f"[{stored}]".encode()
    assert events.decode(f"[{stored}]".encode()) == (event,)


def test_every_event_is_pinned() -> None:
    assert {type(event) for event, _ in PINNED} == set(CALLBREAK.events)
