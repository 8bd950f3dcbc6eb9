"""The stored form of every event of Tai Chi Chuan, byte for byte: what is in a stream stays readable for ever."""

from __future__ import annotations

from typing import Any

import pytest

from domain import events
from domain.games.taichi import TAICHI
from domain.games.taichi.events import (
    Answered,
    AnswerHidden,
    AnswerTold,
    Awarded,
    BetForfeited,
    BetsReturned,
    CardOpened,
    CardShown,
    CardTurned,
    Challenged,
    Declined,
    DuelBegan,
    DuelCalled,
    DuelPassed,
    Gain,
    NoWord,
    Objected,
    ObjectionDecided,
    Passed,
    PileEmpty,
    Readied,
    Reshuffled,
    SeatBack,
    SeatGone,
    Stopped,
    TurnSkipped,
    Voted,
    WordRefused,
    WordSaid,
)

PINNED: tuple[tuple[Any, str], ...] = (
    (
        CardTurned(0, 3),
        '{"type":"taichi.card_turned","seat":0,"card":3}',
    ),
    (
        CardTurned(1, 78, auto=True),
        '{"type":"taichi.card_turned","seat":1,"card":78,"auto":true}',
    ),
    (
        CardTurned(1, 78, after=True),
        '{"type":"taichi.card_turned","seat":1,"card":78,"after":true}',
    ),
    (
        PileEmpty(2),
        '{"type":"taichi.pile_empty","seat":2}',
    ),
    (
        PileEmpty(2, auto=True),
        '{"type":"taichi.pile_empty","seat":2,"auto":true}',
    ),
    (
        Reshuffled(24),
        '{"type":"taichi.reshuffled","number":24}',
    ),
    (
        WordSaid(0, "satellite"),
        '{"type":"taichi.word_said","seat":0,"word":"satellite"}',
    ),
    (
        WordSaid(0, "ete", (4, 12), "été"),
        '{"type":"taichi.word_said","seat":0,"word":"ete","families":[4,12],"shown":"été"}',
    ),
    (
        WordRefused(1, "mice", "plural", "mouse"),
        '{"type":"taichi.word_refused","seat":1,"word":"mice","reason":"plural","of":"mouse"}',
    ),
    (
        WordRefused(1, "southern", "same_family", "south", (7,), ""),
        '{"type":"taichi.word_refused","seat":1,"word":"southern","reason":"same_family","of":"south","families":[7]}',
    ),
    (
        WordRefused(1, "paris", "proper_noun", shown="Paris"),
        '{"type":"taichi.word_refused","seat":1,"word":"paris","reason":"proper_noun","shown":"Paris"}',
    ),
    (
        NoWord(3),
        '{"type":"taichi.no_word","seat":3}',
    ),
    (
        NoWord(3, auto=True),
        '{"type":"taichi.no_word","seat":3,"auto":true}',
    ),
    (
        NoWord(3, left=True),
        '{"type":"taichi.no_word","seat":3,"left":true}',
    ),
    (
        Passed(4),
        '{"type":"taichi.passed","seat":4}',
    ),
    (
        Passed(4, auto=True),
        '{"type":"taichi.passed","seat":4,"auto":true}',
    ),
    (
        Stopped(5),
        '{"type":"taichi.stopped","seat":5}',
    ),
    (
        Stopped(5, auto=True),
        '{"type":"taichi.stopped","seat":5,"auto":true}',
    ),
    (
        Challenged(6),
        '{"type":"taichi.challenged","seat":6}',
    ),
    (
        Declined(7),
        '{"type":"taichi.declined","seat":7}',
    ),
    (
        Declined(7, auto=True),
        '{"type":"taichi.declined","seat":7,"auto":true}',
    ),
    (
        DuelCalled((0, 2, 3)),
        '{"type":"taichi.duel_called","seats":[0,2,3]}',
    ),
    (
        Readied(2),
        '{"type":"taichi.readied","seat":2}',
    ),
    (
        Readied(0, auto=True),
        '{"type":"taichi.readied","seat":0,"auto":true}',
    ),
    (
        BetForfeited(3, 12),
        '{"type":"taichi.bet_forfeited","seat":3,"card":12}',
    ),
    (
        DuelBegan(80),
        '{"type":"taichi.duel_began","card":80}',
    ),
    (
        DuelBegan(),
        '{"type":"taichi.duel_began"}',
    ),
    (
        CardOpened(2, 1700000000000),
        '{"type":"taichi.card_opened","seat":2,"at":1700000000000}',
    ),
    (
        Answered(2, "satisfactory", 4711),
        '{"type":"taichi.answered","seat":2,"word":"satisfactory","order":4711}',
    ),
    (
        Answered(2, "ete", 4711, 124, "été"),
        '{"type":"taichi.answered","seat":2,"word":"ete","order":4711,"tenths":124,"shown":"été"}',
    ),
    (
        AnswerHidden(2, 124, b"\x01\x02", b"\xff\xfe"),
        '{"type":"taichi.answer_hidden","seat":2,"tenths":124,"commitment":"AQI=","sealed":"//4="}',
    ),
    (
        DuelPassed(3),
        '{"type":"taichi.duel_passed","seat":3}',
    ),
    (
        DuelPassed(3, auto=True),
        '{"type":"taichi.duel_passed","seat":3,"auto":true}',
    ),
    (
        CardShown(80),
        '{"type":"taichi.card_shown","card":80}',
    ),
    (
        AnswerTold(2, "satisfactory"),
        '{"type":"taichi.answer_told","seat":2,"word":"satisfactory"}',
    ),
    (
        AnswerTold(2, "satisfactory", 124, b"\x00\x01", shown=""),
        '{"type":"taichi.answer_told","seat":2,"word":"satisfactory","tenths":124,"salt":"AAE="}',
    ),
    (
        AnswerTold(3),
        '{"type":"taichi.answer_told","seat":3}',
    ),
    (
        AnswerTold(0, auto=True),
        '{"type":"taichi.answer_told","seat":0,"auto":true}',
    ),
    (
        AnswerTold(0, "ete", shown="été"),
        '{"type":"taichi.answer_told","seat":0,"word":"ete","shown":"été"}',
    ),
    (
        Awarded("unchallenged", (Gain(0, (3,)),), (4, 5), next=1),
        '{"type":"taichi.awarded","why":"unchallenged","gains":[{"seat":0,"cards":[3]}],"cards":[4,5],"next":1}',
    ),
    (
        Awarded("beaten", (Gain(2, (3, 6)), Gain(0, (4,))), (5, 80), 2, 1),
        '{"type":"taichi.awarded","why":"beaten","gains":[{"seat":2,"cards":[3,6]},{"seat":0,"cards":[4]}],"cards":[5,80],"winner":2,"next":1}',
    ),
    (
        Awarded("nobody", cards=(5,), next=1),
        '{"type":"taichi.awarded","why":"nobody","cards":[5],"next":1}',
    ),
    (
        Awarded("last_word", (Gain(0, (3,)),)),
        '{"type":"taichi.awarded","why":"last_word","gains":[{"seat":0,"cards":[3]}]}',
    ),
    (
        BetsReturned(),
        '{"type":"taichi.bets_returned"}',
    ),
    (
        TurnSkipped(2),
        '{"type":"taichi.turn_skipped","next":2}',
    ),
    (
        TurnSkipped(),
        '{"type":"taichi.turn_skipped"}',
    ),
    (
        Objected(1, (2, 3)),
        '{"type":"taichi.objected","seat":1,"voters":[2,3]}',
    ),
    (
        Objected(1, (2, 3), refused=True),
        '{"type":"taichi.objected","seat":1,"voters":[2,3],"refused":true}',
    ),
    (
        Voted(2, True),
        '{"type":"taichi.voted","seat":2,"agrees":true}',
    ),
    (
        Voted(3, False, refused=True, auto=True),
        '{"type":"taichi.voted","seat":3,"agrees":false,"refused":true,"auto":true}',
    ),
    (
        ObjectionDecided(0, "mice", True, True),
        '{"type":"taichi.objection_decided","seat":0,"word":"mice","accepted":true,"turned_over":true}',
    ),
    (
        ObjectionDecided(0, "southern", False, False, "south"),
        '{"type":"taichi.objection_decided","seat":0,"word":"southern","accepted":false,"turned_over":false,"of":"south"}',
    ),
    (
        SeatGone(1, "left"),
        '{"type":"taichi.seat_gone","seat":1,"why":"left"}',
    ),
    (
        SeatGone(1, "away"),
        '{"type":"taichi.seat_gone","seat":1,"why":"away"}',
    ),
    (
        SeatBack(1),
        '{"type":"taichi.seat_back","seat":1}',
    ),
)


@pytest.mark.parametrize(("event", "stored"), PINNED, ids=lambda value: type(value).__name__)
def test_an_event_is_stored_and_read_as_it_always_was(event: Any, stored: str) -> None:
    assert events.encode([event]) == f"[{stored}]".encode()
    assert events.decode(f"[{stored}]".encode()) == (event,)


def test_every_event_is_pinned() -> None:
    assert {type(event) for event, _ in PINNED} == set(TAICHI.events)
