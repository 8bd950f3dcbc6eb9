"""Plans for a next move, made in private: kept sealed, shown to their owner alone, played when his question opens."""

from __future__ import annotations

import base64
from collections import OrderedDict
from collections.abc import Sequence
from html import escape

import msgspec
import structlog

from domain import premoves
from domain.commands import Move
from domain.games import GAMES
from domain.premoves import Plan
from domain.rejected import Rejected
from domain.scene import Scene
from domain.table import Table, decision_of, observe, seat_of
from service.chat.api.post import Button, Post, Press, grid
from service.chat.api.tokens import PlanToken
from service.chat.board.places import Places
from service.chat.board.views import Views
from service.chat.hands import reading
from service.chat.people.customs import Preferences
from service.directory import Directory, opaque
from service.engine import Engine
from service.sealing import Sealer, WrongKey
from service.text import Texts, cards
from service.text.chat import say
from service.text.words import words

log = structlog.get_logger()

_STORED = "plans"
_MOST_SEEN = 20_000  # questions of which we know that they were looked at
_A_ROW = 5  # buttons


class Plans:
    """The plans of people: one a person and table, for the next question he is asked there.

    A plan is played by an ordinary command of its owner, whose id names the plan, so that it is played once whatever
    happens in between. One that means no legal move then is dropped, and its owner is told.
    """

    def __init__(
        self,
        engine: Engine,
        directory: Directory,
        sealer: Sealer,
        places: Places,
        views: Views,
        preferences: Preferences,
    ) -> None:
        self._engine = engine
        self._directory = directory
        self._sealer = sealer
        self._places = places
        self._views = views
        self._preferences = preferences
        self._seen: OrderedDict[tuple[str, str, int], None] = OrderedDict()  # (table, actor, question)

    async def of(self, name: str, actor: str) -> Plan | None:
        """Somebody's plan at a table, or None."""
        field = f"{name} {actor}"
        stored = await self._directory.get(_STORED, field)
        if stored is None:
            return None
        try:
            return msgspec.json.decode(self._sealer.open(base64.b64decode(stored), _context(field)), type=Plan)
        except (WrongKey, ValueError):
            log.warning("a plan cannot be opened", table=name)
            await self._directory.drop(_STORED, field)
            return None

    async def add(self, state: Table, actor: str, wishes: Sequence[str]) -> Plan:
        """Adds wishes to somebody's plan. Rejected as `premoves.extended` says, and `not_seated`."""
        seat = seat_of(state, actor)
        if seat is None:
            raise Rejected("not_seated")
        known = await self.of(state.id, actor)
        wanted = premoves.extended(state, seat, known, wishes)
        plan = Plan(opaque(), state.sets, state.asked, wanted)
        field = f"{state.id} {actor}"
        sealed = self._sealer.seal(msgspec.json.encode(plan), _context(field))
        await self._directory.put(_STORED, field, base64.b64encode(sealed).decode())
        await self._look((await self._engine.fresh(state.id)).state, again=True)  # his question may just have opened
        self._views.touch(state.id)
        return plan

    async def drop(self, name: str, actor: str) -> bool:
        """Somebody's plan is off; whether there was one."""
        done = await self._directory.drop(_STORED, f"{name} {actor}")
        self._views.touch(name)
        return done

    async def look(self, name: str) -> None:
        """Plays the plans of those who are asked something new at the table."""
        await self._look((await self._engine.held(name)).state)

    async def _look(self, state: Table | None, *, again: bool = False) -> None:
        if state is not None and state.phase == "over":
            await self._clear(state)
        if state is None or state.phase != "playing" or state.paused is not None:
            return
        for seat, held in enumerate(state.seats):
            question = None if held.computer else decision_of(state, seat)
            if question is None:
                continue
            looked = state.id, held.owner, question.id
            if again or looked not in self._seen:
                await self._play(state, seat, held.owner, question.id)
                self._seen[looked] = None
                while len(self._seen) > _MOST_SEEN:
                    self._seen.popitem(last=False)

    async def _clear(self, state: Table) -> None:
        """A game that is over needs no plans."""
        over = state.id, "", 0
        if over not in self._seen:
            for held in state.seats:
                if not held.computer:
                    await self._directory.drop(_STORED, f"{state.id} {held.owner}")
            self._seen[over] = None

    async def _play(self, state: Table, seat: int, actor: str, question: int) -> None:
        plan = await self.of(state.id, actor)
        if plan is None:
            return
        command = f"plan:{plan.id}"
        done = await self._engine.store.commit_of(state.id, command) is not None  # we were stopped just after it
        fits = not done and premoves.applies(state, seat, plan)
        move = premoves.move(state, seat, plan) if fits else None
        if move is not None:
            await self._engine.submit(state.id, actor, Move(move), command, decision=question)
        await self.drop(state.id, actor)
        if fits and move is None:
            await self._tell(state, actor)

    async def _tell(self, state: Table, actor: str) -> None:
        """His plan could not be played: he is asked, as if there had been none."""
        private = await self._places.private(actor)
        if private is not None:
            said = say(self._preferences.spoken_to(actor), "plan_not_played")
            self._views.answer_later(private, Post(escape(said)), None)

    async def beside(self, state: Table, actor: str, texts: Texts, post: Post) -> Post:
        """A hand's message with its owner's plan, which a tap calls off, or with the way to plan a move."""
        seat = seat_of(state, actor)
        if seat is None or state.phase != "playing" or decision_of(state, seat) is not None or not _plannable(state):
            return post
        plan = await self.of(state.id, actor)
        if plan is None or plan.set != state.sets:
            new = Press(say(texts, "button_plan"), PlanToken(state.id, state.sets, "new"))
            return Post(post.html, (*post.rows, (new,)))
        told = escape(say(texts, "planned", wishes=shown(texts, state, plan)))
        row = (
            Press(say(texts, "button_plan_off"), PlanToken(state.id, state.sets, "off")),
            Press(say(texts, "button_plan_more"), PlanToken(state.id, state.sets, "new")),
        )
        return Post(f"{post.html}\n\n<i>{told}</i>", (*post.rows, row))


def panel(texts: Texts, state: Table, seat: int) -> Post:
    """What can be planned by buttons: the game's own plans, and each card of the hand."""
    rules, view = state.rules, observe(state, seat)
    scene: Scene = rules.scene(view.set)
    hand = [placed.card for zone in scene.zones if zone.name == "hand" and zone.private for placed in zone.cards]
    of_cards: list[Button] = []
    for card in dict.fromkeys(hand):
        try:
            notation = rules.notation(rules.parse(card, view.set))
        except Rejected:
            continue  # with this card alone no move is meant
        of_cards.append(Press(cards.move(texts, notation), PlanToken(state.id, state.sets, f"+{notation}")))
    told = words(rules.slug).plans
    own: list[Button] = [
        Press(texts.gettext(told.get(word, word)), PlanToken(state.id, state.sets, premoves.own(word)))
        for word in rules.plans
    ]
    return Post(escape(say(texts, "plan_how")), (*grid(own, 1), *grid(of_cards, _A_ROW)))


def shown(texts: Texts, state: Table, plan: Plan) -> str:
    """The wishes in order: `Q♠, else the lowest of the suit led`."""
    told = words(state.rules.slug).plans
    found = []
    for wish in plan.wishes:
        word = premoves.word_of(wish)
        found.append(cards.move(texts, wish) if word is None else texts.gettext(told.get(word, word)))
    return say(texts, "plan_else").join(found)


def read(reader: str, state: Table, seat: int, text: str) -> list[str]:
    """The wishes that somebody wrote, divided by commas: moves in his own words, or the game's words for a plan of its
    own (`low`). `reader`: the language that he is spoken to in. Rejected as `reading.read` does."""
    rules = state.rules
    found = []
    for part in (part.strip() for part in text.split(",")[: premoves.MOST + 1]):
        if part in rules.plans:
            found.append(premoves.own(part))
        elif part:
            found.append(rules.notation(reading.read(state, seat, part, reader)))
    return found


def _plannable(state: Table) -> bool:
    return GAMES[state.rules.slug].word_of is None


def _context(field: str) -> bytes:
    return f"plan {field}".encode()
