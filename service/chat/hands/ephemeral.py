"""Hands shown within a group to one member alone (Bot API 10.2, ephemeral messages), by the Play button.

A server that does not know the field that makes a message ephemeral ignores it and posts for everybody. So a message
without cards goes first; the cards come by an edit that cannot be public, and only where the answer says that the first
one was for one pair of eyes.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from html import escape
from typing import Any

import msgspec
import structlog
from telegram import Bot, Message
from telegram.constants import ParseMode
from telegram.error import TelegramError

from domain.games import GAMES
from domain.table import Table, View, decision_of, observe, seat_of
from service.chat.api.outbox import Outbox
from service.chat.api.post import Post, Press
from service.chat.api.tokens import MoveToken
from service.chat.api.wire import UNREADABLE
from service.chat.board import show
from service.chat.board.rounds import Rounds
from service.clock import Clock
from service.engine import Engine
from service.text import Texts, board, cards
from service.text.chat import say

log = structlog.get_logger()

_GATHER = 500  # ms that a hand waits for more to happen at its table
_CALLS = 2  # that showing a hand takes: nothing says that they do not count
_LONGEST = 1_000  # characters: ephemeral messages are to be short
_NO_ROOM = 4_000  # ms until an edit is tried again for which the group has no room


class Slip(msgspec.Struct, frozen=True):
    """A hand that lies open before one member of a group: which message, for which question (None: nothing is asked),
    and what it looks like."""

    chat: int
    user: int
    message: int
    texts: Any
    decision: int | None = None
    mark: str = ""


def post(texts: Texts, view: View, names: list[str]) -> Post:
    """What the message shows: the hand, and while its owner is asked what he may do, with the moves as buttons."""
    assert view.seat is not None, "a hand belongs to a seat"
    scene = GAMES[view.game].scene(view.set)
    held = [cards.hand(texts, zone) for zone in scene.zones if zone.name == "hand" and zone.owner == view.seat]
    own = [line for line in (*held, *board.own(texts, view, scene, names)) if line]
    if view.seat not in view.waiting:
        return Post(escape("\n".join([*own, "", say(texts, "hand_waits")])))
    lines = [*board.on_the_table(texts, view, scene, names), *own, "", board.turn(texts, view, scene, names)]
    lines += [*board.may(texts, view, scene, names), texts.gettext(board.prompt_of(view, scene).signs)]
    rows = tuple(row for row in show.hand(texts, view, names).rows if all(map(_moves, row)))
    return Post(escape("\n".join(lines).strip()[:_LONGEST]), rows)


def _moves(button: object) -> bool:
    return isinstance(button, Press) and isinstance(button.token, MoveToken)


class Slips:
    """The hands that lie open in groups. In memory: after a restart a press under one brings it back to mind."""

    def __init__(
        self,
        bot: Bot,
        out: Outbox,
        engine: Engine,
        clock: Clock,
        names: Callable[[Table], Awaitable[list[str]]],
    ) -> None:
        self._bot = bot
        self._out = out
        self._engine = engine
        self._clock = clock
        self._names = names
        self._open: dict[tuple[str, str], Slip] = {}  # (table, actor) -> the hand
        self.unknown = False
        """The server knows nothing of ephemeral messages: it has posted one for everybody (without cards)."""
        rounds = Rounds(clock, self._look, _GATHER)
        self.touch, self.run = rounds.touch, rounds.run

    async def show(self, state: Table, actor: str, slip: Slip, query: str, thread: int | None) -> bool:
        """Shows somebody his hand in answer to a press (`query`), to him alone; False, and nothing is shown to anybody,
        where that cannot be done."""
        room = [await self._out.room_now(slip.chat) for _ in range(_CALLS)] if not self.unknown else []
        if not room or not all(room):
            return False
        await self._drop(state.id, actor)
        number = await self._begin(slip, query, thread)
        if number is None:
            return False
        slip = msgspec.structs.replace(slip, message=number)
        if not await self._update(state, actor, slip):
            await self._delete(slip)
            return False
        self.touch(state.id)  # more may have happened meanwhile
        return True

    def adopt(self, name: str, actor: str, slip: Slip) -> None:
        """A button was pressed under such a message: from now on we look after it, if we did not."""
        known = self._open.get((name, actor))
        if known is None or known.message != slip.message or known.chat != slip.chat:
            self._open[name, actor] = slip
        self.touch(name)

    async def _begin(self, slip: Slip, query: str, thread: int | None) -> int | None:
        """Sends the message that holds no cards; its own number if it is for one pair of eyes, else it is deleted."""
        wish = {"receiver_user_id": slip.user, "callback_query_id": query}
        try:
            sent = await self._bot.send_message(
                slip.chat,
                say(slip.texts, "hand_coming"),
                message_thread_id=thread,
                disable_notification=True,
                api_kwargs={"ephemeral_message_parameters": wish},
            )
        except (TelegramError, *UNREADABLE) as fault:
            log.info("no ephemeral message", fault=type(fault).__name__)
            return None
        number = sent.api_kwargs.get("ephemeral_message_id")
        if type(number) is int and _for(sent, slip.user):
            return number
        self.unknown = True
        log.warning("the Bot API server knows no ephemeral messages; hands are not shown in groups by them")
        try:
            await self._bot.delete_message(slip.chat, sent.message_id)
        except (TelegramError, *UNREADABLE) as fault:
            log.info("not deleted", fault=type(fault).__name__)
        return None

    async def _look(self, name: str) -> int | None:
        """Brings the table's hands up to date: one whose owner has answered is taken away."""
        mine = [(actor, slip) for (table, actor), slip in self._open.items() if table == name]
        if not mine:
            return None
        state, again = (await self._engine.held(name)).state, None
        for actor, slip in mine:
            if state is None or _done(state, actor, slip):
                await self._drop(name, actor)
            elif (wanted := await self._wanted(state, actor, slip.texts)).mark != slip.mark:
                if not await self._out.room_now(slip.chat):
                    again = self._clock.now() + _NO_ROOM
                elif not await self._edit(name, actor, slip, wanted, state):
                    self._open.pop((name, actor), None)  # it may have vanished
        return again

    async def _update(self, state: Table, actor: str, slip: Slip) -> bool:
        return await self._edit(state.id, actor, slip, await self._wanted(state, actor, slip.texts), state)

    async def _wanted(self, state: Table, actor: str, texts: Texts) -> Post:
        return post(texts, observe(state, seat_of(state, actor)), await self._names(state))

    async def _edit(self, name: str, actor: str, slip: Slip, wanted: Post, state: Table) -> bool:
        markup = wanted.markup()
        shown: dict[str, Any] = {"text": wanted.html, "parse_mode": ParseMode.HTML}
        if markup is not None:
            shown["reply_markup"] = markup
        if not await self._call("editEphemeralMessageText", slip, shown):
            return False
        seat = seat_of(state, actor)
        asked = None if seat is None else decision_of(state, seat)
        number = slip.decision if asked is None else asked.id
        self._open[name, actor] = msgspec.structs.replace(slip, decision=number, mark=wanted.mark)
        return True

    async def _drop(self, name: str, actor: str) -> None:
        slip = self._open.pop((name, actor), None)
        if slip is not None:
            await self._delete(slip)

    async def _delete(self, slip: Slip) -> None:
        await self._call("deleteEphemeralMessage", slip, {})

    async def _call(self, method: str, slip: Slip, more: dict[str, Any]) -> bool:
        which = {"chat_id": slip.chat, "receiver_user_id": slip.user, "ephemeral_message_id": slip.message}
        try:
            await self._bot.do_api_request(method, api_kwargs={**which, **more})
        except TelegramError as error:
            if "message is not modified" in str(error).lower():
                return True
            log.info("ephemeral message lost", fault=type(error).__name__)  # never its text
            return False
        except UNREADABLE as fault:
            log.info("ephemeral message lost", fault=type(fault).__name__)
            return False
        return True


def _for(sent: Message, user: int) -> bool:
    """Whether a message was for this member alone."""
    receiver = sent.api_kwargs.get("receiver_user")
    return sent.message_id == 0 and (not isinstance(receiver, dict) or receiver.get("id") == user)


def _done(state: Table, actor: str, slip: Slip) -> bool:
    """Whether a hand has served: its question is answered, or there are no hands any more."""
    seat = seat_of(state, actor)
    if seat is None or state.phase != "playing":
        return True
    asked = decision_of(state, seat)
    return slip.decision is not None and (asked is None or asked.id != slip.decision)
