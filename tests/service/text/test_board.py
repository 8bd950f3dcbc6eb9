"""A table in words: made from what one seat may know, so that no text can tell more."""

from __future__ import annotations

import random

import msgspec

from domain import table
from domain.commands import Leave
from domain.scene import Choice, Fact, Placed, Scene, Zone
from domain.shuffle import Seeded
from domain.table import Table
from service.text import board, language
from service.text.people import seat_names
from tests.domain.play import PERSONS, Sitting, started

TEXTS = language("en")
NAMES = ["Ann", "Bob", "Cat", "Dan"]


def shown(state: Table, seat: int | None) -> str:
    """Everything that the text core says of a table to one seat."""
    view = table.observe(state, seat)
    scene = state.rules.scene(view.set)
    names = seat_names(TEXTS, view, dict(zip(PERSONS, NAMES, strict=False)))
    zones = [board.row(TEXTS, view, zone, names) for zone in scene.zones]
    lines = [*board.lines(TEXTS, view, scene, names), *zones, *board.may(TEXTS, view, scene)]
    return "\n".join("\n".join(line) if isinstance(line, board.Picture) else line for line in lines)


def played(moves: int, word: str = "board") -> Sitting:
    rng = random.Random(moves)
    sitting = started(word=word, dealer=3, redeal="")
    for _ in range(moves):
        sitting.any_move(rng)
    return sitting


def test_before_the_first_call_the_one_to_call_is_asked_and_the_others_wait() -> None:
    state = played(0).state
    assert "Your turn: call a number of tricks." in shown(state, 0)
    assert "Ann to call" in shown(state, 1)
    assert shown(state, 0).endswith("You may call 1 to 13")
    assert "Set 1 · trump ♠ · dealer Dan" in shown(state, None)


def test_calls_and_tricks_stand_beside_the_names() -> None:
    sitting = played(4)
    calls = sitting.state.set.calls
    assert f"Bob: called {calls[1]}, took 0" in shown(sitting.state, None)
    assert f"▸ Ann: called {calls[0]}, took 0" in shown(sitting.state, None)


def test_the_trick_says_who_played_what() -> None:
    state = played(6).state
    line = next(line for line in shown(state, None).splitlines() if line.startswith("On the table: "))
    assert [part.split()[0] for part in line.removeprefix("On the table: ").split("  ")] == ["Ann", "Bob"]


def test_the_last_trick_says_who_took_it() -> None:
    state = played(8).state
    winner = NAMES[state.set.tricks[-1].winner]
    assert any(
        line.startswith("Last trick: ") and line.endswith(f"→ {winner}") for line in shown(state, None).splitlines()
    )


def test_the_own_hand_is_shown_to_its_owner_alone() -> None:
    state = played(4).state
    assert "Your hand: " in shown(state, 2)
    assert "Your hand" not in shown(state, None)


def test_who_is_away_is_marked() -> None:
    sitting = played(0)
    sitting.do(PERSONS[2], Leave())
    assert "Cat (away)" in shown(sitting.state, None)


def test_a_lobby_says_who_is_there() -> None:
    sitting = started()
    view = table.observe(sitting.state, None)
    assert board.lines(TEXTS, view, None, NAMES) == ["At the table: Ann, Bob, Cat, Dan"]
    assert board.lines(TEXTS, view, None, []) == ["At the table: nobody yet"]


def test_two_states_that_differ_only_in_what_a_seat_may_not_know_read_the_same() -> None:
    different = 0
    for moves in (0, 2, 4, 11, 30, 45):
        state = played(moves).state
        for seat in (0, 1, 2, 3, None):
            seen = state.rules.observe(state.set, seat)
            for guess in range(3):
                other = state.rules.guess(seen, Seeded(bytes([guess]) * 32, bytes(32)))
                different += other.hands != state.set.hands
                assert shown(msgspec.structs.replace(state, set=other), seat) == shown(state, seat)
    assert different > 50


def test_codes_that_have_no_words_yet_are_shown_as_they_are() -> None:
    scene = Scene((), (Fact("weather", "fine"),), ((Fact("luck", 3),), (), (), ()), prompt="dance")
    view = table.observe(played(0).state, None)
    assert board.seat_facts(TEXTS, view, scene, 0, NAMES) == "luck 3"
    assert board.turn(TEXTS, view, scene, NAMES) == "Waiting for Ann"
    assert board.facts(TEXTS, view, scene, NAMES) == "Set 1", "Call Break has words, and none for the weather"


def _line(*cards: tuple[str, int | None, int | None]) -> Zone:
    return Zone("sequence", tuple(Placed(card, by, step=step) for card, by, step in cards), shape="line")


def test_a_line_of_cards_is_drawn_with_its_steps_towards_the_players() -> None:
    zone = _line(("2S", None, None), ("2H", 0, None), ("3S", 1, 1), ("5S", 0, 0), ("TS", 0, 0))
    view = table.observe(played(0).state, None)
    assert board.picture(TEXTS, view, zone, ["Richard", "Karen"]) == (
        "↑ Karen",
        "        3♠",
        "2♠  2♥      5♠",
        "                10♠",
        "·   R   K   R   R",
        "↓ Richard",
    )


def test_the_one_who_looks_sits_below_and_names_that_begin_alike_are_numbers() -> None:
    zone = _line(("2S", None, None), ("3S", 1, 1))
    view = table.observe(played(0).state, 1)
    assert board.picture(TEXTS, view, zone, ["Ann", "Ada"]) == ("↑ Ann", "2♠", "   3♠", "·  2", "↓ Ada")


def test_of_a_long_line_the_first_card_and_the_last_ones_are_drawn_within_a_telephones_width() -> None:
    cards = [("6H", None, None), *[("2S", number % 2, None) for number in range(30)], ("6H", 0, 0)]
    view = table.observe(played(0).state, None)
    drawn = board.picture(TEXTS, view, _line(*cards), ["Ann", "Bob"])
    assert drawn[1].startswith("6♥ …  2♠ ")
    assert drawn[2].strip() == "6♥"
    assert max(map(len, drawn)) <= board.WIDTH


def test_what_a_choice_would_lead_to_stands_on_its_button_and_a_code_without_words_stays_a_code() -> None:
    assert board.button(TEXTS, "callbreak", Choice("call 4", "number", "4")) == "4"
    assert board.button(TEXTS, "callbreak", Choice("play TH", "card", "TH")) == "10♥"
    assert board.button(TEXTS, "callbreak", Choice("sing loud", "song")) == "sing loud"


def test_a_fact_or_a_zone_of_ones_own_is_told_to_him_alone() -> None:
    view = table.observe(played(0).state, 0)
    zone = Zone("trump_card", (Placed("TH"),), 0, private=True)
    scene = Scene((zone,), (Fact("trump", "H", private=True), Fact("trick_number", 3)), ((),) * 4)
    assert board.own(TEXTS, view, scene, NAMES) == ["trump ♥", "Trump card: 10♥"]
