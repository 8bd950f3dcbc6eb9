"""The stored form of every event of Chit Chat, byte for byte: what is in a stream stays readable for ever."""

from __future__ import annotations

from typing import Any

import pytest

from domain import events
from domain.games.chitchat import CHITCHAT
from domain.games.chitchat.state import (
    Argued,
    Conceded,
    Drew,
    PointMade,
    Reshuffled,
    Resigned,
    Shown,
    Talked,
    TopicChanged,
    Turned,
)

PINNED: tuple[tuple[Any, str], ...] = (
    (Turned(25), '{"type":"chitchat.turned","card":25}'),
    (Talked(0, 13), '{"type":"chitchat.talked","seat":0,"card":13}'),
    (
        Talked(1, 13, True, True, False, True),
        '{"type":"chitchat.talked","seat":1,"card":13,"follows":true,"step":true,"draws":false,"auto":true}',
    ),
    (Argued(0, 12), '{"type":"chitchat.argued","seat":0,"card":12}'),
    (
        Argued(1, 12, True, False, True),
        '{"type":"chitchat.argued","seat":1,"card":12,"step":true,"draws":false,"auto":true}',
    ),
    (TopicChanged(0, (27, 26)), '{"type":"chitchat.topic_changed","seat":0,"cards":[27,26]}'),
    (
        TopicChanged(1, (26, 27), True, False, True),
        '{"type":"chitchat.topic_changed","seat":1,"cards":[26,27],"step":true,"draws":false,"auto":true}',
    ),
    (PointMade(0, 15), '{"type":"chitchat.point_made","seat":0,"card":15}'),
    (Drew(1), '{"type":"chitchat.drew","seat":1}'),
    (Reshuffled(17), '{"type":"chitchat.reshuffled","number":17}'),
    (
        Conceded(1, "change", (26, 27)),
        '{"type":"chitchat.conceded","seat":1,"play":"change","cards":[26,27]}',
    ),
    (
        Conceded(1, "talk", (13,), True),
        '{"type":"chitchat.conceded","seat":1,"play":"talk","cards":[13],"auto":true}',
    ),
    (Resigned(0), '{"type":"chitchat.resigned","seat":0}'),
    (Resigned(1, True), '{"type":"chitchat.resigned","seat":1,"auto":true}'),
    (
        Shown(((0, (12, 13)), (1, ())), (11, 24, 37)),
        '{"type":"chitchat.shown","hands":[[0,[12,13]],[1,[]]],"kings":[11,24,37]}',
    ),
)


@pytest.mark.parametrize(("event", "stored"), PINNED, ids=lambda value: type(value).__name__)
def test_an_event_is_stored_and_read_as_it_always_was(event: Any, stored: str) -> None:
    assert events.encode([event]) == f"[{stored}]".encode()
    assert events.decode(f"[{stored}]".encode()) == (event,)


def test_every_event_is_pinned() -> None:
    assert {type(event) for event, _ in PINNED} == set(CHITCHAT.events)
