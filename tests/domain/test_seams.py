"""What the table does for games unlike Call Break, shown with a tiny one: windows, reshuffles, seats that are out."""

from __future__ import annotations

import contextlib
import copy
import json
import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from domain import events, record, table
from domain.audit import audit_record
from domain.audit_history import Commit, audit_history
from domain.commands import Answer, Close, Leave, Propose, Return, Start
from domain.commands import Move as Act
from domain.events import Asked, Dealt, Expired, Left, Over, Present, RowWritten, SeedRevealed, Started
from domain.finding import Finding
from domain.game import Rejected, SetEnded
from domain.games import GAMES
from domain.shuffle import NO_MOVES, Seeded, digest_of
from tests.domain.play import PERSONS, Sitting, lobby, started
from tests.domain.tiny_game import PACK, TINY, Bid, Drawn, Folded, Move, Reshuffled

ANN, BOB, CAT, DAN = PERSONS[:4]
BID = tuple(Move("bid", number) for number in range(4))


@pytest.fixture(autouse=True)
def _tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "tiny", TINY)


def _history(sitting: Sitting) -> list[Commit]:
    return [Commit(commit.time, commit.actor, commit.events) for commit in sitting.commits]


def _judged(sitting: Sitting) -> dict[str, Any]:
    """The record of a finished game, which is as the rules say, and so is its history; stored and read, the same."""
    assert audit_history(_history(sitting)) is None
    state = None
    for commit in sitting.commits:
        stored = events.decode(events.encode(commit.events), events.decoder([TINY]))
        assert stored == commit.events
        state = table.fold(sitting.name, state, stored, sitting.unseal)
    assert state == sitting.state
    found = record.record(sitting.events)
    assert audit_record(record.write(found)) is None
    return found


def _audit(found: dict[str, Any], **changes: Any) -> Finding:
    finding = audit_record(json.dumps({**copy.deepcopy(found), **changes}).encode())
    assert finding is not None
    return finding


def _window(**texts: Any) -> tuple[Sitting, list[int]]:
    """A set in which the first seat has stopped, and the three who bid."""
    sitting = started("tiny", **texts)
    stopped = sitting.asked()
    sitting.move(Move("stop"))
    return sitting, [seat for seat in range(4) if seat != stopped]


def _of(sitting: Sitting, kind: type[Any]) -> list[Any]:
    return [event for event in sitting.events if isinstance(event, kind)]


# The first dealer


def test_a_game_may_draw_cards_for_the_first_dealer_and_the_record_shows_them() -> None:
    sitting, _ = _window()
    (begun,) = _of(sitting, Started)
    seed = sitting.seeds[sitting.events[0].commitment]
    pack = Seeded(seed, NO_MOVES).order("dealer", PACK)
    assert begun.draws == pack[: pack.index(5) + 1]
    assert begun.dealer == (len(begun.draws) - 1) % 4
    sitting.do("operator", Close())
    found = _judged(sitting)
    names = [TINY.card_name(card) for card in begun.draws]
    assert found["first_dealer"] == {"how": "seven", "seat": begun.dealer, "draws": names}


def test_a_host_may_not_name_a_dealer_who_is_drawn() -> None:
    with pytest.raises(Rejected, match="dealer_is_drawn"):
        lobby("tiny").do(ANN, Start(1))


@pytest.mark.parametrize(
    "changes",
    [{"how": "host"}, {"how": "random"}, {"draws": []}, {"draws": ["7S", "7S"]}, {"draws": ["AS"]}, {"draws": ["2S"]}],
)
def test_a_first_dealer_that_the_draws_do_not_give_is_found(changes: dict[str, Any]) -> None:
    sitting = started("tiny")
    sitting.do("operator", Close())
    found = _judged(sitting)
    finding = _audit(found, first_dealer={**found["first_dealer"], **changes})
    assert finding.code == "wrong_first_dealer"


# Windows


def test_a_window_asks_all_at_once_and_keeps_its_decision_while_they_answer() -> None:
    """No time limit is wanted: the game goes on when all have answered.

    Reports: GreyWolfDev/Werewolf#17, jh0ker/mau_mau_bot#132.
    """
    sitting, bidders = _window()
    (decision,) = sitting.state.decisions
    assert decision.seats == tuple(bidders)
    for seat in reversed(bidders[1:]):
        events_of_it = sitting.do(sitting.state.seats[seat].owner, Act(BID[1]), decision=decision.id)
        assert not any(isinstance(event, Asked) for event in events_of_it)
        assert sitting.state.decisions == (decision,)
        assert table.decision_of(sitting.state, seat) is None
    sitting.move(BID[1], bidders[0])
    assert sitting.state.scored == 1


def test_who_was_first_is_decided_by_the_order_that_the_command_brings() -> None:
    """Two answer right at the same time, and it is chance who is counted.

    Reports: Brainicism/KMQ_Discord#184, Brainicism/KMQ_Discord#329.
    """
    sitting, bidders = _window(goal="1")
    for seat, order in zip(bidders, (30, 10, 20), strict=True):
        sitting.order = order
        sitting.move(BID[2], seat)
    assert sitting.state.winners == (bidders[1],)
    in_order = [bidders[1], bidders[2], bidders[0]]
    assert [bid.seat for bid in _of(sitting, Bid)] == in_order
    assert _judged(sitting)["sets"][0]["moves"][1:] == [f"{seat} bid 2" for seat in in_order]


def test_the_answers_of_a_window_go_into_the_digest_when_it_closes_in_the_order_of_the_record() -> None:
    orders = [(30, 10, 20), (30, 10, 20), (20, 10, 30)]
    digests = []
    for arrival, order in zip(((0, 1, 2), (2, 0, 1), (0, 1, 2)), orders, strict=True):
        sitting, bidders = _window()
        before = sitting.state.digest
        for index in arrival[:2]:
            sitting.order = order[index]
            sitting.move(BID[2], bidders[index])
        assert sitting.state.digest == before
        sitting.order = order[arrival[2]]
        sitting.move(BID[2], bidders[arrival[2]])
        digests.append(sitting.state.digest)
    assert digests[0] == digests[1]
    assert digests[0] != digests[2]


def test_a_window_is_closed_by_the_clock_with_an_event_an_answer() -> None:
    sitting, bidders = _window(goal="1")
    sitting.move(BID[1], bidders[1])
    happened = sitting.expire()
    assert happened[0] == Expired(2, (bidders[0], bidders[2]), counts=False)
    assert [event for event in happened if isinstance(event, Bid)] == [
        Bid(bidders[1], 1),
        Bid(bidders[0], 0, True),
        Bid(bidders[2], 0, True),
    ]
    assert sitting.state.winners == (bidders[1],)
    assert [seat.expiries for seat in sitting.state.seats] == [0, 0, 0, 0]
    moves = _judged(sitting)["sets"][0]["moves"]
    assert moves[-2:] == [f"{bidders[0]} auto bid 0", f"{bidders[2]} auto bid 0"]


def test_who_is_away_has_the_time_that_the_game_gives_and_the_others_keep_theirs() -> None:
    sitting = started("tiny")
    seat = sitting.asked()
    sitting.move(Move("draw"))
    other = sitting.asked()
    sitting.expire()
    assert sitting.state.seats[other].expiries == 1
    sitting.move(Move("stop"))
    bidders = [index for index in range(4) if index != (other + 1) % 4]
    (decision,) = sitting.state.decisions
    absent = msgspec.structs.replace(sitting.state.seats[bidders[0]], expiries=2)
    seats = tuple(absent if index == bidders[0] else held for index, held in enumerate(sitting.state.seats))
    sitting._state = msgspec.structs.replace(sitting.state, seats=seats)
    sitting.time += 7
    sitting.move(BID[1], bidders[1])
    kept, away = sitting.state.decisions
    assert kept == msgspec.structs.replace(decision, seats=tuple(bidders[1:]))
    assert (away.seats, away.seconds, away.start) == ((bidders[0],), 60, sitting.time)
    found = table.decision_of(sitting.state, bidders[0])
    assert found == away
    assert seat in range(4)
    sitting.time += 7
    sitting.do(sitting.state.seats[bidders[0]].owner, Return())
    kept_on, back = sitting.state.decisions
    assert kept_on == kept
    assert (back.seats, back.seconds, back.start) == ((bidders[0],), 100, sitting.time)


# Shuffles in the middle of a set


def _until_a_reshuffle(word: str = "word", **texts: Any) -> Sitting:
    sitting = started("tiny", word, **texts)
    while not _of(sitting, Reshuffled):
        sitting.move(Move("draw"))
    return sitting


def test_a_reshuffle_is_ordered_by_the_digest_after_the_move_that_caused_it() -> None:
    sitting = _until_a_reshuffle()
    last = sitting.commits[-1].events
    assert [type(event) for event in last] == [Drawn, Reshuffled, Asked]
    digest = NO_MOVES
    for drawn in _of(sitting, Drawn):
        digest = digest_of(digest, f"{drawn.seat} draw")
    seed = sitting.seeds[sitting.events[0].commitment]
    (stock,) = sitting.state.set.stocks
    assert stock == Seeded(seed, digest).order("reshuffle:1", [drawn.card for drawn in _of(sitting, Drawn)])


def test_a_record_tells_every_pack_and_a_stock_that_is_another_is_found() -> None:
    sitting = _until_a_reshuffle(max_turns="6", goal="1")
    sitting.play(lambda: sitting.move(Move("draw")), lambda state: state.sets == 2)
    for move in ("stop", "bid 1", "bid 1", "bid 1"):
        sitting.move(TINY.read(move))
    found = _judged(sitting)
    dead, scored = found["sets"]
    assert (dead["outcome"], dead["scores"], len(dead["reshuffles"])) == ("dead", None, 1)
    assert sorted(dead["extra"]) == ["pets", "turns"]
    assert sorted(dead["extra"]["pets"]) == ["2H", "3H", "4H"]
    assert scored["reshuffles"] == []
    assert sorted(dead["deck"]) == sorted(map(TINY.card_name, PACK))
    for sets, code in (
        ({"reshuffles": []}, "wrong_pack"),
        ({"reshuffles": [dead["reshuffles"][0][:-1]]}, "wrong_pack"),
        ({"reshuffles": [*dead["reshuffles"], dead["reshuffles"][0]]}, "wrong_extra"),
        ({"reshuffles": [["XX"]]}, "not_a_card"),
        ({"extra": {**dead["extra"], "pets": ["2H", "2H", "4H"]}}, "card_twice"),
        ({"extra": {**dead["extra"], "pets": 5}}, "wrong_extra"),
        ({"extra": {"turns": dead["extra"]["turns"]}}, "wrong_extra"),
        ({"extra": {**dead["extra"], "turns": 3}}, "wrong_extra"),
        ({"extra": {**dead["extra"], "mood": "fine"}}, "wrong_extra"),
    ):
        finding = _audit(found, sets=[{**dead, **sets}, scored])
        assert (finding.code, finding.set) == (code, 1)
    finding = _audit(found, sets=[dead, {**scored, "reshuffles": [scored["deck"]]}])
    assert (finding.code, finding.set) == ("wrong_extra", 2)


# Sets without scores, seats that are out


def test_a_void_set_keeps_its_seed_and_a_set_without_scores_may_end_the_game() -> None:
    for word in map(str, range(50)):
        sitting = started("tiny", word, max_turns="3")
        sitting.play(lambda: sitting.move(Move("draw")), lambda state: state.sets == 2)  # noqa: B023
        assert not _of(sitting, SeedRevealed)
        assert (sitting.state.scored, sitting.state.unscored) == (0, 1)
        assert [dealt.deal for dealt in _of(sitting, Dealt)] == [1, 2]
        if Move("sweep") in TINY.legal(sitting.state.set, sitting.asked()):
            break
    winner = sitting.asked()
    happened = sitting.move(Move("sweep"))
    assert [type(event) for event in happened[1:]] == [SetEnded, SeedRevealed, Over]
    assert happened[-1] == Over("swept", (winner,))
    assert not _of(sitting, RowWritten)
    found = _judged(sitting)
    assert [one["outcome"] for one in found["sets"]] == ["dead", "swept"]
    assert [one["scores"] for one in found["sets"]] == [None, None]
    assert (found["rows"], found["totals"]) == ([[], [], [], []], [0, 0, 0, 0])


def test_seats_that_are_out_are_not_dealt_in_and_their_cells_are_empty() -> None:
    sitting, bidders = _window(goal="2")
    out = bidders[1]
    for seat in bidders:
        sitting.move(BID[0 if seat == out else 2], seat)
    playing = tuple(seat for seat in range(4) if seat != out)
    assert _of(sitting, Dealt)[-1].playing == playing
    assert sitting.state.set.playing == playing
    sitting.move(Move("stop"))
    sitting.play(lambda: sitting.move(BID[1]), lambda state: state.sets == 3)
    row = _of(sitting, RowWritten)[-1]
    assert [seat for seat, value in enumerate(row.values) if value is None] == [out]
    assert _of(sitting, Dealt)[-1].playing == ()
    sitting.play(lambda: sitting.move(TINY.legal(sitting.state.set, sitting.asked())[1]))
    found = _judged(sitting)
    assert [cell[0] for cell in found["rows"][out]][:1] == [0]
    assert 1 not in [cell[0] for cell in found["rows"][out]]


# Leaving, being away


def test_what_follows_from_leaving_and_from_the_last_one_left_is_the_games_affair() -> None:
    sitting, bidders = _window(goal="1")
    stopped = next(seat for seat in range(4) if seat not in bidders)
    sitting.move(BID[1], bidders[0])
    owners = [held.owner for held in sitting.state.seats]
    assert sitting.do(owners[bidders[1]], Leave())[:2] == (Left(bidders[1]), Folded(bidders[1], "left"))
    assert sitting.state.phase == "playing"
    happened = sitting.do(owners[bidders[2]], Leave())  # he was the last one waited for
    assert [type(event) for event in happened[:4]] == [Left, Folded, Bid, SetEnded]
    assert sitting.state.winners == (bidders[0],)
    moves = _judged(sitting)["sets"][0]["moves"]
    assert moves == [f"{stopped} stop", {"left": bidders[1]}, {"left": bidders[2]}, f"{bidders[0]} bid 1"]


def test_the_last_who_is_left_may_win() -> None:
    sitting = started("tiny")
    for person in (ANN, BOB):
        sitting.do(person, Leave())
    happened = sitting.do(CAT, Leave())
    assert happened[-1] == Over("last_left", (3,))
    found = _judged(sitting)
    assert _audit(found, winners=[]).code == "wrong_winners"
    assert _audit(found, winners=[0, 3]).code == "wrong_winners"
    assert _audit(found, ended="closed").code == "wrong_end"


def test_a_set_that_is_cut_short_for_want_of_players_has_the_winner_that_the_game_says() -> None:
    sitting = started("tiny", seats=2)
    stopped = sitting.asked()
    sitting.move(Move("stop"))
    assert sitting.do(sitting.state.seats[stopped].owner, Leave())[-1] == Over("last_left", (1 - stopped,))
    found = _judged(sitting)
    assert found["sets"] == []
    assert _audit(found, winners=[]).code == "wrong_winners"
    assert _audit(found, winners=[0, 1]).code == "wrong_winners"
    assert _audit(found, ended="too_few_players").code == "game_goes_on"
    assert _audit(found, ended="closed").code == "wrong_winners"


def test_what_follows_from_being_away_is_the_games_affair_and_stands_in_the_record() -> None:
    sitting = started("tiny", max_turns="20")
    seat = sitting.asked()
    sitting.expire()
    sitting.play(lambda: sitting.move(Move("draw")), lambda state: state.set.turn == seat)
    assert sitting.state.sets == 1
    happened = sitting.expire()
    assert happened[:2] == (Expired(happened[0].decision, (seat,)), Folded(seat, "away"))
    assert not any(isinstance(event, Drawn) for event in happened)
    assert sitting.do(sitting.state.seats[seat].owner, Return()) == (Present(seat),)
    sitting.move(Move("stop"))
    sitting.play(lambda: sitting.move(BID[1]), lambda state: state.sets == 2)
    sitting.do("operator", Close())
    found = _judged(sitting)
    moves = found["sets"][0]["moves"]
    assert {"away": seat} in moves
    assert {"returned": seat} not in moves  # nothing followed from it
    one = found["sets"][0]
    without = [move for move in moves if move != {"away": seat}]
    assert _audit(found, sets=[{**one, "moves": without}]).set == 1
    twice = [*moves[: moves.index({"away": seat})], {"away": seat}, *moves[moves.index({"away": seat}) :]]
    assert _audit(found, sets=[{**one, "moves": twice}]).code == "unknown_event"


def test_a_proposal_is_off_when_the_last_one_with_a_say_is_away() -> None:
    sitting = started("tiny", persons=1)
    sitting.do(ANN, Leave())
    assert sitting.state.seats[0].left
    with pytest.raises(Rejected, match="you_are_away"):
        sitting.do(ANN, Propose("end"))
    with pytest.raises(Rejected, match="no_proposal"):
        sitting.do(ANN, Answer(False))


# Everything at once


def _games() -> Iterator[Sitting]:
    for choice in range(40):
        rng = random.Random(choice)
        sitting = started("tiny", f"all {choice}", goal="3", max_turns=rng.choice(["6", "12"]))
        while sitting.state.phase == "playing":
            _something(sitting, rng)
        yield sitting


def _something(sitting: Sitting, rng: random.Random) -> None:
    sitting.time += rng.randrange(30_000)
    sitting.order = rng.randrange(5)
    person = rng.choice(PERSONS[:4])
    if rng.random() < 0.25:
        acts: list[Any] = [*[Leave()] * 4, Return(), Propose("end"), Answer(False)]
        with contextlib.suppress(Rejected):  # not everything may be done at every moment
            sitting.do(person, rng.choice(acts))
    elif rng.random() < 0.3 or sitting.state.seats[sitting.asked()].left:
        sitting.expire()
    else:
        sitting.any_move(rng)


def test_random_games_are_what_the_rules_say_in_every_way() -> None:
    ends: set[str | None] = set()
    outcomes: set[str] = set()
    for sitting in _games():
        found = _judged(sitting)
        ends.add(found["ended"])
        outcomes |= {one["outcome"] for one in found["sets"]}
    assert ends == {"goal", "swept", "last_left", "vote"}
    assert outcomes == {"scored", "dead", "swept"}
