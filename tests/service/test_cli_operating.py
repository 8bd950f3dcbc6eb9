"""The operator's commands: acts at a table, bans, announcements, maintenance, lists; one line when it cannot be."""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import json
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest

from domain import events, options
from domain.commands import Act, AddComputer, Join, Open, Start
from domain.events import AdminActed, Paused
from domain.games import GAMES
from domain.games.callbreak.offences import proved
from domain.table import Table
from service.chat.tables.pairs import pair
from service.settings import Settings
from service.terminal import acts
from service.terminal.acts import Wanted
from service.terminal.looking import Wrong
from service.terminal.screen import Screen, console
from service.text import language
from service.wiring import Service, open_service
from tests.patience import PROGRAM
from tests.service.conftest import Say
from tests.service.programs import read_until, run, start
from tests.service.reports import honour
from tests.service.tables import World

T = TypeVar("T")
CHAT = "chat:-100777"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def on(data: Path, work: Callable[[Service], Awaitable[T]]) -> T:
    """Does something on the deployment in the data folder, with nobody else there."""

    async def done() -> T:
        async with open_service(Settings(tabletalk_data=str(data))) as service:
            return await work(service)

    return asyncio.run(done())


async def _opened(service: Service, **values: str) -> str:
    """A table of Ann, Bob and two computer players in a chat, started."""
    directory = service.directory
    name = await directory.new_table(await directory.home(CHAT))
    ann, bob = [await directory.person(f"tg:{number}") for number in (101, 102)]
    for actor, called in ((ann, "Ann"), (bob, "Bob")):
        await directory.set_name(actor, called)
    todo: list[tuple[str, Act]] = [
        (ann, Open("callbreak", options.read(GAMES["callbreak"], {"redeal": "", **values}))),
        (bob, Join()),
    ]
    todo += [(ann, AddComputer()), (ann, AddComputer()), (ann, Start())]
    for number, (actor, act) in enumerate(todo):
        await service.engine.submit(name, actor, act, f"open:{name}:{number}")
    return name


def table(data: Path) -> str:
    return on(data, _opened)


def state(data: Path, name: str) -> Table:
    async def read(service: Service) -> Table:
        found = (await service.engine.fresh(name)).state
        assert found is not None
        return found

    return on(data, read)


def last(data: Path, name: str) -> tuple[str, tuple[object, ...]]:
    """Who made the last commit, and its events."""

    async def read(service: Service) -> tuple[str, tuple[object, ...]]:
        commit = (await service.engine.history(name))[-1]
        return commit.actor, events.decode(commit.events)

    return on(data, read)


def test_a_set_is_voided_with_a_reason_that_everybody_can_read(say: Say, data: Path) -> None:
    name = table(data)
    code, out, err = say("void", name, "--reason", "a  card was\nseen", "--yes")
    assert (code, err) == (0, "")
    assert f"The set at {name} does not count" in out
    actor, told = last(data, name)
    assert (actor, told[0]) == ("operator", AdminActed("void", hashlib.sha256(b"a card was seen").hexdigest()))
    assert state(data, name).sets == 2
    code, out, _ = say("audit", name)
    assert code == 0
    assert "The operator decided that the set does not count. Why: a card was seen" in out


def test_a_seat_is_taken_away_and_given_to_another_by_number_or_name(say: Say, data: Path) -> None:
    name = table(data)
    assert say("kick", name, "bob", "--yes")[0] == 0
    assert state(data, name).seats[1].kicked
    code, out, _ = say("replace", pair(name), "2", "tg:555", "--yes", "--reason", "Bob moved")
    assert (code, "is tg:555's now" in out) == (0, True)
    owner = on(data, lambda service: service.directory.person("tg:555"))
    assert state(data, name).seats[1].owner == owner
    code, _, err = say("kick", name, "7", "--yes")
    assert (code, "there is no such seat; there are: 1 Ann" in err) == (1, True)
    code, _, err = say("replace", name, "2", "nobody", "--yes")
    assert (code, "nobody" in err) == (1, True)


def test_a_table_pauses_goes_on_and_is_closed(say: Say, data: Path) -> None:
    name = table(data)
    for command, holds in (
        ("pause", lambda now: now.paused == "admin"),
        ("resume", lambda now: now.paused is None),
        ("close", lambda now: (now.phase, now.ended) == ("over", "closed")),
    ):
        assert say(command, name, "--yes")[0] == 0
        assert holds(state(data, name)), command
    for command in ("pause", "close", "void"):
        code, out, err = say(command, name, "--yes")
        assert (code, out, err) == (1, "", "tabletalk: This game is over.\n")
    code, _, err = say("pause", "no-such", "--yes")
    assert (code, len(err.splitlines())) == (1, 1)
    assert say("audit", name)[0] == 0


def test_an_act_is_asked_back_and_without_anybody_to_ask_it_wants_yes(say: Say, data: Path) -> None:
    name = table(data)
    code, out, err = say("void", name)
    assert (code, out, "--yes means it" in err) == (1, "", True)
    asked: list[str] = []

    def answer(question: str, words: str) -> str:
        asked.append(question)
        return words

    async def act(service: Service, words: str) -> None:
        screen = Screen(console(), language())
        await acts.carry_out(service, screen, Wanted("void", name), lambda question: answer(question, words))

    with pytest.raises(Wrong, match="nothing was changed"):
        on(data, lambda service: act(service, "n"))
    assert state(data, name).sets == 1
    on(data, lambda service: act(service, "Y"))
    assert state(data, name).sets == 2
    assert asked == [f"Have the set that is played at {name} not count? [y/N] "] * 2


def test_a_penalty_is_refused_where_the_rules_have_none(say: Say, data: Path) -> None:
    name = table(data)
    code, out, err = say("penalty", name, "bob", "1", "--yes")
    assert (code, out, len(err.splitlines())) == (1, "", 1)
    assert "lets nobody cheat" in err
    code, _, err = say("penalty", name, "2", "x" * 300, "--yes")
    assert (code, "nobody can be accused of" in err) == (1, True)
    assert state(data, name).sets == 1


def test_a_ban_has_an_end_and_is_listed_and_taken_back(say: Say, data: Path) -> None:
    table(data)
    assert say("ban")[1] == "Nobody is banned.\n"
    code, out, _ = say("ban", "Bob", "--until", "5 days", "--reason", "spoils games")
    assert (code, "tg:102 may open and join no table until" in out) == (0, True)
    assert say("ban", "4711")[1] == "tg:4711 may open and join no table\n", "of somebody who was never here"
    listed = say("ban")[1].splitlines()
    assert {line.split()[0] for line in listed if "(spoils games)" in line} == {"tg:102"}
    assert len(listed) == 2
    code, _, err = say("ban", "Bob", "--until", "yesterday")
    assert (code, "--until must be a day to come" in err) == (1, True)
    assert say("unban", "tg:102")[0] == 0
    code, _, err = say("unban", "tg:102")
    assert (code, "tg:102 is not banned" in err) == (1, True)


def test_an_announcement_goes_to_each_chat_with_a_running_table_once(say: Say, data: Path) -> None:
    table(data)
    name = table(data)
    code, out, _ = say("announce", "We move tonight")
    assert (code, out) == (0, "1 chat with a running table is told by the bot, within its limits.\n")
    assert "already" in say("announce", " We move tonight ")[1]
    assert say("announce")[1] == "0 of 1 told, 0 cannot be reached: We move tonight\n"
    kept = on(data, lambda service: service.directory.everything("announcements"))
    assert [json.loads(text)["tables"] for text in kept.values()] == [[name]], "the newest table says where"
    assert say("announce", "")[0] == 1
    assert say("announce", "x" * 1_001)[0] == 1


def test_maintenance_pauses_every_running_table_once_and_lets_it_go_on(say: Say, data: Path) -> None:
    name, other = table(data), table(data)
    assert say("pause", other, "--yes")[0] == 0
    assert say("maintenance")[1] == "No maintenance.\n"
    assert say("maintenance", "on", "--reason", "disk")[1] == "Maintenance: 1 table is paused (1 was before)\n"
    assert (state(data, name).paused, state(data, other).paused) == ("clock", "admin")
    assert last(data, name) == ("clock", (Paused("clock", state(data, name).paused_at, state(data, name).paused_why),))
    assert "The table is paused (maintenance: disk)" in say("show", name)[1]
    assert "The table is paused\n" in say("show", other)[1]
    assert "The service paused the table. Why: maintenance: disk" in say("audit", name)[1]
    assert "(disk)" in say("maintenance")[1]
    assert say("maintenance", "off")[1] == "Maintenance is over: 1 table goes on\n"
    assert (state(data, name).paused, state(data, other).paused) == (None, "admin")
    assert say("maintenance", "off") == (0, "There was no maintenance: nothing was changed.\n", "")
    assert say("maintenance", "perhaps")[0] == 2
    assert say("audit", "--all")[0] == 0


def test_who_is_not_known_here_is_unbanned_by_what_the_list_calls_him(say: Say, data: Path) -> None:
    table(data)
    assert say("ban", "4711", "--reason", "spam")[0] == 0
    assert say("ban", "Bob")[0] == 0
    [mark] = [line.split()[0] for line in say("ban")[1].splitlines() if "(spam)" in line]
    assert "4711" not in mark
    code, _, err = say("unban", mark[:-1])
    assert (code, len(err.splitlines())) == (1, 1)
    assert say("unban", mark) == (0, f"{mark} may open and join tables again\n", "")
    assert say("ban")[1].splitlines() == ["tg:102 may open and join no table"]
    assert say("unban", mark)[0] == 1


def test_words_that_nobody_would_hear_may_be_announced_later(say: Say, data: Path) -> None:
    code, out, err = say("announce", "We move tonight")
    assert (code, out, "nobody is told" in err) == (1, "", True)
    assert say("announce")[1] == "Nothing is being announced.\n"
    name = table(data)
    assert say("announce", "We move tonight")[1].startswith("1 chat ")
    assert say("close", name, "--yes")[0] == 0
    assert "already" in say("announce", "We move tonight")[1]


def test_during_maintenance_nobody_opens_a_table_at_the_terminal(say: Say, data: Path) -> None:
    table(data)
    assert say("maintenance", "on", "--reason", "disk")[0] == 0
    for words in (("--auto",), ()):
        code, out, err = say("play", "callbreak", *words)
        assert (code, out, len(err.splitlines())) == (1, "", 1)
        assert err.startswith("tabletalk: Maintenance since ")
        assert "(disk): tables wait until it is over" in err
    assert len(on(data, lambda service: service.store.tables())) == 1
    assert say("maintenance", "off")[0] == 0
    assert say("play", "callbreak", "--auto", "--games", "1")[0] == 0


def test_a_paused_table_is_listed_as_paused_and_waits_for_nobody(say: Say, data: Path) -> None:
    name = table(data)

    def row() -> list[str]:
        [line] = [line for line in say("tables")[1].splitlines() if line.startswith(name)]
        return re.split(r"\s{2,}", line.strip())

    assert (row()[2], len(row())) == ("playing", 6)
    assert say("pause", name, "--yes")[0] == 0
    assert (row()[2], len(row())) == ("paused", 5), "and it is nobody's turn"
    assert "paused" in say("show", name)[1].splitlines()[0]


def test_what_is_refused_to_the_operator_does_not_speak_to_a_player(say: Say, data: Path) -> None:
    name = table(data)
    code, _, err = say("replace", name, "bob", "Ann", "--yes")
    assert (code, err) == (1, "tabletalk: That person has a seat at this table already.\n")
    honest = on(data, lambda service: _opened(service, enforcement="honour"))
    code, _, err = say("penalty", honest, "bob", "3", "--yes")
    assert (code, "That cannot be punished: that player has not played to such a trick." in err) == (1, True)
    code, _, err = say("penalty", honest, "3", "1", "--yes")
    assert (code, "That cannot be punished: " in err, "You" in err) == (1, True, False)


class Seated(World):
    """A table on a deployment that is open, at which the seat CHEAT plays against the rules."""

    def __init__(self, service: Service) -> None:
        self.engine = service.engine
        self._ids = itertools.count(1)

    async def convictable(self) -> int:
        """Plays until something is proved that nobody has objected to; the number of its trick."""
        given = {"enforcement": "honour", "max_sets": "2", "target": "0", "hidden_call_test": "off", "redeal": ""}
        state = await self.started(honour.TABLE, given)
        while state.set.called < 4 or not (found := proved(state.set)):
            assert state.sets == 1, "the deal gives the occasion"
            state = await honour.honest_or_not(self, cheats=True)
        assert found[0].seat == honour.CHEAT
        return found[0].offence.trick


def test_whoever_is_punished_already_is_said_to_be(say: Say, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.engine.new_seed", lambda: bytes([1]) * 32)
    trick = str(on(data, lambda service: Seated(service).convictable()))
    words = ("penalty", honour.TABLE, str(honour.CHEAT + 1), trick, "--yes")
    code, out, _ = say(*words)
    assert (code, "is punished" in out) == (0, True)
    before = state(data, honour.TABLE)
    code, _, err = say(*words)
    assert (code, "That cannot be punished: " in err) == (1, True)
    assert re.search(r"For set 1 a penalty of .+ is written already\.", err)
    assert state(data, honour.TABLE) == before
    code, _, err = say("penalty", honour.TABLE, str(honour.CHEAT + 2), trick, "--yes")
    assert (code, "written already" in err) == (1, False)


def test_tables_are_listed_by_chat_by_player_and_by_how_long_nothing_has_happened(say: Say, data: Path) -> None:
    name = table(data)
    for words in (("--chat", "-100777"), ("--player", "Ann"), ("--player", "tg:102"), ("--chat", "-100777")):
        assert name in say("tables", *words)[1], words
    assert say("tables", "--stale", "1h") == (0, "No such tables.\n", "")
    code, _, err = say("tables", "--chat", "-1")
    assert (code, "no table was ever opened in -1" in err) == (1, True)
    code, _, err = say("tables", "--player", "Zoe")
    assert (code, "Zoe" in err) == (1, True)
    for span in ("", "3", "3y", "0d", "-1d", "99999d"):
        assert say("tables", "--stale", span)[0] == 2, span


def test_a_table_where_nothing_happens_is_stale(say: Say, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = table(data)
    monkeypatch.setattr("service.clock.SystemClock.now", lambda _: 4_000_000_000_000)
    code, out, _ = say("tables", "--stale", "2w")
    assert (code, name in out, "LAST" in out) == (0, True, True)


def test_a_log_is_followed_until_the_game_is_over(data: Path) -> None:
    name = table(data)
    with start(data, "log", name, "--follow") as following:
        read_until(following, "dealt")
        assert run(data, "pause", name, "--yes").returncode == 0
        read_until(following, "The table is paused")
        assert run(data, "close", name, "--yes").returncode == 0
        read_until(following, "The game is over without a winner")
        assert following.wait(PROGRAM) == 0
