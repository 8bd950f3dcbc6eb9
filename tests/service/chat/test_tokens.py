from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.games import GAMES
from domain.games.callbreak.moves import CALLS, PLAYS
from service.chat.tokens import (
    LONGEST,
    ChosenToken,
    HandToken,
    LobbyToken,
    MoveToken,
    Token,
    VoteToken,
    read,
    write,
)

TABLE = "abcdefghjk-123456789"
NOTATIONS = [GAMES["callbreak"].notation(move) for move in (*CALLS, *PLAYS)]
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
    HandToken(TABLE),
    ChosenToken(TABLE),
]


@pytest.mark.parametrize("token", TOKENS, ids=write)
def test_a_token_is_read_as_it_was_written_and_fits_a_button(token: Token) -> None:
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
