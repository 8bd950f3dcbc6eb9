"""What handling an update needs: the engine, the ways to show and answer, and a command's id."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass, field
from html import escape

import structlog

from domain.commands import Act
from domain.table import Table
from service.chat.api import outbox
from service.chat.api.incoming import Pressed, Said, User
from service.chat.api.once import Once
from service.chat.api.outbox import Outbox
from service.chat.api.post import Post
from service.chat.api.rights import Rights
from service.chat.board.lists import Lists
from service.chat.board.places import Places
from service.chat.board.rounds import Rounds
from service.chat.board.seated import Seated
from service.chat.board.views import Views
from service.chat.hands.ephemeral import Slips
from service.chat.hands.premoves import Plans
from service.chat.people.customs import Preferences
from service.chat.tables.pairs import Pairs
from service.chat.tables.wishes import Wishes
from service.directory import Directory
from service.engine import Engine, Outcome, Unreadable
from service.operating import Operation
from service.text import Texts, language
from service.text.chat import say

log = structlog.get_logger()

_spoken: ContextVar[Texts | None] = ContextVar("spoken", default=None)  # each update is handled in a task of its own
_MOST_TRIES = 10_000  # people of whom we know when they last tried


@dataclass(frozen=True, slots=True)
class Hall:
    """Where a bot receives: `id` and `username` are its own."""

    engine: Engine
    places: Places
    seated: Seated
    views: Views
    out: Outbox
    once: Once
    lists: Lists
    preferences: Preferences
    id: int
    username: str
    slips: Slips
    plans: Plans
    forced: Rounds
    directory: Directory
    pairs: Pairs
    wishes: Wishes
    rights: Rights
    operation: Operation
    tries: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict)
    """Of (table, actor) the last try of a move that cannot be listed: the update's number, and when it came."""

    def may_try(self, update: int, state: Table, actor: str) -> bool:
        """Whether enough time has gone by since the actor's last try (`Game.tries_apart`); an update may come again."""
        now, last = self.engine.clock.now(), self.tries.get((state.id, actor))
        if last is not None and last[0] != update and now - last[1] < state.rules.tries_apart:
            return False
        if len(self.tries) > _MOST_TRIES:
            self.tries.clear()
        self.tries[state.id, actor] = update, now
        return True

    @property
    def texts(self) -> Texts:
        """The language of whoever reads the answer to the update at hand (`speak`); English outside of one."""
        return _spoken.get() or language()

    def speak(self, texts: Texts) -> None:
        """From now on, until this update is handled, answers are in this language."""
        _spoken.set(texts)

    def say(self, code: str, **values: object) -> str:
        """A sentence, plain."""
        return say(self.texts, code, **values)

    async def state(self, name: str) -> Table | None:
        """The table, or None when there is none."""
        return (await self.engine.held(name)).state

    async def readable(self, name: str) -> Table | None:
        """The table, or None when there is none or it is parked: one that cannot be read is no other's concern."""
        try:
            return await self.state(name)
        except Unreadable:
            return None

    async def actor(self, user: User) -> str:
        """The actor of a person."""
        actor = await self.places.person(user.id, user.name)
        await self.preferences.heard(actor, user.language)
        self.seated.heard(actor)
        return actor

    def command(self, update: int, name: str) -> str:
        """The id of the command that an update is to a table."""
        return f"tg:{self.id}:{update}:{name}"

    async def submit(
        self,
        update: int,
        name: str,
        actor: str,
        act: Act,
        decision: int | None = None,
        order: int = 0,
        *,
        admin: bool = False,
    ) -> Outcome:
        """Carries out an act, once for the update; what shows the table hears of it. `order` is the message's id,
        `admin`: the actor was found to be an administrator of the table's chat."""
        command = self.command(update, name)
        outcome = await self.engine.submit(name, actor, act, command, decision=decision, order=order, admin=admin)
        self.seated.note(name, await self.state(name))
        self.views.touch(name)
        return outcome

    async def answer(self, said: Said, post: Post | str) -> None:
        """Answers a message in its chat."""
        whose = 0 if said.user is None else said.user.id
        await self.tell(said.update, "answer", said.chat, post, said.thread, whose=whose)

    async def tell(
        self, update: int, what: str, chat: int, post: Post | str, thread: int | None = None, *, whose: int = 0
    ) -> None:
        """Sends a message that belongs to an update, at most once; plain text is escaped.

        Where there is no room for it now, it waits, and shares a message with others that do; `whose`: the user who
        asked for it, of whose answers only the last few wait.
        """
        if not await self.once.claim(update, what):
            return
        wanted = Post(escape(post)) if isinstance(post, str) else post
        if not await self.out.room_now(chat):
            self.views.answer_later(chat, wanted, thread, whose)
            return
        try:
            await self.out.send(chat, wanted, thread)
        except outbox.Moved as moved:
            await self.places.move(chat, moved.chat)
            self.views.answer_later(moved.chat, wanted, thread, whose)
        except outbox.NotNow:
            self.views.answer_later(chat, wanted, thread, whose)
        except (outbox.Unknown, outbox.Gone, outbox.Unsendable) as fault:
            log.info("not answered", fault=type(fault).__name__)

    async def show_again(self, pressed: Pressed, post: Post) -> None:
        """Makes a message of ours, whose button was pressed, look like this: if there is room for that now."""
        if not pressed.real or not await self.out.room_now(pressed.chat):
            return
        try:
            await self.out.edit(pressed.chat, pressed.message, post)
        except (outbox.NotNow, outbox.Gone, outbox.Missing, outbox.Moved, outbox.Unsendable) as fault:
            log.debug("not shown again", fault=type(fault).__name__)
