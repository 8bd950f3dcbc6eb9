"""Call Break's notation: exact where it is stored, forgiving where it is typed."""

from __future__ import annotations

import pytest

from domain.cards import card_of
from domain.game import Rejected
from domain.games.callbreak import view
from domain.games.callbreak.moves import Accuse, Call, Confirm, Move, PlayCard, Vote, notation, parse, read
from tests.domain.callbreak.positions import called, dealt

CALLING = view.observe(dealt(dealer=0), 1)
PLAYING = view.observe(called(dealt(dealer=0), 3, 3, 3, 3)[0], 1)
QS = PlayCard(card_of("QS"))


@pytest.mark.parametrize("text", ["call 4", "CALL 4", " call   4 ", "4", "bid 4"])
def test_a_call_may_be_typed_as_a_number(text: str) -> None:
    assert parse(text, CALLING) == Call(4)


@pytest.mark.parametrize("text", ["play QS", "QS", "q♠", "queen of spades", "Play queen spades", "card qs", "PLAY QS"])
def test_a_card_may_be_typed_alone(text: str) -> None:
    assert parse(text, PLAYING) == QS


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("accuse 2 5", Accuse(2, 5)),
        (" Accuse  0   13 ", Accuse(0, 13)),
        ("vote guilty", Vote(True)),
        ("VOTE innocent", Vote(False)),
        ("confirm", Confirm()),
    ],
)
def test_what_is_said_of_anothers_play_is_read_whatever_is_asked(text: str, move: Move) -> None:
    assert parse(text, CALLING) == parse(text, PLAYING) == move
    assert read(notation(move)) == move


def test_a_rank_alone_is_a_card_when_cards_are_played() -> None:
    assert parse("a", PLAYING) == PlayCard(card_of("AH"))
    assert parse("10", PLAYING) == PlayCard(card_of("TD"))


def test_a_rank_that_two_cards_have_is_ambiguous() -> None:
    with pytest.raises(Rejected, match="which_card") as refusal:
        parse("play jack", PLAYING)
    assert refusal.value.values["candidates"] == ["JS", "JC"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "not_a_move"),
        ("   ", "not_a_move"),
        ("x" * 81, "not_a_move"),
        ("call", "not_a_number"),
        ("call four", "not_a_number"),
        ("call 1234", "not_a_number"),
        ("call -3", "not_a_number"),
        ("call ٤", "not_a_number"),
        ("play", "not_a_card"),
        ("play 4 of nothing", "not_a_card"),
        ("hello", "not_a_card"),
        ("😀" * 20, "not_a_card"),
        ("play X1", "not_a_card"),
        ("accuse", "not_an_accusation"),
        ("accuse 2", "not_an_accusation"),
        ("accuse 2 0", "not_an_accusation"),
        ("accuse Bob 5", "not_an_accusation"),
        ("accuse 2 777", "not_an_accusation"),
    ],
)
def test_what_cannot_be_read_is_malformed(text: str, code: str) -> None:
    for seen in (CALLING, PLAYING):
        with pytest.raises(Rejected, match=code) as refusal:
            parse(text, seen)
        assert refusal.value.kind == "malformed"


@pytest.mark.parametrize(("text", "move"), [("call 0", Call(0)), ("call 13", Call(13)), ("play QS", QS)])
def test_exact_notation_reads_back(text: str, move: Move) -> None:
    assert read(text) == move


@pytest.mark.parametrize(
    "text",
    [
        "",
        "call",
        "call ",
        "call 04",
        "call 4 ",
        " call 4",
        "Call 4",
        "call  4",
        "play qs",
        "play 10H",
        "play X1",
        "4",
        "QS",
        "call 1000",
        "accuse 2",
        "accuse 02 5",
        "accuse 2 05",
        "accuse -1 5",
        "vote",
        "vote Guilty",
        "confirm 1",
    ],
)
def test_exact_notation_is_exact(text: str) -> None:
    with pytest.raises(Rejected) as refusal:
        read(text)
    assert refusal.value.kind == "malformed"
