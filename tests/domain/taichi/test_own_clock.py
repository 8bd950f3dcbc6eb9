"""TC-35, the duel by everybody's own clock: who opens the card sees it, answers stay hidden, least time wins."""

from __future__ import annotations

import hashlib

import msgspec
import pytest

from domain import events, record, table
from domain.audit import audit_record
from domain.audit_history import Commit, audit_history
from domain.commands import Leave
from domain.game import Brought, Rejected
from domain.games import GAMES
from domain.games.taichi import asking, rules
from domain.games.taichi.deck import card_of, names
from domain.games.taichi.events import AnswerHidden, AnswerTold, Awarded, CardOpened, CardShown, DuelBegan
from domain.games.taichi.moves import notation, read
from domain.games.taichi.view import observe, scene
from service.text import history, language
from tests.domain.play import Sitting, started
from tests.domain.taichi.turns import Turns, awarded, gains

TEXTS = language("en")


def _duel(seats: int = 3) -> Turns:
    """All are ready; E lies there, face down."""
    turns = Turns("S:P T:P E:L R:Y O:Y", seats, duel="own_clock")
    turns.play("0 turn", "0 word sun", "0 turn", "0 word site", "0 stop")
    turns.play(*(f"{seat} challenge" for seat in range(1, seats)), *(f"{seat} ready" for seat in range(seats)))
    return turns


def test_the_card_lies_face_down_until_somebody_opens_it_for_himself() -> None:
    turns = _duel()
    assert names(turns.state.open) == ["S:P", "T:P"]
    assert turns.legal(1) == ["open", "pass"]
    turns.do("1 open")
    assert turns.legal(1) == ["pass"]
    assert [observe(turns.state, seat).card is not None for seat in (0, 1, 2, None)] == [False, True, False, False]
    zones = {zone.name: zone for zone in scene(observe(turns.state, 1)).zones}
    assert zones["duel_card"].private
    assert "duel_card" not in {zone.name for zone in scene(observe(turns.state, None)).zones}


def test_no_event_names_the_card_before_the_end() -> None:
    turns = Turns("S:P T:P E:L R:Y O:Y", 2, duel="own_clock")
    turns.play("0 turn", "0 word sun", "0 turn", "0 word site", "0 stop", "1 challenge", "0 ready")
    facts = [*turns.do("1 ready"), *turns.do("1 open"), *turns.do("1 word state")]
    assert [type(fact) for fact in facts[1:]] == [DuelBegan, CardOpened, AnswerHidden]
    stored = msgspec.json.encode(facts)
    assert b"state" not in stored
    assert facts[1] == DuelBegan(None)


def test_a_word_wants_the_card_opened() -> None:
    turns = _duel()
    assert turns.refused("1 word state").code == "open_first"


def test_three_minutes_for_each_who_has_opened_and_a_day_for_the_others() -> None:
    turns = _duel()
    turns.do("1 open")
    asks = {ask.key.split(":")[0]: (ask.seats, ask.seconds) for ask in asking.to_act(turns.state)}
    assert asks == {"clock": ((1,), 180), "open": ((0, 2), 86400)}
    turns.do("2 open")
    assert len({ask.key for ask in asking.to_act(turns.state)}) == 3


def test_what_is_wrong_with_a_word_is_for_its_sayer_alone() -> None:
    turns = _duel()
    turns.do("1 open")
    refusal = turns.refused("1 word salt")
    assert refusal.code == "own_card_missing"
    assert refusal.code not in rules.OPEN_REFUSALS
    assert turns.refused("1 word moon").code == "wrong_initial"


def test_least_time_wins_whoever_answered_first() -> None:
    turns = _duel()
    turns.do("1 open")
    turns.do("1 word state", after=9_300)
    turns.do("0 open")
    turns.do("0 word steel", after=12_000)
    turns.do("2 open")
    facts = turns.do("2 word satellite", after=8_450)
    told = [fact for fact in facts if isinstance(fact, AnswerTold)]
    assert [(fact.seat, fact.word, fact.tenths) for fact in told] == [
        (2, "satellite", 84),
        (1, "state", 93),
        (0, "steel", 120),
    ]
    assert awarded(facts).winner == 2
    assert gains(facts)[2] == ["S:P", "T:P"]
    assert facts[1] == CardShown(card_of("E:L"))


def test_equal_times_the_first_seat_clockwise_from_the_active_player() -> None:
    turns = _duel()
    for seat in (2, 1):
        turns.do(f"{seat} open")
        turns.do(f"{seat} word {'state' if seat == 1 else 'steel'}", after=4_030 if seat == 1 else 4_060)
    assert awarded(turns.do("0 pass")).winner == 1


def test_answers_of_others_are_not_seen_but_ones_own_is() -> None:
    turns = _duel()
    turns.play("1 open", "1 word state")
    assert observe(turns.state, 1).answer == "state"
    for seat in (0, 2, None):
        seen = observe(turns.state, seat)
        assert seen.answer is None
        assert seen.answers == ()
        assert b"state" not in msgspec.json.encode(seen)


def test_three_minutes_are_over_for_one_and_the_others_go_on() -> None:
    turns = _duel()
    turns.play("1 open", "2 open")
    turns.expire("clock")
    assert turns.asked() == {"clock": (2,), "open": (0,)}
    turns.do("2 word state")
    assert awarded(turns.do("0 pass")).winner == 2


def test_a_time_is_never_longer_than_a_record_can_tell() -> None:
    turns = _duel()
    turns.do("1 open")
    (hidden,) = turns.do("1 word state", after=10**9)
    assert hidden.tenths == 999_999
    assert notation(read("word state 99999.9")) == "word state 99999.9"


def test_nobody_opens_it_and_the_challenged_wins() -> None:
    turns = _duel()
    facts = turns.expire("open")
    assert awarded(facts).why == "stood"
    assert any(isinstance(fact, CardShown) for fact in facts)


def test_the_salt_that_is_told_opens_the_commitment() -> None:
    turns = _duel(2)
    turns.do("1 open")
    (hidden,) = turns.do("1 word state")
    told = next(fact for fact in turns.do("0 pass") if isinstance(fact, AnswerTold))
    assert hashlib.sha256(told.salt + b"state").digest() == hidden.commitment


# At a table, with its records and histories


def _sitting(word: str) -> Sitting:
    """Computer players until the end; at least one duel has an answer."""
    sitting = started("taichi", word, seats=3, duel="own_clock")

    def step() -> None:
        sitting.time += 1700
        sitting.steady_move()

    return sitting.play(step)


@pytest.fixture(scope="module")
def finished() -> Sitting:
    sitting = _sitting("own clocks")
    assert any(isinstance(event, AnswerHidden) for event in sitting.events)
    return sitting


def _history(sitting: Sitting) -> list[Commit]:
    return [Commit(commit.time, commit.actor, commit.events) for commit in sitting.commits]


def test_record_and_history_are_as_the_rules_say(finished: Sitting) -> None:
    found = record.record(finished.events)
    timed = [move for move in found["sets"][0]["moves"] if isinstance(move, str) and move[-2:-1] == "."]
    assert timed
    assert audit_record(record.write(found)) is None
    assert audit_history(_history(finished)) is None


def test_a_history_with_another_word_told_than_was_hidden_is_found(finished: Sitting) -> None:
    history = _history(finished)
    at = next(
        i
        for i, commit in enumerate(history)
        if any(isinstance(event, AnswerTold) and event.word for event in commit.events)
    )
    told = tuple(
        msgspec.structs.replace(event, word="xyz") if isinstance(event, AnswerTold) and event.word else event
        for event in history[at].events
    )
    finding = audit_history([*history[:at], Commit(history[at].time, history[at].actor, told), *history[at + 1 :]])
    assert finding is not None
    assert finding.code in ("answer_unknown", "no_command_causes_this")


def test_without_the_key_the_fold_gets_as_far(finished: Sitting) -> None:
    state = table.fold("t-1", None, [event for commit in finished.commits for event in commit.events])
    assert state is not None
    assert (state.ended, state.totals) == (finished.state.ended, finished.state.totals)
    assert events.encode(finished.events)


def test_an_answer_that_was_never_told_is_not_held_against_a_history() -> None:
    """Everybody but one leaves while an answer is hidden: the set is cut short, and nobody ever tells the word."""
    sitting = started("taichi", "own clocks", seats=3, duel="own_clock")
    rules_of = sitting.state.rules

    def step() -> None:
        sitting.time += 1700
        sitting.steady_move()

    sitting.play(step, lambda state: any(answer.word for answer in state.set.answers))
    assert sitting.state.phase == "playing"
    assert rules_of.slug == "taichi"
    for seat in (0, 1):
        sitting.do(sitting.state.seats[seat].owner, Leave(), seat)
    assert sitting.state.ended == "last_left"
    assert not any(isinstance(event, AnswerTold) for event in sitting.commits[-1].events)
    assert audit_history(_history(sitting)) is None


def test_a_record_with_the_quickest_not_first_is_refused() -> None:
    turns = _duel()
    facts = rules.decide(turns.state, 1, read("word state 9.3"), Brought(order=1, told=True))
    turns.apply(facts)
    with pytest.raises(Rejected, match="not_quickest_first"):
        rules.decide(turns.state, 2, read("word steel 8.4"), Brought(order=2, told=True))


def test_nobody_types_his_own_time() -> None:
    turns = _duel()
    turns.do("1 open")
    assert turns.refused("1 word state 0.1").code == "not_a_move"


def test_a_pass_and_an_answer_are_told_in_the_same_words_until_all_are_done() -> None:
    """Whoever reads that somebody passed knows what no other participant does."""
    turns = _duel()
    turns.do("1 open")
    told = [fact for fact in (*turns.do("1 word state"), *turns.do("2 pass")) if type(fact) is not Awarded]
    said = [history.line(TEXTS, GAMES["taichi"], fact, ["Ann", "Bob", "Cat"]) for fact in told]
    assert [line.replace("Cat", "Bob") for line in said if line] == ["Bob is done", "Bob is done"]
