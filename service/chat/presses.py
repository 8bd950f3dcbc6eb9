"""Buttons: who pressed what, where, and whether that still means anything. Every press gets its answer at once."""

from __future__ import annotations

from typing import assert_never

import msgspec

from domain import options
from domain.commands import Act, AddComputer, Answer, Join, Leave, Move, RemoveComputer, SetOptions, Start
from domain.events import Started
from domain.rejected import Rejected
from domain.table import Table, observe, seat_of
from service.chat import asked
from service.chat.api.incoming import Pressed
from service.chat.api.post import Post
from service.chat.api.rights import GROUP_ANONYMOUS
from service.chat.api.tokens import (
    AccuseToken,
    ChosenToken,
    CustomToken,
    HandToken,
    LobbyToken,
    MoveToken,
    NewToken,
    NextToken,
    PageToken,
    PlanToken,
    PlayToken,
    SwitchToken,
    Token,
    VoteToken,
    WishToken,
    read,
)
from service.chat.bells import waiting
from service.chat.board import paging, show
from service.chat.board.chores import TABLE
from service.chat.hall import Hall
from service.chat.hands import planning
from service.chat.hands.ephemeral import Slip
from service.chat.proof import accusing
from service.chat.tables import arranging, lobby_post
from service.engine import Done, Outcome, Unreadable
from service.text import board, cards, history
from service.text.refusals import Refusal, refusal
from service.text.words import words

_ARRANGING: dict[str, tuple[Act, str]] = {
    "join": (Join(), "joined"),
    "leave": (Leave(), "left_lobby"),
    "add": (AddComputer(), "computer_added"),
    "remove": (RemoveComputer(), "computer_removed"),
    "start": (Start(), "started"),
}


async def handle(hall: Hall, pressed: Pressed) -> None:
    """Does what the button says, or says why not. Raises StoreDown; may then be called again."""
    if pressed.user.id == GROUP_ANONYMOUS:
        await hall.out.toast(pressed.query, hall.say("press_as_yourself"), alert=True)
        return
    actor = await hall.actor(pressed.user)
    token = read(pressed.data)
    if isinstance(token, WishToken | NewToken | CustomToken):
        await asked.handle(hall, pressed, token)
        return
    try:
        state = None if token is None else await hall.state(token.table)
        if token is None or state is None:
            await hall.out.toast(pressed.query, hall.say("old_button"))
            return
        at_home = hall.places.chat(state.id) == pressed.chat
        if not at_home and not pressed.private:
            await hall.out.toast(pressed.query, hall.say("not_here"))
            return
        if seat_of(state, actor) is None and (not at_home or isinstance(token, ChosenToken | NextToken)):
            await hall.out.toast(pressed.query, refusal(hall.texts, Rejected("not_seated")))
            return
        await _do(hall, pressed, actor, token, state)
    except Unreadable as fault:
        await hall.out.toast(pressed.query, hall.say(f"parked_{fault.why}"), alert=True)
        return
    # Buttons that messages of other kinds have, too: nothing follows from them for the table's own message.
    anywhere = HandToken | PlayToken | PlanToken | ChosenToken | NextToken | PageToken | AccuseToken
    board = at_home and token == HandToken(state.id, board=True)
    if pressed.real and (board or not isinstance(token, anywhere)):
        if pressed.ephemeral:
            hall.slips.adopt(
                state.id, actor, Slip(pressed.chat, pressed.user.id, pressed.ephemeral, hall.texts, _asked(token))
            )
            return
        whose = TABLE if at_home and not isinstance(token, MoveToken) else actor
        await hall.views.pressed(state.id, whose, pressed.chat, pressed.message)


async def _do(hall: Hall, pressed: Pressed, actor: str, token: Token, state: Table) -> None:
    match token:
        case MoveToken(_, decision, notation):
            await _move(hall, pressed, actor, state, decision, notation)
        case VoteToken(_, proposal, agree):
            await _vote(hall, pressed, actor, state, proposal, agree)
        case LobbyToken(name, "cut"):
            alert = hall.say("cut_how") if state.phase == "lobby" else hall.say("old_button")
            await hall.out.toast(pressed.query, alert, alert=state.phase == "lobby")
        case LobbyToken(_, "clock" | "preset" | "standin" | "invite" | "rematch" as act):
            await arranging.press(hall, pressed, actor, state, act)
        case LobbyToken(name, act):
            wanted, done = _ARRANGING[act]
            if act == "leave" and state.phase != "lobby":
                await hall.out.toast(pressed.query, hall.say("old_button"))
                return
            outcome = await hall.submit(pressed.update, name, actor, wanted)
            if act == "start" and not hall.places.together(name):
                done = "started_apart"
            await _answer(hall, pressed, outcome, hall.say(done))
            if isinstance(outcome, Done):
                await _tell_first_dealer(hall, pressed, name, outcome)
                if act == "leave" and hall.places.chat(name) != pressed.chat:
                    await hall.show_again(pressed, Post(hall.say(done)))  # a guest's own copy of the lobby
        case SwitchToken(_, number):
            await _switch(hall, pressed, actor, state, number)
        case PlayToken():
            await _show_in_group(hall, pressed, actor, state)
        case PlanToken():
            await planning.press(hall, pressed, actor, state, token)
        case AccuseToken():
            await accusing.press(hall, pressed, actor, state, token)
        case PageToken():
            await paging.turn(hall, pressed, token, state)
        case HandToken():
            await _peek(hall, pressed, actor, state)
        case NextToken(name):
            await waiting.show_next(hall, pressed, actor, name)
        case ChosenToken(name):
            await hall.places.set_focus(actor, name)
            await hall.out.toast(pressed.query, hall.say("seat_chosen"))
            await hall.views.repost(name, actor, str(pressed.update))
        case _:
            assert_never(token)


async def _move(hall: Hall, pressed: Pressed, actor: str, state: Table, decision: int, notation: str) -> None:
    try:
        move = state.rules.read(notation)
    except Rejected as rejected:
        await _refuse(hall, pressed, rejected)
        return
    done = hall.say("done", move=await _called(hall, state, actor, notation))
    outcome = await hall.submit(pressed.update, state.id, actor, Move(move), decision)
    await _answer(hall, pressed, outcome, done)


async def _called(hall: Hall, state: Table, actor: str, notation: str) -> str:
    """A move as its button calls it; one that no button makes as it is written."""
    seat = seat_of(state, actor)
    if seat is None or state.phase != "playing":
        return cards.move(hall.texts, notation)
    choices = state.rules.scene(state.rules.observe(state.set, seat)).choices
    choice = next((one for one in choices if one.move == notation), None)
    if choice is None:
        return cards.move(hall.texts, notation)
    return board.button(hall.texts, state.rules.slug, choice, await hall.views.names(state))


async def _switch(hall: Hall, pressed: Pressed, actor: str, state: Table, number: int) -> None:
    """An option gets its next value, and whoever pressed reads what that does."""
    switches = list(words(state.rules.slug).switches.items())
    if state.phase != "lobby" or number >= len(switches):
        await hall.out.toast(pressed.query, hall.say("old_button"))
        return
    name, said = switches[number]
    value = lobby_post.next_value(options.offered(state.rules)[name].values, getattr(state.options, name))
    act = SetOptions(msgspec.structs.replace(state.options, **{name: value}))
    outcome = await hall.submit(pressed.update, state.id, actor, act)
    await _answer(hall, pressed, outcome, hall.texts.gettext(said[value]))


async def _tell_first_dealer(hall: Hall, pressed: Pressed, name: str, done: Done) -> None:
    """The cards that were drawn for the first dealer lie open before everybody."""
    started = next((event for event in done.events if isinstance(event, Started)), None)
    state = await hall.readable(name)
    if started is None or not started.draws or state is None:
        return
    told = history.started(hall.texts, state.rules, started, await hall.views.names(state), short=True)
    home = hall.places.chat(name) or pressed.chat
    await hall.tell(pressed.update, "drawn", home, "\n".join(told), await hall.places.thread(name))
    if home > 0:  # everybody sits in a private chat of his own
        for index, seat in enumerate(state.seats):
            private = None if seat.computer else await hall.places.private(seat.owner)
            if private not in (None, home):
                await hall.tell(pressed.update, f"drawn {index}", private, "\n".join(told))


async def _vote(hall: Hall, pressed: Pressed, actor: str, state: Table, proposal: str, agree: bool) -> None:
    if show.proposal_mark(observe(state, None)) != proposal and not await _voted(hall, pressed, state):
        await hall.out.toast(pressed.query, hall.say("old_button"))
        return
    outcome = await hall.submit(pressed.update, state.id, actor, Answer(agree))
    await _answer(hall, pressed, outcome, hall.say("agreed" if agree else "declined"))


async def _voted(hall: Hall, pressed: Pressed, state: Table) -> bool:
    """Whether this very press has been counted before: Telegram sends it again."""
    command = hall.command(pressed.update, state.id)
    return await hall.engine.store.commit_of(state.id, command) is not None


async def _peek(hall: Hall, pressed: Pressed, actor: str, state: Table) -> None:
    seat = seat_of(state, actor)
    if seat is None:
        await _refuse(hall, pressed, Rejected("not_seated"))
        return
    view = observe(state, seat)
    await hall.out.toast(pressed.query, show.peek(hall.texts, view, await hall.views.names(state)), alert=True)


async def _show_in_group(hall: Hall, pressed: Pressed, actor: str, state: Table) -> None:
    """The presser's hand with its moves, in the group, to him alone; where that cannot be, the alert of My hand."""
    slip = Slip(pressed.chat, pressed.user.id, 0, hall.texts)
    here = state.phase == "playing" and seat_of(state, actor) is not None and not pressed.private
    if here and not await hall.once.claim(pressed.update, "slip"):
        await hall.out.toast(pressed.query, "")  # it was shown before we were stopped
    elif here and await hall.slips.show(state, actor, slip, pressed.query, pressed.thread):
        await hall.out.toast(pressed.query, "")
    else:
        await _peek(hall, pressed, actor, state)


def _asked(token: Token) -> int | None:
    return token.decision if isinstance(token, MoveToken) else None


async def _answer(hall: Hall, pressed: Pressed, outcome: Outcome, done: str) -> None:
    if isinstance(outcome, Done):
        await hall.out.toast(pressed.query, done)
    else:
        await _refuse(hall, pressed, outcome)


async def _refuse(hall: Hall, pressed: Pressed, refused: Refusal) -> None:
    await hall.out.toast(pressed.query, refusal(hall.texts, refused))
