"""What must be true at the end of a month: of every log, message, sight, call, press, and line of the log."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Collection, Iterator, Mapping, Sequence

from domain import events, table
from domain.audit_history import Commit, audit_history
from domain.games import GAMES
from eventstore import chain
from eventstore.store import home
from service.chat.api.lengths import fitting
from service.chat.api.post import Post
from service.chat.api.tokens import TABLE_ID, HandToken, write
from service.chat.board import show
from service.chat.board.chores import TABLE
from service.chat.board.lately import Lately
from service.chat.board.looks import Looks
from service.chat.board.places import Places
from service.chat.board.seated import Seated
from service.chat.board.shown import GONE, Shown
from service.chat.hands import inline
from service.chat.people.customs import Preferences
from service.chat.tables.pairs import PAIR
from service.engine import Engine
from service.sandbox.entities import parse_html, trimmed
from service.sandbox.limits import SENDING
from service.sandbox.state import Message, Sight
from service.sandbox.world import World
from service.text import language, languages
from tests.month.bot import RunningBot
from tests.month.witness import EVERYBODY, Witness, named

_SECOND, _MINUTE = 1_000, 60_000  # ms
_MOST = 20  # sends and edits a minute in a group; Bots FAQ


def logs_hold(witness: Witness) -> Iterator[str]:
    """Every table's log: its chain, and the whole of it judged anew by the rules."""
    for name, commits in witness.commits.items():
        chain.verify(commits)
        fault = audit_history([Commit(one.time, one.actor, events.decode(one.events)) for one in commits])
        if fault is not None:
            yield f"{name}: {fault}"


def minutes(world: World) -> tuple[int, list[str]]:
    """The most sends and edits that a group got within a minute, and every minute in which it were too many."""
    times: dict[int, list[int]] = {}
    busiest, found = 0, []
    for call in world.calls():
        chat = call.params.get("chat_id")
        if call.method in SENDING and isinstance(chat, int) and chat < 0:
            window = times.setdefault(chat, [])
            window.append(call.at)
            while call.at - window[0] >= _MINUTE:
                window.pop(0)
            busiest = max(busiest, len(window))
            if len(window) > _MOST:
                found.append(f"{len(window)} sends and edits within a minute in {chat}")
    return busiest, found


def unanswered(world: World) -> Iterator[str]:
    """Presses and queries that the bot never tried to answer, and updates that it has not taken to this day."""
    pressed = {call.params["callback_query_id"] for call in world.calls("answerCallbackQuery")}
    asked = {call.params["inline_query_id"] for call in world.calls("answerInlineQuery")}
    for query in world.queries.values():
        if query.id not in pressed and query.answer is None:
            yield f"a press without an answer: {query}"
    for one in world.asked.values():
        if one.id not in asked and one.answer is None:
            yield f"an inline query without an answer: {one}"
    yield from (f"an update that nobody took: {update.kind} {update.id}" for update in world.updates.waiting)


def lines(log: str) -> Iterator[str]:
    """Lines of the log that name a card, or tell of something that must not happen."""
    for line in log.splitlines():
        if named(line):
            yield f"the log names {sorted(named(line))}: {line}"
        try:
            level = json.loads(line).get("level")
        except ValueError:
            level = "error"  # a traceback that nobody caught
        if level in {"error", "critical"}:
            yield f"the log says {line[:600]}"


# Messages


async def messages(bot: RunningBot) -> list[str]:
    """Tables whose message in the group, or whose players' own, differ from what the state says."""
    eyes = await _Eyes.opened(bot)
    found = []
    for state in bot.witness.states.values():
        found += [fault async for fault in eyes.faults(state)]
    return found


class _Eyes:
    """Makes the messages anew, from the state of the witness and what the directory says of chats and people."""

    def __init__(self, bot: RunningBot, places: Places, preferences: Preferences, shown: Shown, looks: Looks) -> None:
        self._bot, self._world, self._looks = bot, bot.world, looks
        self._places, self._preferences, self._shown = places, preferences, shown

    @classmethod
    async def opened(cls, bot: RunningBot) -> _Eyes:
        """Reads the directory."""
        directory, clock = bot.directory, bot.service.clock
        places, preferences, shown, seated = Places(directory), Preferences(directory), Shown(directory), Seated(clock)
        await places.load()
        await preferences.load()
        for name, state in bot.witness.states.items():
            seated.note(name, state)
        lately = Lately(Engine(bot.service.store, bot.sealer, clock))
        username = bot.world.bot.username or ""
        return cls(bot, places, preferences, shown, Looks(places, seated, shown, clock, preferences, lately, username))

    async def faults(self, state: table.Table) -> AsyncIterator[str]:
        """What is wrong with the messages of a table."""
        record = await self._shown.get(state.id, TABLE)
        if record is None or record.message is None:
            yield f"{state.id}: no message in its chat"
            return
        post = self._world.chats[record.chat].posts[record.message]
        if post.deleted:
            if state.phase != "over":
                yield f"{state.id}: its message is gone, and there is no new one"
            return
        for other in self._twins(state, record.chat):
            if other != record.message:
                yield f"{state.id}: message {other} looks like the table's, which is {record.message}"
        hidden = record.mark == GONE and not self._places.together(state.id)  # each has his own, and that is enough
        wanted = [show.moved_on(language(code)) for code in languages()] if hidden else await self._wanted(state)
        if not any(_equal(post.now, one) for one in wanted):
            yield f"{state.id}: shows\n{_text(post.now)}\ninstead of\n{_text_of(wanted[0])}"
        if state.phase == "playing":
            for seat in state.seats:
                async for fault in self._hand(state, seat.owner):
                    yield fault

    def _twins(self, state: table.Table, chat: int) -> list[int]:
        """The messages of a chat that have the table's own button; but those of which the bot never heard, or did not
        live to note, that they were sent: a press there empties them."""
        button = write(HandToken(state.id, board=True))
        unheard = {
            call.answer["result"]["message_id"]
            for call in self._world.calls("sendMessage")
            if call.ok
            and call.params["chat_id"] == chat
            and call.fault != "lost"
            and (call.fault is not None or any(call.at <= kill < call.at + _SECOND for kill in self._bot.kills))
        }
        return [
            number
            for number, post in self._world.chats[chat].posts.items()
            if not post.deleted
            and number not in unheard
            and any(one.value == button for row in post.now.keyboard for one in row)
        ]

    async def _wanted(self, state: table.Table) -> list[Post]:
        """What the table's message may look like: one that is over keeps the language that the group had then."""
        held = await self._bot.service.engine.held(state.id)
        if state.phase != "over":
            texts = self._preferences.spoken_at(home(state.id))
            return [await inline.below(self._places.pairs, state, await self._looks.table(held, state), texts)]
        around = await self._looks._around(state)
        spoken = [language(code) for code in languages()]
        return [
            show.table(texts, table.observe(state, None), await self._looks.names(state, texts), "", around)
            for texts in spoken
        ]

    async def _hand(self, state: table.Table, actor: str) -> AsyncIterator[str]:
        """A player's own message begins with what the state says (what he has planned follows)."""
        record = None if actor.startswith("computer:") else await self._shown.get(state.id, actor)
        if record is None or record.message is None or await self._places.private(actor) is None:
            return
        post = self._world.chats[record.chat].posts[record.message]
        held = await self._bot.service.engine.held(state.id)
        wanted = await self._looks.hand(held, state, actor)
        if wanted is not None and not post.deleted and not _text(post.now).startswith(_text_of(wanted)):
            yield f"{state.id}: {actor} reads\n{_text(post.now)}\ninstead of\n{_text_of(wanted)}"


def _equal(message: Message, post: Post) -> bool:
    markup = post.markup()
    rows = () if markup is None else markup.inline_keyboard
    wanted = [
        [(one.text, one.callback_data or one.url or one.switch_inline_query_current_chat or "") for one in row]
        for row in rows
    ]
    shown = [[(button.text, button.value) for button in row] for row in message.keyboard]
    return _text(message) == _text_of(post) and shown == wanted


def _text(message: Message) -> str:
    return message.text.strip()


def _text_of(post: Post) -> str:
    return trimmed(parse_html(fitting(post.html))).text.strip()


# Sights


async def leaks(bot: RunningBot, actors: Mapping[int, str]) -> list[str]:
    """What anybody saw of a card before he could know it."""
    about = await About.opened(bot, actors)
    return bot.witness.leaks(bot.world.sights, _examples(bot.world), bot.world.bot.id, about)


class About:
    """Which tables a sight may be about: those that it names by id or pair, or whose button it is; else those of the
    chat that were played then, and the last ones before, of which a chat may still tell."""

    def __init__(
        self,
        witness: Witness,
        world: World,
        actors: Mapping[int, str],
        chats: Mapping[str, int],
        pairs: Mapping[str, str],
    ) -> None:
        self._witness, self._world, self._actors = witness, world, actors
        self._by_chat: dict[int, list[str]] = {}
        for name, chat in chats.items():
            old = world.chats[chat].migrated_from if chat in world.chats else None
            for number in {chat, chat if old is None else old}:
                self._by_chat.setdefault(number, []).append(name)
        self._by_person = {
            user: [name for name, owners in witness.owners.items() if actor in owners] for user, actor in actors.items()
        }
        self._by_pair: dict[str, list[str]] = {}
        for name, pair in pairs.items():
            self._by_pair.setdefault(pair, []).append(name)
        self._answered: dict[tuple[int, str], set[str]] = {}  # whom, what -> the tables whose buttons that answered
        for query in world.queries.values():
            if query.answer is not None:
                told = self._answered.setdefault((query.user_id, query.answer.text), set())
                told |= self._named(query.data) or {EVERYBODY}

    @classmethod
    async def opened(cls, bot: RunningBot, actors: Mapping[int, str]) -> About:
        """Reads the directory."""
        places = Places(bot.directory)
        await places.load()
        chats = {name: places.chat(name) or 0 for name in bot.witness.states}
        pairs = {name: await places.pairs.of(name) for name in bot.witness.states}
        return cls(bot.witness, bot.world, actors, chats, pairs)

    def __call__(self, number: int, sight: Sight) -> Collection[tuple[str, str]]:
        actor = self._actors.get(sight.user_id, EVERYBODY)
        here = self._by_chat.get(sight.chat_id, []) if sight.chat_id < 0 else self._by_person.get(sight.user_id, [])
        found = self._named(sight.text) | self._paired(sight.text) & set(here)
        if sight.kind == "button":  # what it does is seen right after what it says
            found |= self._named(self._world.sights[number + 1].text)
        if sight.kind == "file" and number:  # what it holds is seen right after its name
            found |= self._paired(self._world.sights[number - 1].text)
        if sight.kind in {"alert", "toast"}:
            found |= self._answered.get((sight.user_id, sight.text), set())
        return {(name, actor) for name in (found - {EVERYBODY} or self._played(here, number))}

    def _named(self, text: str) -> set[str]:
        return {name for name in TABLE_ID.findall(text.replace("_", " ")) if name in self._witness.states}

    def _paired(self, text: str) -> set[str]:
        return {name for pair in PAIR.findall(text) for name in self._by_pair.get(pair, ())}

    def _played(self, names: Sequence[str], number: int) -> list[str]:
        spans = {name: self._witness.spans[name] for name in names}
        open_then = [name for name, (begun, over) in spans.items() if begun <= number <= (over or number)]
        ended = [(over, name) for name, (_, over) in spans.items() if over is not None and over < number]
        return [*open_then, *(name for _, name in sorted(ended)[-2:])]


def _examples(world: World) -> set[str]:
    """What people wrote themselves, and the pages that explain a game with examples."""
    posts = [post for chat in world.chats.values() for post in chat.posts.values()]
    theirs = [one for post in posts for one in post.versions if one.sender != world.bot.id]
    said = {one.text for one in theirs} | {entity.url for one in theirs for entity in one.entities if entity.url}
    for code in languages():
        for game in GAMES:
            said.add(parse_html(show.how_to_play(language(code), game).html).text)
    return said
