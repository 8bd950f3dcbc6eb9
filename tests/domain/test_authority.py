"""What administrators do to a table: it is in its history, with who and why, and no game needs to know of it."""

from __future__ import annotations

import random

import pytest

from domain import record, table
from domain.audit import audit_record
from domain.audit_history import audit_history
from domain.commands import (
    Act,
    Answer,
    Close,
    Expire,
    Kick,
    Leave,
    Move,
    Pause,
    Propose,
    Replace,
    Return,
    SetStandIn,
    Void,
)
from domain.decide import legal
from domain.events import (
    AdminActed,
    Agreed,
    Dealt,
    Kicked,
    Over,
    ProposalOff,
    Proposed,
    RowWritten,
    SeatTaken,
    SeedRevealed,
    Unseated,
)
from domain.game import Rejected, SetEnded
from domain.games import GAMES
from domain.shuffle import Seeded
from tests.domain.eventful import REASON, history
from tests.domain.play import PERSONS, SHORT, Sitting, lobby, started

ANN, BOB, CAT, DAN, EVE, FAY, GUS, HAL = PERSONS


def _right(sitting: Sitting) -> None:
    """The history is as the rules say, and so is its record."""
    assert audit_history(history(sitting)) is None
    assert audit_record(record.write(record.record(sitting.events))) is None


# Kicked out


def test_whoever_is_kicked_has_left_and_does_not_come_back_by_himself() -> None:
    sitting = started(dealer=0)
    assert sitting.do(HAL, Kick(1, REASON), admin=True)[:2] == (AdminActed("kick", REASON), Kicked(1))
    assert table.away(sitting.state, 1)
    moves = sitting.state.rules.legal(sitting.state.set, 1)
    attempts: list[Act] = [Return(), Propose("end"), Leave(), *map(Move, moves)]
    for act in attempts:
        with pytest.raises(Rejected, match=r"^kicked$"):
            sitting.do(BOB, act)
    with pytest.raises(Rejected, match=r"^kicked$"):
        sitting.do(BOB, Move(moves[0]), 1)
    with pytest.raises(Rejected, match="already_kicked"):
        sitting.do(HAL, Kick(1), admin=True)


def test_whoever_is_kicked_sees_no_hand_any_more() -> None:
    """A seat's cards go on without him: he is a spectator."""
    sitting = started(dealer=0)
    assert table.seat_of(sitting.state, BOB) == 1
    sitting.do(HAL, Kick(1), admin=True)
    assert table.seat_of(sitting.state, BOB) is None


def test_the_clock_plays_at_once_for_a_seat_whose_owner_was_kicked() -> None:
    sitting = started(dealer=0)
    seat = sitting.asked()
    sitting.do(HAL, Kick(seat), admin=True)
    assert table.deadline(sitting.state, sitting.state.decisions[0]) == sitting.time
    sitting.expire()
    assert sitting.asked() != seat
    _right(sitting)


def test_a_leaver_who_is_kicked_cannot_come_back_and_the_record_tells_his_leaving_once() -> None:
    sitting = started(dealer=0, max_sets="1", tie="shared")
    sitting.do(BOB, Leave())
    sitting.do(HAL, Kick(1), admin=True)
    with pytest.raises(Rejected, match=r"^kicked$"):
        sitting.do(BOB, Return())
    sitting.play(lambda: sitting.expire() if sitting.asked() == 1 else sitting.steady_move())
    told = [move for played in record.record(sitting.events)["sets"] for move in played["moves"]]
    assert [move for move in told if isinstance(move, dict)] == [{"left": 1}]
    _right(sitting)


def test_in_the_lobby_the_seat_of_whoever_is_kicked_is_free() -> None:
    sitting = lobby(seats=3)
    assert sitting.do(HAL, Kick(1), admin=True) == (AdminActed("kick"), Unseated(1))
    assert [seat.owner for seat in sitting.state.seats] == [ANN, CAT]
    assert sitting.state.proposal is None


def test_a_game_of_two_is_over_when_one_of_them_is_kicked() -> None:
    sitting = started("chitchat")
    sitting.do(HAL, Kick(1), admin=True)
    assert (sitting.state.ended, sitting.state.winners) == ("resign", (0,))
    _right(sitting)


@pytest.mark.parametrize(
    ("act", "code"),
    [
        (Kick(4), "no_such_seat"),
        (Kick(-1), "no_such_seat"),
        (Kick(3), "no_person_there"),
        (Kick(1, "why not"), "bad_reason_hash"),
        (Replace(4, DAN), "no_such_seat"),
        (Replace(1, ANN), "already_seated"),
        (Replace(1, BOB), "already_seated"),
        (Replace(1, "computer:steady"), "not_a_person"),
        (Replace(1, "person:"), "not_a_person"),
        (Replace(1, "person:a b"), "not_a_person"),
        (Replace(1, "person:" + "x" * 200), "not_a_person"),
        (Void("x"), "bad_reason_hash"),
        (Close("A" * 64), "bad_reason_hash"),
        (SetStandIn(False), "already_so"),
    ],
)
def test_what_an_administrator_may_not_do(act: Act, code: str) -> None:
    sitting = started(persons=3, dealer=0)
    before = sitting.state
    with pytest.raises(Rejected, match=f"^{code}$"):
        sitting.do(HAL, act, admin=True)
    assert sitting.state == before


@pytest.mark.parametrize("act", [Kick(1), Replace(1, DAN), Void(), Close(), Close(REASON), Pause(), SetStandIn(True)])
@pytest.mark.parametrize("actor", [ANN, HAL, "clock", "computer:steady"])
def test_only_an_administrator_the_operator_or_the_chat_may(act: Act, actor: str) -> None:
    if (actor, act) == ("clock", Pause()):
        return
    with pytest.raises(Rejected, match="not_allowed"):
        started(persons=3, dealer=0).do(actor, act)
    for who, admin in ((HAL, True), ("operator", False), ("chat", False)):
        sitting = started(persons=3, dealer=0)
        sitting.do(who, act, admin=admin)
        _right(sitting)


# By vote


def test_the_others_may_agree_that_somebody_has_to_go() -> None:
    """A player who does nothing should go, by vote or by the host.

    Who is absent keeps the others from playing; a vote or a hard limit is wanted.
    Reports: jh0ker/mau_mau_bot#65, ShrimpCryptid/Secret-Hitler-Online#203, myano/jenni#252.
    """
    sitting = started(persons=4, dealer=0)
    assert sitting.do(ANN, Propose("kick", 1)) == (Proposed("kick", ANN, 1), Agreed(0))
    with pytest.raises(Rejected, match="not_asked"):
        sitting.do(BOB, Answer(False))
    sitting.do(CAT, Answer(True))
    assert sitting.do(DAN, Answer(True))[:2] == (Agreed(3), Kicked(1))
    assert sitting.state.proposal is None
    with pytest.raises(Rejected, match=r"^kicked$"):
        sitting.do(BOB, Return())
    _right(sitting)


def test_nobody_throws_out_the_only_other_player() -> None:
    """With him gone the game would be won: it takes two at least."""
    for sitting in (started("chitchat"), started(persons=2, dealer=0)):
        with pytest.raises(Rejected, match="too_few_to_kick"):
            sitting.do(ANN, Propose("kick", 1))
    sitting = started(persons=3, dealer=0)
    sitting.do(ANN, Propose("kick", 1))
    sitting.do(CAT, Leave())
    assert not sitting.state.seats[1].left
    assert sitting.state.proposal is None
    assert ProposalOff("nobody_left") in sitting.events
    _right(sitting)


def test_a_vote_about_somebody_is_not_stopped_by_his_next_move() -> None:
    sitting = started(persons=4, dealer=0)
    sitting.expire()
    sitting.do(ANN, Propose("kick", 1))
    sitting.do(BOB, Return()) if table.away(sitting.state, 1) else None
    assert sitting.state.proposal is not None
    assert sitting.state.proposal.what == "kick"


@pytest.mark.parametrize(
    ("act", "code"),
    [
        (Propose("kick", 0), "not_yourself"),
        (Propose("kick", 3), "no_person_there"),
        (Propose("kick", None), "no_such_seat"),
        (Propose("kick", 9), "no_such_seat"),
        (Propose("stand_in_off"), "already_so"),
        (Propose("fly"), "no_such_proposal"),
    ],
)
def test_what_may_not_be_proposed(act: Act, code: str) -> None:
    with pytest.raises(Rejected, match=f"^{code}$"):
        started(persons=3, dealer=0).do(ANN, act)


# Another owner


@pytest.mark.parametrize("game", GAMES)
def test_a_seat_goes_to_another_person_with_its_cards_and_its_column(game: str) -> None:
    sitting = started(game, word="replaced", seats=max(2, GAMES[game].seats[0]), **SHORT.get(game, {}))
    for _ in range(3):
        sitting.steady_move()
    seat = sitting.asked()
    before = table.observe(sitting.state, seat)
    owner = sitting.state.seats[seat].owner
    facts = sitting.do(FAY, Replace(seat, GUS, REASON), admin=True)
    assert facts[:2] == (AdminActed("replace", REASON), SeatTaken(seat, GUS))
    after = table.observe(sitting.state, seat)
    assert (after.set, after.totals, after.rows) == (before.set, before.totals, before.rows)
    assert (table.seat_of(sitting.state, owner), table.seat_of(sitting.state, GUS)) == (None, seat)
    with pytest.raises(Rejected, match="not_seated"):
        sitting.do(owner, Move(legal(sitting.state, seat)[0]))
    sitting.steady_move()
    sitting.do("operator", Close())
    _right(sitting)


def test_an_absent_owners_seat_is_there_again_with_another_one() -> None:
    """Who is gone when a round ends is out of it (CH-71); not so the seat that somebody took over before."""
    sitting = started("chinchon", word="taken", seats=3)
    sitting.do(BOB, Leave())
    sitting.do(FAY, Replace(1, GUS), admin=True)
    assert sitting.state.set.gone == ()
    assert not table.away(sitting.state, 1)
    _right(sitting)


def test_whoever_was_kicked_may_be_given_his_seat_back_by_an_administrator_alone() -> None:
    sitting = started(persons=4, dealer=0, substitute="true")
    sitting.do(HAL, Kick(1), admin=True)
    with pytest.raises(Rejected, match="kicked"):
        sitting.do(BOB, Propose("seat", 1))
    sitting.do(HAL, Replace(1, BOB), admin=True)
    assert table.seat_of(sitting.state, BOB) == 1
    assert not table.away(sitting.state, 1)
    _right(sitting)


def test_a_computer_players_seat_may_go_to_a_person() -> None:
    sitting = started(persons=2, dealer=1)
    assert sitting.asked() == 2
    (before,) = sitting.state.decisions
    sitting.do(HAL, Replace(2, CAT), admin=True)
    (after,) = sitting.state.decisions
    assert (before.seconds, after.seconds) == (None, sitting.state.options.turn_seconds)
    _right(sitting)


def test_nobodys_agreement_passes_to_whoever_takes_his_seat() -> None:
    sitting = started(persons=2, dealer=0)
    sitting.do(ANN, Propose("end"))
    sitting.do(HAL, Replace(0, CAT), admin=True)
    with pytest.raises(Rejected, match="no_proposal"):
        sitting.do(BOB, Answer(True))


# Void sets


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("moves", [0, 1, 7, 40])
def test_an_administrator_voids_the_running_set_of_any_game_and_the_next_is_dealt_with_its_seed(
    game: str, moves: int
) -> None:
    sitting = started(game, word=f"voided {game}", seats=max(3, GAMES[game].seats[0]) if game != "chitchat" else 2)
    begun = sitting.state
    sitting.play(sitting.steady_move, lambda state: len(sitting.commits) >= moves + 8)
    if sitting.state.phase == "over" or sitting.state.sets > 1:
        return
    running = sitting.state
    facts = sitting.do(HAL, Void(REASON), admin=True)
    assert facts[:2] == (AdminActed("void", REASON), SetEnded("void_admin", None, void=True))
    (dealt,) = [fact for fact in facts if isinstance(fact, Dealt)][:1]
    assert (dealt.deal, dealt.commitment) == (2, b"")
    assert not any(isinstance(fact, SeedRevealed | RowWritten | Over) for fact in facts)
    after = sitting.state
    assert (after.commitment, after.scored, after.totals) == (begun.commitment, 0, begun.totals)
    assert after.sets == 2
    assert after.seed is not None
    assert Seeded(after.seed, running.digest).order("deal:2", range(9)) != Seeded(after.seed, begun.digest).order(
        "deal:1", range(9)
    )
    rng = random.Random(1)
    for _ in range(5):
        sitting.any_move(rng)
    sitting.do("operator", Close())
    found = record.record(sitting.events)
    assert [(played["outcome"], played["scores"]) for played in found["sets"]] == [("void_admin", None)]
    _right(sitting)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_with_a_voided_set_is_played_to_its_end(game: str) -> None:
    sitting = started(game, word="voided, then played", **SHORT.get(game, {}))
    sitting.steady_move()
    sitting.do("chat", Void())
    sitting.steady()
    assert sitting.state.phase == "over"
    assert sitting.state.rows
    _right(sitting)


@pytest.mark.parametrize("game", [game for game in GAMES if GAMES[game].seats[1] > 2])
def test_who_had_left_is_gone_in_the_set_that_follows_a_voided_one_too(game: str) -> None:
    sitting = started(game, word="left and voided", seats=max(4, GAMES[game].seats[0]))
    sitting.do(BOB, Leave())
    sitting.do(HAL, Void(), admin=True)
    for _ in range(30):
        if sitting.state.phase == "over" or any(isinstance(fact, Over) for fact in sitting.events):
            break
        due = [table.deadline(sitting.state, one) for one in sitting.state.decisions if 1 in one.seats]
        assert due in ([], [sitting.time]), "nobody waits for him"
        sitting.expire() if due else sitting.steady_move()
    if sitting.state.phase == "playing":
        sitting.do("operator", Close())
    _right(sitting)


def test_a_void_set_changes_nothing_for_whoever_moves_too_late() -> None:
    sitting = started(dealer=0)
    decision = sitting.state.decisions[0].id
    sitting.do(HAL, Void(), admin=True)
    seat = sitting.asked()
    move = legal(sitting.state, seat)[0]
    with pytest.raises(Rejected, match="stale"):
        sitting.do(sitting.state.seats[seat].owner, Move(move), decision=decision)
    with pytest.raises(Rejected, match="stale"):
        sitting.do("clock", Expire(decision))


# Closing


def test_an_administrator_closes_a_game_and_says_why() -> None:
    sitting = started(dealer=0)
    facts = sitting.do(HAL, Close(REASON), admin=True)
    assert facts[0] == AdminActed("close", REASON)
    assert facts[-1] == Over("closed", ())
    _right(sitting)


def test_a_host_closes_his_lobby_as_a_host_though_he_is_an_administrator() -> None:
    sitting = lobby()
    assert not any(isinstance(fact, AdminActed) for fact in sitting.do(ANN, Close(), admin=True))
    other = lobby()
    assert other.do(BOB, Close(), admin=True)[0] == AdminActed("close")
