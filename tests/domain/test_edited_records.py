"""Whatever somebody edits in the record of a finished game, of any game, an audit refuses it and names the clause."""

from __future__ import annotations

import copy
import functools
import random
import re
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from domain import record
from domain.finding import Finding
from domain.games import GAMES
from domain.rejected import Rejected
from tests.domain.edited_records import audit
from tests.domain.play import SHORT, started

every_game = pytest.mark.parametrize("game", list(GAMES))
modest = settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@functools.cache
def _finished(game: str, seats: int) -> dict[str, Any]:
    sitting = started(game, f"edited {seats}", seats=seats, **SHORT.get(game, {})).steady()
    found = record.record(sitting.events)
    assert audit(found) is None
    return found


@st.composite
def records(draw: st.DrawFn, game: str) -> dict[str, Any]:
    """A copy of a right record, to be edited."""
    return copy.deepcopy(_finished(game, draw(st.integers(*GAMES[game].seats))))


def _some_set(data: st.DataObject, found: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    index = data.draw(st.integers(0, len(found["sets"]) - 1))
    return index, found["sets"][index]


def _refused(found: dict[str, Any], index: int | None = None) -> Finding:
    """What is wrong; not before the set that was edited."""
    finding = audit(found)
    assert finding is not None, "the edit went unnoticed"
    assert finding.clause is not None, finding
    assert re.fullmatch(r"[A-Z]{2}-\d+[a-z]?", finding.clause), finding
    if index is not None and finding.set is not None:
        assert finding.set >= index + 1
    return finding


def _answers_may_come_in_any_order(game: str) -> bool:
    """Where several seats are asked at once, another order or a silent seat may be as good a game as the one played."""
    return GAMES[game].move_of is not None


@every_game
@modest
@given(data=st.data())
def test_a_move_that_was_not_legal_is_refused(game: str, data: st.DataObject) -> None:
    """Another move of the same seat in its place: one that the rules do not allow there."""
    found = data.draw(records(game))
    index, played = _some_set(data, found)
    moves = [place for place, line in enumerate(played["moves"]) if isinstance(line, str)]
    place = data.draw(st.sampled_from(moves))
    seat, _, old = played["moves"][place].partition(" ")
    rules = GAMES[game]
    cards = [rules.card_name(card) for card in range(52)]
    word = data.draw(st.sampled_from(sorted(rules.examples)))
    new = " ".join([word, *(data.draw(st.sampled_from(cards)) for _ in rules.examples[word].split()[1:])])
    try:
        rules.read(new)
    except Rejected:
        new = data.draw(st.sampled_from(["call 14", "play X9", "meld"]))
    assume(new != old and new not in {rules.notation(move) for move in rules.gives_up})
    played["moves"][place] = f"{seat} {new}"
    finding = audit(found)
    if finding is None:  # the move was as legal as the one that stood there, and nothing hung on it
        assume(False)
    assert _refused(found, index).set == index + 1


@every_game
@modest
@given(data=st.data())
def test_a_move_left_out_or_made_twice_is_refused(game: str, data: st.DataObject) -> None:
    found = data.draw(records(game))
    index, played = _some_set(data, found)
    place = data.draw(st.integers(0, len(played["moves"]) - 1))
    if data.draw(st.booleans()):
        del played["moves"][place]
    else:
        played["moves"].insert(place, played["moves"][place])
    assume(not _answers_may_come_in_any_order(game) or audit(found) is not None)
    _refused(found, index)


@every_game
@modest
@given(data=st.data())
def test_a_move_of_another_seat_is_refused(game: str, data: st.DataObject) -> None:
    found = data.draw(records(game))
    index, played = _some_set(data, found)
    place = data.draw(st.integers(0, len(played["moves"]) - 1))
    seat, _, move = played["moves"][place].partition(" ")
    played["moves"][place] = f"{(int(seat) + 1) % found['seats']} {move}"
    if _answers_may_come_in_any_order(game):
        assume(audit(found) is not None)
        _refused(found, index)
        return
    finding = _refused(found, index)
    assert finding.set == index + 1
    assert finding.move == place + 1


@every_game
@modest
@given(data=st.data())
def test_scores_totals_winners_and_the_end_are_computed_anew(game: str, data: st.DataObject) -> None:
    found = data.draw(records(game))
    what = data.draw(st.sampled_from(["scores", "totals", "winners", "ended", "outcome", "dealer"]))
    match what:
        case "scores":
            scored = [one for one in found["sets"] if one["scores"] is not None]
            scores = data.draw(st.sampled_from(scored))["scores"]
            held = [seat for seat, score in enumerate(scores) if score is not None]
            scores[data.draw(st.sampled_from(held))] += data.draw(st.sampled_from([-10, -1, 1, 10]))
        case "totals":
            found["totals"][data.draw(st.integers(0, found["seats"] - 1))] += 1
        case "winners":
            found["winners"] = [seat for seat in range(found["seats"]) if seat not in found["winners"]]
        case "ended":
            found["ended"] = "vote" if found["ended"] is None else None
            assume(audit(found) is not None)
        case "outcome":
            found["sets"][-1]["outcome"] = "scored" if found["sets"][-1]["outcome"] != "scored" else "cut"
        case _:
            _, played = _some_set(data, found)
            played["dealer"] = (played["dealer"] + 1) % found["seats"]
    _refused(found)


@every_game
@modest
@given(data=st.data())
def test_a_pack_with_a_wrong_card_is_refused(game: str, data: st.DataObject) -> None:
    found = data.draw(records(game))
    index, played = _some_set(data, found)
    deck = played["deck"]
    place = data.draw(st.integers(0, len(deck) - 1))
    match data.draw(st.sampled_from(["missing", "unknown", "added"])):
        case "missing":
            del deck[place]
        case "unknown":
            deck[place] = "Z9"
        case _:
            deck.insert(place, deck[place])
    finding = _refused(found, index)
    assert (finding.set, finding.move, finding.clause) == (index + 1, 0, GAMES[game].clauses["pack"])


@every_game
def test_a_reshuffle_that_is_not_there_or_was_not_made_is_refused(game: str) -> None:
    """Of the first game of some that has one; a game without reshuffles has none to be added."""
    rules = GAMES[game]
    for number in range(30):
        options = {"max_turns": "60"} if game == "chinchon" else SHORT.get(game, {})
        sitting = started(game, f"reshuffled {number}", **options)
        sitting.random(random.Random(number), lambda state: state.sets > 3)
        found = record.record(sitting.events)
        assert audit(found) is None
        index = next((index for index, one in enumerate(found["sets"]) if one["reshuffles"]), None)
        if index is not None:
            break
    else:
        assert not rules.shuffles, "no reshuffle in thirty games"
        found["sets"][0]["reshuffles"] = [found["sets"][0]["deck"]]
        _refused(found)
        return
    without = copy.deepcopy(found)
    del without["sets"][index]["reshuffles"][-1]
    _refused(without, index)
    other = copy.deepcopy(found)
    other["sets"][index]["reshuffles"][-1][0] = "Z9"
    _refused(other, index)
