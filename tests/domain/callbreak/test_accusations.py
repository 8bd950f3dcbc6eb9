"""Accusations one by one (CB-50 to CB-55, CB-64, CB-65): when one may accuse, what follows, what is never told."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from domain import cards, premoves, record, table
from domain.audit import audit_record
from domain.audit_history import Commit, audit_history
from domain.commands import Close, Kick, Leave, Move, Return, Void
from domain.decide import legal
from domain.events import Asked, Over, Present, ResultAwaited, RowWritten, SetUndone
from domain.game import PLAIN, Rejected, SetEnded
from domain.games.callbreak import offences, view
from domain.games.callbreak.events import (
    Accused,
    Confirmed,
    Convicted,
    FoundFalse,
    HandsOpened,
)
from domain.games.callbreak.moves import CONFIRM, PLAYS, Accuse, PlayCard
from domain.table import Table
from tests.domain.play import Sitting, started


def honour(word: str = "honour", **values: str) -> Sitting:
    """A table of honour of four persons, whose calls are never too low; seat 0 deals first."""
    options = {"enforcement": "honour", "min_total_calls": "0", "redeal": "", **values}
    return started("callbreak", word, dealer=0, **options)  # type: ignore[arg-type]


def accuse(sitting: Sitting, by: int, seat: int, trick: int) -> tuple[object, ...]:
    return sitting.do(sitting.state.seats[by].owner, Move(Accuse(seat, trick)), by)


def refused(sitting: Sitting, by: int, seat: int, trick: int) -> Rejected:
    before = sitting.state
    with pytest.raises(Rejected) as refusal:
        accuse(sitting, by, seat, trick)
    assert sitting.state == before
    return refusal.value


def revoke(sitting: Sitting) -> tuple[int, int]:
    """Plays on until somebody can revoke, and does; who and in which trick (1 to 6, so that it can be proved later)."""
    while True:
        state, seat = sitting.state, sitting.asked()
        seen = view.observe(state.set, seat)
        allowed = view.lawful(seen)
        wrong = [card for card in seen.hand or () if not allowed >> card & 1]
        led = seen.trick[0] // 13 if seen.trick else -1
        wrong = [card for card in wrong if card // 13 != led and any(held // 13 == led for held in seen.hand or ())]
        if seen.phase == "play" and wrong and len(seen.tricks) < 6:
            sitting.move(PlayCard(wrong[0]))
            return seat, len(seen.tricks) + 1
        sitting.steady_move()


def honestly(sitting: Sitting, until: Callable[[Table], bool]) -> None:
    sitting.steady(until)


def kinds(events: tuple[object, ...]) -> list[type]:
    return [type(event) for event in events]


def judged(sitting: Sitting) -> None:
    """The record and the history of the table are as the rules say."""
    assert audit_record(record.write(record.record(sitting.events))) is None
    assert audit_history([Commit(one.time, one.actor, one.events) for one in sitting.commits]) is None


def test_the_engine_takes_any_card_that_is_held_and_hints_nothing() -> None:
    sitting = honour()
    honestly(sitting, lambda state: len(state.set.trick) == 1)
    state, seat = sitting.state, sitting.asked()
    hand = state.set.hands[seat]
    assert legal(state, seat) == tuple(PLAYS[card] for card in cards.cards(hand))
    scene = view.scene(view.observe(state.set, seat))
    (held,) = (zone for zone in scene.zones if zone.name == "hand")
    assert all(placed.playable for placed in held.cards)
    assert len(scene.choices) == hand.bit_count()
    for card in cards.cards(hand):
        sitting.copy().move(PlayCard(card))


def test_the_clock_and_the_computer_players_stay_honest_at_a_table_of_honour() -> None:
    for word in map(str, range(6)):
        sitting = honour(word, max_sets="1", tie="shared")
        rng = random.Random(word)
        while sitting.state.phase == "playing":
            sitting.expire() if rng.random() < 0.4 else sitting.steady_move()
            if sitting.state.set.tricks:
                assert not offences.proved(sitting.state.set)


def test_an_accusation_waits_until_a_card_proves_it_and_then_the_set_is_void_at_once() -> None:
    sitting = honour()
    seat, trick = revoke(sitting)
    accuser = (seat + 1) % 4
    events = accuse(sitting, accuser, seat, trick)
    assert events == (Accused(accuser, seat, trick),)
    dealer = sitting.state.dealer
    sitting.steady(lambda state: state.sets == 2)
    last = sitting.commits[-1].events
    convicted = next(event for event in last if isinstance(event, Convicted))
    assert convicted.seat == seat
    assert [(one.trick, one.label) for one in convicted.offences] == [(trick, "revoke")]
    assert SetEnded("void_cheating", void=True) in last
    opened = next(event for event in last if isinstance(event, HandsOpened))
    assert [who for who, _ in opened.hands] == [0, 1, 2, 3]
    assert sitting.state.dealer == (dealer + 1) % 4
    assert [row.kind for row in sitting.state.rows] == ["penalty"]
    judged(sitting.play(sitting.steady_move))


def test_the_answer_to_an_accusation_is_the_same_whatever_is_held() -> None:
    sitting = honour()
    seat, trick = revoke(sitting)
    state = sitting.state
    for choice in range(5):
        seen = view.observe(state.set, None)
        other = view.guess(seen, _Shuffled(choice))
        assert other.hands != state.set.hands
        facts = state.rules.decide(other, (seat + 1) % 4, Accuse(seat, trick), PLAIN)
        assert facts == (Accused((seat + 1) % 4, seat, trick),)


class _Shuffled:
    def __init__(self, choice: int) -> None:
        self._rng = random.Random(choice)

    def order(self, label: str, items: object) -> tuple[int, ...]:
        found = list(cards.PACK)
        self._rng.shuffle(found)
        return tuple(found)


def test_at_the_end_of_the_set_what_is_not_proved_is_false() -> None:
    sitting = honour(false_accusation="minus10", max_sets="3")
    honestly(sitting, lambda state: len(state.set.tricks) == 3)
    accuse(sitting, 2, 1, 2)
    sitting.steady(lambda state: state.sets == 2)
    events = sitting.commits[-1].events
    assert FoundFalse(2, 1, 2) in events
    row = next(event for event in events if isinstance(event, RowWritten) and event.kind == "penalty")
    assert (row.set, row.values) == (0, (None, None, -10, None))
    judged(sitting.play(sitting.steady_move))


def test_a_false_accusation_costs_the_accuser_what_the_accused_would_have_paid_with_mirror() -> None:
    sitting = honour("mirror", false_accusation="mirror", max_sets="4")
    sitting.steady(lambda state: state.sets == 3)
    before = sitting.state.rows
    sitting.steady(lambda state: len(state.set.tricks) == 2)
    accuse(sitting, 3, 2, 1)
    accuse(sitting, 3, 1, 1)
    sitting.steady(lambda state: state.sets == 4)
    negated = [row for row in sitting.state.rows if row.kind == "negated"]
    best = max((row.values[3] or 0 for row in before), default=0)
    penalty = [row for row in sitting.state.rows if row.kind == "penalty"]
    assert len(negated) + len(penalty) == 1, "once a set"
    assert best <= 0 or negated[0].values == (None, None, None, -best)
    judged(sitting.play(sitting.steady_move))


@pytest.mark.parametrize(
    ("by", "seat", "trick", "why"),
    [(1, 1, 1, "yourself"), (1, 2, 13, "not_completed"), (1, 2, 0, "not_completed"), (1, 9, 1, "not_completed")],
)
def test_an_accusation_that_cannot_be_is_refused(by: int, seat: int, trick: int, why: str) -> None:
    sitting = honour()
    honestly(sitting, lambda state: len(state.set.tricks) == 1)
    refusal = refused(sitting, by, seat, trick)
    assert (refusal.code, refusal.clause, refusal.values["why"]) == ("bad_accusation", "CB-64", why)


def test_a_computer_players_conduct_is_beyond_question() -> None:
    sitting = started("callbreak", persons=2, enforcement="honour", min_total_calls="0", redeal="", dealer=0)
    sitting.steady(lambda state: len(state.set.tricks) == 1)
    assert refused(sitting, 0, 3, 1).values["why"] == "computer"
    assert kinds(accuse(sitting, 0, 1, 1)) == [Accused]


def test_two_accusations_a_set_are_all_and_those_that_wait_count() -> None:
    sitting = honour()
    honestly(sitting, lambda state: len(state.set.tricks) == 3)
    accuse(sitting, 1, 2, 1)
    assert refused(sitting, 1, 2, 1).values["why"] == "already"
    assert refused(sitting, 0, 2, 1).values["why"] == "already"
    accuse(sitting, 1, 2, 2)
    assert refused(sitting, 1, 2, 3).values["why"] == "too_many"
    accuse(sitting, 0, 2, 3)


def test_nobody_is_accused_at_a_strict_table_nor_where_the_referee_sees_everything() -> None:
    """Where players could cheat that was meant and can be proved (freeboardgames/FreeBoardGames.org#2015)."""
    strict = started("callbreak", min_total_calls="0", redeal="", dealer=0)
    strict.steady(lambda state: len(state.set.tricks) == 1)
    assert refused(strict, 0, 1, 1).code == "honour_only"
    auto = honour(audit="auto")
    auto.steady(lambda state: len(state.set.tricks) == 1)
    assert refused(auto, 0, 1, 1).values["why"] == "auto"


def played_out_with_a_revoke(**values: str) -> tuple[Sitting, int, int]:
    """A first set in which somebody revoked and nobody said a word; the second has been dealt."""
    sitting = honour(**values)
    seat, trick = revoke(sitting)
    sitting.steady(lambda state: state.sets == 2 or state.pending is not None)
    return sitting, seat, trick


def test_the_window_is_open_until_the_first_call_of_the_next_set_and_the_row_is_taken_out() -> None:
    """Players noticed only later that someone had not played what he had to (rbtying/shengji#105)."""
    sitting, seat, trick = played_out_with_a_revoke()
    assert [row.kind for row in sitting.state.rows] == ["score"]
    dealer, hands, asked = sitting.state.dealer, sitting.state.set.hands, sitting.state.decisions
    events = accuse(sitting, (seat + 2) % 4, seat, trick)
    assert kinds(events) == [Accused, Convicted, SetUndone, RowWritten]
    state = sitting.state
    assert [(row.set, row.kind, [value is None for value in row.values].count(True)) for row in state.rows] == [
        (0, "penalty", 3)
    ]
    assert (state.dealer, state.set.hands, state.decisions) == (dealer, hands, asked)
    assert state.scored == 0
    found = record.record(sitting.play(sitting.steady_move).events)
    assert found["sets"][0]["outcome"] == "void_cheating"
    assert found["sets"][0]["scores"] is None
    assert found["sets"][0]["moves"][-1]["convicted"] == seat
    judged(sitting)


def test_after_the_first_call_the_set_before_is_closed() -> None:
    sitting, seat, trick = played_out_with_a_revoke()
    sitting.steady_move()
    assert sitting.state.contested is None
    assert refused(sitting, (seat + 2) % 4, seat, trick).values["why"] == "not_completed"


def test_a_redeal_does_not_close_the_window() -> None:
    for number in range(400):
        sitting = honour(f"redeal {number}", redeal="four_aces,no_trump,no_court")
        if sitting.state.sets > 1:
            continue
        try:
            seat, trick = revoke(sitting)
        except AssertionError:
            continue
        sitting.steady(lambda state: state.scored == 1 and state.set.called == 0)
        if sitting.state.sets > 2:
            break
    else:
        raise AssertionError("no redeal after a played set")
    assert sitting.state.contested_set == 0
    events = accuse(sitting, (seat + 1) % 4, seat, trick)
    assert SetUndone(0, "void_cheating") in events
    judged(sitting.play(sitting.steady_move))


def last_set(**values: str) -> Sitting:
    return honour(max_sets="1", tie="shared", **values)


def test_the_result_waits_until_everybody_has_confirmed_it() -> None:
    sitting = last_set()
    sitting.steady(lambda state: state.pending is not None)
    state = sitting.state
    assert state.phase == "playing"
    assert isinstance(sitting.commits[-1].events[-2], ResultAwaited)
    assert [decision.seconds for decision in state.decisions] == [60]
    for seat in (2, 0, 3):
        assert kinds(sitting.move(CONFIRM, seat)) == [Confirmed, Asked] or sitting.state.phase == "playing"
        with pytest.raises(Rejected):
            sitting.move(CONFIRM, seat)
    events = sitting.move(CONFIRM, 1)
    assert kinds(events) == [Confirmed, Over]
    assert sitting.state.winners == state.pending.winners if state.pending else False
    judged(sitting)


def test_the_result_stands_when_a_minute_has_passed() -> None:
    sitting = last_set()
    sitting.steady(lambda state: state.pending is not None)
    before = sitting.time
    sitting.expire()
    assert sitting.time - before == 60_000
    assert sitting.state.phase == "over"
    assert all(not seat.expiries for seat in sitting.state.seats), "silence makes nobody away"
    judged(sitting)


def test_a_game_that_had_just_ended_is_open_again() -> None:
    sitting, seat, trick = played_out_with_a_revoke(max_sets="1", tie="shared")
    assert sitting.state.pending is not None
    dealer = sitting.state.dealer
    sitting.move(CONFIRM, (seat + 1) % 4)
    events = accuse(sitting, (seat + 2) % 4, seat, trick)
    assert SetUndone(0, "void_cheating") in events
    state = sitting.state
    assert (state.phase, state.pending, state.dealer, state.sets) == ("playing", None, (dealer + 1) % 4, 2)
    judged(sitting.play(sitting.steady_move))
    assert sitting.state.ended == "max_sets"


def test_a_false_accusation_may_cost_the_winner_his_victory_but_makes_no_winner() -> None:
    for number in range(300):
        sitting = honour(f"late {number}", target="50", false_accusation="minus10")
        sitting.steady(lambda state: state.pending is not None or state.sets > 4)
        state = sitting.state
        if state.pending is None or state.pending.ended != "target":
            continue
        (winner,) = state.pending.winners
        if state.totals[winner] < 60:
            break
    else:
        raise AssertionError("no narrow victory")
    events = accuse(sitting, winner, (winner + 1) % 4, 5)
    assert FoundFalse(winner, (winner + 1) % 4, 5) in events
    assert sitting.state.pending is None
    assert sitting.state.sets == state.sets + 1
    judged(sitting.play(sitting.steady_move))


def test_whoever_leaves_before_the_result_is_confirmed_has_not_won() -> None:
    sitting = last_set()
    sitting.steady(lambda state: state.pending is not None)
    assert sitting.state.pending is not None
    (winner, *_others) = sitting.state.pending.winners
    sitting.do(sitting.state.seats[winner].owner, Leave())
    while sitting.state.phase == "playing":
        sitting.expire()
    assert winner not in sitting.state.winners
    assert sitting.state.winners
    judged(sitting)


def test_a_winner_who_was_kicked_while_the_result_waits_is_no_winner_when_the_others_leave() -> None:
    """The result is looked at again where the game ends by itself, for nobody is there any more to confirm it."""
    sitting = last_set()
    sitting.steady(lambda state: state.pending is not None)
    assert sitting.state.pending is not None
    (winner, *_others) = sitting.state.pending.winners
    sitting.do("person:zed", Kick(winner), admin=True)
    for seat in range(4):
        if seat != winner and sitting.state.phase == "playing":
            sitting.do(sitting.state.seats[seat].owner, Leave(), seat)
    while sitting.state.phase == "playing":
        sitting.expire()
    (over,) = [event for event in sitting.events if isinstance(event, Over)]
    assert winner not in over.winners
    assert sitting.state.winners == over.winners
    judged(sitting)


def test_an_operator_who_closes_the_table_does_not_close_a_result_away() -> None:
    sitting = last_set()
    sitting.steady(lambda state: state.pending is not None)
    pending = sitting.state.pending
    sitting.do("operator", Close())
    assert pending is not None
    assert (sitting.state.ended, sitting.state.winners) == (pending.ended, pending.winners)
    judged(sitting)


def test_an_administrator_may_void_the_last_set_while_its_result_waits() -> None:
    sitting = last_set()
    sitting.steady(lambda state: state.pending is not None)
    sitting.do("person:zed", Void(), admin=True)
    assert (sitting.state.rows, sitting.state.sets, sitting.state.pending) == ((), 2, None)
    judged(sitting.play(sitting.steady_move))


def test_a_seat_that_left_is_convicted_all_the_same() -> None:
    sitting = honour()
    seat, trick = revoke(sitting)
    sitting.do(sitting.state.seats[seat].owner, Leave())
    accuse(sitting, (seat + 1) % 4, seat, trick)
    while sitting.state.sets == 1:
        sitting.expire() if table.away(sitting.state, sitting.asked()) else sitting.steady_move()
    (row,) = sitting.state.rows
    assert row.kind == "penalty"
    assert row.values[seat] is not None
    sitting.do(sitting.state.seats[seat].owner, Return())
    judged(sitting.play(sitting.steady_move))


def test_whoever_accuses_is_there_again() -> None:
    sitting = honour()
    sitting.steady(lambda state: len(state.set.tricks) == 1)
    seat = sitting.asked()
    sitting.expire()
    events = accuse(sitting, seat, (seat + 1) % 4, 1)
    assert kinds(events) == [Present, Accused]


def test_several_offenders_are_convicted_together_each_once() -> None:
    """Impossible plays are listed with their evidence, and nothing is guessed (cozuya/secret-hitler#161).

    CB-54: whoever cheated in the set up to then, accused or not, and however often."""
    for number in range(50):
        sitting = honour(f"several {number}")
        first, trick = revoke(sitting)
        second, _ = revoke(sitting)
        if second != first and sitting.state.sets == 1:
            break
    accuse(sitting, (first + 1) % 4, first, trick)
    sitting.steady(lambda state: state.sets == 2 or state.pending is not None)
    convicted = [event.seat for event in sitting.events if isinstance(event, Convicted)]
    assert convicted == sorted({first, second})
    assert len(sitting.state.rows) == 2
    judged(sitting.play(sitting.steady_move))


def test_the_record_of_a_running_table_tells_what_was_said_of_the_set_before() -> None:
    sitting, seat, trick = played_out_with_a_revoke()
    accuse(sitting, (seat + 2) % 4, seat, trick)
    found = record.record(sitting.events)
    assert [played["outcome"] for played in found["sets"]] == ["void_cheating"]
    assert found["rows"][seat][0][2] == "penalty"
    assert audit_record(record.write(found)) is None
    sitting.steady(lambda state: len(state.set.tricks) == 2)
    assert record.record(sitting.events) == found


def test_whoever_has_no_key_reads_the_same_sheet() -> None:
    sitting, seat, trick = played_out_with_a_revoke(false_accusation="minus10")
    accuse(sitting, seat, (seat + 1) % 4, 3)
    accuse(sitting, (seat + 2) % 4, seat, trick)
    public = table.fold(sitting.name, None, sitting.events)
    assert public is not None
    assert (public.rows, public.totals) == (sitting.state.rows, sitting.state.totals)
    assert [(row.kind, row.set) for row in public.rows] == [("penalty", 0), ("penalty", 0)]


def test_a_record_of_a_result_that_waits_names_no_winner_yet() -> None:
    sitting = last_set()
    sitting.steady(lambda state: state.pending is not None)
    sitting.move(CONFIRM, 2)
    found = record.record(sitting.events)
    assert (found["ended"], found["winners"]) == (None, [])
    assert found["sets"][0]["moves"][-1] == "2 confirm"
    judged(sitting)


def test_a_plan_that_does_what_must_be_done_anyway_confirms_no_result() -> None:
    sitting = last_set()
    sitting.steady(lambda state: state.pending is not None)
    assert all(premoves.forced(sitting.state, seat) is None for seat in range(4))
