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
    (Turned(3), '{"type":"chitchat.turned","card":3}'),
    (Talked(0, 14), '{"type":"chitchat.talked","seat":0,"card":14}'),
    (
        Talked(1, 38, True, True, False, True),
        '{"type":"chitchat.talked","seat":1,"card":38,"follows":true,"step":true,"draws":false,"auto":true}',
    ),
    (Argued(0, 25), '{"type":"chitchat.argued","seat":0,"card":25}'),
    (
        Argued(1, 0, True, False, True),
        '{"type":"chitchat.argued","seat":1,"card":0,"step":true,"draws":false,"auto":true}',
    ),
    (TopicChanged(1, (26, 38)), '{"type":"chitchat.topic_changed","seat":1,"cards":[26,38]}'),
    (
        TopicChanged(0, (12, 12), True, False, True),
        '{"type":"chitchat.topic_changed","seat":0,"cards":[12,12],"step":true,"draws":false,"auto":true}',
    ),
    (PointMade(1, 17), '{"type":"chitchat.point_made","seat":1,"card":17}'),
    (Drew(0), '{"type":"chitchat.drew","seat":0}'),
    (Reshuffled(21), '{"type":"chitchat.reshuffled","number":21}'),
    (Conceded(0, "talk", (14,)), '{"type":"chitchat.conceded","seat":0,"play":"talk","cards":[14]}'),
    (
        Conceded(1, "change", (26, 27), True),
        '{"type":"chitchat.conceded","seat":1,"play":"change","cards":[26,27],"auto":true}',
    ),
    (Resigned(1), '{"type":"chitchat.resigned","seat":1}'),
    (Resigned(0, True), '{"type":"chitchat.resigned","seat":0,"auto":true}'),
    (
        Shown(((0, (0, 14)), (1, ())), (37, 11, 24)),
        '{"type":"chitchat.shown","hands":[[0,[0,14]],[1,[]]],"kings":[37,11,24]}',
    ),
)


@pytest.mark.parametrize(("event", "stored"), PINNED, ids=lambda value: type(value).__name__)
def test_an_event_is_stored_and_read_as_it_always_was(event: Any, stored: str) -> None:
    assert events.encode([event]) == f"[{stored}]".encode()
    assert events.decode(f"[{stored}]".encode()) == (event,)


def test_every_event_is_pinned() -> None:
    assert {type(event) for event, _ in PINNED} == set(CHITCHAT.events)
