"""A hand in the input line of a chat (Bot API, inline mode): `@bot` lists it to whoever asks, a tap plays.

A tap sends a message in the asker's name, which everybody there reads. It says the move and nothing else, and so only
moves are on offer that are open as soon as they are made. The message comes back to us like any other, and a link in it
says which question it answers; whether it counts is judged by who sent it and where.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import Any

import msgspec
from telegram import InlineQueryResultArticle, InlineQueryResultsButton, InputTextMessageContent, LinkPreviewOptions
from telegram.constants import ParseMode

from domain.commands import Join
from domain.rejected import Rejected
from domain.scene import Scene
from domain.table import Table, View, decision_of, observe, seat_of
from eventstore.store import home
from service.chat.api import tokens
from service.chat.api.incoming import Chosen, Said, Wondered
from service.chat.api.post import Fill, Post
from service.chat.api.tokens import MoveToken
from service.chat.hall import Hall
from service.chat.hands import moving, reading
from service.chat.tables.pairs import Pairs, split
from service.engine import Unreadable
from service.text import Texts, board, cards
from service.text.chat import say

MOST = 50  # results; Bot API, answerInlineQuery
_LONGEST = 60  # characters of what somebody typed that may be a move
_IDLE = re.compile(r"n:[a-z0-9]{1,20}-[0-9]{1,9}:[0-9]{1,9}:.{1,12}")
_NO_PREVIEW = LinkPreviewOptions(is_disabled=True)


class Offer(msgspec.Struct, frozen=True):
    """A result: its id, what the asker alone reads (title, description), and the message that taking it sends."""

    id: str
    title: str
    description: str
    html: str


async def asked(hall: Hall, wondered: Wondered, actor: str) -> None:
    """Answers with what the asker may do at the table that he names by its pair, else at the one that waits for him."""
    pair, text = split(" ".join(wondered.text[: 4 * _LONGEST].split()))
    state = await _table(hall, actor, pair)
    seat = None if state is None else seat_of(state, actor)
    if state is None or seat is None:
        closed = await hall.engine.door(actor, Join())
        button = hall.say("inline_no_seat" if closed is None else "inline_closed")
        await _answer(hall, wondered, [], button, "seat")
    elif state.phase != "playing" or _alone(state):
        await _answer(hall, wondered, [], hall.say("inline_in_private"), state.id)
    else:
        several = len(hall.seated.tables_of(actor)) > 1
        where = await hall.pairs.of(state.id) if several else ""
        names, aloud = await hall.views.names(state), hall.preferences.spoken_at(home(state.id))
        found = offers(hall.texts, aloud, state, seat, names, hall.username, text, where)
        await _answer(hall, wondered, found, hall.say("inline_more"), state.id)


async def taken(hall: Hall, chosen: Chosen, actor: str) -> None:
    """Whoever took a card that cannot be played is told so, to himself alone. (A move comes by its own message.)"""
    private = await hall.places.private(actor)
    if _IDLE.fullmatch(chosen.result) and private is not None:
        await hall.tell(chosen.update, "taken", private, hall.say("inline_not_played"))


async def sent(hall: Hall, said: Said) -> None:
    """A message that somebody sent by a result: the move that its link names is his, if he has the seat that is asked.

    Raises StoreDown; may then be called again.
    """
    hall.places.note_message(said.chat, said.message)
    token = tokens.linked(said.via or "")
    if token is None or said.user is None or said.forwarded:
        return  # a card that cannot be played, or somebody else's words
    actor = await hall.actor(said.user)
    try:
        state = await hall.state(token.table)
        if state is None:
            return
        if hall.places.chat(state.id) != said.chat and not said.private:
            await hall.answer(said, hall.say("inline_elsewhere"))
            return
        await moving.chosen(hall, said, state, actor, token.move, token.decision)
    except Unreadable as fault:
        await hall.answer(said, hall.say(f"parked_{fault.why}"))


async def below(pairs: Pairs, state: Table, post: Post, texts: Texts) -> Post:
    """A table's message with the button that begins all this; none where nobody may see an answer yet."""
    if state.phase != "playing" or _alone(state):
        return post
    return Post(post.html, (*post.rows, (Fill(say(texts, "button_inline"), await pairs.of(state.id)),)))


def offers(
    texts: Texts, aloud: Texts, state: Table, seat: int, names: Sequence[str], bot: str, text: str = "", where: str = ""
) -> list[Offer]:
    """What a seat may do, legal moves first, then the cards that cannot be played now; of `text` that means a move
    (a word, too) that move alone. Holds no move that others may not know of at once. `aloud`: the texts of what taking
    one sends, for others read it; `where`: a table's pair."""
    view = observe(state, seat)
    scene: Scene = state.rules.scene(view.set)
    question = decision_of(state, seat)
    number = 0 if question is None else question.id
    found = []
    if question is not None:
        shown = {choice.move: board.button(texts, view.game, choice, names) for choice in scene.choices}
        meant = _meant(texts, state, seat, text)
        narrow = meant is not None and (meant in shown or _word(state, meant))
        for notation in [meant] if narrow and meant is not None else list(shown):
            payload = tokens.link(MoveToken(state.id, number, notation))
            if payload is not None and _open(state, notation):
                title = shown.get(notation) or cards.move(texts, notation)
                found.append(_move(texts, aloud, payload, notation, title, bot, where))
        if narrow and found:
            return found
    return [*found, *_idle(texts, aloud, view, scene, state.id, number, where)][:MOST]


def _move(texts: Texts, aloud: Texts, payload: str, notation: str, title: str, bot: str, where: str) -> Offer:
    shown, said = (
        say(words, "inline_plays", move=cards.move(words, notation).replace("_", " ")) for words in (texts, aloud)
    )
    html = f'<a href="https://t.me/{bot}?start={payload}">{escape(said)}</a>'
    return Offer(payload, title, " · ".join(filter(None, (shown, where))), html)


def _idle(texts: Texts, aloud: Texts, view: View, scene: Scene, table: str, number: int, where: str) -> list[Offer]:
    """The cards of the hand in no legal move. What taking one sends is the same for all of them, and names none."""
    named = {word for choice in scene.choices for word in choice.value.split()}
    hand = [placed.card for zone in scene.zones if zone.name == "hand" and zone.private for placed in zone.cards]
    why = say(texts, "inline_not_now" if view.seat in view.waiting else "inline_not_yet")
    said = escape(say(aloud, "inline_looks"))
    return [
        Offer(f"n:{table}:{number}:{card}", cards.card(texts, card), " · ".join(filter(None, (why, where))), said)
        for card in dict.fromkeys(hand)
        if card not in named
    ]


def _meant(texts: Texts, state: Table, seat: int, text: str) -> str | None:
    """The move that a text means, in notation; None for none."""
    if not text or len(text) > _LONGEST:
        return None
    try:
        notation: str = state.rules.notation(reading.read(state, seat, text, texts.language))
    except Rejected:
        return None
    return notation


def _word(state: Table, notation: str) -> bool:
    return state.rules.open_ended(state.rules.read(notation))


def _open(state: Table, notation: str) -> bool:
    """Whether everybody may know of a move as soon as it is made; what gives the game up is too much for a tap."""
    move: Any = state.rules.read(notation)
    hides = state.rules.hides is not None and state.rules.hides(state.set, move) is not None
    return not hides and not _alone(state) and move not in state.rules.gives_up


def _alone(state: Table) -> bool:
    """Whether the answers that are awaited now are nobody else's business."""
    return state.rules.alone is not None and state.rules.alone(state.set)


async def _table(hall: Hall, actor: str, pair: str | None) -> Table | None:
    """The table that is called so; without a pair one that waits for him, the most urgent first."""
    names = hall.seated.tables_of(actor)
    if pair is not None:
        names = await hall.pairs.find(pair, names)
    states = [state for name in names if (state := await hall.readable(name)) is not None]
    return min(states, key=lambda state: _urgency(state, actor), default=None)


def _urgency(state: Table, actor: str) -> tuple[bool, bool, float]:
    seat = seat_of(state, actor)
    question = None if seat is None or state.phase != "playing" else decision_of(state, seat)
    due = None if question is None else observe(state, None).due
    return state.phase != "playing", question is None, float("inf") if due is None else due


async def _answer(hall: Hall, wondered: Wondered, found: Sequence[Offer], button: str, start: str) -> None:
    results = [
        InlineQueryResultArticle(
            offer.id,
            offer.title,
            InputTextMessageContent(offer.html, parse_mode=ParseMode.HTML, link_preview_options=_NO_PREVIEW),
            description=offer.description,
        )
        for offer in found
        if len(offer.id.encode()) <= tokens.LONGEST
    ]
    await hall.out.offer(wondered.query, results, InlineQueryResultsButton(button, start_parameter=start))
