"""Commands that show something: a hand, the table, the score, the rules, what we can do."""

from __future__ import annotations

from domain.games import GAMES
from domain.rejected import Rejected
from domain.table import seat_of
from service.chat.api.commands import what_i_can_do
from service.chat.api.incoming import Said
from service.chat.api.post import Post
from service.chat.api.tokens import TABLE_ID
from service.chat.board import show
from service.chat.board.chores import TABLE
from service.chat.hall import Hall
from service.chat.tables import acts, arranging, finding
from service.text import language, languages
from service.text.chat import names as game_names
from service.text.chat import say
from service.text.words import game_name


async def hand(hall: Hall, said: Said) -> None:
    """In private the hand's message, further down; in a group the way to it."""
    actor = await finding.actor(hall, said)
    state = None if actor is None else await finding.table(hall, said, actor)
    if state is None or actor is None:
        return
    if seat_of(state, actor) is None:
        await acts.refuse(hall, said, Rejected("not_seated"))
    elif state.phase != "playing":
        await hall.answer(said, hall.say("no_hand_yet" if state.phase == "lobby" else "no_hand_now"))
    elif not said.private:
        await hall.answer(said, show.offer_hand(hall.texts, state.id, hall.username))
    else:
        await hall.views.repost(state.id, actor, str(said.update))


async def show_table(hall: Hall, said: Said) -> None:
    """Posts the table (to whoever plays, in private: his own view of it) anew, further down."""
    actor = None if said.user is None else await hall.actor(said.user)
    state = await finding.table(hall, said, actor)
    if state is None:
        return
    at_home, together = hall.places.chat(state.id) == said.chat, hall.places.together(state.id)
    seated = actor is not None and seat_of(state, actor) is not None
    if not said.private or (at_home and (state.phase == "lobby" or not seated)):
        await hall.views.repost(state.id, TABLE, str(said.update))
    elif not seated:
        await acts.refuse(hall, said, Rejected("not_seated"))
    elif together and state.phase != "playing":
        await hall.answer(said, hall.say("no_hand_yet" if state.phase == "lobby" else "no_hand_now"))
    else:
        own = actor is not None and await hall.places.private(actor) == said.chat
        await hall.views.repost(state.id, actor if own and actor is not None else TABLE, str(said.update))


async def standings(hall: Hall, said: Said) -> None:
    """Who has won how many games in this chat."""
    await hall.answer(said, await hall.lists.standings(said.chat, hall.texts))


async def mytables(hall: Hall, said: Said) -> None:
    """In private only: with whom somebody plays elsewhere is nothing for a group."""
    actor = await finding.actor(hall, said)
    if actor is not None:
        private = said.private
        await hall.answer(
            said, await hall.lists.tables(actor, hall.texts) if private else hall.say("mytables_in_group")
        )


async def rules(hall: Hall, said: Said) -> None:
    """How a game is played: the one that is named or else played here, in the language that is named (`/rules fr`) or
    else that of every answer here."""
    *before, last = said.text.casefold().split() or [""]
    named = last in languages()
    wanted = " ".join(before if named else [*before, last]).strip()
    texts = language(last) if named else hall.texts
    names = {slug: {slug, game_name(hall.texts, slug).casefold(), game_name(texts, slug).casefold()} for slug in GAMES}
    slug = next((slug for slug, called in names.items() if wanted in called), None)
    if slug is None and not wanted:
        slug = await _played_here(hall, said)
    if slug is None:
        which = ", ".join(f"/rules {slug}" for slug in GAMES)
        await hall.answer(said, say(texts, "rules_of", games=which))
    else:
        await hall.answer(said, show.how_to_play(texts, slug))


async def _played_here(hall: Hall, said: Said) -> str | None:
    """The one game that is played in the chat, or by whoever asks in private; None for none or several."""
    names = (await hall.places.tables(said.chat))[: finding.MOST_TABLES]
    if said.private and said.user is not None:
        names = [*names, *hall.seated.tables_of(await hall.actor(said.user))]
    states = [state for name in names if (state := await hall.readable(name)) is not None]
    going = {state.rules.slug for state in states if state.phase != "over"}
    return going.pop() if len(going) == 1 else None


async def start(hall: Hall, said: Said) -> None:
    """The private chat opens, by itself or by the link of a table."""
    actor = await finding.actor(hall, said)
    if actor is None or not said.private:
        await hall.answer(said, what_i_can_do(hall))
        return
    await hall.places.started(actor, said.chat)
    if said.text.startswith(arranging.INVITED):
        await arranging.join(hall, said, actor)
        return
    named = said.text.partition("_")[0]  # the link of a message that was sent by inline mode names more
    linked = named if TABLE_ID.fullmatch(named) else None
    names = [linked] if linked else hall.seated.tables_of(actor)
    states = [state for name in names if (state := await hall.readable(name)) is not None]
    mine = [state for state in states if state.phase != "over" and seat_of(state, actor) is not None]
    if linked and not mine:
        over = any(state.phase == "over" for state in states)
        await hall.answer(said, hall.say("table_is_over" if over else "not_your_table"))
        return
    if linked:
        await hall.places.set_focus(actor, linked)
    for state in mine:
        await hall.views.repost(state.id, actor, str(said.update))
    if not mine:
        await hall.answer(said, hall.say("welcome", names=game_names(hall.texts)))
    elif all(state.phase == "lobby" for state in mine):
        await hall.answer(said, hall.say("hand_will_come"))
    else:
        await hall.answer(said, Post(hall.say("hand_here")))
