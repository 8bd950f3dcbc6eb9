"""Names that are safe to show and tell the seats apart."""

from __future__ import annotations

import pytest

from domain.table import Seat
from service.text import language
from service.text.people import LONGEST, names_of, plain, with_seats

TEXTS = language("en")
ANN, BOB, CAT, DAN = (Seat(f"person:{name}") for name in ("a", "b", "c", "d"))
COMPUTER = Seat("computer:steady")


def test_people_have_their_names_and_computer_players_friendly_ones() -> None:
    names = names_of(TEXTS, (ANN, COMPUTER, COMPUTER, BOB), {"person:a": "Ann", "person:b": "Bob"})
    assert names == ["Ann", "Bikram 🤖", "Chandra 🤖", "Bob"]


def test_equal_names_are_numbered_whatever_their_case() -> None:
    known = {"person:a": "Ann", "person:b": "ann", "person:c": "Ann"}
    assert names_of(TEXTS, (ANN, BOB, CAT), known) == ["Ann", "ann 2", "Ann 3"]


def test_a_number_that_somebody_has_in_his_name_is_not_given_again() -> None:
    known = {"person:a": "Ann", "person:b": "Ann 2", "person:c": "Ann"}
    assert len(set(names_of(TEXTS, (ANN, BOB, CAT), known))) == 3


def test_whoever_is_unknown_is_called_by_the_seat() -> None:
    assert names_of(TEXTS, (ANN, BOB), {"person:a": "\u200b\u202e \n"}) == ["Player 1", "Player 2"]


def test_a_person_cannot_pass_for_a_computer_player() -> None:
    assert names_of(TEXTS, (ANN,), {"person:a": "Bikram 🤖"}) == ["Bikram"]


def test_long_equal_names_stay_apart_and_short() -> None:
    known = {"person:a": "x" * 60, "person:b": "x" * 60, "person:c": "x" * 60, "person:d": "x" * 60}
    names = names_of(TEXTS, (ANN, BOB, CAT, DAN), known)
    assert len(set(names)) == 4
    assert max(map(len, names)) <= LONGEST


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("Ann", "Ann"),
        ("  Ann \n\t Lee ", "Ann Lee"),
        ("A\x00n\x1b[31mn", "An[31mn"),
        ("\u202eevil\u2066", "evil"),
        ("Z" + "\u0301" * 50, "Ź\u0301\u0301"),
        ("अनीता", "अनीता"),
        ("👩‍👧", "👩‍👧"),
        ("y" * 30, "y" * 19 + "…"),
        ("", ""),
    ],
)
def test_a_name_is_made_safe_to_show(given: str, shown: str) -> None:
    assert plain(given) == shown


def test_a_players_name_is_read_as_his_seat_where_a_move_names_one() -> None:
    names = ["You", "Bob 🤖", "Cleo Smith", "\u2068דוד\u2069"]
    assert with_seats("challenge bob KH", "challenge 2 KH", names) == "challenge 1 KH"
    assert with_seats("challenge Cleo KH", "challenge 2 KH", names) == "challenge 2 KH"
    assert with_seats("challenge דוד KH", "challenge 2 KH", names) == "challenge 3 KH"
    assert with_seats("challenge 1 KH", "challenge 2 KH", names) == "challenge 1 KH"
    assert with_seats("discard bob", "discard 5H", names) == "discard bob", "no seat belongs there"
    assert with_seats("challenge bob KH", "challenge 2 KH", ["Bob", "Bob"]) == "challenge bob KH", "which Bob?"
