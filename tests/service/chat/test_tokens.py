from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.games import GAMES
from domain.games.callbreak.moves import CALLS, PLAYS
from service.chat.api.tokens import (
    LONGEST,
    AccuseToken,
    AnyToken,
    ChosenToken,
    CustomToken,
    HandToken,
    LobbyToken,
    MoveToken,
    NewToken,
    PageToken,
    Token,
    VoteToken,
    WishToken,
    link,
    linked,
    read,
    write,
)

TABLE = "abcdefghjk-123456789"
NOTATIONS = sorted(
    {
        *(GAMES["callbreak"].notation(move) for move in (*CALLS, *PLAYS)),
        *(example for game in GAMES.values() for example in game.examples.values()),
    }
)
TOKENS: list[Token] = [
    *(MoveToken(TABLE, 123_456_789, notation) for notation in NOTATIONS),
    VoteToken(TABLE, "0a1b2c", True),
    VoteToken(TABLE, "0a1b2c", False),
    LobbyToken(TABLE, "join"),
    LobbyToken(TABLE, "leave"),
    LobbyToken(TABLE, "add"),
    LobbyToken(TABLE, "remove"),
    LobbyToken(TABLE, "cut"),
    LobbyToken(TABLE, "start"),
    LobbyToken(TABLE, "clock"),
    LobbyToken(TABLE, "preset"),
    LobbyToken(TABLE, "standin"),
    LobbyToken(TABLE, "invite"),
    LobbyToken(TABLE, "rematch"),
    HandToken(TABLE),
    HandToken(TABLE, board=True),
    AccuseToken(TABLE, 99_999, "new"),
    AccuseToken(TABLE, 99_999, "accuse 3 13"),
    PageToken(TABLE, "log", 99_999, 99_999),
    PageToken(TABLE, "score", 0, 3),
    ChosenToken(TABLE),
]

WITHOUT_TABLE: list[AnyToken] = [
    WishToken(999_999_999_999, "yes"),
    WishToken(1, TABLE),
    *(NewToken(slug) for slug in GAMES),
    CustomToken("quiet", "22:00-08:00"),
    CustomToken("zone", "America/Argentina/ComodRivadavia"),
]


@pytest.mark.parametrize("token", WITHOUT_TABLE, ids=write)
def test_a_token_without_a_table_is_read_as_it_was_written(token: AnyToken) -> None:
    assert read(write(token)) == token


@pytest.mark.parametrize("token", TOKENS, ids=write)
def test_a_token_is_read_as_it_was_written_and_fits_a_button(token: Token) -> None:
    """The data of a button is longer than 64 bytes.

    Reports: interlumpen/Telegram-shop#9, python-telegram-bot/python-telegram-bot#528.
    """
    assert read(write(token)) == token
    assert len(write(token).encode()) <= LONGEST


def test_no_two_tokens_are_written_alike() -> None:
    assert len({write(token) for token in TOKENS}) == len(TOKENS)


@given(st.text(max_size=80))
def test_what_we_did_not_write_is_no_token(data: str) -> None:
    token = read(data)
    assert token is None or write(token) == data


@pytest.mark.parametrize(
    "data",
    ["", "h", "h:", "h:a", "h:a-1 ", "x:a-1", "m:a-1:1:", "m:a-1::play QS", "m:a-1:1:play Q♠", "h:a-1\n", "м:a-1"],
)
def test_malformed_data_is_no_token(data: str) -> None:
    assert read(data) is None


@pytest.mark.parametrize("notation", [*NOTATIONS, "challenge 2 KH", "no_word", "change 2D 3D"])
def test_a_move_in_a_link_is_read_as_it_was_written(notation: str) -> None:
    token = MoveToken("abcdefghjk-12345", 123_456, notation)
    payload = link(token)
    assert payload is not None
    assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", payload), "what a deep link may hold"
    assert linked(payload) == token


def test_a_move_that_is_too_long_for_a_link_has_none() -> None:
    assert link(MoveToken("abcdefghjk-12345", 123_456, f"word {'a' * 40}")) is None


@given(st.text(max_size=80))
def test_what_we_did_not_write_into_a_link_is_no_move(payload: str) -> None:
    token = linked(payload)
    assert token is None or token.table in payload
