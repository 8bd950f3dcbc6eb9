"""TC-4, TC-10: what one may know, and what is shown."""

from __future__ import annotations

import msgspec

from domain import table
from domain.games.taichi.deck import name, names
from domain.games.taichi.view import Observation, observe, scene
from tests.domain.play import started
from tests.domain.taichi.turns import Turns

PILE = "S:P T:P E:L R:Y O:Y"


def test_an_observation_has_these_fields_and_no_other() -> None:
    assert set(Observation.__struct_fields__) == {
        *("seat", "options", "seats", "dealer", "phase", "turn", "turns", "open", "auto_turned", "words", "counts"),
        *("bets", "piled", "deck", "discards", "done", "found", "answers", "opened", "hidden", "card", "answer"),
        *("left", "away", "ending", "spoken", "objection", "objections", "turned_over", "ruled", "legal"),
        *("may_say", "may_object"),
    }, "a new field: may everybody know it?"


def test_what_lies_open_and_what_was_said_is_public_and_won_cards_are_only_counted() -> None:
    turns = Turns(PILE, 3)
    turns.play("0 turn", "0 word sun", "0 turn", "0 word site")
    seen = observe(turns.state, None)
    assert names(seen.open) == ["S:P", "T:P"]
    assert [word for _, word in seen.words] == ["sun", "site"]
    assert seen.counts == (1, 1, 1)
    zones = {zone.name: [placed.card for placed in zone.cards] for zone in scene(seen).zones}
    assert zones == {"open": ["S:P", "T:P"]}


def test_discards_lie_face_up() -> None:
    turns = Turns(PILE, 3)
    turns.play("0 turn", "0 no_word", "1 pass", "2 pass")
    zones = {zone.name: [placed.card for placed in zone.cards] for zone in scene(observe(turns.state, 1)).zones}
    assert zones == {"discards": ["S:P"]}


def _told(turns: Turns) -> tuple[list[tuple[int | None, list[str]]], dict[int, int | str]]:
    """What was taken in the turn before, by whom, and by which seats' words."""
    shown = scene(observe(turns.state, None))
    taken = [(zone.owner, [placed.card for placed in zone.cards]) for zone in shown.zones if zone.name == "taken"]
    words = {seat: fact.value for seat, facts in enumerate(shown.seats) for fact in facts if fact.name == "last_word"}
    return taken, words


def test_how_the_turn_before_ended_is_told_while_the_next_one_is_played() -> None:
    turns = Turns(PILE, 3)
    assert _told(turns) == ([], {})
    turns.play("0 turn", "0 word sun", "0 turn", "0 word site", "0 stop", "1 challenge", "2 challenge")
    turns.play("0 ready", "1 ready", "2 ready", "2 word state", "0 pass", "1 pass")
    assert _told(turns) == ([(2, ["S:P", "T:P"]), (0, ["E:L"])], {2: "STATE"})
    turns.do("1 turn")
    assert _told(turns)[1] == {2: "STATE"}


def test_so_is_a_rescue_round_with_everybodys_word_and_a_stop_with_the_word_before_it() -> None:
    turns = Turns(PILE, 4)
    turns.play("0 turn", "0 word sun", "0 turn", "0 no_word", "2 word state", "1 word site", "3 pass")
    assert _told(turns) == ([(1, ["S:P"]), (2, ["T:P"])], {1: "SITE", 2: "STATE"})
    turns = Turns(PILE, 3, won="")
    turns.play("0 turn", "0 word sun", "0 turn", "0 word site", "0 stop")
    assert _told(turns) == ([(0, ["T:P"])], {0: "SITE"})


def test_a_challenge_that_nobody_answered_was_won_by_no_word() -> None:
    turns = Turns(PILE, 2)
    turns.play("0 turn", "0 word sun", "0 stop", "1 challenge", "0 ready", "1 ready", "0 pass", "1 pass")
    assert _told(turns) == ([(0, ["S:P", "T:P"])], {})


def test_a_bet_is_not_shown_before_it_is_lost() -> None:
    turns = Turns("S:P T:P E:L R:Y", 2, stacks={1: "M:Y"})
    turns.play("0 turn", "0 word sun", "0 stop", "1 challenge")
    seen = observe(turns.state, 0)
    assert seen.bets == (1,)
    assert name(turns.state.bets[0][1]) not in msgspec.json.encode(scene(seen)).decode()
    turns.play("0 ready", "1 ready", "0 pass", "1 pass")
    assert "M:Y" in names(observe(turns.state, 0).discards)


def test_the_choices_are_the_listed_moves() -> None:
    turns = Turns(PILE, 3)
    turns.play("0 turn", "0 word sun")
    shown = scene(observe(turns.state, 0))
    assert [choice.move for choice in shown.choices] == ["turn", "stop"]
    assert shown.prompt == "choose"
    assert scene(observe(turns.state, 1)).choices == ()


def test_what_is_asked_has_a_name_of_its_own() -> None:
    turns = Turns(PILE, 4, duel="own_clock")
    found = [scene(observe(turns.state, 0)).prompt]
    for line in ("0 turn", "0 word sun", "1 object", "2 agree", "3 disagree", "0 stop", "1 challenge", "2 decline"):
        turns.do(line)
        found.append(scene(observe(turns.state, 0)).prompt)
    turns.play("3 decline", "0 ready", "1 ready")
    found.append(scene(observe(turns.state, 0)).prompt)
    turns.do("0 open")
    found.append(scene(observe(turns.state, 0)).prompt)
    assert found == [
        *("card", "word", "choose", "objection", "objection", "choose", "ask", "ask", "ask", "open", "duel"),
    ]


def test_the_last_card_is_announced() -> None:
    turns = Turns("S:P", 2, deck=2)
    turns.do("0 turn")
    assert scene(observe(turns.state, 0)).prompt == "last"


def test_each_seat_shows_what_it_has_done() -> None:
    turns = Turns(PILE, 3)
    turns.play("0 turn", "0 word sun", "0 stop", "1 challenge", "2 challenge", "1 ready")
    seats = [{fact.name for fact in facts} for facts in scene(observe(turns.state, None)).seats]
    assert seats == [{"cards"}, {"cards", "bet", "ready"}, {"cards", "bet"}]


def test_those_who_are_asked_are_named_from_the_left_of_who_stopped() -> None:
    """TC-30: the source asks clockwise; the engine asks all at once, and names them in that order."""
    sitting = started("taichi", "clockwise", seats=4, dealer=1)
    sitting.moves("turn")
    sitting.steady_move()
    sitting.moves("stop")
    assert sitting.state.set.turn == 2
    assert table.observe(sitting.state, None).waiting == (3, 0, 1)
