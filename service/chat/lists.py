"""What a chat asks of the projections: standings of the group, the tables of a person."""

from __future__ import annotations

from eventstore.redis_store import RedisStore
from service.chat.places import Places
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

    def __init__(self, store: RedisStore, engine: Engine, places: Places, texts: Texts) -> None:
        self._standings = Rows(store, STANDINGS, through(engine))
        self._tables = Rows(store, TABLES_BY_PLAYER, through(engine))
        self._places = places
        self._texts = texts

    async def standings(self, chat: int) -> str:
        """Who has won how many games in the chat, by game; computer players are left out."""
        found = [
            one for one in await standings_of(self._standings, await self._places.home(chat)) if _person(one.actor)
        ]
        if not found:
            return say(self._texts, "no_standings")
        known = await self._places.names([one.actor for one in found])
        lines: list[str] = []
        game = ""
        for one in found[:_MOST]:
            if one.game != game:
                game = one.game
                lines.append(game_name(self._texts, game))
            lines.append(self._line(one, known))
        return "\n".join(lines)

    def _line(self, one: Standing, known: dict[str, str]) -> str:
        name = people.plain(known.get(one.actor, "")) or say(self._texts, "somebody")
        return say(self._texts, "standing_line", name=name, won=one.won, games=one.games)

    async def tables(self, actor: str) -> str:
        """The tables where somebody sits that are not over, in whatever chat."""
        found = {
            name: one for name, one in (await tables_of_player(self._tables, actor)).items() if one.phase != "over"
        }
        if not found:
            return say(self._texts, "no_tables_of_yours")
        return "\n".join([await self._table(one, actor) for one in list(found.values())[-_MOST:]])

    async def _table(self, one: Listed, actor: str) -> str:
        others = [seat for seat in one.seats if seat != actor]
        known = await self._places.names(others)
        named = [people.plain(known.get(seat, "")) or say(self._texts, "somebody") for seat in others if _person(seat)]
        mine = one.phase == "playing" and actor in one.seats and one.seats.index(actor) in one.asked
        phase = say(self._texts, "your_turn_there" if mine else f"phase_{one.phase}", number=one.sets)
        computers = say(self._texts, "computer_players") if len(named) < len(others) else ""
        return " · ".join(
            word for word in (game_name(self._texts, one.game), ", ".join(named) or computers, phase) if word
        )


def _person(actor: str) -> bool:
    return actor.startswith("person:")
