"""The stored form of every event of Call Break, byte for byte: what is in a stream stays readable for ever."""

from __future__ import annotations

from typing import Any

import pytest

from domain import events
from domain.games.callbreak import CALLBREAK
from domain.games.callbreak.events import (
    Accused,
    Called,
    CallJudged,
    CardPlayed,
    Confirmed,
    Convicted,
    DealerChecked,
    DealVoided,
    FoundFalse,
    HandsOpened,
    Offence,
    TrickTaken,
    TrumpShown,
    Voted,
    VoteOpened,
)

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
    (
        Accused(2, 1, 5),
        '{"type":"callbreak.accused","seat":2,"accused":1,"trick":5}',
    ),
    (
        FoundFalse(2, 1, 5),
        '{"type":"callbreak.found_false","seat":2,"accused":1,"trick":5}',
    ),
    (
        Convicted(1, (Offence(5, "revoke", 13, 14),), 7, 1),
        '{"type":"callbreak.convicted","seat":1,"offences":[[5,"revoke",13,14]],"trick":7,"by":1}',
    ),
    (
        HandsOpened(((0, (13, 14)), (1, ()))),
        '{"type":"callbreak.hands_opened","hands":[[0,[13,14]],[1,[]]]}',
    ),
    (
        VoteOpened(3, 4),
        '{"type":"callbreak.vote_opened","seat":3,"worth":4}',
    ),
    (
        Voted(0, True),
        '{"type":"callbreak.voted","seat":0,"guilty":true}',
    ),
    (
        Voted(0, False, True),
        '{"type":"callbreak.voted","seat":0,"guilty":false,"auto":true}',
    ),
    (
        CallJudged(3, "estimate", 1, 3, (("ace", 25), ("ruffs", 2)), True),
        '{"type":"callbreak.call_judged","seat":3,"test":"estimate","call":1,"worth":3,"counted":[["ace",25],["ruffs",2]],"guilty":true}',
    ),
    (
        Confirmed(1),
        '{"type":"callbreak.confirmed","seat":1}',
    ),
    (
        Confirmed(1, True),
        '{"type":"callbreak.confirmed","seat":1,"auto":true}',
    ),
)


@pytest.mark.parametrize(("event", "stored"), PINNED, ids=lambda value: type(value).__name__)
def test_an_event_is_stored_and_read_as_it_always_was(event: Any, stored: str) -> None:
    assert events.encode([event]) == f"[{stored}]".encode()
    assert events.decode(f"[{stored}]".encode()) == (event,)


def test_every_event_is_pinned() -> None:
    assert {type(event) for event, _ in PINNED} == set(CALLBREAK.events)
