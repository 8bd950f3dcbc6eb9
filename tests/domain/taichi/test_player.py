"""Computer players: one who knows no word, and one with the vocabulary of an everyday person."""

from __future__ import annotations

from domain.games.taichi import fit
from domain.games.taichi.moves import Word, notation
from domain.games.taichi.player import pace, player, speaker
from domain.games.taichi.view import observe
from tests.domain.play import started
from tests.domain.taichi.lexicon import FEW
from tests.domain.taichi.turns import Turns


def _says(turns: Turns, seat: int) -> str:
    return notation(speaker("steady", observe(turns.state, seat), FEW))


def test_he_says_a_word_that_fits_and_is_of_no_family_that_was_said() -> None:
    turns = Turns("S:P O:Y U:L T:P H:P", 3)
    turns.play("0 turn", "0 word southern", "0 turn")
    move = speaker("steady", observe(turns.state, 0), FEW)
    assert isinstance(move, Word)
    assert fit.fits(move.word, turns.state.open)
    assert move.word not in ("south", "southern", "southerner")


def test_he_finds_no_word_where_there_is_none() -> None:
    turns = Turns("X:P X:Y X:L", 3)
    turns.play("0 turn", "0 word xerox", "0 turn")
    assert _says(turns, 0) == "no_word"
    turns.do("0 no_word")
    assert _says(turns, 1) == "pass"


def test_he_goes_on_with_an_easy_card_and_stops_with_hard_ones() -> None:
    easy = Turns("S:P T:Y E:L", 3)
    easy.play("0 turn", "0 word sun")
    assert _says(easy, 0) == "turn"
    hard = Turns("X:P E:Y O:L", 3)
    hard.play("0 turn", "0 word xerox")
    assert _says(hard, 0) == "stop"


def test_he_does_not_turn_where_there_is_no_card() -> None:
    turns = Turns("S:P", 3)
    turns.play("0 turn", "0 word sun")
    assert _says(turns, 0) == "stop"


def test_he_is_ready_opens_the_card_and_answers() -> None:
    turns = Turns("S:P T:P E:L R:Y O:Y", 2, duel="own_clock")
    turns.play("0 turn", "0 word sun", "0 turn", "0 word site", "0 stop", "1 challenge")
    for seat in (0, 1):
        assert _says(turns, seat) == "ready"
        turns.do(f"{seat} ready")
    assert _says(turns, 1) == "open"
    turns.do("1 open")
    said = speaker("steady", observe(turns.state, 1), FEW)
    assert isinstance(said, Word)
    assert "e" in said.word


def test_he_does_not_answer_a_duel_that_has_been_answered() -> None:
    turns = Turns("S:P T:P E:L R:Y O:Y", 2)
    turns.play("0 turn", "0 word sun", "0 turn", "0 word site", "0 stop", "1 challenge", "0 ready", "1 ready")
    turns.do("0 word state")
    assert _says(turns, 1) == "pass"
    assert pace(observe(turns.state, 1)) == (0, 0)


def test_he_believes_the_dictionary() -> None:
    turns = Turns("M:P", 4)
    turns.play("0 turn", "0 word man", "1 object")
    assert _says(turns, 2) == "disagree"


def test_he_does_not_say_a_word_that_was_turned_over() -> None:
    turns = Turns("X:P", 4)
    turns.play("0 turn", "0 word xylophone", "1 object", "2 agree", "3 agree")
    assert _says(turns, 0) not in ("word xylophone", "no_word")


def test_he_takes_his_time_where_others_look_for_a_word_too() -> None:
    turns = Turns("S:P T:P E:L R:Y O:Y", 2)
    turns.play("0 turn")
    assert pace(observe(turns.state, 0)) == (0, 0)
    turns.do("0 no_word")
    least, most = pace(observe(turns.state, 1))
    assert 4000 <= least < most <= 25_000


def test_who_knows_no_word_ends_a_game_all_the_same() -> None:
    sitting = started("taichi", "wordless", persons=0, seats=3)
    sitting.lexicon = None
    sitting.play(
        lambda: sitting.move(player("steady", sitting.state.rules.observe(sitting.state.set, sitting.asked())))
    )
    assert sitting.state.ended == "played_out"


def test_who_knows_words_wins_more_cards_than_who_knows_none() -> None:
    sitting = started("taichi", "knows words", persons=0, seats=2)

    def step() -> None:
        seat = sitting.asked()
        seen = sitting.state.rules.observe(sitting.state.set, seat)
        sitting.move(speaker("steady", seen, FEW) if seat == 0 else player("steady", seen), seat)

    sitting.play(step)
    assert sitting.state.totals[0] > 3 * sitting.state.totals[1]
