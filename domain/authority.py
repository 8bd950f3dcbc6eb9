"""What administrators of the chat, the operator and the chat itself may do to a table: acts that everybody sees."""

from __future__ import annotations

import re
from typing import Any

from domain import voiding
from domain.agreeing import kick_out, stand_in, take, to_go
from domain.commands import Close, Command, Kick, Replace, SetStandIn, Void
from domain.draft import Draft, ask_on, running
from domain.events import AdminActed, SetUndone, StandInSet, Unseated
from domain.rejected import Rejected, malformed
from domain.settling import CLOSED, deal_on, end, settle
from domain.table import Table, arranges

_REASON = re.compile(r"(?:[0-9a-f]{64})?", re.ASCII)
_PERSON = re.compile(r"person:[!-~]{1,80}", re.ASCII)


def rules_here(command: Command) -> bool:
    """Whether the command has authority over the table: an administrator's, the operator's or the chat's."""
    return command.admin or command.actor in ("operator", "chat")


def by_authority(command: Command, act: str, reason: str) -> AdminActed:
    """The fact that whoever commands acts with authority; Rejected `not_allowed`, `bad_reason_hash`."""
    if not rules_here(command):
        raise Rejected("not_allowed")
    return AdminActed(act, reason_hash(reason))


def reason_hash(text: str) -> str:
    """The SHA-256 of a reason, in hex, or "" where none was given; Rejected `bad_reason_hash`."""
    if _REASON.fullmatch(text) is None:
        raise malformed("bad_reason_hash")
    return text


def close(state: Table, command: Command, act: Close) -> tuple[Any, ...]:
    """A lobby may be closed by its host; a running game only with authority, as everybody sees. Rejected `not_allowed`,
    `table_over`."""
    if state.phase == "over":
        raise Rejected("table_over")
    draft = Draft(state, command)
    host = state.phase == "lobby" and command.actor == state.host and arranges(state, command.actor)
    plain = command.actor in ("operator", "chat") and not act.reason_hash
    if not host and not plain:
        draft.add(by_authority(command, "close", act.reason_hash))
    end(draft, CLOSED)
    return tuple(draft.facts)


def kick(state: Table, command: Command, act: Kick) -> tuple[Any, ...]:
    """The seat's owner has to go; in the lobby the seat is free. Rejected `not_allowed`, `table_over`, `no_such_seat`,
    `no_person_there`, `already_kicked`."""
    if state.phase == "over":
        raise Rejected("table_over")
    draft = Draft(state, command)
    draft.add(by_authority(command, "kick", act.reason_hash))
    to_go(state, act.seat)
    if state.phase == "lobby":
        draft.add(Unseated(act.seat))
        if all(held.computer for held in draft.state.seats):
            end(draft, CLOSED)
        return tuple(draft.facts)
    kick_out(draft, act.seat)
    return tuple(draft.facts)


def replace(state: Table, command: Command, act: Replace) -> tuple[Any, ...]:
    """The seat goes to another person, or back to the one who had to go. Rejected `not_allowed`, `not_started`,
    `table_over`, `no_such_seat`, `not_a_person`, `already_seated`."""
    playing = running(state)
    draft = Draft(playing, command)
    draft.add(by_authority(command, "replace", act.reason_hash))
    if not 0 <= act.seat < len(playing.seats):
        raise Rejected("no_such_seat", seats=len(playing.seats))
    if _PERSON.fullmatch(act.owner) is None:
        raise malformed("not_a_person")
    if any(held.owner == act.owner and (at != act.seat or not held.kicked) for at, held in enumerate(playing.seats)):
        raise Rejected("already_seated")
    take(draft, act.seat, act.owner)
    return tuple(draft.facts)


def void(state: Table, command: Command, act: Void) -> tuple[Any, ...]:
    """The running set does not count; its seed serves the next deal. Rejected `not_allowed`, `not_started`,
    `table_over`."""
    draft = Draft(running(state), command)
    draft.add(by_authority(command, "void", act.reason_hash))
    if state.pending is not None:
        draft.add(SetUndone(state.sets - 1, voiding.OUTCOME))
        deal_on(draft, voiding.VOIDED)
    else:
        draft.add(voiding.VOIDED)
        settle(draft)
        deal_on(draft)
    ask_on(draft)
    return tuple(draft.facts)


def set_stand_in(state: Table, command: Command, act: SetStandIn) -> tuple[Any, ...]:
    """Whether a computer player takes the seat of an absent owner: in the lobby by whoever arranges it, in a running
    game with authority. Rejected `already_so`, `not_allowed`, `table_over`."""
    if state.phase == "over":
        raise Rejected("table_over")
    draft = Draft(state, command)
    if state.phase != "lobby" or not arranges(state, command.actor):
        draft.add(by_authority(command, "stand_in", act.reason_hash))
    if state.stand_in == act.on:
        raise Rejected("already_so")
    if state.phase == "lobby":
        draft.add(StandInSet(act.on))
    else:
        stand_in(draft, act.on)
    return tuple(draft.facts)
