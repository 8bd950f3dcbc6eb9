"""Rings the bells: in the private chat the hand comes anew, in the group a short message calls by name.

What is about to ring is noted before: after a kill in between nothing is told twice. A call in the group is taken away
when nobody whom it names is asked any more.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable
from html import escape
from typing import NamedTuple

import msgspec
import structlog

from domain.table import Table, deadline
from eventstore.store import home
from service.chat.api import outbox
from service.chat.api.outbox import Outbox
from service.chat.api.post import Link, Post, Press
from service.chat.api.tokens import HandToken
from service.chat.bells import calls
from service.chat.bells.calls import Bell, Notice, Person
from service.chat.board.around import Around, moment
from service.chat.board.places import Places
from service.chat.board.seated import Seated
from service.chat.board.shown import Shown
from service.chat.people.customs import Preferences
from service.clock import Clock
from service.text import Texts
from service.text.chat import say
from service.text.words import game_name

log = structlog.get_logger()

_LOOK = 0.02  # s
_SOON, _LATER = 1_000, 5_000  # ms until it is looked again after a bell in private, in a group


class Due(NamedTuple):
    """What is to be done about a table now: `private`, who gets his hand anew; `group`, whether the group has a message
    to get or to lose; `next`, when to look again (ms UTC)."""

    private: list[str]
    group: bool
    next: int | None


class Ringing:
    """Bells of all tables; what was told is held in memory as well."""

    def __init__(
        self,
        places: Places,
        seated: Seated,
        shown: Shown,
        out: Outbox,
        clock: Clock,
        preferences: Preferences,
        bot: str,
    ) -> None:
        self._places = places
        self._seated = seated
        self._shown = shown
        self._out = out
        self._clock = clock
        self._preferences = preferences
        self._bot = bot
        self._known: dict[str, dict[str, Notice]] = defaultdict(dict)  # table -> actor -> notice
        self._sending: set[str] = set()  # tables whose group is being sent a call

    async def look(self, state: Table) -> Due:
        """What is due at a table; private rings are noted as done by this. Raises StoreDown."""
        now, private, group, whens = self._clock.now(), list[str](), False, list[int]()
        for seat, held in enumerate(state.seats):
            if held.computer:
                continue
            notice, asked = await self._notice(state.id, held.owner), calls.asking(state, seat)
            if notice.message and (asked is None or asked.id != notice.decision):
                group = True
            if asked is None:
                continue
            notice, bell = await self._bell(state, seat, now)
            if bell is None:
                continue
            if bell.at > now:
                whens.append(bell.at)
            elif await self._places.private(held.owner) is None:
                group = group or self._open_group(state) is not None
                whens.append(now + _LATER)
            else:
                await self._shown.want_again(state.id, held.owner, f"{bell.ring} {bell.decision}")
                await self._note(state.id, held.owner, _after(notice, bell, now, private=True))
                private.append(held.owner)
                whens.append(now + _SOON)
        return Due(private, group, min(whens, default=None))

    async def ring(self, latest: Callable[[], Awaitable[Table]]) -> None:
        """Brings a group's calls up to date: takes away those that are over, makes those that are due, in one message.

        Raises what `Outbox.send` raises, but Unknown.
        """
        state = await latest()
        chat = self._open_group(state)
        if chat is None:
            return
        await self._clear(state)
        if not await self._due(state):
            return
        await self._out.room(chat, calm=True)
        state, now = await latest(), self._clock.now()  # he may have moved while we waited
        due = await self._due(state)
        if not due:
            return
        post = await self._post(state, due)
        await self._take_away(state, {(notice.chat, notice.message) for _seat, notice, _bell in due if notice.message})
        due = [(seat, msgspec.structs.replace(notice, chat=0, message=0), bell) for seat, notice, bell in due]
        self._sending.add(state.id)
        try:
            await self._call(chat, state, post, due, now)
        finally:
            self._sending.discard(state.id)

    async def sent(self) -> None:
        """Returns when no call is on its way: one that is cut off there stands for good, for nobody knows its id."""
        while self._sending:  # noqa: ASYNC110 - for the end alone: no bell is worth it
            await asyncio.sleep(_LOOK)

    async def _call(self, chat: int, state: Table, post: Post, due: list[tuple[int, Notice, Bell]], now: int) -> None:
        """Sends a call, which is noted before, and then as the message that it is."""
        for seat, notice, bell in due:
            await self._note(state.id, state.seats[seat].owner, _after(notice, bell, now, private=False))
        try:
            message = await self._out.send(chat, post, await self._places.thread(state.id))
        except outbox.Unknown:
            log.warning("a call may not have been delivered", table=state.id)
            return
        except (outbox.NotNow, outbox.Moved):  # certainly not delivered
            for seat, notice, _bell in due:
                await self._note(state.id, state.seats[seat].owner, notice)
            raise
        for seat, notice, bell in due:
            done = _after(notice, bell, now, private=False)
            done = msgspec.structs.replace(done, chat=chat, message=message)
            await self._note(state.id, state.seats[seat].owner, done)

    async def _due(self, state: Table) -> list[tuple[int, Notice, Bell]]:
        """The bells that are to ring in the group now, by seats."""
        now, found = self._clock.now(), []
        for seat, held in enumerate(state.seats):
            if not held.computer and await self._places.private(held.owner) is None:
                notice, bell = await self._bell(state, seat, now)
                if bell is not None and bell.at <= now:
                    found.append((seat, notice, bell))
        return found

    def forget(self, name: str) -> None:
        """The table is over and shown."""
        self._known.pop(name, None)

    async def _clear(self, state: Table) -> None:
        standing, over = set[tuple[int, int]](), set[tuple[int, int]]()
        for seat, held in enumerate(state.seats):
            notice = Notice() if held.computer else await self._notice(state.id, held.owner)
            asked = calls.asking(state, seat)
            if notice.message and asked is not None and asked.id == notice.decision:
                standing.add((notice.chat, notice.message))
            elif notice.message:
                over.add((notice.chat, notice.message))
        await self._take_away(state, over - standing)

    async def _take_away(self, state: Table, messages: set[tuple[int, int]]) -> None:
        for chat, message in messages:
            if chat == self._places.chat(state.id):  # else it is in a group that has become a supergroup
                await self._out.delete(chat, message)
        for held in state.seats:
            if held.computer or not messages:
                continue
            notice = await self._notice(state.id, held.owner)
            if (notice.chat, notice.message) in messages:
                await self._note(state.id, held.owner, msgspec.structs.replace(notice, chat=0, message=0))

    async def _bell(self, state: Table, seat: int, now: int) -> tuple[Notice, Bell | None]:
        actor = state.seats[seat].owner
        notice = await self._notice(state.id, actor)
        private = await self._places.private(actor) is not None
        habits = self._preferences.of_person(actor)
        person = Person(private, self._seated.absent_from(actor), self._seated.absence, habits.reminders)
        return notice, calls.bell(state, seat, person, notice, self._preferences.quiet(state.id), now)

    async def _post(self, state: Table, due: list[tuple[int, Notice, Bell]]) -> Post:
        texts = self._preferences.spoken_at(home(state.id))
        lines = []
        for ring in calls.RANK:
            actors = [state.seats[seat].owner for seat, _notice, bell in due if bell.ring == ring]
            if actors:
                names = ", ".join([await self.mention(actor, texts) for actor in actors])
                said = say(texts, f"ring_{ring}", names="{names}", game=game_name(texts, state.rules.slug))
                lines.append(escape(said).format(names=names))
        dues = [at for decision in state.decisions if (at := deadline(state, decision)) is not None]
        if dues and any(bell.ring != "call" for _seat, _notice, bell in due):
            zone = self._preferences.of_home(home(state.id)).zone
            until = moment(texts, min(dues), Around(now=self._clock.now(), zone=zone))
            lines.append(escape(say(texts, "due", until=until)))
        link = f"https://t.me/{self._bot}?start={state.id}"
        buttons = (
            Press(say(texts, "button_hand"), HandToken(state.id)),
            Link(say(texts, "button_private"), link),
        )
        return Post("\n".join(lines), (buttons,))

    async def mention(self, actor: str, texts: Texts) -> str:
        """The name of a person, which tells him that he is meant; HTML."""
        name = escape((await self._places.names([actor])).get(actor) or say(texts, "somebody"))
        user = await self._places.user(actor)
        return name if user is None else f'<a href="tg://user?id={user}">{name}</a>'

    def _open_group(self, state: Table) -> int | None:
        chat = self._places.chat(state.id)
        return chat if chat is not None and chat < 0 and not self._places.closed(chat) else None

    async def _notice(self, name: str, actor: str) -> Notice:
        known = self._known[name]
        if actor not in known:
            known[actor] = await self._shown.notice(name, actor)
        return known[actor]

    async def _note(self, name: str, actor: str, notice: Notice) -> None:
        self._known[name].pop(actor, None)
        await self._shown.put_notice(name, actor, notice)
        self._known[name][actor] = notice


def _after(notice: Notice, bell: Bell, now: int, *, private: bool) -> Notice:
    """What stands noted when the bell has rung."""
    same = notice.decision == bell.decision
    return Notice(
        decision=bell.decision,
        rank=calls.RANK[bell.ring],
        called=now if bell.ring == "call" else notice.called,
        private=private,
        reminded=(same and notice.reminded) or (not private and bell.ring != "call"),
        chat=notice.chat,
        message=notice.message,
    )
