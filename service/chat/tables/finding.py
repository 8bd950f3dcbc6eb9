"""Who wrote, and which table is meant: the one that is named, the only one that fits, or the one a button chooses."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from domain.games import GAMES
from domain.table import Table, away, decision_of, seat_of
from service.chat.api.incoming import Said
from service.chat.api.post import Post, Press, grid
from service.chat.api.tokens import WishToken
from service.chat.board.chores import TABLE
from service.chat.hall import Hall
from service.chat.tables.pairs import NEWEST
from service.chat.tables.wishes import CHAT
from service.engine import Unreadable
from service.text.words import game_name

MOST_TABLES = 20  # of a chat's newest that are looked at
_MOST_ASKED = 8  # tables that somebody is asked to choose among

Fits = Callable[[Table, int | None], bool]
"""Whether a table is one that a command can mean, for whoever sits there (None: for somebody who does not)."""


async def actor(hall: Hall, said: Said) -> str | None:
    """The actor; whoever writes in the name of the group is told that a seat belongs to a person."""
    if said.user is None:
        await hall.answer(said, hall.say("anonymous"))
        return None
    return await hall.actor(said.user)


async def named(hall: Hall, said: Said, pair: str) -> str | None:
    """The table in reach that is called this, or None."""
    actor = None if said.user is None else await hall.actor(said.user)
    names = (await hall.places.tables(said.chat))[:NEWEST]
    if said.private and actor is not None:
        names = [*hall.seated.tables_of(actor), *names]
    found = await hall.pairs.find(pair, dict.fromkeys(names))
    return found[0] if found else None


async def table(hall: Hall, said: Said, actor: str | None) -> Table | None:
    """The table that is meant, the same when the update comes again: before all that whose message is answered. Whoever
    means none is told so; whoever may mean several is asked which, and what he wrote is carried out once he has
    answered."""
    name = said.table or await hall.once.known(said.update, "table")
    if name is None and (answered := await replied_to(hall, said, actor)) is not None:
        name = await hall.once.decided(said.update, "table", answered)
    if name is None:
        fitting = await _fitting(hall, said, actor)
        chosen = await hall.places.focus(actor) if said.private and actor is not None else None
        if len(fitting) > 1 and chosen not in fitting:
            await _ask(hall, said, actor or CHAT, fitting[:_MOST_ASKED])
            return None
        name = chosen if chosen in fitting else fitting[0] if fitting else await newest(hall, said, actor)
        name = await hall.once.decided(said.update, "table", name or "")
    state = await hall.state(name) if name else None
    if state is None:
        await hall.answer(said, hall.say("no_table_for_you" if said.private else "no_table"))
    return state


async def replied_to(hall: Hall, said: Said, actor: str | None) -> str | None:
    """The table whose message, or the actor's own hand there, is answered; None for another message, and for none."""
    if not said.answers:
        return None
    for name in await _in_reach(hall, said, actor):
        for whose in (TABLE,) if actor is None or not said.private else (actor, TABLE):
            if await hall.views.shows(name, whose, said.chat, said.answers):
                return name
    return None


async def playing(hall: Hall, said: Said, actor: str) -> list[Table]:
    """The running games at which the actor sits, of the chat and (in private) anywhere; of those where he is asked, if
    there are any."""
    states = [await hall.readable(name) for name in await _in_reach(hall, said, actor)]
    seated = [state for state in states if state is not None and seat_of(state, actor) is not None]
    going = [state for state in seated if state.phase == "playing"]
    return [state for state in going if _asked(state, seat_of(state, actor))] or going


async def _in_reach(hall: Hall, said: Said, actor: str | None) -> list[str]:
    """The tables that can be meant in a chat, newest first; in private also those where the actor sits elsewhere."""
    names = (await hall.places.tables(said.chat))[:MOST_TABLES]
    if said.private and actor is not None:
        names = [*hall.seated.tables_of(actor), *names]
    return list(dict.fromkeys(names))


async def newest(hall: Hall, said: Said, actor: str | None) -> str | None:
    """The group's newest table that goes on: of those, one where the actor sits; else the newest that is over."""
    going: list[Table] = []
    last: str | None = None
    parked: str | None = None
    for name in (await hall.places.tables(said.chat))[:MOST_TABLES]:
        try:
            state = await hall.state(name)
        except Unreadable:
            parked = parked or name
            continue
        if state is not None and state.phase != "over":
            going.append(state)
        elif state is not None:
            last = last or name
    seated = [state for state in going if actor is not None and seat_of(state, actor) is not None]
    return next((state.id for state in [*seated, *going]), parked or last)


async def _fitting(hall: Hall, said: Said, actor: str | None) -> list[str]:
    """The tables that go on and that fit best what was said; more than one where nothing tells them apart."""
    names = await _in_reach(hall, said, actor)
    states = [state for name in names if (state := await hall.readable(name)) is not None]
    states = [state for state in states if state.phase != "over"]

    def seat(state: Table) -> int | None:
        return None if actor is None else seat_of(state, actor)

    here = {state.id for state in states if await hall.places.thread(state.id) == said.thread}

    def in_topic(state: Table, _: int | None) -> bool:
        return state.id in here

    def seated(_: Table, seat: int | None) -> bool:
        return seat is not None

    sense = _SENSE.get(said.command or "", _asked if _moves(said.command) else _any)
    looks = said.command in _LOOKS
    for fits in (in_topic, seated, sense) if looks else (seated, sense, in_topic):
        states = [state for state in states if fits(state, seat(state))] or states
    return [state.id for state in states]


async def _ask(hall: Hall, said: Said, whose: str, names: list[str]) -> None:
    """Asks by buttons which table is meant; whatever it was is then carried out there."""
    await hall.wishes.keep(whose, said, tuple(names))
    buttons = [Press(await label(hall, name), WishToken(said.update, name)) for name in names]
    await hall.tell(
        said.update, "which", said.chat, Post(escape(hall.say("which_table")), grid(buttons, 1)), said.thread
    )


async def label(hall: Hall, name: str) -> str:
    """How a table is told from others: `red-fox · Call Break · Ann, Bob`."""
    state = await hall.readable(name)
    words = [await hall.pairs.of(name)]
    if state is not None:
        words += [game_name(hall.texts, state.rules.slug), ", ".join(await hall.views.names(state))]
    return " · ".join(word for word in words if word)[:60]


def _moves(command: str | None) -> bool:
    return command is None or any(command == word for rules in GAMES.values() for word in rules.examples)


def _any(state: Table, seat: int | None) -> bool:
    return True


def _lobby(state: Table, seat: int | None) -> bool:
    return state.phase == "lobby"


def _playing(state: Table, seat: int | None) -> bool:
    return state.phase == "playing"


def _asked(state: Table, seat: int | None) -> bool:
    return state.phase == "playing" and seat is not None and decision_of(state, seat) is not None


def _away(state: Table, seat: int | None) -> bool:
    return state.phase == "playing" and seat is not None and away(state, seat)


def _cuts(state: Table, seat: int | None) -> bool:
    """Before the first deal anybody cuts; in a game it may be a move."""
    return state.phase == "lobby" or _asked(state, seat)


_SENSE: dict[str, Fits] = {
    "options": _lobby,
    "invite": _lobby,
    "cut": _cuts,
    "back": _away,
    **dict.fromkeys(("hand", "score", "log", "export", "nudge", "pause", "resume", "void", "penalty"), _playing),
}
_LOOKS = frozenset({"table", "score", "log", "export", "audit", "rules", "options", "end"}) | frozenset(
    {"nudge", "close", "pause", "resume", "kick", "replace", "standin", "void", "penalty"}
)
"""Commands that mean the topic's table before the one where somebody sits."""
