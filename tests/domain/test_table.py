"""The table around any game: the lobby, proposals, closing, commands that may not be."""

from __future__ import annotations

import pytest

from domain import table
from domain.audit_history import audit_history
from domain.clock import Stop
from domain.commands import (
    AddComputer,
    Answer,
    Close,
    Command,
    Join,
    Leave,
    Move,
    NoteOutage,
    Open,
    Propose,
    RemoveComputer,
    Return,
    SetOptions,
    Start,
)
from domain.decide import decide
from domain.events import (
    Agreed,
    Asked,
    Declined,
    Joined,
    Left,
    Opened,
    OptionsSet,
    Over,
    ProposalOff,
    Proposed,
    SeedRevealed,
    Unseated,
)
from domain.game import Rejected
from domain.games.callbreak.moves import Call
from domain.games.callbreak.options import Options
from domain.shuffle import commitment
from tests.domain.eventful import history
from tests.domain.play import PERSONS, Sitting, chosen, lobby, started

ANN, BOB, CAT, DAN = PERSONS[:4]


def _owners(sitting: Sitting) -> list[str]:
    return [seat.owner for seat in sitting.state.seats]


# The lobby


def test_a_table_opens_with_its_host_a_commitment_and_what_differs_from_the_defaults() -> None:
    sitting = Sitting()
    opened, joined = sitting.do(ANN, Open("callbreak", chosen("callbreak", {"target": "100"})))
    assert isinstance(opened, Opened)
    assert (opened.game, opened.ruleset, opened.host) == ("callbreak", "callbreak/1", ANN)
    assert opened.options == {"target": 100}
    assert opened.commitment == commitment(sitting.seeds[opened.commitment])
    assert joined == Joined(ANN)


def test_an_operators_table_has_no_seat_for_its_host() -> None:
    sitting = lobby(persons=0)
    assert _owners(sitting) == ["computer:steady"] * 4


@pytest.mark.parametrize(
    ("actor", "act", "code"),
    [
        (ANN, Open("callbreak", chosen("callbreak", {})), "already_open"),
        (ANN, Join(), "already_seated"),
        (DAN, AddComputer(), "not_seated"),
        (ANN, AddComputer("divine"), "no_such_level"),
        (ANN, RemoveComputer(), "no_computer"),
        (DAN, RemoveComputer(), "not_seated"),
        (DAN, SetOptions(chosen("callbreak", {})), "not_seated"),
        (ANN, SetOptions(Options(target=0)), "no_end"),
        (DAN, Start(), "not_seated"),
        (DAN, Leave(), "not_seated"),
        (ANN, Move(Call(3)), "not_started"),
        (ANN, Return(), "not_started"),
        (ANN, Propose("end"), "not_started"),
        (ANN, Answer(True), "not_started"),
        (BOB, Close(), "not_allowed"),
    ],
)
def test_what_may_not_be_in_the_lobby(actor: str, act: object, code: str) -> None:
    sitting = lobby(seats=2)
    before = sitting.state
    with pytest.raises(Rejected, match=f"^{code}$"):
        sitting.do(actor, act)  # type: ignore[arg-type]
    assert sitting.state == before


def test_a_table_that_was_never_opened_is_no_table() -> None:
    for act in (Join(), Move(Call(3)), Return(), Close()):
        with pytest.raises(Rejected, match="no_such_table"):
            decide(None, Command("t-9", ANN, 0, "c", act))


def test_a_game_that_is_not_there_is_refused_with_the_names_of_those_that_are() -> None:
    with pytest.raises(Rejected, match="no_such_game") as refusal:
        Sitting().do(ANN, Open("bridge", None))
    assert "callbreak" in refusal.value.values["names"]


def test_a_seat_that_is_given_up_in_the_lobby_is_free_and_later_ones_move_up() -> None:
    sitting = lobby(seats=3)
    assert sitting.do(BOB, Leave()) == (Unseated(1),)
    assert _owners(sitting) == [ANN, CAT]


def test_the_last_computer_player_can_be_sent_away() -> None:
    sitting = lobby(persons=2, seats=4)
    assert sitting.do(BOB, RemoveComputer()) == (Unseated(3),)
    assert _owners(sitting) == [ANN, BOB, "computer:steady"]


def test_options_are_set_until_the_start() -> None:
    sitting = lobby()
    wanted = chosen("callbreak", {"max_sets": "3"})
    assert sitting.do(BOB, SetOptions(wanted)) == (OptionsSet({"max_sets": 3}),)
    assert sitting.state.options == wanted
    sitting.do(ANN, Start())
    with pytest.raises(Rejected, match="already_started"):
        sitting.do(BOB, SetOptions(wanted))


def test_a_lobby_that_all_persons_leave_is_closed() -> None:
    sitting = lobby(persons=1, seats=3)
    events = sitting.do(ANN, Leave())
    assert events[0] == Unseated(0)
    assert isinstance(events[1], SeedRevealed)
    assert events[2] == Over("closed", ())


def test_a_host_who_left_the_lobby_has_no_rights_in_it() -> None:
    sitting = lobby(seats=3)
    sitting.do(ANN, Leave())
    for act in (AddComputer(), RemoveComputer(), SetOptions(chosen("callbreak", {})), Start()):
        with pytest.raises(Rejected, match="not_seated"):
            sitting.do(ANN, act)
    with pytest.raises(Rejected, match="not_allowed"):
        sitting.do(ANN, Close())
    sitting.do(ANN, Join())
    sitting.do(ANN, AddComputer())
    sitting.do(ANN, Close())
    assert sitting.state.ended == "closed"


def test_an_operator_who_never_had_a_seat_arranges_and_closes_his_table() -> None:
    sitting = lobby(persons=0, seats=3)
    sitting.do("operator", RemoveComputer())
    sitting.do("operator", Close())
    assert sitting.state.ended == "closed"


def test_nothing_happens_at_a_table_that_is_over() -> None:
    sitting = lobby()
    sitting.do(ANN, Close())
    for act in (Join(), Leave(), Start(), AddComputer(), Move(Call(3)), Return(), Propose("end"), Close()):
        with pytest.raises(Rejected, match="table_over"):
            sitting.do(ANN, act)


# Proposals


def test_cb_45_all_persons_together_can_end_the_game_without_a_winner() -> None:
    sitting = started()
    assert sitting.do(ANN, Propose("end")) == (Proposed("end", ANN), Agreed(0))
    sitting.do(BOB, Answer(True))
    sitting.do(CAT, Answer(True))
    assert sitting.state.phase == "playing"
    events = sitting.do(DAN, Answer(True))
    assert events[0] == Agreed(3)
    assert isinstance(events[1], SeedRevealed)
    assert events[2] == Over("vote", ())
    assert (sitting.state.ended, sitting.state.winners) == ("vote", ())


def test_cb_45_one_who_declines_is_enough_to_go_on() -> None:
    sitting = started()
    sitting.do(ANN, Propose("end"))
    assert sitting.do(BOB, Answer(False)) == (Declined(1),)
    assert sitting.state.proposal is None
    sitting.do(CAT, Propose("end"))
    assert sitting.state.proposal is not None


def test_one_proposal_at_a_time_and_one_answer_each() -> None:
    sitting = started()
    with pytest.raises(Rejected, match="no_proposal"):
        sitting.do(ANN, Answer(True))
    sitting.do(ANN, Propose("end"))
    with pytest.raises(Rejected, match="proposal_open"):
        sitting.do(BOB, Propose("end"))
    with pytest.raises(Rejected, match="already_agreed"):
        sitting.do(ANN, Answer(True))
    with pytest.raises(Rejected, match="not_seated"):
        sitting.do("person:stranger", Answer(True))
    with pytest.raises(Rejected, match="no_such_proposal"):
        started().do(ANN, Propose("dance"))


def test_computer_players_and_those_who_left_have_no_vote() -> None:
    sitting = started(persons=2)
    sitting.do(ANN, Propose("end"))
    sitting.do(BOB, Leave())
    assert sitting.state.ended == "vote"


def test_one_person_among_computer_players_may_end_the_game_alone() -> None:
    sitting = started(persons=1)
    sitting.do(ANN, Propose("end"))
    assert sitting.state.ended == "vote"


def test_who_proposed_may_take_it_back() -> None:
    sitting = started()
    sitting.do(ANN, Propose("end"))
    assert sitting.do(ANN, Answer(False)) == (ProposalOff("withdrawn"),)
    assert sitting.state.proposal is None
    with pytest.raises(Rejected, match="no_proposal"):
        sitting.do(BOB, Answer(True))


def test_who_agreed_may_take_it_back() -> None:
    sitting = started()
    sitting.do(ANN, Propose("end"))
    sitting.do(BOB, Answer(True))
    assert sitting.do(BOB, Answer(False)) == (Declined(1),)
    assert sitting.state.proposal is None


def test_a_newcomer_may_take_back_that_he_asked_for_a_seat_and_no_other_stranger_may() -> None:
    sitting = started(substitute="true")
    sitting.do(BOB, Leave())
    sitting.do("person:new", Propose("seat", 1))
    with pytest.raises(Rejected, match="not_seated"):
        sitting.do("person:stranger", Answer(False))
    assert sitting.do("person:new", Answer(False)) == (ProposalOff("withdrawn"),)
    assert sitting.state.proposal is None


def test_a_newcomer_who_asks_for_a_seat_keeps_nobody_from_agreeing_on_something_else() -> None:
    """One who has no seat held the only place for a proposal: nobody could end the game any more."""
    sitting = started(substitute="true")
    sitting.do(BOB, Leave())
    sitting.do("person:new", Propose("seat", 1))
    sitting.do(CAT, Answer(True))
    with pytest.raises(Rejected, match="proposal_open"):
        sitting.do("person:other", Propose("seat", 1))
    sitting.do(ANN, Propose("end"))
    proposal = sitting.state.proposal
    assert proposal is not None
    assert (proposal.what, proposal.agreed) == ("end", (0,)), "what was agreed to was something else"
    with pytest.raises(Rejected, match="proposal_open"):
        sitting.do("person:new", Propose("seat", 1))
    assert audit_history(history(sitting)) is None


def _away(sitting: Sitting, seat: int) -> None:
    """Lets the seat's time run out three times; the others move."""
    while not table.away(sitting.state, seat):
        if sitting.asked() == seat:
            sitting.expire()
        else:
            sitting.steady_move()


def test_who_let_his_time_run_out_has_no_say_until_he_is_back() -> None:
    sitting = started(dealer=0)
    _away(sitting, 3)
    with pytest.raises(Rejected, match="you_are_away"):
        sitting.do(DAN, Propose("end"))
    sitting.do(ANN, Propose("end"))
    with pytest.raises(Rejected, match="you_are_away"):
        sitting.do(DAN, Answer(False))
    sitting.do(DAN, Return())
    sitting.do(BOB, Answer(True))
    sitting.do(CAT, Answer(True))
    assert sitting.state.phase == "playing"
    sitting.do(DAN, Answer(True))
    assert sitting.state.ended == "vote"


def test_a_proposal_that_only_somebody_away_has_not_answered_is_carried_out() -> None:
    sitting = started(dealer=0)
    sitting.do(ANN, Propose("end"))
    sitting.do(BOB, Answer(True))
    sitting.do(CAT, Answer(True))
    while sitting.state.phase == "playing":
        if sitting.asked() == 3:
            sitting.expire()
        else:
            sitting.steady_move()
    assert sitting.state.ended == "vote"
    assert sitting.state.seats[3].expiries == 3


def test_a_proposal_is_not_carried_out_because_nobody_is_there_to_agree() -> None:
    sitting = started(persons=2, substitute="true", dealer=0)
    sitting.do(ANN, Leave())
    sitting.do("person:new", Propose("seat", 0))
    assert sitting.do(BOB, Leave())[:2] == (Left(1), ProposalOff("nobody_left"))
    assert sitting.state.seats[0].owner == ANN
    with pytest.raises(Rejected, match="nobody_to_agree"):
        sitting.do("person:new", Propose("seat", 0))
    assert sitting.state.proposal is None


def test_the_agreement_of_somebody_who_left_does_not_count() -> None:
    sitting = started(persons=2, dealer=0)
    sitting.do(ANN, Propose("end"))
    sitting.do(ANN, Leave())
    assert sitting.state.phase == "playing"
    assert sitting.state.proposal is not None
    sitting.do(BOB, Answer(True))
    assert sitting.state.ended == "vote"


def test_moves_go_on_while_a_proposal_is_open() -> None:
    sitting = started()
    sitting.do(ANN, Propose("end"))
    sitting.steady_move()
    assert sitting.state.proposal is not None


# Closing


@pytest.mark.parametrize("actor", ["operator", "chat"])
def test_the_operator_and_the_chat_can_close_a_running_game(actor: str) -> None:
    sitting = started()
    events = sitting.do(actor, Close())
    assert isinstance(events[0], SeedRevealed)
    assert events[1] == Over("closed", ())


def test_a_person_cannot_close_a_running_game() -> None:
    sitting = started()
    for person in (ANN, BOB):
        with pytest.raises(Rejected, match="not_allowed"):
            sitting.do(person, Close())


# Decisions


def test_each_turn_is_a_decision_of_its_own() -> None:
    sitting = started()
    numbers = [sitting.state.decisions[0].id]
    for _ in range(5):
        sitting.steady_move()
        numbers.append(sitting.state.decisions[0].id)
    assert numbers == [1, 2, 3, 4, 5, 6]
    assert table.decision_of(sitting.state, sitting.asked()) == sitting.state.decisions[0]
    assert table.decision_of(sitting.state, (sitting.asked() + 1) % 4) is None


def test_every_commit_of_a_running_table_says_what_is_asked_now() -> None:
    sitting = started()
    for _ in range(20):
        events = sitting.steady_move()
        assert isinstance(events[-1], Asked)
        assert events[-1].open[0].start == sitting.time


def test_an_outage_is_noted_once() -> None:
    sitting = started()
    stop = Stop(sitting.time + 5, sitting.time + 10)
    sitting.do("clock", NoteOutage(stop))
    for again in (stop, Stop(7, 7), Stop(9, 8)):
        with pytest.raises(Rejected, match="nothing_to_note"):
            sitting.do("clock", NoteOutage(again))
    assert sitting.state.stops == (stop,)


def test_outages_of_questions_long_answered_are_forgotten() -> None:
    sitting = started()
    sitting.do("clock", NoteOutage(Stop(sitting.time + 5, sitting.time + 10)))
    sitting.time += 100
    sitting.steady_move()
    assert sitting.state.stops == ()


def test_a_seed_that_does_not_fit_its_commitment_is_refused() -> None:
    with pytest.raises(ValueError, match="does not fit"):
        table.with_seed(started().state, b"x" * 32, b"y" * 32)
