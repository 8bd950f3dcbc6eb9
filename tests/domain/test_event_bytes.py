"""The stored form of every event of the table, byte for byte: what is in a stream stays readable for ever.

Each game pins its own in `tests/domain/<slug>/test_event_bytes.py`.
"""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from domain import events
from domain.clock import Quiet, Stop
from domain.events import (
    EVERY_EVENT,
    AdminActed,
    Agreed,
    Asked,
    Dealt,
    Decision,
    DeckCut,
    Declined,
    Expired,
    Joined,
    Kicked,
    Left,
    OnVacation,
    Opened,
    OptionsSet,
    OutageNoted,
    Over,
    Paused,
    Present,
    ProposalOff,
    Proposed,
    ResultAwaited,
    Resumed,
    Returned,
    RowWritten,
    SeatTaken,
    SeedRevealed,
    SetUndone,
    StandInSet,
    Started,
    UnknownEvent,
    Unseated,
    VacationEnded,
)
from domain.game import SetEnded
from domain.games import GAMES

PINNED: tuple[tuple[Any, str], ...] = (
    (
        Opened(
            "callbreak",
            "callbreak/1",
            {"hidden_call_test": "off", "redeal": []},
            "person:ann",
            b"\x01\x02",
            b"\xff\xfe",
        ),
        '{"type":"table.opened","game":"callbreak","ruleset":"callbreak/1","options":{"hidden_call_test":"off","redeal":[]},"host":"person:ann","commitment":"AQI=","sealed":"//4="}',
    ),
    (
        Joined("computer:steady"),
        '{"type":"table.joined","owner":"computer:steady"}',
    ),
    (
        Unseated(2),
        '{"type":"table.unseated","seat":2}',
    ),
    (
        OptionsSet({"target": 100}),
        '{"type":"table.options_set","options":{"target":100}}',
    ),
    (
        DeckCut(1, 17),
        '{"type":"table.deck_cut","seat":1,"number":17}',
    ),
    (
        Started("random", 3),
        '{"type":"table.started","how":"random","dealer":3}',
    ),
    (
        Started("seven", 1, (24, 5)),
        '{"type":"table.started","how":"seven","dealer":1,"draws":[24,5]}',
    ),
    (
        Dealt(3, 1, b"\x01\x02", b"\xff\xfe"),
        '{"type":"table.dealt","dealer":3,"deal":1,"commitment":"AQI=","sealed":"//4="}',
    ),
    (
        Dealt(0, 1, b"\x01\x02", b"\xff\xfe", (0, 2)),
        '{"type":"table.dealt","dealer":0,"deal":1,"commitment":"AQI=","sealed":"//4=","playing":[0,2]}',
    ),
    (
        Dealt(0, 2),
        '{"type":"table.dealt","dealer":0,"deal":2}',
    ),
    (
        Asked(
            (
                Decision(7, "12", (2,), 1700000000000, 86400, Quiet(1380, 480, "Europe/Madrid")),
                Decision(8, "12", (3,), 5, 0),
            )
        ),
        '{"type":"table.asked","open":[[7,"12",[2],1700000000000,86400,[1380,480,"Europe/Madrid"]],[8,"12",[3],5,0,null]]}',
    ),
    (
        Asked((Decision(9, "0", (0, 1), 5),)),
        '{"type":"table.asked","open":[[9,"0",[0,1],5,null,null]]}',
    ),
    (
        Asked(()),
        '{"type":"table.asked","open":[]}',
    ),
    (
        Expired(7, (2,), True),
        '{"type":"table.expired","decision":7,"seats":[2]}',
    ),
    (
        Expired(8, (1, 2), False),
        '{"type":"table.expired","decision":8,"seats":[1,2],"counts":false}',
    ),
    (
        Present(2),
        '{"type":"table.present","seat":2}',
    ),
    (
        Left(1),
        '{"type":"table.left","seat":1}',
    ),
    (
        Returned(1),
        '{"type":"table.returned","seat":1}',
    ),
    (
        OutageNoted(Stop(1700000000000, 1700000060000)),
        '{"type":"table.outage_noted","stop":[1700000000000,1700000060000]}',
    ),
    (
        Proposed("end", "person:ann"),
        '{"type":"table.proposed","what":"end","by":"person:ann"}',
    ),
    (
        Proposed("seat", "person:zed", 2),
        '{"type":"table.proposed","what":"seat","by":"person:zed","seat":2}',
    ),
    (
        Agreed(0),
        '{"type":"table.agreed","seat":0}',
    ),
    (
        Declined(3),
        '{"type":"table.declined","seat":3}',
    ),
    (
        ProposalOff("withdrawn"),
        '{"type":"table.proposal_off","why":"withdrawn"}',
    ),
    (
        SeatTaken(2, "person:zed"),
        '{"type":"table.seat_taken","seat":2,"owner":"person:zed"}',
    ),
    (
        AdminActed("void", "ab" * 32),
        f'{{"type":"table.admin_acted","act":"void","reason":"{"ab" * 32}"}}',
    ),
    (
        AdminActed("pause"),
        '{"type":"table.admin_acted","act":"pause"}',
    ),
    (
        Paused("agreement", 1700000000000),
        '{"type":"table.paused","by":"agreement","start":1700000000000}',
    ),
    (
        Paused("clock", 5, "cd" * 32),
        f'{{"type":"table.paused","by":"clock","start":5,"why":"{"cd" * 32}"}}',
    ),
    (
        Resumed(1700000060000),
        '{"type":"table.resumed","end":1700000060000}',
    ),
    (
        OnVacation(2, 1700000000000, 1700086400000),
        '{"type":"table.vacation","seat":2,"start":1700000000000,"until":1700086400000}',
    ),
    (
        VacationEnded(2, 1700000060000),
        '{"type":"table.vacation_ended","seat":2,"end":1700000060000}',
    ),
    (
        StandInSet(True),
        '{"type":"table.stand_in_set","on":true}',
    ),
    (
        Kicked(3),
        '{"type":"table.kicked","seat":3}',
    ),
    (
        ResultAwaited("target", (1, 2)),
        '{"type":"table.result_awaited","ended":"target","winners":[1,2]}',
    ),
    (
        SetUndone(3, "void_cheating"),
        '{"type":"table.set_undone","set":3,"outcome":"void_cheating"}',
    ),
    (
        SetEnded("void_admin", void=True),
        '{"type":"table.set_ended","outcome":"void_admin","void":true}',
    ),
    (
        SetEnded("scored", (40, -30, 21, None)),
        '{"type":"table.set_ended","outcome":"scored","scores":[40,-30,21,null]}',
    ),
    (
        SetEnded("redeal", void=True),
        '{"type":"table.set_ended","outcome":"redeal","void":true}',
    ),
    (
        SetEnded("chinchon"),
        '{"type":"table.set_ended","outcome":"chinchon"}',
    ),
    (
        RowWritten(4, (40, -30, 21, None)),
        '{"type":"table.row_written","set":4,"values":[40,-30,21,null]}',
    ),
    (
        SeedRevealed(b"\x00\x01\x02"),
        '{"type":"table.seed_revealed","seed":"AAEC"}',
    ),
    (
        Over("target", (0, 2)),
        '{"type":"table.over","ended":"target","winners":[0,2]}',
    ),
)


@pytest.mark.parametrize(("event", "stored"), PINNED, ids=lambda value: type(value).__name__)
def test_an_event_is_stored_and_read_as_it_always_was(event: Any, stored: str) -> None:
    assert events.encode([event]) == f"[{stored}]".encode()
    assert events.decode(f"[{stored}]".encode()) == (event,)


def test_every_event_of_the_table_and_of_every_game_is_pinned() -> None:
    pinned = [*PINNED]
    for slug in GAMES:
        pinned += importlib.import_module(f"tests.domain.{slug}.test_event_bytes").PINNED
    assert {type(event) for event, _ in pinned} == set(EVERY_EVENT)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[",
        b"{}",
        b"null",
        b'[{"type":"table.flew"}]',
        b'[{"seat":1}]',
        b"[1]",
        b'[{"type":"table.left"}]',
        b"\xff",
    ],
)
def test_bytes_that_are_no_events_are_refused(data: bytes) -> None:
    with pytest.raises(UnknownEvent):
        events.decode(data)
