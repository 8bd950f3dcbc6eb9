"""Who is there: leaving and coming back, and what the owners of the seats decide together."""

from __future__ import annotations

from typing import Any

from domain.commands import Answer, Close, Command, Leave, Propose, Return
from domain.draft import CLOSED, Draft, ask_on, deal_on, end, running, seated, settle, standing
from domain.events import (
    Agreed,
    Declined,
    Left,
    Present,
    ProposalOff,
    Proposed,
    Returned,
    SeatTaken,
    Unseated,
)
from domain.game import Verdict
from domain.rejected import Rejected
from domain.table import Proposal, Table, arranges, away, has_say, seat_of


def leave(state: Table, command: Command, _: Leave) -> tuple[Any, ...]:
    """The lobby's seat is free again; in a running game the rest is the game's affair. Rejected `already_left`, ..."""
    seat = seated(state, command)
    if state.phase == "over":
        raise Rejected("table_over")
    draft = Draft(state, command)
    if state.phase == "lobby":
        draft.add(Unseated(seat))
        if all(held.computer for held in draft.state.seats):
            end(draft, CLOSED)
        return tuple(draft.facts)
    if state.seats[seat].left:
        raise Rejected("already_left")
    draft.add(Left(seat))
    draft.add(*state.rules.gone(draft.state.set, seat, "left"))
    go_on_without(draft)
    return tuple(draft.facts)


def go_on_without(draft: Draft) -> None:
    """After a seat's owner left or is away: is the proposal decided, is the game over, is there another set to deal?"""
    set_ended = draft.set_ended
    if set_ended:
        settle(draft)
    if draft.state.phase == "playing" and draft.state.proposal is not None:
        _reconsider(draft)
    if draft.state.phase == "playing":
        verdict = draft.state.rules.too_few(standing(draft.state))
        if verdict is not None:
            end(draft, verdict)
        elif set_ended:
            deal_on(draft)
    ask_on(draft)


def come_back(state: Table, command: Command, _: Return) -> tuple[Any, ...]:
    """The actor is at his seat again, with all the time a question gives. Rejected `not_seated`, `not_away`."""
    playing = running(state)
    seat = seated(playing, command)
    if not away(playing, seat):
        raise Rejected("not_away")
    draft = Draft(playing, command)
    be_present(draft, seat)
    if draft.set_ended:
        settle(draft)
        deal_on(draft)
    ask_on(draft)
    return tuple(draft.facts)


def be_present(draft: Draft, seat: int) -> None:
    """Whoever acts is there: expiries are forgotten, a leaver is back."""
    state = draft.state
    held = state.seats[seat]
    if not held.left and not held.expiries:
        return
    was_away = away(state, seat)
    draft.add(Returned(seat) if held.left else Present(seat))
    if was_away:
        draft.add(*state.rules.gone(state.set, seat, "returned"))


def close(state: Table, command: Command, _: Close) -> tuple[Any, ...]:
    """A lobby may be closed by its host; a running game only by the operator or the chat, as everybody sees."""
    if state.phase == "over":
        raise Rejected("table_over")
    host = state.phase == "lobby" and command.actor == state.host and arranges(state, command.actor)
    if not host and command.actor not in ("operator", "chat"):
        raise Rejected("not_allowed")
    draft = Draft(state, command)
    end(draft, CLOSED)
    return tuple(draft.facts)


# Proposals. Those have a say who own a seat and are there; it takes all of them, and one of them at least.


def propose(state: Table, command: Command, act: Propose) -> tuple[Any, ...]:
    """Rejected `proposal_open`, `you_are_away`, `nobody_to_agree`, `seat_not_free`, `no_substitutes`, ..."""
    playing = running(state)
    if playing.proposal is not None:
        raise Rejected("proposal_open")
    draft = Draft(playing, command)
    if act.what == "end":
        seat = seated(playing, command)
        if away(playing, seat):
            raise Rejected("you_are_away")
        draft.add(Proposed("end", command.actor), Agreed(seat))
    elif act.what == "seat":
        draft.add(Proposed("seat", command.actor, _free_seat(playing, command, act.seat)))
        if not _voices(draft.state):
            raise Rejected("nobody_to_agree", clause="CB-61")
    else:
        raise Rejected("no_such_proposal")
    _carry_out_if_agreed(draft)
    ask_on(draft)
    return tuple(draft.facts)


def _free_seat(state: Table, command: Command, seat: int | None) -> int:
    if not getattr(state.options, "substitute", False):
        raise Rejected("no_substitutes", clause="CB-61")
    if seat_of(state, command.actor) is not None:
        raise Rejected("already_seated")
    if seat is None or not 0 <= seat < len(state.seats):
        raise Rejected("no_such_seat", seats=len(state.seats))
    if state.seats[seat].computer or not away(state, seat):
        raise Rejected("seat_not_free", clause="CB-61")
    return seat


def answer(state: Table, command: Command, act: Answer) -> tuple[Any, ...]:
    """Rejected `no_proposal`, `not_asked`, `you_are_away`, `already_agreed`."""
    playing = running(state)
    proposal = playing.proposal
    if proposal is None:
        raise Rejected("no_proposal")
    if command.actor == proposal.by and not act.agree:
        return (ProposalOff("withdrawn"),)
    seat = seated(playing, command)
    if seat == proposal.seat:
        raise Rejected("not_asked")
    if not has_say(playing, seat):
        raise Rejected("you_are_away")
    if not act.agree:
        return (Declined(seat),)
    if seat in proposal.agreed:
        raise Rejected("already_agreed")
    draft = Draft(playing, command)
    draft.add(Agreed(seat))
    _carry_out_if_agreed(draft)
    ask_on(draft)
    return tuple(draft.facts)


def _reconsider(draft: Draft) -> None:
    """After somebody lost his say: those who are left may all have agreed already, or there may be none left."""
    if _voices(draft.state):
        _carry_out_if_agreed(draft)
    else:
        draft.add(ProposalOff("nobody_left"))


def _voices(state: Table) -> tuple[int, ...]:
    proposal = _open(state)
    return tuple(seat for seat in range(len(state.seats)) if has_say(state, seat) and seat != proposal.seat)


def _carry_out_if_agreed(draft: Draft) -> None:
    proposal = _open(draft.state)
    voices = _voices(draft.state)
    if not voices or not set(voices) <= set(proposal.agreed):
        return
    if proposal.what == "end":  # CB-45
        end(draft, Verdict("vote", ()))
    else:
        assert proposal.seat is not None
        draft.add(SeatTaken(proposal.seat, proposal.by))


def _open(state: Table) -> Proposal:
    assert state.proposal is not None
    return state.proposal
