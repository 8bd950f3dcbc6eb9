"""Hidden calls (CB-56): the three tests, the margin, the vote of the others, and what the dealer pays."""

from __future__ import annotations

from typing import Any

import pytest

from domain import cards, record
from domain.audit import audit_record
from domain.audit_history import Commit, audit_history
from domain.events import RowWritten
from domain.game import BY_CLOCK, PLAIN, Rejected, SetEnded
from domain.games.callbreak import CALLBREAK, rules, view, worth
from domain.games.callbreak.events import CallJudged, DealerChecked, Voted, VoteOpened
from domain.games.callbreak.moves import VOTES, Call
from domain.games.callbreak.options import Options
from domain.games.callbreak.state import Set
from tests.domain.callbreak.positions import hand
from tests.domain.play import Sitting, started

ACES = "2S AH KH 4H AD KD 7D QC KC 9C 2C 3C 4C"  # one trump, two aces, three kings: nothing is certain
TRUMPS = "AS KS QS 2H 3H 4H 5D 6D 7D 8C 9C 2C 3C"
SPADES = 0


def dealers_call(held: str, others: tuple[int, int, int], call: int, **values: Any) -> tuple[Any, ...]:
    """What the dealer (seat 3) causes by his call."""
    auto = values.pop("auto", False)
    one, two, three = others
    state = Set(
        Options(**values), 3, SPADES, 3, 0, hands=(0, 0, 0, hand(held)), calls=(one, two, three, 0), called=3, moves=3
    )
    return rules.decide(state, 3, Call(call), BY_CLOCK if auto else PLAIN)


def verdict(*arguments: Any, **values: Any) -> CallJudged | None:
    return next((fact for fact in dealers_call(*arguments, **values) if isinstance(fact, CallJudged)), None)


@pytest.mark.parametrize(
    ("held", "others", "call", "guilty"),
    [
        (ACES, (2, 2, 2), 2, True),  # worth five: three less than the margin allows
        (ACES, (2, 2, 1), 3, True),  # two less
        (ACES, (2, 1, 1), 4, False),  # one less is honest caution
        (ACES, (1, 1, 1), 1, False),  # the honest call would not have let the set be played either
        (TRUMPS, (3, 2, 2), 1, True),
        ("2S 3S 4S 2H 3H 4H 5D 6D 7D 8C 9C 2C 3C", (3, 2, 2), 1, False),
    ],
)
def test_the_estimate_convicts_with_a_margin_of_two(
    held: str, others: tuple[int, int, int], call: int, guilty: bool
) -> None:
    found = verdict(held, others, call)
    assert found is not None
    assert found.guilty == guilty
    assert found.worth == rules.estimate(hand(held), SPADES)


def test_the_reasoning_names_every_card_that_was_counted() -> None:
    found = verdict(ACES, (2, 2, 2), 2)
    assert found is not None
    told = [(what, cards.name(value) if what != "ruffs" else value) for what, value in found.counted]
    assert told == [("ace", "AH"), ("king", "KH"), ("ace", "AD"), ("king", "KD"), ("king", "KC")]
    certain = verdict(TRUMPS, (3, 2, 2), 1, hidden_call_test="certain")
    assert certain is not None
    assert [cards.name(card) for _, card in certain.counted] == ["AS", "KS", "QS"]


def test_short_suits_count_as_far_as_there_are_trumps() -> None:
    """CB-56: the ruffs of the source's own counting, or the sure trumps, whichever are more."""
    held = hand("2S 3S 4H 5H 6H 7H 8H 9H TH 2D 3D 4D 5D")  # no club: three ruffs, and two trumps
    assert worth.counted(held, SPADES) == (("ruffs", 2),)
    assert worth.estimate(held, SPADES) == 2


@pytest.mark.parametrize("test", ["estimate", "certain"])
def test_a_call_of_the_clock_is_never_an_offence(test: str) -> None:
    facts = dealers_call(TRUMPS, (3, 2, 2), 1, hidden_call_test=test, auto=True)
    assert [type(fact) for fact in facts[1:]] == [DealerChecked, SetEnded]


def test_where_it_is_off_nobody_asks() -> None:
    facts = dealers_call(TRUMPS, (3, 2, 2), 1, hidden_call_test="off")
    assert [type(fact) for fact in facts[1:]] == [DealerChecked, SetEnded]


def test_nobody_hides_a_call_above_the_highest_there_may_be() -> None:
    found = verdict(ACES, (2, 2, 2), 2, max_call=3)
    assert found is not None
    assert not found.guilty


def _voting(**values: Any) -> Set:
    """A set in which the others are to vote on the dealer."""
    one, two, three = (2, 2, 2)
    options = Options(hidden_call_test="vote", **values)
    state = Set(options, 3, SPADES, 3, 0, hands=(0, 0, 0, hand(ACES)), calls=(one, two, three, 0), called=3, moves=3)
    for fact in rules.decide(state, 3, Call(2)):
        state = CALLBREAK.evolve(state, fact, None)
    return state


def test_the_three_others_vote_and_only_all_of_them_convict() -> None:
    state = _voting()
    (ask,) = rules.to_act(state)
    assert (ask.key, ask.seats, ask.seconds, ask.counts) == ("vote", (0, 1, 2), 86400, False)
    assert rules.legal(state, 3) == ()
    for seat in (1, 0):
        assert rules.legal(state, seat) == VOTES
        facts = rules.decide(state, seat, VOTES[0])
        assert facts == (Voted(seat, True),)
        state = CALLBREAK.evolve(state, facts[0], None)
        with pytest.raises(Rejected):
            rules.decide(state, seat, VOTES[0])
    voted, judged, ended = rules.decide(state, 2, VOTES[0])
    assert voted == Voted(2, True)
    assert isinstance(judged, CallJudged)
    assert (judged.guilty, judged.worth, judged.test) == (True, 5, "vote")
    assert ended == SetEnded("low_calls", void=True)


def test_the_first_who_says_not_guilty_acquits() -> None:
    state = _voting()
    voted, judged, ended = rules.decide(state, 1, VOTES[1])
    assert voted == Voted(1, False)
    assert isinstance(judged, CallJudged)
    assert not judged.guilty
    assert ended == SetEnded("low_calls", void=True)


def test_silence_counts_as_not_guilty() -> None:
    state = _voting()
    assert rules.timeout(state, 0) == VOTES[1]


@pytest.mark.parametrize(("others", "call"), [((2, 1, 0), 1), ((1, 1, 1), 5)])
def test_a_vote_is_offered_only_where_the_honest_call_would_have_made_the_set(
    others: tuple[int, int, int], call: int
) -> None:
    facts = dealers_call(ACES, others, call, hidden_call_test="vote")
    assert not any(isinstance(fact, VoteOpened) for fact in facts)
    assert facts[-1] == SetEnded("low_calls", void=True)


def test_a_vote_is_public_and_the_dealers_cards_lie_open() -> None:
    seen = view.observe(_voting(), None)
    assert seen.opened == ((3, cards.cards(hand(ACES))),)
    scene = view.scene(view.observe(_voting(), 0))
    assert [choice.move for choice in scene.choices] == ["vote guilty", "vote innocent"]
    assert scene.prompt == "vote"


def _hidden(penalty: str, test: str = "estimate") -> Sitting:
    """A game in whose third set the dealer hid a call."""
    for number in range(500):
        word = f"hidden {penalty} {number}"
        sitting = started("callbreak", word, dealer=0, redeal="", penalty=penalty, hidden_call_test=test, max_sets="3")
        sitting.steady(lambda state: state.sets == 3)
        state = sitting.state
        if state.phase == "playing" and rules.estimate(state.set.hands[state.dealer], state.set.trump) >= 4:
            sitting.moves("call 2", "call 2", "call 2", "call 1")
            return sitting
    raise AssertionError("no dealer with a good hand")


def _judged(sitting: Sitting) -> None:
    assert audit_record(record.write(record.record(sitting.events))) is None
    assert audit_history([Commit(one.time, one.actor, one.events) for one in sitting.commits]) is None


@pytest.mark.parametrize("penalty", ["negate_best", "fail_call", "redeal_only"])
def test_a_hidden_call_costs_what_cheating_costs(penalty: str) -> None:
    sitting = _hidden(penalty)
    events = sitting.commits[-1].events
    dealer = 2
    judged = next(event for event in events if isinstance(event, CallJudged))
    assert (judged.seat, judged.guilty) == (dealer, True)
    rows = [event for event in events if isinstance(event, RowWritten)]
    scores = [row.values[dealer] for row in sitting.copy().state.rows if row.kind == "score"]
    match penalty:
        case "redeal_only":
            assert rows == []
        case "fail_call":
            assert [(row.kind, row.set, row.values[dealer]) for row in rows] == [("penalty", 2, -10)]
        case _:
            assert [row.kind for row in rows] in (["negated"], ["penalty"])
            if rows[0].kind == "negated":
                assert scores.count(None) == 1
    _judged(sitting.play(sitting.steady_move))


def test_computer_players_convict_by_the_margin_of_the_estimate_and_are_never_convicted() -> None:
    sitting = _hidden("negate_best", "vote")
    assert sitting.state.set.votes == ()
    for _ in range(3):
        sitting.steady_move()
    found = [event for event in sitting.events if isinstance(event, CallJudged)]
    assert found[-1].guilty
    _judged(sitting.play(sitting.steady_move))
    for word in map(str, range(8)):
        game = started("callbreak", word, max_sets="4", tie="shared").steady()
        assert not any(event.guilty for event in game.events if isinstance(event, CallJudged))


def test_a_voters_time_runs_out_for_all_of_them_at_once() -> None:
    sitting = _hidden("negate_best", "vote")
    sets = sitting.state.sets
    sitting.expire()
    votes = [event for event in sitting.commits[-1].events if isinstance(event, Voted)]
    assert votes == [Voted(votes[0].seat, False, True)]
    assert sitting.state.sets == sets + 1
    assert all(not seat.expiries for seat in sitting.state.seats)
    _judged(sitting.play(sitting.steady_move))
