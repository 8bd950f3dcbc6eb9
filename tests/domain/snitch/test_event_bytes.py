"""The stored form of every event of Snitch, byte for byte: what is in a stream stays readable for ever."""

from __future__ import annotations

from typing import Any

import pytest

from domain import events
from domain.games.snitch import SNITCH
from domain.games.snitch.state import (
    Challenged,
    ChallengeWon,
    Defended,
    Discarded,
    Pressed,
    SeatGone,
    SetLaid,
    Stopped,
    TopTaken,
    TurnedUp,
    Yielded,
)

PINNED: tuple[tuple[Any, str], ...] = (
    (TurnedUp(55), '{"type":"snitch.turned_up","card":55}'),
    (Discarded(2, 3, 1), '{"type":"snitch.discarded","seat":2,"card":3,"drew":1}'),
    (Discarded(2, 0, 0, True), '{"type":"snitch.discarded","seat":2,"card":0,"auto":true}'),
    (SetLaid(0, (3, 0), 2), '{"type":"snitch.set_laid","seat":0,"cards":[3,0],"drew":2}'),
    (SetLaid(7, (3, 3)), '{"type":"snitch.set_laid","seat":7,"cards":[3,3]}'),
    (TopTaken(1, 7, (7, 52), 1), '{"type":"snitch.top_taken","seat":1,"card":7,"cards":[7,52],"drew":1}'),
    (Challenged(0, 2, 11), '{"type":"snitch.challenged","seat":0,"target":2,"card":11}'),
    (Defended(2, 24), '{"type":"snitch.defended","seat":2,"card":24}'),
    (Pressed(0, 52), '{"type":"snitch.pressed","seat":0,"card":52}'),
    (Yielded(2), '{"type":"snitch.yielded","seat":2}'),
    (Yielded(2, True), '{"type":"snitch.yielded","seat":2,"auto":true}'),
    (Stopped(0), '{"type":"snitch.stopped","seat":0}'),
    (Stopped(0, True), '{"type":"snitch.stopped","seat":0,"auto":true}'),
    (
        ChallengeWon(0, 2, (37, 50, 11), 1, 2),
        '{"type":"snitch.challenge_won","seat":0,"target":2,"cards":[37,50,11],"drew":1,"target_drew":2}',
    ),
    (ChallengeWon(2, 2, (37, 50)), '{"type":"snitch.challenge_won","seat":2,"target":2,"cards":[37,50]}'),
    (SeatGone(3), '{"type":"snitch.seat_gone","seat":3}'),
)


@pytest.mark.parametrize(("event", "stored"), PINNED, ids=lambda value: type(value).__name__)
def test_an_event_is_stored_and_read_as_it_always_was(event: Any, stored: str) -> None:
    assert events.encode([event]) == f"[{stored}]".encode()
    assert events.decode(f"[{stored}]".encode()) == (event,)


def test_every_event_is_pinned() -> None:
    assert {type(event) for event, _ in PINNED} == set(SNITCH.events)
