"""Opening a table and arranging it, giving a seat up and taking it again, ending."""

from __future__ import annotations

from html import escape

from domain import options as choosing
from domain.commands import Close, CutDeck, Leave, Open, Propose, Return, SetOptions
from domain.games import GAMES
from domain.rejected import Rejected
from domain.table import Table, observe, seat_of
from service.chat.api.incoming import Said
from service.chat.api.post import Post, Press, grid
from service.chat.api.tokens import NewToken
from service.chat.board import show
from service.chat.board.chores import TABLE
from service.chat.hall import Hall
from service.chat.hands import moving
from service.chat.tables import acts, arranging, finding
from service.chat.tables.wishes import CHAT
from service.engine import Done
from service.text.words import game_name

ABANDONED_MS = 3_600_000  # without anything happening in a lobby, from when on anybody may close it


async def open_table(hall: Hall, said: Said, slug: str) -> None:
    """A new table with its lobby; where a lobby is open already it is shown once more."""
    actor = await finding.actor(hall, said)
    if actor is None:
        return
    name = await hall.once.known(said.update, "opened")
    if name is None:
        lobby = await _lobby(hall, said, slug)
        choice = f"again {lobby}" if lobby else f"new {await hall.places.new_table(said.chat)}"
        name = await hall.once.decided(said.update, "opened", choice)
    how, _, name = name.partition(" ")
    if how == "new" and (closed := await hall.engine.door(actor, Open(slug, None))) is not None:
        await acts.refuse(hall, said, closed)
    elif how == "new":
        await hall.places.set_thread(name, said.thread)
        await hall.views.begin(name)
        game = GAMES[slug]
        await hall.submit(said.update, name, actor, Open(slug, choosing.read(game, {}), seated=True))
        if said.private:
            await hall.tell(said.update, "invitation", said.chat, hall.say("opened_alone"))
    else:
        await hall.views.repost(name, TABLE, str(said.update))


async def _lobby(hall: Hall, said: Said, slug: str) -> str | None:
    """The lobby of this game that is open in the chat already, in the same topic."""
    for name in (await hall.places.tables(said.chat))[: finding.MOST_TABLES]:
        state = await hall.readable(name)
        if state is None or state.phase != "lobby" or state.rules.slug != slug:
            continue
        if await hall.places.thread(name) == said.thread:
            return name
    return None


async def choose_game(hall: Hall, said: Said) -> None:
    """`/new`: asks by buttons which game it shall be."""
    await hall.answer(said, games(hall, "which_game"))


def games(hall: Hall, code: str) -> Post:
    """The sentence of this code, with a button for each game that opens a table of it."""
    buttons = [Press(game_name(hall.texts, slug), NewToken(slug)) for slug in GAMES]
    return Post(escape(hall.say(code)), grid(buttons, 2))


async def invite(hall: Hall, said: Said) -> None:
    """`/invite`: the link by which friends take a seat at a table that is played in private chats."""
    actor = await finding.actor(hall, said)
    state = None if actor is None else await finding.table(hall, said, actor)
    if state is None or actor is None:
        return
    if (hall.places.chat(state.id) or 0) < 0:
        await hall.answer(said, hall.say("invite_in_group"))
    elif state.phase != "lobby":
        await acts.refuse(hall, said, Rejected("table_over" if state.phase == "over" else "already_started"))
    else:
        await hall.answer(said, await arranging.invitation(hall, state.id))


async def options(hall: Hall, said: Said) -> None:
    """Shows the options of the table, or gives them the values that are named."""
    actor = await finding.actor(hall, said)
    state = None if actor is None else await finding.table(hall, said, actor)
    if state is None or actor is None:
        return
    if not said.text:
        await hall.answer(said, show.rules(hall.texts, observe(state, None)))
        return
    given: dict[str, str] = {}
    for word in said.text.split():
        name, separator, value = word.partition("=")
        if not separator or not name:
            await hall.answer(said, hall.say("options_form", text=word[:40]))
            return
        given[name.lower()] = value
    preset = given.pop("preset", None)
    now = {} if preset else choosing.differing(state.options)
    texts = {name: choosing.text_of(tuple(value) if isinstance(value, list) else value) for name, value in now.items()}
    try:
        chosen = choosing.read(state.rules, {**texts, **given}, preset.lower() if preset else None)
    except Rejected as rejected:
        await acts.refuse(hall, said, rejected)
        return
    await acts.carry_out(hall, said, state, actor, SetOptions(chosen), hall.say("options_set"))


async def cut(hall: Hall, said: Said) -> None:
    """Cuts the cards before the first deal; once a game runs in which `cut` is a move, it is that move."""
    actor = await finding.actor(hall, said)
    state = None if actor is None else await finding.table(hall, said, actor)
    if state is None or actor is None:
        return
    if state.phase == "playing" and "cut" in state.rules.examples:
        await moving.play(hall, said)
        return
    number = int(said.text) if said.text.isascii() and said.text.isdigit() and len(said.text) < 4 else -1
    await acts.simple(hall, said, CutDeck(number), "cut", number=number)


async def leave(hall: Hall, said: Said) -> None:
    """Gives up the seat of whoever asks."""
    await acts.simple(hall, said, Leave(), "left_game", lobby="left_lobby")


async def back(hall: Hall, said: Said) -> None:
    """Whoever asks takes his seat again."""
    await acts.simple(hall, said, Return(), "back")


async def end(hall: Hall, said: Said) -> None:
    """Proposes to end the game, or closes a lobby. Whoever writes in the name of the group closes any table, and is
    asked back where a game is played there."""
    actor = CHAT if said.group else await finding.actor(hall, said)
    state = None if actor is None else await finding.table(hall, said, actor)
    if state is None or actor is None:
        return
    if actor == CHAT and state.phase == "playing" and not said.sure:
        question = hall.say("sure_close", pair=await hall.pairs.of(state.id))
        await acts.ask_back(hall, said, actor, state.id, question)
        return
    if actor == CHAT or state.phase == "lobby":
        closer = actor if actor in (CHAT, state.host) else await _closer(hall, state, actor)
        if closer is None:
            await hall.answer(said, hall.say("not_alone"))
        else:
            await acts.carry_out(hall, said, state, closer, Close(), hall.say("closed"))
        return
    outcome = await acts.carry_out(hall, said, state, actor, Propose("end"), "")
    if isinstance(outcome, Done):
        await acts.show_proposal(hall, said, state.id)


async def _closer(hall: Hall, state: Table, actor: str) -> str | None:
    """In whose name somebody who did not open the lobby may close it: an abandoned one must not stay for ever."""
    deserted = seat_of(state, state.host) is None and seat_of(state, actor) is not None
    last = (await hall.engine.history(state.id))[-1].time
    return CHAT if deserted or hall.engine.clock.now() - last > ABANDONED_MS else None
