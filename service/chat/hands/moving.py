"""Moves that people write: by a command, in reply to a message of ours, or to us alone.

A group never reads what tells of a hand.
"""

from __future__ import annotations

from typing import Any

import msgspec

from domain.commands import Leave, Move
from domain.rejected import Rejected
from domain.table import Table, decision_of, seat_of
from eventstore.store import home
from service.chat.api.incoming import Said
from service.chat.hall import Hall
from service.chat.hands import reading
from service.chat.tables import acts, finding
from service.engine import Done
from service.text import cards, history, people
from service.text.refusals import Refusal, refusal
from service.text.words import words

# What a refused move may say in front of everybody, beside what a game allows (`Game.open_refusals`); all else tells of
# a hand, if only by being said.
PUBLIC = frozenset(
    {
        "no_such_table",
        "not_a_move",
        "not_seated",
        "not_started",
        "not_your_turn",
        "stale",
        "table_over",
    }
)
_LONGEST_REPLY = 60  # characters of an answer to our message that may be a move
_SHORT = {"w": "word"}
"""What a command may be called for short."""


def verb(command: str) -> str:
    """The word of the notation that a command stands for."""
    return _SHORT.get(command, command)


async def play(hall: Hall, said: Said) -> None:
    """A move by a command: its word, and what follows it."""
    await _move(hall, said, f"{verb(said.command or '')} {said.text}".strip())


async def replied(hall: Hall, said: Said) -> None:
    """In a group an answer to our message is a move at the table whose message it is (an answer to any other: where he
    is asked), if it can be read as one; anything else is talk among people."""
    if said.user is None or len(said.text) > _LONGEST_REPLY:
        return
    actor = await hall.actor(said.user)
    known = await hall.once.known(said.update, "table") or await finding.replied_to(hall, said, actor)
    found = await finding.playing(hall, said, actor)
    if known is not None:
        state = await hall.readable(known)
        found = [] if state is None or seat_of(state, actor) is None else [state]
    fitting = [state for state in found if _reads(state, None, said.text, reader_of(hall, state, actor))]
    if not fitting and any(_reads(state, actor, said.text, reader_of(hall, state, actor)) for state in found):
        fitting = found  # whoever reads which table is meant must not learn from it what somebody holds
    if fitting:
        table = fitting[0].id if len(fitting) == 1 else ""
        await _move(hall, msgspec.structs.replace(said, table=table), said.text)


def reader_of(hall: Hall, state: Table, actor: str) -> str:
    """The language in which the actor's hand is shown to him, and in which he names cards, in a group too."""
    return hall.preferences.spoken_to(actor, home(state.id)).language


def _reads(state: Table, actor: str | None, text: str, reader: str) -> bool:
    """Whether the text is a move of a game that goes on: as the actor, who plays there, may mean it, or (None) as
    anybody reads it, who may have to ask which one is meant."""
    seat = None if actor is None else seat_of(state, actor)
    if state.phase != "playing" or (actor is not None and seat is None):
        return False
    try:
        reading.read(state, seat, text, reader)
    except Rejected as rejected:
        return actor is None and rejected.kind == "ambiguous"
    return True


async def written(hall: Hall, said: Said) -> None:
    """A move written to us alone."""
    await _move(hall, said, said.text)


async def _move(hall: Hall, said: Said, text: str) -> None:
    actor = await finding.actor(hall, said)
    state = None if actor is None else await finding.table(hall, said, actor)
    if state is None or actor is None:
        return
    if said.forwarded:
        return  # somebody else's words, or old ones
    seat = seat_of(state, actor)
    if seat is None or state.phase != "playing":
        over = state.phase == "over"
        code = "table_over" if over else "not_started" if seat is not None else "not_seated"
        await acts.refuse(hall, said, Rejected(code))
        return
    reader = reader_of(hall, state, actor)
    example = state.rules.examples.get(text.partition(" ")[0].lower(), "")
    text = people.with_seats(text, example, await hall.views.names(state))
    if state.rules.alone is not None and state.rules.alone(state.set) and not said.private:
        await hall.answer(said, hall.say("in_private"))
        return
    note, asked = await hall.once.known(said.update, "move"), decision_of(state, seat)
    if note is None and asked is None and not _unasked(state, text, reader):
        # Before anybody looks at his hand: what could be read of it must not show in the answer.
        if _gives_up(state, text, reader):
            await acts.carry_out(hall, said, state, actor, Leave(), "")
        else:
            await acts.refuse(hall, said, Rejected("not_your_turn"))
        return
    try:
        if note is None:
            read = reading.read if said.command is None else _command
            found = read(state, seat, text, reader)
            note = f"{'' if asked is None else asked.id}:{state.rules.notation(found)}"
            note = await hall.once.decided(said.update, "move", note)
        decision, _, notation = note.partition(":")
        move = state.rules.read(notation)
        text = notation if state.rules.open_ended(move) else text  # a word alone: so whoever reads it understands it
    except Rejected as rejected:
        example = state.rules.examples.get(text, text)
        if example != text and rejected.kind == "malformed":
            await hall.answer(said, hall.say("no_move", example=example if said.private else f"/{example}"))
        elif (meant := reading.suggestion(state, text, reader)) is not None:
            example, move = meant if said.private else f"/{meant}", cards.move(hall.texts, meant)
            await hall.answer(said, hall.say("did_you_mean", text=people.plain(text, 40), move=move, example=example))
        else:
            await _refuse_move(hall, said, state, actor, text, rejected)
        return
    await _carry_out(hall, said, state, actor, text, move, int(decision) if decision else None)


async def chosen(hall: Hall, said: Said, state: Table, actor: str, notation: str, decision: int) -> None:
    """A move, in exact notation, that answers a question: somebody chose it from a list and so said it in the chat."""
    try:
        move = state.rules.read(notation)
    except Rejected as rejected:
        await acts.refuse(hall, said, rejected)
        return
    if state.phase == "playing" and state.rules.alone is not None and state.rules.alone(state.set) and not said.private:
        await hall.answer(said, hall.say("in_private"))
        return
    await _carry_out(hall, said, state, actor, notation, move, decision)


async def _carry_out(
    hall: Hall, said: Said, state: Table, actor: str, text: str, move: Any, decision: int | None
) -> None:
    if state.phase != "playing":
        await acts.refuse(hall, said, Rejected("table_over" if state.phase == "over" else "not_started"))
        return
    together = hall.places.together(state.id)
    races = state.rules.races is not None and state.rules.races(state.set)
    if races and together and hall.places.chat(state.id) != said.chat:
        await hall.answer(said, hall.say("in_the_group"))
        return
    if _is_tried(state, move) and not hall.may_try(said.update, state, actor):
        await hall.answer(said, hall.say("not_so_fast", seconds=state.rules.tries_apart // 1000))
        return
    outcome = await hall.submit(said.update, state.id, actor, Move(move), decision, said.message if together else 0)
    if not isinstance(outcome, Done):
        await _refuse_move(hall, said, state, actor, text, outcome)
        return
    told = [event for event in outcome.events if history.tag(event) in words(state.rules.slug).answers]
    if told:
        names = await hall.views.names(state)
        lines = [line for event in told for line in history.lines(hall.texts, state.rules, event, names)]
        await hall.answer(said, "\n".join(lines))


def _command(state: Table, seat: int, text: str, reader: str) -> Any:
    """The move of a command: `/turn` is never the word "turn", nor `/word` alone the word "word"."""
    try:
        return state.rules.read(text)
    except Rejected:
        found = reading.read(state, seat, text, reader)
        if text in state.rules.examples and state.rules.open_ended(found):
            raise
        return found


def _is_tried(state: Table, move: Any) -> bool:
    """Whether the move is a try that a dictionary judges: those are counted (`Game.tries_apart`)."""
    return state.rules.word_of is not None and state.rules.word_of(state.set, move) is not None


def _unasked(state: Table, text: str, reader: str) -> bool:
    """Whether the text is a move that somebody may make who was not asked (an objection)."""
    try:
        return state.rules.open_ended(reading.read(state, None, text, reader))
    except Rejected:
        return False


def _gives_up(state: Table, text: str, reader: str) -> bool:
    """Whether the text is a move that gives the game up; out of turn that is leaving."""
    try:
        return reading.read(state, None, text, reader) in state.rules.gives_up
    except Rejected:
        return False


def public(state: Table, text: str, refused: Refusal, reader: str = "en") -> Refusal | None:
    """Why a move that somebody wrote was refused, as everybody may read it; None where that would tell of his hand.

    What cannot be understood without knowing the hand (a bare rank) is refused as whoever does not know it understands
    it: the answer is the same whatever he holds.
    """
    try:
        reading.read(state, None, text, reader)
    except Rejected as rejected:
        return rejected
    return refused if refused.code in PUBLIC | state.rules.open_refusals else None


async def _refuse_move(hall: Hall, said: Said, state: Table, actor: str, text: str, refused: Refusal) -> None:
    """In a group only what everybody may know; the whole of it in the private chat, if there is one."""
    names = await hall.views.names(state)
    if said.private:
        await hall.answer(said, refusal(hall.texts, refused, names))
        return
    shown = public(state, text, refused, reader_of(hall, state, actor))
    await hall.answer(said, hall.say("not_now") if shown is None else refusal(hall.texts, shown, names))
    if shown is refused:
        return
    private = await hall.places.private(actor)
    if private is not None:
        await hall.tell(said.update, "reason", private, refusal(hall.texts, refused, names))
