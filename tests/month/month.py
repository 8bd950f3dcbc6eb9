"""A month of play: three groups, one with topics, a table without a group, all five games, faults, restarts; and what
must be true then."""

from __future__ import annotations

import asyncio
import io
import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from domain.games import GAMES
from service import logs
from service.sandbox.limits import Trouble
from service.sandbox.people import Place, Topic
from service.sandbox.world import World
from tests.month import checks, sitting
from tests.month.bot import RunningBot
from tests.month.happenings import Happenings
from tests.month.people import Lost, Player, until
from tests.month.witness import Witness
from tests.soak.report import Row, counted

DAY = 86_400.0
_PEOPLE = (
    *(("Ann", "en"), ("Bob", "en"), ("Cleo", "fr"), ("Dan", "es"), ("Eve", "en-GB")),
    *(("Finn", ""), ("Gita", "hi"), ("Ann", "ne"), ("Inés <3 & Jo", "es-AR"), ("שרה", "he")),
)
_TROUBLES: tuple[Trouble, ...] = ("too_many", "broken", "unanswered", "lost")
_LONGEST = 700  # characters of a fault that are told
_SETTLE = 900.0  # s at the end for everything that is still to be shown


@dataclass
class Report:
    """What came of it."""

    moves: int = 0
    commits: int = 0
    tables: int = 0
    finished: int = 0
    rematches: int = 0
    restarts: int = 0
    migrations: int = 0
    troubles: int = 0
    happened: dict[str, int] = field(default_factory=dict)
    presses: int = 0
    messages: int = 0
    sights: int = 0
    calls: int = 0
    busiest: int = 0  # sends and edits to a group within a minute
    faults: list[str] = field(default_factory=list)


class Month:
    """So many days of play from a seed, with so many restarts."""

    def __init__(
        self,
        world: World,
        *,
        days: float,
        restarts: int,
        seed: int,
        progress: Callable[[str], object] = lambda _line: None,
    ) -> None:
        """`progress` hears of each day that is over."""
        self.world, self.days, self.restarts, self._progress = world, days, restarts, progress
        self.rng = random.Random(seed)
        self.bot = RunningBot(world)
        self.people = [world.person(name, language_code=code) for name, code in _PEOPLE]
        p = self.people
        self.groups = [
            world.group("Tuesday night", p[:5]),
            world.group("The office", p[3:8]),
            world.group("Cards & topics", [p[0], *p[5:10]], forum=True),
        ]
        self.topics: list[Topic] = []
        self.players: dict[int, Player] = {}
        self.happenings: Happenings
        self.report = Report()
        self.log = io.StringIO()

    async def run(self) -> Report:
        """Plays, then looks at everything."""
        logs.to_stream((self.world.token,), self.log)
        await self.bot.start()
        self.topics = [self.groups[2].open_topic("Words"), self.groups[2].open_topic("Tricks")]
        for person in self.people:
            self.players[person.id] = Player(person, self.bot, {}, random.Random(self.rng.random()))
            if self.rng.random() < 0.8:
                person.start()
        for group in self.groups[::2]:
            group.promote_bot()
        players = list(self.players.values())
        self.happenings = Happenings(players, self.groups, self.topics, self.rng.random())
        await asyncio.sleep(5)
        await self.happenings.customs()
        await self._lives(players)
        self.world.faults.clear()
        if not self.bot.runs:
            await self.bot.start()
        await self._all_as_before()
        await asyncio.sleep(_SETTLE)
        await self._look()
        await self.bot.kill()
        return self.report

    async def _lives(self, players: Sequence[Player]) -> None:
        """All that goes on side by side, until the time is over. Raises what went wrong."""
        loop, seconds = asyncio.get_running_loop(), self.days * DAY
        end = loop.time() + seconds
        tasks = [asyncio.create_task(player.play()) for player in players]
        tasks += [asyncio.create_task(self._evenings(place, some)) for place, some in self._seats(players)]
        tasks += [asyncio.create_task(self._alone(players[3:8])), asyncio.create_task(self._troubles())]
        tasks += [asyncio.create_task(self.happenings.run(seconds))]
        tasks += [asyncio.create_task(self._restarts()), asyncio.create_task(self._days())]
        done, _ = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
        for task in tasks:
            task.cancel()
        for task in done:
            task.result()  # raises what went wrong
        assert loop.time() >= end - 1
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _days(self) -> None:
        """Says how far it is, at the end of each day."""
        for day in range(1, int(self.days) + 1):
            await asyncio.sleep(DAY)
            commits = sum(map(len, self.bot.witness.commits.values()))
            self._progress(f"day {day} of {self.days:g}: {commits} commits at {len(self.bot.witness.commits)} tables")

    def _seats(self, players: Sequence[Player]) -> list[tuple[Place, list[Player]]]:
        """Where people sit down together: two tables at once in each group, one in each topic."""
        everywhere: list[Place] = [*self.groups[:2], *self.groups[:2], *self.topics, self.groups[2]]
        return [
            (place, [one for one in players if one.person.id in self.world.chats[place.id].members])
            for place in everywhere
        ]

    async def _evenings(self, place: Place, people: Sequence[Player]) -> None:
        """One table after the other in a chat, of every game that so many can play; at times the same again."""
        rng = random.Random(self.rng.random())
        games = list(GAMES)
        rng.shuffle(games)
        round_ = 0
        while True:
            game = games[round_ % len(games)]
            round_ += 1
            present = [one for one in people if one.person.id in self.world.chats[place.id].present()]
            for player in present:
                player.actor = player.actor or await self.bot.directory.person(f"tg:{player.person.id}")
            most = min(GAMES[game].seats[1], len(present))
            name = await self._opened(place, rng.sample(present, min(most, rng.randint(2, max(2, most)))), game, rng)
            while name is not None:
                self.report.tables += 1
                await until(partial(_over, self.bot.witness, name), f"the end of {name}", math.inf)
                self.report.finished += 1
                await asyncio.sleep(rng.uniform(60, 3600))
                name = await sitting.again(people, place, name) if rng.random() < 0.4 else None
                self.report.rematches += name is not None
            await asyncio.sleep(rng.uniform(60, 2 * 3600))

    async def _opened(self, place: Place, people: Sequence[Player], game: str, rng: random.Random) -> str | None:
        """A new table; that nothing came of it is a fault, unless the chat was not as usual."""
        chat, since = place.id, asyncio.get_running_loop().time()
        try:
            return await sitting.seated(people, place, game, rng)
        except Lost as lost:
            if place.id == chat and not self.happenings.disturbed(chat, since):
                self.report.faults.append(f"nobody could open a table: {lost}")
            return None

    async def _alone(self, people: Sequence[Player]) -> None:
        """Tables without a group: one invites others by a link, and everybody plays in private."""
        rng, games = random.Random(self.rng.random()), list(GAMES)
        rng.shuffle(games)
        round_ = 0
        while True:
            some = [one for one in people if self.world.chats[one.person.id].started]
            game = games[round_ % len(games)]
            round_ += 1
            name = None
            if len(some) > 1:
                name = await sitting.invited(rng.sample(some, min(len(some), GAMES[game].seats[1], 3)), game)
            if name is not None:
                self.report.tables += 1
                await until(partial(_over, self.bot.witness, name), f"the end of {name}", math.inf)
                self.report.finished += 1
            await asyncio.sleep(rng.uniform(600, 6 * 3600))

    async def _restarts(self) -> None:
        """The bot is killed at random and is away for a while."""
        rng = random.Random(self.rng.random())
        moments = sorted(rng.uniform(0, self.days * DAY) for _ in range(self.restarts))
        loop = asyncio.get_running_loop()
        begun = loop.time()
        for moment in moments:
            await asyncio.sleep(max(0.0, begun + moment - loop.time()))
            await self.bot.kill()
            self.report.restarts += 1
            await asyncio.sleep(rng.choice((0.0, 0.0, 1.0, 20.0, 600.0, 3 * 3600.0)))
            await self.bot.start()

    async def _troubles(self) -> None:
        """Telegram stumbles; two groups become supergroups."""
        rng = random.Random(self.rng.random())
        migrate = [(self.days * DAY * 0.3, self.groups[0]), (self.days * DAY * 0.6, self.groups[1])]
        loop = asyncio.get_running_loop()
        begun = loop.time()
        while True:
            await asyncio.sleep(rng.expovariate(1 / min(4 * 3600, self.days * DAY / 8)))
            method = rng.choice((None, "sendMessage", "editMessageText"))
            trouble = rng.choice(_TROUBLES)
            self.world.fault(trouble, method=method, times=rng.randint(1, 3), retry_after=rng.randint(1, 40))
            self.report.troubles += 1
            while migrate and loop.time() - begun > migrate[0][0]:
                _, group = migrate.pop(0)
                group.migrate(silent=rng.random() < 0.5)
                self.report.migrations += 1

    async def _all_as_before(self) -> None:
        """What was interrupted when the time was over is undone, as it would have been."""
        for group in self.groups:
            if self.world.bot.id not in self.world.chats[group.id].present():
                group.add_bot()
            group.promote_bot()
        for topic in self.topics:
            if self.world.chats[topic.id].topics[topic.thread].closed:
                topic.reopen()
        await asyncio.sleep(5)
        for group in self.groups:  # an update from the group, for whoever could not write to it
            creator = next(one for one in self.people if one.id == self.world.chats[group.id].creator)
            creator.say(group, "/table")

    async def _look(self) -> None:
        report, witness, world = self.report, self.bot.witness, self.world
        report.moves = sum(player.moves for player in self.players.values())
        report.commits = sum(map(len, witness.commits.values()))
        report.presses, report.sights, report.calls = len(world.queries), len(world.sights), len(world.journal)
        report.messages = sum(len(chat.posts) + len(chat.whispers) for chat in world.chats.values())
        report.happened = dict(sorted(self.happenings.done.items()))
        report.busiest, too_many = checks.minutes(world)
        actors = {user: player.actor for user, player in self.players.items()}
        report.faults += [*world.violations, *too_many, *checks.logs_hold(witness), *checks.unanswered(world)]
        report.faults += checks.lines(self.log.getvalue())
        report.faults += await checks.messages(self.bot)
        report.faults += await checks.leaks(self.bot, actors)


def _over(witness: Witness, name: str) -> bool:
    return witness.states[name].phase == "over"


def told(report: Report) -> str:
    """The report in lines."""
    lines = [f"{name}: {value}" for name, value in vars(report).items() if name != "faults"]
    return "\n".join([*lines, *(fault[:_LONGEST] for fault in report.faults[:50]), f"faults: {len(report.faults)}"])


def rows(report: Report, days: float, seconds: float) -> list[Row]:
    """The report as lines of the document; `seconds` of CPU that it took."""
    return [
        Row("days, in seconds of CPU", f"{days:g} in {seconds:,.0f}"),
        counted("moves of people", report.moves),
        counted("commits", report.commits),
        counted("tables, of all games", report.tables),
        counted("of them played to their end", report.finished),
        counted("of them opened by Rematch", report.rematches),
        counted("the bot killed and started again", report.restarts),
        counted("groups that became supergroups", report.migrations),
        counted("times that Telegram stumbled for one to three calls", report.troubles),
        Row(
            "what happened in chats", ", ".join(f"{what.replace('_', ' ')} {n}" for what, n in report.happened.items())
        ),
        counted("presses", report.presses),
        counted("messages", report.messages),
        counted("calls of the bot", report.calls),
        counted("texts that somebody could see, all of them read", report.sights),
        counted("the most sends and edits in a group within a minute", report.busiest),
        counted("faults", len(report.faults), fault=True),
    ]
