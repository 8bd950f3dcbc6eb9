"""One person's game: shows the table, reads moves and questions, until the game is over or he leaves."""

from __future__ import annotations

import asyncio
from typing import Literal

from domain import table
from domain.commands import Move
from domain.rejected import Rejected
from domain.scene import Scene
from domain.table import Table, View
from service.directory import opaque
from service.engine import Refused
from service.keeper import Keeper
from service.terminal.chronicle import Chronicle
from service.terminal.lines import Lines, News
from service.terminal.recount import recount
from service.terminal.screen import Screen
from service.terminal.tables import patient
from service.text import board, people, refusals, spelled, terminal
from service.wiring import Service

_TYPED = "typed:"  # how the ids of commands that somebody typed begin

End = Literal["over", "quit", "end of input"]


def is_quit(line: str) -> bool:
    """Whether somebody wants to leave."""
    return line.strip().casefold() in ("quit", "exit", "q")


class Session:
    """A person at a table. `news` is set whenever somebody moved there."""

    def __init__(
        self, service: Service, keeper: Keeper, lines: Lines, screen: Screen, name: str, actor: str, news: asyncio.Event
    ) -> None:
        self._service = service
        self._keeper = keeper
        self._lines = lines
        self._screen = screen
        self._texts = screen.texts
        self._name = name
        self._actor = actor
        self._news = news
        self._chronicle = Chronicle(self._texts, name, {actor: terminal.you(self._texts)})
        self._state: Table | None = None
        self._sent: set[str] = set()  # our own commands
        self._asked: tuple[int, ...] | None = None  # the decisions that were shown
        self._prompt = ""  # and what they ask for

    async def resume(self) -> None:
        """Takes what happened so far as known."""
        held = await patient(self._screen, lambda: self._service.engine.fresh(self._name))
        commits = await patient(self._screen, lambda: self._service.engine.history(self._name))
        self._chronicle.skip(commits[: held.version])

    async def play(self) -> End:
        """Until the game is over, the person quits, or the input ends."""
        while True:
            state = await self._catch_up()
            if state.phase == "over":
                if state.rules.sheet:
                    self._screen.sheet(self._view(), self._chronicle.names())
                return "over"
            self._show_question()
            try:
                line = await self._line()
            except News:
                self._screen.newline()
                continue
            if line is None:
                self._screen.newline()
                return "end of input"
            if is_quit(line):
                return "quit"
            await self._answer(line.strip())

    async def _catch_up(self) -> Table:
        """Computer players move, and what happened is told."""
        self._news.clear()
        engine, name = self._service.engine, self._name
        await patient(self._screen, lambda: engine.fresh(name))
        await patient(self._screen, lambda: self._keeper.touched(name))
        held = await patient(self._screen, lambda: engine.held(name))
        commits = await patient(self._screen, lambda: self._service.store.read(name, self._chronicle.version))
        commits = [commit for commit in commits if commit.version <= held.version]
        if any(commit.command.startswith(_TYPED) and commit.command not in self._sent for commit in commits):
            self._screen.say(terminal.elsewhere(self._texts))
        self._screen.say(*self._chronicle.tell(commits))
        assert held.state is not None
        self._state = held.state
        return held.state

    async def _line(self) -> str | None:
        """What the person types; raises News when somebody moved first (another terminal, another process)."""
        while True:
            try:
                return await self._lines.next(self._news)
            except News:
                self._news.clear()
                held = await patient(self._screen, lambda: self._service.engine.fresh(self._name))
                if held.version > self._chronicle.version:
                    raise

    def _view(self) -> View:
        assert self._state is not None
        return table.observe(self._state, table.seat_of(self._state, self._actor))

    def _scene(self, view: View) -> Scene:
        assert self._state is not None
        scene: Scene = self._state.rules.scene(view.set)
        return scene

    def _show_question(self) -> None:
        view = self._view()
        scene = self._scene(view)
        asked = tuple(decision.id for decision in view.asked)
        if asked != self._asked:
            self._screen.table(view, scene, self._chronicle.names())
        if (asked, scene.prompt) != (self._asked, self._prompt):  # a question may want several moves, one by one
            self._screen.hand(view, scene, self._chronicle.names())
        self._asked, self._prompt = asked, scene.prompt
        asks = board.prompt_of(view, scene).line if scene.choices else "> "
        self._screen.prompt(self._texts.gettext(asks))

    async def _answer(self, line: str) -> None:
        view, screen, texts = self._view(), self._screen, self._texts
        scene, names = self._scene(view), self._chronicle.names()
        match line.casefold().split():
            case []:
                return
            case ["help" | "?"]:
                screen.say(terminal.help_text(texts, view.game))
            case ["hand"]:
                screen.hand(view, scene, names)
            case ["table"]:
                screen.table(view, scene, names)
                screen.hand(view, scene, names)
            case ["score"]:
                screen.sheet(view, names)
            case ["options"]:
                assert self._state is not None
                screen.say(*terminal.options_lines(texts, self._state.rules, view.options))
            case ["log", *rest]:
                commits = await patient(screen, lambda: self._service.engine.history(self._name))
                known = {self._actor: terminal.you(texts)}
                screen.say(*recount(texts, self._name, commits, known, whole=rest == ["all"]))
            case _:
                await self._move(line, view)

    async def _move(self, line: str, view: View) -> None:
        state = self._state
        assert state is not None
        names = self._chronicle.names()
        try:
            example = state.rules.examples.get(line.partition(" ")[0].lower(), "")
            told = people.with_seats(line, example, names)
            move = spelled.move(state.rules, told, view.set, self._texts.language)
        except Rejected as rejected:
            self._screen.say(refusals.refusal(self._texts, rejected, names))
            return
        seat = table.seat_of(state, self._actor)
        decision = None if seat is None else table.decision_of(state, seat)
        command = f"{_TYPED}{opaque(20)}"
        self._sent.add(command)
        outcome = await patient(
            self._screen,
            lambda: self._service.engine.submit(
                self._name, self._actor, Move(move), command, decision=None if decision is None else decision.id
            ),
        )
        if isinstance(outcome, Refused):
            self._screen.say(refusals.refusal(self._texts, outcome, names))
