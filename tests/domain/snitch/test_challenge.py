"""SN-20 to SN-27, SN-43, SN-71, SN-75: challenges and defences, drawing after them, what everybody learns of them."""

from __future__ import annotations

import msgspec
import pytest

from domain import table
from domain.commands import Move
from domain.game import Rejected, SetEnded
from domain.games.snitch import SNITCH, rules, view
from domain.games.snitch.moves import read
from domain.games.snitch.state import Challenged, ChallengeWon, Defended, Pressed, Set, Stopped, Yielded, evolve
from service.text import board, language
from tests.domain.play import PERSONS, Sitting, started
from tests.domain.snitch.positions import LOOSE, ended, listed, moved, public, refused, round_of, row, won

KINGS = {1: ["7S 7H", "KC KD"]}
STRONG = "KH 2H X2"


def _challenged(defender: str = STRONG, hand: str = "KS 2S X1", **values: object) -> Set:
    state, _ = moved(round_of(hand, defender, LOOSE, stacks=KINGS, **values), "challenge 1 KS")  # type: ignore[arg-type]
    return state


# Who may be challenged


def test_sn_12_only_the_topmost_set_of_another_player() -> None:
    state = round_of("7D KS 2S", STRONG, LOOSE, stacks={0: ["KH KC"], **KINGS})
    assert {move for move in listed(state) if move.startswith("challenge")} == {"challenge 1 KS", "challenge 1 2S"}
    assert (refused(state, "challenge 1 7D").code, refused(state, "challenge 1 7D").clause) == (
        "does_not_join",
        "SN-12",
    )
    assert refused(state, "challenge 0 KS").code == "own_set"
    assert refused(state, "challenge 2 KS").code == "no_set_there"
    assert refused(state, "challenge 3 KS").code == "no_such_seat"
    assert refused(state, "challenge 1 KD").code == "not_your_card"


def test_sn_12_a_set_with_a_wild_card_has_the_rank_of_its_natural_one() -> None:
    state = round_of("2D KS TH", STRONG, LOOSE, stacks={1: ["KC 2C"]})
    assert {move for move in listed(state) if move.startswith("challenge")} == {"challenge 1 KS", "challenge 1 2D"}


# The sequence


def test_sn_20_the_cards_of_an_open_challenge_are_seen_by_all_and_nobody_draws_yet() -> None:
    state, facts = moved(round_of("KS 2S X1", STRONG, LOOSE, stacks=KINGS), "challenge 1 KS")
    assert facts == (Challenged(0, 1, row("KS")[0]),)
    assert (state.awaits, state.turn, state.target, state.left) == (1, 0, 1, 7)
    assert state.counts == (2, 3, 3)
    for seat in (None, 0, 1, 2):
        shown = next(zone for zone in view.scene(view.observe(state, seat)).zones if zone.name == "challenge")
        assert [(placed.card, placed.by) for placed in shown.cards] == [("KS", 0)]


def test_sn_20_giving_up_leaves_the_set_and_the_card_to_the_challenger() -> None:
    state, facts = moved(_challenged(), "yield")
    assert facts == (Yielded(1), ChallengeWon(0, 1, row("KC KD KS"), 1, 0))
    assert state.stacks == ((row("KC KD KS"),), (row("7S 7H"),), ())
    assert (state.turn, state.awaits, state.target, state.laid) == (1, 1, -1, ())


def test_sn_21_after_a_defence_the_challenger_stops_and_the_defender_keeps_all() -> None:
    state, facts = moved(_challenged(), "defend KH", "stop")
    assert facts == (Stopped(0), ChallengeWon(1, 1, row("KC KD KS KH"), 1, 1))
    assert state.stacks == ((), (row("7S 7H"), row("KC KD KS KH")), ())
    assert state.counts == (3, 3, 3)


def test_sn_21_three_cards_each_and_the_last_unanswered_one_wins() -> None:
    state = _challenged()
    for move, fact in (("defend KH", Defended), ("press 2S", Pressed), ("defend 2H", Defended), ("press X1", Pressed)):
        state, facts = moved(state, move)
        assert [type(one) for one in facts] == [fact]
    state, facts = moved(state, "defend X2")
    assert won(facts) == ChallengeWon(1, 1, row("KC KD KS KH 2S 2H X1 X2"), 3, 3)
    assert rules.points_of(state, 1) == 180 + 10
    assert state.left == 1


def test_sn_22_only_whoever_is_awaited_acts_and_only_with_cards_that_join_or_by_ending_it() -> None:
    state = _challenged("KH 2H 7D")
    assert listed(state) == {"defend KH", "defend 2H", "yield"}
    assert listed(state, 0) == listed(state, 2) == set()
    assert (refused(state, "press 2S", 0).code, refused(state, "press 2S", 0).clause) == ("not_your_turn", "SN-22")
    for move in ("discard 7D", "press KH", "stop", "challenge 0 KH", "set KH 2H", "take 7D"):
        assert refused(state, move).code == "answer_challenge"
    assert refused(state, "defend 7D").code == "does_not_join"
    assert refused(state, "defend KS").code == "not_your_card"
    state, _ = moved(state, "defend 2H")
    assert listed(state) == {"press 2S", "press X1", "stop"}
    for move in ("discard 2S", "defend 2S", "yield", "set 2S X1"):
        assert refused(state, move).code == "go_on_or_stop"
    assert refused(state, "press 7C").code == "does_not_join"


def test_sn_22_giving_up_with_a_card_that_joins_is_allowed() -> None:
    """Who is challenged cannot give in when he holds the card: the program decides for him (octachrome/treason#24)."""
    state, _ = moved(_challenged(), "yield")
    assert state.hands is not None
    assert state.hands[1] == tuple(sorted(row(STRONG)))


# What comes of it


def test_sn_24_a_stolen_set_keeps_its_rank_and_can_be_stolen_again() -> None:
    state, _ = moved(_challenged("3H 4H 5H", hand="KS KS X1"), "yield")
    assert "challenge 0 KS" not in listed(state)
    state = msgspec.structs.replace(state, hands=((0, 1, 2), row("KH 2H 4S"), row(LOOSE)))
    state, facts = moved(state, "challenge 0 2H", "yield")
    assert won(facts).cards == row("KC KD KS 2H")
    assert state.stacks[1] == (row("7S 7H"), row("KC KD KS 2H"))
    state = msgspec.structs.replace(state, hands=((0, 1, 2), (3, 4, 5), tuple(sorted(row("KD 3C 6C")))))
    assert {move for move in listed(state) if move.startswith("challenge")} == {"challenge 1 KD"}


def test_sn_25_the_set_under_a_stolen_one_is_the_victims_top_again() -> None:
    state, _ = moved(_challenged(), "yield")
    state = msgspec.structs.replace(state, turn=2, awaits=2, hands=((), (), row("7C 3S 4S")), counts=(0, 0, 3))
    assert "challenge 1 7C" in listed(state)


@pytest.mark.parametrize(
    ("stock", "drew", "target_drew"), [("3D 4D 5D", 2, 1), ("3D 4D", 2, 0), ("3D", 1, 0), ("", 0, 0)]
)
def test_sn_23_the_active_player_draws_first_then_the_defender(stock: str, drew: int, target_drew: int) -> None:
    state = _challenged(stock=stock)
    state, facts = moved(state, "defend KH", "press 2S", "yield")
    assert (won(facts).drew, won(facts).target_drew) == (drew, target_drew)
    assert state.hands is not None
    due = row(stock)
    assert set(due[:drew]) <= set(state.hands[0])
    assert set(due[drew:]) <= set(state.hands[1])
    assert state.left == 0


def test_sn_26_the_player_left_of_the_challenger_is_next_whoever_won() -> None:
    for moves in (("yield",), ("defend KH", "stop")):
        state, _ = moved(_challenged(), *moves)
        assert state.turn == 1
    away = round_of(LOOSE, STRONG, "KS 4H 5H", stacks=KINGS, turn=2)
    state, _ = moved(away, "challenge 1 KS", "yield")
    assert state.turn == 0


# Empty hands (SN-43)


def test_sn_43_a_challenge_against_an_empty_hand_succeeds_at_once() -> None:
    state = round_of("KS 7D", "", "5H", stock="", stacks=KINGS)
    state, facts = moved(state, "challenge 1 KS")
    assert [type(fact) for fact in facts] == [Challenged, ChallengeWon]
    assert (won(facts).seat, state.turn) == (0, 2)


def test_sn_43_a_challenger_left_without_cards_after_a_defence_has_lost() -> None:
    state, facts = moved(round_of("KS", "KH", "", stock="", stacks=KINGS), "challenge 1 KS", "defend KH")
    assert [type(fact) for fact in facts] == [Defended, ChallengeWon, SetEnded]
    assert ended(facts).scores == (0, 50, 0)
    assert state.turn == -1


def test_sn_43_a_defender_left_without_cards_has_given_up() -> None:
    state = round_of("KS 2S 4D", "KH", LOOSE, stock="", stacks=KINGS)
    state, facts = moved(state, "challenge 1 KS", "defend KH", "press 2S")
    assert [type(fact) for fact in facts] == [Pressed, ChallengeWon]
    assert won(facts).seat == 0
    assert state.turn == 2


# Nothing tells what a defender holds (SN-71)


def test_sn_71_a_defender_with_cards_is_asked_whether_he_can_join_or_not() -> None:
    for hand in (STRONG, "3S 4S 5S"):
        state = _challenged(hand)
        (ask,) = rules.to_act(state)
        assert ask.seats == (1,)
        assert ask.seconds == 28800
    assert listed(_challenged("3S 4S 5S")) == {"yield"}


def test_sn_71_a_challenger_with_cards_is_asked_whether_he_can_go_on_or_not() -> None:
    state, facts = moved(_challenged(hand="KS 4S 5S"), "defend KH")
    assert len(facts) == 1
    assert listed(state) == {"stop"}
    assert rules.to_act(state)[0].seats == (0,)


def _asked_to_defend(able: bool) -> Sitting:
    """A table at which seat 1 is challenged, with cards that join or without any, and everything else alike."""
    sitting = started("snitch", "secret", seats=3)
    hand = STRONG if able else "3S 4S 5S"
    held = round_of("KS 2S X1", hand, LOOSE, stacks=KINGS)
    sitting._state = msgspec.structs.replace(sitting.state, set=held)
    sitting.move(read("challenge 1 KS"))
    return sitting


def test_sn_71_all_others_see_the_very_same_whether_the_defender_can_answer_or_not() -> None:
    able, unable = _asked_to_defend(True), _asked_to_defend(False)
    names = ["Ann", "Bob", "Cat"]
    for seat in (None, 0, 2):
        views = [table.observe(sitting.state, seat) for sitting in (able, unable)]
        seen = [msgspec.json.encode(found.set) for found in views]
        assert seen[0] == seen[1]
        assert views[0].asked == views[1].asked
        assert views[0].due == views[1].due
        scenes = [SNITCH.scene(found.set) for found in views]
        assert msgspec.json.encode(scenes[0]) == msgspec.json.encode(scenes[1])
        lines = [board.lines(language("en"), found, scene, names) for found, scene in zip(views, scenes, strict=True)]
        assert lines[0] == lines[1]
    own = [table.observe(sitting.state, 1).set.legal for sitting in (able, unable)]
    assert own == [("defend 2H", "defend KH", "defend X2", "yield"), ("yield",)]


def test_sn_71_a_refused_defence_changes_nothing_and_its_code_is_for_its_owner_alone() -> None:
    refusal = refused(_challenged("3S 4S 5S"), "defend KH")
    assert refusal.code == "not_your_card"
    assert refusal.code not in SNITCH.open_refusals
    assert "held_once" not in SNITCH.open_refusals


def test_sn_75_every_phase_of_every_challenge_is_a_question_of_its_own() -> None:
    sitting = started("snitch", "keys", seats=3)
    order = ("challenge", "defend", "press", "set", "take", "yield", "stop", "discard")
    keys = []
    while sitting.state.phase == "playing":
        (asked,) = sitting.state.decisions
        keys.append((asked.id, asked.key))
        legal = [SNITCH.notation(move) for move in SNITCH.legal(sitting.state.set, sitting.asked())]
        sitting.moves(min(legal, key=lambda move: order.index(move.split()[0])))
    assert len({key for _, key in keys}) == len({number for number, _ in keys}) == len(keys)
    assert sum(key.endswith(".2") for _, key in keys) > 3  # a challenger who may go on


def test_sn_75_a_late_button_does_nothing() -> None:
    sitting = started("snitch", "late", seats=3)
    asked = sitting.state.decisions[0]
    seat = sitting.asked()
    first = SNITCH.legal(sitting.state.set, seat)[0]
    sitting.move(first)
    with pytest.raises(Rejected, match="stale"):
        sitting.do(PERSONS[seat], Move(first), decision=asked.id)


def test_without_the_key_a_challenge_follows_all_the_same() -> None:
    state = round_of("KS 2S X1", STRONG, LOOSE, stacks=KINGS)
    without = public(state)
    for move in ("challenge 1 KS", "defend KH", "press 2S", "yield"):
        state, facts = moved(state, move)
        for fact in facts:
            without = evolve(without, fact)
        assert without == public(state)
