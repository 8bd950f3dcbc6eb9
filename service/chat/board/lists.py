"""What a chat asks of the projections: standings of the group, the tables of a person."""

from __future__ import annotations

from html import escape

from eventstore.redis_store import RedisStore
from service.chat.api.post import Post
from service.chat.board.chores import TABLE
from service.chat.board.places import Places
from service.chat.board.shown import Shown
from service.engine import Engine
from service.projections.rows import Rows, through
from service.projections.standings import STANDINGS, Standing, standings_of
from service.projections.tables import TABLES_BY_PLAYER, Listed, tables_of_player
from service.text import Texts, people
from service.text.chat import say
from service.text.words import game_name

_MOST = 20  # lines


class Lists:
    """Reads what the keeper's followers build."""

    def __init__(self, store: RedisStore, engine: Engine, places: Places, shown: Shown) -> None:
        self._standings = Rows(store, STANDINGS, through(engine))
        self._tables = Rows(store, TABLES_BY_PLAYER, through(engine))
        self._places = places
        self._shown = shown

    async def standings(self, chat: int, texts: Texts) -> str:
        """Who has won how many games in the chat, by game; computer players are left out."""
        found = [
            one for one in await standings_of(self._standings, await self._places.home(chat)) if _person(one.actor)
        ]
        if not found:
            return say(texts, "no_standings")
        known = await self._places.names([one.actor for one in found])
        lines: list[str] = []
        game = ""
        for one in found[:_MOST]:
            if one.game != game:
                game = one.game
                lines.append(game_name(texts, game))
            lines.append(self._line(one, known, texts))
        return "\n".join(lines)

    def _line(self, one: Standing, known: dict[str, str], texts: Texts) -> str:
        name = people.plain(known.get(one.actor, "")) or say(texts, "somebody")
        return say(texts, "standing_line", name=name, won=one.won, games=one.games)

    async def tables(self, actor: str, texts: Texts) -> Post:
        """The tables where somebody sits that are not over, in whatever chat, each with a link to its message."""
        found = {
            name: one for name, one in (await tables_of_player(self._tables, actor)).items() if one.phase != "over"
        }
        if not found:
            return Post(escape(say(texts, "no_tables_of_yours")))
        return Post(
            "\n".join([await self._table(name, one, actor, texts) for name, one in list(found.items())[-_MOST:]])
        )

    async def _table(self, name: str, one: Listed, actor: str, texts: Texts) -> str:
        others = [seat for seat in one.seats if seat != actor]
        known = await self._places.names(others)
        named = [people.plain(known.get(seat, "")) or say(texts, "somebody") for seat in others if _person(seat)]
        mine = one.phase == "playing" and actor in one.seats and one.seats.index(actor) in one.asked
        phase = say(texts, "your_turn_there" if mine else f"phase_{one.phase}", number=one.sets)
        computers = say(texts, "computer_players") if len(named) < len(others) else ""
        shown, pair = await self._shown.get(name, TABLE), await self._places.pairs.of(name)
        link = None if shown is None else link_to(shown.chat, shown.message, await self._places.thread(name))
        words = (game_name(texts, one.game), ", ".join(named) or computers, phase)
        called = f'<a href="{link}">{pair}</a>' if link else pair
        return " · ".join([called, *(escape(word) for word in words if word)])


def link_to(chat: int, message: int | None, thread: int | None) -> str | None:
    """The link that opens a message for those who are in its chat; only in supergroups there is one."""
    number = str(chat).removeprefix("-100")
    if message is None or number == str(chat):
        return None
    topic = "" if thread is None else f"{thread}/"
    return f"https://t.me/c/{number}/{topic}{message}"


def _person(actor: str) -> bool:
    return actor.startswith("person:")
