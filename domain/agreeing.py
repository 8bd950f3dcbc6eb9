"""What the owners of the seats decide together, and how a game goes on when a seat has lost, or changed, its owner.

Those have a say who own a seat and are there; it takes all of them, and one of them at least.
"""

from __future__ import annotations

from typing import Any

from domain.commands import Answer, Command, Propose
from domain.draft import Draft, ask_on, running, seated
from domain.events import Agreed, Declined, Kicked, Paused, ProposalOff, Proposed, SeatTaken, StandInSet, VacationEnded
from domain.game import Gone, Verdict
from domain.rejected import Rejected
from domain.settling import deal_on, end, settle, standing
from domain.table import Proposal, Table, away, has_say, on_vacation, seat_of, was_kicked

_FEWEST_TO_KICK = 2  # or one of two players could throw the other out, and with him win


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


def go_on_after(draft: Draft) -> None:
    """After what a seat's coming back, or its new owner, causes: a set may have ended, and others are asked."""
    if draft.set_ended:
        settle(draft)
        deal_on(draft)
    ask_on(draft)


def to_go(state: Table, seat: int | None) -> int:
    """The seat of a person who may be kicked out; Rejected `no_such_seat`, `no_person_there`, `already_kicked`."""
    if seat is None or not 0 <= seat < len(state.seats):
        raise Rejected("no_such_seat", seats=len(state.seats))
    if state.seats[seat].computer:
        raise Rejected("no_person_there")
    if state.seats[seat].kicked:
        raise Rejected("already_kicked")
    return seat


def kick_out(draft: Draft, seat: int) -> None:
    """A seat's owner has to go: what follows is as if he had left, but that he does not come back by himself."""
    left = draft.state.seats[seat].left
    draft.add(Kicked(seat))
    if not left:
        draft.add(*draft.state.rules.gone(draft.state.set, seat, "left"))
    go_on_without(draft)


def take(draft: Draft, seat: int, owner: str) -> None:
    """The seat has another owner, who is there: a vacation of the one before him is over."""
    was_away = away(draft.state, seat)
    if on_vacation(draft.state, seat, draft.command.time):
        draft.add(VacationEnded(seat, draft.command.time))
    draft.add(SeatTaken(seat, owner))
    if was_away:
        draft.add(*draft.state.rules.gone(draft.state.set, seat, "returned"))
    go_on_after(draft)


def stand_in(draft: Draft, on: bool) -> None:
    """From now on a computer player takes the seats of those for whom the clock played, or no longer: to the game they
    are there as long as one does. Who has left has left, whoever plays on for him."""
    draft.add(StandInSet(on))
    what: Gone = "returned" if on else "away"
    for seat, held in enumerate(draft.state.seats):
        if not held.computer and not held.left and away(draft.state, seat) and not draft.set_ended:
            draft.add(*draft.state.rules.gone(draft.state.set, seat, what))
    go_on_after(draft)


# Proposals


def propose(state: Table, command: Command, act: Propose) -> tuple[Any, ...]:
    """What a newcomer proposed gives way to what an owner of a seat proposes, or he could keep them from agreeing on
    anything. Rejected `proposal_open`, `you_are_away`, `nobody_to_agree`, `seat_not_free`, `no_substitutes`, ..."""
    playing = running(state)
    if playing.proposal is not None and (playing.proposal.what != "seat" or act.what == "seat"):
        raise Rejected("proposal_open")
    draft = Draft(playing, command)
    match act.what:
        case "seat":
            draft.add(Proposed("seat", command.actor, _free_seat(playing, command, act.seat)))
            if not _voices(draft.state):
                raise Rejected("nobody_to_agree", clause="CB-61")
        case "end" | "pause" | "stand_in_on" | "stand_in_off" | "kick":
            seat = seated(playing, command)
            if away(playing, seat):
                raise Rejected("you_are_away")
            about = _about(playing, act, seat)
            draft.add(Proposed(act.what, command.actor, about), Agreed(seat))
            if act.what == "kick" and len(_voices(draft.state)) < _FEWEST_TO_KICK:
                raise Rejected("too_few_to_kick", fewest=_FEWEST_TO_KICK)
        case _:
            raise Rejected("no_such_proposal")
    _carry_out_if_agreed(draft)
    ask_on(draft)
    return tuple(draft.facts)


def _about(state: Table, act: Propose, proposer: int) -> int | None:
    """The seat that a proposal is about, where it is about one; Rejected where there is nothing to agree to."""
    match act.what:
        case "pause" if state.paused is not None:
            raise Rejected("already_paused")
        case "stand_in_on" | "stand_in_off" if state.stand_in == (act.what == "stand_in_on"):
            raise Rejected("already_so")
        case "kick":
            if act.seat == proposer:
                raise Rejected("not_yourself")
            return to_go(state, act.seat)
        case _:
            return None


def _free_seat(state: Table, command: Command, seat: int | None) -> int:
    if not getattr(state.options, "substitute", True):  # where a game's rules do not forbid it, the owners decide
        raise Rejected("no_substitutes", clause="CB-61")
    if seat_of(state, command.actor) is not None:
        raise Rejected("already_seated")
    if was_kicked(state, command.actor):
        raise Rejected("kicked")
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
    match proposal.what:
        case "end":  # CB-45
            end(draft, Verdict("vote", ()))
        case "pause":
            draft.add(Paused("agreement", draft.command.time))
        case "stand_in_on" | "stand_in_off":
            stand_in(draft, proposal.what == "stand_in_on")
        case "kick":
            if len(voices) < _FEWEST_TO_KICK:
                draft.add(ProposalOff("nobody_left"))
            else:
                assert proposal.seat is not None
                kick_out(draft, proposal.seat)
        case _:
            assert proposal.seat is not None
            take(draft, proposal.seat, proposal.by)


def _open(state: Table) -> Proposal:
    assert state.proposal is not None
    return state.proposal
