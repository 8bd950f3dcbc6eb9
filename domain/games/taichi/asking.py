"""Who is asked what, the moves that are open to a seat, and why another one is not."""

from __future__ import annotations

from typing import assert_never

from domain.game import Ask, Rejected
from domain.games.taichi.moves import (
    AGREE,
    CHALLENGE,
    DECLINE,
    DISAGREE,
    NO_WORD,
    OPEN,
    PASS,
    READY,
    STOP,
    TURN,
    Do,
    Move,
)
from domain.games.taichi.seats import asked_in_window, objectors, open_votes
from domain.games.taichi.state import Set

LATE = 3
"""Seconds that a live duel waits after its first valid answer for those that were sent before it (TC-35)."""
OWN_CLOCK, TOGETHER = 180, 86400
"""Seconds for an answer by one's own clock, and for all of them together (TC-35)."""


def to_act(state: Set) -> tuple[Ask, ...]:
    """Who is asked what: the active player by the clock for a card (TC-27), the others in windows (TC-28, TC-30,
    TC-35), those who vote on an objection before anybody else (TC-43)."""
    options, turn = state.options, state.turns
    if state.objection is not None:
        key = f"objection:{turn}:{state.objections}"
        return (Ask(key, open_votes(state), options.ask_seconds, counts=False, interrupts=True),)
    match state.phase:
        case "card" | "word" | "choose":
            return (Ask(_card_key(state), (state.turn,), options.word_seconds),)
        case "rescue":
            return _window(state, "rescue", options.rescue_seconds, away=options.rescue_seconds)
        case "ask":
            return _window(state, "ask", options.ask_seconds)
        case "ready":
            return _window(state, "ready", options.ready_seconds, away=options.ready_seconds)
        case "duel" if options.duel == "live":
            if state.answers:
                return _window(state, "late", LATE, away=LATE)
            return _window(state, "duel", options.answer_seconds, away=options.answer_seconds)
        case "duel":
            return _own_clocks(state)
        case "over":
            return ()
        case _:
            assert_never(state.phase)


def _card_key(state: Set) -> str:
    """A clock for each card (TC-27), and one for the choice after its word; none anew for a first card that the clock
    turned, for it was not looked at in time, nor for another word where players found that the first does not count."""
    # The last number counted objections once, when each of them began a new clock: histories name these keys.
    if state.phase == "choose" or state.turned_over:
        return f"choose:{state.turns}:{len(state.open)}:0"
    if state.phase == "card" or state.auto_turned:
        return f"card:{state.turns}"
    return f"word:{state.turns}:{len(state.open)}:0"


def _window(state: Set, name: str, seconds: int, away: int = 0) -> tuple[Ask, ...]:
    return (Ask(f"{name}:{state.turns}", asked_in_window(state), seconds, counts=False, away_seconds=away),)


def _own_clocks(state: Set) -> tuple[Ask, ...]:
    """Three minutes for each who has opened the card, a day for those who have not (TC-35)."""
    opened = [seat for seat, _ in state.opened]
    waiting = asked_in_window(state)
    later = tuple(seat for seat in waiting if seat not in opened)
    asks = [
        Ask(f"clock:{state.turns}:{seat}", (seat,), OWN_CLOCK, counts=False, away_seconds=OWN_CLOCK)
        for seat in waiting
        if seat in opened
    ]
    if later:
        asks.append(Ask(f"open:{state.turns}", later, TOGETHER, counts=False, away_seconds=TOGETHER))
    return tuple(asks)


def asked_after(state: Set) -> int:
    """The active player: the others are named from his left (TC-28, TC-30)."""
    return state.turn


def legal(state: Set, seat: int) -> tuple[Move, ...]:
    """The moves of a seat that is asked, but for the words that it may say; empty when it is not asked."""
    if not any(seat in ask.seats for ask in to_act(state)):
        return ()
    if state.objection is not None:
        return AGREE, DISAGREE
    match state.phase:
        case "card":
            return (TURN,)
        case "word":
            return (NO_WORD,)
        case "choose":
            return TURN, STOP
        case "rescue":
            return (PASS,)
        case "ask":
            return CHALLENGE, DECLINE
        case "ready":
            return (READY,)
        case "duel" if state.options.duel == "live" or seat in dict(state.opened):
            return (PASS,)
        case "duel":
            return OPEN, PASS
        case "over":
            return ()
        case _:
            assert_never(state.phase)


def may_say(state: Set, seat: int) -> bool:
    """Whether a word of the seat is awaited: it is asked for one, and can see all the cards."""
    if state.phase not in ("word", "rescue", "duel") or not legal(state, seat) or state.objection is not None:
        return False
    return state.phase != "duel" or state.options.duel == "live" or seat in dict(state.opened)


def may_object(state: Set, seat: int) -> bool:
    """Whether the seat may object to the last verdict (TC-43)."""
    return seat in objectors(state)


def refusal(state: Set, seat: int, move: Do) -> Rejected:
    """Why a move that is not legal is none."""
    if not legal(state, seat):
        if state.phase == "ask" and move == CHALLENGE and not state.stacks[seat] and seat != state.turn:
            return Rejected("nothing_to_bet", clause="TC-33")
        if state.objection is not None:
            return Rejected("objection_open", clause="TC-43")
        return Rejected("not_your_turn", clause="TC-20")
    if move in (STOP, NO_WORD) and state.phase == "card":
        return Rejected("turn_first", clause="TC-20")
    if move in (STOP, TURN) and state.phase == "word":
        return Rejected("word_first", clause="TC-30" if move == STOP else "TC-26")
    return Rejected("not_awaited", clause="TC-20")


def refused_word(state: Set, seat: int) -> Rejected:
    """Why no word of the seat is awaited."""
    if not legal(state, seat):
        if seat in state.done and state.phase in ("rescue", "duel"):
            return Rejected("answered_already", clause="TC-28" if state.phase == "rescue" else "TC-35")
        return refusal(state, seat, PASS)
    if state.objection is not None:
        return Rejected("objection_open", clause="TC-43")
    if state.phase == "card":
        return Rejected("turn_first", clause="TC-20")
    if state.phase == "choose":
        return Rejected("turn_or_stop", clause="TC-26")
    if state.phase == "duel":
        return Rejected("open_first", clause="TC-35")
    return Rejected("not_awaited", clause="TC-20")
