"""What a chat should show of a table: made of its latest state, the readers' language and clock, and what they saw."""

from __future__ import annotations

from msgspec.structs import replace

from domain.table import Table, observe, seat_of
from eventstore.store import home
from service.chat.api import names
from service.chat.api.post import Post
from service.chat.board import lately, show
from service.chat.board.around import Around
from service.chat.board.lately import Lately
from service.chat.board.places import Places
from service.chat.board.seated import Seated
from service.chat.board.shown import Shown
from service.chat.people.customs import Preferences
from service.clock import Clock
from service.engine import Held
from service.operating import REST
from service.text import Texts
from service.text.chat import say
from service.text.people import plain


class Looks:
    """Makes the posts of tables and hands."""

    def __init__(
        self,
        places: Places,
        seated: Seated,
        shown: Shown,
        clock: Clock,
        preferences: Preferences,
        lately: Lately,
        bot: str,
    ) -> None:
        self._places = places
        self._seated = seated
        self._shown = shown
        self._clock = clock
        self._preferences = preferences
        self._lately = lately
        self._bot = bot

    async def table(self, held: Held, state: Table) -> Post:
        """The table's message in its group."""
        texts = self._preferences.spoken_at(home(state.id))
        called = await self.names(state, texts)
        around = await self._around(state)
        if state.phase == "playing":
            tail = await self._lately.of(state, held.version)
            tenths = state.rules.tenths(state.options)
            around = replace(around, lately=tuple(lately.moves(texts, state.rules, tail, called, tenths)))
        return show.table(texts, observe(state, None), called, self._bot, around)

    async def hand(self, held: Held, state: Table, actor: str) -> Post | None:
        """The message of a player in private; None: he has no seat, or there is no hand yet."""
        seat = seat_of(state, actor)
        if seat is None or (state.phase == "lobby" and not await self._guest(state, actor)):
            return None
        texts = self._preferences.spoken_to(actor, home(state.id))
        called = await self.names(state, texts)
        if state.phase == "lobby":
            return show.table(texts, observe(state, None), called, self._bot, await self._around(state))
        around = replace(await self._around(state), elsewhere=len(self._seated.tables_of(actor)) > 1)
        if state.phase == "playing":
            tail, looked = await self._lately.of(state, held.version), await self._shown.looked(state.id, actor)
            tenths = state.rules.tenths(state.options)
            since = lately.since(texts, state.rules, tail, called, tenths, actor, looked.since)
            around = replace(around, since=tuple(since), reminder=await self._reminder(texts, state, actor))
        return show.hand(texts, observe(state, seat), called, around)

    async def names(self, state: Table, texts: Texts | None = None) -> list[str]:
        """What the seats are called, in the language of the table's home unless another is given."""
        known = await self._places.names([seat.owner for seat in state.seats])
        return names.shown(texts or self._preferences.spoken_at(home(state.id)), state.seats, known)

    async def _reminder(self, texts: Texts, state: Table, actor: str) -> str:
        """What the bell says by which this message came, while the question is open for which it rang."""
        ring, _, decision = (await self._shown.wanted_again(state.id, actor)).partition(" ")
        if ring not in ("half", "late") or decision not in {str(one.id) for one in state.decisions}:
            return ""
        return say(texts, f"own_{ring}")

    async def _guest(self, state: Table, actor: str) -> bool:
        """Whether a table is played in private chats, and this is not the one in which it was opened."""
        chat = self._places.chat(state.id)
        return chat is not None and chat > 0 and await self._places.private(actor) != chat

    async def _around(self, state: Table) -> Around:
        zone, pair = self._preferences.of_home(home(state.id)).zone, await self._places.pairs.of(state.id)
        apart, by = not self._places.together(state.id), "" if state.proposal is None else state.proposal.by
        asks = (await self._places.names([by])).get(by, "")
        why = await self._places.reason(state.id, state.paused_why) if state.paused_why else ""
        why = why.removeprefix(REST).removeprefix(": ")
        return Around(self._clock.now(), zone, pair=pair, apart=apart, asks=asks, why=plain(why))
